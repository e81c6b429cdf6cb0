//! The slime bot: read, decide, write. One process a move; the question is the argument.
//!
//! What it learned of the others is kept in a file beside the program, `slime.memory`, if that can be
//! written; nothing is said where it cannot.

use fifty::games::slime::bot::Bot;
use fifty::games::slime::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use std::fs::{metadata, read, rename, write, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes of memory after which only its end is kept.
const FULL: usize = 64 * 1024;
/// Bytes of that end.
const KEPT: usize = 16 * 1024;

/// The memory's file; none where something of another size lies in its place.
fn place() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_extension("memory");
    let foreign = metadata(&path).is_ok_and(|file| !file.is_file() || file.len() > 4 * FULL as u64);
    (!foreign).then_some(path)
}

/// Adds a line to the memory in one write, so that games at once do not mix; a full file is first replaced
/// by its end. Whatever fails, the next move goes without.
fn remember(path: &Path, old: &[u8], line: &str) {
    if old.len() > FULL {
        let part = path.with_extension(std::process::id().to_string());
        if write(&part, &old[old.len() - KEPT..]).is_ok() {
            let _ = rename(&part, path);
        }
    }
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
        let _ = file.write_all(line.as_bytes());
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
    let path = place().filter(|_| bot.remembers);
    let old = path.as_ref().and_then(|path| read(path).ok()).unwrap_or_default();
    bot.memory.read(&String::from_utf8_lossy(&old));
    let answer = bot.answer(&arguments.join(" "));
    let _ = std::io::stderr().write_all(&bot.said());
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{answer}").and_then(|()| out.flush()) {
        eprintln!("stdout is closed: {error}");
    }
    if let Some(path) = path.filter(|_| !bot.noted.is_empty()) {
        remember(&path, &old, &format!("{}\n", bot.noted));
    }
}
