//! The results file: an SQLite file with the arena's tables and the tuner's, which say what lies in it.
//!
//! Its version is kept in `user_version`. A file of another version is refused by name before anything is
//! written; one from before versions were kept (0) is version 1. Readers write nothing, and make no file where
//! there is none.

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What this program writes and reads.
const VERSION: i64 = 1;

/// A try to lock a file that another program holds, and how many are made: a minute in all.
const TRY: Duration = Duration::from_millis(20);
const TRIES: i32 = 3_000;
/// The try at which the user is told.
const TOLD: i32 = 100;

/// After the `tried`th attempt at a lock that another program holds: whether to try once more.
fn wait(tried: i32) -> bool {
    if tried == TOLD {
        eprintln!("another program holds the results file; waiting for it, a minute at most");
    }
    std::thread::sleep(TRY);
    tried < TRIES
}

/// Opens or makes the file, for writing. `tables` makes what is missing of the caller's tables.
pub fn open(path: &Path, tables: &str) -> Result<Connection> {
    let db = Connection::open(path).with_context(|| format!("{}: cannot be opened", path.display()))?;
    db.busy_handler(Some(wait))?;
    let version = check(&db, path)?;
    db.execute_batch(tables)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    // Who opens a file again and again would hold up its writer if each time something were written.
    if version != VERSION {
        db.pragma_update(None, "user_version", VERSION)
            .with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(db)
}

/// Opens a file that must be there for additions that may be made anew: in the file itself, or, where that cannot be
/// written, in a copy, which is gone with the folder it lies in.
pub fn open_aside(path: &Path) -> Result<(Connection, Option<tempfile::TempDir>)> {
    must_exist(path)?;
    match open(path, "") {
        Ok(db) => Ok((db, None)),
        Err(error) if is_read_only(&error) => {
            eprintln!(
                "{}: cannot be written, a copy of it is looked through",
                path.display()
            );
            let copy = copied(path)?;
            check(&copy.db, path)?;
            Ok((copy.db, copy.copy))
        }
        Err(error) => Err(error),
    }
}

fn is_read_only(error: &anyhow::Error) -> bool {
    let code = error
        .downcast_ref::<rusqlite::Error>()
        .and_then(rusqlite::Error::sqlite_error_code);
    matches!(
        code,
        Some(rusqlite::ErrorCode::ReadOnly | rusqlite::ErrorCode::CannotOpen)
    )
}

/// Fails with a sentence where there is no such file.
pub fn must_exist(path: &Path) -> Result<()> {
    if !path.exists() {
        bail!(
            "{}: no such file, expected a results file of league, sprt, play or tune",
            path.display()
        );
    }
    Ok(())
}

/// A file that is only read, and the folder of its copy, where it had to be copied.
pub struct Reading {
    /// The file.
    pub db: Connection,
    copy: Option<tempfile::TempDir>,
}

impl From<Connection> for Reading {
    fn from(db: Connection) -> Self {
        Self { db, copy: None }
    }
}

/// Opens a file that must be there, for reading; it and its folder need not be writable.
pub fn read(path: &Path) -> Result<Reading> {
    must_exist(path)?;
    let plain = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(|db| {
        db.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))
            .map(|()| db)
    });
    let reading = match plain {
        Ok(db) => Reading { db, copy: None },
        // A log of writes beside a file needs a place to write: somewhere else, then.
        Err(_) => copied(path)?,
    };
    reading.db.busy_handler(Some(wait))?;
    check(&reading.db, path)?;
    Ok(reading)
}

/// The same file in a folder of our own, with what its log holds beside it.
fn copied(path: &Path) -> Result<Reading> {
    let dir = tempfile::tempdir().context("no temporary folder")?;
    let copy = dir.path().join("copy.sqlite");
    let beside = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
    fs::copy(path, &copy).with_context(|| format!("{}: cannot be read", path.display()))?;
    if beside(path).exists() {
        fs::copy(beside(path), beside(&copy))
            .with_context(|| format!("{}: cannot be read", beside(path).display()))?;
    }
    make_writable(&copy)?;
    let db = Connection::open(&copy).with_context(|| format!("{}: cannot be opened", path.display()))?;
    Ok(Reading { db, copy: Some(dir) })
}

/// A copy takes the mode along.
fn make_writable(copy: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(copy, fs::Permissions::from_mode(0o600))?)
}

