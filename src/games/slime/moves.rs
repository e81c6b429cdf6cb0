//! Moves as the contest writes them, and the lists of them.
//!
//! A spread has one canonical source (the lowest): the source stays, so all sources give the same board.
//! Jumps and merges are told apart by source and target. Order of every list: spreads by target, merges
//! by source and target, jumps by target and source, then the pass.

use super::board::{dilate, Board, Counts, Square};
use crate::kit::bits::Bits;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Pass,
    /// A step to an empty square; the source stays.
    Spread,
    /// Two steps to an empty square; the source empties.
    Jump,
    /// A step to an own square: fills around it; the source empties.
    Merge,
}

/// One move of one seat: source, target and kind in 14 bits. The default is the pass.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// No change; written `0 0 0 0`.
    pub const PASS: Self = Self(0);

    /// A move of `kind`.
    #[inline(always)]
    pub const fn new(kind: Kind, from: Square, to: Square) -> Self {
        Self(from.0 as u16 | (to.0 as u16) << 6 | (kind as u16) << 12)
    }

    /// Where from; the first square for a pass.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square((self.0 & 63) as u8)
    }

    /// Where to; the first square for a pass.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square((self.0 >> 6 & 63) as u8)
    }

    /// What it does.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        match self.0 >> 12 {
            0 => Kind::Pass,
            1 => Kind::Spread,
            2 => Kind::Jump,
            _ => Kind::Merge,
        }
    }

    /// A number below 2^14 that is different for every move.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl core::fmt::Display for Move {
    /// The contest's form: `r1 c1 r2 c2`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (from, to) = (self.from(), self.to());
        write!(f, "{} {} {} {}", from.row(), from.column(), to.row(), to.column())
    }
}

impl core::fmt::Debug for Move {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}({self})", self.kind())
    }
}

impl<const P: usize> Board<P> {
    /// Plays a legal move. Asserts legality in debug builds.
    #[inline(always)]
    pub fn play(&mut self, seat: usize, m: Move) {
        match m.kind() {
            Kind::Pass => {}
            Kind::Spread => self.spread(seat, m.to()),
            Kind::Jump => self.jump(seat, m.from(), m.to()),
            Kind::Merge => self.merge(seat, m.from(), m.to()),
        }
        debug_assert!(self.is_consistent());
    }

    /// Squares `seat` is up after a move, at once.
    #[inline(always)]
    pub fn gain(&self, seat: usize, m: Move) -> i32 {
        let near = m.to().near();
        let taken = || (near & self.enemies(seat)).count_ones() as i32;
        match m.kind() {
            Kind::Pass => 0,
            Kind::Spread => 1 + taken(),
            Kind::Jump => taken(),
            Kind::Merge => (near & self.empty).count_ones() as i32 - 1,
        }
    }

    /// The move from `from` to `to` as the contest reads it; anything against the rules is a pass.
    pub fn read_move(&self, seat: usize, from: Square, to: Square) -> Move {
        let own = self.own[seat];
        if own & from.bit() == 0 {
            return Move::PASS;
        }
        if self.empty & to.bit() != 0 {
            if from.near() & to.bit() != 0 {
                return Move::new(Kind::Spread, self.spread_source(seat, to), to);
            }
            if from.ring() & to.bit() != 0 {
                return Move::new(Kind::Jump, from, to);
            }
        } else if own & from.near() & to.bit() != 0 {
            return Move::new(Kind::Merge, from, to);
        }
        Move::PASS
    }

    /// The canonical source of a spread to `to`.
    #[inline(always)]
    pub fn spread_source(&self, seat: usize, to: Square) -> Square {
        Square((to.near() & self.own[seat]).trailing_zeros() as u8)
    }

    /// Every legal move but the pass: spreads, jumps and all merges.
    pub fn legal_moves(&self, seat: usize, out: &mut Vec<Move>) {
        self.push_spreads(seat, out);
        self.push_merges(seat, self.own[seat], out);
        self.push_jumps(seat, out);
    }

    /// The moves worth searching: [`Self::legal_moves`] without merges that gain nothing.
    pub fn useful_moves(&self, seat: usize, out: &mut Vec<Move>) {
        self.push_spreads(seat, out);
        self.push_merges(seat, self.merge_targets(seat), out);
        self.push_jumps(seat, out);
    }

    /// Own squares with at least two empty neighbours: a merge into one of them gains.
    #[inline(always)]
    pub fn merge_targets(&self, seat: usize) -> u64 {
        self.own[seat] & Counts::of(self.empty).at_least(2)
    }

    fn push_spreads(&self, seat: usize, out: &mut Vec<Move>) {
        for to in Bits(self.spreads(seat)).map(|to| Square(to as u8)) {
            out.push(Move::new(Kind::Spread, self.spread_source(seat, to), to));
        }
    }

    fn push_merges(&self, seat: usize, targets: u64, out: &mut Vec<Move>) {
        for from in Bits(self.own[seat] & dilate(targets)).map(|from| Square(from as u8)) {
            for to in Bits(from.near() & targets) {
                out.push(Move::new(Kind::Merge, from, Square(to as u8)));
            }
        }
    }

    fn push_jumps(&self, seat: usize, out: &mut Vec<Move>) {
        for to in Bits(self.within_two(seat)).map(|to| Square(to as u8)) {
            for from in Bits(to.ring() & self.own[seat]) {
                out.push(Move::new(Kind::Jump, Square(from as u8), to));
            }
        }
    }
}
