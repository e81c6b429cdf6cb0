//! `fifty referee GAME -p1 CMD -p2 CMD …`: one game, asked for and answered in the form of other arenas.
//!
//! cg-brutaltester starts a referee with `-p1 CMD -p2 CMD [-p3 CMD -p4 CMD] [-d seed=N] [-l FILE]` and reads
//! one score a line; psyleague reads one JSON line. Nothing else goes to stdout, faults go to stderr.

use super::contest::{adapter_named, known, options};
use crate::adapter::{Adapter, Setup};
use crate::arena::bots::Bot;
use crate::arena::matches::{Game, Plan, one};
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::games::connexion::formats::Config;
use crate::show::page;
use anyhow::{Context, Error, Result, bail};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
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
    /// `seed=N` and options of the game, key=value with blanks between. Without a seed: any.
    #[arg(short = 'd', value_name = "DATA", default_value = "")]
    data: String,
    /// Write the game into this file: as a page where it ends in .html; otherwise the testing tool's log for
    /// connexion, JSON for other games.
    #[arg(short = 'l', value_name = "FILE")]
    log: Option<PathBuf>,
    /// Option of the game, key=value.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// connexion: a KEY=value file with INPUT, LOG, EXEC1, EXEC2, CWD1, CWD2; arguments win over it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What keeps bots from harming others: all that this machine offers, nothing, or all or no game.
    #[arg(long, value_enum, default_value = "auto")]
    sandbox: Sandbox,
    /// Print one JSON line as psyleague reads it, instead of one score a line.
    #[arg(long)]
    psyleague: bool,
}

