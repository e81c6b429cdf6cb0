//! Exact play once nothing is hidden: from the turn whose next draw is the last one (turn 11 of 13).
//!
//! Alpha-beta over actions, for two players. Placements touch nobody but their owner, so each player's rest
//! of the game is a puzzle of his own as soon as his tiles are known (`Prospects`, remembered by kingdom
//! and tiles). In the last turn with picks the puzzles bound a position from both sides: a player who knows
//! all picks beforehand does no worse, one who settles his placements before he sees them no better. For
//! most positions the two meet.
//!
//! Values are differences of `score << 12 | squares << 6 | crowns`, seat 0 minus seat 1: their sign is the
//! result with its tie-breaks.

use super::kingdom::{Kingdom, Places, Put};
use super::state::{Action, Lane, State};
use super::tile::Tile;
use super::weights::Weights;
use super::worth::{table, Taste, UNLEARNED};
use super::zones::Sight;
use crate::kit::bits::Bits;
use crate::kit::clock::Limit;
use crate::kit::cpu::{Kernel, Level};
use crate::search::alphabeta::policy::{Before, Policy};
use crate::search::alphabeta::{AlphaBeta, Work, MAX_PLY};
use crate::search::game::Game;

/// Entries of the table of prospects, a power of two.
const SETS: usize = 1 << 13;

/// Nodes between two looks at the clock.
const POLL: u64 = 32;
/// Actions of a position, as a rule.
const WIDEST: usize = 256;

/// What is known for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The best action.
    pub action: Action,
    /// Its value for seat 0.
    pub value: i32,
    /// Positions and puzzle steps looked at.
    pub nodes: u64,
}

/// What one player can come to, by the set of the last offer's tiles (bits of their slots) he ends up with.
#[derive(Clone, Copy, Debug)]
struct Prospects {
    key: u64,
    /// All picks known beforehand: no line of play does better.
    most: [i32; 16],
    /// One and the same placement of this turn's tiles, picks seen only afterwards: a line of play does this.
    sure: [i32; 16],
}

impl Prospects {
    const NONE: Self = Self {
        key: 0,
        most: [0; 16],
        sure: [0; 16],
    };
}

/// The search with its table.
pub struct Solver(AlphaBeta<State<2>, Picks>);

/// What alpha-beta is told: bounds from the puzzles.
struct Picks {
    prospects: Vec<Prospects>,
    /// The last offer.
    last: [Tile; 4],
    lanes: usize,
    /// The last offer as a part of every key.
    salt: u64,
    taste: Taste,
    actions: Vec<Action>,
}

/// True when [`Solver::solve`] may be asked: nothing is hidden any more, and nobody has more tiles than the rules
/// give him, which would take the solver minutes.
pub fn is_open(state: &State<2>) -> bool {
    let left = state.variant.turns.saturating_sub(state.turn);
    let known = left <= 1 || left == 2 && state.deck.count_ones() == u32::from(state.variant.lanes);
    let two = |lane: &Lane, seat| lane.owners.iter().filter(|&&owner| owner == seat).count() <= 2;
    known
        && [0, 1]
            .iter()
            .all(|&seat| two(&state.row, seat) && two(&state.offer, seat))
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// An empty table.
    pub fn new() -> Self {
        let picks = Picks {
            prospects: vec![Prospects::NONE; SETS],
            last: [Tile::NONE; 4],
            lanes: 0,
            salt: 0,
            taste: Taste::new(&Weights::DEFAULT),
            actions: Vec::with_capacity(WIDEST),
        };
        Self(AlphaBeta::new(picks, 0, WIDEST))
    }

    /// The best action and its value; `None` when the limit (work in nodes) did not suffice. Needs
    /// [`is_open`]; `table` tells the tiles of the last draw.
    pub fn solve(&mut self, state: &State<2>, table: impl Fn(u8) -> Tile, limit: Limit) -> Option<Solved> {
        debug_assert!(is_open(state) && !state.over());
        let picks = &mut self.0.policy;
        (picks.last, picks.lanes) = (state.offer.tiles, state.offer.len as usize);
        if state.turn + 2 == state.variant.turns {
            picks.lanes = 0;
            for id in Bits(state.deck) {
                picks.last[picks.lanes & 3] = table(id as u8);
                picks.lanes += 1;
            }
        }
        picks.salt = picks
            .last
            .iter()
            .fold(0, |salt, tile| mix(salt, tile.id().into()));
        let found = self.0.search(&mut state.clone(), limit);
        Some(Solved {
            action: found.best.filter(|_| found.depth > 0)?,
            value: found.value * sign(state),
            nodes: found.nodes + 1,
        })
    }

    /// Actions of the last position solved and their values for its mover: see [`AlphaBeta::candidates`].
    pub fn candidates(&self, best: Action) -> Vec<(i32, Action)> {
        self.0.candidates(Some(best))
    }
}

/// What makes a value of seat 0 one of the mover, and back.
#[inline(always)]
fn sign(state: &State<2>) -> i32 {
    1 - 2 * state.to_move() as i32
}

