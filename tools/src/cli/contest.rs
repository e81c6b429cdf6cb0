//! A run of one game before it begins: the arguments that all runs share, and what they come to.

use super::named::{self, bots, options};
use super::numbers;
use super::recorder::Storing;
use crate::adapter::{Adapter, Setup};
use crate::arena::bots::Bot;
use crate::arena::freeze::Freeze;
use crate::arena::interrupt;
use crate::arena::load::cores;
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::arena::seat::Rules;
use crate::batch::queue::On;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Where games are played, if not here.
#[derive(ClapArgs, Clone, Default)]
pub struct Elsewhere {
    /// Play on other machines: `slurm`, with words for sbatch behind it ('slurm --partition=long'). The plan and the
    /// results of its slices lie beside the results file, where all nodes must see them.
    #[arg(long, value_name = "ENGINE")]
    pub on: Option<On>,
    /// Games of a slice, what one node plays at a time; rounded up to whole groups. Default: 20.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    pub slice_games: Option<usize>,
    /// A file or folder that bots need beside what their command lines name; they are started where it lies. May be
    /// repeated.
    #[arg(long, value_name = "PATH")]
    pub with: Vec<PathBuf>,
}

/// Arguments of every run of games.
#[derive(ClapArgs, Clone)]
pub struct Common {
    /// First seed; the next groups count up from it.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A file with one seed a line (# comments), played instead of counting up.
    #[arg(long)]
    pub seeds: Option<PathBuf>,
    /// Option of the game, key=value; `--league 3` is short for `-o league=3`.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Games at once. Default: one a core.
    #[arg(long, value_parser = numbers::jobs)]
    pub jobs: Option<usize>,
    /// Memory limit of a bot's process in MiB; 0 for none.
    #[arg(long, default_value_t = 1024)]
    pub memory: u64,
    /// Milliseconds beyond the limit in which an answer is still taken (and reported as late).
    #[arg(long, default_value_t = 0)]
    pub grace: u64,
    /// An answer over its limit is a timeout even where others kept the bot from running for as long as it was late
    /// (stopped it, took its core); otherwise such answers are taken and counted as excused.
    #[arg(long)]
    pub strict_clock: bool,
    /// What keeps bots from harming others: all that this machine offers, nothing, or all or no game. A bot writes into
    /// memory; one that is started for each move into the folder named in `TMPDIR`, which is its own for the game.
    #[arg(long, value_enum, default_value = "auto")]
    pub sandbox: Sandbox,
    /// How bots are kept from running while another is asked.
    #[arg(long, value_enum, default_value = "stop")]
    pub freeze: Freeze,
    /// Limit of every answer instead of the game's; a bot's own goes before it.
    #[arg(skip)]
    pub clock: Option<Duration>,
    /// Where its games go.
    #[command(flatten)]
    pub storing: Storing,
    /// Where they are played.
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    /// Print one JSON object as well.
    #[arg(long)]
    pub json: bool,
}

impl Common {
    /// The game's options, checked by making a referee.
    pub fn setup(&self, adapter: &dyn Adapter) -> Result<BTreeMap<String, String>> {
        self.sandbox.check()?;
        let mut options = options(&self.options)?;
        if let Some(settings) = adapter.outside() {
            for (key, value) in &settings.options {
                options.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        let setup = Setup {
            seed: self.seed,
            options: options.clone(),
        };
        adapter
            .referee(&setup)
            .map_err(|e| anyhow::anyhow!("{}: {e:#}{}", adapter.name(), named::known(adapter, &options)))?;
        Ok(options)
    }

    /// How seats are held to the clock.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules {
            grace: Duration::from_millis(self.grace),
            clock: self.clock,
            freeze: self.freeze,
            sandbox: self.sandbox,
            ..Rules::default()
        };
        rules.limits.memory = (self.memory > 0).then_some(self.memory << 20);
        rules
    }

