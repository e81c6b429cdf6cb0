//! A region that no opponent can enter: the most points there are in it, found by trying everything.
//!
//! Where the mover's units can go and where the other's can are apart for good, each side's points depend on its own
//! moves alone, and the most of them is best whatever the other does. The search looks a dozen plies ahead; such a region
//! lasts for more. Points leagues only; what cannot be tried out within the limit is left to the search.

use super::board::spread;
use super::state::{Move, State};
use crate::kit::clock::Limit;
use crate::search::tt::Values;

/// Cells of a region at most: larger ones are not tried out to the end in time.
const MOST: u32 = 12;

/// What is known of regions; lives through a game.
pub struct Alone {
    known: Values,
    region: u64,
    limit: Limit,
    /// Positions looked at by the last question.
    pub nodes: u64,
    stopped: bool,
}

/// The cells that the mover's units can ever stand on, if they are few and no unit of a living enemy can.
fn region(root: &State) -> Option<u64> {
    let me = root.mover();
    let mut open = root.cells() & !root.level(3);
    let foe = root.mask(1 - me);
    let dead = root.is_dead(1 - me);
    if dead {
        open &= !foe;
    }
    let mut region = root.mask(me) & open;
    loop {
        let next = spread(region) & open;
        if next == region {
            return (region.count_ones() <= MOST && (dead || region & foe == 0)).then_some(region);
        }
        region = next;
    }
}

impl Alone {
    /// Nothing known; room for so many positions, a power of two.
    pub fn new(room: usize) -> Self {
        Self {
            known: Values::new(room),
            region: 0,
            limit: Limit::work(0),
            nodes: 0,
            stopped: false,
        }
    }

    /// Whether there is a small region of the mover's own.
    pub fn is_asked(root: &State) -> bool {
        region(root).is_some()
    }

    /// Those of `moves` that lead to the most points, if that can be told within the limit.
    pub fn best(&mut self, root: &State, moves: &[Move], limit: Limit) -> Option<Vec<Move>> {
        self.region = region(root)?;
        (self.limit, self.nodes, self.stopped) = (limit, 0, false);
        let points: Vec<i32> = moves.iter().map(|&m| self.after(root, m)).collect();
        let top = points.iter().max()?;
        let best = moves.iter().zip(&points).filter(|(_, p)| *p == top);
        let best = best.map(|(&m, _)| m).collect();
        (!self.stopped).then_some(best)
    }

    /// Points of a move and of what can follow.
    fn after(&mut self, state: &State, m: Move) -> i32 {
        let mut child = *state;
        i32::from(child.act(m)) + self.most(&child)
    }

    /// The most points from here on, the turn not passed.
    fn most(&mut self, state: &State) -> i32 {
        let mut key = 0u64;
        let levels = [0, 1, 2, 3].map(|k| state.level(k) & self.region);
        for part in levels.into_iter().chain([state.mask(state.mover())]) {
            key = (key.rotate_left(23) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        if let Some(points) = self.known.get(key) {
            return points;
        }
        self.nodes += 1;
        self.stopped |= self.nodes % 64 == 0 && self.limit.reached(self.nodes);
        let mut best = 0;
        state.each_move(|m| {
            if !self.stopped {
                best = self.after(state, m).max(best);
            }
        });
        if !self.stopped {
            self.known.put(key, best);
        }
        best
    }
}
