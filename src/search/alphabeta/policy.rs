//! What alpha-beta asks of a game beyond its rules: opinions, and which techniques are on.
//!
//! Everything that a policy leaves alone is an associated constant that is false or a method that returns
//! a constant: it costs nothing, and the bundler cuts it out of the text. Numbers that a tuner turns are
//! fields of the policy, read by its methods; techniques are constants.

use super::{Work, WIN};
use crate::kit::cpu::Level;
use crate::kit::rng::Rng;
use crate::search::game::Game;

/// What is known of a position before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Its value for the side to move (a win counted from here: [`WIN`] less plies), or a bound of it that
    /// lies outside the window.
    Decided(i32),
    /// All moves are to be searched.
    Open,
    /// Only the moves that [`Policy::allows`] for these bits; all others lose at once, in two plies.
    Only(u64),
    /// The same, and there is little choice: the position costs no depth, and nothing is left out of it.
    Forced(u64),
}

/// Gives the moves of a position one at a time, the most promising first, each legal move once.
pub trait Picker<G: Game<2>> {
    /// All moves of the side to move are still to come.
    fn new(game: &G) -> Self;
    /// The next move.
    fn next(&mut self) -> Option<G::Move>;
}

/// For policies that list their moves.
impl<G: Game<2>> Picker<G> for () {
    fn new(_: &G) -> Self {}
    fn next(&mut self) -> Option<G::Move> {
        None
    }
}

/// Evaluation, order of moves, and techniques. Everything hot is `#[inline(always)]`.
///
/// Values are for the side to move, below [`super::WON`] in size unless they are proofs. `&mut self`: a
/// policy may keep tables of its own, taken at construction.
pub trait Policy<G: Game<2>> {
    /// Picks moves where [`Policy::LAZY`]; `()` elsewhere.
    type Lazy: Picker<G>;

    /// Moves come from [`Policy::Lazy`], not from [`Policy::each`].
    const LAZY: bool = false;
    /// Of moves with equal scores the one listed first is tried first. Elsewhere their order is only
    /// reproducible, which is cheaper.
    const STABLE: bool = false;
    /// Moves after the first are tried with a window of no width (principal variation search).
    const SCOUT: bool = true;
    /// Positions are remembered.
    const TABLE: bool = true;
    /// The table keeps deep entries; false: the newest. For tables that are small against a search.
    const KEEP_DEEP: bool = false;
    /// First bit of the hash that tells the slot.
    const SHIFT: u32 = 20;
    /// The caches are asked for the table's slot and for what [`Policy::prefetch`] names: as soon as a position is
    /// entered, and for the move that is likely looked at next before the search below the one picked.
    const PREFETCH: bool = false;
    /// Nodes between two looks at the clock.
    const POLL: u64 = 256;
    /// The clock is looked at, and a stop noticed, at inner nodes only: where a leaf is cheaper than asking.
    const POLL_INSIDE: bool = false;
    /// Results are wins and losses, of which the nearest counts. False: they are points.
    const MATES: bool = true;
    /// Values that no evaluation entered are told apart ([`super::Report::proven`], draws too). Without it
    /// only wins and losses are known for proofs.
    const PROVES: bool = false;
    /// The side to move changes with every ply.
    const ALTERNATES: bool = false;
    /// [`Policy::before`] is asked.
    const BEFORE: bool = false;
    /// The table's move and the killers are tried before any list is made; needs [`Policy::legal`].
    const STAGED: bool = false;
    /// The last two moves that cut at the same ply are tried early.
    const KILLERS: bool = false;
    /// Moves are tried in the order of their past cuts.
    const HISTORY: bool = false;
    /// Cells of the history: [`Policy::index`] stays below it.
    const CELLS: usize = 0;
    /// Late moves are tried at less depth first ([`Policy::reduction`]).
    const REDUCE: bool = false;
    /// Late moves are left out ([`Policy::width`]).
    const WIDTH: bool = false;
    /// Positions near the leaves whose value is far outside the window are not searched
    /// ([`Policy::futile`], [`Policy::hopeless`]).
    const FUTILITY: bool = false;
    /// A side that would stand well even without moving is not searched in full ([`Policy::null_depth`]).
    const NULL_MOVE: bool = false;
    /// Positions of which the table knows nothing are searched less deep ([`Policy::blind`]).
    const BLIND: bool = false;
    /// The search goes on beyond its depth where [`Policy::restless`].
    const EXTENDS: bool = false;
    /// A position with a single move costs no depth; not with lazy moves.
    const EXTEND_SINGLE: bool = false;
    /// Root moves begin in the order of their values one ply deep.
    const ROOT_ORDER: bool = false;
    /// Each depth begins with a window of [`Policy::aspiration`] around the last value.
    const ASPIRATION: bool = false;

    /// What a position is worth to the side to move.
    fn evaluate<L: Level>(&mut self, game: &G) -> i32;

    /// The result for the side to move once the game is over: [`WIN`], `-WIN`, or points below
    /// [`super::WON`] in size.
    #[inline(always)]
    fn result<L: Level>(&mut self, game: &G) -> Option<i32> {
        game.is_over().then(|| {
            let payoff = game.payoff()[game.to_move()];
            i32::from(payoff > 0.5) * WIN - i32::from(payoff < 0.5) * WIN
        })
    }

    /// Plays a move. A policy that fixes hidden draws makes them here.
    #[inline(always)]
    fn play(&self, game: &mut G, m: G::Move) {
        game.advance(&[m; 2], &mut Rng::new(0));
    }

