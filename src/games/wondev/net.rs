//! What the counts of [`super::eval`] miss in league 0: a small network that is added to them.
//!
//! Each side has one accumulator: a row for every level and every hole in the 5x5 window of its unit, by the unit's own
//! height, and one for the other unit by its height and place. Both accumulators, clipped, the counts and the share of
//! levels built lead to a second layer, and that to the value. Summed anew at each leaf, about 40 rows. Integers
//! throughout, so all machines agree. Handles one unit each; two units would need rows for the partner too.
//!
//! Units: a row's 1 is 1/64, the second layer's inputs count in 1/64 (counts in quarters), its weights in 1/1024.

use super::board::{grow, Sq};
use super::eval::TERMS;
use super::state::State;
use crate::kit::bits::Bits;
use crate::kit::cpu::Level;

/// Width of an accumulator.
pub const HIDDEN: usize = 32;
/// Width of the second layer.
pub const SECOND: usize = 16;
/// Heights a unit stands on.
pub const HEIGHTS: usize = 3;
/// Cells of a window.
pub const AROUND: usize = 24;
/// Numbers of the first layer: windows of four levels and holes, the other unit's places and one for far away, bias.
pub const FIRST: usize = (HEIGHTS * (5 * AROUND + AROUND + 1) + 1) * HIDDEN;
/// Inputs of the second layer.
pub const INPUTS: usize = 2 * HIDDEN + TERMS + 1;
/// Numbers of a network.
pub const NUMBERS: usize = FIRST + SECOND * (INPUTS + 1) + 1;
/// Inputs of the second layer, filled up to whole vectors.
const LINE: usize = INPUTS.next_multiple_of(16);
/// Highest value of an accumulator that counts.
const ONE: i16 = 64;
/// Highest value of the second layer that counts, in 1/256.
const MOST: i32 = 4095;

type Row = [i16; HIDDEN];

/// What two inputs, one after the other, give to each of the second layer.
pub type Pair = [[i16; 2]; SECOND];

/// The cells around each square in the 8x8 frame.
const WINDOW: [u64; 64] = windows();

const fn windows() -> [u64; 64] {
    let mut table = [0; 64];
    let mut sq = 0;
    while sq < 64 {
        table[sq] = grow(grow(1 << sq)) & !(1 << sq);
        sq += 1;
    }
    table
}

/// The square whose window begins at the first bit.
const CENTRE: usize = 18;

/// A network, made ready for one map.
#[derive(Clone, PartialEq)]
pub struct Net {
    /// By the unit's height and a level, the last for holes; then by the cell, the window's corner first.
    near: [[[Row; 64]; 5]; 4],
    /// By the unit's height and square: all holes around it, and the bias.
    holes: [[Row; 64]; 4],
    /// By the other unit's height and cell; far away: [`CENTRE`].
    other: [[Row; 64]; 4],
    bias: Row,
    second: [Pair; LINE / 2],
    third: [i32; SECOND],
    score: i32,
    cells: u64,
}

impl Net {
    /// A network of the numbers of its layers, in order; a row's tell it from a third of those of the cells to the west
    /// and to the north in its window.
    // 120 KiB, once a game.
    #[allow(clippy::large_stack_arrays)]
    pub fn new(mut next: impl FnMut() -> i16) -> Box<Self> {
        let mut net = Box::new(Self {
            near: [[[[0; HIDDEN]; 64]; 5]; 4],
            holes: [[[0; HIDDEN]; 64]; 4],
            other: [[[0; HIDDEN]; 64]; 4],
            bias: [0; HIDDEN],
            second: [[[0; 2]; SECOND]; LINE / 2],
            third: [0; SECOND],
            score: 0,
            cells: 0,
        });
        let mut fill = |rows: &mut [Row; 64], cells| {
            for cell in Bits(cells) {
                let at = cell as usize;
                let [west, north] = [63, 56].map(|step| rows[(at + step) & 63]);
                rows[at] = std::array::from_fn(|i| next() + (west[i] + north[i]) / 3);
            }
        };
        for levels in &mut net.near[..HEIGHTS] {
            for rows in levels {
                fill(rows, WINDOW[CENTRE]);
            }
        }
        for rows in &mut net.other[..HEIGHTS] {
            fill(rows, WINDOW[CENTRE] | 1 << CENTRE);
        }
        net.bias = [(); HIDDEN].map(|()| next());
        net.second = pairs(INPUTS, &mut next);
        net.third = [(); SECOND].map(|()| i32::from(next()) << 2);
        net.score = i32::from(next()) << 8;
        net
    }

