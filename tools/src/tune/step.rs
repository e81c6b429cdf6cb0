//! A tuner's step: pairs of games that do not depend on each other, each with everything that decides it.

use super::games::{Games, Opponent, Params, in_turn};
use super::regression::Pair;
use super::spsa::Proposal;
use super::store::Row;
use crate::arena::interrupt;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Two sets of values to compare by a pair, and what of the results file's row is known before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Number in its run; it decides the options of the game.
    pub n: u64,
    /// Seed of its games.
    pub seed: u64,
    /// The upper point's values.
    pub plus: Params,
    /// The lower point's.
    pub minus: Params,
    /// Whom they meet, as `Opponent::parse` reads it.
    pub opponent: String,
    /// The point between them, in steps.
    pub x: Vec<f64>,
    /// Sign a number.
    pub signs: Vec<i8>,
}

impl Asked {
    /// A proposal of a walk at `x`, with the values of its points.
    pub fn new(proposal: &Proposal, x: &[f64], values: impl Fn(&[f64]) -> Params, opponent: String) -> Self {
        Self {
            n: proposal.n,
            seed: proposal.game_seed,
            plus: values(&proposal.plus),
            minus: values(&proposal.minus),
            opponent,
            x: x.to_vec(),
            signs: proposal.signs.clone(),
        }
    }

    /// The row once it is played.
    pub fn row(&self, result: f64) -> Row {
        Row {
            n: self.n,
            opponent: self.opponent.clone(),
            pair: Pair {
                x: self.x.clone(),
                signs: self.signs.clone(),
                result,
            },
        }
    }
}

/// Plays one pair; `games` are taken in turn.
pub fn compare(games: &[Games], asked: &Asked) -> Result<Row> {
    if interrupt::requested() {
        bail!("interrupted");
    }
    let by = in_turn(games, asked.n);
    let opponent = Opponent::parse(&asked.opponent, by.adapter)?;
    Ok(asked.row(by.pair(&asked.plus, &asked.minus, &opponent, asked.seed)?))
}
