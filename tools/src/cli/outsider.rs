//! `--referee COMMAND` in place of a game's name: a game by somebody else's program, or the one that `fifty.toml` names.

use super::named::adapter_named;
use crate::adapter::Adapter;
use crate::games::is_ours;
use crate::outside::adapter::register;
use crate::outside::settings::{Convention, FILE, Settings};
use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::Path;

/// An outside referee on the command line.
#[derive(ClapArgs, Clone, Default)]
pub struct Outsider {
    /// A program that plays one game, in place of a game's name; fifty.toml here names it once and for all. Words in
    /// braces are filled in: {p1} to {p8}, {players}, {seed}, {log}, {options}, {clock}, {settings}.
    #[arg(long, value_name = "COMMAND")]
    pub referee: Option<String>,
    /// How that program is told who plays.
    #[arg(long, value_enum, value_name = "CONVENTION")]
    pub adapter: Option<Convention>,
    /// Players of its games (`players` in fifty.toml). Default: 2.
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// Seconds after which a game of its is given up. Default: 300.
    #[arg(long, value_name = "SECONDS")]
    pub referee_timeout: Option<u64>,
}

impl Outsider {
    /// The same on another command line.
    pub fn arguments(&self) -> Vec<String> {
        let mut all = Vec::new();
        all.extend(self.referee.as_ref().map(|text| format!("--referee={text}")));
        let convention = self.adapter.and_then(|a| a.to_possible_value());
        all.extend(convention.map(|value| format!("--adapter={}", value.get_name())));
        all.extend(self.seats.map(|n| format!("--seats={n}")));
        all.extend(self.referee_timeout.map(|n| format!("--referee-timeout={n}")));
        all
    }

    /// The outside game that is meant; none where `name` or nothing at all is given.
    pub fn game(&self, name: Option<&str>) -> Result<Option<&'static dyn Adapter>> {
        let settings = match (&self.referee, name) {
            (Some(_), Some(name)) => {
                bail!("{name} and --referee: expected a game's name or an outside referee")
            }
            (Some(command), None) => Some(Settings::new(command)),
            (None, Some(_)) => None,
            (None, None) => Settings::read(Path::new("."))?,
        };
        let Some(mut settings) = settings else {
            if self.adapter.is_some() || self.seats.is_some() || self.referee_timeout.is_some() {
                bail!("--adapter, --seats and --referee-timeout belong to --referee");
            }
            return Ok(None);
        };
        settings.adapter = self.adapter.unwrap_or(settings.adapter);
        settings.players = self.seats.unwrap_or(settings.players);
        settings.timeout = self.referee_timeout.unwrap_or(settings.timeout);
        let origin = if self.referee.is_some() { "--referee" } else { FILE };
        Ok(Some(register(settings.checked(is_ours).context(origin)?)))
    }
}

/// One game: by name, by `--referee`, or by `fifty.toml`.
#[derive(ClapArgs, Clone)]
pub struct Which {
    /// Game by name.
    #[arg(value_name = "GAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub referee: Outsider,
}

impl Which {
    /// The game that is meant.
    pub fn game(&self) -> Result<&'static dyn Adapter> {
        if let Some(adapter) = self.referee.game(self.name.as_deref())? {
            return Ok(adapter);
        }
        match &self.name {
            Some(name) => adapter_named(name),
            None => bail!("expected a game's name, --referee COMMAND, or a {FILE} here"),
        }
    }
}
