//! A game in progress: board, whose turn, turns played; hash; text in and out.
//!
//! The seat on turn always plays, eliminated or not; then it can only pass. The game ends when no square
//! is empty or after [`State::MAX_TURNS`] turns. The hash covers board and seat, not the turn number: a
//! bot never learns that number. The hash is worked out when asked for, five mixings: a move changes up to
//! four seats, so that keeping it up to date took two to ten, and the tree search never asks.

use super::board::{Board, Square};
use super::moves::Move;
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// Players.
pub const SEATS: usize = 4;

/// A position with its history's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    board: Board<SEATS>,
    turns: u16,
    seat: u8,
}

const _: () = assert!(size_of::<State>() <= 48);

/// Mixes one seat's mask into 64 bits (the finisher of SplitMix64 over mask and seat).
#[inline(always)]
const fn mix(seat: usize, own: u64) -> u64 {
    let mut z = own ^ (seat as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl State {
    /// The contest's cap: 500 turns a seat.
    pub const MAX_TURNS: u16 = 2000;

    /// One slime in each corner of a board of `size` (4..=8), seat 0 to move.
    pub fn start(size: u32) -> Self {
        let mut board = Board::bare(size);
        let far = size - 1;
        for (seat, (row, column)) in [(0, 0), (0, far), (far, 0), (far, far)].into_iter().enumerate() {
            board.own[seat] = Square::at(row, column).bit();
            board.empty ^= board.own[seat];
        }
        Self::new(board, 0)
    }

    /// A position with `seat` (0..4) to move and no turn played yet.
    pub fn new(board: Board<SEATS>, seat: usize) -> Self {
        debug_assert!(board.is_consistent() && seat < SEATS);
        Self {
            board,
            turns: 0,
            seat: seat as u8,
        }
    }

    /// The masks.
    #[inline(always)]
    pub fn board(&self) -> &Board<SEATS> {
        &self.board
    }

    /// Seat on turn, 0..4.
    #[inline(always)]
    pub fn seat(&self) -> usize {
        usize::from(self.seat)
    }

    /// Turns played.
    #[inline(always)]
    pub fn turns(&self) -> u16 {
        self.turns
    }

    /// Full board or turn cap.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.board.empty == 0 || self.turns >= Self::MAX_TURNS
    }

    /// Plays a legal move of the seat on turn. Asserts legality in debug builds.
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        debug_assert!(!self.is_over());
        let seat = self.seat();
        self.board.play(seat, m);
        self.seat = ((seat + 1) % SEATS) as u8;
        self.turns += 1;
    }

    /// Plays whatever a bot said: coordinates `r1 c1 r2 c2` exactly as the contest's controller reads
    /// them; against the rules is a pass. Returns what was played.
    pub fn play_coordinates(&mut self, answer: [i32; 4]) -> Move {
        let size = self.board.size() as i32;
        let m = if answer.iter().all(|&n| (0..size).contains(&n)) {
            let [r1, c1, r2, c2] = answer.map(|n| n as u32);
            self.board
                .read_move(self.seat(), Square::at(r1, c1), Square::at(r2, c2))
        } else {
            Move::PASS
        };
        self.play(m);
        m
    }

    /// Reads `P,row0,…`: seat 1..4, then as many rows of as many characters (4 to 8); blanks and line ends around each
    /// part mean nothing. Says what it met.
    pub fn parse(argument: &str) -> Result<Self, String> {
        let mut parts = argument.split(',').map(str::trim);
        let seat = match parts.next().unwrap_or_default() {
            "1" => 0,
            "2" => 1,
            "3" => 2,
            "4" => 3,
            other => return Err(format!("expected a player 1 to 4, met {other:?}")),
        };
        let rows: Vec<&str> = parts.collect();
        if !(4..=8).contains(&rows.len()) {
            return Err(format!("expected 4 to 8 rows, met {}", rows.len()));
        }
        let mut board = Board::bare(rows.len() as u32);
        for (r, row) in rows.iter().enumerate() {
            if row.len() != rows.len() {
                return Err(format!("expected {} squares in a row, met {row:?}", rows.len()));
            }
            for (c, square) in row.bytes().enumerate() {
                let bit = Square::at(r as u32, c as u32).bit();
                match square {
                    b'.' => {}
                    b'1'..=b'4' => {
                        board.own[usize::from(square - b'1')] |= bit;
                        board.empty ^= bit;
                    }
                    _ => return Err(format!("expected . or 1 to 4 in a row, met {row:?}")),
                }
            }
        }
        Ok(Self::new(board, seat))
    }

    /// The board as comma-separated rows.
    pub fn rows(&self) -> String {
        let size = self.board.size();
        let mut text = String::with_capacity(72);
        for r in 0..size {
            if r > 0 {
                text.push(',');
            }
            for c in 0..size {
                let bit = Square::at(r, c).bit();
                let owner = (0..SEATS).find(|&seat| self.board.own[seat] & bit != 0);
                text.push(owner.map_or('.', |seat| (b'1' + seat as u8) as char));
            }
        }
        text
    }

    /// The argument a bot is started with: `P,row0,…`.
    pub fn argument(&self) -> String {
        format!("{},{}", self.seat + 1, self.rows())
    }

    /// Each seat's share of the board's squares.
    #[inline(always)]
    pub fn shares(&self) -> [f32; SEATS] {
        let total = self.board.all().count_ones() as f32;
        self.board.counts().map(|n| n as f32 / total)
    }
}

impl Game<SEATS> for State {
    type Move = Move;

    #[inline(always)]
    fn is_over(&self) -> bool {
        State::is_over(self)
    }

    #[inline(always)]
    fn payoff(&self) -> [f32; SEATS] {
        self.shares()
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        self.seat()
    }

    /// Spreads, merges that gain, jumps, and the pass. Merges that gain nothing are legal but left out:
    /// with them random games never end.
    fn moves(&self, seat: usize, out: &mut Vec<Move>) {
        self.board.useful_moves(seat, out);
        out.push(Move::PASS);
    }

    #[inline(always)]
    fn advance(&mut self, joint: &[Move; SEATS], _rng: &mut Rng) {
        self.play(joint[self.seat()]);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        (0..SEATS).fold(mix(SEATS + self.seat(), 0), |hash, seat| {
            hash ^ mix(seat, self.board.own[seat])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::State;

    #[test]
    fn text_survives_a_round_trip() {
        let text = "3,11111222,11111444,11.22444,.1222.4.,333.3244,33333.44,333...44,333....4";
        assert_eq!(State::parse(text).map(|s| s.argument()), Ok(text.to_owned()));
    }

    #[test]
    fn blanks_around_parts_mean_nothing() {
        let text = "3,....,.1..,..2.,...3";
        for blank in [" ", "\r", "\r\n", "\t"] {
            for to in [",", &format!("{blank},"), &format!(",{blank}")] {
                let blanks = format!("{}{blank}", text.replace(',', to));
                assert_eq!(State::parse(&blanks).map(|s| s.argument()), Ok(text.to_owned()));
            }
        }
    }

    #[test]
    fn broken_arguments_say_what_is_wrong() {
        for text in [
            "",
            "5,....",
            "1",
            "1,....,....,....",
            "1,....,....,....,...",
            "1,....,....,....,...x",
        ] {
            assert!(
                State::parse(text).is_err_and(|e| e.starts_with("expected")),
                "{text}"
            );
        }
    }
}
