//! No bot outlives the arena, even when that is killed.

use fifty_tools::arena::sys;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn marked(mark: &str) -> Vec<u32> {
    sys::processes()
        .iter()
        .map(|p| p.pid)
        .filter(|&pid| sys::has_environment(pid, mark))
        .collect()
}

#[test]
fn a_killed_arena_takes_its_bots_along() {
    let mark = format!("FIFTY_TEST=kill.{}", std::process::id());
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots");
    // One that only sleeps, and one with a child in a session of its own.
    let sleeper = format!("{mark} sh '{}'", bots.join("sleeps.sh").display());
    let orphan = format!("{mark} sh '{}'", bots.join("orphan.sh").display());
    let files = tempfile::tempdir().unwrap();
    let mut arena = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args([
            "play",
            "wondev",
            "--games",
            "1000",
            "--grace",
            "600000",
            "--no-results",
        ])
        .args(["--bot", &sleeper, "--bot", &orphan])
        .env("TMPDIR", files.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while marked(&mark).len() < 3 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(marked(&mark).len() >= 3, "the bots never started");
    arena.kill().unwrap();
    arena.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while !marked(&mark).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(marked(&mark), [0u32; 0]);
    // The watcher removes the bots' folders last.
    let left = || std::fs::read_dir(files.path()).unwrap().count();
    while left() > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(left(), 0, "files are left behind");
}
