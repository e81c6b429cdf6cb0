//! A small tree search for games where seats move in turn: PUCT, max^n, and seats that are foretold.
//!
//! Every seat that decides maximises its own mean payoff over moves listed by [`Lists`], likeliest first.
//! A foretold seat decides nothing: its move is drawn evenly from its list, so that its nodes are chance
//! nodes and the others plan against a habit. Leaves are valued where a deciding seat is on turn.
//!
//! Handles: any number of seats, fixed work and deadlines. Not here (see [`crate::search::mcts`]): hidden
//! parts, simultaneous moves, proofs, reuse between moves, other formulas. It is a small part of that
//! search's text, which counts where a bot is one file. All memory is taken at construction; a full tree
//! is searched on without new nodes. The same seed and work give the same answer.

use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;
use crate::search::game::Game;
use crate::search::policy::Leaf;

/// Iterations between two looks at the clock.
const POLL: u64 = 16;
/// Longest path in plies.
const LONGEST: usize = 1024;

/// What is expected of moves before they are tried.
pub trait Lists<G: Game<N>, const N: usize> {
    /// True where the seat follows a habit: its moves are drawn, not chosen.
    fn foretold(&self, seat: usize) -> bool;

    /// Appends the moves worth looking at (at least one) with their shares of the probability, which
    /// never rise. For a foretold seat: the moves it draws from, each as likely.
    fn list<L: Level>(&mut self, state: &G, seat: usize, root: bool, out: &mut Vec<(f32, G::Move)>);
}

/// One move of a node, and where the moves after it are.
#[derive(Clone, Copy, Debug)]
pub struct Edge<M> {
    /// The move.
    pub mv: M,
    len: u16,
    first: u32,
    /// Iterations that went through.
    pub visits: u32,
    /// Sum of the payoffs of the seat that moved.
    pub sum: f32,
    prior: f32,
}

impl<M> Edge<M> {
    #[inline(always)]
    fn run(&self) -> core::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M, const N: usize> {
    /// The move looked at most; `None` only where the game is over.
    pub best: Option<M>,
    /// Mean payoff per seat over all iterations.
    pub value: [f32; N],
    /// Iterations.
    pub iterations: u64,
    /// Longest path, in plies.
    pub depth: usize,
    /// Edges in use.
    pub nodes: usize,
}

/// The search: tree, buffers and opinions.
pub struct Puct<G: Game<N>, V, P, const N: usize> {
    /// Weight of exploration, in units of payoff.
    pub explore: f32,
    /// A move not tried counts as the mean of those tried less this much.
    pub unseen: f32,
    /// A foretold seat draws from `1 + widen * sqrt(visits)` of its moves, in a random order of its own.
    pub widen: f32,
    /// Part of a payoff lost with each ply to it: of two ways to the same end the shorter is better.
    pub haste: f32,
    /// What leaves are worth.
    pub leaf: V,
    /// What moves are expected.
    pub lists: P,
    edges: Vec<Edge<G::Move>>,
    path: Vec<(u32, usize)>,
    moves: Vec<(f32, G::Move)>,
    sums: [f32; N],
    deepest: usize,
    done: u64,
    rng: Rng,
}

impl<G: Game<N>, V: Leaf<G, N>, P: Lists<G, N>, const N: usize> Puct<G, V, P, N> {
    /// A search with room for `edges` edges.
    pub fn new(explore: f32, unseen: f32, leaf: V, lists: P, edges: usize, seed: u64) -> Self {
        Self {
            explore,
            unseen,
            widen: 1.0,
            haste: 0.0,
            leaf,
            lists,
            edges: Vec::with_capacity(edges.max(1)),
            path: Vec::with_capacity(LONGEST),
            moves: Vec::with_capacity(1024),
            sums: [0.0; N],
            deepest: 0,
            done: 0,
            rng: Rng::new(seed),
        }
    }

    /// Searches for the seat on turn until the limit, at least one iteration; it must not be foretold.
    pub fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move, N> {
        self.edges.clear();
        self.edges.push(Edge {
            mv: G::Move::default(),
            len: 0,
            first: 0,
            visits: 0,
            sum: 0.0,
            prior: 1.0,
        });
        (self.sums, self.deepest, self.done) = ([0.0; N], 0, 0);
        if !state.is_over() {
            cpu::run(Run {
                search: self,
                state,
                limit,
            });
        }
        // Ties go to the likelier move.
        let best = self.root_moves().iter().rev().max_by_key(|e| e.visits);
        Found {
            best: best.map(|e| e.mv),
            value: self.sums.map(|sum| sum / self.done.max(1) as f32),
            iterations: self.done,
            depth: self.deepest,
            nodes: self.edges.len(),
        }
    }

