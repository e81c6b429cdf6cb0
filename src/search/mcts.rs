//! Monte-Carlo tree search for any number of seats.
//!
//! Handles: alternating and simultaneous games ([`Game::SIMULTANEOUS`]: decoupled UCT, one statistic per
//! seat and action, children by joint key), any number of seats (max^n: every chooser counts its own
//! payoff), hidden parts and draws ([`Game::HIDDEN`]: open loop, one sample per iteration, availability
//! counts), UCT, PUCT and progressive bias, first-play urgency, progressive widening, implicit minimax,
//! proven results of any number of seats, tree reuse between moves, fixed work and deadlines. Does not
//! handle: proofs where parts are hidden, mixed equilibria (decoupled UCT finds good replies, not always
//! the mixture), transpositions (a tree, not a graph), threads.
//!
//! Memory: a hard cap of edges given to [`Mcts::new`] ([`Mcts::bytes`] tells the sum), all taken at
//! construction; when it is full the search goes on without new nodes. A search allocates nothing. The
//! same seed, history of calls and work give the same answer everywhere.
//!
//! What each technique is worth in Elo, with 95 % intervals: 1,000 iterations a move with random playouts, at equal
//! time, 800 games of connect four and 400 of wondev's league 0, from `cargo bench --bench techniques -- connect4
//! 800` and `-- wondev 400` (settings in `benches/techniques`):
//!
//! | technique | connect four | wondev | default |
//! |---|---|---|---|
//! | the same search against itself | +5 (-19 to +28) | -9 (-43 to +26) |  |
//! | 1,000 iterations to 2,000 | +61 (+38 to +84) | +102 (+68 to +138) |  |
//! | 4,000 to 8,000 | +91 (+69 to +113) | +94 (+61 to +130) |  |
//! | solver | +30 (+6 to +53) | +33 (-1 to +67) | on |
//! | reuse | +32 (+9 to +55) | +10 (-22 to +43) | on |
//! | exploration 0.3 instead of 0.5 | -50 (-73 to -27) | 0 (-35 to +35) | 0.5 |
//! | exploration 0.7 | -14 (-36 to +8) | -47 (-82 to -14) | 0.5 |
//! | exploration 1 | -32 (-54 to -10) | -65 (-102 to -29) | 0.5 |
//! | expansion after 2 visits | -9 (-32 to +14) | +19 (-15 to +53) | off |
//! | after 4 | -15 (-38 to +7) | -7 (-41 to +27) | off |
//! | first play 0.6 | -119 (-143 to -96) | +60 (+26 to +95) | off |
//! | first play 0.1 below the mean | -619 (-712 to -558) | +83 (+49 to +119) | off |
//! | choice by value | +6 (-17 to +28) | -14 (-50 to +22) | off |
//! | playouts cut off after 8 plies, then evaluated | -4 (-27 to +18) | +203 (+164 to +246) | leaf |
//! | no playout, evaluated | -11 (-34 to +11) | +700 (+602 to +928) | leaf |
//! | implicit minimax 0.2 | -17 (-39 to +6) | +171 (+134 to +212) | off |
//! | progressive bias | -9 (-32 to +14) | +179 (+142 to +221) | off |
//! | progressive widening and bias | -42 (-65 to -19) | +512 (+447 to +609) | off |
//! | PUCT with priors | +20 (-2 to +43) | +449 (+390 to +535) | off |
//!
//! What needs the game's knowledge (cut-off, evaluation, bias, widening, PUCT) is off unless the game gives it:
//! wondev's evaluation is worth all of it, connect four's says little. First play, too, is the game's: where many
//! moves are bad it saves their first visits, and in connect four it starves good ones. Four playouts a leaf are
//! worth +25 (+2 to +48) on connect four at equal time (`batch-4`). Speed: `cargo fifty bench --peers`.
//!
//! One iteration is [`Mcts::iterate`]; the parts are [`select`], [`open`] (hidden), [`joint`]
//! (simultaneous), [`proof`], [`reuse`]; opinions come from [`crate::search::policy`].

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
use crate::search::mcts::pool::{Edge, Pool, Tables};
use crate::search::mcts::select::RootTable;
use crate::search::policy::{Leaf, Prior, PriorKind};
use std::time::Instant;

