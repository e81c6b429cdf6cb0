//! Fits the network by gradient: squared error of either score and of the margin.

use super::play::Sample;
use super::view::{View, SEEN, WHOLE};
use fifty::kit::rng::Rng;

/// Width of the layer over one terrain, which is the same for all six and summed.
const FIRST: usize = 32;
/// Width of the second layer, over that sum and what is seen of the whole.
const SECOND: usize = 32;
/// All numbers: layer over a terrain with its bias, second layer likewise, last layer, constant.
const NUMBERS: usize = (SEEN + 1) * FIRST + (FIRST + WHOLE + 1) * SECOND + SECOND + 1;
/// Points that the last layer's 1 counts.
const UNIT: f32 = 32.0;

/// Positions of one step.
const BATCH: usize = 64;
/// Weights of the scores' and of the margin's errors.
const ERRORS: [f32; 2] = [0.5, 1.0];
/// What is taken off a number each step, as a share of the rate.
const DECAY: f32 = 0.01;

/// Where the parts of all numbers end: layer over a terrain, its bias, second layer, its bias, last layer.
const ENDS: [usize; 5] = [
    SEEN * FIRST,
    (SEEN + 1) * FIRST,
    (SEEN + 1) * FIRST + (FIRST + WHOLE) * SECOND,
    (SEEN + 1) * FIRST + (FIRST + WHOLE + 1) * SECOND,
    NUMBERS - 1,
];

/// What one view went through.
struct Pass {
    first: [[f32; FIRST]; 6],
    inputs: [f32; FIRST + WHOLE],
    second: [f32; SECOND],
    out: f32,
}

fn forward(all: &[f32], view: &View) -> Pass {
    let mut pass = Pass {
        first: [[0.0; FIRST]; 6],
        inputs: [0.0; FIRST + WHOLE],
        second: [0.0; SECOND],
        out: all[ENDS[4]],
    };
    for (sum, seen) in pass.first.iter_mut().zip(&view.terrain) {
        sum.copy_from_slice(&all[ENDS[0]..ENDS[1]]);
        for (x, line) in seen.iter().zip(all.chunks_exact(FIRST)) {
            for (s, w) in sum.iter_mut().zip(line) {
                *s += x * w;
            }
        }
        for (x, s) in pass.inputs.iter_mut().zip(&*sum) {
            *x += s.max(0.0);
        }
    }
    pass.inputs[FIRST..].copy_from_slice(&view.whole);
    pass.second.copy_from_slice(&all[ENDS[2]..ENDS[3]]);
    for (x, line) in pass.inputs.iter().zip(all[ENDS[1]..].chunks_exact(SECOND)) {
        for (s, w) in pass.second.iter_mut().zip(line) {
            *s += x * w;
        }
    }
    for (s, w) in pass.second.iter().zip(&all[ENDS[3]..]) {
        pass.out += s.max(0.0) * w;
    }
    pass
}

/// The final score that is expected.
pub fn score(all: &[f32], view: &View) -> f32 {
    view.score + UNIT * forward(all, view).out
}

fn backward(all: &[f32], view: &View, pass: &Pass, error: f32, slope: &mut [f32]) {
    slope[ENDS[4]] += error;
    let mut back = [0.0; SECOND];
    for j in (0..SECOND).filter(|&j| pass.second[j] > 0.0) {
        slope[ENDS[3] + j] += error * pass.second[j];
        back[j] = error * all[ENDS[3] + j];
    }
    for (s, b) in slope[ENDS[2]..].iter_mut().zip(&back) {
        *s += b;
    }
    let mut flow = [0.0; FIRST];
    for (i, x) in pass.inputs.iter().enumerate() {
        let at = ENDS[1] + i * SECOND;
        for (s, b) in slope[at..].iter_mut().zip(&back) {
            *s += x * b;
        }
        if let Some(flow) = flow.get_mut(i) {
            *flow = all[at..at + SECOND].iter().zip(&back).map(|(w, b)| w * b).sum();
        }
    }
    for (sum, seen) in pass.first.iter().zip(&view.terrain) {
        let here: [f32; FIRST] = std::array::from_fn(|i| if sum[i] > 0.0 { flow[i] } else { 0.0 });
        for (s, h) in slope[ENDS[0]..].iter_mut().zip(&here) {
            *s += h;
        }
        for (x, line) in seen.iter().zip(slope.chunks_exact_mut(FIRST)) {
            if *x != 0.0 {
                for (s, h) in line.iter_mut().zip(&here) {
                    *s += x * h;
                }
            }
        }
    }
}

/// Random numbers to start from.
pub fn fresh(seed: u64) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    let mut all = vec![0.0; NUMBERS];
    for (i, x) in all[..ENDS[4]].iter_mut().enumerate() {
        let wide = if i < ENDS[0] {
            0.5
        } else if i < ENDS[1] || (ENDS[2]..ENDS[3]).contains(&i) {
            0.1
        } else {
            0.3
        };
        *x = 2.0 * wide * (rng.unit() - 0.5);
    }
    all
}

/// Goes on learning from games, each position so many times, from a rate that falls evenly.
pub fn fit(all: &mut [f32], games: &[Vec<Sample>], epochs: usize, rate: f32, seed: u64) {
    let samples: Vec<&Sample> = games.iter().flatten().collect();
    let mut rng = Rng::new(seed);
    let [mut slope, mut mean, mut square] = [(); 3].map(|()| vec![0.0f32; NUMBERS]);
    let steps = epochs * samples.len() / BATCH;
    for step in 0..steps {
        for _ in 0..BATCH {
            let sample = samples[rng.below(samples.len() as u32) as usize];
            let passes = [0, 1].map(|seat: usize| forward(all, &sample.views[seat]));
            let off = [0, 1].map(|seat: usize| {
                passes[seat].out - (sample.scores[seat] - sample.views[seat].score) / UNIT
            });
            for seat in 0..2 {
                let error = ERRORS[0] * off[seat] + ERRORS[1] * (off[seat] - off[1 - seat]);
                backward(all, &sample.views[seat], &passes[seat], error, &mut slope);
            }
        }
        let rate = rate * (1.0 - step as f32 / steps as f32).max(0.01);
        let warm = [0.9f32, 0.999].map(|b| 1.0 - b.powi(step as i32 + 1));
        for i in 0..NUMBERS {
            let g = std::mem::take(&mut slope[i]) / BATCH as f32;
            mean[i] = 0.9 * mean[i] + 0.1 * g;
            square[i] = 0.999 * square[i] + 0.001 * g * g;
            all[i] -= rate * ((mean[i] / warm[0]) / ((square[i] / warm[1]).sqrt() + 1e-7) + DECAY * all[i]);
        }
    }
}
