//! What came of a game by an outside referee, in the arena's own form: result, faults, and what its log shows.
//!
//! The printed result decides. The log adds what it has: positions and words frame by frame; where the log carries the
//! whole game as `fifty referee` writes it, exact scores, faults and times.

use super::cglog;
use super::said::{self, Failure, Printed, Trouble};
use super::settings::{Convention, Game};
use crate::arena::runner::{Played, SeatReport};
use crate::games::connexion::formats::{End, Log};
use crate::referee::{Outcome, Verdict};
use crate::serve::import;
use crate::show::trace::{Step, Trace};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a referee left behind.
pub struct Finished<'a> {
    /// What was asked.
    pub game: &'a Game<'a>,
    /// What it printed.
    pub stdout: String,
    /// What it said besides.
    pub stderr: String,
    /// Its log, where it wrote one.
    pub log: Option<String>,
}

/// What a log is known to be.
enum Known {
    /// The whole game as we keep games ourselves.
    Whole(Trace),
    /// Frames of another program, or its text.
    Parts(Trace),
}

/// The result and everything worth keeping.
pub fn of(finished: &Finished<'_>) -> Result<Played, Failure> {
    let game = finished.game;
    let players = game.settings.players;
    let printed = match (&finished.log, game.settings.adapter) {
        (Some(log), Convention::Settings) => from_tool(log, &finished.stdout)?,
        _ => said::read(&finished.stdout, players)?,
    };
    let points = printed.points();
    let mut trace = match trace(finished) {
        // Where it tells another result than was printed, it is about another game.
        Known::Whole(trace) if trace.points == points => {
            let mut trace = trace;
            trace.bots = game.bots.iter().map(|(name, _)| name.clone()).collect();
            return Ok(played(&printed, trace, true, finished));
        }
        Known::Whole(_) => bare(finished),
        Known::Parts(trace) => trace,
    };
    trace.game.clone_from(&game.settings.name);
    trace.seed = game.seed;
    trace.options.clone_from(game.options);
    trace.bots = game.bots.iter().map(|(name, _)| name.clone()).collect();
    trace.scores.clone_from(&printed.scores);
    trace.points = points;
    trace.end = if printed.faults.contains(&true) {
        "fault".to_owned()
    } else {
        "played".to_owned()
    };
    let told = |seat: usize| {
        if printed.faults[seat] {
            reason(finished, &trace, seat)
        } else {
            Verdict::Fine
        }
    };
    let verdicts: Vec<Verdict> = (0..players).map(told).collect();
    trace.verdicts = verdicts.iter().map(crate::show::trace::verdict_text).collect();
    Ok(played(&printed, trace, false, finished))
}

/// The result in the log of connexion's testing tool, or of one that has only its header; else the printed one.
fn from_tool(log: &str, stdout: &str) -> Result<Printed, Failure> {
    if let Ok(log) = Log::parse(log) {
        let (scores, faulty) = match log.end {
            End::Scores(scores) => (scores.map(|score| score as f64), None),
            End::Abort(seat, _) => ([0, 1].map(|s| if s == seat { -1.0 } else { 0.0 }), Some(seat)),
        };
        return Ok(Printed {
            scores: scores.to_vec(),
            faults: vec![faulty == Some(0), faulty == Some(1)],
        });
    }
    let header = log.lines().find_map(|line| {
        let rest = line.trim().strip_prefix("[RESULT")?;
        Some(rest.trim_matches([' ', '"', ']']))
    });
    let scores = match header {
        Some("1-0") => vec![1.0, 0.0],
        Some("0-1") => vec![0.0, 1.0],
        Some("1/2-1/2") => vec![0.5, 0.5],
        Some(other) => {
            return Err(Failure::new(
                Trouble::Nonsense,
                format!("expected [RESULT \"1-0\"], \"0-1\" or \"1/2-1/2\" in its log, met {other:?}"),
            ));
        }
        None => return said::read(stdout, 2),
    };
    let abort = |name: &str| log.lines().any(|line| line.starts_with(&format!("ABORT {name}")));
    Ok(Printed {
        scores,
        faults: vec![abort("FIRST"), abort("SECOND")],
    })
}