/// Steps of a path: one per ply, or one per seat and one for the node where seats choose at once.
const MAX_PATH: usize = 2048;

/// What a move that has not been tried counts as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlay {
    /// Every move is tried once before any is tried twice.
    All,
    /// A fixed value, compared with mean plus exploration: what is below it after one visit may starve.
    Value(f32),
    /// The mean of the moves tried so far less this much.
    Below(f32),
}

/// Which move of the root is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one with most visits.
    Visits,
    /// The one with the best mean, among those with at least a tenth of the most visits.
    Value,
    /// Drawn in proportion to visits: the mixture of a simultaneous game.
    Mixed,
}

/// Numbers of the search itself.
#[derive(Clone, Debug)]
pub struct Params {
    /// Weight of exploration, in units of payoff.
    pub exploration: f32,
    /// Value of moves not tried.
    pub first_play: FirstPlay,
    /// Visits of a leaf before its moves are listed; at least 1.
    pub expand_after: u32,
    /// Progressive widening: `1 + widen * sqrt(visits)` moves are looked at; 0 for all at once.
    pub widen: f32,
    /// Weight of progressive bias (`PriorKind::Bias`), in units of payoff.
    pub bias: f32,
    /// Share of the backed-up heuristic (`Leaf::HEURISTIC`) in a move's value, 0 to 1.
    pub implicit: f32,
    /// Back up proven results.
    pub solver: bool,
    /// Keep what is known of the new position from the last search, where it is found again.
    pub reuse: bool,
    /// How the move is chosen.
    pub choice: Choice,
    /// Stop when no other move can catch up within the limit (most visits), or there is one move.
    pub stop_early: bool,
    /// Iterations between two looks at the clock.
    pub poll: u64,
}

