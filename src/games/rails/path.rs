//! Shortest paths over rails, and what can be reached at all.
//!
//! Floods of whole boards, one step a level; a path is read back from three sets that hold the levels
//! modulo 3, which is all a walk downhill needs to know. Lengths count cells, both ends included.

use super::cells::{Cell, Cells};

/// Length of the path with fewest cells from `from` to `to` over `rails`, 0 if they are not linked;
/// `visit` gets its cells in order, ties broken N < E < S < W from `from`. Both ends must be in `rails`.
#[inline(always)]
pub fn shortest(rails: &Cells, from: Cell, to: Cell, mut visit: impl FnMut(Cell)) -> u16 {
    let mut level = [Cells::EMPTY; 3];
    let mut front = Cells::single(to);
    let mut left = *rails;
    left.remove(to);
    level[0] = front;
    let mut length = 1usize;
    while !front.has(from) {
        front = front.spread().and(&left);
        if front.is_empty() {
            return 0;
        }
        left = left.minus(&front);
        let here = &mut level[length % 3];
        *here = here.or(&front);
        length += 1;
    }
    let mut at = from;
    visit(at);
    for k in (0..length - 1).rev() {
        let down = &level[k % 3];
        let mut d = 0;
        while d < 3 && !down.has(at.step(d)) {
            d += 1;
        }
        at = at.step(d);
        visit(at);
    }
    length as u16
}

/// Everything connected with `seeds` through `open`; seeds outside `open` count as starts only.
#[inline(always)]
pub fn fill(open: &Cells, seeds: &Cells) -> Cells {
    let mut all = *seeds;
    let mut front = *seeds;
    loop {
        front = front.spread().and(open).minus(&all);
        if front.is_empty() {
            return all;
        }
        all = all.or(&front);
    }
}
