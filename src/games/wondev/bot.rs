//! The wondev bot: one program for all four leagues, told apart by the input.
//!
//! Leagues 0 and 1 look alike until somebody stands on height 3 and the game goes on; until then the bot
//! plays league 0. It keeps the score itself (the input never shows it), notices a dead opponent by
//! its silence, and in two-unit leagues tracks unseen enemies with [`super::fog`].

use super::board::Sq;
use super::eval::{chance, row};
use super::fog::Fog;
use super::protocol::{Reader, View};
use super::search::Search;
use super::state::{League, Move, State};
use super::weights::Weights;
use crate::kit::agent::Agent;
use crate::kit::clock::{Budget, Clock};
use crate::kit::think::best;
use crate::search::alphabeta::Report;
use std::io::{self, BufRead, Write};

/// Entries of the transposition table, as a power of two: 4 MiB, which stays in the caches.
const TABLE_BITS: u32 = 18;

/// One seat of one game.
pub struct Bot {
    reader: Reader,
    clock: Clock,
    weights: Weights,
    search: Search,
    league: League,
    fog: Fog,
    /// The position before the last own action (own seat 0), and that action.
    past: Option<(State, Move)>,
    said: Vec<u8>,
}

/// A table for the work: at a fixed few nodes an answer, a large one costs more to clear than the game.
fn table_bits(budget: Budget) -> u32 {
    match budget {
        Budget::Time { .. } => TABLE_BITS,
        Budget::Work(work) => (u64::BITS - work.saturating_mul(16).leading_zeros()).clamp(10, TABLE_BITS),
    }
}

impl Bot {
    /// A bot at the start of a game. `seed` is unused: the search draws nothing.
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        let _ = seed;
        Self {
            reader: Reader::default(),
            clock: Clock::new(budget),
            search: Search::new(weights.clone(), table_bits(budget)),
            weights,
            league: League::Climb,
            fog: Fog::default(),
            past: None,
            said: Vec::new(),
        }
    }

    /// From the next answer on another budget: for whoever asks again. Its tables stay as they are.
    pub fn set_budget(&mut self, budget: Budget) {
        self.clock.set(budget);
    }

    /// The full position to search: leagues, points, deaths and hidden units worked out.
    fn position(&mut self, view: &View) -> State {
        let seen = view.league();
        if seen > self.league {
            self.league = seen;
        }
        let stood = view.level[2] & (view.own[0].bit() | view.foe[0].bit());
        if self.league == League::Climb && stood != 0 {
            // Somebody has climbed and the game goes on.
            self.league = League::Points;
        }
        let mut foe = view.foe;
        let mut points = [0, 0];
        let mut dead = 0;
        if view.units == 2 {
            let weights = row(&self.weights, League::Fog, view.cells);
            match &self.past {
                Some((before, played)) => self.fog.observe(before, *played, view, &weights),
                None => self.fog.begin(view),
            }
            if let Some(pair) = self.fog.best() {
                foe = pair.units;
                points[1] = pair.points;
            }
            dead = u8::from(self.fog.idle) << 1;
        } else if let Some((before, played)) = &self.past {
            let then = after(before, *played);
            points[1] = then.points(1) as u8;
            if foe[0] == Sq::NONE {
                foe = then.units(1);
            }
            if foe != then.units(1) {
                points[1] += u8::from(view.level[2] & !view.level[3] & foe[0].bit() != 0);
            } else if view.level == [0, 1, 2, 3].map(|k| then.level(k)) {
                dead = 2;
            }
        }
        if let Some((before, played)) = &self.past {
            points[0] = after(before, *played).points(0) as u8;
        }
        let league = match self.league {
            League::Fog => League::Push,
            other => other,
        };
        let mut state = view.state(league);
        if foe
            .iter()
            .all(|&sq| sq == Sq::NONE || state.mask(0) & sq.bit() == 0)
        {
            state = State::new(
                league,
                super::state::Flow::Turn,
                view.cells,
                view.level,
                [view.own, foe],
                0,
            );
        }
        state.with_past(points, dead)
    }

    /// Chooses among the judge's actions.
    fn decide(&mut self, view: &View) -> (String, Report<Move>) {
        let state = self.position(view);
        let mut moves: Vec<Move> = view
            .actions
            .iter()
            .map(|a| a.1)
            .filter(|&m| state.is_legal(m))
            .collect();
        if moves.is_empty() && view.actions.is_empty() && !view.odd.is_empty() {
            moves = state.legal();
        }
        if self.league == League::Points {
            // The first climb was the enemy's: in league 0's `round` flow only a climb saves the draw.
            let level = state.level(2) & !state.level(3);
            let climbs: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|m| level & m.first().bit() != 0)
                .collect();
            if state.points(0) == 0 && !climbs.is_empty() {
                moves = climbs;
            }
        }
        let report = self.search.think(&state, &moves, self.clock.limit());
        let best = report.best.unwrap_or(Move::DEFEAT);
        let text = if best.is_defeat() {
            view.actions
                .first()
                .map_or_else(|| "ACCEPT-DEFEAT".to_owned(), |a| a.0.clone())
        } else {
            state.action(best)
        };
        let played = view.actions.iter().find(|a| a.0 == text).map_or(best, |a| a.1);
        self.past = Some((state, played));
        (text, report)
    }
}

/// Board and points after an own action.
fn after(before: &State, played: Move) -> State {
    let mut after = *before;
    if !played.is_defeat() && after.is_legal(played) && after.act(played) {
        after.scores[0] += 1;
    }
    after
}

impl Agent for Bot {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let Self { reader, clock, .. } = self;
        let view = reader.read(input, &mut || clock.start())?;
        if std::mem::take(&mut reader.passed) {
            writeln!(self.said, "passed over lines of no turn")?;
        }
        let Some(view) = view else {
            return Ok(false);
        };
        if !view.odd.is_empty() {
            writeln!(self.said, "odd input, {}", view.odd)?;
        }
        let (text, report) = self.decide(&view);
        writeln!(out, "{text}")?;
        out.flush()?;
        self.clock.stop();
        let mut state = self.past.as_ref().map(|past| past.0);
        let (mut looked, mut pv) = (String::new(), String::new());
        if let (Some(state), Some(first)) = (&mut state, report.best) {
            let moves = self.search.candidates(report.best).into_iter();
            looked = best(moves.map(|(value, m)| (state.action(m), "<", chance(value))));
            for m in self.search.line(state, first) {
                if !m.is_defeat() {
                    pv.push_str(&state.action(m).replace(' ', ","));
                    pv.push(' ');
                }
                state.play(m);
            }
        }
        writeln!(
            self.said,
            "think value={:.3} depth={} nodes={} best={looked} pv={}",
            chance(report.value),
            report.depth,
            report.nodes,
            pv.trim_end()
        )?;
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.said)
    }
}
