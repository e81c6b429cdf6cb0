//! The place of a run of games in its results file: found or begun, added to game by game.

use crate::adapter::Adapter;
use crate::arena::live::Live;
use crate::arena::matches::MatchPlan;
use crate::arena::result::GameResult;
use crate::arena::sandbox::Sandbox;
use crate::arena::schedule::Game;
use crate::arena::store::Store;
use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where games are stored unless told otherwise.
pub const RESULTS: &str = "fifty.sqlite";

/// How stored games are looked into with bots of today.
#[derive(ClapArgs, Clone)]
pub struct LookBack {
    /// What keeps bots that are processes from harming others: all that this machine offers, nothing, or all or no answer.
    #[arg(long, value_enum, default_value = "auto")]
    pub sandbox: Sandbox,
    /// Results file.
    #[arg(long, default_value = RESULTS)]
    pub results: PathBuf,
    /// Print one JSON object as well.
    #[arg(long)]
    pub json: bool,
}

/// Where games are stored, and which run goes on.
#[derive(ClapArgs, Clone)]
pub struct Storing {
    /// Results file; every game is stored in it with all its messages when it ends.
    #[arg(long, default_value = RESULTS)]
    pub results: PathBuf,
    /// Store nothing; there is nothing to go on with, then, and nothing to show.
    #[arg(long, conflicts_with = "resume")]
    pub no_results: bool,
    /// Go on with the last run of exactly these arguments in the results file.
    #[arg(long)]
    pub resume: bool,
}

/// Where a run's games lie.
pub struct Place {
    /// `run 3, games 12 to 40: cargo fifty show 12 --results FILE`.
    pub line: String,
    /// The number that `show` wants, by place in the run.
    pub ids: BTreeMap<usize, i64>,
}

/// A run's place in its results file, if it has one.
pub struct Recorder {
    store: Option<(Store, i64)>,
    /// Games that were finished before.
    pub known: BTreeMap<usize, GameResult>,
}

impl Recorder {
    /// Opens the file and finds or starts the run. `spec` is what a resumed run must agree in.
    pub fn open(storing: &Storing, kind: &str, adapter: &dyn Adapter, spec: &Value) -> Result<Self> {
        if storing.no_results {
            return Ok(Self {
                store: None,
                known: BTreeMap::new(),
            });
        }
        let store = Store::open(&storing.results)?;
        let run = store.begin(kind, adapter.name(), spec, storing.resume)?;
        let known = store.results(run)?;
        Ok(Self {
            store: Some((store, run)),
            known,
        })
    }

    /// Tells whoever watches the file how far the run is; nothing where there is no file.
    pub fn live(&self, file: &Path, plan: &MatchPlan<'_>) -> Result<Option<Live>> {
        let Some((_, run)) = &self.store else {
            return Ok(None);
        };
        Live::start(file, *run, plan.games.len(), self.known.len(), plan.jobs).map(Some)
    }

    /// Notes a game that an outside referee failed.
    pub fn failed(&self, game: &Game, why: &str) -> Result<()> {
        match &self.store {
            Some((store, run)) => store.failed(*run, game.index, game.seed, why),
            None => Ok(()),
        }
    }

    /// Stores one game, with its trace as the file has it.
    pub fn save(&self, result: &GameResult, trace: Option<&[u8]>) -> Result<()> {
        match &self.store {
            Some((store, run)) => store.take(*run, [(result, trace)]).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The run's number, where there is a file.
    pub fn run(&self) -> Option<i64> {
        self.store.as_ref().map(|(_, run)| *run)
    }

    /// Where the games lie, if there are any.
    pub fn place(&self, file: &Path) -> Result<Option<Place>> {
        let Some((store, run)) = &self.store else {
            return Ok(None);
        };
        let ids = store.ids(*run)?;
        let ends = ids.values().min().zip(ids.values().max());
        let line = ends.map(|(first, last)| {
            format!(
                "run {run}, games {first} to {last}: cargo fifty show {first} --results {} --html game.html",
                file.display()
            )
        });
        Ok(line.map(|line| Place { line, ids }))
    }
}
