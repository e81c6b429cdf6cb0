//! Ratings of a league: Bradley-Terry with intervals, and the systems of `skillratings`.
//!
//! Bradley-Terry looks at all games at once, so the order of the games does not matter; the others are
//! updated game by game in the order of the run. A game of four seats counts as six comparisons of half
//! weight each: a ranking of four holds three independent ones.

use super::result::GameResult;
use super::stats::Estimate;
use serde::Serialize;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill_multi_team};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};
use std::collections::BTreeMap;

/// One bot's ratings.
#[derive(Clone, Debug, Serialize)]
pub struct Ratings {
    /// Bradley-Terry on Elo's scale, mean of all bots 0, with its 95 % interval.
    pub elo: Estimate,
    /// Weng-Lin: rating and uncertainty.
    pub weng_lin: (f64, f64),
    /// Glicko-2: rating and deviation.
    pub glicko2: (f64, f64),
    /// TrueSkill: rating and uncertainty.
    pub trueskill: (f64, f64),
}

/// Every bot's ratings.
pub fn ratings(bots: usize, results: &BTreeMap<usize, GameResult>) -> Vec<Ratings> {
    let elo = bradley_terry(bots, results);
    let mut weng = vec![WengLinRating::new(); bots];
    let mut glicko = vec![Glicko2Rating::new(); bots];
    let mut skill = vec![TrueSkillRating::new(); bots];
    for result in results.values() {
        let ranks: Vec<MultiTeamOutcome> = result
            .points
            .iter()
            .map(|p| MultiTeamOutcome::new(1 + result.points.iter().filter(|q| *q > p).count()))
            .collect();
        update(&mut weng, &result.seating, |old| {
            let teams: Vec<[WengLinRating; 1]> = old.iter().map(|r| [*r]).collect();
            let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
                teams.iter().zip(&ranks).map(|(t, r)| (&t[..], *r)).collect();
            weng_lin_multi_team(&teams, &WengLinConfig::new()).concat()
        });
        update(&mut skill, &result.seating, |old| {
            let teams: Vec<[TrueSkillRating; 1]> = old.iter().map(|r| [*r]).collect();
            let teams: Vec<(&[TrueSkillRating], MultiTeamOutcome)> =
                teams.iter().zip(&ranks).map(|(t, r)| (&t[..], *r)).collect();
            trueskill_multi_team(&teams, &TrueSkillConfig::new()).concat()
        });
        for (a, b, score, _) in comparisons(result) {
            let outcome = if score > 0.5 {
                Outcomes::WIN
            } else if score < 0.5 {
                Outcomes::LOSS
            } else {
                Outcomes::DRAW
            };
            (glicko[a], glicko[b]) = glicko2(&glicko[a], &glicko[b], &outcome, &Glicko2Config::new());
        }
    }
    (0..bots)
        .map(|n| Ratings {
            elo: elo[n],
            weng_lin: (weng[n].rating, weng[n].uncertainty),
            glicko2: (glicko[n].rating, glicko[n].deviation),
            trueskill: (skill[n].rating, skill[n].uncertainty),
        })
        .collect()
}

/// Updates the ratings of one game's seats; of a bot in several seats the last one counts.
fn update<R: Copy>(all: &mut [R], seating: &[usize], new: impl Fn(&[R]) -> Vec<R>) {
    let old: Vec<R> = seating.iter().map(|&bot| all[bot]).collect();
    for (&bot, rating) in seating.iter().zip(new(&old)) {
        all[bot] = rating;
    }
}

/// Pairs of different bots of one game: first, second, first's score, weight.
fn comparisons(result: &GameResult) -> Vec<(usize, usize, f64, f64)> {
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
                list.push((a, b, score, weight));
            }
        }
    }
    list
}

