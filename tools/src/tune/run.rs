//! One tuning run: play batches, keep them, stop at any time, go on from any point.

use super::games::{Games, Opponent, elo, in_turn};
use super::regression::Pair;
use super::space::Space;
use super::spsa::{Proposal, Settings, Walk};
use super::step::{Asked, compare as compare_pair};
use super::store::{Row, Store};
use crate::adapter::Adapter;
use crate::arena::interrupt;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use fifty::kit::rng::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Everything that decides a run, kept with it: the same plan gives the same run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunePlan {
    /// Game by name.
    pub game: String,
    /// Which numbers, as globs.
    pub params: Vec<String>,
    /// The walk.
    pub walk: Settings,
    /// Iterations per answer.
    pub work: u64,
    /// Options of the game, in turn as the opponents are.
    #[serde(deserialize_with = "one_or_several")]
    pub options: Vec<BTreeMap<String, String>>,
    /// Opponents in turn, as `Opponent::parse` reads them.
    #[serde(alias = "panel")] // as stored runs have it
    pub pool: Vec<String>,
    /// Values the walk starts from, where they are not the defaults.
    pub start: Vec<(String, f64)>,
}

impl TunePlan {
    /// The opponent pool, read.
    pub fn opponents(&self, adapter: &'static dyn Adapter) -> Result<Vec<Opponent>> {
        let pool = self.pool.iter().map(|text| Opponent::parse(text, adapter));
        pool.collect()
    }
}

/// Options as runs keep them today, or as one map, as they were kept before values could take turns.
fn one_or_several<'de, D>(from: D) -> Result<Vec<BTreeMap<String, String>>, D::Error>
where
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Several(Vec<BTreeMap<String, String>>),
        One(BTreeMap<String, String>),
    }
    Ok(match Kept::deserialize(from)? {
        Kept::Several(options) => options,
        Kept::One(options) => vec![options],
    })
}

/// A run that has been played as far as it goes.
pub struct Played {
    /// The numbers.
    pub space: Space,
    /// The walk.
    pub walk: Walk,
    /// Every pair.
    pub rows: Vec<Row>,
    /// Start point in steps.
    pub start: Vec<f64>,
    /// True if it was stopped before its count of games.
    pub stopped: bool,
}

impl Played {
    /// Values at the tail average.
    pub fn answer(&self) -> Vec<(String, f64)> {
        let x: Vec<f64> = self.walk.answer().iter().map(|a| a.0).collect();
        self.space.params(&x)
    }

    /// All pairs, for the regression.
    pub fn pairs(&self) -> Vec<Pair> {
        self.rows.iter().map(|r| r.pair.clone()).collect()
    }
}

/// A perturbed evaluation: the values change places at random, and half of them their sign, as far as their
/// ranges allow.
pub fn perturbed(space: &Space, seed: u64) -> Vec<(String, f64)> {
    let mut rng = Rng::new(seed);
    let dims = space.dims();
    let mut values: Vec<f64> = dims.iter().map(|t| t.value).collect();
    rng.shuffle(&mut values);
    let moved = dims.iter().zip(values).enumerate().map(|(i, (t, value))| {
        let sign = if rng.below(2) == 0 { -1.0 } else { 1.0 };
        (t.name.to_owned(), space.within(i, sign * value))
    });
    moved.collect()
}

/// A run where its rows have left it.
pub struct Standing {
    space: Space,
    walk: Walk,
    rows: Vec<Row>,
    start: Vec<f64>,
    pool: Vec<Opponent>,
}

/// Replays the rows that the store has of a run.
pub fn standing(plan: &TunePlan, games: &[Games], store: &Store, name: &str) -> Result<Standing> {
    let adapter = games.first().context("no options to play by")?.adapter;
    let space = Space::select(adapter.tunables(), &plan.params)?;
    if space.is_empty() {
        bail!("{} has no tunables", plan.game);
    }
    let mut start = vec![0.0; space.len()];
    for (key, value) in &plan.start {
        let i = space.dims().iter().position(|t| t.name == key);
        let i = i.with_context(|| format!("start value {key}: not among the tuned numbers"))?;
        start[i] = space.clamp(i, space.coordinate(i, *value));
    }
    let pool = plan.opponents(adapter)?;
    if pool.is_empty() {
        bail!("the pool is empty");
    }
    let rows = store.rows(name)?;
    let mut walk = Walk::new(plan.walk.clone(), space.clone(), start.clone());
    for kept in rows.chunks_exact(plan.walk.batch) {
        let results: Vec<f64> = kept.iter().map(|r| r.pair.result).collect();
        walk.learn(&walk.propose(), &results);
    }
    Ok(Standing {
        space,
        walk,
        rows,
        start,
        pool,
    })
}

