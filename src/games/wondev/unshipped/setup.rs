//! Maps and starting squares from a seed, exactly as the judge draws them.
//!
//! Not in any bot: maps arrive as input there.

use crate::games::wondev::board::{grow, Sq};
use crate::games::wondev::state::{Flow, League, State};

/// The stream of `java.util.Random`: 48-bit linear congruential.
struct JavaRandom(u64);

impl JavaRandom {
    fn new(seed: i64) -> Self {
        Self((seed as u64 ^ 0x5_DEEC_E66D) & ((1 << 48) - 1))
    }

    fn next_31(&mut self) -> i32 {
        self.0 = (self.0.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB)) & ((1 << 48) - 1);
        (self.0 >> 17) as i32
    }

    /// `nextInt(n)`, uniform in `0..n`.
    fn next_int(&mut self, n: i32) -> i32 {
        if n & (n - 1) == 0 {
            return ((i64::from(n) * i64::from(self.next_31())) >> 31) as i32;
        }
        loop {
            let bits = self.next_31();
            let value = bits % n;
            if bits.wrapping_sub(value).wrapping_add(n - 1) >= 0 {
                return value;
            }
        }
    }
}

/// The three kinds of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// 5x5.
    Square,
    /// 25 cells in 7x7.
    Diamond,
    /// Left-right symmetric in 6x6.
    Random,
}

impl Map {
    /// By the judge's index.
    pub const fn from_number(n: u64) -> Option<Self> {
        Some(match n {
            0 => Self::Square,
            1 => Self::Diamond,
            2 => Self::Random,
            _ => return None,
        })
    }
}

/// What a game starts from.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Rules.
    pub league: League,
    /// When a climb ends league 0.
    pub flow: Flow,
    /// Of the generator.
    pub seed: i64,
    /// Forced map; `None` lets the seed decide.
    pub map: Option<Map>,
    /// Mirrored starting squares.
    pub symmetric: bool,
}

impl Setup {
    /// A game as contests play it: the seed decides map and squares.
    pub const fn new(league: League, flow: Flow, seed: i64) -> Self {
        Self {
            league,
            flow,
            seed,
            map: None,
            symmetric: false,
        }
    }
}

/// One island (8-neighbour)?
fn is_island(cells: u64) -> bool {
    let mut seen = cells & cells.wrapping_neg();
    loop {
        let more = grow(seen) & cells;
        if more == seen {
            return seen == cells;
        }
        seen = more;
    }
}

/// Cells where `test(x, y)` holds.
fn cells_where(size: u8, test: impl Fn(u8, u8) -> bool) -> u64 {
    let mut cells = 0;
    for y in 0..size {
        for x in 0..size {
            if test(x, y) {
                cells |= Sq::at(x, y).bit();
            }
        }
    }
    cells
}

/// The first position of a game and the size of its grid.
pub fn start(setup: &Setup) -> (State, u8) {
    let mut random = JavaRandom::new(setup.seed);
    let wanted = 25 + random.next_int(10) as u32;
    let mut grown = 0u64;
    for _ in 0..1000 {
        if grown.count_ones() >= wanted && is_island(grown) {
            break;
        }
        let x = random.next_int(6) as u8;
        let y = random.next_int(6) as u8;
        grown |= Sq::at(x, y).bit() | Sq::at(5 - x, y).bit();
    }
    let drawn = match random.next_int(3) {
        0 => Map::Square,
        1 => Map::Diamond,
        _ => Map::Random,
    };
    let (size, cells) = match setup.map.unwrap_or(drawn) {
        Map::Square => (5, cells_where(5, |_, _| true)),
        Map::Diamond => (7, cells_where(7, |x, y| x.abs_diff(3) + y.abs_diff(3) <= 3)),
        Map::Random => (6, grown),
    };

    let mut list: Vec<Sq> = (0..size)
        .flat_map(|x| (0..size).map(move |y| Sq::at(x, y)))
        .filter(|sq| cells & sq.bit() != 0)
        .collect();
    for i in (1..=list.len()).rev() {
        list.swap(i - 1, random.next_int(i as i32) as usize);
    }
    let mut units = [[Sq::NONE; 2]; 2];
    let count = setup.league.units();
    if setup.symmetric {
        let mut left = cells;
        let mut placed = 0;
        for &sq in &list {
            let mirror = Sq::at(size - 1 - sq.x(), sq.y());
            if placed < count && mirror != sq && left & sq.bit() != 0 && left & mirror.bit() != 0 {
                left &= !(sq.bit() | mirror.bit());
                units[0][placed] = sq;
                units[1][placed] = mirror;
                placed += 1;
            }
        }
    } else {
        for (k, &sq) in list.iter().take(2 * count).enumerate() {
            units[k / count][k % count] = sq;
        }
    }
    (
        State::new(setup.league, setup.flow, cells, [0; 4], units, 0),
        size,
    )
}

#[cfg(test)]
mod tests {
    use super::JavaRandom;

    /// Values of `new java.util.Random(42)`, widely printed: nextInt(10) gives 0, 3, 8, 4, 0, 5, 5, 8.
    #[test]
    fn stream_is_javas() {
        let mut random = JavaRandom::new(42);
        let got: Vec<i32> = (0..8).map(|_| random.next_int(10)).collect();
        assert_eq!(got, [0, 3, 8, 4, 0, 5, 5, 8]);
    }
}
