//! Alpha-beta for two seats and constant sum: iterative deepening principal variation search.
//!
//! Handles: alternating games, also those where a seat moves twice in a row; make/undo or copies (the
//! game chooses by [`Position::Undo`]); transposition table, killers, history, aspiration windows, late
//! move reductions; wins, losses and other results exact with their distance; proofs (a search that no
//! evaluation entered is `proven`, whatever the result). Does not handle: chance, hidden information,
//! simultaneous moves, more than two seats.
//!
//! Memory: the table (12 bytes and a move per entry) and some kilobytes for [`MAX_PLY`] plies, all
//! allocated by [`AlphaBeta::new`]; a search allocates nothing as long as no position has more moves
//! than announced. Values are `i32` for the side to move; [`WIN`] less one per ply is a win.
//! Beyond a deadline, given a core to itself: median 4 µs, 99 % 12 µs (`cargo bench --bench deadline`; tree search 2
//! and 5, beam below 1).
//!
//! Worth in Elo (95 % intervals, equal time, connect four / wondev's league 0 with its evaluation; `cargo bench --bench
//! techniques -- connect4 800 NAME…`, `-- wondev 400 NAME…`): against the tree search +41 (+19 to +64) / +1040; twice
//! the nodes +70 (+49 to +92) / +123 (+92 to +157); table +81 (+60 to +102) / +83 (+50 to +117); more at [`Params`].
//! Wondev's own search, that of its bot, beats this one by +222 (+185 to +265).
//! Runs at the machine's level from a plain build ([`crate::kit::cpu`]): the game's methods must be
//! `#[inline(always)]`, and every ply enters again through [`Level::enter`].

use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::search::tt::{Bound, Table, COMPLETE};

/// Value of a win at once. A win after `n` plies is `WIN - n`. Evaluations stay below [`WON`] in size.
pub const WIN: i32 = 1_000_000;
/// Values of at least this are won for certain, at most `-WON` lost for certain.
pub const WON: i32 = WIN - 1_000;
/// Plies that a search can look ahead.
pub const MAX_PLY: usize = 96;

/// A two-seat game as alpha-beta needs it. Everything hot is `#[inline(always)]`.
pub trait Position {
    /// A move; `Default` is a filler that is never played.
    type Move: Copy + Eq + Default + core::fmt::Debug;
    /// What [`Position::undo`] needs: a few saved fields, or the whole old state for a game that copies.
    type Undo;
    /// Size of the history table: [`Position::index`] stays below it. 0 for no history.
    const MOVES: usize = 0;

    /// The seat that chooses now, 0 or 1.
    fn mover(&self) -> usize;

    /// The game is over: its result for the side to move, [`WIN`], `-WIN`, or any value below [`WON`] in
    /// size (0 for a draw, a difference of points). Asked before the moves.
    fn result<L: Level>(&self) -> Option<i32>;

    /// Appends the legal moves, at least one where there is no result. `out` comes empty.
    fn moves<L: Level>(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move) -> Self::Undo;

    /// Takes back the move that returned `undo`.
    fn undo(&mut self, m: Self::Move, undo: Self::Undo);

    /// 64 well-mixed bits, equal for equal positions (the mover is part of the position).
    fn hash(&self) -> u64;

    /// What the position is worth to the side to move; below [`WON`] in size.
    fn evaluate<L: Level>(&self) -> i32;

    /// A first guess at how good a move is: larger is tried earlier. Sizes below 2^20; the history adds
    /// up to 2^14 either way.
    #[inline(always)]
    fn order(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// The move's row in the history table.
    #[inline(always)]
    fn index(&self, m: Self::Move) -> usize {
        let _ = m;
        0
    }

    /// False where the evaluation cannot be trusted: the search goes on, at most
    /// [`Params::extension`] plies beyond its depth.
    #[inline(always)]
    fn quiet<L: Level>(&self) -> bool {
        true
    }
}

/// Numbers of the search itself.
#[derive(Clone, Debug)]
pub struct Params {
    /// Half width of the window around the last value, in units of the evaluation, which are the game's; 0 for full
    /// windows. 40: +23 (+5 to +40) / +53 (+20 to +86).
    pub aspiration: i32,
    /// Moves after this many are searched one ply less first (two less after four times as many), from
    /// depth 3 on; 0 for no reductions. 4: -22 (-42 to -3) / +60 (+26 to +94), for games of many moves.
    pub reduce_after: usize,
    /// The last two moves that cut at the same ply are tried early: -14 (-34 to +6) / +16 (-16 to +47).
    pub killers: bool,
    /// Moves are tried in the order of their past cuts, where the game has [`Position::MOVES`]: +10 (-12 to +32) /
    /// +54 (+19 to +91).
    pub history: bool,
    /// Plies beyond the depth where positions are not quiet.
    pub extension: i32,
    /// A position with a single move costs no depth.
    pub extend_forced: bool,
    /// First depth of the deepening, in plies. [`MAX_PLY`] searches for the exact result at once.
    pub first_depth: usize,
    /// Last depth, in plies.
    pub last_depth: usize,
    /// Nodes between two looks at the clock, less one; a power of two less one.
    pub poll: u64,
}

impl Params {
    /// Sensible for a game with some tens of moves.
    pub const DEFAULT: Self = Self {
        aspiration: 0,
        reduce_after: 4,
        killers: false,
        history: true,
        extension: 0,
        extend_forced: true,
        first_depth: 1,
        last_depth: MAX_PLY,
        poll: 127,
    };

