//! AUTOPLACE: the referee's own cheapest-route search, bit for bit, ties included.
//!
//! The order in which equal entries leave the heap decides between routes of equal paint, so the heap's
//! sift rules, the order of a block's ring and the tie value of each step are part of the rules. Works on
//! the board of the turn's start. Paint counts, not length; existing rails cost nothing.

use crate::games::rails::cells::{Cell, Cells, BITS};
use crate::games::rails::map::Map;
use crate::games::rails::path::fill;
use crate::games::rails::state::State;

/// A cell and how it was entered: bare start cells are a node of their own.
type Key = (bool, Cell);

#[derive(Clone)]
struct Entry {
    cost: u32,
    tie: u8,
    key: Key,
    plan: Cells,
}

impl Entry {
    fn rank(&self) -> (u32, u8) {
        (self.cost, self.tie)
    }
}

/// Binary heap with the sift rules the referee's runtime has.
#[derive(Default)]
struct Heap(Vec<Entry>);

impl Heap {
    fn push(&mut self, entry: Entry) {
        let heap = &mut self.0;
        heap.push(entry);
        let mut at = heap.len() - 1;
        while at > 0 {
            let parent = (at - 1) / 2;
            if heap[parent].rank() <= heap[at].rank() {
                break;
            }
            heap.swap(at, parent);
            at = parent;
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        let heap = &mut self.0;
        if heap.is_empty() {
            return None;
        }
        let top = heap.swap_remove(0);
        let mut at = 0;
        loop {
            let left = 2 * at + 1;
            if left >= heap.len() {
                break;
            }
            let right = left + 1;
            let child = if right < heap.len() && heap[left].rank() > heap[right].rank() {
                right
            } else {
                left
            };
            if heap[at].rank() <= heap[child].rank() {
                break;
            }
            heap.swap(at, child);
            at = child;
        }
        Some(top)
    }
}

/// The bare cells around the block of rails that holds `cell`, in the order a FIFO search meets them.
fn ring(map: &Map, rails: &Cells, cell: Cell) -> Vec<Cell> {
    let mut marked = Cells::single(cell);
    let mut queue = vec![cell];
    let mut found = Vec::new();
    let mut next = 0;
    while next < queue.len() {
        let at = queue[next];
        next += 1;
        if !rails.has(at) {
            found.push(at);
            continue;
        }
        for d in 0..4 {
            let n = at.step(d);
            if map.board.has(n) && !marked.has(n) {
                marked.insert(n);
                queue.push(n);
            }
        }
    }
    found
}

/// The cells AUTOPLACE from `from` to `to` generates, in the order of placement; empty if it does nothing.
pub fn autoplace(map: &Map, state: &State, from: Cell, to: Cell) -> Vec<Cell> {
    let rails = state.rails(map);
    let target = if rails.has(to) {
        fill(&rails, &Cells::single(to))
    } else {
        Cells::EMPTY
    };
    let slot = |key: Key| usize::from(key.0) * BITS + key.1.index();
    let mut best = vec![u32::MAX; 2 * BITS];
    let mut parent: Vec<Option<Key>> = vec![None; 2 * BITS];
    let start = (rails.has(from), from);
    best[slot(start)] = 0;
    let mut heap = Heap::default();
    heap.push(Entry {
        cost: 0,
        tie: 0,
        key: start,
        plan: Cells::EMPTY,
    });
    while let Some(Entry { key, plan, .. }) = heap.pop() {
        let cell = key.1;
        if cell == to || (rails.has(cell) && target.has(cell)) {
            let mut route = Vec::new();
            let mut at = Some(key);
            while let Some(key) = at {
                if key.0 && !rails.has(key.1) {
                    route.push(key.1);
                }
                at = parent[slot(key)];
            }
            route.reverse();
            return route;
        }
        let scope = if plan.has(cell) {
            (0..4)
                .map(|d| cell.step(d))
                .filter(|&n| map.board.has(n))
                .collect()
        } else if rails.has(cell) {
            ring(map, &rails, cell)
        } else {
            vec![cell]
        };
        for n in scope {
            if (state.closed.has(n) && !map.town_cells.has(n)) || plan.has(n) {
                continue;
            }
            let mut extended = plan;
            let mut cost = best[slot(key)];
            if !rails.has(n) {
                cost += u32::from(map.cost[n.index()]);
                extended.insert(n);
            }
            let next = (true, n);
            if cost < best[slot(next)] {
                best[slot(next)] = cost;
                parent[slot(next)] = Some(key);
                let tie = (0..4).find(|&d| cell.step(d) == n).unwrap_or(4);
                heap.push(Entry {
                    cost,
                    tie: tie as u8,
                    key: next,
                    plan: extended,
                });
            }
        }
    }
    Vec::new()
}
