//! `fifty bundle-corpus`: the bundler on every program of a project, a row each.
//!
//! With `--results FILE` the rows are kept as a Markdown table, one written as soon as it is known: a run that was
//! interrupted goes on with what has no row yet, and a program named on the command line gets a new one.

use crate::bundle::budget::{SECONDS, budget_of};
use crate::bundle::corpus::{Corpus, Verdict};
use crate::bundle::target::Target;
use crate::bundle::write;
use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `bundle-corpus`.
#[derive(ClapArgs)]
pub struct Args {
    /// Programs by name. Default: all, or all without a row in the results.
    names: Vec<String>,
    /// Folder of the project: programs in src/bin, their input in input/NAME.txt.
    #[arg(long, default_value = "tests/corpus")]
    project: PathBuf,
    /// Judge, as `bundle` takes it.
    #[arg(long, default_value = "plain")]
    target: String,
    /// Seconds of processor time a program for finding what may be left out, as `bundle` takes it.
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS)]
    budget: u64,
    /// Keep the rows in this file, and go on from those it has.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write bundles into this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

const HEAD: &str = "| program | answer | characters | budget, s | compiler, s |";
const RULE: &str = "|---|---|---|---|---|";
const SAME: &str = "same";
const WRONG: &str = "WRONG";

/// Rows by program, each without its name.
type Rows = BTreeMap<String, Vec<String>>;

/// Bundles, compares, prints; fails if an answer is wrong.
pub fn run(args: &Args) -> Result<ExitCode> {
    let corpus = Corpus {
        folder: args.project.clone(),
        target_dir: args.project.join("target"),
        budget: budget_of(args.budget),
        keep: args.keep.clone(),
    };
    let target = Target::find(&args.target)?;
    let all = corpus.names()?;
    for name in &args.names {
        ensure!(
            all.contains(name),
            "{name}: no program of {}",
            args.project.display()
        );
    }
    let mut rows = match &args.results {
        Some(file) if file.exists() => read(file)?,
        _ => Rows::new(),
    };
    rows.retain(|name, _| all.contains(name));
    let is_due = |name: &&String| {
        if args.names.is_empty() {
            !rows.contains_key(*name)
        } else {
            args.names.contains(name)
        }
    };
    let due: Vec<&String> = all.iter().filter(is_due).collect();
    println!("{HEAD}\n{RULE}");
    for name in due {
        let verdict = corpus.check(name, &target)?;
        let row = row(&verdict, args.budget);
        println!("{}", line(name, &row));
        rows.insert(name.clone(), row);
        if let Some(file) = &args.results {
            write(&table(&rows, all.len(), args), file)?;
        }
    }
    println!("\n{}", sum(&rows, all.len()));
    let is_wrong = rows.values().any(|row| row[0] == WRONG);
    Ok(if is_wrong {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn row(verdict: &Verdict, budget: u64) -> Vec<String> {
    let (answer, characters, seconds) = match verdict {
        Verdict::Same(size, took) => (
            SAME.to_owned(),
            size.to_string(),
            format!("{:.0}", took.as_secs_f64()),
        ),
        Verdict::Refused(why) => {
            let why = why.lines().take(3).map(str::trim).collect::<Vec<_>>().join(" ");
            let why = format!("refused: {}", why.replace('|', "\\|"));
            (why, String::new(), String::new())
        }
        Verdict::Wrong => (WRONG.to_owned(), String::new(), String::new()),
    };
    vec![answer, characters, budget.to_string(), seconds]
}

fn line(name: &str, row: &[String]) -> String {
    format!("| {name} | {} |", row.join(" | "))
}

fn sum(rows: &Rows, all: usize) -> String {
    let of = |answer: &str| rows.values().filter(|row| row[0] == answer).count();
    let (same, wrong) = (of(SAME), of(WRONG));
    let refused = rows.len() - same - wrong;
    format!("{same} of {all} the same, {wrong} wrong, {refused} refused")
}

/// The file of results.
fn table(rows: &Rows, all: usize, args: &Args) -> String {
    let mut text = format!(
        "# What the bundler makes of these programs\n\nWritten by `cargo fifty bundle-corpus --results FILE \
         --budget SECONDS` for the judge `{}`: answers compared with those\nof cargo's release build, characters of \
         the bundle, and the processor time that the compiler was asked for (0 where the\nresult was kept from \
         before).\n\n{}\n\n{HEAD}\n{RULE}\n",
        args.target,
        sum(rows, all)
    );
    for (name, row) in rows {
        let _ = writeln!(text, "{}", line(name, row));
    }
    text
}

/// Rows of such a file.
fn read(file: &Path) -> Result<Rows> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let mut rows = Rows::new();
    for (n, line) in text.lines().enumerate() {
        if !line.starts_with("| ") || line == HEAD {
            continue;
        }
        let mut cells = line
            .trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().to_owned());
        let name = cells.next().unwrap_or_default();
        let cells: Vec<String> = cells.collect();
        ensure!(
            cells.len() == 4,
            "{}:{}: expected a row like {HEAD}",
            file.display(),
            n + 1
        );
        rows.insert(name, cells);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let args = Args {
            names: Vec::new(),
            project: PathBuf::new(),
            target: "plain".to_owned(),
            budget: 60,
            results: None,
            keep: None,
        };
        let verdicts = [
            Verdict::Same(4321, Duration::from_millis(2600)),
            Verdict::Refused("x 0.1 cannot be bundled: a | b\nc".to_owned()),
            Verdict::Wrong,
        ];
        let names = ["a", "b", "c"].map(str::to_owned);
        let rows: Rows = names
            .into_iter()
            .zip(verdicts.iter().map(|v| row(v, 60)))
            .collect();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("results.md");
        let text = table(&rows, 4, &args);
        assert!(text.contains("1 of 4 the same, 1 wrong, 1 refused"), "{text}");
        assert!(text.contains("| a | same | 4321 | 60 | 3 |"), "{text}");
        std::fs::write(&file, &text).unwrap();
        assert_eq!(read(&file).unwrap(), rows);
        std::fs::write(&file, text + "| d | same |\n").unwrap();
        let error = read(&file).unwrap_err().to_string();
        assert!(error.contains("results.md:14: expected a row"), "{error}");
    }
}
