//! Fixed work: the same messages to several builds of a bot; their answers must be equal, byte for byte, and
//! their CPU times are compared.
//!
//! The messages come from a game that the engine plays inside this process at the same work, so they also
//! prove that piped and in-process games are the same.
//!
//! Time is the least CPU time of each build on each script over many rounds, summed over the scripts. All builds
//! take turns within a round, in turning order, so a slow spell of the machine meets each of them. Rounds go on
//! until the odd ones alone and the even ones alone tell the same ratios, to `AGREE`. Where valgrind is
//! installed, the instructions of the two builds that hold the same code are compared as well.

use super::Clock;
use super::duel::quoted;
use crate::adapter::{Adapter, Transport};
use crate::arena::bots::Bot;
use crate::arena::matches::recorded;
use crate::arena::sys;
use crate::instructions;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// CPU time one build should take on all scripts at least; less would measure the start of the process.
const LONG_ENOUGH: Duration = Duration::from_millis(250);
/// Games compared.
const GAMES: u64 = 4;
/// Rounds at least and at most.
const ROUNDS: (usize, usize) = (4, 6);
/// Processes started at most for one game, where each answer is one.
const STARTS: usize = 24;
/// Instructions are counted at this part of the work: valgrind takes some fifty times as long.
const LESS: u64 = 20;
/// And at no less than this, where a bot counts few.
const LEAST: u64 = 4;
/// Ratios of two halves of the rounds that agree differ by less.
const AGREE: f64 = 0.008;

/// The builds to compare. Two may be the same program; it then runs once.
pub struct Programs {
    /// Cargo's build by the judge's flags.
    pub cargo: PathBuf,
    /// The file alone, by the judge's flags.
    pub shipped: PathBuf,
    /// The file alone, by the judge's flags without a `target-cpu`.
    pub plain: PathBuf,
    /// The same with `target-cpu=native`.
    pub native: PathBuf,
    /// As shipped, in the other edition, where that is not the same code. Its speed is not measured.
    pub other_edition: Option<PathBuf>,
}

/// What the comparison showed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Proof {
    /// Iterations an answer.
    pub iterations: u64,
    /// Games they come from.
    pub games: u64,
    /// Answers compared, all equal.
    pub answers: usize,
    /// CPU times, where they were measured.
    pub speed: Option<Speed>,
    /// Beside them, instructions of the shipped file over the cargo build's, or why they could not be counted.
    /// Two programs of the same code still differ in time, by where the linker puts it; here they do not.
    pub instructions: Option<Result<f64, String>>,
}

/// Ratios of CPU times at fixed work.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Speed {
    /// The shipped file over the cargo build, both by the judge's flags.
    pub shipped_to_cargo: f64,
    /// The shipped file by plain flags over the same for this machine.
    pub plain_to_native: f64,
    /// Rounds they come from.
    pub rounds: usize,
    /// The farthest that the ratios of odd and even rounds are apart.
    pub apart: f64,
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} answers equal to the cargo build's at {} iterations",
            self.answers, self.iterations
        )?;
        if let Some(speed) = &self.speed {
            write!(
                f,
                "; CPU time shipped/cargo {:.3} (same flags), plain/native {:.3} ({} rounds, halves of them {:.1} % \
                 apart)",
                speed.shipped_to_cargo,
                speed.plain_to_native,
                speed.rounds,
                speed.apart * 100.0
            )?;
        }
        match &self.instructions {
            None => Ok(()),
            Some(Ok(ratio)) => write!(f, "; instructions shipped/cargo {ratio:.4}"),
            Some(Err(why)) => write!(f, "; instructions not counted: {why}"),
        }
    }
}

/// The messages to one bot and what it must answer.
pub struct Script {
    /// Messages in order.
    pub sends: Vec<String>,
    /// Answers in order, as bytes were received.
    pub answers: Vec<String>,
}

impl Script {
    /// How a program is started on it: once with all messages in `file` as its input, or once a message with that
    /// as its argument.
    fn starts(&self, transport: Transport, file: &Path) -> Result<Vec<(Option<&str>, Stdio)>> {
        if transport == Transport::Argument {
            return Ok(self
                .sends
                .iter()
                .map(|send| (Some(send.as_str()), Stdio::null()))
                .collect());
        }
        fs::write(file, self.sends.concat())?;
        Ok(vec![(None, File::open(file)?.into())])
    }

    /// Keeps at most `most` messages, spread over the game, where each one starts a process of its own.
    fn thin(&mut self, most: usize) {
        let every = self.sends.len().div_ceil(most).max(1);
        for list in [&mut self.sends, &mut self.answers] {
            *list = std::mem::take(list).into_iter().step_by(every).collect();
        }
    }
}

