//! Counts of move sequences: the check of the move masks.
//!
//! Every move is made, also on the last ply. A full board has no continuation. A seat without any move
//! passes (once for the count). Passing by choice is not counted.

use super::board::{dilate, Board, Square};
use crate::kit::bits::Bits;
use crate::kit::cpu::{Kernel, Level};
use std::hint::black_box;

impl<const P: usize> Board<P> {
    /// Calls `visit` with the board after each move of `seat` but the pass: spreads, jumps and (where
    /// `MERGES`) all merges.
    #[inline(always)]
    fn for_each_child<const MERGES: bool>(&self, seat: usize, mut visit: impl FnMut(Self)) {
        let own = self.own[seat];
        let spreads = self.spreads(seat);
        for to in Bits(self.within_two(seat)).map(|to| Square(to as u8)) {
            let mut taken = *self;
            taken.spread(seat, to);
            if spreads & to.bit() != 0 {
                visit(taken);
            }
            for from in Bits(to.ring() & own).map(|from| Square(from as u8)) {
                let mut child = taken;
                child.own[seat] ^= from.bit();
                child.empty ^= from.bit();
                visit(child);
            }
        }
        if MERGES {
            for from in Bits(own & dilate(own)).map(|from| Square(from as u8)) {
                for to in Bits(from.near() & own).map(|to| Square(to as u8)) {
                    let mut child = *self;
                    child.merge(seat, from, to);
                    visit(child);
                }
            }
        }
    }
}

/// One count, as work for [`crate::kit::cpu::run`]: sequences of `depth` moves from `board`, `seat` first.
#[derive(Clone, Copy, Debug)]
pub struct Perft<const P: usize, const MERGES: bool> {
    /// Where from.
    pub board: Board<P>,
    /// Who moves first.
    pub seat: usize,
    /// Moves in a sequence, at least 1.
    pub depth: u32,
}

impl<const P: usize, const MERGES: bool> Kernel for Perft<P, MERGES> {
    type Out = u64;

    #[inline(always)]
    fn run<L: Level>(self) -> u64 {
        // The relative without merges also ends when somebody is gone.
        if self.board.empty == 0 || (!MERGES && self.board.own.contains(&0)) {
            return 0;
        }
        let mut moves = 0;
        let mut leaves = 0;
        self.board.for_each_child::<MERGES>(self.seat, |board| {
            moves += 1;
            if self.depth <= 1 {
                // The move is really made: without this the compiler would only count.
                black_box(&board);
            } else {
                leaves += L::enter(self.next(board));
            }
        });
        if self.depth <= 1 {
            return moves.max(1);
        }
        if moves == 0 {
            return L::enter(self.next(self.board));
        }
        leaves
    }
}

impl<const P: usize, const MERGES: bool> Perft<P, MERGES> {
    #[inline(always)]
    fn next(&self, board: Board<P>) -> Self {
        Self {
            board,
            seat: if self.seat + 1 == P { 0 } else { self.seat + 1 },
            depth: self.depth - 1,
        }
    }
}

/// The start of the two-player relative without merges: `x5o/7/7/7/7/7/o5x x`.
pub fn ataxx() -> Board<2> {
    let mut board = Board::bare(7);
    board.own = [
        Square::at(0, 0).bit() | Square::at(6, 6).bit(),
        Square::at(0, 6).bit() | Square::at(6, 0).bit(),
    ];
    board.empty &= !(board.own[0] | board.own[1]);
    board
}

#[cfg(test)]
mod tests {
    use super::{ataxx, Perft};
    use crate::kit::cpu::run;

    /// Published counts of the two-player game.
    #[test]
    fn ataxx_counts_are_the_known_ones() {
        for (depth, expected) in (1..).zip([16, 256, 6460, 155_888, 4_752_668, 141_865_520]) {
            let board = ataxx();
            let count = Perft::<2, false> {
                board,
                seat: 0,
                depth,
            };
            assert_eq!(run(count), expected, "depth {depth}");
        }
    }
}
