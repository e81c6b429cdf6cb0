//! Recorded placements, scores and games against the simulator, the referee and the bot's reader.
//!
//! The kind of a record is told by its keys, so files may have any name.

use super::protocol;
use super::referee::KingdominoReferee;
use crate::recorded::{Check, Checked, Difference, lines, list, same, same_json, same_lines, whole};
use fifty::games::kingdomino::kingdom::{Kingdom, Places, Puts};
use fifty::games::kingdomino::protocol::{Shape, read_call};
use fifty::games::kingdomino::state::{FREE, State};
use fifty::games::kingdomino::tile::{Square, Tile};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Checks one record of any of the three kinds.
pub fn record(record: &Value) -> Check<Checked> {
    let has = |key: &str| record.get(key).is_some();
    if has("calls") {
        game(record)
    } else if has("grid") && has("legal_puts") {
        placement(record)
    } else if has("grid") && has("score") {
        score(record)
    } else {
        let keys: Vec<&str> = record.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        Err(Difference::new("keys", "calls, grid + legal_puts, or grid + score", keys.join(" ")))
    }
}

/// A kingdom from its grid lines, read by the bot's own reader.
fn kingdom(grid: &[&str]) -> Check<Kingdom> {
    let mut text = grid.join("\n");
    text.push('\n');
    for _ in 0..13 {
        text.push_str(&"_0".repeat(13));
        text.push('\n');
    }
    text.push_str(&"0 _0 _0 -1 0\n".repeat(4));
    text.push_str(&"0 _0 _0 -1\n".repeat(4));
    let mut input = text.as_bytes();
    let (mut first, mut odd) = (String::new(), String::new());
    let read = fifty::kit::agent::read_line(&mut input, &mut first)
        .and_then(|_| read_call(Shape::MAIN, &first, &mut input, &mut odd));
    match read {
        Ok(Some(request)) if odd.is_empty() => Ok(request.kingdoms[0]),
        other => Err(Difference::new("grid", "13 readable lines", format!("{odd} {other:?}"))),
    }
}

/// PUT values in the recordings' order: y, x, rotation.
fn put_values(kingdom: &Kingdom, puts: &Puts) -> Vec<[i64; 3]> {
    let mut list = Vec::new();
    for put in Places::of(*puts) {
        let (x, y, r) = kingdom.coordinates(put);
        list.push([i64::from(x), i64::from(y), i64::from(r)]);
    }
    list.sort_by_key(|&[x, y, r]| (y, x, r));
    list
}

fn recorded_puts(value: &Value) -> Check<Vec<[i64; 3]>> {
    serde_json::from_value(value.clone()).map_err(|e| Difference::new("legal_puts", "a list of PUTs", e))
}

fn placement(record: &Value) -> Check<Checked> {
    let kingdom = kingdom(&lines("grid", &record["grid"])?)?;
    let square = |key: &str| {
        let text = record[key].as_str().unwrap_or_default().as_bytes();
        match *text {
            [letter, crowns] => Square::parse(letter, crowns),
            _ => None,
        }
        .ok_or_else(|| Difference::new(key, "a square", &record[key]))
    };
    let id = whole("tile_id", &record["tile_id"])? as u8;
    let tile = Tile::new(id, square("first_square")?, square("second_square")?);
    if (1..=48).contains(&id) {
        same(
            "tile table",
            &protocol::tile(tile),
            &protocol::tile(Tile::of_box(id)),
        )?;
    }
    let puts = kingdom.legal_puts(tile);
    same(
        "legal_puts",
        &recorded_puts(&record["legal_puts"])?,
        &put_values(&kingdom, &puts),
    )?;
    for [x, y, r] in put_values(&kingdom, &puts) {
        let put = kingdom.put_at(tile, x as u8, y as u8, r as u8);
        same("coordinates", &true, &put.is_some())?;
    }
    if record.get("n_legal_puts").is_some() {
        same(
            "n_legal_puts",
            &whole("n_legal_puts", &record["n_legal_puts"])?,
            &i64::from(fifty::games::kingdomino::kingdom::count(&puts)),
        )?;
    }
    if record.get("n_distinct_results").is_some() {
        let recorded = whole("n_distinct_results", &record["n_distinct_results"])?;
        let distinct = results(&kingdom, tile, &kingdom.distinct_puts(tile));
        same("n_distinct_results", &recorded, &(distinct.0 as i64))?;
        same("distinct placements", &recorded, &(distinct.1 as i64))?;
        let all = results(&kingdom, tile, &puts);
        same("results of all placements", &recorded, &(all.0 as i64))?;
    }
    Ok(Checked { turns: 1 })
}

/// Different grids after each placement of a set, and the size of the set.
fn results(kingdom: &Kingdom, tile: Tile, puts: &Puts) -> (usize, usize) {
    let mut grids = HashSet::new();
    let mut n = 0;
    for put in Places::of(*puts) {
        let mut next = *kingdom;
        next.play(tile, put);
        grids.insert(protocol::grid(&next).concat());
        n += 1;
    }
    (grids.len(), n)
}

fn score(record: &Value) -> Check<Checked> {
    let kingdom = kingdom(&lines("grid", &record["grid"])?)?;
    final_values(record, &kingdom)?;
    same_lines("grid", &record["grid"], &protocol::grid(&kingdom))?;
    Ok(Checked { turns: 1 })
}

