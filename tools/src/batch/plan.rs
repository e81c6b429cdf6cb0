//! What is to be played, and how it is cut: `plan.json` of a plan's folder.

use crate::arena::carry::{self, Carried, hash};
use crate::arena::schedule::Game;
use crate::outside::settings::Settings;
use crate::tune::step::Asked;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What this program writes and reads.
const FORMAT: u32 = 1;
/// This program in a plan's folder.
pub const PROGRAM: &str = "fifty";
const FILE: &str = "plan.json";

/// What every result of a slice says of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The plan, by its content.
    pub plan: String,
    /// `play`, `league`, `sprt` or `tune`.
    pub kind: String,
    /// Game by name.
    pub game: String,
    /// What a run in the results file is recognised by.
    pub spec: Value,
    /// First item (game or pair) of each slice, and the end.
    pub bounds: Vec<usize>,
    /// The command that the plan was made for.
    pub command: Vec<String>,
}

impl Head {
    /// Slices of the plan.
    pub fn slices(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Items of a slice, which counts from 1.
    pub fn items(&self, slice: usize) -> Range<usize> {
        self.bounds[slice - 1]..self.bounds[slice]
    }

    /// Items in all.
    pub fn total(&self) -> usize {
        self.bounds.last().copied().unwrap_or_default()
    }
}

/// How bots are held, in the words of the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// MiB a bot may use; 0 for no limit.
    pub memory: u64,
    /// Milliseconds.
    pub grace: u64,
    /// Nothing is excused.
    pub strict: bool,
    /// `--sandbox`.
    pub sandbox: String,
    /// `--freeze`.
    pub freeze: String,
    /// Limit of every answer instead of the game's.
    pub clock: Option<Duration>,
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Games of a run.
    Games {
        /// Options of the game.
        options: BTreeMap<String, String>,
        /// Who plays.
        bots: Vec<Carried>,
        /// How they are held.
        held: Held,
        /// The referee, where it is not one of ours.
        outside: Option<Settings>,
        /// All of them, by place.
        games: Vec<Game>,
    },
    /// A tuner's step.
    Pairs {
        /// Iterations an answer.
        work: u64,
        /// Options of the game, in turn.
        options: Vec<BTreeMap<String, String>>,
        /// All of them.
        pairs: Vec<Asked>,
    },
    /// Pairs of a program that is tuned.
    Duels {
        /// Options of the game, in turn.
        options: Vec<BTreeMap<String, String>>,
        /// Who plays.
        bots: Vec<Carried>,
        /// The referee, where it is not one of ours.
        outside: Option<Settings>,
        /// Who meets whom: two of the bots, the pair's number, its seed.
        duels: Vec<(usize, usize, u64, u64)>,
    },
}

/// An old bot of ours that goes along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Old {
    /// Behind `builtin:`, without its work.
    pub name: String,
    /// Its program.
    pub program: String,
    /// It takes question after question as lines.
    pub serves: bool,
}

/// A plan as it lies in its folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchPlan {
    format: u32,
    /// Version of the program that made it.
    pub version: String,
    /// What its slices say of themselves.
    pub head: Head,
    /// Old bots of ours that are met, compiled.
    #[serde(default)]
    pub old: Vec<Old>,
    /// What is played.
    pub work: Work,
}

/// Where slices begin: whole groups, as many in one as in another or one more.
pub fn cut(groups: &[usize], slices: usize) -> Vec<usize> {
    let starts: Vec<usize> = (0..groups.len())
        .filter(|&n| n == 0 || groups[n] != groups[n - 1])
        .collect();
    let slices = slices.clamp(1, starts.len().max(1));
    let mut bounds: Vec<usize> = (0..slices).map(|k| starts[k * starts.len() / slices]).collect();
    bounds.push(groups.len());
    bounds
}

/// The command that goes on with what a plan was made for: without what is the plan's own.
fn again(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut words = words.peekable();
    let mut out = Vec::new();
    if words.peek().is_some_and(|word| word == "batch") {
        words.nth(1);
    }
    while let Some(word) = words.next() {
        let valued = ["--slices", "--out", "--results", "--db"].contains(&word.as_str());
        let folder = word == "-o" && words.peek().is_some_and(|value| !value.contains('='));
        if valued || folder {
            words.next();
        } else if word != "--resume"
            && !["--slices=", "--out=", "--results=", "--db="]
                .iter()
                .any(|w| word.starts_with(w))
        {
            out.push(word);
        }
    }
    out
}

