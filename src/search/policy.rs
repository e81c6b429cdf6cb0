//! Opinions a search can be given beside the rules: values of leaves, choices in playouts, priors of moves.
//!
//! Traits passed in as type parameters, so that what a bot does not use costs nothing. Everything hot is
//! `#[inline(always)]`. Values are per seat in `0.0..=1.0`, as in [`Game::payoff`].

use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// What a new leaf is worth.
pub trait Leaf<G: Game<N>, const N: usize> {
    /// Implicit minimax: [`Leaf::heuristic`] is asked for every new node, backed up by max^n and mixed
    /// into the selection by `Params::implicit`. Alternating games without hidden parts only.
    const HEURISTIC: bool = false;
    /// Common random numbers: the k-th visit of every node is valued with the same generator, so that moves are
    /// compared by the same draws.
    const KEYED: bool = false;

    /// Value per seat of a state that is not over; the state may be played on.
    fn value<L: Level>(&mut self, state: &mut G, rng: &mut Rng) -> [f32; N];

    /// Static value per seat, where `HEURISTIC`.
    #[inline(always)]
    fn heuristic<L: Level>(&mut self, state: &G) -> [f32; N] {
        let _ = state;
        [0.5; N]
    }
}

/// A static evaluation.
pub trait Evaluate<G: Game<N>, const N: usize> {
    /// Value per seat of a state that is not over.
    fn evaluate<L: Level>(&mut self, state: &G) -> [f32; N];
}

/// How a playout moves.
pub trait Choose<G: Game<N>, const N: usize> {
    /// One legal move of an acting seat.
    fn choose<L: Level>(&mut self, state: &G, seat: usize, rng: &mut Rng) -> G::Move;
}

/// Room in an edge for the number that [`TreePolicy::list`] gave a move: `f32`, or nothing for UCT.
pub trait Cell: Copy {
    /// Holds a number.
    fn of(prior: f32) -> Self;
    /// The number.
    fn get(self) -> f32;
}

impl Cell for f32 {
    #[inline(always)]
    fn of(prior: f32) -> Self {
        prior
    }

    #[inline(always)]
    fn get(self) -> f32 {
        self
    }
}

impl Cell for () {
    #[inline(always)]
    fn of(_: f32) {}

    #[inline(always)]
    fn get(self) -> f32 {
        0.0
    }
}

/// How a tree search chooses: its formula, its shape, what is expected of moves. A bot's settings are constants, so
/// that what it does not use is compiled away (booleans: a compiler drops those before it collects functions, and a
/// bundle their text); numbers that a tuner turns are in [`crate::search::mcts::Params`].
pub trait TreePolicy<G: Game<N>, const N: usize> {
    /// `()` for UCT, else `f32`.
    type Prior: Cell;
    /// UCT: `Q + c sqrt(ln N / n)`; no list is asked for. `Q` is the mean payoff of the seat that chooses, `N` the
    /// visits of the node, `n` those of the move, `P` the number that [`TreePolicy::list`] gave it, `c` the
    /// exploration. Neither UCT nor PUCT: progressive bias, `Q + P / n + c sqrt(ln(N + 1) / n)`, `P` in units of
    /// payoff.
    const UCT: bool = false;
    /// PUCT: `Q + c P sqrt(N) / (1 + n)`; the `P` of a node are shares that sum to 1.
    const PUCT: bool = false;
    /// Every move shown is tried once before any is tried twice. Otherwise a move not tried counts as
    /// `Params::first_play` (first-play urgency): what is below it after one visit may starve.
    const TRY_ALL: bool = true;
    /// FPU reduction, where not all are tried: it counts as the mean of those tried so far less `first_play`.
    const FPU_REDUCTION: bool = false;
    /// Lists come with numbers that never rise; otherwise the search sorts them (not where parts are hidden).
    const SORTED: bool = false;
    /// Some seats are modelled ([`TreePolicy::modelled`]).
    const MODELS: bool = false;
    /// The tree ends somewhere before the game does ([`TreePolicy::beyond`]).
    const HORIZON: bool = false;
    /// A payoff loses a part with each ply to it (`Params::discount`).
    const DISCOUNT: bool = false;
    /// Backs up proven results. Only right where every legal move is listed.
    const SOLVER: bool = true;
    /// What lies below the new root is kept when the next search begins below the old one.
    const REUSE: bool = true;
    /// What is kept is moved together, so that the rest of the memory is free again; otherwise it stays where it is:
    /// for a second search of the same turn.
    const COMPACT: bool = true;
    /// How far below the old root a new one is looked for, in plies.
    const REUSE_PLIES: usize = N;
    /// The move with the best mean is played, among those with at least a tenth of the most visits; otherwise the
    /// one with most visits.
    const BY_VALUE: bool = false;
    /// A move drawn in proportion to visits is played: the mixture of a simultaneous game.
    const MIXED: bool = false;
    /// Stop when no other move can catch up within the limit (most visits), or there is one move.
    const STOP_EARLY: bool = false;
    /// Visits of a leaf before its moves are listed; at least 1.
    const EXPAND_AFTER: u32 = 1;

    /// Unless UCT: appends the moves worth looking at (at least one) and a number for each. `root`:
    /// of the position searched. For a modelled seat: the moves it may play; their numbers do not count. Both come
    /// empty. Left as it is: all of the game's moves and [`TreePolicy::priors`].
    #[inline(always)]
    fn list<L: Level>(
        &mut self,
        state: &G,
        seat: usize,
        root: bool,
        moves: &mut Vec<G::Move>,
        priors: &mut Vec<f32>,
    ) {
        let _ = root;
        state.moves(seat, moves);
        self.priors::<L>(state, seat, moves, priors);
    }

