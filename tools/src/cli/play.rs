//! `fifty play GAME --bot … --bot …`: one pairing, seats swapped.

use super::contest::{Common, Contest};
use super::numbers;
use super::outsider::Which;
use super::report;
use super::run::{self, Asked};
use crate::arena::result::{GameResult, Measure, group_samples, repeats, standings};
use crate::arena::schedule::{schedule, seatings};
use crate::arena::stats::{Samples, signed};
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// Arguments of `play`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// A command, a `.rs` file, `builtin:NAME`, `engine`, `engine:ITERATIONS`, `engine:43ms,name=value`.
    /// Twice; with more seats two times up to once a seat. `new=./bot` or `./bot;name=new` names it for the
    /// tables; `;clock=100` gives it 100 ms for each answer instead of the game's limit (a longer one for the
    /// first answer stays), `;grace=20` takes its answers 20 ms late: `'new=./bot --fast;clock=100;grace=20'`.
    #[arg(long = "bot", required = true)]
    bots: Vec<String>,
    /// Games to play in all.
    #[arg(long, default_value_t = 2, value_parser = numbers::games)]
    games: usize,
    /// With more than two seats: all arrangements instead of rotations.
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Everything that is to be played: the contest, what it is recognised by and its games, their seatings, their seeds.
struct Match<'a> {
    contest: Contest<'a>,
    asked: Asked,
    arrangements: Vec<Vec<usize>>,
    seeds: Vec<u64>,
}

/// The contest and its games, for a plan.
pub fn asked<'a>(args: &Args, common: &'a Common) -> Result<(Contest<'a>, Asked)> {
    let prepared = prepare(args, common)?;
    Ok((prepared.contest, prepared.asked))
}

fn prepare<'a>(args: &Args, common: &'a Common) -> Result<Match<'a>> {
    let contest = Contest::prepare(common, args.which.game()?, &args.bots)?;
    let (adapter, seats) = (contest.adapter, contest.seats);
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
    let who: Vec<usize> = (0..args.bots.len()).collect();
    let arrangements = seatings(&who, seats, args.every);
    let seeds = contest.seeds(args.games.div_ceil(arrangements.len()))?;
    let spec = contest.spec(&seeds, args.games);
    let games = schedule(&arrangements, &seeds, args.games);
    Ok(Match {
        asked: (spec, games),
        contest,
        arrangements,
        seeds,
    })
}

/// Plays and prints. Exit 0: played; 2: could not; 128 and its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    let common = &args.common;
    let Match {
        contest,
        asked: (spec, games),
        arrangements,
        seeds,
    } = prepare(args, common)?;
    let (adapter, seats) = (contest.adapter, contest.seats);
    let samples = |results: &BTreeMap<usize, GameResult>| {
        group_samples(results, 0, 1, arrangements.len(), Measure::Points)
    };
    let ran = contest.run(
        "play",
        &spec,
        games,
        |results| live(results, &samples(results)),
        |_| false,
    )?;
    let table = standings(&contest.names, &ran.results);
    println!(
        "{}: {} games on {} seeds from {}",
        adapter.name(),
        ran.results.len(),
        ran.results
            .values()
            .map(|r| r.group)
            .collect::<BTreeSet<_>>()
            .len(),
        seeds.first().copied().unwrap_or_default()
    );
    report::standings(&table, seats);
    let samples = samples(&ran.results);
    if contest.bots.len() == 2 && !samples.0.is_empty() {
        println!("{}", verdict(&contest.names[0], &samples, arrangements.len()));
    }
    contest.print_end(&ran, &ran.results);
    if common.json {
        println!(
            "{}",
            json!({
                "game": adapter.name(),
                "games": ran.results.len(),
                "options": contest.options,
                "bots": table,
                "elo": samples.elo(),
                "los": samples.los(),
                "pentanomial": samples.pentanomial(),
                "repeats": repeats(&ran.results).len(),
                "failed": ran.failures.len(),
                "scheduling": ran.busy,
                "unreliable": report::unreliable(ran.busy, &contest.bots),
                "interrupted": ran.interrupted,
                "results": ran.results.values().collect::<Vec<_>>(),
            })
        );
    }
    if ran.interrupted {
        return Ok(run::interrupted(common));
    }
    ran.check()?;
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
        "{name}: Elo {} (95 %), normalised {}, LOS {:.1} %{pairs}",
        samples.elo(),
        signed(samples.normalised_elo(games), 1),
        samples.los() * 100.0
    )
}
