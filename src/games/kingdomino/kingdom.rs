//! One kingdom: a bitboard per terrain, two planes of crowns, the bounding box, scores per terrain.
//!
//! A kingdom is at most 7 wide and high, so the 13x13 grid folds into one `u64`: square (x, y) is bit
//! `8y + x mod 64`. One column and one row always stay empty, so nothing meets across the fold, and a
//! step right or down is a rotation by 1 or 8. A 5x5 kingdom is the same with other masks. Whether a
//! placement keeps the extent depends on the size of the box alone: `FITS` holds the answer for every
//! size, to be rotated to where the box is.
//!
//! Not here: whose turn it is, and which tile may be taken.

use super::tile::{Square, Tile};

/// Rotations of the second square against the first: right, below, left, above.
const STEP: [u32; 4] = [1, 8, 63, 56];

/// A placement: bit of the first square and rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Put(u8);

impl Put {
    /// `cell` below 64, `rotation` below 4.
    #[inline(always)]
    pub const fn new(cell: u32, rotation: usize) -> Self {
        Self(cell as u8 | (rotation as u8) << 6)
    }

    /// Bits of the first and the second square.
    #[inline(always)]
    pub const fn cells(self) -> (u64, u64) {
        let first = 1u64 << (self.0 & 63);
        (first, first.rotate_left(STEP[(self.0 >> 6) as usize]))
    }

    /// From the first square to the second, in bits to the left.
    #[inline(always)]
    pub const fn step(rotation: usize) -> u32 {
        STEP[rotation & 3]
    }

    /// Bit number of the first square.
    #[inline(always)]
    pub const fn cell(self) -> u8 {
        self.0 & 63
    }

    /// 0 to 3, as in the protocol.
    #[inline(always)]
    pub const fn rotation(self) -> u8 {
        self.0 >> 6
    }

    /// All eight bits: cell and rotation.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The placement with this [`Put::index`].
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u8)
    }
}

/// Placements of one tile: for each rotation the set of first squares.
pub type Puts = [u64; 4];

/// The placements in a set, by rotation and bit. An iterator and no visitor: a closure may be compiled
/// apart from the kernel around it, without its instruction set (measured: 58 % of a playout).
#[derive(Clone, Debug)]
pub struct Places {
    puts: Puts,
    rotation: usize,
}

impl Places {
    /// All of `puts`.
    #[inline(always)]
    pub const fn of(puts: Puts) -> Self {
        Self { puts, rotation: 0 }
    }
}

impl Iterator for Places {
    type Item = Put;

    #[inline(always)]
    fn next(&mut self) -> Option<Put> {
        while self.rotation < 4 {
            let rest = self.puts[self.rotation];
            if rest != 0 {
                self.puts[self.rotation] = rest & (rest - 1);
                return Some(Put::new(rest.trailing_zeros(), self.rotation));
            }
            self.rotation += 1;
        }
        None
    }
}

/// How many placements a set holds.
#[inline(always)]
pub fn count(puts: &Puts) -> u32 {
    puts.iter().map(|p| p.count_ones()).sum()
}

/// The four neighbours of every square of a set, itself not included unless they touch.
#[inline(always)]
pub const fn around(set: u64) -> u64 {
    set.rotate_left(1) | set.rotate_right(1) | set.rotate_left(8) | set.rotate_right(8)
}

/// Everything in `within` that is connected to `seed`.
#[inline(always)]
pub const fn flood(seed: u64, within: u64) -> u64 {
    let mut zone = seed;
    loop {
        let next = zone | around(zone) & within;
        if next == zone {
            return zone;
        }
        zone = next;
    }
}

/// For extent, width and height of the box: left squares of lying tiles and upper squares of standing
/// ones that keep the extent, with the box's corner at bit 0. Index 0 stands for extent 5, 1 for 7.
static FITS: [[[(u64, u64); 8]; 8]; 2] = [fits(5), fits(7)];

