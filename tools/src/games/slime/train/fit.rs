//! Fits by gradient: the networks to shares of squares, the prior to moves.

use super::play::{Choice, Root, Sample};
use fifty::games::slime::prior::ENTRIES;
use fifty::games::slime::state::SEATS;
use fifty::games::slime::eval::{HIDDEN, Net};
use fifty::kit::rng::Rng;

/// Positions of one step of a fit.
const BATCH: usize = 64;
/// Steps of a fit.
const STEPS: usize = 12_000;

/// All numbers of a network, in order of declaration.
pub fn numbers(net: &Net) -> Vec<f32> {
    let mut all = Vec::new();
    all.extend(net.first.as_flattened());
    all.extend(net.bias);
    all.extend(net.second.as_flattened());
    all.extend(net.direct.as_flattened());
    all.extend(net.score);
    all
}

/// The optimiser: Adam with a rate that falls to nothing.
struct Adam {
    rate: f32,
    steps: usize,
    done: usize,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    fn new(rate: f32, steps: usize, size: usize) -> Self {
        Self {
            rate,
            steps,
            done: 0,
            mean: vec![0.0; size],
            square: vec![0.0; size],
        }
    }

    fn step(&mut self, numbers: &mut [f32], slope: &[f32], decay: f32) {
        let rate = self.rate * (1.0 - self.done as f32 / self.steps as f32);
        self.done += 1;
        let (a, b) = (0.9f32, 0.999f32);
        let warm = (1.0 - a.powi(self.done as i32), 1.0 - b.powi(self.done as i32));
        for (i, number) in numbers.iter_mut().enumerate() {
            let slope = slope[i] + decay * *number;
            self.mean[i] = a * self.mean[i] + (1.0 - a) * slope;
            self.square[i] = b * self.square[i] + (1.0 - b) * slope * slope;
            *number -= rate * (self.mean[i] / warm.0) / ((self.square[i] / warm.1).sqrt() + 1e-8);
        }
    }
}

/// Fits the network by cross-entropy; returns the mean squared error of a share over the last tenth.
pub fn fit_net(net: &mut Net, samples: &[Sample], seed: u64) -> f32 {
    let mut rng = Rng::new(seed);
    let mut all = numbers(net);
    let mut adam = Adam::new(0.002, STEPS, all.len());
    let (mut loss, mut counted) = (0.0, 0);
    for step in 0..STEPS {
        let mut slope = Net::from_numbers(|| 0.0);
        for _ in 0..BATCH {
            let sample = &samples[rng.below(samples.len() as u32) as usize];
            let mut hidden = net.bias;
            let mut score = net.score;
            for (i, x) in sample.inputs.iter().enumerate() {
                for (h, w) in hidden.iter_mut().zip(&net.first[i]) {
                    *h += x * w;
                }
                for (s, w) in score.iter_mut().zip(&net.direct[i]) {
                    *s += x * w;
                }
            }
            let active = hidden.map(|h| h.max(0.0));
            let mut back = [0.0; HIDDEN];
            for (s, row) in score.iter_mut().zip(&net.second) {
                *s += active.iter().zip(row).map(|(h, w)| h * w).sum::<f32>();
            }
            let shares: [f32; SEATS] =
                std::array::from_fn(|k| sample.owned[k] * score[k].clamp(-20.0, 20.0).exp());
            let sum: f32 = shares.iter().sum();
            for k in (0..SEATS).filter(|&k| sample.owned[k] > 0.0) {
                let error = shares[k] / sum - sample.end[k];
                if step * 10 >= STEPS * 9 {
                    loss += error * error;
                    counted += 1;
                }
                slope.score[k] += error;
                for (row, x) in slope.direct.iter_mut().zip(&sample.inputs) {
                    row[k] += error * x;
                }
                for j in 0..HIDDEN {
                    slope.second[k][j] += error * active[j];
                    back[j] += error * net.second[k][j];
                }
            }
            for (back, h) in back.iter_mut().zip(&hidden) {
                *back = if *h > 0.0 { *back } else { 0.0 };
            }
            for (bias, back) in slope.bias.iter_mut().zip(&back) {
                *bias += back;
            }
            for (row, x) in slope.first.iter_mut().zip(&sample.inputs) {
                for (w, back) in row.iter_mut().zip(&back) {
                    *w += x * back;
                }
            }
        }
        let slope: Vec<f32> = numbers(&slope).iter().map(|n| n / BATCH as f32).collect();
        adam.step(&mut all, &slope, 1e-5);
        let mut next = all.iter().copied();
        *net = Net::from_numbers(|| next.next().unwrap_or(0.0));
    }
    loss / counted.max(1) as f32
}

/// Fits the table by cross-entropy with the moves played; returns the mean cross-entropy over the last tenth.
pub fn fit_prior(table: &mut [f32; ENTRIES], roots: &[Root], rng: &mut Rng) -> f32 {
    let mut adam = Adam::new(0.02, STEPS, ENTRIES);
    let (mut loss, mut counted) = (0.0, 0);
    for step in 0..STEPS {
        let mut slope = [0.0; ENTRIES];
        for _ in 0..BATCH {
            let root = &roots[rng.below(roots.len() as u32) as usize];
            let logit =
                |choice: &Choice| choice.beside + choice.places().map(|place| table[place]).sum::<f32>();
            let logits: Vec<f32> = root.choices.iter().map(logit).collect();
            let top = logits.iter().fold(f32::MIN, |a, &b| a.max(b));
            let sum: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
            if step * 10 >= STEPS * 9 {
                loss += sum.ln() + top - logits[root.played];
                counted += 1;
            }
            for (i, (choice, logit)) in root.choices.iter().zip(&logits).enumerate() {
                let error = (logit - top).exp() / sum - f32::from(u8::from(i == root.played));
                for place in choice.places() {
                    slope[place] += error / BATCH as f32;
                }
            }
        }
        adam.step(table, &slope, 1e-5);
    }
    loss / counted.max(1) as f32
}
