//! Playouts: games finished by chance, or by a fast greedy that minds dead squares.
//!
//! Draws come from a [`Deck`] that the caller shuffles, so that several candidates can be given the same
//! ones. Nothing here allocates.

use super::kingdom::{around, count, Kingdom, Places, Put, Puts};
use super::state::State;
use super::tile::Tile;
use super::weights::Weights;
use super::zones::Sight;
use crate::kit::bits::{random_bit, select_bit, Bits};
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;

/// Undrawn tiles in an order of their own.
///
/// Plain columns, as in the state's lanes and the zones: `arrayvec` for this one took 1.2 % more instructions (`cargo
/// fifty bench kingdomino --instructions`), and the bundle came out at 61,496 characters of the 60,000 it is to have.
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
    let mut sights: [Sight; N] = core::array::from_fn(|seat| Sight::new(&state.kingdoms[seat]));
    while !state.over() {
        deck.deal(state);
        let (tile, me) = (state.tile_in_play(), state.mover());
        if tile != Tile::NONE {
            if let Some(put) = greedy_put(&state.kingdoms[me], &sights[me], tile, weights, rng) {
                state.kingdoms[me].play_unscored(tile, put);
                sights[me].update(&state.kingdoms[me], tile);
            }
        }
        let slot = greedy_slot(state, &sights, me, weights, rng);
        state.take(slot);
    }
    for kingdom in &mut state.kingdoms {
        kingdom.rescore_all();
    }
}

/// The placement with most points after what it costs in shape; a little noise. `None`: it fits nowhere.
#[inline(always)]
pub fn greedy_put(
    kingdom: &Kingdom,
    sight: &Sight,
    tile: Tile,
    weights: &Weights,
    rng: &mut Rng,
) -> Option<Put> {
    let puts = kingdom.distinct_puts(tile);
    if puts == [0; 4] {
        return None;
    }
    let eye = Eye::new(kingdom, sight, tile, weights);
    let mut best = (f32::NEG_INFINITY, None);
    for put in Places::of(puts) {
        let worth = eye.worth(put) + weights.noise * rng.unit();
        if worth > best.0 {
            best = (worth, Some(put));
        }
    }
    best.1
}

/// What placements of one tile are worth at once, in points: score won and to be won, less what it costs in
/// shape.
#[derive(Clone, Copy, Debug)]
pub struct Eye<'a> {
    sight: &'a Sight,
    weights: &'a Weights,
    tile: Tile,
    open: u64,
    occupied: u64,
    inside: u64,
    /// For each half: squares of its terrain, edges of other crowned zones.
    own: [u64; 2],
    edge: [u64; 2],
    hole: f32,
    narrow: f32,
    touch: f32,
    contact: f32,
    block: f32,
    reach: f32,
}

impl<'a> Eye<'a> {
    /// Looks at a kingdom with a tile in hand.
    #[inline(always)]
    pub fn new(kingdom: &Kingdom, sight: &'a Sight, tile: Tile, weights: &'a Weights) -> Self {
        let (width, height) = kingdom.size();
        let halves = [tile.first().terrain, tile.second().terrain];
        let late = kingdom.squares() as f32 * (1.0 / 48.0);
        let fade = |first: f32, last: f32| first + (last - first) * late;
        let mut edge = [0; 2];
        for terrain in 0..6 {
            for half in 0..2 {
                let other = terrain != halves[half];
                edge[half] |= if other { sight.zones(terrain).edge() } else { 0 };
            }
        }
        Self {
            sight,
            weights,
            tile,
            open: open(kingdom),
            occupied: kingdom.occupied,
            inside: rectangle(width, height).rotate_left(kingdom.corner()),
            own: [
                kingdom.terrain[halves[0] as usize % 6],
                kingdom.terrain[halves[1] as usize % 6],
            ],
            edge,
            hole: fade(weights.hole, weights.hole_late),
            narrow: fade(weights.narrow, weights.narrow_late),
            touch: fade(weights.touch, weights.touch_late),
            contact: fade(weights.contact, weights.contact_late),
            block: fade(weights.block, weights.block_late),
            reach: fade(weights.reach, weights.reach_late),
        }
    }

