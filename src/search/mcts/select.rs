//! Which move a seat tries next, and the listing of moves at a new node.
//!
//! UCT: mean + c sqrt(ln N / n). PUCT: mean + c prior sqrt(N) / (1 + n). Progressive bias adds
//! weight * prior / (1 + n) to UCT. Where parts are hidden N is how often the move was available.

use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::game::Game;
use crate::search::mcts::pool::Edge;
use crate::search::mcts::{FirstPlay, Mcts};
use crate::search::policy::{Leaf, Prior, PriorKind};

/// Above any value and any bonus: a move to be tried before all others.
const AT_ONCE: f32 = 1e6;

/// What is the same for all moves of one node.
#[derive(Clone, Copy)]
struct Scale {
    /// c sqrt(ln N) for UCT, c sqrt(N) for PUCT.
    explore: f32,
    /// Value of a move not tried.
    first: f32,
    seat: usize,
}

impl<G: Game<N>, V: Leaf<G, N>, P: Prior<G, N>, const N: usize> Mcts<G, V, P, N> {
    /// The edge `seat` tries next at a node: `head` has its list of moves, `node` the visits. Lists the
    /// moves first where needed. `None` where the pool is full.
    #[inline(always)]
    pub(super) fn choose<L: Level>(&mut self, node: u32, head: u32, seat: usize, state: &G) -> Option<u32> {
        let listed = if G::HIDDEN {
            self.offer::<L>(head, seat, state)
        } else {
            !self.pool.edges[head as usize].is_empty() || self.list_moves::<L>(head, seat, state)
        };
        if !listed {
            return None;
        }
        let parent = self.pool.edges[node as usize].visits.max(1);
        let visits = parent as f32;
        let c = self.params.exploration;
        let mut scale = Scale {
            explore: if P::KIND == PriorKind::Puct {
                c * visits.sqrt()
            } else {
                c * self.roots.of(parent).log
            },
            first: AT_ONCE,
            seat,
        };
        let e = &self.pool.edges[head as usize];
        scale.first = match self.params.first_play {
            FirstPlay::All => AT_ONCE,
            FirstPlay::Value(value) => value,
            FirstPlay::Below(less) => self.mean_tried(e) - less,
        };
        let mut rng = if G::SIMULTANEOUS {
            self.rng.fork()
        } else {
            Rng::new(0)
        };
        let mut best = i64::MIN;
        if G::HIDDEN {
            for &i in &self.legal {
                let score = self.score(&self.pool.edges[i as usize], i as usize, &scale, &mut rng);
                best = best.max(ranked(score, i));
            }
            return Some(index_of(best));
        }
        let mut shown = e.len();
        if self.params.widen > 0.0 {
            shown = shown.min(1 + (self.params.widen * visits.sqrt()) as usize);
        }
        let first = e.first as usize;
        for (i, edge) in self.pool.edges[first..first + shown].iter().enumerate() {
            let score = self.score(edge, first + i, &scale, &mut rng);
            best = best.max(ranked(score, (first + i) as u32));
            // The rest is not tried either, and expected to be no better.
            let in_order = P::LISTS || P::KIND == PriorKind::None && scale.first == AT_ONCE;
            if in_order && edge.visits == 0 {
                break;
            }
        }
        if self.params.widen > 0.0 && self.pool.edges[index_of(best) as usize].sum < 0.0 {
            // All shown moves are lost: the next one.
            let mut run = self.pool.edges[head as usize].run();
            return run
                .find(|&i| self.pool.edges[i].sum >= 0.0)
                .map(|i| i as u32)
                .or(Some(index_of(best)));
        }
        Some(index_of(best))
    }

    /// How much a seat wants to try an edge now; minus infinity for a move lost for certain.
    #[inline(always)]
    fn score(&self, edge: &Edge<G::Move>, i: usize, scale: &Scale, rng: &mut Rng) -> f32 {
        let bonus = match P::KIND {
            PriorKind::None => 0.0,
            PriorKind::Puct => scale.explore * self.pool.prior[i] / (1.0 + edge.visits as f32),
            PriorKind::Bias => self.params.bias * self.pool.prior[i] / (1.0 + edge.visits as f32),
        };
        if edge.visits == 0 {
            return scale.first + bonus;
        }
        let n = self.roots.of(edge.visits);
        let mut value = edge.sum * n.share;
        if V::HEURISTIC {
            let a = self.params.implicit;
            value = (1.0 - a) * value + a * self.pool.heuristic[i][scale.seat];
        }
        if P::KIND == PriorKind::Puct {
            return value + bonus;
        }
        let mut width = scale.explore * n.root;
        if G::HIDDEN {
            width = self.params.exploration * self.roots.of(self.pool.available[i]).log * n.root;
        }
        if G::SIMULTANEOUS {
            // Two seats that explore in step learn each other's rhythm instead of the game: matching
            // pennies "won" 199 to 1 without this.
            width *= 2.0 * rng.unit();
        }
        value + width + bonus
    }

