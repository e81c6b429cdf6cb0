//! Opponents: random; greedy (best resulting score, pick by best follow-up); hard (one look at points, dead
//! squares, frontiers and what the other seat would get); flat Monte Carlo with the bot's own time. Its
//! playouts are those of `greedy` for `flatmc`, the yardstick every match of the bot is measured against, and
//! better ones for two harder opponents: `flattuned` plays the bot's, `flatfirst` the first that were tuned.

use super::protocol::tile;
use crate::adapter::Player;
use fifty::games::kingdomino::kingdom::{Kingdom, Places, Put, count};
use fifty::games::kingdomino::playout::{Deck, Greedily, random_put};
use fifty::games::kingdomino::protocol::{Request, Shape, answer, read_call, read_init};
use fifty::games::kingdomino::state::{Action, State};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::unshipped::flat::{self, Playouts};
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::worth::Taste;
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::agent::read_line;
use fifty::kit::bits::Bits;
use fifty::kit::clock::{Budget, Clock};
use fifty::kit::cpu::{Plain, run};
use fifty::kit::rng::Rng;

/// How a builtin decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any legal action.
    Random,
    /// Best resulting score, then the tile whose best placement adds most.
    Greedy,
    /// Shape and denial, no search; its numbers stay as they are when the bot's move.
    Hard,
    /// Flat Monte Carlo with the playouts of [`Policy::Greedy`].
    Flat,
    /// The same with the bot's playouts.
    FlatTuned,
    /// The same with the first tuned playouts, which stay as they are.
    FlatFirst,
}

/// A builtin opponent. Reads the text of the protocol like any bot.
pub struct Builtin {
    policy: Policy,
    rng: Rng,
    clock: Clock,
    shape: Option<Shape>,
    seen: u64,
}

impl Builtin {
    /// `budget` is for the flat ones only.
    pub fn new(policy: Policy, budget: Budget, seed: u64) -> Self {
        Self {
            policy,
            rng: Rng::new(seed),
            clock: Clock::new(budget),
            shape: None,
            seen: 0,
        }
    }

    fn read(&mut self, mut input: &[u8]) -> Option<(Shape, Request)> {
        let (mut line, mut odd) = (String::new(), String::new());
        read_line(&mut input, &mut line).ok()?;
        let shape = match self.shape {
            Some(shape) => shape,
            None if line.len() < 3 => {
                let shape = read_init(&line, &mut input, &mut odd).ok()?;
                read_line(&mut input, &mut line).ok()?;
                shape
            }
            None => Shape::MAIN,
        };
        self.shape = Some(shape);
        let request = read_call(shape, &line, &mut input, &mut odd).ok()??;
        for entry in request.row.iter().chain(&request.offer) {
            if entry.tile != Tile::NONE {
                self.seen |= 1 << entry.tile.id();
            }
        }
        Some((shape, request))
    }

    fn answer<const N: usize>(&mut self, shape: Shape, request: &Request) -> String {
        let deck = (((1 << 48) - 1) << 1) & !self.seen;
        let offered = request.offer.iter().any(|e| e.tile != Tile::NONE);
        let turn = self.seen.count_ones().div_ceil(u32::from(shape.variant.lanes)) as u8 + u8::from(!offered);
        let state: State<N> = request.state(shape.variant, deck, turn);
        let action = match self.policy {
            Policy::Random => random(&state, &mut self.rng),
            Policy::Greedy => greedy(&state),
            Policy::Hard => hard(&state, &mut self.rng),
            Policy::Flat | Policy::FlatTuned | Policy::FlatFirst => {
                let playouts = match self.policy {
                    Policy::Flat => Playouts::Greedy,
                    Policy::FlatTuned => Playouts::Tuned(&Weights::DEFAULT),
                    _ => Playouts::Tuned(&FIRST),
                };
                let deck = Deck::new(deck, Tile::of_box);
                let limit = self.clock.limit();
                flat::search(&state, deck, playouts, limit, self.rng.next_u64())
            }
        };
        debug_assert!(
            state.is_legal(action),
            "{action:?} for {}",
            tile(state.tile_in_play())
        );
        answer(&state, action)
    }
}

