//! Instructions a bot spends on its answers, counted by valgrind: the same on a noisy machine as on a quiet one.
//!
//! Each game's bot plays itself once at fixed work in a process of its own, under cachegrind without its
//! cache simulation. The counts hold start-up and referee as well, which the amount of work makes small.
//! `benches/instructions.json` keeps the counts of the last recording; a count well above it is a
//! regression of search, evaluation or simulator. Not a speed: memory and branches cost what they cost.

use crate::adapter::Adapter;
use crate::tune::games::Games;
use anyhow::{Context, Result, bail};
use fifty::kit::clock::Budget;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Iterations, or whatever the game's search counts, per answer.
const WORK: u64 = 1_000;
/// Growth that counts as a regression.
const WORST: f64 = 1.05;

/// The bot against itself at fixed work; the number of answers.
pub fn play_once(adapter: &'static dyn Adapter, work: u64) -> Result<usize> {
    let games = Games {
        adapter,
        budget: Budget::Work(work),
        options: BTreeMap::new(),
    };
    games.answers(1)
}

/// A counting valgrind; the program and its arguments follow.
pub fn valgrind() -> Command {
    let mut command = Command::new("valgrind");
    command.args([
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
    ]);
    command
}

/// What it counted. Errors: the program failed under it, or it does not know the processor's instructions.
pub fn counted(out: &Output) -> Result<u64> {
    let log = String::from_utf8_lossy(&out.stderr);
    if !out.status.success() {
        let why = log
            .lines()
            .find(|line| line.contains("Unrecognised instruction") || line.contains("unhandled"));
        bail!("valgrind failed: {}", why.unwrap_or(log.trim()));
    }
    log.lines()
        .filter_map(|line| line.split_once("refs:"))
        .find(|(what, _)| what.trim_end().ends_with('I'))
        .map(|(_, n)| n.replace([',', ' '], ""))
        .and_then(|n| n.parse().ok())
        .with_context(|| format!("valgrind: expected a line with `I refs:`, met {log}"))
}

/// Runs this program's `--one-game` under cachegrind.
fn count(adapter: &dyn Adapter) -> Result<(u64, u64)> {
    let out = valgrind()
        .arg(std::env::current_exe()?)
        .args(["bench", adapter.name(), "--one-game", &WORK.to_string()])
        .output()
        .context("valgrind: cannot be run; `bench --instructions` needs it installed")?;
    let instructions = counted(&out).with_context(|| adapter.name().to_owned())?;
    let said = String::from_utf8_lossy(&out.stdout);
    let answers = said
        .trim()
        .parse()
        .with_context(|| format!("--one-game: expected a number, met {said}"))?;
    Ok((instructions, answers))
}

/// Counts and compares; `record` writes the counts instead. `false` if one has grown too much.
pub fn bench(root: &Path, adapters: &[&'static dyn Adapter], record: bool) -> Result<bool> {
    let path = root.join("benches/instructions.json");
    let text = fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let mut kept: Map<String, Value> = serde_json::from_str(&text)
        .with_context(|| format!("{}: expected an object of counts by game", path.display()))?;
    let mut fine = true;
    for adapter in adapters {
        let (instructions, answers) = count(*adapter)?;
        let each = instructions as f64 / (answers * WORK) as f64;
        let before = kept.get(adapter.name()).and_then(Value::as_u64);
        let change = before.map_or("nothing recorded".into(), |before| {
            format!(
                "{:+.2} % of the recorded",
                100.0 * (instructions as f64 / before as f64 - 1.0)
            )
        });
        println!(
            "{:<10} {answers:>4} answers of {WORK} units: {:>8.1} M instructions, {each:>7.0} a unit, {change}",
            adapter.name(),
            instructions as f64 / 1e6,
        );
        fine &= before.is_some_and(|before| instructions as f64 <= before as f64 * WORST);
        kept.insert(adapter.name().into(), json!(instructions));
    }
    if record {
        fs::write(&path, serde_json::to_string_pretty(&kept)? + "\n")
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        return Ok(true);
    }
    Ok(fine)
}
