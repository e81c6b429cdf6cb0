//! A thousand nodes on paper: what a sequential test wastes on them, and why its results are taken in the plan's order.
//!
//! Games are drawn, with a length that depends on who wins: a candidate that wins fast brings its wins first, so a test
//! that takes slices as they come sees too many of them early. In the plan's order a test is decided by the same games
//! as on one machine, whatever the nodes do; that is what `exactly_as_on_one_machine` asserts. What it costs is printed
//! by `cargo test --release -p fifty-tools --lib -- --ignored --nocapture a_thousand_nodes`.

use crate::arena::sprt::{Decision, Sprt};
use crate::arena::stats::Samples;
use fifty::kit::rng::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Seconds of a game on a usual node.
const GAME: f64 = 10.0;
/// Seconds to start a slice.
const START: f64 = 1.0;
/// A test looks at its results after so many pairs.
const LOOK: usize = 20;
/// It gives up after so many.
const MOST: usize = 16_000;

/// How a cluster plays.
struct Cluster {
    nodes: usize,
    /// Pairs of a slice.
    pairs: usize,
    /// As `slurm` does it: a slice that takes three times as long as usual and 10 s more is handed in again, and none is
    /// begun that lies more than twice as many slices behind the first open one as there are nodes.
    minded: bool,
}

/// A pair: its result, 0 to 1, and the length of both games in seconds.
fn pair(rng: &mut Rng, win: f32) -> (f64, f64) {
    let mut game = || {
        let x = rng.unit();
        if x < win {
            (1.0, 0.6)
        } else if x < win + 0.2 {
            (0.5, 1.0)
        } else {
            (0.0, 1.4)
        }
    };
    let (one, two) = (game(), game());
    ((one.0 + two.0) / 2.0, (one.1 + two.1) * GAME)
}

/// Start and end of every slice, in seconds, in the order of the plan.
fn schedule(cluster: &Cluster, lengths: &[f64], rng: &mut Rng) -> Vec<(f64, f64)> {
    // Most nodes are about as fast as others; one in fifty is three times as slow.
    let speeds: Vec<f64> = (0..cluster.nodes)
        .map(|n| {
            if n % 50 == 49 {
                3.0
            } else {
                0.9 + 0.2 * f64::from(rng.unit())
            }
        })
        .collect();
    // When each node is free again, in milliseconds.
    let mut free: BinaryHeap<Reverse<(u64, usize)>> = (0..cluster.nodes).map(|n| Reverse((0, n))).collect();
    let usual = START + 2.0 * GAME * cluster.pairs as f64;
    // When all slices before the one of that place are there.
    let mut there: Vec<f64> = vec![0.0];
    lengths
        .chunks(cluster.pairs)
        .enumerate()
        .map(|(place, games)| {
            let Reverse((start, node)) = free.pop().unwrap_or_default();
            let mut start = start as f64 / 1e3;
            if cluster.minded {
                start = start.max(there[(place + 1).saturating_sub(2 * cluster.nodes)]);
            }
            let games: f64 = games.iter().sum();
            // One slice in two hundred hangs.
            let hangs = if rng.below(200) == 0 { 20.0 } else { 1.0 };
            let mut end = start + START + games * speeds[node] * hangs;
            free.push(Reverse(((end * 1e3) as u64, node)));
            if cluster.minded {
                end = end.min(start + 3.0 * usual + 10.0 + START + games);
            }
            there.push(there[place].max(end));
            (start, end)
        })
        .collect()
}

/// Pairs by which a test is decided that takes them in this order, and how.
fn decided(sprt: &Sprt, results: impl Iterator<Item = f64>) -> (usize, Decision) {
    let mut counts = [0u32; 5];
    let mut groups = 0;
    for result in results {
        counts[(result * 4.0) as usize] += 1;
        groups += 1;
        if groups % LOOK == 0 {
            let decision = sprt.decide_by_counts(&counts);
            if decision != Decision::Continue {
                return (groups, decision);
            }
        }
    }
    (groups, Decision::Continue)
}

/// One test on a cluster.
struct Told {
    groups: usize,
    decision: Decision,
    /// When it was decided.
    seconds: f64,
    /// Games begun by then, parts of games counted.
    played: f64,
}

