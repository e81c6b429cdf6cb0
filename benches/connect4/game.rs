//! Connect four (7 columns, 6 rows) on two `u64`: the yardstick game of the search core.
//!
//! For benches and tests only, never part of the library. Seven bits per column, lowest row first, the
//! seventh bit always empty. Solved: the first player wins, from the centre column.

use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::policy::Policy;
use fifty::search::alphabeta::Work;
use fifty::search::game::Game;

/// The lowest cell of each column.
const BOTTOM: u64 = 0x0000_0408_1020_4081 & ((1 << 49) - 1);
/// All 42 cells.
const BOARD: u64 = BOTTOM * 63;
/// Columns from the centre outwards: the order every search here tries them in.
const ORDER: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

/// A column, 0 to 6 from the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Column(pub u8);

/// A position: the stones of the side to move, and all stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connect4 {
    /// Stones of the side to move.
    pub mine: u64,
    /// Stones of both sides.
    pub all: u64,
}

const _: () = assert!(size_of::<Connect4>() == 16);

/// True where `stones` holds four in a row.
#[inline(always)]
pub fn aligned(stones: u64) -> bool {
    let pair = |shift: u32| stones & (stones >> shift);
    let four = |shift: u32| pair(shift) & (pair(shift) >> (2 * shift));
    four(1) | four(6) | four(7) | four(8) != 0
}

impl Connect4 {
    /// The empty board.
    pub const EMPTY: Self = Self { mine: 0, all: 0 };

    /// The position after columns 1 to 7 in turn, the notation of published test sets. `None` for a
    /// full column, another character, or a game that goes on after its end.
    pub fn after(columns: &str) -> Option<Self> {
        let mut state = Self::EMPTY;
        for c in columns.bytes() {
            let column = c.checked_sub(b'1').filter(|&c| c < 7)?;
            if state.finished() || state.landing() & (63 << (7 * column)) == 0 {
                return None;
            }
            state.drop_on(state.landing() & (63 << (7 * column)));
        }
        Some(state)
    }

    /// The cells a stone can fall on.
    #[inline(always)]
    pub fn landing(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// Puts a stone of the side to move on a landing cell.
    #[inline(always)]
    pub fn drop_on(&mut self, cell: u64) {
        self.mine ^= self.all;
        self.all |= cell;
    }

    /// Puts a stone into a column that is not full.
    #[inline(always)]
    pub fn play(&mut self, m: Column) {
        self.drop_on(self.landing() & (63 << (7 * m.0)));
    }

    /// Four in a row, or a full board.
    #[inline(always)]
    pub fn finished(self) -> bool {
        aligned(self.mine ^ self.all) || self.all == BOARD
    }

    /// The seat to move: 0 began.
    #[inline(always)]
    pub fn seat(self) -> usize {
        self.all.count_ones() as usize & 1
    }

    /// A random game from here to its end: the result for the side that moves here, 1, 0.5 or 0.
    #[inline(always)]
    pub fn playout<L: Level>(mut self, rng: &mut Rng) -> f32 {
        let (mut value, mut other) = (0.0, 1.0);
        loop {
            // What holds now is what the last mover made.
            if aligned(self.mine ^ self.all) {
                return value;
            }
            let landing = self.landing();
            if landing == 0 {
                return 0.5;
            }
            let n = rng.below(landing.count_ones());
            self.drop_on(1 << L::select(landing, n));
            core::mem::swap(&mut value, &mut other);
        }
    }

    /// `LANES` random games from here, a move of each in turn so that they overlap in the processor: the
    /// sum of their results for the first seat.
    #[inline(always)]
    pub fn playout_lanes<L: Level, const LANES: usize>(self, rng: &mut Rng) -> f32 {
        let mut lanes = [self; LANES];
        let mut rngs: [Rng; LANES] = core::array::from_fn(|_| rng.fork());
        let mut value = [-1.0f32; LANES];
        let mut open = LANES;
        // The seat is the same in all lanes: each has as many stones as the others.
        let mut lost = if self.seat() == 0 { 0.0 } else { 1.0 };
        while open > 0 {
            for i in 0..LANES {
                if value[i] >= 0.0 {
                    continue;
                }
                let landing = lanes[i].landing();
                if aligned(lanes[i].mine ^ lanes[i].all) {
                    value[i] = lost;
                    open -= 1;
                } else if landing == 0 {
                    value[i] = 0.5;
                    open -= 1;
                } else {
                    let n = rngs[i].below(landing.count_ones());
                    lanes[i].drop_on(1 << L::select(landing, n));
                }
            }
            lost = 1.0 - lost;
        }
        value.iter().sum()
    }
}

impl Game<2> for Connect4 {
    type Move = Column;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.finished()
    }

