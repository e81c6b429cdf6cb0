//! What a slice says of the machine it was played on: who it is, whether it stalled, how fast it is.

use crate::arena::bots::Bot;
use crate::arena::load::Busy;
use crate::arena::matches::{MatchPlan, one};
use crate::arena::schedule::Game;
use crate::outside::adapter::adapter;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Iterations an answer of the calibration game.
const WORK: u64 = 40;

/// One slice's machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its name: Slurm's, else the machine's own.
    pub name: String,
    /// Milliseconds of the calibration game.
    pub calibration: f64,
    /// How busy it was while bots with a clock played; nothing where none has one.
    pub busy: Option<Busy>,
    /// Seconds that the slice took, calibration and all.
    pub seconds: f64,
}

/// The machine's name.
pub fn name() -> String {
    let own = || rustix::system::uname().nodename().to_string_lossy().into_owned();
    std::env::var("SLURMD_NODENAME").unwrap_or_else(|_| own())
}

/// Milliseconds of one game at fixed work that is the same everywhere, in this process; the better of two, so that what
/// is loaded or built by the first does not count.
pub fn calibrate() -> Result<f64> {
    let adapter = adapter("wondev").context("the calibration game is not there")?;
    let bots = [Bot::parse(&format!("engine:{WORK}"), adapter)?];
    let plan = MatchPlan::new(adapter, &bots);
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let start = Instant::now();
        one(&plan, &Game::single(1, vec![0, 0])).context("the calibration game")?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}