/// Score, crowns and squares of a board, as far as they are recorded.
fn final_values(record: &Value, kingdom: &Kingdom) -> Check<()> {
    let (score, squares, crowns) = kingdom.rank();
    for (key, got) in [("score", score), ("squares", squares), ("crowns", crowns)] {
        if record.get(key).is_some() {
            same_json(key, &record[key], got)?;
        }
    }
    Ok(())
}

fn game(record: &Value) -> Check<Checked> {
    let deck = record["deck_draw_order"]
        .as_array()
        .map(|a| a.iter().filter_map(Value::as_u64).collect::<Vec<_>>())
        .filter(|ids| ids.len() == 48 && ids.iter().all(|id| (1..=48).contains(id)))
        .ok_or_else(|| Difference::new("deck_draw_order", "48 ids", &record["deck_draw_order"]))?;
    let deck: Vec<Tile> = deck.iter().map(|&id| Tile::of_box(id as u8)).collect();
    let mut referee = KingdominoReferee::<2>::new(Shape::MAIN, deck, false);
    let calls = list("calls", &record["calls"])?;
    let mut seen = 0u64;
    for call in calls {
        let state = referee.state();
        let at = format!(
            "turn {} sequence {}",
            call["turn"].as_i64().unwrap_or(-1),
            call["sequence"].as_i64().unwrap_or(-1)
        );
        if referee.finished() {
            return Err(Difference::new(at, "another call", "the end of the game"));
        }
        self::call(state, call, &mut seen).map_err(|d| Difference {
            at: format!("{at}, {}", d.at),
            ..d
        })?;
        let output = lines("output", &call["output"])?;
        referee.answer(&output.into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    same("end", &true, &(referee.finished() && referee.state().over()))?;
    if let Some(finals) = record["final"].as_array() {
        for (seat, value) in finals.iter().enumerate() {
            final_values(value, &referee.state().kingdoms[seat.min(1)])?;
        }
    }
    if let Some(grids) = record["final_grids"].as_array() {
        for (seat, grid) in grids.iter().enumerate() {
            same_lines("final_grids", grid, &protocol::grid(&referee.state().kingdoms[seat.min(1)]))?;
        }
    }
    for (key, got) in [
        ("final_points_with_tiebreak", json!(referee.scores())),
        ("discards", json!(referee.discards())),
    ] {
        if record[key].is_array() {
            same_json(key, &record[key], got)?;
        }
    }
    Ok(Checked {
        turns: calls.len() as u64,
    })
}

/// One call: who acts, with what, where it may go, what is sent, and what our reader makes of it.
fn call(state: &State<2>, call: &Value, seen: &mut u64) -> Check<()> {
    same_json("turn", &call["turn"], state.turn)?;
    same_json("sequence", &call["sequence"], state.done)?;
    let me = state.mover();
    same_json("player", &call["player"], me)?;
    let tile = state.tile_in_play();
    let in_play = (tile != Tile::NONE).then(|| i64::from(tile.id()));
    same("tile_in_play", &call["tile_in_play"].as_i64(), &in_play)?;
    let kingdom = &state.kingdoms[me];
    let puts = if tile == Tile::NONE {
        Vec::new()
    } else {
        put_values(kingdom, &kingdom.legal_puts(tile))
    };
    same("legal_puts", &recorded_puts(&call["legal_puts"])?, &puts)?;
    if let Some(forced) = call["forced_discard"].as_bool() {
        same(
            "forced_discard",
            &forced,
            &(tile != Tile::NONE && puts.is_empty()),
        )?;
    }

    let recorded = lines("input", &call["input"])?;
    let ours: Vec<String> = protocol::call(state).lines().map(str::to_owned).collect();
    same("input lines", &recorded.len(), &ours.len())?;
    // What stands in for missing tiles is a convention of the recording.
    let convention = |n: usize| ((26..30).contains(&n) && state.turn == 1) || (n >= 30 && state.turn == 13);
    for (n, (a, b)) in recorded.iter().zip(&ours).enumerate() {
        if !convention(n) {
            same(format!("input line {}", n + 1), a, &b.as_str())?;
        }
    }

    let rest = format!("{}\n", recorded[1..].join("\n"));
    let mut odd = String::new();
    let read = read_call(Shape::MAIN, recorded[0], &mut rest.as_bytes(), &mut odd);
    let (Ok(Some(request)), true) = (&read, odd.is_empty()) else {
        return Err(Difference::new("reader", "a request", format!("{odd} {read:?}")));
    };
    for entry in request.row.iter().chain(&request.offer) {
        if entry.tile != Tile::NONE {
            *seen |= 1 << entry.tile.id();
        }
    }
    let deck = (((1 << 48) - 1) << 1) & !*seen;
    let got: State<2> = request.state(Shape::MAIN.variant, deck, state.turn);
    same("reader's state", &seen_by(state, me), &got)
}

/// The same position with `me` as seat 0.
fn seen_by(state: &State<2>, me: usize) -> State<2> {
    let mut state = state.clone();
    state.kingdoms.rotate_left(me);
    for lane in [&mut state.row, &mut state.offer] {
        for owner in &mut lane.owners[..lane.len as usize] {
            if *owner != FREE {
                *owner ^= me as u8;
            }
        }
    }
    state
}