const fn fits(extent: i32) -> [[(u64, u64); 8]; 8] {
    let mut table = [[(0, 0); 8]; 8];
    let mut w = 1;
    while w <= extent {
        let mut h = 1;
        while h <= extent {
            table[w as usize][h as usize] = (starts(w, h, 1, 0, extent), starts(w, h, 0, 1, extent));
            h += 1;
        }
        w += 1;
    }
    table
}

/// Squares (i, j) for which the tile (i, j), (i + dx, j + dy) can touch a box of w x h and keep the extent.
const fn starts(w: i32, h: i32, dx: i32, dy: i32, extent: i32) -> u64 {
    let mut set = 0;
    let mut j = -1 - dy;
    while j <= h {
        let mut i = -1 - dx;
        while i <= w {
            let left = if i < 0 { -i } else { 0 };
            let right = if i + dx >= w { i + dx - w + 1 } else { 0 };
            let up = if j < 0 { -j } else { 0 };
            let down = if j + dy >= h { j + dy - h + 1 } else { 0 };
            if w + left + right <= extent && h + up + down <= extent {
                set |= 1u64 << ((8 * j + i) & 63);
            }
            i += 1;
        }
        j += 1;
    }
    set
}

/// A kingdom. Cheap to copy; equal kingdoms compare equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kingdom {
    /// Squares of each terrain.
    pub terrain: [u64; 6],
    /// Squares with 1 or 3 crowns, squares with 2 or 3.
    pub crowns: [u64; 2],
    /// Placed squares and the castle.
    pub occupied: u64,
    castle: u64,
    x0: u8,
    y0: u8,
    width: u8,
    height: u8,
    extent: u8,
    scores: [u8; 6],
}

const _: () = assert!(core::mem::size_of::<Kingdom>() <= 96);

impl Kingdom {
    /// The bare castle in the middle of its grid (13x13 for extent 7, 9x9 for extent 5).
    pub const fn new(extent: u8) -> Self {
        let c = extent - 1;
        let castle = 1u64 << ((8 * c as u32 + c as u32) & 63);
        Self {
            terrain: [0; 6],
            crowns: [0; 2],
            occupied: castle,
            castle,
            x0: c,
            y0: c,
            width: 1,
            height: 1,
            extent,
            scores: [0; 6],
        }
    }

    /// Puts one square on the grid, legal or not, as when a kingdom is read; `false` (and no change) for
    /// a square that is taken or too far away.
    pub fn set(&mut self, x: u8, y: u8, square: Square) -> bool {
        let (x0, x1) = (self.x0.min(x), (self.x0 + self.width - 1).max(x));
        let (y0, y1) = (self.y0.min(y), (self.y0 + self.height - 1).max(y));
        let bit = Self::bit_at(x, y);
        if x1 - x0 >= self.extent || y1 - y0 >= self.extent || self.occupied & bit != 0 {
            return false;
        }
        (self.x0, self.width, self.y0, self.height) = (x0, x1 - x0 + 1, y0, y1 - y0 + 1);
        self.add(bit, square);
        self.rescore(square.terrain);
        true
    }

    /// What lies at (x, y); `None` for an empty square, the castle, or a place outside the box.
    pub fn at(&self, x: u8, y: u8) -> Option<Square> {
        if x < self.x0 || x >= self.x0 + self.width || y < self.y0 || y >= self.y0 + self.height {
            return None;
        }
        let bit = Self::bit_at(x, y);
        let terrain = self.terrain.iter().position(|t| t & bit != 0)? as u8;
        let crowns = u8::from(self.crowns[0] & bit != 0) + 2 * u8::from(self.crowns[1] & bit != 0);
        Some(Square { terrain, crowns })
    }

    fn bit_at(x: u8, y: u8) -> u64 {
        1 << ((8 * u32::from(y) + u32::from(x)) & 63)
    }

    /// Bit of the box's upper left corner.
    #[inline(always)]
    pub const fn corner(&self) -> u32 {
        (8 * self.y0 as u32 + self.x0 as u32) & 63
    }

    /// The squares of the box.
    #[inline(always)]
    pub const fn inside(&self) -> u64 {
        let row = (1u64 << (self.width & 7)) - 1;
        let rows = 0x0101_0101_0101_0101u64 >> (64 - 8 * (self.height as u32 & 7));
        (row * rows).rotate_left(self.corner())
    }

