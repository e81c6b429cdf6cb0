//! The slime bot: read, decide, write. One process a move; the question is the argument.
//!
//! What it learned of the others is kept in a file beside the program, `slime.memory`, if that can be
//! written; nothing is said where it cannot.

use fifty::games::slime::bot::Bot;
use fifty::games::slime::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use std::fs::{read, remove_file, rename, symlink_metadata, Metadata, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of memory after which a new file is begun; the one before is read too.
const FULL: u64 = 64 * 1024;
/// A lock older than this was left by a process that was killed.
const STALE: Duration = Duration::from_secs(10);

/// The memory's file and the one before it; none where something else lies in their place: a link, a folder, a
/// file of another size.
fn places() -> Option<[PathBuf; 2]> {
    let program = std::env::current_exe().ok()?;
    let places = [
        program.with_extension("memory"),
        program.with_extension("memory.old"),
    ];
    let foreign = |file: Metadata| !file.is_file() || file.len() > 4 * FULL;
    let taken = |path: &PathBuf| symlink_metadata(path).is_ok_and(foreign);
    (!places.iter().any(taken)).then_some(places)
}

fn size(path: &Path) -> u64 {
    symlink_metadata(path).map_or(0, |file| file.len())
}

/// Begins a new file where this one is full. Of several games at once one does it, and nobody's line is lost: what
/// is written to the old file meanwhile is read there.
fn turn_over(places: &[PathBuf; 2]) {
    let lock = places[0].with_extension("memory.lock");
    let since = symlink_metadata(&lock).and_then(|file| file.modified());
    if since.is_ok_and(|since| since.elapsed().is_ok_and(|age| age > STALE)) {
        let _ = remove_file(&lock);
    }
    if OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&lock)
        .is_ok()
    {
        if size(&places[0]) > FULL {
            let _ = rename(&places[0], &places[1]);
        }
        let _ = remove_file(&lock);
    }
}

/// Adds a line to the memory in one write, so that games at once do not mix. Whatever fails, the next move goes
/// without, and nothing empty is left behind.
fn remember(places: &[PathBuf; 2], whole: bool, line: &str) {
    if size(&places[0]) > FULL {
        turn_over(places);
    }
    // After a line that was cut off, by a full disk, this one begins on its own.
    let line = format!("{}{line}\n", if whole { "" } else { "\n" });
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(&places[0]) {
        if file.write_all(line.as_bytes()).is_err() && size(&places[0]) == 0 {
            let _ = remove_file(&places[0]);
        }
    }
}

fn main() {
    let weights = Weights::DEFAULT;
    let think = u64::from(weights.think_ms);
    let mut bot = Bot::new(Budget::from_env(think, think), weights, 1);
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let places = places().filter(|_| bot.remembers);
    let mut old = Vec::new();
    for path in places.iter().flatten().rev() {
        old.extend(read(path).unwrap_or_default());
    }
    bot.memory.read(&String::from_utf8_lossy(&old));
    let answer = bot.answer(&arguments.join(" "));
    let _ = std::io::stderr().write_all(&bot.said());
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{answer}").and_then(|()| out.flush()) {
        eprintln!("stdout is closed: {error}");
    }
    if let Some(places) = places.filter(|_| !bot.noted.is_empty()) {
        let whole = old.last().is_none_or(|&byte| byte == b'\n');
        remember(&places, whole, &bot.noted);
    }
}
