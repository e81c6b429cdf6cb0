//! Many games: several at once, results as they come. Who sits where on which seed says `schedule`.

use super::bots::Bot;
use super::freeze::Freeze;
use super::live::Gate;
use super::load::{Busy, LoadMonitor};
use super::runner::{Played, play};
use super::schedule::Game;
use super::seat::Rules;
use crate::adapter::{Adapter, Setup};
use crate::outside::call;
use crate::outside::said::Failure;
use crate::outside::settings;
use crate::show::trace::Trace;
use anyhow::{Context, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// A run of games.
pub struct MatchPlan<'a> {
    /// Which game.
    pub adapter: &'static dyn Adapter,
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// Who plays.
    pub bots: &'a [Bot],
    /// What is played.
    pub games: Vec<Game>,
    /// Games at once.
    pub jobs: usize,
    /// Keep all messages.
    pub trace: bool,
    /// How seats are held to the clock.
    pub rules: Rules,
    /// A late answer is a timeout, whoever kept the bot from running.
    pub strict: bool,
    /// Asked before each game: whoever watches may pause or stop the run.
    pub gate: Option<Arc<Gate>>,
}

impl<'a> MatchPlan<'a> {
    /// For [`one`] game at a time by the game's default options and the default rules, without a trace.
    pub fn new(adapter: &'static dyn Adapter, bots: &'a [Bot]) -> Self {
        Self {
            adapter,
            options: BTreeMap::new(),
            bots,
            games: Vec::new(),
            jobs: 1,
            trace: false,
            rules: Rules::default(),
            strict: false,
            gate: None,
        }
    }
}

/// How much longer than its limit an answer is waited for that may be excused.
const PATIENCE: Duration = Duration::from_millis(250);

/// Why a game has no result.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// The arena's own trouble: a bot that cannot be started, a referee of ours that failed.
    #[error(transparent)]
    Arena(#[from] anyhow::Error),
    /// An outside referee failed this game; others may go well.
    #[error(transparent)]
    Referee(#[from] Failure),
}

/// What came of one game.
pub type Done = (Game, Result<Played, Lost>);

/// Plays all games but those in `skip`. `done` sees each as it ends, in any order, and stops the run by
/// returning false; games still running then are thrown away. Returns how busy the machine was.
pub fn run(plan: &MatchPlan<'_>, skip: &BTreeSet<usize>, mut done: impl FnMut(Done) -> bool) -> Busy {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let monitor = LoadMonitor::start();
    let (send, receive) = mpsc::channel::<Done>();
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, plan.games.len().max(1)) {
            let send = send.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = plan.games.get(n) else { return };
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if skip.contains(&game.index) {
                        continue;
                    }
                    if plan.gate.as_ref().is_some_and(|gate| !gate.pass(stop)) {
                        return;
                    }
                    let result = catch_unwind(AssertUnwindSafe(|| held(plan, game, !plan.strict)))
                        .unwrap_or_else(|e| {
                            let text = e
                                .downcast_ref::<String>()
                                .cloned()
                                .or_else(|| e.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                            let text = text.unwrap_or_default();
                            Err(anyhow!("the referee panicked: {text}").into())
                        });
                    if send.send((game.clone(), result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for item in receive {
            if !done(item) {
                stop.store(true, Ordering::Relaxed);
                break;
            }
        }
    });
    monitor.stop()
}

/// Plays one game of a plan, strictly by the clock.
pub fn one(plan: &MatchPlan<'_>, game: &Game) -> Result<Played, Lost> {
    held(plan, game, false)
}

/// Plays one game of a plan as a run of many would: what others did to a bot is no fault of its, unless `strict`.
pub fn fairly(plan: &MatchPlan<'_>, game: &Game) -> Result<Played, Lost> {
    held(plan, game, !plan.strict)
}

/// Plays one game and records it: the first of two bots in `seat`, the other in all others. The clock decides nothing.
pub fn recorded(
    adapter: &'static dyn Adapter,
    bots: &[Bot; 2],
    seed: u64,
    seat: usize,
) -> anyhow::Result<Trace> {
    let mut plan = MatchPlan::new(adapter, bots);
    plan.trace = true;
    plan.rules.grace = Duration::from_secs(60);
    let game = Game::one_against_rest(seed, adapter.seats(&plan.options), seat);
    one(&plan, &game)?.trace.context("the trace was asked for")
}

/// What a builtin's own randomness starts from.
pub fn seat_seed(seed: u64, seat: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (seat as u64 + 1)
}

/// Plays one game of a plan; with `excuses` no bot is to blame for what others did to it.
fn held(plan: &MatchPlan<'_>, game: &Game, excuses: bool) -> Result<Played, Lost> {
    if let Some(outside) = plan.adapter.outside() {
        let bots = game.seating.iter().map(|&bot| &plan.bots[bot]);
        let asked = settings::Game {
            settings: outside,
            options: &plan.options,
            bots: bots.map(|bot| (bot.name.clone(), bot.command())).collect(),
            seed: game.seed,
        };
        return Ok(call::play(&asked)?);
    }
    let mut rules = plan.rules;
    if excuses {
        rules.patience = PATIENCE;
    }
    // Where nobody has a clock, nobody's time can be taken.
    let timed = game.seating.iter().any(|&bot| plan.bots[bot].timed());
    rules.watch &= timed;
    if !timed {
        rules.freeze = Freeze::Off;
    }
    let setup = Setup {
        seed: game.seed,
        options: plan.options.clone(),
    };
    let mut referee = plan.adapter.referee(&setup)?;
    let mut seats = Vec::with_capacity(game.seating.len());
    for (seat, &bot) in game.seating.iter().enumerate() {
        let bot = &plan.bots[bot];
        let seed = seat_seed(game.seed, seat);
        seats.push(bot.seat(plan.adapter, seed, rules)?);
    }
    let trace = plan.trace.then(|| {
        let names: Vec<String> = game.seating.iter().map(|&b| plan.bots[b].name.clone()).collect();
        Trace::new(plan.adapter.name(), game.seed, &plan.options, &names)
    });
    Ok(play(referee.as_mut(), &mut seats, trace)?)
}
