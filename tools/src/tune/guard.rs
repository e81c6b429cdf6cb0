//! The last word on tuned values: matches at the contest's own clock against a panel, stopped by SPRT.
//!
//! Each pair's result is the tuned values' minus the old values' (see [`super::games`]), panel opponents in
//! turn, one game at a time so that every answer has a core to itself.

use super::games::{Games, Opponent, elo};
use crate::room::Room;
use anyhow::Result;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bounds of the log likelihood ratio at alpha = beta = 0.05.
const BOUND: f64 = 2.944_438_979;
/// Pairs before a decision is allowed.
const LEAST: usize = 30;
/// Mean result of a pair that is worth having, in standard deviations of one pair (normalised).
const WORTH: f64 = 0.15;

/// How it ended.
#[derive(Clone, Debug)]
pub struct Decision {
    llr: f64,
    elo: (f64, f64),
    pairs: usize,
}

impl Decision {
    /// The gain is shown.
    pub fn accepted(&self) -> bool {
        self.pairs >= LEAST && self.llr >= BOUND
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match () {
            () if self.accepted() => "accepted",
            () if self.pairs >= LEAST && self.llr <= -BOUND => "rejected",
            () => "undecided",
        };
        write!(
            f,
            "{word} at the real clock: llr {:.2}, {:+.0} Elo +-{:.0}, {} pairs",
            self.llr, self.elo.0, self.elo.1, self.pairs
        )
    }
}

/// Log likelihood ratio of "mean = `WORTH` deviations" against "mean = 0".
fn llr(results: &[f64]) -> f64 {
    let n = results.len() as f64;
    let mean = results.iter().sum::<f64>() / n;
    let var = results.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let deviation = var.sqrt().max(1e-3);
    n * WORTH * (mean / deviation - WORTH / 2.0)
}

/// Plays until decided, `most` pairs, or `stop`.
#[expect(clippy::too_many_arguments, reason = "one call from the command line")]
pub fn decide(
    room: &dyn Room,
    options: &BTreeMap<String, String>,
    tuned: &[(String, f64)],
    before: &[(String, f64)],
    panel: &[Opponent],
    most: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Decision> {
    let (first, later) = room.limits();
    // Nine tenths of the contest's limits: the rest belongs to the pipe and the scheduler.
    let budget = Budget::Time {
        first: first.mul_f64(0.9),
        later: later.mul_f64(0.86),
    };
    let games = Games {
        room,
        budget,
        options: options.clone(),
    };
    let (tuned, before) = (tuned.to_vec(), before.to_vec());
    let mut results = Vec::new();
    let mut decision = Decision {
        llr: 0.0,
        elo: (0.0, 0.0),
        pairs: 0,
    };
    for n in 0..most {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let seed = Rng::new(seed ^ 0xC10C ^ (n << 22)).next_u64() >> 1;
        let opponent = &panel[n as usize % panel.len()];
        results.push(
            games
                .pair(&tuned, &before, opponent, seed)
                .map_err(anyhow::Error::msg)?,
        );
        decision = Decision {
            llr: llr(&results),
            elo: elo(&results),
            pairs: results.len(),
        };
        if results.len() >= LEAST && decision.llr.abs() >= BOUND {
            break;
        }
    }
    Ok(decision)
}

#[cfg(test)]
mod tests {
    use super::{BOUND, llr};
    use fifty::kit::rng::Rng;

    /// Share of runs over `n` pairs of mean `mean` that end at the upper bound.
    fn accepted(mean: f64, runs: u64) -> usize {
        (0..runs)
            .filter(|&seed| {
                let mut rng = Rng::new(seed);
                let mut results = Vec::new();
                for _ in 0..3_000 {
                    let step = |rng: &mut Rng| {
                        if f64::from(rng.unit()) < f64::midpoint(1.0, mean) {
                            0.5
                        } else {
                            -0.5
                        }
                    };
                    results.push(step(&mut rng) + step(&mut rng));
                    let now = llr(&results);
                    if results.len() >= 30 && now.abs() >= BOUND {
                        return now > 0.0;
                    }
                }
                false
            })
            .count()
    }

    #[test]
    fn equals_are_rarely_accepted_and_gains_usually_are() {
        assert!(accepted(0.0, 200) <= 10);
        assert!(accepted(0.15, 200) >= 190);
    }
}
