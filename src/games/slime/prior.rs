//! The moves of a position in order of their likelihood, taken straight from the masks.
//!
//! A move's class is its kind and the number of squares it takes (spread, jump) or fills (merge). The
//! classes are sorted once; a position's moves are then read off class by class, without a sort.

use super::board::{dilate, neighbours, Board, Counts, Square};
use super::moves::{Kind, Move};
use super::weights::Weights;
use crate::kit::bits::Bits;

/// Most squares around one.
const AROUND: usize = 8;

/// One kind of move with one count, and the likelihood of each such move before normalising.
#[derive(Clone, Copy, Debug)]
struct Class {
    kind: Kind,
    count: u32,
    weight: f32,
}

/// All classes, likeliest first.
#[derive(Clone, Debug)]
pub struct Prior {
    classes: [Class; 3 * AROUND + 2],
}

impl Prior {
    /// Sorts the classes by what the weights say.
    pub fn new(w: &Weights) -> Self {
        let class = |kind, count: usize| {
            let n = count as f32;
            let log = match kind {
                Kind::Spread => w.spread_gain * (n + 1.0),
                Kind::Merge => w.merge_base + w.merge_gain * (n - 1.0),
                Kind::Jump => w.jump_base + w.jump_gain * n,
                Kind::Pass => w.pass_base,
            };
            Class {
                kind,
                count: count as u32,
                weight: log.exp(),
            }
        };
        let mut classes = [class(Kind::Pass, 0); 3 * AROUND + 2];
        for count in 0..=AROUND {
            classes[count] = class(Kind::Spread, count);
            classes[AROUND + 1 + count] = class(Kind::Jump, count);
            if count >= 2 {
                classes[2 * AROUND + count] = class(Kind::Merge, count);
            }
        }
        classes.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Self { classes }
    }

    /// Calls `keep` with the likeliest moves of `seat` and their weights, at most `width` of them and
    /// always the pass; returns the sum of the weights.
    #[inline(always)]
    pub fn best<const P: usize>(
        &self,
        board: &Board<P>,
        seat: usize,
        width: usize,
        mut keep: impl FnMut(Move, f32),
    ) -> f32 {
        let own = board.own[seat];
        let taken = Counts::of(board.enemies(seat)).0;
        let filled = Counts::of(board.empty).0;
        let spreads = dilate(own) & board.empty;
        let reach = board.within_two(seat);
        let pairs = own & neighbours(own);
        let mut left = width;
        let mut sum = 0.0;
        let mut passed = false;
        for class in &self.classes {
            if left <= 1 && passed {
                break;
            }
            match class.kind {
                Kind::Pass => {
                    passed = true;
                    left = left.saturating_sub(1);
                    sum += class.weight;
                    keep(Move::PASS, class.weight);
                }
                Kind::Spread => {
                    for to in Bits(spreads & exactly(&taken, class.count)) {
                        if left == 1 {
                            break;
                        }
                        left -= 1;
                        sum += class.weight;
                        let to = Square(to as u8);
                        keep(
                            Move::new(Kind::Spread, board.spread_source(seat, to), to),
                            class.weight,
                        );
                    }
                }
                Kind::Jump => {
                    for to in Bits(reach & exactly(&taken, class.count)) {
                        let to = Square(to as u8);
                        for from in Bits(to.ring() & own) {
                            if left == 1 {
                                break;
                            }
                            left -= 1;
                            sum += class.weight;
                            keep(Move::new(Kind::Jump, Square(from as u8), to), class.weight);
                        }
                    }
                }
                Kind::Merge => {
                    for to in Bits(pairs & exactly(&filled, class.count)) {
                        let to = Square(to as u8);
                        for from in Bits(to.near() & own) {
                            if left == 1 {
                                break;
                            }
                            left -= 1;
                            sum += class.weight;
                            keep(Move::new(Kind::Merge, Square(from as u8), to), class.weight);
                        }
                    }
                }
            }
        }
        sum
    }
}

/// Squares whose count is `n`.
#[inline(always)]
fn exactly(planes: &[u64; 4], n: u32) -> u64 {
    let mut set = u64::MAX;
    for (i, plane) in planes.iter().enumerate() {
        set &= if n >> i & 1 == 1 { *plane } else { !*plane };
    }
    set
}
