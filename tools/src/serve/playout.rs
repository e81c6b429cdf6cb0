//! Plays a game to its end from a turn, once for each choice, many times.
//!
//! Every choice meets the same futures: the n-th playout of each draws the unseen alike and lets the bots do the same
//! work, so that differences are pairs. Work is varied by up to a tenth from playout to playout, since a search at
//! fixed work would play the same game every time.

use super::leaderboard::interval;
use super::position::{Guest, Position};
use crate::arena::bots::Bot;
use crate::arena::runner;
use crate::arena::stats::mean_interval;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde::Serialize;

/// How a choice does.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// The choice.
    pub choice: String,
    /// Match points of the seat in each playout, 0 to 1.
    pub points: Vec<f64>,
    /// Its contest scores.
    pub scores: Vec<f64>,
    /// Its scores less the best of the others.
    pub margins: Vec<f64>,
    /// Mean match points.
    pub mean: f64,
    /// Ends of their 95 % interval.
    pub range: (f64, f64),
    /// Every playout came to the same scores: it may have been one game, played again and again, and counts for one.
    pub once: bool,
    /// Mean margin, and half the width of its 95 % interval.
    pub margin: (f64, f64),
}

impl Score {
    fn new(choice: &str, games: &[(f64, f64, f64)]) -> Self {
        let points: Vec<f64> = games.iter().map(|g| g.0).collect();
        let scores: Vec<f64> = games.iter().map(|g| g.1).collect();
        let margins: Vec<f64> = games.iter().map(|g| g.2).collect();
        let alike = |list: &[f64]| list.windows(2).all(|w| w[0] == w[1]);
        let once = games.len() > 1 && alike(&scores) && alike(&margins);
        let n = points.len() as f64;
        let mean = points.iter().sum::<f64>() / n.max(1.0);
        let squares = points.iter().map(|p| p * p).sum::<f64>() / n.max(1.0);
        Self {
            choice: choice.to_owned(),
            mean,
            range: interval(if once { 1.0 } else { n }, mean, squares),
            once,
            margin: mean_interval(&margins),
            points,
            scores,
            margins,
        }
    }

    /// Points and margin by which this choice does better than another, playout by playout, each with half the width
    /// of its 95 % interval.
    pub fn against(&self, other: &Self) -> [(f64, f64); 2] {
        let pairs = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<_>>();
        [
            mean_interval(&pairs(&self.points, &other.points)),
            mean_interval(&pairs(&self.margins, &other.margins)),
        ]
    }
}

/// Plays each choice `count` times to the end. `bots`: one for all seats, or one a seat. `seed` decides what is drawn.
pub fn playouts(
    position: &Position<'_>,
    choices: &[String],
    bots: &[Bot],
    count: usize,
    seed: u64,
) -> Result<Vec<Score>> {
    let seats = position.trace.bots.len();
    if bots.len() != 1 && bots.len() != seats {
        bail!(
            "expected one bot to play on with, or one for each of {seats} seats, met {}",
            bots.len()
        );
    }
    let timed = bots.iter().any(Bot::timed);
    let jobs: Vec<(usize, usize)> = (0..choices.len())
        .flat_map(|choice| (0..count).map(move |n| (choice, n)))
        .collect();
    let job = |&(choice, n): &(usize, usize)| -> Result<(f64, f64, f64)> {
        playout(position, &choices[choice], bots, n, seed)
    };
    // Who plays by the clock needs a core for itself.
    let games: Vec<_> = if timed {
        jobs.iter().map(job).collect::<Result<_>>()?
    } else {
        jobs.par_iter().map(job).collect::<Result<_>>()?
    };
    let scores = choices.iter().zip(games.chunks(count.max(1)));
    Ok(scores.map(|(choice, games)| Score::new(choice, games)).collect())
}

/// Points, score and margin of one playout.
fn playout(
    position: &Position<'_>,
    choice: &str,
    bots: &[Bot],
    n: usize,
    seed: u64,
) -> Result<(f64, f64, f64)> {
    let line_end = if choice.ends_with('\n') { "" } else { "\n" };
    let choice = format!("{choice}{line_end}");
    let mut referee = position.after(&choice)?;
    let future = seed.wrapping_add(n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    referee.redraw(future);
    let seat = position.seat;
    // 90 to 110 percent, each as often.
    let percent = 90 + (n as u64 * 13 + 10) % 21;
    let now = &position.trace.steps[position.turn].exchanges;
    if referee.outcome().is_none() {
        let mut seats = Vec::new();
        for other in 0..position.trace.bots.len() {
            let bot = &bots[other % bots.len()];
            let bot = bot.at_work(|work| work * percent / 100);
            let (mut guest, _) = Guest::bring(position, &bot, other, None, future ^ other as u64)?;
            for e in now.iter().filter(|e| e.seat == other) {
                let answer = if e.seat == seat && e.want > 0 {
                    &choice
                } else {
                    &e.output
                };
                guest = guest.live_on(position, e, answer);
            }
            seats.push(guest.sit(position, &bot)?);
        }
        let played = runner::play(referee.as_mut(), &mut seats, None);
        played?;
    }
    let outcome = referee.outcome().context("the game has no result")?;
    let others = (0..outcome.scores.len())
        .filter(|s| *s != seat)
        .map(|s| outcome.scores[s]);
    let best = others.fold(f64::NEG_INFINITY, f64::max);
    Ok((
        outcome.points[seat],
        outcome.scores[seat],
        outcome.scores[seat] - best,
    ))
}
