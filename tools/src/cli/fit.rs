//! `fifty fit GAME`: fits a linear evaluation to positions of self-play.

use crate::games::room;
use crate::tune::fit::{Sample, Settings, fit};
use crate::tune::games::Games;
use crate::tune::run::compare;
use crate::tune::store::Store;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `fit`.
#[derive(ClapArgs)]
pub struct Args {
    /// Game by name.
    game: String,
    /// Positions to read: one JSON object a line with `view`, `label` (seat 0's result, 0 to 1) and `game`.
    #[arg(long, conflicts_with = "generate")]
    positions: Option<PathBuf>,
    /// Games of self-play to make positions from.
    #[arg(long, default_value_t = 1_000)]
    generate: u64,
    /// Keep the positions made, in the form `--positions` reads.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Iterations per answer in self-play and in the closing match.
    #[arg(long, default_value_t = 1_000)]
    work: u64,
    /// Option of the game as `key=value`. May be repeated.
    #[arg(short, long)]
    option: Vec<String>,
    /// Passes over the positions.
    #[arg(long, default_value_t = 60)]
    epochs: usize,
    /// Decides games, split and order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs of the closing match, fitted against present weights.
    #[arg(long, default_value_t = 200)]
    check: u64,
    /// Name under which `apply` finds the weights. Default: `<game>-fit`.
    #[arg(long)]
    run: Option<String>,
    /// Results file.
    #[arg(long, default_value = super::contest::RESULTS)]
    db: PathBuf,
}

struct Position {
    view: Value,
    label: f32,
    game: u32,
}

fn bar(total: u64, what: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len}, {eta} left").expect("a template");
    ProgressBar::new(total)
        .with_style(style)
        .with_prefix(what.to_owned())
}

/// Plays the bot against itself and labels every position with how its game ended.
fn self_play(games: &Games, count: u64, seed: u64) -> Result<Vec<Position>> {
    let played: Vec<Vec<Position>> = (0..count)
        .into_par_iter()
        .progress_with(bar(count, "self-play"))
        .map(|n| {
            let trace = games.record(Rng::new(seed ^ (n << 24)).next_u64() >> 1)?;
            let label = trace.points[0] as f32;
            let views = trace.steps.into_iter().map(|step| step.view);
            Ok(views
                .map(|view| Position {
                    view,
                    label,
                    game: n as u32,
                })
                .collect())
        })
        .collect::<Result<_>>()?;
    Ok(played.into_iter().flatten().collect())
}

fn read(path: &PathBuf) -> Result<Vec<Position>> {
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    text.lines()
        .enumerate()
        .map(|(n, line)| {
            let what = || {
                format!(
                    "{} line {}: expected an object with view, label and game",
                    path.display(),
                    n + 1
                )
            };
            let mut value: Value = serde_json::from_str(line).with_context(what)?;
            let label = value["label"].as_f64().with_context(what)? as f32;
            let game = value["game"].as_u64().with_context(what)? as u32;
            Ok(Position {
                view: value["view"].take(),
                label,
                game,
            })
        })
        .collect()
}

/// Fits, tests, stores.
pub fn run(args: &Args) -> Result<ExitCode> {
    let Some(room) = room(&args.game) else {
        bail!("no game named {}", args.game)
    };
    let games = Games {
        room,
        budget: Budget::Work(args.work),
        options: args
            .option
            .iter()
            .map(|t| super::tune::key_value(t))
            .collect::<Result<_>>()?,
    };
    let positions = match &args.positions {
        Some(path) => read(path)?,
        None => self_play(&games, args.generate, args.seed)?,
    };
    if let Some(path) = &args.save {
        let mut text = String::new();
        for p in &positions {
            let _ = writeln!(
                text,
                "{}",
                json!({"view": p.view, "label": p.label, "game": p.game})
            );
        }
        fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    let mut names: Vec<&'static str> = Vec::new();
    let mut samples = Vec::new();
    for p in &positions {
        let Some(features) = room.features(&p.view) else {
            continue;
        };
        let features_by_index = features
            .factors
            .iter()
            .map(|&(name, factor)| {
                let index = names.iter().position(|&n| n == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                });
                (index as u32, factor as f32)
            })
            .collect();
        samples.push(Sample {
            rest: features.rest,
            features: features_by_index,
            label: p.label,
            game: p.game,
        });
    }
    if samples.is_empty() {
        bail!(
            "{}: no position with a linear evaluation among {}",
            room.name(),
            positions.len()
        );
    }
    let tunables = room.tunables();
    let of = |name: &str| {
        tunables
            .iter()
            .find(|t| t.name == name)
            .with_context(|| format!("{name}: not a tunable"))
    };
    let start: Vec<f64> = names
        .iter()
        .map(|n| of(n).map(|t| t.value))
        .collect::<Result<_>>()?;
    let scales: Vec<f64> = names
        .iter()
        .map(|n| of(n).map(|t| t.step))
        .collect::<Result<_>>()?;
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs,
        ..Settings::default()
    };
    let fitted = fit(&samples, &start, &scales, &settings).map_err(anyhow::Error::msg)?;
    println!(
        "{}: {} positions to fit, {} to test, {} weights, k {:.4}",
        room.name(),
        fitted.sizes.0,
        fitted.sizes.1,
        names.len(),
        fitted.k
    );
    for (epoch, (train, test)) in fitted.losses.iter().enumerate() {
        if epoch % 10 == 0 || epoch + 1 == fitted.losses.len() {
            println!("pass {epoch:3}: train {train:.5} test {test:.5}");
        }
    }
    let values: Vec<(String, f64)> = names
        .iter()
        .zip(&fitted.weights)
        .map(|(&name, &w)| of(name).map(|t| (name.to_owned(), w.clamp(t.min, t.max))))
        .collect::<Result<_>>()?;
    for ((name, value), before) in values.iter().zip(&start) {
        println!("{name:24} {before:>10.4} -> {value:>10.4}");
    }
    let name = args.run.clone().unwrap_or_else(|| format!("{}-fit", room.name()));
    let elo = compare(&games, &values, &[], args.check, args.seed ^ 0x5EED)?;
    println!(
        "fitted against present weights: {:+.0} Elo +-{:.0} in {} pairs at {} iterations",
        elo.0, elo.1, args.check, args.work
    );
    let store = Store::open(&args.db)?;
    if store.setup(&name)?.is_none() {
        store.begin(&name, room.name(), "{}")?;
    }
    if elo.0 - elo.1 <= 0.0 {
        println!("not kept: the match does not show a gain");
        return Ok(ExitCode::FAILURE);
    }
    store.finish(&name, &values)?;
    println!("to keep the values: cargo fifty apply {name}");
    Ok(ExitCode::SUCCESS)
}
