//! SPSA with large perturbations and a small constant gain, tail averaged.
//!
//! Each pair of games compares the two points `x + c·d` and `x - c·d` for a random sign vector `d` and
//! moves `x` by `gain · result · d` (Spall 1992; the constant gain and the average of the second half are
//! Polyak and Ruppert's). Everything random about pair `n` follows from `(seed, n)`, and a whole batch is
//! played from one `x`, so the walk is the same for any number of threads and after any interruption.
//!
//! Why this one: see `tests::beats_the_alternatives`, which prints the comparison.

use super::space::Space;
use fifty::kit::rng::Rng;
use serde::{Deserialize, Serialize};

/// What decides a walk. Units: steps of the tuned numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Decides signs, game seeds and opponents.
    pub seed: u64,
    /// Distance of the two compared points from the middle, in steps.
    pub perturb: f64,
    /// Steps moved by a pair won 2:0.
    pub gain: f64,
    /// Pairs played from one point.
    pub batch: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            perturb: 3.0,
            gain: 0.02,
            batch: 16,
        }
    }
}

/// One pair to play.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Number of the pair, from 0.
    pub n: u64,
    /// Seed of its two games.
    pub game_seed: u64,
    /// Sign per number.
    pub signs: Vec<i8>,
    /// The upper point, in steps.
    pub plus: Vec<f64>,
    /// The lower point, in steps.
    pub minus: Vec<f64>,
}

/// The state of a walk: a function of settings and results so far.
#[derive(Clone, Debug)]
pub struct Walk {
    settings: Settings,
    space: Space,
    x: Vec<f64>,
    done: u64,
    /// The point after each batch.
    path: Vec<Vec<f64>>,
}

impl Walk {
    /// A walk that starts at `start` (in steps).
    pub fn new(settings: Settings, space: Space, start: Vec<f64>) -> Self {
        assert_eq!(space.len(), start.len(), "one coordinate a number");
        Self {
            settings,
            space,
            path: vec![start.clone()],
            x: start,
            done: 0,
        }
    }

    /// Where the walk stands, in steps.
    pub fn point(&self) -> &[f64] {
        &self.x
    }

    /// Pairs taken in so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The point at the start and after each batch.
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// The next batch, to be played from the present point.
    pub fn propose(&self) -> Vec<Proposal> {
        let first = self.done;
        (first..first + self.settings.batch as u64)
            .map(|n| {
                let mut rng = Rng::new(self.settings.seed ^ n.wrapping_mul(0xD6E8_FEB8_6659_FD93));
                let signs: Vec<i8> = self
                    .x
                    .iter()
                    .map(|_| if rng.below(2) == 0 { -1 } else { 1 })
                    .collect();
                let c = self.settings.perturb;
                let at = |side: f64| -> Vec<f64> {
                    let shifted = self.x.iter().zip(&signs).enumerate();
                    shifted
                        .map(|(i, (&x, &s))| self.space.clamp(i, x + side * c * f64::from(s)))
                        .collect()
                };
                Proposal {
                    n,
                    game_seed: rng.next_u64() >> 1,
                    plus: at(1.0),
                    minus: at(-1.0),
                    signs,
                }
            })
            .collect()
    }

    /// Takes in the results of a whole batch, in order: -1 (the upper point lost everything) to 1.
    pub fn learn(&mut self, batch: &[Proposal], results: &[f64]) {
        assert_eq!(batch.len(), results.len(), "one result a pair");
        for (proposal, result) in batch.iter().zip(results) {
            debug_assert_eq!(proposal.n, self.done);
            for (i, &sign) in proposal.signs.iter().enumerate() {
                self.x[i] = self
                    .space
                    .clamp(i, self.x[i] + self.settings.gain * result * f64::from(sign));
            }
            self.done += 1;
        }
        self.path.push(self.x.clone());
    }

    /// The average of the second half of the path: the answer. Per number: mean, and the standard deviation of
    /// the means of 8 successive stretches: how far the walk still wandered there. That says nothing of how sure
    /// the best value is: a number without any influence wanders little in a short walk.
    pub fn answer(&self) -> Vec<(f64, f64)> {
        let tail = &self.path[self.path.len() / 2..];
        (0..self.x.len())
            .map(|i| {
                let mean = tail.iter().map(|p| p[i]).sum::<f64>() / tail.len() as f64;
                let stretch = tail.len().div_ceil(8);
                let means: Vec<f64> = tail
                    .chunks(stretch)
                    .map(|c| c.iter().map(|p| p[i]).sum::<f64>() / c.len() as f64)
                    .collect();
                let n = means.len() as f64;
                let var = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
                (mean, var.sqrt())
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "spsa_tests.rs"]
mod tests;
