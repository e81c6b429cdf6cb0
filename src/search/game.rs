//! What a search needs to know of a game, and what it gives back.
//!
//! Rules only: evaluation, playout policy and priors are traits of their own, so that one game can be
//! played with several opinions. All values are absolute per seat, in `0.0..=1.0`, never "mine".

use crate::kit::rng::Rng;

/// Rules and state of one game for `N` seats, as a small value type that is cheap to clone.
///
/// Invariants: for every acting seat `moves` is non-empty unless `is_over` (a seat that can do nothing
/// gets a pass move); `payoff` is called only when `is_over`; every payoff lies in `0.0..=1.0`.
pub trait Game<const N: usize>: Clone {
    /// One seat's choice. `Default` is a filler for seats that do not act and never played.
    type Move: Copy + Eq + Default + core::fmt::Debug;

    /// All seats choose before any choice takes effect.
    const SIMULTANEOUS: bool = false;
    /// `sample` gives states that differ (hidden cards, draws to come).
    const HIDDEN: bool = false;

    /// No more moves: `payoff` is defined.
    fn is_over(&self) -> bool;

    /// Result per seat: 1 won, 0.5 drawn, 0 lost, or a share in between.
    fn payoff(&self) -> [f32; N];

    /// The seat that chooses now. Never called when `SIMULTANEOUS`.
    fn to_move(&self) -> usize;

    /// Appends the legal moves of `seat` in a fixed order, without duplicates. `out` comes empty.
    fn moves(&self, seat: usize, out: &mut Vec<Self::Move>);

    /// Plays one turn. Alternating games read `joint[to_move()]` only. Draws are made here, from `rng`.
    fn advance(&mut self, joint: &[Self::Move; N], rng: &mut Rng);

    /// A state that agrees with everything `me` can see, hidden parts drawn anew.
    #[must_use]
    #[inline(always)]
    fn sample(&self, me: usize, rng: &mut Rng) -> Self {
        let _ = (me, rng);
        self.clone()
    }

    /// Equal for equal states (up to what the game calls equal); 64 well-mixed bits.
    fn hash(&self) -> u64;
}
