//! Wondev's league 0 for the technique matches: the judge's maps and starts, the bot's evaluation.

use crate::deep::{self, deep, ENTRIES};
use crate::frame::{Contest, Pair, Work};
use crate::settings::widened;
use crate::trees::{self, tree, Domain};
use fifty::games::wondev::eval::{chance, evaluate, row, Row};
use fifty::games::wondev::policy::Opinion;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::setup::{start, Setup};
use fifty::games::wondev::weights::Weights;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use fifty::search::mcts::Params;
use fifty::search::policy::{Evaluate, Playout, Static, TreePolicy, Uct, Uniform};
use std::ops::Deref;
use std::sync::Arc;

/// The game.
pub struct Towers;

/// A position and how it is valued.
#[derive(Clone)]
pub struct Tower {
    state: State,
    row: Arc<Row>,
}

impl Deref for Tower {
    type Target = State;
    fn deref(&self) -> &State {
        &self.state
    }
}

impl Game<2> for Tower {
    type Move = Move;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    #[inline(always)]
    fn payoff(&self) -> [f32; 2] {
        self.state.payoff()
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.state.mover()
    }

    #[inline(always)]
    fn moves(&self, seat: usize, out: &mut Vec<Move>) {
        Game::moves(&self.state, seat, out);
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Move; 2], rng: &mut Rng) {
        self.state.advance(joint, rng);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        Game::hash(&self.state)
    }
}

/// The bot's evaluation as a chance.
#[derive(Clone)]
pub struct Chance;

impl Evaluate<Tower, 2> for Chance {
    #[inline(always)]
    fn evaluate<L: Level>(&mut self, state: &Tower) -> [f32; 2] {
        let mine = chance(evaluate(&state.state, &state.row));
        let mut both = [1.0 - mine; 2];
        both[state.mover()] = mine;
        both
    }
}

/// Up is good, down is not: by the height stepped on.
pub struct Climb<const PUCT: bool> {
    widen: f32,
}

impl<const PUCT: bool> TreePolicy<Tower, 2> for Climb<PUCT> {
    type Prior = f32;
    const PUCT: bool = PUCT;
    const TRY_ALL: bool = !PUCT;
    const FPU_REDUCTION: bool = PUCT;

    #[inline(always)]
    fn shown(&self, _: &Tower, visits: u32, len: usize) -> usize {
        widened(self.widen, visits, len)
    }

    #[inline(always)]
    fn priors<L: Level>(&mut self, state: &Tower, _: usize, moves: &[Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|&m| {
            if m.is_defeat() {
                1.0
            } else {
                (1 + 2 * state.height(m.first())) as f32
            }
        }));
        // Shares of the moves; as a bonus at most 1.
        let scale = if PUCT { out.iter().sum() } else { 7.0f32 };
        for p in out {
            *p /= scale;
        }
    }
}

impl Contest for Towers {
    type State = Tower;
    const TITLE: &'static str = "wondev, league 0";

    fn opening(rng: &mut Rng) -> Tower {
        let setup = Setup::new(League::Climb, Flow::Turn, rng.next_u64() as i64);
        let state = start(&setup).0;
        Tower {
            row: Arc::new(row(&Weights::DEFAULT, state.league(), state.cells())),
            state,
        }
    }

    fn pair(name: &str, work: Work) -> Option<Pair<Self>> {
        if name == "static-alpha-beta" {
            let params = Params {
                exploration: 0.5,
                ..Params::DEFAULT
            };
            return Some((
                tree::<Self, _, _>(params, Static(Chance), Uct, work.of(Self::NODES), 1),
                deep::<Self, 0>(ENTRIES, work.base(Self::NODES)),
            ));
        }
        trees::pair::<Self>(name, work).or_else(|| deep::pair::<Self>(name, work))
    }
}

impl Domain for Towers {
    type Fast = Playout<Uniform<Move>>;
    type Static = Chance;
    type Bias = Climb<false>;
    type Shares = Climb<true>;
    type Board = State;
    type Deep = Opinion;
    const WORK: u64 = 1_000;
    const NODES: u64 = 12_000;
    const WIDEST: usize = 160;

    fn fast() -> Self::Fast {
        Playout {
            choose: Uniform::new(Self::WIDEST),
        }
    }

    fn fixed() -> Chance {
        Chance
    }

    fn bias(widen: f32) -> Climb<false> {
        Climb { widen }
    }

    fn shares() -> Climb<true> {
        Climb { widen: 0.0 }
    }

    fn deep(state: &Tower) -> (Opinion, State) {
        let mut opinion = Opinion::new(Weights::DEFAULT);
        opinion.face(&state.state);
        (opinion, state.state)
    }
}
