//! Takes files of games in: reads them in whatever form, has the simulator check them, and stores what agrees like our own
//! games.
//!
//! A game is known by its number elsewhere, else by its content, and is stored once however often it comes.

use super::import::{Replayed, read, replay};
use crate::adapter::Adapter;
use crate::arena::store::Store;
use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Games that are kept in memory before they are stored.
const TOGETHER: usize = 500;

/// What became of files.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Taken {
    /// Numbers of the games stored.
    pub stored: Vec<i64>,
    /// Their runs.
    pub runs: Vec<i64>,
    /// Games that were there already.
    pub known: usize,
    /// What the simulator does not agree with or cannot be read: which game, and why.
    pub differ: Vec<(String, String)>,
}

/// Files named, and those in folders named, in order; hidden ones are left out.
pub fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in named {
        if !path.is_dir() {
            std::fs::metadata(path).with_context(|| format!("{}: cannot be read", path.display()))?;
            all.push(path.clone());
            continue;
        }
        let entries =
            std::fs::read_dir(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let mut inside: Vec<PathBuf> = entries
            .map(|entry| entry.map(|e| e.path()))
            .collect::<Result<_, _>>()?;
        inside.retain(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            // A link may lead back to where we are.
            !(name.starts_with('.') || p.is_symlink() && p.is_dir())
        });
        if inside.is_empty() {
            bail!("{}: an empty folder, expected files of games", path.display());
        }
        inside.sort();
        all.extend(files(&inside)?);
    }
    Ok(all)
}

/// The text of a file, unpacked where it is gzipped.
pub fn text(bytes: &[u8]) -> Result<String> {
    let refused = [
        (&b"PK\x03\x04"[..], "a .zip archive"),
        (b"7z\xbc\xaf\x27\x1c", "a .7z archive"),
        (b"(\xb5/\xfd", "a zstd archive"),
        (b"\xfd7zXZ", "an .xz archive"),
        (b"BZh", "a .bz2 archive"),
        (b"SQLite format 3\0", "an SQLite file, as results files are"),
    ];
    if let Some((_, what)) = refused.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        bail!("this is {what}; expected games as text or gzip: unpack it first");
    }
    let mut plain = Vec::new();
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(bytes), &mut plain)
            .context("damaged gzip")?;
        &plain[..]
    } else {
        bytes
    };
    // What Windows' tools save as "Unicode".
    let wide = |order: fn([u8; 2]) -> u16| -> String {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|c| order([c[0], c[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    Ok(match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    })
}

/// True for lines of `export --json`.
fn is_export(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let first: Option<Value> = first.and_then(|line| serde_json::from_str(line).ok());
    first.is_some_and(|first| {
        ["game_id", "seating", "points"]
            .iter()
            .all(|key| first.get(key).is_some())
    })
}

/// Reads, checks and stores. `files`: what each is called and how it is read.
pub fn take<'a>(
    adapter: &'static dyn Adapter,
    given: &BTreeMap<String, String>,
    files: impl Iterator<Item = (String, Box<dyn FnOnce() -> Result<Vec<u8>> + 'a>)>,
    results: &Path,
) -> Result<Taken> {
    let mut taken = Taken::default();
    let mut agreed: Vec<(String, Replayed)> = Vec::new();
    for (file, bytes) in files {
        let text = match text(&bytes()?) {
            Ok(text) => text,
            Err(why) => {
                taken.differ.push((file, format!("{why:#}")));
                continue;
            }
        };
        if is_export(&text) {
            let why =
                "results as export prints them, without what was said; expected games with their answers";
            taken.differ.push((file, why.to_owned()));
            continue;
        }
        for (n, record) in read(adapter, &text).into_iter().enumerate() {
            let mut name = format!("{file} game {}", n + 1);
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    taken.differ.push((name, format!("{error:#}")));
                    continue;
                }
            };
            if !record.key.is_empty() {
                name = format!("{name} ({})", record.key);
            }
            match replay(adapter, &record, given) {
                Ok(replayed) => agreed.push((key(&record.key, &replayed), replayed)),
                Err(error) => taken.differ.push((name, format!("{error:#}"))),
            }
            if agreed.len() >= TOGETHER {
                store(results, adapter.name(), std::mem::take(&mut agreed), &mut taken)?;
            }
        }
    }
    store(results, adapter.name(), agreed, &mut taken)?;
    taken.stored.sort_unstable();
    Ok(taken)
}

/// What tells that a game is there already: its number elsewhere, else everything that was said in it.
fn key(given: &str, replayed: &Replayed) -> String {
    if !given.is_empty() {
        return given.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    replayed.trace.bots.hash(&mut hasher);
    for exchange in replayed.trace.exchanges() {
        (&exchange.send, &exchange.output).hash(&mut hasher);
    }
    format!("content {:016x}", hasher.finish())
}

/// Stores what is new, one run for each choice of options.
fn store(path: &Path, game: &str, agreed: Vec<(String, Replayed)>, taken: &mut Taken) -> Result<()> {
    if agreed.is_empty() {
        return Ok(());
    }
    let store = Store::open(path)?;
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(60))?;
    db.execute_batch(
        "CREATE TABLE IF NOT EXISTS import_game(key TEXT PRIMARY KEY, game INTEGER NOT NULL) WITHOUT ROWID",
    )?;
    let mut groups: BTreeMap<String, BTreeMap<String, Replayed>> = BTreeMap::new();
    for (key, replayed) in agreed {
        let full = format!("{game} {key}");
        let found: Option<i64> = db
            .query_row("SELECT game FROM import_game WHERE key=?1", [&full], |row| {
                row.get(0)
            })
            .optional()?;
        // Bags are a game's own; everything else of the options tells runs apart.
        let options = replayed.trace.options.iter().filter(|(k, _)| *k != "bags");
        let options = serde_json::to_string(&options.collect::<BTreeMap<_, _>>())?;
        let group = groups.entry(options).or_default();
        if found.is_some() || group.contains_key(&full) {
            taken.known += 1;
        } else {
            group.insert(full, replayed);
        }
    }
    for (options, games) in groups.into_iter().filter(|(_, games)| !games.is_empty()) {
        let mut bots: Vec<String> = games.values().flat_map(|r| r.trace.bots.clone()).collect();
        bots.sort();
        bots.dedup();
        let options: serde_json::Value = serde_json::from_str(&options)?;
        let spec = json!({"bots": bots, "options": options, "games": games.len(), "imported": true});
        let run = store.begin("import", game, &spec, false)?;
        let mut keys: BTreeMap<usize, String> = BTreeMap::new();
        for (n, (key, mut replayed)) in games.into_iter().enumerate() {
            replayed.result.index = n;
            replayed.result.group = n;
            let names = &replayed.trace.bots;
            replayed.result.seating = names
                .iter()
                .map(|name| bots.binary_search(name).unwrap_or_default())
                .collect();
            store.save(run, &replayed.result, Some(&replayed.trace))?;
            keys.insert(n, key);
        }
        for (n, id) in store.ids(run)? {
            if let Some(key) = keys.get(&n) {
                db.execute(
                    "INSERT OR IGNORE INTO import_game VALUES(?1, ?2)",
                    rusqlite::params![key, id],
                )?;
            }
            taken.stored.push(id);
        }
        taken.runs.push(run);
    }
    Ok(())
}

#[cfg(test)]
#[path = "take_tests.rs"]
mod tests;
