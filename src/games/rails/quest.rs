//! The side quest: the cheapest way to a town-to-POI path of own and neutral tracks.

use super::cells::Cell;
use super::map::Map;
use super::routes::{classes, Flood};
use super::state::State;

/// Cells still wanted, from the town outwards, with the paint for all of them. `None` where there is no
/// way, nothing to do, or no place of interest. Regions one hit from being inked are left alone.
pub fn quest(map: &Map, state: &State, seat: usize) -> Option<(u16, Vec<Cell>)> {
    if map.pois.is_empty() || state.side_quest(map, seat) {
        return None;
    }
    let mut shaky = 0;
    for region in 0..map.regions.len().min(64) as u8 {
        let hit = state.instability[usize::from(region)] + 1 >= map.rules.ink_threshold;
        shaky |= u64::from(hit && !map.immune(region)) << region;
    }
    let shaky = map.cells_of(shaky);
    let mut class = classes(map, state);
    class[0] = state.tracks[seat];
    for open in &mut class {
        *open = open.minus(&shaky);
    }
    let cost = [1, 4, 7, 10];
    let mut flood = Flood::default();
    let mut best: Option<(u16, Vec<Cell>)> = None;
    for &town in &map.towns {
        // One flood a town: all places of interest at once.
        flood.run(town, &map.pois, &class, cost);
        for poi in map.pois.iter() {
            let (mut paint, mut cells) = (0, Vec::new());
            let found = flood.trace(town, poi, &class, cost, 0, |cell, k| {
                paint += k as u16;
                if k > 0 {
                    cells.push(cell);
                }
            });
            if found.is_some() && best.as_ref().is_none_or(|(least, _)| paint < *least) {
                cells.reverse();
                best = Some((paint, cells));
            }
        }
    }
    best
}
