//! Trains what slime's bot has learned: `cargo run --release -p fifty-tools --example slime_train -- OUT
//! [GENERATIONS [GAMES [ITERATIONS [SEED [hand|alone]]]]]` writes a new `learned.rs` to `OUT` after each generation.
//!
//! A generation plays games among seats that search and seats with habits, every searcher knowing the habits,
//! then fits the networks, each to the games of its number of planners, and the prior to them. Where two or three
//! plan, all but one of them may be strangers: the frozen first version, or the opinion set by hand
//! ([`fifty_tools::games::slime::hand`]). A position's value is half the squares at the end and half what the next
//! search from there said; positions of all seats count, since leaves have any seat on turn. The prior is fitted
//! to the visits. It starts from the numbers compiled in, or with `hand` from the opinion set by hand. After each
//! generation it plays against what it started from, two seats each. With `alone` only the network of one planner
//! learns, half of the games among three that grab. The same arguments and start give the same
//! file, on any number of cores.

use fifty::games::slime::features::{INPUTS, features};
use fifty::games::slime::habits::{HABITS, Habit};
use fifty::games::slime::learned::cubes;
use fifty::games::slime::moves::Move;
use fifty::games::slime::prior::{ENTRIES, Prior};
use fifty::games::slime::search::Search;
use fifty::games::slime::state::{SEATS, State};
use fifty::games::slime::traits::Around;
use fifty::games::slime::value::{HIDDEN, NETS, Net};
use fifty::games::slime::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty_tools::arena::stats::mean_interval;
use fifty_tools::games::slime::builtins::Builtin;
use fifty_tools::games::slime::hand;
use rayon::prelude::*;

/// Positions of the last generations that a network is fitted to.
const WINDOW: usize = 240_000;
/// Positions of one step of a fit.
const BATCH: usize = 64;
/// Steps of a fit.
const STEPS: usize = 12_000;
/// One searcher's move in so many is drawn from its likeliest moves.
const STRAY: u32 = 16;
/// Games against the start after each generation.
const MATCH: u64 = 24;
/// Turns after which a game is left unfinished.
const TURNS: u16 = 300;

/// A position for the network: inputs, squares owned and squares at the end as shares, mover first.
#[derive(Clone)]
struct Sample {
    inputs: [f32; INPUTS],
    owned: [f32; SEATS],
    end: [f32; SEATS],
}

/// A root for the prior: places in the table and share of the visits, per move.
type Root = Vec<(Vec<usize>, f32)>;

/// Who plans besides the learner.
enum Stranger {
    First(Box<Builtin>),
    Hand(Box<Search>),
}

impl Stranger {
    /// Another planner for one game; mostly none, which is the learner once more.
    fn drawn(like: &Search, work: u64, seed: u64, rng: &mut Rng) -> Option<Self> {
        match rng.below(4) {
            0 => {
                let name = format!("first-{}", 4 * work);
                Some(Self::First(Box::new(Builtin::new(&name, seed)?)))
            }
            1 => {
                let mut search = copy(like, seed);
                hand::set(&mut search);
                Some(Self::Hand(search))
            }
            _ => None,
        }
    }

    fn best(&mut self, state: &State, habits: [Habit; SEATS], work: u64) -> Move {
        match self {
            Self::First(first) => first.choose(state),
            Self::Hand(search) => {
                let found = search.best(state, habits, Limit::work(work));
                found.best.unwrap_or_default()
            }
        }
    }
}

/// What one game gave.
#[derive(Default)]
struct Played {
    /// How many planners there were.
    planners: usize,
    samples: Vec<Sample>,
    roots: Vec<Root>,
    /// Squares of each seat of the learner.
    squares: Vec<u32>,
}

/// A search of its own for one game, with what `like` has learned.
fn copy(like: &Search, seed: u64) -> Box<Search> {
    let mut search = Box::new(Search::new(&Weights::DEFAULT, seed));
    search.tree.leaf.nets.clone_from(&like.tree.leaf.nets);
    search.tree.policy.table = like.tree.policy.table;
    search
}

