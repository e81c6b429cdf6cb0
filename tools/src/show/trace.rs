//! Everything that happened in one game, as stored and shown. No times but the bots' own.

use crate::referee::{Fault, Outcome, Referee, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// One game from its first message to its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Game by name.
    pub game: String,
    /// Seed of maps, decks, bags.
    pub seed: u64,
    /// Options other than the defaults.
    pub options: BTreeMap<String, String>,
    /// Bot per seat, as it was named on the command line.
    pub bots: Vec<String>,
    /// Batches in order; the last one holds the final position and no messages.
    pub steps: Vec<Step>,
    /// Contest scores per seat.
    pub scores: Vec<f64>,
    /// Match points per seat.
    pub points: Vec<f64>,
    /// Why it ended.
    pub end: String,
    /// Per seat: `fine`, or what went wrong.
    pub verdicts: Vec<String>,
}

/// One batch of messages and what they found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Position before the answers were played, as `Referee::view` gives it.
    pub view: Value,
    /// Messages of this batch.
    pub exchanges: Vec<Exchange>,
}

impl Step {
    /// Messages that were to be answered.
    pub fn answers(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.exchanges.iter().filter(|e| e.want > 0)
    }

    /// The one that `seat` was to answer.
    pub fn answer_of(&self, seat: usize) -> Option<&Exchange> {
        self.answers().find(|e| e.seat == seat)
    }
}

/// One message and its answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Whose.
    pub seat: usize,
    /// Text sent.
    pub send: String,
    /// Lines wanted.
    pub want: usize,
    /// Text answered (invalid UTF-8 replaced), or the fault in angle brackets.
    pub output: String,
    /// What the bot wrote on stderr meanwhile.
    pub stderr: String,
    /// Wall time it took, microseconds.
    pub micros: u64,
}

impl Exchange {
    /// The answer as a referee gets it.
    pub fn answer(&self) -> Result<Vec<u8>, Fault> {
        match self.output.as_str() {
            "<Timeout>" => Err(Fault::Timeout),
            "<Crash>" => Err(Fault::Crash),
            "<Flood>" => Err(Fault::Flood),
            text => Ok(text.as_bytes().to_vec()),
        }
    }
}

/// A verdict in words.
pub fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Fine => "fine".into(),
        Verdict::Timeout => "timeout".into(),
        Verdict::Crash => "crash".into(),
        Verdict::Invalid(why) => format!("invalid: {why}"),
        Verdict::Garbage(what) => format!("garbage: {what}"),
        Verdict::Flood => "flood".into(),
    }
}

impl Trace {
    /// An empty trace of a game about to start.
    pub fn new(game: &str, seed: u64, options: &BTreeMap<String, String>, bots: &[String]) -> Self {
        Self {
            game: game.into(),
            seed,
            options: options.clone(),
            bots: bots.to_vec(),
            ..Self::default()
        }
    }

    /// All messages, in their order.
    pub fn exchanges(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.steps.iter().flat_map(|step| &step.exchanges)
    }

    /// Those that were to be answered.
    pub fn answers(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.steps.iter().flat_map(Step::answers)
    }

    /// Steps at which `seat` was to answer.
    pub fn turns_of(&self, seat: usize) -> Vec<usize> {
        let asked = |&n: &usize| self.steps[n].answer_of(seat).is_some();
        (0..self.steps.len()).filter(asked).collect()
    }

    /// Adds what `seat` wrote on stderr after its last answer to that answer; gives it back where there is
    /// none.
    pub fn append_stderr(&mut self, seat: usize, text: String) -> String {
        let mut exchanges = self
            .steps
            .iter_mut()
            .rev()
            .flat_map(|s| s.exchanges.iter_mut().rev());
        match exchanges.find(|e| e.seat == seat && e.want > 0) {
            Some(last) => {
                last.stderr.push_str(&text);
                String::new()
            }
            None => text,
        }
    }

    /// Closes the trace with the final position and the result.
    pub fn close(&mut self, referee: &dyn Referee, outcome: &Outcome) {
        self.steps.push(Step {
            view: referee.view(),
            exchanges: Vec::new(),
        });
        self.scores.clone_from(&outcome.scores);
        self.points.clone_from(&outcome.points);
        self.end.clone_from(&outcome.end);
        self.verdicts = outcome.verdicts.iter().map(verdict_text).collect();
    }
}
