//! Replaying a game that the tools recorded themselves: what a referee asks must be what it asked then.
//!
//! The record is a [`Trace`] as JSON, one game a line, as `cargo fifty referee GAME … -l FILE` writes it. Contests'
//! own recordings have forms of their own; each game's `verify` reads those.

#![expect(
    clippy::needless_pass_by_value,
    reason = "places and values are fresh texts and numbers alike"
)]

use crate::outside::cglog;
use crate::referee::{Referee, Reply};
use crate::show::trace::Trace;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::Duration;

/// What a recording was checked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    /// Turns (or single positions) compared.
    pub turns: u64,
}

/// The first difference between a recording and us.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Where in the record: turn number, call, key.
    pub at: String,
    /// What the record holds.
    pub expected: String,
    /// What we computed.
    pub got: String,
}

impl Difference {
    /// In words.
    pub fn new(at: impl ToString, expected: impl ToString, got: impl ToString) -> Self {
        Self {
            at: at.to_string(),
            expected: expected.to_string(),
            got: got.to_string(),
        }
    }
}

/// What a check of a record finds.
pub type Check<T> = Result<T, Difference>;

/// Equal, or the difference at `at`.
pub fn same<T: PartialEq + Debug>(at: impl ToString, expected: &T, got: &T) -> Check<()> {
    if expected == got {
        return Ok(());
    }
    Err(Difference::new(at, format!("{expected:?}"), format!("{got:?}")))
}

/// As [`same`], for a value of the record and what stands for it here.
pub fn same_json(at: impl ToString, expected: &Value, got: impl Serialize) -> Check<()> {
    let got = json!(got);
    if *expected == got {
        return Ok(());
    }
    Err(Difference::new(at, expected, got))
}

/// As [`same`], line by line.
pub fn same_lines(at: &str, expected: &Value, got: &[String]) -> Check<()> {
    let expected = lines(at, expected)?;
    for n in 0..expected.len().max(got.len()) {
        let theirs = expected.get(n).copied().unwrap_or("(no line)");
        let ours = got.get(n).map_or("(no line)", String::as_str);
        if theirs != ours {
            return Err(Difference::new(format!("{at}, line {}", n + 1), theirs, ours));
        }
    }
    Ok(())
}

/// A value of the record as a text.
pub fn text(at: impl ToString, value: &Value) -> Check<&str> {
    value.as_str().ok_or_else(|| Difference::new(at, "a text", value))
}

/// A value of the record as a whole number.
pub fn whole(at: impl ToString, value: &Value) -> Check<i64> {
    value
        .as_i64()
        .ok_or_else(|| Difference::new(at, "a whole number", value))
}

/// A value of the record as a list.
pub fn list(at: impl ToString, value: &Value) -> Check<&Vec<Value>> {
    value
        .as_array()
        .ok_or_else(|| Difference::new(at, "a list", value))
}

/// A value of the record as a list of lines.
pub fn lines(at: impl ToString, value: &Value) -> Check<Vec<&str>> {
    let lines = value
        .as_array()
        .and_then(|list| list.iter().map(Value::as_str).collect());
    lines.ok_or_else(|| Difference::new(at, "a list of lines", value))
}

/// Plays the record's answers to the referee that `start` makes of seed and options; compares every position, every
/// message and the result.
pub fn replay(
    start: impl FnOnce(u64, BTreeMap<String, String>) -> anyhow::Result<Box<dyn Referee>>,
    record: &Value,
) -> Result<Checked, Difference> {
    let broken = |why: String| Difference::new("record", "a game as cargo fifty referee -l writes it", why);
    let trace: Trace = match cglog::whole(record) {
        Some(trace) => trace,
        None => serde_json::from_value(record.clone()).map_err(|e| broken(e.to_string()))?,
    };
    let mut referee = start(trace.seed, trace.options.clone()).map_err(|e| broken(format!("{e:#}")))?;
    let mut turns = 0;
    for (n, step) in trace.steps.iter().enumerate() {
        let at = |what: &str| format!("step {n}, {what}");
        same(at("position"), &step.view, &referee.view())?;
        let asks = referee.asks();
        let asked: Vec<_> = asks.iter().map(|a| (a.seat, a.want, a.send.clone())).collect();
        let recorded = step.exchanges.iter();
        let recorded: Vec<_> = recorded.map(|e| (e.seat, e.want, e.send.clone())).collect();
        same(at("messages"), &recorded, &asked)?;
        if asks.is_empty() {
            break;
        }
        let replies: Vec<Reply> = step
            .answers()
            .map(|e| Reply {
                seat: e.seat,
                output: e.answer(),
                elapsed: Duration::from_micros(e.micros),
            })
            .collect();
        turns += replies.len() as u64;
        referee.reply(&replies);
    }
    let scores = referee.outcome().map(|outcome| outcome.scores);
    same("scores", &Some(trace.scores), &scores)?;
    Ok(Checked { turns })
}
