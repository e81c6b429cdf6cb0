//! Monte-Carlo tree search for any number of seats.
//!
//! Handles: alternating and simultaneous games ([`Game::SIMULTANEOUS`]: decoupled UCT, one statistic per
//! seat and action, children by joint key), any number of seats (max^n: every chooser counts its own
//! payoff), modelled seats (opponent models: their nodes are chance nodes), hidden parts and draws
//! ([`Game::HIDDEN`]: open loop, one sample per iteration, availability counts; or a tree that ends where the draws
//! begin, [`TreePolicy::beyond`]), actions of several plies, UCT, PUCT and progressive bias, first-play urgency,
//! progressive widening, ply discount, implicit minimax, leaves with common random numbers, proven results of any
//! number of seats, tree reuse between moves, fixed work and deadlines. Does not handle: proofs where parts are
//! hidden, mixed equilibria (decoupled UCT finds good replies, not always the mixture), transpositions (a tree, not
//! a graph), threads (the contests give one core; so no virtual loss either).
//!
//! A bot chooses by the constants of its [`TreePolicy`]; what is off leaves nothing behind, in the machine code nor in
//! a bundle. Memory: a hard cap of edges given to [`Mcts::new`] ([`Mcts::bytes`] tells the sum), all taken at
//! construction; when it is full the search goes on without new nodes. A search allocates nothing. The same seed,
//! history of calls and work give the same answer (with progressive bias as far as the platform's `ln` does).
//!
//! Invariant: without hidden parts the moves of a node that have been tried are the first of its run: lists fall
//! by prior, and of moves not tried the first is as good as any.
//!
//! What each technique is worth stands in `benches/MEASURED.md`, speed in `cargo fifty bench --competing`. What needs the
//! game's knowledge (evaluation, bias, widening, PUCT) is off unless the game gives it. First play, too, is the
//! game's: where many moves are bad it saves their first visits, and in connect four it starves good ones.
//!
//! One iteration is `Mcts::iterate`; the parts are [`select`], [`open`] (hidden), [`joint`]
//! (simultaneous), [`proof`], [`reuse`], [`answer`]; opinions come from [`crate::search::policy`].

pub mod answer;
pub mod joint;
pub mod open;
pub mod pool;
pub mod proof;
pub mod reuse;
pub mod select;

use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;
use crate::search::game::Game;
use crate::search::mcts::pool::Pool;
use crate::search::mcts::select::RootTable;
use crate::search::policy::{Leaf, TreePolicy};
use std::time::Instant;

/// Steps of a path: one per ply, or one per seat and one for the node where seats choose at once.
const MAX_PATH: usize = 2048;
/// Iterations between two looks at the clock. Few: a playout may take long, and who was kept from running must answer
/// as soon as it is back.
const POLL: u64 = 4;
/// Iterations between two looks at whether more can change the answer.
const CALM: u64 = 16;

/// Numbers of the search itself.
#[derive(Clone, Debug)]
pub struct Params {
    /// Weight of exploration, in units of payoff.
    pub exploration: f32,
    /// See [`TreePolicy::TRY_ALL`] and [`TreePolicy::FPU_REDUCTION`].
    pub first_play: f32,
    /// Part of a payoff lost with each ply to it, where [`TreePolicy::DISCOUNT`]: of two ways to the same end the
    /// shorter is better.
    pub discount: f32,
    /// Share of the backed-up heuristic (`Leaf::HEURISTIC`) in a move's value, 0 to 1.
    pub implicit: f32,
}

