//! A whole game: kingdoms, tiles in play, tiles on offer, order of play, the undrawn set.
//!
//! `N` players, 2 to 4. One action is one call of the bot: the tile in play is placed (or discarded, when
//! it fits nowhere), then a tile is taken. Turn 1 only takes, the last turn only places. Draws come from
//! outside ([`State::deal`]) or from a generator ([`State::draw`]).

use super::kingdom::{Kingdom, Places, Put};
use super::tile::Tile;
use crate::kit::bits::Bits;
use crate::kit::rng::Rng;
use crate::search::game::Game;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Nobody: a free tile.
pub const FREE: u8 = 7;

/// The numbers in which the two variants differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Largest width and height of a kingdom.
    pub extent: u8,
    /// Tiles offered a turn.
    pub lanes: u8,
    /// Turns in a game, the last one without an offer.
    pub turns: u8,
}

impl Variant {
    /// Two players, 7x7, all 48 tiles.
    pub const MAIN: Self = Self {
        extent: 7,
        lanes: 4,
        turns: 13,
    };

    /// The older one: 5x5, 2 to 4 players.
    pub const fn classic(players: usize) -> Self {
        Self {
            extent: 5,
            lanes: if players == 3 { 3 } else { 4 },
            turns: if players == 2 { 7 } else { 13 },
        }
    }
}

/// A placement (none: the tile is discarded, or there is none) and the offered tile taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Action(u16);

impl Action {
    /// `slot`: index into the offer; `None` when nothing is on offer.
    #[inline(always)]
    pub const fn new(put: Option<Put>, slot: Option<usize>) -> Self {
        let put = match put {
            Some(put) => 256 | put.index() as u16,
            None => 0,
        };
        let slot = match slot {
            Some(slot) => slot as u16 + 1,
            None => 0,
        };
        Self(slot << 9 | put)
    }

    /// The placement.
    #[inline(always)]
    pub const fn put(self) -> Option<Put> {
        if self.0 & 256 == 0 {
            None
        } else {
            Some(Put::from_index((self.0 & 255) as usize))
        }
    }

    /// Index of the tile taken.
    #[inline(always)]
    pub const fn slot(self) -> Option<usize> {
        match self.0 >> 9 {
            0 => None,
            n => Some(n as usize - 1),
        }
    }
}

/// Four tiles in ascending order with their owners; `len` of them count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lane {
    /// Tiles; [`Tile::NONE`] in turn 1's lane of tiles to place.
    pub tiles: [Tile; 4],
    /// Seat of each, or [`FREE`].
    pub owners: [u8; 4],
    /// Entries used.
    pub len: u8,
}

impl Lane {
    /// Nothing.
    pub const EMPTY: Self = Self {
        tiles: [Tile::NONE; 4],
        owners: [FREE; 4],
        len: 0,
    };

    /// Adds an entry; at most four.
    #[inline(always)]
    pub fn push(&mut self, tile: Tile, owner: u8) {
        let n = self.len as usize & 3;
        self.tiles[n] = tile;
        self.owners[n] = owner;
        self.len = n as u8 + 1;
    }
}

/// One game of `N` players.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<const N: usize> {
    /// By seat.
    pub kingdoms: [Kingdom; N],
    /// Tiles to place this turn, in order of play.
    pub row: Lane,
    /// Tiles to take this turn.
    pub offer: Lane,
    /// Ids not seen yet, as bits.
    pub deck: u64,
    /// 1 to `variant.turns`; one more when the game is over.
    pub turn: u8,
    /// Actions done in this turn.
    pub done: u8,
    /// Sizes.
    pub variant: Variant,
}

const _: () = assert!(core::mem::size_of::<State<2>>() <= 240);

impl<const N: usize> State<N> {
    /// Before the first draw: [`State::deal`] or [`State::draw`] comes next.
    pub fn new(variant: Variant) -> Self {
        let mut row = Lane::EMPTY;
        for i in 0..variant.lanes {
            row.push(Tile::NONE, i % N as u8);
        }
        Self {
            kingdoms: [Kingdom::new(variant.extent); N],
            row,
            offer: Lane::EMPTY,
            deck: ((1 << 48) - 1) << 1,
            turn: 1,
            done: 0,
            variant,
        }
    }

    /// True when the turn has begun and its offer is still to come.
    #[inline(always)]
    pub fn wants_draw(&self) -> bool {
        self.offer.len == 0 && self.turn < self.variant.turns
    }

    /// Puts tiles on offer, sorted here.
    #[inline(always)]
    pub fn deal(&mut self, tiles: &[Tile]) {
        debug_assert!(self.wants_draw() && tiles.len() <= 4);
        let mut sorted = [Tile::NONE; 4];
        sorted[..tiles.len()].copy_from_slice(tiles);
        sorted.sort_unstable();
        self.offer = Lane::EMPTY;
        for &tile in &sorted[..tiles.len()] {
            self.offer.push(tile, FREE);
            self.deck &= !(1 << tile.id());
        }
    }

