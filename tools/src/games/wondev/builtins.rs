//! Simple opponents: `random` and `greedy` (one ply, no search, no library evaluation).

use crate::adapter::Player;
use fifty::games::wondev::board::{NEAR, Sq};
use fifty::games::wondev::protocol::{Reader, View};
use fifty::games::wondev::state::{League, Move, State};
use fifty::kit::rng::Rng;

/// Which of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any legal action.
    Random,
    /// The best position after one own action.
    Greedy,
}

/// A builtin opponent.
pub struct Builtin {
    kind: Kind,
    reader: Reader,
    rng: Rng,
}

impl Builtin {
    /// A player whose choices depend on `seed`.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self {
            kind,
            reader: Reader::default(),
            rng: Rng::new(seed),
        }
    }

    fn choose(&mut self, view: &View) -> String {
        let Some(n) = u32::try_from(view.actions.len()).ok().filter(|&n| n > 0) else {
            return "ACCEPT-DEFEAT".to_owned();
        };
        if self.kind == Kind::Random {
            return view.actions[self.rng.below(n) as usize].0.clone();
        }
        let state = view.state(League::Fog);
        let mut best = (i64::MIN, 0);
        for (i, (_, m)) in view.actions.iter().enumerate() {
            let worth = worth(&state, *m) * 64 + i64::from(self.rng.below(64));
            if worth > best.0 {
                best = (worth, i);
            }
        }
        view.actions[best.1].0.clone()
    }
}

/// Cells of height 3 that a player's units could step onto.
fn climbs(state: &State, player: usize) -> u32 {
    let top = state.level(2) & !state.level(3) & !state.mask(0) & !state.mask(1);
    state
        .units(player)
        .into_iter()
        .filter(|&sq| sq != Sq::NONE && state.height(sq) >= 2)
        .map(|sq| (NEAR[sq.index()] & top).count_ones())
        .sum()
}

/// Worth of one action to the mover.
fn worth(state: &State, m: Move) -> i64 {
    let mut after = *state;
    after.play(m);
    let mut sum = 1000 * (i64::from(after.points(0)) - i64::from(state.points(0)));
    sum -= 400 * i64::from(climbs(&after, 1));
    sum += 60 * i64::from(climbs(&after, 0));
    let taken = after.mask(0) | after.mask(1);
    for (player, sign) in [(0, 1), (1, -1)] {
        for sq in after.units(player) {
            if sq == Sq::NONE {
                continue;
            }
            let ways = NEAR[sq.index()] & after.climbable(sq) & !taken;
            let mut value = 30 * i64::from(after.height(sq)) + 3 * i64::from(ways.count_ones().min(5));
            value += 4 * i64::from((ways & after.level(0)).count_ones());
            value += 8 * i64::from((ways & after.level(1)).count_ones());
            if ways == 0 {
                value -= 200;
            }
            sum += sign * value;
        }
    }
    sum
}

impl Player for Builtin {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        let mut input = send.as_bytes();
        match self.reader.read(&mut input, &mut || {}) {
            Ok(Some(view)) => (self.choose(&view) + "\n").into_bytes(),
            _ => Vec::new(),
        }
    }
}
