//! Alpha-beta on one order of the bags, over [`Field`].
//!
//! Draws come from the order given, so the tree has no chance in it; the caller samples several orders.
//! Selective: only the first placements of [`Order`] are tried, late ones at less depth first. Values
//! are for the side to move in 1/32 of a point ([`POINT`]). Reaches the end of the game if it is near,
//! and then counts points only; with [`Search::exact`] nothing is left out and those points are the truth.

use super::cells::Cell;
use super::field::{Field, BIAS};
use super::order::Order;
use super::state::{Move, LAST_DRAW, TURNS};
use super::tiles::Kind;
use super::weights::Weights;
use crate::kit::bits::Bits;
use crate::kit::clock::Limit;
use crate::kit::cpu::{Kernel, Level};

/// One point of score.
pub const POINT: i32 = 32;
/// Beyond every value.
pub const INFINITY: i32 = 1 << 28;
/// Entries of the transposition table.
const ENTRIES: usize = 1 << 19;
/// Nodes between two looks at the clock.
const POLL: u64 = 512;

/// No tile to draw.
pub const NOTHING: u8 = 255;

/// Which tile each player draws after his n-th placement; [`NOTHING`] where none is known.
pub type Draws = [[u8; 32]; 2];

/// No draws at all: hands stay as they are.
pub const FROZEN: Draws = [[NOTHING; 32]; 2];

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    value: i32,
    mv: u16,
    depth: i8,
    bound: u8,
}

const UPPER: u8 = 1;
const LOWER: u8 = 2;
const EXACT: u8 = 3;

const fn pack(mv: Move) -> u16 {
    mv.cell.0 as u16 | (mv.kind.0 as u16) << 6 | 1 << 15
}

const fn unpack(mv: u16) -> Option<Move> {
    if mv == 0 {
        return None;
    }
    Some(Move {
        cell: Cell((mv & 63) as u8),
        kind: Kind((mv >> 6 & 15) as u8),
    })
}

/// The search with its table.
pub struct Search {
    /// Numbers of evaluation and selection.
    pub weights: Weights,
    /// Every placement is tried at full depth: exact once the end of the game is within the depth.
    pub exact: bool,
    /// Nodes so far.
    pub nodes: u64,
    /// Set once the limit is reached; values returned afterwards mean nothing.
    pub stopped: bool,
    limit: Limit,
    poll_at: u64,
    draws: Draws,
    salt: u64,
    table: Vec<Entry>,
}

/// The position after a move and its draw.
#[inline(always)]
pub fn after(field: &Field, mv: Move, draws: &Draws) -> Field {
    let mut next = field.clone();
    let seat = next.mover();
    next.play(mv);
    if field.turn < LAST_DRAW {
        let drawn = draws[seat][(field.turn / 2) as usize & 31];
        if drawn != NOTHING {
            next.hands[seat].add(Kind(drawn));
        }
    }
    next
}

impl Search {
    /// An empty table.
    pub fn new(weights: Weights) -> Self {
        Self {
            weights,
            exact: false,
            nodes: 0,
            stopped: false,
            limit: Limit::work(0),
            poll_at: POLL,
            draws: FROZEN,
            salt: 0,
            table: vec![Entry::default(); ENTRIES],
        }
    }

    /// Sets the limit of the searches to come and counts nodes from 0.
    pub fn start(&mut self, limit: Limit) {
        self.limit = limit;
        self.nodes = 0;
        self.poll_at = POLL;
        self.stopped = false;
    }

    /// Changes the order of the bags; `salt` keeps its table entries apart from other orders'.
    pub fn deal(&mut self, draws: Draws, salt: u64) {
        self.draws = draws;
        self.salt = salt;
    }

    /// What a move is worth to the side that makes it, looking `depth` plies ahead (the move included).
    #[inline(always)]
    pub fn try_move<L: Level>(&mut self, field: &Field, mv: Move, depth: i32, alpha: i32, beta: i32) -> i32 {
        let next = after(field, mv, &self.draws);
        -L::enter(Visit {
            search: self,
            field: &next,
            depth: depth - 1,
            alpha: -beta,
            beta: -alpha,
        })
    }