impl Policy<State<2>> for Picks {
    type Lazy = ();
    const STABLE: bool = true;
    const SCOUT: bool = false;
    const TABLE: bool = false;
    const POLL: u64 = POLL;
    const POLL_INSIDE: bool = true;
    const MATES: bool = false;
    const BEFORE: bool = true;

    /// Never asked: the search goes to the end.
    #[inline(always)]
    fn evaluate<L: Level>(&mut self, _: &State<2>) -> i32 {
        0
    }

    /// Ends are decided by their bounds, as all positions with nothing left to pick.
    #[inline(always)]
    fn result<L: Level>(&mut self, _: &State<2>) -> Option<i32> {
        None
    }

    #[inline(always)]
    fn before<L: Level>(&mut self, state: &State<2>, (alpha, beta): (i32, i32), work: &mut Work) -> Before {
        if state.turn + 1 < state.variant.turns {
            return Before::Open;
        }
        let (mut low, mut high) = self.bounds::<L>(state, work);
        if sign(state) < 0 {
            (low, high) = (-high, -low);
        }
        // A position that needs no search is none of the nodes.
        work.nodes -= 1;
        if low >= beta || low == high {
            return Before::Decided(low);
        }
        if high <= alpha {
            return Before::Decided(high);
        }
        work.nodes += 1;
        Before::Open
    }

    #[inline(always)]
    fn play(&self, state: &mut State<2>, action: Action) {
        state.play(action);
        if state.wants_draw() {
            state.deal(&self.last[..self.lanes]);
        }
    }

    /// The most promising first: by their bounds, before the last offer by their placements.
    #[inline(always)]
    fn each<L: Level>(&mut self, state: &State<2>, work: &mut Work, mut out: impl FnMut(i32, Action)) {
        let (me, tile) = (state.mover(), state.tile_in_play());
        let (kingdom, early) = (&state.kingdoms[me], state.turn + 1 < state.variant.turns);
        let mut worth = [0; 256];
        if early && tile != Tile::NONE {
            let puts = kingdom.distinct_puts(tile);
            worth = table::<L>(
                kingdom,
                &Sight::new(kingdom),
                (tile, &puts, Tile::NONE),
                &self.taste,
                &UNLEARNED,
            );
        }
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        state.moves(me, &mut actions);
        for &action in &actions {
            if early {
                out(action.put().map_or(0, |put| worth[put.index()].into()), action);
                continue;
            }
            let mut next = state.clone();
            self.play(&mut next, action);
            let (low, high) = self.bounds::<L>(&next, work);
            out((low + high) * sign(state), action);
        }
        self.actions = actions;
    }

    #[inline(always)]
    fn depths(&self, _: &State<2>) -> (i32, i32) {
        (MAX_PLY as i32 - 1, MAX_PLY as i32 - 1)
    }
}

impl Picks {
    /// Lower and upper bound of a position without an offer to come: each player in turn knows all picks
    /// before he places, the other has to settle his placements now.
    #[inline(always)]
    fn bounds<L: Level>(&mut self, state: &State<2>, work: &mut Work) -> (i32, i32) {
        let mut sets = [0; 2];
        let prospects = [0, 1].map(|seat| {
            let mut tiles = [Tile::NONE; 4];
            let mut n = 0;
            for i in state.done as usize..state.row.len as usize & 7 {
                if state.row.owners[i & 3] == seat as u8 && state.row.tiles[i & 3] != Tile::NONE {
                    tiles[n & 3] = state.row.tiles[i & 3];
                    n += 1;
                }
            }
            let mut picks = 0;
            for i in 0..state.offer.len as usize & 7 {
                sets[seat] |= usize::from(state.offer.owners[i & 3] == seat as u8) << i;
                picks = sets[seat].count_ones() + n as u32;
            }
            let kingdom = &state.kingdoms[seat];
            L::enter(Puzzle {
                solver: self,
                work,
                kingdom,
                value: composite(kingdom),
                tiles: &tiles[..n.min(4)],
                picks,
            })
        });
        let free = state.free_slots();
        let [mine, theirs] = &prospects;
        let row = &state.row.owners[state.done as usize & 3..state.row.len as usize & 7];
        if free & free.wrapping_sub(1) == 0 {
            let value = foreseen(row, free, sets, &mine.most, &theirs.most);
            return (value, value);
        }
        (
            foreseen(row, free, sets, &mine.sure, &theirs.most),
            foreseen(row, free, sets, &mine.most, &theirs.sure),
        )
    }
}

/// What a kingdom worth `value` can come to with `tiles` in this order and then `picks` of the last offer.
struct Puzzle<'a> {
    solver: &'a mut Picks,
    work: &'a mut Work,
    kingdom: &'a Kingdom,
    value: i32,
    tiles: &'a [Tile],
    picks: u32,
}

