//! Who answers to `builtin:NAME`: a game's own simple players, and old bots of ours.
//!
//! An old bot is one file, `tools/opponents/<game>-<name>.rs`, written by `cargo fifty ship --keep NAME` and never
//! edited: what a change is measured against must not change with it. It is compiled once and plays as a process of
//! its own behind the same trait as the simple players, so the tuner meets it too. `NAME` plays by the clock that was
//! meant for it, `NAME-WORK` with so much work an answer (`FIFTY_ITERATIONS`). Draws come from `FIFTY_SEED` where a
//! bot makes any. Not here: limits of memory and time; give the file itself as a bot to have it held to them.

use super::compile::compile;
use crate::adapter::{Adapter, Player, Transport};
use crate::paths::project_root;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

/// The file of an old bot.
pub fn file(game: &str, name: &str) -> Result<PathBuf> {
    Ok(folder()?.join(format!("{game}-{name}.rs")))
}

fn folder() -> Result<PathBuf> {
    Ok(project_root()?.join("tools/opponents"))
}

/// Old bots of a game by name.
fn kept(game: &str) -> Vec<String> {
    let files = folder().ok().and_then(|folder| fs::read_dir(folder).ok());
    let mut names: Vec<String> = files
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|file| {
            Some(
                file.strip_suffix(".rs")?
                    .strip_prefix(game)?
                    .strip_prefix('-')?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    names
}

/// Name and work of `NAME` or `NAME-WORK`.
fn split(text: &str) -> (&str, Option<u64>) {
    let parts = text.rsplit_once('-');
    let parts = parts.and_then(|(name, work)| Some((name, work.parse().ok()?)));
    parts.map_or((text, None), |(name, work)| (name, Some(work)))
}

/// Refuses a name that would not be found again behind `builtin:`.
pub fn can_be_named(adapter: &dyn Adapter, name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) || split(name).1.is_some() {
        bail!("{name:?}: expected small letters, digits and hyphens, and no number behind the last hyphen");
    }
    if adapter.builtin(name, 0).is_some() {
        bail!("{name:?}: {} has a simple player of that name", adapter.name());
    }
    Ok(())
}

/// Everybody after `builtin:`, for people.
pub fn names(adapter: &dyn Adapter) -> String {
    let own = adapter.builtins().iter().map(|&name| name.to_owned());
    let old = kept(adapter.name())
        .into_iter()
        .map(|name| format!("{name}[-WORK]"));
    own.chain(old).collect::<Vec<_>>().join(", ")
}

/// True where `name` is an old bot that plays by the clock.
pub fn timed(adapter: &dyn Adapter, name: &str) -> bool {
    adapter.builtin(name, 0).is_none() && split(name).1.is_none()
}

/// Makes sure that there is such a player; an old bot is compiled here.
pub fn known(adapter: &dyn Adapter, name: &str) -> Result<()> {
    if adapter.builtin(name, 0).is_none() {
        program(adapter, name)?;
    }
    Ok(())
}

/// The player called `name`. `seed` is its own randomness.
pub fn player(adapter: &dyn Adapter, name: &str, seed: u64) -> Result<Box<dyn Player>> {
    if let Some(player) = adapter.builtin(name, seed) {
        return Ok(player);
    }
    let old = program(adapter, name)?;
    let mut command = Command::new(&old.path);
    command
        .env("FIFTY_SEED", seed.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(work) = split(name).1 {
        command.env("FIFTY_ITERATIONS", work.to_string());
    }
    if adapter.transport() == Transport::Argument && !old.serves {
        return Ok(Box::new(OneShot(command)));
    }
    let mut child = command
        .env("FIFTY_SERVE", "1")
        .spawn()
        .with_context(|| format!("{} cannot be started", old.path.display()))?;
    let input = child.stdin.take().context("no pipe to an old bot")?;
    let output = BufReader::new(child.stdout.take().context("no pipe from an old bot")?);
    Ok(Box::new(Running { child, input, output }))
}

/// A compiled old bot.
#[derive(Clone)]
struct Program {
    path: PathBuf,
    /// Where the contest starts a process a move: it also takes question after question as lines.
    serves: bool,
}

/// Compiled in this run of ours already, by file.
static COMPILED: Mutex<BTreeMap<PathBuf, Program>> = Mutex::new(BTreeMap::new());

/// Old bots that came along with a plan, by game and name.
static BROUGHT: Mutex<BTreeMap<(String, String), Program>> = Mutex::new(BTreeMap::new());

/// From now on `builtin:NAME` of a game is this program.
pub fn bring(game: &str, name: &str, path: &Path, serves: bool) {
    let mut brought = BROUGHT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = path.to_path_buf();
    brought.insert((game.to_owned(), name.to_owned()), Program { path, serves });
}

/// What goes along with a plan for `builtin:NAME`: the old bot's name without its work, its program, and whether it takes
/// question after question; nothing for a simple player.
pub fn taken_along(adapter: &dyn Adapter, name: &str) -> Result<Option<(String, PathBuf, bool)>> {
    if adapter.builtin(name, 0).is_some() {
        return Ok(None);
    }
    let program = program(adapter, name)?;
    Ok(Some((split(name).0.to_owned(), program.path, program.serves)))
}

fn program(adapter: &dyn Adapter, name: &str) -> Result<Program> {
    let here = (adapter.name().to_owned(), split(name).0.to_owned());
    let brought = BROUGHT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(program) = brought.get(&here) {
        return Ok(program.clone());
    }
    drop(brought);
    let source = file(adapter.name(), split(name).0);
    let Some(source) = source.ok().filter(|source| source.exists()) else {
        bail!("{} has builtin: and one of {}", adapter.name(), names(adapter));
    };
    let mut compiled = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(program) = compiled.get(&source) {
        return Ok(program.clone());
    }
    let program = Program {
        path: compile(&source)?,
        serves: serves(&source)?,
    };
    compiled.insert(source, program.clone());
    Ok(program)
}

fn serves(source: &Path) -> Result<bool> {
    let text = fs::read_to_string(source).with_context(|| format!("{}: cannot be read", source.display()))?;
    Ok(text.contains("FIFTY_SERVE"))
}

/// A process for the whole game.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player for Running {
    fn respond(&mut self, send: &str, want: usize) -> Vec<u8> {
        let line_end = if send.ends_with('\n') { "" } else { "\n" };
        let mut answer = Vec::new();
        // A closed pipe is a crash: fewer lines than wanted say so.
        if write!(self.input, "{send}{line_end}").is_ok() {
            for _ in 0..want {
                if !matches!(self.output.read_until(b'\n', &mut answer), Ok(1..)) {
                    break;
                }
            }
        }
        answer
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process a move, the question as its argument.
struct OneShot(Command);

impl Player for OneShot {
    fn respond(&mut self, send: &str, _want: usize) -> Vec<u8> {
        let mut command = Command::new(self.0.get_program());
        command.envs(self.0.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = command
            .arg(send)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        output.map(|output| output.stdout).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{can_be_named, names, player, split};
    use crate::games::known;

    #[test]
    fn a_number_behind_the_name_is_work() {
        assert_eq!(split("first"), ("first", None));
        assert_eq!(split("first-300"), ("first", Some(300)));
        assert_eq!(split("best-reply"), ("best-reply", None));
    }

    #[test]
    fn an_old_bot_answers_as_a_process_and_the_same_twice() {
        let slime = known("slime").unwrap();
        let ask = "1,1..2,..22,....,....";
        let answers: Vec<_> = (0..2)
            .map(|_| player(slime, "first-200", 7).unwrap().respond(ask, 1))
            .collect();
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0].split(|b| *b == b' ').count(), 4, "{answers:?}");
        for bad in ["", "a-3", "Über", "greedy", "a/b"] {
            assert!(can_be_named(slime, bad).is_err(), "{bad}");
        }
        let error = player(slime, "nobody-7", 1).err().unwrap().to_string();
        assert!(error.contains("first[-WORK]"), "{error}");
        assert!(names(slime).contains("greedy"));
    }
}
