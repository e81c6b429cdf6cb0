//! How likely each seat follows each opponent model, told from the moves it made between two boards that we saw.
//!
//! What a planner would play is told by [`super::prior`], once for each position that lies on a way between the boards.
//! All logarithms of likelihoods are natural and relative to planning.

use super::board::Board;
use super::models::{Model, MODELS};
use super::moves::Move;
use super::prior::Prior;
use super::state::SEATS;

/// For each seat, how much likelier than planning each model is, as logarithms.
pub type Odds = [[f32; MODELS.len()]; SEATS];

/// Chance that a model is broken, or that a planner plays what no table expects.
const SLIP: f32 = 0.03;
/// Moves such a slip falls on.
const SLIPS: f32 = 60.0;

/// How likely `m` is under this model; `plans` are the shares of one who plans.
fn likelihood(model: Model, board: &Board<SEATS>, seat: usize, m: Move, plans: &[(f32, Move)]) -> f32 {
    let expected = if model == Model::Plans {
        let found = plans.iter().find(|&&(_, play)| play == m);
        found.map_or(0.0, |&(share, _)| share)
    } else {
        let mut moves = Vec::with_capacity(256);
        model.list(board, seat, &mut moves);
        if moves.contains(&m) {
            1.0 / moves.len() as f32
        } else {
            0.0
        }
    };
    (1.0 - SLIP) * expected + SLIP / SLIPS
}

/// True where the moves of `movers` alone may lead from one board to another.
fn may_lead(from: &Board<SEATS>, to: &Board<SEATS>, movers: &[usize]) -> bool {
    let mut theirs = 0;
    for (seat, (before, after)) in from.own.iter().zip(to.own).enumerate() {
        let gained = after & !before;
        if movers.contains(&seat) {
            theirs |= before;
            // A move gains nine squares at most.
            if gained.count_ones() > 9 {
                return false;
            }
        } else if gained != 0 {
            return false;
        }
    }
    let left = to.empty & !from.empty;
    left & !theirs == 0 && left.count_ones() as usize <= movers.len()
}

/// The moves of `seat`, and where they lead, after which `rest` may lead to `after`.
fn steps(
    board: &Board<SEATS>,
    after: &Board<SEATS>,
    seat: usize,
    rest: &[usize],
) -> Vec<(Move, Board<SEATS>)> {
    let mut moves = vec![Move::PASS];
    board.legal_moves(seat, &mut moves);
    let next = moves.into_iter().map(|m| {
        let mut next = *board;
        next.play(seat, m);
        (m, next)
    });
    let may = |next: &Board<SEATS>| next == after || !rest.is_empty() && may_lead(next, after, rest);
    next.filter(|(_, next)| may(next)).collect()
}

/// True where one move each of `movers` leads from one board to the other.
fn leads(board: &Board<SEATS>, after: &Board<SEATS>, movers: &[usize]) -> bool {
    let Some((&seat, rest)) = movers.split_first() else {
        return board == after;
    };
    let mut steps = steps(board, after, seat, rest).into_iter();
    steps.any(|(_, next)| leads(&next, after, rest))
}

/// Goes through all ways in which `movers`, one move each in this order, lead from one board to the
/// other. `seen` holds the likelihoods along the way; each way adds them to `sums`. Returns how many.
fn ways(
    board: &Board<SEATS>,
    after: &Board<SEATS>,
    movers: &[usize],
    prior: &mut Prior,
    seen: &mut Odds,
    sums: &mut Odds,
) -> u32 {
    let Some((&seat, rest)) = movers.split_first() else {
        for (sum, seen) in sums.iter_mut().flatten().zip(seen.iter().flatten()) {
            *sum += seen;
        }
        return u32::from(board == after);
    };
    let mut plans = Vec::new();
    let mut count = 0;
    for (m, next) in steps(board, after, seat, rest) {
        if !leads(&next, after, rest) {
            continue;
        }
        if plans.is_empty() {
            plans = prior.best(board, seat, 255).to_vec();
        }
        for (model, seen) in MODELS.iter().zip(&mut seen[seat]) {
            *seen = likelihood(*model, board, seat, m, &plans);
        }
        count += ways(&next, after, rest, prior, seen, sums);
    }
    count
}

/// What the moves of the three others say, who moved between a board that `me` left and the one it meets
/// next; `None` where no three moves lead there.
pub fn learn(before: &Board<SEATS>, after: &Board<SEATS>, me: usize, prior: &mut Prior) -> Option<Odds> {
    let movers = [1, 2, 3].map(|i| (me + i) % SEATS);
    if before.all() != after.all() || !may_lead(before, after, &movers) {
        return None;
    }
    let (mut seen, mut sums) = (Odds::default(), Odds::default());
    let count = ways(before, after, &movers, prior, &mut seen, &mut sums);
    (count > 0).then(|| {
        sums.map(|sums| {
            let plans = sums[0];
            sums.map(|sum| if plans > 0.0 { (sum / plans).ln() } else { 0.0 })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{learn, Odds};
    use crate::games::slime::models::MODELS;
    use crate::games::slime::prior::Prior;
    use crate::games::slime::state::{State, SEATS};
    use crate::kit::rng::Rng;

    /// Each model is told from the others within a game.
    #[test]
    fn models_are_recognised() {
        let mut prior = Prior::learned(32);
        let mut right = 0;
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut state = State::start(8);
            let models = [0, 1, 2, 3].map(|i| MODELS[1 + (i + seed as usize) % 3]);
            let mut odds = Odds::default();
            let mut left = None;
            for _ in 0..12 * SEATS {
                if state.is_over() {
                    break;
                }
                if state.seat() == 0 {
                    if let Some(before) = left {
                        let new = learn(&before, state.board(), 0, &mut prior).expect("three moves");
                        for (odds, new) in odds.iter_mut().flatten().zip(new.into_iter().flatten()) {
                            *odds += new;
                        }
                    }
                }
                let mut moves = Vec::new();
                models[state.seat()].list(state.board(), state.seat(), &mut moves);
                state.play(moves[rng.below(moves.len() as u32) as usize]);
                if state.seat() == 1 {
                    left = Some(*state.board());
                }
            }
            for seat in 1..SEATS {
                let most = (0..4).max_by(|&a, &b| odds[seat][a].total_cmp(&odds[seat][b]));
                right += u32::from(most.map(|h| MODELS[h]) == Some(models[seat]));
            }
        }
        assert!(right >= 33, "{right} of 36");
    }
}
