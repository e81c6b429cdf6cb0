//! Ratings of all games at once: Bradley and Terry's model by maximum likelihood, with intervals.
//!
//! Games on one seed share their luck, within a pair and across pairings (a map that suits one bot suits it
//! against everybody), so the doubt is that of seeds, not of games: a sandwich of the model's information and
//! the scores' variance by seed. Within a pairing that variance is told as `stats` tells a match's, which
//! holds for few games and near 0 and 1; across pairings it is the sum over seeds as it came. A game of four
//! seats counts as six comparisons of half weight each: a ranking of four holds three independent ones.
//! `coverage.rs` has the table of what the intervals cover.

use super::result::{GameResult, repeats};
use super::stats::{Estimate, Samples, t95, worth_of_pairs};
use nalgebra::{DMatrix, DVector};
use std::collections::{BTreeMap, BTreeSet};

/// Two bots of one game compared.
pub struct Comparison {
    /// First bot.
    pub a: usize,
    /// Second bot.
    pub b: usize,
    /// 1 where the first was better, 0 where it was worse.
    pub score: f64,
    /// How much it counts.
    pub weight: f64,
}

/// Pairs of different bots of one game.
pub fn comparisons(result: &GameResult) -> Vec<Comparison> {
    let seats = result.seating.len();
    let weight = 2.0 / seats as f64;
    let mut list = Vec::new();
    for i in 0..seats {
        for j in i + 1..seats {
            let (a, b) = (result.seating[i], result.seating[j]);
            if a != b {
                let difference = result.points[i] - result.points[j];
                let score = if difference == 0.0 {
                    0.5
                } else {
                    f64::from(u8::from(difference > 0.0))
                };
                list.push(Comparison { a, b, score, weight });
            }
        }
    }
    list
}

/// Score of the first bot and weight of all comparisons, on one seed or all.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    score: f64,
    weight: f64,
    /// Some of the games are no repeats of others.
    fresh: bool,
}

/// One pairing; the first bot is the one of the lower number.
#[derive(Clone, Debug, Default)]
struct Pairing {
    all: Sum,
    by_seed: BTreeMap<u64, Sum>,
}

impl Pairing {
    /// Weight for each independent win or loss it is worth.
    fn ratio(&self) -> f64 {
        let (means, weight) = self.whole();
        weight * means.0.len() as f64 / worth_of_pairs(&means)
    }

    /// Scores of the seeds that have all their games, and the weight of one: a seed with games still to come
    /// says little of how games of a seed go together.
    fn whole(&self) -> (Samples, f64) {
        let full = self.by_seed.values().map(|s| s.weight).fold(0.0, f64::max);
        let whole = self.by_seed.values().filter(|s| s.weight == full);
        let (scores, again) = whole.map(|s| (s.score / s.weight, !s.fresh)).unzip();
        (Samples::with_repeats(scores, again), full)
    }
}

type Pairings = BTreeMap<(usize, usize), Pairing>;

fn pairings(results: &BTreeMap<usize, GameResult>) -> Pairings {
    let mut pairings = Pairings::new();
    let repeats = repeats(results);
    for (index, result) in results {
        for Comparison { a, b, score, weight } in comparisons(result) {
            let (key, score) = if a < b {
                ((a, b), score)
            } else {
                ((b, a), 1.0 - score)
            };
            let pairing = pairings.entry(key).or_default();
            let of_seed = pairing.by_seed.entry(result.seed).or_default();
            for sum in [of_seed, &mut pairing.all] {
                sum.score += score * weight;
                sum.weight += weight;
                sum.fresh |= !repeats.contains(index);
            }
        }
    }
    pairings
}

/// What the likelihood says: strengths (natural logarithms of odds) and the inverse of the information.
struct Fit {
    theta: DVector<f64>,
    inverse: Option<DMatrix<f64>>,
}

/// Newton's method. Every bot has drawn against the average besides, with weight `prior`, so that one that has
/// lost everything has a rating too.
fn fit(bots: usize, sums: &BTreeMap<(usize, usize), Sum>, prior: f64) -> Fit {
    let mut theta = DVector::<f64>::zeros(bots);
    let mut inverted = None;
    for _ in 0..200 {
        let mut gradient = theta.map(|t| prior * (0.5 - logistic(t)));
        let mut information = DMatrix::<f64>::zeros(bots, bots);
        for (n, t) in theta.iter().enumerate() {
            let p = logistic(*t);
            information[(n, n)] += prior * p * (1.0 - p);
        }
        for (&(a, b), sum) in sums {
            let p = logistic(theta[a] - theta[b]);
            gradient[a] += sum.score - sum.weight * p;
            gradient[b] -= sum.score - sum.weight * p;
            let v = sum.weight * p * (1.0 - p);
            information[(a, a)] += v;
            information[(b, b)] += v;
            information[(a, b)] -= v;
            information[(b, a)] -= v;
        }
        let Some(inverse) = information.try_inverse() else {
            break;
        };
        let step = &inverse * gradient;
        inverted = Some(inverse);
        // A full Newton step can overshoot where scores are one-sided.
        let longest = step.amax();
        theta += step / longest.max(1.0);
        if longest < 1e-10 {
            break;
        }
    }
    Fit {
        theta,
        inverse: inverted,
    }
}

