//! Takes games in that were played elsewhere: the simulator plays them again from seed and answers, and only what comes to
//! the same end is taken.
//!
//! Forms: a game downloaded from CodinGame, wrapped or not, alone, in an array or one a line; the log of a CodinGame referee
//! run at home; and the form of a contest's own tool, where the game's adapter reads it. Unknown keys mean nothing.

use crate::adapter::{Adapter, Setup};
use crate::arena::result::{FaultReport, GameResult};
use crate::arena::runner::verdict_words;
use crate::elsewhere::{Recorded, Said};
use crate::referee::{Fault, Outcome, Reply, Verdict};
use crate::show::trace::{Exchange, Step, Trace};
use anyhow::{Context, anyhow, bail};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// All games of a text, each with what is wrong with it where it cannot be read.
pub fn read(adapter: &dyn Adapter, text: &str) -> Vec<anyhow::Result<Recorded>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if let Some(found) = adapter.recorded(text) {
        return found;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) => games(value),
        Err(error) => {
            let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
            // One value a line only where the first line is one: a long text that is cut short is not.
            if lines.len() < 2 || serde_json::from_str::<Value>(lines[0]).is_err() {
                let what = if text.is_empty() {
                    "the file is empty".to_owned()
                } else {
                    error.to_string()
                };
                return vec![Err(anyhow!("expected a game as JSON: {what}"))];
            }
            lines
                .iter()
                .enumerate()
                .flat_map(|(n, line)| match serde_json::from_str(line) {
                    Ok(value) => games(value),
                    Err(error) => vec![Err(anyhow!("line {}: expected a game as JSON: {error}", n + 1))],
                })
                .collect()
        }
    }
}

/// The games in a value, however it is wrapped.
fn games(value: Value) -> Vec<anyhow::Result<Recorded>> {
    match value {
        Value::Array(list) => list.into_iter().flat_map(games).collect(),
        Value::Null => Vec::new(),
        Value::String(text) if text.trim_start().starts_with('{') => match serde_json::from_str(&text) {
            Ok(inner) => games(inner),
            Err(error) => vec![Err(anyhow!("expected a game as JSON: {error}"))],
        },
        Value::Object(object) => {
            if object.get("frames").is_some_and(Value::is_array) {
                return vec![downloaded(&Value::Object(object))];
            }
            if object.contains_key("outputs") {
                return vec![at_home(&Value::Object(object))];
            }
            // A wrapper: `{"success": …}` and whatever else a service puts around it.
            let inner = object.into_iter().map(|(_, v)| v);
            let found: Vec<_> = inner
                .filter(|v| v.is_object() || v.is_array())
                .flat_map(games)
                .collect();
            if found.is_empty() {
                vec![Err(anyhow!(
                    "expected a game with frames (downloaded) or outputs (log of a referee)"
                ))]
            } else {
                found
            }
        }
        other => vec![Err(anyhow!("expected a game, met {other}"))],
    }
}

/// `key=value` lines; the seed apart. Numbers with a sign are seeds, too.
fn settings<'a>(lines: impl Iterator<Item = &'a str>) -> (Option<u64>, BTreeMap<String, String>) {
    let mut options: BTreeMap<String, String> = lines
        .filter_map(|line| line.trim().split_once('='))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let seed = options.remove("seed").and_then(|word| {
        let signed = || word.parse::<i64>().map(|n| n as u64);
        word.parse::<u64>().or_else(|_| signed()).ok()
    });
    (seed, options)
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}

/// What a record is known by that has no number: its own content.
fn fingerprint(value: &Value) -> String {
    let mut hasher = DefaultHasher::new();
    value.to_string().hash(&mut hasher);
    format!("content {:016x}", hasher.finish())
}

