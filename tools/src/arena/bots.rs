//! Who can play: any command, a `.rs` file, `builtin:NAME`, or the game's own engine in this process; each with
//! a name, a clock and a grace of its own, if it is given them.

use super::carry::{Carried, Carrier};
use super::command::{CommandLine, find};
use super::compile::compile;
use super::opponents;
use super::seat::{Inside, OneShot, Piped, Rules, Seat};
use super::tagged::tagged;
use crate::adapter::{Adapter, Player, Setup, Transport};
use crate::referee::Reply;
use crate::show::think;
use anyhow::{Context, Result, bail};
use fifty::kit::clock::Budget;
use std::path::Path;
use std::time::Duration;

/// A bot as named on the command line, ready to play.
#[derive(Clone, Debug)]
pub struct Bot {
    /// What tables call it: its own name, or the text it was named with.
    pub name: String,
    /// That text.
    text: String,
    /// Its limit for every answer instead of the game's.
    clock: Option<Duration>,
    /// Time beyond its limit in which an answer is still taken, instead of everybody's.
    grace: Option<Duration>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Program {
        /// As a shell would read it.
        text: String,
        line: CommandLine,
        /// Program made of a `.rs` file, by its file's name.
        compiled: Option<String>,
    },
    Builtin {
        name: String,
        timed: bool,
    },
    /// A name that an outside referee understands.
    Told(String),
    Engine {
        budget: Budget,
        params: Vec<(String, f64)>,
        /// What it searches at its first answer, where that is more than it was told to.
        rounded: Option<u64>,
    },
}

impl Bot {
    /// Reads a bot's name and makes it ready; a `.rs` file is compiled here.
    pub fn parse(text: &str, adapter: &'static dyn Adapter) -> Result<Self> {
        Self::parse_in(text, adapter, None)
    }

    /// As [`Bot::parse`]; a program is looked for and started in `dir`.
    pub fn parse_in(whole: &str, adapter: &'static dyn Adapter, dir: Option<&Path>) -> Result<Self> {
        let listed = adapter.outside().and_then(|settings| settings.bots.get(whole));
        let listed = listed.map(|command| format!("{command};name={whole}"));
        let whole = listed.as_deref().unwrap_or(whole);
        let tagged = tagged(whole)?;
        let text = tagged.command;
        let here = |path: &str| dir.unwrap_or(Path::new("")).join(path);
        let ours = text.starts_with("builtin:") || text == "engine" || text.starts_with("engine:");
        let kind = if ours && adapter.outside().is_some() {
            Kind::Told(text.to_owned())
        } else if let Some(name) = text.strip_prefix("builtin:") {
            opponents::known(adapter, name).with_context(|| text.to_owned())?;
            Kind::Builtin {
                name: name.to_owned(),
                timed: opponents::timed(adapter, name),
            }
        } else if text == "engine" || text.starts_with("engine:") {
            let (budget, params) = engine(text, adapter)?;
            adapter.engine(budget, &params).with_context(|| text.to_owned())?;
            let rounded = rounded(adapter, budget, &params)?;
            Kind::Engine {
                budget,
                params,
                rounded,
            }
        } else {
            let mut line = CommandLine::parse(text)?;
            let (mut shell, mut compiled) = (text.to_owned(), None);
            if Path::new(&line.words[0]).extension().is_some_and(|e| e == "rs") {
                let program = compile(&here(&line.words[0]))?;
                compiled = Some(name_of(&program));
                line.words[0] = program.display().to_string();
                shell = line.shell();
            }
            find(&line.words[0], &here(&line.words[0]))?;
            line.dir = dir.map(Path::to_path_buf);
            Kind::Program {
                text: shell,
                line,
                compiled,
            }
        };
        if (tagged.clock.is_some() || tagged.grace.is_some()) && !matches!(kind, Kind::Program { .. }) {
            bail!("{whole}: clock= and grace= are for programs; engine:43ms has its clock in its name");
        }
        Ok(Self {
            name: tagged.name.unwrap_or(whole).to_owned(),
            text: whole.to_owned(),
            clock: tagged.clock,
            grace: tagged.grace,
            kind,
        })
    }

