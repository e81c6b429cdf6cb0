//! The last word on tuned values: matches at the contest's own clock against a pool, stopped by SPRT.
//!
//! Each pair's result is the tuned values' minus the old values' (see [`super::games`]), opponent of the pools in
//! turn, one game at a time so that every answer has a core to itself.

use super::games::{Games, Opponent, elo, in_turn, samples};
use crate::arena::interrupt;
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::stats::signed;
use anyhow::Result;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// How it ended.
#[derive(Clone, Debug)]
pub struct Guarded {
    verdict: Decision,
    llr: f64,
    elo: (f64, f64),
    pairs: usize,
}

impl Guarded {
    /// The gain is shown.
    pub fn accepted(&self) -> bool {
        self.verdict == Decision::Accept
    }
}

impl fmt::Display for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Decision::Accept => "accepted",
            Decision::Reject => "rejected",
            Decision::Continue => "undecided",
        };
        let Self {
            llr,
            elo: (elo, half),
            pairs,
            ..
        } = self;
        write!(
            f,
            "{word} at the real clock: llr {llr:.2}, {} Elo +-{half:.0}, {pairs} pairs",
            signed(*elo, 0)
        )
    }
}

/// Plays `games` in turn, at the clock instead of their own budget, until decided, `most` pairs, or `stop`.
pub fn decide(
    games: &[Games],
    tuned: &[(String, f64)],
    before: &[(String, f64)],
    pool: &[Opponent],
    most: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Guarded> {
    let (first, later) = games[0].adapter.limits();
    // Nine tenths of the contest's limits: the rest belongs to the pipe and the scheduler.
    let budget = Budget::Time {
        first: first.mul_f64(0.9),
        later: later.mul_f64(0.86),
    };
    let games: Vec<Games> = (games.iter().cloned())
        .map(|games| Games { budget, ..games })
        .collect();
    let (tuned, before) = (tuned.to_vec(), before.to_vec());
    let mut results = Vec::new();
    let (elo0, elo1) = Sprt::DEFAULT;
    let sprt = Sprt::new(elo0, elo1, 2);
    let mut guarded = Guarded {
        verdict: Decision::Continue,
        llr: 0.0,
        elo: (0.0, 0.0),
        pairs: 0,
    };
    for n in 0..most {
        if stop.load(Ordering::Relaxed) || interrupt::requested() {
            break;
        }
        let seed = Rng::new(seed ^ 0xC10C ^ (n << 22)).next_u64() >> 1;
        let opponent = in_turn(pool, n / games.len() as u64);
        results.push(match in_turn(&games, n).pair(&tuned, &before, opponent, seed) {
            Err(_) if interrupt::requested() => break,
            result => result?,
        });
        let samples = samples(&results);
        guarded = Guarded {
            verdict: sprt.decide(&samples),
            llr: sprt.llr(&samples),
            elo: elo(&results),
            pairs: results.len(),
        };
        if guarded.verdict != Decision::Continue {
            break;
        }
    }
    Ok(guarded)
}
