//! Alpha-beta for more than two seats, and expectation over draws.
//!
//! Handles: max^n (everybody for himself, values per seat), paranoid (all others against me: a zero-sum
//! search with alpha-beta), Best-Reply Search (between my moves only the most harmful single reply of all
//! others is played, the rest pass), expectimax (draws as nodes of their own, for any number of seats),
//! iterative deepening under a limit, exact values when the game ends within the depth. Does not handle:
//! simultaneous moves, hidden hands, transpositions.
//!
//! Worth on slime, all with one network at 2 ms an answer, 400 games, squares of 64: paranoid 16.0 +- 0.9, max^n 13.1
//! +- 0.8, best reply 11.9 +- 0.8; the max^n tree of [`super::puct`] among them 22.6 +- 0.9 (`cargo run --release -p
//! fifty-tools --example slime_rivals -- 400 2`).
//!
//! Memory: one list of moves for all plies, taken by [`Multi::new`]; a search allocates nothing as long as
//! no position has more moves than announced. Values are per seat, `0.0..=1.0`.

use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};

/// Plies that a search can look ahead.
pub const MAX_PLY: usize = 64;

/// A game for `N` seats as this search needs it: copied, not undone. Hot methods `#[inline(always)]`.
pub trait Seats<const N: usize>: Clone {
    /// A move, or one outcome of a draw.
    type Move: Copy + Eq + Default + core::fmt::Debug;

    /// The game is over: payoff per seat.
    fn result(&self) -> Option<[f32; N]>;

    /// The seat that chooses; `None` where a draw comes next.
    fn mover(&self) -> Option<usize>;

    /// Appends the legal moves of the mover, best guesses first.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Appends the outcomes of the draw with their probabilities, which sum to 1.
    #[inline(always)]
    fn draws(&self, out: &mut Vec<(f32, Self::Move)>) {
        let _ = out;
    }

    /// Plays the mover's move, or lets the draw fall so.
    fn play(&mut self, m: Self::Move);

    /// The mover passes: for Best-Reply Search, also where the rules know no pass.
    #[inline(always)]
    fn skip(&mut self) {}

    /// Static value per seat.
    fn evaluate<L: Level>(&self) -> [f32; N];
}

/// How the others are taken to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Each for himself: max^n, with shallow pruning where payoffs sum to at most 1.
    Themselves,
    /// All against me, one after the other.
    Paranoid,
    /// All against me, but only one of them moves between two moves of mine.
    BestReply,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M, const N: usize> {
    /// The best move; `None` only where the game is over or a draw comes next.
    pub best: Option<M>,
    /// Value per seat (paranoid and best reply: the asking seat's entry alone means something).
    pub value: [f32; N],
    /// Plies of the last finished iteration.
    pub depth: usize,
    /// Positions visited.
    pub nodes: u64,
    /// No evaluation had a part in it: exact under the assumption about the others.
    pub proven: bool,
}

/// The search: buffers, reused from move to move.
pub struct Multi<S: Seats<N>, const N: usize> {
    /// How the others are taken to play; may be changed between searches.
    pub others: Others,
    /// Last depth of the deepening, in plies.
    pub last_depth: usize,
    /// Nodes between two looks at the clock.
    pub poll: u64,
    stack: Vec<S::Move>,
    draws: Vec<(f32, S::Move)>,
    me: usize,
    nodes: u64,
    limit: Limit,
    stopped: bool,
    horizon: bool,
}

impl<S: Seats<N>, const N: usize> Multi<S, N> {
    /// Buffers for positions of up to `widest` moves, and draws of up to `widest` outcomes.
    pub fn new(others: Others, widest: usize) -> Self {
        Self {
            others,
            last_depth: MAX_PLY,
            poll: 64,
            stack: Vec::with_capacity(widest * (N + 1) * MAX_PLY),
            draws: Vec::with_capacity(widest * MAX_PLY),
            me: 0,
            nodes: 0,
            limit: Limit::work(0),
            stopped: false,
            horizon: false,
        }
    }

    /// Searches for the mover until the limit, the last depth, or an exact value. Always finds a legal
    /// move if there is one, however small the limit.
    pub fn search(&mut self, state: &S, limit: Limit) -> Found<S::Move, N> {
        self.limit = limit;
        self.nodes = 0;
        self.stopped = false;
        self.stack.clear();
        self.draws.clear();
        cpu::run(Deepen { search: self, state })
    }

