//! One newgame game between two seats: what is asked, what an answer does, who has won.

use crate::referee::{Ask, Outcome, Referee, Reply, Verdict};
use fifty::games::newgame::protocol;
use fifty::games::newgame::state::{Cell, SIZE, State};
use fifty::search::game::Game;
use serde_json::{Value, json};
use std::time::Duration;

/// A running game.
pub struct NewgameReferee {
    state: State,
    last: Option<Cell>,
    verdicts: [Verdict; 2],
}

impl Default for NewgameReferee {
    fn default() -> Self {
        Self {
            state: State::default(),
            last: None,
            verdicts: [Verdict::Fine, Verdict::Fine],
        }
    }
}

impl NewgameReferee {
    /// The seat that lost by a fault of its own.
    fn at_fault(&self) -> Option<usize> {
        self.verdicts.iter().position(|verdict| *verdict != Verdict::Fine)
    }

    fn play(&mut self, reply: &Reply) -> Result<(), Verdict> {
        if let Err(fault) = &reply.output {
            return Err(Verdict::from(*fault));
        }
        let line = reply.lines().into_iter().next().unwrap_or_default();
        let cell = protocol::cell(&line).ok_or_else(|| Verdict::Garbage(line.clone()))?;
        if self.state.empty() & cell.bit() == 0 {
            return Err(Verdict::Invalid(format!("{line} is taken")));
        }
        self.state.play(cell);
        self.last = Some(cell);
        Ok(())
    }
}

impl Referee for NewgameReferee {
    fn asks(&mut self) -> Vec<Ask> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let stones = BOTH.map(|seat| self.state.stones[seat].count_ones());
        let first = stones[self.state.seat()] == 0;
        vec![Ask {
            seat: self.state.seat(),
            send: self.last.map_or("-1 -1".to_owned(), protocol::text) + "\n",
            want: 1,
            limit: Duration::from_millis(if first { 1000 } else { 50 }),
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        for reply in replies {
            if let Err(verdict) = self.play(reply) {
                self.verdicts[reply.seat] = verdict;
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let points = match self.at_fault() {
            Some(seat) => BOTH.map(|s| f64::from(u8::from(s != seat))),
            None if self.state.is_over() => self.state.payoff().map(f64::from),
            None => return None,
        };
        let end = match (self.at_fault(), self.state.winner()) {
            (Some(_), _) => "fault",
            (None, Some(_)) => "four in a line",
            (None, None) => "board full",
        };
        Some(Outcome {
            scores: points.to_vec(),
            points: points.to_vec(),
            end: end.to_owned(),
            verdicts: self.verdicts.to_vec(),
        })
    }

    fn view(&self) -> Value {
        let stone = |x, y| {
            let cell = Cell::at(x, y).map_or(0, Cell::bit);
            let owner = BOTH.into_iter().find(|&seat| self.state.stones[seat] & cell != 0);
            owner.map_or('.', |seat| ['x', 'o'][seat])
        };
        let rows: Vec<String> = (0..SIZE)
            .map(|y| (0..SIZE).map(|x| stone(x, y)).collect())
            .collect();
        json!({"rows": rows, "last": self.last.map(protocol::text)})
    }
}

const BOTH: [usize; 2] = [0, 1];