    /// Mean payoff of the chooser over the moves tried so far; a draw where none was.
    fn mean_tried(&self, head: &Edge<G::Move>) -> f32 {
        let (mut sum, mut visits) = (0.0, 0);
        for e in &self.pool.edges[head.run()] {
            if P::LISTS && e.visits == 0 {
                break;
            }
            sum += e.sum.max(0.0);
            visits += e.visits;
        }
        if visits == 0 {
            0.5
        } else {
            sum / visits as f32
        }
    }

    /// Gives a node its moves (sorted by prior where widening wants that); `false` when the pool is full.
    #[inline(always)]
    pub(super) fn list_moves<L: Level>(&mut self, head: u32, seat: usize, state: &G) -> bool {
        self.moves.clear();
        if P::LISTS {
            self.priors.clear();
            self.prior
                .list::<L>(state, seat, &mut self.moves, &mut self.priors);
        } else {
            state.moves(seat, &mut self.moves);
        }
        if P::KIND != PriorKind::None && !P::LISTS {
            self.priors.clear();
            self.prior.priors::<L>(state, seat, &self.moves, &mut self.priors);
            if self.params.widen > 0.0 {
                self.sort_by_prior();
            }
        }
        let Some(first) = self.pool.allocate_moves(&self.moves) else {
            return false;
        };
        if P::KIND != PriorKind::None {
            let at = first as usize;
            self.pool.prior[at..at + self.priors.len()].copy_from_slice(&self.priors);
        }
        self.pool.edges[head as usize].set_run(first, self.moves.len());
        true
    }

    /// Moves and priors by falling prior, equal ones in the game's order.
    fn sort_by_prior(&mut self) {
        self.sorted.clear();
        self.sorted
            .extend(self.priors.iter().copied().zip(self.moves.iter().copied()));
        // Insertion sort: stable, and no allocation.
        for i in 1..self.sorted.len() {
            let mut j = i;
            while j > 0 && self.sorted[j - 1].0 < self.sorted[j].0 {
                self.sorted.swap(j - 1, j);
                j -= 1;
            }
        }
        for (i, &(prior, m)) in self.sorted.iter().enumerate() {
            self.priors[i] = prior;
            self.moves[i] = m;
        }
    }
}

/// A score and the edge it belongs to as one number that orders like the score, earlier edges first
/// among equals: one integer maximum per move instead of a float comparison and two selects.
#[inline(always)]
fn ranked(score: f32, edge: u32) -> i64 {
    let bits = score.to_bits() as i32;
    // Negative floats order backwards as integers.
    let bits = bits ^ ((bits >> 31) & i32::MAX);
    i64::from(bits) << 32 | i64::from(!edge)
}

/// The edge of [`ranked`].
#[inline(always)]
fn index_of(ranked: i64) -> u32 {
    !(ranked as u32)
}

/// What the formulas need of a number of visits.
#[derive(Clone, Copy)]
struct Roots {
    /// 1 / n.
    share: f32,
    /// 1 / sqrt(n).
    root: f32,
    /// sqrt(ln n).
    log: f32,
}

impl Roots {
    #[inline(always)]
    fn new(n: u32) -> Self {
        let share = 1.0 / n as f32;
        Self {
            share,
            root: share.sqrt(),
            log: ln(n as f32).sqrt(),
        }
    }
}

/// [`Roots`] of small numbers: computing them at every step of a descent was a third of an iteration.
pub(super) struct RootTable(Vec<Roots>);

impl RootTable {
    /// 12 kB.
    pub(super) fn new() -> Self {
        Self((0..1024).map(Roots::new).collect())
    }

    #[inline(always)]
    fn of(&self, n: u32) -> Roots {
        match self.0.get(n as usize) {
            Some(&known) => known,
            None => Roots::new(n),
        }
    }
}

/// Natural logarithm of a number of at least 1 from its float bits: within 0.007, the same on every
/// machine, 1.3 ns against 5 for `f32::ln`.
#[inline(always)]
fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 128;
    let m = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    let log2 = exponent as f32 + (-0.337_189_43 * m + 2.0) * m - 0.658_71;
    (log2 * core::f32::consts::LN_2).max(0.0)
}
