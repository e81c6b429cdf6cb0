//! Training the network of one league from games of the bot against itself.
//!
//! A generation plays games at fixed work, fits a fresh network to what the searches said and how the games ended, writes
//! it as `learned.rs`, and plays a short match against what it started from. The network is added to the counts'
//! weights, which stay. The same plan and start give the same file, on any number of cores.

mod file;
mod fit;
mod play;

use anyhow::{Context, Result};
use fifty::games::wondev::policy::Nets;
use fifty::games::wondev::state::League;
use fifty::kit::rng::Rng;
use play::{Sample, compare, play};
use rayon::prelude::*;
use std::fs;
use std::path::PathBuf;

/// Positions of the last generations that the network is fitted to.
const WINDOW: usize = 600_000;
/// Pairs of games against the start after each generation.
const MATCH: u64 = 40;

/// How training goes.
#[derive(Clone, Debug)]
pub struct Training {
    /// Where the next `learned.rs` is written after each generation.
    pub out: PathBuf,
    /// Which network.
    pub league: League,
    /// Rounds of games and fits.
    pub generations: u64,
    /// Games of each.
    pub games: u64,
    /// Nodes an answer.
    pub work: u64,
    /// Of all draws.
    pub seed: u64,
    /// The first games are played by the counts alone, without the network compiled in.
    pub bare: bool,
}

/// Trains, a line a generation.
pub fn train(plan: &Training) -> Result<()> {
    let league = plan.league;
    let mut start = Nets::learned();
    if plan.bare {
        start = file::with(start, league, &[]);
    }
    let mut nets = start.clone();
    let mut rng = Rng::new(plan.seed);
    let mut samples: Vec<Sample> = Vec::new();
    for generation in 0..plan.generations {
        let seeds: Vec<u64> = (0..plan.games).map(|_| rng.next_u64()).collect();
        let played: Vec<Vec<Sample>> = seeds
            .into_par_iter()
            .map(|seed| play(&nets, league, plan.work, seed))
            .collect();
        samples.extend(played.into_iter().flatten());
        samples.drain(..samples.len().saturating_sub(WINDOW));
        let found = fit::fit(&samples, league, rng.next_u64());
        nets = file::with(nets, league, &found.numbers);
        let share = compare(&nets, &start, league, 2 * plan.work, MATCH);
        println!(
            "{generation}: {} positions; divergence of positions not learned from {:.4}, by the counts alone {:.4}; \
             {:.1} % against the start",
            samples.len(),
            found.divergence,
            found.before,
            100.0 * share
        );
        let old = include_str!("../../../../../src/games/wondev/learned.rs");
        fs::write(&plan.out, file::source(old, league, &found.numbers))
            .with_context(|| format!("{}: cannot be written", plan.out.display()))?;
    }
    Ok(())
}
