//! Rails: two sets of numbers play each other, and what they did is counted per map size.
//!
//! Run by hand:
//! `RAILS=60,calm=1:60 cargo test -p fifty --test suite rails_sizes -- --ignored --nocapture`
//! Both seats of every map; `RAILS_GAMES`, `RAILS_SEED`, `RAILS_INK` (threshold), `RAILS_TOWNS` (`5,6`: only these).

use crate::rails::asked;
use fifty::games::rails::bot::Bot;
use fifty::games::rails::cells::Cell;
use fifty::games::rails::map::{Map, Rules};
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::weights::Weights;
use fifty::kit::bits::Bits;
use fifty::kit::clock::Budget;
use std::collections::BTreeMap;

/// Turns that idle ones and paint are counted in.
const EARLY: u8 = 40;
/// Turn at which the income that can be inked is looked at.
const LOOK: u8 = 30;

/// Sums over games of one player.
#[derive(Clone, Copy, Default)]
struct Sums {
    points: f64,
    idle: u32,
    paint: u32,
    hits: f64,
    /// Hits on regions that were not inked, or whose inking moved no income.
    void: f64,
    /// Net income a turn that hits brought.
    income: f64,
    /// Income at [`LOOK`], and the part of it in cells that can be washed away.
    pays: u32,
    open: u32,
    /// Connections taken over by another way of the same length, and the net income of that.
    ties: u32,
    tied: i32,
    score: u64,
}

/// What one seat's income at this board is, and how much of it can be washed away.
fn exposed(map: &Map, state: &State, seat: usize) -> (u32, u32) {
    let (mut pays, mut open) = (0, 0);
    for w in 0..map.wishes.len() {
        for cell in state.path(map, w) {
            if state.tracks[seat].has(cell) && !state.tracks[1 - seat].has(cell) {
                pays += 1;
                open += u32::from(!map.immune(map.region[cell.index()]));
            }
        }
    }
    (pays, open)
}

fn net(state: &State, seat: usize) -> f64 {
    f64::from(state.income[seat]) - f64::from(state.income[1 - seat])
}

