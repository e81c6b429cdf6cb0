//! The bot's side of the protocol: one argument in, one line out, then the process ends.

use super::moves::Move;
use super::search::Search;
use super::state::State;
use super::weights::Weights;
use crate::kit::agent::{read_line, Agent};
use crate::kit::clock::{Budget, Clock};
use std::io::{self, BufRead, Write};

/// One seat. A line of input is one command-line argument.
pub struct Bot {
    clock: Clock,
    search: Search,
    said: Vec<u8>,
}

impl Bot {
    /// A bot that answers within `budget`; the same seed and fixed work give the same answers.
    #[allow(clippy::needless_pass_by_value)] // every bot of the suite is made alike
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        Self {
            clock: Clock::new(budget),
            search: Search::new(&weights, seed),
            said: Vec::new(),
        }
    }

    /// The answer to `P,row0,…`. What it does not understand it answers with a pass, and says why.
    pub fn answer(&mut self, argument: &str) -> Move {
        let state = match State::parse(argument) {
            Ok(state) if !state.is_over() => state,
            Ok(_) => return Move::PASS,
            Err(error) => {
                let _ = writeln!(self.said, "usage: slime P,row,row,...: {error}");
                return Move::PASS;
            }
        };
        let found = self.search.best(&state, self.clock.limit());
        let mut line = Vec::with_capacity(8);
        self.search.tree.line(&mut line);
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            self.said,
            "think value={:.3} depth={} nodes={} pv={}",
            found.mean,
            found.depth,
            found.iterations,
            line.join(",").replace(' ', "")
        );
        found.best.unwrap_or(Move::PASS)
    }
}

impl Agent for Bot {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let mut line = String::new();
        if !read_line(input, &mut line)? {
            return Ok(false);
        }
        self.clock.start();
        let answer = self.answer(&line);
        writeln!(out, "{answer}")?;
        self.clock.stop();
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.said)
    }
}
