//! One finished game as tables, statistics and the results file need it.

use super::runner::{Late, Played, verdict_words};
use super::schedule::Game;
use super::stats::Samples;
use super::times::{Summary, Times};
use crate::referee::Verdict;
use crate::show::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A finished game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct GameResult {
    /// Place in the run.
    pub index: usize,
    /// Group of games on the same seed.
    pub group: usize,
    /// Its seed.
    pub seed: u64,
    /// Which bot sat in each seat.
    pub seating: Vec<usize>,
    /// The contest's scores per seat.
    pub scores: Vec<f64>,
    /// Match points per seat, 0..=1.
    pub points: Vec<f64>,
    /// Why it ended.
    pub end: String,
    /// Batches played.
    pub batches: usize,
    /// A fingerprint of all answers in their order; 0 where none was kept.
    #[serde(default)]
    pub answers: u64,
    /// A fingerprint of the position it began with; 0 where none was kept.
    #[serde(default)]
    pub start: u64,
    /// Who failed how.
    #[serde(default)]
    pub faults: Vec<FaultReport>,
    /// Answers over their limit.
    #[serde(default)]
    pub late: Vec<LateReport>,
    /// Milliseconds of every answer, per seat.
    #[serde(default)]
    pub times: Vec<Vec<f32>>,
}

/// One seat's fault.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct FaultReport {
    /// Seat, from 0.
    pub seat: usize,
    /// `timeout`, `crash`, `invalid`, `garbage` or `flood`.
    pub kind: String,
    /// The referee's reason, and how the process ended.
    pub detail: String,
    /// The bot's last lines on stderr.
    pub stderr: Vec<String>,
}

/// One late answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct LateReport {
    /// Seat, from 0.
    pub seat: usize,
    /// Batch of the game.
    pub batch: usize,
    /// Wall milliseconds.
    pub ms: f64,
    /// The limit.
    pub limit: f64,
    /// CPU milliseconds of the bot, with all its threads.
    pub own: Option<f64>,
    /// Milliseconds it waited for a core.
    pub waited: Option<f64>,
    /// Milliseconds it was kept from any core.
    #[serde(default)]
    pub away: Option<f64>,
    /// Counted as just in time, since that was not its own doing.
    #[serde(default)]
    pub excused: bool,
}

/// FNV-1a; never 0.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash.max(1)
}

/// Of who answered what.
fn fingerprint(trace: &Trace) -> u64 {
    let answers = trace.answers();
    hash(answers.flat_map(|exchange| std::iter::once(exchange.seat as u8).chain(exchange.output.bytes())))
}

/// Of the position before the first answer.
fn start(trace: &Trace) -> u64 {
    let view = trace.steps.first().map(|step| step.view.to_string());
    hash(view.unwrap_or_default().bytes())
}

impl GameResult {
    /// From the runner's report.
    pub fn new(game: &Game, played: &Played) -> Self {
        let mut faults = Vec::new();
        let mut late = Vec::new();
        for (seat, (verdict, report)) in played.outcome.verdicts.iter().zip(&played.seats).enumerate() {
            if *verdict != Verdict::Fine {
                let (kind, why) = verdict_words(verdict);
                let crash = report.exit.as_deref().filter(|_| *verdict == Verdict::Crash);
                faults.push(FaultReport {
                    seat,
                    kind: kind.to_owned(),
                    detail: [why, crash.unwrap_or_default()]
                        .into_iter()
                        .filter(|s| !s.is_empty())
                        .collect::<Vec<_>>()
                        .join(", "),
                    stderr: report.stderr.clone(),
                });
            }
            late.extend(report.late.iter().map(|l: &Late| LateReport {
                seat,
                batch: l.batch,
                ms: l.ms,
                limit: l.limit,
                own: l.own,
                waited: l.waited,
                away: l.away,
                excused: l.excused,
            }));
        }
        Self {
            index: game.index,
            group: game.group,
            seed: game.seed,
            seating: game.seating.clone(),
            scores: played.outcome.scores.clone(),
            points: played.outcome.points.clone(),
            end: played.outcome.end.clone(),
            batches: played.batches,
            answers: played.trace.as_ref().map_or(0, fingerprint),
            start: played.trace.as_ref().map_or(0, start),
            faults,
            late,
            times: played.seats.iter().map(|s| s.times.rounded()).collect(),
        }
    }

