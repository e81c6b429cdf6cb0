//! The bot's half of the protocol: one line in, the tracked game out.
//!
//! Never panics. A line that makes no sense is reported to the caller and leaves the game as it was;
//! what can be taken from a half sensible line is taken, since going on beats stopping.
//!
//! # The protocol
//!
//! One process a game. Lines end with LF, words are parted by one blank; flush after every answer.
//!
//! | line in | answer |
//! |---|---|
//! | `READY FIRST` or `READY SECOND` | `OK`, within 3000 ms that are not the game's; both seats are asked at once |
//! | `INIT` and ten tiles | none; the reader's own hand of five, then the other's, so the two read different lines |
//! | `TIME own other` | `PUT cell tile`; ms left to each for the whole game, 10000 at the start |
//! | `GET tile` | none; what the reader drew after his `PUT`, `X0` for nothing |
//! | `OPP cell tile drawn ms` | none; the other's `PUT`, what he drew (`X0` for nothing) and what it took him |
//! | `FINISH` | none; exit with code 0. It may come at any time |
//!
//! Order: `READY`, `INIT`, then turn by turn, FIRST on the even ones of 0 to 63: `TIME` to the mover, whose `PUT` gives him
//! a `GET` and the other an `OPP`. SECOND's first `TIME` comes after an `OPP`.
//!
//! A cell is column `a` to `f`, row `1` to `6` and `-` or `+` (`c5-`); the eight `a1+ a4- c3+ c6+ d1- d4- f3+ f6+` do not
//! exist. A `-` cell touches the `+` cells of the same letters, one column to the left and one row down; nothing else does.
//! A tile is colour `R G B Y` and symbol `1` to `4` (`R3`). Any empty cell and any tile of the own hand will do. Each seat
//! owns two of each of the 16 kinds; five are in the hand, 27 in a bag whose order nobody knows, and the last five `PUT`s draw nothing. Both hands are open.
//!
//! End: after 64 turns. FIRST scores the sum of the squared sizes of the groups of touching equal symbols, SECOND that of
//! equal colours; more wins, equal is a draw. A bad answer loses at once: none in time, a first word other than `OK` or
//! `PUT`, not three words, no such cell or tile, a cell that is taken, a tile that is not held. Capitals count. A second
//! line is read as the answer to the next `TIME`.

use super::cells::Cell;
use super::state::{Move, State, TURNS};
use super::tiles::{Kind, Tiles};

/// What the judge wants after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Nothing.
    Nothing,
    /// `OK`.
    Ready,
    /// `PUT cell tile`; own and opponent's clock in ms.
    Put(u64, u64),
    /// The end of the program.
    Exit,
}

/// The game as one bot sees it.
#[derive(Clone, Debug)]
pub struct Tracker {
    /// Own seat: 0 FIRST, 1 SECOND.
    pub seat: usize,
    /// The position.
    pub state: State,
}

impl Default for Tracker {
    fn default() -> Self {
        Self {
            seat: 0,
            state: State::new([Tiles::EMPTY; 2]),
        }
    }
}

/// A tile or none for `X0`; says what it wanted for anything else.
fn drawn(text: Option<&str>) -> Result<Option<Kind>, &'static str> {
    match text.unwrap_or_default() {
        "X0" => Ok(None),
        tile => Kind::parse(tile).map(Some).ok_or("a tile or X0"),
    }
}

