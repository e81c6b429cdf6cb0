//! What a position looks like to the evaluation: numbers per seat, the seat on turn first.
//!
//! Everything is a popcount of masks over the whole board, scaled to about 0..1.

use super::board::{dilate, neighbours, Board, Counts};
use super::policy::{most, ring};
use super::state::SEATS;

/// Numbers per seat.
pub const PER_SEAT: usize = 15;
/// All numbers: those of four seats, the empty squares, the weakness of the three others, and how near the end is.
pub const INPUTS: usize = SEATS * PER_SEAT + SEATS + 2;
/// Squares with fewer than eight neighbours on the largest board.
const EDGE: u64 = 0xFF81_8181_8181_81FF;

/// The numbers of a position with `seat` on turn; `weak` by absolute seat ([`Model::weakness`]).
///
/// [`Model::weakness`]: super::models::Model::weakness
#[inline(always)]
pub fn features(board: &Board<SEATS>, seat: usize, weak: &[f32; SEATS]) -> [f32; INPUTS] {
    let empty = board.empty;
    let exposed = neighbours(empty);
    let filled = Counts::of(empty);
    let mut one = [0; SEATS];
    let mut two = [0; SEATS];
    for s in 0..SEATS {
        let near = dilate(board.own[s]);
        one[s] = near & empty;
        two[s] = dilate(near) & empty;
    }
    let mut out = [0.0; INPUTS];
    for i in 0..SEATS {
        let s = (seat + i) % SEATS;
        let own = board.own[s];
        let (mut enemy_one, mut enemy_two) = (0, 0);
        for o in 0..SEATS {
            if o != s {
                enemy_one |= one[o];
                enemy_two |= two[o];
            }
        }
        let taken = Counts::of(board.enemies(s));
        let (spreads, takes) = most(&taken, one[s]);
        let (_, fills) = most(&filled, own & neighbours(own));
        let (_, jumps) = most(&taken, ring(own) & empty);
        let squares = |set: u64| set.count_ones() as f32 * (1.0 / 16.0);
        // What an enemy can take at once, and from how many squares.
        let (threats, threat) = most(&Counts::of(own), enemy_two);
        let numbers = [
            squares(own),
            squares(own & exposed),
            squares(own & neighbours(enemy_one)),
            squares(own & neighbours(enemy_two)),
            squares(one[s]),
            squares(two[s]),
            squares(one[s] & !enemy_one),
            squares(one[s] & !enemy_two),
            if spreads == 0 {
                0.0
            } else {
                (takes + 1) as f32 * 0.125
            },
            fills as f32 * 0.125,
            jumps as f32 * 0.125,
            f32::from(own != 0),
            squares(own & EDGE),
            threat as f32 * 0.125,
            if threat == 0 {
                0.0
            } else {
                threats.count_ones().min(4) as f32 * 0.25
            },
        ];
        out[i * PER_SEAT..(i + 1) * PER_SEAT].copy_from_slice(&numbers);
        out[SEATS * PER_SEAT + i] = weak[s];
    }
    // Nobody asks how weak we are: that place is free.
    let left = empty.count_ones();
    out[SEATS * PER_SEAT] = left as f32 * (1.0 / 64.0);
    out[INPUTS - 2] = left.min(8) as f32 * 0.125;
    out[INPUTS - 1] = (left & 1) as f32;
    out
}
