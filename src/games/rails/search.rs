//! The beam's opinions: which turns of one seat to try, and what a board is worth to it.
//!
//! The other seat's plan for the same turns is given; what has become impossible is left out of it. A turn is one
//! step: up to three cells and a region. Values are in points, from the planning seat's side. A [`Planner`] lives as
//! long as its bot and allocates nothing once its lists have grown; [`Planner::aim`] turns it to a seat and a board.

use super::basis::{Basis, Built};
use super::cells::{Cell, Cells, BITS};
use super::duel::Duel;
use super::map::{Map, MAX_REGIONS};
use super::race::Race;
use super::routes::{Flood, Route, ROUTES};
use super::sets::{beside_rails, find_bargains, Set};
use super::state::{Link, Plan, State, PAINT, TURNS};
use super::wanted::find_routes;
use super::weights::Weights;
use crate::kit::bits::Bits;
use crate::kit::cpu::Level;
use crate::search::beam::{Candidate, Expand};
use std::sync::Arc;

/// Routes and sets that paint left over is tried on.
const SPARE: usize = 8;

/// What all boards of one search share.
struct Context {
    map: Arc<Map>,
    weights: Weights,
    me: usize,
    /// The other seat's plan, turn by turn.
    foe: Vec<Plan>,
    /// Worth of a connection that still wants so much paint.
    decay: [f32; 128],
    /// Regions nobody can hit.
    immune: u64,
    /// Cells that nobody can wash away, and what a track on one of them is worth for itself.
    home: Cells,
    stake: f32,
}

/// Opinions with their memory.
pub struct Planner {
    context: Context,
    scratch: Scratch,
}

/// Lists of one board, each at most as long as it was made.
struct Scratch {
    flood: Flood,
    routes: Vec<Route>,
    /// What each route promises on the board before the turn.
    worth: Vec<f32>,
    /// Cells already looked up, with the routes they lie on.
    on: Vec<(Cell, u128)>,
    order: Vec<(f32, u16)>,
    sets: Vec<[Cell; 3]>,
    /// Cells that pay at once on the search's first board, with what they cost the other seat's net.
    bargains: Vec<(i32, [Cell; 3])>,
    /// Sets of several cells on their way there.
    others: Vec<(i32, [Cell; 3])>,
    /// Cells for paint left over.
    spare: Vec<Cell>,
    regions: Vec<(f32, u8)>,
    /// What a hit on each region takes from the promises.
    strikes: [f32; 64],
}

impl Context {
    /// See [`Planner::aim`].
    fn aim(&mut self, map: &Arc<Map>, me: usize, foe: &[Plan], turn: u8) {
        let weights = &self.weights;
        let immune = map.immune_regions();
        let fading = weights.fade * f32::from(map.rules.ink_threshold);
        let early = (1.0 - f32::from(turn) / fading.max(1.0)).max(0.0);
        let patience = if map.rules.ink_threshold > 3 {
            weights.patience_high
        } else {
            weights.patience
        };
        let base = patience.max(0.01).ln() / f32::from(PAINT);
        self.decay = core::array::from_fn(|paint| (base * paint as f32).exp());
        self.home = map.cells_of(immune);
        self.stake = weights.home * early * early;
        (self.immune, self.me) = (immune, me);
        self.map = Arc::clone(map);
        self.foe.clear();
        self.foe.extend_from_slice(foe);
    }

    /// How much of what `route` would pay counts, and what it would put an end to.
    #[inline(always)]
    fn claim(&self, route: &Route, link: &Link) -> (f32, f32) {
        let me = self.me;
        let net = f32::from(link.pays[me]) - f32::from(link.pays[1 - me]);
        if self.weights.calm > 0 && Self::stands_by(route, link) {
            (self.weights.backup, 0.0)
        } else if route.live {
            (self.weights.takeover, net)
        } else {
            (self.weights.promise, net)
        }
    }

    /// A way round that pays when the connection is gone.
    #[inline(always)]
    const fn stands_by(route: &Route, link: &Link) -> bool {
        route.calm && link.length > 0 && link.length <= route.length
    }

    /// What the promise of `route` is worth when `added` cells of each seat (both: neutral) lie on it.
    #[inline(always)]
    fn promise(&self, route: &Route, tracks: [f32; 2], count: f32, paint: usize, link: &Link) -> f32 {
        let me = self.me;
        let (share, net) = self.claim(route, link);
        let lead = tracks[me] - tracks[1 - me] - net;
        let gain = (lead + count).max(0.0) - (count - lead).max(0.0);
        0.25 * share * gain * self.decay[paint.min(127)]
    }

