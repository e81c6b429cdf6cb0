//! A slime position as the alpha-beta family sees it: the bot's network at the leaves, its tables for the order and
//! choice of moves, best ones only.

use fifty::games::slime::board::Board;
use fifty::games::slime::moves::Move;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::state::{SEATS, State};
use fifty::games::slime::eval::Net;
use std::sync::{Arc, Mutex, PoisonError};

/// Moves kept below the root.
const WIDTH: usize = 12;
/// Moves kept at the root.
pub const ROOT_WIDTH: usize = 48;
/// The rivals expect everybody to plan.
const NOBODY_WEAK: [f32; SEATS] = [0.0; SEATS];

/// What all positions of a search share.
pub struct Opinions {
    net: Net,
    prior: Mutex<Prior>,
}

impl Opinions {
    /// The bot's.
    pub fn learned() -> Arc<Self> {
        let [.., net] = Net::learned();
        Arc::new(Self {
            net,
            prior: Mutex::new(Prior::learned(WIDTH)),
        })
    }
}

/// A position with its opinions.
#[derive(Clone)]
pub struct View {
    /// The squares.
    pub board: Board<SEATS>,
    /// The seat on turn.
    pub seat: usize,
    /// More moves are looked at here.
    pub root: bool,
    opinions: Arc<Opinions>,
}

impl View {
    /// Of the seat on turn of a game that is not over, at the root of a search.
    pub fn new(state: &State, opinions: Arc<Opinions>) -> Self {
        Self {
            board: *state.board(),
            seat: state.seat(),
            root: true,
            opinions,
        }
    }

    /// The game is over: shares of the squares.
    pub fn result(&self) -> Option<[f32; SEATS]> {
        (self.board.empty == 0).then(|| {
            let all = self.board.all().count_ones() as f32;
            self.board.counts().map(|n| n as f32 / all)
        })
    }

    /// Appends the moves looked at, best first.
    pub fn moves(&self, out: &mut Vec<Move>) {
        let width = if self.root { ROOT_WIDTH } else { WIDTH };
        let mut prior = self.opinions.prior.lock().unwrap_or_else(PoisonError::into_inner);
        out.extend(prior.best(&self.board, self.seat, width).iter().map(|&(_, m)| m));
    }

    /// Plays the move of the seat on turn.
    pub fn play(&mut self, m: Move) {
        self.board.play(self.seat, m);
        self.skip();
    }

    /// The turn goes to the next seat that has squares.
    pub fn skip(&mut self) {
        self.root = false;
        for _ in 0..SEATS {
            self.seat = (self.seat + 1) % SEATS;
            if self.board.own[self.seat] != 0 {
                return;
            }
        }
    }

    /// The network's shares.
    pub fn evaluate(&self) -> [f32; SEATS] {
        self.opinions.net.shares(&self.board, self.seat, &NOBODY_WEAK)
    }
}

/// A position of a board of `size` rows after `turns` random moves, for tests.
#[cfg(test)]
pub fn position(size: u32, turns: usize, rng: &mut fifty::kit::rng::Rng) -> View {
    let state = State::drawn(size, turns, rng);
    View {
        board: *state.board(),
        seat: state.seat(),
        root: true,
        opinions: Opinions::learned(),
    }
}
