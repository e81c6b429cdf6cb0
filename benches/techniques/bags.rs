//! Connexion for the technique matches: the bot's search over sampled orders of the bags, each technique on and off.
//!
//! Moves come from the bot's lazy picker, so a history has nothing to order; the game has no null move. Endings are not
//! solved: both sides play them by the same sampling.

use crate::deep::ENTRIES;
use crate::frame::{Contest, Pair, Player, Seat, Work};
use crate::toggled::{self, Toggled};
use fifty::games::connexion::decide::order;
use fifty::games::connexion::field::Field;
use fifty::games::connexion::search::{Draws, Opinion, POINT};
use fifty::games::connexion::state::{Move, State};
use fifty::games::connexion::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::policy::Policy;
use fifty::search::sampled::{Deals, Sampled};

/// The game.
pub struct Bags;

/// Nodes of the baseline.
const WORK: u64 = 4_000;
/// Moves of a position at most.
const WIDEST: usize = 320;

impl<const FLIP: u32> Deals<Field> for Toggled<Opinion, FLIP> {
    type Order = Draws;

    fn deal(&mut self, order: &Draws) {
        self.0.deal(order);
    }
}

/// The bot's choice with the techniques of `FLIP` switched, over so many orders.
struct Bot<const FLIP: u32> {
    sampled: Sampled<Field, Toggled<Opinion, FLIP>>,
    orders: i32,
    work: u64,
}

impl<const FLIP: u32> Player<State> for Bot<FLIP> {
    fn choose(&mut self, state: &State, _: usize) -> Move {
        let mut field = Field::new(state);
        let weights = &self.sampled.search.policy.0.weights;
        let breadth = (weights.root as usize, weights.slack * POINT);
        let mut rng = Rng::new(1 ^ field.hash());
        let orders: Vec<Draws> = (0..self.orders)
            .map(|_| (order(state, &mut rng), rng.next_u64()))
            .collect();
        let found = self
            .sampled
            .choose(&mut field, &orders, breadth, Limit::work(self.work));
        found.best.expect("not over")
    }

    fn clear(&mut self) {
        self.sampled.search.clear();
    }
}

fn bot<const FLIP: u32>(orders: i32, work: u64) -> Seat<Bags> {
    let policy = Toggled::<_, FLIP>(Opinion::new(Weights::DEFAULT));
    Box::new(Bot {
        sampled: Sampled::new(policy, ENTRIES, WIDEST),
        orders,
        work,
    })
}

/// The bot's search with a technique against the one without it.
fn switched<const FLIP: u32>(on: bool, work: Work) -> Pair<Bags> {
    let (orders, nodes, base) = (Weights::DEFAULT.samples, work.of(WORK), work.base(WORK));
    if on {
        (bot::<0>(orders, nodes), bot::<FLIP>(orders, base))
    } else {
        (bot::<FLIP>(orders, nodes), bot::<0>(orders, base))
    }
}

impl Contest for Bags {
    type State = State;
    const TITLE: &'static str = "connexion";

    fn opening(rng: &mut Rng) -> State {
        State::deal(rng)
    }

    fn pair(name: &str, work: Work) -> Option<Pair<Self>> {
        let (orders, nodes, base) = (Weights::DEFAULT.samples, work.of(WORK), work.base(WORK));
        Some(match name {
            "double" => (bot::<0>(orders, 2 * base), bot::<0>(orders, base)),
            "orders" => (bot::<0>(orders, nodes), bot::<0>(1, base)),
            "orders-double" => (bot::<0>(2 * orders, 2 * base), bot::<0>(orders, base)),
            "table" => switched::<{ toggled::TABLE }>(Opinion::TABLE, work),
            "keep-deep" => switched::<{ toggled::KEEP_DEEP }>(Opinion::KEEP_DEEP, work),
            "killers" => switched::<{ toggled::KILLERS }>(Opinion::KILLERS, work),
            "reductions" => switched::<{ toggled::REDUCE }>(Opinion::REDUCE, work),
            "late-move-cut" => switched::<{ toggled::WIDTH }>(Opinion::WIDTH, work),
            "blind" => switched::<{ toggled::BLIND }>(Opinion::BLIND, work),
            "staged" => switched::<{ toggled::STAGED }>(Opinion::STAGED, work),
            "scout" => switched::<{ toggled::SCOUT }>(Opinion::SCOUT, work),
            _ => return None,
        })
    }
}
