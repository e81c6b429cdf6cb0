//! Cells of the grid and sets of them as fixed bit boards.
//!
//! A row takes 32 bits and the board starts in row 1, so every cell has four neighbours inside the
//! board's words and no shift can wrap: columns 30 and 31 and the rows around the grid are never set.
//! Grids up to 30 columns and 20 rows.

use crate::kit::bits::Bits;

/// 64-bit words in a set: 24 rows of 32 bits.
pub const WORDS: usize = 12;
/// Bits in a set; every [`Cell`] index lies below.
pub const BITS: usize = WORDS * 64;
/// Widest grid.
pub const MAX_WIDTH: usize = 30;
/// Highest grid.
pub const MAX_HEIGHT: usize = 20;

/// One cell, as its bit index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Cell(pub u16);

/// Index offsets of the neighbours in the order of the rules: N, E, S, W.
pub const NEWS: [u16; 4] = [32u16.wrapping_neg(), 1, 32, 1u16.wrapping_neg()];

impl Cell {
    /// No cell (a bit that is never set).
    pub const NONE: Self = Self(31);

    /// The cell in column `x`, row `y`, both 0-based.
    #[inline(always)]
    pub const fn new(x: usize, y: usize) -> Self {
        Self(((y + 1) * 32 + x) as u16)
    }

    /// Column.
    #[inline(always)]
    pub const fn x(self) -> usize {
        self.0 as usize & 31
    }

    /// Row.
    #[inline(always)]
    pub const fn y(self) -> usize {
        (self.0 as usize >> 5) - 1
    }

    /// Index for arrays of [`BITS`] entries.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The neighbour in direction `d` (0 N, 1 E, 2 S, 3 W); may lie off the grid. Needs a cell of the grid.
    #[must_use]
    #[inline(always)]
    pub const fn step(self, d: usize) -> Self {
        Self(self.0.wrapping_add(NEWS[d]))
    }

    /// Manhattan distance.
    #[inline(always)]
    pub const fn distance(self, other: Self) -> u32 {
        (self.x().abs_diff(other.x()) + (self.0 >> 5).abs_diff(other.0 >> 5) as usize) as u32
    }
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(align(32))]
pub struct Cells(pub [u64; WORDS]);

impl Cells {
    /// No cell.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// One cell.
    #[inline(always)]
    pub fn single(cell: Cell) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// True if `cell` is a member.
    #[inline(always)]
    pub const fn has(&self, cell: Cell) -> bool {
        self.0[(cell.0 >> 6) as usize] >> (cell.0 & 63) & 1 != 0
    }

    /// Adds a cell.
    #[inline(always)]
    pub fn insert(&mut self, cell: Cell) {
        self.0[(cell.0 >> 6) as usize] |= 1 << (cell.0 & 63);
    }

    /// Takes a cell out.
    #[inline(always)]
    pub fn remove(&mut self, cell: Cell) {
        self.0[(cell.0 >> 6) as usize] &= !(1 << (cell.0 & 63));
    }

    /// True if no cell is a member.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |a, w| a | w) == 0
    }

    /// Number of members.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Members of both.
    #[must_use]
    #[inline(always)]
    pub fn and(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Members of either.
    #[must_use]
    #[inline(always)]
    pub fn or(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Members of `self` that are not in `other`.
    #[must_use]
    #[inline(always)]
    pub fn minus(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// True if some cell is in both.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        (0..WORDS).fold(0, |a, i| a | (self.0[i] & other.0[i])) != 0
    }

    /// The neighbours of all members (members only where they touch each other). May leave the grid.
    #[must_use]
    #[inline(always)]
    pub fn spread(&self) -> Self {
        let w = &self.0;
        let mut out = [0; WORDS];
        // Rows 0 and 23 hold no member, so the outermost words need no guard beyond the slice itself.
        for i in 0..WORDS {
            let below = if i == 0 { 0 } else { w[i - 1] };
            let above = if i + 1 == WORDS { 0 } else { w[i + 1] };
            out[i] = (w[i] << 1) | (w[i] >> 1) | w[i].rotate_left(32) | (below >> 32) | (above << 32);
        }
        // A row's neighbour inside the word came by rotation, together with the word's own other half:
        // both halves swap, which is exactly south for the low row and north for the high row.
        Self(out)
    }

    /// The members in index order: row by row, left to right.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(i, &w)| Bits(w).map(move |b| Cell((i * 64) as u16 + b as u16)))
    }
}

const _: () = assert!(core::mem::size_of::<Cells>() == 96);

#[cfg(test)]
mod tests {
    use super::{Cell, Cells, MAX_HEIGHT, MAX_WIDTH};

    #[test]
    fn spread_is_the_four_neighbours() {
        for y in 0..MAX_HEIGHT {
            for x in 0..MAX_WIDTH {
                let cell = Cell::new(x, y);
                assert_eq!((cell.x(), cell.y()), (x, y));
                let mut expected = Cells::EMPTY;
                for d in 0..4 {
                    let n = cell.step(d);
                    if n.0 != Cell::new(0, y).0.wrapping_sub(1) {
                        expected.insert(n);
                    }
                }
                let mut got = Cells::single(cell).spread();
                if x == 0 {
                    // Column 31 of the row above: outside every grid.
                    got.remove(cell.step(3));
                    expected.remove(cell.step(3));
                }
                assert_eq!(got, expected, "{x} {y}");
            }
        }
    }

    #[test]
    fn members_come_in_reading_order() {
        let mut set = Cells::EMPTY;
        for (x, y) in [(3, 4), (29, 0), (0, 19), (2, 4)] {
            set.insert(Cell::new(x, y));
        }
        let got: Vec<_> = set.iter().map(|c| (c.x(), c.y())).collect();
        assert_eq!(got, [(29, 0), (2, 4), (3, 4), (0, 19)]);
        assert_eq!(set.len(), 4);
    }
}
