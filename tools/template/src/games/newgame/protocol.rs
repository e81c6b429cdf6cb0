//! The bot's side of the protocol: text to moves and back.
//!
//! A request is one line, the other seat's last move as `x y`, or `-1 -1` at the start of the game. The answer is one
//! line, `x y`. CHANGE: to what your judge sends. Never panics: what is not understood is said, not played.

use super::state::{Cell, State};

/// Plays the line of a request on `state`. Errors say what was met.
pub fn read(line: &str, state: &mut State) -> Result<(), String> {
    if line.split_whitespace().eq(["-1", "-1"]) {
        return Ok(());
    }
    let cell = cell(line).filter(|cell| state.empty() & cell.bit() != 0);
    state.play(cell.ok_or_else(|| format!("expected the cell of a move as x y, met {line:?}"))?);
    Ok(())
}

/// The cell of `x y`.
pub fn cell(line: &str) -> Option<Cell> {
    let mut numbers = line.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(x)), Some(Ok(y)), None) => Cell::at(x, y),
        _ => None,
    }
}

/// A move as text.
pub fn text(cell: Cell) -> String {
    format!("{} {}", cell.x(), cell.y())
}
