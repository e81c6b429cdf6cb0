//! Tree searches with some of their settings changed. The settings are constants, so each change is a type: of plain
//! UCT ([`Set`]), or of any bot's policy ([`Flipped`]).

use fifty::kit::cpu::Level;
use fifty::search::game::Game;
use fifty::search::policy::TreePolicy;

/// First play by a value, as a parameter of [`Set`].
pub const VALUE: u8 = 1;
/// First play below the mean.
pub const BELOW: u8 = 2;
/// The move with the best mean, as a parameter of [`Set`].
pub const BY_VALUE: u8 = 1;
/// A move drawn by visits.
pub const MIXED: u8 = 2;

/// Solver, reuse, first play, choice, visits before a leaf is expanded.
pub struct Set<const SOLVER: bool, const REUSE: bool, const FIRST: u8, const CHOICE: u8, const EXPAND: u32>;

impl<
        G: Game<N>,
        const SOLVER: bool,
        const REUSE: bool,
        const FIRST: u8,
        const CHOICE: u8,
        const EXPAND: u32,
        const N: usize,
    > TreePolicy<G, N> for Set<SOLVER, REUSE, FIRST, CHOICE, EXPAND>
{
    type Prior = ();
    const UCT: bool = true;
    const SOLVER: bool = SOLVER;
    const REUSE: bool = REUSE;
    const TRY_ALL: bool = FIRST == 0;
    const FPU_REDUCTION: bool = FIRST == BELOW;
    const BY_VALUE: bool = CHOICE == BY_VALUE;
    const MIXED: bool = CHOICE == MIXED;
    const EXPAND_AFTER: u32 = EXPAND;
}

/// Without the solver.
pub type NoSolver = Set<false, true, 0, 0, 1>;
/// A new tree for every move.
pub type NoReuse = Set<true, false, 0, 0, 1>;
/// First play with a value.
pub type FirstValue = Set<true, true, VALUE, 0, 1>;
/// First play below the mean.
pub type FirstBelow = Set<true, true, BELOW, 0, 1>;
/// The best mean is played.
pub type ByValue = Set<true, true, 0, BY_VALUE, 1>;
/// A move drawn by visits is played.
pub type Mixed = Set<true, true, 0, MIXED, 1>;
/// Leaves are expanded at their second, or another visit.
pub type Expand<const AFTER: u32> = Set<true, true, 0, 0, AFTER>;

/// How many moves are shown after so many visits; 0 for all at once.
pub fn widened(widen: f32, visits: u32, len: usize) -> usize {
    if widen > 0.0 {
        1 + (widen * (visits as f32).sqrt()) as usize
    } else {
        len
    }
}

/// Settings that [`Flipped`] turns around.
pub const REUSE: u8 = 0;
/// The best mean instead of the most visits.
pub const CHOICE: u8 = 1;
/// All moves at once.
pub const WIDEN: u8 = 2;
/// A leaf gets moves at its second visit.
pub const EXPAND: u8 = 3;
/// Numbers of moves all alike.
pub const PRIOR: u8 = 4;
/// The solver.
pub const SOLVER: u8 = 5;

/// A bot's policy with one setting the other way.
pub struct Flipped<P, const WHAT: u8>(pub P);

impl<P: AsMut<Q>, Q, const WHAT: u8> AsMut<Q> for Flipped<P, WHAT> {
    fn as_mut(&mut self) -> &mut Q {
        self.0.as_mut()
    }
}

impl<G: Game<N>, P: TreePolicy<G, N>, const WHAT: u8, const N: usize> TreePolicy<G, N> for Flipped<P, WHAT> {
    type Prior = P::Prior;
    const UCT: bool = P::UCT;
    const PUCT: bool = P::PUCT;
    const TRY_ALL: bool = P::TRY_ALL;
    const FPU_REDUCTION: bool = P::FPU_REDUCTION;
    const SORTED: bool = P::SORTED;
    const MODELS: bool = P::MODELS;
    const HORIZON: bool = P::HORIZON;
    const DISCOUNT: bool = P::DISCOUNT;
    const SOLVER: bool = P::SOLVER ^ (WHAT == SOLVER);
    const REUSE: bool = P::REUSE ^ (WHAT == REUSE);
    const COMPACT: bool = P::COMPACT;
    const REUSE_PLIES: usize = P::REUSE_PLIES;
    const BY_VALUE: bool = P::BY_VALUE ^ (WHAT == CHOICE);
    const MIXED: bool = P::MIXED;
    const STOP_EARLY: bool = P::STOP_EARLY;
    const EXPAND_AFTER: u32 = if WHAT == EXPAND { 2 } else { P::EXPAND_AFTER };

    #[inline(always)]
    fn list<L: Level>(
        &mut self,
        state: &G,
        seat: usize,
        root: bool,
        moves: &mut Vec<G::Move>,
        priors: &mut Vec<f32>,
    ) {
        self.0.list::<L>(state, seat, root, moves, priors);
        if WHAT == PRIOR {
            let mean = priors.iter().sum::<f32>() / priors.len().max(1) as f32;
            priors.fill(mean);
        }
    }

    #[inline(always)]
    fn shown(&self, state: &G, visits: u32, len: usize) -> usize {
        if WHAT == WIDEN {
            len
        } else {
            self.0.shown(state, visits, len)
        }
    }

    #[inline(always)]
    fn modelled(&self, seat: usize) -> bool {
        self.0.modelled(seat)
    }

    #[inline(always)]
    fn may_stop(&self, state: &G) -> bool {
        self.0.may_stop(state)
    }

    #[inline(always)]
    fn beyond(&self, state: &G) -> bool {
        self.0.beyond(state)
    }

    #[inline(always)]
    fn may_lead(&self, from: &G, to: &G) -> bool {
        self.0.may_lead(from, to)
    }
}