/// Every bot's rating on Elo's scale, mean of all 0, with its 95 % interval.
pub fn bradley_terry(bots: usize, results: &BTreeMap<usize, GameResult>) -> Vec<Estimate> {
    let pairings = pairings(results);
    let ratios: BTreeMap<(usize, usize), f64> = pairings.iter().map(|(k, p)| (*k, p.ratio())).collect();
    let weight: f64 = pairings.values().map(|p| p.all.weight).sum();
    let worth: f64 = pairings.iter().map(|(k, p)| p.all.weight / ratios[k]).sum();
    // One draw is one independent game, and weighs as those do.
    let prior = if worth > 0.0 { weight / worth } else { 1.0 };
    let sums = pairings.iter().map(|(k, p)| (*k, p.all)).collect();
    let fit = fit(bots, &sums, prior);
    let seeds: BTreeSet<u64> = pairings
        .values()
        .flat_map(|p| p.by_seed.keys().copied())
        .collect();
    let t = t95(2.0 * (seeds.len() as f64 - 1.0));
    let elo = 400.0 / std::f64::consts::LN_10;
    if let (2, Some(pairing)) = (bots, pairings.get(&(0, 1))) {
        // Two are a match: each is half of the difference from the mean, and the match's interval is the better.
        let Estimate { low, high, .. } = pairing.whole().0.elo();
        let value = (fit.theta[0] - fit.theta[1]) * elo;
        let half = |value: f64, low: f64, high: f64| Estimate {
            value: value / 2.0,
            low: low.min(value) / 2.0,
            high: high.max(value) / 2.0,
        };
        return vec![half(value, low, high), half(-value, -high, -low)];
    }
    let mean = fit.theta.sum() / bots.max(1) as f64;
    (0..bots)
        .map(|bot| {
            let value = (fit.theta[bot] - mean) * elo;
            let half = t * variance(bot, &fit, &pairings, &ratios, prior).sqrt() * elo;
            Estimate {
                value,
                low: value - half,
                high: value + half,
            }
        })
        .collect()
}

