//! Boards that many turns of one seat are tried on.
//!
//! The other seat's turn is played once, and once more for each hit of mine that inks; a set of my tracks is then added.
//! Most sets change no connection, and then no board is copied. The outcome is that of [`State::play`] with both plans.

use super::cells::{Cell, Cells};
use super::map::Map;
use super::state::{Plan, State};

/// A board after a turn without my tracks.
pub struct Basis {
    /// The board.
    pub board: State,
    /// The region my hit inked, or [`Plan::NO_REGION`].
    pub region: u8,
    /// Regions inked in this turn, one bit each.
    pub washed: u64,
    rails: Cells,
    hits: u64,
}

/// What a set of tracks adds.
pub struct Built {
    /// Wishes whose connection is another one now, one bit each.
    pub changed: u128,
    /// Tracks that stand.
    pub tracks: u32,
    /// Those of them on home cells.
    pub home: u32,
    /// [`State::mark`] of the board with them.
    pub mark: u64,
}

impl Basis {
    /// `before` after a turn of `plans`, of which mine holds no cell and hits `region` if that inks it.
    #[inline(always)]
    pub fn new(map: &Map, before: &State, plans: [Plan; 2], region: u8) -> Self {
        let mut board = *before;
        board.play(map, &plans);
        Self {
            region,
            washed: board.inked & !before.inked,
            rails: board.rails(map),
            hits: board.hits_mark(),
            board,
        }
    }

    /// Adds tracks of `me`; `next` becomes the board if a connection changes.
    #[inline(always)]
    pub fn build(&self, map: &Map, me: usize, cells: [Cell; 3], home: &Cells, next: &mut State) -> Built {
        let board = &self.board;
        let mut tracks = board.tracks;
        let mut built = Built {
            changed: 0,
            tracks: 0,
            home: 0,
            mark: 0,
        };
        let (mut landed, mut clash) = ([Cell::NONE; 3], false);
        for cell in cells {
            if cell != Cell::NONE && !board.closed.has(cell) {
                tracks[me].insert(cell);
                landed[built.tracks as usize] = cell;
                built.tracks += 1;
                built.home += u32::from(home.has(cell));
                clash |= tracks[1 - me].has(cell);
            }
        }
        built.mark = State::tracks_mark(&tracks).wrapping_add(self.hits);
        if clash || !State::idle(&self.rails, landed) {
            *next = *board;
            built.changed = next.build(map, me, landed);
        }
        built
    }
}
