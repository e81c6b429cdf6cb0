//! The alpha-beta family for four players, at the bot's own clock: what the tree search is measured
//! against. Same network for leaves, same tables for the order and choice of moves.
//!
//! - max^n: everybody maximises its own share; a node is cut once its mover has what the parent's mover
//!   leaves over.
//! - paranoid: the three others together minimise mine; full alpha-beta.
//! - best-reply: after my move only the one reply that hurts me most is played, then I move again.

use fifty::games::slime::board::Board;
use fifty::games::slime::moves::Move;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::state::{SEATS, State};
use fifty::games::slime::value::Net;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::{Kernel, Level, run};
use std::time::Duration;

/// For one answer: what the bot takes.
const THINK: Duration = Duration::from_millis(86);
/// Moves kept below the root.
const WIDTH: usize = 12;
/// Moves kept at the root.
const ROOT_WIDTH: usize = 48;
/// The rivals expect everybody to plan.
const NOBODY_WEAK: [f32; SEATS] = [0.0; SEATS];
/// Deepest iteration.
const DEEPEST: u32 = 24;

/// Which member of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// Everybody for itself.
    MaxN,
    /// All against me.
    Paranoid,
    /// The worst single reply.
    BestReply,
}

/// A search of the family.
pub struct Rival {
    kin: Kin,
    net: Net,
    prior: Prior,
    limit: Limit,
    nodes: u64,
    out_of_time: bool,
    me: usize,
}

impl Rival {
    /// A rival without memory between moves.
    pub fn new(kin: Kin) -> Self {
        Self {
            kin,
            net: Net::learned(),
            prior: Prior::learned(WIDTH),
            limit: Limit::work(0),
            nodes: 0,
            out_of_time: false,
            me: 0,
        }
    }

    /// The move of the seat on turn of a game that is not over.
    pub fn best(&mut self, state: &State) -> Move {
        self.limit = Limit::after(THINK);
        self.nodes = 0;
        self.out_of_time = false;
        self.me = state.seat();
        let board = *state.board();
        let mut moves: Vec<Move> = self.moves(&board, self.me, ROOT_WIDTH);
        for depth in 0..DEEPEST {
            let mut best = (f32::MIN, 0);
            for (i, &m) in moves.iter().enumerate() {
                let mut next = board;
                next.play(self.me, m);
                let value = run(Visit {
                    rival: self,
                    board: next,
                    seat: (state.seat() + 1) % SEATS,
                    depth,
                    low: best.0,
                    high: f32::MAX,
                })[state.seat()];
                if self.out_of_time {
                    break;
                }
                if value > best.0 {
                    best = (value, i);
                }
            }
            // What an unfinished iteration found after the first move is still an improvement.
            moves[..=best.1].rotate_right(1);
            if self.out_of_time {
                break;
            }
        }
        moves[0]
    }

    fn moves(&mut self, board: &Board<SEATS>, seat: usize, width: usize) -> Vec<Move> {
        self.prior
            .best(board, seat, width)
            .iter()
            .map(|&(_, m)| m)
            .collect()
    }

    fn stop(&mut self) -> bool {
        self.nodes += 1;
        self.out_of_time |= self.nodes % 64 == 0 && self.limit.reached(self.nodes);
        self.out_of_time
    }
}

/// One node: values per seat, exact for max^n, of my seat only for the other two. `low` and `high` bound
/// my value (for max^n: `low` is what the parent's mover has already).
struct Visit<'a> {
    rival: &'a mut Rival,
    board: Board<SEATS>,
    seat: usize,
    depth: u32,
    low: f32,
    high: f32,
}

impl Kernel for Visit<'_> {
    type Out = [f32; SEATS];

    #[inline(always)]
    fn run<L: Level>(self) -> [f32; SEATS] {
        let Self {
            rival,
            board,
            seat,
            depth,
            mut low,
            mut high,
        } = self;
        if board.empty == 0 {
            let all = board.all().count_ones() as f32;
            return board.counts().map(|n| n as f32 / all);
        }
        if depth == 0 || rival.stop() {
            return rival.net.shares(&board, seat, &NOBODY_WEAK);
        }
        let me = rival.me;
        let mine = seat == me;
        let replies = rival.kin == Kin::BestReply && !mine;
        let movers: Vec<usize> = if replies {
            (0..SEATS).filter(|&s| s != me && board.own[s] != 0).collect()
        } else {
            vec![seat]
        };
        let max = mine || rival.kin == Kin::MaxN;
        let mut best: Option<[f32; SEATS]> = None;
        for mover in movers {
            for m in rival.moves(&board, mover, WIDTH) {
                let mut next = board;
                next.play(mover, m);
                let after = if replies { me } else { (seat + 1) % SEATS };
                let bounds = if rival.kin == Kin::MaxN {
                    (best.map_or(f32::MIN, |b| b[seat]), f32::MAX)
                } else {
                    (low, high)
                };
                let value = L::enter(Visit {
                    rival: &mut *rival,
                    board: next,
                    seat: after,
                    depth: depth - 1,
                    low: bounds.0,
                    high: bounds.1,
                });
                let judge = if rival.kin == Kin::MaxN { seat } else { me };
                let better = |b: [f32; SEATS]| {
                    if max {
                        value[judge] > b[judge]
                    } else {
                        value[judge] < b[judge]
                    }
                };
                if best.is_none_or(better) {
                    best = Some(value);
                }
                if rival.kin == Kin::MaxN {
                    // Shallow pruning: the parent's mover cannot get more than what is left.
                    if best.is_some_and(|b| 1.0 - b[seat] <= low) {
                        break;
                    }
                } else {
                    if max {
                        low = low.max(value[me]);
                    } else {
                        high = high.min(value[me]);
                    }
                    if low >= high {
                        break;
                    }
                }
            }
        }
        best.unwrap_or_else(|| rival.net.shares(&board, seat, &NOBODY_WEAK))
    }
}
