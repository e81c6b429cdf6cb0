//! Every pair a tuner has played, in the results file (SQLite).
//!
//! One transaction a batch, synced: after a kill at any moment the file holds whole batches only, and a
//! walk replayed from them stands exactly where it stood. Tables of our own beside the arena's.

use super::games::Params;
use super::regression::Pair;
use super::spsa::Proposal;
use super::surrogate::Trial;
use crate::arena::live::Live;
use crate::results;
use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

/// One row: what was played and how it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the pair in its run.
    pub n: u64,
    /// As `Opponent::name` writes it.
    pub opponent: String,
    /// Point, signs and result.
    pub pair: Pair,
}

impl Row {
    /// A pair of games proposed from `point`.
    pub fn of(proposal: &Proposal, opponent: String, point: &[f64], result: f64) -> Self {
        Self {
            n: proposal.n,
            opponent,
            pair: Pair {
                x: point.to_vec(),
                signs: proposal.signs.clone(),
                result,
            },
        }
    }
}

/// The tuner's tables of a results file.
pub struct Store {
    db: Connection,
}

impl Store {
    /// Opens or makes the file.
    pub fn open(path: &Path) -> Result<Self> {
        let db = results::open(
            path,
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
             CREATE TABLE IF NOT EXISTS tune_run(
                 name TEXT PRIMARY KEY, game TEXT NOT NULL, setup TEXT NOT NULL, answer TEXT);
             CREATE TABLE IF NOT EXISTS tune_pair(
                 run TEXT NOT NULL, n INTEGER NOT NULL, opponent TEXT NOT NULL, x TEXT NOT NULL,
                 signs TEXT NOT NULL, result REAL NOT NULL, PRIMARY KEY(run, n)) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS tune_trial(
                 run TEXT NOT NULL, n INTEGER NOT NULL, at TEXT NOT NULL, results TEXT NOT NULL,
                 PRIMARY KEY(run, n)) WITHOUT ROWID;",
        )?;
        Ok(Self { db })
    }

    /// The setup a run was started with, as it was stored.
    pub fn setup(&self, run: &str) -> Result<Option<(String, String)>> {
        let mut found = self
            .db
            .prepare("SELECT game, setup FROM tune_run WHERE name = ?1")?;
        Ok(found
            .query_row([run], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?)
    }

    /// Starts a run.
    pub fn begin(&self, run: &str, game: &str, setup: &str) -> Result<()> {
        self.db.execute(
            "INSERT INTO tune_run(name, game, setup) VALUES(?1, ?2, ?3)",
            params![run, game, setup],
        )?;
        Ok(())
    }

    /// Tells whoever watches the file how far a run is, in games, and hears what they wish. Runs of the tuner count down
    /// from -1 there, those of the arena up from 1.
    pub fn live(&self, run: &str, total: u64, before: u64) -> Result<Live> {
        let find = "SELECT rowid FROM tune_run WHERE name = ?1";
        let place: i64 = self.db.query_row(find, [run], |r| r.get(0))?;
        let path = self.db.path().context("the results lie in no file")?;
        let jobs = rayon::current_num_threads();
        Live::start(Path::new(path), -place, total as usize, before as usize, jobs)
    }

    /// Keeps a whole batch, or nothing.
    pub fn add(&mut self, run: &str, rows: &[Row]) -> Result<()> {
        let change = self.db.transaction()?;
        for row in rows {
            change.execute(
                "INSERT INTO tune_pair(run, n, opponent, x, signs, result) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    run,
                    row.n as i64,
                    row.opponent,
                    serde_json::to_string(&row.pair.x)?,
                    serde_json::to_string(&row.pair.signs)?,
                    row.pair.result
                ],
            )?;
        }
        change.commit()?;
        Ok(())
    }

    /// All pairs of a run, in order.
    pub fn rows(&self, run: &str) -> Result<Vec<Row>> {
        let mut found = self
            .db
            .prepare("SELECT n, opponent, x, signs, result FROM tune_pair WHERE run = ?1 ORDER BY n")?;
        let rows = found.query_map([run], |r| {
            Ok((
                r.get::<_, i64>(0)?,
                r.get(1)?,
                r.get::<_, String>(2)?,
                r.get::<_, String>(3)?,
                r.get(4)?,
            ))
        })?;
        rows.map(|row| {
            let (n, opponent, x, signs, result) = row?;
            let pair = Pair {
                x: serde_json::from_str(&x)?,
                signs: serde_json::from_str(&signs)?,
                result,
            };
            Ok(Row {
                n: n as u64,
                opponent,
                pair,
            })
        })
        .collect()
    }

    /// Keeps a setting and its results.
    pub fn add_trial(&self, run: &str, n: u64, trial: &Trial) -> Result<()> {
        self.db.execute(
            "INSERT INTO tune_trial(run, n, at, results) VALUES(?1, ?2, ?3, ?4)",
            params![
                run,
                n as i64,
                serde_json::to_string(&trial.at)?,
                serde_json::to_string(&trial.results)?
            ],
        )?;
        Ok(())
    }

    /// All settings tried in a run, in order.
    pub fn trials(&self, run: &str) -> Result<Vec<Trial>> {
        let mut found = self
            .db
            .prepare("SELECT at, results FROM tune_trial WHERE run = ?1 ORDER BY n")?;
        let rows = found.query_map([run], |r| Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (at, results) = row?;
            Ok(Trial {
                at: serde_json::from_str(&at)?,
                results: serde_json::from_str(&results)?,
            })
        })
        .collect()
    }

    /// Keeps the values a run (or a fit) ended with.
    pub fn finish(&self, run: &str, values: &[(String, f64)]) -> Result<()> {
        self.db.execute(
            "UPDATE tune_run SET answer = ?2 WHERE name = ?1",
            params![run, serde_json::to_string(values)?],
        )?;
        Ok(())
    }

    /// Game and values a run ended with.
    pub fn answer(&self, run: &str) -> Result<Option<(String, Params)>> {
        let mut found = self
            .db
            .prepare("SELECT game, answer FROM tune_run WHERE name = ?1")?;
        let row: Option<(String, Option<String>)> = found
            .query_row([run], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?;
        match row {
            Some((game, Some(text))) => Ok(Some((game, serde_json::from_str(&text)?))),
            _ => Ok(None),
        }
    }

    /// Names of all runs.
    pub fn runs(&self) -> Result<Vec<String>> {
        let mut found = self.db.prepare("SELECT name FROM tune_run ORDER BY name")?;
        let names = found.query_map([], |r| r.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }
}
