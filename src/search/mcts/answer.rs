//! What a search says when it ends: the move, its value, the line, the candidates.

use crate::kit::clock::Limit;
use crate::kit::cpu::Plain;
use crate::search::game::Game;
use crate::search::mcts::pool::Edge;
use crate::search::mcts::{Mcts, RootResult};
use crate::search::policy::{Leaf, TreePolicy};
use std::time::Instant;

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// No other move of mine can have more visits at the limit.
    pub(super) fn decided(&self, limit: &Limit, started: Option<Instant>) -> bool {
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
        if let (Some(time), Some(started)) = (limit.left(), started) {
            let rate = self.done as f64 / started.elapsed().as_secs_f64().max(1e-6);
            left = left.min((rate * time.as_secs_f64()) as u64);
        }
        u64::from(first - second) > left
    }

    /// What the asking seat knows of its moves at the root: empty before the first search. Moves of an
    /// earlier sample may be among them where parts are hidden.
    pub fn my_moves(&self) -> &[Edge<G::Move, P::Prior>] {
        let head = if G::SIMULTANEOUS { self.me } else { 0 };
        match self.pool.edges.get(self.root as usize + head) {
            Some(e) => self.below(e),
            None => &[],
        }
    }

    /// What is known of the moves after an edge of this tree, likeliest first where priors are; alternating games.
    pub fn below(&self, edge: &Edge<G::Move, P::Prior>) -> &[Edge<G::Move, P::Prior>] {
        &self.pool.edges[edge.run()]
    }

    /// The asking seat's moves at the root by falling visits, as many as `out` has room for: what a bot says of its
    /// candidates. Moves never tried are left out.
    pub fn candidates(&self, out: &mut Vec<Edge<G::Move, P::Prior>>) {
        out.clear();
        for e in self.my_moves().iter().filter(|e| e.visits > 0) {
            let at = out.partition_point(|o| o.visits >= e.visits);
            if out.len() == out.capacity() {
                if at == out.len() {
                    continue;
                }
                out.pop();
            }
            out.insert(at, *e);
        }
    }

    /// A result without a search.
    pub(super) fn nothing(&self, value: [f32; N]) -> RootResult<G::Move, N> {
        RootResult {
            best: None,
            value,
            mean: value[self.me],
            visits: 0,
            iterations: self.done,
            depth: Self::plies(self.deepest),
            nodes: self.pool.edges.len(),
            proven: !G::HIDDEN,
        }
    }

    /// The result of a search of at least no iterations.
    pub(super) fn answer(&mut self, state: &G) -> RootResult<G::Move, N> {
        if G::HIDDEN {
            self.moves.clear();
            state.moves(self.me, &mut self.moves);
        }
        let best = self.best_edge();
        let root = self.pool.edges[self.root as usize];
        let mean = |sum: f64| {
            if self.done > 0 {
                sum / self.done as f64
            } else {
                0.5
            }
        };
        let mut found = self.nothing(self.sums.map(|sum| mean(sum) as f32));
        found.proven = root.proven();
        if let Some(edge) = best {
            found.best = Some(edge.mv);
            found.visits = edge.visits;
            found.mean = edge.mean().unwrap_or(found.mean);
        } else {
            self.fill::<Plain>(state, self.me, true);
            found.best = self.moves.first().copied();
        }
        if P::SOLVER && root.proven() {
            found.value = self.pool.payoff[self.root as usize];
            found.mean = found.value[self.me];
        }
        found
    }

    /// The root move to play, among those legal in the true state (in `moves` where parts are hidden).
    fn best_edge(&mut self) -> Option<Edge<G::Move, P::Prior>> {
        if P::SOLVER {
            if let Some(edge) = self.proven_edge() {
                return Some(edge);
            }
        }
        let tried = |e: &&Edge<G::Move, P::Prior>| e.visits > 0 && self.has_move(e.mv);
        let alive = |e: &&Edge<G::Move, P::Prior>| e.sum >= 0.0 && tried(e);
        let mine = self.my_moves().iter().rev();
        let best = if P::MIXED {
            let total: u32 = mine.clone().filter(alive).map(|e| e.visits).sum();
            let mut left = self.rng.clone().below(total.max(1));
            mine.filter(alive).find(|e| {
                let hit = left < e.visits;
                left = left.saturating_sub(e.visits);
                hit
            })
        } else if P::BY_VALUE {
            let most = mine.clone().map(|e| e.visits).max().unwrap_or(0);
            mine.filter(alive)
                .filter(|e| e.visits >= most / 10)
                .max_by(|a, b| {
                    a.mean()
                        .partial_cmp(&b.mean())
                        .unwrap_or(core::cmp::Ordering::Equal)
                })
        } else {
            // Ties go to the better mean, then to the first.
            mine.filter(alive)
                .max_by(|a, b| a.visits.cmp(&b.visits).then(a.sum.total_cmp(&b.sum)))
        };
        // All lost: the one that was hardest to refute.
        let best = best.or_else(|| self.my_moves().iter().filter(tried).max_by_key(|e| e.visits));
        let best = best.copied();
        if P::MIXED {
            self.rng.next_u64();
        }
        best
    }

    /// False for a move that only another world of the hidden ones has.
    fn has_move(&self, m: G::Move) -> bool {
        if G::HIDDEN {
            return self.moves.contains(&m);
        }
        true
    }

    /// The line most visited from the root into `out`, as far as its capacity goes: one entry per ply; in
    /// a simultaneous game the asking seat's first move only.
    pub fn line(&self, out: &mut Vec<G::Move>) {
        out.clear();
        let mut moves = self.my_moves();
        while out.len() < out.capacity() {
            let Some(best) = moves.iter().max_by_key(|e| e.visits).filter(|e| e.visits > 0) else {
                return;
            };
            out.push(best.mv);
            if G::SIMULTANEOUS {
                return;
            }
            moves = self.below(best);
        }
    }
}