    /// Appends one number a move to `out`.
    #[inline(always)]
    fn priors<L: Level>(&mut self, state: &G, seat: usize, moves: &[G::Move], out: &mut Vec<f32>) {
        let _ = (state, seat);
        out.resize(moves.len(), 0.0);
    }

    /// Progressive widening: how many of the `len` moves of a node, best priors first, are looked at after so many
    /// visits; at least one. For a modelled seat: how many, in a random order of their own, it is drawn from.
    #[inline(always)]
    fn shown(&self, state: &G, visits: u32, len: usize) -> usize {
        let _ = (state, visits);
        len
    }

    /// Where `MODELS`: the seat decides nothing. Its moves are drawn evenly from its list, so that its nodes are
    /// chance nodes and the others plan against the model. Must not be true of the seat that searches.
    #[inline(always)]
    fn modelled(&self, seat: usize) -> bool {
        let _ = seat;
        false
    }

    /// A new node may be valued here. False within an action that takes several plies, or where a modelled seat is
    /// on turn: then the iteration goes on to a node where it is true.
    #[inline(always)]
    fn may_stop(&self, state: &G) -> bool {
        let _ = state;
        true
    }

    /// Where `HORIZON`: nothing is searched from here on, every visit is answered by the leaf; true for no position
    /// that is searched from. For games whose draws begin here: what the tree holds is open to all.
    #[inline(always)]
    fn beyond(&self, state: &G) -> bool {
        let _ = state;
        false
    }

    /// False where play from `from` cannot lead to `to`, or be there already: saves the search for a new root.
    #[inline(always)]
    fn may_lead(&self, from: &G, to: &G) -> bool {
        let _ = (from, to);
        true
    }
}

/// Plain UCT, in the game's own order of moves, with solver and tree reuse.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uct;

impl<G: Game<N>, const N: usize> TreePolicy<G, N> for Uct {
    type Prior = ();
    const UCT: bool = true;
}

/// Every legal move alike. Keeps a list of moves; a game that can do without writes its own.
#[derive(Clone, Debug, Default)]
pub struct Uniform<M> {
    moves: Vec<M>,
}

impl<M> Uniform<M> {
    /// Room for `widest` moves.
    pub fn new(widest: usize) -> Self {
        Self {
            moves: Vec::with_capacity(widest),
        }
    }
}

impl<G: Game<N>, const N: usize> Choose<G, N> for Uniform<G::Move> {
    #[inline(always)]
    fn choose<L: Level>(&mut self, state: &G, seat: usize, rng: &mut Rng) -> G::Move {
        self.moves.clear();
        state.moves(seat, &mut self.moves);
        self.moves[rng.below(self.moves.len() as u32) as usize]
    }
}

/// A playout to the end of the game.
#[derive(Clone, Debug, Default)]
pub struct Playout<C> {
    /// How it moves.
    pub choose: C,
}

impl<G: Game<N>, C: Choose<G, N>, const N: usize> Leaf<G, N> for Playout<C> {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut G, rng: &mut Rng) -> [f32; N] {
        while !state.is_over() {
            turn::<L, G, C, N>(&mut self.choose, state, rng);
        }
        state.payoff()
    }
}

/// A playout of some plies, then a static evaluation. No plies: the evaluation alone.
#[derive(Clone, Debug, Default)]
pub struct CutOff<E, C> {
    /// Turns played before the evaluation.
    pub plies: u32,
    /// What the state is worth then.
    pub evaluate: E,
    /// How the playout moves.
    pub choose: C,
}

impl<G: Game<N>, E: Evaluate<G, N>, C: Choose<G, N>, const N: usize> Leaf<G, N> for CutOff<E, C> {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut G, rng: &mut Rng) -> [f32; N] {
        for _ in 0..self.plies {
            turn::<L, G, C, N>(&mut self.choose, state, rng);
            if state.is_over() {
                return state.payoff();
            }
        }
        self.evaluate.evaluate::<L>(state)
    }
}

/// The static evaluation alone, no playout.
#[derive(Clone, Debug, Default)]
pub struct Static<E>(pub E);

impl<G: Game<N>, E: Evaluate<G, N>, const N: usize> Leaf<G, N> for Static<E> {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut G, _: &mut Rng) -> [f32; N] {
        self.0.evaluate::<L>(state)
    }
}

/// Any leaf, with implicit minimax over a static evaluation.
#[derive(Clone, Debug, Default)]
pub struct Implicit<V, E> {
    /// What leaves are worth.
    pub leaf: V,
    /// What is backed up by max^n beside it.
    pub evaluate: E,
}

impl<G: Game<N>, V: Leaf<G, N>, E: Evaluate<G, N>, const N: usize> Leaf<G, N> for Implicit<V, E> {
    const HEURISTIC: bool = true;

    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut G, rng: &mut Rng) -> [f32; N] {
        self.leaf.value::<L>(state, rng)
    }

    #[inline(always)]
    fn heuristic<L: Level>(&mut self, state: &G) -> [f32; N] {
        self.evaluate.evaluate::<L>(state)
    }
}

/// All acting seats choose, the state advances.
#[inline(always)]
fn turn<L: Level, G: Game<N>, C: Choose<G, N>, const N: usize>(choose: &mut C, state: &mut G, rng: &mut Rng) {
    let mut joint = [G::Move::default(); N];
    if G::SIMULTANEOUS {
        for (seat, m) in joint.iter_mut().enumerate() {
            *m = choose.choose::<L>(state, seat, rng);
        }
    } else {
        let seat = state.to_move();
        joint[seat] = choose.choose::<L>(state, seat, rng);
    }
    state.advance(&joint, rng);
}
