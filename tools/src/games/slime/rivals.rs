//! The alpha-beta family for four players: what the tree search is measured against. The searches of
//! [`super::family`] with the bot's network at the leaves and its tables for the order and choice of
//! moves, best ones only.

use super::family::{Family, Others};
use fifty::games::slime::board::Board;
use fifty::games::slime::moves::Move;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::state::{SEATS, State};
use fifty::games::slime::value::Net;
use fifty::kit::clock::Limit;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// For one answer unless the name says otherwise: what the bot takes.
const THINK: Duration = Duration::from_millis(80);
/// Moves kept below the root.
const WIDTH: usize = 12;
/// Moves kept at the root.
pub const ROOT_WIDTH: usize = 48;
/// The rivals expect everybody to plan.
const NOBODY_WEAK: [f32; SEATS] = [0.0; SEATS];

/// The names: each alone, or with the milliseconds of an answer, as `paranoid-5ms`.
const NAMES: [(&str, Others); 3] = [
    ("maxn", Others::Themselves),
    ("paranoid", Others::Paranoid),
    ("best-reply", Others::BestReply),
];

/// What all positions of a search share.
struct Opinions {
    net: Net,
    prior: Mutex<Prior>,
}

impl Opinions {
    /// The bot's.
    fn learned() -> Arc<Self> {
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

/// A search of the family.
pub struct Rival {
    search: Family,
    opinions: Arc<Opinions>,
    think: Duration,
}

impl Rival {
    /// By name; a rival has no memory between moves.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find_map(|&(kin, others)| {
            let think = match name.strip_prefix(kin)? {
                "" => THINK,
                rest => Duration::from_millis(rest.strip_prefix('-')?.strip_suffix("ms")?.parse().ok()?),
            };
            Some(Self {
                search: Family::new(others, ROOT_WIDTH),
                opinions: Opinions::learned(),
                think,
            })
        })
    }

    /// The move of the seat on turn of a game that is not over.
    pub fn best(&mut self, state: &State) -> Move {
        let view = View {
            board: *state.board(),
            seat: state.seat(),
            root: true,
            opinions: self.opinions.clone(),
        };
        let found = self.search.search(&view, Limit::after(self.think));
        found.best.unwrap_or(Move::PASS)
    }
}

/// A position of a board of `size` rows after `turns` random moves, for tests.
#[cfg(test)]
pub fn position(size: u32, turns: usize, rng: &mut fifty::kit::rng::Rng) -> View {
    let mut state = State::start(size);
    for _ in 0..turns {
        let mut moves = Vec::new();
        state.board().useful_moves(state.seat(), &mut moves);
        let n = rng.below(moves.len().max(1) as u32) as usize;
        state.play(moves.get(n).copied().unwrap_or(Move::PASS));
    }
    View {
        board: *state.board(),
        seat: state.seat(),
        root: true,
        opinions: Opinions::learned(),
    }
}
