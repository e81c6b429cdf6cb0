//! `fifty show`: a recorded game as a page or as text, and the check of such pages in a browser.

use super::recorder;
use crate::arena::bots::Bot;
use crate::arena::matches::recorded;
use crate::arena::store::Store;
use crate::games::adapters;
use crate::outside::{self, cglog};
use crate::serve::line;
use crate::show::trace::Trace;
use crate::show::{browser, page, text};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `show`.
#[derive(ClapArgs)]
pub struct Args {
    /// Number of the game in the results file, or a JSON file: of `referee -l`, or any log of a CodinGame referee.
    game: String,
    /// Write one self-contained page.
    #[arg(long)]
    html: Option<PathBuf>,
    /// Print in the terminal (the default without --html).
    #[arg(long)]
    text: bool,
    /// Results file.
    #[arg(long, default_value = recorder::RESULTS)]
    results: PathBuf,
}

/// Shows one game. Exit 0: shown; 2: it is not there.
pub fn run(args: &Args) -> Result<ExitCode> {
    let trace = trace(&args.game, &args.results)?;
    let adapter = outside::adapter::shown(&trace.game);
    if let Some(path) = &args.html {
        let html = page::html(adapter, &trace, &|turn, e| {
            line::recorded(adapter, &trace, turn, e)
        });
        std::fs::write(path, html).with_context(|| format!("{}: cannot be written", path.display()))?;
        println!(
            "{}: game {}, {} steps",
            path.display(),
            args.game,
            trace.steps.len()
        );
    }
    if args.text || args.html.is_none() {
        std::io::stdout().write_all(text::text(adapter, &trace).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A game by its number in the results file, or from a file of its own.
pub fn trace(game: &str, results: &Path) -> Result<Trace> {
    match game.parse() {
        Ok(id) => {
            let store = Store::read(results)?;
            let trace = store.trace(id)?;
            let row = store.result(id)?;
            if row.scores != trace.scores || row.points != trace.points {
                bail!(
                    "{}: game {id}: its row has the scores {:?} and points {:?}, its messages came to {:?} and {:?}: one \
                     of them is damaged",
                    results.display(),
                    row.scores,
                    row.points,
                    trace.scores,
                    trace.points
                );
            }
            Ok(trace)
        }
        Err(_) => read(Path::new(game)),
    }
}

/// A game from a file of its own: as `referee -l` writes it, or any log of a CodinGame referee.
fn read(path: &Path) -> Result<Trace> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let log: Value = serde_json::from_str(&text)
        .with_context(|| format!("{}: expected a game as JSON", path.display()))?;
    cglog::whole(&log)
        .or_else(|| cglog::frames(&log))
        .with_context(|| {
            format!(
                "{}: expected a game as referee -l writes it, or a CodinGame referee's log with outputs by seat",
                path.display()
            )
        })
}

/// Writes a page of a fresh game of each kind into `dir` and has a browser step through it.
pub fn check_pages(dir: &Path) -> Result<ExitCode> {
    let browser = browser::chromium()?;
    std::fs::create_dir_all(dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    for &adapter in adapters() {
        let bots = [
            Bot::parse("engine:50", adapter)?,
            Bot::parse("builtin:greedy", adapter)?,
        ];
        let trace = recorded(adapter, &bots, 1, 0)?;
        let path = dir.join(format!("{}.html", adapter.name()));
        let html = page::html(adapter, &trace, &|turn, e| {
            line::recorded(adapter, &trace, turn, e)
        });
        std::fs::write(&path, &html).with_context(|| format!("{}: cannot be written", path.display()))?;
        browser::check(&browser, &path)?;
        println!(
            "{}: {} steps, {} bytes, stepped through in {browser}",
            adapter.name(),
            trace.steps.len(),
            html.len()
        );
    }
    Ok(ExitCode::SUCCESS)
}
