//! Exact play once nothing is hidden: from the turn whose next draw is the last one (turn 11 of 13).
//!
//! Alpha-beta over actions with a transposition table, for two players. Placements touch nobody but their
//! owner, so as soon as all tiles are taken the rest is two puzzles of one player each ([`Solver::solo`],
//! remembered by kingdom and tiles). In the last turn with picks the same puzzles bound a position from
//! both sides: a player who knows all picks beforehand does no worse, one who settles his placements
//! before the worst of picks no better.
//!
//! Values are differences of `score << 12 | squares << 6 | crowns`, seat 0 minus seat 1: their sign is the
//! result with its tie-breaks.

use super::kingdom::{Kingdom, Places};
use super::playout::Eye;
use super::state::{Action, Lane, State, FREE};
use super::tile::Tile;
use super::weights::Weights;
use super::zones::Sight;
use crate::kit::bits::Bits;
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};

/// Beyond every value.
const INFINITE: i32 = 1 << 28;

/// Entries of each table, a power of two.
const TABLE: usize = 1 << 16;

/// Nodes between two looks at the clock.
const POLL: u64 = 32;

/// What is known for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// An action that reaches `value` (or better, where only the result is proven).
    pub action: Action,
    /// Value for seat 0: exact if `exact`, else a bound that proves the result.
    pub value: i32,
    /// The value is the best possible margin, not the result alone.
    pub exact: bool,
    /// Positions and puzzle steps looked at.
    pub nodes: u64,
}

/// Tiles still to place by one player, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Queue {
    tiles: [Tile; 8],
    len: usize,
}

impl Queue {
    const EMPTY: Self = Self {
        tiles: [Tile::NONE; 8],
        len: 0,
    };

    #[inline(always)]
    fn push(&mut self, tile: Tile) {
        self.tiles[self.len & 7] = tile;
        self.len += 1;
    }

    #[inline(always)]
    fn rest(mut self) -> Self {
        self.tiles.copy_within(1.., 0);
        self.len -= 1;
        self
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    value: i32,
    /// -1 upper bound, 0 exact, 1 lower bound.
    bound: i8,
}

const NO_ENTRY: Entry = Entry {
    key: 0,
    value: 0,
    bound: 0,
};

/// Tables and the state of one search.
pub struct Solver {
    table: Vec<Entry>,
    puzzles: Vec<(u64, u32)>,
    /// The draw after this turn's, where it is still to come.
    last: [Tile; 4],
    lanes: usize,
    nodes: u64,
    limit: Limit,
    stopped: bool,
    best: Option<Action>,
}

/// True when [`Solver::solve`] may be asked: nothing is hidden any more.
pub fn is_open(state: &State<2>) -> bool {
    let left = state.variant.turns.saturating_sub(state.turn);
    left <= 1 || left == 2 && state.deck.count_ones() == u32::from(state.variant.lanes)
}

struct Ply<'a> {
    solver: &'a mut Solver,
    state: &'a State<2>,
    alpha: i32,
    beta: i32,
    root: bool,
}

impl Kernel for Ply<'_> {
    type Out = i32;

    #[inline(always)]
    fn run<L: Level>(self) -> i32 {
        self.solver
            .node::<L>(self.state, self.alpha, self.beta, self.root)
    }
}

struct Puzzle<'a> {
    solver: &'a mut Solver,
    kingdom: &'a Kingdom,
    queue: Queue,
}

