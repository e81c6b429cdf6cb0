//! Playouts: games finished by chance, or by a fast greedy that minds dead squares.
//!
//! Draws come from a [`Deck`] that the caller shuffles, so that several candidates can be given the same
//! ones. Nothing here allocates.

use super::kingdom::{around, count, each_put, Kingdom, Put, Puts};
use super::state::State;
use super::tile::Tile;
use super::weights::Weights;
use super::zones::{Gains, Zones};
use crate::kit::bits::{random_bit, select_bit, Bits};
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;

/// Undrawn tiles in an order of their own.
#[derive(Clone, Debug)]
pub struct Deck {
    tiles: [Tile; 64],
    len: usize,
    next: usize,
}

impl Deck {
    /// The tiles of a set of ids, by a table.
    pub fn new(ids: u64, table: impl Fn(u8) -> Tile) -> Self {
        let mut deck = Self {
            tiles: [Tile::NONE; 64],
            len: 0,
            next: 0,
        };
        for id in Bits(ids) {
            deck.tiles[deck.len] = table(id as u8);
            deck.len += 1;
        }
        deck
    }

    /// A new order, nothing drawn.
    #[inline(always)]
    pub fn shuffle(&mut self, rng: &mut Rng) {
        self.next = 0;
        rng.shuffle(&mut self.tiles[..self.len]);
    }

    /// Draws from the start again.
    #[inline(always)]
    pub fn rewind(&mut self) {
        self.next = 0;
    }

    /// Puts the next offer into `state`, if it waits for one.
    #[inline(always)]
    pub fn deal<const N: usize>(&mut self, state: &mut State<N>) {
        if state.wants_draw() {
            let to = (self.next + state.variant.lanes as usize).min(self.len);
            state.deal(&self.tiles[self.next.min(to)..to]);
            self.next = to;
            if state.offer.len == 0 {
                // Fewer tiles than turns (a request that missed some): the game ends here.
                state.turn = state.variant.turns;
            }
        }
    }
}

/// A uniform legal placement.
#[inline(always)]
pub fn random_put<L: Level>(puts: &Puts, rng: &mut Rng) -> Option<Put> {
    let n = count(puts);
    if n == 0 {
        return None;
    }
    let mut k = rng.below(n);
    for (rotation, &set) in puts.iter().enumerate() {
        let here = set.count_ones();
        if k < here {
            return Some(Put::new(select_bit::<L>(set, k), rotation));
        }
        k -= here;
    }
    None
}

/// Plays to the end at random.
#[inline(always)]
pub fn random_playout<L: Level, const N: usize>(state: &mut State<N>, deck: &mut Deck, rng: &mut Rng) {
    while !state.over() {
        deck.deal(state);
        let (tile, me) = (state.tile_in_play(), state.mover());
        if tile != Tile::NONE {
            let puts = state.kingdoms[me].distinct_puts(tile);
            if let Some(put) = random_put::<L>(&puts, rng) {
                state.kingdoms[me].play_unscored(tile, put);
            }
        }
        let free = u64::from(state.free_slots());
        state.take((free != 0).then(|| random_bit::<L>(free, rng) as usize));
    }
    for kingdom in &mut state.kingdoms {
        kingdom.rescore_all();
    }
}

/// Plays to the end, every seat greedily.
#[inline(always)]
pub fn greedy_playout<L: Level, const N: usize>(
    state: &mut State<N>,
    deck: &mut Deck,
    weights: &Weights,
    rng: &mut Rng,
) {
    while !state.over() {
        deck.deal(state);
        let (tile, me) = (state.tile_in_play(), state.mover());
        if tile != Tile::NONE {
            if let Some(put) = greedy_put(&state.kingdoms[me], tile, weights, rng) {
                state.kingdoms[me].play_unscored(tile, put);
            }
        }
        let slot = greedy_slot(state, me, rng);
        state.take(slot);
    }
    for kingdom in &mut state.kingdoms {
        kingdom.rescore_all();
    }
}

/// The placement with most points after what it costs in shape; a little noise. `None`: it fits nowhere.
#[inline(always)]
pub fn greedy_put(kingdom: &Kingdom, tile: Tile, weights: &Weights, rng: &mut Rng) -> Option<Put> {
    let puts = kingdom.distinct_puts(tile);
    if puts == [0; 4] {
        return None;
    }
    let mut best = (f32::NEG_INFINITY, None);
    worths(kingdom, tile, &puts, weights, |put, worth| {
        let worth = worth + weights.noise * rng.unit();
        if worth > best.0 {
            best = (worth, Some(put));
        }
    });
    best.1
}

/// What each of some placements is worth at once, in points: score won, less what it costs in shape.
#[inline(always)]
pub fn worths(kingdom: &Kingdom, tile: Tile, puts: &Puts, weights: &Weights, mut f: impl FnMut(Put, f32)) {
    let gains = Gains::new(kingdom, tile);
    let open = open(kingdom);
    let (width, height) = kingdom.size();
    let inside = rectangle(width, height).rotate_left(kingdom.corner());
    let near_a = kingdom.terrain[tile.first().terrain as usize];
    let near_b = kingdom.terrain[tile.second().terrain as usize];
    each_put(puts, |put| {
        let (first, second) = put.cells();
        let left = open & !(first | second);
        let holes = (left & !around(left)).count_ones();
        let grown = ((first | second) & !inside).count_ones();
        let touch = (around(first) & near_a).count_ones() + (around(second) & near_b).count_ones();
        f(
            put,
            gains.of(put) as f32 - weights.hole * holes as f32 - weights.grow * grown as f32
                + weights.touch * touch as f32,
        );
    });
}

/// Squares that can still be filled as far as the extent goes.
#[inline(always)]
pub fn open(kingdom: &Kingdom) -> u64 {
    let (lying, standing) = kingdom.free_pairs();
    lying | lying.rotate_left(1) | standing | standing.rotate_left(8)
}

/// A box with its corner at bit 0.
#[inline(always)]
const fn rectangle(width: u8, height: u8) -> u64 {
    let row = (1u64 << (width & 7)) - 1;
    let rows = 0x0101_0101_0101_0101u64 >> (64 - 8 * (height as u32 & 7));
    row * rows
}

/// The free tile whose halves promise most points at once; a little noise breaks ties.
#[inline(always)]
pub fn greedy_slot<const N: usize>(state: &State<N>, me: usize, rng: &mut Rng) -> Option<usize> {
    let free = state.free_slots();
    if free & free.wrapping_sub(1) == 0 {
        return (free != 0).then(|| free.trailing_zeros() as usize);
    }
    let kingdom = &state.kingdoms[me];
    let open = open(kingdom);
    let mut known: [Option<Zones>; 6] = [None; 6];
    let mut best = (i32::MIN, None);
    for slot in Bits(u64::from(free)) {
        let tile = state.offer.tiles[slot as usize & 3];
        let mut worth = (rng.next_u64() >> 62) as i32;
        for half in [tile.first(), tile.second()] {
            let zones = known[half.terrain as usize % 6]
                .get_or_insert_with(|| Zones::of(kingdom, half.terrain % 6, open));
            worth += 4 * zones.best(half.crowns);
        }
        if worth > best.0 {
            best = (worth, Some(slot as usize));
        }
    }
    best.1
}
