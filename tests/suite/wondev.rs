//! wondev: the fast simulator against its slow oracle, perft tables, recorded games, conformance.

use crate::conformance;
use crate::recorded::records;
use crate::wondev_oracle::{Act, Oracle};
use fifty::games::wondev::board::Sq;
use fifty::games::wondev::rules::Perft;
use fifty::games::wondev::state::{Flow, League, Move, State};
use fifty::games::wondev::unshipped::setup::{start, Map, Setup};
use fifty::kit::cpu;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use serde_json::Value;
use std::fmt::Write;

const LEAGUES: [League; 4] = [League::Climb, League::Points, League::Push, League::Fog];

fn setup(league: League, seed: i64) -> Setup {
    Setup {
        league,
        flow: if seed % 3 == 0 { Flow::Round } else { Flow::Turn },
        seed,
        map: None,
        symmetric: seed % 5 == 0,
    }
}

/// The oracle of a fast position, through text alone.
fn oracle_of(state: &State, flow: Flow, size: u8) -> Oracle {
    let grid = (0..size)
        .map(|y| {
            (0..size)
                .map(|x| {
                    let sq = Sq::at(x, y);
                    (state.cells() & sq.bit() != 0).then(|| state.height(sq) as i32)
                })
                .collect()
        })
        .collect();
    let units = [0, 1].map(|p| {
        state.units(p)[..state.league().units()]
            .iter()
            .map(|sq| (i32::from(sq.x()), i32::from(sq.y())))
            .collect()
    });
    Oracle {
        league: state.league() as u32,
        ends_at_once: flow == Flow::Turn,
        grid,
        units,
        points: [0, 1].map(|p| state.points(p) as i32),
        dead: [0, 1].map(|p| state.is_dead(p)),
        turn: state.mover(),
        rounds: state.rounds() as i32,
        over: state.is_over(),
    }
}

/// Everything both can tell.
fn agree(state: &State, oracle: &Oracle, what: &str) {
    for (y, row) in oracle.grid.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let sq = Sq::at(x as u8, y as u8);
            let ours = (state.cells() & sq.bit() != 0).then(|| state.height(sq) as i32);
            assert_eq!(ours, *cell, "{what}: cell {x} {y}");
        }
    }
    for p in 0..2 {
        let ours: Vec<(i32, i32)> = state.units(p)[..oracle.units[p].len()]
            .iter()
            .map(|sq| (i32::from(sq.x()), i32::from(sq.y())))
            .collect();
        assert_eq!(ours, oracle.units[p], "{what}: units of {p}");
        assert_eq!(state.is_dead(p), oracle.dead[p], "{what}: death of {p}");
    }
    assert_eq!(state.scores(), oracle.scores(), "{what}: scores");
    assert_eq!(state.is_over(), oracle.over, "{what}: end");
    assert_eq!(state.rounds() as i32, oracle.rounds, "{what}: rounds");
    assert_eq!(state.key(), state.key_from_scratch(), "{what}: key");
    if !oracle.over {
        assert_eq!(state.mover(), oracle.turn, "{what}: mover");
        let ours: Vec<String> = state.legal().into_iter().map(|m| state.action(m)).collect();
        let theirs: Vec<String> = oracle.legal().iter().map(Act::text).collect();
        assert_eq!(ours, theirs, "{what}: legal actions");
        assert_eq!(state.can_act(), !theirs.is_empty(), "{what}: can act");
    }
}

