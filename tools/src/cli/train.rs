//! `fifty train GAME`: what a bot learned from games, learned anew.

use crate::games::slime::train::{self as slime, Start};
use crate::games::wondev::train as wondev;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use fifty::games::wondev::state::League;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `train`.
#[derive(ClapArgs)]
pub struct Args {
    /// Which game: slime and wondev have networks.
    game: String,
    /// File for the next `learned.rs`, written after each generation.
    #[arg(long, short)]
    output: PathBuf,
    /// Rounds of games and fits.
    #[arg(long, default_value_t = 5)]
    generations: u64,
    /// Games a generation.
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Iterations or nodes an answer.
    #[arg(long, default_value_t = 600)]
    work: u64,
    /// Of all draws.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// wondev: the league whose network learns, 0, 1 or 2; league 3 plays with that of 2.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..3))]
    league: u64,
    /// What it starts from, and how much of it learns; wondev: shipped or hand.
    #[arg(long, value_enum, default_value_t = Start::Shipped)]
    start: Start,
}

/// Trains; the file holds the latest generation, also after an interruption.
pub fn run(args: &Args) -> Result<ExitCode> {
    match args.game.as_str() {
        "slime" => slime::train(&slime::Training {
            out: args.output.clone(),
            generations: args.generations,
            games: args.games,
            work: args.work,
            seed: args.seed,
            start: args.start,
        })?,
        "wondev" if matches!(args.start, Start::Alone | Start::Pool) => {
            bail!("wondev: starts from shipped or hand")
        }
        "wondev" => wondev::train(&wondev::Training {
            out: args.output.clone(),
            league: League::from_number(args.league).expect("one of three"),
            generations: args.generations,
            games: args.games,
            work: args.work,
            seed: args.seed,
            bare: args.start == Start::Hand,
        })?,
        other => {
            bail!("{other}: has nothing that is trained; slime and wondev have, tune and fit turn numbers")
        }
    }
    Ok(ExitCode::SUCCESS)
}
