//! Open loop: a node stands for a history of moves, whatever the draws were.
//!
//! Samples differ in their legal moves. The list of a node grows by the moves a new sample brings; only
//! moves legal in this sample can be chosen, and each counts how often it was available.

use crate::kit::cpu::Level;
use crate::search::game::Game;
use crate::search::mcts::pool::{Edge, LINK, NONE};
use crate::search::mcts::select::{index_of, ranked};
use crate::search::mcts::Mcts;
use crate::search::policy::{Leaf, TreePolicy};

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// The edge `seat` tries next in this sample; `None` where the pool has no room for any.
    #[inline(always)]
    pub(super) fn choose_offered<L: Level>(
        &mut self,
        node: u32,
        head: u32,
        seat: usize,
        state: &G,
    ) -> Option<u32> {
        if !self.offer::<L>(head, seat, state) {
            return None;
        }
        let visits = self.pool.edges[node as usize].visits;
        if P::MODELS && self.policy.modelled(seat) {
            let count = self.legal.len();
            let shown = self.policy.shown(state, visits, count).min(count);
            return Some(self.legal[self.rng.below(shown as u32) as usize]);
        }
        let mut rng = self.jitter();
        let scale = self.scale(visits, seat);
        let mean = self.mean_tried(head);
        let mut best = i64::MIN;
        for &i in &self.legal {
            let edge = &self.pool.edges[i as usize];
            let score = if edge.visits == 0 {
                self.untried(mean, edge, &scale)
            } else {
                self.score(edge, i as usize, &scale, &mut rng)
            };
            best = best.max(ranked(score, i));
        }
        Some(index_of(best))
    }

    /// Mean payoff of the chooser over the moves tried so far; a draw where none was.
    fn mean_tried(&self, head: u32) -> f32 {
        let (mut sum, mut visits) = (0.0, 0);
        for e in &self.pool.edges[self.pool.edges[head as usize].run()] {
            sum += e.sum;
            visits += e.visits;
        }
        if visits == 0 {
            0.5
        } else {
            sum / visits as f32
        }
    }

    /// Collects the edges of this sample's legal moves in `legal`, adding those that are new. Where the
    /// pool is full only the known ones are offered; `false` when that leaves none.
    #[inline(always)]
    fn offer<L: Level>(&mut self, head: u32, seat: usize, state: &G) -> bool {
        self.moves.clear();
        state.moves(seat, &mut self.moves);
        let run = self.pool.edges[head as usize].run();
        let known = &self.pool.edges[run.clone()];
        self.legal.clear();
        // Lists come in a fixed order: the next move is mostly the next edge.
        let (mut guess, mut missing) = (0, 0);
        for &m in &self.moves {
            let after = known[guess..].iter().position(|e| e.mv == m).map(|i| guess + i);
            let at = after.or_else(|| known[..guess].iter().position(|e| e.mv == m));
            if let Some(i) = at {
                guess = i + 1;
                self.legal.push((run.start + i) as u32);
            } else {
                missing += 1;
                self.legal.push(NONE);
            }
        }
        if missing > 0 {
            self.add::<L>(head, seat, state, missing);
        }
        for &i in &self.legal {
            self.pool.available[i as usize] += 1;
        }
        !self.legal.is_empty()
    }

    /// Appends the moves whose place in `legal` is `NONE`; drops them from `legal` where there is no room.
    fn add<L: Level>(&mut self, head: u32, seat: usize, state: &G, missing: usize) {
        let run = self.pool.edges[head as usize].run();
        let len = run.len() + missing;
        let mut first = run.start;
        if run.is_empty() || len > self.pool.room(run.len()) {
            let fits = len < usize::from(LINK);
            let Some(at) = fits.then(|| self.pool.allocate(self.pool.room(len))).flatten() else {
                self.legal.retain(|&i| i != NONE);
                return;
            };
            first = at as usize;
            self.pool.edges.copy_within(run.clone(), first);
            self.pool.available.copy_within(run.clone(), first);
        }
        if !P::UCT {
            self.priors.clear();
            self.policy
                .priors::<L>(state, seat, &self.moves, &mut self.priors);
        }
        let mut next = first + run.len();
        for (k, at) in self.legal.iter_mut().enumerate() {
            if *at == NONE {
                let prior = if P::UCT { 0.0 } else { self.priors[k] };
                self.pool.edges[next] = Edge::new(self.moves[k], prior);
                self.pool.available[next] = 0;
                *at = next as u32;
                next += 1;
            } else {
                *at = *at - run.start as u32 + first as u32;
            }
        }
        self.pool.edges[head as usize].set_run(first as u32, len);
    }
}
