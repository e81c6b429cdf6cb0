//! Tiles: two squares, each a terrain with 0 to 3 crowns, and the box they come in.
//!
//! A [`Tile`] carries its squares with it, so that a tile the judge shows needs no table; the table
//! ([`Tile::of_box`]) is for tiles nobody has seen yet.

/// Terrain letters in index order: corn, forest, grassland, lake, wetland, mine.
pub const LETTERS: [u8; 6] = *b"cfglwm";

/// One half of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// Index into [`LETTERS`], below 6.
    pub terrain: u8,
    /// 0 to 3.
    pub crowns: u8,
}

impl Square {
    /// Reads `c0`, `m3`, …; the crown may be missing or strange and is then 0. `None` for anything that
    /// is no terrain (`_0`, `*0`).
    pub fn parse(letter: u8, crowns: u8) -> Option<Self> {
        let terrain = LETTERS.iter().position(|&l| l == letter)? as u8;
        let crowns = if (b'0'..=b'3').contains(&crowns) {
            crowns - b'0'
        } else {
            0
        };
        Some(Self { terrain, crowns })
    }

    /// Two characters, as the contest writes it.
    pub fn text(self) -> [char; 2] {
        [
            LETTERS[self.terrain as usize] as char,
            (b'0' + self.crowns) as char,
        ]
    }
}

/// A domino: id and both squares in 16 bits (id 6, then terrain 3 and crowns 2, twice).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u16);

impl Tile {
    /// No tile: turn 1 places nothing, turn 13 offers nothing.
    pub const NONE: Self = Self(u16::MAX);

    /// A tile of any numbering, `id` below 63. Tiles sort by id.
    #[inline]
    pub const fn new(id: u8, first: Square, second: Square) -> Self {
        let a = first.terrain as u16 | (first.crowns as u16) << 3;
        let b = second.terrain as u16 | (second.crowns as u16) << 3;
        Self((id as u16) << 10 | a << 5 | b)
    }

    /// The tile with this number in the box, 1 to 48.
    pub const fn of_box(id: u8) -> Self {
        let at = (id as usize - 1) * 4;
        let (a, b) = (half(BOX[at], BOX[at + 1]), half(BOX[at + 2], BOX[at + 3]));
        Self::new(id, a, b)
    }

    /// Its number; meaningless for [`Tile::NONE`].
    #[inline(always)]
    pub const fn id(self) -> u8 {
        (self.0 >> 10) as u8
    }

    /// The square at the position a PUT names.
    #[inline(always)]
    pub const fn first(self) -> Square {
        Square {
            terrain: (self.0 >> 5) as u8 & 7,
            crowns: (self.0 >> 8) as u8 & 3,
        }
    }

    /// The square the rotation points at.
    #[inline(always)]
    pub const fn second(self) -> Square {
        Square {
            terrain: self.0 as u8 & 7,
            crowns: (self.0 >> 3) as u8 & 3,
        }
    }

    /// Both halves alike: two encodings for each placement.
    #[inline(always)]
    pub const fn is_symmetric(self) -> bool {
        self.0 >> 5 & 31 == self.0 & 31
    }
}

/// The box, four characters a tile, numbers 1 to 48.
const BOX: &[u8; 192] = b"\
c0c0c0c0f0f0f0f0f0f0f0f0l0l0l0l0l0l0g0g0g0g0w0w0\
c0f0c0l0c0g0c0w0f0l0f0g0c1f0c1l0c1g0c1w0c1m0f1c0\
f1c0f1c0f1c0f1l0f1g0l1c0l1c0l1f0l1f0l1f0l1f0c0g1\
l0g1c0w1g0w1m1c0c0g2l0g2c0w2g0w2m2c0w0m2w0m2c0m3";

/// A square of the box table.
const fn half(letter: u8, crowns: u8) -> Square {
    let mut terrain = 0;
    while LETTERS[terrain as usize] != letter {
        terrain += 1;
    }
    Square {
        terrain,
        crowns: crowns - b'0',
    }
}