/// The game as its log shows it.
fn trace(finished: &Finished<'_>) -> Known {
    let Some(text) = &finished.log else {
        return Known::Parts(bare(finished));
    };
    if finished.game.settings.adapter == Convention::Settings {
        // The simulator plays the tool's log again; what it does not follow is kept as text.
        let replayed = crate::games::known("connexion").and_then(|adapter| {
            let record = import::read(adapter, text).into_iter().next()?.ok()?;
            import::replay(adapter, &record, &BTreeMap::new()).ok()
        });
        if let Some(replayed) = replayed {
            return Known::Whole(replayed.trace);
        }
    }
    let Ok(log) = serde_json::from_str::<Value>(text) else {
        return Known::Parts(bare(finished));
    };
    match cglog::whole(&log) {
        Some(trace) => Known::Whole(trace),
        None => Known::Parts(cglog::frames(&log).unwrap_or_else(|| bare(finished))),
    }
}

/// What was printed and logged, where nothing else is known: one position.
fn bare(finished: &Finished<'_>) -> Trace {
    let lines = |text: &str| -> Vec<String> { text.lines().take(2_000).map(str::to_owned).collect() };
    let mut view = json!({"printed": lines(&finished.stdout)});
    if !finished.stderr.trim().is_empty() {
        view["said"] = json!(lines(&finished.stderr));
    }
    if let Some(log) = &finished.log {
        view["log"] = json!(lines(log));
    }
    Trace {
        steps: vec![Step {
            view,
            exchanges: Vec::new(),
        }],
        ..Trace::default()
    }
}

/// What the referee had against a seat, as far as its log or its words tell.
fn reason(finished: &Finished<'_>, trace: &Trace, seat: usize) -> Verdict {
    let (name, _) = &finished.game.bots[seat];
    let marks = [
        format!("${seat}"),
        format!("seat {seat}"),
        format!("player {}", seat + 1),
        name.clone(),
    ];
    let summaries = trace
        .steps
        .iter()
        .rev()
        .filter_map(|step| step.view["summary"].as_str());
    let lines = summaries
        .flat_map(str::lines)
        .chain(finished.stderr.lines().rev());
    let own = |line: &&str| {
        marks
            .iter()
            .any(|mark| line.to_lowercase().contains(&mark.to_lowercase()))
    };
    let line = lines.filter(own).map(str::trim).next().unwrap_or_default();
    let lower = line.to_lowercase();
    if ["timeout", "timed out", "time out", "has not provided"]
        .iter()
        .any(|word| lower.contains(word))
    {
        Verdict::Timeout
    } else if lower.contains("crash") {
        Verdict::Crash
    } else if line.is_empty() {
        Verdict::Invalid("the referee's score for it is below zero".to_owned())
    } else {
        Verdict::Invalid(line.chars().take(200).collect())
    }
}

/// A stored verdict as it was.
fn verdict(text: &str) -> Verdict {
    let (kind, why) = text.split_once(": ").unwrap_or((text, ""));
    match kind {
        "fine" => Verdict::Fine,
        "timeout" => Verdict::Timeout,
        "crash" => Verdict::Crash,
        "flood" => Verdict::Flood,
        "garbage" => Verdict::Garbage(why.to_owned()),
        "invalid" => Verdict::Invalid(why.to_owned()),
        _ => Verdict::Invalid(text.to_owned()),
    }
}

/// As the runner reports a game; `exact` where the trace is the whole game.
fn played(printed: &Printed, trace: Trace, exact: bool, finished: &Finished<'_>) -> Played {
    let players = printed.scores.len();
    let mut seats = vec![SeatReport::default(); players];
    let mut words = vec![String::new(); players];
    for e in trace.exchanges() {
        if let (Some(seat), Some(words)) = (seats.get_mut(e.seat), words.get_mut(e.seat)) {
            if exact && e.want > 0 {
                seat.times.push(e.micros as f32 / 1e3);
            }
            words.push_str(&e.stderr);
        }
    }
    for (n, (seat, words)) in seats.iter_mut().zip(&words).enumerate() {
        let own = |text: &str| -> Vec<String> {
            let lines: Vec<&str> = text.lines().collect();
            let last = &lines[lines.len().saturating_sub(5)..];
            last.iter().map(|line| (*line).to_owned()).collect()
        };
        seat.stderr = if words.is_empty() && printed.faults[n] {
            own(&finished.stderr)
        } else {
            own(words)
        };
    }
    let scores = if exact {
        trace.scores.clone()
    } else {
        printed.scores.clone()
    };
    Played {
        outcome: Outcome {
            scores,
            points: trace.points.clone(),
            end: trace.end.clone(),
            verdicts: trace.verdicts.iter().map(|text| verdict(text)).collect(),
        },
        batches: trace.steps.len().saturating_sub(1),
        seats,
        trace: Some(trace),
    }
}
