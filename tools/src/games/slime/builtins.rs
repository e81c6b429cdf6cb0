//! The opponents by name: simple ones, and those of [`super::rivals`] and [`super::planners`].

use super::planners::Planner;
use super::rivals::Rival;
use crate::adapter::Player;
use fifty::games::slime::moves::Move;
use fifty::games::slime::state::State;
use fifty::kit::cpu::Plain;
use fifty::kit::rng::Rng;

/// How a builtin chooses.
enum Style {
    /// Uniform over spreads, jumps and merges that gain.
    Random,
    /// The largest immediate gain, ties drawn.
    Greedy,
    /// Of the alpha-beta family.
    Rival(Box<Rival>),
    /// A search with opinions of its own.
    Planner(Planner),
}

/// A builtin opponent.
pub struct Builtin {
    style: Style,
    rng: Rng,
}

impl Builtin {
    /// By the name after `builtin:`.
    pub fn new(name: &str, seed: u64) -> Option<Self> {
        let style = match name {
            "random" => Style::Random,
            "greedy" => Style::Greedy,
            other => match Planner::named(other) {
                Some(planner) => Style::Planner(planner),
                None => Style::Rival(Box::new(Rival::named(other)?)),
            },
        };
        let rng = Rng::new(seed);
        Some(Self { style, rng })
    }

    /// The move of the seat on turn of a game that is not over.
    pub fn choose(&mut self, state: &State) -> Move {
        let (board, seat) = (state.board(), state.seat());
        match &mut self.style {
            Style::Random => board.random_move::<Plain, true>(seat, &mut self.rng),
            Style::Rival(rival) => rival.best(state),
            Style::Planner(planner) => planner.best(state, &mut self.rng),
            Style::Greedy => {
                let mut moves = Vec::new();
                board.useful_moves(seat, &mut moves);
                let best = moves.iter().map(|&m| board.gain(seat, m)).max();
                moves.retain(|&m| Some(board.gain(seat, m)) == best);
                if moves.is_empty() {
                    return Move::PASS;
                }
                moves[self.rng.below(moves.len() as u32) as usize]
            }
        }
    }
}

impl Player for Builtin {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        let answer = match State::parse(send) {
            Ok(state) if !state.is_over() => self.choose(&state),
            _ => Move::PASS,
        };
        format!("{answer}\n").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::Builtin;
    use crate::adapter::Player;

    #[test]
    fn greedy_takes_the_most() {
        let mut greedy = Builtin::new("greedy", 1).unwrap();
        let answer = greedy.respond("1,1..2,..22,....,....", 1);
        assert_eq!(answer, b"0 0 0 2\n");
        let out = greedy.respond("3,1.2.,..22,....,....", 1);
        assert_eq!(out, b"0 0 0 0\n");
    }

    #[test]
    fn rivals_see_what_fills_the_board() {
        for name in ["maxn-5ms", "paranoid-5ms", "best-reply-5ms"] {
            let answer = Builtin::new(name, 1).unwrap().respond("1,1122,1122,1133,111.", 1);
            // The last square: it takes two more and ends the game.
            assert_eq!(answer, b"3 2 3 3\n", "{name}");
        }
        assert!(Builtin::new("paranoid-5", 1).is_none() && Builtin::new("maxnms", 1).is_none());
    }
}
