//! Placements in promising order, found one at a time.
//!
//! Most nodes of a search are cut off after one or two moves, so nothing is sorted: each pick scans rows
//! of bytes for their largest. Complete: picked to the end, it gives every legal placement once.

use super::field::{Field, Row, BIAS};
use super::state::Move;
use super::tiles::{Kind, HAND};
use crate::search::alphabeta::policy::Picker;

/// The legal placements of a field's mover, best guess first.
pub struct Order {
    /// Guesses by cell for each kind in hand, 0 where there is nothing or no longer something to place.
    rows: [(Row, Kind); HAND],
    /// The largest of each row; 0 for rows that are not there, so a scan has a fixed length.
    tops: [u8; HAND],
}

impl Picker<Field> for Order {
    /// Guess: what the placement changes, and half of what the opponent could have got on that cell.
    #[inline(always)]
    fn new(field: &Field) -> Self {
        let seat = field.mover();
        let denied = field.best_values(1 - seat);
        let mut out = Self {
            rows: [(Row::ZERO, Kind(0)); HAND],
            tops: [0; HAND],
        };
        let open = field.open();
        let slots = out.rows.iter_mut().zip(&mut out.tops);
        for (kind, (slot, top)) in field.hands[seat].kinds().zip(slots) {
            let mut row = field.values(seat, kind);
            for i in 0..64 {
                let deny = denied.0[i].saturating_sub(BIAS) >> 1;
                // At least 1 on an open cell: 0 means gone.
                row.0[i] = row.0[i].saturating_add(deny).max(1) & open.0[i];
            }
            *top = row.max();
            *slot = (row, kind);
        }
        out
    }

    /// The next placement.
    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let mut best = 0;
        let mut top = 0;
        for (n, &t) in self.tops.iter().enumerate() {
            if t > top {
                top = t;
                best = n;
            }
        }
        if top == 0 {
            return None;
        }
        let (row, kind) = &mut self.rows[best];
        let cell = row.find(top);
        row.0[(cell.0 & 63) as usize] = 0;
        self.tops[best] = row.max();
        Some(Move { cell, kind: *kind })
    }
}

#[cfg(test)]
mod tests {
    use super::Order;
    use crate::games::connexion::field::Field;
    use crate::games::connexion::state::{Move, State, TURNS};
    use crate::kit::rng::Rng;
    use crate::search::alphabeta::policy::Picker;

    #[test]
    fn every_legal_move_comes_once() {
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let mut state = State::deal(&mut rng);
            while state.turn < TURNS {
                let mut want: Vec<Move> = state.legal(state.mover()).collect();
                let mut order = Order::new(&Field::new(&state));
                let mut got: Vec<Move> = core::iter::from_fn(|| order.next()).collect();
                let mv = want[rng.below(want.len() as u32) as usize];
                got.sort_unstable();
                want.sort_unstable();
                assert_eq!(got, want);
                state.advance_random(mv, &mut rng);
            }
        }
    }
}