impl Params {
    /// Plain UCT with solver and tree reuse.
    pub const DEFAULT: Self = Self {
        exploration: 0.5,
        first_play: FirstPlay::All,
        expand_after: 1,
        widen: 0.0,
        bias: 0.0,
        implicit: 0.0,
        solver: true,
        reuse: true,
        choice: Choice::Visits,
        stop_early: false,
        poll: 16,
    };
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M, const N: usize> {
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
pub struct Mcts<G: Game<N>, V, P, const N: usize> {
    /// May be changed between searches.
    pub params: Params,
    /// What leaves are worth.
    pub leaf: V,
    /// What moves are expected to be worth.
    pub prior: P,
    pool: Pool<G::Move, N>,
    root: u32,
    root_state: Option<G>,
    me: usize,
    path: Vec<Step>,
    length: usize,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    sorted: Vec<(f32, G::Move)>,
    legal: Vec<u32>,
    rng: Rng,
    sums: [f64; N],
    done: u64,
    deepest: usize,
    started: Option<Instant>,
    roots: RootTable,
}

impl<G: Game<N>, V: Leaf<G, N>, P: Prior<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// A search with room for `edges` edges and positions of up to `widest` moves a seat.
    pub fn new(params: Params, leaf: V, prior: P, edges: usize, widest: usize, seed: u64) -> Self {
        let tables = Tables {
            prior: P::KIND != PriorKind::None,
            hidden: G::HIDDEN,
            heuristic: V::HEURISTIC,
            joint: G::SIMULTANEOUS,
        };
        let list = |on: bool| if on { widest } else { 0 };
        Self {
            params,
            leaf,
            prior,
            pool: Pool::new(edges, tables),
            root: 0,
            root_state: None,
            me: 0,
            path: vec![Step { edge: 0, seat: 0 }; MAX_PATH],
            length: 0,
            moves: Vec::with_capacity(widest),
            priors: Vec::with_capacity(list(tables.prior)),
            sorted: Vec::with_capacity(list(tables.prior)),
            legal: Vec::with_capacity(list(G::HIDDEN)),
            rng: Rng::new(seed),
            sums: [0.0; N],
            done: 0,
            deepest: 0,
            started: None,
            roots: RootTable::new(),
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
    /// however small the limit. In alternating games `me` is the seat to move.
    pub fn search(&mut self, state: &G, me: usize, limit: Limit) -> Found<G::Move, N> {
        self.me = me;
        self.sums = [0.0; N];
        self.done = 0;
        self.deepest = 0;
        self.started = limit.until.map(|_| Instant::now());
        if state.is_over() {
            self.root_state = None;
            return self.nothing(state.payoff());
        }
        if !(self.params.reuse && self.adopt(state)) {
            self.plant();
        }
        self.root_state = Some(state.clone());
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
        let poll = self.params.poll.max(1);
        loop {
            if self.done >= limit.work || self.pool.edges[self.root as usize].proven() {
                return;
            }
            if self.done % poll == 0
                && self.done > 0
                && (limit.reached(self.done) || self.params.stop_early && self.decided(limit))
            {
                return;
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
            if head.proven() {
                break self.pool.payoff[node as usize];
            }
            if (G::HIDDEN || head.visits == 0) && state.is_over() {
                break self.finish(node, state.payoff());
            }
            if V::HEURISTIC && head.visits == 0 {
                self.pool.heuristic[node as usize] = self.leaf.heuristic::<L>(&state);
            }
            let leaf = head.is_empty() && head.visits < self.params.expand_after && node != self.root;
            if leaf || self.length + N + 1 >= MAX_PATH {
                break self.leaf.value::<L>(&mut state, &mut self.rng);
            }
            match self.descend::<L>(node, &mut state) {
                Some(child) => node = child,
                None if state.is_over() => break state.payoff(),
                None => break self.leaf.value::<L>(&mut state, &mut self.rng),
            }
        };
        self.back_up(&payoff);
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
    fn back_up(&mut self, payoff: &[f32; N]) {
        for step in &self.path[..self.length] {
            let edge = &mut self.pool.edges[step.edge as usize];
            edge.visits += 1;
            edge.sum += payoff[step.seat as usize];
        }
        if V::HEURISTIC {
            self.back_up_heuristic();
        }
        for (sum, p) in self.sums.iter_mut().zip(payoff) {
            *sum += f64::from(*p);
        }
        self.deepest = self.deepest.max(self.length);
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
        if !G::HIDDEN {
            self.settle(node, payoff);
        }
        payoff
    }

    /// No other move of mine can have more visits at the limit.
    fn decided(&self, limit: &Limit) -> bool {
        let run = self.my_moves();
        if run.len() < 2 {
            return true;
        }
        let (mut first, mut second) = (0, 0);
        for e in run {
            if e.visits > first {
                (first, second) = (e.visits, first);
            } else {
                second = second.max(e.visits);
            }
        }
        let mut left = limit.work - self.done;
        if let (Some(time), Some(started)) = (limit.left(), self.started) {
            let rate = self.done as f64 / started.elapsed().as_secs_f64().max(1e-6);
            left = left.min((rate * time.as_secs_f64()) as u64);
        }
        u64::from(first - second) > left
    }

    /// What the asking seat knows of its moves at the root: empty before the first search. Moves of an
    /// earlier sample may be among them where parts are hidden.
    pub fn my_moves(&self) -> &[Edge<G::Move>] {
        let head = if G::SIMULTANEOUS { self.me } else { 0 };
        match self.pool.edges.get(self.root as usize + head) {
            Some(e) => &self.pool.edges[e.run()],
            None => &[],
        }
    }

    fn nothing(&self, value: [f32; N]) -> Found<G::Move, N> {
        Found {
            best: None,
            value,
            mean: value[self.me],
            visits: 0,
            iterations: 0,
            depth: 0,
            nodes: self.pool.edges.len(),
            proven: !G::HIDDEN,
        }
    }

    /// The result of a search of at least no iterations.
    fn answer(&mut self, state: &G) -> Found<G::Move, N> {
        self.moves.clear();
        state.moves(self.me, &mut self.moves);
        let proven = self.pool.edges[self.root as usize].proven();
        let best = self.best_edge();
        let mut found = self.nothing([0.5; N]);
        found.proven = proven;
        found.iterations = self.done;
        found.depth = if G::SIMULTANEOUS {
            self.deepest / (N + 1)
        } else {
            self.deepest.saturating_sub(1)
        };
        if self.done > 0 {
            found.value = self.sums.map(|sum| (sum / self.done as f64) as f32);
        }
        found.mean = found.value[self.me];
        if let Some(edge) = best {
            found.mean = edge.mean().unwrap_or(found.mean);
            found.visits = edge.visits;
        }
        if proven {
            found.value = self.pool.payoff[self.root as usize];
            found.mean = found.value[self.me];
        }
        found.best = best.map(|e| e.mv).or_else(|| self.moves.first().copied());
        found
    }

    /// The root move to play, among those legal in the true state (in `moves`).
    fn best_edge(&mut self) -> Option<Edge<G::Move>> {
        if let Some(edge) = self.proven_edge() {
            return Some(edge);
        }
        let most = self.my_moves().iter().map(|e| e.visits).max()?;
        let legal = |e: &&Edge<G::Move>| !G::HIDDEN || self.moves.contains(&e.mv);
        let alive = self.my_moves().iter().filter(legal).filter(|e| e.sum >= 0.0);
        let mut best = None;
        match self.params.choice {
            Choice::Visits => {
                // Ties go to the better mean, then to the first.
                for e in alive.filter(|e| e.visits > 0) {
                    let better =
                        |b: &Edge<G::Move>| e.visits > b.visits || e.visits == b.visits && e.sum > b.sum;
                    if best.as_ref().is_none_or(better) {
                        best = Some(*e);
                    }
                }
            }
            Choice::Value => {
                for e in alive.filter(|e| e.visits > 0 && e.visits >= most / 10) {
                    if best.as_ref().is_none_or(|b: &Edge<_>| e.mean() > b.mean()) {
                        best = Some(*e);
                    }
                }
            }
            Choice::Mixed => {
                let total: u32 = alive.clone().map(|e| e.visits).sum();
                let mut left = self.rng.clone().below(total.max(1));
                best = alive.copied().find(|e| {
                    let hit = left < e.visits;
                    left = left.saturating_sub(e.visits);
                    hit
                });
                self.rng.next_u64();
            }
        }
        // All lost: the one that was hardest to refute.
        let legal = |e: &&Edge<G::Move>| !G::HIDDEN || self.moves.contains(&e.mv);
        best.or_else(|| {
            self.my_moves()
                .iter()
                .filter(legal)
                .max_by_key(|e| e.visits)
                .copied()
        })
    }

    /// The line most visited from the root into `out`, as far as its capacity goes: one entry per ply; in
    /// a simultaneous game the asking seat's first move only.
    pub fn line(&self, out: &mut Vec<G::Move>) {
        out.clear();
        let mut node = self.root as usize + if G::SIMULTANEOUS { self.me } else { 0 };
        while node < self.pool.edges.len() && out.len() < out.capacity() {
            let run = self.pool.edges[node].run();
            let Some(best) = run.max_by_key(|&i| self.pool.edges[i].visits) else {
                return;
            };
            if self.pool.edges[best].visits == 0 {
                return;
            }
            out.push(self.pool.edges[best].mv);
            if G::SIMULTANEOUS {
                return;
            }
            node = best;
        }
    }
}

/// The whole search as a kernel.
struct Run<'a, G: Game<N>, V, P, const N: usize> {
    search: &'a mut Mcts<G, V, P, N>,
    state: &'a G,
    limit: Limit,
}

impl<G: Game<N>, V: Leaf<G, N>, P: Prior<G, N>, const N: usize> Kernel for Run<'_, G, V, P, N> {
    type Out = ();
    #[inline(always)]
    fn run<L: Level>(self) {
        self.search.run::<L>(self.state, &self.limit);
    }
}
