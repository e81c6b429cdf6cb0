//! The rails bot: the other seat's plan first, then the best answer to it, both by beam search.

use super::cells::Cell;
use super::duel::Duel;
use super::protocol::Reader;
use super::quest::quest;
use super::search::Planner;
use super::state::{Plan, PAINT};
use super::weights::Weights;
use crate::kit::agent::Agent;
use crate::kit::clock::{Budget, Clock, Limit};
use crate::kit::think::best;
use crate::search::beam::{Beam, BestLine, Params};
use core::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Instant;

/// One seat of one game.
pub struct Bot {
    reader: Reader,
    clock: Clock,
    weights: Weights,
    begun: bool,
    said: Vec<u8>,
    /// The side quest was met.
    quest_done: bool,
    /// Last turn's plans, mine and the other seat's, without the turn played.
    plans: [Vec<Plan>; 2],
    /// For the other seat's plan, then for mine.
    beam: Beam<Duel, Planner, 2>,
}

impl Bot {
    /// A bot at the start of a game.
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        let _ = seed;
        let reader = Reader::new();
        let params = Params {
            layers: weights.depth.max(1) as usize,
            widest: weights.width.max(1) as usize,
            narrowest: 2,
            caution: 0.9,
            poll: 1,
        };
        let branching = weights.most_sets() * weights.regions.max(1) as usize;
        let planner = Planner::new(&reader.map, weights.clone());
        Self {
            reader,
            clock: Clock::new(budget),
            weights,
            begun: false,
            said: Vec::new(),
            quest_done: false,
            plans: [Vec::new(), Vec::new()],
            beam: Beam::new(params, planner, branching),
        }
    }

    /// From the next answer on another budget: for whoever asks again. Its tables stay as they are.
    pub fn set_budget(&mut self, budget: Budget) {
        self.clock.set(budget);
    }

    /// The best plan of seat `who`, if it is me against `foe`'s of this turn, else against mine of last turn; it
    /// replaces the one of last turn.
    fn search(&mut self, who: usize, limit: Limit) -> BestLine {
        let Reader { map, state, seat, .. } = &self.reader;
        let duel = Duel {
            map: Arc::clone(map),
            state: *state,
        };
        let own = usize::from(who != *seat);
        self.beam.opinions.aim(map, who, &self.plans[1 - own], state.turn);
        let found = self.beam.search(&duel, who, &self.plans[own], limit);
        self.plans[own].clear();
        self.plans[own].extend_from_slice(self.beam.plan());
        found
    }

    fn think(&mut self) -> (Plan, BestLine) {
        let me = self.reader.seat;
        let limit = self.clock.limit();
        let share = self.weights.foe_share.clamp(0.0, 1.0);
        let early = Limit {
            until: limit.left().map(|left| Instant::now() + left.mul_f32(share)),
            // Without a bound both parts stay beyond all searches.
            work: (limit.work as f32 * share) as u64,
        };
        let late = Limit {
            until: limit.until,
            work: limit.work.saturating_sub(early.work),
        };
        self.search(1 - me, early);
        let found = self.search(me, late);
        let first = self.plans[0].first().copied().unwrap_or_default();
        for plan in &mut self.plans {
            plan.drain(..plan.len().min(1));
        }
        (first, found)
    }
}

impl Bot {
    /// Cells for the side quest: instead of the plan's while the quest wants little paint, else in the
    /// paint the plan leaves.
    fn detour(&mut self, plan: &mut Plan) {
        let (map, state, me) = (&self.reader.map, &self.reader.state, self.reader.seat);
        self.quest_done |= state.side_quest(map, me);
        if self.quest_done {
            return;
        }
        let Some((wanted, route)) = quest(map, state, me) else {
            return;
        };
        let price = |cell: Cell| map.cost[cell.index()];
        if i32::from(wanted) <= self.weights.quest {
            plan.cells = [Cell::NONE; 3];
        }
        let spent = |plan: &Plan| -> u8 {
            let used = plan.cells.iter().filter(|&&c| c != Cell::NONE);
            used.map(|&c| price(c)).sum()
        };
        for cell in route {
            let free = plan.cells.iter().position(|&c| c == Cell::NONE);
            let (Some(slot), false) = (free, plan.cells.contains(&cell)) else {
                continue;
            };
            if spent(plan) + price(cell) > PAINT {
                return;
            }
            plan.cells[slot] = cell;
        }
    }
}

/// The plan as an output line.
pub fn line(plan: Plan) -> String {
    let mut text = String::new();
    for cell in plan.cells.iter().filter(|&&c| c != Cell::NONE) {
        let _ = write!(text, "PLACE_TRACKS {} {};", cell.x(), cell.y());
    }
    if plan.region != Plan::NO_REGION {
        let _ = write!(text, "DISRUPT {};", plan.region);
    }
    if text.pop().is_none() {
        text.push_str("WAIT");
    }
    text
}

impl Agent for Bot {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let clock = &mut self.clock;
        let more = if self.begun {
            self.reader.turn(input, || clock.start())?
        } else {
            self.begun = true;
            self.reader.init(input, || clock.start())? && self.reader.turn(input, || {})?
        };
        if let Some(trouble) = self.reader.trouble.take() {
            writeln!(self.said, "{trouble}")?;
        }
        if !more {
            return Ok(false);
        }
        let (mut plan, found) = self.think();
        self.detour(&mut plan);
        writeln!(out, "{}", line(plan))?;
        // Points ahead at the end of the plan, squashed to a winning chance.
        let chance = |value: f32| 1.0 / (1.0 + (-value / 200.0).exp());
        let looked = self.beam.candidates().into_iter();
        writeln!(
            self.said,
            "think value={:.3} depth={} nodes={} best={} pv={}",
            chance(found.value),
            found.depth,
            found.nodes,
            best(looked.map(|(plan, states, value)| (line(plan), states, chance(value)))),
            line(plan).replace(' ', "_")
        )?;
        self.clock.stop();
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.said)
    }
}