/// One game; sums of the seats.
fn game(map: &Map, bots: &mut [Bot; 2]) -> [Sums; 2] {
    let mut state = State::new();
    let mut sums = [Sums::default(); 2];
    let mut hits = vec![[0u32; 2]; map.regions.len()];
    while !state.is_over() {
        let plans = [0, 1].map(|seat| resolve(map, &state, &asked(&mut bots[seat], map, &state, seat)).plan);
        let before = state;
        for (seat, plan) in plans.iter().enumerate() {
            let placed = plan.cells.iter().filter(|&&c| c != Cell::NONE);
            let paint: u32 = placed.map(|c| u32::from(map.cost[c.index()])).sum();
            if state.turn < EARLY {
                sums[seat].idle += u32::from(paint == 0);
                sums[seat].paint += paint;
            }
            if plan.region != Plan::NO_REGION {
                hits[usize::from(plan.region)][seat] += 1;
                sums[seat].hits += 1.0;
            }
        }
        state.play(map, &plans);
        let inked = state.inked & !before.inked;
        if inked != 0 {
            let mut dry = before;
            dry.play(
                map,
                &plans.map(|plan| Plan {
                    region: Plan::NO_REGION,
                    ..plan
                }),
            );
            for region in Bits(inked) {
                let hits = hits[region as usize];
                let share = f64::from(hits[0] + hits[1]) * f64::from(inked.count_ones());
                for seat in 0..2 {
                    let brought = net(&state, seat) - net(&dry, seat);
                    sums[seat].income += brought * f64::from(hits[seat]) / share;
                    if brought != 0.0 {
                        sums[seat].void -= f64::from(hits[seat]);
                    }
                }
            }
        }
        for (old, new) in before.links.iter().zip(&state.links).take(map.wishes.len()) {
            if old.length == 0 || old.length != new.length || old.regions & inked != 0 {
                continue;
            }
            let won = |s: usize| i32::from(new.pays[s]) - i32::from(old.pays[s]);
            let gain = won(0) - won(1);
            let seat = usize::from(gain < 0);
            sums[seat].ties += u32::from(gain != 0);
            sums[seat].tied += gain.abs();
        }
        if state.turn == LOOK {
            for (seat, sums) in sums.iter_mut().enumerate() {
                (sums.pays, sums.open) = exposed(map, &state, seat);
            }
        }
    }
    for (seat, sums) in sums.iter_mut().enumerate() {
        sums.void += sums.hits;
        sums.score = u64::from(state.scores[seat]);
        sums.points = match state.scores[seat].cmp(&state.scores[1 - seat]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
    }
    sums
}

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// `60,calm=1`
fn player(text: &str) -> Bot {
    let mut parts = text.split(',');
    let work = parts.next().and_then(|n| n.parse().ok()).expect("work first");
    let mut weights = Weights::DEFAULT;
    for part in parts {
        let (name, value) = part.split_once('=').expect("name=value");
        assert!(weights.set(name, value.parse().expect("a number")), "{name}");
    }
    Bot::new(Budget::Work(work), weights, 0)
}

fn add(all: &mut Sums, one: &Sums) {
    all.points += one.points;
    all.idle += one.idle;
    all.paint += one.paint;
    all.hits += one.hits;
    all.void += one.void;
    all.income += one.income;
    all.pays += one.pays;
    all.open += one.open;
    all.ties += one.ties;
    all.tied += one.tied;
    all.score += one.score;
}

/// The diagnosis of a pairing.
#[test]
#[ignore = "as many games as asked for"]
fn rails_by_size() {
    let pair = setting("RAILS", "60:60");
    let (a, b) = pair.split_once(':').expect("RAILS=FIRST:SECOND");
    let games: usize = setting("RAILS_GAMES", "20").parse().expect("RAILS_GAMES");
    let ink_threshold = setting("RAILS_INK", "3").parse().expect("RAILS_INK");
    let wanted = setting("RAILS_TOWNS", "");
    let rules = Rules {
        ink_threshold,
        town_regions_disruptable: false,
    };
    let mut seed: i64 = setting("RAILS_SEED", "400000").parse().expect("RAILS_SEED");
    let mut sizes: BTreeMap<usize, (usize, [Sums; 2])> = BTreeMap::new();
    let mut played = 0;
    while played < games {
        let map = generate(seed, true, rules);
        seed += 1;
        let towns = map.towns.len();
        if !wanted.is_empty() && !wanted.split(',').any(|n| n == towns.to_string()) {
            continue;
        }
        for swap in 0..2 {
            let mut bots = [player(a), player(b)];
            bots.rotate_right(swap);
            let mut sums = game(&map, &mut bots);
            sums.rotate_right(swap);
            for size in [towns, 99] {
                let entry = sizes.entry(size).or_default();
                entry.0 += 1;
                for (all, one) in entry.1.iter_mut().zip(&sums) {
                    add(all, one);
                }
            }
            played += 1;
        }
    }
    println!("{pair}, threshold {ink_threshold}; of the first, then of the second; 99: all sizes");
    println!("towns games points% | idle and paint of turns 1-{EARLY} | void of hits, income a hit | inkable% | ties, net");
    for (size, (n, sums)) in sizes {
        let n = n as f64;
        print!("{size:5} {n:5} {:7.1}", 100.0 * sums[0].points / n);
        for s in sums {
            print!(
                " | {:4.1} {:5.1} | {:4.1} of {:4.1} {:+5.2} | {:4.1} | {:4.1} {:+5.1} | {:6.0}",
                f64::from(s.idle) / n,
                f64::from(s.paint) / n,
                s.void / n,
                s.hits / n,
                s.income / s.hits.max(1.0),
                100.0 * f64::from(s.open) / f64::from(s.pays).max(1.0),
                f64::from(s.ties) / n,
                f64::from(s.tied) / n,
                s.score as f64 / n,
            );
        }
        println!();
    }
}
