//! A tuner's steps on other machines: every step a plan, whose folder is gone once its results are in the results file.

use super::elsewhere::taken_along;
use super::tune_args::{Args, set_up};
use crate::adapter::Adapter;
use crate::arena::carry::{Carried, Carrier};
use crate::arena::interrupt;
use crate::batch::plan::{BatchPlan, Work};
use crate::batch::queue::On;
use crate::batch::slice::Item;
use crate::batch::slurm;
use crate::outside::adapter::adapter;
use crate::tune::faults::Met;
use crate::tune::games::Games;
use crate::tune::program::{Duel, Program};
use crate::tune::run;
use crate::tune::step::Asked;
use crate::tune::store::Row;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Pairs of a slice unless told otherwise.
const PAIRS: usize = 2;

/// Where the plan of a run's step lies.
fn folder(args: &Args, name: &str) -> PathBuf {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let mut place = args.db.clone().into_os_string();
    place.push(".plans");
    PathBuf::from(place).join(format!("tune-{}", name.chars().map(plain).collect::<String>()))
}

fn slices(args: &Args, pairs: usize) -> usize {
    pairs.div_ceil(args.slice_pairs.unwrap_or(PAIRS).max(1))
}

/// Writes a plan where there is none of the same content; the folder belongs to the run.
fn written(folder: &Path, make: impl FnOnce(&Path) -> Result<BatchPlan>) -> Result<BatchPlan> {
    let beside = folder.with_extension("new");
    let _ = fs::remove_dir_all(&beside);
    fs::create_dir_all(&beside).with_context(|| format!("{}: cannot be made", beside.display()))?;
    let plan = make(&beside)?;
    if BatchPlan::lies_in(folder) && BatchPlan::read(folder).is_ok_and(|old| old.head.plan == plan.head.plan)
    {
        let _ = fs::remove_dir_all(&beside);
        return Ok(plan);
    }
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("{}: cannot be replaced", folder.display()))?;
    }
    plan.write(&beside)?;
    fs::rename(&beside, folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    Ok(plan)
}

/// All items of a plan, played by Slurm, in order.
fn items(folder: &Path, plan: &BatchPlan, on: &On) -> Result<Vec<Item>> {
    let mut slices: BTreeMap<usize, Vec<Item>> = BTreeMap::new();
    slurm::run(folder, plan, on, &BTreeSet::new(), |slice| {
        slices.insert(slice.number, slice.items.clone());
        true
    })?;
    if interrupt::requested() {
        bail!("interrupted");
    }
    Ok(slices.into_values().flatten().collect())
}

/// The plan of a step of our own bot.
fn step(
    args: &Args,
    plan: &run::TunePlan,
    name: &str,
    asks: &[Asked],
    slices: usize,
    folder: &Path,
) -> Result<BatchPlan> {
    let adapter: &'static dyn Adapter = adapter(&plan.game).context("no such game")?;
    let first = asks.first().context("a step without a pair")?.n;
    let spec = json!({"run": name, "setup": serde_json::to_string(plan)?, "first": first});
    let work = Work::Pairs {
        work: plan.work,
        options: plan.options.clone(),
        pairs: asks.to_vec(),
    };
    let carrier = Carrier::new(folder, &args.with)?;
    let mut made = BatchPlan::new("tune", &plan.game, &spec, work, slices)?;
    let builtins = plan.pool.iter().filter_map(|text| text.strip_prefix("builtin:"));
    made.old = taken_along(adapter, builtins, &carrier)?;
    Ok(made)
}

/// Plays steps of our own bot where `--on` says.
pub fn step_of<'a>(
    args: &'a Args,
    plan: &'a run::TunePlan,
    name: &'a str,
    games: &'a [Games],
) -> impl Fn(&[Asked]) -> Result<Vec<Row>> + 'a {
    move |asks| {
        let Some(on) = &args.on else {
            return run::here(games)(asks);
        };
        let folder = folder(args, name);
        let count = slices(args, asks.len());
        let made = written(&folder, |beside| step(args, plan, name, asks, count, beside))?;
        played(&folder, &made, on, |item| match item {
            Item::Pair(row) => Some(row),
            _ => None,
        })
    }
}

/// What came of a plan's items, which are all of one kind; then its folder goes.
fn played<T>(folder: &Path, plan: &BatchPlan, on: &On, one: impl Fn(Item) -> Option<T>) -> Result<Vec<T>> {
    let results = items(folder, plan, on)?
        .into_iter()
        .map(|item| one(item).with_context(|| format!("{}: expected pairs", folder.display())))
        .collect::<Result<Vec<T>>>()?;
    fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    Ok(results)
}

/// Plays pairs of a program where `--on` says.
pub fn step_of_program<'a>(
    args: &'a Args,
    program: &'a Program,
    name: &'a str,
) -> impl Fn(&[Duel]) -> Result<Vec<Met>> + 'a {
    move |duels| {
        let Some(on) = &args.on else {
            return program.here()(duels);
        };
        let folder = folder(args, name);
        let made = written(&folder, |beside| of_duels(args, program, name, duels, beside))?;
        played(&folder, &made, on, |item| match item {
            Item::Duel(met) => Some(met),
            _ => None,
        })
    }
}

fn of_duels(args: &Args, program: &Program, name: &str, duels: &[Duel], folder: &Path) -> Result<BatchPlan> {
    let carrier = Carrier::new(folder, &args.with)?;
    let mut bots: Vec<Carried> = Vec::new();
    let mut meetings = Vec::new();
    for duel in duels {
        let mut places = [0; 2];
        for (bot, place) in duel.bots.iter().zip(&mut places) {
            let bot = bot.carried(&carrier)?;
            *place = bots.iter().position(|known| *known == bot).unwrap_or(bots.len());
            if *place == bots.len() {
                bots.push(bot);
            }
        }
        meetings.push((places[0], places[1], duel.n, duel.seed));
    }
    let mut outside = program.adapter().outside().cloned();
    if let Some(settings) = &mut outside {
        settings.command = carrier.line(&settings.command)?;
        settings.bots.clear();
    }
    let work = Work::Duels {
        options: program.options().to_vec(),
        bots,
        outside,
        duels: meetings,
    };
    let spec: Value = json!({"run": name});
    let game = program.adapter().name();
    let mut made = BatchPlan::new("tune", game, &spec, work, slices(args, duels.len()))?;
    let builtins = duels
        .iter()
        .flat_map(|duel| &duel.bots)
        .filter_map(|bot| bot.builtin());
    made.old = taken_along(program.adapter(), builtins, &carrier)?;
    Ok(made)
}

/// Writes the plan of the next step of `fifty tune GAME`, for `fifty batch plan`; the run is begun where it is new.
pub fn plan_next(args: &Args, count: Option<usize>, out: &Path) -> Result<BatchPlan> {
    if args.bot.is_some() || !args.numbers.is_empty() {
        bail!("batch plan tune: expected a game of ours; --bot is tuned on many machines by --on slurm");
    }
    let (plan, store, name, games) = set_up(args, true)?;
    let standing = run::standing(&plan, &games, &store, &name)?;
    let asks = standing.asks(&games);
    let count = count.unwrap_or_else(|| slices(args, asks.len()));
    let beside = out.with_extension(format!("{}.new", std::process::id()));
    fs::create_dir_all(&beside).with_context(|| format!("{}: cannot be made", beside.display()))?;
    let made = step(args, &plan, &name, &asks, count, &beside)?;
    made.write(&beside)?;
    fs::rename(&beside, out).with_context(|| format!("{}: cannot be made", out.display()))?;
    Ok(made)
}
