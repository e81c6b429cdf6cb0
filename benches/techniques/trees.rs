//! The tree search's techniques over plain UCT, on any game with a [`Domain`].

use crate::frame::{Contest, Pair, Player, Seat, Work};
use crate::settings::{ByValue, Expand, FirstBelow, FirstValue, NoReuse, NoSolver};
use fifty::kit::clock::Limit;
use fifty::search::alphabeta::policy::Policy;
use fifty::search::game::Game;
use fifty::search::mcts::{Mcts, Params};
use fifty::search::policy::{CutOff, Evaluate, Implicit, Leaf, TreePolicy, Uct, Uniform};

/// A game with opinions for all kinds of search.
pub trait Domain: Contest {
    /// A random playout.
    type Fast: Leaf<Self::State, 2>;
    /// A static evaluation.
    type Static: Evaluate<Self::State, 2> + Clone;
    /// Priors as fading bonuses.
    type Bias: TreePolicy<Self::State, 2>;
    /// Priors as shares.
    type Shares: TreePolicy<Self::State, 2>;
    /// The game as alpha-beta sees it.
    type Board: Game<2, Move = <Self::State as Game<2>>::Move>;
    /// Opinions of alpha-beta.
    type Deep: Policy<Self::Board>;
    /// Iterations of the baseline.
    const WORK: u64;
    /// Nodes of alpha-beta that take about as long.
    const NODES: u64;
    /// Most moves of a position.
    const WIDEST: usize;
    /// Random playouts.
    fn fast() -> Self::Fast;
    /// The static evaluation.
    fn fixed() -> Self::Static;
    /// Priors as bonuses; so much widening.
    fn bias(widen: f32) -> Self::Bias;
    /// Priors as shares.
    fn shares() -> Self::Shares;
    /// Opinions of alpha-beta for a position, and the position.
    fn deep(state: &Self::State) -> (Self::Deep, Self::Board);
}

struct Tree<G: Game<2>, V, P: TreePolicy<G, 2>>(Mcts<G, V, P, 2>, u64);

impl<G: Game<2>, V: Leaf<G, 2>, P: TreePolicy<G, 2>> Player<G> for Tree<G, V, P> {
    fn choose(&mut self, state: &G, seat: usize) -> G::Move {
        let found = self.0.search(state, seat, Limit::work(self.1));
        found.best.expect("not over")
    }
    fn clear(&mut self) {
        self.0.clear();
    }
}

/// Edges of a tree.
pub const EDGES: usize = 400_000;
/// A tree search.
pub fn tree<D: Domain, V, P>(params: Params, leaf: V, prior: P, work: u64, seed: u64) -> Seat<D>
where
    V: Leaf<D::State, 2> + 'static,
    P: TreePolicy<D::State, 2> + 'static,
{
    Box::new(grown(params, leaf, prior, D::WIDEST, work, seed))
}

/// The same as a player of any game of two seats, with positions of up to `widest` moves.
pub fn grown<G: Game<2>, V: Leaf<G, 2>, P: TreePolicy<G, 2>>(
    params: Params,
    leaf: V,
    prior: P,
    widest: usize,
    work: u64,
    seed: u64,
) -> impl Player<G> {
    Tree(Mcts::new(params, leaf, prior, EDGES, widest, seed), work)
}

/// Plain UCT.
pub fn plain<D: Domain>(params: Params, work: u64, seed: u64) -> Seat<D> {
    tree::<D, _, _>(params, D::fast(), Uct, work, seed)
}

/// Plain UCT with other settings.
fn other<D: Domain, P: TreePolicy<D::State, 2> + 'static>(first_play: f32, policy: P, work: u64) -> Seat<D> {
    let params = Params {
        first_play,
        ..Params::DEFAULT
    };
    tree::<D, _, _>(params, D::fast(), policy, work, 1)
}

/// The technique and the baseline it is compared with: plain UCT with something changed.
pub fn pair<D: Domain>(name: &str, work: Work) -> Option<Pair<D>> {
    let (n, base) = (work.of(D::WORK), work.base(D::WORK));
    let default = || plain::<D>(Params::DEFAULT, base, 2);
    let set = |change: &dyn Fn(&mut Params)| {
        let mut params = Params::DEFAULT;
        change(&mut params);
        params
    };
    let with = |change: &dyn Fn(&mut Params)| (plain::<D>(set(change), n, 1), default());
    Some(match name {
        "same" => with(&|_| ()),
        "double" => (plain::<D>(Params::DEFAULT, 2 * base, 1), default()),
        "double-4" => (
            plain::<D>(Params::DEFAULT, 8 * base, 1),
            plain::<D>(Params::DEFAULT, 4 * base, 2),
        ),
        "solver" => (
            plain::<D>(Params::DEFAULT, n, 2),
            other::<D, _>(0.0, NoSolver {}, base),
        ),
        "reuse" => (
            plain::<D>(Params::DEFAULT, n, 2),
            other::<D, _>(0.0, NoReuse {}, base),
        ),
        "explore-0.3" => with(&|p| p.exploration = 0.3),
        "explore-0.7" => with(&|p| p.exploration = 0.7),
        "explore-1" => with(&|p| p.exploration = 1.0),
        "expand-2" => (other::<D, _>(0.0, Expand::<2> {}, n), default()),
        "expand-4" => (other::<D, _>(0.0, Expand::<4> {}, n), default()),
        "first-play-0.6" => (other::<D, _>(0.6, FirstValue {}, n), default()),
        "first-play-below" => (other::<D, _>(0.1, FirstBelow {}, n), default()),
        "by-value" => (other::<D, _>(0.0, ByValue {}, n), default()),
        _ => (opinionated::<D>(name, n)?, default()),
    })
}

/// Plain UCT with an opinion that the game has.
fn opinionated<D: Domain>(name: &str, n: u64) -> Option<Seat<D>> {
    let params = Params::DEFAULT;
    let cut = |plies| CutOff {
        plies,
        evaluate: D::fixed(),
        choose: Uniform::new(D::WIDEST),
    };
    Some(match name {
        "cut-off-8" => tree::<D, _, _>(params, cut(8), Uct, n, 1),
        "static" => tree::<D, _, _>(params, cut(0), Uct, n, 1),
        "implicit-0.2" => {
            let leaf = Implicit {
                leaf: D::fast(),
                evaluate: D::fixed(),
            };
            let params = Params {
                implicit: 0.2,
                ..params
            };
            tree::<D, _, _>(params, leaf, Uct, n, 1)
        }
        "bias" => tree::<D, _, _>(params, D::fast(), D::bias(0.0), n, 1),
        "widen" => tree::<D, _, _>(params, D::fast(), D::bias(0.7), n, 1),
        "puct" => {
            let params = Params {
                exploration: 1.5,
                first_play: 0.1,
                ..params
            };
            tree::<D, _, _>(params, D::fast(), D::shares(), n, 1)
        }
        _ => return None,
    })
}