    /// One placement.
    #[inline(always)]
    pub fn worth(&self, put: Put) -> f32 {
        let (first, second) = put.cells();
        let left = self.open & !(first | second);
        let holes = (left & !around(left)).count_ones();
        // Squares with exactly one neighbour: odd, and not three.
        let (right, below) = (left.rotate_left(1), left.rotate_left(8));
        let (before, above) = (left.rotate_right(1), left.rotate_right(8));
        let odd = right ^ before ^ below ^ above;
        let narrow = (left & odd & !(right & before | below & above)).count_ones();
        let grown = ((first | second) & !self.inside).count_ones();
        let (near_a, near_b) = (around(first), around(second));
        let touch = (near_a & self.own[0]).count_ones() + (near_b & self.own[1]).count_ones();
        let contact = ((near_a | near_b) & self.occupied).count_ones();
        let block = (first & self.edge[0] | second & self.edge[1]).count_ones();
        let (gain, prospect) = self.sight.prospect(self.tile, put, left);
        let w = self.weights;
        gain as f32 + self.reach * prospect as f32
            - self.hole * holes as f32
            - self.narrow * narrow as f32
            - w.grow * grown as f32
            - self.block * block as f32
            + self.touch * touch as f32
            + self.contact * contact as f32
    }
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

/// The free tile whose halves promise most points at once, to the mover and (in part) to the next seat, and
/// that acts early in the next turn; a little noise.
#[inline(always)]
pub fn greedy_slot<const N: usize>(
    state: &State<N>,
    sights: &[Sight; N],
    me: usize,
    weights: &Weights,
    rng: &mut Rng,
) -> Option<usize> {
    let free = state.free_slots();
    if free & free.wrapping_sub(1) == 0 {
        return (free != 0).then(|| free.trailing_zeros() as usize);
    }
    let other = (me + 1) % N;
    let (mine, theirs) = (&state.kingdoms[me], &state.kingdoms[other]);
    let (open_mine, open_theirs) = (open(mine), open(theirs));
    let early = 1.0 - mine.squares() as f32 * (1.0 / 48.0);
    let early_theirs = 1.0 - theirs.squares() as f32 * (1.0 / 48.0);
    let late = weights.pick_last + (weights.pick_late - weights.pick_last) * early;
    let mut best = (f32::NEG_INFINITY, None);
    for slot in Bits(u64::from(free)) {
        let tile = state.offer.tiles[slot as usize & 3];
        let worth = promise(&sights[me], open_mine, early, tile, weights)
            + weights.pick_deny * promise(&sights[other], open_theirs, early_theirs, tile, weights)
            - late * slot as f32
            + weights.pick_noise * rng.unit();
        if worth > best.0 {
            best = (worth, Some(slot as usize));
        }
    }
    best.1
}

/// Squares of each terrain in the box, against the mean of 16: `n / 16 - 1`.
const COMMON: [f32; 8] = [0.625, 0.375, -0.125, 0.125, -0.375, -0.625, 0.0, 0.0];

/// What a tile promises a kingdom, in points.
#[inline(always)]
fn promise(sight: &Sight, open: u64, early: f32, tile: Tile, weights: &Weights) -> f32 {
    let mut worth = if tile.is_symmetric() {
        weights.pick_pair
    } else {
        0.0
    };
    for half in [tile.first(), tile.second()] {
        let points = sight.zones(half.terrain).best(half.crowns, open);
        let crown = weights.pick_crown + weights.pick_common * COMMON[half.terrain as usize & 7];
        worth += points as f32 + crown * early * f32::from(half.crowns);
    }
    worth
}
