//! `fifty import FILES… --as GAME`: games played elsewhere, checked by the simulator and stored like our own.

use super::contest;
use crate::arena::store::Store;
use crate::serve::import::{Replayed, read, replay};
use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use rusqlite::{Connection, OptionalExtension};
use serde_json::json;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `import`.
#[derive(ClapArgs)]
pub struct Args {
    /// Files: games downloaded from CodinGame (JSON, wrapped or not, in arrays, one a line, or gzipped), logs of a
    /// CodinGame referee (`-l`), the log of connexion's testing tool, games of slime's controller.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Which game they are.
    #[arg(long = "as", value_name = "GAME")]
    game: String,
    /// Option of the game that the files do not tell, key=value.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Results file.
    #[arg(long, default_value = contest::RESULTS)]
    results: PathBuf,
    /// Print one JSON object as well.
    #[arg(long)]
    json: bool,
}

/// Reads, checks and stores. Exit 0: all agree; 1: some game differs or cannot be read; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = contest::adapter_named(&args.game)?;
    let given = contest::options(&args.options)?;
    let mut agreed: Vec<(String, Replayed)> = Vec::new();
    let mut wrong: Vec<(String, String)> = Vec::new();
    for file in &args.files {
        let text = contents(file)?;
        for (n, record) in read(adapter, &text).into_iter().enumerate() {
            let mut name = format!("{} game {}", file.display(), n + 1);
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    wrong.push((name, error));
                    continue;
                }
            };
            if !record.key.is_empty() {
                name = format!("{name} ({})", record.key);
            }
            match replay(adapter, &record, &given) {
                Ok(replayed) => agreed.push((key(&record.key, &replayed), replayed)),
                Err(error) => wrong.push((name, error)),
            }
        }
    }
    for (name, error) in &wrong {
        println!("differs: {name}: {error}");
    }
    let (stored, known) = store(&args.results, adapter.name(), agreed)?;
    println!(
        "{}: {} games agree with the simulator, {} stored{}; {} differ",
        adapter.name(),
        stored.len() + known,
        stored.len(),
        match (stored.first(), stored.last()) {
            (Some(first), Some(last)) => format!(" as games {first} to {last} of {}", args.results.display()),
            _ => String::new(),
        } + &if known > 0 {
            format!(", {known} were there")
        } else {
            String::new()
        },
        wrong.len()
    );
    if args.json {
        println!(
            "{}",
            json!({"game": adapter.name(), "stored": stored, "known": known, "differ": wrong})
        );
    }
    Ok(if wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The text of a file, unpacked where it is gzipped.
fn contents(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&bytes[..]), &mut text)
        .with_context(|| format!("{}: expected gzip", file.display()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// What tells that a game is there already: its number elsewhere, else everything that was said in it.
fn key(given: &str, replayed: &Replayed) -> String {
    if !given.is_empty() {
        return given.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    replayed.trace.bots.hash(&mut hasher);
    for exchange in replayed.trace.steps.iter().flat_map(|s| &s.exchanges) {
        (&exchange.send, &exchange.output).hash(&mut hasher);
    }
    format!("content {:016x}", hasher.finish())
}

/// Stores what is new, one run for each choice of options and players. Returns the games' numbers, and how many were
/// there.
fn store(path: &Path, game: &str, agreed: Vec<(String, Replayed)>) -> Result<(Vec<i64>, usize)> {
    let store = Store::open(path)?;
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(60))?;
    db.execute_batch(
        "CREATE TABLE IF NOT EXISTS import_game(key TEXT PRIMARY KEY, game INTEGER NOT NULL) WITHOUT ROWID",
    )?;
    let mut groups: BTreeMap<String, Vec<(String, Replayed)>> = BTreeMap::new();
    let mut known = 0;
    for (key, replayed) in agreed {
        let full = format!("{game} {key}");
        let found: Option<i64> = db
            .query_row("SELECT game FROM import_game WHERE key=?1", [&full], |row| {
                row.get(0)
            })
            .optional()?;
        if found.is_some() {
            known += 1;
            continue;
        }
        // Bags are a game's own; everything else of the options tells runs apart.
        let options: BTreeMap<_, _> = replayed
            .trace
            .options
            .iter()
            .filter(|(k, _)| *k != "bags")
            .collect();
        groups
            .entry(serde_json::to_string(&options)?)
            .or_default()
            .push((full, replayed));
    }
    let mut stored = Vec::new();
    for (options, games) in groups {
        let mut bots: Vec<String> = games.iter().flat_map(|(_, r)| r.trace.bots.clone()).collect();
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
            stored.push(id);
        }
    }
    stored.sort_unstable();
    Ok((stored, known))
}
