//! A run while it is played: its games, what is stored of each, and what it came to.

use super::contest::{Common, Contest};
use super::elsewhere::{self, Told};
use super::recorder::{Place, Recorder};
use super::report;
use crate::arena::interrupt;
use crate::arena::live::Live;
use crate::arena::load::Busy;
use crate::arena::matches::{self, Lost, MatchPlan};
use crate::arena::result::GameResult;
use crate::arena::schedule::Game;
use crate::arena::store::pack;
use crate::outside::said::Failure;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// What a run is recognised by, and its games.
pub type Asked = (Value, Vec<Game>);

/// Games that an outside referee may fail before any comes to an end.
const HOPELESS: usize = 5;

/// Seeds after which bots that are alike have shown it.
const REPEATS: usize = 3;

/// Everything a run came to.
pub struct Ran {
    /// By place in the run.
    pub results: BTreeMap<usize, GameResult>,
    /// How busy the machine was.
    pub busy: Busy,
    /// A signal stopped it before its end.
    pub interrupted: bool,
    /// Seeds on which bots that are alike had played by then, the same game in every seating.
    repeats: Option<usize>,
    /// Where the games lie.
    place: Option<Place>,
    /// Games that an outside referee failed, with their seeds.
    pub failures: Vec<(u64, Failure)>,
    /// Games it was to have.
    total: usize,
}

impl Ran {
    /// Fails where an outside referee failed every game: a table of nothing is no success.
    pub fn check(&self) -> Result<()> {
        match self.failures.first() {
            Some((seed, first)) if self.results.is_empty() && !self.interrupted => {
                bail!("no game came to an end; seed {seed}: {first}")
            }
            _ => Ok(()),
        }
    }
}

