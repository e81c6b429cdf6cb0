//! Alpha-beta against plain negamax on connect four.

use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::policy::{Before, Picker, Policy};
use fifty::search::alphabeta::{AlphaBeta, Work, MAX_PLY, WIN, WON};
use fifty::search::game::Game;
use fifty_connect4::game::{aligned, Column, Connect4, Lines};
use std::collections::HashMap;

/// Four at once; or the one column that prevents the other's four; or `quiet`.
pub fn told(game: &Connect4, quiet: Before) -> Before {
    let fours = |own: u64| {
        let cells = (0..7u8).map(|c| (c, game.landing() & (63 << (7 * c))));
        cells
            .filter(|&(_, cell)| cell != 0 && aligned(own | cell))
            .fold(0u64, |bits, (c, _)| bits | 1 << c)
    };
    let threats = fours(game.mine ^ game.all);
    if fours(game.mine) != 0 {
        Before::Decided(WIN - 1)
    } else if threats.count_ones() > 1 {
        Before::Decided(2 - WIN)
    } else if threats != 0 {
        Before::Forced(threats)
    } else {
        quiet
    }
}

/// Plain negamax with a map, no bounds: -1, 0 or 1 for the side to move.
pub fn exact(state: Connect4, known: &mut HashMap<Connect4Key, i8>) -> i8 {
    if state.finished() {
        return if aligned(state.mine ^ state.all) { -1 } else { 0 };
    }
    if let Some(&v) = known.get(&(state.mine, state.all)) {
        return v;
    }
    let mut best = -1;
    for m in moves(state) {
        let mut child = state;
        child.play(m);
        best = best.max(-exact(child, known));
        if best == 1 {
            break;
        }
    }
    known.insert((state.mine, state.all), best);
    best
}

/// Both stones words.
pub type Connect4Key = (u64, u64);

pub fn moves(state: Connect4) -> Vec<Column> {
    let mut out = Vec::new();
    Game::moves(&state, 0, &mut out);
    out
}

/// A position `stones` random moves into the game, not over.
pub fn random_position(rng: &mut Rng, stones: u32) -> Connect4 {
    'again: loop {
        let mut state = Connect4::EMPTY;
        for _ in 0..stones {
            let list = moves(state);
            state.play(list[rng.below(list.len() as u32) as usize]);
            if state.finished() {
                continue 'again;
            }
        }
        return state;
    }
}

/// A policy of connect four with techniques on, told by bits; at depth `FIRST` at once where that is not 1.
struct Technique<const ON: u32, const FIRST: i32>;

const STAGED: u32 = 1;
const KILLERS: u32 = 2;
const ASPIRES: u32 = 4;
const ORDERED: u32 = 8;
const FULL: u32 = 16;
const NEWEST: u32 = 32;
const LAZY: u32 = 64;
const UNDOES: u32 = 128;
const THREATS: u32 = 256;
const BLIND: u32 = 512;
const RESTLESS: u32 = 1024;
const WIDTH: u32 = 2048;
const FUTILE: u32 = 4096;
const NULL: u32 = 8192;
const NO_TABLE: u32 = 16384;
const INSIDE: u32 = 32768;

/// Columns from the right.
struct Right(u8, Connect4);

impl Picker<Connect4> for Right {
    fn new(game: &Connect4) -> Self {
        Self(7, *game)
    }
    fn next(&mut self) -> Option<Column> {
        while self.0 > 0 {
            self.0 -= 1;
            if self.1.landing() & (63 << (7 * self.0)) != 0 {
                return Some(Column(self.0));
            }
        }
        None
    }
}

impl<const ON: u32, const FIRST: i32> Policy<Connect4> for Technique<ON, FIRST> {
    type Lazy = Right;
    const LAZY: bool = ON & LAZY != 0;
    const STAGED: bool = ON & STAGED != 0;
    const KILLERS: bool = ON & KILLERS != 0;
    const ASPIRATION: bool = ON & ASPIRES != 0;
    const ROOT_ORDER: bool = ON & ORDERED != 0;
    const SCOUT: bool = ON & FULL == 0;
    const TABLE: bool = ON & NO_TABLE == 0;
    const KEEP_DEEP: bool = ON & NEWEST == 0;
    const BEFORE: bool = ON & THREATS != 0;
    const BLIND: bool = ON & BLIND != 0;
    const EXTENDS: bool = ON & RESTLESS != 0;
    const WIDTH: bool = ON & WIDTH != 0;
    const FUTILITY: bool = ON & FUTILE != 0;
    const NULL_MOVE: bool = ON & NULL != 0;
    const POLL_INSIDE: bool = ON & INSIDE != 0;
    const PROVES: bool = true;
    const ALTERNATES: bool = true;
    const REDUCE: bool = true;
    const HISTORY: bool = ON & LAZY == 0;
    const CELLS: usize = Lines::CELLS;
    const EXTEND_SINGLE: bool = true;

