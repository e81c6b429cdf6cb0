//! `fifty referee GAME -p1 CMD -p2 CMD …`: one game, asked for and answered in the form of other arenas.
//!
//! cg-brutaltester starts a referee with `-p1 CMD -p2 CMD [-p3 CMD -p4 CMD] [-d seed=N] [-l FILE]` and reads one score a
//! line; cgarena says `-seed N`, and both its script and psyleague's read `scores` and `errors` of the file; psyleague
//! itself and cgarena's command referees read one JSON line. Nothing else goes to stdout, faults go to stderr.

use super::named::{adapter_named, known, options};
use crate::adapter::{Adapter, Setup};
use crate::arena::bots::Bot;
use crate::arena::matches::{MatchPlan, fairly};
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::arena::schedule::Game;
use crate::games::connexion::formats::Config;
use crate::outside::{cglog, told};
use crate::serve::line;
use crate::show::page;
use crate::show::trace::Trace;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `referee`.
#[derive(ClapArgs)]
pub struct Args {
    /// Game by name.
    game: String,
    /// First seat, also `-p1`: a command (split at blanks, no shell), or any other bot as `play` names them.
    #[arg(long, value_name = "CMD")]
    p1: Option<String>,
    /// Second seat, also `-p2`.
    #[arg(long, value_name = "CMD")]
    p2: Option<String>,
    /// Third seat, also `-p3`.
    #[arg(long, value_name = "CMD")]
    p3: Option<String>,
    /// Fourth seat, also `-p4`.
    #[arg(long, value_name = "CMD")]
    p4: Option<String>,
    /// What the seats are called in the log, also `-p1n` to `-p4n`. Default: their commands.
    #[arg(long, value_name = "NAME")]
    p1n: Option<String>,
    #[arg(long, hide = true)]
    p2n: Option<String>,
    #[arg(long, hide = true)]
    p3n: Option<String>,
    #[arg(long, hide = true)]
    p4n: Option<String>,
    /// `seed=N` and options of the game, key=value with blanks between. Without a seed: any.
    #[arg(short = 'd', value_name = "DATA", default_value = "")]
    data: String,
    /// The seed by itself, also `-seed N` and `-s N`; wins over the one in `-d`. (`-s` alone, CodinGame's server mode,
    /// means nothing here.)
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    seed: Option<String>,
    /// League as CodinGame's own referees take it, also `-league N`: the last one where the game has fewer; nothing where
    /// it has none.
    #[arg(long = "league", value_name = "N")]
    league: Option<u32>,
    /// Write the game into this file: a page where it ends in .html; connexion's testing tool's log where it ends in .txt
    /// or .log; else CodinGame's JSON, with `scores` and `errors` by seat.
    #[arg(short = 'l', value_name = "FILE")]
    log: Option<PathBuf>,
    /// Say that cgarena can start this program in place of a managed referee.
    #[arg(long, hide = true)]
    cgarena_compat: bool,
    #[arg(long, hide = true)]
    port: Option<u16>,
    /// Option of the game, key=value.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// connexion: a KEY=value file with INPUT, LOG, EXEC1, EXEC2, CWD1, CWD2; arguments win over it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What keeps bots from harming others: all that this machine offers, nothing, or all or no game.
    #[arg(long, value_enum, default_value = "auto")]
    sandbox: Sandbox,
    /// An answer over its limit is a timeout even where others kept the bot from running for as long as it was late.
    #[arg(long)]
    strict_clock: bool,
    /// Print one JSON line as psyleague and cgarena's command referees read it, instead of one score a line.
    #[arg(long, visible_alias = "cgarena")]
    psyleague: bool,
}