/// A game downloaded from CodinGame.
fn downloaded(game: &Value) -> anyhow::Result<Recorded> {
    let (seed, options) = settings(game["refereeInput"].as_str().unwrap_or_default().lines());
    let scores = numbers(&game["scores"]);
    let agents = game["agents"].as_array().map_or(&[][..], Vec::as_slice);
    let frames = game["frames"].as_array().map_or(&[][..], Vec::as_slice);
    let spoken = frames.iter().filter_map(|f| f["agentId"].as_i64());
    let seats = (scores.len())
        .max(agents.len())
        .max(spoken.max().map_or(0, |seat| (seat + 1).max(0) as usize));
    if seats == 0 || seats > 8 {
        bail!("expected agents or scores of 2 to 8 seats, met {seats}");
    }
    let mut bots: Vec<String> = (0..seats).map(|seat| format!("seat {seat}")).collect();
    for (n, agent) in agents.iter().enumerate() {
        let seat = agent["index"].as_u64().map_or(n, |i| i as usize);
        let name = agent["codingamer"]["pseudo"]
            .as_str()
            .or_else(|| agent["arenaboss"]["nickname"].as_str());
        if let (Some(slot), Some(name)) = (bots.get_mut(seat), name) {
            name.clone_into(slot);
        }
    }
    let mut said = vec![VecDeque::new(); seats];
    for frame in frames {
        let Some(queue) = frame["agentId"]
            .as_u64()
            .and_then(|seat| said.get_mut(seat as usize))
        else {
            continue;
        };
        queue.push_back(Said {
            text: frame["stdout"].as_str().map(str::to_owned),
            stderr: frame["stderr"].as_str().unwrap_or_default().to_owned(),
            ms: 0,
        });
    }
    let id = &game["gameId"];
    Ok(Recorded {
        key: if id.is_null() {
            fingerprint(game)
        } else {
            format!("codingame {id}")
        },
        seed,
        options,
        bots,
        said,
        scores,
        ranks: (game["ranks"].as_array().into_iter().flatten())
            .filter_map(Value::as_u64)
            .collect(),
    })
}

/// Entry `seat` of an object with numbers for names, or of an array.
fn of_seat(value: &Value, seat: usize) -> &Value {
    match value {
        Value::Array(list) => list.get(seat).unwrap_or(&Value::Null),
        other => &other[seat.to_string()],
    }
}

/// The log of a CodinGame referee run at home.
fn at_home(game: &Value) -> anyhow::Result<Recorded> {
    let inputs = &game["uinput"];
    let (seed, options) = match inputs.as_str() {
        Some(text) => settings(text.lines()),
        None => settings(inputs.as_array().into_iter().flatten().filter_map(Value::as_str)),
    };
    let seats = (0..8)
        .take_while(|&seat| !of_seat(&game["outputs"], seat).is_null())
        .count();
    if seats == 0 {
        bail!("expected outputs of the seats \"0\", \"1\", …");
    }
    let agents = game["agents"].as_array().map_or(&[][..], Vec::as_slice);
    let name = |seat: usize| {
        let agent = agents
            .iter()
            .find(|a| a["index"].as_u64() == Some(seat as u64))
            .or_else(|| agents.get(seat));
        agent
            .and_then(|a| a["name"].as_str())
            .map_or_else(|| format!("seat {seat}"), str::to_owned)
    };
    let mut said = Vec::new();
    for seat in 0..seats {
        let outputs = of_seat(&game["outputs"], seat)
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let errors = of_seat(&game["errors"], seat);
        // Null: the seat was not asked in that frame, or was silent; which of both, the simulator knows.
        let spoken = outputs.iter().enumerate().filter(|(_, text)| text.is_string());
        said.push(
            spoken
                .map(|(frame, text)| Said {
                    text: text.as_str().map(str::to_owned),
                    stderr: errors[frame].as_str().unwrap_or_default().to_owned(),
                    ms: 0,
                })
                .collect(),
        );
    }
    let score = |seat: usize| of_seat(&game["scores"], seat).as_f64();
    Ok(Recorded {
        key: fingerprint(game),
        seed,
        options,
        bots: (0..seats).map(name).collect(),
        said,
        scores: (0..seats).map_while(score).collect(),
        ranks: Vec::new(),
    })
}

/// A record played again, as the arena would have stored it; the index is the caller's.
pub struct Replayed {
    /// All messages and positions.
    pub trace: Trace,
    /// Its result.
    pub result: GameResult,
}

