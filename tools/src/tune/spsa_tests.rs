//! The walk on a landscape whose optimum is known.

use super::{Settings, Walk};
use crate::tune::regression::{Pair, refit};
use crate::tune::space::Space;
use fifty::kit::rng::Rng;
use fifty::kit::tunables::Tunable;

/// Thirty numbers that matter and two that do not; quadratic in Elo, games noisy as real ones are.
struct Landscape {
    space: Space,
    best: Vec<f64>,
    curve: Vec<f64>,
}

impl Landscape {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let names: Vec<&'static str> = (0..32)
            .map(|i| &*Box::leak(format!("w{i}").into_boxed_str()))
            .collect();
        let list: Vec<Tunable> = names
            .iter()
            .map(|name| Tunable {
                name,
                value: 0.0,
                min: -50.0,
                max: 50.0,
                step: 1.0,
                whole: false,
                hand: None,
            })
            .collect();
        // Curvatures over a factor of eight, then scaled so that the start loses exactly 120 Elo.
        let best: Vec<f64> = (0..32)
            .map(|_| if rng.below(2) == 0 { -1.0 } else { 1.0 } * (1.0 + 2.0 * f64::from(rng.unit())))
            .collect();
        let mut curve: Vec<f64> = (0..32).map(|_| 8f64.powf(f64::from(rng.unit()))).collect();
        curve[30] = 0.0;
        curve[31] = 0.0;
        let loss: f64 = best.iter().zip(&curve).map(|(b, k)| k * b * b).sum();
        curve.iter_mut().for_each(|k| *k *= 120.0 / loss);
        Self {
            space: Space::select(&list, &[]).unwrap(),
            best,
            curve,
        }
    }

    /// Elo below the best.
    fn missing(&self, x: &[f64]) -> f64 {
        x.iter()
            .zip(&self.best)
            .zip(&self.curve)
            .map(|((x, b), k)| k * (x - b).powi(2))
            .sum()
    }

    /// A pair of games with 20 % draws between two points, -1 to 1.
    fn pair(&self, plus: &[f64], minus: &[f64], rng: &mut Rng) -> f64 {
        let elo = self.missing(minus) - self.missing(plus);
        let expected = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let draws = 0.2 * 4.0 * expected * (1.0 - expected);
        let mut sum = 0.0;
        for _ in 0..2 {
            let u = f64::from(rng.unit());
            sum += if u < draws {
                0.0
            } else if u < draws + (expected - draws / 2.0) {
                1.0
            } else {
                -1.0
            };
        }
        sum / 2.0
    }

    /// Walks over `games` games; the pairs as the store would hold them.
    fn walk(&self, settings: Settings, games: u64) -> (Walk, Vec<Pair>) {
        let mut rng = Rng::new(settings.seed.wrapping_add(99));
        let mut walk = Walk::new(settings, self.space.clone(), vec![0.0; self.space.len()]);
        let mut pairs = Vec::new();
        while walk.done() * 2 < games {
            let batch = walk.propose();
            let results: Vec<f64> = batch
                .iter()
                .map(|p| self.pair(&p.plus, &p.minus, &mut rng))
                .collect();
            for (p, &result) in batch.iter().zip(&results) {
                pairs.push(Pair {
                    x: walk.point().to_vec(),
                    signs: p.signs.clone(),
                    result,
                });
            }
            walk.learn(&batch, &results);
        }
        (walk, pairs)
    }
}

fn answer(walk: &Walk) -> Vec<f64> {
    walk.answer().iter().map(|a| a.0).collect()
}

#[test]
fn comes_within_15_elo_after_20_000_games() {
    for seed in 1..=5 {
        let land = Landscape::new(seed);
        assert!((land.missing(&[0.0; 32]) - 120.0).abs() < 1e-6);
        let (walk, _) = land.walk(
            Settings {
                seed,
                ..Settings::default()
            },
            20_000,
        );
        let missing = land.missing(&answer(&walk));
        println!("landscape {seed}: {missing:.1} Elo missing after 20,000 games");
        assert!(missing < 15.0, "landscape {seed}: {missing} Elo missing");
    }
}

