//! Pairs of games for the tuner, inside this process, at fixed work.
//!
//! A pair's result is -1 to 1 for the upper point. Against itself: both points meet on one seed in swapped
//! seats. Against a panel opponent: each point meets it on the same seed in each seat, and the result is
//! the difference. Four seats: two copies of each side, seats exchanged, by share of the squares.

use crate::referee::{Ask, Fault, Outcome, Referee, Reply};
use crate::room::{Player, Room, Setup};
use fifty::kit::clock::Budget;
use std::collections::BTreeMap;
use std::time::Instant;

/// Values by name.
pub type Params = Vec<(String, f64)>;

/// Who the points are measured against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Upper against lower point.
    Itself,
    /// A builtin of the game.
    Builtin(String),
}

impl Opponent {
    /// `self` or `builtin:NAME`, as on the command line.
    pub fn parse(text: &str, room: &dyn Room) -> Result<Self, String> {
        match text.strip_prefix("builtin:") {
            None if text == "self" => Ok(Self::Itself),
            Some(name) if room.builtins().contains(&name) => Ok(Self::Builtin(name.to_owned())),
            _ => Err(format!(
                "--panel {text}: expected self or builtin: and one of {}",
                room.builtins().join(" ")
            )),
        }
    }

    /// As `parse` reads it.
    pub fn name(&self) -> String {
        match self {
            Self::Itself => "self".into(),
            Self::Builtin(name) => format!("builtin:{name}"),
        }
    }
}

/// How games are played.
pub struct Games<'a> {
    /// Which game.
    pub room: &'a dyn Room,
    /// Per answer, for both sides.
    pub budget: Budget,
    /// Options of the game.
    pub options: BTreeMap<String, String>,
}

/// Plays one game among players of this process.
pub fn play(room: &dyn Room, setup: &Setup, players: &mut [Box<dyn Player>]) -> Result<Outcome, String> {
    watch(room, setup, players, &mut |_, _, _| {}).map(|(outcome, _)| outcome)
}

/// Looks at a game: the position, what is asked in it, what was answered.
pub type Seen<'a> = &'a mut dyn FnMut(&dyn Referee, &[Ask], &[Reply]);

/// As [`play`]; `seen` looks at the game before each batch of answers is played. Gives the referee as well.
pub fn watch(
    room: &dyn Room,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    seen: Seen<'_>,
) -> Result<(Outcome, Box<dyn Referee>), String> {
    let mut referee = room.referee(setup)?;
    loop {
        let asks = referee.asks();
        if asks.is_empty() {
            let outcome = referee.outcome();
            let outcome = outcome.ok_or_else(|| format!("{}: over without a result", room.name()))?;
            return Ok((outcome, referee));
        }
        let mut replies = Vec::new();
        for ask in &asks {
            let started = Instant::now();
            let output = players[ask.seat].respond(&ask.send, ask.want);
            let complete = bytecount(&output) >= ask.want || room.seats() == 4;
            if ask.want > 0 {
                // Fixed work has no clock; a real one is charged.
                let elapsed = started.elapsed().min(ask.limit);
                let output = if complete { Ok(output) } else { Err(Fault::Crash) };
                replies.push(Reply {
                    seat: ask.seat,
                    output,
                    elapsed,
                });
            }
        }
        seen(referee.as_ref(), &asks, &replies);
        referee.reply(&replies);
    }
}

fn bytecount(output: &[u8]) -> usize {
    output.iter().filter(|&&b| b == b'\n').count()
}

impl Games<'_> {
    fn engine(&self, params: &Params) -> Result<Box<dyn Player>, String> {
        self.room.engine(self.budget, params)
    }

    fn builtin(&self, name: &str, seed: u64) -> Result<Box<dyn Player>, String> {
        self.room
            .builtin(name, seed)
            .ok_or_else(|| format!("{} has no builtin {name}", self.room.name()))
    }

    fn outcome(&self, seed: u64, mut players: Vec<Box<dyn Player>>) -> Result<Outcome, String> {
        play(
            self.room,
            &Setup {
                seed,
                options: self.options.clone(),
            },
            &mut players,
        )
    }

    /// The pair of games (four against a panel opponent with two seats) of one proposal.
    pub fn pair(&self, plus: &Params, minus: &Params, opponent: &Opponent, seed: u64) -> Result<f64, String> {
        if self.room.seats() == 4 {
            return self.pair_of_four(plus, minus, opponent, seed);
        }
        match opponent {
            Opponent::Itself => {
                let first = self.outcome(seed, vec![self.engine(plus)?, self.engine(minus)?])?;
                let second = self.outcome(seed, vec![self.engine(minus)?, self.engine(plus)?])?;
                Ok((first.points[0] - first.points[1] + second.points[1] - second.points[0]) / 2.0)
            }
            Opponent::Builtin(name) => {
                let score = |side: &Params| -> Result<f64, String> {
                    let first = self.outcome(seed, vec![self.engine(side)?, self.builtin(name, seed)?])?;
                    let second = self.outcome(seed, vec![self.builtin(name, seed)?, self.engine(side)?])?;
                    Ok((first.points[0] + second.points[1]) / 2.0)
                };
                Ok(score(plus)? - score(minus)?)
            }
        }
    }

    fn pair_of_four(
        &self,
        plus: &Params,
        minus: &Params,
        opponent: &Opponent,
        seed: u64,
    ) -> Result<f64, String> {
        let share = |o: &Outcome, seats: [usize; 2]| -> f64 {
            let total: f64 = o.scores.iter().sum::<f64>().max(1.0);
            seats.iter().map(|&s| o.scores[s]).sum::<f64>() / total
        };
        match opponent {
            Opponent::Itself => {
                let (p, m) = (|| self.engine(plus), || self.engine(minus));
                let first = self.outcome(seed, vec![p()?, m()?, p()?, m()?])?;
                let second = self.outcome(seed, vec![m()?, p()?, m()?, p()?])?;
                let diff = |o: &Outcome, even: f64| even * (share(o, [0, 2]) - share(o, [1, 3]));
                Ok((diff(&first, 1.0) + diff(&second, -1.0)) / 2.0)
            }
            Opponent::Builtin(name) => {
                let score = |side: &Params| -> Result<f64, String> {
                    let (e, b) = (|| self.engine(side), |n| self.builtin(name, seed ^ n));
                    let first = self.outcome(seed, vec![e()?, b(1)?, e()?, b(2)?])?;
                    let second = self.outcome(seed, vec![b(1)?, e()?, b(2)?, e()?])?;
                    Ok((share(&first, [0, 2]) + share(&second, [1, 3])) / 2.0)
                };
                Ok(score(plus)? - score(minus)?)
            }
        }
    }

    /// Games a pair costs.
    pub fn games_a_pair(opponent: &Opponent) -> u64 {
        match opponent {
            Opponent::Itself => 2,
            Opponent::Builtin(_) => 4,
        }
    }
}

/// Elo and half width of its 95 % interval from the results of pairs (-1 to 1).
pub fn elo(results: &[f64]) -> (f64, f64) {
    let n = results.len().max(1) as f64;
    let mean = results.iter().sum::<f64>() / n;
    let var = results.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let at = |score: f64| {
        let p = ((score + 1.0) / 2.0).clamp(0.001, 0.999);
        -400.0 * (1.0 / p - 1.0).log10()
    };
    let half = 1.96 * (var / n).sqrt();
    (at(mean), (at(mean + half) - at(mean - half)) / 2.0)
}
