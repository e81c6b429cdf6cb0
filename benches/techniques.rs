//! What each technique of the tree search is worth on connect four: matches at fixed work.
//!
//! `cargo bench --bench techniques -- [GAMES] [NAME…]` plays every opening of three random stones twice,
//! colours swapped, and prints score, Elo with its 95 % interval, and CPU time per move of both sides
//! (so that equal work can be told from equal time). Every move is checked for legality.

#[path = "connect4/game.rs"]
#[allow(dead_code)] // tests use more of it
mod connect4;
#[path = "connect4/entries.rs"]
#[allow(dead_code)] // the yardstick uses more of it
mod entries;
#[path = "connect4/hand.rs"]
#[allow(dead_code)] // the yardstick uses more of it
mod hand;

use connect4::{aligned, Column, Connect4};
use cpu_time::ProcessTime;
use entries::{Batch, Fast};
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::{self, AlphaBeta, Position};
use fifty::search::game::Game;
use fifty::search::mcts::policy::{CutOff, Evaluate, Implicit, Leaf, NoPrior, Prior, PriorKind, Uniform};
use fifty::search::mcts::{Choice, FirstPlay, Mcts, Params};

/// Asked for a move; cleared before each game.
trait Player {
    fn choose(&mut self, state: &Connect4) -> Column;
    fn clear(&mut self);
}

struct Tree<V, P>(Mcts<Connect4, V, P, 2>, u64);

impl<V: Leaf<Connect4, 2>, P: Prior<Connect4, 2>> Player for Tree<V, P> {
    fn choose(&mut self, state: &Connect4) -> Column {
        let found = self.0.search(state, state.seat(), Limit::work(self.1));
        found.best.expect("not over")
    }
    fn clear(&mut self) {
        self.0.clear();
    }
}

struct Deep(AlphaBeta<Connect4>, u64);

impl Player for Deep {
    fn choose(&mut self, state: &Connect4) -> Column {
        let found = self.0.search(&mut state.clone(), Limit::work(self.1));
        found.best.expect("not over")
    }
    fn clear(&mut self) {
        self.0.clear();
    }
}

/// Lines of four still open, as a share.
#[derive(Clone, Default)]
struct Lines;

impl Evaluate<Connect4, 2> for Lines {
    #[inline(always)]
    fn evaluate<L: Level>(&mut self, state: &Connect4) -> [f32; 2] {
        let mine = 0.5 + (Position::evaluate::<L>(state) as f32 / 120.0).clamp(-0.45, 0.45);
        if state.seat() == 0 {
            [mine, 1.0 - mine]
        } else {
            [1.0 - mine, mine]
        }
    }
}

/// The centre first: a prior of 4 down to 1.
struct Centre<const PUCT: bool>;

impl<const PUCT: bool> Prior<Connect4, 2> for Centre<PUCT> {
    const KIND: PriorKind = if PUCT { PriorKind::Puct } else { PriorKind::Bias };
    #[inline(always)]
    fn priors<L: Level>(&mut self, _: &Connect4, _: usize, moves: &[Column], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|m| 4.0 - (f32::from(m.0) - 3.0).abs()));
        let sum: f32 = out.iter().sum();
        for p in out {
            *p /= sum;
        }
    }
}

const EDGES: usize = 200_000;
/// Iterations a move where nothing else is said.
const WORK: u64 = 1_000;

fn tree<V, P>(params: Params, leaf: V, prior: P, work: u64, seed: u64) -> Box<dyn Player>
where
    V: Leaf<Connect4, 2> + 'static,
    P: Prior<Connect4, 2> + 'static,
{
    Box::new(Tree(Mcts::new(params, leaf, prior, EDGES, 7, seed), work))
}

fn plain(params: Params, work: u64, seed: u64) -> Box<dyn Player> {
    tree(params, Fast, NoPrior, work, seed)
}

type Pair = (Box<dyn Player>, Box<dyn Player>);

