//! The board's 64 cells: labels, neighbours, automorphisms.
//!
//! Cells are numbered as the organisers' sample walks them: column a..f, row 1..6, `-` before `+`, the
//! eight missing labels left out. No tiles here.

/// One of the 64 cells; always below 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

/// Labels from column, row (both from 0) and sign (0 `-`, 1 `+`): `column * 12 + row * 2 + sign`.
const LABELS: usize = 72;
/// No cell of that label.
const NONE: u8 = 255;

const fn missing(column: usize, row: usize, sign: usize) -> bool {
    // a1- a4- d1- d4- and c3+ c6+ f3+ f6+
    if sign == 0 {
        column % 3 == 0 && row % 3 == 0
    } else {
        column % 3 == 2 && row % 3 == 2
    }
}

const fn number() -> ([u8; LABELS], [u8; 64]) {
    let mut index = [NONE; LABELS];
    let mut label = [0u8; 64];
    let mut next = 0;
    let mut i = 0;
    while i < LABELS {
        if !missing(i / 12, i / 2 % 6, i % 2) {
            index[i] = next;
            label[next as usize] = i as u8;
            next += 1;
        }
        i += 1;
    }
    assert!(next == 64);
    (index, label)
}

const NUMBERS: ([u8; LABELS], [u8; 64]) = number();
/// Cell number of each label.
const INDEX: [u8; LABELS] = NUMBERS.0;
/// Label of each cell.
const LABEL: [u8; 64] = NUMBERS.1;

/// Mask of the cell at a label, 0 where there is none.
const fn at(column: usize, row: usize, sign: usize) -> u64 {
    // A coordinate of -1 has wrapped around.
    if column > 5 || row > 5 {
        return 0;
    }
    let index = INDEX[column * 12 + row * 2 + sign];
    if index == NONE {
        0
    } else {
        1 << index
    }
}

const fn neighbours() -> [u64; 64] {
    let mut out = [0; 64];
    let mut i = 0;
    while i < 64 {
        let label = LABEL[i] as usize;
        let (c, r) = (label / 12, label / 2 % 6);
        out[i] = if label % 2 == 0 {
            at(c, r, 1) | at(c.wrapping_sub(1), r, 1) | at(c, r.wrapping_sub(1), 1)
        } else {
            at(c, r, 0) | at(c + 1, r, 0) | at(c, r + 1, 0)
        };
        i += 1;
    }
    out
}

/// The cells that touch each cell.
pub const NEIGHBOURS: [u64; 64] = neighbours();

const fn automorphisms() -> [[u8; 64]; 4] {
    let mut out = [[0; 64]; 4];
    let mut i = 0;
    while i < 64 {
        let label = LABEL[i] as usize;
        let (c, r, s) = (label / 12, label / 2 % 6, label % 2);
        out[0][i] = i as u8;
        out[1][i] = INDEX[r * 12 + c * 2 + s];
        out[2][i] = INDEX[(5 - c) * 12 + (5 - r) * 2 + 1 - s];
        out[3][i] = INDEX[(5 - r) * 12 + (5 - c) * 2 + 1 - s];
        i += 1;
    }
    out
}

/// The board's automorphisms: identity, columns and rows swapped, half turn with signs flipped, both.
pub const AUTOMORPHISMS: [[u8; 64]; 4] = automorphisms();

impl Cell {
    /// Mask with this cell alone.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// Mask of the cells that touch this one.
    #[inline(always)]
    pub const fn neighbours(self) -> u64 {
        NEIGHBOURS[(self.0 & 63) as usize]
    }

    /// Column and row from 0, sign 0 for `-` and 1 for `+`.
    pub const fn place(self) -> (u8, u8, u8) {
        let label = LABEL[(self.0 & 63) as usize];
        (label / 12, label / 2 % 6, label % 2)
    }

    /// The three characters of a label, `c5-`.
    pub const fn label(self) -> [u8; 3] {
        let (c, r, s) = self.place();
        [b'a' + c, b'1' + r, if s == 0 { b'-' } else { b'+' }]
    }

    /// Reads a label; `None` for anything that is not one of the 64.
    pub fn parse(text: &str) -> Option<Self> {
        let &[c @ b'a'..=b'f', r @ b'1'..=b'6', s @ (b'-' | b'+')] = text.as_bytes() else {
            return None;
        };
        let label = usize::from(c - b'a') * 12 + usize::from(r - b'1') * 2 + usize::from(s == b'+');
        let index = INDEX[label];
        (index != NONE).then_some(Self(index))
    }
}

impl core::fmt::Display for Cell {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [c, r, s] = self.label();
        write!(f, "{}{}{}", c as char, r as char, s as char)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, AUTOMORPHISMS, NEIGHBOURS};
    use crate::kit::bits::Bits;

    fn names(mask: u64) -> Vec<String> {
        Bits(mask).map(|c| Cell(c as u8).to_string()).collect()
    }

    #[test]
    fn the_graph_has_the_facts_of_the_rules() {
        let degrees: Vec<u32> = NEIGHBOURS.iter().map(|n| n.count_ones()).collect();
        assert_eq!(degrees.iter().sum::<u32>(), 160);
        assert_eq!(degrees.iter().filter(|d| **d == 2).count(), 32);
        assert_eq!(degrees.iter().filter(|d| **d == 3).count(), 32);
        assert_eq!(
            names(Cell::parse("c5-").unwrap().neighbours()),
            ["b5+", "c4+", "c5+"]
        );
        assert_eq!(names(Cell::parse("f4+").unwrap().neighbours()), ["f4-", "f5-"]);
        for i in 0..64u8 {
            for n in Bits(NEIGHBOURS[i as usize]) {
                assert!(NEIGHBOURS[n as usize] >> i & 1 == 1);
            }
        }
    }

    #[test]
    fn labels_read_back_and_the_missing_are_refused() {
        for i in 0..64 {
            assert_eq!(Cell::parse(&Cell(i).to_string()), Some(Cell(i)));
        }
        for bad in [
            "a1-", "a4-", "c3+", "c6+", "d1-", "d4-", "f3+", "f6+", "A2-", "a7+", "g1+", "a2", "a2-+", "",
        ] {
            assert_eq!(Cell::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn automorphisms_keep_edges_and_make_18_orbits() {
        let mut orbits = std::collections::BTreeSet::new();
        for i in 0..64usize {
            for map in AUTOMORPHISMS {
                let image = Bits(NEIGHBOURS[i]).fold(0, |m, n| m | 1u64 << map[n as usize]);
                assert_eq!(image, NEIGHBOURS[map[i] as usize]);
            }
            let mut orbit: Vec<u8> = AUTOMORPHISMS.iter().map(|map| map[i]).collect();
            orbit.sort_unstable();
            orbit.dedup();
            orbits.insert(orbit);
        }
        assert_eq!(orbits.len(), 18);
        assert_eq!(orbits.iter().filter(|o| o.len() == 2).count(), 4);
    }
}
