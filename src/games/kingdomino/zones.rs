//! Zones of one terrain, and what squares added to them would score. The fast half of a greedy choice:
//! no placement is made.

use super::kingdom::{around, flood, Kingdom, Put};
use super::tile::Tile;

/// Zones kept apart; a kingdom with more of one terrain has the rest left out, which only playouts see.
const MOST: usize = 12;

/// The zones of one terrain.
#[derive(Clone, Copy, Debug)]
pub struct Zones {
    /// All neighbours, empty or not.
    near: [u64; MOST],
    size: [u8; MOST],
    crowns: [u8; MOST],
    len: usize,
    /// Neighbours of zones with one crown at least.
    edge: u64,
    /// No zone was left out.
    whole: bool,
}

impl Zones {
    /// No zones.
    pub const NONE: Self = Self {
        near: [0; MOST],
        size: [0; MOST],
        crowns: [0; MOST],
        len: 0,
        edge: 0,
        whole: true,
    };

    /// Finds the zones of `terrain` anew.
    #[inline(always)]
    pub fn find(&mut self, kingdom: &Kingdom, terrain: u8) {
        let all = kingdom.terrain[terrain as usize % 6];
        let (mut rest, mut n) = (all, 0);
        self.edge = 0;
        while rest != 0 && n < MOST {
            let zone = flood(rest & rest.wrapping_neg(), all);
            rest &= !zone;
            self.near[n] = around(zone);
            self.size[n] = zone.count_ones() as u8;
            self.crowns[n] = kingdom.crowns_in(zone) as u8;
            self.edge |= if self.crowns[n] > 0 { self.near[n] } else { 0 };
            n += 1;
        }
        self.len = n;
        self.whole = rest == 0;
    }

    /// Points won by adding connected squares `cells` (of this terrain) with `crowns` on them, and what the
    /// zone they end up in may still become: its crowns times its empty neighbours (at most four), beyond
    /// what the zones it joins had before. `open` is what stays empty.
    #[inline(always)]
    pub fn prospect(&self, cells: u64, crowns: u8, open: u64) -> (i32, i32) {
        let (mut size, mut sum, mut old) = (cells.count_ones() as i32, i32::from(crowns), 0);
        let (mut near, mut before) = (around(cells), 0);
        for i in 0..self.len {
            if self.near[i] & cells != 0 {
                let (s, k) = (i32::from(self.size[i]), i32::from(self.crowns[i]));
                size += s;
                sum += k;
                old += s * k;
                near |= self.near[i];
                before += k * ((self.near[i] & (open | cells)).count_ones() as i32).min(4);
            }
        }
        let free = ((near & open).count_ones() as i32).min(4);
        (size * sum - old, sum * free - before)
    }

    /// Neighbours of zones with one crown at least.
    #[inline(always)]
    pub const fn edge(&self) -> u64 {
        self.edge
    }

    /// The most points one square with `crowns` can win on an open square.
    #[inline(always)]
    pub fn best(&self, crowns: u8, open: u64) -> i32 {
        let own = i32::from(crowns);
        let mut best = own;
        for i in 0..self.len {
            if self.near[i] & open != 0 {
                let (s, k) = (i32::from(self.size[i]), i32::from(self.crowns[i]));
                best = best.max((s + 1) * (k + own) - s * k);
            }
        }
        best
    }
}

/// All zones of one kingdom, kept up to date from placement to placement.
#[derive(Clone, Debug)]
pub struct Sight {
    zones: [Zones; 6],
}

impl Sight {
    /// Looks at the whole kingdom.
    #[inline(always)]
    pub fn new(kingdom: &Kingdom) -> Self {
        let mut zones = [Zones::NONE; 6];
        for (terrain, zones) in zones.iter_mut().enumerate() {
            zones.find(kingdom, terrain as u8);
        }
        Self { zones }
    }

    /// To be called after `tile` has been placed.
    #[inline(always)]
    pub fn update(&mut self, kingdom: &Kingdom, tile: Tile) {
        let (a, b) = (tile.first().terrain, tile.second().terrain);
        self.zones[a as usize % 6].find(kingdom, a);
        if a != b {
            self.zones[b as usize % 6].find(kingdom, b);
        }
    }

    /// No zone was left out.
    #[inline(always)]
    pub fn whole(&self) -> bool {
        self.zones.iter().all(|zones| zones.whole)
    }

    /// Zones of one terrain.
    #[inline(always)]
    pub fn zones(&self, terrain: u8) -> &Zones {
        &self.zones[terrain as usize % 6]
    }

    /// Points and prospects of a placement; `open` is what stays empty.
    #[inline(always)]
    pub fn prospect(&self, tile: Tile, put: Put, open: u64) -> (i32, i32) {
        let (first, second) = put.cells();
        let (a, b) = (tile.first(), tile.second());
        if a.terrain == b.terrain {
            return self
                .zones(a.terrain)
                .prospect(first | second, a.crowns + b.crowns, open);
        }
        let one = self.zones(a.terrain).prospect(first, a.crowns, open);
        let two = self.zones(b.terrain).prospect(second, b.crowns, open);
        (one.0 + two.0, one.1 + two.1)
    }
}
