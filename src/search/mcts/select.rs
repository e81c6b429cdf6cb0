//! Which move a seat tries next, and the listing of moves at a new node. The formulas: [`TreePolicy`].
//!
//! Where parts are hidden N is how often the move was available.

use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::game::Game;
use crate::search::mcts::pool::Edge;
use crate::search::mcts::Mcts;
use crate::search::policy::{Cell, Leaf, TreePolicy};

/// Above any value and any bonus: a move to be tried before all others.
const AT_ONCE: f32 = 1e6;

/// What is the same for all moves of one node.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// c sqrt(N) for PUCT, ln(N + 1) for progressive bias, c sqrt(ln N) for UCT.
    explore: f32,
    seat: usize,
}

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// The edge `seat` tries next at a node: `head` has its list of moves, `node` the visits. Lists the
    /// moves first where needed. `None` where the pool is full.
    #[inline(always)]
    pub(super) fn choose<L: Level>(&mut self, node: u32, head: u32, seat: usize, state: &G) -> Option<u32> {
        if G::HIDDEN {
            return self.choose_offered::<L>(node, head, seat, state);
        }
        if self.pool.edges[head as usize].is_empty()
            && !self.list_moves::<L>(head, seat, state, node == self.root)
        {
            return None;
        }
        let visits = self.pool.edges[node as usize].visits;
        let run = self.pool.edges[head as usize].run();
        let shown = self.policy.shown(state, visits, run.len()).min(run.len());
        if P::MODELS && self.policy.modelled(seat) {
            return Some(run.start as u32 + self.rng.below(shown as u32));
        }
        let mut rng = self.jitter();
        let scale = self.scale(visits, seat);
        let edges = &self.pool.edges[run.start..run.start + shown];
        let (mut best, mut rank) = ((f32::NEG_INFINITY, run.start), i64::MIN);
        let (mut sum, mut tried) = (0.0, 0);
        for (i, edge) in edges.iter().enumerate() {
            let at = run.start + i;
            let untried = edge.visits == 0;
            let score = if untried {
                if P::TRY_ALL {
                    return Some(at as u32);
                }
                let mean = if tried == 0 { 0.5 } else { sum / tried as f32 };
                self.untried(mean, edge, &scale)
            } else {
                self.score(edge, at, &scale, &mut rng)
            };
            // Nodes of UCT are small and their tops change often; elsewhere the first moves mostly stay best.
            if P::UCT {
                rank = rank.max(ranked(score, at as u32));
            } else if score > best.0 {
                best = (score, at);
            }
            if untried {
                // The first of those not tried speaks for all.
                break;
            }
            if P::FPU_REDUCTION {
                sum += if P::SOLVER { edge.sum.max(0.0) } else { edge.sum };
                tried += edge.visits;
            }
        }
        let best = if P::UCT { index_of(rank) } else { best.1 as u32 };
        if P::SOLVER && shown < run.len() && self.pool.edges[best as usize].sum < 0.0 {
            // All shown moves are lost: the next one.
            let open = run.clone().find(|&i| self.pool.edges[i].sum >= 0.0);
            return Some(open.map_or(best, |i| i as u32));
        }
        Some(best)
    }

    /// Of the noise in a simultaneous game's exploration.
    #[inline(always)]
    pub(super) fn jitter(&mut self) -> Rng {
        if G::SIMULTANEOUS {
            self.rng.fork()
        } else {
            Rng::new(0)
        }
    }

    #[inline(always)]
    pub(super) fn scale(&self, visits: u32, seat: usize) -> Scale {
        let c = self.params.exploration;
        let explore = if P::PUCT {
            c * (visits.max(1) as f32).sqrt()
        } else if P::UCT {
            c * self.roots.of(visits.max(1)).log
        } else {
            (visits as f32 + 1.0).ln()
        };
        Scale { explore, seat }
    }

    /// How much a seat wants to try a move for the first time; `mean` of those tried.
    #[inline(always)]
    pub(super) fn untried(&self, mean: f32, edge: &Edge<G::Move, P::Prior>, scale: &Scale) -> f32 {
        let prior = edge.prior.get();
        let value = if P::FPU_REDUCTION {
            mean - self.params.first_play
        } else if P::TRY_ALL {
            AT_ONCE
        } else {
            self.params.first_play
        };
        if P::PUCT {
            return value + scale.explore * prior;
        }
        value + prior
    }

    /// How much a seat wants to try an edge again; minus infinity for a move lost for certain.
    #[inline(always)]
    pub(super) fn score(
        &self,
        edge: &Edge<G::Move, P::Prior>,
        i: usize,
        scale: &Scale,
        rng: &mut Rng,
    ) -> f32 {
        let (visits, prior) = (edge.visits as f32, edge.prior.get());
        let (mut value, mut width) = if P::PUCT {
            (edge.sum / visits, scale.explore * prior / (1.0 + visits))
        } else if P::UCT {
            let n = self.roots.of(edge.visits);
            let explore = if G::HIDDEN {
                self.params.exploration * self.roots.of(self.pool.available[i]).log
            } else {
                scale.explore
            };
            (edge.sum * n.share, explore * n.root)
        } else {
            let share = 1.0 / visits;
            let log = if G::HIDDEN {
                (self.pool.available[i] as f32 + 1.0).ln()
            } else {
                scale.explore
            };
            (
                (edge.sum + prior) * share,
                self.params.exploration * (log * share).sqrt(),
            )
        };
        if V::HEURISTIC {
            let a = self.params.implicit;
            value = (1.0 - a) * value + a * self.pool.heuristic[i][scale.seat];
        }
        if G::SIMULTANEOUS {
            // Two seats that explore in step learn each other's rhythm instead of the game: matching
            // pennies "won" 199 to 1 without this.
            width *= 2.0 * rng.unit();
        }
        value + width
    }

    /// Gives a node its moves by falling prior, those of a modelled seat in a random order; `false` when the pool
    /// is full.
    #[inline(always)]
    fn list_moves<L: Level>(&mut self, head: u32, seat: usize, state: &G, root: bool) -> bool {
        self.fill::<L>(state, seat, root);
        if P::MODELS && self.policy.modelled(seat) {
            self.rng.shuffle(&mut self.moves);
        }
        let Some(first) = self.pool.allocate_moves(&self.moves, &self.priors) else {
            return false;
        };
        self.pool.edges[head as usize].set_run(first, self.moves.len());
        true
    }

    /// The moves of a seat into `moves`, their numbers into `priors`.
    #[inline(always)]
    pub(super) fn fill<L: Level>(&mut self, state: &G, seat: usize, root: bool) {
        self.moves.clear();
        if P::UCT {
            state.moves(seat, &mut self.moves);
            return;
        }
        self.priors.clear();
        self.policy
            .list::<L>(state, seat, root, &mut self.moves, &mut self.priors);
        if !P::SORTED {
            self.sort_by_prior();
        }
    }

    /// Moves and priors by falling prior, equal ones in the game's order.
    fn sort_by_prior(&mut self) {
        // Insertion sort: stable, and no allocation.
        for i in 1..self.priors.len() {
            let mut j = i;
            while j > 0 && self.priors[j - 1] < self.priors[j] {
                self.priors.swap(j - 1, j);
                self.moves.swap(j - 1, j);
                j -= 1;
            }
        }
    }
}

