//! The playout's turn: take the most squares at once, ties drawn; all squares are weighed in parallel.
//!
//! Gains come as bit planes over the whole board ([`Counts`]), so the best target falls out of a descent
//! through four planes, without a list and without a loop over squares. Ties between kinds go to the
//! spread, then the merge: both leave less behind than a jump. A seat that gains nothing passes.

use super::board::{dilate, neighbours, Board, Counts, Square};
use super::state::{State, SEATS};
use crate::kit::bits::random_bit;
use crate::kit::cpu::{Kernel, Level};
use crate::kit::rng::Rng;

/// The squares of `set` with the largest count, and that count.
#[inline(always)]
pub fn most(counts: &Counts, set: u64) -> (u64, u32) {
    let mut best = set;
    let mut value = 0;
    for plane in (0..4).rev() {
        let with = best & counts.0[plane];
        if with != 0 {
            best = with;
            value |= 1 << plane;
        }
    }
    (best, value)
}

/// Squares two king steps away from some square of `set` (and perhaps nearer to another).
#[inline(always)]
pub fn ring(set: u64) -> u64 {
    let left = set >> 1 & 0x7F7F_7F7F_7F7F_7F7F;
    let right = set << 1 & 0xFEFE_FEFE_FEFE_FEFE;
    let edge = (left >> 1 & 0x7F7F_7F7F_7F7F_7F7F) | (right << 1 & 0xFEFE_FEFE_FEFE_FEFE);
    let row = edge | left | set | right;
    let inner = edge | edge << 8 | edge >> 8;
    inner | row << 16 | row >> 16
}

impl<const P: usize> Board<P> {
    /// Plays the turn of the largest gain for `seat`; `false` when nothing gains and it passes.
    #[inline(always)]
    pub fn greedy_turn<L: Level>(&mut self, seat: usize, rng: &mut Rng) -> bool {
        let own = self.own[seat];
        let taken = Counts::of(self.enemies(seat));
        let filled = Counts::of(self.empty);
        let (spreads, spread_takes) = most(&taken, dilate(own) & self.empty);
        let (jumps, jump_gain) = most(&taken, ring(own) & self.empty);
        // A merge needs an own neighbour of its target.
        let paired = own & neighbours(own);
        let (merges, merge_fills) = most(&filled, paired);
        let spread_gain = if spreads == 0 { 0 } else { 1 + spread_takes };
        let merge_gain = merge_fills.saturating_sub(1);
        let best = spread_gain.max(merge_gain).max(jump_gain);
        if best == 0 {
            return false;
        }
        if spread_gain == best {
            self.spread(seat, Square(random_bit::<L>(spreads, rng) as u8));
        } else if merge_gain == best {
            let to = Square(random_bit::<L>(merges, rng) as u8);
            let from = random_bit::<L>(to.near() & own, rng);
            self.merge(seat, Square(from as u8), to);
        } else {
            let to = Square(random_bit::<L>(jumps, rng) as u8);
            let from = random_bit::<L>(to.ring() & own, rng);
            self.jump(seat, Square(from as u8), to);
        }
        true
    }
}

/// Four-player games by this policy from the start, as work for [`crate::kit::cpu::run`].
#[derive(Clone, Copy, Debug)]
pub struct GreedyGames {
    /// How many.
    pub games: u32,
    /// Of the draws among equals.
    pub seed: u64,
}

impl Kernel for GreedyGames {
    /// Turns played, and a hash of all ends.
    type Out = (u64, u64);

    #[inline(always)]
    fn run<L: Level>(self) -> (u64, u64) {
        let start = *State::start(8).board();
        let mut rng = Rng::new(self.seed);
        // Two games at a time: the moves of one overlap with those of the other in the processor.
        let mut lanes = [(start, 0u64, rng.fork()), (start, 0, rng.fork())];
        let (mut begun, mut turns, mut hash) = (0, 0, 0);
        while begun < self.games {
            for (board, played, rng) in &mut lanes {
                board.greedy_turn::<L>(*played as usize % SEATS, rng);
                *played += 1;
                // Few games go on for long; those that do would go on for ever.
                if board.empty == 0 || *played == 400 {
                    begun += 1;
                    turns += *played;
                    for own in board.own {
                        hash = (hash ^ own).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    }
                    (*board, *played) = (start, 0);
                }
            }
        }
        (turns, hash)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::slime::state::State;
    use crate::kit::cpu::Plain;
    use crate::kit::rng::Rng;

    /// The turn gains what the best move of the list gains.
    #[test]
    fn greedy_gains_the_most() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut board = *State::start(4 + seed as u32 % 5).board();
            for turn in 0..120 {
                let seat = turn % 4;
                let mut moves = Vec::new();
                board.useful_moves(seat, &mut moves);
                let best = moves.iter().map(|&m| board.gain(seat, m)).max().unwrap_or(0);
                if rng.below(4) == 0 {
                    board.random_turn::<Plain, true>(seat, &mut rng);
                    continue;
                }
                let before = board.counts()[seat] as i32;
                let moved = board.greedy_turn::<Plain>(seat, &mut rng);
                assert!(board.is_consistent());
                assert_eq!(board.counts()[seat] as i32 - before, best);
                assert_eq!(moved, best > 0);
            }
        }
    }
}
