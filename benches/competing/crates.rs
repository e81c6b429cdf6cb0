//! Public tree searches on the same bitboard: `arbor`, `board-game`, `simple-mcts`.
//!
//! Each with the fast playout where it takes one. They are compiled with the flags of the build, as their
//! users would: `pdep` is used where the build itself allows it.

use arbor::{GameResult, GameState, MCTS};
use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{
    Alternating, Board, BoardDone, BoardMoves, BruteforceMoveIterator, Outcome, PlayError, Player,
};
use board_game::impl_unit_symmetry_board;
use board_game::util::iter::ClonableInternal;
use fifty::kit::cpu::Level;
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use fifty::kit::cpu::Plain as Flags;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use fifty::kit::cpu::V3 as Flags;
use fifty::kit::rng::Rng;
use fifty_connect4::game::{aligned, Connect4};
use rand::SeedableRng;
use simple_mcts::{negate_score, puct, Action, Engine, StateEvaluation};
use std::cell::Cell;
use std::fmt::{Debug, Display, Formatter};

thread_local! {
    /// `arbor` gives its evaluation no generator.
    static SEED: Cell<u64> = const { Cell::new(1) };
}

fn playout(state: Connect4) -> f32 {
    let mut rng = Rng::new(SEED.get());
    let value = state.playout::<Flags>(&mut rng);
    SEED.set(rng.next_u64());
    value
}

/// The position as `arbor` wants it.
#[derive(Clone, Copy, Debug)]
struct Arbor(Connect4);

#[derive(Clone, Copy, Debug)]
struct Cell49(u64);
impl arbor::Action for Cell49 {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Side(bool);
impl arbor::Player for Side {}

impl Display for Arbor {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Debug::fmt(self, f)
    }
}

impl GameState<Side, Cell49> for Arbor {
    #[inline]
    fn actions<F: FnMut(Cell49)>(&self, f: &mut F) {
        let mut landing = self.0.landing();
        while landing != 0 {
            f(Cell49(landing & landing.wrapping_neg()));
            landing &= landing - 1;
        }
    }
    #[inline]
    fn make(&self, action: Cell49) -> Self {
        let mut next = self.0;
        next.drop_on(action.0);
        Self(next)
    }
    #[inline]
    fn gameover(&self) -> Option<GameResult> {
        if aligned(self.0.mine ^ self.0.all) {
            Some(GameResult::Lose)
        } else if self.0.landing() == 0 {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
    #[inline]
    fn player(&self) -> Side {
        Side(self.0.seat() == 0)
    }
    #[inline]
    fn custom_evaluation(&self) -> f32 {
        playout(self.0)
    }
}

/// `arbor` with the fast playout as its evaluation.
pub fn arbor(n: u32, seed: u64) {
    SEED.set(seed);
    let mut search = MCTS::new(Arbor(Connect4::EMPTY))
        .with_exploration(1.0)
        .with_custom_evaluation();
    search.ponder(n as usize);
    assert!(search.best().is_some());
}

/// The position as `board-game` wants it: the outcome kept, as in its own games.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    state: Connect4,
    outcome: Option<Outcome>,
}

impl Display for Kept {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Debug::fmt(self, f)
    }
}

impl Kept {
    #[inline]
    fn drop_on(&mut self, cell: u64) {
        let mover = self.next_player();
        self.state.drop_on(cell);
        if aligned(self.state.mine ^ self.state.all) {
            self.outcome = Some(Outcome::WonBy(mover));
        } else if self.state.landing() == 0 {
            self.outcome = Some(Outcome::Draw);
        }
    }
}

impl Board for Kept {
    type Move = u8;
    #[inline]
    fn next_player(&self) -> Player {
        if self.state.seat() == 0 {
            Player::A
        } else {
            Player::B
        }
    }
    #[inline]
    fn is_available_move(&self, mv: u8) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.state.landing() & (63 << (7 * mv)) != 0)
    }
    #[inline]
    fn random_available_move(&self, rng: &mut impl rand::Rng) -> Result<u8, BoardDone> {
        let landing = self.state.landing();
        let n = ((u64::from(rng.next_u32()) * u64::from(landing.count_ones())) >> 32) as u32;
        Ok((Flags::select(landing, n) / 7) as u8)
    }
    #[inline]
    fn play(&mut self, mv: u8) -> Result<(), PlayError> {
        self.drop_on(self.state.landing() & (63 << (7 * mv)));
        Ok(())
    }
    #[inline]
    fn play_random_available_move(&mut self, rng: &mut impl rand::Rng) -> Result<(), BoardDone> {
        let landing = self.state.landing();
        let n = ((u64::from(rng.next_u32()) * u64::from(landing.count_ones())) >> 32) as u32;
        self.drop_on(1 << Flags::select(landing, n));
        Ok(())
    }
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    fn can_lose_after_move() -> bool {
        false
    }
}

impl Alternating for Kept {}
impl_unit_symmetry_board!(Kept);

impl<'a> BoardMoves<'a, Kept> for Kept {
    type AllMovesIterator = ClonableInternal<std::ops::Range<u8>>;
    type AvailableMovesIterator = BruteforceMoveIterator<'a, Kept>;
    fn all_possible_moves() -> Self::AllMovesIterator {
        ClonableInternal::new(0..7)
    }
    fn available_moves(&'a self) -> Result<Self::AvailableMovesIterator, BoardDone> {
        BruteforceMoveIterator::new(self)
    }
}

/// `board-game` with a fast random move (it has a solver).
pub fn board_game(n: u32, seed: u64) {
    let mut rng = rand::rngs::SmallRng::seed_from_u64(seed);
    let start = Kept {
        state: Connect4::EMPTY,
        outcome: None,
    };
    let tree = mcts_build_tree(&start, u64::from(n), 1.0, &mut rng);
    assert!(tree.best_move() < 7);
}

/// `simple-mcts` with the fast playout, priors alike, as in its own example.
pub fn simple_mcts(n: u32, seed: u64) {
    SEED.set(seed);
    let mut engine = Engine::<7>::with_capacity(n as usize);
    let mut path: Vec<Action> = Vec::with_capacity(64);
    for _ in 0..n {
        let selection = engine.select(&mut path, &puct, 1.4);
        let mut state = Connect4::EMPTY;
        for action in &path {
            state.drop_on(state.landing() & (63 << (7 * action.action())));
        }
        let evaluation = if aligned(state.mine ^ state.all) {
            StateEvaluation::Terminal(1.0)
        } else if state.landing() == 0 {
            StateEvaluation::Terminal(0.0)
        } else {
            let share = 1.0 / state.landing().count_ones() as f32;
            let free = |c: usize| state.landing() & (63 << (7 * c)) != 0;
            let priors = std::array::from_fn(|c| if free(c) { share } else { 0.0 });
            StateEvaluation::Active(1.0 - 2.0 * playout(state), priors)
        };
        let done = engine.update(evaluation, selection, negate_score);
        assert!(done.is_ok(), "{done:?}");
    }
    assert!(engine.scores().iter().sum::<i32>() > n as i32 / 2);
}