#[test]
fn random_games_agree_with_the_oracle() {
    let mut guessed = 0;
    for league in LEAGUES {
        for seed in 0..60 {
            let options = setup(league, seed);
            let (mut state, size) = start(&options);
            let mut oracle = oracle_of(&state, options.flow, size);
            let mut rng = Rng::new(seed as u64);
            for turn in 0.. {
                let what = format!("league {league:?} seed {seed} turn {turn}");
                agree(&state, &oracle, &what);
                if state.is_over() {
                    break;
                }
                let list = oracle.legal();
                // Now and then a player gives up early.
                if list.is_empty() || rng.below(400) == 0 {
                    state.play(Move::DEFEAT);
                    oracle.play(None);
                    continue;
                }
                let act = &list[rng.below(list.len() as u32) as usize];
                let m = state.parse_action(&act.text()).expect("readable");
                let (before, guess) = (state, state.hash_after(m));
                state.try_play(m).expect("legal");
                oracle.play(Some(act));
                let calm = state.scores() == before.scores() && !state.is_over();
                if calm && league != League::Fog && ![0, 1].iter().any(|&p| state.is_dead(p)) {
                    assert_eq!(state.hash(), guess, "{what}: hash after {m:?}");
                    guessed += 1;
                }
            }
        }
    }
    assert!(guessed > 1_000, "{guessed}");
}

#[test]
fn legality_is_the_same_asked_and_listed() {
    for league in LEAGUES {
        for seed in 0..12 {
            let (mut state, _) = start(&setup(league, seed));
            let mut rng = Rng::new(seed as u64);
            while !state.is_over() {
                let mut list = Vec::new();
                state.each_move(|m| list.push(m));
                let unique: std::collections::HashSet<Move> = list.iter().copied().collect();
                assert_eq!(unique.len(), list.len());
                for code in 0..1 << 14 {
                    let m = Move(code);
                    assert_eq!(
                        state.is_legal(m),
                        unique.contains(&m),
                        "{league:?} {seed} {}",
                        state.action(m)
                    );
                }
                // A long game has many alike positions: skip some.
                for _ in 0..5 {
                    if !state.is_over() {
                        let list = state.legal();
                        let m = list.get(rng.below(list.len().max(1) as u32) as usize);
                        state.play(m.copied().unwrap_or(Move::DEFEAT));
                    }
                }
            }
        }
    }
}

#[test]
fn illegal_actions_are_refused() {
    let (mut state, _) = start(&setup(League::Climb, 1));
    let before = state;
    assert!(state.try_play(Move::default()).is_err());
    assert_eq!(state, before);
    state.try_play(Move::DEFEAT).unwrap();
    assert!(state.is_over() && state.try_play(Move::DEFEAT).is_err());
}

#[test]
fn conformance_in_every_league() {
    for league in LEAGUES {
        let start = |seed: u64| start(&setup(league, seed as i64)).0;
        conformance::check(start, 40, 2 * 200 + 2);
        let see = |state: &State| {
            let levels = [0, 1, 2, 3].map(|k| state.level(k));
            (levels, [0, 1].map(|seat| state.mask(seat)), state.mover())
        };
        let hashes = conformance::check_hashes(start, see, 2);
        assert!(hashes > 20_000, "{hashes}");
    }
}

/// A mid-game position: `plies` random actions from a start.
pub fn middle(league: League, map: Map, seed: i64, plies: usize) -> State {
    let (mut state, _) = start(&Setup {
        league,
        flow: Flow::Turn,
        seed,
        map: Some(map),
        symmetric: false,
    });
    let mut rng = Rng::new(seed as u64);
    for _ in 0..plies {
        if state.is_over() {
            break;
        }
        let list = state.legal();
        let m = list.get(rng.below(list.len().max(1) as u32) as usize);
        state.play(m.copied().unwrap_or(Move::DEFEAT));
    }
    state
}