    /// The exact endgame: nothing reduced, searched to the end of the game at once.
    pub const EXACT: Self = Self {
        aspiration: 0,
        reduce_after: 0,
        first_depth: MAX_PLY,
        ..Self::DEFAULT
    };
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move; `None` only where the game is over.
    pub best: Option<M>,
    /// Its value for the side to move.
    pub value: i32,
    /// Plies of the last iteration that was finished.
    pub depth: usize,
    /// Positions visited.
    pub nodes: u64,
    /// No evaluation had a part in the value: move and value are those of perfect play.
    pub proven: bool,
}

/// A value, and whether it stands without any evaluation.
#[derive(Clone, Copy)]
struct Value {
    score: i32,
    complete: bool,
}

/// The search: tables and buffers, reused from move to move.
pub struct AlphaBeta<P: Position> {
    /// May be changed between searches.
    pub params: Params,
    table: Table<P::Move>,
    killers: Vec<[P::Move; 2]>,
    history: [Vec<i32>; 2],
    scratch: Vec<P::Move>,
    stack: Vec<(i32, P::Move)>,
    lines: Vec<P::Move>,
    lengths: [usize; MAX_PLY + 1],
    nodes: u64,
    limit: Limit,
    stopped: bool,
}

impl<P: Position> AlphaBeta<P> {
    /// Buffers for `entries` table entries (16 bytes each for a small move) and positions of up to
    /// `widest` moves.
    pub fn new(params: Params, entries: usize, widest: usize) -> Self {
        let none = P::Move::default();
        Self {
            params,
            table: Table::new(entries),
            killers: vec![[none; 2]; MAX_PLY + 1],
            history: [vec![0; P::MOVES], vec![0; P::MOVES]],
            scratch: Vec::with_capacity(widest),
            stack: Vec::with_capacity(widest * MAX_PLY),
            lines: vec![none; (MAX_PLY + 1) * (MAX_PLY + 1)],
            lengths: [0; MAX_PLY + 1],
            nodes: 0,
            limit: Limit::work(0),
            stopped: false,
        }
    }

    /// Forgets all earlier searches, so that the next answer depends on the position and limit alone.
    pub fn clear(&mut self) {
        self.table.clear();
        for side in &mut self.history {
            side.fill(0);
        }
    }

    /// The line of play behind the last answer, best move first.
    pub fn line(&self) -> &[P::Move] {
        &self.lines[..self.lengths[0]]
    }

    /// Searches until the limit, the last depth, or a proof. Always finds a legal move if there is one,
    /// however small the limit.
    pub fn search(&mut self, position: &mut P, limit: Limit) -> Found<P::Move> {
        self.limit = limit;
        self.nodes = 0;
        self.stopped = false;
        self.table.grow_older();
        for pair in &mut self.killers {
            *pair = [P::Move::default(); 2];
        }
        for side in &mut self.history {
            for h in side {
                *h /= 4;
            }
        }
        self.lengths[0] = 0;
        cpu::run(Deepen {
            search: self,
            position,
        })
    }

    /// Depth after depth. `line()` always belongs to the returned move.
    #[inline(always)]
    fn deepen<L: Level>(&mut self, position: &mut P) -> Found<P::Move> {
        let mut found = Found {
            best: None,
            value: position.result::<L>().unwrap_or(0),
            depth: 0,
            nodes: 0,
            proven: true,
        };
        if position.result::<L>().is_some() {
            return found;
        }
        self.scratch.clear();
        position.moves::<L>(&mut self.scratch);
        found.proven = false;
        found.best = self.scratch.first().copied();
        let Some(first) = found.best else { return found };
        self.lines[0] = first;
        self.lengths[0] = 1;
        let last = self.params.last_depth.min(MAX_PLY);
        let mut depth = self.params.first_depth.clamp(1, last.max(1));
        while depth <= last {
            let value = self.aspire::<L>(position, depth as i32, found.value, found.depth > 0);
            if self.lengths[0] > 0 {
                found.best = Some(self.lines[0]);
            }
            if self.stopped {
                break;
            }
            found.value = value.score;
            found.depth = depth;
            found.proven = value.complete || value.score.abs() >= WON;
            if found.proven {
                break;
            }
            depth += 1;
        }
        found.nodes = self.nodes;
        found
    }