    /// As a plan names it, with its files copied.
    pub fn carried(&self, carrier: &Carrier<'_>) -> Result<Carried> {
        let mut carried = Carried {
            name: self.name.clone(),
            ours: String::new(),
            env: Vec::new(),
            words: Vec::new(),
            alone: false,
            clock: self.clock,
            grace: self.grace,
        };
        match &self.kind {
            Kind::Program { line, compiled, .. } => {
                carried.alone = compiled.is_some();
                for (name, value) in &line.env {
                    carried.env.push((name.clone(), carrier.word(value)?));
                }
                for word in &line.words {
                    carried.words.push(carrier.word(word)?);
                }
            }
            Kind::Told(text) => carried.ours.clone_from(text),
            Kind::Builtin { name, .. } => carried.ours = format!("builtin:{name}"),
            Kind::Engine { .. } => tagged(&self.text)?.command.clone_into(&mut carried.ours),
        }
        Ok(carried)
    }

    /// Its name behind `builtin:`.
    pub fn builtin(&self) -> Option<&str> {
        match &self.kind {
            Kind::Builtin { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The bot of a plan whose files are here.
    pub fn carried_here(carried: &Carried, adapter: &'static dyn Adapter) -> Result<Self> {
        if carried.words.is_empty() {
            let bot = Self::parse(&carried.ours, adapter)?;
            return Ok(Self {
                name: carried.name.clone(),
                ..bot
            });
        }
        find(&carried.words[0], Path::new(&carried.words[0]))?;
        let line = CommandLine {
            env: carried.env.clone(),
            words: carried.words.clone(),
            dir: None,
        };
        let text = line.shell();
        Ok(Self {
            name: carried.name.clone(),
            clock: carried.clock,
            grace: carried.grace,
            kind: Kind::Program {
                text: text.clone(),
                compiled: carried.alone.then(|| name_of(Path::new(&line.words[0]))),
                line,
            },
            text,
        })
    }

    /// The text it was named with and, for a compiled `.rs` file, its content: what a stored run is recognised by.
    pub fn identity(&self) -> String {
        match &self.kind {
            Kind::Program {
                compiled: Some(file), ..
            } => format!("{} ({file})", self.text),
            _ => self.text.clone(),
        }
    }

    /// True where both do the same work on the same question, whatever they are called.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Program { text: a, .. }, Kind::Program { text: b, .. }) => a == b && !self.timed(),
            (
                Kind::Builtin {
                    name: a,
                    timed: false,
                },
                Kind::Builtin { name: b, .. },
            ) => a == b,
            (
                Kind::Engine {
                    budget: Budget::Work(a),
                    params,
                    rounded,
                },
                Kind::Engine {
                    budget: Budget::Work(b),
                    params: others,
                    rounded: also,
                },
            ) => params == others && (a == b || (rounded.is_some() && rounded == also)),
            _ => false,
        }
    }

    /// What there is to say of its work before it plays.
    pub fn work_note(&self) -> Option<String> {
        match self.kind {
            Kind::Engine {
                budget: Budget::Work(asked),
                rounded: Some(nodes),
                ..
            } => Some(format!(
                "{}: {asked} is rounded up, it searches {nodes} nodes for its first answer",
                self.name
            )),
            _ => None,
        }
    }

    /// A player of its own where it plays in this process; an engine on `widest` instead of its budget.
    pub fn inside(
        &self,
        adapter: &dyn Adapter,
        seed: u64,
        widest: Option<Budget>,
    ) -> Option<Box<dyn Player>> {
        match &self.kind {
            Kind::Program { .. } | Kind::Told(_) => None,
            Kind::Builtin { name, .. } => adapter.builtin(name, seed),
            Kind::Engine { budget, params, .. } => adapter.engine(widest.unwrap_or(*budget), params).ok(),
        }
    }

    /// The command line that another program starts it with; variables before it by `env`, for want of a shell.
    pub fn command(&self) -> String {
        match &self.kind {
            Kind::Program { text, line, .. } if line.env.is_empty() => text.clone(),
            Kind::Program { text, .. } => format!("env {text}"),
            Kind::Told(text) => text.clone(),
            Kind::Builtin { .. } | Kind::Engine { .. } => self.text.clone(),
        }
    }

    /// Its budget, where it is our bot in this process.
    pub fn budget(&self) -> Option<Budget> {
        match &self.kind {
            Kind::Engine { budget, .. } => Some(*budget),
            _ => None,
        }
    }

    /// The same bot at this work an answer; as it was where it has no such number.
    #[must_use]
    pub fn at_work(&self, work: impl Fn(u64) -> u64) -> Self {
        let mut bot = self.clone();
        match &mut bot.kind {
            Kind::Engine { budget, .. } => {
                if let Budget::Work(n) = budget {
                    *n = work(*n).max(1);
                }
            }
            Kind::Program { text, line, .. } => {
                for (name, value) in &mut line.env {
                    if let ("FIFTY_ITERATIONS", Ok(n)) = (name.as_str(), value.parse::<u64>()) {
                        let (old, new) = (format!("{name}={value}"), work(n).max(1).to_string());
                        *text = text.replacen(&old, &format!("{name}={new}"), 1);
                        *value = new;
                    }
                }
            }
            Kind::Builtin { .. } | Kind::Told(_) => {}
        }
        bot
    }

    /// The same program told to take `ms` for every answer, in the way our own bots understand; as it was where it is no
    /// program.
    #[must_use]
    pub fn at_clock(&self, ms: u64) -> Self {
        let mut bot = self.clone();
        if let Kind::Program { text, line, .. } = &mut bot.kind {
            line.env.retain(|(name, _)| name != "FIFTY_ITERATIONS");
            line.env.push(("FIFTY_ITERATIONS".to_owned(), format!("{ms}ms")));
            *text = format!("FIFTY_ITERATIONS={ms}ms {text}");
        }
        bot
    }

    /// True where it is a program of its own.
    pub fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program { .. })
    }

    /// Iterations an answer, where they are fixed.
    pub fn work(&self) -> Option<u64> {
        match &self.kind {
            Kind::Engine {
                budget: Budget::Work(n),
                ..
            } => Some(*n),
            Kind::Program { line, .. } => {
                let found = line.env.iter().find(|(name, _)| name == "FIFTY_ITERATIONS");
                found.and_then(|(_, value)| value.parse().ok())
            }
            _ => None,
        }
    }

    /// True where it plays by the clock, and so needs a core for itself.
    pub fn timed(&self) -> bool {
        match &self.kind {
            Kind::Program { line, .. } => {
                let fixed =
                    |(name, value): &(String, String)| name == "FIFTY_ITERATIONS" && !value.ends_with("ms");
                !line.env.iter().any(fixed)
            }
            Kind::Builtin { timed, .. } => *timed,
            Kind::Told(_) => false,
            Kind::Engine { budget, .. } => matches!(budget, Budget::Time { .. }),
        }
    }

    /// Sits down for one game. `seed` is the builtin's own randomness.
    pub fn seat(&self, adapter: &'static dyn Adapter, seed: u64, mut rules: Rules) -> Result<Box<dyn Seat>> {
        rules.clock = self.clock.or(rules.clock);
        rules.grace = self.grace.unwrap_or(rules.grace);
        let whole = adapter.transport() == Transport::Argument;
        Ok(match &self.kind {
            Kind::Program { text, line, compiled } if whole => {
                let alone = compiled.as_ref().map(|_| line);
                Box::new(OneShot::new(text, alone, rules))
            }
            Kind::Program { line, .. } => Box::new(
                Piped::start(line, rules).with_context(|| format!("{}: cannot be started", self.name))?,
            ),
            Kind::Builtin { name, .. } => builtin_seat(adapter, name, seed)?,
            Kind::Told(text) => bail!("{text}: only the outside referee knows it"),
            Kind::Engine { budget, params, .. } => engine_seat(adapter, *budget, params, rules.clock)?,
        })
    }
}

