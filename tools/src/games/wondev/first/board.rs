//! Frozen. Squares, directions and cell masks of the wondev grid.
//!
//! A grid of at most 7x7 lies in a `u64` with rows of eight bits: square = 8 * y + x. Column 7 is never
//! a cell, so a shift by one cannot wrap into the next row once it is masked by the cells.

/// A square: 8 * y + x. [`Sq::NONE`] stands for a unit that does not exist (or is not seen).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sq(pub u8);

impl Sq {
    /// No square. Its bit lies outside every grid, so masks may include it without harm.
    pub const NONE: Self = Self(63);

    /// Column `x`, row `y`, both below 7.
    #[inline(always)]
    pub const fn at(x: u8, y: u8) -> Self {
        Self(8 * y + x)
    }

    /// Column, from the west.
    #[inline(always)]
    pub const fn x(self) -> u8 {
        self.0 & 7
    }

    /// Row, from the north.
    #[inline(always)]
    pub const fn y(self) -> u8 {
        self.0 >> 3
    }

    /// The mask that holds only this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// As an index into tables of 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & 63
    }

    /// One step in `dir`, or `None` outside the 8x8 frame.
    pub fn step(self, dir: Dir) -> Option<Self> {
        let to = self.0 as i8 + dir.delta();
        let sq = Self(to as u8);
        ((0..64).contains(&to) && sq.x().abs_diff(self.x()) <= 1).then_some(sq)
    }
}

/// A direction, numbered in the judge's order of names: E, N, NE, NW, S, SE, SW, W.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dir(pub u8);

/// Names and offsets in the judge's order; x grows to the east, y to the south.
const DIRS: [(&str, i8); 8] = [
    ("E", 1),
    ("N", -8),
    ("NE", -7),
    ("NW", -9),
    ("S", 8),
    ("SE", 9),
    ("SW", 7),
    ("W", -1),
];

impl Dir {
    /// Offset in squares.
    #[inline(always)]
    pub const fn delta(self) -> i8 {
        DIRS[self.0 as usize & 7].1
    }

    /// The judge's name.
    pub const fn name(self) -> &'static str {
        DIRS[self.0 as usize & 7].0
    }

    /// By name, case ignored.
    pub fn parse(name: &str) -> Option<Self> {
        (0..8).map(Self).find(|dir| dir.name().eq_ignore_ascii_case(name))
    }

    /// From one square to a neighbour of it.
    pub fn between(from: Sq, to: Sq) -> Option<Self> {
        (0..8).map(Self).find(|&dir| from.step(dir) == Some(to))
    }
}

/// The eight neighbours of each square inside the 8x8 frame.
pub const NEAR: [u64; 64] = near_table();

const fn near_table() -> [u64; 64] {
    let mut table = [0; 64];
    let mut sq = 0;
    while sq < 64 {
        table[sq] = grow(1 << sq) & !(1 << sq);
        sq += 1;
    }
    table
}

const NOT_WEST: u64 = !0x0101_0101_0101_0101;
const NOT_EAST: u64 = !0x8080_8080_8080_8080;

/// A mask with all its neighbours, in the 8x8 frame. Over playable cells use [`spread`], which is cheaper.
pub const fn grow(mask: u64) -> u64 {
    let row = mask | ((mask << 1) & NOT_WEST) | ((mask >> 1) & NOT_EAST);
    row | (row << 8) | (row >> 8)
}

/// A mask of playable cells with all neighbours; column 7 holds rubbish, so mask the result by cells.
#[inline(always)]
pub const fn spread(mask: u64) -> u64 {
    let row = mask | (mask << 1) | (mask >> 1);
    row | (row << 8) | (row >> 8)
}

/// Where an enemy on `from + d1` may be pushed: one step on in `d1` or its two 45-degree neighbours.
#[inline(always)]
pub const fn push_targets(from: Sq, target: Sq) -> u64 {
    // Neighbours of the target that are two king steps from the pusher and on the far side: for a
    // straight push the three beyond; for a diagonal push the corner and the two beside it.
    PUSH[from.index()][dir_slot(from, target)]
}

/// 0..9 for the nine king offsets, row by row.
#[inline(always)]
const fn dir_slot(from: Sq, target: Sq) -> usize {
    let dx = target.x() as usize + 1 - from.x() as usize;
    let dy = target.y() as usize + 1 - from.y() as usize;
    dy * 3 + dx
}

const PUSH: [[u64; 9]; 64] = push_table();

const fn push_table() -> [[u64; 9]; 64] {
    // Clockwise, as (dx, dy).
    const RING: [(i8, i8); 8] = [
        (0, -1),
        (1, -1),
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
    ];
    let mut table = [[0; 9]; 64];
    let mut sq = 0;
    while sq < 64 {
        let mut d = 0;
        while d < 8 {
            let (dx, dy) = RING[d];
            let slot = ((dy + 1) * 3 + dx + 1) as usize;
            let mut turn = 7;
            while turn < 10 {
                let (ex, ey) = RING[(d + turn) % 8];
                let x = (sq % 8) as i8 + dx + ex;
                let y = (sq / 8) as i8 + dy + ey;
                if x >= 0 && x < 8 && y >= 0 && y < 8 {
                    table[sq][slot] |= 1 << (8 * y + x);
                }
                turn += 1;
            }
            d += 1;
        }
        sq += 1;
    }
    table
}
