//! How likely a planner plays each move, by a paranoid search of whole replies.
//!
//! Closer to what planners play than [`super::replies`], and a hundred times as slow: it tells who plans
//! ([`super::odds`]), where a position a move is looked at; in the tree it was worth nothing. Each reply is one of the
//! moves that gain most, as a planner orders them.

use super::board::{neighbours, Board, Counts, Square};
use super::moves::{Kind, Move};
use super::policy::ring;
use super::prior::Prior;
use super::replies::share;
use super::state::SEATS;
use crate::kit::bits::Bits;
use arrayvec::ArrayVec;

/// Moves looked at, the likeliest; what is behind them keeps its share.
const MOVES: usize = 20;
/// Replies in a row, and moves looked at of each.
const REPLIES: u32 = 3;
const WIDTH: usize = 6;
/// Logits that the whole board is worth after them, and weight of the logit before.
const SHARP: f32 = 50.0;
const KEEP: f32 = 0.5;
/// Logits below the best at which a move is given up.
const WINDOW: f32 = 8.0;

/// The moves of `seat`, likeliest first before the look, and how likely each is.
pub fn foreseen(board: &Board<SEATS>, seat: usize, prior: &mut Prior) -> Vec<(f32, Move)> {
    let mut shares = prior.weighed(board, seat, 255).to_vec();
    let looked = shares.len().min(MOVES);
    let (mut known, mut top) = (0.0, f32::MIN);
    let mut logits = ArrayVec::<f32, MOVES>::new();
    for &(share, m) in &shares[..looked] {
        known += share;
        let before = KEEP * share.max(1e-4).ln();
        let mut after = *board;
        after.play(seat, m);
        let floor = (top - WINDOW - before) / SHARP;
        let logit = before + SHARP * least(&after, seat, seat, REPLIES, floor);
        top = top.max(logit);
        logits.push(logit);
    }
    let sum: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
    for ((share, _), logit) in shares.iter_mut().zip(&logits) {
        *share = known * (logit - top).exp() / sum;
    }
    shares
}

/// What the hardest `left` replies to the move of `last` leave `seat`, as a share; no more than `floor` is not looked
/// at further.
fn least(board: &Board<SEATS>, seat: usize, last: usize, left: u32, floor: f32) -> f32 {
    let mut next = (1..SEATS).map(|i| (last + i) % SEATS);
    let enemy = next.find(|&enemy| enemy == seat || board.own[enemy] != 0);
    let Some(enemy) = enemy.filter(|&enemy| enemy != seat && left > 0 && board.empty != 0) else {
        return share(board, seat);
    };
    let mut found = f32::MAX;
    for m in replies(board, enemy) {
        let mut after = *board;
        after.play(enemy, m);
        found = found.min(least(&after, seat, enemy, left - 1, floor));
        if found <= floor {
            break;
        }
    }
    found
}

/// The moves of `enemy` that gain most, one of those that differ in the source alone; a pass where none gains.
fn replies(board: &Board<SEATS>, enemy: usize) -> ArrayVec<Move, WIDTH> {
    let own = board.own[enemy];
    let (taken, filled) = (Counts::of(board.enemies(enemy)), Counts::of(board.empty));
    let near = board.spreads(enemy);
    let far = ring(own) & board.empty & !near;
    let paired = own & neighbours(own);
    let mut moves = ArrayVec::new();
    for gain in (1..=9).rev() {
        let kinds = [
            (Kind::Spread, near & taken.exactly(gain - 1)),
            (Kind::Merge, paired & filled.exactly(gain + 1)),
            (Kind::Jump, far & taken.exactly(gain)),
        ];
        for (kind, targets) in kinds {
            for to in Bits(targets).map(|to| Square(to as u8)) {
                if moves.is_full() {
                    return moves;
                }
                let around = if kind == Kind::Jump { to.ring() } else { to.near() };
                let from = (around & own).trailing_zeros();
                moves.push(Move::new(kind, Square(from as u8), to));
            }
        }
    }
    if moves.is_empty() {
        moves.push(Move::PASS);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::{foreseen, least, replies, WIDTH};
    use crate::games::slime::models::Model;
    use crate::games::slime::moves::Move;
    use crate::games::slime::prior::Prior;
    use crate::games::slime::replies::share;
    use crate::games::slime::state::State;
    use crate::kit::rng::Rng;

    /// Positions of games by any moves.
    fn positions() -> Vec<State> {
        let mut all = Vec::new();
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut state = State::start(4 + seed as u32 % 5);
            while !state.is_over() && state.turns() < 60 {
                all.push(state);
                let mut moves = Vec::new();
                Model::Wanders.list(state.board(), state.seat(), &mut moves);
                state.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        all
    }

    /// They gain what the first moves by gain do: one for each kind and target, no jump where a spread goes.
    #[test]
    fn replies_gain_most() {
        for state in positions() {
            let (board, seat) = (state.board(), state.seat());
            let mut moves = Vec::new();
            board.useful_moves(seat, &mut moves);
            let mut all: Vec<_> = moves
                .iter()
                .map(|&m| (-board.gain(seat, m), m.kind() as u8, m.to()))
                .collect();
            all.retain(|&(loss, kind, to)| loss < 0 && (kind != 2 || board.spreads(seat) & to.bit() == 0));
            all.sort_unstable();
            all.dedup();
            let found = replies(board, seat);
            let gains: Vec<i32> = found.iter().map(|&m| board.gain(seat, m)).collect();
            let expected: Vec<i32> = all.iter().take(WIDTH).map(|(loss, ..)| -loss).collect();
            if expected.is_empty() {
                assert_eq!(found[..], [Move::PASS]);
            } else {
                assert_eq!(gains, expected, "{}", state.argument());
            }
        }
    }

    /// What is given up early leaves no more than the floor, and nothing else is given up.
    #[test]
    fn floors_change_nothing_above_them() {
        for state in positions().iter().step_by(5) {
            let (board, seat) = (state.board(), state.seat());
            let whole = least(board, seat, seat, 3, -1.0);
            for floor in [0.05, 0.2, 0.4] {
                let cut = least(board, seat, seat, 3, floor);
                let same = if whole > floor {
                    cut == whole
                } else {
                    (whole..=floor).contains(&cut)
                };
                assert!(same, "{cut} {whole} {floor} {}", state.argument());
            }
        }
    }

    #[test]
    fn shares_sum_to_one() {
        let mut prior = Prior::learned(32);
        for state in positions().iter().step_by(7) {
            let (board, seat) = (state.board(), state.seat());
            // Without a reply it is what the board says.
            assert_eq!(least(board, seat, seat, 0, 0.0), share(board, seat));
            let shares = foreseen(board, seat, &mut prior);
            let sum: f32 = shares.iter().map(|&(share, _)| share).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum} {}", state.argument());
        }
    }
}