fn name_of(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Work beyond which no bot rounds it up.
const ROUNDED: u64 = 10_000;

/// What the engine says it searched for its first answer, if that is more than the work it was told to do.
fn rounded(adapter: &'static dyn Adapter, budget: Budget, params: &[(String, f64)]) -> Result<Option<u64>> {
    let Budget::Work(asked) = budget else {
        return Ok(None);
    };
    if asked > ROUNDED {
        return Ok(None);
    }
    let mut referee = adapter.referee(&Setup::default())?;
    let mut seats = Vec::new();
    for _ in 0..adapter.seats(&Setup::default().options) {
        seats.push(engine_seat(adapter, budget, params, None)?);
    }
    // A few questions may come before one that is worth a search.
    for _ in 0..8 {
        let mut replies = Vec::new();
        for ask in referee.asks() {
            let answer = seats[ask.seat].ask(&ask);
            if let Some(nodes) = think::parse(&answer.stderr).and_then(|think| think.nodes) {
                return Ok(Some(nodes).filter(|&nodes| nodes > asked));
            }
            if ask.want > 0 {
                replies.push(Reply {
                    seat: ask.seat,
                    output: answer.output,
                    elapsed: answer.elapsed,
                });
            }
        }
        referee.reply(&replies);
    }
    Ok(None)
}

/// A builtin in this process.
pub fn builtin_seat(adapter: &dyn Adapter, name: &str, seed: u64) -> Result<Box<dyn Seat>> {
    let player = opponents::player(adapter, name, seed)?;
    let whole = adapter.transport() == Transport::Argument;
    Ok(Box::new(Inside::new(player, false, whole)))
}

/// Our bot in this process, with these tunables; it forgets between moves where the contest starts a process
/// a move, unless the bot has a file, which none has at fixed work. `clock`: see [`Rules::clock`].
pub fn engine_seat(
    adapter: &'static dyn Adapter,
    budget: Budget,
    params: &[(String, f64)],
    clock: Option<Duration>,
) -> Result<Box<dyn Seat>> {
    let player = adapter.engine(budget, params)?;
    let whole = adapter.transport() == Transport::Argument;
    let timed = matches!(budget, Budget::Time { .. });
    let seat = Inside::new(player, timed, whole).at_clock(clock);
    if !whole || timed && adapter.remembers() {
        return Ok(Box::new(seat));
    }
    let params = params.to_vec();
    let anew = Box::new(move || adapter.engine(budget, &params));
    Ok(Box::new(seat.forgetful(anew)))
}

/// `engine[:ITERATIONS or :MSms][,hand][,name=value…]`; `hand` stands for the values of [`Adapter::hand`].
fn engine(text: &str, adapter: &dyn Adapter) -> Result<(Budget, Vec<(String, f64)>)> {
    let tunable = |name: &str| adapter.shipped(name).map(|value| value as u64);
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

#[cfg(test)]
mod tests {
    use super::{Bot, Rules};
    use crate::games::known;
    use std::time::Duration;

    /// `limit` gives both sides more than the game does; without this the longer one loses each game by its clock.
    #[test]
    fn an_engine_has_the_clock_that_the_match_gives() {
        let adapter = known("rails").unwrap();
        let engine = Bot::parse("engine:1ms", adapter).unwrap();
        for clock in [None, Some(Duration::from_secs(2))] {
            let rules = Rules {
                clock,
                ..Rules::default()
            };
            assert_eq!(engine.seat(adapter, 1, rules).unwrap().rules().clock, clock);
        }
    }

    #[test]
    fn work_that_is_rounded_up_is_told() {
        let adapter = known("connexion").unwrap();
        let bot = |text: &str| Bot::parse(text, adapter).unwrap();
        let (small, smaller, large) = (bot("engine:50"), bot("old=engine:5"), bot("engine:3000"));
        assert!(
            small.work_note().unwrap().contains("50 is rounded up"),
            "{small:?}"
        );
        assert!(small.is_alike(&smaller) && !small.is_alike(&large));
        assert!(!bot("engine:20ms").is_alike(&bot("engine:20ms")));
    }
}
