//! The bot's half of the protocol: one request in, a position out; an action in, two lines out.
//!
//! Survives whatever stands in for missing tiles: an id that is not a small number, or a square that is
//! no terrain, is "no tile". Strange squares on a grid are skipped. What was skipped is counted, so that
//! the bot can say so. Lines are read by number (their count is fixed), their content by token.

use super::kingdom::Kingdom;
use super::state::{Action, Lane, State, Variant, FREE};
use super::tile::{Square, Tile};
use crate::kit::agent::read_line;
use std::io::{self, BufRead};

/// How many players, and which sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// 2 to 4.
    pub players: usize,
    /// Sizes.
    pub variant: Variant,
}

impl Shape {
    /// The contest's game.
    pub const MAIN: Self = Self {
        players: 2,
        variant: Variant::MAIN,
    };
}

/// One line about a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The tile, or [`Tile::NONE`].
    pub tile: Tile,
    /// 0 is the reader; -1 nobody.
    pub owner: i8,
    /// It is the tile of this call.
    pub current: bool,
}

/// One call's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Own kingdom first.
    pub kingdoms: Vec<Kingdom>,
    /// Tiles placed this turn.
    pub row: Vec<Entry>,
    /// Tiles to take this turn.
    pub offer: Vec<Entry>,
    /// Squares and lines that made no sense.
    pub skipped: u32,
}

/// Reads the two init lines of the classic variant: players and tiles a turn.
pub fn read_init(players: &str, input: &mut dyn BufRead) -> io::Result<Shape> {
    let mut line = String::new();
    read_line(input, &mut line)?;
    let players = players.trim().parse().unwrap_or(2).clamp(2, 4);
    let mut variant = Variant::classic(players);
    if let Ok(lanes) = line.trim().parse::<u8>() {
        variant.lanes = lanes.clamp(1, 4);
    }
    Ok(Shape { players, variant })
}

/// Reads one call whose first line has been read already. `Ok(None)` when the input ends inside.
pub fn read_call(shape: Shape, first: &str, input: &mut dyn BufRead) -> io::Result<Option<Request>> {
    let side = 2 * shape.variant.extent - 1;
    let mut request = Request {
        kingdoms: vec![Kingdom::new(shape.variant.extent); shape.players],
        row: Vec::new(),
        offer: Vec::new(),
        skipped: 0,
    };
    let mut line = first.to_owned();
    let mut fresh = true;
    for n in 0..shape.players * usize::from(side) + 2 * usize::from(shape.variant.lanes) {
        if !std::mem::take(&mut fresh) && !read_line(input, &mut line)? {
            return Ok(None);
        }
        let grid = n / usize::from(side);
        if grid < shape.players {
            let y = (n % usize::from(side)) as u8;
            request.skipped += read_row(&mut request.kingdoms[grid], y, &line);
        } else {
            let entry = read_entry(&line);
            let block = n - shape.players * usize::from(side);
            if block < usize::from(shape.variant.lanes) {
                request.row.push(entry);
            } else {
                request.offer.push(entry);
            }
        }
    }
    Ok(Some(request))
}

/// One line of a grid; returns the squares that could not be placed.
fn read_row(kingdom: &mut Kingdom, y: u8, line: &str) -> u32 {
    let text: Vec<u8> = line.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let mut skipped = 0;
    for (x, group) in text.chunks(2).enumerate() {
        match Square::parse(group[0], *group.get(1).unwrap_or(&b'0')) {
            Some(square) => skipped += u32::from(x > 12 || !kingdom.set(x as u8, y, square)),
            None => skipped += u32::from(!matches!(group[0], b'_' | b'*')),
        }
    }
    skipped
}

/// `id first second owner [current]`.
fn read_entry(line: &str) -> Entry {
    let mut tokens = line.split_whitespace();
    let id = tokens
        .next()
        .and_then(|t| t.parse::<u8>().ok())
        .filter(|&id| id < 63);
    let mut square = || {
        let token = tokens.next()?.as_bytes();
        Square::parse(*token.first()?, *token.get(1).unwrap_or(&b'0'))
    };
    let (first, second) = (square(), square());
    let tile = match (id, first, second) {
        (Some(id), Some(first), Some(second)) => Tile::new(id, first, second),
        _ => Tile::NONE,
    };
    let owner = tokens.next().and_then(|t| t.parse().ok()).unwrap_or(-1);
    let current = tokens.next() == Some("1");
    Entry { tile, owner, current }
}

impl Request {
    /// The position as far as it can be seen; `deck` holds the ids not seen yet and `turn` follows from
    /// them (the grids do not tell, tiles may have been discarded). Seats are numbered as in the request.
    pub fn state<const N: usize>(&self, variant: Variant, deck: u64, turn: u8) -> State<N> {
        let mut state = State::<N>::new(variant);
        for (kingdom, read) in state.kingdoms.iter_mut().zip(&self.kingdoms) {
            *kingdom = *read;
        }
        let seat = |owner: i8| {
            if (0..N as i8).contains(&owner) {
                owner as u8
            } else {
                FREE
            }
        };
        let mut offer: Vec<&Entry> = self.offer.iter().filter(|e| e.tile != Tile::NONE).collect();
        offer.sort_by_key(|e| e.tile);
        state.offer = Lane::EMPTY;
        for entry in &offer {
            state.offer.push(entry.tile, seat(entry.owner));
        }
        let mut row: Vec<&Entry> = self
            .row
            .iter()
            .filter(|e| e.tile != Tile::NONE && seat(e.owner) != FREE)
            .collect();
        row.sort_by_key(|e| e.tile);
        if row.is_empty() {
            // Turn 1: seats in turn, so that the taken tiles tell whose seat comes when.
            let taken = offer.iter().filter(|e| seat(e.owner) != FREE).count();
            state.row = Lane::EMPTY;
            for i in 0..usize::from(variant.lanes) {
                state.row.push(Tile::NONE, ((i + N * 4 - taken) % N) as u8);
            }
            state.done = taken as u8 & 3;
        } else {
            state.row = Lane::EMPTY;
            for entry in &row {
                state.row.push(entry.tile, seat(entry.owner));
            }
            state.done = row.iter().position(|e| e.current).unwrap_or(0) as u8;
        }
        state.turn = turn;
        state.deck = deck;
        state
    }
}

/// The two answer lines. Values that are ignored are zero, with the format kept.
pub fn answer<const N: usize>(state: &State<N>, action: Action) -> String {
    let (x, y, r) = match action.put() {
        Some(put) => state.kingdoms[state.mover()].coordinates(put),
        None => (0, 0, 0),
    };
    let id = action.slot().map_or(0, |slot| state.offer.tiles[slot & 3].id());
    format!("PUT {x} {y} {r}\nPICK {id}\n")
}
