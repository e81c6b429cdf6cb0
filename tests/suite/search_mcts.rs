//! Tree search against exact answers: connect four, and a hand-made game of every other kind.

use crate::search_alphabeta::{exact, moves, random_position};
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use fifty::search::mcts::{Mcts, Params, RootResult};
use fifty::search::policy::{Evaluate, Implicit, Leaf, Playout, TreePolicy, Uct, Uniform};
use fifty_connect4::entries::Fast;
use fifty_connect4::game::{aligned, Column, Connect4};
use std::collections::HashMap;

type Plain = Mcts<Connect4, Fast, Uct, 2>;

fn uct(params: Params, edges: usize, seed: u64) -> Plain {
    Mcts::new(params, Fast, Uct, edges, 7, seed)
}

/// UCT with other settings.
pub struct Set<const REUSE: bool, const VALUE: bool, const BY_VALUE: bool, const EXPAND: u32>;

impl<
        G: Game<N>,
        const REUSE: bool,
        const VALUE: bool,
        const BY_VALUE: bool,
        const EXPAND: u32,
        const N: usize,
    > TreePolicy<G, N> for Set<REUSE, VALUE, BY_VALUE, EXPAND>
{
    type Prior = ();
    const UCT: bool = true;
    const REUSE: bool = REUSE;
    const TRY_ALL: bool = !VALUE;
    const BY_VALUE: bool = BY_VALUE;
    const EXPAND_AFTER: u32 = EXPAND;
}

fn sign(value: f32) -> i8 {
    if value > 0.75 {
        1
    } else if value < 0.25 {
        -1
    } else {
        0
    }
}

#[test]
fn proofs_are_never_wrong_on_2000_late_positions() {
    let mut rng = Rng::new(1);
    let mut known = HashMap::new();
    let mut search = uct(Params::DEFAULT, 40_000, 1);
    let mut proofs = 0;
    for i in 0..2_000 {
        let state = random_position(&mut rng, 24 + i % 16);
        let seat = state.seat();
        let found = search.search(&state, seat, Limit::work(2_000));
        let best = found.best.expect("a move");
        assert!(moves(state).contains(&best), "{state:?}");
        if found.proven {
            proofs += 1;
            let want = exact(state, &mut known);
            assert_eq!(sign(found.value[seat]), want, "{state:?} {found:?}");
            let mut child = state;
            child.play(best);
            assert_eq!(
                -exact(child, &mut known),
                want,
                "the move keeps the value: {state:?}"
            );
        }
    }
    assert!(proofs > 1_500, "only {proofs} of 2000 positions proven");
}

#[test]
fn takes_wins_and_blocks_losses_at_small_work() {
    // Three in a row of the mover; the same stones with the opponent to move; three stacked.
    for (line, column, wins) in [("112233", 3, true), ("1122337", 3, false), ("121212", 0, true)] {
        let state = Connect4::after(line).expect("legal");
        let found = uct(Params::DEFAULT, 10_000, 3).search(&state, state.seat(), Limit::work(500));
        assert_eq!(found.best, Some(Column(column)), "{line}: {found:?}");
        let mut child = state;
        child.play(Column(column));
        assert_eq!(aligned(child.mine ^ child.all), wins);
    }
}

#[test]
fn same_seed_same_answer_and_reuse_keeps_the_tree() {
    fn play<const REUSE: bool>() -> (Vec<RootResult<Column, 2>>, u64) {
        let mut search = Mcts::new(Params::DEFAULT, Fast, Set::<REUSE, false, false, 1>, 60_000, 7, 9);
        let mut state = Connect4::EMPTY;
        let mut all = Vec::new();
        let mut kept = 0;
        while !state.finished() {
            let found = search.search(&state, state.seat(), Limit::work(800));
            let visits: u32 = search.my_moves().iter().map(|e| e.visits).sum();
            kept += u64::from(u64::from(visits) > found.iterations);
            all.push(found);
            let best = found.best.expect("a move");
            assert!(moves(state).contains(&best));
            state.play(best);
        }
        (all, kept)
    }
    assert_eq!(play::<true>(), play::<true>());
    assert!(play::<true>().1 > 5, "the tree is kept from move to move");
    assert_eq!(play::<false>().1, 0);
}

