//! Candidates and the benchmark pool they are measured against, kept in the results file.
//!
//! Who is promoted or rejected is the author's word alone; nothing here decides it. The last promoted of a game is what
//! the next candidate has to beat.

use super::leaderboard::interval;
use crate::arena::bots::Bot;
use crate::games::adapters;
use crate::outside::adapter::adapter;
use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use std::path::{Path, PathBuf};

const TABLE: &str = "
CREATE TABLE IF NOT EXISTS pool_bot(
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, bot TEXT NOT NULL, role TEXT NOT NULL, decided INTEGER NOT NULL,
    added INTEGER NOT NULL, UNIQUE(game, bot));";

/// What a bot is in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// To be measured.
    Candidate,
    /// Measures others.
    Benchmark,
    /// Was a candidate; measures others, the last one in the SPRT.
    Promoted,
    /// Was a candidate.
    Rejected,
}

impl Role {
    /// Its word.
    pub fn word(self) -> &'static str {
        ["candidate", "benchmark", "promoted", "rejected"][self as usize]
    }

    /// From its word.
    pub fn read(word: &str) -> Option<Self> {
        [Self::Candidate, Self::Benchmark, Self::Promoted, Self::Rejected]
            .into_iter()
            .find(|role| role.word() == word)
    }
}

/// A bot of the pool.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its number.
    pub id: i64,
    /// Game by name.
    pub game: String,
    /// As `play` names it.
    pub bot: String,
    /// What it is.
    pub role: Role,
    /// Place in the order of decisions; 0 before any.
    pub decided: i64,
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let role: String = row.get(3)?;
    Ok(Entry {
        id: row.get(0)?,
        game: row.get(1)?,
        bot: row.get(2)?,
        role: Role::read(&role).unwrap_or(Role::Candidate),
        decided: row.get(4)?,
    })
}

/// Makes the table where there is none.
pub fn prepare(db: &Connection) -> Result<()> {
    db.execute_batch(TABLE)
        .context("the results file cannot be written")
}

