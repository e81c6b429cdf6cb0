//! Open loop: a node stands for a history of moves, whatever the draws were.
//!
//! Samples differ in their legal moves. The list of a node grows by the moves a new sample brings; only
//! moves legal in this sample can be chosen, and each counts how often it was available.
//!
//! Worth on kingdomino with the bot's playouts, 150 iterations a move, at equal time, 400 games: against one deck
//! dealt for the whole search +117 Elo (+82 to +155); against no tree, the playouts shared out evenly and dealt the
//! same decks, -53 (-88 to -19): a hundred moves want more iterations than that. Twice the iterations: +135 (+101
//! to +172). `cargo bench --bench techniques -- kingdomino 400`.

use crate::kit::cpu::Level;
use crate::search::game::Game;
use crate::search::mcts::pool::{Edge, LINK, NONE};
use crate::search::mcts::Mcts;
use crate::search::policy::{Leaf, Prior, PriorKind};

impl<G: Game<N>, V: Leaf<G, N>, P: Prior<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// Collects the edges of this sample's legal moves in `legal`, adding those that are new. Where the
    /// pool is full only the known ones are offered; `false` when that leaves none.
    #[inline(always)]
    pub(super) fn offer<L: Level>(&mut self, head: u32, seat: usize, state: &G) -> bool {
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
            if P::KIND != PriorKind::None {
                self.pool.prior.copy_within(run.clone(), first);
            }
        }
        if P::KIND != PriorKind::None {
            self.priors.clear();
            self.prior.priors::<L>(state, seat, &self.moves, &mut self.priors);
        }
        let mut next = first + run.len();
        for (k, at) in self.legal.iter_mut().enumerate() {
            if *at == NONE {
                self.pool.edges[next] = Edge::new(self.moves[k]);
                self.pool.available[next] = 0;
                if P::KIND != PriorKind::None {
                    self.pool.prior[next] = self.priors[k];
                }
                *at = next as u32;
                next += 1;
            } else {
                *at = *at - run.start as u32 + first as u32;
            }
        }
        self.pool.edges[head as usize].set_run(first as u32, len);
    }
}
