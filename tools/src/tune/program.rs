//! Tuning any program: numbers that its command line, environment or first line of input takes, and games by the arena.
//!
//! A pair is both seatings of one seed; its result is 0 to 1 for the first of two bots. Both methods keep every trial in
//! the results file before they go on, so a killed run loses what it was playing and nothing else. Not here: how the
//! next setting is chosen (`spsa`, `surrogate`), what is told of it (`program_report`).

use super::faults::{Fault, Met};
use super::run::Played;
use super::space::Space;
use super::spsa::{Settings, Walk};
use super::store::{Row, Store};
use super::surrogate::{self, Trial};
use crate::adapter::{Adapter, Transport};
use crate::arena::bots::Bot;
use crate::arena::interrupt;
use crate::arena::matches::{MatchPlan, fairly};
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::arena::schedule::{Game, seatings};
use crate::progress::Progress;
use anyhow::{Context, Result, anyhow, bail};
use fifty::kit::rng::Rng;
use fifty::kit::tunables::Tunable;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// How often a pair is tried again on another seed where it could not be played.
const AGAIN: u64 = 3;

/// How the next setting is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Pairs of settings on both sides of a walking point: many numbers, cheap games.
    #[default]
    Spsa,
    /// A Gaussian process and expected improvement: few numbers, expensive games.
    Gp,
}

/// Everything that decides a run, kept with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The bot with `{name}` where a number goes.
    pub bot: String,
    /// `name=value,min,max,step` each.
    pub params: Vec<String>,
    /// What is written to it before anything else, with `{name}` as well.
    pub first_line: Option<String>,
    /// Whom a setting meets; without any, SPSA lets both points meet, the process meets the start.
    pub opponents: Vec<String>,
    /// Options of the game, in turn.
    pub options: Vec<BTreeMap<String, String>>,
    /// How.
    pub method: Method,
    /// The walk; of it the process takes seed and batch.
    pub walk: Settings,
}

/// A name for as long as the program runs, once however often it is read.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    name
}

/// Reads `name=value,min,max,step`.
pub fn number(text: &str) -> Result<Tunable> {
    let wrong = || {
        anyhow!("--param {text}: expected name=value,min,max,step with min <= value <= max and step above 0")
    };
    let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
    let words: Vec<&str> = rest.split(',').map(str::trim).collect();
    let numbers: Option<Vec<f64>> = (words.iter())
        .map(|word| word.parse::<f64>().ok().filter(|n| n.is_finite()))
        .collect();
    let [value, min, max, step] = numbers.ok_or_else(wrong)?[..] else {
        return Err(wrong());
    };
    if name.is_empty() || !(min <= value && value <= max && min < max && step > 0.0) {
        return Err(wrong());
    }
    Ok(Tunable {
        name: kept(name.trim()),
        value,
        min,
        max,
        step,
        // Written without a point: the program reads whole numbers.
        whole: words.iter().all(|word| !word.contains(['.', 'e', 'E'])),
        hand: None,
    })
}

/// A program whose numbers are tuned.
pub struct Program {
    adapter: &'static dyn Adapter,
    plan: Recipe,
    /// The numbers.
    pub space: Space,
    opponents: Vec<Bot>,
    /// What keeps bots from harming others.
    pub sandbox: Sandbox,
}

/// Plays pairs that do not depend on each other, wherever: the first bots' scores in order, 0 to 1.
pub type Step<'a> = dyn Fn(&[Duel]) -> Result<Vec<f64>> + 'a;

/// A pair of games: both seatings of a seed.
#[derive(Clone, Debug)]
pub struct Duel {
    /// Who meets.
    pub bots: [Bot; 2],
    /// Number of the pair, which decides the options of the game.
    pub n: u64,
    /// Seed of its games.
    pub seed: u64,
}

