//! Plain UCT with some of its settings changed: a tree search's settings are constants, so each is a type.

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