impl Params {
    /// What connect four plays best with.
    pub const DEFAULT: Self = Self {
        exploration: 0.5,
        first_play: 0.0,
        discount: 0.0,
        implicit: 0.0,
    };
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootResult<M, const N: usize> {
    /// The move for the seat that asked; `None` only where the game is over.
    pub best: Option<M>,
    /// Value per seat: mean payoff of this search, or the proven payoff.
    pub value: [f32; N],
    /// Mean payoff of the asking seat for `best`.
    pub mean: f32,
    /// Visits of `best`.
    pub visits: u32,
    /// Iterations of this search.
    pub iterations: u64,
    /// Longest path from the root, in plies.
    pub depth: usize,
    /// Edges in use.
    pub nodes: usize,
    /// The value is that of perfect play.
    pub proven: bool,
}

/// One edge of the current path and the seat that chose it.
#[derive(Clone, Copy)]
struct Step {
    edge: u32,
    seat: u32,
}

/// The search: tree, buffers and opinions, kept from move to move.
pub struct Mcts<G: Game<N>, V, P: TreePolicy<G, N>, const N: usize> {
    /// May be changed between searches.
    pub params: Params,
    /// What leaves are worth.
    pub leaf: V,
    /// How moves are chosen.
    pub policy: P,
    pool: Pool<G::Move, P::Prior, N>,
    root: u32,
    /// The position of the root, and which seats its tree models.
    root_state: Option<(G, [bool; N])>,
    me: usize,
    path: Vec<Step>,
    length: usize,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    legal: Vec<u32>,
    seed: u64,
    rng: Rng,
    sums: [f64; N],
    done: u64,
    deepest: usize,
    roots: RootTable,
}

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// A search with room for `edges` edges and positions of up to `widest` moves a seat.
    pub fn new(params: Params, leaf: V, policy: P, edges: usize, widest: usize, seed: u64) -> Self {
        let mut pool = Pool::new(edges);
        let cap = pool.cap;
        if P::SOLVER && !G::HIDDEN {
            pool.payoff = vec![[0.0; N]; cap];
        }
        if G::HIDDEN {
            pool.available = vec![0; cap];
        }
        if V::HEURISTIC {
            pool.heuristic = vec![[0.0; N]; cap];
        }
        if G::SIMULTANEOUS {
            pool.joints = vec![0; (cap / 4).next_power_of_two()];
        }
        if P::REUSE && P::COMPACT {
            pool.can_compact();
        }
        Self {
            params,
            leaf,
            policy,
            pool,
            root: 0,
            root_state: None,
            me: 0,
            path: vec![Step { edge: 0, seat: 0 }; MAX_PATH],
            length: 0,
            moves: Vec::with_capacity(widest),
            priors: Vec::with_capacity(widest),
            legal: Vec::with_capacity(if G::HIDDEN { widest } else { 0 }),
            seed,
            rng: Rng::new(seed),
            sums: [0.0; N],
            done: 0,
            deepest: 0,
            roots: if P::UCT {
                RootTable::new(1024)
            } else {
                RootTable(Vec::new())
            },
        }
    }

    /// Bytes taken by `edges` edges and their side tables.
    pub fn bytes(&self, edges: usize) -> usize {
        edges * self.pool.bytes_per_edge()
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.root_state = None;
    }

    /// Searches for `me`'s move until the limit or a proof. Always returns a legal move if there is one,
    /// however small the limit. In alternating games `me` is the seat to move; it must not be modelled.
    pub fn search(&mut self, state: &G, me: usize, limit: Limit) -> RootResult<G::Move, N> {
        self.me = me;
        self.sums = [0.0; N];
        self.done = 0;
        self.deepest = 0;
        if state.is_over() {
            self.root_state = None;
            return self.nothing(state.payoff());
        }
        if P::REUSE {
            if !self.adopt(state) {
                self.plant();
            }
            self.root_state = Some((state.clone(), self.models()));
        } else {
            self.plant();
        }
        cpu::run(Run {
            search: self,
            state,
            limit,
        });
        self.answer(state)
    }

    /// Iterations until the limit, a proof, or nothing left to decide.
    #[inline(always)]
    fn run<L: Level>(&mut self, state: &G, limit: &Limit) {
        let started = P::STOP_EARLY.then(Instant::now);
        while self.done < limit.work {
            if P::SOLVER && self.pool.edges[self.root as usize].proven() {
                return;
            }
            if self.done % POLL == 0 && self.done > 0 {
                if limit.reached(self.done) {
                    return;
                }
                if P::STOP_EARLY && self.done % CALM == 0 && self.decided(limit, started) {
                    return;
                }
            }
            self.iterate::<L>(state);
            self.done += 1;
        }
    }

    /// One iteration: down the tree to a leaf, its value, back up.
    #[inline(always)]
    fn iterate<L: Level>(&mut self, root: &G) {
        let mut state = if G::HIDDEN {
            root.sample(self.me, &mut self.rng)
        } else {
            root.clone()
        };
        let mut node = self.root;
        self.length = 0;
        self.step(node, 0);
        let payoff = loop {
            let head = self.pool.edges[node as usize];
            if P::SOLVER && head.proven() {
                break self.pool.payoff[node as usize];
            }
            if P::HORIZON && self.policy.beyond(&state) {
                break self.value::<L>(node, &mut state);
            }
            if (G::HIDDEN || !P::SOLVER || head.visits == 0) && state.is_over() {
                break self.finish(node, state.payoff());
            }
            if V::HEURISTIC && head.visits == 0 {
                self.pool.heuristic[node as usize] = self.leaf.heuristic::<L>(&state);
            }
            let leaf = head.is_empty()
                && head.visits < P::EXPAND_AFTER
                && node != self.root
                && self.policy.may_stop(&state);
            if leaf || self.length + N + 1 >= MAX_PATH {
                break self.value::<L>(node, &mut state);
            }
            let Some(child) = self.descend::<L>(node, &mut state) else {
                if G::SIMULTANEOUS && state.is_over() {
                    break state.payoff();
                }
                break self.value::<L>(node, &mut state);
            };
            node = child;
        };
        self.back_up(payoff);
    }

