//! Sets of cells for one turn: what the paint buys, single cells that pay at once, and cells for paint left over.
//!
//! Which routes to go on building is [`super::search`]'s matter.

use super::cells::{Cell, Cells, BITS};
use super::map::Map;
use super::path::shortest;
use super::state::{State, PAINT};
use super::weights::Weights;

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

/// Sets that pay at once, best first, as many as the weights ask for; `others` is scratch memory.
#[inline(always)]
pub fn find_bargains(
    map: &Map,
    w: &Weights,
    state: &State,
    me: usize,
    out: &mut Vec<(i32, [Cell; 3])>,
    others: &mut Vec<(i32, [Cell; 3])>,
) {
    find_cells(map, state, me, w.bargains.max(0) as usize, out);
    if w.flips > 0 {
        find_flips(map, state, me, w.flips as usize, others);
        out.extend_from_slice(others);
        out.sort_unstable();
    }
}

/// Single cells that raise the net income of `me` at once, best first: shorter ways for live connections, and ways as
/// short whose directions come first. `out` keeps `most`.
#[inline(always)]
fn find_cells(map: &Map, state: &State, me: usize, most: usize, out: &mut Vec<(i32, [Cell; 3])>) {
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
        let cells = [cell, Cell::NONE, Cell::NONE];
        next.build(map, me, cells);
        let gain = net(&next) - before;
        if gain > 0 {
            out.push((-gain, cells));
        }
    }
    out.sort_unstable();
    out.truncate(most);
}

/// Sets of two or three cells that are tried, at most.
const TRIED: usize = 96;

/// Sets of two and three cells that raise the net income of `me` at once, like [`find_cells`]: ways off a live path and
/// back to it over open cells.
#[inline(always)]
fn find_flips(map: &Map, state: &State, me: usize, most: usize, out: &mut Vec<(i32, [Cell; 3])>) {
    out.clear();
    if state.is_over() {
        return;
    }
    let (rails, free) = (state.rails(map), state.buildable(map));
    let around = |cell: Cell| (0..4).map(move |d| cell.step(d));
    let open = |cell: Cell| around(cell).filter(|&c| free.has(c));
    for (wish, link) in map.wishes.iter().zip(&state.links) {
        if link.pays[1 - me] < 2 {
            continue;
        }
        let (from, to) = (map.towns[usize::from(wish.from)], map.towns[usize::from(wish.to)]);
        // Places on the path, counted from 1.
        let mut place = [0; BITS];
        let (mut path, mut count) = ([Cell::NONE; BITS], 0);
        shortest(&rails, from, to, |cell| {
            path[count] = cell;
            count += 1;
            place[cell.index()] = count;
        });
        for (i, &at) in path[..count.saturating_sub(2)].iter().enumerate() {
            for a in open(at) {
                // By an earlier direction as many cells are enough, by a later one there must be fewer.
                let later = around(at).position(|c| c == a) > around(at).position(|c| c == path[i + 1]);
                for b in open(a) {
                    for c in core::iter::once(Cell::NONE).chain(open(b).filter(|&c| c != a)) {
                        let mut set = Set::EMPTY;
                        set.take(map, [a, b, c]);
                        let (last, used) = if c == Cell::NONE { (b, 2) } else { (c, 3) };
                        let back = i + 1 + used + usize::from(later);
                        let joins = around(last).any(|c| place[c.index()] > back);
                        if joins && set.used == used && out.len() < TRIED {
                            set.cells.sort_unstable();
                            if !out.iter().any(|known| known.1 == set.cells) {
                                out.push((0, set.cells));
                            }
                        }
                    }
                }
            }
        }
    }
    let net = |state: &State| state.income[me] as i32 - state.income[1 - me] as i32;
    let before = net(state);
    for (gain, cells) in out.iter_mut() {
        let mut next = *state;
        next.build(map, me, *cells);
        *gain = before - net(&next);
    }
    out.retain(|&(gain, _)| gain < 0);
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
