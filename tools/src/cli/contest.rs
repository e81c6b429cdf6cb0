//! What `play`, `league` and `sprt` have in common: arguments, running a plan with a progress bar, tables.

use crate::adapter::{Adapter, Setup};
use crate::arena::bots::Bot;
use crate::arena::load::{Busy, cores};
use crate::arena::matches::{self, Done, Game, Plan};
use crate::arena::result::{GameResult, Standing};
use crate::arena::runner::Played;
use crate::arena::seat::Rules;
use crate::arena::store::Store;
use crate::games::{adapter, adapters};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Memory limit of a bot's process in MiB; 0 for none.
    #[arg(long, default_value_t = 1024)]
    pub memory: u64,
    /// Milliseconds beyond the limit in which an answer is still taken (and reported as late).
    #[arg(long, default_value_t = 0)]
    pub grace: u64,
    /// An answer over its limit is a timeout even where the machine itself stood still for as long as it was late
    /// (a virtual machine taken off its host); otherwise such answers are taken and counted as excused.
    #[arg(long)]
    pub strict_clock: bool,
    /// Results file; every game is stored in it with all its messages. league and sprt store into
    /// fifty.sqlite unless told otherwise, play stores only if told.
    #[arg(long)]
    pub results: Option<PathBuf>,
    /// Go on with the last run of exactly these arguments in the results file.
    #[arg(long)]
    pub resume: bool,
    /// Print one JSON object as well.
    #[arg(long)]
    pub json: bool,
}

/// A run's place in its results file, if it has one.
pub struct Recorder {
    store: Option<(Store, i64)>,
    /// Games that were finished before.
    pub known: BTreeMap<usize, GameResult>,
}

impl Recorder {
    /// Opens the file and finds or starts the run. `spec` is what a resumed run must agree in.
    pub fn open(
        file: Option<&Path>,
        kind: &str,
        adapter: &dyn Adapter,
        spec: &Value,
        resume: bool,
    ) -> Result<Self> {
        let Some(file) = file else {
            if resume {
                bail!("--resume: expected --results FILE, the file with the run");
            }
            return Ok(Self {
                store: None,
                known: BTreeMap::new(),
            });
        };
        let store = Store::open(file)?;
        let run = store.begin(kind, adapter.name(), spec, resume)?;
        let known = store.results(run)?;
        Ok(Self {
            store: Some((store, run)),
            known,
        })
    }

    /// True where messages are worth keeping.
    pub fn keeps(&self) -> bool {
        self.store.is_some()
    }

    /// Stores one game.
    pub fn save(&self, result: &GameResult, played: &Played) -> Result<()> {
        match &self.store {
            Some((store, run)) => store.save(*run, result, played.trace.as_ref()),
            None => Ok(()),
        }
    }

    /// `games 12 to 40 are in FILE: cargo fifty show ID`.
    pub fn print_where(&self, file: Option<&Path>) -> Result<()> {
        let (Some((store, run)), Some(file)) = (&self.store, file) else {
            return Ok(());
        };
        let ids = store.ids(*run)?;
        if let (Some(first), Some(last)) = (ids.values().min(), ids.values().max()) {
            println!(
                "run {run}, games {first} to {last} in {}: cargo fifty show {first} --html game.html",
                file.display()
            );
        }
        Ok(())
    }
}

impl Common {
    /// The game's options, checked by making a referee.
    pub fn setup(&self, adapter: &dyn Adapter) -> Result<BTreeMap<String, String>> {
        let options = options(&self.options)?;
        let setup = Setup {
            seed: self.seed,
            options: options.clone(),
        };
        adapter
            .referee(&setup)
            .map_err(|e| anyhow::anyhow!("{}: {e}{}", adapter.name(), known(adapter, &options)))?;
        Ok(options)
    }

