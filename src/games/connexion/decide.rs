//! Which placement: exact once the draws are known, before that the best average over sampled bags.
//!
//! A bag with one tile left hides nothing, so play is open from turn 52 on, twelve placements before the
//! end. Earlier, several orders of both bags are drawn from what is left in them, and each is searched by
//! `Search`, deeper and deeper; a placement's worth is its average. Reproducible: the same position,
//! seed and amount of work give the same answer. Not here: clocks (a [`Limit`] comes from outside).

use super::field::Field;
use super::search::{Draws, Opinion, FROZEN, POINT};
use super::state::{shuffled, Move, State};
use super::tiles::Tiles;
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::kit::rng::Rng;
use crate::search::sampled::{Deals, Sampled};

/// Entries of the transposition table.
const ENTRIES: usize = 1 << 19;
/// Placements of a position at most: five kinds on all cells.
const WIDEST: usize = 320;

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

/// The thinking part of the bot: tables that live through a game.
pub struct Thinker {
    sampled: Sampled<Field, Opinion>,
    seed: u64,
}

/// One order of both bags as the search wants it.
pub fn order(state: &State, rng: &mut Rng) -> [[u8; 32]; 2] {
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
            sampled: Sampled::new(Opinion::new(weights), ENTRIES, WIDEST),
            seed,
        }
    }

    /// The mover's placement. `None` only if he has no tile or no cell.
    pub fn choose(&mut self, state: &State, limit: Limit) -> Option<Choice> {
        let mut field = Field::new(state);
        let weights = &self.sampled.search.policy.weights;
        let mut rng = Rng::new(self.seed ^ field.hash());
        let single = one_order(state.bags[0]) && one_order(state.bags[1]);
        let samples = if single { 1 } else { weights.samples };
        let mut orders: Vec<Draws> = (0..samples)
            .map(|_| (order(state, &mut rng), rng.next_u64()))
            .collect();
        if orders.is_empty() {
            orders.push((FROZEN, rng.next_u64()));
        }
        let breadth = (weights.root as usize, weights.slack * POINT);
        let found = self.sampled.choose(&mut field, &orders, breadth, limit);
        Some(Choice {
            mv: found.best?,
            margin: (found.mean / f64::from(POINT)) as f32,
            depth: found.depth,
            nodes: found.nodes,
            exact: false,
        })
    }

    /// Placements that were looked at for the last choice and their margins in points, its own first.
    pub fn candidates(&self, choice: Choice) -> Vec<(Move, f32)> {
        let Sampled { search, candidates } = &self.sampled;
        let points = |value: f64| (value / f64::from(POINT)) as f32;
        if choice.exact {
            let solved = search.candidates(Some(choice.mv)).into_iter();
            return solved.map(|(value, m)| (m, points(value.into()))).collect();
        }
        candidates.iter().map(|c| (c.m, points(c.mean))).collect()
    }

    /// Exact margin and best placement for the mover, given that nothing is hidden any more. `None` if
    /// the limit comes first.
    pub fn solve(&mut self, state: &State, limit: Limit) -> Option<Choice> {
        if !(one_order(state.bags[0]) && one_order(state.bags[1])) {
            return None;
        }
        let search = &mut self.sampled.search;
        search.policy.exact = true;
        search
            .policy
            .deal(&(order(state, &mut Rng::new(0)), 0x5EED_0F2A_C7E5_0001));
        let found = search.search(&mut Field::new(state), limit);
        search.policy.exact = false;
        Some(Choice {
            mv: found.best.filter(|_| found.depth > 0)?,
            margin: (found.value / POINT) as f32,
            depth: found.depth,
            nodes: found.nodes,
            exact: true,
        })
    }
}
