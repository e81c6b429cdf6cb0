//! `fifty league [GAME…]`: round robin or gauntlet, ratings with intervals.

use super::contest::{self, Common, Recorder, adapter_named};
use crate::adapter::Adapter;
use crate::arena::matches::{Game, schedule, seatings};
use crate::arena::ratings::{Ratings, ratings};
use crate::arena::result::{GameResult, Standing, standings};
use crate::arena::stats::mean_interval;
use crate::games::adapters;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `league`.
#[derive(ClapArgs)]
pub struct Args {
    /// Games by name. Default: all.
    #[arg(value_name = "GAME")]
    games_named: Vec<String>,
    /// Who plays, named as in `play`; may be repeated. Default: engine:200, builtin:greedy, builtin:random.
    #[arg(long = "bot")]
    bots: Vec<String>,
    /// Games of every pairing (with more seats: of every choice of that many bots), rounded up to whole groups of seatings.
    #[arg(long, default_value_t = 10)]
    games: usize,
    /// Only the first bot against each other one.
    #[arg(long)]
    gauntlet: bool,
    /// With more than two seats: all arrangements instead of rotations.
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    common: Common,
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

/// All games of one league.
fn games(args: &Args, seats: usize, bots: usize) -> Result<(Vec<Game>, Vec<u64>)> {
    let size = seats.min(bots);
    let mut all: Vec<Game> = Vec::new();
    let mut seeds = Vec::new();
    for who in choices(bots, size) {
        if args.gauntlet && !who.contains(&0) {
            continue;
        }
        let arrangements = seatings(&who, seats, args.every);
        let own = args.common.seeds(args.games.div_ceil(arrangements.len()))?;
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

/// Plays and prints. Exit 0: played; 2: could not.
pub fn run(args: &Args) -> Result<ExitCode> {
    let adapters: Vec<&'static dyn Adapter> = if args.games_named.is_empty() {
        adapters().to_vec()
    } else {
        args.games_named
            .iter()
            .map(|name| adapter_named(name))
            .collect::<Result<_>>()?
    };
    let names: Vec<String> = if args.bots.is_empty() {
        ["engine:200", "builtin:greedy", "builtin:random"]
            .map(String::from)
            .to_vec()
    } else {
        args.bots.clone()
    };
    if names.len() < 2 {
        bail!("expected two --bot at least");
    }
    let file = args
        .common
        .results
        .clone()
        .unwrap_or_else(|| PathBuf::from(contest::RESULTS));
    let mut objects = Vec::new();
    for adapter in adapters {
        objects.push(league(args, adapter, &names, &file)?);
    }
    if args.common.json {
        println!("{}", json!({ "leagues": objects }));
    }
    Ok(ExitCode::SUCCESS)
}

fn league(args: &Args, adapter: &'static dyn Adapter, names: &[String], file: &Path) -> Result<Value> {
    let options = args.common.setup(adapter)?;
    let bots = contest::bots(names, adapter)?;
    let seats = adapter.seats(&options);
    let (games, seeds) = games(args, seats, bots.len())?;
    let mut spec = args.common.spec(&bots, &options, &seeds, args.games);
    spec["gauntlet"] = json!(args.gauntlet);
    spec["every"] = json!(args.every);
    let recorder = Recorder::open(Some(file), "league", adapter, &spec, args.common.resume)?;
    let plan = args.common.plan(adapter, options, &bots, games, true);
    let ran = contest::run_plan(&plan, &recorder, |results| {
        let leader = ratings(bots.len(), results)
            .into_iter()
            .zip(names)
            .max_by(|a, b| a.0.elo.value.total_cmp(&b.0.elo.value));
        let text = leader.map_or_else(String::new, |(r, name)| format!("{} leads: Elo {}", name, r.elo));
        (format!("{}: {text}", adapter.name()), false)
    })?;
    let table = standings(names, &ran.results);
    let rated = ratings(names.len(), &ran.results);
    println!("{}: {} games", adapter.name(), ran.results.len());
    print_ratings(&table, &rated);
    if seats == 2 {
        print_cross(names, &ran.results);
    } else {
        print_ranks(names, &ran.results);
    }
    contest::print_standings(&table, seats);
    contest::print_faults(&ran.results, names);
    contest::print_busy(ran.busy, &bots);
    recorder.print_where(Some(file))?;
    println!();
    Ok(json!({
        "game": adapter.name(),
        "games": ran.results.len(),
        "bots": table,
        "ratings": rated,
        "scheduling": ran.busy,
        "unreliable": contest::unreliable(ran.busy, &bots),
    }))
}

/// Best first.
fn print_ratings(table: &[Standing], rated: &[Ratings]) {
    let mut order: Vec<usize> = (0..table.len()).collect();
    order.sort_by(|&a, &b| rated[b].elo.value.total_cmp(&rated[a].elo.value));
    println!(
        "{:>4}  {:<28} {:>26}  {:>7}  {:>14}  {:>14}  {:>14}",
        "rank", "bot", "Elo (Bradley-Terry, 95 %)", "points", "Weng-Lin", "Glicko-2", "TrueSkill"
    );
    for (place, &n) in order.iter().enumerate() {
        let (s, r) = (&table[n], &rated[n]);
        let name: String = s.bot.chars().take(28).collect();
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
    println!("points in percent, row against column:");
    for (me, row) in cells.iter().enumerate() {
        let name: String = names[me].chars().take(28).collect();
        print!("  {name:<28}");
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
    for (bot, name) in names.iter().enumerate() {
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
        let name: String = name.chars().take(28).collect();
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
