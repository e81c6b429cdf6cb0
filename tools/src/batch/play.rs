//! Plays a slice of a plan on this machine.

use super::node::{self, Node};
use super::plan::{BatchPlan, Held, Work, result_file};
use super::slice::{Item, Slice};
use crate::adapter::Adapter;
use crate::arena::bots::Bot;
use crate::arena::carry::WITH;
use crate::arena::interrupt;
use crate::arena::load::Busy;
use crate::arena::matches::{self, Lost};
use crate::arena::opponents;
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::arena::seat::Rules;
use crate::arena::store::pack;
use crate::outside;
use crate::outside::settings::Settings;
use crate::tune::games::Games;
use crate::tune::program::Duel;
use crate::tune::step::compare;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use fifty::kit::clock::Budget;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What came of a slice.
pub enum Done {
    /// It was played.
    Played(PathBuf),
    /// Its result was there already, also if only since a moment ago.
    Known(PathBuf),
}

impl Held {
    /// As the arena has them.
    pub fn rules(&self) -> Result<Rules> {
        let mut rules = Rules {
            grace: Duration::from_millis(self.grace),
            clock: self.clock,
            freeze: ValueEnum::from_str(&self.freeze, false).map_err(anyhow::Error::msg)?,
            sandbox: ValueEnum::from_str(&self.sandbox, false).map_err(anyhow::Error::msg)?,
            ..Rules::default()
        };
        rules.limits.memory = (self.memory > 0).then_some(self.memory << 20);
        Ok(rules)
    }
}

/// Plays slice `number` (from 1) of the plan in `folder`, `jobs` games at once, into the folder `out`.
pub fn play(folder: &Path, number: usize, out: &Path, jobs: usize) -> Result<Done> {
    let start = Instant::now();
    let folder = fs::canonicalize(folder).with_context(|| format!("{}: no such plan", folder.display()))?;
    let plan = BatchPlan::read(&folder)?.at(&folder);
    plan.check(number)?;
    fs::create_dir_all(out).with_context(|| format!("{}: cannot be made", out.display()))?;
    let out = fs::canonicalize(out)?;
    let target = result_file(&out, number);
    if target.exists() {
        match Slice::read(&target) {
            Ok(known) if known.head.plan == plan.head.plan => return Ok(Done::Known(target)),
            Ok(_) => bail!("{}: is there already, of another plan", target.display()),
            Err(wrong) => {
                eprintln!("{wrong:#}; it is played again, the damaged one is put aside");
                fs::rename(&target, target.with_extension("damaged"))?;
            }
        }
    }
    for old in &plan.old {
        opponents::bring(&plan.head.game, &old.name, Path::new(&old.program), old.serves);
    }
    let with = folder.join(WITH);
    if with.is_dir() {
        std::env::set_current_dir(&with)?;
    }
    interrupt::watch()?;
    let calibration = node::calibrate()?;
    let (items, busy) = items(&plan, number, jobs)?;
    let slice = Slice {
        head: plan.head,
        number,
        items,
        node: Node {
            name: node::name(),
            calibration,
            busy,
            seconds: start.elapsed().as_secs_f64(),
        },
    };
    let mut file = tempfile::Builder::new().prefix(".slice-").tempfile_in(&out)?;
    file.write_all(slice.text()?.as_bytes())?;
    file.as_file().sync_all()?;
    // For whoever reads the folder, as with any other file.
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(mode)?;
    match file.persist_noclobber(&target) {
        Ok(_) => Ok(Done::Played(target)),
        Err(error) if target.exists() => {
            drop(error);
            Ok(Done::Known(target))
        }
        Err(error) => Err(error.error).with_context(|| format!("{}: cannot be written", target.display())),
    }
}

fn items(plan: &BatchPlan, number: usize, jobs: usize) -> Result<(Vec<Item>, Option<Busy>)> {
    let own = plan.head.items(number);
    match &plan.work {
        Work::Games {
            options,
            bots,
            held,
            outside,
            games,
        } => {
            let adapter = adapter(plan, outside.as_ref())?;
            held.rules()?.sandbox.check()?;
            let bots: Vec<Bot> = bots
                .iter()
                .map(|bot| Bot::carried_here(bot, adapter))
                .collect::<Result<_>>()?;
            let run = matches::MatchPlan {
                options: options.clone(),
                games: games[own].to_vec(),
                jobs,
                trace: true,
                rules: held.rules()?,
                strict: held.strict,
                ..matches::MatchPlan::new(adapter, &bots)
            };
            let (items, busy) = play_games(&run)?;
            Ok((items, bots.iter().any(Bot::timed).then_some(busy)))
        }
        Work::Pairs { work, options, pairs } => {
            let games = Games::each(game(&plan.head.game)?, Budget::Work(*work), options);
            let items = pairs[own]
                .iter()
                .map(|pair| compare(&games, pair).map(Item::Pair));
            Ok((items.collect::<Result<_>>()?, None))
        }
        Work::Duels {
            options,
            bots,
            outside,
            duels,
        } => {
            let adapter = adapter(plan, outside.as_ref())?;
            let items = duels[own].iter().map(|&(one, other, n, seed)| {
                let bot = |which: usize| Bot::carried_here(&bots[which], adapter);
                let bots = [bot(one)?, bot(other)?];
                let duel = Duel { bots, n, seed };
                duel.play(adapter, options, Sandbox::Auto).map(Item::Duel)
            });
            Ok((items.collect::<Result<_>>()?, None))
        }
    }
}

fn adapter(plan: &BatchPlan, outside: Option<&Settings>) -> Result<&'static dyn Adapter> {
    match outside {
        Some(settings) => Ok(outside::adapter::register(settings.clone())),
        None => game(&plan.head.game),
    }
}

fn game(name: &str) -> Result<&'static dyn Adapter> {
    outside::adapter::adapter(name).with_context(|| format!("no game named {name}"))
}

fn play_games(run: &matches::MatchPlan<'_>) -> Result<(Vec<Item>, Busy)> {
    let mut items: BTreeMap<usize, Item> = BTreeMap::new();
    let mut failed = None;
    let busy = matches::run(run, &BTreeSet::new(), |(game, done)| {
        let item = match done {
            Err(_) if interrupt::requested() => return false,
            Ok(played) => {
                let trace = played.trace.as_ref().map(pack).transpose();
                trace.map(|trace| Item::Game(Box::new(GameResult::new(&game, &played)), trace))
            }
            Err(Lost::Referee(failure)) => Ok(Item::Failed(game.index, game.seed, failure)),
            Err(lost) => Err(anyhow::Error::from(lost).context(format!("seed {}", game.seed))),
        };
        match item {
            Ok(item) => {
                items.insert(game.index, item);
                !interrupt::requested()
            }
            Err(error) => {
                failed = Some(error);
                false
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    if items.len() < run.games.len() {
        bail!(
            "interrupted after {} of {} games; the slice is to be played again",
            items.len(),
            run.games.len()
        );
    }
    Ok((items.into_values().collect(), busy))
}