/// Plays one game. Exit 0: played, whatever became of it; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = adapter_named(&args.game)?;
    let config = match &args.config {
        None => Config::default(),
        Some(_) if adapter.name() != "connexion" => bail!("--config: only connexion's testing tool has one"),
        Some(path) => read_config(path)?,
    };
    let (seed, mut options) = data(&args.data)?;
    options.extend(self::options(&args.options)?);
    if let Some(bags) = config.input {
        options.entry("bags".to_owned()).or_insert(bags);
    }
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0) >> 33);
    let setup = Setup {
        seed,
        options: options.clone(),
    };
    adapter
        .referee(&setup)
        .map_err(|e| Error::msg(format!("{}: {e}{}", adapter.name(), known(adapter, &options))))?;
    let [exec1, exec2] = &config.exec;
    let (p1, p2) = (
        args.p1.as_ref().or(exec1.as_ref()),
        args.p2.as_ref().or(exec2.as_ref()),
    );
    let commands = [p1, p2, args.p3.as_ref(), args.p4.as_ref()];
    let bots = bots(adapter, &options, commands, &config.cwd)?;

    let mut plan = Plan::new(adapter, &bots);
    plan.options = options;
    plan.trace = true;
    args.sandbox.check().map_err(anyhow::Error::msg)?;
    plan.rules.sandbox = args.sandbox;
    let game = Game::single(seed, (0..bots.len()).collect());
    let played = one(&plan, &game).map_err(Error::msg)?;
    let result = GameResult::new(&game, &played);
    let trace = played.trace.context("the trace was asked for")?;

    if let Some(file) = args.log.clone().or(config.log.map(PathBuf::from)) {
        let text = if file.extension().is_some_and(|e| e == "html") {
            page::html(adapter, &trace)
        } else {
            adapter.log(&trace).map_err(Error::msg)?
        };
        fs::write(&file, text).with_context(|| format!("{}: cannot be written", file.display()))?;
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
        println!("{}", psyleague(&result));
    } else {
        for score in scores(&result) {
            println!("{score}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The testing tool's options; file names in it are relative to where we are.
fn read_config(path: &Path) -> Result<Config> {
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Config::parse(&text).map_err(|e| Error::msg(format!("{}: {e}", path.display())))
}

/// Seed and options out of `-d`. Other referees take seeds as signed numbers.
fn data(text: &str) -> Result<(Option<u64>, BTreeMap<String, String>)> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let mut options = options(&words).context("-d")?;
    let Some(word) = options.remove("seed") else {
        return Ok((None, options));
    };
    let seed = word
        .parse::<u64>()
        .or_else(|_| word.parse::<i64>().map(|n| n as u64))
        .with_context(|| format!("-d seed={word}: expected a whole number"))?;
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

/// One whole number a seat that orders the seats as the result does: the contest's scores, -1 for a seat at
/// fault; where these would tell another result, match points in percent.
fn scores(result: &GameResult) -> Vec<i64> {
    let plain: Vec<i64> = result.scores.iter().map(|s| s.round() as i64).collect();
    let mut marked = plain.clone();
    for fault in &result.faults {
        marked[fault.seat] = -1;
    }
    let percent = result.points.iter().map(|p| (p * 100.0).round() as i64).collect();
    let told = [marked, plain].into_iter().find(|scores| {
        let pairs = (0..scores.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let mut pairs = pairs.map(|(a, b)| {
            (
                scores[a].cmp(&scores[b]),
                result.points[a].total_cmp(&result.points[b]),
            )
        });
        pairs.all(|(score, points)| score == points)
    });
    told.unwrap_or(percent)
}

/// Ranks from 0 (equal ones share theirs), faults, and what its tables can filter and average. Fractions as
/// text: it would cut them.
fn psyleague(result: &GameResult) -> Value {
    let seats = 0..result.points.len();
    let rank = |seat: usize| result.points.iter().filter(|&&p| p > result.points[seat]).count();
    let errors = |seat: usize| result.faults.iter().filter(|f| f.seat == seat).count();
    json!({
        "ranks": seats.clone().map(rank).collect::<Vec<_>>(),
        "errors": seats.clone().map(errors).collect::<Vec<_>>(),
        "test_data": {"seed": result.seed, "batches": result.batches, "end": result.end},
        "player_data": seats
            .map(|seat| json!({"score": result.scores[seat].to_string(), "slowest_ms": format!("{:.1}", result.slowest(seat))}))
            .collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::{data, scores};
    use crate::arena::result::{FaultReport, GameResult};

    fn result(scores: &[f64], points: &[f64], faulty: Option<usize>) -> GameResult {
        GameResult {
            index: 0,
            group: 0,
            seed: 1,
            seating: vec![0, 1],
            scores: scores.to_vec(),
            points: points.to_vec(),
            end: String::new(),
            batches: 1,
            answers: 0,
            faults: faulty
                .map(|seat| FaultReport {
                    seat,
                    kind: "crash".into(),
                    detail: String::new(),
                    stderr: Vec::new(),
                })
                .into_iter()
                .collect(),
            late: Vec::new(),
            times: vec![vec![], vec![]],
        }
    }

    #[test]
    fn scores_tell_the_result() {
        assert_eq!(scores(&result(&[12.0, 9.0], &[1.0, 0.0], None)), [12, 9]);
        assert_eq!(scores(&result(&[0.0, 0.0], &[0.0, 1.0], Some(0))), [-1, 0]);
        // Who fails loses, whatever it had.
        assert_eq!(scores(&result(&[5.0, 3.0], &[0.0, 1.0], Some(0))), [-1, 3]);
        // A fault that decided nothing is no reason for another order.
        assert_eq!(scores(&result(&[40.0, 24.0], &[1.0, 0.0], Some(0))), [40, 24]);
        // Dead without a fault.
        assert_eq!(scores(&result(&[5.0, 3.0], &[0.0, 1.0], None)), [0, 100]);
        assert_eq!(scores(&result(&[5.0, 5.0], &[0.5, 0.5], None)), [5, 5]);
    }

    #[test]
    fn data_holds_a_seed_and_options() {
        let (seed, options) = data("seed=-1 league=3").unwrap();
        assert_eq!((seed, options["league"].as_str()), (Some(u64::MAX), "3"));
        assert_eq!(data("").unwrap(), (None, [].into()));
        assert!(data("seed=x").is_err() && data("seed").is_err());
    }
}
