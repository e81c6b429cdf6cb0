//! What each technique of the searches is worth: matches at equal time, on connect four and on wondev; those of
//! plans and of simultaneous moves on rails, those of draws on kingdomino.
//!
//! `cargo bench --bench techniques -- [connect4|wondev|rails|kingdomino] [GAMES] [NAME…]` plays every opening twice, seats
//! swapped, technique against baseline, and prints score, Elo with its 95 % interval, and CPU time per move
//! of both sides. Equal time: a few games first tell what a move costs either side, and the technique gets the
//! work that costs as much as the baseline's; the match itself is at fixed work, so load does not change it.
//! `double-…` compare work, not time. Every move is checked for legality.

#[path = "../connect4/game.rs"]
#[allow(dead_code)] // tests use more of it
mod connect4;
#[path = "../connect4/entries.rs"]
#[allow(dead_code)] // the yardstick uses more of it
mod entries;
#[path = "../connect4/hand.rs"]
#[allow(dead_code)] // the yardstick uses more of it
mod hand;

mod columns;
mod kingdoms;
mod settings;
mod toggled;
mod towers;
mod tracks;

use cpu_time::ProcessTime;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::policy::Policy;
use fifty::search::alphabeta::AlphaBeta;
use fifty::search::game::Game;
use fifty::search::mcts::{Mcts, Params};
use fifty::search::policy::{CutOff, Evaluate, Implicit, Leaf, TreePolicy, Uct, Uniform};
use settings::{ByValue, Expand, FirstBelow, FirstValue, NoReuse, NoSolver};

use toggled::Toggled;

/// Asked for a move; cleared before each game.
pub trait Player<G: Game<2>> {
    /// A legal move of `seat` in a position that is not over.
    fn choose(&mut self, state: &G, seat: usize) -> G::Move;
    /// Forgets everything.
    fn clear(&mut self);
}

/// A player of a game, whatever it is made of.
pub type Seat<D> = Box<dyn Player<<D as Contest>::State>>;

/// A game and the techniques that are played on it.
pub trait Contest: Sized + 'static {
    /// The game.
    type State: Game<2> + 'static;
    /// A position to begin from.
    fn opening(rng: &mut Rng) -> Self::State;
    /// The technique and the baseline it is compared with; `None` for a name it does not know.
    fn pair(name: &str, work: Work) -> Option<(Seat<Self>, Seat<Self>)>;
    /// Names of the techniques.
    fn names() -> Vec<&'static str>;
    /// That a move is legal, where its list of moves is not all of them.
    fn legal(state: &Self::State, seat: usize, m: <Self::State as Game<2>>::Move) -> bool {
        let mut all = Vec::new();
        state.moves(seat, &mut all);
        all.contains(&m)
    }
}

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
    /// Techniques of this game alone: (technique, baseline).
    fn own(name: &str, work: Work) -> Option<(Seat<Self>, Seat<Self>)>;
    /// Their names.
    const OWN: &'static [&'static str];
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

struct Deep<D: Domain, const FLIP: u32> {
    search: Option<AlphaBeta<D::Board, Toggled<D::Deep, FLIP>>>,
    entries: usize,
    work: u64,
}

impl<D: Domain, const FLIP: u32> Player<D::State> for Deep<D, FLIP> {
    fn choose(&mut self, state: &D::State, _: usize) -> <D::State as Game<2>>::Move {
        let (policy, mut board) = D::deep(state);
        let entries = self.entries;
        let search = self
            .search
            .get_or_insert_with(|| AlphaBeta::new(Toggled(D::deep(state).0), entries, D::WIDEST));
        search.policy.0 = policy;
        let found = search.search(&mut board, Limit::work(self.work));
        found.best.unwrap_or_else(|| {
            let mut all = Vec::new();
            state.moves(state.to_move(), &mut all);
            all[0]
        })
    }
    fn clear(&mut self) {
        if let Some(search) = &mut self.search {
            search.clear();
        }
    }
}

const EDGES: usize = 400_000;
/// Table of alpha-beta.
pub const ENTRIES: usize = 1 << 16;

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

