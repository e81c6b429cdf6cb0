//! Our own entries of the yardstick: raw playouts, lanes, the core's tree search, the hand-written one.

use crate::game::Connect4;
use crate::hand::Hand;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::{self, Kernel, Level};
use fifty::kit::rng::Rng;
use fifty::search::mcts::{Mcts, Params};
use fifty::search::policy::{self, Leaf};

/// The game's own playout as the value of a leaf.
pub struct Fast;

impl Leaf<Connect4, 2> for Fast {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut Connect4, rng: &mut Rng) -> [f32; 2] {
        let seat = state.seat();
        let mine = state.playout::<L>(rng);
        let other = 1.0 - mine;
        if seat == 0 {
            [mine, other]
        } else {
            [other, mine]
        }
    }
}

/// `LANES` playouts per leaf, interleaved, their mean as the value.
pub struct Batch<const LANES: usize>;

impl<const LANES: usize> Leaf<Connect4, 2> for Batch<LANES> {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut Connect4, rng: &mut Rng) -> [f32; 2] {
        let first = state.playout_lanes::<L, LANES>(rng) / LANES as f32;
        [first, 1.0 - first]
    }
}

/// The core's search on this game.
pub type Uct<V> = Mcts<Connect4, V, policy::Uct, 2>;

/// The search as the yardstick runs it: solver and reuse on, and the exploration of the others.
pub fn uct<V: Leaf<Connect4, 2>>(leaf: V, edges: usize, seed: u64) -> Uct<V> {
    let params = Params {
        exploration: 1.0,
        ..Params::DEFAULT
    };
    Mcts::new(params, leaf, policy::Uct, edges, 7, seed)
}

/// Random playouts from the empty board, no tree; the sum of results keeps the compiler honest.
pub struct Raw {
    /// Playouts.
    pub count: u32,
    /// Of the generator.
    pub seed: u64,
}

impl Kernel for Raw {
    type Out = f32;
    #[inline(always)]
    fn run<L: Level>(self) -> f32 {
        let mut rng = Rng::new(self.seed);
        (0..self.count)
            .map(|_| Connect4::EMPTY.playout::<L>(&mut rng))
            .sum()
    }
}

/// The same in four interleaved lanes.
pub struct RawLanes {
    /// Playouts.
    pub count: u32,
    /// Of the generator.
    pub seed: u64,
}

impl Kernel for RawLanes {
    type Out = f32;
    #[inline(always)]
    fn run<L: Level>(self) -> f32 {
        let mut rng = Rng::new(self.seed);
        (0..self.count / 4)
            .map(|_| Connect4::EMPTY.playout_lanes::<L, 4>(&mut rng))
            .sum()
    }
}

/// `n` playouts; the first player wins a little more than half of them.
pub fn raw(n: u32, seed: u64) {
    let share = cpu::run(Raw { count: n, seed }) / n as f32;
    assert!((0.5..0.62).contains(&share), "{share}");
}

/// `n` playouts in lanes.
pub fn raw_lanes(n: u32, seed: u64) {
    let share = cpu::run(RawLanes { count: n, seed }) / n as f32;
    assert!((0.5..0.62).contains(&share), "{share}");
}

/// The search by hand, `n` iterations from the empty board.
pub fn hand(n: u32, seed: u64) {
    let root = Connect4::EMPTY;
    let (column, visits) = cpu::run(Hand {
        root,
        iterations: n,
        seed,
    });
    assert!(column < 7 && visits > n / 10);
}

/// The core's search, `n` iterations of a fresh tree. The memory is the caller's, as in a bot.
pub fn ours<V: Leaf<Connect4, 2>>(search: &mut Uct<V>, n: u32) {
    search.clear();
    let found = search.search(&Connect4::EMPTY, 0, Limit::work(u64::from(n)));
    assert!(found.iterations == u64::from(n) && found.best.is_some());
}