    /// How seats are held to the clock.
    fn rules(&self) -> Rules {
        let mut rules = Rules {
            grace: Duration::from_millis(self.grace),
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

    /// What a resumed run must agree in.
    pub fn spec(
        &self,
        bots: &[Bot],
        options: &BTreeMap<String, String>,
        seeds: &[u64],
        games: usize,
    ) -> Value {
        json!({
            "bots": bots.iter().map(Bot::identity).collect::<Vec<_>>(),
            "options": options,
            "seeds": if self.seeds.is_some() { json!(seeds) } else { json!(self.seed) },
            "games": games,
            "memory": self.memory,
            "grace": self.grace,
            "strict": self.strict_clock,
        })
    }

    /// A run of `games`; with `trace` all messages are kept.
    pub fn plan<'a>(
        &self,
        adapter: &'static dyn Adapter,
        options: BTreeMap<String, String>,
        bots: &'a [Bot],
        games: Vec<Game>,
        trace: bool,
    ) -> Plan<'a> {
        Plan {
            options,
            games,
            jobs: self.jobs(),
            trace,
            rules: self.rules(),
            strict: self.strict_clock,
            ..Plan::new(adapter, bots)
        }
    }

    /// Games at once: as asked, else one a core. A match has one bot thinking at a time, so every bot has a
    /// core for itself.
    fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(cores).max(1)
    }
}

/// What the game says about the options given, for an error.
pub fn known(adapter: &dyn Adapter, options: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (name, _, words) in adapter.options() {
        if options.contains_key(*name) {
            text = text + "; " + name + ": " + words;
        }
    }
    text
}

/// Options of a game from `key=value` texts.
pub fn options(texts: &[String]) -> Result<BTreeMap<String, String>> {
    let pair = |text: &String| {
        let (key, value) = text
            .split_once('=')
            .with_context(|| format!("-o {text}: expected key=value"))?;
        Ok((key.to_owned(), value.to_owned()))
    };
    texts.iter().map(pair).collect()
}

/// Every choice of options from `key=value` texts that may name a key several times.
pub fn options_in_turn(texts: &[String]) -> Result<Vec<BTreeMap<String, String>>> {
    let mut choices = vec![BTreeMap::new()];
    let mut keys: Vec<(String, Vec<String>)> = Vec::new();
    for text in texts {
        for (key, value) in options(std::slice::from_ref(text))? {
            match keys.iter_mut().find(|(k, _)| *k == key) {
                Some((_, values)) => values.push(value),
                None => keys.push((key, vec![value])),
            }
        }
    }
    for (key, values) in keys {
        let with = |choice: &BTreeMap<_, _>, value: &String| {
            let mut choice = choice.clone();
            choice.insert(key.clone(), value.clone());
            choice
        };
        choices = (choices.iter())
            .flat_map(|choice| values.iter().map(move |value| with(choice, value)))
            .collect();
    }
    Ok(choices)
}

/// The game named on the command line.
pub fn adapter_named(name: &str) -> Result<&'static dyn Adapter> {
    adapter(name).with_context(|| {
        let names: Vec<&str> = adapters().iter().map(|r| r.name()).collect();
        format!("no game named {name}: expected one of {}", names.join(", "))
    })
}

/// Where `league` and `sprt` store unless told otherwise.
pub const RESULTS: &str = "fifty.sqlite";

/// All bots of a run.
pub fn bots(names: &[String], adapter: &dyn Adapter) -> Result<Vec<Bot>> {
    let bot = |name: &String| Bot::parse(name, adapter).context("bot");
    names.iter().map(bot).collect()
}