    /// Calls `visit` on the position after `m` and leaves `game` as it was: by a copy, or, where a policy
    /// takes moves back, by playing `m` on `game` and undoing it.
    #[inline(always)]
    fn step<R>(&mut self, game: &mut G, m: G::Move, visit: impl FnOnce(&mut Self, &mut G) -> R) -> R {
        let mut child = game.clone();
        self.play(&mut child, m);
        visit(self, &mut child)
    }

    /// The key of a position in the table.
    #[inline(always)]
    fn hash(&self, game: &G) -> u64 {
        game.hash()
    }

    /// The key after a legal move, or a cheap guess at it: where [`Policy::PREFETCH`].
    #[inline(always)]
    fn hash_after(&self, game: &G, m: G::Move) -> u64 {
        let mut child = game.clone();
        self.play(&mut child, m);
        self.hash(&child)
    }

    /// Asks the caches for what the evaluation of the position of this key will look up.
    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        let _ = hash;
    }

    /// Calls `out` with a score and a move for each legal move; what the policy spends on it beyond that
    /// it books on `work`. Scores stay below 2^20 in size.
    fn each<L: Level>(&mut self, game: &G, work: &mut Work, out: impl FnMut(i32, G::Move)) {
        let _ = (game, work, out);
    }

    /// What a side plays that has no move to choose.
    #[inline(always)]
    fn no_move(&self) -> G::Move {
        G::Move::default()
    }

    /// Whether a move may be played here: asked of moves from elsewhere, without a list.
    #[inline(always)]
    fn legal(&self, game: &G, m: G::Move) -> bool {
        let mut all = Vec::new();
        game.moves(game.to_move(), &mut all);
        all.contains(&m)
    }

    /// What is known before the search, given its window.
    #[inline(always)]
    fn before<L: Level>(&mut self, game: &G, window: (i32, i32), work: &mut Work) -> Before {
        let _ = (game, window, work);
        Before::Open
    }

    /// Whether a move is among those of [`Before::Only`].
    #[inline(always)]
    fn allows(only: u64, m: G::Move) -> bool {
        let _ = (only, m);
        true
    }

    /// True where the evaluation cannot be trusted, `beyond` plies beyond the depth of the search.
    #[inline(always)]
    fn restless<L: Level>(&mut self, game: &G, beyond: i32) -> bool {
        let _ = (game, beyond);
        false
    }

    /// The move's cell in the history, seats apart.
    #[inline(always)]
    fn index(game: &G, m: G::Move) -> usize {
        let _ = (game, m);
        0
    }

    /// What a cut `depth` plies above the leaves adds to a move's history, and what it takes from that of the
    /// moves tried before; at most 2^14.
    #[inline(always)]
    fn gain(&self, depth: i32) -> (i32, i32) {
        let gain = (32 * depth * depth).min(2048);
        (gain, gain / 4)
    }

    /// What histories are divided by between searches.
    #[inline(always)]
    fn forget(&self) -> i32 {
        4
    }

    /// Plies by which the move of this number (from 0) and score is searched less first. The first is never.
    #[inline(always)]
    fn reduction(&self, depth: i32, number: usize, score: i32) -> i32 {
        let _ = score;
        i32::from(depth >= 3 && number >= 4) + i32::from(depth >= 3 && number >= 16)
    }

    /// The same at the root.
    #[inline(always)]
    fn root_reduction(&self, depth: i32, number: usize) -> i32 {
        let _ = (depth, number);
        0
    }

    /// Moves that are tried at most. `scout`: in a window of no width without proofs and threats. No
    /// position is called lost for what was left out.
    #[inline(always)]
    fn width(&self, depth: i32, scout: bool) -> usize {
        let _ = (depth, scout);
        usize::MAX
    }

    /// How far a value must lie above the window to be believed at once.
    #[inline(always)]
    fn futile(&self, depth: i32) -> Option<i32> {
        let _ = depth;
        None
    }

    /// How far a value must lie below the window to be believed at once.
    #[inline(always)]
    fn hopeless(&self, depth: i32) -> Option<i32> {
        let _ = depth;
        None
    }

    /// Depth of the search after a null move; `None` where the position is too shallow for one.
    #[inline(always)]
    fn null_depth(&self, depth: i32) -> Option<i32> {
        (depth >= 3).then_some(depth - 4)
    }

    /// The position with the turn passed; `None` where that may be good for the side to move.
    #[inline(always)]
    fn pass(&self, game: &G) -> Option<G> {
        let _ = game;
        None
    }

    /// Plies by which a position is searched less of which the table knows nothing.
    #[inline(always)]
    fn blind(&self, depth: i32) -> i32 {
        i32::from(depth >= 4)
    }

    /// First and last depth of the deepening.
    #[inline(always)]
    fn depths(&self, game: &G) -> (i32, i32) {
        let _ = game;
        (1, super::MAX_PLY as i32 - 1)
    }

    /// Half the width of the window around the last value.
    #[inline(always)]
    fn aspiration(&self) -> i32 {
        40
    }
}

/// Plies taken off a late move: per cent of ln(depth) * ln(number), from a table.
#[derive(Clone, Debug)]
pub struct Reductions([[u8; 64]; 32]);

impl Reductions {
    /// The table.
    pub fn new(per_cent: i32) -> Self {
        let mut table = [[0; 64]; 32];
        for (depth, line) in table.iter_mut().enumerate() {
            for (number, cell) in line.iter_mut().enumerate() {
                let product = (depth.max(1) as f32).ln() * (number.max(1) as f32).ln();
                *cell = (product * per_cent as f32 / 100.0) as u8;
            }
        }
        Self(table)
    }

    /// Plies for a move by its number, from 0.
    #[inline(always)]
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.min(31) as usize][number.min(63)])
    }
}
