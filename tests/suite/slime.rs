//! slime: masks against recordings, the slow oracle, perft tables and themselves.

use crate::conformance;
use crate::recorded::records;
use crate::slime_oracle::Oracle;
use fifty::games::slime::bot::Bot;
use fifty::games::slime::moves::{Kind, Move};
use fifty::games::slime::state::State;
use fifty::games::slime::unshipped::perft::Perft;
use fifty::games::slime::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use fifty::kit::cpu::{run, Kernel, Level};
use fifty::kit::rng::Rng;
use std::collections::BTreeSet;

fn numbers(text: &str) -> [i32; 4] {
    let n: Vec<i32> = text.split(' ').map(|n| n.parse().unwrap()).collect();
    n.try_into().unwrap()
}

fn coordinates(m: Move) -> [i64; 4] {
    numbers(&m.to_string()).map(i64::from)
}

#[test]
fn conforms() {
    for size in [4, 5, 8] {
        conformance::check(|_| State::start(size), 6, 2001);
    }
    let hashes = conformance::check_hashes(|_| State::start(8), |state| (state.board().own, state.seat()), 2);
    assert!(hashes > 100_000, "{hashes}");
}

#[test]
fn recorded_games_replay_on_both_simulators() {
    let mut turns = 0;
    for record in records("slime/games.jsonl.gz") {
        let id = &record["id"];
        let mut state = State::start(8);
        let mut oracle = Oracle::start(8);
        for (n, position) in record["positions"].as_array().unwrap().iter().enumerate() {
            assert!(!state.is_over() && !oracle.is_over(), "{id} turn {n}");
            assert_eq!(state.argument(), position["arg"], "{id} turn {n}");
            let answer = numbers(position["move"].as_str().unwrap());
            state.play_coordinates(answer);
            oracle.play(answer.map(i64::from));
            assert_eq!(state.rows(), position["after"], "{id} turn {n}");
            assert_eq!(oracle.rows(), position["after"], "{id} turn {n}");
            turns += 1;
        }
        assert!(state.is_over() && oracle.is_over(), "{id}: the record ends here");
        assert_eq!(
            serde_json::json!(state.board().counts()),
            record["scores"],
            "{id}"
        );
        assert_eq!(serde_json::json!(oracle.scores()), record["scores"], "{id}");
    }
    assert_eq!(turns, 30_021);
}

/// Random games of every size: same lists, same boards, same ends; gains are what the counts say.
#[test]
fn masks_and_oracle_agree_on_random_games() {
    for seed in 0..60 {
        let size = 4 + seed as u32 % 5;
        let mut rng = Rng::new(seed);
        let mut state = State::start(size);
        let mut oracle = Oracle::start(size as usize);
        let mut list = Vec::new();
        for _ in 0..150 {
            assert_eq!(state.is_over(), oracle.is_over());
            if state.is_over() {
                break;
            }
            list.clear();
            state.board().legal_moves(state.seat(), &mut list);
            let ours: BTreeSet<[i64; 4]> = list.iter().map(|&m| coordinates(m)).collect();
            let theirs: BTreeSet<[i64; 4]> = oracle.distinct().into_iter().collect();
            assert_eq!(ours, theirs, "{}", state.argument());
            assert_eq!(ours.len(), list.len());

            let mut useful = Vec::new();
            state.board().useful_moves(state.seat(), &mut useful);
            let gain = |m: Move| state.board().gain(state.seat(), m);
            let kept: Vec<Move> = list
                .iter()
                .copied()
                .filter(|&m| m.kind() != Kind::Merge || gain(m) > 0)
                .collect();
            assert_eq!(useful, kept);

            // Now and then anything at all, legal or not.
            let answer = if list.is_empty() || rng.below(8) == 0 {
                [0; 4].map(|_: i32| rng.below(size + 2) as i32 - 1)
            } else {
                numbers(&list[rng.below(list.len() as u32) as usize].to_string())
            };
            let before = state.board().counts()[state.seat()] as i32;
            let seat = state.seat();
            let board = *state.board();
            let played = state.play_coordinates(answer);
            oracle.play(answer.map(i64::from));
            assert_eq!(state.rows(), oracle.rows(), "{answer:?}");
            assert_eq!(
                board.gain(seat, played),
                state.board().counts()[seat] as i32 - before
            );
            assert_eq!(
                State::parse(&state.argument()).unwrap().argument(),
                state.argument()
            );
        }
    }
}