/// All bots, by game and number.
pub fn all(db: &Connection) -> Result<Vec<Entry>> {
    prepare(db)?;
    let mut query =
        db.prepare_cached("SELECT id, game, bot, role, decided FROM pool_bot ORDER BY game, id")?;
    let rows = query.query_map([], entry)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// One bot.
pub fn get(db: &Connection, id: i64) -> Result<Entry> {
    prepare(db)?;
    let found = db
        .query_row(
            "SELECT id, game, bot, role, decided FROM pool_bot WHERE id=?1",
            [id],
            entry,
        )
        .optional()?;
    found.with_context(|| format!("there is no bot {id} in the pool: cargo fifty bots lists them"))
}

/// Adds a bot that can be started; one that is there gets the role. Returns its number.
pub fn add(db: &Connection, game: &str, bot: &str, role: Role) -> Result<i64> {
    prepare(db)?;
    let adapter = adapter(game).with_context(|| {
        let names: Vec<&str> = adapters().iter().map(|adapter| adapter.name()).collect();
        format!("no game named {game}: expected one of {}", names.join(", "))
    })?;
    let bot = bot.trim();
    if bot.is_empty() {
        bail!("expected a bot: a .rs file, a command, builtin:NAME or engine:…");
    }
    Bot::parse(bot, adapter)?;
    db.execute(
        "INSERT INTO pool_bot(game, bot, role, decided, added) VALUES(?1, ?2, ?3, 0, unixepoch())
         ON CONFLICT(game, bot) DO UPDATE SET role=?3",
        params![game, bot, role.word()],
    )?;
    Ok(db.query_row(
        "SELECT id FROM pool_bot WHERE game=?1 AND bot=?2",
        params![game, bot],
        |row| row.get(0),
    )?)
}

/// Gives a bot a role. A `.rs` file that is promoted is kept as it is, in a folder beside the results file, and stands in
/// the pool from there: its author goes on in the file.
pub fn assign(db: &Connection, id: i64, role: Role) -> Result<Entry> {
    let entry = get(db, id)?;
    let bot = match role {
        Role::Promoted => kept(db, &entry)?,
        _ => None,
    };
    // The same file promoted again takes the place of its first copy.
    db.execute(
        "UPDATE OR REPLACE pool_bot SET role=?2, bot=?3, decided=(SELECT max(decided) + 1 FROM pool_bot) WHERE id=?1",
        params![id, role.word(), bot.unwrap_or(entry.bot)],
    )?;
    get(db, id)
}

/// The name of a copy of a `.rs` file, made where there is none; none for other bots, and in a results file that lies
/// nowhere. Errors: the file is another one than was evaluated.
fn kept(db: &Connection, entry: &Entry) -> Result<Option<String>> {
    let source = Path::new(&entry.bot);
    let results = db.path().filter(|path| !path.is_empty()).map(PathBuf::from);
    let (Some(results), true, true) = (
        results,
        source.extension().is_some_and(|e| e == "rs"),
        source.is_file(),
    ) else {
        return Ok(None);
    };
    let adapter = adapter(&entry.game).with_context(|| format!("no game named {}", entry.game))?;
    let identity = Bot::parse(&entry.bot, adapter)?.identity();
    let Some(now) = version(&identity) else {
        return Ok(None);
    };
    let played: Vec<Stage> = stages(db, entry.id)?;
    if !played.is_empty() && played.iter().all(|stage| stage.version.as_ref() != Some(&now)) {
        bail!(
            "{} has changed since it was evaluated: play it again first",
            entry.bot
        );
    }
    let folder = results.with_extension("promoted");
    if source.canonicalize()?.parent() == folder.canonicalize().ok().as_deref() {
        return Ok(None);
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    let copy = folder.join(format!("{now}.rs"));
    std::fs::copy(source, &copy).with_context(|| format!("{}: cannot be written", copy.display()))?;
    let here = std::env::current_dir().ok();
    let near = here.and_then(|here| copy.strip_prefix(here).map(Path::to_path_buf).ok());
    let name = near.unwrap_or(copy).display().to_string();
    Ok(Some(shell_words::quote(&name).into_owned()))
}

/// Which version of a file a run was played with: `cand-1f…` of `cand.rs (cand-1f…)`.
fn version(identity: &str) -> Option<String> {
    let (_, version) = identity.strip_suffix(')')?.rsplit_once(" (")?;
    Some(version.to_owned())
}

/// Takes a bot out; its games stay.
pub fn remove(db: &Connection, id: i64) -> Result<Entry> {
    let entry = get(db, id)?;
    db.execute("DELETE FROM pool_bot WHERE id=?1", [id])?;
    Ok(entry)
}

/// Who measures the candidates of a game; builtins where nobody was named.
pub fn benchmarks(db: &Connection, game: &str) -> Result<Vec<String>> {
    let named: Vec<String> = all(db)?
        .into_iter()
        .filter(|e| e.game == game && matches!(e.role, Role::Benchmark | Role::Promoted))
        .map(|e| e.bot)
        .collect();
    Ok(if named.is_empty() {
        vec!["builtin:greedy".to_owned()]
    } else {
        named
    })
}

/// Whom a candidate of a game has to beat: the one promoted last.
pub fn champion(db: &Connection, game: &str) -> Result<Option<String>> {
    let promoted = all(db)?
        .into_iter()
        .filter(|e| e.game == game && e.role == Role::Promoted);
    Ok(promoted.max_by_key(|e| e.decided).map(|e| e.bot))
}

/// A stage of a candidate's evaluation as it stands.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Its run.
    pub run: i64,
    /// `sanity`, `pool` or `sprt`.
    pub stage: String,
    /// Of a `.rs` file, which version of it played.
    pub version: Option<String>,
    /// Games stored.
    pub games: i64,
    /// Games planned.
    pub total: i64,
    /// Mean match points of the candidate.
    pub points: f64,
    /// Ends of their 95 % interval, games taken as independent.
    pub low: f64,
    /// The upper one.
    pub high: f64,
    /// Its faults.
    pub faults: i64,
}

/// The stages of a candidate, oldest first.
pub fn stages(db: &Connection, id: i64) -> Result<Vec<Stage>> {
    let mut query = db.prepare_cached(
        "SELECT r.id, json_extract(r.spec, '$.stage'), json_extract(r.spec, '$.games'),
                (SELECT count(*) FROM look_game g WHERE g.run=r.id),
                (SELECT coalesce(avg(s.points), 0) FROM look_game g JOIN look_seat s ON s.game=g.game JOIN look_bot b
                 ON b.id=s.bot WHERE g.run=r.id AND b.name=json_extract(r.spec, '$.bots[0]')),
                (SELECT count(s.fault) FROM look_game g JOIN look_seat s ON s.game=g.game JOIN look_bot b
                 ON b.id=s.bot WHERE g.run=r.id AND b.name=json_extract(r.spec, '$.bots[0]')),
                (SELECT coalesce(avg(s.points*s.points), 0) FROM look_game g JOIN look_seat s ON s.game=g.game
                 JOIN look_bot b ON b.id=s.bot WHERE g.run=r.id AND b.name=json_extract(r.spec, '$.bots[0]')),
                json_extract(r.spec, '$.bots[0]')
         FROM arena_run r WHERE r.kind='evaluate' AND json_extract(r.spec, '$.candidate')=?1 ORDER BY r.id",
    )?;
    let rows = query.query_map([id], |row| {
        let (games, points): (i64, f64) = (row.get(3)?, row.get(4)?);
        let (low, high) = interval(games as f64, points, row.get(6)?);
        Ok(Stage {
            low,
            high,
            run: row.get(0)?,
            stage: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
            total: row.get::<_, Option<i64>>(2)?.unwrap_or_default(),
            games,
            points,
            faults: row.get(5)?,
            version: row.get::<_, Option<String>>(7)?.and_then(|bot| version(&bot)),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::{Role, add, all, assign, benchmarks, champion, remove};
    use rusqlite::Connection;

    #[test]
    fn the_last_promoted_is_the_one_to_beat() {
        let db = Connection::open_in_memory().unwrap();
        assert_eq!(benchmarks(&db, "wondev").unwrap(), ["builtin:greedy"]);
        let a = add(&db, "wondev", "engine:10", Role::Candidate).unwrap();
        let b = add(&db, "wondev", " engine:20", Role::Candidate).unwrap();
        add(&db, "slime", "builtin:random", Role::Benchmark).unwrap();
        assert_eq!(add(&db, "wondev", "engine:20", Role::Candidate).unwrap(), b);
        assert_eq!(
            (all(&db).unwrap().len(), champion(&db, "wondev").unwrap()),
            (3, None)
        );
        assign(&db, b, Role::Promoted).unwrap();
        assign(&db, a, Role::Promoted).unwrap();
        assert_eq!(champion(&db, "wondev").unwrap().as_deref(), Some("engine:10"));
        assert_eq!(benchmarks(&db, "wondev").unwrap(), ["engine:10", "engine:20"]);
        assert_eq!(benchmarks(&db, "slime").unwrap(), ["builtin:random"]);
        remove(&db, a).unwrap();
        assert_eq!(champion(&db, "wondev").unwrap().as_deref(), Some("engine:20"));
        assert!(remove(&db, a).is_err());
    }

    #[test]
    fn a_promoted_file_stays_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let db = Connection::open(dir.path().join("r.sqlite")).unwrap();
        drop(crate::arena::store::Store::open(&dir.path().join("r.sqlite")).unwrap());
        drop(crate::serve::index::Index::open(&dir.path().join("r.sqlite")).unwrap());
        let source = dir.path().join("mine.rs");
        std::fs::write(&source, "fn main() {}").unwrap();
        let name = source.display().to_string();
        let first = add(&db, "wondev", &name, Role::Candidate).unwrap();
        let promoted = assign(&db, first, Role::Promoted).unwrap();
        assert_ne!(promoted.bot, name);
        // The author goes on in the file, which is a candidate of its own now.
        std::fs::write(&source, "fn main() { loop {} }").unwrap();
        let second = add(&db, "wondev", &name, Role::Candidate).unwrap();
        assert_ne!(first, second);
        let copy = champion(&db, "wondev").unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(&copy).unwrap(), "fn main() {}");
        // A copy is not copied again, nor lost by a change of mind.
        assign(&db, first, Role::Rejected).unwrap();
        assert_eq!(assign(&db, first, Role::Promoted).unwrap().bot, copy);
        assert_eq!(assign(&db, second, Role::Rejected).unwrap().bot, name);
    }

    #[test]
    fn who_cannot_be_started_is_not_taken() {
        let db = Connection::open_in_memory().unwrap();
        for bot in ["", "builtin:nobody", "./no-such-file", "engine:x"] {
            assert!(add(&db, "wondev", bot, Role::Candidate).is_err(), "{bot}");
        }
        assert!(add(&db, "chess", "engine", Role::Candidate).is_err());
        assert!(all(&db).unwrap().is_empty());
    }
}
