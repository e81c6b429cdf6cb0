//! The shared tree search with slime's opinions: max^n, PUCT, leaves valued by the network.
//!
//! Every seat maximises its own expected share of the squares. Squares a game, two seats each in all six
//! arrangements, fixed work in one process (standard error about 0.6 to 1.3):
//!
//! | left | right | games | squares |
//! |---|---|---|---|
//! | max^n tree, 8 greedy turns, 3,000 iterations (1.2 to 1.8 ms) | max^n alpha-beta, 2.5 ms | 24 | 20.7 : 11.3 |
//! | the same | paranoid alpha-beta, 2.5 ms | 24 | 19.4 : 12.6 |
//! | the same | best-reply alpha-beta, 2.5 ms | 24 | 19.6 : 12.4 |
//! | network at the leaf, 4,000 | 4 greedy turns and today's shares | 60 | 18.4 : 13.6 |
//! | network at the leaf, 3,000 | 2 greedy turns, then the network | 60 | 16.3 : 15.7 |
//! | learned priors, 3,000 | priors by gain | 60 | 18.2 : 13.8 |
//! | explore 0.3, 4,000 | explore 0.5 | 36 | 17.6 : 14.4 |
//! | greed 0, 3,000 | greed 0.5 | 24 | 18.7 : 13.3 |
//! | greed 0, 3,000 | greed 1 | 24 | 22.3 : 9.7 |
//!
//! The alpha-beta lines above counted squares; with the network, at the bot's clock, they play as
//! `cargo fifty play slime --bot engine:86ms --bot builtin:paranoid` (`maxn`, `best-reply`). Against three
//! greedy players greed pays instead: 25 squares at 0, 30 at 0.7, 33 at 1 (16 games, 8,000 iterations).

use super::board::Board;
use super::moves::Move;
use super::prior::Prior;
use super::state::{State, SEATS};
use super::value::Net;
use super::weights::Weights;
use crate::kit::clock::Limit;
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::game::Game;
use crate::search::mcts::policy::Leaf;
use crate::search::mcts::{Choice, FirstPlay, Found, Mcts, Params};

/// Edges of the tree: what 95 ms can fill on a fast machine.
const EDGES: usize = 6_000_000;
/// More moves than any position lists.
const WIDEST: usize = 256;

/// What a leaf is worth.
#[derive(Clone, Debug)]
pub struct Squares {
    /// Where it is not over.
    pub net: Net,
    /// Greedy turns before the network is asked.
    pub plies: u32,
    /// Weight of today's share of the whole board: it keeps the game moving.
    pub whole: f32,
}

impl Leaf<State, SEATS> for Squares {
    #[inline(always)]
    fn value<L: Level>(&mut self, state: &mut State, rng: &mut Rng) -> [f32; SEATS] {
        let mut board: Board<SEATS> = *state.board();
        let mut seat = state.seat();
        for _ in 0..self.plies {
            if board.empty == 0 {
                break;
            }
            board.greedy_turn::<L>(seat, rng);
            seat = (seat + 1) % SEATS;
        }
        let all = board.all().count_ones() as f32;
        let shares = board.counts().map(|n| n as f32 / all);
        if board.empty == 0 {
            return shares;
        }
        let mut value = self.net.shares(&board, seat);
        for (value, share) in value.iter_mut().zip(shares) {
            *value += self.whole * (share - *value);
        }
        value
    }
}

/// The search of the bot.
pub struct Search {
    /// The shared core, with its opinions in `leaf` and `prior`.
    pub tree: Mcts<State, Squares, Prior, SEATS>,
}

impl Search {
    /// A search that answers the same for the same `seed`, position and work.
    pub fn new(weights: &Weights, seed: u64) -> Self {
        let params = Params {
            exploration: weights.explore,
            first_play: FirstPlay::Below(weights.unseen),
            expand_after: weights.grow_at,
            solver: true,
            reuse: false,
            choice: Choice::Visits,
            ..Params::DEFAULT
        };
        let leaf = Squares {
            net: Net::learned(),
            plies: weights.plies,
            whole: weights.whole,
        };
        let mut prior = Prior::learned(weights.width as usize);
        prior.greed = weights.greed;
        Self {
            tree: Mcts::new(params, leaf, prior, EDGES, WIDEST, seed),
        }
    }

    /// Looks for the move of the seat on turn.
    pub fn best(&mut self, state: &State, limit: Limit) -> Found<Move, SEATS> {
        self.tree.prior.root = state.hash();
        self.tree.prior.me = state.seat();
        self.tree.search(state, state.seat(), limit)
    }
}