    /// Width and height of the box.
    #[inline(always)]
    pub const fn size(&self) -> (u8, u8) {
        (self.width, self.height)
    }

    /// Largest width and height.
    #[inline(always)]
    pub const fn extent(&self) -> u8 {
        self.extent
    }

    /// Left squares of lying tiles and upper squares of standing ones that keep the extent.
    #[inline(always)]
    pub fn fits(&self) -> (u64, u64) {
        let (lying, standing) =
            FITS[usize::from(self.extent == 7)][(self.width & 7) as usize][(self.height & 7) as usize];
        let corner = self.corner();
        (lying.rotate_left(corner), standing.rotate_left(corner))
    }

    /// All legal placements; tiles with equal halves have each one twice.
    #[inline(always)]
    pub fn legal_puts(&self, tile: Tile) -> Puts {
        let (a, b) = (tile.first().terrain as usize, tile.second().terrain as usize);
        let near_a = around(self.terrain[a] | self.castle);
        let near_b = around(self.terrain[b] | self.castle);
        let (lying, standing) = self.free_pairs();
        [
            lying & (near_a | near_b.rotate_right(1)),
            standing & (near_a | near_b.rotate_right(8)),
            (lying & (near_b | near_a.rotate_right(1))).rotate_left(1),
            (standing & (near_b | near_a.rotate_right(8))).rotate_left(8),
        ]
    }

    /// Legal placements, one encoding for each result.
    #[inline(always)]
    pub fn distinct_puts(&self, tile: Tile) -> Puts {
        let mut puts = self.legal_puts(tile);
        if tile.is_symmetric() {
            puts[2] = 0;
            puts[3] = 0;
        }
        puts
    }

    /// Left (upper) squares of all empty pairs that keep the extent, whatever they touch.
    #[inline(always)]
    pub fn free_pairs(&self) -> (u64, u64) {
        let empty = !self.occupied;
        let (lying, standing) = self.fits();
        (
            lying & empty & empty.rotate_right(1),
            standing & empty & empty.rotate_right(8),
        )
    }

    /// Squares that can still be filled as far as the extent goes.
    #[inline(always)]
    pub fn open(&self) -> u64 {
        let (lying, standing) = self.free_pairs();
        lying | lying.rotate_left(1) | standing | standing.rotate_left(8)
    }

    /// True when `put` is among the legal placements of `tile`.
    pub fn is_legal(&self, tile: Tile, put: Put) -> bool {
        self.legal_puts(tile)[put.rotation() as usize] >> put.cell() & 1 == 1
    }

    /// Places a tile. `put` must be legal.
    #[inline(always)]
    pub fn play(&mut self, tile: Tile, put: Put) {
        self.play_unscored(tile, put);
        let (a, b) = (tile.first().terrain, tile.second().terrain);
        self.rescore(a);
        if b != a {
            self.rescore(b);
        }
    }

    /// Places a tile and leaves the scores as they are, for playouts that score once at the end
    /// ([`Kingdom::rescore_all`]).
    #[inline(always)]
    pub fn play_unscored(&mut self, tile: Tile, put: Put) {
        debug_assert!(self.is_legal(tile, put));
        let (first, second) = put.cells();
        let lying = put.rotation() & 1 == 0;
        // The left or upper square decides where the box grows.
        let from = if put.rotation() < 2 { first } else { second };
        self.grow(from.trailing_zeros(), u8::from(lying), u8::from(!lying));
        self.add(first, tile.first());
        self.add(second, tile.second());
    }

    #[inline(always)]
    fn add(&mut self, bit: u64, square: Square) {
        self.terrain[square.terrain as usize] |= bit;
        self.crowns[0] |= bit * u64::from(square.crowns & 1);
        self.crowns[1] |= bit * u64::from(square.crowns >> 1);
        self.occupied |= bit;
    }

