//! `--on slurm`, and plans of runs: the games of a contest as slices that are played on other machines.

use super::contest::Contest;
use super::recorder::Recorder;
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::carry::Carrier;
use crate::arena::load::Busy;
use crate::arena::matches::Lost;
use crate::arena::opponents;
use crate::arena::result::GameResult;
use crate::arena::schedule::Game;
use crate::batch::plan::{BatchPlan, Held, Old, Work};
use crate::batch::queue::On;
use crate::batch::slice::{Item, Slice};
use crate::batch::slurm;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Games of a slice unless told otherwise: a few minutes by a contest's clock.
const GAMES: usize = 20;

/// A game that was played somewhere, or what kept it from being: its trace as a results file has it.
pub type Told = (Game, Result<(GameResult, Option<Vec<u8>>), Lost>);

fn word(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}

/// Old bots of ours among these builtins, copied.
pub fn taken_along<'a>(
    adapter: &dyn Adapter,
    names: impl Iterator<Item = &'a str>,
    carrier: &Carrier<'_>,
) -> Result<Vec<Old>> {
    let mut all: Vec<Old> = Vec::new();
    for name in names {
        if let Some((name, path, serves)) = opponents::taken_along(adapter, name)?
            && all.iter().all(|old| old.name != name)
        {
            let program = carrier.word(&path.display().to_string())?;
            all.push(Old {
                name,
                program,
                serves,
            });
        }
    }
    Ok(all)
}

/// Writes the plan of a run into `folder`, with everything that it needs.
pub fn plan(
    contest: &Contest<'_>,
    (kind, spec): (&str, &Value),
    games: &[Game],
    slices: Option<usize>,
    folder: &Path,
) -> Result<BatchPlan> {
    let common = contest.common;
    let beside = folder.with_extension(format!("{}.new", std::process::id()));
    fs::create_dir_all(&beside).with_context(|| format!("{}: cannot be made", beside.display()))?;
    let written = (|| {
        let carrier = Carrier::new(&beside, &common.elsewhere.with)?;
        let mut outside = contest.adapter.outside().cloned();
        if let Some(settings) = &mut outside {
            settings.command = carrier.line(&settings.command)?;
            settings.bots.clear();
            settings.seeds = None;
        }
        let work = Work::Games {
            options: contest.options.clone(),
            bots: contest
                .bots
                .iter()
                .map(|bot| bot.carried(&carrier))
                .collect::<Result<_>>()?,
            held: Held {
                memory: common.memory,
                grace: common.grace,
                strict: common.strict_clock,
                sandbox: word(&common.sandbox),
                freeze: word(&common.freeze),
                clock: common.clock,
            },
            outside,
            games: games.to_vec(),
        };
        let size = common.elsewhere.slice_games.unwrap_or(GAMES).max(1);
        let slices = slices.unwrap_or_else(|| games.len().div_ceil(size));
        let mut plan = BatchPlan::new(kind, contest.adapter.name(), spec, work, slices)?;
        let builtins = contest.bots.iter().filter_map(Bot::builtin);
        plan.old = taken_along(contest.adapter, builtins, &carrier)?;
        plan.write(&beside)?;
        fs::rename(&beside, folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        Ok(plan)
    })();
    if written.is_err() {
        let _ = fs::remove_dir_all(&beside);
    }
    written
}

/// The folder of a run's plan, and the plan: the one that a resumed run has, else a new one.
fn found(
    contest: &Contest<'_>,
    run: i64,
    (kind, spec): (&str, &Value),
    games: &[Game],
) -> Result<(PathBuf, BatchPlan)> {
    let storing = &contest.common.storing;
    let mut place = storing.results.clone().into_os_string();
    place.push(".plans");
    let folder = PathBuf::from(place).join(format!("run-{run}"));
    if folder.exists() {
        if storing.resume && BatchPlan::lies_in(&folder) {
            let plan = BatchPlan::read(&folder)?;
            if plan.head.spec == *spec && plan.head.total() == games.len() {
                return Ok((folder, plan));
            }
        }
        // Of a results file that is no more.
        let old = (1..1_000)
            .map(|n| folder.with_extension(format!("old{n}")))
            .find(|old| !old.exists());
        fs::rename(&folder, old.context("no name is free")?)?;
    }
    fs::create_dir_all(folder.parent().unwrap_or(Path::new(".")))?;
    let plan = plan(contest, (kind, spec), games, None, &folder)?;
    Ok((folder, plan))
}

/// Plays `games` but those in `skip` by Slurm; `done` as for `matches::run`.
pub fn play(
    contest: &Contest<'_>,
    on: &On,
    recorder: &Recorder,
    asked: (&str, &Value),
    games: &[Game],
    skip: &BTreeSet<usize>,
    mut done: impl FnMut(Told) -> bool,
) -> Result<Busy> {
    let Some(run) = recorder.run() else {
        bail!("--on: expected a results file");
    };
    let (folder, plan) = found(contest, run, asked, games)?;
    eprintln!(
        "{} slices of {} games; plan, logs and results in {}",
        plan.head.slices(),
        plan.head.total(),
        folder.display()
    );
    let ended = slurm::run(&folder, &plan, on, skip, |slice: &Slice| {
        slice.items.iter().all(|item| match item {
            Item::Game(result, _) if skip.contains(&result.index) => true,
            Item::Game(result, trace) => done((
                games[result.index].clone(),
                Ok(((**result).clone(), trace.clone())),
            )),
            Item::Failed(n, _, failure) => done((games[*n].clone(), Err(Lost::Referee(failure.clone())))),
            Item::Pair(_) | Item::Duel(_) => true,
        })
    })?;
    let mut all = Busy::default();
    for (name, slices) in &ended.nodes {
        let busy = slices
            .iter()
            .filter_map(|node| node.busy)
            .reduce(Busy::with)
            .unwrap_or_default();
        let mut speeds: Vec<f64> = slices.iter().map(|node| node.calibration).collect();
        speeds.sort_by(f64::total_cmp);
        let seconds: f64 = slices.iter().map(|node| node.seconds).sum();
        println!(
            "node {name}: {} slices in {seconds:.1} s, calibration game {:.1} ms",
            slices.len(),
            speeds[speeds.len() / 2]
        );
        all = all.with(busy);
    }
    for why in &ended.excluded {
        println!("left out: {why}");
    }
    Ok(all)
}
