//! A minimal tree search written by hand for connect four alone: what the generic one is measured against.
//!
//! UCT with random playouts and a win/loss solver in an arena of 16-byte nodes; no reuse, no cap, no
//! options. Values are those of the side that moved into the node.

use crate::game::{aligned, Connect4};
use fifty::kit::cpu::{Kernel, Level};
use fifty::kit::rng::Rng;

#[derive(Clone, Copy)]
struct Node {
    visits: u32,
    sum: f32,
    first: u32,
    children: u8,
    column: u8,
    /// 0 open, 1 won, 2 lost, 3 drawn for the side that moved here.
    known: u8,
}

const _: () = assert!(size_of::<Node>() == 16);

/// A fresh search of so many iterations from a position; returns the best column and the visits of it.
pub struct Hand {
    /// Where it starts.
    pub root: Connect4,
    /// Playouts.
    pub iterations: u32,
    /// Of the playouts.
    pub seed: u64,
}

impl Kernel for Hand {
    type Out = (u8, u32);

    #[inline(always)]
    fn run<L: Level>(self) -> (u8, u32) {
        let mut rng = Rng::new(self.seed);
        let mut nodes = Vec::with_capacity(7 * self.iterations as usize + 8);
        nodes.push(node(0));
        let mut path = [0u32; 48];
        for _ in 0..self.iterations {
            iterate::<L>(&mut nodes, self.root, &mut path, &mut rng);
            if nodes[0].known != 0 {
                break;
            }
        }
        let run = nodes[0].first as usize..nodes[0].first as usize + nodes[0].children as usize;
        let best = &nodes[run]
            .iter()
            .max_by_key(|n| (n.known == 1, n.known != 2, n.visits))
            .copied();
        best.map_or((0, 0), |n| (n.column, n.visits))
    }
}

fn node(column: u8) -> Node {
    Node {
        visits: 0,
        sum: 0.0,
        first: 0,
        children: 0,
        column,
        known: 0,
    }
}

#[inline(always)]
fn iterate<L: Level>(nodes: &mut Vec<Node>, mut state: Connect4, path: &mut [u32; 48], rng: &mut Rng) {
    let mut at = 0u32;
    let mut depth = 0;
    // The value of the leaf for the side that moved into it.
    let mut value = loop {
        path[depth] = at;
        depth += 1;
        let n = nodes[at as usize];
        if n.known != 0 {
            break [0.0, 1.0, 0.0, 0.5][n.known as usize];
        }
        if n.visits == 0 {
            if state.finished() {
                let won = aligned(state.mine ^ state.all);
                nodes[at as usize].known = if won { 1 } else { 3 };
                prove(nodes, &path[..depth]);
                break if won { 1.0 } else { 0.5 };
            }
            break 1.0 - state.playout::<L>(rng);
        }
        if n.children == 0 {
            expand(nodes, at, state);
        }
        at = select(nodes, at);
        let column = nodes[at as usize].column;
        state.drop_on(state.landing() & (63 << (7 * column)));
    };
    for &i in path[..depth].iter().rev() {
        let n = &mut nodes[i as usize];
        n.visits += 1;
        n.sum += value;
        value = 1.0 - value;
    }
}

#[inline(always)]
fn expand(nodes: &mut Vec<Node>, at: u32, state: Connect4) {
    nodes[at as usize].first = nodes.len() as u32;
    for column in [3, 2, 4, 1, 5, 0, 6] {
        if state.landing() & (63 << (7 * column)) != 0 {
            nodes.push(node(column));
            nodes[at as usize].children += 1;
        }
    }
}

#[inline(always)]
fn select(nodes: &[Node], at: u32) -> u32 {
    let parent = nodes[at as usize];
    let ln = (parent.visits as f32).ln();
    let (mut best, mut best_score) = (parent.first, f32::NEG_INFINITY);
    for i in parent.first..parent.first + u32::from(parent.children) {
        let n = &nodes[i as usize];
        if n.visits == 0 {
            return i;
        }
        let share = 1.0 / n.visits as f32;
        let score = if n.known == 2 {
            -1.0
        } else {
            n.sum * share + (ln * share).sqrt()
        };
        if score > best_score {
            (best, best_score) = (i, score);
        }
    }
    best
}

/// Up the path while a result follows: a lost child wins nothing, all children known decide.
#[inline(always)]
fn prove(nodes: &mut [Node], path: &[u32]) {
    for pair in path.windows(2).rev() {
        let child = nodes[pair[1] as usize].known;
        let parent = nodes[pair[0] as usize];
        let run = parent.first as usize..parent.first as usize + parent.children as usize;
        let known = if child == 1 {
            2
        } else if nodes[run.clone()].iter().any(|n| n.known == 0) {
            return;
        } else if nodes[run].iter().any(|n| n.known == 3) {
            3
        } else {
            1
        };
        nodes[pair[0] as usize].known = known;
    }
}
