//! Replaying a game that the tools recorded themselves: what a referee asks must be what it asked then.
//!
//! The record is a [`Trace`] as JSON, one game a line, as `cargo fifty referee GAME … -l FILE` writes it. Contests'
//! own recordings have forms of their own; each game's `verify` reads those.

use crate::outside::cglog;
use crate::referee::{Fault, Referee, Reply};
use crate::show::trace::Trace;
use serde_json::Value;
use std::collections::BTreeMap;
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
    #[expect(
        clippy::needless_pass_by_value,
        reason = "called with fresh texts and with numbers alike"
    )]
    pub fn new(at: impl ToString, expected: impl ToString, got: impl ToString) -> Self {
        Self {
            at: at.to_string(),
            expected: expected.to_string(),
            got: got.to_string(),
        }
    }
}

/// The answer as the referee got it; faults stand in angle brackets.
fn output(text: &str) -> Result<Vec<u8>, Fault> {
    match text {
        "<Timeout>" => Err(Fault::Timeout),
        "<Crash>" => Err(Fault::Crash),
        "<Flood>" => Err(Fault::Flood),
        _ => Ok(text.as_bytes().to_vec()),
    }
}

/// Equal, or the difference at `at`.
fn same<T: PartialEq + std::fmt::Debug>(at: &str, expected: &T, got: &T) -> Result<(), Difference> {
    if expected == got {
        return Ok(());
    }
    Err(Difference::new(at, format!("{expected:?}"), format!("{got:?}")))
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
        same(&at("position"), &step.view, &referee.view())?;
        let asks = referee.asks();
        let asked: Vec<_> = asks.iter().map(|a| (a.seat, a.want, a.send.clone())).collect();
        let recorded = step.exchanges.iter();
        let recorded: Vec<_> = recorded.map(|e| (e.seat, e.want, e.send.clone())).collect();
        same(&at("messages"), &recorded, &asked)?;
        if asks.is_empty() {
            break;
        }
        let answered = step.exchanges.iter().filter(|e| e.want > 0);
        let replies: Vec<Reply> = answered
            .map(|e| Reply {
                seat: e.seat,
                output: output(&e.output),
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
