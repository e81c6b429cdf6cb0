//! The changing part of a game, and one whole turn of it.
//!
//! A [`State`] is a flat value that is copied; paths are not kept, only what a turn needs of each active
//! one: its length, the regions it runs through and what it pays. [`State::play`] re-solves a wish only
//! where a turn can have changed its path:
//! - inking: the path ran through an inked region;
//! - new rails: a new cell can lie on a path only if it is no dead end. From each such joint one flood
//!   gives the exact length of the best path through it, so a wish is solved again only if that length
//!   is at most the present one (equal counts: ties may flip).

use super::cells::{Cell, Cells};
use super::map::{Map, MAX_REGIONS, MAX_TOWNS, MAX_WISHES};
use super::path::{fill, shortest};
use crate::kit::bits::Bits;
use crate::kit::rng::Rng;
use core::hash::Hasher as _;
use fxhash::FxHasher;

/// Turns in a game.
pub const TURNS: u8 = 100;
/// Paint a turn.
pub const PAINT: u8 = 3;

/// What one seat does in one turn, already checked: at most three cells and one region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Plan {
    /// Cells to place tracks on, [`Cell::NONE`] for unused entries.
    pub cells: [Cell; 3],
    /// Region to disrupt, or [`Plan::NO_REGION`].
    pub region: u8,
}

impl Plan {
    /// No disruption.
    pub const NO_REGION: u8 = 255;
    /// Nothing at all.
    pub const WAIT: Self = Self {
        cells: [Cell::NONE; 3],
        region: Self::NO_REGION,
    };
}

impl Default for Plan {
    fn default() -> Self {
        Self::WAIT
    }
}

/// An active path, without its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// Regions it runs through, one bit each.
    pub regions: u64,
    /// Cells including both towns; 0 while the wish is not connected.
    pub length: u16,
    /// Points a turn per seat.
    pub pays: [u16; 2],
}

/// Tracks, instability, connections and points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Tracks of each seat; a neutral track is in both sets.
    pub tracks: [Cells; 2],
    /// Cells of inked regions.
    pub closed: Cells,
    /// Inked regions, one bit each.
    pub inked: u64,
    /// Hits each region took.
    pub instability: [u8; MAX_REGIONS],
    /// One entry a wish of the map.
    pub links: [Link; MAX_WISHES],
    /// Points a turn per seat as long as nothing changes.
    pub income: [u32; 2],
    /// Points so far.
    pub scores: [u32; 2],
    /// Turns played.
    pub turn: u8,
    /// No wished pair can be linked any more.
    pub stuck: bool,
    /// Wishes solved so far (a counter for measurements).
    pub solves: u32,
    /// Joint floods so far (a counter for measurements).
    pub floods: u32,
}

const _: () = assert!(core::mem::size_of::<State>() <= 1600);

impl State {
    /// The board before the first turn.
    pub fn new() -> Self {
        Self {
            tracks: [Cells::EMPTY; 2],
            closed: Cells::EMPTY,
            inked: 0,
            instability: [0; MAX_REGIONS],
            links: [Link {
                regions: 0,
                length: 0,
                pays: [0; 2],
            }; MAX_WISHES],
            income: [0; 2],
            scores: [0; 2],
            turn: 0,
            stuck: false,
            solves: 0,
            floods: 0,
        }
    }

    /// All tracks.
    #[inline(always)]
    pub fn all_tracks(&self) -> Cells {
        self.tracks[0].or(&self.tracks[1])
    }

    /// Everything a train can use: tracks of all owners and towns.
    #[inline(always)]
    pub fn rails(&self, map: &Map) -> Cells {
        self.all_tracks().or(&map.town_cells)
    }

    /// Cells on which a track can be placed.
    #[inline(always)]
    pub fn buildable(&self, map: &Map) -> Cells {
        map.board.minus(&self.rails(map)).minus(&self.closed)
    }

