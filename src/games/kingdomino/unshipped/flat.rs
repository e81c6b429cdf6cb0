//! Flat Monte Carlo: every action of the root gets the same number of playouts over the same draws; the
//! best mean margin in points wins. The yardstick for the tree, no part of the bot.
//!
//! Playouts are the bot's own ([`Playouts::Tuned`]) or those of the plain greedy ([`Playouts::Greedy`]): the
//! placement with the best resulting score, the first of equals; then the tile whose best placement adds
//! most, the last of equals.

use crate::games::kingdomino::kingdom::{Kingdom, Places, Put};
use crate::games::kingdomino::playout::{greedy_playout, Deck};
use crate::games::kingdomino::state::{Action, State};
use crate::games::kingdomino::tile::Tile;
use crate::games::kingdomino::weights::Weights;
use crate::games::kingdomino::worth::{Taste, UNLEARNED};
use crate::games::kingdomino::zones::Sight;
use crate::kit::bits::Bits;
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// Who plays the playouts.
#[derive(Clone, Copy, Debug)]
pub enum Playouts<'a> {
    /// Best score at once, no chance in it.
    Greedy,
    /// The greedy with an eye for shape and denial.
    Tuned(&'a Weights),
}

struct Run<'a, const N: usize> {
    state: &'a State<N>,
    deck: Deck,
    playouts: Playouts<'a>,
    limit: Limit,
    seed: u64,
}

impl<const N: usize> Kernel for Run<'_, N> {
    type Out = Action;

    #[inline(always)]
    fn run<L: Level>(mut self) -> Action {
        let (me, mut actions) = (self.state.mover(), Vec::new());
        self.state.moves(me, &mut actions);
        let mut rng = Rng::new(self.seed);
        let taste = match self.playouts {
            Playouts::Tuned(weights) => Taste::new(weights),
            Playouts::Greedy => Taste::new(&Weights::DEFAULT),
        };
        let mut sums = vec![(0.0f32, 0u32); actions.len()];
        let mut playouts = 0;
        'time: while actions.len() > 1 {
            self.deck.shuffle(&mut rng);
            let draws = rng.next_u64();
            for (action, sum) in actions.iter().zip(&mut sums) {
                if playouts % 16 == 0 && self.limit.reached(playouts) {
                    break 'time;
                }
                let mut state = self.state.clone();
                state.play(*action);
                self.deck.rewind();
                match self.playouts {
                    Playouts::Greedy => plain_playout(&mut state, &mut self.deck),
                    Playouts::Tuned(_) => {
                        let mut rng = Rng::new(draws);
                        let mut sights = core::array::from_fn(|seat| Sight::new(&state.kingdoms[seat]));
                        let deck = &mut self.deck;
                        let opinion = (&taste, &[UNLEARNED; N]);
                        greedy_playout::<L, N>(&mut state, &mut sights, deck, opinion, &mut rng);
                    }
                }
                sum.0 += margin(&state, me);
                sum.1 += 1;
                playouts += 1;
            }
        }
        let mut best = (actions[0], f32::NEG_INFINITY);
        for (action, &(sum, n)) in actions.iter().zip(&sums) {
            if n > 0 && sum / n as f32 > best.1 {
                best = (*action, sum / n as f32);
            }
        }
        best.0
    }
}

/// Plays to the end, every seat as the plain greedy would.
#[inline(always)]
pub fn plain_playout<const N: usize>(state: &mut State<N>, deck: &mut Deck) {
    let mut sights: [Sight; N] = core::array::from_fn(|seat| Sight::new(&state.kingdoms[seat]));
    while !state.over() {
        deck.deal(state);
        let (tile, me) = (state.tile_in_play(), state.mover());
        if tile != Tile::NONE {
            if let (_, Some(put)) = most(&state.kingdoms[me], &sights[me], tile) {
                state.kingdoms[me].play_unscored(tile, put);
                sights[me].update(&state.kingdoms[me], tile);
            }
        }
        let mut best = (-1, None);
        for slot in Bits(u64::from(state.free_slots())) {
            let (gain, _) = most(
                &state.kingdoms[me],
                &sights[me],
                state.offer.tiles[slot as usize & 3],
            );
            if gain >= best.0 {
                best = (gain, Some(slot as usize));
            }
        }
        state.take(best.1);
    }
    for kingdom in &mut state.kingdoms {
        kingdom.rescore_all();
    }
}

/// The placement that adds most, the first of equals, and what it adds; nothing where the tile fits nowhere.
#[inline(always)]
fn most(kingdom: &Kingdom, sight: &Sight, tile: Tile) -> (i32, Option<Put>) {
    let mut best = (0, None);
    for put in Places::of(kingdom.distinct_puts(tile)) {
        let gain = sight.gain(tile, put);
        if best.1.is_none() || gain > best.0 {
            best = (gain, Some(put));
        }
    }
    best
}

/// Own score minus the best other one.
#[inline(always)]
fn margin<const N: usize>(state: &State<N>, me: usize) -> f32 {
    let mut other = 0;
    for (seat, kingdom) in state.kingdoms.iter().enumerate() {
        if seat != me {
            other = other.max(kingdom.score());
        }
    }
    state.kingdoms[me].score() as f32 - other as f32
}

/// The action with the best mean. `deck` holds the undrawn tiles; work is counted in playouts.
pub fn search<const N: usize>(
    state: &State<N>,
    deck: Deck,
    playouts: Playouts,
    limit: Limit,
    seed: u64,
) -> Action {
    cpu::run(Run {
        state,
        deck,
        playouts,
        limit,
        seed,
    })
}
