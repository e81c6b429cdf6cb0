//! The bot: remembers which tiles it has seen, reads, searches, answers.

use super::exact::{is_open, Solver};
use super::playout::Deck;
use super::protocol::{answer, read_call, read_init, Request, Shape};
use super::search::Search;
use super::state::{Action, State};
use super::tile::Tile;
use super::weights::Weights;
use crate::kit::agent::{read_line, Agent};
use crate::kit::clock::{Budget, Clock, Limit};
use crate::kit::think::best;
use crate::search::game::Game;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Instant;

/// One seat of one game, either variant.
pub struct Bot {
    clock: Clock,
    weights: Weights,
    trees: (Search<2>, Search<3>, Search<4>),
    solver: Solver,
    shape: Option<Shape>,
    /// Tile by id as the judge numbers them; the box's own numbering until it shows another.
    table: [Tile; 64],
    /// Ids that exist, and ids seen.
    ids: u64,
    seen: u64,
    said: Vec<u8>,
}

impl Bot {
    /// A bot before its game.
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        let mut table = [Tile::NONE; 64];
        for id in 1..=48 {
            table[id as usize] = Tile::of_box(id);
        }
        Self {
            clock: Clock::new(budget),
            trees: (
                Search::new(&weights, seed),
                Search::new(&weights, seed),
                Search::new(&weights, seed),
            ),
            weights,
            solver: Solver::new(),
            shape: None,
            table,
            ids: ((1 << 48) - 1) << 1,
            seen: 0,
            said: Vec::new(),
        }
    }

    /// From the next answer on another budget: for whoever asks again. Its tables stay as they are.
    pub fn set_budget(&mut self, budget: Budget) {
        self.clock.set(budget);
    }

    /// A bot whose budget comes from the environment, else the contest's limits.
    pub fn from_env() -> Self {
        let weights = Weights::DEFAULT;
        let budget = Budget::from_env(weights.first_ms as u64, weights.later_ms as u64);
        Self::new(budget, weights, 1)
    }

    fn say(&mut self, line: fmt::Arguments) {
        // Writing to memory does not fail.
        let _ = writeln!(self.said, "{line}");
    }

    /// Takes note of every tile shown; the judge's own squares overrule the table.
    fn note(&mut self, request: &Request) {
        for entry in request.row.iter().chain(&request.offer) {
            let tile = entry.tile;
            if tile == Tile::NONE {
                continue;
            }
            let id = tile.id();
            if id == 0 && self.ids & 1 == 0 {
                self.say(format_args!("ids run from 0"));
                self.ids >>= 1;
                for id in 0..48 {
                    let moved = Tile::of_box(id + 1);
                    self.table[id as usize] = Tile::new(id, moved.first(), moved.second());
                }
            }
            if self.table[id as usize] != tile {
                self.say(format_args!("tile {id} is not the box's"));
                self.table[id as usize] = tile;
            }
            self.seen |= 1 << id;
        }
    }

    fn play<const N: usize>(
        &mut self,
        shape: Shape,
        request: &Request,
        out: &mut dyn Write,
        decide: fn(&mut Self, &State<N>) -> Action,
    ) -> io::Result<()> {
        self.note(request);
        let lanes = u32::from(shape.variant.lanes);
        let shown = request.offer.iter().any(|e| e.tile != Tile::NONE);
        // The last turn offers nothing, however little has been seen.
        let turns = shape.variant.turns;
        let turn = if shown {
            (self.seen.count_ones().div_ceil(lanes) as u8).clamp(1, turns)
        } else {
            turns
        };
        let state: State<N> = request.state(shape.variant, self.ids & !self.seen, turn);
        let action = match self.forced(&state) {
            Some(action) => action,
            None => decide(self, &state),
        };
        out.write_all(answer(&state, action).as_bytes())
    }

    /// Without a tile of mine in play: whatever is free. With one choice: that one.
    fn forced<const N: usize>(&mut self, state: &State<N>) -> Option<Action> {
        if state.mover() != 0 {
            self.say(format_args!("no tile of mine"));
            let free = state.free_slots();
            return Some(Action::new(
                None,
                (free != 0).then(|| free.trailing_zeros() as usize),
            ));
        }
        let mut actions = Vec::new();
        state.moves(0, &mut actions);
        match actions[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Solves what is open to two players.
    fn duel(&mut self, state: &State<2>) -> Action {
        if is_open(state) {
            let (table, limit) = (self.table, self.share());
            if let Some(solved) = self.solver.solve(state, |id| table[id as usize & 63], limit) {
                let chance = |value: i32| (1.0 + value.signum() as f32) / 2.0;
                let looked = self.solver.candidates(solved.action).into_iter();
                let looked = best(looked.map(|(value, action)| (told(state, action), "<", chance(value))));
                self.say(format_args!(
                    "think value={:.1} nodes={} margin={:.1} best={looked}",
                    chance(solved.value),
                    solved.nodes,
                    solved.value as f32 / 4096.0,
                ));
                return solved.action;
            }
        }
        self.many(state, |bot| &mut bot.trees.0)
    }

    /// The solver's part of a limit; its nodes are lighter than the tree's iterations.
    fn share(&self) -> Limit {
        let limit = self.clock.limit();
        Limit {
            until: limit
                .left()
                .map(|left| Instant::now() + left.mul_f32(self.weights.solve)),
            work: limit.work.saturating_mul(16),
        }
    }

    fn many<const N: usize>(&mut self, state: &State<N>, tree: fn(&mut Self) -> &mut Search<N>) -> Action {
        let deck = Deck::new(state.deck, |id| self.table[id as usize & 63]);
        let limit = self.clock.limit();
        let tree = tree(self);
        let found = tree.search(state, deck, limit);
        let looked = tree.candidates(found.best).into_iter();
        let looked = best(looked.map(|(action, visits, mean)| (told(state, action), visits, mean)));
        self.say(format_args!(
            "think value={:.3} nodes={} visits={} best={looked}",
            found.mean, found.iterations, found.visits
        ));
        found.best.unwrap_or_default()
    }
}

/// An answer on one line.
fn told<const N: usize>(state: &State<N>, action: Action) -> String {
    answer(state, action).trim_end().replace('\n', ";")
}

impl Agent for Bot {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let mut line = String::new();
        if !read_line(input, &mut line)? {
            return Ok(false);
        }
        self.clock.start();
        let mut odd = String::new();
        let shape = match self.shape {
            Some(shape) => shape,
            None if line.trim().len() < 3 => {
                let shape = read_init(&line, input, &mut odd)?;
                // At the end of the input it is blank, and the call says so.
                read_line(input, &mut line)?;
                self.clock.start();
                *self.shape.insert(shape)
            }
            None => *self.shape.insert(Shape::MAIN),
        };
        let request = read_call(shape, &line, input, &mut odd)?;
        if !odd.is_empty() {
            self.say(format_args!("odd input: {odd}"));
        }
        let Some(request) = request else {
            return Ok(false);
        };
        match shape.players {
            3 => self.play::<3>(shape, &request, out, |bot, state| {
                bot.many(state, |bot| &mut bot.trees.1)
            })?,
            4 => self.play::<4>(shape, &request, out, |bot, state| {
                bot.many(state, |bot| &mut bot.trees.2)
            })?,
            _ => self.play::<2>(shape, &request, out, Self::duel)?,
        }
        self.clock.stop();
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.said)
    }
}
