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

/// How priors enter the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorKind {
    /// Not at all: UCT.
    None,
    /// PUCT: priors are shares that sum to 1 over the moves of a node.
    Puct,
    /// UCT with progressive bias: priors are bonuses that fade with visits.
    Bias,
}

/// What is expected of moves before they are tried. Where `Params::widen` is set, moves are tried in
/// order of falling prior.
pub trait Prior<G: Game<N>, const N: usize> {
    /// Which formula the selection uses.
    const KIND: PriorKind;

    /// PUCT: the moves of a node come from [`Prior::list`] instead of [`Game::moves`].
    const LISTS: bool = false;

    /// Where `LISTS`: appends the moves worth looking at (at least one) and their priors, which never
    /// rise. Moves left out are never tried; those not tried yet cost nothing in the selection.
    #[inline(always)]
    fn list<L: Level>(&mut self, state: &G, seat: usize, moves: &mut Vec<G::Move>, priors: &mut Vec<f32>) {
        state.moves(seat, moves);
        self.priors::<L>(state, seat, moves, priors);
    }

    /// Appends one number per move to `out`, which comes empty.
    fn priors<L: Level>(&mut self, state: &G, seat: usize, moves: &[G::Move], out: &mut Vec<f32>);
}

/// No priors: plain UCT, in the game's own order of moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrior;

impl<G: Game<N>, const N: usize> Prior<G, N> for NoPrior {
    const KIND: PriorKind = PriorKind::None;

    #[inline(always)]
    fn priors<L: Level>(&mut self, _: &G, _: usize, _: &[G::Move], _: &mut Vec<f32>) {}
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
