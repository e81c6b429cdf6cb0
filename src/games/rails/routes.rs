//! Routes still to be built: for every wish the cheapest and the shortest way over rails and open cells.
//!
//! A flood of whole boards, one step per unit of cost: a cell of class `k` joins `cost[k]` steps after its
//! first neighbour. Costs are small whole numbers (below 16); the weights choose them, so the same flood
//! gives routes of least paint or of fewest cells. A route is read back from the levels.

use super::cells::{Cell, Cells};
use super::map::Map;
use super::state::State;
use core::ops::Range;

/// Cost classes: rails, then open cells of paint 1, 2, 3.
pub const CLASSES: usize = 4;
/// Costs are below this.
pub const MAX_COST: usize = 16;
/// Levels kept; a route that costs more is no route.
pub const LEVELS: usize = 120;
/// Most routes looked at on a board: one bit each of a `u128`.
pub const ROUTES: usize = 128;

/// A way to connect a wish, as far as it is not there yet.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The wish.
    pub wish: u8,
    /// It runs along a live connection's detour.
    pub live: bool,
    /// It keeps out of regions that are about to be inked.
    pub calm: bool,
    /// Cells to be paved.
    pub bare: Cells,
    /// First cells to be paved from the requesting town's end, and from the other one.
    pub ends: [[Cell; 3]; 2],
    /// Paint for all of them.
    pub paint: u16,
    /// Number of them.
    pub count: u16,
    /// Cells with both towns.
    pub length: u16,
    /// Tracks of each seat already on it, neutral ones left out.
    pub tracks: [u16; 2],
    /// Regions of the cells to be paved and of the tracks.
    pub regions: u64,
}

/// Scratch memory of the floods.
pub struct Flood {
    level: Vec<Cells>,
    used: usize,
}

impl Default for Flood {
    fn default() -> Self {
        Self {
            level: vec![Cells::EMPTY; LEVELS],
            used: 0,
        }
    }
}

impl Flood {
    /// Floods from `from` until all of `targets` are reached or nothing is left.
    #[inline(always)]
    pub fn run(&mut self, from: Cell, targets: &Cells, class: &[Cells; CLASSES], cost: [usize; CLASSES]) {
        let mut spread = [Cells::EMPTY; MAX_COST];
        let start = Cells::single(from);
        self.level[0] = start;
        spread[0] = start.spread();
        let mut left = class[0].or(&class[1]).or(&class[2]).or(&class[3]);
        left.remove(from);
        let mut open = *targets;
        let mut quiet = 0;
        let mut d = 1;
        while d < LEVELS {
            let mut next = Cells::EMPTY;
            for k in 0..CLASSES {
                let reached = spread[(d + MAX_COST - cost[k]) % MAX_COST].and(&class[k]);
                next = next.or(&reached);
            }
            next = next.and(&left);
            self.level[d] = next;
            if next.is_empty() {
                quiet += 1;
                spread[d % MAX_COST] = Cells::EMPTY;
                if quiet == MAX_COST {
                    break;
                }
            } else {
                quiet = 0;
                left = left.minus(&next);
                spread[d % MAX_COST] = next.spread();
                open = open.minus(&next);
                if open.is_empty() {
                    d += 1;
                    break;
                }
            }
            d += 1;
        }
        self.used = d.min(LEVELS);
    }

    /// Floods from the town of `wishes`, which all have the same one, and hands on what is found of those `wanted`.
    /// `turn` as in [`Flood::route`].
    #[allow(clippy::too_many_arguments)] // the flood's own arguments again
    #[inline(always)]
    pub fn look(
        &mut self,
        map: &Map,
        state: &State,
        wishes: Range<usize>,
        class: &[Cells; CLASSES],
        cost: [usize; CLASSES],
        turn: usize,
        wanted: impl Fn(usize) -> bool,
        mut found: impl FnMut(Route),
    ) {
        let mut targets = Cells::EMPTY;
        for wish in wishes.clone().filter(|&w| wanted(w)) {
            targets.insert(map.towns[usize::from(map.wishes[wish].to)]);
        }
        if targets.is_empty() {
            return;
        }
        let start = map.towns[usize::from(map.wishes[wishes.start].from)];
        self.run(start, &targets, class, cost);
        for wish in wishes.filter(|&w| wanted(w)) {
            if let Some(route) = self.route(map, state, wish, class, cost, turn) {
                found(route);
            }
        }
    }

    /// Reads back the route of wish `wish` after a flood from its requesting town with the same classes
    /// and costs. `None` if there is none. `turn` (0 to 3) says which direction wins ties: two seats
    /// that think alike should not build the same cells.
    #[allow(clippy::too_many_arguments)] // the flood's own arguments again
    #[inline(always)]
    pub fn route(
        &self,
        map: &Map,
        state: &State,
        wish: usize,
        class: &[Cells; CLASSES],
        cost: [usize; CLASSES],
        turn: usize,
    ) -> Option<Route> {
        let (from, to) = (map.wishes[wish].from, map.wishes[wish].to);
        let (from, to) = (map.towns[usize::from(from)], map.towns[usize::from(to)]);
        let mut route = Route {
            wish: wish as u8,
            live: state.links[wish].length > 0,
            calm: false,
            bare: Cells::EMPTY,
            ends: [[Cell::NONE; 3]; 2],
            paint: 0,
            count: 0,
            length: 1,
            tracks: [0; 2],
            regions: 0,
        };
        self.trace(from, to, class, cost, turn, |at, k| {
            if k > 0 {
                if route.count < 3 {
                    route.ends[1][usize::from(route.count)] = at;
                }
                route.ends[0] = [at, route.ends[0][0], route.ends[0][1]];
                route.bare.insert(at);
                route.paint += k as u16;
                route.count += 1;
            } else {
                let mine = [state.tracks[0].has(at), state.tracks[1].has(at)];
                route.tracks[0] += u16::from(mine[0] && !mine[1]);
                route.tracks[1] += u16::from(mine[1] && !mine[0]);
            }
            route.regions |= 1 << (map.region[at.index()] & 63);
            route.length += 1;
        })?;
        Some(route)
    }

    /// Walks the route back from `to`, giving `visit` each cell with its class, `from` left out. `None` if
    /// there is none.
    #[inline(always)]
    pub fn trace(
        &self,
        from: Cell,
        to: Cell,
        class: &[Cells; CLASSES],
        cost: [usize; CLASSES],
        turn: usize,
        mut visit: impl FnMut(Cell, usize),
    ) -> Option<()> {
        let mut d = (0..self.used).find(|&d| self.level[d].has(to))?;
        let mut at = to;
        while at != from {
            let k = (0..CLASSES).find(|&k| class[k].has(at)).unwrap_or(0);
            visit(at, k);
            d = d.checked_sub(cost[k])?;
            let level = &self.level[d];
            let step = (0..4)
                .map(|i| (i + turn) & 3)
                .find(|&dir| level.has(at.step(dir)))?;
            at = at.step(step);
        }
        Some(())
    }
}

/// The board in cost classes.
pub fn classes(map: &Map, state: &State) -> [Cells; CLASSES] {
    let rails = state.rails(map);
    let free = state.buildable(map);
    let paint = |k: usize| free.and(&map.by_cost[k - 1]);
    [rails, paint(1), paint(2), paint(3)]
}
