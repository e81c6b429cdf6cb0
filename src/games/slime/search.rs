//! Monte-Carlo tree search with one value per seat (max^n).
//!
//! Every seat maximises its own expected share of the squares. Selection is PUCT with the priors of
//! [`Prior`]; a node's moves are opened in the order of their priors, so unseen moves cost nothing.
//! Nodes hold no boards; an iteration replays its path on a copy of the root.

use super::board::Board;
use super::moves::Move;
use super::prior::Prior;
use super::state::{State, SEATS};
use super::value::Net;
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::kit::cpu::{run, Kernel, Level};
use crate::kit::rng::Rng;

/// One move in the tree. `sum` is the value for the seat that made the move.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    visits: u32,
    sum: f32,
    prior: f32,
    play: Move,
    kids: u8,
    open: u8,
}

const _: () = assert!(size_of::<Node>() <= 20);

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub best: Move,
    /// Expected share for the seat on turn.
    pub value: f32,
    /// Mean of all iterations' values, per seat.
    pub shares: [f32; SEATS],
    /// Iterations done.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Most visited line.
    pub line: Vec<Move>,
}

/// A search and its memory.
#[derive(Clone, Debug)]
pub struct Search {
    weights: Weights,
    /// What moves are expected; may be replaced between searches.
    pub prior: Prior,
    /// What a leaf is worth; may be replaced between searches.
    pub net: Box<Net>,
    nodes: Vec<Node>,
    path: Vec<u32>,
    sums: [f64; SEATS],
    rng: Rng,
}

/// Longest line looked at.
const DEEPEST: usize = 96;
/// The tree stops growing here (20 bytes each).
const MOST_NODES: usize = 6_000_000;

impl Search {
    /// A search that answers the same for the same `seed`, position and work.
    pub fn new(weights: Weights, seed: u64) -> Self {
        Self {
            prior: Prior::learned(),
            net: Box::new(Net::learned()),
            weights,
            nodes: Vec::new(),
            path: Vec::with_capacity(DEEPEST),
            sums: [0.0; SEATS],
            rng: Rng::new(seed),
        }
    }

    /// Looks for the best move of the seat on turn of a game that is not over.
    pub fn best(&mut self, state: &State, limit: Limit) -> Report {
        run(Look {
            search: self,
            board: *state.board(),
            seat: state.seat(),
            limit,
        })
    }

    /// Adds the moves of node `at`, where `seat` is on turn.
    #[inline(always)]
    fn grow(&mut self, at: usize, board: &Board<SEATS>, seat: usize, width: usize) {
        let first = self.nodes.len();
        let nodes = &mut self.nodes;
        for &(prior, play) in self.prior.best(board, seat, width) {
            nodes.push(Node {
                first: 0,
                visits: 0,
                sum: 0.0,
                prior,
                play,
                kids: 0,
                open: 0,
            });
        }
        let kids = nodes.len() - first;
        nodes[at].first = first as u32;
        nodes[at].kids = kids as u8;
    }

    /// The child of `at` to look at next.
    #[inline(always)]
    fn select(&mut self, at: usize) -> usize {
        let node = self.nodes[at];
        let first = node.first as usize;
        let scale = self.weights.explore * (node.visits as f32).sqrt();
        let mut best = (f32::MIN, 0);
        let (mut visits, mut sum) = (0, 0.0);
        for (i, kid) in self.nodes[first..first + node.open as usize].iter().enumerate() {
            visits += kid.visits;
            sum += kid.sum;
            let n = kid.visits as f32;
            let score = kid.sum / n + scale * kid.prior / (1.0 + n);
            if score > best.0 {
                best = (score, i);
            }
        }
        if node.open < node.kids {
            let unseen = if visits == 0 {
                f32::MAX
            } else {
                sum / visits as f32 - self.weights.unseen
                    + scale * self.nodes[first + node.open as usize].prior
            };
            if unseen > best.0 {
                self.nodes[at].open += 1;
                return first + node.open as usize;
            }
        }
        first + best.1
    }

