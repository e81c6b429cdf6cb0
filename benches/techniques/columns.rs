//! Connect four for the technique matches: openings of three random stones.

use crate::deep;
use crate::frame::{Contest, Pair, Work};
use crate::settings::widened;
use crate::trees::{self, tree, Domain};
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use fifty::search::mcts::Params;
use fifty::search::policy::{Evaluate, TreePolicy, Uct};
use fifty_connect4::entries::{Batch, Fast};
use fifty_connect4::game::{Column, Connect4, Lines};

/// The game.
pub struct Columns;

/// Lines of four still open, as a share.
#[derive(Clone, Default)]
pub struct Open;

impl Evaluate<Connect4, 2> for Open {
    #[inline(always)]
    fn evaluate<L: Level>(&mut self, state: &Connect4) -> [f32; 2] {
        let mine = 0.5 + (state.worth() as f32 / 120.0).clamp(-0.45, 0.45);
        if state.seat() == 0 {
            [mine, 1.0 - mine]
        } else {
            [1.0 - mine, mine]
        }
    }
}

/// The centre first: a prior of 4 down to 1.
pub struct Centre<const PUCT: bool> {
    widen: f32,
}

impl<const PUCT: bool> TreePolicy<Connect4, 2> for Centre<PUCT> {
    type Prior = f32;
    const PUCT: bool = PUCT;
    const TRY_ALL: bool = !PUCT;
    const FPU_REDUCTION: bool = PUCT;

    #[inline(always)]
    fn shown(&self, _: &Connect4, visits: u32, len: usize) -> usize {
        widened(self.widen, visits, len)
    }

    #[inline(always)]
    fn priors<L: Level>(&mut self, _: &Connect4, _: usize, moves: &[Column], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|m| 4.0 - (f32::from(m.0) - 3.0).abs()));
        let sum: f32 = out.iter().sum();
        for p in out {
            *p /= sum;
        }
    }
}

impl Contest for Columns {
    type State = Connect4;
    const TITLE: &'static str = "connect four";

    fn opening(rng: &mut Rng) -> Connect4 {
        let mut state = Connect4::EMPTY;
        for _ in 0..3 {
            let mut moves = Vec::new();
            Game::moves(&state, 0, &mut moves);
            state.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        state
    }

    fn pair(name: &str, work: Work) -> Option<Pair<Self>> {
        if name == "batch-4" {
            return Some((
                tree::<Self, _, _>(Params::DEFAULT, Batch::<4>, Uct, work.of(Self::WORK), 1),
                tree::<Self, _, _>(Params::DEFAULT, Fast, Uct, work.base(Self::WORK), 2),
            ));
        }
        trees::pair::<Self>(name, work).or_else(|| deep::pair::<Self>(name, work))
    }
}

impl Domain for Columns {
    type Fast = Fast;
    type Static = Open;
    type Bias = Centre<false>;
    type Shares = Centre<true>;
    type Board = Connect4;
    type Deep = Lines;
    const WORK: u64 = 1_000;
    const NODES: u64 = 3_000;
    const WIDEST: usize = 7;

    fn fast() -> Fast {
        Fast
    }

    fn fixed() -> Open {
        Open
    }

    fn bias(widen: f32) -> Centre<false> {
        Centre { widen }
    }

    fn shares() -> Centre<true> {
        Centre { widen: 0.0 }
    }

    fn deep(state: &Connect4) -> (Lines, Connect4) {
        (Lines, *state)
    }
}