/// Plays games of the engine against the greedy builtin at fixed work, one a seed.
fn record(adapter: &'static dyn Adapter, iterations: u64) -> Result<Vec<Script>> {
    let engine = Bot::parse(&format!("engine:{iterations}"), adapter)?;
    (1..=GAMES).map(|seed| script(adapter, &engine, seed)).collect()
}

/// Plays one game of `bot` against the greedy builtin and keeps what it read and wrote.
pub fn script(adapter: &'static dyn Adapter, bot: &Bot, seed: u64) -> Result<Script> {
    let bots = [bot.clone(), Bot::parse("builtin:greedy", adapter)?];
    let steps = recorded(adapter, &bots, seed, 0)?.steps;
    let (mut sends, mut answers) = (Vec::new(), Vec::new());
    for exchange in steps
        .into_iter()
        .flat_map(|s| s.exchanges)
        .filter(|e| e.seat == 0)
    {
        if exchange.want > 0 {
            answers.push(exchange.output);
        }
        sends.push(exchange.send);
    }
    let mut script = Script { sends, answers };
    if adapter.transport() == Transport::Argument {
        script.thin(STARTS);
    }
    Ok(script)
}

/// Compares all builds on some scripts, and unless the clock is ignored counts instructions. With the proof, the scripts.
pub fn prove(
    adapter: &'static dyn Adapter,
    programs: &Programs,
    clock: Clock,
) -> Result<(Proof, Vec<Script>)> {
    // Enough work to measure: start low, scale by what it took.
    let mut iterations = 20;
    let mut scripts;
    loop {
        scripts = record(adapter, iterations)?;
        let mut took = Duration::ZERO;
        for script in &scripts {
            took += run(adapter, &programs.cargo, iterations, script)?.0;
        }
        if took >= LONG_ENOUGH || iterations >= 100_000_000 {
            break;
        }
        let factor = 1.3 * LONG_ENOUGH.as_secs_f64() / took.as_secs_f64().max(1e-4);
        iterations = (iterations as f64 * factor.clamp(1.5, 20.0)) as u64;
    }
    let mut builds = distinct(programs);
    let other = programs.other_edition.iter();
    builds.extend(other.map(|program| ("the shipped file in the other edition", program)));
    for (name, program) in builds {
        for seed in 0..scripts.len() {
            check(adapter, iterations, &scripts, name, program, seed)?;
        }
    }
    let instructions = (clock != Clock::Ignored)
        .then(|| count(adapter, programs, (iterations / LESS).max(LEAST)).map_err(|e| format!("{e:#}")));
    let proof = Proof {
        iterations,
        answers: scripts.iter().map(|s| s.answers.len()).sum(),
        games: GAMES,
        speed: None,
        instructions,
    };
    Ok((proof, scripts))
}

/// Compares CPU times on the scripts of a proof, at its work. Nothing else should run meanwhile.
pub fn speed(
    adapter: &'static dyn Adapter,
    programs: &Programs,
    iterations: u64,
    scripts: &[Script],
) -> Result<Speed> {
    measure(programs, scripts.len(), &|name, program, seed| {
        check(adapter, iterations, scripts, name, program, seed)
    })
}

/// CPU time of one program on one script. Errors: it answers otherwise.
fn check(
    adapter: &'static dyn Adapter,
    iterations: u64,
    scripts: &[Script],
    name: &str,
    program: &Path,
    seed: usize,
) -> Result<Duration> {
    let script = &scripts[seed];
    let (used, answers) = run(adapter, program, iterations, script)?;
    if let Some(at) = difference(script, &answers) {
        bail!(
            "{name} differs from the engine in this process at {iterations} iterations, seed {}, answer {at}: \
             expected {:?}, got {:?}",
            seed + 1,
            script.answers.get(at),
            answers.get(at)
        );
    }
    Ok(used)
}

/// Instructions of the shipped file over those of the cargo build, on one game at its own work.
fn count(adapter: &'static dyn Adapter, programs: &Programs, iterations: u64) -> Result<f64> {
    let engine = Bot::parse(&format!("engine:{iterations}"), adapter)?;
    let script = script(adapter, &engine, 1)?;
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let (input, output) = (dir.path().join("in"), dir.path().join("out"));
    let of = |program: &Path| -> Result<f64> {
        let mut sum = 0;
        for (argument, input) in script.starts(adapter.transport(), &input)? {
            let out = instructions::valgrind()
                .arg(program)
                .args(argument)
                .env("FIFTY_ITERATIONS", iterations.to_string())
                .stdin(input)
                .stdout(File::create(&output)?)
                .output()
                .context("valgrind cannot be started")?;
            sum += instructions::counted(&out)?;
        }
        Ok(sum as f64)
    };
    Ok(of(&programs.shipped)? / of(&programs.cargo)?)
}