    /// What a leaf is worth to every seat: as many greedy turns as the weights say, then the network.
    #[inline(always)]
    fn value<L: Level>(&mut self, mut board: Board<SEATS>, mut seat: usize) -> [f32; SEATS] {
        for _ in 0..self.weights.plies {
            if board.empty == 0 {
                break;
            }
            board.greedy_turn::<L>(seat, &mut self.rng);
            seat = (seat + 1) % SEATS;
        }
        let counts = board.counts().map(|n| n as f32);
        let all = board.all().count_ones() as f32;
        if board.empty == 0 {
            return counts.map(|n| n / all);
        }
        let whole = self.weights.whole;
        let mut value = self.net.shares(&board, seat);
        for (value, n) in value.iter_mut().zip(counts) {
            *value += whole * (n / all - *value);
        }
        value
    }

    /// One iteration: down to a leaf, value it, back up.
    #[inline(always)]
    fn iterate<L: Level>(&mut self, mut board: Board<SEATS>, root: usize) {
        let mut seat = root;
        let mut at = 0;
        self.path.clear();
        while board.empty != 0 && self.path.len() < DEEPEST {
            let node = self.nodes[at];
            if node.kids == 0 {
                if node.visits < self.weights.grow_at || self.nodes.len() > MOST_NODES {
                    break;
                }
                self.grow(at, &board, seat, self.weights.width as usize);
            }
            at = self.select(at);
            board.play(seat, self.nodes[at].play);
            self.path.push(at as u32);
            seat = (seat + 1) % SEATS;
        }
        let value = self.value::<L>(board, seat);
        let mut mover = root;
        self.nodes[0].visits += 1;
        for (sum, v) in self.sums.iter_mut().zip(value) {
            *sum += f64::from(v);
        }
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.sum += value[mover];
            mover = (mover + 1) % SEATS;
        }
    }

    /// Moves at the root that were looked at, with how often.
    pub fn visits(&self) -> impl Iterator<Item = (Move, u32)> + '_ {
        let root = self.nodes[0];
        let first = root.first as usize;
        self.nodes[first..first + root.open as usize]
            .iter()
            .map(|kid| (kid.play, kid.visits))
    }

    /// The most visited child of `at`.
    fn favourite(&self, at: usize) -> Option<usize> {
        let first = self.nodes[at].first as usize;
        (first..first + self.nodes[at].open as usize).max_by_key(|&kid| self.nodes[kid].visits)
    }
}

struct Look<'a> {
    search: &'a mut Search,
    board: Board<SEATS>,
    seat: usize,
    limit: Limit,
}

impl Kernel for Look<'_> {
    type Out = Report;

    #[inline(always)]
    fn run<L: Level>(self) -> Report {
        let search = self.search;
        search.sums = [0.0; SEATS];
        search.nodes.clear();
        search.nodes.push(Node {
            first: 0,
            visits: 0,
            sum: 0.0,
            prior: 1.0,
            play: Move::PASS,
            kids: 0,
            open: 0,
        });
        search.grow(0, &self.board, self.seat, 250);
        let mut iterations = 0;
        // A node that can only pass needs no search.
        if search.nodes[0].kids > 1 {
            while iterations % 16 != 0 || !self.limit.reached(iterations) {
                search.iterate::<L>(self.board, self.seat);
                iterations += 1;
            }
        }
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(kid) = search.favourite(at) {
            line.push(search.nodes[kid].play);
            at = kid;
        }
        let best = search.favourite(0).map(|kid| search.nodes[kid]);
        Report {
            best: best.map_or(Move::PASS, |kid| kid.play),
            value: best.map_or(0.0, |kid| kid.sum / kid.visits.max(1) as f32),
            shares: search.sums.map(|sum| (sum / iterations.max(1) as f64) as f32),
            iterations,
            nodes: search.nodes.len(),
            line,
        }
    }
}
