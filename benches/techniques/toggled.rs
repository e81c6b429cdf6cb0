//! A policy with some of its techniques switched: those that are on go off, those that are off go on.

use fifty::kit::cpu::Level;
use fifty::search::alphabeta::policy::{Before, Policy};
use fifty::search::alphabeta::Work;
use fifty::search::game::Game;

/// Remembered positions.
pub const TABLE: u32 = 1;
/// The last moves that cut at the same ply.
pub const KILLERS: u32 = 1 << 1;
/// Past cuts.
pub const HISTORY: u32 = 1 << 2;
/// Late moves at less depth first.
pub const REDUCE: u32 = 1 << 3;
/// Late moves left out.
pub const WIDTH: u32 = 1 << 4;
/// Static cuts near the leaves.
pub const FUTILITY: u32 = 1 << 5;
/// Null moves.
pub const NULL_MOVE: u32 = 1 << 6;
/// Less depth where the table knows nothing.
pub const BLIND: u32 = 1 << 7;
/// Table move and killers before any list.
pub const STAGED: u32 = 1 << 8;
/// The root's first order.
pub const ROOT_ORDER: u32 = 1 << 9;
/// Windows around the last value.
pub const ASPIRATION: u32 = 1 << 10;
/// Windows of no width.
pub const SCOUT: u32 = 1 << 11;
/// Tables that keep deep entries.
pub const KEEP_DEEP: u32 = 1 << 12;

/// `P` with the techniques of `FLIP` switched.
pub struct Toggled<P, const FLIP: u32>(pub P);

impl<G: Game<2>, P: Policy<G>, const FLIP: u32> Policy<G> for Toggled<P, FLIP> {
    type Lazy = P::Lazy;
    const LAZY: bool = P::LAZY;
    const STABLE: bool = P::STABLE;
    const SCOUT: bool = P::SCOUT ^ (FLIP & SCOUT != 0);
    const TABLE: bool = P::TABLE ^ (FLIP & TABLE != 0);
    const KEEP_DEEP: bool = P::KEEP_DEEP ^ (FLIP & KEEP_DEEP != 0);
    const SHIFT: u32 = P::SHIFT;
    const POLL: u64 = P::POLL;
    const POLL_INSIDE: bool = P::POLL_INSIDE;
    const MATES: bool = P::MATES;
    const PROVES: bool = P::PROVES;
    const ALTERNATES: bool = P::ALTERNATES;
    const BEFORE: bool = P::BEFORE;
    const STAGED: bool = P::STAGED ^ (FLIP & STAGED != 0);
    const KILLERS: bool = P::KILLERS ^ (FLIP & KILLERS != 0);
    const HISTORY: bool = P::HISTORY ^ (FLIP & HISTORY != 0);
    const CELLS: usize = P::CELLS;
    const REDUCE: bool = P::REDUCE ^ (FLIP & REDUCE != 0);
    const WIDTH: bool = P::WIDTH ^ (FLIP & WIDTH != 0);
    const FUTILITY: bool = P::FUTILITY ^ (FLIP & FUTILITY != 0);
    const NULL_MOVE: bool = P::NULL_MOVE ^ (FLIP & NULL_MOVE != 0);
    const BLIND: bool = P::BLIND ^ (FLIP & BLIND != 0);
    const EXTENDS: bool = P::EXTENDS;
    const EXTEND_SINGLE: bool = P::EXTEND_SINGLE;
    const ROOT_ORDER: bool = P::ROOT_ORDER ^ (FLIP & ROOT_ORDER != 0);
    const ASPIRATION: bool = P::ASPIRATION ^ (FLIP & ASPIRATION != 0);

    #[inline(always)]
    fn evaluate<L: Level>(&mut self, game: &G) -> i32 {
        self.0.evaluate::<L>(game)
    }
    #[inline(always)]
    fn result<L: Level>(&mut self, game: &G) -> Option<i32> {
        self.0.result::<L>(game)
    }
    #[inline(always)]
    fn play(&self, game: &mut G, m: G::Move) {
        self.0.play(game, m);
    }
    #[inline(always)]
    fn hash(&self, game: &G) -> u64 {
        self.0.hash(game)
    }
    #[inline(always)]
    fn each<L: Level>(&mut self, game: &G, work: &mut Work, out: impl FnMut(i32, G::Move)) {
        self.0.each::<L>(game, work, out);
    }
    #[inline(always)]
    fn no_move(&self) -> G::Move {
        self.0.no_move()
    }
    #[inline(always)]
    fn legal(&self, game: &G, m: G::Move) -> bool {
        self.0.legal(game, m)
    }
    #[inline(always)]
    fn before<L: Level>(&mut self, game: &G, window: (i32, i32), work: &mut Work) -> Before {
        self.0.before::<L>(game, window, work)
    }
    #[inline(always)]
    fn allows(only: u64, m: G::Move) -> bool {
        P::allows(only, m)
    }
    #[inline(always)]
    fn restless<L: Level>(&mut self, game: &G, beyond: i32) -> bool {
        self.0.restless::<L>(game, beyond)
    }
    #[inline(always)]
    fn index(game: &G, m: G::Move) -> usize {
        P::index(game, m)
    }
    #[inline(always)]
    fn gain(&self, depth: i32) -> (i32, i32) {
        self.0.gain(depth)
    }
    #[inline(always)]
    fn forget(&self) -> i32 {
        self.0.forget()
    }
    #[inline(always)]
    fn reduction(&self, depth: i32, number: usize, score: i32) -> i32 {
        self.0.reduction(depth, number, score)
    }
    #[inline(always)]
    fn root_reduction(&self, depth: i32, number: usize) -> i32 {
        self.0.root_reduction(depth, number)
    }
    #[inline(always)]
    fn width(&self, depth: i32, scout: bool) -> usize {
        self.0.width(depth, scout)
    }
    #[inline(always)]
    fn futile(&self, depth: i32) -> Option<i32> {
        self.0.futile(depth)
    }
    #[inline(always)]
    fn hopeless(&self, depth: i32) -> Option<i32> {
        self.0.hopeless(depth)
    }
    #[inline(always)]
    fn null_depth(&self, depth: i32) -> Option<i32> {
        self.0.null_depth(depth)
    }
    #[inline(always)]
    fn pass(&self, game: &G) -> Option<G> {
        self.0.pass(game)
    }
    #[inline(always)]
    fn blind(&self, depth: i32) -> i32 {
        self.0.blind(depth)
    }
    #[inline(always)]
    fn depths(&self, game: &G) -> (i32, i32) {
        self.0.depths(game)
    }
    #[inline(always)]
    fn aspiration(&self) -> i32 {
        self.0.aspiration()
    }
}