    /// A fingerprint of what two games agree in that are one game: who sat where, where it began, all answers, how it
    /// ended. None where no answers were kept, or there were none.
    fn course(&self) -> Option<u64> {
        let answered = self.times.iter().any(|seat| !seat.is_empty()) || self.batches > 1;
        let numbers = [self.start, self.answers, self.batches as u64].into_iter();
        let scores = self.scores.iter().map(|score| score.to_bits());
        let seats = self.seating.iter().map(|&bot| bot as u64);
        let all = numbers.chain(scores).chain(seats).flat_map(u64::to_le_bytes);
        (self.answers != 0 && answered).then(|| hash(all.chain(self.end.bytes())))
    }

    /// The slowest answer of a seat in milliseconds; 0 without answers.
    pub fn slowest(&self, seat: usize) -> f32 {
        self.times
            .get(seat)
            .into_iter()
            .flatten()
            .fold(0.0, |a, &b| a.max(b))
    }

    /// Mean of `values` over the seats of `bot`.
    fn mean_of(&self, bot: usize, values: &[f64]) -> Option<f64> {
        let own: Vec<f64> = self
            .seating
            .iter()
            .zip(values)
            .filter(|(b, _)| **b == bot)
            .map(|(_, v)| *v)
            .collect();
        (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
    }
}

/// What the samples of a match measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Match points (win, draw, loss; ranks with four seats).
    Points,
    /// The contest's scores as a share of all scores of the game (slime's squares).
    Scores,
}

impl Measure {
    /// What a comparison goes by: more than two players are ranked by what they own at the end.
    pub fn of(seats: usize) -> Self {
        if seats > 2 { Self::Scores } else { Self::Points }
    }
}

/// Scores of `a` against `b` by group in order, one half being even; only groups with all `games` games.
/// Stops at the first group that is not complete, so that early results cannot choose themselves.
pub fn group_samples(
    results: &BTreeMap<usize, GameResult>,
    a: usize,
    b: usize,
    games: usize,
    measure: Measure,
) -> Samples {
    let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for result in results.values() {
        let sample = match measure {
            Measure::Points => result
                .mean_of(a, &result.points)
                .zip(result.mean_of(b, &result.points))
                .map(|(x, y)| 0.5 + (x - y) / 2.0),
            Measure::Scores => {
                let sum = result.scores.iter().sum::<f64>().max(1.0);
                result
                    .mean_of(a, &result.scores)
                    .zip(result.mean_of(b, &result.scores))
                    .map(|(x, y)| 0.5 + (x - y) / (2.0 * sum))
            }
        };
        if let Some(sample) = sample {
            groups.entry(result.group).or_default().push(sample);
        }
    }
    let repeats = repeats(results);
    let mut fresh: BTreeSet<usize> = BTreeSet::new();
    for (index, result) in results {
        if !repeats.contains(index) {
            fresh.insert(result.group);
        }
    }
    let (mut scores, mut again) = (Vec::new(), Vec::new());
    for (n, group) in groups {
        if group.len() < games {
            break;
        }
        scores.push(group.iter().sum::<f64>() / group.len() as f64);
        again.push(!fresh.contains(&n));
    }
    Samples::with_repeats(scores, again)
}

/// Places of the games that are games before them once more, answer for answer.
pub fn repeats(results: &BTreeMap<usize, GameResult>) -> BTreeSet<usize> {
    let mut seen = HashSet::new();
    let again = results.iter().filter(|(_, result)| {
        let course = result.course();
        course.is_some_and(|course| !seen.insert(course))
    });
    again.map(|(index, _)| *index).collect()
}

/// How one bot did in all its games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standing {
    /// Its name.
    pub bot: String,
    /// Seats played.
    pub games: usize,
    /// Match points.
    pub points: f64,
    /// Points won of points possible, 0..=1.
    pub share: f64,
    /// Games with a full point.
    pub wins: usize,
    /// Games with half a point (two seats).
    pub draws: usize,
    /// The rest.
    pub losses: usize,
    /// Mean contest score.
    pub mean_score: f64,
    /// Faults by kind.
    pub faults: BTreeMap<String, usize>,
    /// Answers over the limit.
    pub late: usize,
    /// Answers over the limit because others kept the bot from running, counted as just in time.
    pub excused: usize,
    /// Answer times.
    pub times: Summary,
}

