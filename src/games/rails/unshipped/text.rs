//! The referee's half of the input: a map and a state as the lines a seat reads.

use crate::games::rails::cells::{Cell, BITS};
use crate::games::rails::map::Map;
use crate::games::rails::state::State;

/// The cells row by row, left to right.
pub fn cells(map: &Map) -> impl Iterator<Item = Cell> + '_ {
    (0..map.height).flat_map(move |y| (0..map.width).map(move |x| Cell::new(x, y)))
}

/// The block sent once.
pub fn init_lines(map: &Map, seat: usize) -> Vec<String> {
    let mut lines = vec![seat.to_string(), map.width.to_string(), map.height.to_string()];
    for cell in cells(map) {
        lines.push(format!(
            "{} {}",
            map.region[cell.index()],
            map.terrain[cell.index()]
        ));
    }
    lines.push(map.towns.len().to_string());
    for (id, town) in map.towns.iter().enumerate() {
        let wishes: Vec<String> = map
            .wishes
            .iter()
            .filter(|w| usize::from(w.from) == id)
            .map(|w| w.to.to_string())
            .collect();
        let list = if wishes.is_empty() {
            "x".into()
        } else {
            wishes.join(",")
        };
        lines.push(format!("{id} {} {} {list}", town.x(), town.y()));
    }
    lines
}

/// The block of one turn, as `seat` reads it; `scores` as the referee shows them (-1 when deactivated).
pub fn turn_lines(map: &Map, state: &State, scores: [i64; 2], seat: usize) -> Vec<String> {
    let mut pairs: Vec<Vec<String>> = vec![Vec::new(); BITS];
    for (w, wish) in map.wishes.iter().enumerate() {
        for cell in state.path(map, w) {
            pairs[cell.index()].push(format!("{}-{}", wish.from, wish.to));
        }
    }
    let mut lines = vec![scores[seat].to_string(), scores[1 - seat].to_string()];
    for cell in cells(map) {
        let owner = match (state.tracks[0].has(cell), state.tracks[1].has(cell)) {
            (false, false) => -1,
            (true, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
        };
        let region = map.region[cell.index()];
        let list = &mut pairs[cell.index()];
        list.sort();
        lines.push(format!(
            "{owner} {} {} {}",
            state.instability[usize::from(region) % state.instability.len()],
            state.inked >> (region & 63) & 1,
            if list.is_empty() {
                "x".into()
            } else {
                list.join(",")
            }
        ));
    }
    lines
}
