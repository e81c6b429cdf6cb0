//! Fixed work: the same messages to several builds of a bot; their answers must be equal, byte for byte, and
//! their CPU times are compared.
//!
//! The messages come from a game that the engine plays inside this process at the same work, so they also
//! prove that piped and in-process games are the same.

use super::duel::quoted;
use crate::arena::bots::Bot;
use crate::arena::matches::{Game, Plan, one};
use crate::arena::sys;
use crate::room::{Room, Transport};
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// CPU time one run should take at least; shorter ones measure the start of the process.
const LONG_ENOUGH: Duration = Duration::from_millis(600);
const ROUNDS: usize = 5;
/// Games compared.
const GAMES: u64 = 3;

/// The builds to compare.
pub struct Programs {
    /// The file alone, by the judge's flags.
    pub shipped: PathBuf,
    /// The same in the other edition.
    pub other_edition: PathBuf,
    /// Cargo's build, profile ship.
    pub cargo: PathBuf,
    /// The file alone with `target-cpu=native`.
    pub native: PathBuf,
}

/// What the comparison showed.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// Iterations an answer.
    pub iterations: u64,
    /// Games they come from.
    pub games: u64,
    /// Answers compared, all equal.
    pub answers: usize,
    /// CPU time of the shipped file over that of the cargo build.
    pub shipped_to_cargo: f64,
    /// CPU time of the shipped file over that of the same file compiled for this machine.
    pub plain_to_native: f64,
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} answers equal to the cargo build's at {} iterations; CPU time shipped/cargo {:.3}, plain/native {:.3}",
            self.answers, self.iterations, self.shipped_to_cargo, self.plain_to_native
        )
    }
}

/// The messages to one bot and what it must answer.
pub struct Script {
    /// Messages in order.
    pub sends: Vec<String>,
    /// Answers in order, as bytes were received.
    pub answers: Vec<String>,
}

/// Plays games of the engine against the greedy builtin at fixed work, one a seed.
fn record(room: &'static dyn Room, iterations: u64) -> Result<Vec<Script>> {
    let engine = Bot::parse(&format!("engine:{iterations}"), room)?;
    (1..=GAMES).map(|seed| script(room, &engine, seed)).collect()
}

/// Plays one game of `bot` against the greedy builtin and keeps what it read and wrote.
pub fn script(room: &'static dyn Room, bot: &Bot, seed: u64) -> Result<Script> {
    let bots = [bot.clone(), Bot::parse("builtin:greedy", room)?];
    let mut plan = Plan::new(room, &bots);
    plan.trace = true;
    plan.rules.grace = Duration::from_secs(60);
    let game = Game::one_against_rest(seed, room.seats(&plan.options), 0);
    let played = one(&plan, &game).map_err(|e| anyhow!(e))?;
    let trace = played.trace.context("no trace was kept")?;
    let mine = trace
        .steps
        .into_iter()
        .flat_map(|s| s.exchanges)
        .filter(|e| e.seat == 0);
    let (mut sends, mut answers) = (Vec::new(), Vec::new());
    for exchange in mine {
        if exchange.want > 0 {
            answers.push(exchange.output);
        }
        sends.push(exchange.send);
    }
    Ok(Script { sends, answers })
}

/// Compares all builds on one script.
pub fn prove(room: &'static dyn Room, programs: &Programs) -> Result<Proof> {
    // Enough work to measure: start low, scale by what it took.
    let mut iterations = 100;
    let mut scripts;
    loop {
        scripts = record(room, iterations)?;
        let mut took = Duration::ZERO;
        for script in &scripts {
            took += run(room, &programs.cargo, iterations, script)?.0;
        }
        if took >= LONG_ENOUGH || iterations >= 100_000_000 {
            break;
        }
        let factor = 1.3 * LONG_ENOUGH.as_secs_f64() / took.as_secs_f64().max(1e-4);
        iterations = (iterations as f64 * factor.clamp(1.5, 20.0)) as u64;
    }
    let order = [
        ("the shipped file", &programs.shipped),
        ("the cargo build", &programs.cargo),
        ("the shipped file built for this machine", &programs.native),
        ("the shipped file in the other edition", &programs.other_edition),
    ];
    let mut best = [Duration::MAX; 4];
    for round in 0..ROUNDS {
        for (n, (name, program)) in order.iter().enumerate() {
            if round > 0 && n == 3 {
                continue;
            }
            let mut took = Duration::ZERO;
            for (seed, script) in (1..).zip(&scripts) {
                let (used, answers) = run(room, program, iterations, script)?;
                took += used;
                if let Some(at) = difference(script, &answers) {
                    bail!(
                        "{name} differs from the engine in this process at {iterations} iterations, seed {seed}, \
                         answer {at}: expected {:?}, got {:?}",
                        script.answers.get(at),
                        answers.get(at)
                    );
                }
            }
            best[n] = best[n].min(took);
        }
    }
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64().max(1e-9);
    Ok(Proof {
        iterations,
        answers: scripts.iter().map(|s| s.answers.len()).sum(),
        games: GAMES,
        shipped_to_cargo: ratio(best[0], best[1]),
        plain_to_native: ratio(best[0], best[2]),
    })
}

/// The first answer that is not as expected.
fn difference(script: &Script, answers: &[String]) -> Option<usize> {
    (0..script.answers.len().max(answers.len())).find(|&at| script.answers.get(at) != answers.get(at))
}

/// Feeds the script to one program; its CPU time and its answers, cut as the script's are.
fn run(
    room: &'static dyn Room,
    program: &Path,
    iterations: u64,
    script: &Script,
) -> Result<(Duration, Vec<String>)> {
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let (input, output) = (dir.path().join("in"), dir.path().join("out"));
    let one = |argument: Option<&str>| -> Result<(Duration, String)> {
        let child = Command::new(program)
            .args(argument)
            .env("FIFTY_ITERATIONS", iterations.to_string())
            .stdin(if argument.is_some() {
                Stdio::null()
            } else {
                File::open(&input)?.into()
            })
            .stdout(File::create(&output)?)
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", quoted(program)))?;
        let (took, status) = sys::wait_measured(&child)?;
        if !status.success() {
            bail!("{} fails at fixed work", quoted(program));
        }
        Ok((took, String::from_utf8_lossy(&fs::read(&output)?).into_owned()))
    };
    if room.transport() == Transport::Argument {
        let mut sum = Duration::ZERO;
        let mut answers = Vec::new();
        for send in &script.sends {
            let (took, text) = one(Some(send))?;
            sum += took;
            answers.push(text);
        }
        return Ok((sum, answers));
    }
    fs::write(&input, script.sends.concat())?;
    let (took, text) = one(None)?;
    let mut lines = text.split_inclusive('\n');
    let mut answers: Vec<String> = script
        .answers
        .iter()
        .map(|expected| lines.by_ref().take(expected.lines().count()).collect())
        .collect();
    let rest: String = lines.collect();
    if !rest.is_empty() {
        answers.push(rest);
    }
    Ok((took, answers))
}
