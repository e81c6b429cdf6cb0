//! Kingdomino for the technique matches: the settings of the bot's own tree, and what open-loop sampling of the draws
//! is worth.
//!
//! `open-…`: the shared tree search over whole actions with the bot's playouts at its leaves. A draw is a tile of the box; both players and
//! the game itself draw from the same rest of it.

use crate::frame::{Contest, Pair, Player, Seat, Work};
use crate::settings::{Flipped, NoReuse, CHOICE, EXPAND, PRIOR, REUSE, WIDEN};
use crate::trees::grown;
use fifty::games::kingdomino::playout::{greedy_playout, Deck};
use fifty::games::kingdomino::search::{self, Rest, Search};
use fifty::games::kingdomino::state::{Action, State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::unshipped::flat::{self, Playouts};
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::worth::{Taste, UNLEARNED};
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use fifty::search::mcts::Params;
use fifty::search::policy::{Leaf, TreePolicy};

/// The game.
pub struct Kingdoms;

/// Iterations of the baseline.
const WORK: u64 = 150;
/// Iterations of the bot's own tree.
const BOT: u64 = 600;
/// Most actions of a position.
const WIDEST: usize = 512;

/// The game with its draws open (`deck` is `None`: drawn anew wherever they happen) or told by a number.
#[derive(Clone)]
pub struct Drawn {
    state: State<2>,
    deck: Option<u64>,
}

impl Game<2> for Drawn {
    type Move = Action;
    // A node stands for a history: its states differ by what was drawn.
    const HIDDEN: bool = true;

    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn payoff(&self) -> [f32; 2] {
        Game::payoff(&self.state)
    }

    fn to_move(&self) -> usize {
        self.state.to_move()
    }

    fn moves(&self, seat: usize, out: &mut Vec<Action>) {
        self.state.moves(seat, out);
    }

    fn advance(&mut self, joint: &[Action; 2], rng: &mut Rng) {
        match self.deck {
            None => self.state.advance(joint, rng),
            Some(deck) => {
                let turn = u64::from(self.state.turn).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                self.state.advance(joint, &mut Rng::new(deck ^ turn));
            }
        }
    }

    fn hash(&self) -> u64 {
        Game::hash(&self.state) ^ self.deck.unwrap_or_default()
    }
}

/// The bot's playouts; points of the match.
struct Greedy {
    taste: Taste,
}

impl Leaf<Drawn, 2> for Greedy {
    fn value<L: Level>(&mut self, drawn: &mut Drawn, rng: &mut Rng) -> [f32; 2] {
        let mut deck = Deck::new(drawn.state.deck, Tile::of_box);
        deck.shuffle(&mut drawn.deck.map_or_else(|| rng.fork(), Rng::new));
        let mut sights = [0, 1].map(|seat| Sight::new(&drawn.state.kingdoms[seat]));
        greedy_playout::<L, 2>(
            &mut drawn.state,
            &mut sights,
            &mut deck,
            (&self.taste, &[UNLEARNED; 2]),
            rng,
        );
        let [a, b] = drawn.state.kingdoms.each_ref().map(|k| k.score() as f32);
        // Points tell more than the winner alone.
        let first = 1.0 / (1.0 + ((b - a) / 12.0).exp());
        [first, 1.0 - first]
    }
}

/// The shared tree search.
struct Tree<P> {
    tree: P,
    /// One deck for the whole search instead of one an iteration.
    one_deck: Option<Rng>,
}

impl<P: Player<Drawn>> Player<Drawn> for Tree<P> {
    fn choose(&mut self, state: &Drawn, seat: usize) -> Action {
        let mut state = state.clone();
        state.deck = self.one_deck.as_mut().map(Rng::next_u64);
        self.tree.choose(&state, seat)
    }

    fn clear(&mut self) {
        self.tree.clear();
    }
}

/// Every action the same number of playouts.
struct Flat(u64, Rng);

impl Player<Drawn> for Flat {
    fn choose(&mut self, state: &Drawn, _: usize) -> Action {
        let playouts = Playouts::Tuned(&Weights::DEFAULT);
        let deck = Deck::new(state.state.deck, Tile::of_box);
        flat::search(
            &state.state,
            deck,
            playouts,
            Limit::work(self.0),
            self.1.next_u64(),
        )
    }

    fn clear(&mut self) {}
}

fn tree(work: u64, one_deck: Option<Rng>) -> Seat<Kingdoms> {
    let leaf = Greedy {
        taste: Taste::new(&Weights::DEFAULT),
    };
    Box::new(Tree {
        tree: grown::<Drawn, _, _>(Params::DEFAULT, leaf, NoReuse {}, WIDEST, work, 1),
        one_deck,
    })
}

/// The bot's tree, without its exact end.
struct Bot<P: TreePolicy<Rest<2>, 2>>(Search<2, P>, u64);

impl<P: TreePolicy<Rest<2>, 2> + AsMut<search::Greedy>> Player<Drawn> for Bot<P> {
    fn choose(&mut self, drawn: &Drawn, _: usize) -> Action {
        let deck = Deck::new(drawn.state.deck, Tile::of_box);
        let found = self.0.search(&drawn.state, deck, Limit::work(self.1));
        found.best.expect("not over")
    }

    fn clear(&mut self) {
        self.0.tree.clear();
    }
}

fn bot<P>(work: u64, policy: impl FnOnce(search::Greedy) -> P) -> Seat<Kingdoms>
where
    P: TreePolicy<Rest<2>, 2> + AsMut<search::Greedy> + 'static,
{
    Box::new(Bot(Search::with(&Weights::DEFAULT, 1, policy), work))
}

impl Contest for Kingdoms {
    type State = Drawn;
    const TITLE: &'static str = "kingdomino";

    fn opening(rng: &mut Rng) -> Drawn {
        let mut state = State::<2>::new(Variant::MAIN);
        state.draw(rng, Tile::of_box);
        Drawn {
            state,
            deck: Some(rng.next_u64()),
        }
    }

    fn legal(drawn: &Drawn, _: usize, action: Action) -> bool {
        drawn.state.is_legal(action)
    }

    fn pair(name: &str, work: Work) -> Option<Pair<Self>> {
        let (n, base) = (work.of(WORK), work.base(WORK));
        let (greedy, plain) = (work.of(BOT), work.base(BOT));
        // What is on in the bot is the technique itself, and off in the baseline; and the other way around.
        let off = |baseline: Seat<Self>| (bot(greedy, |p| p), baseline);
        let on = |technique: Seat<Self>| (technique, bot(plain, |p| p));
        Some(match name {
            "double" => (bot(2 * plain, |p| p), bot(plain, |p| p)),
            "reuse" => off(bot(plain, Flipped::<_, REUSE>)),
            "widen" => off(bot(plain, Flipped::<_, WIDEN>)),
            "prior" => off(bot(plain, Flipped::<_, PRIOR>)),
            "by-value" => on(bot(greedy, Flipped::<_, CHOICE>)),
            "expand-2" => on(bot(greedy, Flipped::<_, EXPAND>)),
            "open-double" => (tree(2 * base, None), tree(base, None)),
            "open-loop" => (tree(n, None), tree(base, Some(Rng::new(3)))),
            "open-flat" => (tree(n, None), Box::new(Flat(base, Rng::new(3)))),
            _ => return None,
        })
    }
}