fn plain<D: Domain>(params: Params, work: u64, seed: u64) -> Seat<D> {
    tree::<D, _, _>(params, D::fast(), Uct, work, seed)
}

/// Plain UCT with other settings, as the technique.
fn other<D: Domain, P: TreePolicy<D::State, 2> + 'static>(first_play: f32, policy: P, work: u64) -> Seat<D> {
    let params = Params {
        first_play,
        ..Params::DEFAULT
    };
    tree::<D, _, _>(params, D::fast(), policy, work, 1)
}

/// Plain UCT with something switched off, as the baseline.
fn off<D: Domain, P: TreePolicy<D::State, 2> + 'static>(policy: P) -> Seat<D> {
    other::<D, P>(0.0, policy, D::WORK)
}

/// Alpha-beta with the techniques of `FLIP` switched.
pub fn deep<D: Domain, const FLIP: u32>(entries: usize, work: u64) -> Seat<D> {
    Box::new(Deep::<D, FLIP> {
        search: None,
        entries,
        work,
    })
}

/// Alpha-beta with a technique against alpha-beta without it.
fn switched<D: Domain, const FLIP: u32>(on: bool, nodes: u64) -> (Seat<D>, Seat<D>) {
    if on {
        (deep::<D, 0>(ENTRIES, nodes), deep::<D, FLIP>(ENTRIES, D::NODES))
    } else {
        (deep::<D, FLIP>(ENTRIES, nodes), deep::<D, 0>(ENTRIES, D::NODES))
    }
}

/// Techniques of alpha-beta, each on and off.
fn deep_pair<D: Domain>(name: &str, nodes: u64) -> Option<(Seat<D>, Seat<D>)> {
    Some(match name {
        "table" => switched::<D, { toggled::TABLE }>(D::Deep::TABLE, nodes),
        "keep-deep" => switched::<D, { toggled::KEEP_DEEP }>(D::Deep::KEEP_DEEP, nodes),
        "killers" => switched::<D, { toggled::KILLERS }>(D::Deep::KILLERS, nodes),
        "history" => switched::<D, { toggled::HISTORY }>(D::Deep::HISTORY, nodes),
        "reductions" => switched::<D, { toggled::REDUCE }>(D::Deep::REDUCE, nodes),
        "late-move-cut" => switched::<D, { toggled::WIDTH }>(D::Deep::WIDTH, nodes),
        "futility" => switched::<D, { toggled::FUTILITY }>(D::Deep::FUTILITY, nodes),
        "null-move" => switched::<D, { toggled::NULL_MOVE }>(D::Deep::NULL_MOVE, nodes),
        "blind" => switched::<D, { toggled::BLIND }>(D::Deep::BLIND, nodes),
        "staged" => switched::<D, { toggled::STAGED }>(D::Deep::STAGED, nodes),
        "root-order" => switched::<D, { toggled::ROOT_ORDER }>(D::Deep::ROOT_ORDER, nodes),
        "aspiration" => switched::<D, { toggled::ASPIRATION }>(D::Deep::ASPIRATION, nodes),
        "scout" => switched::<D, { toggled::SCOUT }>(D::Deep::SCOUT, nodes),
        _ => return None,
    })
}

/// Work for a technique: the baseline's times a factor found by measuring.
#[derive(Clone, Copy)]
pub struct Work(f64);

impl Work {
    /// What costs as much as `work` costs the baseline.
    pub fn of(self, work: u64) -> u64 {
        (work as f64 * self.0).round().max(1.0) as u64
    }
}