    /// Column and row of a bit against the box's corner, -2 to 8: past the right (lower) edge counts on,
    /// anything further is left of (above) the box.
    #[inline(always)]
    fn offset(&self, bit: u32) -> (i8, i8) {
        let n = bit.wrapping_sub(self.corner()) & 63;
        let (mut i, mut j) = ((n & 7) as i8, (n >> 3) as i8);
        if i > self.width as i8 {
            i -= 8;
            j += 1;
        }
        if j > self.height as i8 {
            j -= 8;
        }
        (i, j)
    }

    #[inline(always)]
    fn grow(&mut self, from: u32, dx: u8, dy: u8) {
        let (i, j) = self.offset(from);
        if i < 0 {
            self.x0 = self.x0.wrapping_add_signed(i);
            self.width += i.unsigned_abs();
        } else {
            self.width = self.width.max(i as u8 + dx + 1);
        }
        if j < 0 {
            self.y0 = self.y0.wrapping_add_signed(j);
            self.height += j.unsigned_abs();
        } else {
            self.height = self.height.max(j as u8 + dy + 1);
        }
    }

    /// Grid coordinates of a placement: x, y of the first square, rotation. `put` must be legal now.
    pub fn coordinates(&self, put: Put) -> (u8, u8, u8) {
        let (first, second) = put.cells();
        let r = put.rotation();
        let from = if r < 2 { first } else { second };
        let (i, j) = self.offset(from.trailing_zeros());
        let (x, y) = (self.x0.wrapping_add_signed(i), self.y0.wrapping_add_signed(j));
        (x + u8::from(r == 2), y + u8::from(r == 3), r)
    }

    /// The placement at grid coordinates, if it is legal for `tile`.
    pub fn put_at(&self, tile: Tile, x: u8, y: u8, rotation: u8) -> Option<Put> {
        if rotation > 3 || x > 15 || y > 15 {
            return None;
        }
        let put = Put::new((8 * u32::from(y) + u32::from(x)) & 63, rotation as usize);
        (self.is_legal(tile, put) && self.coordinates(put) == (x, y, rotation)).then_some(put)
    }

    #[inline(always)]
    fn rescore(&mut self, terrain: u8) {
        self.scores[terrain as usize] = self.terrain_score(terrain as usize) as u8;
    }

    /// Brings the scores up to date after [`Kingdom::play_unscored`].
    #[inline(always)]
    pub fn rescore_all(&mut self) {
        for terrain in 0..6 {
            self.rescore(terrain);
        }
    }

    /// Takes scores per terrain known elsewhere, after [`Kingdom::play_unscored`].
    #[inline(always)]
    pub fn set_scores(&mut self, scores: [u8; 6]) {
        self.scores = scores;
    }

    /// Zones without crowns are worth nothing, so only crowned squares seed a flood fill.
    #[inline(always)]
    fn terrain_score(&self, terrain: usize) -> u32 {
        let all = self.terrain[terrain];
        let mut seeds = all & (self.crowns[0] | self.crowns[1]);
        let mut sum = 0;
        while seeds != 0 {
            let zone = flood(seeds & seeds.wrapping_neg(), all);
            seeds &= !zone;
            sum += zone.count_ones() * self.crowns_in(zone);
        }
        sum
    }

    /// Crowns on a set of squares.
    #[inline(always)]
    pub const fn crowns_in(&self, set: u64) -> u32 {
        (self.crowns[0] & set).count_ones() + 2 * (self.crowns[1] & set).count_ones()
    }

    /// Sum over zones of squares times crowns.
    #[inline(always)]
    pub fn score(&self) -> u32 {
        self.scores.iter().map(|&s| u32::from(s)).sum()
    }

    /// Squares placed, castle not counted.
    #[inline(always)]
    pub const fn squares(&self) -> u32 {
        self.occupied.count_ones() - 1
    }

    /// What final places are decided by: score, then squares, then crowns.
    #[inline(always)]
    pub fn rank(&self) -> (u32, u32, u32) {
        (self.score(), self.squares(), self.crowns_in(self.occupied))
    }

    /// The castle's bit.
    #[inline(always)]
    pub const fn castle(&self) -> u64 {
        self.castle
    }
}
