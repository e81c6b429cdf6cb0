//! What a move is worth after the hardest replies: a paranoid look of two plies without lists of moves.
//!
//! The next two seats each take most of the mover's squares, by a spread or a jump; of equal ones the first square.
//! Planners choose much like it, so it tells which of the likely moves ([`super::prior`]) they play. It is no search:
//! merges, and replies that prepare something, are not seen.

use super::board::{dilate, Board, Counts, Square};
use super::moves::Move;
use super::policy::{most, ring};
use super::state::SEATS;

/// Worth of an empty square beside one's own, in squares.
const OPEN: f32 = 0.3;

/// The mover's share, 0..=1, of the squares and the open squares beside them, after `m` of `seat` and two replies.
#[inline(always)]
pub fn worth(board: &Board<SEATS>, seat: usize, m: Move) -> f32 {
    let mut board = *board;
    board.play(seat, m);
    let mut replies = 0;
    for enemy in [1, 2, 3].map(|i| (seat + i) % SEATS) {
        if board.own[enemy] != 0 && replies < 2 {
            replies += 1;
            hit(&mut board, enemy, seat);
        }
    }
    share(&board, seat)
}

/// `seat`'s share, 0..=1, of the squares and the open squares beside them.
#[inline(always)]
fn share(board: &Board<SEATS>, seat: usize) -> f32 {
    let value = |own: u64| own.count_ones() as f32 + OPEN * (dilate(own) & board.empty).count_ones() as f32;
    let sum: f32 = board.own.iter().map(|&own| value(own)).sum();
    value(board.own[seat]) / sum.max(1.0)
}

/// `enemy` takes most of what `seat` owns; it passes where it reaches no empty square.
#[inline(always)]
fn hit(board: &mut Board<SEATS>, enemy: usize, seat: usize) {
    let own = board.own[enemy];
    let counts = Counts::of(board.own[seat]);
    let (spreads, by_spread) = most(&counts, dilate(own) & board.empty);
    let (jumps, by_jump) = most(&counts, ring(own) & board.empty);
    if spreads != 0 && by_spread >= by_jump {
        board.spread(enemy, Square(spreads.trailing_zeros() as u8));
    } else if jumps != 0 {
        let to = Square(jumps.trailing_zeros() as u8);
        let from = (to.ring() & own).trailing_zeros();
        board.jump(enemy, Square(from as u8), to);
    }
}

#[cfg(test)]
mod tests {
    use super::{hit, worth};
    use crate::games::slime::moves::{Kind, Move};
    use crate::games::slime::state::{State, SEATS};
    use crate::kit::rng::Rng;

    /// No spread and no jump leaves `seat` fewer squares than the hit.
    #[test]
    fn no_reply_takes_more() {
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let mut state = State::start(4 + seed as u32 % 5);
            for _ in 0..60 {
                if state.is_over() {
                    break;
                }
                let (board, seat) = (*state.board(), state.seat());
                for enemy in (0..SEATS).filter(|&enemy| enemy != seat && board.own[enemy] != 0) {
                    let mut moves = vec![Move::PASS];
                    board.legal_moves(enemy, &mut moves);
                    moves.retain(|m| m.kind() != Kind::Merge);
                    let left = |m: &Move| {
                        let mut after = board;
                        after.play(enemy, *m);
                        after.own[seat].count_ones()
                    };
                    let fewest = moves.iter().map(left).min().unwrap();
                    let mut after = board;
                    hit(&mut after, enemy, seat);
                    assert!(after.is_consistent());
                    assert_eq!(after.own[seat].count_ones(), fewest, "{enemy} {state:?}");
                }
                let mut moves = Vec::new();
                board.legal_moves(seat, &mut moves);
                if moves.is_empty() {
                    moves.push(Move::PASS);
                }
                state.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn worth_counts_squares_and_open_ones() {
        let worth = |text: &str| {
            let state = State::parse(text).unwrap();
            worth(state.board(), state.seat(), Move::PASS)
        };
        // Alone; taken by the one reply; out of reach, where the reply spreads: five squares and seven open ones beside
        // them, two and seven.
        assert_eq!(worth("1,1...,....,....,...."), 1.0);
        assert_eq!(worth("1,1.2.,....,....,...."), 0.0);
        let far = worth("1,1111....,1.......,........,........,........,........,........,.......2");
        assert!((far - 7.1 / 11.2).abs() < 1e-6, "{far}");
    }
}