    /// `count` seeds.
    pub fn seeds(&self, count: usize) -> Result<Vec<u64>> {
        let Some(path) = &self.seeds else {
            return Ok((0..count as u64).map(|n| self.seed.wrapping_add(n)).collect());
        };
        let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let mut seeds = Vec::new();
        for (n, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                seeds.push(line.parse().with_context(|| {
                    format!(
                        "{} line {}: expected a seed, a whole number",
                        path.display(),
                        n + 1
                    )
                })?);
            }
        }
        if seeds.len() < count {
            bail!(
                "{}: holds {} seeds, this run needs {count}",
                path.display(),
                seeds.len()
            );
        }
        seeds.truncate(count);
        Ok(seeds)
    }

    /// Games at once: as asked, else one a core. A match has one bot thinking at a time, so every bot has a
    /// core for itself.
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(cores).max(1)
    }
}

/// A run of one game, checked and ready to play.
pub struct Contest<'a> {
    /// As asked for.
    pub common: &'a Common,
    /// Which game.
    pub adapter: &'static dyn Adapter,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// Players of one game.
    pub seats: usize,
    /// Who plays.
    pub bots: Vec<Bot>,
    /// What they are called, in their order.
    pub names: Vec<String>,
    /// Groups in which an outside referee failed a game: they are left out.
    pub broken: RefCell<BTreeSet<usize>>,
}

impl<'a> Contest<'a> {
    /// Reads options and bots; from here on a signal stops the games and not the program.
    pub fn prepare(common: &'a Common, adapter: &'static dyn Adapter, bots: &[String]) -> Result<Self> {
        if common.elsewhere.on.is_some() && common.storing.no_results {
            bail!("--on with --no-results: expected a results file, slices are taken into it as they come");
        }
        let options = common.setup(adapter)?;
        let bots = self::bots(bots, adapter)?;
        for bot in &bots {
            if let Some(note) = bot.work_note() {
                eprintln!("{note}");
            }
        }
        interrupt::watch()?;
        Ok(Self {
            common,
            adapter,
            seats: adapter.seats(&options),
            options,
            names: bots.iter().map(|bot| bot.name.clone()).collect(),
            bots,
            broken: RefCell::default(),
        })
    }

    /// `count` seeds, of the file that the command line or `fifty.toml` names.
    pub fn seeds(&self, count: usize) -> Result<Vec<u64>> {
        let own = self.adapter.outside().and_then(|settings| settings.seeds.clone());
        match (&self.common.seeds, own) {
            (None, Some(file)) => Common {
                seeds: Some(file),
                ..self.common.clone()
            }
            .seeds(count),
            _ => self.common.seeds(count),
        }
    }

    /// How many groups are settled, from the first on without a gap: those that come to be known out of turn may not
    /// choose themselves. A group is settled with `games` games, or without any where the referee failed it.
    pub fn settled(&self, results: &BTreeMap<usize, GameResult>, games: usize) -> usize {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for result in results.values() {
            *counts.entry(result.group).or_default() += 1;
        }
        let broken = self.broken.borrow();
        let whole = |group: &usize| counts.get(group).is_some_and(|count| *count >= games);
        let settled = (0..).take_while(|group| whole(group) || broken.contains(group));
        settled.filter(|group| !broken.contains(group)).count()
    }

    /// What a resumed run must agree in.
    pub fn spec(&self, seeds: &[u64], games: usize) -> Value {
        let common = self.common;
        let mut spec = json!({
            "bots": self.bots.iter().map(Bot::identity).collect::<Vec<_>>(),
            "options": self.options,
            "seeds": if self.listed_seeds() { json!(seeds) } else { json!(common.seed) },
            "games": games,
            "memory": common.memory,
            "grace": common.grace,
            "strict": common.strict_clock,
            "sandbox": format!("{:?}", common.sandbox),
            "freeze": format!("{:?}", common.freeze),
        });
        if let Some(settings) = self.adapter.outside() {
            spec["referee"] = json!({
                "command": settings.command, "adapter": settings.adapter, "players": settings.players,
                "clock": settings.clock, "inputs": settings.inputs,
            });
        }
        spec
    }

    /// True where seeds come from a file.
    fn listed_seeds(&self) -> bool {
        self.common.seeds.is_some()
            || self
                .adapter
                .outside()
                .is_some_and(|settings| settings.seeds.is_some())
    }
}
