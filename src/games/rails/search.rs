//! The beam's opinions: the turns of one seat that are tried, each with what it is worth.
//!
//! The other seat's plan for the same turns is given; what has become impossible is left out of it. A turn is one
//! step: up to three cells and a region. Values are in points, from the planning seat's side. A [`Planner`] lives as
//! long as its bot and allocates nothing once its lists have grown; [`Planner::aim`] turns it to a seat and a board.

use super::basis::Basis;
use super::candidates::Candidates;
use super::cells::Cell;
use super::duel::Duel;
use super::eval::Eval;
use super::map::{Map, MAX_REGIONS};
use super::race::Race;
use super::routes::{Flood, Route, ROUTES};
use super::state::{Plan, State, TURNS};
use super::wanted::find_routes;
use super::weights::Weights;
use crate::kit::cpu::Level;
use crate::search::beam::{Candidate, Expand};
use std::sync::Arc;

/// What all boards of one search share.
struct Context {
    eval: Eval,
    /// The other seat's plan, turn by turn.
    foe: Vec<Plan>,
}

/// Opinions with their memory.
pub struct Planner {
    context: Context,
    scratch: Scratch,
}

/// Lists of one board, each at most as long as it was made.
struct Scratch {
    flood: Flood,
    routes: Vec<Route>,
    /// What each route promises on the board before the turn.
    worth: Vec<f32>,
    /// Cells already looked up, with the routes they lie on.
    on: Vec<(Cell, u128)>,
    tries: Candidates,
}

impl Context {
    /// The other seat's turn, without what this board does not allow.
    #[inline(always)]
    fn reply(&self, state: &State, depth: usize) -> Plan {
        let mut plan = self.foe.get(depth).copied().unwrap_or_default();
        let free = state.buildable(&self.eval.map);
        for cell in &mut plan.cells {
            if !free.has(*cell) {
                *cell = Cell::NONE;
            }
        }
        if !state.disruptable(&self.eval.map, plan.region) {
            plan.region = Plan::NO_REGION;
        }
        plan
    }

    /// Turns that live connections are counted on.
    #[inline(always)]
    fn race_turns(&self, state: &State) -> usize {
        usize::from(TURNS.saturating_sub(state.turn)).min(self.eval.weights.race.max(0) as usize)
    }

    /// Both seats' turns in the order of the rules.
    #[inline(always)]
    fn joint(&self, step: Plan, reply: Plan) -> [Plan; 2] {
        if self.eval.me == 0 {
            [step, reply]
        } else {
            [reply, step]
        }
    }

    /// What the routes promise before a set of mine is built on `basis`.
    #[inline(always)]
    fn promise_all(&self, basis: &Basis, reply: Plan, scratch: &mut Scratch) -> f32 {
        let alone = self.joint(Plan::WAIT, reply);
        let Scratch { routes, worth, .. } = scratch;
        worth.clear();
        worth.extend(
            routes
                .iter()
                .map(|route| self.eval.outlook(route, &basis.board, basis.washed, &alone)),
        );
        worth.iter().sum()
    }

    /// What my tracks on `cells` change in that: only routes under them and those of `changed` wishes moved.
    #[inline(always)]
    fn promise_more(
        &self,
        next: &State,
        washed: u64,
        plans: &[Plan; 2],
        changed: u128,
        scratch: &mut Scratch,
    ) -> f32 {
        let Scratch {
            routes, worth, on, ..
        } = scratch;
        let mut touched = 0u128;
        for cell in plans[self.eval.me].cells.into_iter().filter(|&c| c != Cell::NONE) {
            let known = on.iter().find(|(c, _)| *c == cell);
            touched |= if let Some(&(_, mask)) = known {
                mask
            } else {
                let mut mask = 0u128;
                for (i, route) in routes.iter().enumerate() {
                    mask |= u128::from(route.bare.has(cell)) << i;
                }
                on.push((cell, mask));
                mask
            };
        }
        if changed != 0 {
            for (i, route) in routes.iter().enumerate() {
                touched |= (changed >> route.wish & 1) << i;
            }
        }
        let mut sum = 0.0;
        while touched != 0 {
            let i = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            sum += self.eval.outlook(&routes[i], next, washed, plans) - worth[i];
        }
        sum
    }

