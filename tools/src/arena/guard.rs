//! Nothing a bot starts may outlive the arena or its game.
//!
//! Direct children get a death signal and a process group of their own (`sys::contain`). For whatever a
//! bot starts beyond that, every bot carries a mark in its environment: at the end of a seat its orphans,
//! which become the arena's children, are found by group and mark and killed; and a watcher process does
//! the same for all marks of this arena once the arena itself is gone, even by kill -9.

use super::sys;
use std::os::fd::OwnedFd;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const ARENA: &str = "FIFTY_ARENA";
const SEAT: &str = "FIFTY_SEAT";

static WATCHER: OnceLock<Option<OwnedFd>> = OnceLock::new();
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
            sys::fork_watcher(sweep_all).ok()
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
                    sys::reap(p.pid, true);
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

/// The watcher's work: kill everything that carries the mark of arena `parent`, until nothing does.
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