/// The technique and the baseline it is compared with. Of two that differ only in being off, the technique
/// is the one that is on.
pub fn pair<D: Domain>(name: &str, work: Work) -> Option<(Seat<D>, Seat<D>)> {
    let n = work.of(D::WORK);
    let default = || plain::<D>(Params::DEFAULT, D::WORK, 2);
    let set = |change: &dyn Fn(&mut Params)| {
        let mut params = Params::DEFAULT;
        change(&mut params);
        params
    };
    let with = |change: &dyn Fn(&mut Params)| (plain::<D>(set(change), n, 1), default());
    let cut = |plies| CutOff {
        plies,
        evaluate: D::fixed(),
        choose: Uniform::new(D::WIDEST),
    };
    let nodes = work.of(D::NODES);
    let both = match name {
        "same" => with(&|_| ()),
        "double" => (plain::<D>(Params::DEFAULT, 2 * D::WORK, 1), default()),
        "double-4" => (
            plain::<D>(Params::DEFAULT, 8 * D::WORK, 1),
            plain::<D>(Params::DEFAULT, 4 * D::WORK, 2),
        ),
        "solver" => (plain::<D>(Params::DEFAULT, n, 2), off::<D, _>(NoSolver {})),
        "reuse" => (plain::<D>(Params::DEFAULT, n, 2), off::<D, _>(NoReuse {})),
        "explore-0.3" => with(&|p| p.exploration = 0.3),
        "explore-0.7" => with(&|p| p.exploration = 0.7),
        "explore-1" => with(&|p| p.exploration = 1.0),
        "expand-2" => (other::<D, _>(0.0, Expand::<2> {}, n), default()),
        "expand-4" => (other::<D, _>(0.0, Expand::<4> {}, n), default()),
        "first-play-0.6" => (other::<D, _>(0.6, FirstValue {}, n), default()),
        "first-play-below" => (other::<D, _>(0.1, FirstBelow {}, n), default()),
        "by-value" => (other::<D, _>(0.0, ByValue {}, n), default()),
        "cut-off-8" => (tree::<D, _, _>(Params::DEFAULT, cut(8), Uct, n, 1), default()),
        "static" => (tree::<D, _, _>(Params::DEFAULT, cut(0), Uct, n, 1), default()),
        "implicit-0.2" => {
            let leaf = Implicit {
                leaf: D::fast(),
                evaluate: D::fixed(),
            };
            let params = set(&|p| p.implicit = 0.2);
            (tree::<D, _, _>(params, leaf, Uct, n, 1), default())
        }
        "bias" => (
            tree::<D, _, _>(Params::DEFAULT, D::fast(), D::bias(0.0), n, 1),
            default(),
        ),
        "puct" => {
            let params = set(&|p| (p.exploration, p.first_play) = (1.5, 0.1));
            (tree::<D, _, _>(params, D::fast(), D::shares(), n, 1), default())
        }
        "widen" => (
            tree::<D, _, _>(Params::DEFAULT, D::fast(), D::bias(0.7), n, 1),
            default(),
        ),
        "alpha-beta" => (deep::<D, 0>(ENTRIES, nodes), default()),
        "alpha-beta-double" => (
            deep::<D, 0>(ENTRIES, 2 * D::NODES),
            deep::<D, 0>(ENTRIES, D::NODES),
        ),
        other => return deep_pair::<D>(other, nodes).or_else(|| D::own(other, work)),
    };
    Some(both)
}

/// Names of the techniques of every [`Domain`].
pub const ALL: &[&str] = &[
    "same",
    "double",
    "double-4",
    "solver",
    "reuse",
    "explore-0.3",
    "explore-0.7",
    "explore-1",
    "expand-2",
    "expand-4",
    "first-play-0.6",
    "first-play-below",
    "by-value",
    "cut-off-8",
    "static",
    "implicit-0.2",
    "bias",
    "puct",
    "widen",
    "alpha-beta",
    "alpha-beta-double",
    "table",
    "keep-deep",
    "killers",
    "history",
    "reductions",
    "late-move-cut",
    "futility",
    "null-move",
    "blind",
    "staged",
    "root-order",
    "aspiration",
    "scout",
];

/// CPU seconds and moves of both sides.
type Spent = [(f64, u32); 2];