    fn evaluate<L: Level>(&mut self, game: &Connect4) -> i32 {
        game.worth()
    }
    fn each<L: Level>(&mut self, game: &Connect4, work: &mut Work, out: impl FnMut(i32, Column)) {
        Lines.each::<L>(game, work, out);
    }
    fn legal(&self, game: &Connect4, m: Column) -> bool {
        Lines.legal(game, m)
    }
    fn index(game: &Connect4, m: Column) -> usize {
        Lines::index(game, m)
    }
    fn step<R>(
        &mut self,
        game: &mut Connect4,
        m: Column,
        visit: impl FnOnce(&mut Self, &mut Connect4) -> R,
    ) -> R {
        let before = *game;
        game.play(m);
        if ON & UNDOES == 0 {
            let mut child = *game;
            *game = before;
            return visit(self, &mut child);
        }
        let cell = game.all ^ before.all;
        let out = visit(self, game);
        game.all ^= cell;
        game.mine ^= game.all;
        out
    }
    fn before<L: Level>(&mut self, game: &Connect4, _: (i32, i32), _: &mut Work) -> Before {
        told(game, Before::Only(!0))
    }
    fn allows(only: u64, m: Column) -> bool {
        only >> m.0 & 1 == 1
    }
    fn restless<L: Level>(&mut self, game: &Connect4, beyond: i32) -> bool {
        beyond < 3 && game.worth().abs() > 6
    }
    fn width(&self, depth: i32, scout: bool) -> usize {
        if scout && depth < 3 {
            2
        } else {
            usize::MAX
        }
    }
    fn futile(&self, depth: i32) -> Option<i32> {
        (depth < 3).then_some(20 * depth)
    }
    fn hopeless(&self, depth: i32) -> Option<i32> {
        (depth < 2).then_some(30)
    }
    fn pass(&self, game: &Connect4) -> Option<Connect4> {
        // Passing in connect four breaks the count of stones: the other side simply drops twice.
        Some(Connect4 {
            mine: game.mine ^ game.all,
            all: game.all,
        })
    }
    fn depths(&self, _: &Connect4) -> (i32, i32) {
        (FIRST, MAX_PLY as i32 - 1)
    }
    fn aspiration(&self) -> i32 {
        10
    }
}

/// Value, proof, move, line and given-back position of random late positions against plain negamax.
fn agrees<P: Policy<Connect4>>(policy: P, known: &mut HashMap<Connect4Key, i8>) {
    let mut rng = Rng::new(11);
    let mut search = AlphaBeta::new(policy, 1 << 14, 2);
    for i in 0..150 {
        let mut state = random_position(&mut rng, 26 + i % 12);
        let before = state;
        let found = search.search(&mut state, Limit::work(u64::MAX));
        assert_eq!(state, before, "the position is given back");
        assert!(found.proven, "searched to the end");
        let want = i32::from(exact(state, known));
        assert_eq!(sign(found.value), want, "{state:?} {found:?}");
        assert!(found.value.abs() <= WIN);
        let best = found.best.expect("a move");
        assert!(moves(state).contains(&best));
        let mut child = state;
        child.play(best);
        assert_eq!(i32::from(-exact(child, known)), want, "the move keeps the value");
        // The line is legal and starts with the move.
        let line = search.line(&state, best);
        assert_eq!(line.first(), Some(&best));
        let mut walk = state;
        for m in line {
            assert!(moves(walk).contains(&m));
            walk.play(m);
        }
        // Who else was looked at: each move once, the best first.
        let listed = search.candidates(found.best);
        assert_eq!(listed[0].1, best);
        assert_eq!(listed.len(), moves(state).len());
    }
}

fn sign(value: i32) -> i32 {
    if value.abs() >= WON {
        value.signum()
    } else {
        0
    }
}