    /// One depth, with a window around the last value that opens on failure.
    #[inline(always)]
    fn aspire<L: Level>(&mut self, position: &mut P, depth: i32, last: i32, known: bool) -> Value {
        let (mut alpha, mut beta) = (-WIN, WIN);
        let mut half = self.params.aspiration;
        if half > 0 && known && last.abs() < WON {
            (alpha, beta) = (last - half, last + half);
        }
        loop {
            let value = self.node::<L>(position, depth, 0, alpha, beta);
            if self.stopped || (value.score > alpha && value.score < beta) || (alpha <= -WIN && beta >= WIN) {
                return value;
            }
            half = half.saturating_mul(4);
            if value.score <= alpha {
                alpha = (alpha - half).max(-WIN);
            } else {
                beta = (beta + half).min(WIN);
            }
            if half > WON / 4 {
                (alpha, beta) = (-WIN, WIN);
            }
        }
    }

    /// Enters one node at this level's instruction set.
    #[inline(always)]
    fn node<L: Level>(&mut self, position: &mut P, depth: i32, ply: usize, alpha: i32, beta: i32) -> Value {
        L::enter(Node {
            search: self,
            position,
            depth,
            ply,
            alpha,
            beta,
        })
    }

    /// The child after `m`, from the side to move of its parent.
    #[inline(always)]
    fn child<L: Level>(
        &mut self,
        position: &mut P,
        m: P::Move,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Value {
        let mover = position.mover();
        let undo = position.play(m);
        let value = if position.mover() == mover {
            self.node::<L>(position, depth, ply + 1, alpha, beta)
        } else {
            let value = self.node::<L>(position, depth, ply + 1, -beta, -alpha);
            Value {
                score: -value.score,
                ..value
            }
        };
        position.undo(m, undo);
        value
    }

    /// Counts the node and looks at the limit now and then.
    #[inline(always)]
    fn out_of_time(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.limit.work
            || (self.nodes & self.params.poll == 0 && self.limit.reached(self.nodes))
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// Puts the moves on the stack with their order values; returns where they begin.
    #[inline(always)]
    fn generate<L: Level>(&mut self, position: &P, ply: usize, hash_move: Option<P::Move>) -> usize {
        let base = self.stack.len();
        self.scratch.clear();
        position.moves::<L>(&mut self.scratch);
        let [first, second] = self.killers[ply];
        for &m in &self.scratch {
            let mut order = position.order(m);
            if P::MOVES > 0 && self.params.history {
                order += self.history[position.mover()][position.index(m)];
            }
            if hash_move == Some(m) {
                order = i32::MAX;
            } else if self.params.killers && m == first {
                order += 1 << 22;
            } else if self.params.killers && m == second {
                order += 1 << 21;
            }
            self.stack.push((order, m));
        }
        base
    }

    /// A cutoff by `m`: killers and history learn it, and the moves tried before it lose.
    #[inline(always)]
    fn reward(&mut self, position: &P, base: usize, tried: usize, depth: i32, ply: usize) {
        let m = self.stack[base + tried].1;
        if self.killers[ply][0] != m {
            self.killers[ply][1] = self.killers[ply][0];
            self.killers[ply][0] = m;
        }
        if P::MOVES > 0 {
            let bonus = (depth * depth).min(400);
            let side = &mut self.history[position.mover()];
            for (i, &(_, m)) in self.stack[base..=base + tried].iter().enumerate() {
                let h = &mut side[position.index(m)];
                // Gravity keeps |h| within 2^14.
                let push = if i == tried { bonus } else { -bonus };
                *h += push * 32 - *h * bonus / 512;
            }
        }
    }

    #[inline(always)]
    fn keep_line(&mut self, ply: usize, m: P::Move) {
        const ROW: usize = MAX_PLY + 1;
        let length = if ply < MAX_PLY { self.lengths[ply + 1] } else { 0 };
        self.lines[ply * ROW] = m;
        self.lines
            .copy_within((ply + 1) * ROW..(ply + 1) * ROW + length, ply * ROW + 1);
        self.lengths[ply] = length + 1;
    }

    #[inline(always)]
    fn visit<L: Level>(
        &mut self,
        position: &mut P,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Value {
        let stop = Value {
            score: 0,
            complete: false,
        };
        if ply > 0 {
            self.lengths[ply] = 0;
        }
        if self.out_of_time() {
            return stop;
        }
        if let Some(score) = position.result::<L>() {
            return Value {
                score: away(score, ply),
                complete: true,
            };
        }
        let deep_enough = depth <= 0 && (depth <= -self.params.extension || position.quiet::<L>());
        if deep_enough || ply + 1 >= MAX_PLY {
            return Value {
                score: position.evaluate::<L>(),
                complete: false,
            };
        }
        let hash = position.hash();
        let mut hash_move = None;
        if let Some(entry) = self.table.get(hash) {
            hash_move = Some(entry.best);
            if ply > 0 && i32::from(entry.depth) >= depth {
                let score = away(entry.value, ply);
                let cuts = match entry.bound() {
                    Bound::Exact => true,
                    Bound::Lower => score >= beta,
                    Bound::Upper => score <= alpha,
                    Bound::None => false,
                };
                if cuts {
                    let complete = entry.depth == COMPLETE;
                    return Value { score, complete };
                }
            }
        }
        let base = self.generate::<L>(position, ply, hash_move);
        let count = self.stack.len() - base;
        let below = if count == 1 && self.params.extend_forced {
            depth
        } else {
            depth - 1
        };
        let floor = alpha;
        let mut best = Value {
            score: -i32::MAX,
            complete: true,
        };
        let mut best_move = P::Move::default();
        let mut all_complete = true;
        for i in 0..count {
            pick(&mut self.stack[base..], i);
            let m = self.stack[base + i].1;
            let value = if i == 0 {
                self.child::<L>(position, m, below, ply, alpha, beta)
            } else {
                let after = self.params.reduce_after;
                let less = if after > 0 && depth >= 3 {
                    i32::from(i >= after) + i32::from(i >= 4 * after)
                } else {
                    0
                };
                let mut value = self.child::<L>(position, m, below - less, ply, alpha, alpha + 1);
                if less > 0 && value.score > alpha && !self.stopped {
                    value = self.child::<L>(position, m, below, ply, alpha, alpha + 1);
                }
                if value.score > alpha && value.score < beta && !self.stopped {
                    value = self.child::<L>(position, m, below, ply, alpha, beta);
                }
                value
            };
            if self.stopped {
                self.stack.truncate(base);
                return stop;
            }
            all_complete &= value.complete;
            if value.score > best.score {
                best = value;
                best_move = m;
                if value.score > alpha {
                    alpha = value.score;
                    self.keep_line(ply, m);
                    if alpha >= beta {
                        self.reward(position, base, i, depth.max(1), ply);
                        break;
                    }
                }
            }
        }
        self.stack.truncate(base);
        let bound = if best.score >= beta {
            Bound::Lower
        } else if best.score > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // A move good enough needs no look at the others; a bound from above needs all of them. A win
        // counts as complete as soon as one is found: which of several wins is shortest is left open.
        let certain =
            (best.score >= WON && bound != Bound::Upper) || (best.score <= -WON && bound != Bound::Lower);
        let complete = certain
            || if bound == Bound::Lower {
                best.complete
            } else {
                all_complete
            };
        let depth = if complete {
            COMPLETE
        } else {
            depth.clamp(0, MAX_PLY as i32) as u8
        };
        self.table
            .put(hash, depth, bound, home(best.score, ply), best_move);
        Value { complete, ..best }
    }
}

/// Brings the best of `moves[i..]` to place `i`.
#[inline(always)]
fn pick<M: Copy>(moves: &mut [(i32, M)], i: usize) {
    let mut best = i;
    for j in i + 1..moves.len() {
        if moves[j].0 > moves[best].0 {
            best = j;
        }
    }
    moves.swap(i, best);
}

/// A value at a node `ply` plies below the root, as the root counts: a win is further away.
#[inline(always)]
fn away(score: i32, ply: usize) -> i32 {
    if score >= WON {
        score - ply as i32
    } else if score <= -WON {
        score + ply as i32
    } else {
        score
    }
}

/// The inverse of [`away`]: as the node itself counts.
#[inline(always)]
fn home(score: i32, ply: usize) -> i32 {
    if score >= WON {
        score + ply as i32
    } else if score <= -WON {
        score - ply as i32
    } else {
        score
    }
}

/// The whole search as a kernel.
struct Deepen<'a, P: Position> {
    search: &'a mut AlphaBeta<P>,
    position: &'a mut P,
}

impl<P: Position> Kernel for Deepen<'_, P> {
    type Out = Found<P::Move>;
    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        self.search.deepen::<L>(self.position)
    }
}

/// One node as a kernel: recursion enters the level again.
struct Node<'a, P: Position> {
    search: &'a mut AlphaBeta<P>,
    position: &'a mut P,
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
}

impl<P: Position> Kernel for Node<'_, P> {
    type Out = Value;
    #[inline(always)]
    fn run<L: Level>(self) -> Value {
        self.search
            .visit::<L>(self.position, self.depth, self.ply, self.alpha, self.beta)
    }
}