/// League, map, seed, plies played, depth, positions below (asserted against the oracle where cheap).
const PERFT: &[(League, Map, i64, usize, u32, u64)] = &[
    (League::Climb, Map::Square, 11, 0, 4, 755062),
    (League::Climb, Map::Square, 11, 8, 4, 2020006),
    (League::Climb, Map::Diamond, 12, 0, 4, 1317960),
    (League::Climb, Map::Diamond, 12, 8, 4, 1789648),
    (League::Climb, Map::Random, 13, 0, 4, 289127),
    (League::Climb, Map::Random, 13, 8, 4, 325489),
    (League::Points, Map::Square, 11, 0, 4, 755062),
    (League::Points, Map::Square, 11, 24, 4, 223490),
    (League::Points, Map::Diamond, 12, 0, 4, 1317960),
    (League::Points, Map::Diamond, 12, 24, 4, 210896),
    (League::Points, Map::Random, 13, 0, 4, 289127),
    (League::Points, Map::Random, 13, 24, 4, 37992),
    (League::Push, Map::Square, 11, 0, 3, 155515),
    (League::Push, Map::Square, 11, 24, 3, 85494),
    (League::Push, Map::Diamond, 12, 0, 3, 236235),
    (League::Push, Map::Diamond, 12, 24, 3, 55868),
    (League::Push, Map::Random, 13, 0, 3, 85067),
    (League::Push, Map::Random, 13, 24, 3, 28022),
    (League::Fog, Map::Square, 11, 0, 3, 163396),
    (League::Fog, Map::Square, 11, 24, 3, 160368),
    (League::Fog, Map::Diamond, 12, 0, 3, 264879),
    (League::Fog, Map::Diamond, 12, 24, 3, 56651),
    (League::Fog, Map::Random, 13, 0, 3, 86822),
    (League::Fog, Map::Random, 13, 24, 3, 51840),
];

#[test]
fn perft_counts_stand() {
    let mut table = String::new();
    let mut bad = false;
    for &(league, map, seed, plies, depth, expected) in PERFT {
        let state = middle(league, map, seed, plies);
        let nodes = cpu::run(Perft { state, depth });
        let _ = writeln!(
            table,
            "    (League::{league:?}, Map::{map:?}, {seed}, {plies}, {depth}, {nodes}),"
        );
        bad |= nodes != expected;
        let size = match map {
            Map::Square => 5,
            Map::Diamond => 7,
            Map::Random => 6,
        };
        let shallow = depth.min(2);
        assert_eq!(
            oracle_of(&state, Flow::Turn, size).perft(shallow),
            cpu::run(Perft {
                state,
                depth: shallow
            }),
            "{league:?} {map:?} {plies}"
        );
    }
    assert!(!bad, "perft is now:\n{table}");
}

/// The recorded games through the oracle: the oracle itself must know the judge.
#[test]
fn the_oracle_replays_the_recordings() {
    for record in records("wondev/games.jsonl.gz") {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let id = text(&record["id"]);
        let league = record["league"].as_u64().unwrap();
        let flow = if record["flow"] == "turn" {
            Flow::Turn
        } else {
            Flow::Round
        };
        let (state, size) = start(&Setup {
            league: League::from_number(league).unwrap(),
            flow,
            seed: record["seed"].as_i64().unwrap(),
            map: (record["map_forced"] == true)
                .then(|| Map::from_number(record["map"].as_u64().unwrap()).unwrap()),
            symmetric: record["symmetric"] == true,
        });
        let mut oracle = oracle_of(&state, flow, size);
        for turn in record["turns"].as_array().unwrap() {
            assert!(!oracle.over, "{id}");
            assert_eq!(turn["player"], oracle.turn, "{id}");
            let lines: Vec<String> = turn["input"].as_array().unwrap().iter().map(text).collect();
            let list: Vec<String> = oracle.legal().iter().map(Act::text).collect();
            assert_eq!(lines[lines.len() - list.len()..], list, "{id}");
            let grid: Vec<String> = oracle
                .grid
                .iter()
                .map(|row| {
                    row.iter()
                        .map(|c| c.map_or(".".to_owned(), |h| h.to_string()))
                        .collect()
                })
                .collect();
            assert_eq!(lines[..grid.len()], grid, "{id}");
            let output = text(&turn["output"]);
            // A push counts in capitals only.
            let act = oracle.legal().into_iter().find(|a| {
                let spoken = if a.push {
                    output.clone()
                } else {
                    output.to_uppercase()
                };
                spoken == a.text() || spoken.starts_with(&(a.text() + " "))
            });
            oracle.play(act.as_ref());
        }
        assert!(oracle.over, "{id}");
        assert_eq!(record["scores"], serde_json::json!(oracle.scores()), "{id}");
        assert_eq!(record["rounds"], oracle.rounds, "{id}");
    }
}
