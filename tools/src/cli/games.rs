//! `fifty games --lost --bot X`: which stored games, how everybody does in them, and their numbers turn by turn.

use super::recorder;
use crate::arena::store::Store;
use crate::serve::facts::courses;
use crate::serve::filter::{Filter, FoundGames};
use crate::serve::index::Index;
use crate::serve::leaderboard::Place;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Games whose messages are read for a chart; the newest that fit.
const CHARTED: usize = 500;

/// Arguments of `games`.
#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools)] // flags of a command line
pub struct Args {
    #[command(flatten)]
    filter: Filter,
    /// How every bot does in the games that fit, instead of the games.
    #[arg(long, conflicts_with_all = ["csv", "jsonl", "course"])]
    leaderboard: bool,
    /// Mean, least and most of this number (ms, value, nodes, any that bots tell) by answer and bot.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["csv", "jsonl"])]
    course: Option<String>,
    /// All that fit as CSV.
    #[arg(long)]
    csv: bool,
    /// All that fit as JSON, one line a row.
    #[arg(long, conflicts_with = "csv")]
    jsonl: bool,
    /// Only the numbers of the games, for `show` and `ask`.
    #[arg(long, conflicts_with_all = ["csv", "jsonl", "leaderboard", "course"])]
    ids: bool,
    /// Results file.
    #[arg(long, default_value = recorder::RESULTS)]
    results: PathBuf,
}

/// Looks up and prints. Exit 0: done, whatever was found; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut index = open(&args.results, args.filter.needs_facts())?;
    args.filter.check(&index)?;
    let mut filter = args.filter.clone();
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.leaderboard {
        write_places(&mut out, &filter.leaderboard(&index)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(name) = &args.course {
        return course(&mut out, &mut index, &filter, name);
    }
    if args.csv || args.jsonl {
        filter.limit = 0;
        filter.offset = 0;
    }
    let found = filter.find(&index)?;
    if args.csv {
        write!(out, "{}", found.csv())?;
    } else if args.jsonl {
        for row in &found.rows {
            writeln!(out, "{}", serde_json::to_string(row)?)?;
        }
    } else if args.ids {
        for row in &found.rows {
            writeln!(out, "{}", row.id)?;
        }
    } else {
        write_rows(&mut out, &found, &filter)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The index with everything that came since, and with facts where they are asked for; says so where it takes long.
pub fn open(results: &std::path::Path, facts: bool) -> Result<Index> {
    let mut index = Index::open(results)?;
    let terminal = std::io::stderr().is_terminal();
    index.update(|done, all| {
        if terminal && all > 5000 {
            eprint!("\rindexing games: {done} of {all}");
            if done == all {
                eprintln!();
            }
        }
    })?;
    if facts {
        loop {
            let left = index.read_facts(1000, |_| {})?;
            if left == 0 {
                break;
            }
            if terminal {
                eprint!("\rreading what games say: {left} left   ");
            }
        }
    }
    Ok(index)
}

fn short(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

fn write_rows(out: &mut impl Write, found: &FoundGames, filter: &Filter) -> Result<()> {
    writeln!(
        out,
        "{:>7}  {:<10} {:>6}  {:>4}  {:<28} {:<28} {:<5} {:>8} {:>8} {:>5} {:>8}  end",
        "id", "game", "seed", "seat", "bot", "against", "", "score", "margin", "turns", "slowest"
    )?;
    for r in &found.rows {
        let mut end = r.ended.clone();
        if let Some(fault) = &r.fault {
            end = format!("{fault}: {end}");
        }
        if r.late > 0 {
            end = format!("{end}, {} late", r.late);
        }
        writeln!(
            out,
            "{:>7}  {:<10} {:>6}  {:>4}  {:<28} {:<28} {:<5} {:>8} {:>+8} {:>5} {:>8.1}  {end}",
            r.id,
            r.game,
            r.seed,
            r.seat,
            short(&r.bot, 28),
            short(&r.against, 28),
            r.result,
            r.score,
            r.margin,
            r.turns,
            r.slowest
        )?;
    }
    let shown = found.rows.len();
    writeln!(
        out,
        "{} of {} rows{}",
        shown,
        found.all,
        if filter.offset + shown < found.all {
            format!(
                "; more with --offset {}, all with --limit 0",
                filter.offset + shown
            )
        } else {
            String::new()
        }
    )?;
    Ok(())
}

fn write_places(out: &mut impl Write, places: &[Place]) -> Result<()> {
    writeln!(
        out,
        "{:<40} {:>7} {:>9} {:>15} {:>9} {:>9} {:>7} {:>6} {:>9}",
        "bot", "seats", "points", "95 % interval", "score", "margin", "faults", "late", "slowest"
    )?;
    for p in places {
        writeln!(
            out,
            "{:<40} {:>7} {:>7.1} % {:>15} {:>9.2} {:>+9.2} {:>7} {:>6} {:>9.1}",
            short(&p.bot, 40),
            p.games,
            p.points * 100.0,
            format!("{:.1} to {:.1}", p.low * 100.0, p.high * 100.0),
            p.score,
            p.margin,
            p.faults,
            p.late,
            p.slowest
        )?;
    }
    Ok(())
}

/// Games that fit, newest first, as many as a chart reads.
fn course(out: &mut impl Write, index: &mut Index, filter: &Filter, name: &str) -> Result<ExitCode> {
    let mut filter = filter.clone();
    filter.limit = CHARTED;
    let found = filter.find(index)?;
    let mut ids: Vec<i64> = found.rows.iter().map(|r| r.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let store = Store::read(&index.path)?;
    let traces: Vec<_> = ids.iter().filter_map(|&id| store.trace(id).ok()).collect();
    let courses = courses(name, traces.iter());
    if courses.is_empty() {
        bail!("{name}: no bot told that in the {} games that fit", ids.len());
    }
    writeln!(
        out,
        "{name} by answer: mean (least to most, games), in {} games",
        traces.len()
    )
    .context("stdout")?;
    for (bot, course) in courses {
        writeln!(out, "{bot}")?;
        for (n, (games, mean, least, most)) in course.points.iter().enumerate() {
            if *games > 0 {
                writeln!(out, "  {n:>4}  {mean:>10.3} ({least:.3} to {most:.3}, {games})")?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
