//! What the others are expected to do: plan like us, or follow one of four opponent models.
//!
//! How likely a seat follows one is told by [`super::odds`].

use super::board::{dilate, neighbours, Board, Counts, Square};
use super::moves::{Kind, Move};
use super::policy::{most, ring};
use super::state::SEATS;
use crate::kit::bits::Bits;

/// How a seat chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// It searches: it is not modelled.
    #[default]
    Plans,
    /// Takes the most squares at once.
    Grabs,
    /// The same without merges.
    GrabsOutside,
    /// Any move that is not a waste.
    Wanders,
}

/// All of them.
pub const MODELS: [Model; 4] = [Model::Plans, Model::Grabs, Model::GrabsOutside, Model::Wanders];

impl Model {
    /// What the network is told: 0 plans, 1 wanders.
    pub const fn weakness(self) -> f32 {
        match self {
            Self::Plans => 0.0,
            Self::Grabs | Self::GrabsOutside => 0.5,
            Self::Wanders => 1.0,
        }
    }

    /// Appends the moves a seat with this model draws from, each as likely as another; at least one.
    #[inline(always)]
    pub fn list(self, board: &Board<SEATS>, seat: usize, out: &mut Vec<Move>) {
        let own = board.own[seat];
        let taken = Counts::of(board.enemies(seat));
        let filled = Counts::of(board.empty);
        let (mut spreads, takes) = most(&taken, dilate(own) & board.empty);
        let (mut jumps, jump_gain) = most(&taken, ring(own) & board.empty);
        let (mut merges, fills) = most(&filled, own & neighbours(own));
        let merge_gain = fills.saturating_sub(1);
        if self == Self::Wanders {
            spreads = board.spreads(seat);
            jumps = board.within_two(seat);
            merges = board.merge_targets(seat);
        } else {
            let spread_gain = if spreads == 0 { 0 } else { takes + 1 };
            let merge_gain = if self == Self::Grabs { merge_gain } else { 0 };
            let best = spread_gain.max(merge_gain).max(jump_gain);
            let only = |set: u64, gain| if gain == best { set } else { 0 };
            spreads = only(spreads, spread_gain);
            jumps = only(jumps, jump_gain);
            merges = if merge_gain > 0 {
                only(merges, merge_gain)
            } else {
                0
            };
        }
        for to in Bits(spreads) {
            let to = Square(to as u8);
            out.push(Move::new(Kind::Spread, board.spread_source(seat, to), to));
        }
        for (kind, set) in [(Kind::Merge, merges), (Kind::Jump, jumps)] {
            for to in Bits(set) {
                let to = Square(to as u8);
                let around = if kind == Kind::Merge { to.near() } else { to.ring() };
                for from in Bits(around & own) {
                    out.push(Move::new(kind, Square(from as u8), to));
                }
            }
        }
        if out.is_empty() {
            out.push(Move::PASS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Model, MODELS};
    use crate::games::slime::moves::Move;
    use crate::games::slime::state::State;
    use crate::kit::rng::Rng;

    /// Grabbing is the largest gain of the list, and all of it.
    #[test]
    fn models_list_what_they_say() {
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let mut state = State::start(4 + seed as u32 % 5);
            for _ in 0..80 {
                if state.is_over() {
                    break;
                }
                let (board, seat) = (*state.board(), state.seat());
                let mut all = Vec::new();
                board.useful_moves(seat, &mut all);
                for model in [Model::Grabs, Model::GrabsOutside, Model::Wanders] {
                    let mut expected: Vec<Move> = all.clone();
                    if model == Model::GrabsOutside {
                        expected.retain(|m| m.kind() != super::Kind::Merge);
                    }
                    let most = expected.iter().map(|&m| board.gain(seat, m)).max();
                    if model != Model::Wanders {
                        expected.retain(|&m| Some(board.gain(seat, m)) == most);
                    }
                    if expected.is_empty() {
                        expected.push(Move::PASS);
                    }
                    let mut listed = Vec::new();
                    model.list(&board, seat, &mut listed);
                    listed.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(listed, expected, "{model:?} {state:?}");
                }
                let mut moves = Vec::new();
                MODELS[1 + rng.below(3) as usize].list(&board, seat, &mut moves);
                state.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }
}