/// Maximum likelihood by Newton's method, with one virtual draw of every bot against the average so that a
/// bot that has lost everything has a rating too. Intervals from the inverse Hessian.
pub fn bradley_terry(bots: usize, results: &BTreeMap<usize, GameResult>) -> Vec<Estimate> {
    let mut list: Vec<(usize, usize, f64, f64)> = results.values().flat_map(comparisons).collect();
    // Merge equal pairs: the sums are all that matters.
    let mut sums: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for (a, b, score, weight) in list.drain(..) {
        let (key, score) = if a < b {
            ((a, b), score)
        } else {
            ((b, a), 1.0 - score)
        };
        let sum = sums.entry(key).or_default();
        sum.0 += weight * score;
        sum.1 += weight;
    }
    let mut theta = vec![0.0; bots];
    let mut covariance = vec![vec![0.0; bots]; bots];
    for _ in 0..100 {
        let mut gradient: Vec<f64> = theta.iter().map(|t| 0.5 - logistic(*t)).collect();
        let mut hessian = vec![vec![0.0; bots]; bots];
        for (n, t) in theta.iter().enumerate() {
            let p = logistic(*t);
            hessian[n][n] += p * (1.0 - p);
        }
        for (&(a, b), &(score, weight)) in &sums {
            let p = logistic(theta[a] - theta[b]);
            gradient[a] += score - weight * p;
            gradient[b] -= score - weight * p;
            let v = weight * p * (1.0 - p);
            hessian[a][a] += v;
            hessian[b][b] += v;
            hessian[a][b] -= v;
            hessian[b][a] -= v;
        }
        covariance = inverse(hessian);
        let step: Vec<f64> = covariance
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum())
            .collect();
        // A full Newton step can overshoot where scores are one-sided.
        let longest = step.iter().fold(0.0f64, |m, s: &f64| m.max(s.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (t, s) in theta.iter_mut().zip(&step) {
            *t += s * scale;
        }
        if longest < 1e-10 {
            break;
        }
    }
    let mean = theta.iter().sum::<f64>() / bots.max(1) as f64;
    let elo = 400.0 / std::f64::consts::LN_10;
    // Ratings are told relative to their mean, so the doubt about the mean itself does not count.
    let all: f64 = covariance.iter().flatten().sum();
    let count = bots.max(1) as f64;
    let variance = |n: usize| {
        let row: f64 = covariance[n].iter().sum();
        covariance[n][n] - 2.0 * row / count + all / (count * count)
    };
    (0..bots)
        .map(|n| {
            let value = (theta[n] - mean) * elo;
            let half = 1.959_963_985 * variance(n).max(0.0).sqrt() * elo;
            Estimate {
                value,
                low: value - half,
                high: value + half,
            }
        })
        .collect()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Gauss and Jordan with pivots; the matrices here are positive definite.
fn inverse(mut m: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = m.len();
    let mut inv: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for col in 0..n {
        let pivot = (col..n)
            .max_by(|&a, &b| m[a][col].abs().total_cmp(&m[b][col].abs()))
            .unwrap_or(col);
        m.swap(col, pivot);
        inv.swap(col, pivot);
        let by = m[col][col];
        if by == 0.0 {
            continue;
        }
        for j in 0..n {
            m[col][j] /= by;
            inv[col][j] /= by;
        }
        for row in 0..n {
            let factor = m[row][col];
            if row != col && factor != 0.0 {
                for j in 0..n {
                    let (x, y) = (m[col][j], inv[col][j]);
                    m[row][j] -= factor * x;
                    inv[row][j] -= factor * y;
                }
            }
        }
    }
    inv
}

#[cfg(test)]
mod tests {
    use super::{bradley_terry, inverse, ratings};
    use crate::arena::result::GameResult;
    use std::collections::BTreeMap;

    fn games(list: &[(usize, usize, f64, usize)]) -> BTreeMap<usize, GameResult> {
        let mut results = BTreeMap::new();
        for &(a, b, first, times) in list {
            for _ in 0..times {
                let index = results.len();
                results.insert(
                    index,
                    GameResult {
                        index,
                        group: index,
                        seed: 0,
                        seating: vec![a, b],
                        scores: vec![first, 1.0 - first],
                        points: vec![first, 1.0 - first],
                        end: String::new(),
                        batches: 1,
                        faults: Vec::new(),
                        late: Vec::new(),
                        times: Vec::new(),
                    },
                );
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
    fn lost_everything_is_still_a_number() {
        let table = ratings(2, &games(&[(0, 1, 1.0, 20)]));
        assert!(table[0].elo.value.is_finite() && table[0].elo.value > table[1].elo.value + 300.0);
        assert!(table[0].weng_lin.0 > table[1].weng_lin.0);
        assert!(table[0].glicko2.0 > table[1].glicko2.0);
        assert!(table[0].trueskill.0 > table[1].trueskill.0);
    }

    #[test]
    fn more_games_narrow_the_interval() {
        let width = |n| {
            let elo = bradley_terry(2, &games(&[(0, 1, 1.0, n), (0, 1, 0.0, n)]));
            elo[0].high - elo[0].low
        };
        assert!(width(1_000) < width(10) * 0.6);
    }

    #[test]
    fn inverses_invert() {
        let inv = inverse(vec![vec![4.0, 1.0], vec![2.0, 3.0]]);
        assert!((inv[0][0] - 0.3).abs() < 1e-12 && (inv[0][1] + 0.1).abs() < 1e-12);
        assert!((inv[1][0] + 0.2).abs() < 1e-12 && (inv[1][1] - 0.4).abs() < 1e-12);
    }
}
