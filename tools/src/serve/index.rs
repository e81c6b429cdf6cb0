//! The index of a results file: one row a game, one a seat, one a fact, so that any filter is answered by the database.
//!
//! It lies in tables of its own in the same file and is made of what the arena stored: games that came since are added
//! before each look, in short transactions of their own, so that a run that writes meanwhile is not held up. Dropping
//! the tables loses nothing. Facts need a game's messages and are read when a filter asks for them.

use super::facts::{self, Told};
use crate::adapter::Adapter;
use crate::arena::result::GameResult;
use crate::arena::store::unpack;
use crate::outside::adapter::adapter;
use crate::results;
use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Changes with the tables; an index of another version is made anew.
const VERSION: i64 = 2;
/// Games a transaction: a writer waits some tens of milliseconds for one at most.
const BATCH: usize = 1000;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS look_version(version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS look_bot(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS look_game(
    game INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, seed INTEGER NOT NULL,
    turns INTEGER NOT NULL, ended TEXT NOT NULL, faults INTEGER NOT NULL, late INTEGER NOT NULL,
    played INTEGER NOT NULL, options TEXT NOT NULL, facts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS look_seat(
    game INTEGER NOT NULL, seat INTEGER NOT NULL, bot INTEGER NOT NULL, won INTEGER NOT NULL, points REAL NOT NULL,
    score REAL NOT NULL, margin REAL NOT NULL, fault TEXT, late INTEGER NOT NULL, slowest REAL NOT NULL,
    PRIMARY KEY(game, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS look_fact(
    name TEXT NOT NULL, game INTEGER NOT NULL, seat INTEGER NOT NULL, value REAL, word TEXT,
    PRIMARY KEY(name, game, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS arena_date(game INTEGER PRIMARY KEY, played INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS look_fact_game ON look_fact(game);
CREATE INDEX IF NOT EXISTS look_game_seed ON look_game(run, seed);
CREATE INDEX IF NOT EXISTS look_game_name ON look_game(name, game);
CREATE INDEX IF NOT EXISTS look_seat_bot ON look_seat(bot, won, game);
CREATE INDEX IF NOT EXISTS look_seat_fault ON look_seat(fault) WHERE fault IS NOT NULL;
";

/// A results file with its index.
pub struct Index {
    /// The database.
    pub db: Connection,
    /// Its file.
    pub path: PathBuf,
    /// Where the index is made in a copy: gone with it.
    _copy: Option<tempfile::TempDir>,
}

/// What a run says about its games.
struct RunInfo {
    kind: String,
    game: String,
    bots: Vec<String>,
    options: String,
}

impl Index {
    /// Opens a results file that must be there, and makes its index where there is none.
    pub fn open(path: &Path) -> Result<Self> {
        let (db, copy) = results::open_aside(path)?;
        let index = Self {
            db,
            path: path.to_path_buf(),
            _copy: copy,
        };
        index.make().with_context(|| path.display().to_string())?;
        Ok(index)
    }

    fn make(&self) -> Result<()> {
        let known: bool = self.db.query_row(
            "SELECT count(*) FROM sqlite_master WHERE name='arena_game'",
            [],
            |row| Ok(row.get::<_, i64>(0)? > 0),
        )?;
        if !known {
            bail!("a results file without games: expected one of play, league, sprt or import");
        }
        let found: Option<i64> = (self.db)
            .query_row("SELECT version FROM look_version", [], |row| row.get(0))
            .optional()
            .unwrap_or_default();
        if found == Some(VERSION) {
            return Ok(());
        }
        self.db.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             DROP TABLE IF EXISTS look_version; DROP TABLE IF EXISTS look_bot; DROP TABLE IF EXISTS look_game;
             DROP TABLE IF EXISTS look_seat; DROP TABLE IF EXISTS look_fact;
             {TABLES} INSERT INTO look_version VALUES({VERSION}); COMMIT;"
        ))?;
        Ok(())
    }

    /// Adds the games that came since. `progress` hears how many are done of how many.
    pub fn update(&mut self, mut progress: impl FnMut(usize, usize)) -> Result<usize> {
        let mut done = 0;
        let mut runs: HashMap<i64, RunInfo> = HashMap::new();
        let (first, last): (i64, i64) = self.db.query_row(
            "SELECT (SELECT coalesce(max(game), 0) FROM look_game), (SELECT coalesce(max(id), 0) FROM arena_game)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let all = (last - first).max(0) as usize;
        loop {
            // What is slow is done before the transaction: a run that writes does not wait for it.
            let mut rows: Vec<(i64, i64, i64, GameResult)> = Vec::new();
            {
                let mut query = self.db.prepare_cached(
                    "SELECT id, run, result, coalesce((SELECT played FROM arena_date WHERE game=id), 0) FROM arena_game
                     WHERE id > (SELECT coalesce(max(game), 0) FROM look_game) ORDER BY id LIMIT ?1",
                )?;
                let found = query.query_map([BATCH as i64], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get(3)?))
                })?;
                for row in found {
                    let (id, run, text, played): (i64, i64, String, i64) = row?;
                    let result =
                        serde_json::from_str(&text).with_context(|| format!("game {id} is damaged"))?;
                    rows.push((id, run, played, result));
                }
            }
            if rows.is_empty() {
                return Ok(done);
            }
            for (_, run, ..) in &rows {
                if !runs.contains_key(run) {
                    runs.insert(*run, self.run(*run)?);
                }
            }
            let tx = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
            let mut names = BTreeMap::new();
            for (id, run, played, result) in &rows {
                add(&tx, (*id, *run, *played), &runs[run], result, &mut names)?;
            }
            tx.commit()?;
            done += rows.len();
            progress(done, all.max(done));
        }
    }

    fn run(&self, run: i64) -> Result<RunInfo> {
        let found = self
            .db
            .query_row(
                "SELECT kind, game, spec FROM arena_run WHERE id=?1",
                [run],
                |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)),
            )
            .optional()?;
        let (kind, name, spec): (String, String, String) = found.unwrap_or_default();
        let spec: Value = serde_json::from_str(&spec).unwrap_or_default();
        let bots = spec["bots"].as_array().into_iter().flatten();
        let mut options: BTreeMap<String, String> = BTreeMap::new();
        // A game says so where it is played by the defaults, too.
        for (option, default, _) in adapter(&name).into_iter().flat_map(Adapter::options) {
            options.insert((*option).to_owned(), (*default).to_owned());
        }
        for (option, value) in spec["options"].as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            options.insert(option.clone(), value);
        }
        Ok(RunInfo {
            kind,
            game: name,
            bots: bots.map(|b| b.as_str().unwrap_or_default().to_owned()).collect(),
            options: serde_json::to_string(&options)?,
        })
    }

    /// Reads the facts of games that have not been read yet, newest first; `most` of them. Returns how many are left.
    pub fn read_facts(&mut self, most: usize, mut progress: impl FnMut(usize)) -> Result<usize> {
        let ids: Vec<i64> = self
            .db
            .prepare_cached("SELECT game FROM look_game WHERE facts=0 ORDER BY game DESC LIMIT ?1")?
            .query_map([most as i64], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for (n, chunk) in ids.chunks(50).enumerate() {
            let mut read = Vec::new();
            for &id in chunk {
                let blob: Option<Vec<u8>> =
                    self.db
                        .query_row("SELECT trace FROM arena_game WHERE id=?1", [id], |row| row.get(0))?;
                // A game without messages, or with damaged ones, has nothing to say.
                let trace = blob.and_then(|blob| unpack(&blob).ok());
                read.push((id, trace.map(|t| facts::of_game(adapter(&t.game), &t))));
            }
            let tx = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
            for (id, found) in read {
                for ((name, seat), told) in found.into_iter().flatten() {
                    let (value, word) = match told {
                        Told::Number(value) => (Some(value), None),
                        Told::Word(word) => (None, Some(word)),
                    };
                    tx.prepare_cached("INSERT OR REPLACE INTO look_fact VALUES(?1, ?2, ?3, ?4, ?5)")?
                        .execute(params![name, id, seat.map_or(-1, |s| s as i64), value, word])?;
                }
                tx.execute("UPDATE look_game SET facts=1 WHERE game=?1", [id])?;
            }
            tx.commit()?;
            progress((n * 50 + chunk.len()).min(ids.len()));
        }
        Ok(self
            .db
            .query_row("SELECT count(*) FROM look_game WHERE facts=0", [], |row| {
                row.get::<_, i64>(0)
            })? as usize)
    }
}

/// The number a bot is known by.
fn bot_id(tx: &Transaction<'_>, name: &str, known: &mut BTreeMap<String, i64>) -> Result<i64> {
    if let Some(id) = known.get(name) {
        return Ok(*id);
    }
    tx.execute("INSERT OR IGNORE INTO look_bot(name) VALUES(?1)", [name])?;
    let id = tx.query_row("SELECT id FROM look_bot WHERE name=?1", [name], |row| row.get(0))?;
    known.insert(name.to_owned(), id);
    Ok(id)
}

/// One game; its number, run, and second of its end (0: not known).
fn add(
    tx: &Transaction<'_>,
    (id, run, played): (i64, i64, i64),
    info: &RunInfo,
    result: &GameResult,
    names: &mut BTreeMap<String, i64>,
) -> Result<()> {
    tx.prepare_cached(
        "INSERT OR REPLACE INTO look_game VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0)",
    )?
    .execute(params![
        id,
        run,
        info.game,
        info.kind,
        result.seed as i64,
        result.batches as i64,
        result.end,
        result.faults.len() as i64,
        result.late.iter().filter(|l| !l.excused).count() as i64,
        played,
        info.options,
    ])?;
    let best = result.points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let winners = result.points.iter().filter(|&&p| p == best).count();
    for (seat, &bot) in result.seating.iter().enumerate() {
        let name = info
            .bots
            .get(bot)
            .cloned()
            .unwrap_or_else(|| format!("bot {bot}"));
        let bot = bot_id(tx, &name, names)?;
        let number = |list: &[f64]| list.get(seat).copied().unwrap_or_default();
        let (points, score) = (number(&result.points), number(&result.scores));
        let others = result.scores.iter().enumerate().filter(|(s, _)| *s != seat);
        let rival = others.map(|(_, s)| *s).fold(f64::NEG_INFINITY, f64::max);
        let won = match (points == best, winners) {
            (true, 1) => 2,
            (true, _) => 1,
            _ => 0,
        };
        let fault = result
            .faults
            .iter()
            .find(|f| f.seat == seat)
            .map(|f| f.kind.as_str());
        let late = result
            .late
            .iter()
            .filter(|l| l.seat == seat && !l.excused)
            .count();
        tx.prepare_cached(
            "INSERT OR REPLACE INTO look_seat VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            id,
            seat as i64,
            bot,
            won,
            points,
            score,
            if rival.is_finite() { score - rival } else { score },
            fault,
            late as i64,
            f64::from(result.slowest(seat)),
        ])?;
    }
    Ok(())
}