    #[inline(always)]
    fn deepen<L: Level>(&mut self, state: &S) -> Found<S::Move, N> {
        let mut found = Found {
            best: None,
            value: [0.0; N],
            depth: 0,
            nodes: 0,
            proven: false,
        };
        if let Some(value) = state.result() {
            (found.value, found.proven) = (value, true);
            return found;
        }
        let Some(me) = state.mover() else { return found };
        self.me = me;
        state.moves(&mut self.stack);
        found.best = self.stack.first().copied();
        let count = self.stack.len();
        for depth in 1..=self.last_depth.min(MAX_PLY - 1) {
            self.horizon = false;
            let mut best = [f32::NEG_INFINITY; N];
            let mut best_at = None;
            for i in 0..count {
                let mut next = state.clone();
                next.play(self.stack[i]);
                let floor = best[me];
                let value = self.node::<L>(&next, depth - 1, floor, f32::INFINITY, me);
                if self.stopped {
                    break;
                }
                if value[me] > best[me] {
                    (best, best_at) = (value, Some(i));
                }
            }
            if let Some(i) = best_at {
                // Also from an unfinished iteration: the best move of the last one was looked at first.
                found.best = Some(self.stack[i]);
                found.value = best;
                if !self.stopped {
                    found.depth = depth;
                    found.proven = !self.horizon;
                }
                self.stack[..=i].rotate_right(1);
            }
            if self.stopped || found.proven {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// Enters one node at this level's instruction set. `alpha` and `beta` bound my value; `last` is the
    /// seat that chose the move here.
    #[inline(always)]
    fn node<L: Level>(&mut self, state: &S, depth: usize, alpha: f32, beta: f32, last: usize) -> [f32; N] {
        L::enter(Node {
            search: self,
            state,
            depth,
            alpha,
            beta,
            last,
        })
    }

    #[inline(always)]
    fn visit<L: Level>(&mut self, state: &S, depth: usize, alpha: f32, beta: f32, last: usize) -> [f32; N] {
        self.nodes += 1;
        if self.nodes > self.limit.work
            || (self.nodes % self.poll.max(1) == 0 && self.limit.reached(self.nodes))
        {
            self.stopped = true;
            return [0.0; N];
        }
        if let Some(value) = state.result() {
            return value;
        }
        let Some(mover) = state.mover() else {
            return self.expect::<L>(state, depth, last);
        };
        if depth == 0 {
            self.horizon = true;
            return state.evaluate::<L>();
        }
        if self.others == Others::Themselves {
            return self.for_himself::<L>(state, depth, alpha, last, mover);
        }
        if mover == self.me {
            return self.mine::<L>(state, depth, alpha, beta);
        }
        if self.others == Others::BestReply {
            return self.best_reply::<L>(state, depth, alpha, beta);
        }
        let base = self.stack.len();
        state.moves(&mut self.stack);
        let value = self.worst::<L>(state, base, depth, alpha, beta, [f32::INFINITY; N]);
        self.stack.truncate(base);
        value
    }

    /// The mean over the outcomes of a draw, which costs no depth. Bounds do not pass through a mean.
    #[inline(always)]
    fn expect<L: Level>(&mut self, state: &S, depth: usize, last: usize) -> [f32; N] {
        let base = self.draws.len();
        state.draws(&mut self.draws);
        let mut mean = [0.0; N];
        for i in base..self.draws.len() {
            let (p, outcome) = self.draws[i];
            let mut next = state.clone();
            next.play(outcome);
            let value = self.node::<L>(&next, depth, f32::NEG_INFINITY, f32::INFINITY, last);
            for (m, v) in mean.iter_mut().zip(value) {
                *m += p * v;
            }
        }
        self.draws.truncate(base);
        mean
    }

    /// max^n: the mover takes what is best for himself. `floor` is what the seat that moved here has
    /// already; once the mover's share leaves less than that, the rest cannot matter to it.
    #[inline(always)]
    fn for_himself<L: Level>(
        &mut self,
        state: &S,
        depth: usize,
        floor: f32,
        last: usize,
        mover: usize,
    ) -> [f32; N] {
        let base = self.stack.len();
        state.moves(&mut self.stack);
        let mut best = [f32::NEG_INFINITY; N];
        for i in base..self.stack.len() {
            let mut next = state.clone();
            next.play(self.stack[i]);
            let value = self.node::<L>(&next, depth - 1, best[mover], f32::INFINITY, mover);
            if self.stopped {
                break;
            }
            if value[mover] > best[mover] {
                best = value;
                // Shares sum to at most 1: `last` gets at most what the mover leaves.
                if mover != last && 1.0 - best[mover] <= floor {
                    best[last] = best[last].min(1.0 - best[mover]);
                    break;
                }
            }
        }
        self.stack.truncate(base);
        best
    }

    /// I take what is best for me.
    #[inline(always)]
    fn mine<L: Level>(&mut self, state: &S, depth: usize, mut alpha: f32, beta: f32) -> [f32; N] {
        let base = self.stack.len();
        state.moves(&mut self.stack);
        let me = self.me;
        let mut best = [f32::NEG_INFINITY; N];
        for i in base..self.stack.len() {
            let mut next = state.clone();
            next.play(self.stack[i]);
            let value = self.node::<L>(&next, depth - 1, alpha, beta, me);
            if self.stopped {
                break;
            }
            if value[me] > best[me] {
                best = value;
                alpha = alpha.max(value[me]);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        best
    }

    /// One opponent takes what is worst for me, starting from `worst`.
    #[inline(always)]
    fn worst<L: Level>(
        &mut self,
        state: &S,
        base: usize,
        depth: usize,
        alpha: f32,
        mut beta: f32,
        mut worst: [f32; N],
    ) -> [f32; N] {
        let me = self.me;
        beta = beta.min(worst[me]);
        for i in base..self.stack.len() {
            if alpha >= beta {
                break;
            }
            let mut next = state.clone();
            next.play(self.stack[i]);
            if self.others == Others::BestReply {
                pass_to(&mut next, me);
            }
            let value = self.node::<L>(&next, depth - 1, alpha, beta, me);
            if self.stopped {
                break;
            }
            if value[me] < worst[me] {
                worst = value;
                beta = beta.min(value[me]);
            }
        }
        worst
    }

    /// The most harmful single reply of all opponents; those before and after it pass.
    #[inline(always)]
    fn best_reply<L: Level>(&mut self, state: &S, depth: usize, alpha: f32, beta: f32) -> [f32; N] {
        let mut worst = [f32::INFINITY; N];
        let mut turn = state.clone();
        for _ in 0..N {
            match turn.mover() {
                Some(seat) if seat != self.me => {}
                _ => break,
            }
            let base = self.stack.len();
            turn.moves(&mut self.stack);
            worst = self.worst::<L>(&turn, base, depth, alpha, beta, worst);
            self.stack.truncate(base);
            if self.stopped || worst[self.me] <= alpha {
                break;
            }
            turn.skip();
            if turn.result().is_some() {
                break;
            }
        }
        worst
    }
}

/// Everybody passes until it is my turn, or the game is over.
#[inline(always)]
fn pass_to<S: Seats<N>, const N: usize>(state: &mut S, me: usize) {
    for _ in 0..N {
        match state.mover() {
            Some(seat) if seat != me && state.result().is_none() => state.skip(),
            _ => return,
        }
    }
}

/// The whole search as a kernel.
struct Deepen<'a, S: Seats<N>, const N: usize> {
    search: &'a mut Multi<S, N>,
    state: &'a S,
}

impl<S: Seats<N>, const N: usize> Kernel for Deepen<'_, S, N> {
    type Out = Found<S::Move, N>;
    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        self.search.deepen::<L>(self.state)
    }
}

/// One node as a kernel: recursion enters the level again.
struct Node<'a, S: Seats<N>, const N: usize> {
    search: &'a mut Multi<S, N>,
    state: &'a S,
    depth: usize,
    alpha: f32,
    beta: f32,
    last: usize,
}

impl<S: Seats<N>, const N: usize> Kernel for Node<'_, S, N> {
    type Out = [f32; N];
    #[inline(always)]
    fn run<L: Level>(self) -> [f32; N] {
        self.search
            .visit::<L>(self.state, self.depth, self.alpha, self.beta, self.last)
    }
}
