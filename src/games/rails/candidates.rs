//! Which turns of the planning seat are worth trying: sets of cells and regions to hit, best first.
//!
//! What they are worth after all is [`super::eval`]'s matter. The lists allocate nothing once they have grown.

use super::cells::{Cell, BITS};
use super::eval::Eval;
use super::map::MAX_REGIONS;
use super::routes::{Route, ROUTES};
use super::sets::{beside_rails, find_bargains, Set};
use super::state::{Plan, State};

/// Routes and sets that paint left over is tried on.
const SPARE: usize = 8;

/// Lists of one board, each at most as long as it was made.
pub struct Candidates {
    order: Vec<(f32, u16)>,
    /// Cells of a turn: see [`Self::find_sets`].
    pub sets: Vec<[Cell; 3]>,
    /// Cells that pay at once on the search's first board, with what they cost the other seat's net.
    bargains: Vec<(i32, [Cell; 3])>,
    /// Sets of several cells on their way there.
    others: Vec<(i32, [Cell; 3])>,
    /// Cells for paint left over.
    spare: Vec<Cell>,
    /// Regions with what a hit is worth: see [`Self::find_regions`].
    pub regions: Vec<(f32, u8)>,
    /// What a hit on each region takes from the promises.
    pub strikes: [f32; 64],
}

impl Candidates {
    /// Room for `sets` sets of a board.
    pub fn new(sets: usize) -> Self {
        Self {
            order: Vec::with_capacity(ROUTES),
            sets: Vec::with_capacity(sets),
            bargains: Vec::with_capacity(BITS),
            others: Vec::with_capacity(BITS),
            spare: Vec::with_capacity(8 * SPARE),
            regions: Vec::with_capacity(MAX_REGIONS),
            strikes: [0.0; 64],
        }
    }

    /// Looks for cells that pay at once on a search's first board.
    #[inline(always)]
    pub fn find_bargains(&mut self, eval: &Eval, state: &State) {
        let Self { bargains, others, .. } = self;
        find_bargains(&eval.map, &eval.weights, state, eval.me, bargains, others);
    }

    /// Sets of cells worth trying: the next cells of good routes from either end, filled up from others.
    #[inline(always)]
    pub fn find_sets(&mut self, eval: &Eval, state: &State, reply: Plan, routes: &[Route]) {
        let Self {
            order,
            sets,
            bargains,
            spare,
            ..
        } = self;
        let me = eval.me;
        order.clear();
        for (i, route) in routes.iter().enumerate() {
            let link = &state.links[usize::from(route.wish)];
            let (mut share, net) = eval.claim(route, link);
            if !route.live && !Eval::stands_by(route, link) {
                share = 1.0;
            }
            if eval.weights.steady > 0 {
                share *= eval.lasting(state, route.regions, Plan::NO_REGION);
            }
            let gain = f32::from(route.count + route.tracks[me]) - f32::from(route.tracks[1 - me]) - net;
            let value = share * gain * eval.decay[usize::from(route.paint).min(127)];
            if value > 0.0 {
                order.push((value, i as u16));
            }
        }
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(eval.weights.routes.max(1) as usize);
        sets.clear();
        let map = &*eval.map;
        let most = eval.weights.sets.max(1) as usize;
        spare.clear();
        let scarce = order.len() < eval.weights.scarce.max(0) as usize;
        if scarce {
            spare.extend(reply.cells.iter().copied().filter(|&c| c != Cell::NONE));
            // Routes that lead nowhere good yet, and their ends from either side.
            for route in routes.iter().take(SPARE) {
                spare.extend(route.ends.iter().map(|end| end[0]).filter(|&c| c != Cell::NONE));
            }
            beside_rails(map, state, &eval.home, spare, 4 * SPARE);
        }
        let free = state.buildable(map);
        for (i, &(_, cells)) in bargains.iter().enumerate() {
            if cells.iter().any(|&c| c != Cell::NONE && !free.has(c)) {
                continue;
            }
            let mut set = Set::EMPTY;
            set.take(map, cells);
            let mut all = set;
            all.fill(
                map,
                bargains[i..].iter().flat_map(|b| b.1).filter(|&c| free.has(c)),
            );
            all.fill(map, spare.iter().copied());
            all.add_to(sets, most);
            for &(_, j) in order.iter().take(2) {
                for end in 0..2 {
                    let mut set = set;
                    set.take(map, routes[usize::from(j)].ends[end]);
                    set.add_to(sets, most);
                }
            }
        }
        let most = most + sets.len();
        for (rank, &(_, i)) in order.iter().enumerate() {
            for end in 0..2 {
                let mut set = Set::EMPTY;
                set.take(map, routes[usize::from(i)].ends[end]);
                if set.is_full() || order.len() == 1 {
                    set.fill(map, spare.iter().copied());
                    set.add_to(sets, most);
                    continue;
                }
                for (other, &(_, j)) in order.iter().enumerate().take(rank + 6) {
                    if other == rank {
                        continue;
                    }
                    for end in 0..2 {
                        let mut set = set;
                        set.take(map, routes[usize::from(j)].ends[end]);
                        set.fill(map, spare.iter().copied());
                        set.add_to(sets, most);
                    }
                }
            }
        }
        for from in 0..spare.len().min(SPARE) {
            let mut set = Set::EMPTY;
            set.fill(map, spare[from..].iter().copied());
            set.add_to(sets, most);
        }
        if sets.is_empty() {
            sets.push([Cell::NONE; 3]);
        }
    }

    /// Regions worth hitting, best first.
    #[inline(always)]
    pub fn find_regions(&mut self, eval: &Eval, state: &State, routes: &[Route]) {
        self.strikes = eval.strikes(state, routes);
        let regions = &mut self.regions;
        regions.clear();
        let nets = eval.nets(state);
        for region in 0..eval.map.regions.len() as u8 {
            if !state.disruptable(&eval.map, region) {
                continue;
            }
            let cells = &eval.map.regions[usize::from(region)];
            let tracks = |seat: usize| state.tracks[seat].and(cells).len() as f32;
            let harm =
                -nets[usize::from(region)] + eval.weights.wash * (tracks(1 - eval.me) - tracks(eval.me));
            let hits = eval
                .map
                .rules
                .ink_threshold
                .saturating_sub(state.instability[usize::from(region)])
                .max(1);
            regions.push((harm / f32::from(hits) + self.strikes[usize::from(region)], region));
        }
        regions.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        regions.truncate(eval.weights.regions.max(1) as usize);
        if regions.is_empty() {
            regions.push((0.0, Plan::NO_REGION));
        }
    }
}
