//! What a position is worth: each seat's expected share of the squares, from a small network.
//!
//! Inputs are the numbers of [`features`]; one hidden layer and a direct path lead to one score per seat;
//! the shares are the softmax of score plus logarithm of the squares owned, so that a seat without a
//! square gets nothing and a network of zeroes says "the share of today". There are three networks, by how
//! many seats plan: positions mean other things to one who plans among seats with models.

use super::board::Board;
use super::features::{features, INPUTS};
use super::learned::{cubes, ALONE, MANY, TWO};
use super::state::SEATS;

/// Width of the hidden layer.
pub const HIDDEN: usize = 48;
/// Networks: one planner, two, more.
pub const NETS: usize = 3;

/// The numbers of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// Inputs to hidden layer.
    pub first: [[f32; HIDDEN]; INPUTS],
    /// Hidden bias.
    pub bias: [f32; HIDDEN],
    /// Hidden layer to scores.
    pub second: [[f32; HIDDEN]; SEATS],
    /// Inputs to scores.
    pub direct: [[f32; SEATS]; INPUTS],
    /// Score bias.
    pub score: [f32; SEATS],
}

impl Net {
    /// The networks as they were learned.
    pub fn learned() -> [Self; NETS] {
        [ALONE, TWO, MANY].map(|text| {
            let mut numbers = cubes(text);
            Self::from_numbers(|| numbers.next().unwrap_or(0.0))
        })
    }

    /// A network of the numbers that `next` gives, in order of declaration.
    pub fn from_numbers(mut next: impl FnMut() -> f32) -> Self {
        Self {
            first: [[(); HIDDEN]; INPUTS].map(|row| row.map(|()| next())),
            bias: [(); HIDDEN].map(|()| next()),
            second: [[(); HIDDEN]; SEATS].map(|row| row.map(|()| next())),
            direct: [[(); SEATS]; INPUTS].map(|row| row.map(|()| next())),
            score: [(); SEATS].map(|()| next()),
        }
    }

    /// Expected share of every seat, by absolute seat; `seat` is on turn, `weak` as [`features`] wants it.
    #[inline(always)]
    pub fn shares(&self, board: &Board<SEATS>, seat: usize, weak: &[f32; SEATS]) -> [f32; SEATS] {
        let inputs = features(board, seat, weak);
        let mut hidden = self.bias;
        let mut scores = self.score;
        for (x, (first, direct)) in inputs.iter().zip(self.first.iter().zip(&self.direct)) {
            for (h, w) in hidden.iter_mut().zip(first) {
                *h += x * w;
            }
            for (s, w) in scores.iter_mut().zip(direct) {
                *s += x * w;
            }
        }
        let mut shares = [0.0; SEATS];
        let mut sum = 0.0;
        for (i, mut score) in scores.into_iter().enumerate() {
            for (h, w) in hidden.iter().zip(&self.second[i]) {
                score += h.max(0.0) * w;
            }
            let s = (seat + i) % SEATS;
            shares[s] = board.own[s].count_ones() as f32 * score.clamp(-20.0, 20.0).exp();
            sum += shares[s];
        }
        shares.map(|share| share / sum)
    }
}