/// Plays one game.
fn play(like: &Search, alone: bool, work: u64, seed: u64) -> Played {
    let (mut rng, mut search) = (Rng::new(seed), copy(like, seed));
    let planners = if alone {
        1
    } else {
        [4, 3, 2, 2, 2, 1, 1, 1][rng.below(8) as usize]
    };
    let mut strangers: [Option<Stranger>; SEATS] = Default::default();
    let mut habits = [Habit::Plans; SEATS];
    for habit in &mut habits[planners..] {
        *habit = HABITS[[1, 1, 1, 2, 3, 3][rng.below(6) as usize]];
    }
    if alone && rng.below(2) == 0 {
        habits[1..].fill(Habit::Grabs);
    }
    rng.shuffle(&mut habits);
    let seats = (0..SEATS).filter(|&seat| habits[seat] == Habit::Plans);
    if planners < SEATS {
        // All but the first of the planners in order of seats, which are shuffled.
        for seat in seats.skip(1) {
            strangers[seat] = Stranger::drawn(like, work, seed + seat as u64, &mut rng);
        }
    }
    let weak = habits.map(Habit::weakness);
    let mut state = State::start(8);
    let mut moves = Vec::new();
    let mut played = Played {
        planners,
        ..Played::default()
    };
    // Seat on turn of each sample, and what the search said of the planners' (absolute seats).
    let mut movers: Vec<(usize, Option<[f32; SEATS]>)> = Vec::new();
    while !state.is_over() && state.turns() < TURNS {
        let (board, seat) = (*state.board(), state.seat());
        played.samples.push(Sample {
            inputs: features(&board, seat, &weak),
            owned: [0, 1, 2, 3].map(|i| board.counts()[(seat + i) % SEATS] as f32),
            end: [0.0; SEATS],
        });
        moves.clear();
        if habits[seat] != Habit::Plans {
            movers.push((seat, None));
            habits[seat].list(&board, seat, &mut moves);
            state.play(moves[rng.below(moves.len() as u32) as usize]);
            continue;
        }
        if let Some(stranger) = &mut strangers[seat] {
            movers.push((seat, None));
            state.play(stranger.best(&state, habits, work));
            continue;
        }
        let found = search.best(&state, habits, Limit::work(work));
        // The search prefers short ways: its values do not sum to one.
        let sum: f32 = found.value.iter().sum();
        movers.push((seat, Some(found.value.map(|value| value / sum))));
        if rng.below(4) == 0 {
            let around = Around::new(&board, seat);
            let tried = search.tree.my_moves().iter();
            played.roots.push(
                tried
                    .map(|edge| {
                        let (places, used) = Prior::entries(&around, edge.mv);
                        (
                            places[..used].to_vec(),
                            edge.visits as f32 / found.iterations as f32,
                        )
                    })
                    .collect(),
            );
        }
        let likely = search.tree.policy.best(&board, seat, 8);
        let stray = likely[rng.below(likely.len() as u32) as usize].1;
        let best = found.best.unwrap_or_default();
        state.play(if rng.below(STRAY) == 0 { stray } else { best });
    }
    let counts = state.board().counts();
    let all: u32 = counts.iter().sum();
    let end = counts.map(|count| count as f32 / all as f32);
    let mut said = end;
    for (sample, (seat, found)) in played.samples.iter_mut().zip(movers).rev() {
        said = found.unwrap_or(said);
        sample.end = std::array::from_fn(|i| {
            let s = (seat + i) % SEATS;
            0.5 * (end[s] + said[s])
        });
    }
    let seats = (0..SEATS).filter(|&seat| habits[seat] == Habit::Plans && strangers[seat].is_none());
    played.squares = seats.map(|seat| counts[seat]).collect();
    played
}

