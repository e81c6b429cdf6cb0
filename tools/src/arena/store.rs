//! The results file: SQLite, one row a finished game with its result and its whole trace.
//!
//! A game is written in one transaction when it ends; a kill at any moment loses no finished game and leaves
//! no half one (write-ahead log). A game's place in its run is unique: nothing is counted twice. Tables of
//! the tuner may lie in the same file.

use super::result::GameResult;
use crate::results::{self, Reading};
use crate::show::trace::Trace;
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rusqlite::{OptionalExtension, params};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// An open results file.
pub struct Store {
    db: Reading,
    /// As it was named, for errors.
    path: PathBuf,
}

/// A run as stored.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its number.
    pub id: i64,
    /// `play`, `league` or `sprt`.
    pub kind: String,
    /// Game by name.
    pub game: String,
    /// What was asked for: bots, options, seeds.
    pub spec: Value,
    /// Finished games.
    pub games: usize,
}

impl Store {
    /// Opens or makes the file.
    pub fn open(path: &Path) -> Result<Self> {
        // NORMAL with a write-ahead log: a killed process loses nothing; only a power cut may lose the last
        // games, and even that never a part of one.
        let db = results::open(
            path,
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
             CREATE TABLE IF NOT EXISTS arena_run(
                 id INTEGER PRIMARY KEY, kind TEXT NOT NULL, game TEXT NOT NULL, spec TEXT NOT NULL);
             CREATE TABLE IF NOT EXISTS arena_game(
                 id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES arena_run(id), n INTEGER NOT NULL,
                 result TEXT NOT NULL, trace BLOB, UNIQUE(run, n));
             CREATE TABLE IF NOT EXISTS arena_failed(
                 id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES arena_run(id), n INTEGER NOT NULL,
                 seed TEXT NOT NULL, why TEXT NOT NULL);
             CREATE TABLE IF NOT EXISTS arena_plan(
                 run INTEGER NOT NULL REFERENCES arena_run(id), plan TEXT NOT NULL, head TEXT NOT NULL,
                 PRIMARY KEY(run, plan)) WITHOUT ROWID;
             CREATE TABLE IF NOT EXISTS arena_date(game INTEGER PRIMARY KEY, played INTEGER NOT NULL);",
        )?;
        Ok(Self {
            db: db.into(),
            path: path.to_path_buf(),
        })
    }

    /// Opens a file that must be there, for reading; nothing is written, and need not be writable.
    pub fn read(path: &Path) -> Result<Self> {
        let db = results::read(path)?;
        results::must_hold(&db.db, path, "arena_game", "games")?;
        Ok(Self {
            db,
            path: path.to_path_buf(),
        })
    }

    /// A new run; or, with `resume`, the last one of the same kind, game and spec, if there is one.
    pub fn begin(&self, kind: &str, game: &str, spec: &Value, resume: bool) -> Result<i64> {
        let text = spec.to_string();
        if resume {
            let found = self
                .db
                .db
                .query_row(
                    "SELECT id FROM arena_run WHERE kind=?1 AND game=?2 AND spec=?3 ORDER BY id DESC LIMIT 1",
                    params![kind, game, text],
                    |row| row.get(0),
                )
                .optional()?;
            if let Some(id) = found {
                return Ok(id);
            }
        }
        self.db.db.execute(
            "INSERT INTO arena_run(kind, game, spec) VALUES(?1, ?2, ?3)",
            params![kind, game, text],
        )?;
        Ok(self.db.db.last_insert_rowid())
    }

    /// Stores a finished game; one that is there already stays as it is.
    pub fn save(&self, run: i64, result: &GameResult, trace: Option<&Trace>) -> Result<()> {
        let blob = trace.map(pack).transpose()?;
        self.take(run, [(result, blob.as_deref())]).map(|_| ())
    }