#[test]
fn a_full_pool_a_finished_game_and_a_single_move_are_fine() {
    for edges in [0, 1, 8, 50, 300] {
        let mut search = uct(Params::DEFAULT, edges, 2);
        let mut state = Connect4::EMPTY;
        while !state.finished() {
            let found = search.search(&state, state.seat(), Limit::work(200));
            assert!(found.nodes <= edges.max(6));
            let best = found.best.expect("a move");
            assert!(moves(state).contains(&best));
            state.play(best);
        }
        let found = search.search(&state, 0, Limit::work(200));
        assert_eq!((found.best, found.iterations, found.proven), (None, 0, true));
        assert_eq!(found.value, state.payoff());
    }
    // One column left.
    let mut rng = Rng::new(8);
    let single = loop {
        let state = random_position(&mut rng, 38);
        if moves(state).len() == 1 {
            break state;
        }
    };
    for work in [0, 1, 100] {
        let found = uct(Params::DEFAULT, 100, 1).search(&single, single.seat(), Limit::work(work));
        assert_eq!(found.best, Some(moves(single)[0]));
    }
}

/// Lines of four still open, as an opinion.
pub struct Lines;

impl Evaluate<Connect4, 2> for Lines {
    fn evaluate<L: Level>(&mut self, state: &Connect4) -> [f32; 2] {
        let mine = 0.5 + (state.worth() as f32 / 200.0).clamp(-0.4, 0.4);
        let mut value = [1.0 - mine; 2];
        value[state.seat()] = mine;
        value
    }
}

/// The centre first, with so much widening.
pub struct Centre<const PUCT: bool> {
    pub widen: f32,
}

impl<const PUCT: bool> TreePolicy<Connect4, 2> for Centre<PUCT> {
    type Prior = f32;
    const PUCT: bool = PUCT;
    const TRY_ALL: bool = !PUCT;
    const FPU_REDUCTION: bool = PUCT;
    fn priors<L: Level>(&mut self, _: &Connect4, _: usize, moves: &[Column], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|m| 4.0 - (f32::from(m.0) - 3.0).abs()));
        let sum: f32 = out.iter().sum();
        for p in out {
            *p /= sum;
        }
    }
    fn shown(&self, _: &Connect4, visits: u32, len: usize) -> usize {
        if self.widen > 0.0 {
            1 + (self.widen * (visits as f32).sqrt()) as usize
        } else {
            len
        }
    }
}

/// Every variant proves what is provable and never anything else.
#[test]
fn every_variant_agrees_with_negamax() {
    fn run<V: Leaf<Connect4, 2>, P: TreePolicy<Connect4, 2>>(
        mut search: Mcts<Connect4, V, P, 2>,
        name: &str,
    ) {
        let mut rng = Rng::new(21);
        let mut known = HashMap::new();
        let mut proofs = 0;
        for i in 0..150 {
            let state = random_position(&mut rng, 28 + i % 12);
            let found = search.search(&state, state.seat(), Limit::work(3_000));
            assert!(moves(state).contains(&found.best.expect("a move")));
            if found.proven {
                proofs += 1;
                let want = exact(state, &mut known);
                assert_eq!(
                    sign(found.value[state.seat()]),
                    want,
                    "{name} {state:?} {found:?}"
                );
            }
        }
        assert!(proofs > 120, "{name}: {proofs}");
    }
    let base = Params::DEFAULT;
    let first_play = Params {
        first_play: 0.6,
        ..base.clone()
    };
    let value = Set::<true, true, false, 1>;
    run(Mcts::new(first_play, Fast, value, 50_000, 7, 1), "first play");
    let late = Set::<true, false, false, 4>;
    run(
        Mcts::new(base.clone(), Fast, late, 50_000, 7, 1),
        "late expansion",
    );
    let by_value = Set::<true, false, true, 1>;
    run(Mcts::new(base.clone(), Fast, by_value, 50_000, 7, 1), "by value");
    let puct = Params {
        first_play: 0.1,
        ..base.clone()
    };
    let shares = Centre::<true> { widen: 0.0 };
    run(Mcts::new(puct, Fast, shares, 50_000, 7, 1), "puct");
    let wide = Centre::<false> { widen: 1.0 };
    run(
        Mcts::new(base.clone(), Fast, wide, 50_000, 7, 1),
        "bias and widening",
    );
    let implicit = Params {
        implicit: 0.3,
        ..base.clone()
    };
    let leaf = Implicit {
        leaf: Fast,
        evaluate: Lines,
    };
    run(Mcts::new(implicit, leaf, Uct, 50_000, 7, 1), "implicit minimax");
    let slow = Playout {
        choose: Uniform::new(7),
    };
    run(Mcts::new(base, slow, Uct, 50_000, 7, 1), "generic playout");
}

