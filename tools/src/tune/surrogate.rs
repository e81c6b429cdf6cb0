//! Few, noisy, expensive numbers: a Gaussian process over the settings tried so far, and the setting next to try by
//! expected improvement over the best that it believes in.
//!
//! Coordinates are 0 to 1 over each number's range, results are scores of 0 to 1. Every trial is a batch of pairs on one
//! setting; the process knows how much a batch's mean is off by chance. The kernel is a squared exponential
//! whose length is fixed at `LENGTH` of a range: with some dozens of noisy results nothing finer can be told. Everything
//! random follows from `(seed, trials so far)`, so a resumed run proposes what an uninterrupted one does. After Jones,
//! Schonlau and Welch 1998; for noise the incumbent is the best of the process's own means, not of the results.
//! Not here: playing (`program`), walking by pairs (`spsa`: better for many numbers and cheap games).

use fifty::kit::rng::Rng;
use friedrich::gaussian_process::GaussianProcess;
use friedrich::kernel::SquaredExp;
use friedrich::prior::ConstantPrior;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// The kernel's length, of a number's range.
const LENGTH: f64 = 0.3;
/// Settings that are weighed before one is proposed.
const CANDIDATES: usize = 600;

/// A setting and how its games went.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Coordinates, 0 to 1.
    pub at: Vec<f64>,
    /// Scores of its pairs, 0 to 1.
    pub results: Vec<f64>,
}

impl Trial {
    fn mean(&self) -> f64 {
        self.results.iter().sum::<f64>() / self.results.len().max(1) as f64
    }
}

/// What the trials say about every setting.
pub struct Surrogate {
    process: GaussianProcess<SquaredExp, ConstantPrior>,
    /// The setting tried with the best mean of the process.
    incumbent: (Vec<f64>, f64),
}

/// Variance of numbers around `mean`.
fn variance(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0).max(1.0)
}

impl Surrogate {
    /// From at least one trial.
    pub fn new(trials: &[Trial]) -> Option<Self> {
        let pairs = trials.iter().map(|t| t.results.len()).sum::<usize>() as f64 / trials.len().max(1) as f64;
        if pairs < 1.0 {
            return None;
        }
        let means: Vec<f64> = trials.iter().map(Trial::mean).collect();
        let middle = means.iter().sum::<f64>() / means.len() as f64;
        // Chance: how pairs on one setting differ; where batches are single pairs, as much as pairs can.
        let within: Vec<f64> = (trials.iter().filter(|t| t.results.len() > 1))
            .map(|t| variance(&t.results, t.mean()))
            .collect();
        let single = if within.is_empty() {
            0.125
        } else {
            within.iter().sum::<f64>() / within.len() as f64
        };
        let noise = (single.max(0.01) / pairs).sqrt();
        // What is left of the spread is the settings' doing.
        let signal = (variance(&means, middle) - noise * noise).clamp(0.3f64.powi(2), 0.5f64.powi(2));
        let inputs: Vec<Vec<f64>> = trials.iter().map(|t| t.at.clone()).collect();
        let process = GaussianProcess::new(
            ConstantPrior::new(middle),
            SquaredExp::new(LENGTH, signal),
            noise,
            Some(1e-6),
            inputs.clone(),
            means,
        );
        let believed: Vec<f64> = process.predict(&inputs);
        let best = believed.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let incumbent = (inputs[best.0].clone(), *best.1);
        Some(Self { process, incumbent })
    }

    /// Score that a setting is believed to have, and the standard deviation of that belief.
    pub fn at(&self, setting: &[f64]) -> (f64, f64) {
        let (mean, variance) = self.process.predict_mean_variance(&setting.to_vec());
        (mean, variance.max(0.0).sqrt())
    }

    /// How much better than the incumbent it may be expected to turn out, if it does.
    fn improvement(&self, setting: &[f64]) -> f64 {
        let (mean, doubt) = self.at(setting);
        let gain = mean - self.incumbent.1;
        if doubt < 1e-9 {
            return gain.max(0.0);
        }
        let z = gain / doubt;
        let normal = Normal::standard();
        gain * normal.cdf(z) + doubt * normal.pdf(z)
    }

    /// The setting with the best believed score.
    pub fn best(&self, seed: u64) -> Vec<f64> {
        let mut rng = Rng::new(seed ^ 0xBE57);
        let mut best = self.incumbent.clone();
        for reach in [0.2, 0.1, 0.05, 0.02] {
            for _ in 0..CANDIDATES {
                let near = around(&best.0, reach, &mut rng);
                let score = self.at(&near).0;
                if score > best.1 {
                    best = (near, score);
                }
            }
        }
        best.0
    }
}

fn around(setting: &[f64], reach: f64, rng: &mut Rng) -> Vec<f64> {
    let unit = |rng: &mut Rng| rng.below(1 << 24) as f64 / f64::from(1 << 24);
    (setting.iter())
        .map(|x| (x + reach * (2.0 * unit(rng) - 1.0)).clamp(0.0, 1.0))
        .collect()
}

/// The `n`-th of a sequence that fills the cube evenly (Roberts' generalised golden ratio).
fn even(n: usize, dims: usize) -> Vec<f64> {
    let mut ratio = 2.0f64;
    for _ in 0..60 {
        ratio = (1.0 + ratio).powf(1.0 / (dims as f64 + 1.0));
    }
    (1..=dims)
        .map(|d| (0.5 + (n as f64 + 1.0) / ratio.powi(d as i32)).fract())
        .collect()
}

/// The setting to try next. `shape` makes a setting one that the numbers can have (whole ones round).
pub fn propose(trials: &[Trial], start: &[f64], seed: u64, shape: impl Fn(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
    let (n, dims) = (trials.len(), start.len());
    // Where it starts from is worth knowing; then the whole range, evenly.
    if n == 0 {
        return shape(start.to_vec());
    }
    let Some(surrogate) = Surrogate::new(trials).filter(|_| n > 2 * dims + 2) else {
        return shape(even(n - 1, dims));
    };
    let mut rng = Rng::new(seed ^ (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut best: Option<(f64, Vec<f64>)> = None;
    for c in 0..CANDIDATES {
        let setting = if c % 3 == 0 {
            around(&surrogate.incumbent.0, 0.1, &mut rng)
        } else {
            (0..dims)
                .map(|_| rng.below(1 << 24) as f64 / f64::from(1 << 24))
                .collect()
        };
        let setting = shape(setting);
        let gain = surrogate.improvement(&setting);
        if best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, setting));
        }
    }
    best.map_or_else(|| shape(start.to_vec()), |(_, setting)| setting)
}

#[cfg(test)]
#[path = "surrogate_tests.rs"]
mod tests;