/// Mean squares of a seat with the first opinion in games of two seats each.
fn compare(one: &Search, other: &Search, work: u64, games: u64) -> (f64, f64) {
    let squares: Vec<f64> = (0..games)
        .into_par_iter()
        .map(|game| {
            let mut sides = [copy(one, game), copy(other, game)];
            // The six ways to give two of four seats.
            let ours = [0b0011, 0b0101, 0b1001, 0b1100, 0b1010, 0b0110][game as usize % 6];
            let (mut state, mut rng) = (State::start(8), Rng::new(game));
            while !state.is_over() && state.turns() < TURNS {
                let seat = state.seat();
                let side = &mut sides[usize::from(ours >> seat & 1 == 0)];
                let likely = side.tree.policy.best(state.board(), seat, 3);
                let stray = likely[rng.below(likely.len() as u32) as usize].1;
                let found = side.best(&state, [Habit::Plans; SEATS], Limit::work(work));
                // The first two rounds stray, so that games differ.
                let opening = state.turns() < 8;
                state.play(if opening {
                    stray
                } else {
                    found.best.unwrap_or_default()
                });
            }
            let counts = state.board().counts().into_iter().enumerate();
            counts
                .filter(|(seat, _)| ours >> seat & 1 == 1)
                .map(|(_, count)| f64::from(count) / 2.0)
                .sum()
        })
        .collect();
    mean_interval(&squares)
}

