//! Zones of one terrain, and what squares added to them would score. The fast half of a greedy choice:
//! no placement is made.

use super::kingdom::{around, flood, Kingdom, Put};
use super::tile::Tile;

/// Zones kept apart; a kingdom with more of one terrain has the rest left out, which only playouts see.
const MOST: usize = 12;

/// The zones of one terrain that still touch an empty square.
#[derive(Clone, Copy, Debug)]
pub struct Zones {
    near: [u64; MOST],
    size: [u8; MOST],
    crowns: [u8; MOST],
    len: usize,
}

impl Zones {
    /// Zones of `terrain` with a neighbour in `open`.
    #[inline(always)]
    pub fn of(kingdom: &Kingdom, terrain: u8, open: u64) -> Self {
        let mut zones = Self {
            near: [0; MOST],
            size: [0; MOST],
            crowns: [0; MOST],
            len: 0,
        };
        let all = kingdom.terrain[terrain as usize];
        let mut rest = all & around(open);
        while rest != 0 && zones.len < MOST {
            let zone = flood(rest & rest.wrapping_neg(), all);
            rest &= !zone;
            zones.near[zones.len] = around(zone) & open;
            zones.size[zones.len] = zone.count_ones() as u8;
            zones.crowns[zones.len] = kingdom.crowns_in(zone) as u8;
            zones.len += 1;
        }
        zones
    }

    /// Points won by adding connected squares `cells` (of this terrain) with `crowns` on them.
    #[inline(always)]
    pub fn gain(&self, cells: u64, crowns: u8) -> i32 {
        let (mut size, mut sum, mut old) = (cells.count_ones() as i32, i32::from(crowns), 0);
        for i in 0..self.len {
            let hit = i32::from(self.near[i] & cells != 0);
            let (s, k) = (i32::from(self.size[i]) * hit, i32::from(self.crowns[i]) * hit);
            size += s;
            sum += k;
            old += s * k;
        }
        size * sum - old
    }

    /// Zones.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// No zone with an empty neighbour.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The most points one square with `crowns` can win anywhere.
    #[inline(always)]
    pub fn best(&self, crowns: u8) -> i32 {
        let mut best = i32::from(crowns);
        for i in 0..self.len {
            let (s, k, own) = (self.size[i] as i32, self.crowns[i] as i32, i32::from(crowns));
            best = best.max((s + 1) * (k + own) - s * k);
        }
        best
    }
}

/// Points of every placement of one tile.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    first: Zones,
    second: Zones,
    tile: Tile,
    same: bool,
}

impl Gains {
    /// For this kingdom as it stands.
    #[inline(always)]
    pub fn new(kingdom: &Kingdom, tile: Tile) -> Self {
        let open = !kingdom.occupied;
        let (a, b) = (tile.first().terrain, tile.second().terrain);
        let first = Zones::of(kingdom, a, open);
        let second = if a == b {
            first
        } else {
            Zones::of(kingdom, b, open)
        };
        Self {
            first,
            second,
            tile,
            same: a == b,
        }
    }

    /// Points won by `put`, exactly.
    #[inline(always)]
    pub fn of(&self, put: Put) -> i32 {
        let (first, second) = put.cells();
        let (a, b) = (self.tile.first().crowns, self.tile.second().crowns);
        if self.same {
            self.first.gain(first | second, a + b)
        } else {
            self.first.gain(first, a) + self.second.gain(second, b)
        }
    }
}
