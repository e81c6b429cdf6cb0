//! `fifty fit GAME`: fits a linear evaluation to positions of self-play.

use super::named::{adapter_named, options_in_turn};
use super::numbers;
use super::tune_args::{is_shipped, starts};
use crate::adapter::Adapter;
use crate::arena::stats::signed;
use crate::referee::Features;
use crate::tune::fit::{Fitted, Sample, Settings, fit};
use crate::tune::games::{Games, Params, in_turn};
use crate::tune::run::{compare, perturbed};
use crate::tune::space::Space;
use crate::tune::store::Store;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use fifty::kit::clock::Budget;
use fifty::kit::rng::Rng;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `fit`.
#[derive(ClapArgs)]
pub struct Args {
    /// Game by name.
    game: String,
    /// Positions to read: one JSON object a line with `rest`, `factors` (number by name of tunable), `label`
    /// (seat 0's result, 0 to 1) and `game`.
    #[arg(long, conflicts_with = "generate")]
    positions: Option<PathBuf>,
    /// Games of self-play to make positions from, per round.
    #[arg(long, default_value_t = 1_000)]
    generate: u64,
    /// Rounds of self-play and fit, each with the values of the one before.
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// Keep the positions of the last round, in the form `--positions` reads.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Which numbers are fitted, by name; `*` and `?` match. May be repeated. Default: all in the evaluation.
    #[arg(long)]
    params: Vec<String>,
    /// Start from an evaluation perturbed at random by this seed (the numbers that `--params` names).
    #[arg(long, alias = "spoil")]
    perturbed: Option<u64>,
    /// Values to start from: `name=value`, or `hand` for those of the fitted numbers that were set by hand before
    /// anything was tuned. May be repeated.
    #[arg(long, conflicts_with = "perturbed")]
    start: Vec<String>,
    /// Units of the evaluation that make a chance of 73 %. Default: as many as explain the results best at the
    /// present weights, which keeps their unit.
    #[arg(long, value_parser = numbers::above_zero)]
    unit: Option<f64>,
    /// Iterations per answer in self-play and in the closing match.
    #[arg(long, default_value_t = 1_000)]
    work: u64,
    /// Option of the game as `key=value`. May be repeated; values of one key take turns, game by game.
    #[arg(short, long)]
    option: Vec<String>,
    /// Passes over the positions.
    #[arg(long, default_value_t = 60)]
    epochs: usize,
    /// Decides games, split and order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs of the closing matches, fitted against start and against present weights.
    #[arg(long, default_value_t = 200)]
    check: u64,
    /// Name under which `apply` finds the weights. Default: `<game>-fit`.
    #[arg(long)]
    run: Option<String>,
    /// Results file.
    #[arg(long, default_value = super::recorder::RESULTS)]
    db: PathBuf,
}

