//! Reads the recorded games under `tests/data`; a missing or broken file fails the test by name.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Every record of `tests/data/<path>` (`.jsonl` or `.jsonl.gz`), in file order.
pub fn records(path: &str) -> Vec<Value> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(path);
    let file = std::fs::File::open(&full).unwrap_or_else(|e| panic!("{}: {e}", full.display()));
    let reader: Box<dyn BufRead> = if full.extension().is_some_and(|e| e == "gz") {
        Box::new(BufReader::new(GzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    };
    reader
        .lines()
        .enumerate()
        .map(|(n, line)| {
            let line = line.unwrap_or_else(|e| panic!("{} line {}: {e}", full.display(), n + 1));
            serde_json::from_str(&line).unwrap_or_else(|e| panic!("{} line {}: {e}", full.display(), n + 1))
        })
        .collect()
}

#[test]
fn records_are_readable() {
    assert_eq!(records("wondev/games.jsonl.gz").len(), 103);
}
