//! Who can play: any command, a `.rs` file, `builtin:NAME`, or the game's own engine in this process.

use super::command::CommandLine;
use super::compile::compile;
use super::opponents;
use super::seat::{Inside, OneShot, Piped, Rules, Seat};
use crate::adapter::{Adapter, Transport};
use anyhow::{Context, Error, Result, anyhow, bail};
use fifty::kit::clock::Budget;
use std::path::Path;

/// A bot as named on the command line, ready to play.
#[derive(Clone, Debug)]
pub struct Bot {
    /// The text it was named with.
    pub name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Program {
        /// As a shell would read it.
        text: String,
        line: CommandLine,
    },
    Builtin {
        name: String,
        timed: bool,
    },
    Engine {
        budget: Budget,
        params: Vec<(String, f64)>,
    },
}

impl Bot {
    /// Reads a bot's name and makes it ready; a `.rs` file is compiled here.
    pub fn parse(text: &str, adapter: &dyn Adapter) -> Result<Self> {
        Self::parse_in(text, adapter, None)
    }

    /// As [`Bot::parse`]; a program is looked for and started in `dir`.
    pub fn parse_in(text: &str, adapter: &dyn Adapter, dir: Option<&Path>) -> Result<Self> {
        let here = |path: &str| dir.unwrap_or(Path::new("")).join(path);
        let kind = if let Some(name) = text.strip_prefix("builtin:") {
            opponents::known(adapter, name).with_context(|| text.to_owned())?;
            Kind::Builtin {
                name: name.to_owned(),
                timed: opponents::timed(adapter, name),
            }
        } else if text == "engine" || text.starts_with("engine:") {
            let (budget, params) = engine(text, adapter)?;
            adapter
                .engine(budget, &params)
                .map_err(|e| anyhow!("{text}: {e}"))?;
            Kind::Engine { budget, params }
        } else {
            let mut line = CommandLine::parse(text).map_err(Error::msg)?;
            let mut shell = text.to_owned();
            if Path::new(&line.words[0]).extension().is_some_and(|e| e == "rs") {
                let program = compile(&here(&line.words[0]))?.display().to_string();
                shell = shell.replacen(&line.words[0], &program, 1);
                line.words[0] = program;
            }
            find(&line.words[0], &here(&line.words[0]))?;
            line.dir = dir.map(Path::to_path_buf);
            Kind::Program { text: shell, line }
        };
        Ok(Self {
            name: text.to_owned(),
            kind,
        })
    }

    /// Name and, for a compiled `.rs` file, its content: what a stored run is recognised by.
    pub fn identity(&self) -> String {
        match &self.kind {
            Kind::Program { line, .. } if Path::new(&self.name).extension().is_some_and(|e| e == "rs") => {
                let file = Path::new(&line.words[0]).file_name().unwrap_or_default();
                format!("{} ({})", self.name, file.to_string_lossy())
            }
            _ => self.name.clone(),
        }
    }

    /// True where it plays by the clock, and so needs a core for itself.
    pub fn timed(&self) -> bool {
        match &self.kind {
            Kind::Program { line, .. } => !line.env.iter().any(|(name, _)| name == "FIFTY_ITERATIONS"),
            Kind::Builtin { timed, .. } => *timed,
            Kind::Engine { budget, .. } => matches!(budget, Budget::Time { .. }),
        }
    }

    /// Sits down for one game. `seed` is the builtin's own randomness.
    pub fn seat(&self, adapter: &'static dyn Adapter, seed: u64, rules: Rules) -> Result<Box<dyn Seat>> {
        let whole = adapter.transport() == Transport::Argument;
        Ok(match &self.kind {
            Kind::Program { text, .. } if whole => Box::new(OneShot::new(text, rules)),
            Kind::Program { line, .. } => Box::new(
                Piped::start(line, rules).with_context(|| format!("{}: cannot be started", self.name))?,
            ),
            Kind::Builtin { name, .. } => builtin_seat(adapter, name, seed)?,
            Kind::Engine { budget, params } => engine_seat(adapter, *budget, params)?,
        })
    }
}

/// A builtin in this process.
pub fn builtin_seat(adapter: &dyn Adapter, name: &str, seed: u64) -> Result<Box<dyn Seat>> {
    let player = opponents::player(adapter, name, seed)?;
    let whole = adapter.transport() == Transport::Argument;
    Ok(Box::new(Inside::new(player, false, whole)))
}

/// Our bot in this process, with these tunables; it forgets between moves where the contest starts a process
/// a move.
pub fn engine_seat(
    adapter: &'static dyn Adapter,
    budget: Budget,
    params: &[(String, f64)],
) -> Result<Box<dyn Seat>> {
    let player = adapter.engine(budget, params).map_err(|e| anyhow!(e))?;
    let whole = adapter.transport() == Transport::Argument;
    let seat = Inside::new(player, matches!(budget, Budget::Time { .. }), whole);
    if !whole {
        return Ok(Box::new(seat));
    }
    let params = params.to_vec();
    Ok(Box::new(
        seat.forgetful(Box::new(move || adapter.engine(budget, &params))),
    ))
}

/// `engine[:ITERATIONS or :MSms][,hand][,name=value…]`; `hand` stands for the values of [`Adapter::hand`].
fn engine(text: &str, adapter: &dyn Adapter) -> Result<(Budget, Vec<(String, f64)>)> {
    let tunable = |name: &str| {
        adapter
            .tunables()
            .iter()
            .find(|t| t.name == name)
            .map(|t| t.value as u64)
    };
    let (first, later) = adapter.limits();
    let first = tunable("first_ms")
        .or_else(|| tunable("think_ms"))
        .unwrap_or(first.as_millis() as u64 * 9 / 10);
    let later = tunable("later_ms")
        .or_else(|| tunable("think_ms"))
        .unwrap_or(later.as_millis() as u64 * 43 / 50);
    let mut budget = Budget::millis(first, later);
    let mut params = Vec::new();
    for (n, part) in text
        .strip_prefix("engine")
        .unwrap_or_default()
        .trim_start_matches(':')
        .split(',')
        .enumerate()
    {
        if part.is_empty() {
            continue;
        }
        if let Some((name, value)) = part.split_once('=') {
            let value = value
                .parse()
                .with_context(|| format!("{text}: {name}={value}: expected a number"))?;
            params.push((name.to_owned(), value));
        } else if part == "hand" {
            params.extend(by_hand(adapter)?);
        } else if n == 0 {
            let number = |digits: &str| {
                digits
                    .replace('_', "")
                    .parse::<u64>()
                    .with_context(|| format!("{text}: {part}: expected iterations, or milliseconds as 43ms"))
            };
            budget = match part.strip_suffix("ms") {
                Some(ms) => {
                    let ms = number(ms)?;
                    Budget::millis(ms.max(first), ms)
                }
                None => Budget::Work(number(part)?),
            };
        } else {
            bail!("{text}: {part}: expected hand or name=value");
        }
    }
    Ok((budget, params))
}

/// The game's values set by hand.
pub fn by_hand(adapter: &dyn Adapter) -> Result<Vec<(String, f64)>> {
    let values = adapter.hand();
    if values.is_empty() {
        bail!("{} has no values set by hand", adapter.name());
    }
    Ok(values)
}

/// The program must exist before the first game, not fail in each.
fn find(program: &str, place: &Path) -> Result<()> {
    if program.contains('/') {
        if !place.exists() {
            bail!("{program}: no such file");
        }
        return Ok(());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|dir| dir.join(program).exists()) {
        Ok(())
    } else {
        bail!("{program}: not found in PATH (a file here needs ./)")
    }
}
