//! A folder for all that bundling writes on the way, gone with the process: at its end, when it fails, when a signal ends it.
//!
//! Only a process that is killed outright leaves its folder behind; the next one that bundles takes it away.

use super::budget;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Begins the folder's name; then comes the number of its process.
const PREFIX: &str = "fifty-bundle-";

/// The folder, as long as it is held.
#[derive(Debug)]
pub struct Room(#[allow(dead_code)] TempDir);

impl Room {
    /// From now on temporary files of this process stand in a folder of its own.
    pub fn new() -> Result<Self> {
        let all = std::env::temp_dir();
        sweep(&all);
        let name = format!("{PREFIX}{}-", std::process::id());
        let dir = tempfile::Builder::new()
            .prefix(&name)
            .tempdir_in(&all)
            .context("no temporary directory")?;
        // Somebody else may have said so before: then that folder is used.
        let _ = tempfile::env::override_temp_dir(dir.path());
        on_signals(dir.path())?;
        Ok(Self(dir))
    }
}

/// Takes away what processes left behind that are no more.
fn sweep(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| {
            let (number, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
            number.parse::<u32>().ok()
        });
        if number.is_some_and(is_gone) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// True if there surely is no process of this number.
fn is_gone(number: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new("/proc").join(number.to_string()).exists()
}

/// Two signals within that are one.
const TWICE: Duration = Duration::from_secs(1);

#[cfg(unix)]
fn on_signals(dir: &Path) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).context("signals cannot be heard")?;
    let dir = dir.to_owned();
    std::thread::spawn(move || {
        let mut hurried: Option<Instant> = None;
        for signal in signals.forever() {
            // Who ends a command may ask it, and then all that it has begun.
            if signal == SIGTERM && hurried.is_some_and(|since| since.elapsed() < TWICE) {
                continue;
            }
            // A bundle is made of what is proven by then; compilers that a terminal interrupts have ended with it.
            if signal == SIGTERM && budget::hurry() {
                eprintln!(
                    "fifty: SIGTERM: the file is made of what is proven so far; another one ends at once"
                );
                hurried = Some(Instant::now());
                continue;
            }
            // Compilers that still write end with this process, or find no folder.
            let _ = fs::remove_dir_all(&dir);
            let _ = fs::remove_dir_all(&dir);
            if signal != SIGINT {
                let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
                eprintln!("fifty: ended by {name}");
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn on_signals(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_dead_left_is_taken_away() {
        let all = tempfile::tempdir().unwrap();
        // Numbers of processes end far below.
        let dead = all.path().join(format!("{PREFIX}4294967295-abc"));
        let own = all.path().join(format!("{PREFIX}{}-abc", std::process::id()));
        let other = all.path().join("others-4294967295-abc");
        for dir in [&dead, &own, &other] {
            fs::create_dir(dir).unwrap();
            fs::write(dir.join("file"), "").unwrap();
        }
        sweep(all.path());
        assert!(own.exists() && other.exists());
        assert_eq!(dead.exists(), !Path::new("/proc/self").exists());
    }
}