impl BatchPlan {
    /// A plan in `slices` slices, or as many as there are groups.
    pub fn new(kind: &str, game: &str, spec: &Value, work: Work, slices: usize) -> Result<Self> {
        let groups: Vec<usize> = match &work {
            Work::Games { games, .. } => games.iter().map(|game| game.group).collect(),
            Work::Pairs { pairs, .. } => (0..pairs.len()).collect(),
            Work::Duels { duels, .. } => (0..duels.len()).collect(),
        };
        if groups.is_empty() {
            bail!("{kind} {game}: there is nothing to play");
        }
        let mut head = Head {
            plan: String::new(),
            kind: kind.to_owned(),
            game: game.to_owned(),
            spec: spec.clone(),
            bounds: cut(&groups, slices),
            command: again(std::env::args().skip(1)),
        };
        let content = hash(serde_json::to_string(&(&head, &work))?.as_bytes());
        content[..16].clone_into(&mut head.plan);
        Ok(Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            head,
            old: Vec::new(),
            work,
        })
    }

    /// Writes it beside its files, with this program.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let wrong = || format!("{}: cannot be written", folder.display());
        fs::create_dir_all(folder).with_context(wrong)?;
        let own = std::env::current_exe().context("this program is not found")?;
        fs::copy(own, folder.join(PROGRAM)).with_context(wrong)?;
        let temporary = folder.join(".plan.json");
        fs::write(&temporary, serde_json::to_string(self)? + "\n").with_context(wrong)?;
        fs::rename(&temporary, folder.join(FILE)).with_context(wrong)
    }

    /// True where a plan lies in this folder, whole.
    pub fn lies_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Reads it.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text =
            fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let place = |line: usize| {
            format!(
                "{} line {line}: expected a plan of fifty batch plan",
                path.display()
            )
        };
        let format = serde_json::from_str::<Value>(&text)
            .map_err(|error| anyhow::anyhow!("{}: {error}", place(error.line())))?["format"]
            .as_u64();
        if format != Some(u64::from(FORMAT)) {
            bail!(
                "{}: a plan of format {format:?}; this program reads {FORMAT}",
                path.display()
            );
        }
        serde_json::from_str(&text).map_err(|error| anyhow::anyhow!("{}: {error}", place(error.line())))
    }

    /// The same with this folder in every word that needs it.
    #[must_use]
    pub fn at(mut self, folder: &Path) -> Self {
        for old in &mut self.old {
            old.program = carry::at(&old.program, folder);
        }
        if let Work::Games { bots, outside, .. } | Work::Duels { bots, outside, .. } = &mut self.work {
            for bot in bots {
                *bot = bot.at(folder);
            }
            if let Some(settings) = outside {
                settings.command = carry::at(&settings.command, folder);
            }
        }
        self
    }

    /// Fails with the numbers that there are.
    pub fn check(&self, slice: usize) -> Result<()> {
        if !(1..=self.head.slices()).contains(&slice) {
            bail!("--slice {slice}: the plan has 1 to {}", self.head.slices());
        }
        Ok(())
    }
}

/// Where a slice's result lies.
pub fn result_file(out: &Path, slice: usize) -> PathBuf {
    out.join(format!("slice-{slice:04}.jsonl"))
}

#[cfg(test)]
mod tests {
    use super::{again, cut};

    #[test]
    fn groups_are_not_cut() {
        let pairs: Vec<usize> = (0..12).map(|n| n / 2).collect();
        assert_eq!(cut(&pairs, 1), [0, 12]);
        assert_eq!(cut(&pairs, 3), [0, 4, 8, 12]);
        assert_eq!(cut(&pairs, 4), [0, 2, 6, 8, 12]);
        assert_eq!(cut(&pairs, 5), [0, 2, 4, 6, 8, 12]);
        assert_eq!(cut(&pairs, 99), [0, 2, 4, 6, 8, 10, 12]);
    }

    #[test]
    fn a_plans_command_can_be_gone_on_with() {
        let words =
            "batch plan --slices 3 league wondev -o league=3 --results a.sqlite --games 4 -o plan/ --resume";
        let again = again(words.split(' ').map(str::to_owned));
        assert_eq!(again.join(" "), "league wondev -o league=3 --games 4");
    }
}