    /// What a position at the end of the path is worth.
    #[inline(always)]
    fn value<L: Level>(&mut self, node: u32, state: &mut G) -> [f32; N] {
        if V::KEYED {
            let visits = u64::from(self.pool.edges[node as usize].visits);
            let mut rng = Rng::new(self.seed.wrapping_add(visits << 20));
            return self.leaf.value::<L>(state, &mut rng);
        }
        self.leaf.value::<L>(state, &mut self.rng)
    }

    /// Lets the acting seats choose, plays their moves, and returns the node reached; `None` where the
    /// pool has no room for it (the state may have advanced).
    #[inline(always)]
    fn descend<L: Level>(&mut self, node: u32, state: &mut G) -> Option<u32> {
        if G::SIMULTANEOUS {
            return self.descend_joint::<L>(node, state);
        }
        let seat = state.to_move();
        let edge = self.choose::<L>(node, node, seat, state)?;
        let mut joint = [G::Move::default(); N];
        joint[seat] = self.pool.edges[edge as usize].mv;
        state.advance(&joint, &mut self.rng);
        self.step(edge, seat);
        Some(edge)
    }

    /// Adds an edge to the path.
    #[inline(always)]
    fn step(&mut self, edge: u32, seat: usize) {
        self.path[self.length] = Step {
            edge,
            seat: seat as u32,
        };
        self.length += 1;
    }

    /// Counts the iteration's result on every edge of the path, each for its own chooser.
    #[inline(always)]
    fn back_up(&mut self, mut payoff: [f32; N]) {
        if P::DISCOUNT {
            let kept = (1.0 - self.params.discount * Self::plies(self.length) as f32).max(0.0);
            for p in &mut payoff {
                *p *= kept;
            }
        }
        for step in &self.path[..self.length] {
            let edge = &mut self.pool.edges[step.edge as usize];
            edge.visits += 1;
            edge.sum += payoff[step.seat as usize];
        }
        if V::HEURISTIC {
            self.back_up_heuristic();
        }
        for (sum, p) in self.sums.iter_mut().zip(payoff) {
            *sum += f64::from(p);
        }
        self.deepest = self.deepest.max(self.length);
    }

    /// Turns played along so many steps.
    #[inline(always)]
    fn plies(steps: usize) -> usize {
        if G::SIMULTANEOUS {
            steps / (N + 1)
        } else {
            steps.saturating_sub(1)
        }
    }

    /// Every node on the path takes the heuristic of its chooser's best visited child (max^n).
    #[inline(always)]
    fn back_up_heuristic(&mut self) {
        for i in (1..self.length).rev() {
            let (parent, seat) = (self.path[i - 1].edge as usize, self.path[i].seat as usize);
            let mut best = [f32::NEG_INFINITY; N];
            for child in self.pool.edges[parent].run() {
                let h = self.pool.heuristic[child];
                if self.pool.edges[child].visits > 0 && h[seat] > best[seat] {
                    best = h;
                }
            }
            self.pool.heuristic[parent] = best;
        }
    }

    /// A result at the end of the game; nothing is certain where parts are hidden.
    #[inline(always)]
    fn finish(&mut self, node: u32, payoff: [f32; N]) -> [f32; N] {
        if P::SOLVER && !G::HIDDEN {
            self.settle(node, payoff);
        }
        if V::HEURISTIC {
            self.pool.heuristic[node as usize] = payoff;
        }
        payoff
    }
}

/// The whole search as a kernel.
struct Run<'a, G: Game<N>, V, P: TreePolicy<G, N>, const N: usize> {
    search: &'a mut Mcts<G, V, P, N>,
    state: &'a G,
    limit: Limit,
}

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Kernel for Run<'_, G, V, P, N> {
    type Out = ();
    #[inline(always)]
    fn run<L: Level>(self) {
        self.search.run::<L>(self.state, &self.limit);
    }
}
