//! Simultaneous moves: decoupled UCT.
//!
//! A node is a run of one head per seat and a link. Head `s` holds seat `s`'s list of moves; head 0 the
//! visits, head 1 in `visits` the parent node. The link holds the first joint child in `first`, the joint
//! key in `visits`, and the next sibling in the bits of `sum`. Children are found through an open table
//! by parent and key, linked for the compaction alone.
//!
//! The key is exact for two seats of up to 4,099 moves; for more seats two joint moves share a child with
//! a chance of 2^-32.

use crate::kit::cpu::Level;
use crate::search::game::Game;
use crate::search::mcts::pool::{Pool, LINK, NONE};
use crate::search::mcts::Mcts;
use crate::search::policy::{Cell, Leaf, TreePolicy};

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// Every seat chooses by its own statistic; the joint move is played. `None` where the pool has no
    /// room for the lists (state unchanged) or for the child (state advanced).
    #[inline(always)]
    pub(super) fn descend_joint<L: Level>(&mut self, node: u32, state: &mut G) -> Option<u32> {
        let mut joint = [G::Move::default(); N];
        let mut key = 0u32;
        let length = self.length;
        for (seat, m) in joint.iter_mut().enumerate() {
            let head = node + seat as u32;
            let Some(edge) = self.choose::<L>(node, head, seat, state) else {
                self.length = length;
                return None;
            };
            *m = self.pool.edges[edge as usize].mv;
            key = key
                .wrapping_mul(4099)
                .wrapping_add(edge - self.pool.edges[head as usize].first);
            self.step(edge, seat);
        }
        state.advance(&joint, &mut self.rng);
        let child = self.pool.joint_child(node, key, true)?;
        self.step(child, 0);
        Some(child)
    }
}

impl<M: Copy + Default, X: Cell, const N: usize> Pool<M, X, N> {
    /// A joint node without lists.
    pub fn joint_node(&mut self, parent: u32, key: u32) -> Option<u32> {
        let node = self.allocate(N + 1)?;
        let at = node as usize;
        if N > 1 {
            self.edges[at + 1].visits = parent;
        }
        let link = &mut self.edges[at + N];
        link.set_run(NONE, usize::from(LINK));
        link.visits = key;
        link.sum = f32::from_bits(NONE);
        Some(node)
    }

    /// The child of `node` by joint key; made where missing and wanted.
    #[inline(always)]
    pub fn joint_child(&mut self, node: u32, key: u32, make: bool) -> Option<u32> {
        let mask = self.joints.len() - 1;
        let mut slot = Self::slot(node, key) & mask;
        while self.joints[slot] != 0 {
            let child = self.joints[slot] - 1;
            let at = child as usize;
            if self.edges[at + N].visits == key && self.edges[at + 1].visits == node {
                return Some(child);
            }
            slot = (slot + 1) & mask;
        }
        if !make || self.joint_count * 4 >= self.joints.len() * 3 {
            return None;
        }
        let child = self.joint_node(node, key)?;
        self.joints[slot] = child + 1;
        self.joint_count += 1;
        let link = node as usize + N;
        self.edges[child as usize + N].sum = f32::from_bits(self.edges[link].first);
        self.edges[link].first = child;
        Some(child)
    }

    #[inline(always)]
    fn slot(node: u32, key: u32) -> usize {
        let x = (u64::from(node) << 32 | u64::from(key)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x >> 32) as usize
    }

    /// After a compaction: the table and the parents of all nodes below `root`.
    pub fn relink(&mut self, root: u32) {
        self.joints.fill(0);
        self.joint_count = 0;
        let end = root as usize + N;
        self.edges[end].sum = f32::from_bits(NONE);
        let mask = self.joints.len() - 1;
        // Depth first along the links: down to the first child, else to the next sibling, else up.
        let mut node = root;
        loop {
            let first = self.edges[node as usize + N].first;
            if first == NONE {
                while node != root && self.edges[node as usize + N].sum.to_bits() == NONE {
                    node = self.edges[node as usize + 1].visits;
                }
                if node == root {
                    return;
                }
                let parent = self.edges[node as usize + 1].visits;
                node = self.edges[node as usize + N].sum.to_bits();
                self.edges[node as usize + 1].visits = parent;
            } else {
                self.edges[first as usize + 1].visits = node;
                node = first;
            }
            let parent = self.edges[node as usize + 1].visits;
            let mut slot = Self::slot(parent, self.edges[node as usize + N].visits) & mask;
            while self.joints[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.joints[slot] = node + 1;
            self.joint_count += 1;
        }
    }
}
