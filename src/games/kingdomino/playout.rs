//! Playouts: games finished by chance, or by a fast greedy that minds dead squares.
//!
//! Draws come from a [`Deck`] that the caller shuffles, so that several candidates can be given the same
//! ones. Nothing here allocates.

use super::kingdom::{count, Kingdom, Places, Put, Puts};
use super::state::State;
use super::tile::Tile;
use super::weights::Weights;
use super::worth::{best, table, Learned, Taste, COMMON, UNLEARNED};
use super::zones::Sight;
use crate::kit::bits::{random_bit, select_bit, Bits};
use crate::kit::cpu::{Kernel, Level};
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

/// Plays to the end, every seat greedily. `sights` are those of the kingdoms, `learned` is added to what their
/// placements are worth.
#[inline(always)]
pub fn greedy_playout<L: Level, const N: usize>(
    state: &mut State<N>,
    sights: &mut [Sight; N],
    deck: &mut Deck,
    (taste, learned): (&Taste, &[Learned; N]),
    rng: &mut Rng,
) {
    let mut promises = Promises::NONE;
    promises.offered(state, &taste.weights);
    while !state.over() {
        if state.wants_draw() {
            deck.deal(state);
            promises.offered(state, &taste.weights);
        }
        let me = state.mover();
        if place::<L, N>(state, sights, (taste, &learned[me]), rng).is_some() {
            promises.placed(me);
        }
        let slot = greedy_slot(state, sights, &mut promises, me, &taste.weights, rng);
        state.take(slot);
    }
    for (kingdom, sight) in state.kingdoms.iter_mut().zip(sights) {
        sight.rescore(kingdom);
    }
}

/// Places the tile in play greedily: most points after what it costs in shape; a little noise. The score is left as it
/// was. `None`: there is no tile, or it fits nowhere.
#[inline(always)]
pub fn place<L: Level, const N: usize>(
    state: &mut State<N>,
    sights: &mut [Sight; N],
    (taste, learned): (&Taste, &Learned),
    rng: &mut Rng,
) -> Option<Put> {
    let (tile, me) = (state.tile_in_play(), state.mover());
    if tile == Tile::NONE {
        return None;
    }
    let next = state.next_tile();
    let (kingdom, sight) = (&mut state.kingdoms[me], &mut sights[me]);
    let puts = kingdom.distinct_puts(tile);
    let put = match count(&puts) {
        0 | 1 => Places::of(puts).next(),
        _ => best(
            &table::<L>(kingdom, sight, (tile, &puts, next), taste, learned),
            &puts,
            taste,
            rng,
        ),
    }?;
    kingdom.play_unscored(tile, put);
    sight.update(kingdom, tile);
    Some(put)
}

/// The whole action of a greedy seat, for those who look at one position only.
pub struct Greedily<'a, const N: usize> {
    /// The position, its offer dealt.
    pub state: &'a State<N>,
    /// Of its kingdoms.
    pub sights: &'a [Sight; N],
    /// What the seat is greedy for.
    pub taste: &'a Taste,
    /// Its noise.
    pub rng: &'a mut Rng,
}

impl<const N: usize> Kernel for Greedily<'_, N> {
    /// The placement and the slot taken.
    type Out = (Option<Put>, Option<usize>);

    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        let (mut state, mut sights) = (self.state.clone(), self.sights.clone());
        let (me, put) = (
            state.mover(),
            place::<L, N>(&mut state, &mut sights, (self.taste, &UNLEARNED), self.rng),
        );
        let mut promises = Promises::NONE;
        promises.offered(&state, &self.taste.weights);
        let slot = greedy_slot(&state, &sights, &mut promises, me, &self.taste.weights, self.rng);
        (put, slot)
    }
}

/// What the tiles on offer promise each seat, kept from pick to pick: only a placement changes it.
pub struct Promises<const N: usize> {
    /// By seat and slot, in points.
    points: [[f32; 4]; N],
    /// Slots known, as bits.
    known: [u32; N],
    /// Points a slot's crowns promise on an empty board, whoever takes it.
    crowns: [f32; 4],
}

impl<const N: usize> Promises<N> {
    /// Nothing known.
    pub const NONE: Self = Self {
        points: [[0.0; 4]; N],
        known: [0; N],
        crowns: [0.0; 4],
    };

    /// For a new offer.
    #[inline(always)]
    pub fn offered(&mut self, state: &State<N>, weights: &Weights) {
        self.known = [0; N];
        for slot in 0..state.offer.len as usize & 7 {
            let tile = state.offer.tiles[slot & 3];
            self.crowns[slot & 3] = 0.0;
            for half in [tile.first(), tile.second()] {
                let crown = weights.pick_crown + weights.pick_common * COMMON[half.terrain as usize & 7];
                self.crowns[slot & 3] += crown * f32::from(half.crowns);
            }
        }
    }

    /// A seat has placed a tile.
    #[inline(always)]
    pub fn placed(&mut self, seat: usize) {
        self.known[seat] = 0;
    }

    /// What the free tiles promise a seat.
    #[inline(always)]
    fn of(
        &mut self,
        state: &State<N>,
        sights: &[Sight; N],
        seat: usize,
        free: u32,
        weights: &Weights,
    ) -> [f32; 4] {
        let missing = free & !self.known[seat];
        if missing != 0 {
            self.known[seat] |= free;
            let kingdom = &state.kingdoms[seat];
            let (open, early) = (kingdom.open(), early(kingdom));
            for slot in Bits(u64::from(missing)) {
                let slot = slot as usize & 3;
                let tile = state.offer.tiles[slot];
                let (a, b) = (tile.first(), tile.second());
                let one = sights[seat].zones(a.terrain).best(a.crowns, open);
                let two = sights[seat].zones(b.terrain).best(b.crowns, open);
                let pair = if tile.is_symmetric() {
                    weights.pick_pair
                } else {
                    0.0
                };
                self.points[seat][slot] = (one + two) as f32 + self.crowns[slot] * early + pair;
            }
        }
        self.points[seat]
    }
}

/// 1 on an empty board, 0 on a full one.
#[inline(always)]
fn early(kingdom: &Kingdom) -> f32 {
    1.0 - kingdom.squares() as f32 * (1.0 / 48.0)
}

/// The free tile whose halves promise most points at once, to the mover and (in part) to the next seat, and
/// that acts early in the next turn; a little noise.
#[inline(always)]
pub fn greedy_slot<const N: usize>(
    state: &State<N>,
    sights: &[Sight; N],
    promises: &mut Promises<N>,
    me: usize,
    weights: &Weights,
    rng: &mut Rng,
) -> Option<usize> {
    let free = state.free_slots();
    if free & free.wrapping_sub(1) == 0 {
        return (free != 0).then(|| free.trailing_zeros() as usize);
    }
    let mine = promises.of(state, sights, me, free, weights);
    let theirs = promises.of(state, sights, (me + 1) % N, free, weights);
    let late = weights.pick_last + (weights.pick_late - weights.pick_last) * early(&state.kingdoms[me]);
    let (mut best, mut chance) = ((f32::NEG_INFINITY, None), rng.next_u64());
    let noise = weights.pick_noise * (1.0 / 65536.0);
    for slot in Bits(u64::from(free)) {
        let worth = mine[slot as usize & 3] + weights.pick_deny * theirs[slot as usize & 3]
            - late * slot as f32
            + noise * f32::from(chance as u16);
        chance >>= 16;
        if worth > best.0 {
            best = (worth, Some(slot as usize));
        }
    }
    best.1
}
