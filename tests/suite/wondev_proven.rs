//! Proven positions of league 0 (`tests/data/wondev/proven.txt`): how they were made, and that they are right.

use crate::wondev_oracle::{Act, Oracle};
use fifty::games::wondev::policy::Opinion;
use fifty::games::wondev::search::Search;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::proven::Proven;
use fifty::games::wondev::unshipped::setup::{start, Setup};
use fifty::games::wondev::weights::Weights;
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::WON;
use fifty::search::game::Game;
use fifty::search::proof::Prover;
use std::fmt::Write;

const TEXT: &str = include_str!("../data/wondev/proven.txt");

/// The positions' lines.
fn lines() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#'))
}

/// The oracle of a line, told by its text alone.
fn oracle_of(line: &str) -> Oracle {
    let words: Vec<&str> = line.split(' ').collect();
    let grid = words[0]
        .split('/')
        .map(|row| row.chars().map(|c| c.to_digit(10).map(|h| h as i32)).collect())
        .collect();
    let unit = |text: &str| {
        let digit = |k| i32::from(text.as_bytes()[k] - b'0');
        vec![(digit(0), digit(1))]
    };
    Oracle {
        league: 0,
        ends_at_once: true,
        grid,
        units: [unit(words[1]), unit(words[2])],
        points: [0; 2],
        dead: [false; 2],
        turn: 0,
        rounds: 0,
        over: false,
    }
}

