//! What a position is worth while nobody has won: lines of four that one seat alone has stones in.
//!
//! An opinion, not a rule. CHANGE: to what a player of your game looks at.

use super::state::{State, BOARD, SIZE, STRIDE};
use super::weights::Weights;
use crate::kit::cpu::Level;
use crate::search::policy::Evaluate;

/// The evaluation, with its lines worked out once.
#[derive(Clone, Debug)]
pub struct Opinion {
    lines: Vec<u64>,
    /// By stones in a line.
    worth: [f32; 5],
}

impl Opinion {
    /// With these weights.
    pub fn new(weights: &Weights) -> Self {
        let cells = (0..STRIDE * SIZE).filter(|&bit| BOARD >> bit & 1 != 0);
        let line = |bit: u8, step: u8| (0..4).map(|i| 1u64 << (bit + i * step)).sum::<u64>();
        let all = cells.flat_map(|bit| [1, STRIDE - 1, STRIDE, STRIDE + 1].map(|step| line(bit, step)));
        Self {
            lines: all.filter(|line| line & !BOARD == 0).collect(),
            worth: [0.0, weights.one, weights.two, weights.three, 0.0],
        }
    }

    /// Seat 0's lines less seat 1's.
    fn lead(&self, state: &State) -> f32 {
        let [mine, other] = state.stones;
        self.lines
            .iter()
            .map(|line| {
                let (a, b) = ((line & mine).count_ones(), (line & other).count_ones());
                if a > 0 && b > 0 {
                    0.0
                } else {
                    self.worth[a as usize] - self.worth[b as usize]
                }
            })
            .sum()
    }
}

impl Evaluate<State, 2> for Opinion {
    #[inline(always)]
    fn evaluate<L: Level>(&mut self, state: &State) -> [f32; 2] {
        let chance = 1.0 / (1.0 + (-self.lead(state)).exp());
        [chance, 1.0 - chance]
    }
}
