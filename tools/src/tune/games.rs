//! Pairs of games for the tuner, inside this process, at fixed work.
//!
//! A pair's result is -1 to 1 for the upper point. Against itself: both points meet on one seed in swapped
//! seats. Against an opponent of the pool: each point meets it on the same seed in each seat, and the result is
//! the difference. Four seats: two copies of each side, seats exchanged, by share of the squares.

use crate::adapter::{Adapter, Setup};
use crate::arena::bots::{builtin_seat, engine_seat};
use crate::arena::opponents;
use crate::arena::runner::{Played, play};
use crate::arena::seat::Seat;
use crate::arena::stats::Samples;
use crate::referee::{Ask, Features, Outcome, Referee, Reply};
use anyhow::{Context, Result, bail};
use fifty::kit::clock::Budget;
use serde_json::Value;
use std::collections::BTreeMap;

/// A referee that notes the features of every position a bot is asked in.
struct Watched {
    referee: Box<dyn Referee>,
    seen: Vec<Features>,
}

impl Referee for Watched {
    fn asks(&mut self) -> Vec<Ask> {
        let asks = self.referee.asks();
        if asks.iter().any(|ask| ask.want > 0) {
            self.seen.extend(self.referee.features());
        }
        asks
    }

    fn reply(&mut self, replies: &[Reply]) {
        self.referee.reply(replies);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.referee.outcome()
    }

    fn view(&self) -> Value {
        self.referee.view()
    }
}

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
    pub fn parse(text: &str, adapter: &dyn Adapter) -> Result<Self> {
        match text.strip_prefix("builtin:") {
            None if text == "self" => Ok(Self::Itself),
            None => bail!("--pool {text}: expected self or builtin:NAME"),
            Some(name) => {
                opponents::known(adapter, name).with_context(|| format!("--pool {text}"))?;
                Ok(Self::Builtin(name.to_owned()))
            }
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

/// The `n`-th of a list that starts over at its end.
pub fn in_turn<T>(list: &[T], n: u64) -> &T {
    &list[(n % list.len() as u64) as usize]
}

/// How games are played.
#[derive(Clone)]
pub struct Games {
    /// Which game.
    pub adapter: &'static dyn Adapter,
    /// Per answer, for both sides.
    pub budget: Budget,
    /// Options of the game.
    pub options: BTreeMap<String, String>,
}

impl Games {
    /// One for each choice of options, played in turn.
    pub fn each(
        adapter: &'static dyn Adapter,
        budget: Budget,
        options: &[BTreeMap<String, String>],
    ) -> Vec<Self> {
        let by = |options: &BTreeMap<_, _>| Self {
            adapter,
            budget,
            options: options.clone(),
        };
        options.iter().map(by).collect()
    }

    fn engine(&self, params: &Params) -> Result<Box<dyn Seat>> {
        engine_seat(self.adapter, self.budget, params, None)
    }

    fn builtin(&self, name: &str, seed: u64) -> Result<Box<dyn Seat>> {
        builtin_seat(self.adapter, name, seed)
    }

    fn referee(&self, seed: u64) -> Result<Box<dyn Referee>> {
        let setup = Setup {
            seed,
            options: self.options.clone(),
        };
        self.adapter.referee(&setup)
    }

    fn outcome(&self, seed: u64, mut seats: Vec<Box<dyn Seat>>) -> Result<Outcome> {
        let mut referee = self.referee(seed)?;
        let played = play(referee.as_mut(), &mut seats, None)?;
        Ok(played.outcome)
    }

    /// The bot with these values in all seats of `referee`'s game.
    fn against_itself(&self, params: &Params, referee: &mut dyn Referee) -> Result<Played> {
        let mut seats: Vec<_> = (0..self.adapter.seats(&self.options))
            .map(|_| self.engine(params))
            .collect::<Result<_>>()?;
        play(referee, &mut seats, None)
    }

    /// One game of the bot as it is against itself: the number of its answers.
    pub fn answers(&self, seed: u64) -> Result<usize> {
        let played = self.against_itself(&Vec::new(), self.referee(seed)?.as_mut())?;
        Ok(played.seats.iter().map(|seat| seat.times.summary().answers).sum())
    }

    /// One game of the bot with these values against itself: every position's features, and seat 0's result.
    pub fn positions(&self, params: &Params, seed: u64) -> Result<(Vec<Features>, f64)> {
        let mut watched = Watched {
            referee: self.referee(seed)?,
            seen: Vec::new(),
        };
        let played = self.against_itself(params, &mut watched)?;
        Ok((watched.seen, played.outcome.points[0]))
    }

    /// The pair of games (four against an opponent of the pool with two seats) of one proposal.
    pub fn pair(&self, plus: &Params, minus: &Params, opponent: &Opponent, seed: u64) -> Result<f64> {
        if self.adapter.seats(&self.options) == 4 {
            return self.pair_of_four(plus, minus, opponent, seed);
        }
        match opponent {
            Opponent::Itself => {
                let first = self.outcome(seed, vec![self.engine(plus)?, self.engine(minus)?])?;
                let second = self.outcome(seed, vec![self.engine(minus)?, self.engine(plus)?])?;
                Ok((first.points[0] - first.points[1] + second.points[1] - second.points[0]) / 2.0)
            }
            Opponent::Builtin(name) => {
                let score = |side: &Params| -> Result<f64> {
                    let first = self.outcome(seed, vec![self.engine(side)?, self.builtin(name, seed)?])?;
                    let second = self.outcome(seed, vec![self.builtin(name, seed)?, self.engine(side)?])?;
                    Ok((first.points[0] + second.points[1]) / 2.0)
                };
                Ok(score(plus)? - score(minus)?)
            }
        }
    }

    fn pair_of_four(&self, plus: &Params, minus: &Params, opponent: &Opponent, seed: u64) -> Result<f64> {
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
                let score = |side: &Params| -> Result<f64> {
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

/// Results of pairs (-1 to 1) as the arena's samples (0 to 1).
pub fn samples(results: &[f64]) -> Samples {
    Samples::new(results.iter().map(|r| (r + 1.0) / 2.0).collect())
}

/// Elo and half width of its 95 % interval from the results of pairs (-1 to 1), at most 1,200 either way.
pub fn elo(results: &[f64]) -> (f64, f64) {
    let elo = samples(results).elo();
    let (low, high) = (elo.low.max(-1200.0), elo.high.min(1200.0));
    (elo.value.clamp(-1200.0, 1200.0), (high - low) / 2.0)
}
