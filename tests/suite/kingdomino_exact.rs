//! The exact solver against plain minimax, and the bot through whole games.

use fifty::games::kingdomino::bot::Bot;
use fifty::games::kingdomino::exact::{composite, is_open, Solver};
use fifty::games::kingdomino::state::{Action, State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::{Budget, Limit};
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use std::fmt::Write;

/// Value for seat 0 by trying everything; `last` is the draw still to come.
fn minimax(state: &State<2>, last: &[Tile]) -> i32 {
    if state.over() {
        return composite(&state.kingdoms[0]) - composite(&state.kingdoms[1]);
    }
    let mut moves = Vec::new();
    state.moves(state.mover(), &mut moves);
    let values = moves
        .into_iter()
        .map(|action| minimax(&after(state, action, last), last));
    if state.mover() == 0 {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    }
}

fn after(state: &State<2>, action: Action, last: &[Tile]) -> State<2> {
    let mut next = state.clone();
    next.play(action);
    if next.wants_draw() {
        next.deal(last);
    }
    next
}

/// A random game up to `actions` actions; placements at random among those with the best score, so that
/// kingdoms are neither empty nor hopeless.
fn position(variant: Variant, seed: u64, actions: usize) -> State<2> {
    let mut rng = Rng::new(seed);
    let mut state = State::<2>::new(variant);
    state.draw(&mut rng, Tile::of_box);
    let mut moves = Vec::new();
    for _ in 0..actions {
        moves.clear();
        let me = state.mover();
        state.moves(me, &mut moves);
        let best = moves
            .iter()
            .map(|&m| (after_score(&state, m), m))
            .max_by_key(|&(score, _)| (score, rng.below(1000)))
            .unwrap()
            .1;
        let joint = [best; 2];
        state.advance(&joint, &mut rng);
    }
    state
}

fn after_score(state: &State<2>, action: Action) -> u32 {
    let mut kingdom = state.kingdoms[state.mover()];
    if let Some(put) = action.put() {
        kingdom.play(state.tile_in_play(), put);
    }
    kingdom.score()
}

fn last_draw(state: &State<2>) -> Vec<Tile> {
    if state.turn + 2 == state.variant.turns {
        (1..=48)
            .filter(|id| state.deck >> id & 1 == 1)
            .map(Tile::of_box)
            .collect()
    } else {
        Vec::new()
    }
}

fn compare(variant: Variant, seed: u64, actions: usize, solver: &mut Solver) {
    let state = position(variant, seed, actions);
    if !is_open(&state) {
        return;
    }
    let last = last_draw(&state);
    let solved = solver
        .solve(&state, Tile::of_box, Limit::work(u64::MAX))
        .expect("no limit");
    let value = minimax(&state, &last);
    assert_eq!(solved.value, value, "seed {seed} actions {actions}");
    assert_eq!(
        minimax(&after(&state, solved.action, &last), &last),
        value,
        "seed {seed}"
    );
}

#[test]
fn proofs_agree_with_minimax() {
    let mut solver = Solver::new();
    for seed in 0..60 {
        for actions in [44, 45, 46, 47, 48, 50] {
            compare(Variant::MAIN, seed, actions, &mut solver);
        }
    }
    // From turn 11 only where plain minimax ends soon: the last two calls of the turn.
    for seed in 100..112 {
        compare(Variant::MAIN, seed, 43, &mut solver);
    }
    for seed in 200..230 {
        for actions in [20, 22, 25] {
            compare(Variant::classic(2), seed, actions, &mut solver);
        }
    }
}

#[test]
fn a_limit_gives_the_same_answer_or_none() {
    let state = position(Variant::MAIN, 5, 44);
    let full = Solver::new()
        .solve(&state, Tile::of_box, Limit::work(u64::MAX))
        .unwrap();
    let tries = [32, 64, 128, 256, 512, 1024, 1 << 20].map(|work| {
        let part = Solver::new().solve(&state, Tile::of_box, Limit::work(work));
        assert!(part.is_none() || part == Some(full));
        part.is_some()
    });
    assert!(!tries[0] && tries[6], "{tries:?}");
}

#[test]
fn nothing_is_solved_while_draws_are_hidden() {
    assert!(!is_open(&position(Variant::MAIN, 1, 39)));
    assert!(is_open(&position(Variant::MAIN, 1, 40)));
    assert!(!is_open(&position(Variant::classic(2), 1, 19)));
    assert!(is_open(&position(Variant::classic(2), 1, 20)));
    let mut unfair = position(Variant::MAIN, 1, 40);
    unfair.row.owners = [1; 4];
    assert!(!is_open(&unfair), "four tiles of one seat are none of the rules'");
}

/// Puts of the answer are legal or forced, in every call of a game against itself.
#[test]
fn the_bot_answers_legally_and_the_same_every_time() {
    let games = crate::recorded::records("kingdomino/games.jsonl.gz");
    for game in &games[..3] {
        let mut outputs = Vec::new();
        for _ in 0..2 {
            let mut bots = [1, 2].map(|seed| Bot::new(Budget::Work(30), Weights::DEFAULT, seed));
            let mut text = String::new();
            for call in game["calls"].as_array().unwrap() {
                let lines: Vec<&str> = call["input"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|l| l.as_str().unwrap())
                    .collect();
                let input = format!("{}\n", lines.join("\n"));
                let mut out = Vec::new();
                let bot = &mut bots[call["player"].as_u64().unwrap() as usize];
                assert!(bot.turn(&mut input.as_bytes(), &mut out).unwrap());
                let answer = String::from_utf8(out).unwrap();
                check_answer(call, &answer);
                text.push_str(&answer);
            }
            outputs.push(text);
        }
        assert_eq!(outputs[0], outputs[1]);
    }
}

fn check_answer(call: &serde_json::Value, answer: &str) {
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines.len(), 2, "{answer:?}");
    let numbers: Vec<i64> = lines[0]
        .strip_prefix("PUT ")
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    let puts: Vec<Vec<i64>> = serde_json::from_value(call["legal_puts"].clone()).unwrap();
    assert!(
        puts.is_empty() || puts.contains(&numbers),
        "{answer:?} not in {puts:?}"
    );
    let pick: i64 = lines[1].strip_prefix("PICK ").unwrap().parse().unwrap();
    let input = call["input"].as_array().unwrap();
    let free: Vec<i64> = input[30..34]
        .iter()
        .map(|l| l.as_str().unwrap().split(' ').collect::<Vec<_>>())
        .filter(|w| w[3] == "-1" && w[1] != "_0")
        .map(|w| w[0].parse().unwrap())
        .collect();
    assert!(
        free.is_empty() || free.contains(&pick),
        "{answer:?} not in {free:?}"
    );
}