impl Contest<'_> {
    /// Plays `games` on top of those the results file knows of this run, and stores every one that ends. `text`
    /// says how it stands, `stop` ends it early.
    pub fn run(
        &self,
        kind: &str,
        spec: &Value,
        games: Vec<Game>,
        text: impl Fn(&BTreeMap<usize, GameResult>) -> String,
        mut stop: impl FnMut(&BTreeMap<usize, GameResult>) -> bool,
    ) -> Result<Ran> {
        let common = self.common;
        let recorder = Recorder::open(&common.storing, kind, self.adapter, spec)?;
        let mut plan = MatchPlan {
            options: self.options.clone(),
            games,
            jobs: common.jobs(),
            trace: true,
            rules: common.rules(),
            strict: common.strict_clock,
            ..MatchPlan::new(self.adapter, &self.bots)
        };
        let total = plan.games.len();
        let mut results = recorder.known.clone();
        let skip: BTreeSet<usize> = results.keys().copied().collect();
        let mut progress = Progress::new(
            &format!("{kind} {}", self.adapter.name()),
            total as u64,
            skip.len() as u64,
        );
        let mut failed = None;
        let mut failures: Vec<(u64, Failure)> = Vec::new();
        self.broken.borrow_mut().clear();
        let mut repeats = self.repeats(&results);
        // Of a run that was at its end already nothing is played.
        let over = repeats.is_some() || (!results.is_empty() && stop(&results));
        let live = recorder.live(&common.storing.results, &plan)?;
        plan.gate = live.as_ref().map(|live| live.gate.clone());
        let take = |(game, told): Told| {
            let (result, trace) = match told {
                Ok(told) => told,
                Err(_) if interrupt::requested() => return false,
                Err(Lost::Referee(failure)) => {
                    if let Err(error) = recorder.failed(&game, &failure.to_string()) {
                        failed = Some(error);
                        return false;
                    }
                    failures.push((game.seed, failure));
                    self.broken.borrow_mut().insert(game.group);
                    // One half of a pair tells nothing: it stays in the file, and counts once the other half is there.
                    results.retain(|_, result| result.group != game.group);
                    if results.is_empty() && failures.len() >= HOPELESS {
                        let first = &failures[0];
                        failed = Some(anyhow::anyhow!(
                            "none of the first {} games came to an end; seed {}: {}",
                            failures.len(),
                            first.0,
                            first.1
                        ));
                        return false;
                    }
                    return !stop(&results);
                }
                Err(error) => {
                    failed = Some(anyhow::Error::from(error).context(format!("seed {}", game.seed)));
                    return false;
                }
            };
            if let Err(error) = recorder.save(&result, trace.as_deref()) {
                failed = Some(error);
                return false;
            }
            if !self.broken.borrow().contains(&game.group) {
                results.insert(game.index, result);
            }
            live.iter().for_each(Live::count);
            progress.at(results.len() as u64, || text(&results));
            repeats = self.repeats(&results);
            !stop(&results) && repeats.is_none() && !interrupt::requested()
        };
        let busy = match &common.elsewhere.on {
            _ if over => Busy::default(),
            None => here(&plan, &skip, take),
            Some(on) => elsewhere::play(self, on, &recorder, (kind, spec), &plan.games, &skip, take)
                .with_context(|| {
                    format!(
                        "{}: what came by then is stored",
                        common.storing.results.display()
                    )
                })?,
        };
        progress.finish();
        if let Some(error) = failed {
            let kept = if common.storing.no_results {
                0
            } else {
                results.len()
            };
            let file = common.storing.results.display();
            return Err(error.context(format!("stopped with {kept} games in {file}")));
        }
        Ok(Ran {
            interrupted: interrupt::requested()
                && results.len() + failures.len() < total
                && repeats.is_none()
                && !stop(&results),
            results,
            repeats,
            busy,
            place: recorder.place(&common.storing.results)?,
            failures,
            total,
        })
    }

    /// Two bots that are one, at fixed work, play the same game in every seating of a seed: the count of seeds by
    /// which that has shown.
    fn repeats(&self, results: &BTreeMap<usize, GameResult>) -> Option<usize> {
        if !matches!(&self.bots[..], [one, other] if one.is_alike(other)) {
            return None;
        }
        let mut seeds: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for result in results.values() {
            seeds.entry(result.group).or_default().push(result.answers);
        }
        let repeated = |games: &&Vec<u64>| games.len() > 1 && games[0] != 0;
        let same = |games: &Vec<u64>| games.iter().all(|game| *game == games[0]);
        let seeds: Vec<&Vec<u64>> = seeds.values().filter(repeated).collect();
        (seeds.len() >= REPEATS && seeds.iter().all(|games| same(games))).then_some(seeds.len())
    }

    /// What stands below every table: faults, how busy the machine was, where the games are, how to go on.
    pub fn print_end(&self, ran: &Ran, results: &BTreeMap<usize, GameResult>) {
        if let Some(seeds) = ran.repeats {
            println!(
                "{} and {} are one bot at fixed work: on {seeds} seeds they played the same game in every seating, \
                 answer for answer; more games would tell nothing",
                self.names[0], self.names[1]
            );
        }
        report::repeats(results);
        report::faults(results, &self.names, |n| {
            ran.place.as_ref().and_then(|place| place.ids.get(&n).copied())
        });
        report::failures(&ran.failures, ran.total, self.common.storing.no_results);
        report::busy(ran.busy, &self.bots);
        if let Some(place) = &ran.place {
            println!("{}", place.line);
        }
        if ran.interrupted {
            println!("interrupted after {} of {} games", ran.results.len(), ran.total);
        }
    }
}

/// Plays games on this machine.
fn here(plan: &MatchPlan<'_>, skip: &BTreeSet<usize>, mut take: impl FnMut(Told) -> bool) -> Busy {
    matches::run(plan, skip, |(game, done)| {
        let told = done.and_then(|played| {
            let trace = played.trace.as_ref().map(pack).transpose();
            let trace = trace?;
            Ok((GameResult::new(&game, &played), trace))
        });
        take((game, told))
    })
}

/// What a run ends with that a signal stopped: the line that goes on with it.
pub fn interrupted(common: &Common) -> ExitCode {
    if common.storing.no_results {
        println!("nothing was stored: there is nothing to go on with");
    } else {
        println!("go on with: {}", interrupt::resume_line());
    }
    interrupt::exit_code()
}
