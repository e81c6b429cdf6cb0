//! `fifty show`: a recorded game as a page or as text, and the check of such pages in a browser.

use crate::games::rooms;
use crate::room::{Player, Room, Setup};
use crate::show::trace::Trace;
use crate::show::{browser, page};
use crate::tune::games::watch;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::ExitCode;

/// Plays one game among builtins and records it.
fn sample(room: &dyn Room, seed: u64) -> Result<Trace> {
    let names: Vec<String> = (0..room.seats())
        .map(|s| {
            if s == 0 {
                "builtin:greedy"
            } else {
                "builtin:random"
            }
            .to_owned()
        })
        .collect();
    let mut players: Vec<Box<dyn Player>> = names
        .iter()
        .zip(1..)
        .map(|(name, n)| {
            let name = name.trim_start_matches("builtin:");
            room.builtin(name, seed + n)
                .with_context(|| format!("{} has no builtin {name}", room.name()))
        })
        .collect::<Result<_>>()?;
    let setup = Setup {
        seed,
        ..Setup::default()
    };
    let mut trace = Trace::new(room, seed, &setup.options, &names);
    let (outcome, referee) = watch(room, &setup, &mut players, &mut |r, asks, replies| {
        trace.push(r.view(), asks, replies, &[]);
    })
    .map_err(anyhow::Error::msg)?;
    trace.close(referee.as_ref(), &outcome);
    Ok(trace)
}

/// Writes a page of a fresh game of each kind into `dir` and has a browser step through it.
pub fn check_pages(dir: &Path) -> Result<ExitCode> {
    let browser = browser::chromium()?;
    std::fs::create_dir_all(dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    for room in rooms() {
        let trace = sample(room, 1)?;
        let path = dir.join(format!("{}.html", room.name()));
        let html = page::html(room, &trace);
        std::fs::write(&path, &html).with_context(|| format!("{}: cannot be written", path.display()))?;
        browser::check(&browser, &path)?;
        println!(
            "{}: {} steps, {} bytes, stepped through in {browser}",
            room.name(),
            trace.steps.len(),
            html.len()
        );
    }
    Ok(ExitCode::SUCCESS)
}