impl Tracker {
    /// Takes one line. `Err` says what was wrong with it and what is wanted all the same.
    pub fn line(&mut self, line: &str) -> Result<Wants, (String, Wants)> {
        let mut words = line.split_ascii_whitespace();
        let bad = |what: &str| format!("expected {what}, met `{}`", line.escape_debug());
        match words.next() {
            Some("READY") => {
                *self = Self::default();
                match words.next() {
                    Some("FIRST") => Ok(Wants::Ready),
                    Some("SECOND") => {
                        self.seat = 1;
                        Ok(Wants::Ready)
                    }
                    _ => Err((bad("READY FIRST or SECOND"), Wants::Ready)),
                }
            }
            Some("INIT") => {
                let mut hands = [Tiles::EMPTY; 2];
                let mut dealt = 0;
                for word in words {
                    let owner = if dealt < 5 { self.seat } else { 1 - self.seat };
                    match Kind::parse(word) {
                        Some(kind) if hands[owner].count(kind) < 2 => hands[owner].add(kind),
                        _ => return Err((bad("ten tiles, no kind three times in a hand"), Wants::Nothing)),
                    }
                    dealt += 1;
                }
                self.state = State::new(hands);
                if dealt == 10 {
                    Ok(Wants::Nothing)
                } else {
                    Err((bad("ten tiles"), Wants::Nothing))
                }
            }
            Some("TIME") => {
                let mut ms = || words.next().and_then(|w| w.parse::<u64>().ok());
                match (ms(), ms()) {
                    (Some(own), Some(other)) => Ok(Wants::Put(own, other)),
                    (own, _) => Err((bad("two clocks"), Wants::Put(own.unwrap_or(0), 0))),
                }
            }
            Some("GET") => match drawn(words.next()) {
                Ok(tile) => self
                    .draw(self.seat, tile)
                    .map_err(|e| (format!("{e}: `{}`", line.escape_debug()), Wants::Nothing)),
                Err(want) => Err((bad(want), Wants::Nothing)),
            },
            Some("OPP") => {
                let cell = words.next().and_then(Cell::parse);
                let kind = words.next().and_then(Kind::parse);
                let tile = drawn(words.next());
                let (Some(cell), Some(kind), Ok(tile)) = (cell, kind, tile) else {
                    return Err((bad("OPP cell tile drawn ms"), Wants::Nothing));
                };
                let other = 1 - self.seat;
                if self.state.turn >= TURNS || self.state.mover() != other {
                    return Err((bad("an own turn"), Wants::Nothing));
                }
                if self.state.board.occupied() & cell.bit() != 0 {
                    return Err((bad("an empty cell"), Wants::Nothing));
                }
                let held = self.state.hands[other].has(kind);
                if !held {
                    // The board matters more than the count of a hand.
                    self.state.hands[other].add(kind);
                }
                self.state.play(Move { cell, kind });
                let drawn = self.draw(other, tile);
                if !held {
                    return Err((bad("a tile of the hand"), Wants::Nothing));
                }
                drawn.map_err(|e| (format!("{e}: `{}`", line.escape_debug()), Wants::Nothing))
            }
            Some("FINISH") => Ok(Wants::Exit),
            _ => Err((bad("a line of the protocol"), Wants::Nothing)),
        }
    }

    /// Takes over an own answer.
    pub fn put(&mut self, mv: Move) {
        self.state.play(mv);
    }

    fn draw(&mut self, seat: usize, tile: Option<Kind>) -> Result<Wants, &'static str> {
        match tile {
            Some(kind) if !self.state.draw(seat, kind) => {
                if self.state.hands[seat].count(kind) < 2 {
                    self.state.hands[seat].add(kind);
                }
                Err("a tile that the bag cannot hold")
            }
            None if !self.state.bags[seat].is_empty() => Err("no tile though the bag has some"),
            _ => Ok(Wants::Nothing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tracker, Wants};
    use crate::games::connexion::state::Move;
    use crate::games::connexion::{cells::Cell, tiles::Kind};

    #[test]
    fn the_example_of_the_rules_is_followed_from_both_seats() {
        let mut first = Tracker::default();
        assert_eq!(first.line("READY FIRST"), Ok(Wants::Ready));
        assert_eq!(
            first.line("INIT R1 Y3 B1 G4 Y1 G3 Y3 R1 Y2 R3"),
            Ok(Wants::Nothing)
        );
        assert_eq!(first.line("TIME 10000 10000"), Ok(Wants::Put(10000, 10000)));
        first.put(Move {
            cell: Cell::parse("a1+").unwrap(),
            kind: Kind::parse("R1").unwrap(),
        });
        assert_eq!(first.line("GET B3"), Ok(Wants::Nothing));
        assert_eq!(first.line("OPP a2- R1 R1 40"), Ok(Wants::Nothing));
        assert_eq!(first.line("TIME 9930 9960"), Ok(Wants::Put(9930, 9960)));

        let mut second = Tracker::default();
        assert_eq!(second.line("READY SECOND"), Ok(Wants::Ready));
        assert_eq!(
            second.line("INIT G3 Y3 R1 Y2 R3 R1 Y3 B1 G4 Y1"),
            Ok(Wants::Nothing)
        );
        assert_eq!(second.line("OPP a1+ R1 B3 70"), Ok(Wants::Nothing));
        second.put(Move {
            cell: Cell::parse("a2-").unwrap(),
            kind: Kind::parse("R1").unwrap(),
        });
        assert_eq!(second.line("GET R1"), Ok(Wants::Nothing));
        assert_eq!(first.state, second.state);
        assert_eq!(first.state.hands[0].len(), 5);
        assert_eq!(second.line("FINISH"), Ok(Wants::Exit));
    }

    #[test]
    fn nonsense_is_reported_and_changes_little() {
        let mut tracker = Tracker::default();
        for line in [
            "",
            "ready first",
            "INIT",
            "INIT R1",
            "INIT R1 R1 R1 R1 R1 R1 R1 R1 R1 R1",
            "TIME",
            "TIME x y",
            "GET",
            "GET Q7",
            "OPP",
            "OPP a1- R1 R1 0",
            "OPP a1+ R1 R1",
            "\u{fffd}",
            "READY",
        ] {
            assert!(tracker.line(line).is_err(), "{line}");
        }
        assert_eq!(tracker.state.board.occupied(), 0);
    }
}