    /// The moves of the position last searched, likeliest first.
    pub fn root_moves(&self) -> &[Edge<G::Move>] {
        self.edges.first().map_or(&[], |root| &self.edges[root.run()])
    }

    /// The line looked at most, as far as `out` has room.
    pub fn line(&self, out: &mut Vec<G::Move>) {
        let mut node = 0;
        while out.len() < out.capacity() {
            let run = self.edges[node].run();
            match run.max_by_key(|&i| self.edges[i].visits) {
                Some(best) if self.edges[best].visits > 0 => {
                    out.push(self.edges[best].mv);
                    node = best;
                }
                _ => return,
            }
        }
    }

    /// One iteration: down to a leaf, its value, back up.
    #[inline(always)]
    fn iterate<L: Level>(&mut self, root: &G) {
        let mut state = root.clone();
        let mut node = 0;
        self.path.clear();
        let mut payoff = loop {
            if state.is_over() {
                break state.payoff();
            }
            let seat = state.to_move();
            let drawn = self.lists.foretold(seat);
            let Edge { len, visits, .. } = self.edges[node];
            if len == 0 {
                let leaf = visits == 0 && node != 0 && !drawn;
                if leaf || self.path.len() >= LONGEST || !self.grow::<L>(node, seat, &state) {
                    break self.leaf.value::<L>(&mut state, &mut self.rng);
                }
            }
            let run = self.edges[node].run();
            let edge = if drawn {
                let shown = 1 + (self.widen * (visits as f32).sqrt()) as u32;
                run.start + self.rng.below(shown.min(run.len() as u32)) as usize
            } else {
                self.choose(run, visits)
            };
            let mut joint = [G::Move::default(); N];
            joint[seat] = self.edges[edge].mv;
            state.advance(&joint, &mut self.rng);
            self.path.push((edge as u32, seat));
            node = edge;
        };
        let kept = (1.0 - self.haste * self.path.len() as f32).max(0.0);
        for payoff in &mut payoff {
            *payoff *= kept;
        }
        self.edges[0].visits += 1;
        for &(edge, seat) in &self.path {
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.sum += payoff[seat];
        }
        for (sum, p) in self.sums.iter_mut().zip(payoff) {
            *sum += p;
        }
        self.deepest = self.deepest.max(self.path.len());
    }

    /// The move of a run with the largest mean plus exploration. Moves not tried yet all count alike but
    /// for their priors, which fall: the first of them speaks for all.
    #[inline(always)]
    fn choose(&self, run: core::ops::Range<usize>, visits: u32) -> usize {
        let edges = &self.edges[run.clone()];
        let scale = self.explore * (visits.max(1) as f32).sqrt();
        let mut best = (f32::MIN, 0);
        let (mut sum, mut tried) = (0.0, 0);
        for (i, edge) in edges.iter().enumerate() {
            if edge.visits == 0 {
                let mean = if tried == 0 { 0.5 } else { sum / tried as f32 };
                if mean - self.unseen + scale * edge.prior > best.0 {
                    best.1 = i;
                }
                break;
            }
            let n = edge.visits as f32;
            let score = edge.sum / n + scale * edge.prior / (1.0 + n);
            if score > best.0 {
                best = (score, i);
            }
            sum += edge.sum;
            tried += edge.visits;
        }
        run.start + best.1
    }

    /// Gives a node its moves; `false` where there is no room.
    #[inline(always)]
    fn grow<L: Level>(&mut self, node: usize, seat: usize, state: &G) -> bool {
        self.moves.clear();
        self.lists.list::<L>(state, seat, node == 0, &mut self.moves);
        let first = self.edges.len();
        if first + self.moves.len() > self.edges.capacity() {
            return false;
        }
        if self.lists.foretold(seat) {
            self.rng.shuffle(&mut self.moves);
        }
        for &(prior, mv) in &self.moves {
            self.edges.push(Edge {
                mv,
                len: 0,
                first: 0,
                visits: 0,
                sum: 0.0,
                prior,
            });
        }
        self.edges[node].first = first as u32;
        self.edges[node].len = self.moves.len() as u16;
        true
    }
}

/// The whole search as a kernel.
struct Run<'a, G: Game<N>, V, P, const N: usize> {
    search: &'a mut Puct<G, V, P, N>,
    state: &'a G,
    limit: Limit,
}