fn told(groups: usize, decision: Decision, times: &[(f64, f64)], seconds: f64, pairs: usize) -> Told {
    let share = |&(start, end): &(f64, f64)| ((seconds - start) / (end - start)).clamp(0.0, 1.0);
    let played = times.iter().map(share).sum::<f64>() * 2.0 * pairs as f64;
    Told {
        groups,
        decision,
        seconds,
        played,
    }
}

/// The same games and nodes, taken in the plan's order and as they come.
fn both(cluster: &Cluster, sprt: &Sprt, win: f32, seed: u64) -> [Told; 2] {
    let mut rng = Rng::new(seed);
    let drawn: Vec<(f64, f64)> = (0..MOST).map(|_| pair(&mut rng, win)).collect();
    let (results, lengths): (Vec<f64>, Vec<f64>) = drawn.into_iter().unzip();
    let times = schedule(cluster, &lengths, &mut rng);
    let (groups, decision) = decided(sprt, results.iter().copied());
    let slices = groups.div_ceil(cluster.pairs);
    let last = times[..slices].iter().map(|t| t.1).fold(0.0, f64::max);
    let planned = told(groups, decision, &times, last, cluster.pairs);
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].1.total_cmp(&times[b].1));
    let own =
        |&slice: &usize| &results[slice * cluster.pairs..((slice + 1) * cluster.pairs).min(results.len())];
    let (groups, decision) = decided(sprt, order.iter().flat_map(own).copied());
    let last = times[order[groups.div_ceil(cluster.pairs) - 1]].1;
    [planned, told(groups, decision, &times, last, cluster.pairs)]
}

#[test]
fn exactly_as_on_one_machine() {
    let sprt = Sprt::new(0.0, 20.0, 2);
    let mut others = 0;
    for seed in 0..4 {
        let run = |nodes, pairs| {
            let cluster = Cluster {
                nodes,
                pairs,
                minded: false,
            };
            both(&cluster, &sprt, 0.4, seed).map(|told| (told.groups, told.decision))
        };
        let [alone, _] = run(1, 1);
        for (nodes, pairs) in [(7, 3), (1_000, 1), (1_000, 10)] {
            let [planned, as_they_come] = run(nodes, pairs);
            assert_eq!(planned, alone);
            others += usize::from(as_they_come != alone);
        }
    }
    assert!(others > 0, "as they come, other games decide");
}

/// The counts say what the samples say.
#[test]
fn counts_are_samples() {
    let sprt = Sprt::new(0.0, 20.0, 2);
    let mut rng = Rng::new(5);
    let mut samples = Samples::default();
    let mut counts = [0; 5];
    for _ in 0..500 {
        let (result, _) = pair(&mut rng, 0.45);
        samples.0.push(result);
        counts[(result * 4.0) as usize] += 1;
        assert_eq!(sprt.decide(&samples), sprt.decide_by_counts(&counts));
    }
}

#[test]
#[ignore = "a minute"]
fn a_thousand_nodes() {
    let sprt = Sprt::new(0.0, 10.0, 2);
    let runs = 400;
    println!("nodes  pairs a slice  minded  order    accepted  groups  seconds  wasted games  of all");
    for (nodes, pairs, minded) in [
        (10, 10, false),
        (10, 10, true),
        (100, 5, false),
        (100, 5, true),
        (1_000, 1, false),
        (1_000, 1, true),
        (1_000, 5, true),
    ] {
        let cluster = Cluster { nodes, pairs, minded };
        let mut sums = [[0.0; 4]; 2];
        for seed in 0..runs {
            for (sum, told) in sums.iter_mut().zip(both(&cluster, &sprt, 0.4, seed)) {
                sum[0] += f64::from(told.decision == Decision::Accept);
                sum[1] += told.groups as f64;
                sum[2] += told.seconds;
                sum[3] += told.played - 2.0 * told.groups as f64;
            }
        }
        for (sum, order) in sums.iter().zip(["plan", "as come"]) {
            let mean = sum.map(|x| x / runs as f64);
            println!(
                "{nodes:5}  {pairs:13}  {:6}  {order:7}  {:6.1} %  {:6.0}  {:7.0}  {:12.0}  {:5.1} %",
                if minded { "yes" } else { "no" },
                mean[0] * 100.0,
                mean[1],
                mean[2],
                mean[3],
                mean[3] / (mean[3] + 2.0 * mean[1]) * 100.0
            );
        }
    }
}
