//! A game that was played elsewhere, as far as its record tells: who, from what, and what everybody answered.

use std::collections::{BTreeMap, VecDeque};

/// One answer of the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Its lines; none where the seat was silent.
    pub text: Option<String>,
    /// What the bot wrote on stderr, where the record has it.
    pub stderr: String,
    /// Milliseconds it took, where the record tells.
    pub ms: u64,
}

/// A recorded game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// What it is known by where it was played; the same game is not taken twice.
    pub key: String,
    /// Seed, where it has one.
    pub seed: Option<u64>,
    /// Everything the record says about how the game is set up; names that a game does not know are left out.
    pub options: BTreeMap<String, String>,
    /// Who played, by seat.
    pub bots: Vec<String>,
    /// Answers by seat, in order.
    pub said: Vec<VecDeque<Said>>,
    /// Contest scores by seat, negative for a fault, not a number where it is not told; empty where the record has none.
    pub scores: Vec<f64>,
    /// Ranks by seat, 0 best; empty where the record has none.
    pub ranks: Vec<u64>,
}
