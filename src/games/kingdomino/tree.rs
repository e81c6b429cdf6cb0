//! Monte-Carlo tree search over the rest of one turn.
//!
//! What is left of a turn is open to all: the tree holds up to four actions, each as a choice of tile and
//! below it a choice of placement (one list of pairs would spend its visits on variants of a placement).
//! At the end of the turn draws are hidden, and a greedy playout with a fresh deck gives the value; the
//! k-th visit of every leaf sees the same deck. The tree is kept for the second call of the same turn.
//!
//! Not here: turns with nothing hidden, which are solved exactly.

use super::kingdom::{Places, Put};
use super::playout::{greedy_playout, Deck, Eye};
use super::state::{Action, State};
use super::tile::Tile;
use super::weights::Weights;
use super::zones::Sight;
use crate::kit::bits::Bits;
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;

/// Steps of the longest path: four actions of two choices each, and the root.
const MAX_PATH: usize = 10;

/// Room for nodes; a call of 1000 ms fills less.
const MAX_NODES: usize = 400_000;

/// A choice: of a tile (even depth below) or of a placement.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Sum of values for the seat that chooses.
    sum: f32,
    visits: u32,
    first: u32,
    len: u16,
    /// Slot + 1, or placement + 1; 0 for none.
    key: u16,
    /// Fading bonus for the chooser.
    bias: f32,
}

impl Node {
    const fn new(key: u16, bias: f32) -> Self {
        Self {
            sum: 0.0,
            visits: 0,
            first: 0,
            len: 0,
            key,
            bias,
        }
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The action played.
    pub action: Action,
    /// Mean value for the mover, 0 to 1.
    pub value: f32,
    /// Iterations of this call.
    pub iterations: u64,
    /// Visits of the action, those of an earlier call included.
    pub visits: u32,
}

/// The search and its tree.
pub struct Tree<const N: usize> {
    nodes: Vec<Node>,
    root: usize,
    /// The position of the root.
    state: Option<State<N>>,
    scratch: Vec<(f32, Put)>,
    seed: u64,
    scale: f32,
    done: u64,
}

struct Run<'a, const N: usize> {
    tree: &'a mut Tree<N>,
    state: &'a State<N>,
    deck: Deck,
    weights: &'a Weights,
    limit: Limit,
}

impl<const N: usize> Kernel for Run<'_, N> {
    type Out = ();

    #[inline(always)]
    fn run<L: Level>(mut self) {
        let tree = self.tree;
        tree.done = 0;
        while tree.done < self.limit.work && tree.nodes.len() + 200 < MAX_NODES {
            if tree.done % 16 == 0 && tree.done > 0 && self.limit.reached(tree.done) {
                break;
            }
            tree.iterate::<L>(self.state, &mut self.deck, self.weights);
            tree.done += 1;
        }
    }
}

impl<const N: usize> Tree<N> {
    /// An empty tree.
    pub fn new(seed: u64) -> Self {
        Self {
            nodes: Vec::new(),
            root: 0,
            state: None,
            scratch: Vec::with_capacity(64),
            seed,
            scale: 1.0,
            done: 0,
        }
    }

    /// Searches for the mover. `deck` holds the undrawn tiles.
    pub fn search(&mut self, state: &State<N>, deck: Deck, weights: &Weights, limit: Limit) -> Found {
        if !self.adopt(state) {
            self.nodes.clear();
            self.nodes.push(Node::new(0, 0.0));
            self.root = 0;
        }
        self.state = Some(state.clone());
        let progress = (f32::from(state.turn) - 1.0) / (f32::from(state.variant.turns) - 1.0);
        self.scale = weights.scale_first + (weights.scale_last - weights.scale_first) * progress;
        cpu::run(Run {
            tree: self,
            state,
            deck,
            weights,
            limit,
        });
        self.answer()
    }

    /// Finds the new position below the old root, by trying what may have been played since.
    fn adopt(&mut self, state: &State<N>) -> bool {
        let Some(old) = self.state.take() else {
            return false;
        };
        if old.turn != state.turn || old.done >= state.done || old.deck != state.deck {
            return false;
        }
        match self.find(self.root, &old, state) {
            Some(root) => {
                self.root = root;
                true
            }
            None => false,
        }
    }

    fn find(&self, node: usize, at: &State<N>, goal: &State<N>) -> Option<usize> {
        if at == goal {
            return Some(node);
        }
        if at.done >= goal.done || at.turn != goal.turn {
            return None;
        }
        for slot in self.children(node) {
            let key = self.nodes[slot].key;
            if key > 0 && goal.offer.owners[key as usize - 1] != at.mover() as u8 {
                continue;
            }
            for put in self.children(slot) {
                let mut next = at.clone();
                next.play(self.action(slot, put));
                if next.kingdoms[at.mover()].occupied & !goal.kingdoms[at.mover()].occupied != 0 {
                    continue;
                }
                if let Some(found) = self.find(put, &next, goal) {
                    return Some(found);
                }
            }
        }
        None
    }

    fn children(&self, node: usize) -> core::ops::Range<usize> {
        let n = &self.nodes[node];
        n.first as usize..n.first as usize + n.len as usize
    }

