//! Opponents that need no program: random, two greedies, and a 5-ply alpha-beta on frozen hands.
//!
//! Plain code over [`Board`]; nothing of the bot's own search is used here, so beating them says
//! something.

use fifty::games::connexion::board::Board;
use fifty::games::connexion::cells::Cell;
use fifty::games::connexion::protocol::{Tracker, Wants};
use fifty::games::connexion::state::{Move, State};
use fifty::games::connexion::tiles::{Kind, Tiles};
use fifty::kit::agent::{Agent, read_line};
use fifty::kit::bits::Bits;
use fifty::kit::rng::Rng;
use std::io::{self, BufRead, Write};

/// How a builtin chooses.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Any legal move.
    Random(Rng),
    /// Best own score after the placement: the organisers' sample.
    Greedy,
    /// Best own score less the opponent's.
    Margin,
    /// Alpha-beta to this depth with a best-reply leaf: moves kept at the root and inside.
    AlphaBeta(u32, usize, usize),
}

/// A builtin as a bot.
#[derive(Clone, Debug)]
pub struct Builtin {
    tracker: Tracker,
    /// Own tiles in order of arrival, which decides ties.
    hand: Vec<Kind>,
    policy: Policy,
}

impl Builtin {
    /// A bot that has read nothing yet.
    pub fn new(policy: Policy) -> Self {
        Self {
            tracker: Tracker::default(),
            hand: Vec::new(),
            policy,
        }
    }

    /// Takes a placement for its own.
    pub fn put(&mut self, mv: Move) {
        self.tracker.put(mv);
        if let Some(at) = self.hand.iter().position(|&kind| kind == mv.kind) {
            self.hand.remove(at);
        }
    }

    fn choose(&mut self) -> Option<Move> {
        let (state, seat) = (&self.tracker.state, self.tracker.seat);
        match &mut self.policy {
            Policy::Random(rng) => {
                let moves: Vec<Move> = state.legal(seat).collect();
                (!moves.is_empty()).then(|| moves[rng.below(moves.len() as u32) as usize])
            }
            Policy::Greedy => best(state, &self.hand, |cell, kind| {
                i32::from(state.board.gain(seat, kind.class(seat), cell))
            }),
            Policy::Margin => best(state, &self.hand, |cell, kind| {
                margin(&state.board, seat, cell, kind)
            }),
            Policy::AlphaBeta(depth, root, inner) => {
                let mut search = Frozen {
                    board: state.board.clone(),
                    hands: state.hands,
                    inner: *inner,
                };
                search.root(seat, *depth, *root)
            }
        }
    }
}

/// What seat `seat` gains less what its opponent gains by a placement.
pub fn margin(board: &Board, seat: usize, cell: Cell, kind: Kind) -> i32 {
    let gain = |graph: usize| i32::from(board.gain(graph, kind.class(graph), cell));
    gain(seat) - gain(1 - seat)
}

/// Tiles in order of arrival outside, cells inside, strictly better wins.
pub fn best(state: &State, hand: &[Kind], value: impl Fn(Cell, Kind) -> i32) -> Option<Move> {
    let mut found: Option<(i32, Move)> = None;
    for &kind in hand {
        for cell in Bits(state.board.empty()).map(|c| Cell(c as u8)) {
            let v = value(cell, kind);
            if found.is_none_or(|(old, _)| v > old) {
                found = Some((v, Move { cell, kind }));
            }
        }
    }
    found.map(|(_, mv)| mv)
}

/// Alpha-beta that forgets the draws.
pub struct Frozen {
    /// Placed tiles.
    pub board: Board,
    /// Both hands.
    pub hands: [Tiles; 2],
    /// Moves kept below the root.
    pub inner: usize,
}

impl Frozen {
    /// The mover's best moves by margin, best first, `keep` of them.
    fn moves(&self, seat: usize, keep: usize) -> Vec<(i32, Move)> {
        let mut out = Vec::with_capacity(64 * 5);
        for kind in self.hands[seat].kinds() {
            for cell in Bits(self.board.empty()).map(|c| Cell(c as u8)) {
                out.push((margin(&self.board, seat, cell, kind), Move { cell, kind }));
            }
        }
        out.sort_by_key(|&(v, _)| -v);
        out.truncate(keep);
        out
    }

    /// Margin for the side to move after its best single placement.
    fn leaf(&self, seat: usize) -> i32 {
        let now = if seat == 0 {
            self.board.margin()
        } else {
            -self.board.margin()
        };
        let reply = self.hands[seat].kinds().flat_map(|kind| {
            Bits(self.board.empty()).map(move |c| margin(&self.board, seat, Cell(c as u8), kind))
        });
        now + reply.max().unwrap_or(0)
    }

    fn after<T>(&mut self, seat: usize, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        let undo = self.board.place(mv.cell, mv.kind);
        self.hands[seat].remove(mv.kind);
        let out = then(self);
        self.hands[seat].add(mv.kind);
        self.board.take_back(mv.cell, mv.kind, undo);
        out
    }

    fn search(&mut self, seat: usize, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 || self.hands[seat].is_empty() || self.board.empty() == 0 {
            return self.leaf(seat);
        }
        for (_, mv) in self.moves(seat, self.inner) {
            let v = self.after(seat, mv, |s| -s.search(1 - seat, depth - 1, -beta, -alpha));
            alpha = alpha.max(v);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// The best move of `keep` at the root, looking `depth` plies ahead.
    pub fn root(&mut self, seat: usize, depth: u32, keep: usize) -> Option<Move> {
        let (mut alpha, mut found) = (-100_000, None);
        for (_, mv) in self.moves(seat, keep) {
            let v = self.after(seat, mv, |s| -s.search(1 - seat, depth - 1, -100_000, -alpha));
            if v > alpha {
                (alpha, found) = (v, Some(mv));
            }
        }
        found
    }
}

impl Agent for Builtin {
    fn turn(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<bool> {
        let mut line = String::new();
        if !read_line(input, &mut line)? {
            return Ok(false);
        }
        let wants = self.tracker.line(&line).unwrap_or_else(|(error, wants)| {
            eprintln!("{error}");
            wants
        });
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("INIT") => self.hand = words.take(5).filter_map(Kind::parse).collect(),
            Some("GET") => self.hand.extend(words.next().and_then(Kind::parse)),
            _ => {}
        }
        match wants {
            Wants::Nothing => {}
            Wants::Ready => writeln!(out, "OK")?,
            Wants::Exit => return Ok(false),
            Wants::Put(..) => match self.choose() {
                Some(mv) => {
                    self.put(mv);
                    writeln!(out, "PUT {mv}")?;
                }
                None => writeln!(out, "PUT a1+ R1")?,
            },
        }
        Ok(true)
    }
}
