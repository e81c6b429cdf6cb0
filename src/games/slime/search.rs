//! The shared tree search with slime's opinions: max^n, PUCT, leaves valued by the network.
//!
//! Every seat maximises its own expected share of the squares.

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
        let prior = Prior::learned(weights.width as usize);
        Self {
            tree: Mcts::new(params, leaf, prior, EDGES, WIDEST, seed),
        }
    }

    /// Looks for the move of the seat on turn.
    pub fn best(&mut self, state: &State, limit: Limit) -> Found<Move, SEATS> {
        self.tree.prior.root = state.hash();
        self.tree.search(state, state.seat(), limit)
    }
}