/// A score and the edge it belongs to as one number that orders like the score, earlier edges first
/// among equals: one integer maximum per move instead of a float comparison and two selects.
#[inline(always)]
pub(super) fn ranked(score: f32, edge: u32) -> i64 {
    let bits = score.to_bits() as i32;
    // Negative floats order backwards as integers.
    let bits = bits ^ ((bits >> 31) & i32::MAX);
    i64::from(bits) << 32 | i64::from(!edge)
}

/// The edge of [`ranked`].
#[inline(always)]
pub(super) fn index_of(ranked: i64) -> u32 {
    !(ranked as u32)
}

/// What the formulas need of a number of visits.
#[derive(Clone, Copy)]
pub(super) struct Roots {
    /// 1 / n.
    share: f32,
    /// 1 / sqrt(n).
    root: f32,
    /// sqrt(ln n).
    log: f32,
}

impl Roots {
    #[inline(always)]
    fn new(n: u32) -> Self {
        let share = 1.0 / n as f32;
        Self {
            share,
            root: share.sqrt(),
            log: ln(n as f32).sqrt(),
        }
    }
}

/// [`Roots`] of small numbers: computing them at every step of a descent was a third of an iteration.
pub(super) struct RootTable(pub(super) Vec<Roots>);

impl RootTable {
    /// Of the numbers below `count`, 12 bytes each.
    pub(super) fn new(count: u32) -> Self {
        Self((0..count).map(Roots::new).collect())
    }

    #[inline(always)]
    fn of(&self, n: u32) -> Roots {
        match self.0.get(n as usize) {
            Some(&known) => known,
            None => Roots::new(n),
        }
    }
}

/// Natural logarithm of a number of at least 1 from its float bits: within 0.007, the same on every
/// machine, 1.3 ns against 5 for `f32::ln`.
#[inline(always)]
fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 128;
    let m = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    let log2 = exponent as f32 + (-0.337_189_43 * m + 2.0) * m - 0.658_71;
    (log2 * core::f32::consts::LN_2).max(0.0)
}