impl Duel {
    /// Plays it.
    pub fn play(
        &self,
        adapter: &'static dyn Adapter,
        options: &[BTreeMap<String, String>],
        sandbox: Sandbox,
    ) -> Result<Met> {
        let options = super::games::in_turn(options, self.n);
        let mut plan = MatchPlan::new(adapter, &self.bots);
        plan.rules.sandbox = sandbox;
        plan.options.clone_from(options);
        if let Some(own) = adapter.outside() {
            for (key, value) in &own.options {
                plan.options.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        let seats = adapter.seats(&plan.options);
        let arrangements: Vec<Vec<usize>> = seatings(&[0, 1], seats, false);
        let mut last = None;
        for again in 0..AGAIN {
            let seed = self.seed.wrapping_add(again << 40) >> 1;
            let mut sum = 0.0;
            let mut failed = None;
            let mut faults = Vec::new();
            for (n, seating) in arrangements.iter().enumerate() {
                if interrupt::requested() {
                    bail!("interrupted");
                }
                let game = Game::single(seed, seating.clone());
                match fairly(&plan, &game) {
                    Ok(played) => {
                        let told = GameResult::new(&game, &played).faults;
                        faults.extend(told.into_iter().map(|fault| Fault {
                            game: n,
                            seed,
                            bot: seating[fault.seat],
                            fault,
                        }));
                        let of = |bot: usize| -> f64 {
                            let seats = seating.iter().enumerate().filter(|(_, b)| **b == bot);
                            let points: Vec<f64> =
                                seats.map(|(seat, _)| played.outcome.points[seat]).collect();
                            points.iter().sum::<f64>() / points.len().max(1) as f64
                        };
                        sum += 0.5 + (of(0) - of(1)) / 2.0;
                    }
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            }
            match failed {
                None => {
                    return Ok(Met {
                        score: sum / arrangements.len() as f64,
                        games: arrangements.len(),
                        faults,
                    });
                }
                Some(error) => last = Some((seed, error)),
            }
        }
        let why = last.map_or_else(String::new, |(seed, error)| format!("; seed {seed}: {error:#}"));
        bail!("a pair failed on {AGAIN} seeds{why}")
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

impl Program {
    /// Checks everything that can be checked before a game.
    pub fn new(adapter: &'static dyn Adapter, plan: Recipe) -> Result<Self> {
        let dims: Vec<Tunable> = plan
            .params
            .iter()
            .map(|text| number(text))
            .collect::<Result<_>>()?;
        if dims.is_empty() {
            bail!("expected a --param name=value,min,max,step at least");
        }
        let texts = plan.bot.clone() + plan.first_line.as_deref().unwrap_or_default();
        for (n, dim) in dims.iter().enumerate() {
            if !texts.contains(&format!("{{{}}}", dim.name)) {
                bail!(
                    "--bot {}: expected {{{}}} where that number goes",
                    plan.bot,
                    dim.name
                );
            }
            if dims[..n].iter().any(|other| other.name == dim.name) {
                bail!("--param {}: given twice", dim.name);
            }
        }
        if plan.first_line.is_some() && adapter.transport() == Transport::Argument {
            bail!(
                "--first-line: a bot of {} is asked by its argument, not by lines",
                adapter.name()
            );
        }
        let space = Space::select(&dims, &[])?;
        let opponents = (plan.opponents.iter())
            .map(|text| Bot::parse(text, adapter).with_context(|| format!("--opponent {text}")))
            .collect::<Result<_>>()?;
        let program = Self {
            adapter,
            plan,
            space,
            opponents,
            sandbox: Sandbox::Auto,
        };
        program.bot(&program.values(&vec![0.0; program.space.len()]))?;
        Ok(program)
    }

    /// Values at a point in steps.
    fn values(&self, x: &[f64]) -> Vec<(String, f64)> {
        self.space.params(x)
    }

    /// Coordinates from 0 to 1 as steps, at a value that the number can have.
    fn steps(&self, unit: &[f64]) -> Vec<f64> {
        let dims = self.space.dims().iter().zip(unit).enumerate();
        dims.map(|(i, (t, u))| {
            let value = self.space.within(i, t.min + u * (t.max - t.min));
            self.space.coordinate(i, value)
        })
        .collect()
    }

    /// Steps as coordinates from 0 to 1.
    fn unit(&self, x: &[f64]) -> Vec<f64> {
        let dims = self.space.dims().iter().zip(x).enumerate();
        dims.map(|(i, (t, x))| (self.space.value(i, *x) - t.min) / (t.max - t.min))
            .collect()
    }

    /// The bot with these values.
    fn bot(&self, values: &[(String, f64)]) -> Result<Bot> {
        let fill = |text: &str| -> String {
            values.iter().fold(text.to_owned(), |text, (name, value)| {
                // As short as it reads back the same for six digits: no 0.30000000000000004.
                let rounded = (value * 1e6).round() / 1e6;
                text.replace(&format!("{{{name}}}"), &rounded.to_string())
            })
        };
        let command = fill(&self.plan.bot);
        let command = match &self.plan.first_line {
            None => command,
            Some(line) => {
                let line = quoted(&fill(line));
                let script = format!("{{ printf '%s\\n' {line}; exec cat; }} | {command}");
                format!("sh -c {}", quoted(&script))
            }
        };
        Bot::parse(&command, self.adapter).context("--bot")
    }

    /// On this machine, one pair a core.
    pub fn here(&self) -> impl Fn(&[Duel]) -> Result<Vec<Met>> + '_ {
        |duels| {
            let options = &self.plan.options;
            duels
                .par_iter()
                .map(|duel| duel.play(self.adapter, options, self.sandbox))
                .collect()
        }
    }

    /// Options of the game, in turn.
    pub fn options(&self) -> &[BTreeMap<String, String>] {
        &self.plan.options
    }

    /// Which game.
    pub fn adapter(&self) -> &'static dyn Adapter {
        self.adapter
    }

    /// True for one of those that settings meet instead of each other.
    pub fn is_opponent(&self, bot: &Bot) -> bool {
        self.opponents.iter().any(|other| other.name == bot.name)
    }

    /// The opponent of pair `n`; none where settings meet each other.
    fn opponent(&self, n: u64) -> Option<&Bot> {
        (!self.opponents.is_empty()).then(|| super::games::in_turn(&self.opponents, n))
    }

    /// Games that a pair of a walk, or of a trial, costs.
    fn cost(&self) -> u64 {
        let seats = self.adapter.seats(&self.plan.options[0]);
        let own = seatings(&[0, 1], seats, false).len() as u64;
        let twice = self.plan.method == Method::Spsa && !self.opponents.is_empty();
        own * if twice { 2 } else { 1 }
    }

    /// Walks by SPSA until `total` games are played.
    pub fn walk(&self, store: &mut Store, name: &str, total: u64, step: &Step<'_>) -> Result<Played> {
        let start = vec![0.0; self.space.len()];
        let mut walk = Walk::new(self.plan.walk.clone(), self.space.clone(), start.clone());
        let mut rows = store.rows(name)?;
        for kept in rows.chunks_exact(self.plan.walk.batch) {
            let results: Vec<f64> = kept.iter().map(|r| r.pair.result).collect();
            walk.learn(&walk.propose(), &results);
        }
        let mut progress = Progress::new(&format!("tune {name}"), total, rows.len() as u64 * self.cost());
        let live = store.live(name, total, rows.len() as u64 * self.cost())?;
        while (rows.len() as u64 * self.cost()) < total && !interrupt::requested() && live.goes_on() {
            let proposals = walk.propose();
            let mut duels = Vec::new();
            for p in &proposals {
                let (plus, minus) = (
                    self.bot(&self.values(&p.plus))?,
                    self.bot(&self.values(&p.minus))?,
                );
                let pairs = match self.opponent(p.n) {
                    None => vec![[plus, minus]],
                    Some(other) => vec![[plus, other.clone()], [minus, other.clone()]],
                };
                duels.extend(pairs.into_iter().map(|bots| Duel {
                    bots,
                    n: p.n,
                    seed: p.game_seed,
                }));
            }
            // Against others both points have their own pair; against each other one tells both.
            let of = |scores: &[f64]| match scores {
                [plus, minus] => plus - minus,
                scores => 2.0 * scores[0] - 1.0,
            };
            let each = duels.len() / proposals.len().max(1);
            let results = step(&duels).map(|scores| scores.chunks(each).map(of).collect::<Vec<f64>>());
            let results = match results {
                Err(_) if interrupt::requested() => break,
                results => results?,
            };
            let fresh: Vec<Row> = (proposals.iter().zip(&results))
                .map(|(p, &result)| {
                    let opponent = self.opponent(p.n).map_or("self", |bot| &bot.name);
                    Row::of(p, opponent.to_owned(), walk.point(), result)
                })
                .collect();
            store.add(name, &fresh)?;
            walk.learn(&proposals, &results);
            rows.extend(fresh);
            live.at((rows.len() as u64 * self.cost()) as usize);
            progress.at(rows.len() as u64 * self.cost(), String::new);
        }
        progress.finish();
        let played = Played {
            space: self.space.clone(),
            stopped: rows.len() as u64 * self.cost() < total,
            walk,
            rows,
            start,
        };
        store.finish(name, &played.answer())?;
        Ok(played)
    }

    /// Tries settings by the Gaussian process until `total` games are played; the trials, and whether it was stopped.
    pub fn search(
        &self,
        store: &mut Store,
        name: &str,
        total: u64,
        step: &Step<'_>,
    ) -> Result<(Vec<Trial>, bool)> {
        let batch = self.plan.walk.batch.max(1) as u64;
        let each = batch * self.cost();
        let start = self.unit(&vec![0.0; self.space.len()]);
        let mut trials = store.trials(name)?;
        let mut progress = Progress::new(&format!("tune {name}"), total, trials.len() as u64 * each);
        let first = self.bot(&self.values(&vec![0.0; self.space.len()]))?;
        let live = store.live(name, total, trials.len() as u64 * each)?;
        while (trials.len() as u64 * each) < total && !interrupt::requested() && live.goes_on() {
            let shape = |unit: Vec<f64>| self.unit(&self.steps(&unit));
            let at = surrogate::propose(&trials, &start, self.plan.walk.seed, shape);
            let bot = self.bot(&self.values(&self.steps(&at)))?;
            let n = trials.len() as u64;
            let duel = |k| {
                let number = n * batch + k;
                Duel {
                    bots: [bot.clone(), self.opponent(number).unwrap_or(&first).clone()],
                    n: number,
                    seed: Rng::new(self.plan.walk.seed ^ (number << 20)).next_u64(),
                }
            };
            let results = step(&(0..batch).map(duel).collect::<Vec<_>>());
            let results = match results {
                Err(_) if interrupt::requested() => break,
                results => results?,
            };
            let trial = Trial { at, results };
            store.add_trial(name, n, &trial)?;
            trials.push(trial);
            live.at((trials.len() as u64 * each) as usize);
            progress.at(trials.len() as u64 * each, String::new);
        }
        progress.finish();
        let stopped = (trials.len() as u64 * each) < total;
        store.finish(name, &self.answer(&trials))?;
        Ok((trials, stopped))
    }

    /// Values that the process believes in most.
    pub fn answer(&self, trials: &[Trial]) -> Vec<(String, f64)> {
        let best = surrogate::Surrogate::new(trials).map(|s| s.best(self.plan.walk.seed));
        let unit = best.unwrap_or_else(|| self.unit(&vec![0.0; self.space.len()]));
        self.values(&self.steps(&unit))
    }

    /// The start's values.
    pub fn start(&self) -> Vec<(String, f64)> {
        self.values(&vec![0.0; self.space.len()])
    }

    /// Coordinates of values, 0 to 1.
    pub fn place(&self, values: &[(String, f64)]) -> Vec<f64> {
        let dims = self.space.dims().iter().zip(values);
        dims.map(|(t, (_, value))| (value - t.min) / (t.max - t.min))
            .collect()
    }

    /// A match of two settings: results of `pairs` pairs for the first, -1 to 1.
    pub fn compare(
        &self,
        one: &[(String, f64)],
        other: &[(String, f64)],
        pairs: u64,
        step: &Step<'_>,
    ) -> Result<Vec<f64>> {
        let bots = [self.bot(one)?, self.bot(other)?];
        let duel = |n: u64| Duel {
            bots: bots.clone(),
            n,
            seed: Rng::new(self.plan.walk.seed ^ 0x5EED ^ (n << 20)).next_u64(),
        };
        let scores = step(&(0..pairs).map(duel).collect::<Vec<_>>())?;
        Ok(scores.into_iter().map(|score| 2.0 * score - 1.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_read_with_their_ranges() {
        let depth = number("depth=6,2,12,1").unwrap();
        assert_eq!(
            (depth.name, depth.value, depth.max, depth.whole),
            ("depth", 6.0, 12.0, true)
        );
        assert!(!number("risk=0.5,0,2,0.1").unwrap().whole);
        for wrong in [
            "depth",
            "depth=1,2,3",
            "a=5,0,4,1",
            "a=1,0,4,0",
            "a=1,x,4,1",
            "=1,0,2,1",
        ] {
            assert!(number(wrong).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }
}