/// One game from an opening, in which the first of the pair has seat `seat`; its score.
fn game<D: Contest>(
    opening: &D::State,
    seat: usize,
    pair: &mut (Seat<D>, Seat<D>),
    spent: &mut Spent,
) -> f64 {
    let mut state = opening.clone();
    pair.0.clear();
    pair.1.clear();
    let mut rng = Rng::new(1);
    while !state.is_over() {
        let mut joint = [<D::State as Game<2>>::Move::default(); 2];
        for (mover, m) in joint.iter_mut().enumerate() {
            if !D::State::SIMULTANEOUS && mover != state.to_move() {
                continue;
            }
            let start = ProcessTime::now();
            let who = usize::from(mover != seat);
            *m = match who {
                0 => pair.0.choose(&state, mover),
                _ => pair.1.choose(&state, mover),
            };
            spent[who].0 += start.elapsed().as_secs_f64();
            spent[who].1 += 1;
            assert!(D::legal(&state, mover, *m), "{m:?} is not legal");
        }
        state.advance(&joint, &mut rng);
    }
    f64::from(state.payoff()[seat])
}

/// Mean seconds a move.
fn each(spent: (f64, u32)) -> f64 {
    spent.0 / f64::from(spent.1.max(1))
}

/// [`Contest::pair`] of a name there is.
fn known<D: Contest>(name: &str, work: Work) -> (Seat<D>, Seat<D>) {
    D::pair(name, work).unwrap_or_else(|| panic!("no technique of the name {name}"))
}

/// The factor that makes the technique as slow as its baseline, from a few games, twice.
fn calibrate<D: Contest>(name: &str) -> Work {
    let mut work = Work(1.0);
    if name.contains("double") {
        return work;
    }
    for round in 0..2 {
        let mut both = known::<D>(name, work);
        let mut rng = Rng::new(77 + round);
        let mut spent = Spent::default();
        for _ in 0..6 {
            let start = D::opening(&mut rng);
            game::<D>(&start, 0, &mut both, &mut spent);
            game::<D>(&start, 1, &mut both, &mut spent);
        }
        work.0 = (work.0 * each(spent[1]) / each(spent[0]).max(1e-9)).clamp(0.01, 100.0);
    }
    work
}

/// One technique's line.
fn run<D: Contest>(name: &str, games: u32) {
    let work = calibrate::<D>(name);
    let mut both = known::<D>(name, work);
    let mut rng = Rng::new(2026);
    let mut spent = Spent::default();
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..games / 2 {
        let start = D::opening(&mut rng);
        // An opening and its return are one sample: their results lean on each other.
        let score =
            (game::<D>(&start, 0, &mut both, &mut spent) + game::<D>(&start, 1, &mut both, &mut spent)) / 2.0;
        sum += score;
        squares += score * score;
    }
    let n = f64::from(games / 2);
    let mean = sum / n;
    let error = 1.96 * ((squares / n - mean * mean) / n).sqrt();
    let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{name:18} {games} games  score {mean:.3}  Elo {:+.0} ({:+.0} to {:+.0})  work x{:.2}, {:.0} / {:.0} µs a move",
        elo(mean),
        elo(mean - error),
        elo(mean + error),
        work.0,
        each(spent[0]) * 1e6,
        each(spent[1]) * 1e6,
    );
}

fn runs<D: Contest>(title: &str, games: u32, wanted: &[&String]) {
    println!("{title}");
    for name in D::names() {
        if wanted.is_empty() || wanted.iter().any(|w| *w == name) {
            run::<D>(name, games);
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let games: u32 = words.iter().find_map(|w| w.parse().ok()).unwrap_or(400);
    let is_game = |w: &str| ["connect4", "wondev", "rails", "kingdomino"].contains(&w);
    let names: Vec<&String> = words
        .iter()
        .filter(|w| w.parse::<u32>().is_err() && !is_game(w))
        .collect();
    let played = |game: &str| !words.iter().any(|w| is_game(w)) || words.iter().any(|w| w == game);
    if played("connect4") {
        runs::<columns::Columns>("connect four", games, &names);
    }
    if played("wondev") {
        runs::<towers::Towers>("wondev, league 0", games, &names);
    }
    if played("rails") {
        runs::<tracks::Tracks>("rails, from recorded positions", games, &names);
    }
    if played("kingdomino") {
        runs::<kingdoms::Kingdoms>("kingdomino", games, &names);
    }
}
