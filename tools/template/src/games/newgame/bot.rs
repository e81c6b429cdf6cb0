//! The bot: reads a request, searches until its time or work is spent, answers.
//!
//! CHANGE: the search (`fifty::search` has alpha-beta, beam and others beside this tree search) and its size.

use super::eval::Opinion;
use super::protocol;
use super::state::{Cell, State};
use super::weights::Weights;
use crate::kit::agent::{read_line, Agent};
use crate::kit::bits::Bits;
use crate::kit::clock::{Budget, Clock};
use crate::search::mcts::{Mcts, Params};
use crate::search::policy::{NoPrior, Static};
use std::io::{self, BufRead, Write};

/// Edges of the tree: about 10 MiB.
const EDGES: usize = 1 << 18;
/// Moves a position has at most.
const WIDEST: usize = 36;

/// Plays one seat.
pub struct Bot {
    state: State,
    search: Mcts<State, Static<Opinion>, NoPrior, 2>,
    clock: Clock,
    said: Vec<u8>,
}

impl Bot {
    /// A bot at the start of a game. `seed` decides its draws.
    pub fn new(budget: Budget, weights: &Weights, seed: u64) -> Self {
        let params = Params {
            exploration: weights.explore,
            ..Params::DEFAULT
        };
        let leaf = Static(Opinion::new(weights));
        Self {
            state: State::default(),
            search: Mcts::new(params, leaf, NoPrior, EDGES, WIDEST, seed),
            clock: Clock::new(budget),
            said: Vec::new(),
        }
    }
}

impl Agent for Bot {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let mut line = String::new();
        if !read_line(input, &mut line)? {
            return Ok(false);
        }
        self.clock.start();
        if let Err(trouble) = protocol::read(&line, &mut self.state) {
            writeln!(self.said, "{trouble}")?;
        }
        let found = self.search.search(&self.state, self.state.seat(), self.clock.limit());
        // Over only if the judge asks after the end: anything is better than silence.
        let any = Bits(self.state.empty()).next().unwrap_or(0);
        let best = found.best.unwrap_or(Cell(any as u8));
        writeln!(out, "{}", protocol::text(best))?;
        writeln!(
            self.said,
            "think value={:.3} depth={} nodes={} pv={}",
            found.mean,
            found.depth,
            found.nodes,
            protocol::text(best).replace(' ', ",")
        )?;
        if self.state.empty() & best.bit() != 0 {
            self.state.play(best);
        }
        self.clock.stop();
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.said)
    }
}
