//! Fits a linear evaluation to labelled positions: logistic regression by Adam, deterministic for a seed.
//!
//! Model: chance of seat 0 = `sigmoid(k · (rest + sum_i w_i · f_i))`. `k` is given, or fitted first at
//! reference weights (so the evaluation keeps its unit); then the weights, pulled gently towards their
//! start. Positions of one game are correlated, so whole games go to the train or to the test part.
//! Handles thousands of sparse weights; not for evaluations that are not linear in their weights.

use anyhow::bail;
use fifty::kit::rng::Rng;

/// One labelled position.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Evaluation of seat 0 that no weight contributes to.
    pub rest: f64,
    /// Weight index and its factor, seat 0's view.
    pub features: Vec<(u32, f32)>,
    /// Result of seat 0, 0 to 1.
    pub label: f32,
    /// Game it comes from.
    pub game: u32,
}

/// How to fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Decides the split and the order of samples.
    pub seed: u64,
    /// Passes over the train part.
    pub epochs: usize,
    /// Adam's step, in units of each weight's own scale.
    pub rate: f64,
    /// Pull towards the start, per weight scale squared.
    pub pull: f64,
    /// Units of the evaluation to one of the logistic function; as the reference weights have it where none.
    pub unit: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            epochs: 60,
            rate: 0.02,
            pull: 1e-6,
            unit: None,
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Logits per unit of the evaluation.
    pub k: f64,
    /// Weights after.
    pub weights: Vec<f64>,
    /// (train, test) loss before the first pass and after each.
    pub losses: Vec<(f64, f64)>,
    /// (train, test) positions.
    pub sizes: (usize, usize),
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

fn evaluate(s: &Sample, weights: &[f64]) -> f64 {
    s.rest
        + s.features
            .iter()
            .map(|&(i, f)| weights[i as usize] * f64::from(f))
            .sum::<f64>()
}

/// Mean cross entropy in nats.
fn loss(samples: &[&Sample], weights: &[f64], k: f64) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|s| {
            let p = sigmoid(k * evaluate(s, weights)).clamp(1e-9, 1.0 - 1e-9);
            let y = f64::from(s.label);
            -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
        })
        .sum();
    sum / samples.len().max(1) as f64
}

/// The `k` with the smallest loss, by golden section on a log scale.
fn scale(samples: &[&Sample], weights: &[f64]) -> f64 {
    let (mut low, mut high) = (-8.0f64, 3.0f64);
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..40 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(samples, weights, a.exp()) < loss(samples, weights, b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    f64::midpoint(low, high).exp()
}

/// Fits `start` to the samples. `reference` are weights whose unit the result shall have; `scales` says what
/// a noticeable change of each weight is (its step). Errors: too few games to split.
pub fn fit(
    samples: &[Sample],
    start: &[f64],
    reference: &[f64],
    scales: &[f64],
    settings: &Settings,
) -> anyhow::Result<Fitted> {
    let mut games: Vec<u32> = samples.iter().map(|s| s.game).collect();
    games.sort_unstable();
    games.dedup();
    if games.len() < 10 {
        bail!(
            "{} games are too few to fit and test on: 10 at least",
            games.len()
        );
    }
    let mut rng = Rng::new(settings.seed);
    rng.shuffle(&mut games);
    let test_games: std::collections::HashSet<u32> = games[..games.len() / 5].iter().copied().collect();
    let (test, mut train): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|s| test_games.contains(&s.game));
    let mut weights = start.to_vec();
    let k = settings.unit.map_or_else(|| scale(&train, reference), f64::recip);
    let mut losses = vec![(loss(&train, &weights, k), loss(&test, &weights, k))];
    let n = weights.len();
    let (mut m, mut v) = (vec![0.0; n], vec![0.0; n]);
    let mut steps = 0i32;
    for epoch in 0..settings.epochs {
        rng.shuffle(&mut train);
        // The last third anneals to zero, so that the end does not depend on the last batch.
        let rate = settings.rate * (3.0 * (1.0 - epoch as f64 / settings.epochs as f64)).min(1.0);
        for batch in train.chunks(256) {
            let mut grad: Vec<f64> = (0..n)
                .map(|i| settings.pull * (weights[i] - start[i]) / scales[i])
                .collect();
            for s in batch {
                let error = sigmoid(k * evaluate(s, &weights)) - f64::from(s.label);
                for &(i, f) in &s.features {
                    let i = i as usize;
                    grad[i] += k * error * f64::from(f) * scales[i] / batch.len() as f64;
                }
            }
            steps += 1;
            for i in 0..n {
                m[i] = 0.9 * m[i] + 0.1 * grad[i];
                v[i] = 0.999 * v[i] + 0.001 * grad[i] * grad[i];
                let (mh, vh) = (
                    m[i] / (1.0 - 0.9f64.powi(steps)),
                    v[i] / (1.0 - 0.999f64.powi(steps)),
                );
                weights[i] -= rate * scales[i] * mh / (vh.sqrt() + 1e-9);
            }
        }
        losses.push((loss(&train, &weights, k), loss(&test, &weights, k)));
    }
    Ok(Fitted {
        k,
        weights,
        losses,
        sizes: (train.len(), test.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::{Sample, Settings, fit, sigmoid};
    use fifty::kit::rng::Rng;

    /// Positions whose results follow known weights.
    fn made(weights: &[f64], games: u32, seed: u64) -> Vec<Sample> {
        let mut rng = Rng::new(seed);
        let mut out = Vec::new();
        for game in 0..games {
            for _ in 0..10 {
                let features: Vec<(u32, f32)> = (0..weights.len() as u32)
                    .map(|i| (i, rng.unit() * 4.0 - 2.0))
                    .collect();
                let z: f64 = features
                    .iter()
                    .map(|&(i, f)| weights[i as usize] * f64::from(f))
                    .sum();
                let label = f32::from(u8::from(f64::from(rng.unit()) < sigmoid(z)));
                out.push(Sample {
                    rest: 0.0,
                    features,
                    label,
                    game,
                });
            }
        }
        out
    }

    #[test]
    fn finds_the_weights_behind_the_results() {
        let truth = [1.0, -0.5, 0.25, 0.0];
        let samples = made(&truth, 2_000, 5);
        let fitted = fit(&samples, &[0.5; 4], &[0.5; 4], &[0.1; 4], &Settings::default()).unwrap();
        // Only k·w is determined by the data.
        for (w, t) in fitted.weights.iter().zip(truth) {
            assert!(
                (w * fitted.k - t).abs() < 0.1,
                "{:?} k {}",
                fitted.weights,
                fitted.k
            );
        }
        assert!(fitted.losses.last().unwrap().1 < fitted.losses[0].1);
        let again = fit(&samples, &[0.5; 4], &[0.5; 4], &[0.1; 4], &Settings::default()).unwrap();
        assert_eq!(fitted.weights, again.weights);
    }

    #[test]
    fn too_few_games_are_refused() {
        assert!(fit(&made(&[1.0], 5, 1), &[0.0], &[0.0], &[0.1], &Settings::default()).is_err());
    }
}
