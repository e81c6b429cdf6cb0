//! Recorded games against the referee: map, starts, who is asked, every line shown, deaths, result.

use super::protocol::{init_lines, turn_lines};
use super::referee::WondevReferee;
use crate::recorded::{Checked, Difference};
use fifty::games::wondev::protocol::Reader;
use fifty::games::wondev::state::{Flow, League};
use fifty::games::wondev::unshipped::setup::{Map, Setup};
use fifty::search::game::Game;
use serde_json::{Value, json};

#[allow(clippy::needless_pass_by_value)] // words and numbers, handed over once
/// What the record starts from.
fn setup(record: &Value) -> Result<Setup, Difference> {
    let number = |key: &str| {
        record[key]
            .as_u64()
            .ok_or_else(|| Difference::new(key, "a number", &record[key]))
    };
    let league = League::from_number(number("league")?)
        .ok_or_else(|| Difference::new("league", "0 to 3", &record["league"]))?;
    let flow = match record["flow"].as_str() {
        Some("round") => Flow::Round,
        Some("turn") => Flow::Turn,
        _ => return Err(Difference::new("flow", "turn or round", &record["flow"])),
    };
    let seed = record["seed"]
        .as_i64()
        .ok_or_else(|| Difference::new("seed", "a signed number", &record["seed"]))?;
    let forced = record["map_forced"].as_bool().unwrap_or(false);
    let map = if forced {
        Some(Map::from_number(number("map")?).ok_or_else(|| Difference::new("map", "0 to 2", &record["map"]))?)
    } else {
        None
    };
    Ok(Setup {
        league,
        flow,
        seed,
        map,
        symmetric: record["symmetric"].as_bool().unwrap_or(false),
    })
}

/// Compares lines one by one.
fn compare(at: &str, expected: &Value, got: &[String]) -> Result<(), Difference> {
    let Some(lines) = expected.as_array() else {
        return Err(Difference::new(at, "lines", expected));
    };
    for (n, line) in lines.iter().enumerate() {
        let ours = got.get(n).map_or("(no line)", String::as_str);
        if line.as_str() != Some(ours) {
            return Err(Difference::new(format!("{at} line {}", n + 1), line, ours));
        }
    }
    if got.len() > lines.len() {
        return Err(Difference::new(
            format!("{at} line {}", lines.len() + 1),
            "(no line)",
            &got[lines.len()],
        ));
    }
    Ok(())
}

/// Replays one record.
pub fn verify(record: &Value) -> Result<Checked, Difference> {
    let setup = setup(record)?;
    let mut game = WondevReferee::start(&setup);
    for player in 0..2 {
        compare(
            &format!("init of player {player}"),
            &record["init"][player],
            &init_lines(game.state(), game.size()),
        )?;
    }
    let mut readers = [Reader::default(), Reader::default()];
    let mut greeted = [false; 2];
    let turns = record["turns"]
        .as_array()
        .ok_or_else(|| Difference::new("turns", "a list", &record["turns"]))?;
    for (n, turn) in turns.iter().enumerate() {
        let at = format!("turn {n}");
        let state = *game.state();
        if state.is_over() {
            return Err(Difference::new(at, "one more turn", "the game is over"));
        }
        let player = state.mover();
        if turn["player"].as_u64() != Some(player as u64) {
            return Err(Difference::new(format!("{at} player"), &turn["player"], player));
        }
        let lines = turn_lines(&state, game.size());
        compare(&format!("{at} input"), &turn["input"], &lines)?;

        // The bot's reader sees the same position in those lines.
        let mut text = String::new();
        if !std::mem::replace(&mut greeted[player], true) {
            text = init_lines(&state, game.size()).join("\n") + "\n";
        }
        for line in turn["input"].as_array().into_iter().flatten() {
            text += line.as_str().unwrap_or_default();
            text.push('\n');
        }
        let mut input = text.as_bytes();
        let view = readers[player].read(&mut input, &mut || {});
        let Ok(Some(view)) = view else {
            return Err(Difference::new(format!("{at} reader"), "a turn", "the end of the input"));
        };
        if !view.odd.is_empty() {
            return Err(Difference::new(format!("{at} reader"), "nothing odd", view.odd));
        }
        let board = (state.cells(), [0, 1, 2, 3].map(|k| state.level(k)));
        if (view.cells, view.level) != board
            || view.own != state.units(player)
            || view.actions.iter().map(|a| a.1).ne(state.legal())
        {
            return Err(Difference::new(
                format!("{at} reader"),
                format!("{state:?}"),
                format!("{view:?}"),
            ));
        }
        game.answer(turn["output"].as_str());
    }
    if !game.state().is_over() {
        return Err(Difference::new(
            format!("turn {}", turns.len()),
            "the end of the game",
            format!("player {} is asked", game.state().mover()),
        ));
    }
    let state = game.state();
    for (key, got) in [
        ("scores", json!(state.scores())),
        ("winner", json!(state.winner().map_or(-1, |w| w as i64))),
        ("dead", json!([state.is_dead(0), state.is_dead(1)])),
        ("rounds", json!(state.rounds())),
    ] {
        if record[key] != got {
            return Err(Difference::new(key, &record[key], got));
        }
    }
    Ok(Checked {
        turns: turns.len() as u64,
    })
}
