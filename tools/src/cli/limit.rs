//! `fifty limit GAME`: today's bot against itself with more time, or more work: what more speed would still be worth.

use super::contest::{Common, Contest};
use super::named::{adapter_named, answer_clock};
use super::numbers;
use super::report;
use super::run;
use crate::arena::result::{Measure, group_samples, standings};
use crate::arena::schedule::{schedule, seatings};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `limit`.
#[derive(ClapArgs)]
pub struct Args {
    /// Game by name.
    game: String,
    /// Fixed work an answer instead of the clock: iterations as `engine:N` has them.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    work: Option<u64>,
    /// How much more the other side gets.
    #[arg(long, value_delimiter = ',', default_values_t = [2, 5, 20], value_parser = clap::value_parser!(u64).range(1..=10_000))]
    times: Vec<u64>,
    /// Games against each.
    #[arg(long, default_value_t = 100, value_parser = numbers::games)]
    games: usize,
    #[command(flatten)]
    common: Common,
}

/// Plays and prints one table. Exit 0: played; 2: could not; 128 and its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapter = adapter_named(&args.game)?;
    let shared = adapter.game_clock(&args.common.setup(adapter)?);
    let (base, unit, own) = match args.work {
        Some(0) => bail!("--work 0: expected iterations above zero"),
        Some(work) => (format!("engine:{work}"), "", work),
        None => {
            let Some((_, later)) = answer_clock(adapter, shared)? else {
                bail!("{}: its engine has no clock; give --work N", adapter.name());
            };
            let own = later.as_millis().max(1) as u64;
            let base = shared.map_or_else(|| "engine".to_owned(), |_| format!("engine:{own}ms"));
            (base, "ms", own)
        }
    };
    let mut rows = Vec::new();
    let mut stopped = false;
    for &times in &args.times {
        let more = own.checked_mul(times).filter(|_| times > 0);
        let more = more.with_context(|| format!("--times {times}: expected a factor above zero"))?;
        let mut common = args.common.clone();
        if args.work.is_none() {
            // Both keep their own time; the judge's would end the longer one's games.
            let (first, _) = adapter.limits();
            common.clock = Some(first.max(Duration::from_millis(more)) * 2);
            if let Some((_, answers)) = shared {
                // So long that no bot is held back by what the judge's clock has left: each takes its own time.
                let all = more.saturating_mul(answers).saturating_mul(8);
                common.options.retain(|option| !option.starts_with("clock_ms="));
                common.options.push(format!("clock_ms={all}"));
            }
        }
        let names = [format!("engine:{more}{unit}"), base.clone()];
        let contest = Contest::prepare(&common, adapter, &names)?;
        let arrangements = seatings(&[0, 1], contest.seats, false);
        let seeds = contest.seeds(args.games.div_ceil(arrangements.len()))?;
        let mut spec = contest.spec(&seeds, args.games);
        spec["times"] = times.into();
        let games = schedule(&arrangements, &seeds, args.games);
        let ran = contest.run("limit", &spec, games, |_| format!("{times} times"), |_| false)?;
        let table = standings(&contest.names, &ran.results);
        let samples = group_samples(&ran.results, 0, 1, arrangements.len(), Measure::Points);
        let strong = &table[0];
        rows.push(format!(
            "| {times} | {} | {} {} {} | {:.1} % | {} | {:.1} ms, {:.1} ms |",
            ran.results.len(),
            strong.wins,
            strong.draws,
            strong.losses,
            strong.share * 100.0,
            samples.elo(),
            strong.times.p50,
            table[1].times.p50
        ));
        report::repeats(&ran.results);
        if ran.interrupted {
            stopped = true;
            break;
        }
    }
    let what = match args.work {
        Some(work) => format!("{work} iterations an answer"),
        None if shared.is_some() => format!("an even share of its clock ({own} ms an answer)"),
        None => format!("its own clock ({own} ms an answer)"),
    };
    println!(
        "{}: today's bot with more against itself at {what}",
        adapter.name()
    );
    println!("| times | games | W D L | score | Elo (95 %) | median answers |");
    println!("|---|---|---|---|---|---|");
    for row in rows {
        println!("{row}");
    }
    Ok(if stopped {
        run::interrupted(&args.common)
    } else {
        ExitCode::SUCCESS
    })
}
