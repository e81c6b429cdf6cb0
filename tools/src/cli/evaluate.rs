//! `fifty evaluate`: candidates against the benchmark pool, by stages. Promoting is not its business.
//!
//! Sanity: a few games against the pool; a fault of the candidate ends its evaluation. Pool: many games against
//! everybody in it. SPRT: against the bot promoted last, where there is one. Each stage is a run of its own that goes on
//! where it was left; while other runs of the same file use the cores, a stage waits for one.

use super::contest::{Common, Contest};
use super::named;
use super::outsider::Outsider;
use super::play::{live, verdict};
use super::report;
use super::run;
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::live;
use crate::arena::load::cores;
use crate::arena::result::{GameResult, Measure, group_samples, standings};
use crate::arena::schedule::{Game, schedule, seatings};
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::stats::signed;
use crate::results;
use crate::serve::pool::{self, Entry, Role};
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use rusqlite::Connection;
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

/// How often a stage that waits for a core looks again.
const LOOK: Duration = Duration::from_secs(2);

/// Arguments of `evaluate`.
#[derive(ClapArgs)]
pub struct Args {
    /// Numbers of candidates, as `bots` lists them. Default: all that are not decided.
    candidates: Vec<i64>,
    /// Games of the sanity stage.
    #[arg(long, default_value_t = 20)]
    sanity: usize,
    /// Games against the pool, in all.
    #[arg(long, default_value_t = 200)]
    pool: usize,
    /// Most games of the SPRT against the bot promoted last; 0 for none.
    #[arg(long, default_value_t = 2000)]
    sprt: usize,
    #[command(flatten)]
    referee: Outsider,
    #[command(flatten)]
    common: Common,
}

/// Evaluates and prints. Exit 0: done; 1: a candidate was at fault; 2: could not play; 128 and its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.referee.game(None)?;
    let file = &args.common.storing.results;
    results::must_exist(file)?;
    let db = results::open(file, "")?;
    let candidates: Vec<Entry> = if args.candidates.is_empty() {
        let all = pool::all(&db)?;
        all.into_iter().filter(|e| e.role == Role::Candidate).collect()
    } else {
        let of = |id: &i64| pool::get(&db, *id);
        args.candidates.iter().map(of).collect::<Result<_>>()?
    };
    if candidates.is_empty() {
        bail!(
            "there is no candidate: cargo fifty bots add GAME BOT --results {}",
            file.display()
        );
    }
    let mut fine = true;
    for candidate in &candidates {
        let evaluation = Evaluation {
            args,
            db: &db,
            candidate,
            adapter: named::adapter_named(&candidate.game)?,
        };
        match evaluation.run()? {
            Passed::Fine => {}
            Passed::Faulty => fine = false,
            Passed::Interrupted => return Ok(run::interrupted(&args.common)),
        }
    }
    Ok(if fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// How a stage ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passed {
    Fine,
    Faulty,
    Interrupted,
}

struct Evaluation<'a> {
    args: &'a Args,
    db: &'a Connection,
    candidate: &'a Entry,
    adapter: &'static dyn Adapter,
}