impl<G: Game<N>, V: Leaf<G, N>, P: Lists<G, N>, const N: usize> Kernel for Run<'_, G, V, P, N> {
    type Out = ();

    #[inline(always)]
    fn run<L: Level>(self) {
        loop {
            self.search.iterate::<L>(self.state);
            self.search.done += 1;
            let done = self.search.done;
            if done >= self.limit.work || done % POLL == 0 && self.limit.reached(done) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lists, Puct};
    use crate::kit::clock::Limit;
    use crate::kit::cpu::Level;
    use crate::kit::rng::Rng;
    use crate::search::game::Game;
    use crate::search::policy::Leaf;

    /// Three seats take 1 to 3 of a heap in turn; whoever takes the last wins all.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Heap {
        left: u8,
        seat: usize,
    }

    impl Game<3> for Heap {
        type Move = u8;

        fn is_over(&self) -> bool {
            self.left == 0
        }

        fn payoff(&self) -> [f32; 3] {
            let mut payoff = [0.0; 3];
            payoff[(self.seat + 2) % 3] = 1.0;
            payoff
        }

        fn to_move(&self) -> usize {
            self.seat
        }

        fn moves(&self, _: usize, out: &mut Vec<u8>) {
            out.extend(1..=self.left.min(3));
        }

        fn advance(&mut self, joint: &[u8; 3], _: &mut Rng) {
            self.left -= joint[self.seat];
            self.seat = (self.seat + 1) % 3;
        }

        fn hash(&self) -> u64 {
            u64::from(self.left)
        }
    }

    /// Nothing is known of a leaf, every move is as likely, and some seats always take one.
    #[derive(Clone)]
    struct Blank {
        one: [bool; 3],
    }

    impl Leaf<Heap, 3> for Blank {
        fn value<L: Level>(&mut self, _: &mut Heap, _: &mut Rng) -> [f32; 3] {
            [1.0 / 3.0; 3]
        }
    }

    impl Lists<Heap, 3> for Blank {
        fn foretold(&self, seat: usize) -> bool {
            self.one[seat]
        }

        fn list<L: Level>(&mut self, state: &Heap, seat: usize, _: bool, out: &mut Vec<(f32, u8)>) {
            let most = if self.one[seat] { 1 } else { state.left.min(3) };
            out.extend((1..=most).map(|m| (1.0 / f32::from(most), m)));
        }
    }

    /// My best share of the heap against seats that always take one, by brute force.
    fn best(left: u8, seat: usize) -> f32 {
        if left == 0 {
            return f32::from(seat == 1);
        }
        if seat != 0 {
            return best(left - 1, (seat + 1) % 3);
        }
        (1..=left.min(3)).map(|m| best(left - m, 1)).fold(0.0, f32::max)
    }

    #[test]
    fn a_foretold_rival_is_planned_against() {
        let blank = Blank {
            one: [false, true, true],
        };
        for left in 1..=14 {
            let mut search = Puct::new(1.0, 0.0, blank.clone(), blank.clone(), 10_000, 1);
            let found = search.search(&Heap { left, seat: 0 }, Limit::work(3_000));
            let m = found.best.expect("a move");
            assert_eq!(best(left - m, 1), best(left, 0), "{left}: {m} {found:?}");
        }
    }

    /// Seven can be won in seven plies (one now) and in four (two or three now).
    #[test]
    fn haste_prefers_the_shorter_way_to_the_same_end() {
        let blank = Blank {
            one: [false, true, true],
        };
        let mut search = Puct::new(1.0, 0.0, blank.clone(), blank, 10_000, 1);
        search.haste = 0.05;
        let found = search.search(&Heap { left: 7, seat: 0 }, Limit::work(3_000));
        assert!(found.best.is_some_and(|m| m > 1), "{found:?}");
        let ours = search.root_moves();
        let mean = |m: u8| {
            let edge = ours.iter().find(|edge| edge.mv == m).expect("tried");
            edge.sum / edge.visits as f32
        };
        assert!((mean(2) - 0.8).abs() < 0.05 && mean(1) < 0.7, "{ours:?}");
    }

    #[test]
    fn a_small_tree_and_little_work_still_give_a_move() {
        let blank = Blank { one: [false; 3] };
        for edges in [1, 4, 5, 100] {
            let mut search = Puct::new(1.0, 0.0, blank.clone(), blank.clone(), edges, 1);
            let one = search.search(&Heap { left: 9, seat: 2 }, Limit::work(1));
            assert_eq!(one.best.is_some(), edges > 3, "{edges}");
            let many = search.search(&Heap { left: 9, seat: 2 }, Limit::work(2_000));
            assert!(many.nodes <= edges && many.iterations == 2_000);
        }
        let mut search = Puct::new(1.0, 0.0, blank.clone(), blank, 100, 1);
        assert_eq!(
            search.search(&Heap { left: 0, seat: 0 }, Limit::work(9)).best,
            None
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_answer() {
        let blank = Blank { one: [false; 3] };
        let run = || {
            let mut search = Puct::new(0.7, 0.0, blank.clone(), blank.clone(), 5_000, 7);
            search.search(&Heap { left: 13, seat: 1 }, Limit::work(2_500))
        };
        assert_eq!(run(), run());
    }
}
