//! Alpha-beta where draws are hidden: several orders of the draws, one search each, then one choice.
//!
//! Determinisation at the root. Each order fixes what is drawn for the rest of the game, so that the tree below
//! has no chance in it; a move's worth is its mean over the orders. Depth after depth, and within a depth
//! order after order, so that time is shared between them: an order that was not reached at a depth counts with
//! the mean of the depth before, and moves too far behind the best are dropped. Reproducible: the same
//! position, orders and work give the same answer.
//!
//! Not here: how orders are drawn. The search knows more than its player (strategy fusion): a plan may lean
//! on a draw that nobody can foresee, which the mean over orders dampens and does not cure.

use super::alphabeta::node::Node;
use super::alphabeta::policy::{Picker, Policy};
use super::alphabeta::{AlphaBeta, WIN};
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::search::game::Game;

/// A policy whose hidden draws can be fixed.
pub trait Deals<G: Game<2>>: Policy<G> {
    /// Everything that will be drawn, and a salt that keeps its positions apart from other orders' in the table.
    type Order;
    /// Fixes the draws of the searches to come.
    fn deal(&mut self, order: &Self::Order);
}

/// What was chosen and what it rests on.
#[derive(Clone, Copy, Debug)]
pub struct SampledChoice<M> {
    /// The best move; `None` only where there was none.
    pub best: Option<M>,
    /// Its mean value over the orders, for the side to move.
    pub mean: f64,
    /// Plies of the last depth that was finished for some order.
    pub depth: i32,
    /// Positions visited.
    pub nodes: u64,
}

/// One move at the root.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    /// The move.
    pub m: M,
    /// Sum over the orders of this depth so far.
    sum: i64,
    /// Mean of the last finished depth; what was `slack` behind in an order counts as just that much there.
    pub mean: f64,
    /// Value in the order being searched.
    value: i32,
}

/// The search with what it remembers between moves.
pub struct Sampled<G: Game<2>, P: Deals<G>> {
    /// The search of one order.
    pub search: AlphaBeta<G, P>,
    /// Moves that the last choice could not tell from the best, which comes first.
    pub candidates: Vec<Candidate<G::Move>>,
}

impl<G: Game<2>, P: Deals<G>> Sampled<G, P> {
    /// Memory for `entries` table entries and at most `widest` moves looked at.
    pub fn new(policy: P, entries: usize, widest: usize) -> Self {
        Self {
            search: AlphaBeta::new(policy, entries, widest),
            candidates: Vec::with_capacity(widest),
        }
    }

    /// The move with the best mean over `orders` (one at least), of the first `width` moves. Those `slack`
    /// behind the best are not told apart.
    pub fn choose(
        &mut self,
        game: &mut G,
        orders: &[P::Order],
        (width, slack): (usize, i32),
        limit: Limit,
    ) -> SampledChoice<G::Move> {
        self.search.begin(limit, P::POLL);
        cpu::run(Choose {
            sampled: self,
            game,
            orders,
            width,
            slack,
        })
    }
}

struct Choose<'a, G: Game<2>, P: Deals<G>> {
    sampled: &'a mut Sampled<G, P>,
    game: &'a mut G,
    orders: &'a [P::Order],
    width: usize,
    slack: i32,
}

impl<G: Game<2>, P: Deals<G>> Kernel for Choose<'_, G, P> {
    type Out = SampledChoice<G::Move>;

    #[inline(always)]
    fn run<L: Level>(mut self) -> Self::Out {
        let mut lazy = P::Lazy::new(self.game);
        let list = &mut self.sampled.candidates;
        list.clear();
        while list.len() < self.width {
            let Some(m) = lazy.next() else { break };
            list.push(Candidate {
                m,
                sum: 0,
                mean: 0.0,
                value: 0,
            });
        }
        let mut reached = 0;
        let (first, last) = self.sampled.search.policy.depths(self.game);
        for depth in first..=last {
            let mut done = 0;
            while done < self.orders.len() && self.order::<L>(done, depth) {
                done += 1;
            }
            let list = &mut self.sampled.candidates;
            if done > 0 {
                reached = depth;
                let missing = (self.orders.len() - done) as f64;
                for c in list.iter_mut() {
                    c.mean = (c.sum as f64 + missing * c.mean) / self.orders.len() as f64;
                    c.sum = 0;
                }
                list.sort_by(|a, b| b.mean.total_cmp(&a.mean));
                let floor = list.first().map_or(0.0, |c| c.mean) - f64::from(self.slack);
                list.retain(|c| c.mean > floor);
            }
            let work = &self.sampled.search.tables.work;
            if work.stopped || work.limit.reached(work.nodes) || list.len() <= 1 {
                break;
            }
        }
        let best = self.sampled.candidates.first();
        SampledChoice {
            best: best.map(|c| c.m),
            mean: best.map_or(0.0, |c| c.mean),
            depth: reached,
            nodes: self.sampled.search.tables.work.nodes,
        }
    }
}

impl<G: Game<2>, P: Deals<G>> Choose<'_, G, P> {
    /// All candidates at one depth in one order; false if it could not be finished.
    #[inline(always)]
    fn order<L: Level>(&mut self, order: usize, depth: i32) -> bool {
        let Sampled { search, candidates } = &mut *self.sampled;
        search.policy.deal(&self.orders[order]);
        let mut best = -WIN;
        for c in &mut *candidates {
            let floor = (best - self.slack).max(-WIN);
            let value = Node {
                tables: &mut search.tables,
                policy: &mut search.policy,
                game: self.game,
                depth,
                alpha: floor,
                beta: WIN,
                ply: 0,
                null: true,
            }
            .child::<L>(c.m, 0, 0, depth - 1);
            if search.tables.work.stopped {
                return false;
            }
            c.value = value.max(floor);
            best = best.max(c.value);
        }
        for c in candidates {
            c.sum += i64::from(c.value);
        }
        true
    }
}
