//! Slime for the technique matches: the settings of the bot's own tree, one seat of four with the technique.
//!
//! Every seat is expected to plan; a game is scored after 300 turns if it is not over.

use crate::frame::{Contest, Pair, Player, Seat, Work};
use crate::settings::{Flipped, CHOICE, EXPAND, PRIOR, REUSE, SOLVER, WIDEN};
use crate::trees::EDGES;
use fifty::games::slime::moves::Move;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::search::{Search, Squares};
use fifty::games::slime::state::{State, SEATS};
use fifty::games::slime::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use fifty::search::mcts::Mcts;
use fifty::search::policy::TreePolicy;

/// The game.
pub struct Colonies;

/// Iterations of the baseline.
const WORK: u64 = 400;
/// Turns after which a game is scored.
const TURNS: u16 = 300;
/// Room for the moves of one position.
const WIDEST: usize = 1024;

/// The game with a last turn.
#[derive(Clone)]
pub struct Short(State);

impl Game<SEATS> for Short {
    type Move = Move;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.0.is_over() || self.0.turns() >= TURNS
    }

    fn payoff(&self) -> [f32; SEATS] {
        self.0.shares()
    }

    fn to_move(&self) -> usize {
        self.0.seat()
    }

    fn moves(&self, seat: usize, out: &mut Vec<Move>) {
        self.0.moves(seat, out);
    }

    fn advance(&mut self, joint: &[Move; SEATS], rng: &mut Rng) {
        self.0.advance(joint, rng);
    }

    fn hash(&self) -> u64 {
        Game::hash(&self.0)
    }
}

/// The bot's tree without what it remembers of its opponents.
struct Bot<P: TreePolicy<State, SEATS>>(Mcts<State, Squares, P, SEATS>, u64);

impl<P: TreePolicy<State, SEATS>> Player<Short, SEATS> for Bot<P> {
    fn choose(&mut self, state: &Short, seat: usize) -> Move {
        let found = self.0.search(&state.0, seat, Limit::work(self.1));
        found.best.expect("not over")
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

fn bot<P: TreePolicy<State, SEATS> + 'static>(
    work: u64,
    change: impl FnOnce(Prior) -> P,
) -> Seat<Colonies, SEATS> {
    let tree = Search::new(&Weights::DEFAULT, 1).tree;
    let policy = change(tree.policy);
    Box::new(Bot(
        Mcts::new(tree.params, tree.leaf, policy, EDGES, WIDEST, 1),
        work,
    ))
}

impl Contest<SEATS> for Colonies {
    type State = Short;
    const TITLE: &'static str = "slime, four seats";

    fn opening(rng: &mut Rng) -> Short {
        Short(State::drawn(8, 2 * SEATS, rng))
    }

    fn pair(name: &str, work: Work) -> Option<Pair<Self, SEATS>> {
        let (n, base) = (work.of(WORK), work.base(WORK));
        // What is on in the bot is the technique itself, and off in the baseline; and the other way around.
        let off = |baseline: Seat<Self, SEATS>| (bot(n, |p| p), baseline);
        let on = |technique: Seat<Self, SEATS>| (technique, bot(base, |p| p));
        Some(match name {
            "double" => (bot(2 * base, |p| p), bot(base, |p| p)),
            "reuse" => off(bot(base, Flipped::<_, REUSE>)),
            "widen" => off(bot(base, Flipped::<_, WIDEN>)),
            "prior" => off(bot(base, Flipped::<_, PRIOR>)),
            "solver" if <Prior as TreePolicy<State, SEATS>>::SOLVER => off(bot(base, Flipped::<_, SOLVER>)),
            "by-value" => on(bot(n, Flipped::<_, CHOICE>)),
            "expand-2" => on(bot(n, Flipped::<_, EXPAND>)),
            _ => return None,
        })
    }
}