impl Standing {
    /// The opponent of pair `n`; every opponent meets all of `games`.
    fn opponent(&self, n: u64, games: &[Games]) -> &Opponent {
        in_turn(&self.pool, n / games.len() as u64)
    }

    /// The next step.
    pub fn asks(&self, games: &[Games]) -> Vec<Asked> {
        let ask = |p: &Proposal| {
            let opponent = self.opponent(p.n, games).name();
            Asked::new(p, self.walk.point(), |x| self.space.params(x), opponent)
        };
        self.walk.propose().iter().map(ask).collect()
    }
}

/// Walks until `total` games are played, `stop` is set or a signal came; pair by pair `games` and opponents take turns.
/// Batches already in the store are not played again. `step` plays a batch.
pub fn play(
    plan: &TunePlan,
    games: &[Games],
    store: &mut Store,
    name: &str,
    total: u64,
    stop: &AtomicBool,
    step: &dyn Fn(&[Asked]) -> Result<Vec<Row>>,
) -> Result<Played> {
    let mut standing = standing(plan, games, store, name)?;
    let played = |standing: &Standing, rows: &[Row]| {
        rows.iter()
            .map(|r| Games::games_a_pair(standing.opponent(r.n, games)))
            .sum::<u64>()
    };
    let mut done = played(&standing, &standing.rows);
    let mut progress = Progress::new(&format!("tune {name}"), total, done);
    let live = store.live(name, total, done)?;
    while done < total && !stop.load(Ordering::Relaxed) && !interrupt::requested() && live.goes_on() {
        let proposals = standing.walk.propose();
        // A batch that was cut short is played again.
        let fresh = match step(&standing.asks(games)) {
            Err(_) if interrupt::requested() => break,
            fresh => fresh?,
        };
        let results: Vec<f64> = fresh.iter().map(|row| row.pair.result).collect();
        store.add(name, &fresh)?;
        standing.walk.learn(&proposals, &results);
        done += played(&standing, &fresh);
        standing.rows.extend(fresh);
        live.at(done as usize);
        progress.at(done, || {
            let (at, start) = (standing.walk.point(), &standing.start);
            let moves = at.iter().zip(start).map(|(a, b)| (a - b).abs());
            format!("moved {:.1} steps at most", moves.fold(0.0, f64::max))
        });
    }
    progress.finish();
    let Standing {
        space,
        walk,
        rows,
        start,
        ..
    } = standing;
    let played = Played {
        space,
        walk,
        rows,
        start,
        stopped: done < total,
    };
    store.finish(name, &played.answer())?;
    Ok(played)
}

/// A step on this machine, one pair a core.
pub fn here(games: &[Games]) -> impl Fn(&[Asked]) -> Result<Vec<Row>> + '_ {
    |asks| asks.par_iter().map(|asked| compare_pair(games, asked)).collect()
}

/// A match of two sets of values at fixed work, `games` in turn: Elo of `a` over `b` and its half interval.
pub fn compare(
    games: &[Games],
    a: &[(String, f64)],
    b: &[(String, f64)],
    pairs: u64,
    seed: u64,
) -> Result<(f64, f64)> {
    let (a, b) = (a.to_vec(), b.to_vec());
    let results: Vec<f64> = (0..pairs)
        .into_par_iter()
        .map(|n| {
            in_turn(games, n).pair(
                &a,
                &b,
                &Opponent::Itself,
                Rng::new(seed ^ (n << 20)).next_u64() >> 1,
            )
        })
        .collect::<Result<_>>()?;
    Ok(elo(&results))
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
