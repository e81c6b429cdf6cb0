//! The board as one mask per slime, and what the three kinds of move do to it.
//!
//! Square `(row, column)` is bit `8 * row + column` on every board size; a board of size `n` uses the
//! first `n` rows and columns. Says nothing about turns, the end of a game or what a move is worth.
//!
//! Invariants: the masks of the slimes and `empty` are disjoint, and together they are the whole board.

/// Not the first column: what may have come from a shift to the right.
const NOT_FIRST: u64 = 0xFEFE_FEFE_FEFE_FEFE;
/// Not the last column: what may have come from a shift to the left.
const NOT_LAST: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// One of the 64 squares of the largest board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// How many there are.
    pub const NUM: usize = 64;

    /// The square in `row` and `column`, both 0..8.
    #[inline(always)]
    pub const fn at(row: u32, column: u32) -> Self {
        debug_assert!(row < 8 && column < 8);
        Self((row * 8 + column) as u8)
    }

    /// Row, from the top.
    #[inline(always)]
    pub const fn row(self) -> u32 {
        self.0 as u32 >> 3
    }

    /// Column, from the left.
    #[inline(always)]
    pub const fn column(self) -> u32 {
        self.0 as u32 & 7
    }

    /// The set of this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// Its up to eight neighbours on the 8x8 board.
    #[inline(always)]
    pub const fn near(self) -> u64 {
        NEAR[self.0 as usize & 63]
    }

    /// The up to sixteen squares two king steps away on the 8x8 board.
    #[inline(always)]
    pub const fn ring(self) -> u64 {
        RING[self.0 as usize & 63]
    }
}

/// A set and all its neighbours.
#[inline(always)]
pub const fn dilate(set: u64) -> u64 {
    let wide = set | (set << 1 & NOT_FIRST) | (set >> 1 & NOT_LAST);
    wide | wide << 8 | wide >> 8
}

/// All squares next to a square of `set` (members too, where they have a neighbour in the set).
#[inline(always)]
pub const fn neighbours(set: u64) -> u64 {
    let sides = (set << 1 & NOT_FIRST) | (set >> 1 & NOT_LAST);
    let wide = sides | set;
    sides | wide << 8 | wide >> 8
}

/// Per square, how many squares of its 3x3 block are in a set, as four bit planes (lowest first).
#[derive(Clone, Copy, Debug)]
pub struct Counts(pub [u64; 4]);

impl Counts {
    /// Counts `set` around (and on) every square at once.
    #[inline(always)]
    pub const fn of(set: u64) -> Self {
        let left = set << 1 & NOT_FIRST;
        let right = set >> 1 & NOT_LAST;
        // Two-bit sums of each row of three, then three of those added as full adders.
        let (low, high) = full_add(left, set, right);
        let (ones, carry) = full_add(low << 8, low, low >> 8);
        let (twos, fours) = full_add(high << 8, high, high >> 8);
        let four = twos & carry;
        Self([ones, twos ^ carry, fours ^ four, fours & four])
    }

    /// Squares that count at least `n`, 1 to 7.
    #[inline(always)]
    pub const fn at_least(&self, n: u32) -> u64 {
        let [a, b, c, d] = self.0;
        match n {
            1 => a | b | c | d,
            2 => b | c | d,
            3 => (a & b) | c | d,
            4 => c | d,
            5 => (c & (a | b)) | d,
            6 => (c & b) | d,
            _ => (c & b & a) | d,
        }
    }
}

#[inline(always)]
const fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

const NEAR: [u64; Square::NUM] = {
    let mut table = [0; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        table[i] = dilate(1 << i) & !(1 << i);
        i += 1;
    }
    table
};

const RING: [u64; Square::NUM] = {
    let mut table = [0; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        table[i] = dilate(dilate(1 << i)) & !dilate(1 << i);
        i += 1;
    }
    table
};

/// Who owns what, for `P` slimes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<const P: usize> {
    /// Squares of each slime.
    pub own: [u64; P],
    /// Squares of nobody.
    pub empty: u64,
}

const _: () = assert!(size_of::<Board<4>>() <= 40);

