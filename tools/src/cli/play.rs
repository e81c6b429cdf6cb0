//! `fifty play GAME --bot … --bot …`: one pairing, seats swapped.

use super::contest::{self, Common, Recorder};
use crate::arena::matches::{schedule, seatings};
use crate::arena::result::{GameResult, Measure, group_samples, standings};
use crate::arena::stats::Samples;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Arguments of `play`.
#[derive(ClapArgs)]
pub struct Args {
    /// Game by name.
    game: String,
    /// A command, a `.rs` file, `builtin:NAME`, `engine`, `engine:ITERATIONS`, `engine:43ms,name=value`.
    /// Twice; with more seats two times up to once a seat.
    #[arg(long = "bot", required = true)]
    bots: Vec<String>,
    /// Games to play in all.
    #[arg(long, default_value_t = 2)]
    games: usize,
    /// With more than two seats: all arrangements instead of rotations.
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    common: Common,
}

/// Plays and prints. Exit 0: played; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = contest::adapter_named(&args.game)?;
    let options = args.common.setup(adapter)?;
    let seats = adapter.seats(&options);
    if args.bots.len() < 2 || args.bots.len() > seats {
        let most = if seats > 2 {
            format!("two to {seats}")
        } else {
            "two".into()
        };
        bail!(
            "{}: expected {most} --bot, got {}",
            adapter.name(),
            args.bots.len()
        );
    }
    let bots = contest::bots(&args.bots, adapter)?;
    let who: Vec<usize> = (0..bots.len()).collect();
    let arrangements = seatings(&who, seats, args.every);
    let seeds = args.common.seeds(args.games.div_ceil(arrangements.len()))?;
    let file = args.common.results.as_deref();
    let spec = args.common.spec(&bots, &options, &seeds, args.games);
    let recorder = Recorder::open(file, "play", adapter, &spec, args.common.resume)?;
    let games = schedule(&arrangements, &seeds, args.games);
    let plan = args.common.plan(adapter, options, &bots, games, recorder.keeps());
    let samples = |results: &BTreeMap<usize, GameResult>| {
        group_samples(results, 0, 1, arrangements.len(), Measure::Points)
    };
    let ran = contest::run_plan(&plan, &recorder, |results| {
        (live(results, &samples(results)), false)
    })?;
    let table = standings(&args.bots, &ran.results);
    println!(
        "{}: {} games on {} seeds from {}",
        adapter.name(),
        ran.results.len(),
        seeds.len(),
        seeds.first().copied().unwrap_or_default()
    );
    contest::print_standings(&table, seats);
    let samples = samples(&ran.results);
    if bots.len() == 2 && !samples.0.is_empty() {
        println!("{}", verdict(&args.bots[0], &samples, arrangements.len()));
    }
    contest::print_faults(&ran.results, &args.bots);
    contest::print_busy(ran.busy, &bots);
    recorder.print_where(file)?;
    if args.common.json {
        println!(
            "{}",
            json!({
                "game": adapter.name(),
                "games": ran.results.len(),
                "options": plan.options,
                "bots": table,
                "elo": samples.elo(),
                "los": samples.los(),
                "pentanomial": samples.pentanomial(),
                "scheduling": ran.busy,
                "unreliable": contest::unreliable(ran.busy, &bots),
                "results": ran.results.values().collect::<Vec<_>>(),
            })
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The bar's text: wins, draws, losses of the first bot, and Elo.
pub fn live(results: &BTreeMap<usize, GameResult>, samples: &Samples) -> String {
    let mut counts = [0; 3];
    for result in results.values() {
        if let Some(seat) = result.seating.iter().position(|&b| b == 0) {
            let points = result.points[seat];
            counts[if points == 1.0 {
                0
            } else if points == 0.5 {
                1
            } else {
                2
            }] += 1;
        }
    }
    format!(
        "W {} D {} L {} Elo {}",
        counts[0],
        counts[1],
        counts[2],
        samples.elo()
    )
}

/// Elo, LOS and pentanomial counts in one line.
pub fn verdict(name: &str, samples: &Samples, games: usize) -> String {
    let pairs = if games == 2 {
        format!(", pairs {:?}", samples.pentanomial())
    } else {
        String::new()
    };
    format!(
        "{name}: Elo {} (95 %), normalised {:+.1}, LOS {:.1} %{pairs}",
        samples.elo(),
        samples.normalised_elo(games),
        samples.los() * 100.0
    )
}
