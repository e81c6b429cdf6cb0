//! Sets of cells for one turn: what the paint buys, single cells that pay at once, and cells for paint left over.
//!
//! Which routes to go on building is [`super::planner`]'s matter.

use super::cells::{Cell, Cells};
use super::map::Map;
use super::state::{State, PAINT};

/// Up to three cells within one turn's paint.
#[derive(Clone, Copy)]
pub struct Set {
    cells: [Cell; 3],
    used: usize,
    left: u8,
}

impl Set {
    /// Nothing bought.
    pub const EMPTY: Self = Self {
        cells: [Cell::NONE; 3],
        used: 0,
        left: PAINT,
    };

    /// No paint left, or no room.
    #[inline(always)]
    pub const fn is_full(&self) -> bool {
        self.left == 0 || self.used == 3
    }

    /// Buys one cell, if it is one and not there yet; `false` if it is too dear.
    #[inline(always)]
    fn buy(&mut self, map: &Map, cell: Cell) -> bool {
        if cell == Cell::NONE || self.cells.contains(&cell) {
            return true;
        }
        let cost = map.cost[cell.index()];
        if cost > self.left || self.used == 3 {
            return false;
        }
        self.cells[self.used] = cell;
        self.used += 1;
        self.left -= cost;
        true
    }

    /// Buys cells in order up to the first that is too dear.
    #[inline(always)]
    pub fn take(&mut self, map: &Map, cells: [Cell; 3]) {
        for cell in cells {
            if !self.buy(map, cell) {
                return;
            }
        }
    }

    /// Buys in order whatever is not too dear.
    #[inline(always)]
    pub fn fill(&mut self, map: &Map, cells: impl Iterator<Item = Cell>) {
        for cell in cells {
            self.buy(map, cell);
        }
    }

    /// Goes into the list unless it is empty, there already, or `most` are.
    #[inline(always)]
    pub fn add_to(&self, sets: &mut Vec<[Cell; 3]>, most: usize) {
        if self.used == 0 || sets.len() >= most {
            return;
        }
        let mut set = self.cells;
        set.sort_unstable();
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
}

/// Single cells that raise the net income of `me` at once, best first: shorter ways for live connections, and ways as
/// short whose directions come first. `out` keeps `most`.
#[inline(always)]
pub fn find_bargains(map: &Map, state: &State, me: usize, most: usize, out: &mut Vec<(i32, Cell)>) {
    out.clear();
    if most == 0 || state.is_over() {
        return;
    }
    let net = |state: &State| state.income[me] as i32 - state.income[1 - me] as i32;
    let (rails, before) = (state.rails(map), net(state));
    for cell in rails.spread().and(&state.buildable(map)).iter() {
        if (0..4).filter(|&d| rails.has(cell.step(d))).count() < 2 {
            continue;
        }
        let mut next = *state;
        next.build(map, me, [cell, Cell::NONE, Cell::NONE]);
        let gain = net(&next) - before;
        if gain > 0 {
            out.push((-gain, cell));
        }
    }
    out.sort_unstable();
    out.truncate(most);
}

/// Cells for paint that no good route wants: beside rails, plains only, those nobody can wash away first.
#[inline(always)]
pub fn beside_rails(map: &Map, state: &State, home: &Cells, out: &mut Vec<Cell>, most: usize) {
    let near = state
        .rails(map)
        .spread()
        .and(&state.buildable(map))
        .and(&map.by_cost[0]);
    for cells in [near.and(home), near.minus(home)] {
        for cell in cells.iter() {
            if out.len() < most {
                out.push(cell);
            }
        }
    }
}