impl Kernel for Puzzle<'_> {
    type Out = Prospects;

    #[inline(always)]
    fn run<L: Level>(self) -> Prospects {
        let (solver, work, kingdom, picks) = (self.solver, self.work, self.kingdom, self.picks);
        let mut found = Prospects::NONE;
        let Some((&tile, rest)) = self.tiles.split_first() else {
            work.nodes += 1;
            work.look(POLL);
            L::enter(Fill {
                offer: &solver.last[..solver.lanes],
                from: 0,
                kingdom,
                sight: &Sight::new(kingdom),
                value: self.value,
                set: 0,
                picks,
                most: &mut found.most,
            });
            found.sure = found.most;
            return found;
        };
        let mut key = mix(hash(kingdom) ^ solver.salt, u64::from(picks));
        for &tile in self.tiles {
            key = mix(key, u64::from(tile.id()) + 1);
        }
        let at = (key >> 40) as usize & (SETS - 1);
        if solver.prospects[at].key == key {
            return solver.prospects[at];
        }
        let mut best = -1;
        let sight = Sight::new(kingdom);
        for (next, value) in Gains::new(kingdom, &sight, self.value, tile) {
            let then = L::enter(Puzzle {
                solver,
                work,
                kingdom: &next,
                value,
                tiles: rest,
                picks,
            });
            for (a, b) in found.most.iter_mut().zip(&then.most) {
                *a = (*a).max(*b);
            }
            if work.stopped {
                break;
            }
            let sum = then.sure.iter().sum();
            if sum > best {
                best = sum;
                found.sure = then.sure;
            }
        }
        if !work.stopped {
            found.key = key;
            solver.prospects[at] = found;
        }
        found
    }
}

/// The best value of a kingdom for each set of `picks` more tiles of the last offer, in ascending order.
struct Fill<'a> {
    offer: &'a [Tile],
    /// First slot to take from.
    from: usize,
    kingdom: &'a Kingdom,
    sight: &'a Sight,
    value: i32,
    set: usize,
    picks: u32,
    most: &'a mut [i32; 16],
}

impl Kernel for Fill<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Level>(self) {
        if self.picks == 0 {
            let most = &mut self.most[self.set & 15];
            *most = self.value.max(*most);
            return;
        }
        for (slot, &tile) in self.offer.iter().enumerate().skip(self.from) {
            let set = (self.set | 1 << slot) & 15;
            let mut next = Gains::new(self.kingdom, self.sight, self.value, tile);
            if self.picks == 1 {
                self.most[set] = self.most[set].max(next.best());
                continue;
            }
            for (kingdom, value) in next {
                let mut sight = self.sight.clone();
                sight.update(&kingdom, tile);
                L::enter(Fill {
                    offer: self.offer,
                    from: slot + 1,
                    kingdom: &kingdom,
                    sight: &sight,
                    value,
                    set,
                    picks: self.picks - 1,
                    most: self.most,
                });
            }
        }
    }
}

/// The kingdoms that one more tile makes, with their values: the one as it was where the tile fits nowhere.
struct Gains<'a> {
    kingdom: &'a Kingdom,
    sight: &'a Sight,
    value: i32,
    tile: Tile,
    places: Places,
    none: bool,
}

impl<'a> Gains<'a> {
    #[inline(always)]
    fn new(kingdom: &'a Kingdom, sight: &'a Sight, value: i32, tile: Tile) -> Self {
        let puts = kingdom.distinct_puts(tile);
        Self {
            kingdom,
            sight,
            value,
            tile,
            places: Places::of(puts),
            none: puts == [0; 4],
        }
    }

    /// The value with a placement.
    #[inline(always)]
    fn with(&self, put: Put) -> i32 {
        if !self.sight.whole() {
            let mut next = *self.kingdom;
            next.rescore_all();
            next.play(self.tile, put);
            return composite(&next);
        }
        let gain = self.sight.gain(self.tile, put);
        let crowns = self.tile.first().crowns + self.tile.second().crowns;
        self.value + (gain << 12) + (2 << 6) + i32::from(crowns)
    }

    /// The best value, no kingdom made.
    #[inline(always)]
    fn best(&mut self) -> i32 {
        let mut best = if self.none { self.value } else { 0 };
        while let Some(put) = self.places.next() {
            best = best.max(self.with(put));
        }
        best
    }
}

impl Iterator for Gains<'_> {
    type Item = (Kingdom, i32);

    #[inline(always)]
    fn next(&mut self) -> Option<(Kingdom, i32)> {
        let mut next = *self.kingdom;
        if let Some(put) = self.places.next() {
            next.play_unscored(self.tile, put);
            return Some((next, self.with(put)));
        }
        std::mem::take(&mut self.none).then_some((next, self.value))
    }
}

/// The value when only picks are left to be made, in the order of `row`, and each player's value follows
/// from his set of tiles.
fn foreseen(row: &[u8], free: u32, sets: [usize; 2], mine: &[i32; 16], theirs: &[i32; 16]) -> i32 {
    let (&[owner, ref rest @ ..], 1..) = (row, free) else {
        return mine[sets[0] & 15] - theirs[sets[1] & 15];
    };
    let seat = usize::from(owner & 1);
    let values = Bits(u64::from(free)).map(|slot| {
        let mut sets = sets;
        sets[seat] |= 1 << slot;
        foreseen(rest, free & !(1 << slot), sets, mine, theirs)
    });
    if seat == 0 {
        values.max().unwrap_or(0)
    } else {
        values.min().unwrap_or(0)
    }
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