#[test]
fn every_technique_proves_what_plain_negamax_finds() {
    const END: i32 = MAX_PLY as i32 - 1;
    let known = &mut HashMap::new();
    agrees(Lines, known);
    agrees(Technique::<0, 1>, known);
    agrees(Technique::<0, END>, known);
    agrees(Technique::<STAGED, 1>, known);
    agrees(Technique::<{ STAGED | KILLERS }, 1>, known);
    agrees(Technique::<KILLERS, 1>, known);
    agrees(Technique::<ASPIRES, 1>, known);
    agrees(Technique::<ORDERED, 1>, known);
    agrees(Technique::<FULL, END>, known);
    agrees(Technique::<NO_TABLE, END>, known);
    agrees(Technique::<NEWEST, 1>, known);
    agrees(Technique::<LAZY, 1>, known);
    agrees(Technique::<{ LAZY | STAGED | KILLERS }, 1>, known);
    agrees(Technique::<UNDOES, 1>, known);
    agrees(Technique::<{ THREATS | STAGED }, 1>, known);
    agrees(Technique::<BLIND, 1>, known);
    agrees(Technique::<RESTLESS, 1>, known);
    agrees(Technique::<INSIDE, 1>, known);
    // Selective techniques come to the truth once the depth is larger than what they leave out.
    agrees(Technique::<WIDTH, 1>, known);
    agrees(Technique::<FUTILE, 1>, known);
    agrees(
        Technique::<{ STAGED | KILLERS | ASPIRES | ORDERED | UNDOES | THREATS | BLIND | WIDTH | FUTILE }, 1>,
        known,
    );
}

/// Whatever is left out, what a search at a small limit calls won or lost is won or lost.
#[test]
fn what_was_not_looked_at_is_never_called_lost() {
    fn holds<P: Policy<Connect4>>(policy: P, known: &mut HashMap<Connect4Key, i8>) -> u32 {
        let mut search = AlphaBeta::new(policy, 1 << 8, 7);
        let (mut rng, mut proofs) = (Rng::new(21), 0);
        for i in 0..400 {
            let mut state = random_position(&mut rng, 24 + i % 8);
            let found = search.search(&mut state, Limit::work(1 + u64::from(i) * 7));
            if found.proven || found.value.abs() >= WON {
                proofs += 1;
                let want = i32::from(exact(state, known));
                assert_eq!(sign(found.value), want, "{state:?} {found:?}");
            }
        }
        proofs
    }
    let known = &mut HashMap::new();
    assert!(holds(Technique::<{ WIDTH | FUTILE | STAGED | KILLERS }, 1>, known) > 100);
    assert!(holds(Technique::<{ WIDTH | RESTLESS | BLIND }, 1>, known) > 100);
    assert!(holds(Technique::<{ WIDTH | THREATS | LAZY | INSIDE }, 1>, known) > 100);
}

/// A pass is worth nothing here, so that a null move cuts where it should not; it must still not be believed as a
/// proof, and the search goes on and returns a legal move.
#[test]
fn null_moves_prove_nothing() {
    let mut search = AlphaBeta::new(Technique::<{ NULL | STAGED }, 1>, 1 << 12, 7);
    let (mut rng, known) = (Rng::new(8), &mut HashMap::new());
    for _ in 0..100 {
        let mut state = random_position(&mut rng, 28);
        let found = search.search(&mut state, Limit::work(3_000));
        assert!(moves(state).contains(&found.best.expect("a move")));
        if found.value >= WON {
            assert_eq!(exact(state, known), 1, "{state:?}");
        }
    }
}

/// A key that is the same for all positions: every probe hits another position's entry, whose move may be
/// illegal.
#[test]
fn a_wrong_entry_never_makes_an_illegal_move() {
    struct Blurred;
    impl Policy<Connect4> for Blurred {
        type Lazy = ();
        const STAGED: bool = true;
        const KILLERS: bool = true;
        fn evaluate<L: Level>(&mut self, game: &Connect4) -> i32 {
            game.worth()
        }
        fn hash(&self, game: &Connect4) -> u64 {
            u64::from(game.all.count_ones() & 1) << 20
        }
        fn each<L: Level>(&mut self, game: &Connect4, work: &mut Work, out: impl FnMut(i32, Column)) {
            Lines.each::<L>(game, work, out);
        }
        fn legal(&self, game: &Connect4, m: Column) -> bool {
            Lines.legal(game, m)
        }
        fn play(&self, game: &mut Connect4, m: Column) {
            assert!(Lines.legal(game, m), "{m:?} in {game:?}");
            game.play(m);
        }
    }
    let mut search = AlphaBeta::new(Blurred, 1 << 10, 7);
    let mut rng = Rng::new(3);
    for _ in 0..60 {
        let mut state = random_position(&mut rng, 20);
        let found = search.search(&mut state, Limit::work(2_000));
        let best = found.best.expect("a move");
        assert!(moves(state).contains(&best));
        for m in search.line(&state, best) {
            assert!(moves(state).contains(&m));
            state.play(m);
        }
    }
}

