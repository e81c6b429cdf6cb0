//! A referee: a contest's server without its pipes and clocks. What to send to whom, and what the answers do to the game.
//!
//! Pure game flow. Processes, clocks and threads live in the arena, so a referee is driven the same way
//! by two programs, by bots in this process, and by the outputs of a recorded game.

use serde_json::Value;
use std::time::Duration;

/// One message to one seat.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Who gets it, from 0.
    pub seat: usize,
    /// Exact text: lines, each with its `\n`; for a one-process-a-move contest the argument, no `\n`.
    pub send: String,
    /// Lines wanted back. 0: none, the message is for information.
    pub want: usize,
    /// Time for the whole answer, from the last byte sent (from process start where one answers a move).
    pub limit: Duration,
}

/// Why no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing complete within the limit.
    Timeout,
    /// The process ended or closed its output.
    Crash,
    /// Far more output than any answer needs.
    Flood,
}

/// What came back for one [`Ask`] with `want > 0`.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Who answered.
    pub seat: usize,
    /// Raw bytes: exactly `want` lines with their line ends. For one process a move: all of stdout.
    pub output: Result<Vec<u8>, Fault>,
    /// Time used, as the contest measures it.
    pub elapsed: Duration,
}

impl Reply {
    /// The lines of the answer without their ends, invalid UTF-8 replaced; empty after a fault.
    pub fn lines(&self) -> Vec<String> {
        match &self.output {
            Ok(bytes) => String::from_utf8_lossy(bytes)
                .lines()
                .map(str::to_owned)
                .collect(),
            Err(_) => Vec::new(),
        }
    }
}

/// How one seat came through the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No fault of its own.
    Fine,
    /// Answered too late or not at all.
    Timeout,
    /// Its process ended early.
    Crash,
    /// Understood, but against the rules; with the referee's reason.
    Invalid(String),
    /// Not an answer of this protocol at all; with what was met.
    Garbage(String),
    /// Flooded its output.
    Flood,
}

impl From<Fault> for Verdict {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Timeout => Self::Timeout,
            Fault::Crash => Self::Crash,
            Fault::Flood => Self::Flood,
        }
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The contest's own scores, per seat.
    pub scores: Vec<f64>,
    /// Match points per seat: 1 won, 0.5 drawn, 0 lost; with four seats the share of points by rank
    /// (1, 2/3, 1/3, 0, ties shared).
    pub points: Vec<f64>,
    /// Why it ended, one short word or phrase.
    pub end: String,
    /// Per seat.
    pub verdicts: Vec<Verdict>,
}

/// What one position says about each weight of a linear evaluation.
#[derive(Clone, Debug)]
pub struct Features {
    /// Evaluation for seat 0 that no tunable contributes to.
    pub rest: f64,
    /// Tunable by name, and the factor it is multiplied with for seat 0.
    pub factors: Vec<(&'static str, f64)>,
}

/// One running game.
///
/// Loop: `asks` until it is empty, deliver all of a batch at once (simultaneous games ask all seats in
/// one batch), then `reply` with one entry for each ask that wants lines, in the order of the asks.
/// A batch may be information only; then `reply(&[])` follows. After the last batch `outcome` is `Some`.
pub trait Referee: Send {
    /// The next messages; empty when the game is over (final information, such as FINISH, comes in the
    /// batch before).
    fn asks(&mut self) -> Vec<Ask>;

    /// Plays the answers to the last batch.
    fn reply(&mut self, replies: &[Reply]);

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The position now as plain data, for replays (each game's `svg` draws it).
    fn view(&self) -> Value;

    /// Draws anew what no player can know yet (decks, bags); nothing where all is open.
    fn redraw(&mut self, _seed: u64) {}

    /// Factors of the bot's evaluation in the position now; `None` where it is not linear in its tunables
    /// or has no value for such a position.
    fn features(&self) -> Option<Features> {
        None
    }
}
