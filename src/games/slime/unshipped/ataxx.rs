//! The two-player relative without merges, for comparison with engines of that game.
//!
//! Same masks, same draw of random moves; the end is that game's: a side is gone, nobody can move, or 100
//! turns without a spread.

use crate::games::slime::board::{Board, Square};
use crate::games::slime::moves::Kind;
use crate::kit::cpu::{Kernel, Level};
use crate::kit::rng::Rng;

/// Turns without a spread that end a game.
const QUIET: u32 = 100;

/// Two slimes a side in opposite corners of a board of `size` (4..=8): `x5o/7/7/7/7/7/o5x` for 7.
pub fn start(size: u32) -> Board<2> {
    let mut board = Board::bare(size);
    let far = size - 1;
    board.own = [
        Square::at(0, 0).bit() | Square::at(far, far).bit(),
        Square::at(0, far).bit() | Square::at(far, 0).bit(),
    ];
    board.empty &= !(board.own[0] | board.own[1]);
    board
}

/// Uniformly random games from `start(size)`, as work for [`crate::kit::cpu::run`].
#[derive(Clone, Copy, Debug)]
pub struct RandomGames {
    /// Rows and columns.
    pub size: u32,
    /// How many.
    pub games: u32,
    /// Of the draws.
    pub seed: u64,
}

impl Kernel for RandomGames {
    /// Turns played, and the squares of the first side over all ends.
    type Out = (u64, u64);

    #[inline(always)]
    fn run<L: Level>(self) -> (u64, u64) {
        let mut rng = Rng::new(self.seed);
        let (mut turns, mut squares) = (0, 0);
        for _ in 0..self.games {
            let mut board = start(self.size);
            let (mut seat, mut quiet, mut passes) = (0, 0, 0);
            while board.empty != 0 && board.own[0] != 0 && board.own[1] != 0 && quiet < QUIET && passes < 2 {
                let kind = board.random_turn::<L, false>(seat, &mut rng);
                quiet = if kind == Kind::Spread { 0 } else { quiet + 1 };
                passes = if kind == Kind::Pass { passes + 1 } else { 0 };
                seat = 1 - seat;
                turns += 1;
            }
            squares += u64::from(board.own[0].count_ones());
        }
        (turns, squares)
    }
}
