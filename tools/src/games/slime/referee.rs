//! The official controller's game: one question a turn, anything unreadable is a pass.

use super::protocol::read_answer;
use crate::referee::{Ask, Outcome, Referee, Reply, Verdict};
use fifty::games::slime::models::Model;
use fifty::games::slime::moves::Move;
use fifty::games::slime::state::{SEATS, State};
use fifty::kit::rng::Rng;
use serde_json::{Value, json};
use std::time::Duration;

/// What the statement allows for one answer, process start included.
pub const LIMIT: Duration = Duration::from_millis(100);

/// One game. Passes, unreadable answers and illegal moves are no faults; an answer that never came is
/// noted in its seat's verdict and played as a pass.
#[derive(Clone, Debug)]
pub struct SlimeReferee {
    state: State,
    last: Move,
    verdicts: [Verdict; SEATS],
}

impl SlimeReferee {
    /// A new game on a board of `size` (4..=8).
    pub fn new(size: u32) -> Self {
        Self::from(State::start(size))
    }

    /// A new game after an opening: the first moves, at most `plies`, are drawn, from the second round on of those that
    /// gain a square. Bots that answer nearly the same to the same board play other games so.
    pub fn opened(size: u32, plies: u16, seed: u64) -> Self {
        let mut state = State::start(size);
        let (mut rng, mut moves) = (Rng::new(seed), Vec::new());
        while state.turns() < plies && !state.is_over() {
            let (board, seat) = (*state.board(), state.seat());
            moves.clear();
            Model::Wanders.list(&board, seat, &mut moves);
            let mut gaining = moves.clone();
            gaining.retain(|&m| board.gain(seat, m) > 0);
            let is_first = usize::from(state.turns()) < SEATS;
            let drawn = if is_first || gaining.is_empty() { &moves } else { &gaining };
            state.play(drawn[rng.below(drawn.len() as u32) as usize]);
        }
        Self::from(state)
    }

    /// The position now.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl From<State> for SlimeReferee {
    fn from(state: State) -> Self {
        Self {
            state,
            last: Move::PASS,
            verdicts: [const { Verdict::Fine }; SEATS],
        }
    }
}

impl Referee for SlimeReferee {
    fn asks(&mut self) -> Vec<Ask> {
        if self.state.is_over() {
            return Vec::new();
        }
        vec![Ask {
            seat: self.state.seat(),
            send: self.state.argument(),
            want: 1,
            limit: LIMIT,
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        let Some(reply) = replies.first() else { return };
        let answer = match &reply.output {
            Ok(bytes) => read_answer(bytes),
            Err(fault) => {
                let verdict = &mut self.verdicts[self.state.seat()];
                if *verdict == Verdict::Fine {
                    *verdict = (*fault).into();
                }
                None
            }
        };
        // -1 is off every board: a pass.
        self.last = self.state.play_coordinates(answer.unwrap_or([-1; 4]));
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.state.is_over() {
            return None;
        }
        let counts = self.state.board().counts();
        let points = counts.map(|mine| {
            let below = counts.iter().filter(|&&n| n < mine).count() as f64;
            let level = counts.iter().filter(|&&n| n == mine).count() as f64;
            (below + (level - 1.0) / 2.0) / 3.0
        });
        let full = self.state.board().empty == 0;
        Some(Outcome {
            scores: counts.map(f64::from).to_vec(),
            points: points.to_vec(),
            end: if full { "board full" } else { "turn cap" }.to_owned(),
            verdicts: self.verdicts.to_vec(),
        })
    }

    fn view(&self) -> Value {
        let rows = self.state.rows();
        json!({
            "turn": self.state.turns(),
            "player": self.state.seat() + 1,
            "rows": rows.split(',').collect::<Vec<_>>(),
            "scores": self.state.board().counts(),
            "last": self.last.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, SlimeReferee};
    use crate::referee::{Fault, Referee, Reply, Verdict};
    use fifty::games::slime::state::State;

    fn say(game: &mut SlimeReferee, output: Result<&[u8], Fault>) {
        let seat = game.asks()[0].seat;
        game.reply(&[Reply {
            seat,
            output: output.map(<[u8]>::to_vec),
            elapsed: LIMIT,
        }]);
    }

    #[test]
    fn four_passing_players_play_two_thousand_turns() {
        let mut game = SlimeReferee::new(8);
        let mut turns = 0;
        while !game.asks().is_empty() {
            say(&mut game, Ok(b"0 0 0 0\n"));
            turns += 1;
        }
        let outcome = game.outcome().unwrap();
        assert_eq!((turns, outcome.end.as_str()), (2000, "turn cap"));
        assert_eq!(outcome.scores, [1.0; 4]);
        assert_eq!(outcome.points, [0.5; 4]);
        assert_eq!(outcome.verdicts, [const { Verdict::Fine }; 4]);
    }

    /// Games of one seed open alike, of others mostly not; an opening never ends a game of eight rows.
    #[test]
    fn openings_are_drawn() {
        let opened = |plies, seed| SlimeReferee::opened(8, plies, seed).state().argument();
        assert_eq!(opened(0, 1), State::start(8).argument());
        for plies in [1, 4, 16] {
            let mut boards: Vec<String> = (0..50).map(|seed| opened(plies, seed)).collect();
            assert_eq!(boards[7], opened(plies, 7));
            boards.sort();
            boards.dedup();
            assert!(boards.len() >= [6, 45][usize::from(plies > 1)], "{} of {plies} plies", boards.len());
        }
        let game = SlimeReferee::opened(8, 6, 1);
        assert_eq!((game.state().turns(), game.state().seat()), (6, 2));
    }

    #[test]
    fn a_full_board_ends_in_mid_round() {
        let mut game = SlimeReferee::from(State::parse("2,1.34,1234,1234,1234").unwrap());
        say(&mut game, Err(Fault::Timeout));
        assert_eq!(game.asks()[0].send, "3,1.34,1234,1234,1234");
        assert!(game.outcome().is_none());
        say(&mut game, Ok(b"1 2 0 1\n"));
        assert!(game.asks().is_empty());
        let outcome = game.outcome().unwrap();
        assert_eq!(
            (outcome.scores, outcome.end.as_str()),
            (vec![2.0, 2.0, 8.0, 4.0], "board full")
        );
        assert_eq!(outcome.verdicts[1], Verdict::Timeout);
        assert_eq!(outcome.verdicts[2], Verdict::Fine);
    }

    #[test]
    fn points_go_by_rank_and_ties_share() {
        let game = SlimeReferee::from(State::parse("1,1112,1123,1123,1333").unwrap());
        let outcome = game.outcome().unwrap();
        assert_eq!(outcome.scores, [8.0, 3.0, 5.0, 0.0]);
        assert_eq!(outcome.points, [1.0, 1.0 / 3.0, 2.0 / 3.0, 0.0]);
        let tied = SlimeReferee::from(State::parse("1,1122,1122,3344,3344").unwrap());
        assert_eq!(tied.outcome().unwrap().points, [0.5; 4]);
    }
}
