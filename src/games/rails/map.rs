//! The part of a game that never changes: grid, terrain, regions, towns, wishes, options.
//!
//! Built once (by the reader or the generator) and shared. Any list of cells, towns and wishes gives a
//! usable map: what does not fit is left out, so a damaged init block cannot make a bot panic.

use super::cells::{Cell, Cells, BITS, MAX_HEIGHT, MAX_WIDTH};
use core::ops::Range;

/// Most regions a map can have (the generator makes 42 to 61).
pub const MAX_REGIONS: usize = 64;
/// Most towns (the generator makes at most 12).
pub const MAX_TOWNS: usize = 16;
/// Most wishes (12 towns have 66 pairs, each wished once at most).
pub const MAX_WISHES: usize = 72;
/// Region index of cells off the grid.
pub const NO_REGION: u8 = 255;

/// What the variants differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Instability at which a region is inked.
    pub ink_threshold: u8,
    /// Regions with a town can be disrupted like all others (a fallback; assumed false).
    pub town_regions_disruptable: bool,
}

/// One wish: `from` wants to be connected with `to` (town indices).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Requesting town: ties are broken from its end.
    pub from: u8,
    /// Wanted town.
    pub to: u8,
}

/// Grid, terrain, regions, towns and wishes of one game.
#[derive(Clone, Debug)]
pub struct Map {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Options of the variant.
    pub rules: Rules,
    /// Every cell of the grid.
    pub board: Cells,
    /// Paint for a track: 1 plains, 2 river, 3 mountain or place of interest.
    pub cost: [u8; BITS],
    /// Cells of paint 1, 2 and 3.
    pub by_cost: [Cells; 3],
    /// Cell types as in the protocol, 0 to 3.
    pub terrain: [u8; BITS],
    /// Region of each cell, [`NO_REGION`] off the grid.
    pub region: [u8; BITS],
    /// Cells of each region.
    pub regions: Vec<Cells>,
    /// Towns in id order.
    pub towns: Vec<Cell>,
    /// The towns as a set.
    pub town_cells: Cells,
    /// Regions that hold a town, one bit each.
    pub town_regions: u64,
    /// Wishes by requesting town, then in the order of its list.
    pub wishes: Vec<Wish>,
    /// Places of interest.
    pub pois: Cells,
}

impl Map {
    /// A map from the protocol's own lists: `cells` row by row as (region, type), `towns` in id order as
    /// (x, y, wished ids).
    pub fn new(
        (width, height): (usize, usize),
        cells: &[(u8, u8)],
        towns: &[(usize, usize, Vec<u8>)],
        rules: Rules,
    ) -> Self {
        let (width, height) = (width.min(MAX_WIDTH), height.min(MAX_HEIGHT));
        let mut map = Self {
            width,
            height,
            rules,
            board: Cells::EMPTY,
            cost: [1; BITS],
            by_cost: [Cells::EMPTY; 3],
            terrain: [0; BITS],
            region: [NO_REGION; BITS],
            regions: Vec::new(),
            towns: Vec::new(),
            town_cells: Cells::EMPTY,
            town_regions: 0,
            wishes: Vec::new(),
            pois: Cells::EMPTY,
        };
        for (n, &(region, kind)) in cells.iter().enumerate().take(width * height) {
            let region = region.min(MAX_REGIONS as u8 - 1);
            let cell = Cell::new(n % width, n / width);
            map.board.insert(cell);
            map.terrain[cell.index()] = kind.min(3);
            let cost = [1, 2, 3, 3][usize::from(kind.min(3))];
            map.cost[cell.index()] = cost;
            map.by_cost[usize::from(cost) - 1].insert(cell);
            map.region[cell.index()] = region;
            while map.regions.len() <= usize::from(region) {
                map.regions.push(Cells::EMPTY);
            }
            map.regions[usize::from(region)].insert(cell);
            if kind == 3 {
                map.pois.insert(cell);
            }
        }
        let count = towns.len().min(MAX_TOWNS);
        for (from, (x, y, wishes)) in towns.iter().enumerate().take(count) {
            let cell = Cell::new(*x.min(&(MAX_WIDTH - 1)), *y.min(&(MAX_HEIGHT - 1)));
            map.towns.push(cell);
            if map.board.has(cell) {
                map.town_cells.insert(cell);
                map.town_regions |= 1 << map.region[cell.index()];
            }
            for &to in wishes {
                let fits = usize::from(to) < count && usize::from(to) != from;
                if fits && map.wishes.len() < MAX_WISHES {
                    map.wishes.push(Wish { from: from as u8, to });
                }
            }
        }
        map
    }

    /// The cell in column `x`, row `y`, if it lies in the grid.
    #[inline(always)]
    pub fn cell(&self, x: u32, y: u32) -> Option<Cell> {
        ((x as usize) < self.width && (y as usize) < self.height).then(|| Cell::new(x as usize, y as usize))
    }

    /// Indices of the wishes, one range a requesting town.
    #[inline(always)]
    pub fn wishes_by_town(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut end = 0;
        core::iter::from_fn(move || {
            let from = self.wishes.get(end)?.from;
            let start = end;
            while self.wishes.get(end).is_some_and(|wish| wish.from == from) {
                end += 1;
            }
            Some(start..end)
        })
    }

    /// Cells of the regions in `regions`.
    pub fn cells_of(&self, regions: u64) -> Cells {
        crate::kit::bits::Bits(regions).fold(Cells::EMPTY, |all, r| {
            self.regions.get(r as usize).map_or(all, |cells| all.or(cells))
        })
    }

    /// Regions nobody can disrupt, one bit each.
    #[inline(always)]
    pub const fn immune_regions(&self) -> u64 {
        if self.rules.town_regions_disruptable {
            0
        } else {
            self.town_regions
        }
    }

    /// True if `region` is immune because a town stands in it.
    #[inline(always)]
    pub fn immune(&self, region: u8) -> bool {
        self.immune_regions() >> region & 1 != 0
    }
}
