//! Alpha-beta for two seats and constant sum: iterative deepening principal variation search.
//!
//! Handles: alternating games, also those where a seat moves twice in a row; copies or make/undo (the policy's
//! [`Policy::step`]); wins, losses and other results exact with their distance; proofs; hidden draws that a
//! policy fixes ([`crate::search::sampled`]). Every technique is a constant of the [`Policy`]; one that is off
//! costs nothing. Does not handle: simultaneous moves, more than two seats.
//!
//! Memory: the table (16 bytes an entry for a move of two) and lists for [`MAX_PLY`] plies, all taken by
//! [`AlphaBeta::new`]; a search allocates nothing as long as no position has more moves than announced.
//! Values are `i32` for the side to move; [`WIN`] less one per ply is a win.
//! Runs at the machine's level from a plain build ([`crate::kit::cpu`]): the game's and the policy's methods
//! must be `#[inline(always)]`, and every ply enters again through [`Level::enter`](crate::kit::cpu::Level::enter).

pub(super) mod node;
pub mod policy;
mod root;

use crate::kit::clock::Limit;
use crate::search::game::Game;
use crate::search::tt::Table;
use policy::Policy;

/// Value of a win at once. A win after `n` plies is `WIN - n`. Also beyond every value.
pub const WIN: i32 = 1 << 28;
/// Values of at least this are won for certain, at most `-WON` lost for certain.
pub const WON: i32 = WIN - 1_000;
/// Plies that a search can look ahead.
pub const MAX_PLY: usize = 100;
/// Bound of a move's history.
const HISTORY: i32 = 1 << 14;

/// What a search has done, and how much it may do.
pub struct Work {
    /// Positions visited.
    pub nodes: u64,
    /// The limit was reached; values returned afterwards mean nothing.
    pub stopped: bool,
    poll: u64,
    pub(super) limit: Limit,
}

impl Work {
    /// Nothing done yet.
    pub(super) fn new(limit: Limit) -> Self {
        Self {
            nodes: 0,
            stopped: false,
            poll: 0,
            limit,
        }
    }

    /// Looks at the limit if the last look is `every` nodes ago; true once it is reached.
    #[inline(always)]
    pub fn look(&mut self, every: u64) -> bool {
        if self.nodes >= self.poll {
            self.poll = self.nodes + every;
            self.stopped |= self.limit.reached(self.nodes);
        }
        self.stopped
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The best move; `None` only where there was none.
    pub best: Option<M>,
    /// Its value for the side to move.
    pub value: i32,
    /// Plies of the last depth that was finished.
    pub depth: i32,
    /// Positions visited.
    pub nodes: u64,
    /// Move and value are those of perfect play: no evaluation had a part in them.
    pub proven: bool,
}

/// What lives through a search, and through a game.
pub(super) struct Tables<M> {
    pub(super) work: Work,
    table: Table<M>,
    history: Vec<i32>,
    killers: [[M; 2]; MAX_PLY],
    /// Scores and moves of all plies, the root's first.
    list: Vec<(i32, M)>,
    /// No evaluation entered the last value returned; kept where [`Policy::PROVES`].
    complete: bool,
}

/// The search: tables and lists, reused from move to move.
pub struct AlphaBeta<G: Game<2>, P: Policy<G>> {
    /// Opinions; may be changed between searches.
    pub policy: P,
    pub(super) tables: Tables<G::Move>,
}

impl<G: Game<2>, P: Policy<G>> AlphaBeta<G, P> {
    /// Memory for `entries` table entries and positions of up to `widest` moves.
    pub fn new(policy: P, entries: usize, widest: usize) -> Self {
        Self {
            policy,
            tables: Tables {
                work: Work::new(Limit::work(0)),
                table: Table::new(if P::TABLE { entries } else { 0 }),
                history: vec![0; P::CELLS],
                killers: [[G::Move::default(); 2]; MAX_PLY],
                list: Vec::with_capacity(widest * MAX_PLY),
                complete: false,
            },
        }
    }

    /// Forgets all earlier searches, so that the next answer depends on the position and limit alone.
    pub fn clear(&mut self) {
        self.tables.table.clear();
        self.tables.history.fill(0);
    }

    /// Begins to count towards a limit, at which the first look comes after `first` nodes.
    pub(super) fn begin(&mut self, limit: Limit, first: u64) {
        let Self { policy, tables } = self;
        tables.work = Work {
            nodes: 0,
            stopped: false,
            poll: first,
            limit,
        };
        if P::KEEP_DEEP {
            tables.table.grow_older();
        }
        if P::KILLERS {
            tables.killers = [[G::Move::default(); 2]; MAX_PLY];
        }
        if P::HISTORY {
            for h in &mut tables.history {
                *h /= policy.forget().max(1);
            }
        }
    }

    /// The line of play behind an answer, as far as the table remembers it: `first` and what follows.
    pub fn line(&self, root: &G, first: G::Move) -> Vec<G::Move> {
        let mut game = root.clone();
        let mut line = Vec::new();
        let mut next = first;
        while line.len() < 12 && !game.is_over() && (line.is_empty() || self.policy.legal(&game, next)) {
            line.push(next);
            self.policy.play(&mut game, next);
            let key = self.policy.hash(&game);
            let entry = self.tables.find::<G, P>(key);
            if entry.key != key {
                break;
            }
            next = entry.best;
        }
        line
    }
}

/// A value at a node `ply` plies below the root, as the root counts: a win is further away.
#[inline(always)]
fn away(value: i32, ply: usize) -> i32 {
    if value >= WON {
        value - ply as i32
    } else if value <= -WON {
        value + ply as i32
    } else {
        value
    }
}

/// The inverse of [`away`]: as the node itself counts.
#[inline(always)]
fn home(value: i32, ply: usize) -> i32 {
    if value >= WON {
        value + ply as i32
    } else if value <= -WON {
        value - ply as i32
    } else {
        value
    }
}
