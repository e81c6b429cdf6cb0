//! Recorded games against the referee: map, starts, who is asked, every line shown, deaths, result.

use super::protocol::{init_lines, turn_lines};
use super::referee::WondevReferee;
use crate::recorded::{Check, Checked, Difference, list, same_json, same_lines, whole};
use fifty::games::wondev::protocol::Reader;
use fifty::games::wondev::state::{Flow, League};
use fifty::games::wondev::unshipped::setup::{Map, Setup};
use fifty::search::game::Game;
use serde_json::Value;

/// What the record starts from.
fn setup(record: &Value) -> Check<Setup> {
    let league = League::from_number(whole("league", &record["league"])? as u64)
        .ok_or_else(|| Difference::new("league", "0 to 3", &record["league"]))?;
    let flow = match record["flow"].as_str() {
        Some("round") => Flow::Round,
        Some("turn") => Flow::Turn,
        _ => return Err(Difference::new("flow", "turn or round", &record["flow"])),
    };
    let seed = whole("seed", &record["seed"])?;
    let map = if record["map_forced"].as_bool().unwrap_or(false) {
        let map = Map::from_number(whole("map", &record["map"])? as u64);
        Some(map.ok_or_else(|| Difference::new("map", "0 to 2", &record["map"]))?)
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

/// Replays one record.
pub fn verify(record: &Value) -> Check<Checked> {
    let setup = setup(record)?;
    let mut game = WondevReferee::start(&setup);
    for player in 0..2 {
        same_lines(
            &format!("init of player {player}"),
            &record["init"][player],
            &init_lines(game.state(), game.size()),
        )?;
    }
    let mut readers = [Reader::default(), Reader::default()];
    let mut greeted = [false; 2];
    let turns = list("turns", &record["turns"])?;
    for (n, turn) in turns.iter().enumerate() {
        let at = format!("turn {n}");
        let state = *game.state();
        if state.is_over() {
            return Err(Difference::new(at, "one more turn", "the game is over"));
        }
        let player = state.mover();
        same_json(format!("{at} player"), &turn["player"], player)?;
        let lines = turn_lines(&state, game.size());
        same_lines(&format!("{at} input"), &turn["input"], &lines)?;

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
    let winner = state.winner().map_or(-1, |w| w as i64);
    same_json("scores", &record["scores"], state.scores())?;
    same_json("winner", &record["winner"], winner)?;
    same_json("dead", &record["dead"], [state.is_dead(0), state.is_dead(1)])?;
    same_json("rounds", &record["rounds"], state.rounds())?;
    Ok(Checked {
        turns: turns.len() as u64,
    })
}