    /// Stores finished games with their traces as [`pack`] makes them, all or none; those that are there already stay as
    /// they are. How many are new.
    pub fn take<'a>(
        &self,
        run: i64,
        games: impl IntoIterator<Item = (&'a GameResult, Option<&'a [u8]>)>,
    ) -> Result<usize> {
        let tx = self.db.db.unchecked_transaction()?;
        let mut new = 0;
        for (result, blob) in games {
            let added = tx
                .prepare_cached(
                    "INSERT OR IGNORE INTO arena_game(run, n, result, trace) VALUES(?1, ?2, ?3, ?4)",
                )?
                .execute(params![
                    run,
                    result.index as i64,
                    serde_json::to_string(result)?,
                    blob
                ])
                .context("the results file cannot be written")?;
            if added > 0 {
                tx.prepare_cached(
                    "INSERT OR REPLACE INTO arena_date VALUES(last_insert_rowid(), unixepoch())",
                )?
                .execute([])?;
            }
            new += added;
        }
        tx.commit().context("the results file cannot be written")?;
        Ok(new)
    }

    /// Takes all games of a run of another file, and what its referee failed. How many games are new.
    pub fn copy(&self, run: i64, from: &Self, own: i64) -> Result<usize> {
        let tx = self.db.db.unchecked_transaction()?;
        let mut query = from
            .db
            .db
            .prepare("SELECT n, result, trace FROM arena_game WHERE run=?1 ORDER BY n")?;
        let mut rows = query.query([own])?;
        let mut new = 0;
        while let Some(row) = rows.next()? {
            let (n, result, trace): (i64, String, Option<Vec<u8>>) = (row.get(0)?, row.get(1)?, row.get(2)?);
            new += tx
                .prepare_cached(
                    "INSERT OR IGNORE INTO arena_game(run, n, result, trace) VALUES(?1, ?2, ?3, ?4)",
                )?
                .execute(params![run, n, result, trace])
                .context("the results file cannot be written")?;
        }
        tx.commit().context("the results file cannot be written")?;
        let mut query = from
            .db
            .db
            .prepare("SELECT n, seed, why FROM arena_failed WHERE run=?1 ORDER BY id")?;
        let mut rows = query.query([own])?;
        while let Some(row) = rows.next()? {
            let seed: String = row.get(1)?;
            let why: String = row.get(2)?;
            self.failed_once(run, row.get::<_, i64>(0)? as usize, seed.parse()?, &why)?;
        }
        Ok(new)
    }

    /// Notes the plan that games of a run come from.
    pub fn note_plan(&self, run: i64, plan: &str, head: &str) -> Result<()> {
        self.db
            .db
            .execute(
                "INSERT OR REPLACE INTO arena_plan(run, plan, head) VALUES(?1, ?2, ?3)",
                params![run, plan, head],
            )
            .context("the results file cannot be written")?;
        Ok(())
    }

    /// Runs with games of a plan, and its head.
    pub fn plans(&self) -> Result<Vec<(i64, String)>> {
        let there = "SELECT count(*) FROM sqlite_master WHERE name='arena_plan'";
        let tables: i64 = self.db.db.query_row(there, [], |row| row.get(0))?;
        if tables == 0 {
            return Ok(Vec::new());
        }
        let mut query = self
            .db
            .db
            .prepare("SELECT run, head FROM arena_plan ORDER BY run")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// As [`Store::failed`], unless just that is noted already.
    pub fn failed_once(&self, run: i64, n: usize, seed: u64, why: &str) -> Result<()> {
        let known = self.failures(run)?;
        if known.iter().any(|(m, noted)| *m == n && noted == why) {
            return Ok(());
        }
        self.failed(run, n, seed, why)
    }

    /// Notes that an outside referee failed the `n`-th game of a run; the game itself stays to be played.
    pub fn failed(&self, run: i64, n: usize, seed: u64, why: &str) -> Result<()> {
        self.db
            .db
            .execute(
                "INSERT INTO arena_failed(run, n, seed, why) VALUES(?1, ?2, ?3, ?4)",
                params![run, n as i64, seed.to_string(), why],
            )
            .context("the results file cannot be written")?;
        Ok(())
    }

    /// Games of a run that an outside referee failed, in order: place, and why.
    pub fn failures(&self, run: i64) -> Result<Vec<(usize, String)>> {
        let mut query = self
            .db
            .db
            .prepare("SELECT n, why FROM arena_failed WHERE run=?1 ORDER BY id")?;
        let rows = query.query_map([run], |row| Ok((row.get::<_, i64>(0)? as usize, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Finished games of a run, by place.
    pub fn results(&self, run: i64) -> Result<BTreeMap<usize, GameResult>> {
        let mut query = (self.db.db).prepare("SELECT id, result FROM arena_game WHERE run=?1")?;
        let rows = query.query_map([run], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let mut results = BTreeMap::new();
        for row in rows {
            let (id, text): (i64, String) = row?;
            let result: GameResult = serde_json::from_str(&text)
                .with_context(|| self.damaged(&format!("the result of game {id}, run {run}")))?;
            results.insert(result.index, result);
        }
        Ok(results)
    }

    fn damaged(&self, what: &str) -> String {
        format!("{}: {what} is damaged", self.path.display())
    }

    /// The result of one game, as its row has it.
    pub fn result(&self, game: i64) -> Result<GameResult> {
        let find = "SELECT result FROM arena_game WHERE id=?1";
        let text: Option<String> = (self.db.db)
            .query_row(find, [game], |row| row.get(0))
            .optional()?;
        let text = text.with_context(|| format!("{}: there is no game {game}", self.path.display()))?;
        serde_json::from_str(&text).with_context(|| self.damaged(&format!("the result of game {game}")))
    }

    /// The id of each game of a run, by place.
    pub fn ids(&self, run: i64) -> Result<BTreeMap<usize, i64>> {
        let mut query = self.db.db.prepare("SELECT n, id FROM arena_game WHERE run=?1")?;
        let rows = query.query_map([run], |row| Ok((row.get::<_, i64>(0)? as usize, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The trace of one game.
    pub fn trace(&self, game: i64) -> Result<Trace> {
        let found: Option<Option<Vec<u8>>> = self
            .db
            .db
            .query_row("SELECT trace FROM arena_game WHERE id=?1", [game], |row| {
                row.get(0)
            })
            .optional()?;
        match found {
            None => bail!("there is no game {game}; the last one is {}", self.last_game()?),
            Some(None) => bail!("game {game} was played without keeping its messages"),
            Some(Some(blob)) => {
                unpack(&blob).with_context(|| self.damaged(&format!("the trace of game {game}")))
            }
        }
    }

    fn last_game(&self) -> Result<i64> {
        Ok(self
            .db
            .db
            .query_row("SELECT coalesce(max(id), 0) FROM arena_game", [], |row| {
                row.get(0)
            })?)
    }

    /// All runs, oldest first.
    pub fn runs(&self) -> Result<Vec<Run>> {
        let mut query = self.db.db.prepare(
            "SELECT id, kind, game, spec, (SELECT count(*) FROM arena_game WHERE run=arena_run.id)
             FROM arena_run ORDER BY id",
        )?;
        let rows = query.query_map([], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get::<_, String>(3)?,
                row.get::<_, i64>(4)?,
            ))
        })?;
        let mut runs = Vec::new();
        for row in rows {
            let (id, kind, game, spec, games) = row?;
            runs.push(Run {
                id,
                kind,
                game,
                spec: serde_json::from_str(&spec)
                    .with_context(|| self.damaged(&format!("what run {id} was asked for")))?,
                games: games as usize,
            });
        }
        Ok(runs)
    }
}

/// A trace as it lies in the file.
pub fn pack(trace: &Trace) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(4));
    serde_json::to_writer(&mut encoder, trace)?;
    encoder.flush()?;
    Ok(encoder.finish()?)
}

/// The trace of such bytes.
pub fn unpack(blob: &[u8]) -> Result<Trace> {
    let mut text = String::new();
    GzDecoder::new(blob).read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

#[cfg(test)]
mod tests {
    use super::Store;
    use crate::arena::result::GameResult;
    use crate::show::trace::Trace;
    use serde_json::json;

    fn result(index: usize) -> GameResult {
        GameResult {
            index,
            group: 0,
            seed: 3,
            seating: vec![0, 1],
            scores: vec![1.0, 0.0],
            points: vec![1.0, 0.0],
            end: "over".into(),
            batches: 2,
            answers: 0,
            start: 0,
            faults: Vec::new(),
            late: Vec::new(),
            times: vec![vec![1.5], vec![]],
        }
    }

    #[test]
    fn games_come_back_and_are_counted_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let spec = json!({"bots": ["a", "b"]});
        let trace = Trace {
            game: "wondev".into(),
            bots: vec!["a".into(), "b".into()],
            ..Trace::default()
        };
        let run = {
            let store = Store::open(&path).unwrap();
            let run = store.begin("play", "wondev", &spec, true).unwrap();
            store.save(run, &result(4), Some(&trace)).unwrap();
            store.save(run, &result(4), None).unwrap();
            run
        };
        let store = Store::open(&path).unwrap();
        assert_eq!(store.begin("play", "wondev", &spec, true).unwrap(), run);
        assert_ne!(store.begin("play", "wondev", &json!({}), true).unwrap(), run);
        let results = store.results(run).unwrap();
        assert_eq!(results.into_iter().collect::<Vec<_>>(), [(4, result(4))]);
        let id = store.ids(run).unwrap()[&4];
        assert_eq!(store.trace(id).unwrap(), trace);
        store.failed(run, 5, u64::MAX, "hung").unwrap();
        assert_eq!(store.failures(run).unwrap(), [(5, "hung".to_owned())]);
        let error = store.trace(id + 1).unwrap_err().to_string();
        assert!(error.contains("no game"), "{error}");
        let damage = "UPDATE arena_game SET result='{'";
        store.db.db.execute(damage, []).unwrap();
        for error in [store.results(run).err(), store.result(id).err()] {
            let error = format!("{:#}", error.unwrap());
            assert!(
                error.contains("r.sqlite: ") && error.contains(&format!("game {id}")),
                "{error}"
            );
        }
    }
}
