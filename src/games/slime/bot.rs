//! The bot's side of the protocol: one argument in, one line out, then the process ends.
//!
//! What it learns of the others it keeps in [`Bot::memory`]; between processes that is a text of one line
//! a move ([`Bot::noted`]), which may be missing, old or of other games.
//!
//! # The protocol
//!
//! One process a move: `COMMAND P,row,row,…` by `sh -c`, nothing on stdin. P is the seat on turn, `1` to `4`; then the rows
//! from the top, each of as many characters as there are rows (8 in the contest, 4 to 8 here): `.` empty, `1` to `4` that
//! seat's. There is nothing else: no first call with more, no turn number, no end. Everybody sees the whole board.
//!
//! Out: one line of four whole numbers parted by blanks, `r1 c1 r2 c2`: from and to, rows and columns from 0 at the top
//! left; then exit. 100 ms, the start of the process included. Only the first line counts, of it 127 bytes, and after the
//! fourth number there must be one more byte.
//!
//! | move | condition | effect |
//! |---|---|---|
//! | spread | to is empty, at distance 1 | to is mine, so are all others' squares around it |
//! | jump | to is empty, at distance 2 | the same, then from is empty |
//! | merge | to is mine, at distance 1 | all empty squares around to are mine, no other's; then from is empty |
//!
//! Distance is the larger of rows and columns. Anything else (late, unreadable, off the board, against the rules) is a
//! pass and costs nothing; `0 0 0 0` is the usual one. Seats play in turn from `1`, those without squares too. The game ends
//! when no square is empty, or after 2000 turns; the score is the number of own squares.

use super::memory::Memory;
use super::moves::Move;
use super::odds::Odds;
use super::search::Search;
use super::state::State;
use super::weights::Weights;
use crate::kit::agent::{read_line, Agent};
use crate::kit::clock::{Budget, Clock};
use std::io::{self, BufRead, Write};

/// One seat. A line of input is one command-line argument.
pub struct Bot {
    /// What was seen in earlier moves.
    pub memory: Memory,
    /// Whether it looks at the memory and adds to it: with fixed work not, because the answer
    /// would depend on more than the position.
    pub remembers: bool,
    /// The line to keep for the next move; empty where there is nothing to keep.
    pub noted: String,
    /// The search and what it has learned.
    pub search: Search,
    clock: Clock,
    said: Vec<u8>,
}

impl Bot {
    /// A bot that answers within `budget`; the same seed and fixed work give the same answers.
    #[allow(clippy::needless_pass_by_value)] // every bot of the suite is made alike
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        Self {
            memory: Memory::default(),
            remembers: !matches!(budget, Budget::Work(_)),
            noted: String::new(),
            clock: Clock::new(budget),
            search: Search::new(&weights, seed),
            said: Vec::new(),
        }
    }

    /// From the next answer on another budget: for whoever asks again. Its tables stay as they are.
    pub fn set_budget(&mut self, budget: Budget) {
        self.clock.set(budget);
    }

    /// The answer to `P,row0,…`. What it does not understand it answers with a pass, and says why.
    pub fn answer(&mut self, argument: &str) -> Move {
        let state = match State::parse(argument) {
            Ok(state) if !state.is_over() => state,
            Ok(_) => {
                let _ = writeln!(self.said, "no square is empty: {argument:?}");
                return Move::PASS;
            }
            Err(error) => {
                let _ = writeln!(self.said, "usage: slime P,row,row,...: {error}");
                return Move::PASS;
            }
        };
        if argument.contains(char::is_whitespace) {
            let _ = writeln!(self.said, "passed over the blanks of {argument:?}");
        }
        let mut odds = Odds::default();
        if self.remembers {
            odds = self.memory.recall(&state, &mut self.search.tree.policy);
        }
        let models = self.search.models(&odds);
        let found = self.search.best(&state, models, self.clock.limit());
        let mut line = Vec::with_capacity(8);
        self.search.tree.line(&mut line);
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        let mut best = Vec::with_capacity(5);
        self.search.tree.candidates(&mut best);
        let best: Vec<String> = best
            .iter()
            .map(|e| format!("{}:{}:{:.3}", e.mv, e.visits, e.sum / e.visits as f32))
            .collect();
        let _ = writeln!(
            self.said,
            "think value={:.3} depth={} nodes={} models={} best={} pv={}",
            found.value[state.seat()],
            found.depth,
            found.iterations,
            models.map(|model| model as u8).map(|n| n.to_string()).concat(),
            best.join(",").replace(' ', ""),
            line.join(",").replace(' ', "")
        );
        let best = found.best.unwrap_or(Move::PASS);
        if self.remembers {
            let mut left = state;
            left.play(best);
            self.noted = self.memory.note(left, odds).to_string();
        }
        best
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
