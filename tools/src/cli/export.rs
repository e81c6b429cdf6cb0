//! `fifty export`: stored games as CSV or as JSON lines.

use super::recorder;
use crate::arena::result::GameResult;
use crate::arena::store::Store;
use crate::serve::filter::quoted;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::io::{BufWriter, Write};
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
    #[arg(long, default_value = recorder::RESULTS)]
    results: PathBuf,
}

/// One game as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    game_id: i64,
    run: i64,
    game: &'a str,
    bots: Vec<String>,
    #[serde(flatten)]
    result: &'a GameResult,
}

/// Prints one row a seat (CSV) or one object a game (JSON). Exit 0: printed; 2: there is no such file or run.
pub fn run(args: &Args) -> Result<ExitCode> {
    let store = Store::read(&args.results)?;
    let mut runs = store.runs()?;
    if let Some(id) = args.run {
        let last = runs.last().map_or(0, |run| run.id);
        runs.retain(|run| run.id == id);
        if runs.is_empty() {
            bail!("there is no run {id}; the last one is {last}");
        }
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    if !args.json {
        writeln!(
            out,
            "game_id,run,kind,game,index,seed,seat,bot,score,points,end,fault,slowest_ms"
        )?;
    }
    for run in runs {
        let ids = store.ids(run.id)?;
        let bot = |n: usize| run.spec["bots"][n].as_str().unwrap_or_default().to_owned();
        for (n, result) in store.results(run.id)? {
            let id = ids.get(&n).copied().unwrap_or_default();
            if args.json {
                let line = Line {
                    game_id: id,
                    run: run.id,
                    game: &run.game,
                    bots: result.seating.iter().map(|&b| bot(b)).collect(),
                    result: &result,
                };
                writeln!(out, "{}", serde_json::to_string(&line)?)?;
                continue;
            }
            for (seat, &b) in result.seating.iter().enumerate() {
                let fault = result.faults.iter().find(|f| f.seat == seat);
                writeln!(
                    out,
                    "{id},{},{},{},{n},{},{seat},{},{},{},{},{},{}",
                    run.id,
                    run.kind,
                    run.game,
                    result.seed,
                    quoted(&bot(b)),
                    result.scores[seat],
                    result.points[seat],
                    quoted(&result.end),
                    fault.map_or("", |f| &f.kind),
                    result.slowest(seat),
                )?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
