//! A whole position: board, open hands, contents of both bags, turn.
//!
//! Public knowledge only: a bag's order is unknown to both players, so a draw is uniform over the bag's
//! contents, which is the same thing as a shuffled bag. No clocks, no protocol.

use super::board::Board;
use super::cells::Cell;
use super::tiles::{Kind, Tiles, BAG, HAND};
use crate::kit::bits::Bits;
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// Turns in a game.
pub const TURNS: u8 = 64;
/// From this turn on nobody draws: the last five tiles of each hand are left.
pub const LAST_DRAW: u8 = 54;

/// A tile of the mover's hand onto an empty cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where.
    pub cell: Cell,
    /// What.
    pub kind: Kind,
}

impl core::fmt::Display for Move {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", self.cell, self.kind)
    }
}

/// Why a move is refused, in the order the judge tests it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The cell is taken.
    NotEmpty,
    /// The tile is not in the hand.
    NoTile,
}

/// A position as both players know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Placed tiles.
    pub board: Board,
    /// Open hands, FIRST's and SECOND's.
    pub hands: [Tiles; 2],
    /// What is left in each bag.
    pub bags: [Tiles; 2],
    /// Tiles placed so far; even: FIRST moves.
    pub turn: u8,
}

const _: () = assert!(core::mem::size_of::<State>() <= 128);

impl State {
    /// Before the first turn, with the hands as dealt. Each kind at most twice a hand.
    pub fn new(hands: [Tiles; 2]) -> Self {
        let bag = |hand: Tiles| Tiles(Tiles::OWNED.0 - hand.0);
        Self {
            board: Board::EMPTY,
            hands,
            bags: [bag(hands[0]), bag(hands[1])],
            turn: 0,
        }
    }

    /// Before the first turn, five tiles a hand dealt at random.
    pub fn deal(rng: &mut Rng) -> Self {
        let mut hands = [Tiles::EMPTY; 2];
        for hand in &mut hands {
            for &kind in &shuffled(Tiles::OWNED, rng)[..HAND] {
                hand.add(kind);
            }
        }
        Self::new(hands)
    }

    /// Seat to move: 0 FIRST, 1 SECOND.
    #[inline(always)]
    pub const fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    /// Legal moves of a seat, by kind and then by cell.
    pub fn legal(&self, seat: usize) -> impl Iterator<Item = Move> + '_ {
        self.hands[seat].kinds().flat_map(|kind| {
            Bits(self.board.empty()).map(move |cell| Move {
                cell: Cell(cell as u8),
                kind,
            })
        })
    }

    /// Plays the mover's move without the draw. The move must be legal.
    pub fn play(&mut self, mv: Move) {
        let seat = self.mover();
        let _ = self.board.place(mv.cell, mv.kind);
        self.hands[seat].remove(mv.kind);
        self.turn += 1;
    }

    /// Plays the mover's move without the draw, or says why not and leaves everything as it was.
    pub fn try_play(&mut self, mv: Move) -> Result<(), Illegal> {
        if self.board.occupied() & mv.cell.bit() != 0 {
            return Err(Illegal::NotEmpty);
        }
        if !self.hands[self.mover()].has(mv.kind) {
            return Err(Illegal::NoTile);
        }
        self.play(mv);
        Ok(())
    }

    /// Moves a tile from a seat's bag to its hand; `false` if the bag has none of that kind.
    pub fn draw(&mut self, seat: usize, kind: Kind) -> bool {
        let there = self.bags[seat].has(kind);
        if there {
            self.bags[seat].remove(kind);
            self.hands[seat].add(kind);
        }
        there
    }

    /// Plays the mover's move and draws at random.
    pub fn advance_random(&mut self, mv: Move, rng: &mut Rng) {
        let seat = self.mover();
        self.play(mv);
        let left = self.bags[seat].len();
        if left > 0 {
            let kind = self.bags[seat].nth(rng.below(left));
            self.draw(seat, kind);
        }
    }
}

/// The tiles of a multiset in random order.
pub fn shuffled(tiles: Tiles, rng: &mut Rng) -> Vec<Kind> {
    let mut out = Vec::with_capacity(BAG);
    for kind in tiles.kinds() {
        for _ in 0..tiles.count(kind) {
            out.push(kind);
        }
    }
    rng.shuffle(&mut out);
    out
}

impl Game<2> for State {
    type Move = Move;

    fn is_over(&self) -> bool {
        self.turn == TURNS
    }

    fn payoff(&self) -> [f32; 2] {
        let first = match self.board.margin().signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
        [first, 1.0 - first]
    }

    fn to_move(&self) -> usize {
        self.mover()
    }

    fn moves(&self, seat: usize, out: &mut Vec<Move>) {
        out.extend(self.legal(seat));
    }

    fn advance(&mut self, joint: &[Move; 2], rng: &mut Rng) {
        self.advance_random(joint[self.mover()], rng);
    }

    fn hash(&self) -> u64 {
        // Hands decide the bags' contents, given the board; odd multipliers keep them apart.
        let hands = self.hands[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self.hands[1]
                .0
                .wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
                .rotate_left(29)
            ^ u64::from(self.turn & 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.board.hash() ^ hands ^ (hands >> 31)
    }
}