/// `argument`, then the counts of 1 to 5 plies.
#[test]
fn perft_tables_hold_on_both_simulators() {
    let table = include_str!("../data/slime/perft.txt");
    let mut lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (argument, counts) = line.split_once(' ').unwrap();
        let state = State::parse(argument).unwrap();
        let oracle = Oracle::parse(argument);
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let perft = Perft::<4, true> {
                board: *state.board(),
                seat: state.seat(),
                depth,
            };
            assert_eq!(run(perft).to_string(), count, "{argument} depth {depth}");
            assert_eq!(
                oracle.perft(depth).to_string(),
                count,
                "{argument} depth {depth}, oracle"
            );
        }
        assert_eq!(counts.split(' ').count(), 5, "{argument}");
        lines += 1;
    }
    assert_eq!(lines, 21, "the start and 20 recorded positions");
}

/// The board read backwards with seats swapped corner for corner counts the same.
#[test]
fn turned_positions_count_the_same() {
    for argument in [
        "3,11111222,11111444,11.22444,.1222.4.,333.3244,33333.44,333...44,333....4",
        "1,1...,...2,3..4,.33.",
    ] {
        let state = State::parse(argument).unwrap();
        let (_, rows) = argument.split_once(',').unwrap();
        let turned: String = rows.chars().rev().collect();
        let turned = State::parse(&format!("{},{turned}", state.seat() + 1)).unwrap();
        for depth in 1..=3 {
            let count = |state: &State| {
                run(Perft::<4, true> {
                    board: *state.board(),
                    seat: state.seat(),
                    depth,
                })
            };
            assert_eq!(count(&state), count(&turned), "{argument} depth {depth}");
        }
    }
}

/// Random games without lists, at the machine's own level, against the plain one.
struct Games(u64);

impl Kernel for Games {
    type Out = Vec<String>;

    #[inline(always)]
    fn run<L: Level>(self) -> Vec<String> {
        let mut rng = Rng::new(self.0);
        let mut state = State::start(8);
        let mut log = Vec::new();
        while !state.is_over() && log.len() < 500 {
            let m = state.board().random_move::<L, true>(state.seat(), &mut rng);
            state.play(m);
            log.push(format!("{m} {:x}", fifty::search::game::Game::hash(&state)));
        }
        log
    }
}

#[test]
fn every_instruction_set_plays_the_same_games() {
    for seed in 0..20 {
        assert_eq!(run(Games(seed)), fifty::kit::cpu::Plain::enter(Games(seed)));
    }
}

/// A pass is told from one that was thought of by what is said; blanks change no answer.
#[test]
fn the_bot_says_what_it_met() {
    let told = |argument: &str| {
        let mut bot = Bot::new(Budget::Work(50), Weights::DEFAULT, 1);
        let answer = bot.answer(argument).to_string();
        (answer, String::from_utf8(bot.said()).unwrap())
    };
    let (answer, said) = told("3,....,.1..,..2.,...3");
    assert!(said.starts_with("think "), "{said}");
    for blank in ["\r", " ", "\n"] {
        let (again, said) = told(&format!("3,....{blank},.1..,..2.,...3{blank}"));
        assert!(again == answer && answer != "0 0 0 0", "{again}");
        assert!(said.starts_with("passed over the blanks of \"3,"), "{said}");
    }
    assert!(told("3,1111,1111,1111,1111")
        .1
        .starts_with("no square is empty: "));
    assert!(told("3,11x1,1111,1111,1111").1.starts_with("usage: "));
}