#[test]
fn garbage_gets_an_answer_in_the_right_form() {
    let mut bot = Bot::new(Budget::Work(10), Weights::DEFAULT, 1);
    let garbage = "what is this\n".repeat(34);
    let mut out = Vec::new();
    assert!(bot.turn(&mut garbage.as_bytes(), &mut out).unwrap());
    assert_eq!(String::from_utf8(out).unwrap(), "PUT 0 0 0\nPICK 0\n");
    let said = String::from_utf8(bot.said()).unwrap();
    assert!(said.starts_with("odd input: \"what is this\"\n"), "{said}");
    let mut out = Vec::new();
    assert!(!bot.turn(&mut "cut off\n".as_bytes(), &mut out).unwrap());
    assert!(out.is_empty());
    assert_eq!(bot.said(), b"odd input: \"cut off\" the end\n");
}

/// Only the last turn offers nothing; a judge that leaves an early offer out gets an answer all the same.
#[test]
fn an_offer_left_out_gets_an_answer() {
    let game = &crate::recorded::records("kingdomino/games.jsonl.gz")[1];
    for call in game["calls"].as_array().unwrap().iter().skip(4) {
        let input = call["input"].as_array().unwrap();
        let mut lines: Vec<&str> = input.iter().map(|l| l.as_str().unwrap()).collect();
        let offer = lines.len() - 4;
        lines[offer..].fill("0 _0 _0 -1");
        let text = format!("{}\n", lines.join("\n"));
        let mut bot = Bot::new(Budget::Work(30), Weights::DEFAULT, 1);
        let mut out = Vec::new();
        assert!(bot.turn(&mut text.as_bytes(), &mut out).unwrap());
        assert!(String::from_utf8(out).unwrap().starts_with("PUT "));
    }
}

#[test]
fn classic_games_of_three_and_four() {
    for (players, lanes) in [(3usize, 3usize), (4, 4), (2, 4)] {
        let mut bot = Bot::new(Budget::Work(50), Weights::DEFAULT, 1);
        let mut text = format!("{players}\n{lanes}\n");
        for _ in 0..players * 9 {
            text.push_str(&"_0".repeat(9));
            text.push('\n');
        }
        for _ in 0..lanes {
            text.push_str("0 _0 _0 -1 0\n");
        }
        for (i, tile) in ["3 f0 f0", "9 l0 l0", "30 l1 c0", "48 c0 m3"][..lanes]
            .iter()
            .enumerate()
        {
            let owner = if i == 0 { 1 } else { -1 };
            let _ = writeln!(text, "{tile} {owner}");
        }
        let mut out = Vec::new();
        assert!(bot.turn(&mut text.as_bytes(), &mut out).unwrap());
        let answer = String::from_utf8(out).unwrap();
        assert!(answer.starts_with("PUT 0 0 0\nPICK "), "{answer}");
        assert!(
            !answer.contains("PICK 3\n") && !answer.contains("PICK 0\n"),
            "{answer}"
        );
    }
}
