//! The referee's half of the protocol: a state to input lines, output lines to an action.

use crate::referee::Verdict;
use fifty::games::kingdomino::kingdom::{Kingdom, Put};
use fifty::games::kingdomino::protocol::Shape;
use fifty::games::kingdomino::state::{Action, FREE, Lane, State};
use fifty::games::kingdomino::tile::Tile;
use std::fmt::Write;

/// Side of the square grid that holds a kingdom of this extent.
pub const fn side(extent: u8) -> u8 {
    2 * extent - 1
}

/// Both squares of a tile as `c0 g2`, or the filler `_0 _0`.
fn squares(tile: Tile) -> String {
    if tile == Tile::NONE {
        return "_0 _0".into();
    }
    let [a, b] = tile.first().text();
    let [c, d] = tile.second().text();
    format!("{a}{b} {c}{d}")
}

/// One tile as `id first second`.
pub fn tile(tile: Tile) -> String {
    let id = if tile == Tile::NONE { 0 } else { tile.id() };
    format!("{id} {}", squares(tile))
}

/// Grid lines of a kingdom.
pub fn grid(kingdom: &Kingdom) -> Vec<String> {
    let n = side(kingdom.extent());
    (0..n)
        .map(|y| {
            (0..n)
                .flat_map(|x| match kingdom.at(x, y) {
                    Some(square) => square.text(),
                    None if x == n / 2 && y == n / 2 => ['*', '0'],
                    None => ['_', '0'],
                })
                .collect()
        })
        .collect()
}

/// The number by which `me` knows `owner`: himself 0, the others in seat order after him, nobody -1.
fn relative(owner: u8, me: usize, players: usize) -> i8 {
    if owner == FREE {
        -1
    } else {
        ((owner as usize + players - me) % players) as i8
    }
}

/// The lines of one call for the seat that acts.
pub fn call<const N: usize>(state: &State<N>) -> String {
    let me = state.mover();
    let mut out = String::with_capacity(1200);
    for i in 0..N {
        for line in grid(&state.kingdoms[(me + i) % N]) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    for i in 0..state.variant.lanes as usize {
        let (t, owner) = entry(&state.row, i);
        // Turn 1 has no tiles to place, only their lines.
        let owner = if t == Tile::NONE { FREE } else { owner };
        let current = u8::from(t != Tile::NONE && i == state.done as usize);
        let _ = writeln!(out, "{} {} {current}", tile(t), relative(owner, me, N));
    }
    for i in 0..state.variant.lanes as usize {
        let (t, owner) = entry(&state.offer, i);
        let _ = writeln!(out, "{} {}", tile(t), relative(owner, me, N));
    }
    out
}

fn entry(lane: &Lane, i: usize) -> (Tile, u8) {
    if i < lane.len as usize {
        (lane.tiles[i], lane.owners[i])
    } else {
        (Tile::NONE, FREE)
    }
}

/// The init lines of the classic variant.
pub fn init(shape: Shape) -> String {
    if shape == Shape::MAIN {
        String::new()
    } else {
        format!("{}\n{}\n", shape.players, shape.variant.lanes)
    }
}

/// What an answer does: an action, and whether an illegal PUT was turned into a discard on the way.
/// `forgiving` discards the tile of an illegal PUT, as the tutorial leagues do.
pub fn action<const N: usize>(
    state: &State<N>,
    lines: &[String],
    forgiving: bool,
) -> Result<(Action, bool), Verdict> {
    let [put, pick, ..] = lines else {
        return Err(Verdict::Garbage(format!(
            "expected a PUT and a PICK line, met {} lines",
            lines.len()
        )));
    };
    let numbers: Vec<&str> = put.split_whitespace().collect();
    let parsed: Option<Vec<i64>> = match numbers.as_slice() {
        ["PUT", rest @ ..] if rest.len() == 3 => rest.iter().map(|n| n.parse().ok()).collect(),
        _ => None,
    };
    let Some(at) = parsed else {
        return Err(Verdict::Garbage(format!("expected PUT x y r, met `{put}`")));
    };
    let mut tokens = pick.split_whitespace();
    let (Some("PICK"), Some(Ok(id))) = (tokens.next(), tokens.next().map(str::parse::<i64>)) else {
        return Err(Verdict::Garbage(format!("expected PICK id, met `{pick}`")));
    };
    let (put, discarded) = placement(state, &at, forgiving)?;
    let free = state.free_slots();
    if free == 0 {
        return Ok((Action::new(put, None), discarded));
    }
    let slot = (0..4).find(|&s| free >> s & 1 == 1 && i64::from(state.offer.tiles[s].id()) == id);
    match slot {
        Some(slot) => Ok((Action::new(put, Some(slot)), discarded)),
        None => Err(Verdict::Invalid(format!("PICK {id} is not a free tile"))),
    }
}

fn placement<const N: usize>(
    state: &State<N>,
    at: &[i64],
    forgiving: bool,
) -> Result<(Option<Put>, bool), Verdict> {
    let tile_now = state.tile_in_play();
    let kingdom = &state.kingdoms[state.mover()];
    if tile_now == Tile::NONE || kingdom.legal_puts(tile_now) == [0; 4] {
        return Ok((None, false));
    }
    let small = |n: i64| u8::try_from(n).unwrap_or(u8::MAX);
    match kingdom.put_at(tile_now, small(at[0]), small(at[1]), small(at[2])) {
        Some(put) => Ok((Some(put), false)),
        None if forgiving => Ok((None, true)),
        None => Err(Verdict::Invalid(format!(
            "PUT {} {} {} is no legal place for {}",
            at[0],
            at[1],
            at[2],
            tile(tile_now)
        ))),
    }
}