    #[inline(always)]
    fn action(&self, slot: usize, put: usize) -> Action {
        let (slot, put) = (self.nodes[slot].key, self.nodes[put].key);
        Action::new(
            (put > 0).then(|| Put::from_index(put as usize - 1)),
            (slot > 0).then(|| slot as usize - 1),
        )
    }

    #[inline(always)]
    fn iterate<L: Level>(&mut self, root: &State<N>, deck: &mut Deck, weights: &Weights) {
        let mut state = root.clone();
        let mut node = self.root;
        let mut path = [(node, 0); MAX_PATH];
        let mut length = 1;
        while state.turn == root.turn && (self.nodes[node].visits > 0 || node == self.root) {
            let me = state.mover();
            if self.nodes[node].len == 0 {
                self.add_slots(node, &state);
            }
            let slot = self.select(node, weights, false);
            if self.nodes[slot].len == 0 {
                self.add_puts(slot, &state, weights);
            }
            node = self.select(slot, weights, true);
            path[length] = (slot, me);
            path[length + 1] = (node, me);
            length += 2;
            state.play(self.action(slot, node));
        }
        // The same deck for the k-th visit of each leaf.
        let mut rng = Rng::new(self.seed.wrapping_add(u64::from(self.nodes[node].visits) << 20));
        deck.shuffle(&mut rng);
        greedy_playout::<L, N>(&mut state, deck, weights, &mut rng);
        let values = values(&state, self.scale);
        for &(step, seat) in &path[..length] {
            self.nodes[step].sum += values[seat];
            self.nodes[step].visits += 1;
        }
    }

    fn add_slots(&mut self, node: usize, state: &State<N>) {
        let first = self.nodes.len();
        let free = u64::from(state.free_slots());
        if free == 0 {
            self.nodes.push(Node::new(0, 0.0));
        }
        self.nodes
            .extend(Bits(free).map(|slot| Node::new(slot as u16 + 1, 0.0)));
        self.nodes[node].first = first as u32;
        self.nodes[node].len = (self.nodes.len() - first) as u16;
    }

    #[inline(always)]
    fn add_puts(&mut self, node: usize, state: &State<N>, weights: &Weights) {
        let first = self.nodes.len();
        let (tile, kingdom) = (state.tile_in_play(), &state.kingdoms[state.mover()]);
        self.scratch.clear();
        if tile != Tile::NONE {
            let puts = kingdom.distinct_puts(tile);
            let sight = Sight::new(kingdom);
            let eye = Eye::new(kingdom, &sight, tile, weights);
            for put in Places::of(puts) {
                self.scratch.push((eye.worth(put), put));
            }
        }
        self.scratch.sort_by(|a, b| b.0.total_cmp(&a.0));
        if self.scratch.is_empty() {
            self.nodes.push(Node::new(0, 0.0));
        }
        let top = self.scratch.first().map_or(0.0, |s| s.0);
        for &(worth, put) in &self.scratch {
            let bias = weights.bias * (worth - top).max(-20.0);
            self.nodes.push(Node::new(put.index() as u16 + 1, bias));
        }
        self.nodes[node].first = first as u32;
        self.nodes[node].len = (self.nodes.len() - first) as u16;
    }

    #[inline(always)]
    fn select(&self, node: usize, weights: &Weights, widening: bool) -> usize {
        let n = &self.nodes[node];
        let visits = n.visits as f32;
        let mut shown = n.len as usize;
        if widening {
            shown = shown.min(2 + (weights.widen * visits.sqrt()) as usize);
        }
        let first = n.first as usize;
        let log = (visits + 1.0).ln();
        let mut best = (f32::NEG_INFINITY, first);
        for (i, child) in self.nodes[first..first + shown].iter().enumerate() {
            if child.visits == 0 {
                return first + i;
            }
            let share = 1.0 / child.visits as f32;
            let score = (child.sum + child.bias) * share + weights.explore * (log * share).sqrt();
            if score > best.0 {
                best = (score, first + i);
            }
        }
        best.1
    }

    /// The most visited tile, and its most visited placement.
    fn answer(&self) -> Found {
        let most = |node: usize| {
            self.children(node)
                .max_by_key(|&c| (self.nodes[c].visits, core::cmp::Reverse(c)))
                .unwrap_or(node)
        };
        let slot = most(self.root);
        let put = most(slot);
        let n = &self.nodes[put];
        Found {
            action: self.action(slot, put),
            value: n.sum / n.visits.max(1) as f32,
            iterations: self.done,
            visits: n.visits,
        }
    }
}

/// Values of a finished game: the margin over the best other seat through x / (1 + |x|), a sigmoid without
/// a call.
#[inline(always)]
fn values<const N: usize>(state: &State<N>, scale: f32) -> [f32; N] {
    let scores = state.kingdoms.map(|k| k.score() as f32);
    core::array::from_fn(|me| {
        let mut other = 0.0f32;
        for (seat, &score) in scores.iter().enumerate() {
            other = if seat == me { other } else { other.max(score) };
        }
        let x = (scores[me] - other) / scale;
        0.5 + 0.5 * x / (1.0 + x.abs())
    })
}
