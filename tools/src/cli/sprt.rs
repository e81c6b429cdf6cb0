//! `fifty sprt GAME --candidate BOT --base BOT`: is the candidate better?

use super::contest::{Common, Contest};
use super::numbers;
use super::outsider::Which;
use super::play::{live, verdict};
use super::report;
use super::run::{self, Asked};
use crate::arena::result::{GameResult, Measure, group_samples, repeats, standings};
use crate::arena::schedule::{schedule, seatings};
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::stats::{Samples, signed};
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Arguments of `sprt`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// The bot that may be better; named as in `play`, with `;name=`, `;clock=` and `;grace=` of its own.
    #[arg(long)]
    candidate: String,
    /// The bot it is measured against.
    #[arg(long)]
    base: String,
    /// Normalised Elo of the null hypothesis.
    #[arg(long, default_value_t = Sprt::DEFAULT.0, allow_negative_numbers = true, value_parser = numbers::finite)]
    elo0: f64,
    /// Normalised Elo of the alternative.
    #[arg(long, default_value_t = Sprt::DEFAULT.1, allow_negative_numbers = true, value_parser = numbers::finite)]
    elo1: f64,
    /// Most games; without a decision by then the test is inconclusive.
    #[arg(long, default_value_t = 4_000, value_parser = numbers::games)]
    games: usize,
    #[command(flatten)]
    pub common: Common,
}

/// The decision over the groups in their order: the first one that is not `Continue` holds.
struct Watch {
    sprt: Sprt,
    /// Groups looked at so far; those of the decision, once there is one.
    groups: usize,
    decision: Decision,
}

impl Watch {
    fn look(&mut self, samples: &Samples) -> Decision {
        while self.decision == Decision::Continue && self.groups < samples.0.len() {
            self.groups += 1;
            self.decision = self.sprt.decide(&samples.head(self.groups));
        }
        self.decision
    }
}

/// The contest and its games, for a plan.
pub fn asked<'a>(args: &Args, common: &'a Common) -> Result<(Contest<'a>, Asked)> {
    if args.elo1 <= args.elo0 {
        bail!("--elo1 {}: expected more than --elo0 {}", args.elo1, args.elo0);
    }
    let names = [args.candidate.clone(), args.base.clone()];
    let contest = Contest::prepare(common, args.which.game()?, &names)?;
    let arrangements = seatings(&[0, 1], contest.seats, false);
    let group = arrangements.len();
    let seeds = contest.seeds(args.games / group)?;
    let mut spec = contest.spec(&seeds, args.games);
    spec["elo"] = json!([args.elo0, args.elo1]);
    let games = schedule(&arrangements, &seeds, seeds.len() * group);
    Ok((contest, (spec, games)))
}

/// Plays until the test has decided. Exit 0: accepted; 1: rejected or inconclusive; 2: could not play; 128 and
/// its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    let common = &args.common;
    let (contest, (spec, games)) = asked(args, common)?;
    let (adapter, seats) = (contest.adapter, contest.seats);
    let group = seatings(&[0, 1], seats, false).len();
    let sprt = Sprt::new(args.elo0, args.elo1, group);
    let measure = Measure::of(seats);
    let samples = |results: &BTreeMap<usize, GameResult>| {
        let samples = group_samples(results, 0, 1, group, measure);
        samples.head(contest.settled(results, group))
    };
    let mut watch = Watch {
        sprt,
        groups: 0,
        decision: Decision::Continue,
    };
    let text = |results: &BTreeMap<usize, GameResult>| {
        let samples = samples(results);
        format!(
            "{} LLR {}",
            live(results, &samples),
            signed(sprt.llr(&samples), 2)
        )
    };
    let ran = contest.run("sprt", &spec, games, text, |results| {
        let samples = samples(results);
        watch.look(&samples) != Decision::Continue || sprt.is_hopeless(&samples)
    })?;
    let all = samples(&ran.results);
    let decision = watch.look(&all);
    let groups = watch.groups;
    // Games that ended after the deciding one do not count.
    let counted = all.head(groups);
    let mut order: Vec<usize> = ran.results.values().map(|r| r.group).collect();
    order.dedup();
    let last = groups.checked_sub(1).and_then(|n| order.get(n)).copied();
    let results: BTreeMap<usize, GameResult> = (ran.results.iter())
        .filter(|(_, r)| last.is_some_and(|last| r.group <= last))
        .map(|(n, r)| (*n, r.clone()))
        .collect();
    let table = standings(&contest.names, &results);
    let (low, high) = sprt.bounds();
    println!(
        "{}: {} games, {groups} groups of {group}",
        adapter.name(),
        results.len()
    );
    report::standings(&table, seats);
    println!("{}", verdict(&contest.names[0], &counted, group));
    println!(
        "SPRT of normalised Elo {} against {}: LLR {} [{low:+.2}, {high:+.2}]: {}",
        args.elo0,
        args.elo1,
        signed(sprt.llr(&counted), 2),
        match decision {
            Decision::Accept => "accepted",
            Decision::Reject => "rejected",
            Decision::Continue if ran.interrupted => "not decided yet",
            Decision::Continue => "inconclusive",
        }
    );
    contest.print_end(&ran, &results);
    if common.json {
        println!(
            "{}",
            json!({
                "game": adapter.name(),
                "games": results.len(),
                "decision": decision,
                "llr": sprt.llr(&counted),
                "bounds": [low, high],
                "sprt": sprt,
                "elo": counted.elo(),
                "normalised_elo": counted.normalised_elo(group),
                "los": counted.los(),
                "pentanomial": counted.pentanomial(),
                "repeats": repeats(&results).len(),
                "bots": table,
                "failed": ran.failures.len(),
                "scheduling": ran.busy,
                "unreliable": report::unreliable(ran.busy, &contest.bots),
                "interrupted": ran.interrupted,
            })
        );
    }
    if ran.interrupted {
        return Ok(run::interrupted(common));
    }
    ran.check()?;
    Ok(if decision == Decision::Accept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
