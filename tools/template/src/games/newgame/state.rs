//! The rules of newgame: a position, its moves, its end. No opinion, no text.
//!
//! A stone set is a `u64` with seven bits a row, bit `7 * y + x`; the seventh is never a cell, so that a shift cannot
//! wrap into the next row. CHANGE: the state and the five methods of [`Game`]; the rest is yours.

use crate::kit::bits::Bits;
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// Rows and columns.
pub const SIZE: u8 = 6;
/// Bits a row takes.
pub const STRIDE: u8 = SIZE + 1;
/// All cells.
pub const BOARD: u64 = board();

const fn board() -> u64 {
    let (mut all, mut y) = (0, 0);
    while y < SIZE {
        all |= ((1 << SIZE) - 1) << (STRIDE * y);
        y += 1;
    }
    all
}

/// A cell; the move that puts a stone there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell(pub u8);

impl Cell {
    /// Column `x`, row `y`; `None` off the board.
    pub fn at(x: u8, y: u8) -> Option<Self> {
        (x < SIZE && y < SIZE).then_some(Self(STRIDE * y + x))
    }

    /// Column, from the left.
    pub const fn x(self) -> u8 {
        self.0 % STRIDE
    }

    /// Row, from the top.
    pub const fn y(self) -> u8 {
        self.0 / STRIDE
    }

    /// As a set.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// A position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Stones of each seat.
    pub stones: [u64; 2],
}

/// Four of these in a line.
#[inline(always)]
pub fn aligned(stones: u64) -> bool {
    [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl State {
    /// The seat to move; 0 begins.
    #[inline(always)]
    pub fn seat(&self) -> usize {
        (self.stones[0] | self.stones[1]).count_ones() as usize & 1
    }

    /// Cells without a stone.
    #[inline(always)]
    pub fn empty(&self) -> u64 {
        BOARD & !(self.stones[0] | self.stones[1])
    }

    /// Puts a stone of the seat to move on an empty cell.
    #[inline(always)]
    pub fn play(&mut self, cell: Cell) {
        debug_assert!(self.empty() & cell.bit() != 0, "{cell:?} is taken");
        self.stones[self.seat()] |= cell.bit();
    }

    /// The seat with four in a line.
    #[inline(always)]
    pub fn winner(&self) -> Option<usize> {
        // Only who moved last can have won.
        let last = 1 - self.seat();
        aligned(self.stones[last]).then_some(last)
    }
}

impl Game<2> for State {
    type Move = Cell;

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.winner().is_some() || self.empty() == 0
    }

    #[inline(always)]
    fn payoff(&self) -> [f32; 2] {
        match self.winner() {
            Some(0) => [1.0, 0.0],
            Some(_) => [0.0, 1.0],
            None => [0.5, 0.5],
        }
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.seat()
    }

    #[inline(always)]
    fn moves(&self, _seat: usize, out: &mut Vec<Cell>) {
        out.extend(Bits(self.empty()).map(|bit| Cell(bit as u8)));
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Cell; 2], _rng: &mut Rng) {
        self.play(joint[self.seat()]);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        // The finaliser of splitmix64 over both sets.
        let mix = |mut z: u64| {
            z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        };
        mix(mix(self.stones[0]).wrapping_add(self.stones[1]))
    }
}
