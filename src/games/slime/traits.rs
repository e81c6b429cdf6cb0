//! What a move looks like before it is played: six small counts, read off the masks.

use super::board::{dilate, Board};
use super::moves::{Kind, Move};
use super::state::SEATS;

/// Counts per move.
pub const TRAITS: usize = 6;
/// A count is 0..=8.
pub const LEVELS: usize = 9;

/// Masks shared by all moves of a position.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    own: u64,
    enemies: u64,
    empty: u64,
    /// Empty squares an enemy can spread to.
    contested: u64,
}

impl Around {
    /// For the moves of `seat`.
    #[inline(always)]
    pub fn new(board: &Board<SEATS>, seat: usize) -> Self {
        let enemies = board.enemies(seat);
        Self {
            own: board.own[seat],
            enemies,
            empty: board.empty,
            contested: dilate(enemies) & board.empty,
        }
    }

    /// The counts of a move, each 0..=8.
    #[inline(always)]
    pub fn traits(&self, m: Move) -> [usize; TRAITS] {
        let (near, back) = (m.to().near(), m.from().near());
        let count = |set: u64| set.count_ones() as usize;
        match m.kind() {
            Kind::Pass => [count(self.empty) / 8, 0, 0, 0, 0, 0],
            Kind::Spread => [
                count(near & self.enemies),
                count(near & self.empty),
                count(near & self.own),
                count(near & self.contested),
                0,
                0,
            ],
            Kind::Merge => [
                count(near & self.empty),
                count(near & self.own),
                count(near & self.contested),
                count(back & self.empty),
                count(back & self.own),
                count(back & self.contested),
            ],
            Kind::Jump => [
                count(near & self.enemies),
                count(near & self.empty),
                count(near & self.own),
                count(near & self.contested),
                count(back & self.own),
                count(back & self.empty),
            ],
        }
    }
}