/// Least times of every script, of odd and of even rounds.
type Best = [Vec<Duration>; 2];

/// The builds whose speed is compared, by name, each program once.
fn distinct(programs: &Programs) -> Vec<(&'static str, &PathBuf)> {
    let named = [
        ("the cargo build", &programs.cargo),
        ("the shipped file", &programs.shipped),
        ("the shipped file by plain flags", &programs.plain),
        ("the shipped file built for this machine", &programs.native),
    ];
    let mut order: Vec<(&str, &PathBuf)> = Vec::new();
    for (name, program) in named {
        if order.iter().all(|(_, known)| *known != program) {
            order.push((name, program));
        }
    }
    order
}

/// Rounds of all builds over all scripts, until the ratios stand. `run` takes a build's name, the build and a
/// script.
fn measure(
    programs: &Programs,
    scripts: usize,
    run: &dyn Fn(&str, &Path, usize) -> Result<Duration>,
) -> Result<Speed> {
    let order = distinct(programs);
    let mut best: Vec<Best> = vec![[vec![Duration::MAX; scripts], vec![Duration::MAX; scripts]]; order.len()];
    let of = |program: &PathBuf| order.iter().position(|(_, p)| *p == program).unwrap_or_default();
    let (cargo, shipped) = (of(&programs.cargo), of(&programs.shipped));
    let (plain, native) = (of(&programs.plain), of(&programs.native));
    let mut rounds = 0;
    loop {
        for seed in 0..scripts {
            for at in 0..order.len() {
                let n = (at + rounds) % order.len();
                let took = run(order[n].0, order[n].1, seed)?;
                let least = &mut best[n][rounds % 2];
                least[seed] = took.min(least[seed]);
            }
        }
        rounds += 1;
        if rounds < ROUNDS.0 || rounds % 2 == 1 {
            continue;
        }
        let pairs = [(shipped, cargo), (plain, native)];
        let apart = pairs
            .iter()
            .map(|&(a, b)| {
                (ratio(&best[a][..1], &best[b][..1]) / ratio(&best[a][1..], &best[b][1..]) - 1.0).abs()
            })
            .fold(0.0, f64::max);
        if apart < AGREE || rounds >= ROUNDS.1 {
            let [shipped_to_cargo, plain_to_native] = pairs.map(|(a, b)| ratio(&best[a], &best[b]));
            return Ok(Speed {
                shipped_to_cargo,
                plain_to_native,
                rounds,
                apart,
            });
        }
    }
}

/// Ratio of the sums of each script's least time.
fn ratio(a: &[Vec<Duration>], b: &[Vec<Duration>]) -> f64 {
    let sum = |parts: &[Vec<Duration>]| -> f64 {
        let scripts = parts.first().map_or(0, Vec::len);
        (0..scripts)
            .filter_map(|s| parts.iter().map(|part| part[s]).min())
            .map(|least| least.as_secs_f64())
            .sum()
    };
    sum(a) / sum(b).max(1e-9)
}

/// The first answer that is not as expected.
fn difference(script: &Script, answers: &[String]) -> Option<usize> {
    (0..script.answers.len().max(answers.len())).find(|&at| script.answers.get(at) != answers.get(at))
}

/// Feeds the script to one program; its CPU time and its answers, cut as the script's are.
fn run(
    adapter: &'static dyn Adapter,
    program: &Path,
    iterations: u64,
    script: &Script,
) -> Result<(Duration, Vec<String>)> {
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let (input, output) = (dir.path().join("in"), dir.path().join("out"));
    let mut sum = Duration::ZERO;
    let mut texts = Vec::new();
    for (argument, input) in script.starts(adapter.transport(), &input)? {
        let mut child = Command::new(program)
            .args(argument)
            .env("FIFTY_ITERATIONS", iterations.to_string())
            .stdin(input)
            .stdout(File::create(&output)?)
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", quoted(program)))?;
        let (took, status) = sys::wait_measured(&mut child)?;
        if !status.success() {
            bail!("{} fails at fixed work", quoted(program));
        }
        sum += took;
        texts.push(String::from_utf8_lossy(&fs::read(&output)?).into_owned());
    }
    if adapter.transport() == Transport::Argument {
        return Ok((sum, texts));
    }
    let text = texts.concat();
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
    Ok((sum, answers))
}
