//! A running match in its results file: how far it is, and what whoever watches wishes of it.
//!
//! The run writes one row every second and reads the wish in it; the reader needs nothing but the file, so a run started
//! in a terminal is watched and paused like any other. A paused run finishes the games it is in. The row of a run that
//! was killed stays, with a beat that grows old and a process that is gone.

use super::interrupt;
use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between two rows.
const BEAT: Duration = Duration::from_secs(1);
/// How soon a wish is seen.
const LOOK: Duration = Duration::from_millis(250);

const TABLE: &str = "
CREATE TABLE IF NOT EXISTS arena_live(
    run INTEGER PRIMARY KEY, pid INTEGER NOT NULL, started REAL NOT NULL, beat REAL NOT NULL, total INTEGER NOT NULL,
    before INTEGER NOT NULL, done INTEGER NOT NULL, jobs INTEGER NOT NULL, state TEXT NOT NULL, wish TEXT NOT NULL);";

/// What a run shall do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Play.
    Go,
    /// Begin no game.
    Pause,
    /// Begin no more games and end.
    Stop,
}

impl Wish {
    fn word(self) -> &'static str {
        ["go", "pause", "stop"][self as usize]
    }

    /// From its word.
    pub fn read(word: &str) -> Option<Self> {
        [Self::Go, Self::Pause, Self::Stop]
            .into_iter()
            .find(|wish| wish.word() == word)
    }
}

/// What those who play ask before each game.
#[derive(Debug, Default)]
pub struct Gate(AtomicU8);

impl Gate {
    fn set(&self, wish: Wish) {
        self.0.store(wish as u8, Ordering::Relaxed);
    }

    /// Waits while the run is paused; false where it shall end.
    pub fn pass(&self, stopped: &AtomicBool) -> bool {
        let over = || stopped.load(Ordering::Relaxed) || interrupt::requested();
        while self.0.load(Ordering::Relaxed) == Wish::Pause as u8 && !over() {
            std::thread::sleep(LOOK);
        }
        self.0.load(Ordering::Relaxed) != Wish::Stop as u8
    }

    fn paused(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Wish::Pause as u8
    }
}

/// Keeps the row of one run; ends it when dropped.
pub struct Live {
    /// Asked before each game.
    pub gate: Arc<Gate>,
    done: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// A run of `total` games, `before` of which were played earlier.
    pub fn start(path: &Path, run: i64, total: usize, before: usize, jobs: usize) -> Result<Self> {
        let db = open(path)?;
        db.execute(
            "INSERT OR REPLACE INTO arena_live
             VALUES(?1, ?2, unixepoch('subsec'), unixepoch('subsec'), ?3, ?4, ?4, ?5, 'running', 'go')",
            params![run, std::process::id(), total as i64, before as i64, jobs as i64],
        )?;
        let gate = Arc::new(Gate::default());
        let done = Arc::new(AtomicUsize::new(before));
        let over = Arc::new(AtomicBool::new(false));
        let thread = {
            let (gate, done, over) = (gate.clone(), done.clone(), over.clone());
            std::thread::spawn(move || beat(&db, run, &gate, &done, &over))
        };
        Ok(Self {
            gate,
            done,
            over,
            thread: Some(thread),
        })
    }

    /// One more game is stored.
    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits while the run is paused; false where it shall end.
    pub fn goes_on(&self) -> bool {
        self.gate.pass(&self.over)
    }

    /// So many games are stored by now.
    pub fn at(&self, done: usize) {
        self.done.store(done, Ordering::Relaxed);
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn open(path: &Path) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(60))?;
    db.execute_batch(TABLE)?;
    Ok(db)
}

/// The thread's work. A row that cannot be written now is written the next time: nobody's games wait for it.
fn beat(db: &Connection, run: i64, gate: &Gate, done: &AtomicUsize, over: &AtomicBool) {
    let mut since = BEAT;
    loop {
        let ended = over.load(Ordering::Relaxed);
        let wish: Option<String> = db
            .query_row("SELECT wish FROM arena_live WHERE run=?1", [run], |row| {
                row.get(0)
            })
            .optional()
            .unwrap_or_default();
        if let Some(wish) = wish.as_deref().and_then(Wish::read) {
            gate.set(wish);
        }
        if since >= BEAT || ended {
            since = Duration::ZERO;
            let state = match (ended, gate.paused()) {
                (true, _) => "ended",
                (false, true) => "paused",
                (false, false) => "running",
            };
            let _ = db.execute(
                "UPDATE arena_live SET beat=unixepoch('subsec'), done=?2, state=?3 WHERE run=?1",
                params![run, done.load(Ordering::Relaxed) as i64, state],
            );
        }
        if ended {
            return;
        }
        std::thread::park_timeout(LOOK);
        since += LOOK;
    }
}