#[test]
fn numbers_without_influence_are_told_apart() {
    let land = Landscape::new(3);
    let (_, pairs) = land.walk(
        Settings {
            seed: 3,
            ..Settings::default()
        },
        40_000,
    );
    let weights = refit(&pairs).unwrap();
    assert!(
        !weights[30].matters() && !weights[31].matters(),
        "{:?}",
        &weights[30..]
    );
    let seen = weights[..30].iter().filter(|w| w.matters()).count();
    println!("{seen} of 30 numbers with influence are seen to have it");
    assert!(seen >= 18, "only {seen} of 30 seen");
    for (i, weight) in weights[..30].iter().enumerate() {
        let cost = land.curve[i] * land.best[i].powi(2);
        assert!(
            weight.matters() || cost < 6.0,
            "w{i} costs {cost:.1} Elo and was not seen"
        );
    }
}

/// One number at a time, the naive way: each in turn is moved by the perturbation to the better side.
fn one_at_a_time(land: &Landscape, c: f64, games: u64, rng: &mut Rng) -> Vec<f64> {
    let mut x = vec![0.0; land.space.len()];
    let rounds = 4;
    let pairs_each = games / 2 / rounds / x.len() as u64;
    for _ in 0..rounds {
        for i in 0..x.len() {
            let (mut up, mut down) = (x.clone(), x.clone());
            up[i] += c;
            down[i] -= c;
            let score: f64 = (0..pairs_each).map(|_| land.pair(&up, &down, rng)).sum();
            x = if score > 0.0 { up } else { down };
        }
    }
    x
}

