//! Many games: who sits where on which seed, several at once, results as they come.
//!
//! Two seats: each seed is played once in each seating. Four seats: every distinct arrangement of two bots
//! (six), rotations of more. All seatings of one seed form a group, the unit of the statistics.

use super::bots::Bot;
use super::freeze::Freeze;
use super::live::Gate;
use super::load::{Busy, LoadMonitor};
use super::runner::{Played, play};
use super::seat::Rules;
use crate::adapter::{Adapter, Setup};
use crate::outside::call;
use crate::outside::said::Failure;
use crate::show::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// One game to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Place in the run, from 0.
    pub index: usize,
    /// Group of games on the same seed, from 0.
    pub group: usize,
    /// Decides everything random.
    pub seed: u64,
    /// Which bot (by index) sits in each seat.
    pub seating: Vec<usize>,
}

impl Game {
    /// A game outside any run.
    pub fn single(seed: u64, seating: Vec<usize>) -> Self {
        Self {
            index: 0,
            group: 0,
            seed,
            seating,
        }
    }

    /// The first bot in one seat, the second in all others.
    pub fn one_against_rest(seed: u64, seats: usize, seat: usize) -> Self {
        Self::single(seed, (0..seats).map(|s| usize::from(s != seat)).collect())
    }
}

/// A run of games.
pub struct Plan<'a> {
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

impl<'a> Plan<'a> {
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

/// All seatings of one seed for the bots `who` (indices).
pub fn seatings(who: &[usize], seats: usize, every: bool) -> Vec<Vec<usize>> {
    // Fewer bots than seats: each fills several; one too few for four: each takes its turn to sit twice.
    let lineups: Vec<Vec<usize>> = if who.is_empty() {
        Vec::new()
    } else if seats % who.len() == 0 {
        vec![(0..seats).map(|s| who[s % who.len()]).collect()]
    } else if who.len() < seats {
        who.iter()
            .map(|&extra| who.iter().copied().chain([extra]).cycle().take(seats).collect())
            .collect()
    } else {
        vec![who[..seats].to_vec()]
    };
    let mut all: Vec<Vec<usize>> = Vec::new();
    for lineup in lineups {
        let arrangements = if every || who.len() == 2 {
            permutations(&lineup)
        } else {
            (0..seats)
                .map(|r| (0..seats).map(|s| lineup[(s + r) % seats]).collect())
                .collect()
        };
        for arrangement in arrangements {
            if !all.contains(&arrangement) {
                all.push(arrangement);
            }
        }
    }
    all
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (n, &first) in items.iter().enumerate() {
        if items[..n].contains(&first) {
            continue;
        }
        let mut rest = items.to_vec();
        rest.remove(n);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

/// `count` games: the groups of `seatings` on the seeds, in order; the last group may be cut short.
pub fn schedule(seatings: &[Vec<usize>], seeds: &[u64], count: usize) -> Vec<Game> {
    seeds
        .iter()
        .enumerate()
        .flat_map(|(group, &seed)| seatings.iter().map(move |seating| (group, seed, seating)))
        .take(count)
        .enumerate()
        .map(|(index, (group, seed, seating))| Game {
            index,
            group,
            seed,
            seating: seating.clone(),
        })
        .collect()
}

/// Why a game has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The arena's own trouble: a bot that cannot be started, a referee of ours that failed.
    Arena(String),
    /// An outside referee failed this game; others may go well.
    Referee(Failure),
}

impl From<String> for Lost {
    fn from(why: String) -> Self {
        Self::Arena(why)
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arena(why) => f.write_str(why),
            Self::Referee(failure) => failure.fmt(f),
        }
    }
}

/// What came of one game.
pub type Done = (Game, Result<Played, Lost>);

/// Plays all games but those in `skip`. `done` sees each as it ends, in any order, and stops the run by
/// returning false; games still running then are thrown away. Returns how busy the machine was.
pub fn run(plan: &Plan<'_>, skip: &BTreeSet<usize>, mut done: impl FnMut(Done) -> bool) -> Busy {
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
                            Err(Lost::Arena(format!("the referee panicked: {text}")))
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
pub fn one(plan: &Plan<'_>, game: &Game) -> Result<Played, String> {
    held(plan, game, false).map_err(|lost| lost.to_string())
}

/// Plays one game of a plan as a run of many would: what others did to a bot is no fault of its, unless `strict`.
pub fn fairly(plan: &Plan<'_>, game: &Game) -> Result<Played, String> {
    held(plan, game, !plan.strict).map_err(|lost| lost.to_string())
}

/// What a builtin's own randomness starts from.
pub fn seat_seed(seed: u64, seat: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (seat as u64 + 1)
}

/// Plays one game of a plan; with `excuses` no bot is to blame for what others did to it.
fn held(plan: &Plan<'_>, game: &Game, excuses: bool) -> Result<Played, Lost> {
    if let Some(settings) = plan.adapter.outside() {
        let bots = game.seating.iter().map(|&bot| &plan.bots[bot]);
        let asked = call::Game {
            settings,
            options: &plan.options,
            bots: bots.map(|bot| (bot.name.clone(), bot.command())).collect(),
            seed: game.seed,
        };
        return call::play(&asked).map_err(Lost::Referee);
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
        seats.push(
            bot.seat(plan.adapter, seed, rules)
                .map_err(|e| format!("{e:#}"))?,
        );
    }
    let trace = plan.trace.then(|| {
        let names: Vec<String> = game.seating.iter().map(|&b| plan.bots[b].name.clone()).collect();
        Trace::new(plan.adapter.name(), game.seed, &plan.options, &names)
    });
    play(referee.as_mut(), &mut seats, trace).map_err(Lost::Arena)
}

#[cfg(test)]
mod tests {
    use super::{schedule, seatings};

    #[test]
    fn every_seed_is_played_in_all_seatings() {
        assert_eq!(seatings(&[0, 1], 2, false), [[0, 1], [1, 0]]);
        assert_eq!(seatings(&[0, 1], 4, false).len(), 6);
        assert_eq!(
            seatings(&[0, 1, 2, 3], 4, false),
            [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
        );
        assert_eq!(seatings(&[0, 1, 2, 3], 4, true).len(), 24);
        // Three bots on four seats: each sits in every seat equally often.
        let three = seatings(&[0, 1, 2], 4, false);
        for bot in 0..3 {
            for seat in 0..4 {
                assert_eq!(three.iter().filter(|s| s[seat] == bot).count(), three.len() / 3);
            }
        }
        assert_eq!(seatings(&[5], 2, false), [[5, 5]]);
    }

    #[test]
    fn groups_share_their_seed() {
        let games = schedule(&seatings(&[0, 1], 2, false), &[7, 8, 9], 5);
        assert_eq!(games.len(), 5);
        assert_eq!(
            games.iter().map(|g| (g.group, g.seed)).collect::<Vec<_>>(),
            [(0, 7), (0, 7), (1, 8), (1, 8), (2, 9)]
        );
        assert_eq!(games[3].seating, [1, 0]);
    }
}