/// Everybody's standing.
pub fn standings(names: &[String], results: &BTreeMap<usize, GameResult>) -> Vec<Standing> {
    let mut table: Vec<Standing> = names
        .iter()
        .map(|name| Standing {
            bot: name.clone(),
            ..Standing::default()
        })
        .collect();
    let mut times = vec![Times::default(); names.len()];
    for result in results.values() {
        for (seat, &bot) in result.seating.iter().enumerate() {
            let standing = &mut table[bot];
            standing.games += 1;
            standing.points += result.points[seat];
            standing.mean_score += result.scores[seat];
            if result.points[seat] == 1.0 {
                standing.wins += 1;
            } else if result.points[seat] == 0.5 {
                standing.draws += 1;
            } else {
                standing.losses += 1;
            }
            for &ms in result.times.get(seat).into_iter().flatten() {
                times[bot].push(ms);
            }
        }
        for fault in &result.faults {
            *table[result.seating[fault.seat]]
                .faults
                .entry(fault.kind.clone())
                .or_default() += 1;
        }
        for late in &result.late {
            let standing = &mut table[result.seating[late.seat]];
            if late.excused {
                standing.excused += 1;
            } else {
                standing.late += 1;
            }
        }
    }
    for (standing, times) in table.iter_mut().zip(&times) {
        let games = standing.games.max(1) as f64;
        standing.share = standing.points / games;
        standing.mean_score /= games;
        standing.times = times.summary();
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{GameResult, Measure, group_samples, repeats, standings};
    use std::collections::BTreeMap;

    fn game(index: usize, seating: [usize; 2], first: f64) -> (usize, GameResult) {
        let result = GameResult {
            index,
            group: index / 2,
            seed: 1,
            seating: seating.to_vec(),
            scores: vec![first * 10.0, 10.0 - first * 10.0],
            points: vec![first, 1.0 - first],
            batches: 1,
            times: vec![vec![1.0], vec![2.0]],
            ..GameResult::default()
        };
        (index, result)
    }

    /// A game is a repeat where everything agrees; a group of repeats alone is one, and a game without answers is none.
    #[test]
    fn games_that_are_others_once_more_are_found() {
        let with = |(index, result): (usize, GameResult), answers| {
            let result = GameResult {
                answers,
                start: 5,
                ..result
            };
            (index, result)
        };
        let mut results: BTreeMap<_, _> = [
            with(game(0, [0, 1], 1.0), 3),
            with(game(1, [1, 0], 0.5), 4),
            with(game(2, [0, 1], 1.0), 3),
            with(game(3, [1, 0], 0.5), 4),
            with(game(4, [0, 1], 1.0), 3),
            with(game(5, [1, 0], 0.5), 8),
            with(game(6, [0, 1], 1.0), 0),
            with(game(7, [1, 0], 0.5), 0),
        ]
        .into();
        assert_eq!(repeats(&results), [2, 3, 4].into());
        let different = |results: &BTreeMap<usize, GameResult>| {
            group_samples(results, 0, 1, 2, Measure::Points).different()
        };
        assert_eq!(different(&results), 3);
        results.get_mut(&3).unwrap().start = 6;
        assert_eq!(different(&results), 4);
    }

    #[test]
    fn seats_are_swapped_back() {
        let results: BTreeMap<_, _> = [
            game(0, [0, 1], 1.0),
            game(1, [1, 0], 0.5),
            game(2, [0, 1], 0.0),
            game(3, [1, 0], 1.0),
            game(5, [1, 0], 1.0),
        ]
        .into();
        assert_eq!(group_samples(&results, 0, 1, 2, Measure::Points).0, [0.75, 0.0]);
        assert_eq!(group_samples(&results, 1, 0, 2, Measure::Points).0, [0.25, 1.0]);
        let table = standings(&["a".into(), "b".into()], &results);
        assert_eq!((table[0].wins, table[0].draws, table[0].losses), (1, 1, 3));
        assert_eq!(table[1].points, 3.5);
        assert_eq!((table[0].times.slowest, table[0].times.answers), (2.0, 5));
    }
}
