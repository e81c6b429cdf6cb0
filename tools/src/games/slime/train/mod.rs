//! Training what slime's bot has learned, from games against itself and others.
//!
//! A generation plays games among seats that search and seats with opponent models, every searcher knowing the models,
//! then fits the networks, each to the games of its number of planners, and the prior to them. Where two or three
//! plan, all but one of them may be strangers: the first version, or the opinion set by hand ([`super::hand`]); or,
//! where that is asked for, the searching opponents of [`super::planners`] in games of three and four planners. A
//! position's value is half the squares at the end and half what the next search from there said; positions of all
//! seats count, since leaves have any seat on turn. The prior is fitted to the moves that the searches chose: to their
//! visits it came out too even, and weaker. After each generation it plays against what it started from, two seats
//! each. The same plan and start give the same file, on any number of cores.

mod file;
mod fit;
mod play;

use super::adapter::ADAPTER;
use super::hand;
use crate::arena::opponents;
use anyhow::{Context, Result};
use fifty::games::slime::search::Search;
use fifty::games::slime::state::SEATS;
use fifty::games::slime::eval::NETS;
use fifty::games::slime::weights::Weights;
use fifty::kit::rng::Rng;
use file::{file, settle};
use fit::{fit_net, fit_prior};
use play::{Played, Root, Sample, compare, copy, play};
use rayon::prelude::*;
use std::fs;
use std::path::PathBuf;

/// Positions of the last generations that a network is fitted to.
const WINDOW: usize = 240_000;
/// Positions of the last generations that the prior is fitted to.
const ROOTS: usize = 120_000;
/// Games against the start after each generation.
const MATCH: u64 = 24;

/// What training starts from, and how much of it learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Start {
    /// From the numbers compiled in.
    Shipped,
    /// From the opinion set by hand.
    Hand,
    /// From the numbers compiled in, and only the network of one planner learns, half of the games among three that
    /// grab.
    Alone,
    /// From the numbers compiled in, and only the prior learns, from every move of games among the searching opponents
    /// of [`super::planners`].
    #[value(alias = "panel")]
    Pool,
}

/// How training goes.
#[derive(Clone, Debug)]
pub struct Training {
    /// Where the next `learned.rs` is written after each generation.
    pub out: PathBuf,
    /// Rounds of games and fits.
    pub generations: u64,
    /// Games of each.
    pub games: u64,
    /// Iterations an answer.
    pub work: u64,
    /// Of all draws.
    pub seed: u64,
    /// See there.
    pub start: Start,
}

/// Trains, a line a generation.
pub fn train(plan: &Training) -> Result<()> {
    // Compiled now, so that no game waits for it or fails by it.
    opponents::known(&ADAPTER, "first")?;
    let mut rng = Rng::new(plan.seed);
    let mut search = Search::new(&Weights::DEFAULT, 1);
    if plan.start == Start::Hand {
        hand::set(&mut search);
        // Hidden numbers that are all alike would stay so; nothing comes of them before the rest is fitted.
        for net in &mut search.tree.leaf.nets {
            for weight in net.first.as_flattened_mut() {
                *weight = (rng.unit() - 0.5) * 0.5;
            }
        }
    }
    let start = copy(&search, 0);
    let (mut samples, mut roots): ([Vec<Sample>; NETS], Vec<Root>) = Default::default();
    for generation in 0..plan.generations {
        let seeds: Vec<u64> = (0..plan.games).map(|_| rng.next_u64()).collect();
        let played: Vec<Played> = seeds
            .into_par_iter()
            .map(|seed| play(&search, plan.start, plan.work, seed))
            .collect();
        let mut sums = [(0, 0); SEATS + 1];
        for mut game in played {
            samples[game.planners.min(NETS) - 1].append(&mut game.samples);
            roots.append(&mut game.roots);
            sums[game.planners].0 += game.squares.iter().sum::<u32>();
            sums[game.planners].1 += game.squares.len();
        }
        for samples in &mut samples {
            samples.drain(..samples.len().saturating_sub(WINDOW));
        }
        roots.drain(..roots.len().saturating_sub(ROOTS));
        let (nets, kept) = (&mut search.tree.leaf.nets, plan.start == Start::Pool);
        let seeds = [(); NETS].map(|()| rng.next_u64());
        let errors: Vec<f32> = (nets.par_iter_mut().zip(&samples).zip(seeds))
            .map(|((net, samples), seed)| {
                if samples.is_empty() || kept {
                    return 0.0;
                }
                let error = fit_net(net, samples, seed);
                settle(net);
                error
            })
            .collect();
        let mut entropy = 0.0;
        if plan.start != Start::Alone {
            entropy = fit_prior(&mut search.tree.policy.table, &roots, &mut rng);
        }
        let means = sums.map(|(sum, n)| f64::from(sum) / n.max(1) as f64);
        let (squares, apart) = compare(&search, &start, plan.work, MATCH);
        println!(
            "{generation}: squares of 1, 2, 3, 4 planners {:.1} {:.1} {:.1} {:.1}; {:?} positions, errors {errors:.5?}, \
             entropy {entropy:.3}; {squares:.1} +- {apart:.1} squares against the start",
            means[1],
            means[2],
            means[3],
            means[4],
            samples.each_ref().map(Vec::len)
        );
        let text = file(&search.tree.leaf.nets, &search.tree.policy);
        fs::write(&plan.out, text).with_context(|| format!("{}: cannot be written", plan.out.display()))?;
    }
    Ok(())
}