/// The version of a results file, or of none yet (0).
fn check(db: &Connection, path: &Path) -> Result<i64> {
    let version: i64 = db
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(|error| refused(error, path))?;
    if !(0..=VERSION).contains(&version) {
        bail!(
            "{}: a results file of version {version}; this program reads and writes version {VERSION}",
            path.display()
        );
    }
    let count = |which: &str| -> rusqlite::Result<i64> {
        db.query_row(
            &format!("SELECT count(*) FROM sqlite_master WHERE type='table' AND {which}"),
            [],
            |row| row.get(0),
        )
    };
    let ours = count("(name LIKE 'arena_%' OR name LIKE 'tune_%')")?;
    if ours == 0 && count("true")? > 0 {
        bail!(
            "{}: not a results file, but an SQLite file with other tables",
            path.display()
        );
    }
    Ok(version)
}

/// Why a file's first page cannot be read.
fn refused(error: rusqlite::Error, path: &Path) -> anyhow::Error {
    let held = matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    );
    let why = if held {
        "another program holds the file and does not let go of it"
    } else {
        "not a results file"
    };
    anyhow::Error::from(error).context(format!("{}: {why}", path.display()))
}

/// Fails with a sentence where a file has not the table of what is looked for, `what`.
pub fn must_hold(db: &Connection, path: &Path, table: &str, what: &str) -> Result<()> {
    let find = "SELECT count(*) FROM sqlite_master WHERE type='table' AND name=?1";
    let found: i64 = db
        .query_row(find, [table], |row| row.get(0))
        .map_err(|error| refused(error, path))?;
    if found == 0 {
        bail!(
            "{}: holds no {what}, expected a results file that does",
            path.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, copied, open, read};
    use rusqlite::Connection;

    const TABLE: &str = "PRAGMA journal_mode=WAL; CREATE TABLE IF NOT EXISTS arena_run(id INTEGER)";

    fn rows(db: &Connection) -> i64 {
        db.query_row("SELECT count(*) FROM arena_run", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn another_version_is_named_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        open(&path, TABLE)
            .unwrap()
            .pragma_update(None, "user_version", 7)
            .unwrap();
        let before = std::fs::read(&path).unwrap();
        for error in [open(&path, TABLE).err(), read(&path).err()] {
            let error = error.unwrap().to_string();
            assert!(
                error.contains("r.sqlite") && error.contains("version 7") && error.contains("version 1"),
                "{error}"
            );
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn files_from_before_versions_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let db = open(&path, TABLE).unwrap();
        db.pragma_update(None, "user_version", 0).unwrap();
        db.execute_batch("INSERT INTO arena_run VALUES(3)").unwrap();
        drop(db);
        assert_eq!(rows(&read(&path).unwrap().db), 1);
        assert_eq!(rows(&open(&path, TABLE).unwrap()), 1);
    }

    #[test]
    fn somebody_elses_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        Connection::open(&path)
            .unwrap()
            .execute_batch("CREATE TABLE t(x)")
            .unwrap();
        assert!(
            open(&path, TABLE)
                .unwrap_err()
                .to_string()
                .contains("other tables")
        );
        std::fs::write(&path, "no database at all, but long enough to be looked at").unwrap();
        assert!(
            open(&path, TABLE)
                .unwrap_err()
                .to_string()
                .contains("not a results file")
        );
    }

    #[test]
    fn a_file_that_is_held_is_not_called_another_kind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let holder = Connection::open(&path).unwrap();
        holder
            .execute_batch("CREATE TABLE arena_run(id); PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE")
            .unwrap();
        let db = Connection::open(&path).unwrap();
        db.busy_timeout(std::time::Duration::ZERO).unwrap();
        let error = format!("{:#}", check(&db, &path).unwrap_err());
        assert!(
            error.contains("another program holds") && error.contains("r.sqlite"),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_held_for_a_moment_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let holder = open(&path, TABLE).unwrap();
        holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let release = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            holder.execute_batch("ROLLBACK").unwrap();
        });
        assert_eq!(rows(&open(&path, TABLE).unwrap()), 0);
        release.join().unwrap();
        assert!(super::wait(0) && !super::wait(super::TRIES));
    }

    #[test]
    fn a_file_without_games_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("empty");
        std::fs::write(&path, "").unwrap();
        let error = format!("{:#}", crate::arena::store::Store::read(&path).err().unwrap());
        assert!(error.contains("empty: holds no games"), "{error}");
    }

    /// A run that was killed leaves its last rows in the log beside the file: they are read too.
    #[test]
    fn a_copy_holds_what_the_log_holds() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let db = open(&path, TABLE).unwrap();
        db.execute_batch("INSERT INTO arena_run VALUES(3); INSERT INTO arena_run VALUES(4)")
            .unwrap();
        assert_eq!(rows(&copied(&path).unwrap().db), 2);
        drop(db);
    }

    #[test]
    fn reading_makes_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        assert!(read(&path).err().unwrap().to_string().contains("no such file"));
        assert!(!path.exists());
    }
}
