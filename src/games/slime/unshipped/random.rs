//! Uniformly random turns drawn from masks, without a list.
//!
//! The moves of one direction are one mask (16 directions of jumps, 8 of merges that gain), the spreads
//! are one more; a number below the sum of their sizes picks mask and bit. The pass is not among them:
//! a seat passes only when it has nothing else.

use crate::games::slime::board::{Board, Square};
use crate::games::slime::moves::{Kind, Move};
use crate::games::slime::state::State;
use crate::kit::bits::select_bit;
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;

/// Masks of a draw: spreads, 16 directions of jumps, 8 of merges.
const MASKS: usize = 25;

/// Bits from source to target, in the order of the masks (0 for the spreads).
const OFFSETS: [i8; MASKS] = [
    0, // spreads
    14, 15, 16, 17, 18, 6, 10, -2, 2, -10, -6, -18, -17, -16, -15, -14, // jumps
    7, 8, 9, -1, 1, -9, -8, -7, // merges
];

/// First mask of the merges.
const FIRST_MERGE: usize = 17;

/// A set moved sideways by -2, -1, 0, 1 and 2 columns.
#[inline(always)]
const fn sideways(set: u64) -> [u64; 5] {
    let left = set >> 1 & 0x7F7F_7F7F_7F7F_7F7F;
    let right = set << 1 & 0xFEFE_FEFE_FEFE_FEFE;
    [
        left >> 1 & 0x7F7F_7F7F_7F7F_7F7F,
        left,
        set,
        right,
        right << 1 & 0xFEFE_FEFE_FEFE_FEFE,
    ]
}

impl<const P: usize> Board<P> {
    /// One mask of targets per direction.
    #[inline(always)]
    fn targets<const MERGES: bool>(&self, seat: usize) -> [u64; MASKS] {
        let [a, b, c, d, e] = sideways(self.own[seat]);
        let empty = self.empty;
        let mut masks = [0; MASKS];
        masks[0] = self.spreads(seat);
        masks[1] = a << 16 & empty;
        masks[2] = b << 16 & empty;
        masks[3] = c << 16 & empty;
        masks[4] = d << 16 & empty;
        masks[5] = e << 16 & empty;
        masks[6] = a << 8 & empty;
        masks[7] = e << 8 & empty;
        masks[8] = a & empty;
        masks[9] = e & empty;
        masks[10] = a >> 8 & empty;
        masks[11] = e >> 8 & empty;
        masks[12] = a >> 16 & empty;
        masks[13] = b >> 16 & empty;
        masks[14] = c >> 16 & empty;
        masks[15] = d >> 16 & empty;
        masks[16] = e >> 16 & empty;
        if MERGES {
            let into = self.merge_targets(seat);
            masks[17] = b << 8 & into;
            masks[18] = c << 8 & into;
            masks[19] = d << 8 & into;
            masks[20] = b & into;
            masks[21] = d & into;
            masks[22] = b >> 8 & into;
            masks[23] = c >> 8 & into;
            masks[24] = d >> 8 & into;
        }
        masks
    }

    /// Draws from spreads, jumps and (where `MERGES`) merges that gain: the mask's number and the target.
    #[inline(always)]
    fn draw<L: Level, const MERGES: bool>(&self, seat: usize, rng: &mut Rng) -> Option<(usize, Square)> {
        let used = if MERGES { MASKS } else { FIRST_MERGE };
        let masks = self.targets::<MERGES>(seat);
        // Up to and with each mask.
        let mut sums = [0; MASKS];
        let mut total = 0;
        for i in 0..used {
            total += masks[i].count_ones();
            sums[i] = total;
        }
        if total == 0 {
            return None;
        }
        let pick = rng.below(total);
        let mut index = 0;
        for sum in &sums[..used - 1] {
            index += usize::from(pick >= *sum);
        }
        let rest = sums[index] - 1 - pick;
        Some((index, Square(select_bit::<L>(masks[index], rest) as u8)))
    }