/// A row as a watcher reads it.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Seen {
    /// Which run.
    pub run: i64,
    /// Its process.
    pub pid: u32,
    /// Games of the run.
    pub total: usize,
    /// Games stored so far.
    pub done: usize,
    /// Games at once.
    pub jobs: usize,
    /// `running`, `paused`, `ended`; `killed` where its process is gone.
    pub state: String,
    /// What was last wished.
    pub wish: String,
    /// Games a second since it was started.
    pub rate: f64,
    /// Seconds since it was started, to its last sign of life.
    pub seconds: f64,
}

impl Seen {
    /// Seconds until all games are played, at this rate.
    pub fn eta(&self) -> Option<f64> {
        (self.rate > 0.0 && self.running()).then(|| self.total.saturating_sub(self.done) as f64 / self.rate)
    }

    /// True while its process plays or waits.
    pub fn running(&self) -> bool {
        matches!(self.state.as_str(), "running" | "paused")
    }
}

/// All rows, newest run first.
pub fn all(db: &Connection) -> Result<Vec<Seen>> {
    db.execute_batch(TABLE)?;
    let mut query = db.prepare_cached(
        "SELECT run, pid, total, before, done, jobs, state, wish, beat - started FROM arena_live ORDER BY run DESC",
    )?;
    let rows = query.query_map([], |row| {
        let number = |n: usize| row.get::<_, i64>(n).map(|v| v.max(0) as usize);
        let (before, done, seconds): (usize, usize, f64) = (number(3)?, number(4)?, row.get(8)?);
        Ok(Seen {
            run: row.get(0)?,
            pid: row.get(1)?,
            total: number(2)?,
            done,
            jobs: number(5)?,
            state: row.get(6)?,
            wish: row.get(7)?,
            rate: (done - before.min(done)) as f64 / seconds.max(1e-3),
            seconds,
        })
    })?;
    let mut seen: Vec<Seen> = rows.collect::<Result<_, _>>()?;
    for live in &mut seen {
        if live.running() && !PathBuf::from(format!("/proc/{}", live.pid)).exists() {
            "killed".clone_into(&mut live.state);
        }
    }
    Ok(seen)
}

/// True while a run of this file plays; false where that cannot be seen.
pub fn plays(path: &Path) -> bool {
    let running =
        |db: Connection| -> Result<bool> { Ok(all(&db)?.iter().any(|live| live.state == "running")) };
    open(path).and_then(running).unwrap_or_default()
}

/// Wishes something of a run. False where there is no such run.
pub fn wish(db: &Connection, run: i64, wish: Wish) -> Result<bool> {
    db.execute_batch(TABLE)?;
    let rows = db.execute(
        "UPDATE arena_live SET wish=?2 WHERE run=?1",
        params![run, wish.word()],
    )?;
    Ok(rows > 0)
}

#[cfg(test)]
mod tests {
    use super::{Live, Wish, all, open, plays, wish};
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    fn until(what: impl Fn() -> bool) {
        let end = Instant::now() + Duration::from_secs(30);
        while !what() {
            assert!(Instant::now() < end);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_run_is_seen_paused_and_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let db = open(&path).unwrap();
        let live = Live::start(&path, 7, 100, 10, 2).unwrap();
        live.count();
        assert!(plays(&path));
        let stopped = AtomicBool::new(false);
        assert!(live.gate.pass(&stopped));
        assert!(wish(&db, 7, Wish::Pause).unwrap() && !wish(&db, 8, Wish::Pause).unwrap());
        until(|| all(&db).unwrap()[0].state == "paused");
        assert!(!plays(&path));
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| live.gate.pass(&stopped));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waits.is_finished());
            wish(&db, 7, Wish::Stop).unwrap();
            assert!(!waits.join().unwrap());
        });
        drop(live);
        let seen = &all(&db).unwrap()[0];
        assert_eq!(
            (seen.state.as_str(), seen.done, seen.total, seen.jobs),
            ("ended", 11, 100, 2)
        );
        assert!(seen.rate > 0.0 && seen.eta().is_none());
        db.execute("UPDATE arena_live SET state='running', pid=4194305", [])
            .unwrap();
        assert_eq!(all(&db).unwrap()[0].state, "killed");
    }
}
