//! What the differences of [`super::eval`] miss in leagues 1 to 3: a small network that is added to them.
//!
//! It sees the counts of both sides apart, as one more way out matters more to a unit that has one than to one that has
//! seven, and the share of levels built. Integers throughout, so all machines agree. Not here: league 0, which looks at
//! cells ([`super::net`]).
//!
//! Units: counts come in quarters, weights of the hidden layer in 1/4096, its values in 1/256.

use super::eval::{Counts, SIDE};
use super::net::{last_layers, pairs, Pair, SECOND};
use crate::kit::cpu::Level;

/// Width of the hidden layer, which is like the second of [`super::net`].
pub const HIDDEN: usize = SECOND;
/// Inputs: the counts of both sides and the stage.
pub const INPUTS: usize = 2 * SIDE + 1;
/// The same, filled up to whole pairs.
const LINE: usize = INPUTS.next_multiple_of(2);

/// Numbers of a network.
pub const NUMBERS: usize = HIDDEN * (INPUTS + 1) + 1;

/// A network.
#[derive(Clone, PartialEq)]
pub struct Sides {
    hidden: [Pair; LINE / 2],
    last: [i32; HIDDEN],
    score: i32,
}

impl Sides {
    /// The network of numbers: input after input of each hidden unit, then what those count, then a constant.
    pub fn new(mut next: impl FnMut() -> i16) -> Self {
        Self {
            hidden: pairs(INPUTS, &mut next),
            last: [(); HIDDEN].map(|()| i32::from(next()) << 2),
            score: i32::from(next()) << 8,
        }
    }

    /// What is to be added to the value for the player to move. `stage`: the share of levels built, in 2^-20.
    #[inline(always)]
    pub fn evaluate<L: Level>(&self, counts: &Counts, stage: i32) -> i32 {
        let mut inputs = [0i16; LINE];
        for (side, counts) in counts.iter().enumerate() {
            for (x, count) in inputs[side * SIDE..].iter_mut().zip(counts) {
                *x = (*count << 2) as i16;
            }
        }
        inputs[INPUTS - 1] = (stage >> 14) as i16;
        last_layers::<L>(&inputs, &self.hidden, &self.last, self.score)
    }
}
