//! The bot's half of the protocol: one request in, a position out; an action in, two lines out.
//!
//! Survives whatever stands in for missing tiles: an id that is not a small number, or a square that is
//! no terrain, is "no tile". Strange squares on a grid are skipped. The first line with anything strange is kept, so
//! that the bot can say so. Lines are read by number (their count is fixed), their content by token.
//!
//! # The protocol
//!
//! One process a game, one call for each tile of the reader: 26 calls a seat in 13 turns. Lines end with LF. In, every call:
//!
//! ```text
//! 13 lines                 the reader's grid, row by row: 13 squares of two characters without blanks
//! 13 lines                 the other's grid
//! id first second owner current     4 lines: the tiles placed this turn, also those placed already
//! id first second owner             4 lines: the tiles to pick for the next turn
//! ```
//!
//! A square is terrain `c f g l w m` and crowns `0` to `3`; `_0` is empty, `*0` the castle, at (6,6). x is the column, y
//! the row, from 0 at the top left. Ids are 1 to 48. Owner: 0 the reader, 1 the other, -1 nobody (yet). Current: 1 at the
//! tile of this call, else 0. Turn 1 places nothing and turn 13 offers nothing: these lines come all the same, as
//! `0 _0 _0 -1 0` and `0 _0 _0 -1` here. Both seats are shown everything but the order of the deck. Turn 1 asks the seats
//! in turn; later the four tiles are placed by id, so a seat may be asked twice in a row. No lines come before the first call.
//!
//! Out, both lines at once, within 1000 ms in the first call and 50 ms later:
//!
//! ```text
//! PUT x y r                the first square at (x,y), the second at r: 0 right, 1 below, 2 left, 3 above
//! PICK id                  a tile on offer that nobody has taken
//! ```
//!
//! Both squares must be empty, castle and kingdom stay within 7 x 7, and one square touches the castle or its own terrain.
//! Where no place is legal the tile is gone, and any `PUT` will do; so will any `PUT` in turn 1 and any `PICK` in turn 13.
//! The lines must be there and in form.
//!
//! End: after turn 13. Each group of touching squares of a terrain counts squares times crowns; equal scores go by all
//! squares, then by crowns. A bad answer (none in time, a line not in form, no legal place though there is one, a tile not
//! free) ends the game: the seat comes last. The option `fault=discard` takes the tile of a bad `PUT` instead.
//!
//! The variant `classic`: 2 to 4 players, kingdoms of 5 x 5 on grids of 9 x 9, castle at (4,4). Before the first call come
//! two lines, the number of players and of tiles a turn (3 with three players, else 4); a call has a grid for each player,
//! own first, then the others in seat order, and that many lines in either block. 7 turns for two, else 13.

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
    /// 0 is the reader; below 0 nobody.
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
}

/// Reads the two init lines of the classic variant: players and tiles a turn. `odd` takes them where other numbers
/// are played with.
pub fn read_init(first: &str, input: &mut dyn BufRead, odd: &mut String) -> io::Result<Shape> {
    let mut line = String::new();
    read_line(input, &mut line)?;
    let players = first.trim().parse().unwrap_or(2).clamp(2, 4);
    let mut variant = Variant::classic(players);
    variant.lanes = line.trim().parse().unwrap_or(variant.lanes).clamp(1, 4);
    let met = format!("{} {}", first.trim(), line.trim());
    if met != format!("{players} {}", variant.lanes) {
        *odd = format!("{met:?}");
    }
    Ok(Shape { players, variant })
}

/// Reads one call whose first line has been read already. `Ok(None)` when the input ends inside. `odd` takes the first
/// line with anything that makes no sense, unless it holds one.
pub fn read_call(
    shape: Shape,
    first: &str,
    input: &mut dyn BufRead,
    odd: &mut String,
) -> io::Result<Option<Request>> {
    let side = usize::from(2 * shape.variant.extent - 1);
    let mut request = Request {
        kingdoms: vec![Kingdom::new(shape.variant.extent); shape.players],
        row: Vec::new(),
        offer: Vec::new(),
    };
    let mut line = first.to_owned();
    let lanes = usize::from(shape.variant.lanes);
    for n in 0..shape.players * side + 2 * lanes {
        if n > 0 && !read_line(input, &mut line)? {
            odd.push_str(" the end");
            return Ok(None);
        }
        let good = if let Some(kingdom) = request.kingdoms.get_mut(n / side) {
            read_row(kingdom, (n % side) as u8, &line, side)
        } else {
            let offered = n >= shape.players * side + lanes;
            let entry = read_entry(&line);
            let good = entry.owner > -9
                && (entry.tile != Tile::NONE || line.contains(" _"))
                && line.split_whitespace().count() == 5 - usize::from(offered);
            if offered {
                request.offer.push(entry);
            } else {
                request.row.push(entry);
            }
            good
        };
        if !good && odd.is_empty() {
            *odd = format!("{line:?}");
        }
    }
    Ok(Some(request))
}

/// One line of a grid of that side; false if some of it makes no sense.
fn read_row(kingdom: &mut Kingdom, y: u8, line: &str, side: usize) -> bool {
    let text: Vec<u8> = line.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let mut good = text.len() == 2 * side;
    for (x, group) in text.chunks(2).enumerate() {
        good &= match Square::parse(group[0], *group.get(1).unwrap_or(&b'0')) {
            Some(square) => x <= 12 && kingdom.set(x as u8, y, square),
            None => matches!(group[0], b'_' | b'*'),
        };
    }
    good
}

/// `id first second owner [current]`; owner -9 where none is told.
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
    let owner = tokens.next().and_then(|t| t.parse().ok()).unwrap_or(-9);
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
        state.row = Lane::EMPTY;
        if row.is_empty() {
            // Turn 1: seats in turn, so that the taken tiles tell whose seat comes when.
            let taken = offer.iter().filter(|e| seat(e.owner) != FREE).count();
            for i in 0..usize::from(variant.lanes) {
                state.row.push(Tile::NONE, ((i + N * 4 - taken) % N) as u8);
            }
            state.done = taken as u8 & 3;
        } else {
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