/// All numbers of a network, in order of declaration.
fn numbers(net: &Net) -> Vec<f32> {
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
fn fit_net(net: &mut Net, samples: &[Sample], seed: u64) -> f32 {
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

/// Fits the table by cross-entropy with the visits; returns the mean cross-entropy over the last tenth.
fn fit_prior(table: &mut [f32; ENTRIES], roots: &[Root], rng: &mut Rng) -> f32 {
    let steps = STEPS / 4;
    let mut adam = Adam::new(0.02, steps, ENTRIES);
    let (mut loss, mut counted) = (0.0, 0);
    for step in 0..steps {
        let mut slope = [0.0; ENTRIES];
        for _ in 0..BATCH {
            let root = &roots[rng.below(roots.len() as u32) as usize];
            let logits: Vec<f32> = root
                .iter()
                .map(|(places, _)| places.iter().map(|&place| table[place]).sum())
                .collect();
            let top = logits.iter().fold(f32::MIN, |a, &b| a.max(b));
            let sum: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
            for ((places, visits), logit) in root.iter().zip(&logits) {
                let share = (logit - top).exp() / sum;
                if step * 10 >= steps * 9 {
                    loss -= visits * share.max(1e-9).ln();
                }
                for &place in places {
                    slope[place] += (share - visits) / BATCH as f32;
                }
            }
            counted += u32::from(step * 10 >= steps * 9);
        }
        adam.step(table, &slope, 1e-5);
    }
    loss / counted.max(1) as f32
}

/// The character of a digit, as `learned.rs` reads it.
fn character(digit: u8) -> char {
    let c = b'#' + digit;
    (c + u8::from(c >= b'\\')) as char
}

/// Numbers as the text that `cubes` reads.
fn encode_cubes(numbers: &[f32]) -> String {
    let digit = |number: &f32| {
        let root = ((number / 3.0).cbrt() * 45.0).round().clamp(-45.0, 45.0);
        (root + 45.0) as u8
    };
    numbers.iter().map(digit).map(character).collect()
}

/// Numbers as the text that `decode` reads.
fn encode(numbers: &[f32]) -> String {
    let digits = |number: &f32| {
        let n = (number * 400.0).round().clamp(-4140.0, 4140.0) as i32 + 4140;
        [(n / 91) as u8, (n % 91) as u8]
    };
    numbers.iter().flat_map(digits).map(character).collect()
}

/// The text as source of 100 characters a line.
fn lines(text: &str) -> String {
    let lines = text.as_bytes().chunks(100).map(String::from_utf8_lossy);
    lines.flat_map(|line| ["\\\n".into(), line]).collect()
}

/// The file with new numbers between its quotes.
fn file(nets: &[Net; NETS], prior: &Prior) -> String {
    let old = include_str!("../../src/games/slime/learned.rs");
    let mut parts: Vec<&str> = old.split('"').collect();
    assert_eq!(
        parts.len(),
        2 * NETS + 3,
        "learned.rs has a text for each network, and one more"
    );
    let texts: Vec<String> = (nets.iter().map(|net| encode_cubes(&numbers(net))))
        .chain([encode(&prior.table)])
        .map(|text| lines(&text))
        .collect();
    for (i, text) in texts.iter().enumerate() {
        parts[2 * i + 1] = text;
    }
    parts.join("\"")
}

/// What will be read where this is written: what plays on is what the file says.
fn settle(net: &mut Net) {
    let text = encode_cubes(&numbers(net));
    let mut numbers = cubes(&text);
    *net = Net::from_numbers(|| numbers.next().unwrap_or(0.0));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| arguments.get(i).map_or(default, |n| n.parse().expect("a number"));
    let out = arguments.first().expect("the file to write");
    let (generations, games, work) = (number(1, 5), number(2, 1_500), number(3, 600));
    let mut rng = Rng::new(number(4, 1));
    let mut search = Search::new(&Weights::DEFAULT, 1);
    let word = arguments.get(5).map_or("", String::as_str);
    assert!(["", "hand", "alone"].contains(&word), "hand or alone, not {word}");
    let alone = word == "alone";
    if word == "hand" {
        hand::set(&mut search);
        // Hidden numbers that are all alike would stay so; nothing comes of them before the rest is fitted.
        for net in &mut search.tree.leaf.nets {
            for weight in net.first.as_flattened_mut() {
                *weight = (rng.unit() - 0.5) * 0.5;
            }
        }
    }
    let start = copy(&search, 0);
    let (mut samples, mut roots): ([Vec<Sample>; NETS], Vec<Root>) = Default::default();
    for generation in 0..generations {
        let seeds: Vec<u64> = (0..games).map(|_| rng.next_u64()).collect();
        let played: Vec<Played> = seeds
            .into_par_iter()
            .map(|seed| play(&search, alone, work, seed))
            .collect();
        let mut sums = [(0, 0); SEATS + 1];
        for mut game in played {
            samples[game.planners.min(NETS) - 1].append(&mut game.samples);
            roots.append(&mut game.roots);
            sums[game.planners].0 += game.squares.iter().sum::<u32>();
            sums[game.planners].1 += game.squares.len();
        }
        for samples in &mut samples {
            samples.drain(..samples.len().saturating_sub(WINDOW));
        }
        roots.drain(..roots.len().saturating_sub(WINDOW / 8));
        let nets = &mut search.tree.leaf.nets;
        let seeds = [(); NETS].map(|()| rng.next_u64());
        let errors: Vec<f32> = (nets.par_iter_mut().zip(&samples).zip(seeds))
            .map(|((net, samples), seed)| {
                if samples.is_empty() {
                    return 0.0;
                }
                let error = fit_net(net, samples, seed);
                settle(net);
                error
            })
            .collect();
        let mut entropy = 0.0;
        if !alone {
            entropy = fit_prior(&mut search.tree.policy.table, &roots, &mut rng);
        }
        let means = sums.map(|(sum, n)| f64::from(sum) / n.max(1) as f64);
        let (squares, apart) = compare(&search, &start, work, MATCH);
        println!(
            "{generation}: squares of 1, 2, 3, 4 planners {:.1} {:.1} {:.1} {:.1}; {:?} positions, errors {errors:.5?}, \
             entropy {entropy:.3}; {squares:.1} +- {apart:.1} squares against the start",
            means[1],
            means[2],
            means[3],
            means[4],
            samples.each_ref().map(Vec::len)
        );
        std::fs::write(out, file(&search.tree.leaf.nets, &search.tree.policy)).expect("OUT can be written");
    }
}