impl Evaluation<'_> {
    fn run(&self) -> Result<Passed> {
        let own = &self.candidate.bot;
        let pool: Vec<String> = pool::benchmarks(self.db, &self.candidate.game)?
            .into_iter()
            .filter(|bot| bot != own)
            .collect();
        println!("{} {own}, candidate {}", self.candidate.game, self.candidate.id);
        if pool.is_empty() {
            bail!("{own}: nobody else is in the pool of {}", self.candidate.game);
        }
        let sanity = self.stage("sanity", &pool, self.args.sanity)?;
        if sanity == Passed::Faulty {
            println!("  at fault: no more games");
        }
        if sanity != Passed::Fine {
            return Ok(sanity);
        }
        let passed = self.stage("pool", &pool, self.args.pool)?;
        let champion = pool::champion(self.db, &self.candidate.game)?.filter(|bot| bot != own);
        match champion {
            Some(champion) if passed == Passed::Fine => self.stage("sprt", &[champion], self.args.sprt),
            _ => Ok(passed),
        }
    }

    /// Plays a stage to its end.
    fn stage(&self, stage: &str, against: &[String], games: usize) -> Result<Passed> {
        if games == 0 {
            return Ok(Passed::Fine);
        }
        let names: Vec<String> = [&self.candidate.bot]
            .into_iter()
            .chain(against)
            .cloned()
            .collect();
        let mut common = self.args.common.clone();
        common.storing.resume = true;
        let timed = named::bots(&names, self.adapter)?.iter().any(Bot::timed);
        if common.jobs.is_none() {
            common.jobs = Some(self.free_cores(timed)?);
        }
        let contest = Contest::prepare(&common, self.adapter, &names)?;
        let seats = contest.seats;
        let (plan, group, seeds) = self.games(&contest.bots, seats, games)?;
        let mut spec = contest.spec(&seeds, plan.len());
        spec["candidate"] = json!(self.candidate.id);
        spec["stage"] = json!(stage);
        let measure = Measure::of(seats);
        let sprt = (stage == "sprt").then(|| Sprt::new(Sprt::DEFAULT.0, Sprt::DEFAULT.1, group));
        let samples = |results: &BTreeMap<usize, GameResult>| group_samples(results, 0, 1, group, measure);
        let decided = |results: &BTreeMap<usize, GameResult>| {
            let test = sprt.as_ref().map(|sprt| sprt.decide(&samples(results)));
            test.is_some_and(|d| d != Decision::Continue) || (stage == "sanity" && faulty(results))
        };
        let total = plan.len();
        let text = |results: &BTreeMap<usize, GameResult>| live(results, &samples(results));
        let ran = contest.run("evaluate", &spec, plan, text, decided)?;
        println!("  {stage}: {} of {total} games", ran.results.len());
        report::standings(&standings(&names, &ran.results), seats);
        if let Some(sprt) = &sprt {
            let samples = samples(&ran.results);
            let (low, high) = sprt.bounds();
            println!("  {}", verdict(&names[0], &samples, group));
            println!(
                "  LLR {} [{low:+.2}, {high:+.2}]: {:?}",
                signed(sprt.llr(&samples), 2),
                sprt.decide(&samples)
            );
        }
        contest.print_end(&ran, &ran.results);
        Ok(if ran.interrupted {
            Passed::Interrupted
        } else if faulty(&ran.results) {
            Passed::Faulty
        } else {
            Passed::Fine
        })
    }

    /// The candidate against each of the others in turn, whole groups of seatings on the same seeds.
    fn games(&self, bots: &[Bot], seats: usize, games: usize) -> Result<(Vec<Game>, usize, Vec<u64>)> {
        let group = seatings(&[0, 1], seats, false).len();
        let each = games.div_ceil(group * (bots.len() - 1)).max(1);
        let seeds = self.args.common.seeds(each)?;
        let mut all: Vec<Game> = Vec::new();
        for other in 1..bots.len() {
            let arrangements = seatings(&[0, other], seats, false);
            let (before, groups) = (all.len(), all.last().map_or(0, |g| g.group + 1));
            let own = schedule(&arrangements, &seeds, seeds.len() * arrangements.len());
            all.extend(own.into_iter().map(|g| Game {
                index: before + g.index,
                group: groups + g.group,
                ..g
            }));
        }
        Ok((all, group, seeds))
    }

    /// Cores that no other run of this file uses; waits for one where games are timed.
    fn free_cores(&self, timed: bool) -> Result<usize> {
        let mut told = false;
        loop {
            let me = std::process::id();
            let used: usize = live::all(self.db)?
                .iter()
                .filter(|run| run.state == "running" && run.pid != me)
                .map(|run| run.jobs)
                .sum();
            let free = cores().saturating_sub(used);
            if free > 0 || !timed {
                return Ok(free.max(1));
            }
            if !told {
                println!("  other runs use all {} cores: waiting for one", cores());
                told = true;
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// True where the first bot failed in a game.
fn faulty(results: &BTreeMap<usize, GameResult>) -> bool {
    results
        .values()
        .any(|r| r.faults.iter().any(|f| r.seating[f.seat] == 0))
}