    /// True if a `DISRUPT` of `region` succeeds.
    #[inline(always)]
    pub fn disruptable(&self, map: &Map, region: u8) -> bool {
        usize::from(region) < map.regions.len().min(MAX_REGIONS)
            && self.inked >> region & 1 == 0
            && !map.immune(region)
    }

    /// True after the last turn.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.turn >= TURNS || self.stuck
    }

    /// True if `plan` keeps the rules: distinct buildable cells within the paint, a disruptable region.
    pub fn allows(&self, map: &Map, plan: &Plan) -> bool {
        let free = self.buildable(map);
        let mut mine = Cells::EMPTY;
        let mut paint = 0;
        for &cell in plan.cells.iter().filter(|&&c| c != Cell::NONE) {
            if cell.0 as usize >= super::cells::BITS || !free.has(cell) || mine.has(cell) {
                return false;
            }
            mine.insert(cell);
            paint += map.cost[cell.index()];
        }
        paint <= PAINT && (plan.region == Plan::NO_REGION || self.disruptable(map, plan.region))
    }

    /// Plays one turn of both seats. Both plans must be allowed (see [`State::allows`]).
    #[inline(always)]
    pub fn play(&mut self, map: &Map, plans: &[Plan; 2]) {
        debug_assert!(!self.is_over() && plans.iter().all(|p| self.allows(map, p)));
        for (seat, plan) in plans.iter().enumerate() {
            for cell in plan.cells {
                self.tracks[seat].insert(cell);
            }
            // An unused entry is a bit outside every grid.
            self.tracks[seat].remove(Cell::NONE);
        }
        let mut ink = 0;
        for plan in plans {
            if plan.region != Plan::NO_REGION {
                let hits = &mut self.instability[usize::from(plan.region)];
                *hits += 1;
                if *hits >= map.rules.ink_threshold {
                    ink |= 1 << plan.region;
                }
            }
        }
        let mut stale = 0;
        if ink != 0 {
            self.inked |= ink;
            for region in Bits(ink) {
                let cells = &map.regions[region as usize];
                self.closed = self.closed.or(cells);
                self.tracks = [self.tracks[0].minus(cells), self.tracks[1].minus(cells)];
            }
            stale = ink;
        }
        self.connect(map, plans, stale);
        for seat in 0..2 {
            self.scores[seat] += self.income[seat];
        }
        self.turn += 1;
        if ink != 0 {
            // A live connection off the inked regions is a walk itself; mostly there is one.
            let mut links = self.links[..map.wishes.len()].iter();
            let walk = links.any(|link| link.length > 0 && link.regions & self.inked == 0);
            self.stuck = !walk && !self.can_score(map);
        }
    }

    /// Adds tracks of `seat` to the turn just played, as if its plan had held them: the same board and points. Cells
    /// washed away in that turn are lost. Returns the wishes whose connection is another one now, one bit each.
    #[inline(always)]
    pub fn build(&mut self, map: &Map, seat: usize, cells: [Cell; 3]) -> u128 {
        // Where a track turns neutral, connections through its region pay less.
        let mut shared = 0;
        for cell in cells {
            if cell != Cell::NONE && !self.closed.has(cell) {
                shared |= u64::from(self.tracks[1 - seat].has(cell)) << (map.region[cell.index()] & 63);
                self.tracks[seat].insert(cell);
            }
        }
        let income = self.income;
        let tracks = Plan { cells, ..Plan::WAIT };
        let changed = self.connect(map, &[tracks, Plan::WAIT], shared);
        for (seat, old) in income.into_iter().enumerate() {
            // A position told amid a game may hold less points than its connections pay.
            self.scores[seat] = (self.scores[seat] + self.income[seat]).wrapping_sub(old);
        }
        changed
    }

    /// True if tracks on `cells` can be on no path beside `rails`: [`State::build`] would change no connection.
    #[inline(always)]
    pub fn idle(rails: &Cells, cells: [Cell; 3]) -> bool {
        let mut rails = *rails;
        for cell in cells {
            rails.insert(cell);
        }
        rails.remove(Cell::NONE);
        let tracks = Plan { cells, ..Plan::WAIT };
        joints_of(&rails, &[tracks, Plan::WAIT], &mut [Cell::NONE; 6]) == 0
    }

    /// Re-solves what the plans' new cells may have changed, and whatever runs through the regions `stale`. Returns
    /// the wishes whose connection is another one now, one bit each.
    #[inline(always)]
    fn connect(&mut self, map: &Map, plans: &[Plan; 2], stale: u64) -> u128 {
        let rails = self.rails(map);
        let n = map.wishes.len();
        let mut again = 0u128;
        if stale != 0 {
            for (w, link) in self.links[..n].iter().enumerate() {
                again |= u128::from(link.regions & stale != 0) << w;
            }
        }
        let mut joints = [Cell::NONE; 6];
        let count = joints_of(&rails, plans, &mut joints);
        let mut seen = Cells::EMPTY;
        for &joint in &joints[..count] {
            // Every path through a cell with two rails passes both of them.
            let mut degree = 0;
            let mut covered = false;
            for d in 0..4 {
                degree += u32::from(rails.has(joint.step(d)));
                covered |= seen.has(joint.step(d));
            }
            if covered && degree == 2 {
                continue;
            }
            seen.insert(joint);
            self.floods += 1;
            let towns = town_distances(map, &rails, joint);
            for (w, (wish, link)) in map.wishes.iter().zip(&self.links).enumerate() {
                let via = towns[usize::from(wish.from)] + towns[usize::from(wish.to)] + 1;
                // An unlinked wish has length 0, which wraps to the longest.
                again |= u128::from(via < FAR && via - 1 <= link.length.wrapping_sub(1)) << w;
            }
        }
        let mut changed = 0;
        while again != 0 {
            let w = again.trailing_zeros() as usize;
            again &= again - 1;
            changed |= u128::from(self.solve(map, &rails, w)) << w;
        }
        changed
    }

    /// Finds the active path of wish `w` and books it; true if it is another one now, as far as a [`Link`] tells.
    #[inline(always)]
    fn solve(&mut self, map: &Map, rails: &Cells, w: usize) -> bool {
        let wish = map.wishes[w];
        let (from, to) = (map.towns[usize::from(wish.from)], map.towns[usize::from(wish.to)]);
        let mut link = Link::default();
        let tracks = &self.tracks;
        link.length = shortest(rails, from, to, |cell| {
            link.regions |= 1 << (map.region[cell.index()] & 63);
            let mine = [tracks[0].has(cell), tracks[1].has(cell)];
            link.pays[0] += u16::from(mine[0] && !mine[1]);
            link.pays[1] += u16::from(mine[1] && !mine[0]);
        });
        let old = core::mem::replace(&mut self.links[w], link);
        for seat in 0..2 {
            self.income[seat] += u32::from(link.pays[seat]);
            self.income[seat] -= u32::from(old.pays[seat]);
        }
        self.solves += 1;
        old != link
    }

    /// Solves every wish from the tracks alone: for states read from the protocol.
    pub fn refresh(&mut self, map: &Map) {
        let rails = self.rails(map);
        for w in 0..map.wishes.len() {
            self.solve(map, &rails, w);
        }
        self.stuck = !self.can_score(map);
    }

    /// Cells of the active path of wish `w`, requesting town first; empty if it is not connected.
    pub fn path(&self, map: &Map, w: usize) -> Vec<Cell> {
        let wish = map.wishes[w];
        let mut cells = Vec::new();
        let (from, to) = (map.towns[usize::from(wish.from)], map.towns[usize::from(wish.to)]);
        shortest(&self.rails(map), from, to, |cell| cells.push(cell));
        cells
    }

    /// True if some wished pair is linked by cells of regions that are not inked (the requesting town's
    /// own cell is not asked). A tenth of the search's time: it must carry the entry's instruction set.
    #[inline(always)]
    pub fn can_score(&self, map: &Map) -> bool {
        let open = map.board.minus(&self.closed);
        let mut from = usize::MAX;
        let mut reach = Cells::EMPTY;
        for wish in &map.wishes {
            if usize::from(wish.from) != from {
                from = usize::from(wish.from);
                reach = fill(&open, &Cells::single(map.towns[from]));
            }
            let to = map.towns[usize::from(wish.to)];
            if open.has(to) && reach.has(to) {
                return true;
            }
        }
        false
    }

    /// Mixed bits of the tracks and hits: equal boards after the same number of turns have equal marks.
    #[inline(always)]
    pub fn mark(&self) -> u64 {
        Self::tracks_mark(&self.tracks).wrapping_add(self.hits_mark())
    }

    /// The tracks' part of [`State::mark`].
    #[inline(always)]
    pub fn tracks_mark(tracks: &[Cells; 2]) -> u64 {
        let mut hasher = FxHasher::default();
        for seat in tracks {
            for &word in &seat.0 {
                hasher.write_u64(word);
            }
        }
        hasher.finish()
    }

    /// The hits' part of [`State::mark`].
    #[inline(always)]
    pub fn hits_mark(&self) -> u64 {
        let mut mark = 0u64;
        for (region, &hits) in self.instability.iter().enumerate() {
            mark = mark.wrapping_add(Self::hit_mark(region as u8).wrapping_mul(u64::from(hits)));
        }
        mark
    }

    /// What one more hit on `region` adds to [`State::mark`]: no product of its number, of which sums would be alike.
    #[inline(always)]
    pub fn hit_mark(region: u8) -> u64 {
        Rng::new(region.into()).next_u64()
    }

    /// True if `seat` has a path of own and neutral tracks from a town to a place of interest it covers.
    pub fn side_quest(&self, map: &Map, seat: usize) -> bool {
        let mine = &self.tracks[seat];
        let ends = mine.and(&map.pois);
        !ends.is_empty() && fill(mine, &ends).spread().meets(&map.town_cells)
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

/// Distance of towns that cannot be reached; two of them add up to more than any path.
const FAR: u16 = 0x4000;

/// New cells that may lie on a path: tracks with two or more rails beside them that lead on.
#[inline(always)]
fn joints_of(rails: &Cells, plans: &[Plan; 2], joints: &mut [Cell; 6]) -> usize {
    let mut count = 0;
    for plan in plans {
        for cell in plan.cells {
            // Not on the board (unused) or washed in the same turn: no rail.
            if rails.has(cell) && !joints[..count].contains(&cell) {
                joints[count] = cell;
                count += 1;
            }
        }
    }
    // Dead ends among the new cells fall away, until none is left.
    let mut live = *rails;
    loop {
        let mut kept = 0;
        for i in 0..count {
            let cell = joints[i];
            let degree: u32 = (0..4).map(|d| u32::from(live.has(cell.step(d)))).sum();
            if degree >= 2 {
                joints[kept] = cell;
                kept += 1;
            } else {
                live.remove(cell);
            }
        }
        if kept == count {
            return count;
        }
        count = kept;
    }
}

/// Steps from `cell` to every town over `rails`, [`FAR`] where there is no way.
#[inline(always)]
fn town_distances(map: &Map, rails: &Cells, cell: Cell) -> [u16; MAX_TOWNS] {
    let mut distance = [FAR; MAX_TOWNS];
    let mut front = Cells::single(cell);
    let mut left = *rails;
    left.remove(cell);
    let mut steps = 0;
    loop {
        front = front.spread().and(&left);
        if front.is_empty() {
            return distance;
        }
        steps += 1;
        left = left.minus(&front);
        if front.meets(&map.town_cells) {
            for (d, &town) in distance.iter_mut().zip(&map.towns) {
                if front.has(town) {
                    *d = steps;
                }
            }
        }
    }
}
