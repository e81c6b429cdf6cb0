//! Recorded games against the referee: map, every line of both seats, messages, scores, end, side quest.

use super::referee::Game;
use crate::recorded::{Check, Checked, Difference, lines, list, same_json, same_lines, whole};
use fifty::games::rails::map::Rules;
use fifty::games::rails::protocol::Reader;
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::text::init_lines;
use serde_json::Value;
use std::sync::Arc;

/// Replays one whole game.
pub fn verify(record: &Value) -> Check<Checked> {
    let params = &record["params"];
    let rules = Rules {
        ink_threshold: whole("ink_threshold", &params["ink_threshold"])? as u8,
        town_regions_disruptable: params["town_regions_disruptable"].as_bool().unwrap_or(false),
    };
    let init = lines("init of player 0", &record["init"][0])?;
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
        same_lines("map from the seed", &record["init"][0], &init_lines(&made, 0))?;
    }
    let mut game = Game::new(map);
    for seat in 0..2 {
        let at = format!("init of player {seat}");
        same_lines(&at, &record["init"][seat], &init_lines(&game.map, seat))?;
    }
    let turns = list("turns", &record["turns"])?;
    for (n, turn) in turns.iter().enumerate() {
        let at = |what: &str, seat: usize| format!("turn {}, {what} of player {seat}", n + 1);
        if let Some(end) = game.end() {
            return Err(Difference::new(format!("turn {}", n + 1), "a turn", format!("end: {end}")));
        }
        for seat in 0..2 {
            same_lines(&at("input", seat), &turn["inputs"][seat], &game.turn_lines(seat))?;
        }
        let outputs = lines(at("output", 0), &turn["outputs"])?;
        if outputs.len() != 2 {
            return Err(Difference::new(at("output", 0), "two lines", &turn["outputs"]));
        }
        game.step([Some(outputs[0]), Some(outputs[1])]);
        for seat in 0..2 {
            same_lines(
                &at("messages", seat),
                &turn["errors"][seat],
                &game.messages[seat],
            )?;
        }
        same_json(at("scores", 0), &turn["scores_after"], game.scores())?;
    }
    same_json("final scores", &record["final_scores"], game.scores())?;
    same_json("end", &record["end"], game.end().unwrap_or("running"))?;
    same_lines(
        "final input of player 0",
        &record["final_inputs_0"],
        &game.turn_lines(0),
    )?;
    let quest = game.quest.map(u8::from);
    same_json("side quest", &record["side_quest"], quest)?;
    Ok(Checked {
        turns: turns.len() as u64,
    })
}
