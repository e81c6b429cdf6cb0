//! The rails bot: the other seat's plan first, then the best answer to it, both by beam search.

use super::cells::Cell;
use super::planner::{Context, Node};
use super::quest::quest;
use super::reader::Reader;
use super::state::{Plan, PAINT};
use super::weights::Weights;
use crate::kit::agent::Agent;
use crate::kit::clock::{Budget, Clock, Limit};
use crate::search::beam::{Beam, Found, Params};
use core::fmt::Write as _;
use std::io::{self, BufRead, Write};
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
}

impl Bot {
    /// A bot at the start of a game.
    pub fn new(budget: Budget, weights: Weights, seed: u64) -> Self {
        let _ = seed;
        Self {
            reader: Reader::new(),
            clock: Clock::new(budget),
            weights,
            begun: false,
            said: Vec::new(),
            quest_done: false,
            plans: [Vec::new(), Vec::new()],
        }
    }

    /// The best plan of seat `who` against `against`, in `share` of what is left.
    fn search(&self, who: usize, against: Vec<Plan>, keep: &[Plan], limit: Limit) -> (Vec<Plan>, Found) {
        let w = &self.weights;
        let context = Context::new(&self.reader.map, w, who, against, self.reader.state.turn);
        let layers = w.depth.max(1) as usize;
        let params = Params {
            layers,
            widest: w.width.max(1) as usize,
            narrowest: 2,
            per_key: 0,
            caution: 0.9,
            poll: 1,
        };
        let mut beam = Beam::new(params, 256);
        let found = beam.search(&Node::new(&context, &self.reader.state), keep, limit);
        (beam.plan().to_vec(), found)
    }

    fn think(&mut self) -> (Plan, Found) {
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
        let (foe, _) = self.search(1 - me, self.plans[0].clone(), &self.plans[1], early);
        let (mine, found) = self.search(me, foe.clone(), &self.plans[0], late);
        let first = mine.first().copied().unwrap_or_default();
        self.plans = [mine, foe].map(|plan| plan.get(1..).unwrap_or_default().to_vec());
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
        if !self.begun {
            self.begun = true;
            if !self.reader.init(input, || clock.start())? || !self.reader.turn(input, || {})? {
                return Ok(false);
            }
        } else if !self.reader.turn(input, || clock.start())? {
            return Ok(false);
        }
        if let Some(trouble) = self.reader.trouble.take() {
            writeln!(self.said, "{trouble}")?;
        }
        let (mut plan, found) = self.think();
        self.detour(&mut plan);
        writeln!(out, "{}", line(plan))?;
        // Points ahead at the end of the plan, squashed to a winning chance.
        let value = 1.0 / (1.0 + (-found.value / 200.0).exp());
        writeln!(
            self.said,
            "think value={value:.3} depth={} nodes={} pv={}",
            found.depth,
            found.nodes,
            line(plan).replace(' ', "_")
        )?;
        self.clock.stop();
        Ok(true)
    }

    fn said(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.said)
    }
}