    /// Sets of cells worth trying: the next cells of good routes from either end, filled up from others.
    #[inline(always)]
    fn find_sets(&self, state: &State, reply: Plan, scratch: &mut Scratch) {
        let Scratch {
            routes,
            order,
            sets,
            bargains,
            spare,
            ..
        } = scratch;
        let me = self.me;
        order.clear();
        for (i, route) in routes.iter().enumerate() {
            let link = &state.links[usize::from(route.wish)];
            let (mut share, net) = self.claim(route, link);
            if !route.live && !Self::stands_by(route, link) {
                share = 1.0;
            }
            if self.weights.steady > 0 {
                share *= self.lasting(state, route.regions, Plan::NO_REGION);
            }
            let gain = f32::from(route.count + route.tracks[me]) - f32::from(route.tracks[1 - me]) - net;
            let value = share * gain * self.decay[usize::from(route.paint).min(127)];
            if value > 0.0 {
                order.push((value, i as u16));
            }
        }
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(self.weights.routes.max(1) as usize);
        sets.clear();
        let map = &*self.map;
        let most = self.weights.sets.max(1) as usize + sets.len();
        spare.clear();
        let scarce = order.len() < self.weights.scarce.max(0) as usize;
        if scarce {
            spare.extend(reply.cells.iter().copied().filter(|&c| c != Cell::NONE));
            // Routes that lead nowhere good yet, and their ends from either side.
            for route in routes.iter().take(SPARE) {
                spare.extend(route.ends.iter().map(|end| end[0]).filter(|&c| c != Cell::NONE));
            }
            beside_rails(map, state, &self.home, spare, 4 * SPARE);
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
        let most = self.weights.sets.max(1) as usize + sets.len();
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

    /// Net income of me over the other seat through each region.
    #[inline(always)]
    fn nets(&self, state: &State) -> [f32; 64] {
        let mut nets = [0.0; 64];
        for link in &state.links[..self.map.wishes.len()] {
            if link.length > 0 {
                let net = f32::from(link.pays[self.me]) - f32::from(link.pays[1 - self.me]);
                for region in Bits(link.regions) {
                    nets[region as usize] += net;
                }
            }
        }
        nets
    }

    /// What a hit takes from the promises of `routes`, for each region.
    #[inline(always)]
    fn strikes(&self, state: &State, routes: &[Route]) -> [f32; 64] {
        let mut strikes = [0.0; 64];
        if self.weights.strike <= 0.0 {
            return strikes;
        }
        for route in routes {
            let link = &state.links[usize::from(route.wish)];
            if link.length > 0 && link.length <= route.length {
                continue;
            }
            let tracks = route.tracks.map(f32::from);
            let promise = self.promise(
                route,
                tracks,
                f32::from(route.count),
                usize::from(route.paint),
                link,
            );
            let now = self.lasting(state, route.regions, Plan::NO_REGION);
            for region in Bits(route.regions & !self.immune) {
                let then = self.lasting(state, route.regions, region as u8);
                strikes[region as usize] += self.weights.strike * promise * (then - now);
            }
        }
        strikes
    }

    /// Regions worth hitting, best first.
    #[inline(always)]
    fn find_regions(&self, state: &State, scratch: &mut Scratch) {
        scratch.strikes = self.strikes(state, &scratch.routes);
        let regions = &mut scratch.regions;
        regions.clear();
        let nets = self.nets(state);
        for region in 0..self.map.regions.len() as u8 {
            if !state.disruptable(&self.map, region) {
                continue;
            }
            let cells = &self.map.regions[usize::from(region)];
            let tracks = |seat: usize| state.tracks[seat].and(cells).len() as f32;
            let harm =
                -nets[usize::from(region)] + self.weights.wash * (tracks(1 - self.me) - tracks(self.me));
            let hits = self
                .map
                .rules
                .ink_threshold
                .saturating_sub(state.instability[usize::from(region)])
                .max(1);
            regions.push((
                harm / f32::from(hits) + scratch.strikes[usize::from(region)],
                region,
            ));
        }
        regions.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        regions.truncate(self.weights.regions.max(1) as usize);
        if regions.is_empty() {
            regions.push((0.0, Plan::NO_REGION));
        }
    }

    /// The other seat's turn, without what this board does not allow.
    #[inline(always)]
    fn reply(&self, state: &State, depth: usize) -> Plan {
        let mut plan = self.foe.get(depth).copied().unwrap_or_default();
        let free = state.buildable(&self.map);
        for cell in &mut plan.cells {
            if !free.has(*cell) {
                *cell = Cell::NONE;
            }
        }
        if !state.disruptable(&self.map, plan.region) {
            plan.region = Plan::NO_REGION;
        }
        plan
    }

    /// Points, tracks, and what tracks are worth for themselves, with `built` of my tracks more; clashes cancel out.
    #[inline(always)]
    fn stock(&self, board: &State, next: &State, built: &Built) -> f32 {
        let (w, me) = (&self.weights, self.me);
        let count = |seat: usize| board.tracks[seat].len() as f32;
        let home = |seat: usize| board.tracks[seat].and(&self.home).len() as f32;
        let tracks = count(me) + built.tracks as f32 - count(1 - me);
        let homes = home(me) + built.home as f32 - home(1 - me);
        next.scores[me] as f32 - next.scores[1 - me] as f32 + w.wash * tracks + self.stake * homes
    }

    /// Turns that live connections are counted on.
    #[inline(always)]
    fn race_turns(&self, state: &State) -> usize {
        usize::from(TURNS.saturating_sub(state.turn)).min(self.weights.race.max(0) as usize)
    }

    /// Both seats' turns in the order of the rules.
    #[inline(always)]
    fn joint(&self, step: Plan, reply: Plan) -> [Plan; 2] {
        if self.me == 0 {
            [step, reply]
        } else {
            [reply, step]
        }
    }

    /// Turns that what a route through `regions` promises will last.
    #[inline(always)]
    fn lasting(&self, state: &State, regions: u64, hit: u8) -> f32 {
        let mut left = u8::MAX;
        for region in Bits(regions & !self.immune) {
            let hits = state.instability[region as usize] + u8::from(region as u8 == hit);
            left = left.min(self.map.rules.ink_threshold.saturating_sub(hits).max(1));
        }
        let turns = self
            .weights
            .horizon
            .min(f32::from(TURNS.saturating_sub(state.turn)));
        turns
            .min(self.weights.life + self.weights.life_hit * f32::from(left))
            .max(0.0)
    }

    /// What one route promises after a turn of `plans`.
    #[inline(always)]
    fn outlook(&self, route: &Route, next: &State, washed: u64, plans: &[Plan; 2]) -> f32 {
        let link = &next.links[usize::from(route.wish)];
        if route.regions & washed != 0 {
            return 0.0;
        }
        let mut turns = self.lasting(next, route.regions, Plan::NO_REGION);
        if link.length > 0 && link.length <= route.length {
            if !route.calm {
                return 0.0;
            }
            turns = (turns - self.lasting(next, link.regions, Plan::NO_REGION)).max(0.0);
        }
        let mut tracks = [f32::from(route.tracks[0]), f32::from(route.tracks[1])];
        let (mut count, mut paint) = (f32::from(route.count), usize::from(route.paint));
        for seat in 0..2 {
            for cell in plans[seat].cells {
                if route.bare.has(cell) {
                    let clash = plans[1 - seat].cells.contains(&cell);
                    if !clash {
                        tracks[seat] += 1.0;
                    }
                    if !clash || seat == 0 {
                        count -= 1.0;
                        paint -= usize::from(self.map.cost[cell.index()]);
                    }
                }
            }
        }
        turns * self.promise(route, tracks, count, paint, link)
    }

    /// What the routes promise before a set of mine is built on `basis`.
    #[inline(always)]
    fn promise_all(&self, basis: &Basis, reply: Plan, scratch: &mut Scratch) -> f32 {
        let alone = self.joint(Plan::WAIT, reply);
        let Scratch { routes, worth, .. } = scratch;
        worth.clear();
        worth.extend(
            routes
                .iter()
                .map(|route| self.outlook(route, &basis.board, basis.washed, &alone)),
        );
        worth.iter().sum()
    }

    /// What my tracks on `cells` change in that: only routes under them and those of `changed` wishes moved.
    #[inline(always)]
    fn promise_more(
        &self,
        next: &State,
        washed: u64,
        plans: &[Plan; 2],
        changed: u128,
        scratch: &mut Scratch,
    ) -> f32 {
        let Scratch {
            routes, worth, on, ..
        } = scratch;
        let mut touched = 0u128;
        for cell in plans[self.me].cells.into_iter().filter(|&c| c != Cell::NONE) {
            let known = on.iter().find(|(c, _)| *c == cell);
            touched |= if let Some(&(_, mask)) = known {
                mask
            } else {
                let mut mask = 0u128;
                for (i, route) in routes.iter().enumerate() {
                    mask |= u128::from(route.bare.has(cell)) << i;
                }
                on.push((cell, mask));
                mask
            };
        }
        if changed != 0 {
            for (i, route) in routes.iter().enumerate() {
                touched |= (changed >> route.wish & 1) << i;
            }
        }
        let mut sum = 0.0;
        while touched != 0 {
            let i = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            sum += self.outlook(&routes[i], next, washed, plans) - worth[i];
        }
        sum
    }

    /// My turns that build one of the sets and hit one of `hits` regions of the list, or ink the region that `basis`
    /// was played with.
    #[inline(always)]
    fn turns(
        &self,
        basis: &Basis,
        reply: Plan,
        scratch: &mut Scratch,
        hits: &[u8],
        out: &mut Vec<Candidate<Plan, 2>>,
    ) {
        let map = &*self.map;
        let promised = self.promise_all(basis, reply, scratch);
        let turns = self.race_turns(&basis.board);
        let race = Race::new(map, &basis.board, self.me);
        let mut yields = [None; MAX_REGIONS];
        let mut next = basis.board;
        for s in 0..scratch.sets.len() {
            let cells = scratch.sets[s];
            let built = basis.build(map, self.me, cells, &self.home, &mut next);
            let board = if built.changed == 0 { &basis.board } else { &next };
            let region = basis.region;
            let joint = self.joint(Plan { cells, region }, reply);
            let more = self.promise_more(board, basis.washed, &joint, built.changed, scratch);
            let value = self.stock(&basis.board, board, &built) + promised + more;
            let moved = (built.changed != 0).then(|| Race::new(map, board, self.me));
            for (i, &hit) in hits.iter().enumerate() {
                // What my hit inks is gone already.
                let inks = basis.region != Plan::NO_REGION;
                let first = if inks { 64 } else { hit.min(64) };
                let race = match &moved {
                    _ if board.stuck => 0.0,
                    Some(race) => race.run(first, turns),
                    None => *yields[i].get_or_insert_with(|| race.run(first, turns)),
                };
                let (mark, strike) = if inks || hit == Plan::NO_REGION {
                    (0, 0.0)
                } else {
                    (State::hit_mark(hit), scratch.strikes[usize::from(hit)])
                };
                let joint = self.joint(Plan { cells, region: hit }, reply);
                out.push(Candidate::new(
                    joint,
                    value + race + strike,
                    built.mark.wrapping_add(mark),
                    0,
                ));
            }
        }
    }
}

impl Planner {
    /// Opinions of `weights` on `map`, not yet turned to a seat.
    pub fn new(map: &Arc<Map>, weights: Weights) -> Self {
        let sets = weights.most_sets();
        let context = Context {
            map: Arc::clone(map),
            foe: Vec::with_capacity(weights.depth.max(1) as usize),
            weights,
            me: 0,
            decay: [0.0; 128],
            immune: 0,
            home: Cells::EMPTY,
            stake: 0.0,
        };
        let scratch = Scratch {
            flood: Flood::default(),
            routes: Vec::with_capacity(ROUTES),
            worth: Vec::with_capacity(ROUTES),
            on: Vec::with_capacity(3 * (sets + 1)),
            order: Vec::with_capacity(ROUTES),
            sets: Vec::with_capacity(sets),
            bargains: Vec::with_capacity(BITS),
            others: Vec::with_capacity(BITS),
            spare: Vec::with_capacity(8 * SPARE),
            regions: Vec::with_capacity(MAX_REGIONS),
            strikes: [0.0; 64],
        };
        Self { context, scratch }
    }

    /// For a search of `me` against `foe`'s plan from turn `turn` on.
    pub fn aim(&mut self, map: &Arc<Map>, me: usize, foe: &[Plan], turn: u8) {
        self.context.aim(map, me, foe, turn);
    }

    /// The planning seat.
    pub fn seat(&self) -> usize {
        self.context.me
    }
}

impl Expand<Duel, 2> for Planner {
    #[inline(always)]
    fn expand<L: Level>(&mut self, duel: &Duel, depth: usize, out: &mut Vec<Candidate<Plan, 2>>) {
        let Self { context, scratch } = self;
        let before = &duel.state;
        if before.is_over() {
            return;
        }
        let Scratch { routes, flood, .. } = &mut *scratch;
        find_routes(&context.map, &context.weights, before, context.me, flood, routes);
        let reply = context.reply(before, depth);
        let map = &*context.map;
        if depth == 0 {
            let Scratch { bargains, others, .. } = &mut *scratch;
            find_bargains(map, &context.weights, before, context.me, bargains, others);
        }
        context.find_sets(before, reply, scratch);
        context.find_regions(before, scratch);
        scratch.on.clear();
        // Boards after the other seat's turn: without a hit of mine, and with each that inks.
        let basis = Basis::new(map, before, context.joint(Plan::WAIT, reply), Plan::NO_REGION);
        let mut quiet = [0; MAX_REGIONS];
        let mut count = 0;
        for r in 0..scratch.regions.len() {
            let region = scratch.regions[r].1;
            let board = &basis.board;
            let inks = region != Plan::NO_REGION
                && board.inked >> region & 1 == 0
                && board.instability[usize::from(region)] + 1 >= map.rules.ink_threshold;
            if inks {
                let hit = Plan { region, ..Plan::WAIT };
                let basis = Basis::new(map, before, context.joint(hit, reply), region);
                context.turns(&basis, reply, scratch, &[region], out);
            } else {
                quiet[count] = region;
                count += 1;
            }
        }
        if count > 0 {
            context.turns(&basis, reply, scratch, &quiet[..count], out);
        }
    }
}
