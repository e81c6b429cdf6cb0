//! Fits the network by gradient: cross-entropy of the chance to win, each position in one of its eight turns and
//! reflections.

use super::file;
use super::play::Sample;
use fifty::games::wondev::net::{AROUND, FIRST, HEIGHTS, HIDDEN, INPUTS, SECOND};
use fifty::games::wondev::sides;
use fifty::games::wondev::state::League;
use fifty::kit::rng::Rng;

/// Positions of one step.
const BATCH: usize = 128;
/// Times that a position is learned from in floating point, and again once the first layer is rounded.
const EPOCHS: [usize; 2] = [16, 2];
/// Rates at the beginning of either.
const RATES: [f32; 2] = [0.002, 0.0003];
/// Positions kept apart to test on, at most, and as a share.
const APART: (usize, usize) = (20_000, 10);
/// Kinds of rows that are windows.
const KINDS: usize = 5 * HEIGHTS;
/// Inputs of the second layer in any league, at most.
const MOST: usize = if INPUTS > sides::INPUTS { INPUTS } else { sides::INPUTS };

/// How a league's network is built.
#[derive(Clone, Copy)]
struct Shape {
    /// What both windows lead to; nothing without a first layer.
    windows: usize,
    /// Inputs of the second layer, the windows' before the counts.
    inputs: usize,
    /// Where the parts of all numbers end: rows, bias, second layer, last layer, score.
    parts: [usize; 5],
}

impl Shape {
    fn of(league: League) -> Self {
        let climb = league == League::Climb;
        let inputs = if climb { INPUTS } else { sides::INPUTS };
        let first = if climb { FIRST } else { 0 };
        let second = first + inputs * SECOND;
        Self {
            windows: if climb { 2 * HIDDEN } else { 0 },
            inputs,
            parts: [
                first.saturating_sub(HIDDEN),
                first,
                second,
                second + SECOND,
                second + SECOND + 1,
            ],
        }
    }

    fn rows(&self) -> usize {
        self.parts[0] / HIDDEN
    }
}

/// What a fit gives.
pub struct Fitted {
    /// The numbers as [`file::with`] takes them.
    pub numbers: Vec<i16>,
    /// Mean divergence (Kullback-Leibler) on positions kept apart, and that of the counts alone.
    pub divergence: f64,
    /// See above.
    pub before: f64,
}

/// The cells of a window in the eight turns and reflections.
fn turns() -> [[usize; 25]; 8] {
    std::array::from_fn(|turn| {
        std::array::from_fn(|k| {
            let (mut x, mut y) = (k % 5, k / 5);
            if turn & 1 != 0 {
                x = 4 - x;
            }
            if turn & 2 != 0 {
                y = 4 - y;
            }
            if turn & 4 != 0 {
                (x, y) = (y, x);
            }
            5 * y + x
        })
    })
}

