//! What a board is worth to the planning seat: points, tracks, and what routes promise. Values are in points.
//!
//! The worth of live connections in the turns to come is [`super::race`]'s matter, which turns to try that of
//! [`super::candidates`].

use super::basis::Built;
use super::cells::Cells;
use super::map::Map;
use super::routes::Route;
use super::state::{Link, Plan, State, PAINT, TURNS};
use super::weights::Weights;
use crate::kit::bits::Bits;
use std::sync::Arc;

/// The evaluation of one search: a seat on a map.
pub struct Eval {
    /// The game's map.
    pub map: Arc<Map>,
    /// What opinions weigh.
    pub weights: Weights,
    /// The planning seat.
    pub me: usize,
    /// Worth of a connection that still wants so much paint.
    pub decay: [f32; 128],
    /// Regions nobody can hit.
    immune: u64,
    /// Cells that nobody can wash away, and what a track on one of them is worth for itself.
    pub home: Cells,
    stake: f32,
}

impl Eval {
    /// By `weights` on `map`, not yet turned to a seat.
    pub fn new(map: &Arc<Map>, weights: Weights) -> Self {
        Self {
            map: Arc::clone(map),
            weights,
            me: 0,
            decay: [0.0; 128],
            immune: 0,
            home: Cells::EMPTY,
            stake: 0.0,
        }
    }

    /// For a search of `me` from turn `turn` on.
    pub fn aim(&mut self, map: &Arc<Map>, me: usize, turn: u8) {
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
    }

    /// Whether the connection stands, by a way no longer than `route`.
    #[inline(always)]
    const fn stands(route: &Route, link: &Link) -> bool {
        link.length > 0 && link.length <= route.length
    }

    /// A way round that pays when the connection is gone.
    #[inline(always)]
    pub const fn stands_by(route: &Route, link: &Link) -> bool {
        route.calm && Self::stands(route, link)
    }

    /// Net income of me over the other seat from a connection.
    #[inline(always)]
    fn net(&self, link: &Link) -> f32 {
        f32::from(link.pays[self.me]) - f32::from(link.pays[1 - self.me])
    }

    /// How much of what `route` would pay counts, and what it would put an end to.
    #[inline(always)]
    pub fn claim(&self, route: &Route, link: &Link) -> (f32, f32) {
        let net = self.net(link);
        if self.weights.calm > 0 && Self::stands_by(route, link) {
            (self.weights.backup, 0.0)
        } else if route.live {
            (self.weights.takeover, net)
        } else {
            (self.weights.promise, net)
        }
    }

    /// What the promise of `route` is worth a turn with so many tracks of each seat, bare cells and paint still wanted.
    #[inline(always)]
    pub fn promise(&self, route: &Route, tracks: [f32; 2], count: f32, paint: usize, link: &Link) -> f32 {
        let me = self.me;
        let (share, net) = self.claim(route, link);
        let lead = tracks[me] - tracks[1 - me] - net;
        let gain = (lead + count).max(0.0) - (count - lead).max(0.0);
        0.25 * share * gain * self.decay[paint.min(127)]
    }

    /// Turns that what a route through `regions` promises will last.
    #[inline(always)]
    pub fn lasting(&self, state: &State, regions: u64, hit: u8) -> f32 {
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
    pub fn outlook(&self, route: &Route, next: &State, washed: u64, plans: &[Plan; 2]) -> f32 {
        let link = &next.links[usize::from(route.wish)];
        if route.regions & washed != 0 {
            return 0.0;
        }
        let mut turns = self.lasting(next, route.regions, Plan::NO_REGION);
        if Self::stands(route, link) {
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

    /// Points, tracks, and what tracks are worth for themselves, with `built` of my tracks more; clashes cancel out.
    #[inline(always)]
    pub fn stock(&self, board: &State, next: &State, built: &Built) -> f32 {
        let (w, me) = (&self.weights, self.me);
        let count = |seat: usize| board.tracks[seat].len() as f32;
        let home = |seat: usize| board.tracks[seat].and(&self.home).len() as f32;
        let tracks = count(me) + built.tracks as f32 - count(1 - me);
        let homes = home(me) + built.home as f32 - home(1 - me);
        next.scores[me] as f32 - next.scores[1 - me] as f32 + w.wash * tracks + self.stake * homes
    }

    /// Net income of me over the other seat through each region.
    #[inline(always)]
    pub fn nets(&self, state: &State) -> [f32; 64] {
        let mut nets = [0.0; 64];
        for link in &state.links[..self.map.wishes.len()] {
            if link.length > 0 {
                let net = self.net(link);
                for region in Bits(link.regions) {
                    nets[region as usize] += net;
                }
            }
        }
        nets
    }

    /// What a hit takes from the promises of `routes`, for each region.
    #[inline(always)]
    pub fn strikes(&self, state: &State, routes: &[Route]) -> [f32; 64] {
        let mut strikes = [0.0; 64];
        if self.weights.strike <= 0.0 {
            return strikes;
        }
        for route in routes {
            let link = &state.links[usize::from(route.wish)];
            if Self::stands(route, link) {
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
}
