//! The tree from move to move.
//!
//! Without hidden parts the new position is looked for among the visited positions at most
//! [`TreePolicy::REUSE_PLIES`] below the old root, by hash; with hidden parts the caller names the moves
//! ([`Mcts::keep`]). What is kept is moved together, the rest of the pool is free again ([`TreePolicy::COMPACT`]), or stays
//! where it is.
//!
//! A tree is not kept when other seats are modelled than before: its lists and counts are those of chance nodes. An
//! adopted root keeps the list of moves it got below the old one.

use crate::kit::rng::Rng;
use crate::search::game::Game;
use crate::search::mcts::pool::{Edge, NONE};
use crate::search::mcts::Mcts;
use crate::search::policy::{Leaf, TreePolicy};

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// A new tree: a root and nothing else.
    pub(super) fn plant(&mut self) {
        self.pool.clear();
        self.root = 0;
        if G::SIMULTANEOUS {
            self.pool.joint_node(NONE, 0);
        } else {
            self.pool.edges.push(Edge::new(G::Move::default(), 0.0));
        }
    }

    /// The seats that the policy models now.
    pub(super) fn models(&self) -> [bool; N] {
        if P::MODELS {
            return core::array::from_fn(|seat| self.policy.modelled(seat));
        }
        [false; N]
    }

    /// Makes `state` the root if the tree knows it.
    pub(super) fn adopt(&mut self, state: &G) -> bool {
        let models = self.models();
        let Some((old, modelled)) = self.root_state.take() else {
            return false;
        };
        if modelled != models || !self.policy.may_lead(&old, state) {
            return false;
        }
        if old.hash() == state.hash() {
            return true;
        }
        if G::HIDDEN {
            return false;
        }
        let plies = if G::SIMULTANEOUS { 1 } else { P::REUSE_PLIES };
        match self.find(self.root, &old, (state, state.hash()), plies) {
            Some(node) => {
                self.move_root(node);
                true
            }
            None => false,
        }
    }

    /// The visited node with this position and hash at most `plies` below.
    fn find(&mut self, node: u32, state: &G, goal: (&G, u64), plies: usize) -> Option<u32> {
        let mut rng = Rng::new(0);
        if G::SIMULTANEOUS {
            // The children are linked, but their moves are not stored: rebuild them from the key.
            let mut child = self.pool.edges[node as usize + N].first;
            while child != NONE {
                let link = self.pool.edges[child as usize + N];
                if let Some(joint) = self.joint_of(node, link.visits) {
                    let mut next = state.clone();
                    next.advance(&joint, &mut rng);
                    if next.hash() == goal.1 {
                        return Some(child);
                    }
                }
                child = link.sum.to_bits();
            }
            return None;
        }
        if plies == 0 || state.is_over() {
            return None;
        }
        let seat = state.to_move();
        for i in self.pool.edges[node as usize].run() {
            if self.pool.edges[i].visits == 0 {
                continue;
            }
            let mut joint = [G::Move::default(); N];
            joint[seat] = self.pool.edges[i].mv;
            let mut next = state.clone();
            next.advance(&joint, &mut rng);
            if !self.policy.may_lead(&next, goal.0) {
                continue;
            }
            if next.hash() == goal.1 {
                return Some(i as u32);
            }
            if let Some(found) = self.find(i as u32, &next, goal, plies - 1) {
                return Some(found);
            }
        }
        None
    }

    /// The moves behind a joint key, where the key is exact.
    fn joint_of(&self, node: u32, mut key: u32) -> Option<[G::Move; N]> {
        let mut joint = [G::Move::default(); N];
        for seat in (0..N).rev() {
            let run = self.pool.edges[node as usize + seat].run();
            let index = if seat == 0 { key } else { key % 4099 } as usize;
            key /= 4099;
            joint[seat] = self
                .pool
                .edges
                .get(run.start + index)
                .filter(|_| index < run.len())?
                .mv;
        }
        Some(joint)
    }

    /// Follows the moves that were played since the last search, one entry per turn (alternating games:
    /// the mover's entry of each), and makes the node reached the root for `state`. `false`, and an empty
    /// tree, where they lead out of it. For games with hidden parts; the others find the state themselves.
    pub fn keep(&mut self, played: &[[G::Move; N]], movers: &[usize], state: &G) -> bool {
        let mut node = self.root;
        let models = self.models();
        let known = self.root_state.take().is_some_and(|old| old.1 == models)
            && played.iter().zip(movers).all(|(joint, &mover)| {
                let next = if G::SIMULTANEOUS {
                    self.joint_key(node, joint)
                        .and_then(|key| self.pool.joint_child(node, key, false))
                } else {
                    let mut run = self.pool.edges[node as usize].run();
                    run.find(|&i| self.pool.edges[i].mv == joint[mover])
                        .map(|i| i as u32)
                };
                node = next.unwrap_or(node);
                next.is_some()
            });
        if known {
            self.move_root(node);
            self.root_state = Some((state.clone(), models));
        }
        known
    }

    fn joint_key(&self, node: u32, joint: &[G::Move; N]) -> Option<u32> {
        let mut key = 0u32;
        for (seat, m) in joint.iter().enumerate() {
            let run = self.pool.edges[node as usize + seat].run();
            let index = self.pool.edges[run].iter().position(|e| e.mv == *m)?;
            key = key.wrapping_mul(4099).wrapping_add(index as u32);
        }
        Some(key)
    }

    /// Keeps what is below `node` and nothing else.
    fn move_root(&mut self, node: u32) {
        if node == self.root {
            return;
        }
        if P::COMPACT {
            let heads = if G::SIMULTANEOUS { N + 1 } else { 1 };
            self.root = self.pool.compact(node, heads);
            if G::SIMULTANEOUS {
                self.pool.relink(self.root);
            }
        } else {
            self.root = node;
        }
        // The root's sum belonged to the seat that moved there, and may have said "lost".
        self.pool.edges[self.root as usize].sum = 0.0;
    }
}