/// Options of the record that the game knows, with those given on top.
pub fn options(
    adapter: &dyn Adapter,
    record: &Recorded,
    given: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let known = |key: &str| adapter.options().iter().any(|(name, ..)| *name == key);
    let mut options: BTreeMap<String, String> = (record.options.iter())
        .filter(|(key, _)| known(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    options.extend(given.clone());
    options
}

/// Plays a record again. Errors: the first thing in which the simulator and the record differ.
pub fn replay(
    adapter: &dyn Adapter,
    record: &Recorded,
    given: &BTreeMap<String, String>,
) -> anyhow::Result<Replayed> {
    let options = options(adapter, record, given);
    let seats = adapter.seats(&options);
    if record.bots.len() != seats {
        bail!(
            "the record has {} seats, {} has {seats}",
            record.bots.len(),
            adapter.name()
        );
    }
    let setup = Setup {
        seed: record.seed.unwrap_or_default(),
        options: options.clone(),
    };
    if record.seed.is_none() && !adapter.open_start(&options) {
        bail!("expected seed=… in the record: the start follows from it");
    }
    let mut referee = adapter.referee(&setup)?;
    let mut trace = Trace::new(adapter.name(), setup.seed, &options, &record.bots);
    let mut said = record.said.clone();
    let mut times = vec![Vec::new(); seats];
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            break;
        }
        let turn = trace.steps.len();
        let (mut exchanges, mut replies) = (Vec::new(), Vec::new());
        for ask in asks {
            let mut exchange = Exchange {
                seat: ask.seat,
                send: ask.send,
                want: ask.want,
                ..Exchange::default()
            };
            if ask.want > 0 {
                let failed = record.scores.get(ask.seat).is_some_and(|s| *s < 0.0);
                let answer = match said[ask.seat].pop_front() {
                    None if !failed => {
                        bail!(
                            "turn {turn}: seat {} is asked, the record has no answer left",
                            ask.seat
                        );
                    }
                    other => other.unwrap_or_default(),
                };
                times[ask.seat].push(answer.ms as f32);
                replies.push(reply(answer, &mut exchange));
            }
            exchanges.push(exchange);
        }
        trace.steps.push(Step {
            view: referee.view(),
            exchanges,
        });
        referee.reply(&replies);
    }
    let outcome = referee.outcome().context("the simulator has no result")?;
    let turns = trace.steps.len();
    if let Some(seat) = said.iter().position(|q| q.iter().any(|s| s.text.is_some())) {
        bail!(
            "turn {turns}: for the simulator the game is over ({}), seat {seat} goes on in the record",
            outcome.end
        );
    }
    compare(record, &outcome)?;
    trace.close(referee.as_ref(), &outcome);
    let faults = outcome
        .verdicts
        .iter()
        .enumerate()
        .filter(|(_, v)| **v != Verdict::Fine);
    let faults = faults.map(|(seat, verdict)| {
        let (kind, why) = verdict_words(verdict);
        FaultReport {
            seat,
            kind: kind.to_owned(),
            detail: why.to_owned(),
            stderr: Vec::new(),
        }
    });
    let result = GameResult {
        seed: setup.seed,
        seating: (0..seats).collect(),
        scores: outcome.scores.clone(),
        points: outcome.points.clone(),
        end: outcome.end.clone(),
        batches: turns,
        faults: faults.collect(),
        times,
        ..GameResult::default()
    };
    Ok(Replayed { trace, result })
}

/// What the referee is told of a recorded answer, which `exchange` keeps.
fn reply(answer: Said, exchange: &mut Exchange) -> Reply {
    exchange.micros = answer.ms * 1000;
    exchange.stderr = answer.stderr;
    let output = match answer.text {
        Some(text) if !text.trim().is_empty() => Ok(text
            .replace("\r\n", "\n")
            .trim_end_matches(['\r', '\n'])
            .to_owned()
            + "\n"),
        _ => Err(Fault::Timeout),
    };
    exchange.output = match &output {
        Ok(text) => text.clone(),
        Err(fault) => format!("<{fault:?}>"),
    };
    Reply {
        seat: exchange.seat,
        output: output.map(String::into_bytes),
        elapsed: Duration::from_millis(answer.ms),
    }
}

/// Scores and ranks of the record beside the simulator's.
fn compare(record: &Recorded, outcome: &Outcome) -> anyhow::Result<()> {
    for (seat, &score) in record.scores.iter().enumerate() {
        let ours = outcome.scores.get(seat).copied().unwrap_or_default();
        let failed = outcome.verdicts.get(seat).is_some_and(|v| *v != Verdict::Fine);
        // Not a number: the record does not tell.
        let same = if score < 0.0 {
            failed || ours < 0.0
        } else {
            score.is_nan() || (ours - score).abs() < 1e-6
        };
        if !same {
            bail!("seat {seat} has score {score} in the record, {ours} in the simulator");
        }
    }
    for a in 0..record.ranks.len().min(outcome.points.len()) {
        for b in 0..a {
            let (ranks, points) = (
                record.ranks[a].cmp(&record.ranks[b]),
                outcome.points[b].total_cmp(&outcome.points[a]),
            );
            if ranks != points {
                bail!(
                    "ranks {:?} in the record, points {:?} in the simulator",
                    record.ranks,
                    outcome.points
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
