//! The bot: protocol, clock, decision.
//!
//! The judge's clock is the only truth: every TIME line says what is left, and the plan is made anew from
//! it. Never answers late by plan, never panics; after nonsense it goes on with what it knows.

use super::cells::Cell;
use super::decide::{Choice, Thinker};
use super::protocol::{Tracker, Wants};
use super::state::{Move, TURNS};
use super::tiles::Kind;
use super::weights::Weights;
use crate::kit::agent::{read_line, Agent};
use crate::kit::clock::{Budget, Clock, Limit};
use crate::kit::think::best;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// First turn whose position is solved: nothing is hidden from one turn earlier on, which would take seconds.
const SOLVED: u8 = 53;

/// Plays one seat.
pub struct Bot {
    tracker: Tracker,
    thinker: Thinker,
    weights: Weights,
    clock: Clock,
    line: String,
    /// Clock at the latest own TIME and what its answer took of the plan, in ms.
    before: Option<(u64, f32)>,
    /// Milliseconds that an answer costs beyond its plan: pipes, wake-ups, a busy machine.
    lag: f32,
    said: Vec<u8>,
}

impl Bot {
    /// A bot that has read nothing. A time budget caps single answers; the plan over the game's clock is
    /// the bot's own.
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        Self {
            tracker: Tracker::default(),
            thinker: Thinker::new(weights.clone(), seed),
            weights,
            clock: Clock::new(budget),
            line: String::new(),
            before: None,
            lag: 0.0,
            said: Vec::new(),
        }
    }

    /// From the next answer on another budget: for whoever asks again. Its tables stay as they are.
    pub fn set_budget(&mut self, budget: Budget) {
        self.clock.set(budget);
    }

    /// Takes a placement for its own answer: for whoever replays a game, since the judge does not repeat it.
    pub fn put(&mut self, mv: Move) {
        self.tracker.put(mv);
    }

    /// What this answer may cost, with `ms` left on the game's clock.
    fn limit(&self, ms: u64) -> Limit {
        let mut limit = self.clock.limit();
        if let Some(until) = limit.until {
            let turn = self.tracker.state.turn.min(TURNS - 1);
            // Own answers still to come before the solved ones, and as how many of them those count: less for the seat
            // that solves a turn later.
            let answers = u64::from(SOLVED.saturating_sub(turn).div_ceil(2));
            let solved = if turn % 2 == SOLVED % 2 { 3 } else { 1 };
            let reserve = (self.weights.reserve as u64).min(ms / 8 + 20);
            let lag = self.lag * self.weights.lag_factor * f32::from((TURNS - turn).div_ceil(2));
            let free = ms.saturating_sub(reserve + lag as u64);
            let free = if answers == 0 {
                free * 3 / 4
            } else {
                free / (answers + solved)
            };
            limit.until = Some(until.min(Instant::now() + Duration::from_millis(free)));
        }
        limit
    }

    /// Learns from the judge's clock what an answer really costs.
    fn learn(&mut self, ms: u64) {
        if let Some((old, spent)) = self.before.take() {
            let lag = (old.saturating_sub(ms) as f32 - spent).max(0.0);
            self.lag += (lag - self.lag) * self.weights.lag_rate;
        }
    }

    fn answer(&mut self, ms: u64) -> Option<Choice> {
        self.learn(ms);
        let limit = self.limit(ms);
        let planned = limit.left();
        let started = Instant::now();
        let choice = self.decide(limit);
        let spent = started.elapsed();
        self.before = planned.map(|p| (ms, p.min(spent).as_secs_f32() * 1e3));
        choice
    }

    fn decide(&mut self, limit: Limit) -> Option<Choice> {
        let state = &self.tracker.state;
        if state.mover() != self.tracker.seat {
            return None;
        }
        if state.turn >= SOLVED {
            let most = limit.left().map(|left| Instant::now() + left * 7 / 8);
            let choice = self.thinker.solve(state, Limit { until: most, ..limit });
            if choice.is_some() {
                return choice;
            }
            // What is left is for the best guess; with fixed work, which is spent, a short look.
            let mut rest = limit;
            if rest.until.is_none() {
                rest.work = rest.work.min(self.weights.look as u64);
            }
            return self.thinker.choose(state, rest);
        }
        self.thinker.choose(state, limit)
    }
}

impl Agent for Bot {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        if !read_line(input, &mut self.line)? {
            return Ok(false);
        }
        self.clock.start();
        let line = core::mem::take(&mut self.line);
        let wants = match self.tracker.line(&line) {
            Ok(wants) => wants,
            Err((error, wants)) => {
                writeln!(self.said, "{error}")?;
                wants
            }
        };
        self.line = line;
        match wants {
            Wants::Nothing => {}
            Wants::Ready => writeln!(out, "OK")?,
            Wants::Exit => return Ok(false),
            Wants::Put(ms, _) => {
                if let Some(choice) = self.answer(ms) {
                    self.tracker.put(choice.mv);
                    writeln!(out, "PUT {}", choice.mv)?;
                    let chance = |margin: f32| 1.0 / (1.0 + (-margin / self.weights.spread).exp());
                    let visits = if choice.exact { "<" } else { "" };
                    let looked = self.thinker.candidates(choice).into_iter();
                    writeln!(
                        self.said,
                        "think value={:.3} depth={} nodes={} best={} pv={}",
                        chance(choice.margin),
                        choice.depth,
                        choice.nodes,
                        best(looked.map(|(mv, margin)| (mv, visits, chance(margin)))),
                        choice.mv
                    )?;
                } else {
                    let mv = Move {
                        cell: Cell(0),
                        kind: Kind(0),
                    };
                    writeln!(
                        self.said,
                        "asked for a placement without an own turn, tile or cell"
                    )?;
                    writeln!(out, "PUT {mv}")?;
                }
                self.clock.stop();
            }
        }
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.said)
    }
}
