//! `fifty export`: stored games as CSV or as JSON lines.

use super::contest;
use crate::arena::store::Store;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `export`.
#[derive(ClapArgs)]
pub struct Args {
    /// Only this run. Default: all.
    #[arg(long)]
    run: Option<i64>,
    /// JSON lines instead of CSV, with all answer times.
    #[arg(long)]
    json: bool,
    /// Results file.
    #[arg(long, default_value = contest::RESULTS)]
    results: PathBuf,
}

/// Prints one row a seat (CSV) or one object a game (JSON).
pub fn run(args: &Args) -> Result<ExitCode> {
    if !args.results.exists() {
        bail!(
            "{}: no such file, expected a results file",
            args.results.display()
        );
    }
    let store = Store::open(&args.results)?;
    if !args.json {
        println!("game_id,run,kind,game,index,seed,seat,bot,score,points,end,fault,slowest_ms");
    }
    for run in store.runs()? {
        if args.run.is_some_and(|id| id != run.id) {
            continue;
        }
        let ids = store.ids(run.id)?;
        let bot = |n: usize| run.spec["bots"][n].as_str().unwrap_or_default().to_owned();
        for (n, result) in store.results(run.id)? {
            let id = ids.get(&n).copied().unwrap_or_default();
            if args.json {
                let mut object = json!(result);
                object["game_id"] = json!(id);
                object["run"] = json!(run.id);
                object["game"] = json!(run.game);
                object["bots"] = result.seating.iter().map(|&b| bot(b)).collect();
                println!("{object}");
                continue;
            }
            for (seat, &b) in result.seating.iter().enumerate() {
                let fault = result.faults.iter().find(|f| f.seat == seat);
                let slowest = result
                    .times
                    .get(seat)
                    .into_iter()
                    .flatten()
                    .fold(0.0f32, |a, &b| a.max(b));
                println!(
                    "{id},{},{},{},{n},{},{seat},{},{},{},{},{},{slowest}",
                    run.id,
                    run.kind,
                    run.game,
                    result.seed,
                    quoted(&bot(b)),
                    result.scores[seat],
                    result.points[seat],
                    quoted(&result.end),
                    fault.map_or("", |f| &f.kind),
                );
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A CSV field (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_with_commas_are_quoted() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
