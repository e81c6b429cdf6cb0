//! Recorded games against the referee: map, every line of both seats, messages, scores, end, side quest.

use super::referee::Game;
use crate::recorded::{Checked, Difference};
use fifty::games::rails::map::Rules;
use fifty::games::rails::reader::Reader;
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::text::init_lines;
use serde_json::{Value, json};
use std::sync::Arc;

#[allow(clippy::needless_pass_by_value)] // words and numbers, handed over once
fn lines_of<'a>(at: &str, value: &'a Value) -> Result<Vec<&'a str>, Difference> {
    value
        .as_array()
        .and_then(|list| list.iter().map(Value::as_str).collect())
        .ok_or_else(|| Difference::new(at, "a list of lines", value))
}

/// Compares lines one by one.
fn compare(at: &str, expected: &Value, got: &[String]) -> Result<(), Difference> {
    let expected = lines_of(at, expected)?;
    for n in 0..expected.len().max(got.len()) {
        let theirs = expected.get(n).copied().unwrap_or("(no line)");
        let ours = got.get(n).map_or("(no line)", String::as_str);
        if theirs != ours {
            return Err(Difference::new(format!("{at}, line {}", n + 1), theirs, ours));
        }
    }
    Ok(())
}

fn same(at: &str, expected: &Value, got: &Value) -> Result<(), Difference> {
    if expected == got {
        Ok(())
    } else {
        Err(Difference::new(at, expected, got))
    }
}

/// Replays one whole game.
pub fn verify(record: &Value) -> Result<Checked, Difference> {
    let params = &record["params"];
    let rules = Rules {
        ink_threshold: params["ink_threshold"]
            .as_u64()
            .ok_or_else(|| Difference::new("ink_threshold", "a number", &params["ink_threshold"]))?
            as u8,
        town_regions_disruptable: params["town_regions_disruptable"].as_bool().unwrap_or(false),
    };
    let init = lines_of("init of player 0", &record["init"][0])?;
    let mut text = init.join("\n");
    text.push('\n');
    let mut reader = Reader::new();
    let read = reader.init(&mut text.as_bytes(), || {});
    if !matches!(read, Ok(true)) || reader.trouble.is_some() {
        return Err(Difference::new(
            "init of player 0",
            "a block that reads",
            format!("{:?}", reader.trouble),
        ));
    }
    let mut map = Arc::unwrap_or_clone(reader.map);
    map.rules = rules;
    if let Some(seed) = record["seed"].as_i64() {
        let made = generate(seed, params["poi"].as_bool().unwrap_or(false), rules);
        compare("map from the seed", &record["init"][0], &init_lines(&made, 0))?;
    }
    let mut game = Game::new(map);
    for seat in 0..2 {
        let at = format!("init of player {seat}");
        compare(&at, &record["init"][seat], &init_lines(&game.map, seat))?;
    }
    let turns = record["turns"]
        .as_array()
        .ok_or_else(|| Difference::new("turns", "a list", &record["turns"]))?;
    for (n, turn) in turns.iter().enumerate() {
        let at = |what: &str, seat: usize| format!("turn {}, {what} of player {seat}", n + 1);
        if let Some(end) = game.end() {
            return Err(Difference::new(format!("turn {}", n + 1), "a turn", format!("end: {end}")));
        }
        for seat in 0..2 {
            let lines = game.turn_lines(seat);
            compare(&at("input", seat), &turn["inputs"][seat], &lines)?;
        }
        let outputs = lines_of(&at("output", 0), &turn["outputs"])?;
        if outputs.len() != 2 {
            return Err(Difference::new(at("output", 0), "two lines", &turn["outputs"]));
        }
        game.step([Some(outputs[0]), Some(outputs[1])]);
        for seat in 0..2 {
            compare(
                &at("messages", seat),
                &turn["errors"][seat],
                &game.messages[seat],
            )?;
        }
        same(&at("scores", 0), &turn["scores_after"], &json!(game.scores()))?;
    }
    same("final scores", &record["final_scores"], &json!(game.scores()))?;
    same("end", &record["end"], &json!(game.end().unwrap_or("running")))?;
    compare(
        "final input of player 0",
        &record["final_inputs_0"],
        &game.turn_lines(0),
    )?;
    let quest = game.quest.map(u8::from);
    same("side quest", &record["side_quest"], &json!(quest))?;
    Ok(Checked {
        turns: turns.len() as u64,
    })
}
