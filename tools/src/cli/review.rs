//! `fifty review --bot X`: the turns where a bot loses most against itself with many times its clock.

use super::games::open;
use super::named;
use super::numbers;
use super::recorder::LookBack;
use crate::arena::bots::Bot;
use crate::arena::stats::signed;
use crate::arena::store::Store;
use crate::serve::filter::Filter;
use crate::serve::noted;
use crate::serve::review::{Care, Doubt, costliest, review};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use std::process::ExitCode;

/// Arguments of `review`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    filter: Filter,
    /// Games looked at: the first ones of the filter's order.
    #[arg(long, default_value_t = 10, value_parser = numbers::games)]
    games: usize,
    /// So many times its clock or work.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    times: u64,
    /// Who is asked instead of the bot of the record, named as in `play`: for games from elsewhere.
    #[arg(long = "as", value_name = "BOT")]
    stand_in: Option<String>,
    /// Playouts of each choice.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..=10_000))]
    playouts: u64,
    /// Who plays them out, all seats.
    #[arg(long = "with", value_name = "BOT", default_value = "engine:50")]
    with: String,
    /// Turns of a game that are played out at most.
    #[arg(long, default_value_t = 5)]
    most: usize,
    /// Turns listed.
    #[arg(long, default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    look: LookBack,
}

/// Reviews and prints. Exit 0: done; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.filter.bot.is_none() {
        bail!("expected --bot: whose choices are looked at");
    }
    let index = open(&args.look.results, args.filter.needs_facts())?;
    noted::prepare(&index.db)?;
    let mut filter = args.filter.clone();
    filter.limit = args.games;
    let found = filter.find(&index)?;
    if found.rows.is_empty() {
        bail!("{}: no game fits", args.look.results.display());
    }
    args.look.sandbox.check()?;
    let store = Store::read(&args.look.results)?;
    let care = Care {
        times: args.times,
        playouts: args.playouts as usize,
        most: args.most,
        sandbox: args.look.sandbox,
    };
    let mut all: Vec<(i64, Doubt)> = Vec::new();
    for (n, row) in found.rows.iter().enumerate() {
        let trace = store.trace(row.id)?;
        let adapter = named::adapter_named(&trace.game)?;
        let name = args.stand_in.as_ref().unwrap_or(&trace.bots[row.seat]);
        let bot = Bot::parse(name, adapter)
            .with_context(|| format!("game {}: expected a bot that can be asked, or --as BOT", row.id))?;
        let with = [Bot::parse(&args.with, adapter).context("--with")?];
        let doubts = review(adapter, &trace, row.seat, &bot, &with, care)?;
        eprintln!(
            "game {} ({} of {}): {} turns",
            row.id,
            n + 1,
            found.rows.len(),
            doubts.len()
        );
        let of = (row.id, row.seat, row.bot.as_str(), args.times);
        noted::note(&index.db, of, &doubts, (&bot.name, args.playouts, &args.with))?;
        all.extend(doubts.into_iter().map(|d| (row.id, d)));
    }
    all.sort_by(|a, b| costliest(&a.1, &b.1));
    println!(
        "{} turns at which {} times its clock changes the choice, by what the choice costs; played out {} times by {}",
        all.len(),
        args.times,
        args.playouts,
        args.with
    );
    for (id, d) in all.iter().take(args.top) {
        println!(
            "game {id} turn {} seat {}: {} % of the points ± {:.1}, margin {} ± {:.2}",
            d.turn,
            d.seat,
            signed(-100.0 * d.loss.0, 1),
            100.0 * d.loss.1,
            signed(-d.margin.0, 2),
            d.margin.1
        );
        let value = |v: Option<f64>| v.map_or_else(String::new, |v| format!("  (value {v:.3})"));
        println!("    played  {}{}", d.played.replace('\n', " | "), value(d.value));
        println!("    better  {}{}", d.better.replace('\n', " | "), value(d.later));
        println!(
            "    cargo fifty ask {id} --turn {} --seat {} --playouts 100 --results {}   in the page: /game/{id}#{}",
            d.turn,
            d.seat,
            args.look.results.display(),
            d.turn
        );
    }
    if args.look.json {
        let rows: Vec<_> = all
            .iter()
            .map(|(id, d)| json!({"game": id, "doubt": d}))
            .collect();
        println!("{}", json!({"turns": rows}));
    }
    Ok(ExitCode::SUCCESS)
}