/// Every line is read and written as it stands, and the slow rules agree: its moves are legal, and who is said to win does.
#[test]
fn the_lines_are_legal_and_end_as_they_say() {
    const NAMES: [&str; 8] = ["E", "N", "NE", "NW", "S", "SE", "SW", "W"];
    let mut won = 0;
    for line in lines() {
        let proven = Proven::parse(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(proven.to_string(), line);
        won += u32::from(proven.won);
        let mut oracle = oracle_of(line);
        let digits = line.split(' ').next_back().expect("a line").as_bytes();
        for pair in digits.chunks(2) {
            assert!(!oracle.over, "{line}: goes on behind its end");
            let [first, second] = [0, 1].map(|k| NAMES[usize::from(pair[k] - b'0')]);
            let act = Act {
                push: false,
                unit: 0,
                first,
                second,
            };
            assert!(oracle.legal().contains(&act), "{line}: {}", act.text());
            oracle.play(Some(&act));
        }
        if !oracle.over {
            assert!(oracle.legal().is_empty(), "{line}: is not at its end");
            oracle.play(None);
        }
        let [mine, other] = oracle.scores();
        assert_eq!(mine > other, proven.won, "{line}");
    }
    let all = lines().count() as u32;
    assert!(
        all >= 2_000 && won > all / 4 && won < all * 3 / 4,
        "{won} of {all}"
    );
}

/// Whether the oracle's side to move wins, within `plies`; `None`: not decided within them.
fn slow(oracle: &Oracle, plies: u32) -> Option<bool> {
    let legal = oracle.legal();
    if plies == 0 && !legal.is_empty() {
        return None;
    }
    let mut all = true;
    for act in &legal {
        let mut child = oracle.clone();
        child.play(Some(act));
        let value = if child.over {
            Some(false)
        } else {
            slow(&child, plies - 1)
        };
        match value {
            Some(false) => return Some(true),
            Some(true) => {}
            None => all = false,
        }
    }
    all.then_some(false)
}

/// Three plies before the end the slow rules, which look at everything, never find that the winner loses, and mostly that
/// the end is forced by then. (A loser that sees all is lost need not last as long as it could.)
#[test]
fn the_slow_rules_find_the_last_plies() {
    let (mut checked, mut forced) = (0, 0);
    for line in lines().step_by(61) {
        let proven = Proven::parse(line).expect("a line");
        let plies = proven.line.len();
        // The winner makes the last move, a climb or one that leaves no move, unless the other blocked itself.
        let mut oracle = oracle_of(line);
        if (plies % 2 == 1) != proven.won || plies < 3 {
            continue;
        }
        let mut state = proven.state;
        for &m in &proven.line[..plies - 3] {
            let text = state.action(m);
            let act = oracle.legal().into_iter().find(|act| act.text() == text);
            oracle.play(act.as_ref());
            state.play(m);
        }
        let found = slow(&oracle, 3);
        assert_ne!(found, Some(false), "{line}");
        forced += u32::from(found == Some(true));
        checked += 1;
    }
    assert!(checked > 10 && 2 * forced > checked, "{forced} of {checked}");
}

/// A search of its own without the prover, so that what is measured does not choose.
fn plain(bits: u32) -> Search {
    let mut weights = Weights::DEFAULT;
    (weights.prove_root, weights.prove_best) = (0, 0);
    Search::new(weights, bits)
}

fn think(search: &mut Search, state: &State, work: u64) -> (i32, Move) {
    let report = search.think(state, &state.legal(), Limit::work(work));
    (report.value, report.best.unwrap_or(Move::DEFEAT))
}

/// The same position with player 0 to move.
fn turned(state: &State) -> State {
    let me = state.mover();
    let units = [state.units(me), state.units(1 - me)];
    let level = [0, 1, 2, 3].map(|k| state.level(k));
    State::new(League::Climb, Flow::Turn, state.cells(), level, units, 0)
}

/// Proves a position and plays it to its end: proven moves against the search's.
fn prove(state: State, prover: &mut Prover<Move>, work: u64) -> Option<Proven> {
    let mut opinion = Opinion::new(Weights::DEFAULT);
    opinion.face(&state);
    let won = prover.prove(&mut opinion, &state, 0, Limit::work(work))?;
    let mut search = plain(14);
    let mut line = Vec::new();
    let mut then = state;
    while !then.is_over() && then.can_act() {
        let mut best = None;
        if (then.mover() == 0) == won {
            prover.prove(&mut opinion, &then, 0, Limit::work(work))?;
            best = then.legal().into_iter().find(|&m| {
                let mut child = then;
                child.play(m);
                let plain = child.is_over() && child.winner() == Some(then.mover());
                plain || prover.known(&opinion, &child) == Some(won)
            });
            if best.is_none() {
                // The rules settled it before it was searched.
                best = Some(think(&mut search, &then, 20_000))
                    .filter(|e| e.0 >= WON)
                    .map(|e| e.1);
                best?;
            }
        }
        let m = best.unwrap_or_else(|| think(&mut search, &then, 2_000).1);
        line.push(m);
        then.play(m);
    }
    Some(Proven { state, won, line })
}

/// Prints how many of the positions the search settles at the work of the clock, with its prover and without.
#[test]
#[ignore = "a measurement: ten minutes in an unoptimised build"]
fn solved() {
    let work = std::env::var("FIFTY_ITERATIONS").map_or(150_000, |n| n.parse().expect("a number"));
    for prover in [false, true] {
        let (mut solved, mut wrong, mut all, mut nodes) = ([0; 2], 0, [0; 2], 0);
        for line in lines() {
            let Proven { state, won, .. } = Proven::parse(line).expect("a line");
            let mut search = if prover {
                Search::new(Weights::DEFAULT, 18)
            } else {
                plain(18)
            };
            let report = search.think(&state, &state.legal(), Limit::work(work));
            nodes += report.nodes;
            let said = report.value.abs() >= WON;
            all[usize::from(won)] += 1;
            solved[usize::from(won)] += u32::from(said && (report.value > 0) == won);
            wrong += u32::from(said && (report.value > 0) != won);
        }
        println!(
            "{work} nodes, prover {prover}: won {} of {}, lost {} of {}, {wrong} wrong, {:.1} %, {nodes} nodes in all",
            solved[1],
            all[1],
            solved[0],
            all[0],
            100.0 * f64::from(solved[0] + solved[1]) / f64::from(all[0] + all[1])
        );
    }
}

/// Makes the positions: games of the bot against itself at 4,000 nodes after up to six drawn moves; of each, three places
/// 10 to 22 plies before its end that 2,000 nodes do not settle and 10,000,000 positions of the prover do.
#[test]
#[ignore = "takes ten minutes and writes a file"]
fn make() {
    let out = std::env::var("FIFTY_PROVEN").expect("FIFTY_PROVEN=FILE to write");
    let wanted = 2_100;
    let (mut games, mut small) = (plain(16), plain(14));
    let mut prover = Prover::new(1 << 18, 1 << 12);
    let (mut found, mut open, mut easy) = (0, 0, 0);
    let mut text = String::new();
    for seed in 0.. {
        let mut rng = Rng::new(seed);
        let (mut state, _) = start(&Setup::new(League::Climb, Flow::Turn, seed as i64));
        let drawn = rng.below(7) as usize;
        let mut past: Vec<State> = Vec::new();
        while !state.is_over() && state.can_act() {
            past.push(state);
            let list = state.legal();
            let any = list[rng.below(list.len() as u32) as usize];
            state.play(if past.len() <= drawn {
                any
            } else {
                think(&mut games, &state, 4_000).1
            });
        }
        let mut left: Vec<usize> = (10..=22).collect();
        for _ in 0..3 {
            let left = left.swap_remove(rng.below(left.len() as u32) as usize);
            let Some(at) = past.len().checked_sub(left).filter(|&at| at >= drawn) else {
                continue;
            };
            let state = turned(&past[at]);
            if think(&mut small, &state, 2_000).0.abs() >= WON {
                easy += 1;
                continue;
            }
            prover.clear();
            match prove(state, &mut prover, 10_000_000) {
                Some(proven) => {
                    found += 1;
                    writeln!(text, "{proven}").expect("a string");
                }
                None => open += 1,
            }
        }
        if seed % 50 == 49 || found >= wanted {
            println!("{} games: {found} proven, {open} open, {easy} easy", seed + 1);
            let head = "# Proven positions of league 0; form: src/games/wondev/unshipped/proven.rs, making: tests/suite/wondev_proven.rs.\n";
            std::fs::write(&out, format!("{head}{text}")).expect("a file to write");
        }
        if found >= wanted {
            return;
        }
    }
}
