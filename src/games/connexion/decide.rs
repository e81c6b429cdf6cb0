//! Which placement: exact once the draws are known, before that the best average over sampled bags.
//!
//! A bag with one tile left hides nothing, so play is open from turn 52 on, twelve placements before the
//! end. Earlier, several orders of both bags are drawn from what is left in them, and each is searched by
//! [`Search`], deeper and deeper; a placement's worth is its average. Reproducible: the same position,
//! seed and amount of work give the same answer. Not here: clocks (a [`Limit`] comes from outside).

use super::field::Field;
use super::order::Order;
use super::search::{Draws, Search, FROZEN, INFINITY, POINT};
use super::state::{shuffled, Move, State, TURNS};
use super::tiles::Tiles;
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;

/// A decision and what it rests on.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The placement.
    pub mv: Move,
    /// Expected final margin (or margin at the horizon) for the mover, in points.
    pub margin: f32,
    /// Plies of the last search that was finished for some order of the bags.
    pub depth: i32,
    /// Nodes visited.
    pub nodes: u64,
    /// The margin is that of perfect play on both sides.
    pub exact: bool,
}

/// One placement at the root.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    /// Sum over the orders of this depth so far.
    sum: i64,
    /// Mean of the last finished depth.
    mean: f64,
}

/// The thinking part of the bot: tables that live through a game.
pub struct Thinker {
    search: Search,
    seed: u64,
}

/// One order of both bags as the search wants it.
fn order(state: &State, rng: &mut Rng) -> Draws {
    let mut draws = FROZEN;
    for (seat, row) in draws.iter_mut().enumerate() {
        // The seat's next placement is number (turn + 1 - seat) / 2, rounded to its own turns.
        let next = (usize::from(state.turn) + 1 - seat) / 2;
        for (i, kind) in shuffled(state.bags[seat], rng).into_iter().enumerate() {
            // Nobody draws after his 27th placement; a bag that holds more was told wrong.
            if let Some(slot) = row.get_mut(next + i).filter(|_| next + i < 27) {
                *slot = kind.0;
            }
        }
    }
    draws
}

fn one_order(bag: Tiles) -> bool {
    bag.kinds().count() <= 1
}

impl Thinker {
    /// Nothing searched yet.
    pub fn new(weights: Weights, seed: u64) -> Self {
        Self {
            search: Search::new(weights),
            seed,
        }
    }

    /// The mover's placement. `None` only if he has no tile or no cell.
    pub fn choose(&mut self, state: &State, limit: Limit) -> Option<Choice> {
        state.legal(state.mover()).next()?;
        Some(cpu::run(Choose {
            thinker: self,
            state,
            limit,
        }))
    }

    /// Exact margin and best placement for the mover, given that nothing is hidden any more. `None` if
    /// the limit comes first.
    pub fn solve(&mut self, state: &State, limit: Limit) -> Option<Choice> {
        if !(one_order(state.bags[0]) && one_order(state.bags[1])) {
            return None;
        }
        state.legal(state.mover()).next()?;
        cpu::run(Solve {
            thinker: self,
            state,
            limit,
        })
    }
}

struct Solve<'t> {
    thinker: &'t mut Thinker,
    state: &'t State,
    limit: Limit,
}

impl Kernel for Solve<'_> {
    type Out = Option<Choice>;

    #[inline(always)]
    fn run<L: Level>(self) -> Option<Choice> {
        let state = self.state;
        let search = &mut self.thinker.search;
        let field = Field::new(state);
        search.start(self.limit);
        search.deal(order(state, &mut Rng::new(0)), 0x5EED_0F2A_C7E5_0001);
        search.exact = true;
        let depth = i32::from(TURNS - state.turn);
        let mut picks = Order::new(&field);
        let (mut alpha, mut found) = (-INFINITY, None);
        while let Some(mv) = picks.pick() {
            let mut v = alpha + 1;
            if found.is_some() {
                v = search.try_move::<L>(&field, mv, depth, alpha, alpha + 1);
            }
            if v > alpha {
                v = search.try_move::<L>(&field, mv, depth, alpha, INFINITY);
            }
            if search.stopped {
                break;
            }
            if v > alpha {
                (alpha, found) = (v, Some(mv));
            }
        }
        search.exact = false;
        if search.stopped {
            return None;
        }
        Some(Choice {
            mv: found?,
            margin: (alpha / POINT) as f32,
            depth,
            nodes: search.nodes,
            exact: true,
        })
    }
}

struct Choose<'t> {
    thinker: &'t mut Thinker,
    state: &'t State,
    limit: Limit,
}

impl Kernel for Choose<'_> {
    type Out = Choice;

    #[inline(always)]
    fn run<L: Level>(self) -> Choice {
        let (state, limit) = (self.state, self.limit);
        let field = Field::new(state);
        let search = &mut self.thinker.search;
        let weights = search.weights.clone();
        let mut rng = Rng::new(self.thinker.seed ^ field.hash());
        search.start(limit);
        let mut picks = Order::new(&field);
        let mut candidates = Vec::with_capacity(weights.root as usize);
        while candidates.len() < weights.root as usize {
            let Some(mv) = picks.pick() else { break };
            candidates.push(Candidate {
                mv,
                sum: 0,
                mean: 0.0,
            });
        }
        let single = one_order(state.bags[0]) && one_order(state.bags[1]);
        let mut orders = Vec::new();
        let samples = if single { 1 } else { weights.samples };
        for _ in 0..samples {
            orders.push((order(state, &mut rng), rng.next_u64()));
        }
        if orders.is_empty() {
            orders.push((FROZEN, rng.next_u64()));
        }
        let left = i32::from(TURNS - state.turn);
        let slack = weights.slack * POINT;
        let mut reached = 0;
        for depth in 2..=left.max(2) {
            let mut done = 0;
            for (draws, salt) in &orders {
                search.deal(*draws, *salt);
                let mut best = -INFINITY;
                let mut values = Vec::with_capacity(candidates.len());
                for c in &candidates {
                    let floor = (best - slack).max(-INFINITY);
                    let v = search.try_move::<L>(&field, c.mv, depth, floor, INFINITY);
                    if search.stopped {
                        break;
                    }
                    let v = v.max(floor);
                    best = best.max(v);
                    values.push(v);
                }
                if search.stopped {
                    break;
                }
                for (c, v) in candidates.iter_mut().zip(values) {
                    c.sum += i64::from(v);
                }
                done += 1;
            }
            if done > 0 {
                reached = depth;
                // Orders not searched at this depth count with the last depth's mean.
                let missing = (orders.len() - done) as f64;
                for c in &mut candidates {
                    c.mean = (c.sum as f64 + missing * c.mean) / orders.len() as f64;
                    c.sum = 0;
                }
                candidates.sort_by(|a, b| b.mean.total_cmp(&a.mean));
                let floor = candidates[0].mean - f64::from(slack);
                candidates.retain(|c| c.mean > floor);
            }
            if search.stopped || limit.reached(search.nodes) || candidates.len() == 1 {
                break;
            }
        }
        Choice {
            mv: candidates[0].mv,
            margin: (candidates[0].mean / f64::from(POINT)) as f32,
            depth: reached,
            nodes: search.nodes,
            exact: false,
        }
    }
}
