//! Positions of league 0 that are proven won or lost, as lines of text.
//!
//! `01000/01413/44112/42441/44440 31 22 L 0604…`: the rows from the north (`.` a hole, else the height), column and row of
//! the unit of who is to move, of the other, `W` or `L` for who is to move, and a line of play that ends the game that
//! way: two digits a ply, the numbers of its step's and its build's [`Dir`]. A player who cannot move ends it.

use crate::games::wondev::board::{Dir, Sq};
use crate::games::wondev::state::{Flow, League, Move, State};
use std::fmt;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Player 0 is to move.
    pub state: State,
    /// For who is to move.
    pub won: bool,
    /// From here to the end; the winner's moves are proven.
    pub line: Vec<Move>,
}

impl Proven {
    /// Reads a line; the reason if it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut word = |what: &str| words.next().ok_or(format!("{what} is missing"));
        let (mut cells, mut level) = (0, [0; 4]);
        for (y, row) in (0..7).zip(word("the map")?.split('/')) {
            for (x, c) in (0..7).zip(row.chars()) {
                let bit = Sq::at(x, y).bit();
                let height = match c {
                    '.' => continue,
                    '0'..='4' => c as usize - '0' as usize,
                    _ => return Err(format!("{c:?} is no height")),
                };
                cells |= bit;
                level[..height].iter_mut().for_each(|mask| *mask |= bit);
            }
        }
        let mut unit = || match word("a unit")?.as_bytes() {
            &[x @ b'0'..=b'6', y @ b'0'..=b'6'] if cells & Sq::at(x - b'0', y - b'0').bit() != 0 => {
                Ok([Sq::at(x - b'0', y - b'0'), Sq::NONE])
            }
            _ => Err("a unit stands on no cell".to_owned()),
        };
        let units = [unit()?, unit()?];
        let state = State::new(League::Climb, Flow::Turn, cells, level, units, 0);
        let won = match word("W or L")? {
            "W" => true,
            "L" => false,
            other => return Err(format!("{other:?} is neither W nor L")),
        };
        let mut line = Vec::new();
        let mut then = state;
        for pair in word("the line")?.as_bytes().chunks(2) {
            let m = step(&then, pair).ok_or(format!("ply {} is not legal", line.len()))?;
            then.play(m);
            line.push(m);
        }
        Ok(Self { state, won, line })
    }
}

/// A move by its two digits.
fn step(state: &State, digits: &[u8]) -> Option<Move> {
    let &[a @ b'0'..=b'7', b @ b'0'..=b'7'] = digits else {
        return None;
    };
    let to = state.units(state.mover())[0].step(Dir(a - b'0'))?;
    let m = Move::step(0, to, to.step(Dir(b - b'0'))?);
    state.is_legal(m).then_some(m)
}

impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = &self.state;
        let cell = |x, y| state.cells() & Sq::at(x, y).bit() != 0;
        let size = (0..7)
            .rev()
            .find(|&k| (0..7).any(|n| cell(k, n) || cell(n, k)))
            .map_or(0, |k| k + 1);
        for y in 0..size {
            if y > 0 {
                f.write_str("/")?;
            }
            for x in 0..size {
                if cell(x, y) {
                    write!(f, "{}", state.height(Sq::at(x, y)))?;
                } else {
                    f.write_str(".")?;
                }
            }
        }
        for player in [state.mover(), 1 - state.mover()] {
            let sq = state.units(player)[0];
            write!(f, " {}{}", sq.x(), sq.y())?;
        }
        f.write_str(if self.won { " W " } else { " L " })?;
        let mut then = *state;
        for &m in &self.line {
            let from = then.units(then.mover())[0];
            let digit = |a, b| Dir::between(a, b).map_or(9, |dir| dir.0);
            write!(f, "{}{}", digit(from, m.first()), digit(m.first(), m.second()))?;
            then.play(m);
        }
        Ok(())
    }
}