/// A game for two given as a payoff matrix of the first seat, played once.
#[derive(Clone)]
struct Matrix<const R: usize, const C: usize> {
    payoff: [[f32; C]; R],
    played: Option<[u8; 2]>,
}

impl<const R: usize, const C: usize> Game<2> for Matrix<R, C> {
    type Move = u8;
    const SIMULTANEOUS: bool = true;
    fn is_over(&self) -> bool {
        self.played.is_some()
    }
    fn payoff(&self) -> [f32; 2] {
        let [r, c] = self.played.expect("played");
        let p = self.payoff[r as usize][c as usize];
        [p, 1.0 - p]
    }
    fn to_move(&self) -> usize {
        unreachable!("simultaneous")
    }
    fn moves(&self, seat: usize, out: &mut Vec<u8>) {
        out.extend(0..if seat == 0 { R } else { C } as u8);
    }
    fn advance(&mut self, joint: &[u8; 2], _: &mut Rng) {
        self.played = Some(*joint);
    }
    fn hash(&self) -> u64 {
        self.played
            .map_or(0, |[r, c]| 1 + u64::from(r) * 256 + u64::from(c))
    }
}

/// Average strategies and value of decoupled UCT on games with known equilibria.
#[test]
fn simultaneous_games_reach_their_known_values() {
    fn solve<const R: usize, const C: usize>(payoff: [[f32; C]; R], value: f32, mix: [f32; R], loose: f32) {
        let game = Matrix { payoff, played: None };
        let mut search: Mcts<_, _, _, 2> = Mcts::new(
            Params::DEFAULT,
            Playout {
                choose: Uniform::new(8),
            },
            Uct,
            1_000,
            8,
            4,
        );
        let found = search.search(&game, 0, Limit::work(200_000));
        assert!((found.value[0] - value).abs() < 0.03, "{payoff:?}: {found:?}");
        assert!((found.value[0] + found.value[1] - 1.0).abs() < 1e-3);
        if !found.proven {
            for (e, want) in search.my_moves().iter().zip(mix) {
                let share = e.visits as f32 / found.iterations as f32;
                assert!((share - want).abs() < loose, "{payoff:?}: {share} for {want}");
            }
        }
    }
    // Matching pennies: value 1/2, half and half.
    solve([[1.0, 0.0], [0.0, 1.0]], 0.5, [0.5, 0.5], 0.06);
    // Rock, paper, scissors.
    solve(
        [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]],
        0.5,
        [1.0 / 3.0; 3],
        0.06,
    );
    // A saddle point in the middle row: pure.
    solve([[0.3, 0.2], [0.6, 0.5], [0.9, 0.1]], 0.5, [0.0, 1.0, 0.0], 0.1);
    // Rows (0.8, 0.2) and (0.3, 0.6): first row with p = 1/3, value 7/15.
    solve([[0.8, 0.2], [0.3, 0.6]], 7.0 / 15.0, [1.0 / 3.0, 2.0 / 3.0], 0.15);
    // A dominating row that wins outright is proven.
    let game = Matrix {
        payoff: [[0.0, 1.0], [1.0, 1.0]],
        played: None,
    };
    let mut search: Mcts<_, _, _, 2> = Mcts::new(
        Params::DEFAULT,
        Playout {
            choose: Uniform::new(2),
        },
        Uct,
        1_000,
        2,
        4,
    );
    let found = search.search(&game, 0, Limit::work(1_000));
    assert!(
        found.proven && found.best == Some(1) && found.value == [1.0, 0.0],
        "{found:?}"
    );
}