impl Kernel for Puzzle<'_> {
    type Out = u32;

    #[inline(always)]
    fn run<L: Level>(self) -> u32 {
        self.solver.puzzle::<L>(self.kingdom, self.queue)
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// Empty tables.
    pub fn new() -> Self {
        Self {
            table: vec![NO_ENTRY; TABLE],
            puzzles: vec![(0, 0); TABLE],
            last: [Tile::NONE; 4],
            lanes: 0,
            nodes: 0,
            limit: Limit::work(0),
            stopped: false,
            best: None,
        }
    }

    /// Proves the result, then the margin as far as the limit allows (work in nodes). `None` when not even
    /// the result was proven. Needs [`is_open`]; `table` tells the tiles of the last draw.
    pub fn solve(&mut self, state: &State<2>, table: impl Fn(u8) -> Tile, limit: Limit) -> Option<Solved> {
        debug_assert!(is_open(state) && !state.over());
        self.last = [Tile::NONE; 4];
        self.lanes = 0;
        if state.turn + 2 == state.variant.turns {
            for id in Bits(state.deck) {
                self.last[self.lanes & 3] = table(id as u8);
                self.lanes += 1;
            }
        }
        self.table.fill(NO_ENTRY);
        self.limit = limit;
        self.nodes = 0;
        self.stopped = false;
        // The result first: a window around zero.
        let (result, action) = self.ask(state, -1, 1)?;
        let mut solved = Solved {
            action,
            value: result,
            exact: false,
            nodes: self.nodes,
        };
        let (alpha, beta) = match result.signum() {
            1 => (0, INFINITE),
            -1 => (-INFINITE, 0),
            _ => (-1, 1),
        };
        if let Some((value, action)) = self.ask(state, alpha, beta) {
            solved = Solved {
                action,
                value,
                exact: true,
                nodes: self.nodes,
            };
        }
        solved.nodes = self.nodes;
        Some(solved)
    }

    fn ask(&mut self, state: &State<2>, alpha: i32, beta: i32) -> Option<(i32, Action)> {
        self.best = None;
        let value = cpu::run(Ply {
            solver: self,
            state,
            alpha,
            beta,
            root: true,
        });
        match self.best {
            Some(action) if !self.stopped => Some((value, action)),
            _ => None,
        }
    }

    #[inline(always)]
    fn tick(&mut self) {
        self.nodes += 1;
        if self.nodes % POLL == 0 && self.limit.reached(self.nodes) {
            self.stopped = true;
        }
    }

    /// Value between `alpha` and `beta`, or a bound beyond them (fail-soft).
    #[inline(always)]
    fn node<L: Level>(&mut self, state: &State<2>, mut alpha: i32, mut beta: i32, root: bool) -> i32 {
        self.tick();
        if self.stopped {
            return 0;
        }
        let taken = state.free_slots() == 0;
        let last_offer = state.turn + 1 >= state.variant.turns;
        if !root && taken && last_offer {
            return self.solo::<L>(state, 0) - self.solo::<L>(state, 1);
        }
        if !root && last_offer {
            let (low0, high0) = self.bounds::<L>(state, 0);
            let (low1, high1) = self.bounds::<L>(state, 1);
            let (low, high) = (low0 - high1, high0 - low1);
            if low >= beta || low == high {
                return low;
            }
            if high <= alpha {
                return high;
            }
            if self.stopped {
                return 0;
            }
        }
        let key = position_hash(state);
        let at = key as usize & (TABLE - 1);
        let entry = self.table[at];
        if !root && entry.key == key {
            match entry.bound {
                0 => return entry.value,
                1 if entry.value >= beta => return entry.value,
                -1 if entry.value <= alpha => return entry.value,
                _ => {}
            }
        }
        let maximise = state.mover() == 0;
        let (alpha0, beta0) = (alpha, beta);
        let mut best = if maximise { -INFINITE } else { INFINITE };
        for (_, action) in Self::ordered(state) {
            let mut next = state.clone();
            next.play(action);
            if next.wants_draw() {
                let (last, lanes) = (self.last, self.lanes);
                next.deal(&last[..lanes]);
            }
            let value = L::enter(Ply {
                solver: self,
                state: &next,
                alpha,
                beta,
                root: false,
            });
            if self.stopped {
                return 0;
            }
            if maximise && value > best || !maximise && value < best {
                best = value;
                if root {
                    self.best = Some(action);
                }
            }
            if maximise {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        let bound = if best <= alpha0 {
            -1
        } else {
            i8::from(best >= beta0)
        };
        self.table[at] = Entry {
            key,
            value: best,
            bound,
        };
        best
    }

    /// All actions, the most promising first.
    #[inline(always)]
    fn ordered(state: &State<2>) -> Vec<(i32, Action)> {
        let me = state.mover();
        let kingdom = &state.kingdoms[me];
        let tile = state.tile_in_play();
        let mut list = Vec::with_capacity(64);
        let puts = kingdom.distinct_puts(tile);
        let free = u64::from(state.free_slots());
        let mut places = Vec::with_capacity(32);
        if tile != Tile::NONE {
            let sight = Sight::new(kingdom);
            let eye = Eye::new(kingdom, &sight, tile, &Weights::DEFAULT);
            for put in Places::of(puts) {
                places.push((Some(put), (eye.worth(put) * 64.0) as i32));
            }
        }
        if places.is_empty() {
            places.push((None, 0));
        }
        for (put, worth) in places {
            if free == 0 {
                list.push((worth, Action::new(put, None)));
                continue;
            }
            let mut next = *kingdom;
            if let Some(put) = put {
                next.play(tile, put);
            }
            let sight = Sight::new(&next);
            for slot in Bits(free) {
                // What the tile wins for me where it would lie best, in the picture of now.
                let offered = state.offer.tiles[slot as usize & 3];
                let mut most = -64;
                let eye = Eye::new(&next, &sight, offered, &Weights::DEFAULT);
                for put in Places::of(next.distinct_puts(offered)) {
                    most = most.max((eye.worth(put) * 64.0) as i32);
                }
                list.push((worth + most, Action::new(put, Some(slot as usize))));
            }
        }
        list.sort_by_key(|&(worth, _)| core::cmp::Reverse(worth));
        list
    }

    /// Best final value of a seat whose tiles are all known.
    #[inline(always)]
    fn solo<L: Level>(&mut self, state: &State<2>, seat: usize) -> i32 {
        let queue = queue(state, seat, 0);
        L::enter(Puzzle {
            solver: self,
            kingdom: &state.kingdoms[seat],
            queue,
        }) as i32
    }

    /// Lower and upper bound of a seat's final value with some tiles of the last offer free.
    #[inline(always)]
    fn bounds<L: Level>(&mut self, state: &State<2>, seat: usize) -> (i32, i32) {
        let free = state.free_slots();
        let mut picks = 0;
        let mut queue_now = Queue::EMPTY;
        for i in state.done as usize..state.row.len as usize {
            if state.row.owners[i] == seat as u8 {
                picks += 1;
                queue_now.push(state.row.tiles[i]);
            }
        }
        if picks == 0 {
            let value = self.solo::<L>(state, seat);
            return (value, value);
        }
        let mut high = 0;
        for set in 1..16u32 {
            if set & free == set && set.count_ones() == picks.min(free.count_ones()) {
                let queue = queue(state, seat, set);
                let value = L::enter(Puzzle {
                    solver: self,
                    kingdom: &state.kingdoms[seat],
                    queue,
                });
                high = high.max(value);
            }
        }
        (composite(&state.kingdoms[seat]), high as i32)
    }

    /// The most a kingdom can come to with these tiles in this order.
    #[inline(always)]
    fn puzzle<L: Level>(&mut self, kingdom: &Kingdom, queue: Queue) -> u32 {
        if queue.len == 0 || self.stopped {
            return composite(kingdom) as u32;
        }
        let mut key = hash(kingdom);
        for &tile in &queue.tiles[..queue.len] {
            key = mix(key, u64::from(tile.id()) + 1);
        }
        let at = (key >> 40) as usize & (TABLE - 1);
        if self.puzzles[at].0 == key {
            return self.puzzles[at].1;
        }
        self.tick();
        let tile = queue.tiles[0];
        let rest = queue.rest();
        let puts = kingdom.distinct_puts(tile);
        let mut best = 0;
        if puts == [0; 4] {
            best = L::enter(Puzzle {
                solver: self,
                kingdom,
                queue: rest,
            });
        }
        for put in Places::of(puts) {
            let mut next = *kingdom;
            next.play(tile, put);
            let value = if rest.len == 0 {
                composite(&next) as u32
            } else {
                L::enter(Puzzle {
                    solver: self,
                    kingdom: &next,
                    queue: rest,
                })
            };
            best = best.max(value);
        }
        if !self.stopped {
            self.puzzles[at] = (key, best);
        }
        best
    }
}

/// The tiles `seat` has still to place, with those of `extra` (slots) as if it had taken them.
#[inline(always)]
fn queue(state: &State<2>, seat: usize, extra: u32) -> Queue {
    let mut queue = Queue::EMPTY;
    let mut add = |lane: &Lane, from: usize, extra: u32| {
        for i in from..lane.len as usize {
            let mine = lane.owners[i & 3] == seat as u8;
            if mine || extra >> i & 1 == 1 && lane.owners[i & 3] == FREE {
                queue.push(lane.tiles[i & 3]);
            }
        }
    };
    add(&state.row, state.done as usize, 0);
    add(&state.offer, 0, extra);
    queue
}

/// Score, squares, crowns as one number.
#[inline(always)]
pub fn composite(kingdom: &Kingdom) -> i32 {
    let (score, squares, crowns) = kingdom.rank();
    (score << 12 | squares << 6 | crowns) as i32
}

#[inline(always)]
fn mix(hash: u64, value: u64) -> u64 {
    let h = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h ^ h >> 31
}

#[inline(always)]
fn hash(kingdom: &Kingdom) -> u64 {
    let mut h = kingdom.occupied.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    for (i, plane) in kingdom.terrain.iter().chain(&kingdom.crowns).enumerate() {
        h = h.rotate_left(9) ^ plane.wrapping_mul(0xA24B_AED4_963E_E407 ^ (i as u64) << 17);
    }
    mix(h, h >> 29)
}

#[inline(always)]
fn position_hash(state: &State<2>) -> u64 {
    let mut h = mix(hash(&state.kingdoms[0]), hash(&state.kingdoms[1]).rotate_left(32));
    h = mix(h, u64::from(state.turn) << 8 | u64::from(state.done));
    for lane in [&state.row, &state.offer] {
        let mut owners = 0;
        for i in 0..4 {
            owners = owners << 16 | u64::from(lane.owners[i]) << 8 | u64::from(lane.tiles[i].id());
        }
        h = mix(h, owners);
    }
    h
}
