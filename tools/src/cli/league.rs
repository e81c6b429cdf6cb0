//! `fifty league [GAME…]`: round robin or gauntlet, ratings with intervals.

use super::contest::{Common, Contest};
use super::named::adapters_named;
use super::numbers;
use super::outsider::Outsider;
use super::report;
use super::run::{self, Asked};
use crate::adapter::Adapter;
use crate::arena::ratings::{Ratings, ratings};
use crate::arena::result::{GameResult, Standing, standings};
use crate::arena::schedule::{Game, schedule, seatings};
use crate::arena::stats::mean_interval;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Arguments of `league`.
#[derive(ClapArgs)]
pub struct Args {
    /// Games by name. Default: the one of fifty.toml here, else all.
    #[arg(value_name = "GAME")]
    games_named: Vec<String>,
    #[command(flatten)]
    referee: Outsider,
    /// Who plays, named as in `play`, with `;name=`, `;clock=` and `;grace=` of its own; may be repeated. Default: engine:200, builtin:greedy, builtin:random.
    #[arg(long = "bot")]
    bots: Vec<String>,
    /// Games of every pairing (with more seats: of every choice of that many bots), rounded up to whole groups of seatings.
    #[arg(long, default_value_t = 10, value_parser = numbers::games)]
    games: usize,
    /// Only the first bot against each other one.
    #[arg(long)]
    gauntlet: bool,
    /// With more than two seats: all arrangements instead of rotations.
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Every choice of `size` bots, in order.
fn choices(bots: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (0..bots)
        .flat_map(|last| {
            choices(last, size - 1).into_iter().map(move |mut head| {
                head.push(last);
                head
            })
        })
        .collect()
}

/// The contest of one game and its games, for a plan.
pub fn asked<'a>(args: &Args, common: &'a Common) -> Result<(Contest<'a>, Asked)> {
    let (adapters, names) = who(args)?;
    let [adapter] = adapters[..] else {
        bail!("expected one game by its name, a plan is of one");
    };
    prepare(args, common, adapter, &names)
}

fn prepare<'a>(
    args: &Args,
    common: &'a Common,
    adapter: &'static dyn Adapter,
    names: &[String],
) -> Result<(Contest<'a>, Asked)> {
    let contest = Contest::prepare(common, adapter, names)?;
    let (games, seeds) = games(args, &contest)?;
    let mut spec = contest.spec(&seeds, args.games);
    spec["gauntlet"] = json!(args.gauntlet);
    spec["every"] = json!(args.every);
    Ok((contest, (spec, games)))
}

/// All games of one league.
fn games(args: &Args, contest: &Contest<'_>) -> Result<(Vec<Game>, Vec<u64>)> {
    let (seats, bots) = (contest.seats, contest.bots.len());
    let size = seats.min(bots);
    let mut all: Vec<Game> = Vec::new();
    let mut seeds = Vec::new();
    for who in choices(bots, size) {
        if args.gauntlet && !who.contains(&0) {
            continue;
        }
        let arrangements = seatings(&who, seats, args.every);
        let own = contest.seeds(args.games.div_ceil(arrangements.len()))?;
        let total = all.len() + own.len() * arrangements.len();
        if total > numbers::MOST_GAMES {
            bail!(
                "--games {} of every pairing of {bots} bots: expected {} games in all at most",
                args.games,
                numbers::MOST_GAMES
            );
        }
        let (games, groups) = (all.len(), all.last().map_or(0, |g| g.group + 1));
        all.extend(
            schedule(&arrangements, &own, own.len() * arrangements.len())
                .into_iter()
                .map(|g| Game {
                    index: games + g.index,
                    group: groups + g.group,
                    ..g
                }),
        );
        if own.len() > seeds.len() {
            seeds = own;
        }
    }
    Ok((all, seeds))
}

/// Which games, and the bots as they are named.
fn who(args: &Args) -> Result<(Vec<&'static dyn Adapter>, Vec<String>)> {
    let outside = args.referee.game(args.games_named.first().map(String::as_str))?;
    let adapters = match outside {
        Some(adapter) => vec![adapter],
        None => adapters_named(&args.games_named)?,
    };
    let own = outside
        .and_then(|adapter| adapter.outside())
        .filter(|_| args.bots.is_empty());
    let names: Vec<String> = if let Some(own) = own {
        own.bots.keys().cloned().collect()
    } else if args.bots.is_empty() {
        ["engine:200", "builtin:greedy", "builtin:random"]
            .map(String::from)
            .to_vec()
    } else {
        args.bots.clone()
    };
    if names.len() < 2 {
        bail!("expected two --bot at least");
    }
    Ok((adapters, names))
}

/// Plays and prints. Exit 0: played; 2: could not; 128 and its number after a signal.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (adapters, names) = who(args)?;
    let mut objects = Vec::new();
    let mut interrupted = false;
    for adapter in adapters {
        let (object, stopped) = league(args, adapter, &names)?;
        objects.push(object);
        if stopped {
            interrupted = true;
            break;
        }
    }
    if args.common.json {
        println!("{}", json!({ "leagues": objects }));
    }
    if interrupted {
        return Ok(run::interrupted(&args.common));
    }
    Ok(ExitCode::SUCCESS)
}

