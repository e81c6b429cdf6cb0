//! `fifty verify GAME FILE…`: recorded games against our simulator.

use super::named::adapter_named;
use crate::adapter::Adapter;
use crate::recorded::{Checked, Difference};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `verify`.
#[derive(ClapArgs)]
pub struct Args {
    /// Which game the files hold.
    game: String,
    /// `.jsonl` or `.jsonl.gz` files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object as well.
    #[arg(long)]
    json: bool,
}

/// Opens a recording; gzip by extension.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let file = File::open(path).with_context(|| format!("{}: cannot be opened", path.display()))?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        bail!("{}: expected a file, found a folder", path.display());
    }
    Ok(if path.extension().is_some_and(|e| e == "gz") {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    })
}

/// One record; an error where it is so odd that the reader gives up.
fn verify(adapter: &dyn Adapter, stem: &str, record: &Value) -> Result<Result<Checked, Difference>> {
    catch_unwind(AssertUnwindSafe(|| adapter.verify(stem, record))).map_err(|_| {
        anyhow::anyhow!("the reader gave up (its message stands above); expected the recordings' schema")
    })
}

/// Checks every record; prints the first difference of each file and a closing line.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = adapter_named(&args.game)?;
    let (mut games, mut turns, mut differences) = (0u64, 0u64, 0u64);
    let mut first: Option<Value> = None;
    for path in &args.files {
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default().to_owned();
        let mut shown = false;
        let before = games;
        for (n, line) in open(path)?.lines().enumerate() {
            let line = line.with_context(|| {
                format!(
                    "{} line {}: cannot be read, expected UTF-8 text (of an undamaged gzip file)",
                    path.display(),
                    n + 1
                )
            })?;
            if line.trim().is_empty() {
                continue;
            }
            let record: Value = serde_json::from_str(&line)
                .with_context(|| format!("{} line {}: expected one JSON object", path.display(), n + 1))?;
            games += 1;
            if !record.is_object() {
                bail!("{} line {}: expected one JSON object", path.display(), n + 1);
            }
            match verify(adapter, &stem, &record).with_context(|| {
                format!(
                    "{} line {}: not a record of {}",
                    path.display(),
                    n + 1,
                    adapter.name()
                )
            })? {
                Ok(checked) => turns += checked.turns,
                Err(d) => {
                    differences += 1;
                    first.get_or_insert_with(|| {
                        json!({"file": path.display().to_string(), "line": n + 1, "at": d.at,
                               "expected": d.expected, "got": d.got})
                    });
                    if !shown {
                        shown = true;
                        println!("{} line {}, {}:", path.display(), n + 1, d.at);
                        println!("  expected {}\n  got      {}", d.expected, d.got);
                    }
                }
            }
        }
        if games == before {
            bail!(
                "{}: no game in it, expected one JSON object a line",
                path.display()
            );
        }
    }
    if args.json {
        println!(
            "{}",
            json!({"game": adapter.name(), "games": games, "turns": turns, "differences": differences, "first": first})
        );
    }
    println!(
        "{}: {games} games, {turns} turns, {differences} differences",
        adapter.name()
    );
    Ok(if differences == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
