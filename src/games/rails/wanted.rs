//! Which routes are looked for on a board: [`super::routes`] finds them, [`super::search`] rates them.
//!
//! Cheapest and shortest ones of every wish; besides, ways round regions that are about to be inked.

use super::cells::Cells;
use super::map::Map;
use super::routes::{classes, Flood, Route, CLASSES, ROUTES};
use super::state::State;
use super::weights::Weights;

/// Routes of all wishes for seat `me`, as many as `routes` may hold.
#[inline(always)]
pub fn find_routes(
    map: &Map,
    w: &Weights,
    state: &State,
    me: usize,
    flood: &mut Flood,
    routes: &mut Vec<Route>,
) {
    let class = classes(map, state);
    let cost =
        |rail: i32, paint: i32| core::array::from_fn(|k| (rail + paint * k as i32).clamp(1, 15) as usize);
    let cheap = cost(w.cheap_rail, w.cheap_paint);
    let kinds = [cheap, cost(w.short_rail, w.short_paint)];
    routes.clear();
    let links = &state.links;
    for wishes in map.wishes_by_town() {
        for (kind, &cost) in kinds.iter().enumerate() {
            // A live connection's cheapest route is itself.
            let wanted = |wish: usize| kind == 1 || links[wish].length == 0;
            let turn = me * 2 + kind;
            flood.look(map, state, wishes.clone(), &class, cost, turn, wanted, |route| {
                let live = links[usize::from(route.wish)].length;
                if (live == 0 || route.length < live) && routes.len() < ROUTES {
                    routes.push(route);
                }
            });
        }
    }
    if w.calm > 0 {
        find_calm(map, w, state, me, flood, routes, &class, cheap);
    }
}

/// Ways round regions that few hits ink, for wishes whose connection or route runs through one.
#[allow(clippy::too_many_arguments)] // those of `find_routes`, and what it knows already
#[inline(always)]
fn find_calm(
    map: &Map,
    w: &Weights,
    state: &State,
    me: usize,
    flood: &mut Flood,
    routes: &mut Vec<Route>,
    class: &[Cells; CLASSES],
    cost: [usize; CLASSES],
) {
    let mut shaky = 0;
    for (region, &hits) in state.instability[..map.regions.len()].iter().enumerate() {
        let left = i32::from(map.rules.ink_threshold) - i32::from(hits);
        shaky |= u64::from(hits > 0 && left <= w.calm) << region;
    }
    shaky &= !map.immune_regions() & !state.inked;
    let mut crossing = 0u128;
    for (wish, link) in state.links[..map.wishes.len()].iter().enumerate() {
        let backed = w.backup > 0.0 && link.length > 0;
        crossing |= u128::from(backed && link.regions & shaky != 0) << wish;
    }
    for route in routes.iter().filter(|r| r.regions & shaky != 0) {
        crossing |= 1 << route.wish;
    }
    if crossing == 0 {
        return;
    }
    let cells = map.cells_of(shaky).minus(&map.town_cells);
    let class = class.map(|c| c.minus(&cells));
    for wishes in map.wishes_by_town() {
        let wanted = |wish: usize| crossing >> wish & 1 != 0;
        flood.look(map, state, wishes, &class, cost, me * 2, wanted, |mut route| {
            if route.count > 0 && routes.len() < ROUTES {
                (route.calm, route.live) = (true, false);
                routes.push(route);
            }
        });
    }
}
