//! Nothing a bot starts may outlive the arena or its game.
//!
//! Direct children get a death signal and a process group of their own (`launch`). For whatever a
//! bot starts beyond that, every bot carries a mark in its environment: at the end of a seat its orphans,
//! which become the arena's children, are found by group and mark and killed; and a watcher process does
//! the same for all marks of this arena once the arena itself is gone, even by kill -9.

use super::{freeze, launch, sandbox, sys};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

const ARENA: &str = "FIFTY_ARENA";
const SEAT: &str = "FIFTY_SEAT";

/// The watcher; its input closes when we end, however we end.
static WATCHER: OnceLock<Option<Child>> = OnceLock::new();
/// Dead children whose exit status could not be taken yet.
static LEFT: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What tells one seat's processes from all others.
#[derive(Clone, Debug)]
pub struct Mark {
    seat: String,
}

impl Mark {
    /// A new mark; starts the watcher on first use.
    pub fn new() -> Self {
        WATCHER.get_or_init(|| {
            sys::adopt_orphans();
            launch::watcher(std::process::id())?
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .ok()
        });
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        Self {
            seat: format!("{}.{n}", std::process::id()),
        }
    }

    /// Puts the mark on a process about to start.
    pub fn put(&self, command: &mut Command) {
        command
            .env(ARENA, std::process::id().to_string())
            .env(SEAT, &self.seat);
    }

    /// Ends what the processes of `groups` (already killed and waited for) have left behind.
    pub fn sweep(&self, groups: &[u32]) {
        LEFT.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|&pid| !sys::reap(pid));
        let me = std::process::id();
        let entry = format!("{SEAT}={}", self.seat);
        // An orphan's children become ours only when it is dead: look again until nothing is found.
        for _ in 0..50 {
            let mut found = false;
            for p in sys::processes().into_iter().filter(|p| p.parent == me) {
                let of_group = groups.contains(&p.group) && !groups.contains(&p.pid);
                let marked = sys::environment_has(p.pid, &entry);
                if of_group || marked == Some(true) {
                    found = true;
                    sys::kill(p.pid);
                    if !sys::reap(p.pid) {
                        std::thread::sleep(Duration::from_micros(100));
                    }
                } else if marked.is_none() && !sys::has_ended(p.pid) {
                    // Whose it is shows when it has started.
                    found = true;
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            if !found {
                return;
            }
        }
    }
}

impl Default for Mark {
    fn default() -> Self {
        Self::new()
    }
}

/// Leaves a dead child to be waited for later.
pub fn leave(pid: u32) {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner).push(pid);
}

/// True where `pid` is the watcher.
pub fn is_watcher(pid: u32) -> bool {
    let watcher = WATCHER.get().and_then(Option::as_ref);
    watcher.is_some_and(|child| child.id() == pid)
}

/// The watcher's work: once its input is closed, end what arena `parent` left.
pub fn watch(parent: u32) {
    let mut input = std::io::stdin().lock();
    let mut byte = [0];
    while input.read(&mut byte).is_ok_and(|n| n > 0) {}
    freeze::sweep(parent);
    sweep_all(parent);
    sandbox::sweep(parent);
}

/// Kills everything that carries the mark of arena `parent`, until nothing does.
fn sweep_all(parent: u32) {
    let entry = format!("{ARENA}={parent}");
    for _ in 0..50 {
        let mut found = false;
        for p in sys::processes() {
            if sys::has_environment(p.pid, &entry) {
                found = true;
                sys::kill(p.pid);
            }
        }
        if !found {
            return;
        }
    }
}