/// Separable CMA-ES (Ros, Hansen 2008): `lambda` candidates a generation, each ranked by `pairs` against the
/// mean; the answer is the mean of the second half's means.
fn cma_es(land: &Landscape, lambda: usize, pairs: u64, sigma: f64, games: u64, rng: &mut Rng) -> Vec<f64> {
    let n = land.space.len();
    let dim = n as f64;
    let mu = lambda / 2;
    let raw: Vec<f64> = (0..mu)
        .map(|i| (mu as f64 + 0.5).ln() - (i as f64 + 1.0).ln())
        .collect();
    let total: f64 = raw.iter().sum();
    let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
    let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
    let c_sigma = (mu_eff + 2.0) / (dim + mu_eff + 3.0);
    let damp = 1.0 + c_sigma + 2.0 * (((mu_eff - 1.0) / (dim + 1.0)).sqrt() - 1.0).max(0.0);
    let c_path = 4.0 / (dim + 4.0);
    let full = 2.0 / (dim + 2f64.sqrt()).powi(2) / mu_eff
        + (1.0 - 1.0 / mu_eff) * ((2.0 * mu_eff - 1.0) / ((dim + 2.0).powi(2) + mu_eff)).min(1.0);
    // The separable form may learn faster by this factor.
    let c_cov = (full * (dim + 2.0) / 3.0).min(1.0);
    let norm = dim.sqrt() * (1.0 - 1.0 / (4.0 * dim) + 1.0 / (21.0 * dim * dim));
    let (mut mean, mut sigma, mut tail) = (vec![0.0; n], sigma, vec![0.0; n]);
    let generations = games / (2 * pairs * lambda as u64);
    let (mut spread, mut path, mut step) = (vec![1.0; n], vec![0.0; n], vec![0.0; n]);
    let mut gauss = || {
        let radius = (-2.0 * (1.0 - f64::from(rng.unit())).ln()).sqrt();
        (
            radius * (std::f64::consts::TAU * f64::from(rng.unit())).cos(),
            rng.next_u64(),
        )
    };
    for generation in 0..generations {
        let mut born: Vec<(f64, Vec<f64>)> = (0..lambda)
            .map(|_| {
                let z: Vec<f64> = (0..n).map(|_| gauss().0).collect();
                let moved = z.iter().zip(&spread).map(|(z, v): (&f64, &f64)| z * v.sqrt());
                let x: Vec<f64> = mean.iter().zip(moved).map(|(m, d)| m + sigma * d).collect();
                let mut dice = Rng::new(gauss().1);
                let score: f64 = (0..pairs).map(|_| land.pair(&x, &mean, &mut dice)).sum();
                (score, z)
            })
            .collect();
        born.sort_by(|a, b| b.0.total_cmp(&a.0));
        for i in 0..n {
            let z: f64 = weights.iter().zip(&born).map(|(w, (_, z))| w * z[i]).sum();
            mean[i] += sigma * spread[i].sqrt() * z;
            step[i] = (1.0 - c_sigma) * step[i] + (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt() * z;
            path[i] =
                (1.0 - c_path) * path[i] + (c_path * (2.0 - c_path) * mu_eff).sqrt() * spread[i].sqrt() * z;
            let rank: f64 = weights.iter().zip(&born).map(|(w, (_, z))| w * z[i] * z[i]).sum();
            spread[i] *= 1.0 - c_cov + c_cov * (1.0 - 1.0 / mu_eff) * rank;
            spread[i] += c_cov / mu_eff * path[i] * path[i];
        }
        let length = step.iter().map(|s| s * s).sum::<f64>().sqrt();
        sigma *= (c_sigma / damp * (length / norm - 1.0)).exp();
        if generation >= generations / 2 {
            let count = (generations - generations / 2) as f64;
            tail.iter_mut().zip(&mean).for_each(|(t, m)| *t += m / count);
        }
    }
    tail
}

#[test]
fn beats_the_alternatives() {
    let mut mean = [0.0; 5];
    for seed in 1..=5 {
        let land = Landscape::new(seed);
        let settings = Settings {
            seed,
            ..Settings::default()
        };
        let (walk, pairs) = land.walk(settings.clone(), 20_000);
        mean[0] += land.missing(&answer(&walk)) / 5.0;
        let timid = Settings {
            perturb: 0.5,
            ..settings.clone()
        };
        mean[1] += land.missing(&answer(&land.walk(timid, 20_000).0)) / 5.0;
        // All pairs again, by regression: the optimum of the fitted parabola.
        let fitted: Vec<f64> = refit(&pairs)
            .unwrap()
            .iter()
            .map(|w| w.optimum().unwrap_or(0.0))
            .collect();
        mean[2] += land.missing(&fitted) / 5.0;
        mean[3] += land.missing(&one_at_a_time(&land, 1.0, 20_000, &mut Rng::new(seed))) / 5.0;
        // The best of twelve settings tried: fewer candidates or smaller steps lose 60 Elo and more.
        mean[4] += land.missing(&cma_es(&land, 100, 4, 2.0, 20_000, &mut Rng::new(seed))) / 5.0;
    }
    println!("Elo missing after 20,000 games from -120, mean of 5 landscapes:");
    println!("  large perturbation, small gain  {:6.1}", mean[0]);
    println!("  perturbation of half a step     {:6.1}", mean[1]);
    println!("  regression over the same pairs  {:6.1}", mean[2]);
    println!("  one number at a time            {:6.1}", mean[3]);
    println!("  separable CMA-ES                {:6.1}", mean[4]);
    assert!(mean[0] < mean[1] && mean[0] < mean[3] && mean[0] < mean[4]);
}

#[test]
fn the_walk_follows_from_settings_and_results() {
    let land = Landscape::new(2);
    let (a, _) = land.walk(Settings::default(), 2_000);
    let (b, _) = land.walk(Settings::default(), 2_000);
    assert_eq!(a.path(), b.path());
}