/// The row of a number of [`Sample::seen`] in one turn.
fn row(code: u16, turn: &[usize; 25]) -> usize {
    let (kind, cell) = (usize::from(code) / 25, turn[usize::from(code) % 25]);
    if kind < KINDS {
        kind * AROUND + cell - usize::from(cell > 12)
    } else {
        KINDS * AROUND + (kind - KINDS) * 25 + cell
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Cross-entropy of a chance that is said, less the least possible.
fn divergence(said: f32, want: f32) -> f64 {
    let [p, q] = [said, want].map(|x| f64::from(x.clamp(1e-6, 1.0 - 1e-6)));
    q * (q / p).ln() + (1.0 - q) * ((1.0 - q) / (1.0 - p)).ln()
}

/// What one position went through.
struct Pass {
    sums: [[f32; HIDDEN]; 2],
    inputs: [f32; MOST],
    hidden: [f32; SECOND],
    value: f32,
}

fn forward(all: &[f32], shape: &Shape, sample: &Sample, turn: &[usize; 25]) -> Pass {
    let Shape { windows, inputs, parts } = *shape;
    let mut pass = Pass {
        sums: [[0.0; HIDDEN]; 2],
        inputs: [0.0; MOST],
        hidden: [0.0; SECOND],
        value: sample.before + all[parts[3]],
    };
    for side in 0..windows / HIDDEN {
        let sum = &mut pass.sums[side];
        sum.copy_from_slice(&all[parts[0]..parts[1]]);
        for &code in &sample.seen[side] {
            let at = row(code, turn) * HIDDEN;
            for (s, w) in sum.iter_mut().zip(&all[at..at + HIDDEN]) {
                *s += w;
            }
        }
        for (x, s) in pass.inputs[side * HIDDEN..].iter_mut().zip(&*sum) {
            *x = s.clamp(0.0, 1.0);
        }
    }
    pass.inputs[windows..inputs].copy_from_slice(&sample.counts);
    for (x, line) in (pass.inputs[..inputs].iter()).zip(all[parts[1]..].chunks_exact(SECOND)) {
        for (h, w) in pass.hidden.iter_mut().zip(line) {
            *h += x * w;
        }
    }
    for (h, w) in pass.hidden.iter().zip(&all[parts[2]..]) {
        pass.value += h.max(0.0) * w;
    }
    pass
}

/// Adds the gradient of one position, and notes the rows it touches for the first time since `marks` was cleared.
fn backward(
    all: &[f32],
    shape: &Shape,
    (sample, turn): (&Sample, &[usize; 25]),
    slope: &mut [f32],
    marks: &mut Marks,
) {
    let Shape { windows, inputs, parts } = *shape;
    let pass = forward(all, shape, sample, turn);
    let error = sigmoid(pass.value) - sample.want;
    slope[parts[3]] += error;
    let mut back = [0.0; SECOND];
    for j in (0..SECOND).filter(|&j| pass.hidden[j] > 0.0) {
        slope[parts[2] + j] += error * pass.hidden[j];
        back[j] = error * all[parts[2] + j];
    }
    let mut below = [0.0; MOST];
    for (i, x) in pass.inputs[..inputs].iter().enumerate() {
        let at = parts[1] + i * SECOND;
        for j in 0..SECOND {
            slope[at + j] += x * back[j];
            below[i] += all[at + j] * back[j];
        }
    }
    for side in 0..windows / HIDDEN {
        let mut flow = [0.0; HIDDEN];
        for i in (0..HIDDEN).filter(|&i| pass.sums[side][i] > 0.0 && pass.sums[side][i] < 1.0) {
            flow[i] = below[side * HIDDEN + i];
            slope[parts[0] + i] += flow[i];
        }
        for &code in &sample.seen[side] {
            let at = row(code, turn);
            marks.note(at);
            for (s, f) in slope[at * HIDDEN..].iter_mut().zip(&flow) {
                *s += f;
            }
        }
    }
}

/// Which rows a batch touched.
struct Marks {
    rows: Vec<usize>,
    is: Vec<bool>,
}

impl Marks {
    fn note(&mut self, row: usize) {
        if !std::mem::replace(&mut self.is[row], true) {
            self.rows.push(row);
        }
    }
}

/// The optimiser: Adam, of which a row knows only the batches that touch it.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    done: i32,
}

impl Adam {
    fn step(&mut self, all: &mut [f32], slope: &mut [f32], range: std::ops::Range<usize>, rate: f32) {
        let warm = [0.9f32, 0.999].map(|b| 1.0 - b.powi(self.done));
        for i in range {
            let g = std::mem::take(&mut slope[i]) / BATCH as f32;
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * g;
            self.square[i] = 0.999 * self.square[i] + 0.001 * g * g;
            all[i] -= rate * (self.mean[i] / warm[0]) / ((self.square[i] / warm[1]).sqrt() + 1e-7);
        }
    }
}

/// Rounds the first layer to what the text holds.
fn settle(first: &mut [f32]) {
    for x in first {
        *x = (64.0 * *x).round().clamp(-64.0, 63.0) / 64.0;
    }
}

/// All numbers as they are read; see [`fifty::games::wondev::net`] and [`sides`] for the units.
fn numbers(all: &[f32], shape: &Shape) -> Vec<i16> {
    let Shape { windows, inputs, parts } = *shape;
    let mut rest = Vec::new();
    for j in 0..SECOND {
        for i in 0..inputs {
            // Counts enter in sixteenths of what they are here.
            let scale = if i < windows { 1024.0 } else { 4096.0 };
            rest.push(scale * all[parts[1] + i * SECOND + j]);
        }
    }
    rest.extend(all[parts[2]..parts[3]].iter().map(|w| 1600.0 * w));
    rest.push(6400.0 * all[parts[3]]);
    file::numbers(&all[..parts[1]], &rest)
}

/// Fits a fresh network.
pub fn fit(samples: &[Sample], league: League, seed: u64) -> Fitted {
    let shape = &Shape::of(league);
    let parts = shape.parts;
    let mut rng = Rng::new(seed);
    let turns = turns();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    rng.shuffle(&mut order);
    let apart = (samples.len() / APART.1).min(APART.0);
    let (tested, learned) = order.split_at(apart);
    let mut all = vec![0.0; parts[4]];
    for (i, x) in all[..parts[2]].iter_mut().enumerate() {
        *x = if i < parts[0] {
            0.2 * (rng.unit() - 0.5)
        } else if i < parts[1] {
            0.3
        } else {
            0.4 * (rng.unit() - 0.5)
        };
    }
    for x in &mut all[parts[2]..parts[3]] {
        *x = 0.2 * (rng.unit() - 0.5);
    }
    let mut slope = vec![0.0; all.len()];
    let mut adam = Adam {
        mean: vec![0.0; all.len()],
        square: vec![0.0; all.len()],
        done: 0,
    };
    let mut marks = Marks {
        rows: Vec::new(),
        is: vec![false; shape.rows()],
    };
    for (part, rate) in RATES.into_iter().enumerate() {
        let steps = EPOCHS[part] * learned.len() / BATCH;
        for step in 0..steps {
            for _ in 0..BATCH {
                let at = learned[rng.below(learned.len() as u32) as usize];
                let turn = &turns[rng.below(8) as usize];
                backward(&all, shape, (&samples[at], turn), &mut slope, &mut marks);
            }
            adam.done = adam.done.saturating_add(1);
            let rate = rate * (1.0 - step as f32 / steps as f32).max(0.02);
            for row in marks.rows.drain(..) {
                marks.is[row] = false;
                let range = row * HIDDEN..(row + 1) * HIDDEN;
                if part == 0 {
                    adam.step(&mut all, &mut slope, range, rate);
                } else {
                    slope[range].fill(0.0);
                }
            }
            slope[parts[0]..parts[1]].iter_mut().for_each(|s| *s *= f32::from(part == 0));
            let rest = if part == 0 { parts[0] } else { parts[1] };
            adam.step(&mut all, &mut slope, rest..parts[4], rate);
        }
        settle(&mut all[..parts[1]]);
    }
    let mean = |said: &dyn Fn(&Sample) -> f32| {
        let sum: f64 = tested.iter().map(|&i| divergence(sigmoid(said(&samples[i])), samples[i].want)).sum();
        sum / tested.len().max(1) as f64
    };
    Fitted {
        numbers: numbers(&all, shape),
        divergence: mean(&|sample| forward(&all, shape, sample, &turns[0]).value),
        before: mean(&|sample| sample.before),
    }
}
