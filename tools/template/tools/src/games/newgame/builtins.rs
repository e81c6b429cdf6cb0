//! Simple opponents: `random`, and `greedy` (wins if it can, else keeps the other from it, else the middle).

use crate::adapter::Player;
use fifty::games::newgame::protocol;
use fifty::games::newgame::state::{Cell, SIZE, State, aligned};
use fifty::kit::rng::Rng;
use fifty::search::game::Game;

/// Which of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any legal move.
    Random,
    /// The best by one ply.
    Greedy,
}

/// A builtin opponent.
pub struct Builtin {
    kind: Kind,
    state: State,
    rng: Rng,
}

impl Builtin {
    /// A player whose choices depend on `seed`.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self {
            kind,
            state: State::default(),
            rng: Rng::new(seed),
        }
    }

    /// Worth of a move to the seat on turn.
    fn worth(&self, cell: Cell) -> u32 {
        let me = self.state.seat();
        let fours = [me, 1 - me].map(|seat| aligned(self.state.stones[seat] | cell.bit()));
        // Twice the distance from the middle, of which there is none between two columns.
        let off = |x: u8| u32::from((2 * x + 1).abs_diff(SIZE));
        100 * u32::from(fours[0]) + 50 * u32::from(fours[1]) + 20 - off(cell.x()) - off(cell.y())
    }
}

impl Player for Builtin {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        if protocol::read(send, &mut self.state).is_err() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.state.moves(self.state.seat(), &mut moves);
        if self.kind == Kind::Greedy {
            let best = moves.iter().map(|&cell| self.worth(cell)).max();
            moves.retain(|&cell| Some(self.worth(cell)) == best);
        }
        if moves.is_empty() {
            return Vec::new();
        }
        let cell = moves[self.rng.below(moves.len() as u32) as usize];
        self.state.play(cell);
        (protocol::text(cell) + "\n").into_bytes()
    }
}