impl Player for Builtin {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        self.clock.start();
        let Some((shape, request)) = self.read(send.as_bytes()) else {
            return Vec::new();
        };
        let answer = match shape.players {
            3 => self.answer::<3>(shape, &request),
            4 => self.answer::<4>(shape, &request),
            _ => self.answer::<2>(shape, &request),
        };
        self.clock.stop();
        answer.into_bytes()
    }
}

fn random<const N: usize>(state: &State<N>, rng: &mut Rng) -> Action {
    let tile = state.tile_in_play();
    let put = if tile == Tile::NONE {
        None
    } else {
        random_put::<Plain>(&state.kingdoms[state.mover()].legal_puts(tile), rng)
    };
    let free: Vec<u32> = Bits(u64::from(state.free_slots())).collect();
    let slot = (!free.is_empty()).then(|| free[rng.below(free.len() as u32) as usize] as usize);
    Action::new(put, slot)
}

/// The placement with the best resulting score, the first one of equals; and that score.
fn best_put(kingdom: &Kingdom, tile: Tile) -> (u32, Option<Put>) {
    let puts = kingdom.distinct_puts(tile);
    let mut best = (kingdom.score(), None);
    debug_assert!(count(&puts) <= 52);
    for put in Places::of(puts) {
        let mut next = *kingdom;
        next.play(tile, put);
        if best.1.is_none() || next.score() > best.0 {
            best = (next.score(), Some(put));
        }
    }
    best
}

/// The top-league greedy: ties between tiles go to the higher id.
fn greedy<const N: usize>(state: &State<N>) -> Action {
    let mut kingdom = state.kingdoms[state.mover()];
    let tile = state.tile_in_play();
    let put = if tile == Tile::NONE {
        None
    } else {
        best_put(&kingdom, tile).1
    };
    if let Some(put) = put {
        kingdom.play(tile, put);
    }
    let slot = Bits(u64::from(state.free_slots()))
        .map(|slot| slot as usize)
        .max_by_key(|&slot| (best_put(&kingdom, state.offer.tiles[slot]).0, slot));
    Action::new(put, slot)
}

/// The first tuned playout policy.
const FIRST: Weights = Weights {
    hole: 1.95,
    hole_late: 1.32,
    narrow: 0.0,
    narrow_late: 0.0,
    grow: 0.13,
    touch: 0.52,
    touch_late: 0.52,
    contact: 0.48,
    contact_late: 0.48,
    reach: 0.16,
    reach_late: 0.11,
    block: 1.25,
    block_late: 1.25,
    touch_common: 0.0,
    castle: 0.0,
    castle_late: 0.0,
    keep: 0.0,
    keep_late: 0.0,
    join: 0.0,
    join_late: 0.0,
    noise: 0.5,
    pick_crown: -0.50,
    pick_common: 0.0,
    pick_pair: 0.16,
    pick_deny: 0.68,
    pick_late: 0.0,
    pick_last: 0.0,
    pick_noise: 0.75,
    ..Weights::DEFAULT
};

/// The same without its noise.
const HARD: Weights = Weights {
    noise: 0.0,
    pick_noise: 0.0,
    ..FIRST
};

fn hard<const N: usize>(state: &State<N>, rng: &mut Rng) -> Action {
    let sights = std::array::from_fn(|seat| Sight::new(&state.kingdoms[seat]));
    let (put, slot) = run(Greedily {
        state,
        sights: &sights,
        taste: &Taste::new(&HARD),
        rng,
    });
    Action::new(put, slot)
}

#[cfg(test)]
mod tests {
    use super::greedy;
    use fifty::games::kingdomino::playout::Deck;
    use fifty::games::kingdomino::state::{State, Variant};
    use fifty::games::kingdomino::tile::Tile;
    use fifty::games::kingdomino::unshipped::flat::plain_playout;
    use fifty::kit::rng::Rng;

    /// The playouts of `flatmc` are games of `greedy`.
    #[test]
    fn flat_playouts_are_greedy_games() {
        for seed in 0..300 {
            let mut deck = Deck::new(((1 << 48) - 1) << 1, Tile::of_box);
            deck.shuffle(&mut Rng::new(seed));
            let (mut fast, mut slow) = (State::<2>::new(Variant::MAIN), State::<2>::new(Variant::MAIN));
            plain_playout(&mut fast, &mut deck.clone());
            while !slow.over() {
                deck.deal(&mut slow);
                slow.play(greedy(&slow));
            }
            assert_eq!(fast, slow, "seed {seed}");
        }
    }
}