/// One labelled position, as it is kept in a file.
#[derive(Serialize, Deserialize)]
struct Position {
    rest: f64,
    factors: BTreeMap<String, f64>,
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
fn self_play(games: &[Games], params: &Params, count: u64, seed: u64) -> Result<Vec<Position>> {
    let played: Vec<Vec<Position>> = (0..count)
        .into_par_iter()
        .progress_with(bar(count, "self-play"))
        .map(|n| {
            let (seen, result) =
                in_turn(games, n).positions(params, Rng::new(seed ^ (n << 24)).next_u64() >> 1)?;
            let position = |Features { rest, factors }| Position {
                rest,
                factors: factors.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
                label: result as f32,
                game: n as u32,
            };
            Ok(seen.into_iter().map(position).collect())
        })
        .collect::<Result<_>>()?;
    Ok(played.into_iter().flatten().collect())
}

fn read(path: &PathBuf) -> Result<Vec<Position>> {
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let line = |(n, line)| {
        serde_json::from_str(line).with_context(|| {
            format!(
                "{} line {}: expected an object with rest, factors, label and game",
                path.display(),
                n + 1
            )
        })
    };
    if text.trim().is_empty() {
        bail!(
            "{}: no position in it, expected one JSON object a line",
            path.display()
        );
    }
    text.lines().enumerate().map(line).collect()
}

/// Fits the numbers of `space` that occur in the positions, from `start`; the others stay as they are there.
fn fit_to(
    positions: &[Position],
    space: &Space,
    start: &Params,
    adapter: &dyn Adapter,
    settings: &Settings,
) -> Result<(Params, Fitted)> {
    let now = |name: &str| {
        let moved = start.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        moved.or_else(|| adapter.shipped(name))
    };
    let dims = space.dims();
    let mut used = vec![false; dims.len()];
    let mut samples = Vec::with_capacity(positions.len());
    for p in positions {
        let (mut rest, mut features) = (p.rest, Vec::with_capacity(p.factors.len()));
        for (name, &factor) in &p.factors {
            if let Some(i) = dims.iter().position(|t| t.name == name) {
                used[i] = true;
                features.push((i as u32, factor as f32));
            } else {
                rest += factor
                    * now(name).with_context(|| format!("{name}: not a tunable of {}", adapter.name()))?;
            }
        }
        samples.push(Sample {
            rest,
            features,
            label: p.label,
            game: p.game,
        });
    }
    if !used.contains(&true) {
        bail!(
            "{}: none of the chosen numbers is in a linear evaluation of {} positions",
            adapter.name(),
            positions.len()
        );
    }
    let from: Vec<f64> = dims.iter().map(|t| now(t.name).unwrap_or(t.value)).collect();
    let reference: Vec<f64> = dims.iter().map(|t| t.value).collect();
    let scales: Vec<f64> = dims.iter().map(|t| t.step).collect();
    let fitted = fit(&samples, &from, &reference, &scales, settings)?;
    let values = dims.iter().zip(&fitted.weights).enumerate();
    let values = values.map(|(i, (t, w))| (t.name.to_owned(), space.within(i, *w)));
    Ok((values.collect(), fitted))
}

/// Fits, tests, stores.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = adapter_named(&args.game)?;
    let options = options_in_turn(&args.option, adapter, args.seed)?;
    let games = Games::each(adapter, Budget::Work(args.work), &options);
    let space = Space::select(adapter.tunables(), &args.params)?;
    let start: Params = match args.perturbed {
        Some(seed) => perturbed(&space, seed),
        None => starts(&args.start, adapter, &space)?,
    };
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs,
        unit: args.unit,
        ..Settings::default()
    };
    let mut values = start.clone();
    let mut positions = args.positions.as_ref().map_or(Ok(Vec::new()), read)?;
    for round in 0..u64::from(args.rounds.max(1)) {
        if args.positions.is_none() {
            positions = self_play(&games, &values, args.generate, args.seed ^ (round << 50))?;
        }
        if let Some(path) = &args.save {
            let mut text = String::new();
            for p in &positions {
                let _ = writeln!(text, "{}", serde_json::to_string(p)?);
            }
            fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
        }
        let fitted;
        (values, fitted) = fit_to(&positions, &space, &values, adapter, &settings)?;
        println!(
            "{} round {}: {} positions to fit, {} to test, {} numbers, k {:.4}",
            adapter.name(),
            round + 1,
            fitted.sizes.0,
            fitted.sizes.1,
            space.len(),
            fitted.k
        );
        for (epoch, (train, test)) in fitted.losses.iter().enumerate() {
            if epoch % 10 == 0 || epoch + 1 == fitted.losses.len() {
                println!("pass {epoch:3}: train {train:.5} test {test:.5}");
            }
        }
    }
    for (name, value) in &values {
        let at = |list: &Params| list.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        let before = at(&start).or_else(|| adapter.shipped(name));
        println!("{name:24} {:>10.4} -> {value:>10.4}", before.unwrap_or(*value));
    }
    let matched = |title: &str, a: &Params, b: &Params| -> Result<f64> {
        let (elo, half) = compare(&games, a, b, args.check, args.seed ^ 0x5EED)?;
        println!(
            "{title}: {} Elo +-{half:.0} in {} pairs at {} iterations",
            signed(elo, 0),
            args.check,
            args.work
        );
        Ok(elo - half)
    };
    let mut gain = matched("fitted against start", &values, &start)?;
    if !start.is_empty() {
        matched("start against present weights", &start, &Vec::new())?;
        let present = matched("fitted against present weights", &values, &Vec::new())?;
        if args.perturbed.is_some() {
            gain = present;
        }
    }
    if is_shipped(&values, adapter) {
        println!("the fitted values are those shipped, every one");
        return Ok(ExitCode::SUCCESS);
    }
    if gain <= 0.0 {
        println!("not kept: no match shows a gain over the present weights");
        return Ok(ExitCode::from(u8::from(args.perturbed.is_none())));
    }
    let store = Store::open(&args.db)?;
    let name = args
        .run
        .clone()
        .unwrap_or_else(|| format!("{}-fit", adapter.name()));
    if store.setup(&name)?.is_none() {
        store.begin(&name, adapter.name(), "{}")?;
    }
    store.finish(&name, &values)?;
    println!("to keep the values: cargo fifty apply {name}");
    Ok(ExitCode::SUCCESS)
}