    /// My turns that build one of the sets and hit one of `hits` regions of the list, or ink the region that `basis`
    /// was played with.
    #[inline(always)]
    fn turns(
        &self,
        basis: &Basis,
        reply: Plan,
        scratch: &mut Scratch,
        hits: &[u8],
        out: &mut Vec<Candidate<Plan, 2>>,
    ) {
        let map = &*self.eval.map;
        let promised = self.promise_all(basis, reply, scratch);
        let turns = self.race_turns(&basis.board);
        let race = Race::new(map, &basis.board, self.eval.me);
        let mut yields = [None; MAX_REGIONS];
        let mut next = basis.board;
        for s in 0..scratch.tries.sets.len() {
            let cells = scratch.tries.sets[s];
            let built = basis.build(map, self.eval.me, cells, &self.eval.home, &mut next);
            let board = if built.changed == 0 { &basis.board } else { &next };
            let region = basis.region;
            let joint = self.joint(Plan { cells, region }, reply);
            let more = self.promise_more(board, basis.washed, &joint, built.changed, scratch);
            let value = self.eval.stock(&basis.board, board, &built) + promised + more;
            let moved = (built.changed != 0).then(|| Race::new(map, board, self.eval.me));
            for (i, &hit) in hits.iter().enumerate() {
                // What my hit inks is gone already.
                let inks = basis.region != Plan::NO_REGION;
                let first = if inks { 64 } else { hit.min(64) };
                let race = match &moved {
                    _ if board.stuck => 0.0,
                    Some(race) => race.run(first, turns),
                    None => *yields[i].get_or_insert_with(|| race.run(first, turns)),
                };
                let (mark, strike) = if inks || hit == Plan::NO_REGION {
                    (0, 0.0)
                } else {
                    (State::hit_mark(hit), scratch.tries.strikes[usize::from(hit)])
                };
                let joint = self.joint(Plan { cells, region: hit }, reply);
                out.push(Candidate::new(
                    joint,
                    value + race + strike,
                    built.mark.wrapping_add(mark),
                    0,
                ));
            }
        }
    }
}

impl Planner {
    /// Opinions of `weights` on `map`, not yet turned to a seat.
    pub fn new(map: &Arc<Map>, weights: Weights) -> Self {
        let sets = weights.most_sets();
        let context = Context {
            foe: Vec::with_capacity(weights.depth.max(1) as usize),
            eval: Eval::new(map, weights),
        };
        let scratch = Scratch {
            flood: Flood::default(),
            routes: Vec::with_capacity(ROUTES),
            worth: Vec::with_capacity(ROUTES),
            on: Vec::with_capacity(3 * (sets + 1)),
            tries: Candidates::new(sets),
        };
        Self { context, scratch }
    }

    /// For a search of `me` against `foe`'s plan from turn `turn` on.
    pub fn aim(&mut self, map: &Arc<Map>, me: usize, foe: &[Plan], turn: u8) {
        let Context { eval, foe: plans } = &mut self.context;
        eval.aim(map, me, turn);
        plans.clear();
        plans.extend_from_slice(foe);
    }

    /// The planning seat.
    pub fn seat(&self) -> usize {
        self.context.eval.me
    }
}

impl Expand<Duel, 2> for Planner {
    #[inline(always)]
    fn expand<L: Level>(&mut self, duel: &Duel, depth: usize, out: &mut Vec<Candidate<Plan, 2>>) {
        let Self { context, scratch } = self;
        let before = &duel.state;
        if before.is_over() {
            return;
        }
        let eval = &context.eval;
        let map = &*eval.map;
        let Scratch {
            routes, flood, tries, ..
        } = &mut *scratch;
        find_routes(map, &eval.weights, before, eval.me, flood, routes);
        let reply = context.reply(before, depth);
        if depth == 0 {
            tries.find_bargains(eval, before);
        }
        tries.find_sets(eval, before, reply, routes);
        tries.find_regions(eval, before, routes);
        scratch.on.clear();
        // Boards after the other seat's turn: without a hit of mine, and with each that inks.
        let basis = Basis::new(map, before, context.joint(Plan::WAIT, reply), Plan::NO_REGION);
        let mut quiet = [0; MAX_REGIONS];
        let mut count = 0;
        for r in 0..scratch.tries.regions.len() {
            let region = scratch.tries.regions[r].1;
            let board = &basis.board;
            let inks = region != Plan::NO_REGION
                && board.inked >> region & 1 == 0
                && board.instability[usize::from(region)] + 1 >= map.rules.ink_threshold;
            if inks {
                let hit = Plan { region, ..Plan::WAIT };
                let basis = Basis::new(map, before, context.joint(hit, reply), region);
                context.turns(&basis, reply, scratch, &[region], out);
            } else {
                quiet[count] = region;
                count += 1;
            }
        }
        if count > 0 {
            context.turns(&basis, reply, scratch, &quiet[..count], out);
        }
    }
}
