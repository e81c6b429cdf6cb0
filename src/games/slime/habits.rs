//! What the others are expected to do: plan like us, or follow a habit that can be modelled.
//!
//! A habit is one of four; how likely a seat follows it is told from the moves it made between two boards
//! that we saw. All logarithms of likelihoods are natural and relative to planning.

use super::board::{dilate, neighbours, Board, Counts, Square};
use super::moves::{Kind, Move};
use super::policy::{most, ring};
use super::prior::Prior;
use super::state::SEATS;
use crate::kit::bits::Bits;

/// How a seat chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Habit {
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
pub const HABITS: [Habit; 4] = [Habit::Plans, Habit::Grabs, Habit::GrabsOutside, Habit::Wanders];

/// For each seat, how much likelier than planning each habit is, as logarithms.
pub type Odds = [[f32; HABITS.len()]; SEATS];

/// Chance that a habit is broken, or that a planner plays what no table expects.
const SLIP: f32 = 0.03;
/// Moves such a slip falls on.
const SLIPS: f32 = 60.0;

impl Habit {
    /// What the network is told: 0 plans, 1 wanders.
    pub const fn weakness(self) -> f32 {
        match self {
            Self::Plans => 0.0,
            Self::Grabs | Self::GrabsOutside => 0.5,
            Self::Wanders => 1.0,
        }
    }

    /// Appends the moves a seat with this habit draws from, each as likely as another; at least one.
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

    /// How likely `m` is under this habit.
    fn likelihood(self, board: &Board<SEATS>, seat: usize, m: Move, prior: &mut Prior) -> f32 {
        let expected = if self == Self::Plans {
            let mut best = prior.best(board, seat, 255).iter();
            best.find(|&&(_, play)| play == m)
                .map_or(0.0, |&(share, _)| share)
        } else {
            let mut moves = Vec::with_capacity(256);
            self.list(board, seat, &mut moves);
            if moves.contains(&m) {
                1.0 / moves.len() as f32
            } else {
                0.0
            }
        };
        (1.0 - SLIP) * expected + SLIP / SLIPS
    }
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
    let mut moves = vec![Move::PASS];
    board.legal_moves(seat, &mut moves);
    let mut count = 0;
    for m in moves {
        let mut next = *board;
        next.play(seat, m);
        if rest.is_empty() && next != *after || !may_lead(&next, after, rest) {
            continue;
        }
        for (habit, seen) in HABITS.iter().zip(&mut seen[seat]) {
            *seen = habit.likelihood(board, seat, m, prior);
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
    use super::{learn, Habit, HABITS};
    use crate::games::slime::moves::Move;
    use crate::games::slime::prior::Prior;
    use crate::games::slime::state::{State, SEATS};
    use crate::kit::rng::Rng;

    /// Grabbing is the largest gain of the list, and all of it.
    #[test]
    fn habits_list_what_they_say() {
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
                for habit in [Habit::Grabs, Habit::GrabsOutside, Habit::Wanders] {
                    let mut expected: Vec<Move> = all.clone();
                    if habit == Habit::GrabsOutside {
                        expected.retain(|m| m.kind() != super::Kind::Merge);
                    }
                    let most = expected.iter().map(|&m| board.gain(seat, m)).max();
                    if habit != Habit::Wanders {
                        expected.retain(|&m| Some(board.gain(seat, m)) == most);
                    }
                    if expected.is_empty() {
                        expected.push(Move::PASS);
                    }
                    let mut listed = Vec::new();
                    habit.list(&board, seat, &mut listed);
                    listed.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(listed, expected, "{habit:?} {state:?}");
                }
                let mut moves = Vec::new();
                HABITS[1 + rng.below(3) as usize].list(&board, seat, &mut moves);
                state.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }

    /// Each habit is told from the others within a game.
    #[test]
    fn habits_are_recognised() {
        let mut prior = Prior::learned(32);
        let mut right = 0;
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut state = State::start(8);
            let habits = [0, 1, 2, 3].map(|i| HABITS[1 + (i + seed as usize) % 3]);
            let mut odds = super::Odds::default();
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
                habits[state.seat()].list(state.board(), state.seat(), &mut moves);
                state.play(moves[rng.below(moves.len() as u32) as usize]);
                if state.seat() == 1 {
                    left = Some(*state.board());
                }
            }
            for seat in 1..SEATS {
                let most = (0..4).max_by(|&a, &b| odds[seat][a].total_cmp(&odds[seat][b]));
                right += u32::from(most.map(|h| HABITS[h]) == Some(habits[seat]));
            }
        }
        assert!(right >= 33, "{right} of 36");
    }
}
