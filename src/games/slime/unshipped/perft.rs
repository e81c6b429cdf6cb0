//! Counts of move sequences: the check of the move masks.
//!
//! Every move is made, also on the last ply. A full board has no continuation. A seat without any move
//! passes (once for the count). Passing by choice is not counted.

use crate::games::slime::board::{dilate, Board, Square};
use crate::kit::bits::Bits;
use crate::kit::cpu::{Kernel, Level};
use std::hint::black_box;

impl<const P: usize> Board<P> {
    /// Calls `visit` with the board after each move of seat 0 but the pass: spreads, jumps and (where
    /// `MERGES`) all merges.
    #[inline(always)]
    fn for_each_child<const MERGES: bool>(&self, mut visit: impl FnMut(Self)) {
        let own = self.own[0];
        for to in Bits(self.spreads(0)) {
            let mut child = *self;
            child.spread(0, Square(to as u8));
            visit(child);
        }
        // By source: few long loops are predicted better than many short ones.
        for from in Bits(own).map(|from| Square(from as u8)) {
            for to in Bits(from.ring() & self.empty) {
                let mut child = *self;
                child.jump(0, from, Square(to as u8));
                visit(child);
            }
        }
        if MERGES {
            for from in Bits(own & dilate(own)).map(|from| Square(from as u8)) {
                for to in Bits(from.near() & own) {
                    let mut child = *self;
                    child.merge(0, from, Square(to as u8));
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
    fn run<L: Level>(mut self) -> u64 {
        self.board.own.rotate_left(self.seat);
        let board = self.board;
        L::enter(Count::<P, MERGES> {
            board,
            depth: self.depth,
        })
    }
}

/// The same with the masks turned so that seat 0 moves: a seat known at compile time.
struct Count<const P: usize, const MERGES: bool> {
    board: Board<P>,
    depth: u32,
}

impl<const P: usize, const MERGES: bool> Kernel for Count<P, MERGES> {
    type Out = u64;

    #[inline(always)]
    fn run<L: Level>(self) -> u64 {
        // The relative without merges also ends when somebody is gone.
        if self.board.empty == 0 || (!MERGES && self.board.own.contains(&0)) {
            return 0;
        }
        let mut moves = 0;
        if self.depth <= 1 {
            self.board.for_each_child::<MERGES>(|board| {
                moves += 1;
                // The move is really made: without this the compiler would only count.
                black_box(&board);
            });
            return moves.max(1);
        }
        let depth = self.depth - 1;
        let next = |mut board: Board<P>| {
            board.own.rotate_left(1);
            L::enter(Self { board, depth })
        };
        let mut leaves = 0;
        self.board.for_each_child::<MERGES>(|board| {
            moves += 1;
            leaves += next(board);
        });
        if moves == 0 {
            next(self.board)
        } else {
            leaves
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Perft;
    use crate::games::slime::unshipped::ataxx::start;
    use crate::kit::cpu::run;

    /// Published counts of the two-player game.
    #[test]
    fn ataxx_counts_are_the_known_ones() {
        for (depth, expected) in (1..).zip([16, 256, 6460, 155_888, 4_752_668, 141_865_520]) {
            let board = start(7);
            let count = Perft::<2, false> {
                board,
                seat: 0,
                depth,
            };
            assert_eq!(run(count), expected, "depth {depth}");
        }
    }
}