/// A bar on stderr; nothing where stderr is no terminal.
pub fn progress_bar(games: usize) -> ProgressBar {
    let bar = ProgressBar::new(games as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ETA {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Everything a run came to.
pub struct Ran {
    /// By place in the run.
    pub results: BTreeMap<usize, GameResult>,
    /// How busy the machine was.
    pub busy: Busy,
}

/// Plays `plan` on top of the games the recorder knows, and stores every finished game. `message` writes the
/// bar's text and tells whether to stop.
pub fn run_plan(
    plan: &Plan<'_>,
    recorder: &Recorder,
    mut message: impl FnMut(&BTreeMap<usize, GameResult>) -> (String, bool),
) -> Result<Ran> {
    let mut results = recorder.known.clone();
    let skip: BTreeSet<usize> = results.keys().copied().collect();
    let bar = progress_bar(plan.games.len());
    bar.set_position(skip.len() as u64);
    bar.reset_eta();
    let mut failed = None;
    let busy = matches::run(plan, &skip, |(game, done): Done| {
        let played = match done {
            Ok(played) => played,
            Err(error) => {
                failed = Some(anyhow::anyhow!("seed {}: {error}", game.seed));
                return false;
            }
        };
        let result = GameResult::new(&game, &played);
        if let Err(error) = recorder.save(&result, &played) {
            failed = Some(error);
            return false;
        }
        results.insert(game.index, result);
        bar.inc(1);
        let (text, stop) = message(&results);
        bar.set_message(text);
        !stop
    });
    bar.finish_and_clear();
    match failed {
        Some(error) => Err(error),
        None => Ok(Ran { results, busy }),
    }
}

/// The table of standings.
pub fn print_standings(table: &[Standing], seats: usize) {
    let width = table
        .iter()
        .map(|s| s.bot.chars().count())
        .max()
        .unwrap_or(0)
        .min(48);
    for s in table {
        let name: String = s.bot.chars().take(48).collect();
        let record = if seats == 2 {
            format!("W {} D {} L {}", s.wins, s.draws, s.losses)
        } else {
            format!("first {} times", s.wins)
        };
        println!(
            "{name:width$}  {:6.1} % of {} ({record}), score {:.1}; {}",
            s.share * 100.0,
            s.games,
            s.mean_score,
            s.times
        );
        let mut notes: Vec<String> = s.faults.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        if s.late > 0 {
            notes.push(format!("late answers {}", s.late));
        }
        if !notes.is_empty() {
            println!("{:width$}  faults: {}", "", notes.join(", "));
        }
        if s.excused > 0 {
            println!(
                "{:width$}  excused: {} of {} answers, late only because the machine stood still",
                "", s.excused, s.times.answers
            );
        }
    }
}

/// The first few faults in full.
pub fn print_faults(results: &BTreeMap<usize, GameResult>, names: &[String]) {
    let mut shown = 0;
    let mut more = 0;
    for result in results.values() {
        for fault in &result.faults {
            if shown == 5 {
                more += 1;
                continue;
            }
            shown += 1;
            let detail = if fault.detail.is_empty() {
                String::new()
            } else {
                format!(": {}", fault.detail)
            };
            println!(
                "game {} (seed {}), seat {}, {}: {}{detail}",
                result.index, result.seed, fault.seat, names[result.seating[fault.seat]], fault.kind
            );
            for line in &fault.stderr {
                println!("    stderr: {line}");
            }
        }
    }
    if more > 0 {
        println!("and {more} more faults");
    }
}

/// True where the machine was too busy for the clock of these bots.
pub fn unreliable(busy: Busy, bots: &[Bot]) -> bool {
    busy.unreliable() && bots.iter().any(Bot::timed)
}

/// Says so where the machine was too busy for timed results.
pub fn print_busy(busy: Busy, bots: &[Bot]) {
    if bots.iter().any(Bot::timed) {
        if unreliable(busy, bots) {
            println!("UNRELIABLE, the machine was too busy: {busy}");
        } else {
            println!("{busy}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::options_in_turn;
    use std::collections::BTreeMap;

    #[test]
    fn values_of_one_key_take_turns() {
        let texts = ["variant=utg", "poi=true", "variant=utg-ink4"].map(String::from);
        let choices = options_in_turn(&texts).unwrap();
        let variants: Vec<&str> = choices.iter().map(|c| c["variant"].as_str()).collect();
        assert_eq!(variants, ["utg", "utg-ink4"]);
        assert!(choices.iter().all(|c| c["poi"] == "true"));
        assert_eq!(options_in_turn(&[]).unwrap(), [BTreeMap::new()]);
        assert!(options_in_turn(&["poi".to_owned()]).is_err());
    }
}