    /// Sums the holes of a map.
    pub fn face(&mut self, cells: u64) {
        if self.cells == cells {
            return;
        }
        self.cells = cells;
        for height in 0..4 {
            for sq in Bits(cells) {
                let at = sq as usize & 63;
                let mut sum = self.bias;
                // Beyond the frame there are holes too.
                for cell in Bits(WINDOW[CENTRE] & !turn(cells & WINDOW[at], at)) {
                    add(&mut sum, &self.near[height][4][cell as usize & 63]);
                }
                self.holes[height][at] = sum;
            }
        }
    }

    /// What the unit on `a` sees, the other on `b`.
    #[inline(always)]
    fn accumulate(&self, state: &State, a: Sq, b: Sq) -> Row {
        let at = a.index();
        let height = state.height(a) as usize & 3;
        let mut sum = self.holes[height][at];
        for level in 0..4 {
            for cell in Bits(turn(state.level(level) & WINDOW[at], at)) {
                add(&mut sum, &self.near[height][level][cell as usize & 63]);
            }
        }
        let far = WINDOW[at] & b.bit() == 0;
        let cell = if far { CENTRE } else { b.index() + CENTRE - at };
        add(&mut sum, &self.other[state.height(b) as usize & 3][cell & 63]);
        sum
    }

    /// What is to be added to the value for the player to move. `terms`: the counts of the position; `stage`: the share
    /// of levels built, in 2^-20.
    #[inline(always)]
    pub fn evaluate<L: Level>(&self, state: &State, terms: &[i32; TERMS], stage: i32) -> i32 {
        let units = [0, 1].map(|k| state.units(state.mover() ^ k)[0]);
        let mut inputs = [0; LINE];
        for k in 0..2 {
            let sum = self.accumulate(state, units[k], units[1 - k]);
            for (x, s) in inputs[k * HIDDEN..].iter_mut().zip(&sum) {
                *x = (*s).clamp(0, ONE);
            }
        }
        for (x, t) in inputs[2 * HIDDEN..].iter_mut().zip(terms) {
            *x = (*t << 2) as i16;
        }
        inputs[INPUTS - 1] = (stage >> 14) as i16;
        last_layers::<L>(&inputs, &self.second, &self.third, self.score)
    }
}

/// Weights of `inputs` inputs, from a list that has all of the first of the second layer, then all of the next.
pub fn pairs<const N: usize>(inputs: usize, mut next: impl FnMut() -> i16) -> [Pair; N] {
    let mut pairs = [[[0; 2]; SECOND]; N];
    for at in 0..SECOND * inputs {
        let input = at % inputs;
        pairs[input / 2][at / inputs][input % 2] = next();
    }
    pairs
}

/// The second layer over its inputs, clipped, and what it counts, as a value.
#[inline(always)]
pub fn last_layers<L: Level>(inputs: &[i16], second: &[Pair], third: &[i32; SECOND], mut score: i32) -> i32 {
    let mut sums = [0; SECOND];
    for (x, weights) in inputs.chunks_exact(2).zip(second) {
        L::add_products(&mut sums, [x[0], x[1]], weights);
    }
    for (sum, weight) in sums.iter().zip(third) {
        score += (sum >> 8).clamp(0, MOST) * weight;
    }
    score >> 13
}

/// Part of a window, its corner turned to the first bit.
#[inline(always)]
const fn turn(mask: u64, at: usize) -> u64 {
    mask.rotate_right((at as u32).wrapping_sub(CENTRE as u32) & 63)
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for (s, r) in sum.iter_mut().zip(row) {
        *s = s.wrapping_add(*r);
    }
}