    #[inline(always)]
    fn payoff(&self) -> [f32; 2] {
        if !aligned(self.mine ^ self.all) {
            return [0.5; 2];
        }
        let mut payoff = [1.0; 2];
        payoff[self.seat()] = 0.0;
        payoff
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.seat()
    }

    #[inline(always)]
    fn moves(&self, _seat: usize, out: &mut Vec<Column>) {
        let landing = self.landing();
        for c in ORDER {
            if landing & (63 << (7 * c)) != 0 {
                out.push(Column(c));
            }
        }
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Column; 2], _rng: &mut Rng) {
        let column = joint[self.seat()].0;
        self.drop_on(self.landing() & (63 << (7 * column)));
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        // `mine + all` is different for every position; the multiplication spreads it.
        let key = (self.mine + self.all).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (key ^ (key >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}

impl Connect4 {
    /// Open lines of four: those without an opponent's stone count by the own stones in them.
    #[inline(always)]
    pub fn worth(self) -> i32 {
        lines(self.mine, self.mine ^ self.all) - lines(self.mine ^ self.all, self.mine)
    }
}

/// What alpha-beta thinks of connect four: lines of four, the centre first.
pub struct Lines;

impl Policy<Connect4> for Lines {
    type Lazy = ();
    const STABLE: bool = true;
    const KEEP_DEEP: bool = true;
    const PROVES: bool = true;
    const HISTORY: bool = true;
    const CELLS: usize = 2 * 64;
    const REDUCE: bool = true;
    const EXTEND_SINGLE: bool = true;

    #[inline(always)]
    fn evaluate<L: Level>(&mut self, state: &Connect4) -> i32 {
        state.worth()
    }

    #[inline(always)]
    fn each<L: Level>(&mut self, state: &Connect4, _: &mut Work, mut out: impl FnMut(i32, Column)) {
        let landing = state.landing();
        for c in ORDER {
            if landing & (63 << (7 * c)) != 0 {
                out(0, Column(c));
            }
        }
    }

    #[inline(always)]
    fn legal(&self, state: &Connect4, m: Column) -> bool {
        state.landing() & (63 << (7 * m.0)) != 0
    }

    #[inline(always)]
    fn index(state: &Connect4, m: Column) -> usize {
        state.seat() << 6 | (state.landing() & (63 << (7 * m.0))).trailing_zeros() as usize
    }
}

/// Four cells in a row without a stone of `other`: one point, and four for each own pair in it.
#[inline(always)]
fn lines(own: u64, other: u64) -> i32 {
    let free = BOARD & !other;
    let mut value = 0;
    for shift in [1, 6, 7, 8] {
        let two = free & (free >> shift);
        let four = two & (two >> (2 * shift));
        value += four.count_ones() as i32;
        let pairs = own & (own >> shift);
        value += 4 * (four & (pairs | pairs >> shift | pairs >> (2 * shift))).count_ones() as i32;
        let threes = pairs & (own >> (2 * shift));
        value += 8 * (four & (threes | threes >> shift)).count_ones() as i32;
    }
    value
}