/// The technique and the baseline it is compared with.
fn pair(name: &str) -> Pair {
    let base = Params::DEFAULT;
    let default = || plain(Params::DEFAULT, WORK, 2);
    let set = |change: &dyn Fn(&mut Params)| {
        let mut params = Params::DEFAULT;
        change(&mut params);
        params
    };
    match name {
        "same" => (plain(base, WORK, 1), default()),
        "double-1k" => (plain(base, 2 * WORK, 1), default()),
        "double-4k" => (plain(base.clone(), 8_000, 1), plain(base, 4_000, 2)),
        "solver" => (default(), plain(set(&|p| p.solver = false), WORK, 1)),
        "reuse" => (default(), plain(set(&|p| p.reuse = false), WORK, 1)),
        "explore-0.7" => (plain(set(&|p| p.exploration = 0.7), WORK, 1), default()),
        "explore-1.4" => (plain(set(&|p| p.exploration = 1.4), WORK, 1), default()),
        "expand-2" => (plain(set(&|p| p.expand_after = 2), WORK, 1), default()),
        "expand-4" => (plain(set(&|p| p.expand_after = 4), WORK, 1), default()),
        "first-play-0.6" => (
            plain(set(&|p| p.first_play = FirstPlay::Value(0.6)), WORK, 1),
            default(),
        ),
        "by-value" => (plain(set(&|p| p.choice = Choice::Value), WORK, 1), default()),
        "batch-4" => (tree(base, Batch::<4>, NoPrior, WORK, 1), default()),
        // 577 against 334 ns an iteration: equal time.
        "batch-4-time" => (tree(base, Batch::<4>, NoPrior, WORK * 334 / 577, 1), default()),
        "cut-off-8" => {
            let leaf = CutOff {
                plies: 8,
                evaluate: Lines,
                choose: Uniform::new(7),
            };
            (tree(base, leaf, NoPrior, WORK, 1), default())
        }
        "static" => {
            let leaf = CutOff {
                plies: 0,
                evaluate: Lines,
                choose: Uniform::new(7),
            };
            (tree(base, leaf, NoPrior, WORK, 1), default())
        }
        "implicit-0.2" => {
            let leaf = Implicit {
                leaf: Fast,
                evaluate: Lines,
            };
            (
                tree(set(&|p| p.implicit = 0.2), leaf, NoPrior, WORK, 1),
                default(),
            )
        }
        "bias" => (
            tree(set(&|p| p.bias = 1.0), Fast, Centre::<false>, WORK, 1),
            default(),
        ),
        "puct" => {
            let params = set(&|p| (p.exploration, p.first_play) = (1.5, FirstPlay::Below(0.1)));
            (tree(params, Fast, Centre::<true>, WORK, 1), default())
        }
        "widen" => (
            tree(set(&|p| p.widen = 0.7), Fast, Centre::<false>, WORK, 1),
            default(),
        ),
        "alpha-beta" => {
            let deep = AlphaBeta::new(alphabeta::Params::DEFAULT, 1 << 16, 7);
            (Box::new(Deep(deep, 3 * WORK)), default())
        }
        other => panic!("no technique of the name {other}"),
    }
}

const ALL: &[&str] = &[
    "same",
    "double-1k",
    "double-4k",
    "solver",
    "reuse",
    "explore-0.7",
    "explore-1.4",
    "expand-2",
    "expand-4",
    "first-play-0.6",
    "by-value",
    "batch-4",
    "batch-4-time",
    "cut-off-8",
    "static",
    "implicit-0.2",
    "bias",
    "puct",
    "widen",
    "alpha-beta",
];

fn legal(state: &Connect4, column: Column) -> bool {
    let mut moves = Vec::new();
    Game::moves(state, 0, &mut moves);
    moves.contains(&column)
}

/// One game from an opening; the score of the first of the pair.
fn game(opening: &Connect4, first_begins: bool, pair: &mut Pair, spent: &mut [(f64, u32); 2]) -> f64 {
    let mut state = *opening;
    let mut first = first_begins;
    pair.0.clear();
    pair.1.clear();
    loop {
        let start = ProcessTime::now();
        let (who, column) = if first {
            (0, pair.0.choose(&state))
        } else {
            (1, pair.1.choose(&state))
        };
        spent[who].0 += start.elapsed().as_secs_f64();
        spent[who].1 += 1;
        assert!(legal(&state, column), "{column:?} in {state:?}");
        state.play(column);
        if aligned(state.mine ^ state.all) {
            return f64::from(u8::from(first));
        }
        if state.finished() {
            return 0.5;
        }
        first = !first;
    }
}

fn opening(rng: &mut Rng) -> Connect4 {
    let mut state = Connect4::EMPTY;
    for _ in 0..3 {
        let mut moves = Vec::new();
        Game::moves(&state, 0, &mut moves);
        state.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    state
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let games: u32 = words.iter().find_map(|w| w.parse().ok()).unwrap_or(400);
    let wanted = |name: &str| {
        let mut names = words.iter().filter(|w| w.parse::<u32>().is_err()).peekable();
        names.peek().is_none() || names.any(|w| w == name)
    };
    for name in ALL.iter().filter(|n| wanted(n)) {
        let mut pair = pair(name);
        let mut rng = Rng::new(2026);
        let mut spent = [(0.0, 0); 2];
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..games / 2 {
            let start = opening(&mut rng);
            // An opening and its return are one sample: their results lean on each other.
            let both = (game(&start, true, &mut pair, &mut spent)
                + game(&start, false, &mut pair, &mut spent))
                / 2.0;
            sum += both;
            squares += both * both;
        }
        let n = f64::from(games / 2);
        let mean = sum / n;
        let error = 1.96 * ((squares / n - mean * mean) / n).sqrt();
        let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
        let each = |s: (f64, u32)| s.0 / f64::from(s.1.max(1)) * 1e6;
        println!(
            "{name:16} {games} games  score {mean:.3}  Elo {:+.0} ({:+.0} to {:+.0})  {:.0} / {:.0} µs a move",
            elo(mean),
            elo(mean - error),
            elo(mean + error),
            each(spent[0]),
            each(spent[1]),
        );
    }
}