/// Plays one game. Exit 0: played, whatever became of it; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = adapter_named(&args.game)?;
    if args.cgarena_compat {
        println!("cgarena-referee-v1");
        return Ok(ExitCode::SUCCESS);
    }
    let config = match &args.config {
        None => Config::default(),
        Some(_) if adapter.name() != "connexion" => bail!("--config: only connexion's testing tool has one"),
        Some(path) => read_config(path)?,
    };
    let (seed, mut options) = data(&args.data)?;
    let seed = args.seed.as_deref().map(read_seed).transpose()?.or(seed);
    options.extend(self::options(&args.options)?);
    if let Some(bags) = config.input {
        options.entry("bags".to_owned()).or_insert(bags);
    }
    if let Some(level) = args.league {
        options.extend(league(adapter, level, &options));
    }
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0) >> 33);
    let setup = Setup {
        seed,
        options: options.clone(),
    };
    adapter
        .referee(&setup)
        .map_err(|e| anyhow!("{}: {e:#}{}", adapter.name(), known(adapter, &options)))?;
    let [exec1, exec2] = &config.exec;
    let (p1, p2) = (
        args.p1.as_ref().or(exec1.as_ref()),
        args.p2.as_ref().or(exec2.as_ref()),
    );
    let commands = [p1, p2, args.p3.as_ref(), args.p4.as_ref()];
    let mut bots = bots(adapter, &options, commands, &config.cwd)?;
    let names = [&args.p1n, &args.p2n, &args.p3n, &args.p4n];
    for (bot, name) in bots.iter_mut().zip(names) {
        if let Some(name) = name {
            bot.name.clone_from(name);
        }
    }

    let mut plan = MatchPlan::new(adapter, &bots);
    plan.options = options;
    plan.trace = true;
    args.sandbox.check()?;
    plan.rules.sandbox = args.sandbox;
    plan.strict = args.strict_clock;
    let game = Game::single(seed, (0..bots.len()).collect());
    let played = fairly(&plan, &game)?;
    let result = GameResult::new(&game, &played);
    let trace = played.trace.context("the trace was asked for")?;
    let scores = told::scores(&result);

    let tools = args.log.is_none();
    if let Some(file) = args.log.clone().or(config.log.map(PathBuf::from)) {
        write_log(adapter, &trace, &scores, &file, tools)?;
    }
    for fault in &result.faults {
        eprintln!(
            "seat {}, {}: {} {}",
            fault.seat, trace.bots[fault.seat], fault.kind, fault.detail
        );
        for line in &fault.stderr {
            eprintln!("    stderr: {line}");
        }
    }
    if args.psyleague {
        println!("{}", told::line(adapter, &result, &trace));
    } else {
        for score in &scores {
            println!("{score}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The game in the form that the file's name asks for; connexion's own tool knows no other than its own.
fn write_log(
    adapter: &'static dyn Adapter,
    trace: &Trace,
    scores: &[i64],
    file: &Path,
    tools: bool,
) -> Result<()> {
    let ends = |names: &[&str]| {
        let end = file.extension().map(|e| e.to_string_lossy().to_lowercase());
        end.is_some_and(|end| names.contains(&end.as_str()))
    };
    let text = if ends(&["html"]) {
        page::html(adapter, trace, &|turn, e| line::recorded(adapter, trace, turn, e))
    } else if adapter.name() == "connexion" && (tools || ends(&["txt", "log"])) {
        adapter.log(trace)?
    } else {
        cglog::write(trace, scores).to_string()
    };
    fs::write(file, text).with_context(|| format!("{}: cannot be written", file.display()))
}

/// The option that league `level` stands for: the last one the game has, where it has fewer.
fn league(adapter: &dyn Adapter, level: u32, options: &BTreeMap<String, String>) -> Option<(String, String)> {
    let has = adapter.options().iter().any(|(name, ..)| *name == "league");
    let mut levels = (1..=level.min(40)).rev().filter(|_| has);
    let taken = levels.find(|level| {
        let mut options = options.clone();
        options.insert("league".to_owned(), level.to_string());
        adapter.referee(&Setup { seed: 1, options }).is_ok()
    });
    taken.map(|level| ("league".to_owned(), level.to_string()))
}

/// Other referees take seeds as signed numbers.
fn read_seed(word: &str) -> Result<u64> {
    word.parse::<u64>()
        .or_else(|_| word.parse::<i64>().map(|n| n as u64))
        .with_context(|| format!("seed {word}: expected a whole number"))
}

/// The testing tool's options; file names in it are relative to where we are.
fn read_config(path: &Path) -> Result<Config> {
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Config::parse(&text).with_context(|| path.display().to_string())
}

/// Seed and options out of `-d`.
fn data(text: &str) -> Result<(Option<u64>, BTreeMap<String, String>)> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let mut options = options(&words).context("-d")?;
    let Some(word) = options.remove("seed") else {
        return Ok((None, options));
    };
    let seed = read_seed(&word).context("-d")?;
    Ok((Some(seed), options))
}

/// The bots of all seats; as many as the game has.
fn bots(
    adapter: &'static dyn Adapter,
    options: &BTreeMap<String, String>,
    commands: [Option<&String>; 4],
    dirs: &[Option<String>; 2],
) -> Result<Vec<Bot>> {
    let seats = adapter.seats(options);
    for (seat, command) in commands.iter().enumerate() {
        if command.is_some() != (seat < seats) {
            let met = if command.is_some() { "met" } else { "no" };
            bail!(
                "{}: expected -p1 to -p{seats}, {met} -p{}",
                adapter.name(),
                seat + 1
            );
        }
    }
    let mut bots = Vec::new();
    for (seat, command) in commands.iter().flatten().enumerate() {
        let dir = dirs.get(seat).and_then(Option::as_ref).map(Path::new);
        bots.push(Bot::parse_in(command, adapter, dir).with_context(|| format!("-p{}", seat + 1))?);
    }
    Ok(bots)
}

#[cfg(test)]
mod tests {
    use super::{data, league};
    use crate::games::known;

    #[test]
    fn data_holds_a_seed_and_options() {
        let (seed, options) = data("seed=-1 league=3").unwrap();
        assert_eq!((seed, options["league"].as_str()), (Some(u64::MAX), "3"));
        assert_eq!(data("").unwrap(), (None, [].into()));
        assert!(data("seed=x").is_err() && data("seed").is_err());
    }

    #[test]
    fn the_engines_last_league_is_the_last_of_the_game() {
        let of = |game: &str, level| league(known(game).unwrap(), level, &[].into()).map(|(_, level)| level);
        assert_eq!(of("wondev", 2).as_deref(), Some("2"));
        assert_eq!(of("wondev", 19), of("wondev", 20));
        assert!(of("wondev", 19).is_some() && of("slime", 19).is_none() && of("wondev", 0).is_none());
    }
}
