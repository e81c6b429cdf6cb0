//! `fifty ship [GAME…]`: bundle, prove, print one line a game.

use super::named::adapters_named;
use crate::ship::keep::keep;
use crate::ship::{Clock, ship};
use anyhow::Result;
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use serde_json::json;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `ship`.
#[derive(ClapArgs)]
// Each is a switch of its own on the command line.
#[allow(clippy::struct_excessive_bools)]
pub struct Args {
    /// Games by name. Default: all.
    games: Vec<String>,
    /// Only what does not depend on the machine's clock: size, compiling alone, equal answers at fixed work.
    #[arg(long)]
    proof: bool,
    /// Play a game by the contest's clock and tell how it went, but let it decide nothing; compare no CPU times.
    #[arg(long, conflicts_with = "proof")]
    report_clock: bool,
    /// Keep what was shipped as an opponent, `builtin:NAME` from then on (`builtin:NAME-WORK` at fixed work).
    #[arg(long, value_name = "NAME")]
    keep: Option<String>,
    /// Show anew what was shown before, though nothing has changed since.
    #[arg(long)]
    again: bool,
    /// Print one JSON object as well.
    #[arg(long)]
    json: bool,
}

fn spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

/// Tells what is being done: beside the spinner, or as lines where nobody sees it.
fn told(spinner: &ProgressBar, step: &str) {
    if std::io::stderr().is_terminal() {
        spinner.set_message(step.to_owned());
    } else {
        eprintln!("{step}");
    }
}

/// Ships every game, even after one has failed. Exit 1 if any has.
pub fn run(args: &Args) -> Result<ExitCode> {
    let games = adapters_named(&args.games)?;
    let clock = match (args.proof, args.report_clock) {
        (true, _) => Clock::Ignored,
        (_, true) => Clock::Reported,
        _ => Clock::Used,
    };
    let mut failed = 0;
    let mut objects = Vec::new();
    let spinner = spinner();
    let results = ship(&games, clock, args.again, &|name: &str, step: &str| {
        told(&spinner, &format!("{name}: {step}"));
    });
    spinner.finish_and_clear();
    for (adapter, result) in games.iter().zip(results) {
        let name = adapter.name();
        let result = result.and_then(|report| {
            let kept = args.keep.as_ref().map(|name| keep(*adapter, name)).transpose()?;
            Ok((report, kept))
        });
        match result {
            Ok((report, kept)) => {
                println!("{report}");
                for extra in &report.extras {
                    println!("{:<10} beside it: {extra}", "");
                }
                if let Some(kept) = kept {
                    println!("{:<10} kept: {}", "", kept.display());
                }
                let mut object = json!(report);
                object["ok"] = json!(true);
                objects.push(object);
            }
            Err(error) => {
                failed += 1;
                println!("{name:<10} FAILED: {error:#}");
                objects.push(json!({"game": name, "ok": false, "error": format!("{error:#}")}));
            }
        }
    }
    if args.json {
        println!("{}", json!({"ok": failed == 0, "games": objects}));
    }
    println!(
        "ship: {} of {} games proven, files in dist/",
        games.len() - failed,
        games.len()
    );
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