    /// Draws the offer from the undrawn set; tiles by `table` (id to tile).
    pub fn draw(&mut self, rng: &mut Rng, table: impl Fn(u8) -> Tile) {
        let mut tiles = [Tile::NONE; 4];
        let mut rest = self.deck;
        let n = (self.variant.lanes as usize).min(rest.count_ones() as usize);
        for tile in &mut tiles[..n] {
            let k = rng.below(rest.count_ones()) as usize;
            let id = Bits(rest).nth(k).unwrap_or(0);
            rest &= !(1 << id);
            *tile = table(id as u8);
        }
        self.deal(&tiles[..n]);
    }

    /// The game has ended.
    #[inline(always)]
    pub fn over(&self) -> bool {
        self.turn > self.variant.turns
    }

    /// Who acts.
    #[inline(always)]
    pub fn mover(&self) -> usize {
        self.row.owners[self.done as usize & 3] as usize
    }

    /// The tile to place now, or [`Tile::NONE`].
    #[inline(always)]
    pub fn tile_in_play(&self) -> Tile {
        self.row.tiles[self.done as usize & 3]
    }

    /// The next tile that the mover has to place, as far as it is known; else [`Tile::NONE`].
    #[inline(always)]
    pub fn next_tile(&self) -> Tile {
        let me = self.mover() as u8;
        for i in self.done as usize + 1..self.row.len as usize & 7 {
            if self.row.owners[i & 3] == me {
                return self.row.tiles[i & 3];
            }
        }
        for i in 0..self.offer.len as usize & 7 {
            if self.offer.owners[i & 3] == me {
                return self.offer.tiles[i & 3];
            }
        }
        Tile::NONE
    }

    /// Offered tiles nobody has taken, as bits of their index.
    #[inline(always)]
    pub fn free_slots(&self) -> u32 {
        let mut free = 0;
        for i in 0..self.offer.len as usize & 7 {
            free |= u32::from(self.offer.owners[i & 3] == FREE) << i;
        }
        free
    }

    /// Plays one action, which must be legal.
    #[inline(always)]
    pub fn play(&mut self, action: Action) {
        let mover = self.mover();
        if let Some(put) = action.put() {
            let tile = self.tile_in_play();
            self.kingdoms[mover].play(tile, put);
        }
        self.take(action.slot());
    }

    /// The second half of an action: the placement has been made.
    #[inline(always)]
    pub fn take(&mut self, slot: Option<usize>) {
        debug_assert!(!self.wants_draw());
        let mover = self.mover();
        if let Some(slot) = slot {
            debug_assert!(self.offer.owners[slot] == FREE);
            self.offer.owners[slot & 3] = mover as u8;
        }
        self.done += 1;
        if self.done == self.row.len {
            self.end_turn();
        }
    }

    /// The tiles taken are the ones to place; the next offer is to come.
    #[inline(always)]
    fn end_turn(&mut self) {
        self.row = Lane::EMPTY;
        for i in 0..self.offer.len as usize & 7 {
            if self.offer.owners[i & 3] != FREE {
                self.row.push(self.offer.tiles[i & 3], self.offer.owners[i & 3]);
            }
        }
        self.offer = Lane::EMPTY;
        self.done = 0;
        self.turn += 1;
        if self.row.len == 0 {
            self.turn = self.variant.turns + 1;
        }
    }

    /// True when `action` may be played now.
    pub fn is_legal(&self, action: Action) -> bool {
        let tile = self.tile_in_play();
        let placed = match action.put() {
            Some(put) => tile != Tile::NONE && self.kingdoms[self.mover()].is_legal(tile, put),
            None => tile == Tile::NONE || self.kingdoms[self.mover()].legal_puts(tile) == [0; 4],
        };
        let free = self.free_slots();
        placed
            && match action.slot() {
                Some(slot) => free >> slot & 1 == 1,
                None => free == 0,
            }
    }

    /// Match points by rank: 1 for the best, 0 for the last, ties share.
    pub fn points(&self) -> [f32; N] {
        let ranks = self.kingdoms.map(|k| k.rank());
        core::array::from_fn(|i| {
            let below = ranks.iter().filter(|&r| *r < ranks[i]).count() as f32;
            let equal = ranks.iter().filter(|&r| *r == ranks[i]).count() as f32 - 1.0;
            (below + equal / 2.0) / (N as f32 - 1.0)
        })
    }
}

impl<const N: usize> Game<N> for State<N> {
    type Move = Action;

    fn is_over(&self) -> bool {
        self.over()
    }

    fn payoff(&self) -> [f32; N] {
        self.points()
    }

    /// Once the game is over nobody is; that counts as the last seat.
    fn to_move(&self) -> usize {
        self.mover().min(N - 1)
    }

    fn moves(&self, seat: usize, out: &mut Vec<Action>) {
        let (tile, free) = (self.tile_in_play(), u64::from(self.free_slots()));
        let mut puts = Vec::with_capacity(32);
        if tile != Tile::NONE {
            puts.extend(Places::of(self.kingdoms[seat].distinct_puts(tile)).map(Some));
        }
        if puts.is_empty() {
            puts.push(None);
        }
        for put in puts {
            if free == 0 {
                out.push(Action::new(put, None));
            }
            out.extend(Bits(free).map(|slot| Action::new(put, Some(slot as usize))));
        }
    }

    /// Draws the next offer as soon as a turn ends; the box's own numbering.
    fn advance(&mut self, joint: &[Action; N], rng: &mut Rng) {
        self.play(joint[self.mover()]);
        if self.wants_draw() {
            self.draw(rng, Tile::of_box);
        }
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }
}