/// Variance of one bot's strength over the mean of all.
fn variance(
    bot: usize,
    fit: &Fit,
    pairings: &Pairings,
    ratios: &BTreeMap<(usize, usize), f64>,
    prior: f64,
) -> f64 {
    let bots = fit.theta.len();
    let Some(inverse) = &fit.inverse else {
        return f64::INFINITY;
    };
    let over_mean = DVector::from_fn(bots, |n, _| f64::from(u8::from(n == bot)) - 1.0 / bots as f64);
    // How the strength moves with each bot's score.
    let moves = inverse * over_mean;
    let spread = |x: f64| logistic(x) * (1.0 - logistic(x));
    let mut within: f64 = (moves.iter().zip(&fit.theta))
        .map(|(m, t)| (m * prior).powi(2) * spread(*t))
        .sum();
    // By seed: the move of all pairings together, and the sum of the squares of each one's.
    let mut shared: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (&(a, b), pairing) in pairings {
        let (apart, by) = (fit.theta[a] - fit.theta[b], moves[a] - moves[b]);
        within += by * by * pairing.all.weight * spread(apart) * ratios[&(a, b)];
        for (&seed, sum) in &pairing.by_seed {
            let rest = by * (sum.score - sum.weight * logistic(apart));
            let (all, squares) = shared.entry(seed).or_default();
            *all += rest;
            *squares += rest * rest;
        }
    }
    let n = shared.len() as f64;
    let across: f64 = shared.values().map(|(all, squares)| all * all - squares).sum();
    // What pairings share is how a map suits this bot, which can only add doubt; less is chance.
    within + (across * n / (n - 1.0).max(1.0)).max(0.0)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
#[allow(missing_docs)]
pub mod tests {
    use super::{Sum, bradley_terry, fit};
    use crate::arena::result::GameResult;
    use std::collections::BTreeMap;

    /// A game of two seats on a seed.
    pub fn game(index: usize, seed: u64, seating: [usize; 2], first: f64) -> (usize, GameResult) {
        let result = GameResult {
            index,
            group: seed as usize,
            seed,
            seating: seating.to_vec(),
            scores: vec![first, 1.0 - first],
            points: vec![first, 1.0 - first],
            batches: 1,
            ..GameResult::default()
        };
        (index, result)
    }

    /// Ratings where every pairing scores exactly what is expected of it: the first bot's share.
    pub fn expected(bots: usize, share: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let pairs = (0..bots).flat_map(|b| (0..b).map(move |a| (a, b)));
        let sums = pairs
            .map(|(a, b)| {
                let weight = 1e9;
                let score = weight * share(a, b);
                let fresh = true;
                ((a, b), Sum { score, weight, fresh })
            })
            .collect();
        let theta = fit(bots, &sums, 1.0).theta;
        let mean = theta.iter().sum::<f64>() / bots as f64;
        (theta.iter())
            .map(|t| (t - mean) * 400.0 / std::f64::consts::LN_10)
            .collect()
    }

    /// Games of pairs of bots, each with what its first one scores, so many times.
    pub fn games(list: &[(usize, usize, f64, usize)]) -> BTreeMap<usize, GameResult> {
        let mut results = BTreeMap::new();
        for &(a, b, first, times) in list {
            for _ in 0..times {
                let n = results.len();
                results.extend([game(n, n as u64, [a, b], first)]);
            }
        }
        results
    }

    #[test]
    fn many_games_find_the_true_difference() {
        // 75 % is 190.85 Elo.
        let elo = bradley_terry(2, &games(&[(0, 1, 1.0, 7_500), (0, 1, 0.0, 2_500)]));
        assert!((elo[0].value - elo[1].value - 190.85).abs() < 0.5, "{elo:?}");
        assert!(elo[0].low < elo[0].value && elo[0].high > elo[0].value);
    }

    #[test]
    fn chains_are_transitive() {
        let elo = bradley_terry(
            3,
            &games(&[
                (0, 1, 1.0, 3_000),
                (0, 1, 0.0, 1_000),
                (1, 2, 1.0, 3_000),
                (1, 2, 0.0, 1_000),
            ]),
        );
        assert!((elo[0].value - elo[2].value - 381.7).abs() < 3.0, "{elo:?}");
    }

    #[test]
    fn more_games_narrow_the_interval() {
        let width = |n| {
            let elo = bradley_terry(2, &games(&[(0, 1, 1.0, n), (0, 1, 0.0, n)]));
            elo[0].high - elo[0].low
        };
        assert!(width(1_000) < width(10) * 0.6);
    }

    /// Two games of a pair that always end alike are one; two that always cancel out say it is even.
    #[test]
    fn pairs_are_the_unit_of_doubt() {
        let width = |second: fn(usize) -> f64| {
            let mut results = BTreeMap::new();
            for n in 0..50 {
                let first = (n % 2) as f64;
                results.extend([game(2 * n, n as u64, [0, 1], first)]);
                results.extend([game(2 * n + 1, n as u64, [1, 0], second(n))]);
            }
            let elo = bradley_terry(2, &results)[0];
            elo.high - elo.low
        };
        let alike = width(|n| 1.0 - (n % 2) as f64);
        let single = {
            let elo = bradley_terry(2, &games(&[(0, 1, 1.0, 25), (0, 1, 0.0, 25)]))[0];
            elo.high - elo.low
        };
        assert!((alike / single - 1.0).abs() < 0.01, "{alike} {single}");
        assert!(width(|n| (n % 2) as f64) < 0.2 * alike);
    }

    #[test]
    fn repeats_do_not_narrow_the_interval() {
        let width = |bots: usize, same: bool| {
            let list: Vec<_> = (1..bots)
                .flat_map(|b| [(0, b, 1.0, 30), (0, b, 0.0, 10)])
                .collect();
            let mut results = games(&list);
            for (n, result) in &mut results {
                result.batches = 9;
                result.answers = if same {
                    result.points[0] as u64 + 1
                } else {
                    *n as u64 + 1
                };
            }
            let elo = bradley_terry(bots, &results)[0];
            elo.high - elo.low
        };
        for bots in [2, 3] {
            assert!(width(bots, true) > 2.0 * width(bots, false), "{bots}");
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        let elo = bradley_terry(3, &BTreeMap::new());
        assert!(elo.iter().all(|e| e.value == 0.0 && e.high > 100.0), "{elo:?}");
    }
}
