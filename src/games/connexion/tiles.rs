//! Tiles: 4 colours x 4 symbols, and multisets of them (hands, bag contents).
//!
//! Contents only, no order: the order of a bag is hidden and belongs to whoever deals.

/// One of the 16 kinds of tile: `colour * 4 + symbol`, always below 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u8);

/// Tiles of one kind that one player owns.
pub const COPIES: u8 = 2;
/// Tiles in a player's bag at the start.
pub const BAG: usize = 32;
/// Tiles in a hand until the bag is empty.
pub const HAND: usize = 5;

const COLOURS: [u8; 4] = *b"RGBY";

impl Kind {
    /// Tile of a colour (`RGBY` = 0..4) and a symbol (`1234` = 0..4).
    pub const fn new(colour: u8, symbol: u8) -> Self {
        Self(colour * 4 + symbol)
    }

    /// Colour, 0..4.
    #[inline(always)]
    pub const fn colour(self) -> usize {
        (self.0 as usize >> 2) & 3
    }

    /// Symbol, 0..4.
    #[inline(always)]
    pub const fn symbol(self) -> usize {
        self.0 as usize & 3
    }

    /// What counts in graph `graph`: the symbol in graph 0, the colour in graph 1.
    #[inline(always)]
    pub const fn class(self, graph: usize) -> usize {
        (self.0 as usize >> (2 * graph)) & 3
    }

    /// Reads `R3`; `None` for anything else (`X0` too).
    pub fn parse(text: &str) -> Option<Self> {
        let &[colour, symbol @ b'1'..=b'4'] = text.as_bytes() else {
            return None;
        };
        let colour = COLOURS.iter().position(|&c| c == colour)?;
        Some(Self::new(colour as u8, symbol - b'1'))
    }
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}{}", COLOURS[self.colour()] as char, self.symbol() + 1)
    }
}

/// A multiset of tiles: four bits of count per kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tiles(pub u64);

impl Tiles {
    /// Everything one player owns.
    pub const OWNED: Self = Self(0x2222_2222_2222_2222);
    /// Nothing.
    pub const EMPTY: Self = Self(0);

    /// How many of a kind.
    #[inline(always)]
    pub const fn count(self, kind: Kind) -> u32 {
        (self.0 >> (kind.0 * 4)) as u32 & 15
    }

    /// At least one of a kind.
    #[inline(always)]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) != 0
    }

    /// Adds one tile. At most 15 of a kind.
    #[inline(always)]
    pub fn add(&mut self, kind: Kind) {
        debug_assert!(self.count(kind) < 15);
        self.0 += 1 << (kind.0 * 4);
    }

    /// Removes one tile, which must be there.
    #[inline(always)]
    pub fn remove(&mut self, kind: Kind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << (kind.0 * 4);
    }

    /// Number of tiles.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        let pairs = (self.0 & 0x0f0f_0f0f_0f0f_0f0f) + ((self.0 >> 4) & 0x0f0f_0f0f_0f0f_0f0f);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// No tile at all.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds that are there, each once, in order of number.
    #[inline(always)]
    pub fn kinds(self) -> Kinds {
        let some = self.0 | self.0 >> 1;
        Kinds((some | some >> 2) & 0x1111_1111_1111_1111)
    }

    /// The `n`-th tile in order of number, each copy counted. Needs `n < len`.
    pub fn nth(self, mut n: u32) -> Kind {
        for kind in self.kinds() {
            let here = self.count(kind);
            if n < here {
                return kind;
            }
            n -= here;
        }
        unreachable!("fewer tiles than asked for")
    }
}

/// Iterator over the kinds of a [`Tiles`].
#[derive(Clone, Debug)]
pub struct Kinds(u64);

impl Iterator for Kinds {
    type Item = Kind;

    #[inline(always)]
    fn next(&mut self) -> Option<Kind> {
        if self.0 == 0 {
            return None;
        }
        let kind = Kind((self.0.trailing_zeros() / 4) as u8);
        self.0 &= self.0 - 1;
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Tiles};

    #[test]
    fn kinds_read_back() {
        for k in 0..16 {
            assert_eq!(Kind::parse(&Kind(k).to_string()), Some(Kind(k)));
        }
        for bad in ["X0", "R0", "R5", "r1", "R", "R11", ""] {
            assert_eq!(Kind::parse(bad), None, "{bad}");
        }
        let b3 = Kind::parse("B3").unwrap();
        assert_eq!((b3.class(0), b3.class(1)), (2, 2));
        let y1 = Kind::parse("Y1").unwrap();
        assert_eq!((y1.class(0), y1.class(1)), (0, 3));
    }

    #[test]
    fn a_bag_counts_its_tiles() {
        let mut tiles = Tiles::OWNED;
        assert_eq!(tiles.len(), 32);
        assert_eq!(tiles.nth(31), Kind(15));
        tiles.remove(Kind(0));
        tiles.remove(Kind(0));
        assert_eq!(
            (tiles.len(), tiles.kinds().count(), tiles.nth(0)),
            (30, 15, Kind(1))
        );
        tiles.add(Kind(0));
        assert!(tiles.has(Kind(0)) && tiles.count(Kind(0)) == 1);
    }
}
