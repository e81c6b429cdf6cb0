//! Results that are certain, backed up for any number of seats.
//!
//! Alternating: a node is proven when one move wins outright for its chooser (payoff 1, all others 0),
//! or when all moves are proven and the chooser's best ones agree on every seat's payoff. Simultaneous:
//! when one seat's move wins outright against everything the others can do, or every joint move ends
//! alike. Where a modelled seat is on turn: when all its moves are proven and end alike. A proof that needs a tie
//! broken or a mixture is left open.

use crate::search::game::Game;
use crate::search::mcts::pool::Edge;
use crate::search::mcts::Mcts;
use crate::search::policy::{Leaf, TreePolicy};

/// Joint moves looked through for one proof.
const MOST_JOINT: usize = 1024;

impl<G: Game<N>, V: Leaf<G, N>, P: TreePolicy<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// The last node of the path has a certain payoff: records it, and everything above that follows.
    #[inline(always)]
    pub(super) fn settle(&mut self, node: u32, payoff: [f32; N]) {
        let chooser = self.chooser_of(self.length - 1);
        self.pool.prove(node, payoff, chooser);
        if G::SIMULTANEOUS {
            self.prove_joint_above(payoff);
        } else {
            self.prove_above(payoff);
        }
    }

    /// The seat whose choice led to step `i`; none for the root, for joint nodes and where it was drawn.
    #[inline(always)]
    fn chooser_of(&self, i: usize) -> Option<usize> {
        let seat = self.path[i].seat as usize;
        (i > 0 && !G::SIMULTANEOUS && self.chooses(seat)).then_some(seat)
    }

    /// The seat follows no model.
    #[inline(always)]
    fn chooses(&self, seat: usize) -> bool {
        !(P::MODELS && self.policy.modelled(seat))
    }

    /// Up the path of an alternating game as long as proofs follow.
    #[inline(always)]
    fn prove_above(&mut self, mut payoff: [f32; N]) {
        for i in (0..self.length - 1).rev() {
            let parent = self.path[i].edge;
            let seat = self.path[i + 1].seat as usize;
            if !(self.chooses(seat) && wins_outright(&payoff, seat)) {
                match self.all_proven(parent, seat) {
                    Some(value) => payoff = value,
                    None => return,
                }
            }
            let chooser = self.chooser_of(i);
            self.pool.prove(parent, payoff, chooser);
        }
    }

    /// The payoff of a node all of whose moves are proven, where its chooser's best ones agree.
    #[inline(always)]
    fn all_proven(&self, parent: u32, seat: usize) -> Option<[f32; N]> {
        let mut best: Option<[f32; N]> = None;
        let mut tied = false;
        let chooses = self.chooses(seat);
        for child in self.pool.edges[parent as usize].run() {
            if !self.pool.edges[child].proven() {
                return None;
            }
            let payoff = self.pool.payoff[child];
            match best {
                // What is drawn is certain only where everything ends alike.
                Some(b) if !chooses => tied |= payoff != b,
                Some(b) if payoff[seat] < b[seat] => {}
                Some(b) if payoff[seat] == b[seat] => tied |= payoff != b,
                _ => (best, tied) = (Some(payoff), false),
            }
        }
        best.filter(|_| !tied)
    }

    /// Up the path of a simultaneous game: every node is one head step and one step per seat.
    fn prove_joint_above(&mut self, payoff: [f32; N]) {
        let mut i = self.length - 1;
        while i > N {
            i -= N + 1;
            let node = self.path[i].edge;
            let follows = (0..N).any(|seat| {
                self.chooses(seat) && wins_outright(&payoff, seat) && {
                    let edge = self.path[i + 1 + seat].edge;
                    let first = self.pool.edges[node as usize + seat].first;
                    self.all_end_in(node, Some((seat, edge - first)), payoff)
                }
            }) || self.all_end_in(node, None, payoff);
            if !follows {
                return;
            }
            self.pool.prove(node, payoff, None);
        }
    }

    /// True where every joint move (with one seat's move fixed) is proven to give `payoff`.
    fn all_end_in(&mut self, node: u32, fixed: Option<(usize, u32)>, payoff: [f32; N]) -> bool {
        let mut sizes = [1u32; N];
        let mut total = 1usize;
        for (seat, size) in sizes.iter_mut().enumerate() {
            if fixed.is_none_or(|(s, _)| s != seat) {
                *size = self.pool.edges[node as usize + seat].len() as u32;
                total = total.saturating_mul(*size as usize);
            }
        }
        if total > MOST_JOINT {
            return false;
        }
        (0..total as u32).all(|mut n| {
            let mut key = 0u32;
            for (seat, &size) in sizes.iter().enumerate() {
                let index = match fixed {
                    Some((s, index)) if s == seat => index,
                    _ => n % size,
                };
                n /= size;
                key = key.wrapping_mul(4099).wrapping_add(index);
            }
            self.pool.joint_child(node, key, false).is_some_and(|child| {
                self.pool.edges[child as usize].proven() && self.pool.payoff[child as usize] == payoff
            })
        })
    }

    /// A root move that reaches the proven value of the root.
    pub(super) fn proven_edge(&mut self) -> Option<Edge<G::Move, P::Prior>> {
        let root = self.root;
        if !self.pool.edges[root as usize].proven() {
            return None;
        }
        let payoff = self.pool.payoff[root as usize];
        let head = root as usize + if G::SIMULTANEOUS { self.me } else { 0 };
        let run = self.pool.edges[head].run();
        if !G::SIMULTANEOUS {
            // The most visited of them; a lost position is held longest where it was hardest to refute.
            return run
                .filter(|&i| self.pool.edges[i].proven() && self.pool.payoff[i] == payoff)
                .max_by_key(|&i| self.pool.edges[i].visits)
                .map(|i| self.pool.edges[i]);
        }
        let me = self.me;
        let first = run.start;
        run.clone()
            .find(|&i| self.all_end_in(root, Some((me, (i - first) as u32)), payoff))
            .map(|i| self.pool.edges[i])
    }
}

/// Payoff 1 for `seat` and nothing for anybody else: no other result can be better.
#[inline(always)]
fn wins_outright<const N: usize>(payoff: &[f32; N], seat: usize) -> bool {
    payoff[seat] >= 1.0 && payoff.iter().sum::<f32>() <= 1.0
}
