//! Both methods on one synthetic landscape: three numbers, games decided by chance.

use super::{Surrogate, Trial, propose};
use crate::tune::space::Space;
use crate::tune::spsa::{Settings, Walk};
use fifty::kit::rng::Rng;
use fifty::kit::tunables::Tunable;

/// Where the best setting lies, 0 to 1.
const TOP: [f64; 3] = [0.72, 0.3, 0.55];

/// Elo of a setting: 600 below the top half a range away in one number.
fn elo(x: &[f64]) -> f64 {
    x.iter()
        .zip(TOP)
        .map(|(x, top)| -2400.0 * (x - top).powi(2))
        .sum()
}

/// A game against an opponent of `other` Elo, drawn by chance.
fn game(x: &[f64], other: f64, rng: &mut Rng) -> f64 {
    let chance = 1.0 / (1.0 + 10f64.powf((other - elo(x)) / 400.0));
    f64::from(u8::from(
        (rng.below(1 << 24) as f64) < chance * f64::from(1 << 24),
    ))
}

/// Greatest distance from the top in any number.
fn off(x: &[f64]) -> f64 {
    x.iter()
        .zip(TOP)
        .map(|(x, top)| (x - top).abs())
        .fold(0.0, f64::max)
}

const START: [f64; 3] = [0.2, 0.8, 0.2];

/// Games by the process, 5 pairs a trial, against the setting it starts from.
fn by_process(seed: u64, games: usize) -> f64 {
    let mut rng = Rng::new(seed);
    let mut trials: Vec<Trial> = Vec::new();
    for _ in 0..games / 10 {
        let at = propose(&trials, &START, seed, |x| x);
        // An opponent of about the strength one hopes to reach, as a public bot on a ladder is.
        let pair = |rng: &mut Rng| (game(&at, -150.0, rng) + game(&at, -150.0, rng)) / 2.0;
        let results = (0..5).map(|_| pair(&mut rng)).collect();
        trials.push(Trial { at, results });
    }
    off(&Surrogate::new(&trials).unwrap().best(seed))
}

/// The same by SPSA, against the same opponent, at `settings`.
fn by_spsa(seed: u64, games: usize, settings: &Settings) -> f64 {
    let number = |name| Tunable {
        name,
        value: 0.0,
        min: 0.0,
        max: 1.0,
        step: 0.05,
        whole: false,
        hand: None,
    };
    let list = [number("a"), number("b"), number("c")];
    let space = Space::select(&list, &[]).unwrap();
    let settings = Settings {
        seed,
        ..settings.clone()
    };
    let start = (0..3).map(|i| space.coordinate(i, START[i])).collect();
    let mut walk = Walk::new(settings, space, start);
    let mut rng = Rng::new(seed);
    for _ in 0..games / (2 * 4) {
        let batch = walk.propose();
        let value = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| x * 0.05).collect() };
        let results: Vec<f64> = batch
            .iter()
            .map(|p| {
                (game(&value(&p.plus), elo(&value(&p.minus)), &mut rng) * 2.0 - 1.0
                    + (game(&value(&p.plus), elo(&value(&p.minus)), &mut rng) * 2.0 - 1.0))
                    / 2.0
            })
            .collect();
        walk.learn(&batch, &results);
    }
    let x: Vec<f64> = walk.answer().iter().map(|a| a.0 * 0.05).collect();
    off(&x)
}

/// `cargo test -p fifty-tools --lib surrogate -- --nocapture` prints the comparison.
#[test]
fn four_hundred_games_are_enough_where_spsa_needs_two_thousand() {
    let median = |mut list: Vec<f64>| {
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    };
    let process = median((1..=15).map(|seed| by_process(seed, 400)).collect());
    println!("Gaussian process, 400 games: {process:.3} of the range off (median of 15)");
    // SPSA's gain has to be known beforehand: printed for several, asserted for the one that 2,000 games like. With a
    // gain made for exactly so few games it gets there in 400, too; the process has no such number to know.
    let spsa = |games: usize, gain: f64| -> f64 {
        let settings = Settings {
            gain,
            batch: 4,
            ..Settings::default()
        };
        let off = median((1..=15).map(|seed| by_spsa(seed, games, &settings)).collect());
        println!("SPSA, {games} games, gain {gain}: {off:.3}");
        off
    };
    for gain in [0.02, 0.1, 0.2, 0.4] {
        spsa(400, gain);
        spsa(2_000, gain);
    }
    let (few, many) = (spsa(400, 0.05), spsa(2_000, 0.05));
    assert!(process <= 0.1, "{process}");
    assert!(few > 0.1 && many <= 0.1, "{few} {many}");
}

#[test]
fn proposals_follow_from_seed_and_trials() {
    let trials: Vec<Trial> = (0..12)
        .map(|n| Trial {
            at: vec![f64::from(n) / 11.0, 0.5],
            results: vec![1.0 - (f64::from(n) / 11.0 - 0.6).abs(); 2],
        })
        .collect();
    let one = propose(&trials, &[0.5, 0.5], 7, |x| x);
    assert_eq!(one, propose(&trials, &[0.5, 0.5], 7, |x| x));
    assert!(one.iter().all(|x| (0.0..=1.0).contains(x)));
    let best = Surrogate::new(&trials).unwrap().best(7);
    assert!((best[0] - 0.6).abs() < 0.15, "{best:?}");
    assert!(Surrogate::new(&[]).is_none());
}