impl<const P: usize> Board<P> {
    /// A board of `size` (4..=8) without any slime.
    pub const fn bare(size: u32) -> Self {
        debug_assert!(size >= 4 && size <= 8);
        let row = (1u64 << size) - 1;
        let mut empty = 0;
        let mut i = 0;
        while i < size {
            empty |= row << (8 * i);
            i += 1;
        }
        Self { own: [0; P], empty }
    }

    /// Every square of this board.
    #[inline(always)]
    pub fn all(&self) -> u64 {
        self.own.iter().fold(self.empty, |all, own| all | own)
    }

    /// Rows (and columns).
    pub fn size(&self) -> u32 {
        (self.all() & 0xFF).count_ones()
    }

    /// Squares of anybody.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.own.iter().fold(0, |all, own| all | own)
    }

    /// Squares of everybody but `seat`.
    #[inline(always)]
    pub fn enemies(&self, seat: usize) -> u64 {
        self.occupied() & !self.own[seat]
    }

    /// Squares owned, per seat.
    #[inline(always)]
    pub fn counts(&self) -> [u32; P] {
        self.own.map(u64::count_ones)
    }

    /// Empty squares that `seat` can spread to.
    #[inline(always)]
    pub fn spreads(&self, seat: usize) -> u64 {
        dilate(self.own[seat]) & self.empty
    }

    /// Empty squares within two steps of `seat`: the target of every jump is among them, and squares
    /// that can only be spread to.
    #[inline(always)]
    pub fn within_two(&self, seat: usize) -> u64 {
        dilate(dilate(self.own[seat])) & self.empty
    }

    /// Everybody loses `lost`, then `seat` gains `won`. All masks are written at once: changing one of
    /// them alone in memory would hold up the next load of all.
    #[inline(always)]
    pub(super) fn hand(&mut self, seat: usize, lost: u64, won: u64) {
        for (other, own) in self.own.iter_mut().enumerate() {
            *own = (*own & !lost) | if other == seat { won } else { 0 };
        }
    }

    /// `seat` takes the empty square `to` and every slime around it.
    #[inline(always)]
    pub fn spread(&mut self, seat: usize, to: Square) {
        debug_assert!(self.empty & to.bit() != 0);
        let near = to.near();
        self.hand(seat, near, (self.occupied() & near) | to.bit());
        self.empty ^= to.bit();
    }

    /// `seat` moves from `from` to the empty `to` and takes every slime around it.
    #[inline(always)]
    pub fn jump(&mut self, seat: usize, from: Square, to: Square) {
        debug_assert!(self.own[seat] & from.bit() & to.ring() != 0);
        let near = to.near();
        self.hand(seat, near | from.bit(), (self.occupied() & near) | to.bit());
        self.empty ^= to.bit() | from.bit();
    }

    /// `seat` gives up `from` and fills the empty squares around its own `to`.
    #[inline(always)]
    pub fn merge(&mut self, seat: usize, from: Square, to: Square) {
        debug_assert!(self.own[seat] & from.bit() & to.near() != 0 && self.own[seat] & to.bit() != 0);
        // `from` is taken while the fill happens: it is not part of the fill.
        let fill = to.near() & self.empty;
        self.hand(seat, from.bit(), fill);
        self.empty ^= fill | from.bit();
    }

    /// Debug check of the invariants.
    pub fn is_consistent(&self) -> bool {
        let masks = self.own.iter().chain(core::iter::once(&self.empty));
        masks.clone().map(|m| m.count_ones()).sum::<u32>() == self.all().count_ones()
            && self.all() == Self::bare(self.size().max(4)).empty
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Counts, Square};

    #[test]
    fn counts_are_block_counts() {
        let mut set = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..200 {
            set = set.wrapping_mul(0xD130_2B97_F4A7_C15D).wrapping_add(99);
            let counts = Counts::of(set);
            for i in 0..64 {
                let square = Square(i);
                let expected = (set & (square.near() | square.bit())).count_ones();
                for n in 1..=7 {
                    assert_eq!(counts.at_least(n) >> i & 1 == 1, expected >= n, "{set:x} {i} {n}");
                }
            }
        }
    }

    #[test]
    fn every_size_is_square() {
        for size in 4..=8 {
            let board = Board::<4>::bare(size);
            assert_eq!(board.empty.count_ones(), size * size);
            assert_eq!(board.size(), size);
            assert!(board.is_consistent());
        }
    }
}
