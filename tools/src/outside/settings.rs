//! What is known of an outside referee: from the command line, or once and for all from `fifty.toml` in the author's
//! folder.
//!
//! ```toml
//! command = "java -jar referee.jar"  # split as a shell would, run without one; {p1} {players} {seed} {log} … are filled in
//! adapter = "brutaltester"           # or codingame, psyleague, settings
//! players = 2
//! options = { league = "3" }         # told with the seed
//! seeds = "seeds.txt"                # one a line, as --seeds
//! clock = 50                         # milliseconds, for {clock} in the command
//! timeout = 60                       # seconds a game may take
//! [bots]
//! new = "./target/release/mine --fast"
//! old = "python3 old.py"
//! ```

use crate::arena::command::{CommandLine, find};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file's name.
pub const FILE: &str = "fifty.toml";

/// How a referee is told who plays, and where it says what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Convention {
    /// `-p1 CMD -p2 CMD -d seed=N -l FILE`; one score a line, negative for a fault.
    #[default]
    Brutaltester,
    /// `-p1 CMD -p2 CMD -seed N -l FILE`, options as `-name value`: CodinGame's own command line, as cgarena builds it.
    Codingame,
    /// The bots' commands as last arguments; one JSON line with ranks and errors.
    Psyleague,
    /// One argument: a file with INPUT, LOG, EXEC1, EXEC2, as connexion's testing tool reads it.
    Settings,
}

/// An outside referee.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What tables and results files call the game. Default: the program's name.
    #[serde(default)]
    pub name: String,
    /// Its command line.
    pub command: String,
    /// How it is spoken to.
    #[serde(default)]
    pub adapter: Convention,
    /// Players of a game.
    #[serde(default = "two")]
    pub players: usize,
    /// Told it with the seed.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// File with one seed a line.
    #[serde(default)]
    pub seeds: Option<PathBuf>,
    /// Milliseconds a turn, for `{clock}`.
    #[serde(default)]
    pub clock: Option<u64>,
    /// Seconds after which a game is given up.
    #[serde(default = "patience")]
    pub timeout: u64,
    /// Files for INPUT of the settings convention, one of them by the seed; without them connexion's bags.
    #[serde(default)]
    pub inputs: Option<String>,
    /// Ask for a log and keep it.
    #[serde(default = "yes")]
    pub log: bool,
    /// Bots by name.
    #[serde(default)]
    pub bots: BTreeMap<String, String>,
}

fn two() -> usize {
    2
}

fn patience() -> u64 {
    300
}

fn yes() -> bool {
    true
}

impl Settings {
    /// For a command alone.
    pub fn new(command: &str) -> Self {
        Self {
            command: command.to_owned(),
            players: two(),
            timeout: patience(),
            log: true,
            ..Self::default()
        }
    }

    /// `fifty.toml` of a folder; none where there is no such file.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let settings: Self = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| {
                text[..span.start.min(text.len())].matches('\n').count() + 1
            });
            anyhow::anyhow!("{} line {line}: {}", path.display(), error.message())
        })?;
        Ok(Some(settings))
    }

    /// Checked, with a name that no game of ours has.
    pub fn checked(mut self, is_ours: impl Fn(&str) -> bool) -> Result<Self> {
        let line = CommandLine::parse(&self.command)?;
        if !(1..=8).contains(&self.players) {
            bail!("players = {}: expected 1 to 8", self.players);
        }
        if self.adapter == Convention::Settings && self.players != 2 {
            bail!("players = {}: a settings file has EXEC1 and EXEC2", self.players);
        }
        if self.timeout == 0 {
            bail!("timeout = 0: expected seconds above zero");
        }
        find(&line.words[0], Path::new(&line.words[0]))?;
        if self.name.is_empty() {
            // The script rather than its interpreter.
            let script = line.words.iter().skip(1).find(|word| {
                let path = Path::new(word);
                path.extension().is_some() && path.exists()
            });
            let word = script.unwrap_or(&line.words[0]);
            let stem = Path::new(word)
                .file_stem()
                .map(|s| s.to_string_lossy().into_owned());
            self.name = stem.unwrap_or_else(|| "referee".to_owned());
        }
        if is_ours(&self.name) {
            self.name += " (outside)";
        }
        Ok(self)
    }
}

/// One game to play.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    /// Who is asked.
    pub settings: &'a Settings,
    /// Told it with the seed, on top of its own.
    pub options: &'a BTreeMap<String, String>,
    /// Name and command of each seat.
    pub bots: Vec<(String, String)>,
    /// Decides everything random, where it is told.
    pub seed: u64,
}

#[cfg(test)]
mod tests {
    use super::{Convention, Settings};

    #[test]
    fn a_file_names_it_once() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Settings::read(dir.path()).unwrap(), None);
        let path = dir.path().join("fifty.toml");
        std::fs::write(
            &path,
            "command = 'sh toy.sh'\nplayers = 3\nadapter = 'psyleague'\n[bots]\nnew = './a'\n",
        )
        .unwrap();
        let read = Settings::read(dir.path()).unwrap().unwrap();
        assert_eq!(
            (read.players, read.adapter, read.bots["new"].as_str()),
            (3, Convention::Psyleague, "./a")
        );
        assert_eq!(read.checked(|_| false).unwrap().name, "sh");
        std::fs::write(&path, "command = 'sh'\nplayer = 3\n").unwrap();
        let error = Settings::read(dir.path()).unwrap_err().to_string();
        assert!(
            error.contains("fifty.toml line 2") && error.contains("player"),
            "{error}"
        );
        for (field, value) in [("players", 0), ("timeout", 0), ("players", 9)] {
            let mut settings = Settings::new("sh");
            if field == "players" {
                settings.players = value;
            } else {
                settings.timeout = 0;
            }
            assert!(
                settings
                    .checked(|_| false)
                    .unwrap_err()
                    .to_string()
                    .contains(field)
            );
        }
    }
}
