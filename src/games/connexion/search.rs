//! What connexion tells the shared alpha-beta, on one order of the bags, over [`Field`].
//!
//! Draws come from the order given, so the tree has no chance in it; the caller samples several orders.
//! Selective: only the first placements of [`Order`] are tried, late ones at less depth first. Values
//! are for the side to move in 1/32 of a point ([`POINT`]). Reaches the end of the game if it is near,
//! and then counts points only; with [`Opinion::exact`] nothing is left out and those points are the truth.

use super::cells::Cell;
use super::field::{Field, BIAS};
use super::order::Order;
use super::state::{Move, LAST_DRAW, TURNS};
use super::tiles::Kind;
use super::weights::Weights;
use crate::kit::bits::Bits;
use crate::kit::cpu::Level;
use crate::search::alphabeta::policy::{Before, Policy};
use crate::search::alphabeta::Work;
use crate::search::game::Game;
use crate::search::sampled::Deals;

/// One point of score.
pub const POINT: i32 = 32;

/// No tile to draw.
pub const NOTHING: u8 = 255;

/// Which tile each player draws after his n-th placement ([`NOTHING`] where none is known), and a salt.
pub type Draws = ([[u8; 32]; 2], u64);

/// No draws at all: hands stay as they are.
pub const FROZEN: [[u8; 32]; 2] = [[NOTHING; 32]; 2];

/// Evaluation and selection.
pub struct Opinion {
    /// The numbers.
    pub weights: Weights,
    /// Every placement is tried at full depth, to the end of the game.
    pub exact: bool,
    draws: Draws,
}

impl Opinion {
    /// Without draws.
    pub const fn new(weights: Weights) -> Self {
        Self {
            weights,
            exact: false,
            draws: (FROZEN, 0),
        }
    }
}

impl Deals<Field> for Opinion {
    type Order = Draws;

    fn deal(&mut self, order: &Draws) {
        self.draws = *order;
    }
}

/// Points for the side to move.
#[inline(always)]
fn margin(field: &Field) -> i32 {
    if field.mover() == 0 {
        field.margin * POINT
    } else {
        -field.margin * POINT
    }
}

/// The last two placements, one tile in each hand: no table, no order.
#[inline(always)]
fn finish(field: &Field, (alpha, beta): (i32, i32), work: &mut Work) -> i32 {
    let seat = field.mover();
    let sign = if seat == 0 { POINT } else { -POINT };
    let kind = field.hands[seat].kinds().next().unwrap_or_default();
    let mut best = i32::MIN;
    for cell in Bits(field.empty()) {
        let mv = Move {
            cell: Cell(cell as u8),
            kind,
        };
        let mut value = field.margin + field.change(mv);
        let last = field.hands[1 - seat].kinds().next();
        if let (Some(kind), true) = (last, field.turn < TURNS - 1) {
            work.nodes += 1;
            let mut next = field.clone();
            next.play(mv);
            let cell = Cell(next.empty().trailing_zeros() as u8);
            value = next.margin + next.change(Move { cell, kind });
        }
        best = best.max(value * sign);
        if best.max(alpha) >= beta {
            break;
        }
    }
    best
}

impl Policy<Field> for Opinion {
    type Lazy = Order;
    const LAZY: bool = true;
    const SHIFT: u32 = 32;
    const POLL: u64 = 512;
    const POLL_INSIDE: bool = true;
    const MATES: bool = false;
    const ALTERNATES: bool = true;
    const BEFORE: bool = true;
    const STAGED: bool = true;
    const REDUCE: bool = true;
    const WIDTH: bool = true;

    #[inline(always)]
    fn evaluate<L: Level>(&mut self, field: &Field) -> i32 {
        let seat = field.mover();
        let w = &self.weights;
        let best = i32::from(field.best_values(seat).max()) - i32::from(BIAS);
        let mut value = margin(field) + best * w.reply;
        if w.threat != 0 {
            let threat = i32::from(field.best_values(1 - seat).max()) - i32::from(BIAS);
            value -= threat * w.threat;
        }
        let empty = i32::from(TURNS - field.turn);
        let other = 1 - seat;
        let own = field.links(seat, seat) - field.links(other, other);
        let cross = field.links(other, seat) - field.links(seat, other);
        let joints = field.joints(seat) - field.joints(other);
        value += (own * (w.links + w.links_early * empty / 16)
            + cross * w.cross
            + joints * (w.joints + w.joints_early * empty / 16))
            / 32;
        value
    }

    #[inline(always)]
    fn result<L: Level>(&mut self, field: &Field) -> Option<i32> {
        field.is_over().then(|| margin(field))
    }

    #[inline(always)]
    fn before<L: Level>(&mut self, field: &Field, window: (i32, i32), work: &mut Work) -> Before {
        if field.turn < TURNS - 2 {
            return Before::Open;
        }
        Before::Decided(finish(field, window, work))
    }

    #[inline(always)]
    fn play(&self, field: &mut Field, mv: Move) {
        let (seat, turn) = (field.mover(), field.turn);
        field.play(mv);
        if turn < LAST_DRAW {
            let drawn = self.draws.0[seat][(turn / 2) as usize & 31];
            if drawn != NOTHING {
                field.hands[seat].add(Kind(drawn));
            }
        }
    }

    #[inline(always)]
    fn hash(&self, field: &Field) -> u64 {
        field.hash() ^ self.draws.1
    }

    #[inline(always)]
    fn legal(&self, field: &Field, mv: Move) -> bool {
        field.empty() & mv.cell.bit() != 0 && field.hands[field.mover()].has(mv.kind)
    }

    #[inline(always)]
    fn reduction(&self, depth: i32, number: usize, _: i32) -> i32 {
        i32::from(!self.exact && depth > 2 && number >= self.weights.reduce as usize)
    }

    #[inline(always)]
    fn width(&self, depth: i32, _: bool) -> usize {
        match (self.exact, depth) {
            (true, _) => usize::MAX,
            (false, 1) => self.weights.width_last as usize,
            _ => self.weights.width as usize,
        }
    }

    #[inline(always)]
    fn depths(&self, field: &Field) -> (i32, i32) {
        let left = i32::from(TURNS - field.turn);
        if self.exact {
            (left, left)
        } else {
            (2, left.max(2))
        }
    }
}
