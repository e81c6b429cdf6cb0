//! Ratings of a league: Bradley-Terry with intervals, and the systems of `skillratings`.
//!
//! Bradley-Terry looks at all games at once, so the order of the games does not matter; the others are
//! updated game by game in the order of the run.

use super::bradley_terry::{Comparison, bradley_terry, comparisons};
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
        for Comparison { a, b, score, .. } in comparisons(result) {
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

#[cfg(test)]
mod tests {
    use super::ratings;
    use crate::arena::bradley_terry::tests::games;

    #[test]
    fn lost_everything_is_still_a_number() {
        let table = ratings(2, &games(&[(0, 1, 1.0, 20)]));
        assert!(table[0].elo.value.is_finite() && table[0].elo.value > table[1].elo.value + 300.0);
        assert!(table[0].weng_lin.0 > table[1].weng_lin.0);
        assert!(table[0].glicko2.0 > table[1].glicko2.0);
        assert!(table[0].trueskill.0 > table[1].trueskill.0);
    }
}