/// Two rounds at once: in each both seats say 0 or 1, the first seat scores where they differ; the sum
/// of two rounds decides. Checks joint children, their reuse, and that proofs are those of enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    pub left: u8,
    pub score: u8,
    pub trap: bool,
}

impl Game<2> for Rounds {
    type Move = u8;
    const SIMULTANEOUS: bool = true;
    fn is_over(&self) -> bool {
        self.left == 0
    }
    fn payoff(&self) -> [f32; 2] {
        let p = f32::from(self.score) / 3.0;
        [p, 1.0 - p]
    }
    fn to_move(&self) -> usize {
        unreachable!("simultaneous")
    }
    fn moves(&self, seat: usize, out: &mut Vec<u8>) {
        out.extend(0..if seat == 0 && self.trap { 3 } else { 2 });
    }
    fn advance(&mut self, joint: &[u8; 2], _: &mut Rng) {
        self.left -= 1;
        self.score += u8::from(joint[0] == 2 || joint[0] != joint[1]);
    }
    fn hash(&self) -> u64 {
        u64::from(self.left) * 64 + u64::from(self.score) * 2 + u64::from(self.trap)
    }
}

#[test]
fn joint_children_are_found_again_and_proven() {
    let start = Rounds {
        left: 3,
        score: 0,
        trap: true,
    };
    let mut search: Mcts<_, _, _, 2> = Mcts::new(
        Params::DEFAULT,
        Playout {
            choose: Uniform::new(4),
        },
        Uct,
        20_000,
        4,
        4,
    );
    let found = search.search(&start, 0, Limit::work(5_000));
    assert!(found.proven && found.best == Some(2), "{found:?}");
    let mut state = start;
    let mut rng = Rng::new(0);
    state.advance(&[2, 1], &mut rng);
    let found = search.search(&state, 0, Limit::work(5_000));
    assert!(
        found.proven && found.best == Some(2) && found.iterations < 100,
        "{found:?}"
    );
    // Without the trap nothing is proven, and the value is half of the rest.
    let fair = Rounds {
        left: 3,
        score: 0,
        trap: false,
    };
    let found = search.search(&fair, 0, Limit::work(50_000));
    assert!(!found.proven && (found.value[0] - 0.5).abs() < 0.05, "{found:?}");
    let mut state = fair;
    state.advance(&[0, 1], &mut rng);
    let before: u32 = search.my_moves().iter().map(|e| e.visits).sum();
    let found = search.search(&state, 0, Limit::work(1_000));
    let after: u32 = search.my_moves().iter().map(|e| e.visits).sum();
    assert!(
        after > 5_000 && after < before,
        "{before} {after}: the joint child was kept"
    );
    assert!((found.value[0] - 2.0 / 3.0).abs() < 0.06, "{found:?}");
}

/// A hand-made tree for four seats: depth 2, payoffs at the leaves, max^n by hand.
#[derive(Clone)]
struct Four {
    seat: usize,
    path: Vec<u8>,
}

const LEAVES: [[[f32; 4]; 3]; 3] = [
    // Seat 1 picks 0.6 for itself: seat 0 gets 0.3.
    [[0.9, 0.1, 0.0, 0.0], [0.3, 0.6, 0.1, 0.0], [0.0, 0.5, 0.5, 0.0]],
    // Seat 1 picks 0.4: seat 0 gets 0.5. The max^n choice of seat 0.
    [[0.5, 0.4, 0.1, 0.0], [0.7, 0.3, 0.0, 0.0], [0.9, 0.0, 0.1, 0.0]],
    [[0.2, 0.8, 0.0, 0.0], [0.8, 0.1, 0.1, 0.0], [1.0, 0.0, 0.0, 0.0]],
];