    /// A uniformly random move: a spread, a jump or (where `MERGES`) a merge that gains; the pass when
    /// there is none.
    #[inline(always)]
    pub fn random_move<L: Level, const MERGES: bool>(&self, seat: usize, rng: &mut Rng) -> Move {
        let Some((index, to)) = self.draw::<L, MERGES>(seat, rng) else {
            return Move::PASS;
        };
        if index == 0 {
            return Move::new(Kind::Spread, self.spread_source(seat, to), to);
        }
        let from = Square((to.0 as i8 - OFFSETS[index]) as u8);
        let kind = if index < FIRST_MERGE {
            Kind::Jump
        } else {
            Kind::Merge
        };
        Move::new(kind, from, to)
    }

    /// Draws as [`Self::random_move`] and plays at once. Returns what kind was played.
    #[inline(always)]
    pub fn random_turn<L: Level, const MERGES: bool>(&mut self, seat: usize, rng: &mut Rng) -> Kind {
        let Some((index, to)) = self.draw::<L, MERGES>(seat, rng) else {
            return Kind::Pass;
        };
        let from = Square((to.0 as i8 - OFFSETS[index]) as u8);
        if index >= FIRST_MERGE {
            self.merge(seat, from, to);
            return Kind::Merge;
        }
        // A spread empties nothing: without a branch, which no processor could foretell.
        let (kind, left) = if index == 0 {
            (Kind::Spread, 0)
        } else {
            (Kind::Jump, from.bit())
        };
        let near = to.near();
        self.hand(seat, near | left, (self.occupied() & near) | to.bit());
        self.empty ^= to.bit() | left;
        kind
    }
}

impl State {
    /// A position on a board of `size` rows after `turns` useful moves drawn at random; who has none passes.
    pub fn drawn(size: u32, turns: usize, rng: &mut Rng) -> Self {
        let mut state = Self::start(size);
        for _ in 0..turns {
            let mut moves = Vec::new();
            state.board().useful_moves(state.seat(), &mut moves);
            let n = rng.below(moves.len().max(1) as u32) as usize;
            state.play(moves.get(n).copied().unwrap_or(Move::PASS));
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::Board;
    use crate::games::slime::moves::Move;
    use crate::games::slime::state::State;
    use crate::kit::cpu::Plain;
    use crate::kit::rng::Rng;

    /// Every useful move turns up, nothing else does, and about equally often.
    #[test]
    fn draws_are_uniform_over_the_list() {
        let text = "3,11111222,11111444,11.22444,.1222.4.,333.3244,33333.44,333...44,333....4";
        let board: Board<4> = *State::parse(text).unwrap().board();
        let mut rng = Rng::new(5);
        for seat in 0..4 {
            let mut moves = Vec::new();
            board.useful_moves(seat, &mut moves);
            let mut seen = vec![0u32; moves.len()];
            for _ in 0..400 * moves.len() {
                let m: Move = board.random_move::<Plain, true>(seat, &mut rng);
                seen[moves.iter().position(|&x| x == m).expect("a move of the list")] += 1;
            }
            assert!(seen.iter().all(|&n| (300..500).contains(&n)), "{seen:?}");
        }
    }

    /// A drawn turn does what the drawn move does.
    #[test]
    fn turns_are_moves() {
        let mut board = *State::start(8).board();
        let mut rng = Rng::new(6);
        for turn in 0..20_000 {
            let seat = turn % 4;
            if board.empty == 0 {
                board = *State::start(8).board();
            }
            let mut expected = board;
            let mut same = rng.clone();
            let m = expected.random_move::<Plain, true>(seat, &mut same);
            expected.play(seat, m);
            assert_eq!(board.random_turn::<Plain, true>(seat, &mut rng), m.kind());
            assert_eq!(board, expected);
            assert!(board.is_consistent());
        }
    }
}