    /// What a quiet look says, for the side to move.
    #[inline(always)]
    fn evaluate(&self, field: &Field) -> i32 {
        let seat = field.mover();
        let w = &self.weights;
        let margin = if seat == 0 { field.margin } else { -field.margin };
        let best = i32::from(field.best_values(seat).max()) - i32::from(BIAS);
        let mut value = margin * POINT + best * w.reply;
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

    /// The last two placements, one tile in each hand: no table, no order.
    #[inline(always)]
    fn finish(&mut self, field: &Field, alpha: i32, beta: i32) -> i32 {
        let seat = field.mover();
        let sign = if seat == 0 { POINT } else { -POINT };
        let kind = field.hands[seat].kinds().next().unwrap_or_default();
        let mut best = -INFINITY;
        for cell in Bits(field.empty()) {
            let mv = Move {
                cell: Cell(cell as u8),
                kind,
            };
            let mut value = field.margin + field.change(mv);
            let last = field.hands[1 - seat].kinds().next();
            if let (Some(kind), true) = (last, field.turn < TURNS - 1) {
                self.nodes += 1;
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

    #[inline(always)]
    fn visit<L: Level>(&mut self, field: &Field, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let seat = field.mover();
        if field.turn >= TURNS || field.hands[seat].is_empty() {
            return if seat == 0 { field.margin } else { -field.margin } * POINT;
        }
        if field.turn >= TURNS - 2 {
            return self.finish(field, alpha, beta);
        }
        if depth <= 0 {
            return self.evaluate(field);
        }
        if self.nodes >= self.poll_at {
            self.poll_at = self.nodes + POLL;
            self.stopped |= self.limit.reached(self.nodes);
        }
        if self.stopped {
            return 0;
        }
        let key = field.hash() ^ self.salt;
        let slot = (key >> 32) as usize & (ENTRIES - 1);
        let entry = self.table[slot];
        let mut first = None;
        if entry.key == key {
            first = unpack(entry.mv);
            if i32::from(entry.depth) >= depth {
                let v = entry.value;
                if entry.bound == EXACT
                    || (entry.bound == LOWER && v >= beta)
                    || (entry.bound == UPPER && v <= alpha)
                {
                    return v;
                }
            }
        }
        let old = alpha;
        let mut best = -INFINITY;
        let mut found = None;
        let mut order = Order::new(field);
        let mut tried = 0;
        let mut hash_move = first;
        let (width, reduce) = if self.exact {
            (i32::MAX, i32::MAX)
        } else {
            let width = if depth == 1 {
                self.weights.width_last
            } else {
                self.weights.width
            };
            (width, self.weights.reduce)
        };
        while tried < width {
            let mv = match hash_move.take() {
                Some(mv) => mv,
                None => match order.pick() {
                    Some(mv) if Some(mv) == first => continue,
                    Some(mv) => mv,
                    None => break,
                },
            };
            let value = if tried == 0 {
                self.try_move::<L>(field, mv, depth, alpha, beta)
            } else {
                let less = i32::from(depth > 2 && tried >= reduce);
                let mut v = self.try_move::<L>(field, mv, depth - less, alpha, alpha + 1);
                if v > alpha && less > 0 {
                    v = self.try_move::<L>(field, mv, depth, alpha, alpha + 1);
                }
                if v > alpha && v < beta {
                    v = self.try_move::<L>(field, mv, depth, alpha, beta);
                }
                v
            };
            if self.stopped {
                return 0;
            }
            tried += 1;
            if value > best {
                best = value;
                found = Some(mv);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let bound = if best >= beta {
            LOWER
        } else if best > old {
            EXACT
        } else {
            UPPER
        };
        self.table[slot] = Entry {
            key,
            value: best,
            mv: found.map_or(0, pack),
            depth: depth as i8,
            bound,
        };
        best
    }
}

/// One node, entered anew at the machine's level.
struct Visit<'s> {
    search: &'s mut Search,
    field: &'s Field,
    depth: i32,
    alpha: i32,
    beta: i32,
}

impl Kernel for Visit<'_> {
    type Out = i32;

    #[inline(always)]
    fn run<L: Level>(self) -> i32 {
        self.search
            .visit::<L>(self.field, self.depth, self.alpha, self.beta)
    }
}