/// Stopped at any node, the answer is that of the last better move, and the same again.
#[test]
fn a_stop_within_an_iteration_keeps_the_best_so_far() {
    let mut rng = Rng::new(17);
    for work in (1..4_000).step_by(97) {
        let mut state = random_position(&mut rng, 8);
        let mut ask = || {
            let mut search = AlphaBeta::new(Technique::<STAGED, 1>, 1 << 12, 7);
            search.search(&mut state, Limit::work(work))
        };
        let found = ask();
        assert_eq!(found, ask());
        assert!(found.nodes <= work + 256, "{found:?}");
        assert!(found.depth < MAX_PLY as i32);
        assert!(moves(state).contains(&found.best.expect("a move")));
    }
}

/// Stopped at any node: where the first move turns out to be lost and another was not looked at yet, the answer is that
/// other one, and nothing is called lost.
#[test]
fn a_stop_within_an_iteration_calls_only_the_lost_lost() {
    let known = &mut HashMap::new();
    let mut search = AlphaBeta::new(Technique::<INSIDE, 1>, 1 << 8, 7);
    let (mut rng, mut lost) = (Rng::new(23), 0);
    for i in 0..300 {
        let mut state = random_position(&mut rng, 22 + i % 8);
        let want = i32::from(exact(state, known));
        for work in (20..1_200).step_by(37) {
            search.clear();
            let found = search.search(&mut state, Limit::work(work));
            if found.value.abs() >= WON {
                lost += u32::from(want < 0);
                assert_eq!(sign(found.value), want, "{work}: {state:?} {found:?}");
            }
        }
    }
    assert!(lost > 100, "{lost}");
}

/// A game without end: the depth is bounded, and a seat may move several times in a row.
#[derive(Clone)]
struct Endless(u64);

impl Game<2> for Endless {
    type Move = u8;
    fn is_over(&self) -> bool {
        false
    }
    fn payoff(&self) -> [f32; 2] {
        unreachable!("never over")
    }
    fn to_move(&self) -> usize {
        (self.0 >> 40 & 1) as usize
    }
    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        out.push(0);
    }
    fn advance(&mut self, _: &[u8; 2], _: &mut Rng) {
        self.0 = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
    }
    fn hash(&self) -> u64 {
        self.0
    }
}

#[test]
fn recursion_ends_at_the_longest_line() {
    struct On;
    impl Policy<Endless> for On {
        type Lazy = ();
        const TABLE: bool = false;
        const EXTENDS: bool = true;
        const EXTEND_SINGLE: bool = true;
        fn evaluate<L: Level>(&mut self, game: &Endless) -> i32 {
            (game.0 & 255) as i32
        }
        fn each<L: Level>(&mut self, _: &Endless, _: &mut Work, mut out: impl FnMut(i32, u8)) {
            out(0, 0);
        }
        fn restless<L: Level>(&mut self, _: &Endless, _: i32) -> bool {
            true
        }
    }
    let mut search = AlphaBeta::new(On, 0, 1);
    let found = search.search(&mut Endless(1), Limit::work(10_000));
    assert_eq!((found.best, found.proven, found.depth), (Some(0), false, 4));
    assert!(found.nodes <= 4 * MAX_PLY as u64);
}

#[test]
fn solves_known_positions() {
    // Late positions of the published solver test set; the sign is the result for the side to move.
    let mut search = AlphaBeta::new(Technique::<0, { MAX_PLY as i32 - 1 }>, 1 << 20, 7);
    for (line, want) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ] {
        let mut state = Connect4::after(line).expect("a game so far");
        let found = search.search(&mut state, Limit::work(u64::MAX));
        assert_eq!((sign(found.value), found.proven), (want, true), "{line}");
    }
}

#[test]
fn tiny_limits_finished_games_and_single_moves_are_fine() {
    let mut search = AlphaBeta::new(Lines, 2, 7);
    let mut rng = Rng::new(5);
    for work in 0..50 {
        let mut state = random_position(&mut rng, 12);
        let found = search.search(&mut state, Limit::work(work));
        assert!(moves(state).contains(&found.best.expect("a move")));
        assert!(found.nodes <= work + Lines::POLL);
    }
    let mut over = Connect4::after("1212121").expect("legal");
    let found = search.search(&mut over, Limit::work(1000));
    assert_eq!((found.best, found.value, found.proven), (None, -WIN, true));
}
