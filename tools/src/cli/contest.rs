//! What `play`, `league` and `sprt` have in common: arguments, preparation, running a plan and storing it.

use super::elsewhere::{self, Elsewhere, Told};
use super::recorder::Recorder;
use super::report;
use crate::adapter::{Adapter, Setup};
use crate::arena::bots::Bot;
use crate::arena::freeze::Freeze;
use crate::arena::interrupt;
use crate::arena::live::Live;
use crate::arena::load::{Busy, cores};
use crate::arena::matches::{self, Game, Lost, Plan};
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::arena::seat::Rules;
use crate::arena::store::pack;
use crate::games::{adapter, adapters};
use crate::outside;
use crate::outside::said::Failure;
use crate::outside::settings::Settings;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Where games are stored, and which run goes on.
#[derive(ClapArgs, Clone)]
pub struct Storing {
    /// Results file; every game is stored in it with all its messages when it ends.
    #[arg(long, default_value = RESULTS)]
    pub results: PathBuf,
    /// Store nothing; there is nothing to go on with, then, and nothing to show.
    #[arg(long, conflicts_with = "resume")]
    pub no_results: bool,
    /// Go on with the last run of exactly these arguments in the results file.
    #[arg(long)]
    pub resume: bool,
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
    #[arg(long)]
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
    /// What keeps bots from harming others: all that this machine offers, nothing, or all or no game.
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
        self.sandbox.check().map_err(anyhow::Error::msg)?;
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
            .map_err(|e| anyhow::anyhow!("{}: {e}{}", adapter.name(), known(adapter, &options)))?;
        Ok(options)
    }

    /// How seats are held to the clock.
    fn rules(&self) -> Rules {
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

/// The game named on the command line: ours, or the one of `fifty.toml` here.
pub fn adapter_named(name: &str) -> Result<&'static dyn Adapter> {
    if let Some(adapter) = adapter(name) {
        return Ok(adapter);
    }
    if let Some(settings) = Settings::read(Path::new("."))? {
        let settings = settings.checked()?;
        if settings.name == name {
            return Ok(outside::adapter::register(settings));
        }
    }
    let names: Vec<&str> = adapters().iter().map(|r| r.name()).collect();
    bail!("no game named {name}: expected one of {}", names.join(", "))
}

/// Games by name; all of them where none is named.
pub fn adapters_named(names: &[String]) -> Result<Vec<&'static dyn Adapter>> {
    if names.is_empty() {
        return Ok(adapters().to_vec());
    }
    names.iter().map(|name| adapter_named(name)).collect()
}

/// What a run is recognised by, and its games.
pub type Asked = (Value, Vec<Game>);

/// Where games are stored unless told otherwise.
pub const RESULTS: &str = "fifty.sqlite";

/// All bots of a run. Two of one name are told apart by their number.
pub fn bots(names: &[String], adapter: &'static dyn Adapter) -> Result<Vec<Bot>> {
    let mut bots: Vec<Bot> = Vec::new();
    for name in names {
        let mut bot = Bot::parse(name, adapter).context("bot")?;
        let label = bot.name.clone();
        let mut twin = 2;
        while bots.iter().any(|other| other.name == bot.name) {
            bot.name = format!("{label} #{twin}");
            twin += 1;
        }
        bots.push(bot);
    }
    Ok(bots)
}

/// Games that an outside referee may fail before any comes to an end.
const HOPELESS: usize = 5;

/// Seeds after which bots that are alike have shown it.
const REPEATS: usize = 3;

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
    broken: RefCell<BTreeSet<usize>>,
}

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
    place: Option<String>,
    /// Games that an outside referee failed, with their seeds.
    pub failures: Vec<(u64, Failure)>,
    /// Games it was to have.
    total: usize,
}

impl<'a> Contest<'a> {
    /// Reads options and bots; from here on a signal stops the games and not the program.
    pub fn prepare(common: &'a Common, adapter: &'static dyn Adapter, bots: &[String]) -> Result<Self> {
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
        let recorder = Recorder::open(common, kind, self.adapter, spec)?;
        let mut plan = Plan {
            options: self.options.clone(),
            games,
            jobs: common.jobs(),
            trace: true,
            rules: common.rules(),
            strict: common.strict_clock,
            ..Plan::new(self.adapter, &self.bots)
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
                    failed = Some(anyhow::anyhow!("seed {}: {error}", game.seed));
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
        report::faults(results, &self.names);
        report::failures(&ran.failures, ran.total, self.common.storing.no_results);
        report::busy(ran.busy, &self.bots);
        if let Some(place) = &ran.place {
            println!("{place}");
        }
        if ran.interrupted {
            println!("interrupted after {} of {} games", ran.results.len(), ran.total);
        }
    }
}

/// Plays games on this machine.
fn here(plan: &Plan<'_>, skip: &BTreeSet<usize>, mut take: impl FnMut(Told) -> bool) -> Busy {
    matches::run(plan, skip, |(game, done)| {
        let told = done.and_then(|played| {
            let trace = played.trace.as_ref().map(pack).transpose();
            let trace = trace.map_err(|error| Lost::Arena(error.to_string()))?;
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
