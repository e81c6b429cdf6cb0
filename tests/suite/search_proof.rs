//! Proof-number search against plain negamax on connect four, and against what is known of tic-tac-toe.

use crate::search_alphabeta::{exact, moves, random_position, told};
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::policy::{Before, Policy};
use fifty::search::alphabeta::Work;
use fifty::search::game::Game;
use fifty::search::proof::Prover;
use fifty_connect4::game::{Column, Connect4, Lines};
use std::collections::HashMap;

/// Connect four whose threats are told: a four at once, or the column that prevents the other's.
struct Told;

impl Policy<Connect4> for Told {
    type Lazy = ();
    const BEFORE: bool = true;
    fn evaluate<L: Level>(&mut self, _: &Connect4) -> i32 {
        unreachable!("nothing is valued")
    }
    fn each<L: Level>(&mut self, game: &Connect4, work: &mut Work, out: impl FnMut(i32, Column)) {
        Lines.each::<L>(game, work, out);
    }
    fn before<L: Level>(&mut self, game: &Connect4, _: (i32, i32), _: &mut Work) -> Before {
        told(game, Before::Open)
    }
    fn allows(only: u64, m: Column) -> bool {
        only >> m.0 & 1 == 1
    }
}

/// Both questions about random late positions: does the mover win, does the other win? Neither: a draw.
fn agrees<P: Policy<Connect4>>(mut policy: P, entries: usize) {
    let (mut rng, known) = (Rng::new(31), &mut HashMap::new());
    let (mut seen, mut told) = ([0; 3], 0);
    for i in 0..120 {
        let state = random_position(&mut rng, 24 + i % 12);
        let want = exact(state, known);
        seen[(want + 1) as usize] += 1;
        for (attacker, won) in [(state.seat(), 1), (1 - state.seat(), -1)] {
            let mut prover = Prover::new(entries, 256);
            let found = prover.prove(&mut policy, &state, attacker, Limit::work(u64::MAX));
            assert_eq!(found, Some(want == won), "{state:?} for {attacker}");
            if (want, won) == (1, 1) {
                // What is known after the proof is right.
                for m in moves(state) {
                    let mut child = state;
                    child.play(m);
                    let after = prover.known(&policy, &child);
                    told += u32::from(after.is_some());
                    assert!(
                        after.unwrap_or(exact(child, known) == -1) == (exact(child, known) == -1),
                        "{state:?} {m:?}"
                    );
                }
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 2), "{seen:?}");
    assert!(told > 10 || P::BEFORE, "{told}");
}

#[test]
fn proofs_of_connect_four_are_those_of_negamax() {
    agrees(Lines, 1 << 16);
    agrees(Told, 1 << 16);
    // A table that forgets nearly everything costs time, and no proof.
    agrees(Told, 1 << 9);
}

#[test]
fn a_limit_stops_a_proof_and_the_table_goes_on_from_there() {
    let mut rng = Rng::new(5);
    let mut prover = Prover::new(1 << 18, 256);
    // One that takes more than a limit.
    let state = loop {
        let state = random_position(&mut rng, 18);
        prover.clear();
        if prover
            .prove(&mut Told, &state, state.seat(), Limit::work(500))
            .is_none()
        {
            break state;
        }
    };
    let mut rounds = 1;
    let found = loop {
        rounds += 1;
        let found = prover.prove(&mut Told, &state, state.seat(), Limit::work(500));
        assert!(prover.nodes() < 1_500, "{}", prover.nodes());
        if found.is_some() || rounds == 3_000 {
            break found;
        }
    };
    assert!(rounds > 1);
    let whole = Prover::new(1 << 18, 256).prove(&mut Told, &state, state.seat(), Limit::work(u64::MAX));
    assert_eq!(found, whole);
    assert!(whole.is_some());
}

/// Tic-tac-toe where a seat that completes a row moves no more: plain bits, nine cells.
#[derive(Clone, Copy, Debug)]
struct Noughts([u16; 2]);

const ROWS: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game<2> for Noughts {
    type Move = u8;
    fn is_over(&self) -> bool {
        self.0[0] | self.0[1] == 0o777 || self.0.iter().any(|&s| ROWS.iter().any(|&r| r & !s == 0))
    }
    fn payoff(&self) -> [f32; 2] {
        let row = |s: u16| ROWS.iter().any(|&r| r & !s == 0);
        match self.0.map(row) {
            [true, _] => [1.0, 0.0],
            [_, true] => [0.0, 1.0],
            _ => [0.5, 0.5],
        }
    }
    fn to_move(&self) -> usize {
        usize::from(self.0[0].count_ones() > self.0[1].count_ones())
    }
    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        out.extend((0..9).filter(|k| (self.0[0] | self.0[1]) >> k & 1 == 0));
    }
    fn advance(&mut self, joint: &[u8; 2], _: &mut Rng) {
        let seat = self.to_move();
        self.0[seat] |= 1 << joint[seat];
    }
    fn hash(&self) -> u64 {
        (u64::from(self.0[0]) << 9 | u64::from(self.0[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

struct Plain;

impl Policy<Noughts> for Plain {
    type Lazy = ();
    fn evaluate<L: Level>(&mut self, _: &Noughts) -> i32 {
        unreachable!("nothing is valued")
    }
    fn each<L: Level>(&mut self, game: &Noughts, _: &mut Work, mut out: impl FnMut(i32, u8)) {
        let mut all = Vec::new();
        game.moves(game.to_move(), &mut all);
        all.into_iter().for_each(|m| out(0, m));
    }
}

/// The value to seat 0: 1, 0 or -1.
fn value(game: Noughts) -> i32 {
    if game.is_over() {
        let [a, b] = game.payoff();
        return i32::from(a > b) - i32::from(b > a);
    }
    let mut all = Vec::new();
    game.moves(0, &mut all);
    let children = all.into_iter().map(|m| {
        let mut child = game;
        child.advance(&[m; 2], &mut Rng::new(0));
        value(child)
    });
    if game.to_move() == 0 {
        children.max()
    } else {
        children.min()
    }
    .expect("a move")
}

#[test]
fn tic_tac_toe_is_a_draw_and_its_mistakes_lose() {
    let mut prover = Prover::new(1 << 12, 256);
    let mut ask = |game: &Noughts, seat| {
        prover.clear();
        prover.prove(&mut Plain, game, seat, Limit::work(u64::MAX))
    };
    let empty = Noughts([0; 2]);
    assert_eq!((ask(&empty, 0), ask(&empty, 1)), (Some(false), Some(false)));
    // Every position after three moves, both questions.
    let (mut won, mut all) = (0, 0);
    for code in 0..9 * 9 * 9u16 {
        let [a, b, c] = [code % 9, code / 9 % 9, code / 81];
        if a == b || b == c || a == c {
            continue;
        }
        let game = Noughts([1 << a | 1 << c, 1 << b]);
        let truth = value(game);
        assert_eq!(ask(&game, 0), Some(truth == 1), "{game:?}");
        assert_eq!(ask(&game, 1), Some(truth == -1), "{game:?}");
        (won, all) = (won + i32::from(truth == 1), all + 1);
    }
    assert!(won > all / 4 && won < all, "{won} of {all}");
}
