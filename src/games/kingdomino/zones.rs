//! Zones of one terrain, and what squares added to them would score. The fast half of a greedy choice:
//! no placement is made.

use super::kingdom::{around, Kingdom, Put};
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
    /// Squares taken in.
    all: u64,
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
        all: 0,
        edge: 0,
        whole: true,
    };

    /// Takes in what `kingdom` has more of `terrain` than before.
    #[inline(always)]
    pub fn follow(&mut self, kingdom: &Kingdom, terrain: u8) {
        let all = kingdom.terrain[(terrain as usize).min(5)];
        let mut more = all & !self.all;
        self.all = all;
        while more != 0 {
            let square = more & more.wrapping_neg();
            more ^= square;
            self.add(square, kingdom.crowns_in(square) as u8);
        }
    }

    /// One square more: the zones that it touches become one.
    #[inline(always)]
    fn add(&mut self, square: u64, mut crowns: u8) {
        let (mut near, mut size, mut kept) = (around(square), 1, 0);
        for i in 0..self.len {
            let (n, s, k) = (self.near[i], self.size[i], self.crowns[i]);
            if n & square != 0 {
                near |= n;
                size += s;
                crowns += k;
            } else {
                (self.near[kept], self.size[kept], self.crowns[kept]) = (n, s, k);
                kept += 1;
            }
        }
        self.len = kept;
        if kept == MOST {
            self.whole = false;
            return;
        }
        (self.near[kept], self.size[kept], self.crowns[kept]) = (near, size, crowns);
        self.len += 1;
        self.edge |= if crowns > 0 { near } else { 0 };
    }

    /// All squares, those of zones left out too.
    #[inline(always)]
    pub const fn all(&self) -> u64 {
        self.all
    }

    /// How many zones there are.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.len
    }

    /// Neighbours, squares and crowns of a zone.
    #[inline(always)]
    pub const fn zone(&self, i: usize) -> (u64, i32, i32) {
        (self.near[i], self.size[i] as i32, self.crowns[i] as i32)
    }

    /// Sum over the zones of squares times crowns.
    #[inline(always)]
    pub fn score(&self) -> u8 {
        let mut sum = 0;
        for i in 0..self.len {
            sum += u32::from(self.size[i]) * u32::from(self.crowns[i]);
        }
        sum as u8
    }

    /// Points won by adding connected squares `cells` (of this terrain) with `crowns` on them.
    #[inline(always)]
    pub fn gain(&self, cells: u64, crowns: u8) -> i32 {
        let (mut size, mut sum, mut old) = (cells.count_ones() as i32, i32::from(crowns), 0);
        for i in 0..self.len {
            if self.near[i] & cells != 0 {
                let (s, k) = (i32::from(self.size[i]), i32::from(self.crowns[i]));
                size += s;
                sum += k;
                old += s * k;
            }
        }
        size * sum - old
    }

    /// Neighbours of zones with one crown at least.
    #[inline(always)]
    pub const fn edge(&self) -> u64 {
        self.edge
    }

    /// The most points one square with `crowns` can win on an open square.
    #[inline(always)]
    pub fn best(&self, crowns: u8, open: u64) -> i32 {
        let (own, mut best) = (i32::from(crowns), 0);
        for i in 0..self.len {
            if self.near[i] & open != 0 {
                best = best.max(i32::from(self.size[i]) * own + i32::from(self.crowns[i]));
            }
        }
        best + own
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
        let mut sight = Self {
            zones: [Zones::NONE; 6],
        };
        sight.follow(kingdom);
        sight
    }

    /// Takes in whatever has been placed since; nothing may have gone.
    #[inline(always)]
    pub fn follow(&mut self, kingdom: &Kingdom) {
        for (terrain, zones) in self.zones.iter_mut().enumerate() {
            zones.follow(kingdom, terrain as u8);
        }
    }

    /// To be called after `tile` has been placed.
    #[inline(always)]
    pub fn update(&mut self, kingdom: &Kingdom, tile: Tile) {
        let (a, b) = (tile.first().terrain, tile.second().terrain);
        self.zones[(a as usize).min(5)].follow(kingdom, a);
        if a != b {
            self.zones[(b as usize).min(5)].follow(kingdom, b);
        }
    }

    /// Brings the scores of a kingdom up to date that has been followed.
    #[inline(always)]
    pub fn rescore(&self, kingdom: &mut Kingdom) {
        if self.whole() {
            kingdom.set_scores(self.zones.map(|zones| zones.score()));
        } else {
            kingdom.rescore_all();
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
        &self.zones[(terrain as usize).min(5)]
    }

    /// Points of a placement.
    #[inline(always)]
    pub fn gain(&self, tile: Tile, put: Put) -> i32 {
        let (first, second) = put.cells();
        let (a, b) = (tile.first(), tile.second());
        if a.terrain == b.terrain {
            return self.zones(a.terrain).gain(first | second, a.crowns + b.crowns);
        }
        self.zones(a.terrain).gain(first, a.crowns) + self.zones(b.terrain).gain(second, b.crowns)
    }
}