/// One game's league: what `--json` prints, and whether a signal stopped it.
fn league(args: &Args, adapter: &'static dyn Adapter, names: &[String]) -> Result<(Value, bool)> {
    let (contest, (spec, games)) = prepare(args, &args.common, adapter, names)?;
    let (seats, count, names) = (contest.seats, contest.bots.len(), &contest.names);
    let leader = |results: &BTreeMap<usize, GameResult>| {
        let rated = ratings(count, results);
        let best = (rated.iter().zip(names)).max_by(|a, b| a.0.elo.value.total_cmp(&b.0.elo.value));
        best.map_or_else(String::new, |(r, name)| format!("{name} leads: Elo {}", r.elo))
    };
    let ran = contest.run("league", &spec, games, leader, |_| false)?;
    let table = standings(names, &ran.results);
    let rated = ratings(count, &ran.results);
    println!("{}: {} games", adapter.name(), ran.results.len());
    print_ratings(&table, &rated);
    if seats == 2 {
        print_cross(names, &ran.results);
    } else {
        print_ranks(names, &ran.results);
    }
    report::standings(&table, seats);
    contest.print_end(&ran, &ran.results);
    println!();
    ran.check()?;
    let object = json!({
        "game": adapter.name(),
        "games": ran.results.len(),
        "bots": table,
        "ratings": rated,
        "failed": ran.failures.len(),
        "scheduling": ran.busy,
        "unreliable": report::unreliable(ran.busy, &contest.bots),
        "interrupted": ran.interrupted,
    });
    Ok((object, ran.interrupted))
}

/// Best first.
fn print_ratings(table: &[Standing], rated: &[Ratings]) {
    let names: Vec<String> = table.iter().map(|s| s.bot.clone()).collect();
    let names = report::shortened(&names, 28).0;
    let mut order: Vec<usize> = (0..table.len()).collect();
    order.sort_by(|&a, &b| rated[b].elo.value.total_cmp(&rated[a].elo.value));
    println!(
        "{:>4}  {:<28} {:>26}  {:>7}  {:>14}  {:>14}  {:>14}",
        "rank", "bot", "Elo (Bradley-Terry, 95 %)", "points", "Weng-Lin", "Glicko-2", "TrueSkill"
    );
    for (place, &n) in order.iter().enumerate() {
        let (s, r) = (&table[n], &rated[n]);
        let name = &names[n];
        let pair = |(rating, deviation): (f64, f64)| format!("{rating:.1} ± {deviation:.1}");
        println!(
            "{:>4}  {name:<28} {:>26}  {:>6.1}%  {:>14}  {:>14}  {:>14}",
            place + 1,
            r.elo.to_string(),
            s.share * 100.0,
            pair(r.weng_lin),
            pair(r.glicko2),
            pair(r.trueskill)
        );
    }
}

/// Points of each bot against each other, in percent.
fn print_cross(names: &[String], results: &BTreeMap<usize, GameResult>) {
    let n = names.len();
    let mut cells = vec![vec![(0.0, 0u32); n]; n];
    for result in results.values() {
        let (a, b) = (result.seating[0], result.seating[1]);
        for (me, other, points) in [(a, b, result.points[0]), (b, a, result.points[1])] {
            cells[me][other].0 += points;
            cells[me][other].1 += 1;
        }
    }
    let short = report::shortened(names, 28).0;
    println!("points in percent, row against column:");
    for (me, row) in cells.iter().enumerate() {
        print!("  {:<28}", short[me]);
        for (points, games) in row {
            if *games == 0 {
                print!("{:>7}", "-");
            } else {
                print!("{:>7.1}", points / f64::from(*games) * 100.0);
            }
        }
        println!();
    }
}

/// More than two seats: mean rank and mean score with their 95 % intervals; the games of a group share their
/// luck, so a group is one number.
fn print_ranks(names: &[String], results: &BTreeMap<usize, GameResult>) {
    println!("rank (1 best) and score, means with 95 % intervals:");
    for (bot, name) in report::shortened(names, 28).0.iter().enumerate() {
        let mut groups: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
        for result in results.values() {
            for (seat, _) in result.seating.iter().enumerate().filter(|(_, b)| **b == bot) {
                let own = result.scores[seat];
                let better = result.scores.iter().filter(|s| **s > own).count();
                let equal = result.scores.iter().filter(|s| **s == own).count();
                let rank = better as f64 + (equal as f64 + 1.0) / 2.0;
                groups.entry(result.group).or_default().push((rank, own));
            }
        }
        let means = |of: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            (groups.values())
                .map(|group| group.iter().map(of).sum::<f64>() / group.len() as f64)
                .collect()
        };
        println!(
            "  {name:<28} rank {}  score {}",
            mean(&means(|x| x.0)),
            mean(&means(|x| x.1))
        );
    }
}

fn mean(values: &[f64]) -> String {
    let (mean, half) = mean_interval(values);
    format!("{mean:.2} ± {half:.2}")
}

#[cfg(test)]
mod tests {
    use super::choices;

    #[test]
    fn every_pairing_once() {
        assert_eq!(choices(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(choices(5, 4).len(), 5);
        assert_eq!(choices(4, 4), [[0, 1, 2, 3]]);
    }
}