impl Game<4> for Four {
    type Move = u8;
    fn is_over(&self) -> bool {
        self.path.len() == 2
    }
    fn payoff(&self) -> [f32; 4] {
        LEAVES[self.path[0] as usize][self.path[1] as usize]
    }
    fn to_move(&self) -> usize {
        self.seat + self.path.len()
    }
    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        out.extend(0..3);
    }
    fn advance(&mut self, joint: &[u8; 4], _: &mut Rng) {
        let seat = self.to_move();
        self.path.push(joint[seat]);
    }
    fn hash(&self) -> u64 {
        self.path
            .iter()
            .fold(self.seat as u64 + 1, |h, &m| h * 7 + u64::from(m) + 1)
    }
}

#[test]
fn four_seats_agree_with_max_n_by_hand() {
    let game = Four {
        seat: 0,
        path: Vec::new(),
    };
    let mut search: Mcts<_, _, _, 4> = Mcts::new(
        Params::DEFAULT,
        Playout {
            choose: Uniform::new(3),
        },
        Uct,
        1_000,
        3,
        1,
    );
    let found = search.search(&game, 0, Limit::work(2_000));
    assert!(found.proven, "{found:?}");
    assert_eq!((found.best, found.value), (Some(1), [0.5, 0.4, 0.1, 0.0]));
}

/// A hidden die: the mover may take 0.45 for sure, or a draw that pays 1 on `good` of 6 faces. The draw
/// decides which moves exist afterwards (take it, or nothing), so samples differ in their legal moves.
#[derive(Clone)]
pub struct Die {
    pub good: u32,
    pub rolled: Option<u32>,
    pub over: Option<f32>,
}

impl Game<2> for Die {
    type Move = u8;
    const HIDDEN: bool = true;
    fn is_over(&self) -> bool {
        self.over.is_some()
    }
    fn payoff(&self) -> [f32; 2] {
        let p = self.over.expect("over");
        [p, 1.0 - p]
    }
    fn to_move(&self) -> usize {
        0
    }
    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        match self.rolled {
            None => out.extend([0, 1]),
            // A good face offers the prize and something worse, a bad one only a blank of its own number.
            Some(face) if face < self.good => out.extend([2, 3]),
            Some(face) => out.push(10 + face as u8),
        }
    }
    fn advance(&mut self, joint: &[u8; 2], rng: &mut Rng) {
        match joint[0] {
            0 => self.over = Some(0.45),
            1 => self.rolled = Some(rng.below(6)),
            2 => self.over = Some(1.0),
            _ => self.over = Some(0.0),
        }
    }
    fn hash(&self) -> u64 {
        u64::from(self.rolled.map_or(0, |r| r + 1))
    }
}

#[test]
fn hidden_draws_reach_their_expectation() {
    for (good, best) in [(1, 0), (2, 0), (3, 1), (4, 1), (6, 1)] {
        let game = Die {
            good,
            rolled: None,
            over: None,
        };
        let mut search: Mcts<_, _, _, 2> = Mcts::new(
            Params::DEFAULT,
            Playout {
                choose: Uniform::new(4),
            },
            Uct,
            200,
            4,
            1,
        );
        let found = search.search(&game, 0, Limit::work(60_000));
        assert_eq!(found.best, Some(best), "{good} of 6: {found:?}");
        assert!(!found.proven);
        let gamble = search.my_moves().iter().find(|e| e.mv == 1).expect("listed");
        if best == 1 {
            let want = good as f32 / 6.0;
            assert!(
                (gamble.mean().expect("tried") - want).abs() < 0.02,
                "{good}: {gamble:?}"
            );
        }
        // Following the roll keeps the tree; the moves of other rolls are not offered.
        let mut rng = Rng::new(good as u64);
        let mut state = game.clone();
        state.advance(&[1, 0], &mut rng);
        assert!(search.keep(&[[1, 0]], &[0], &state));
        let found = search.search(&state, 0, Limit::work(500));
        let mut legal = Vec::new();
        state.moves(0, &mut legal);
        assert!(legal.contains(&found.best.expect("a move")));
        assert!(legal.len() == 1 || found.best == Some(2));
    }
}
