//! Alpha-beta against plain negamax on connect four.

use crate::connect4::{Column, Connect4};
use fifty::kit::clock::Limit;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::{AlphaBeta, Params, Position, WIN, WON};
use fifty::search::game::Game;
use std::collections::HashMap;

/// Plain negamax with a map, no bounds: -1, 0 or 1 for the side to move.
pub fn exact(state: Connect4, known: &mut HashMap<Connect4Key, i8>) -> i8 {
    if state.finished() {
        return if crate::connect4::aligned(state.mine ^ state.all) {
            -1
        } else {
            0
        };
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

#[test]
fn every_value_and_move_agrees_with_plain_negamax() {
    let mut rng = Rng::new(11);
    let mut known = HashMap::new();
    for params in [
        Params::DEFAULT,
        Params::EXACT,
        Params {
            aspiration: 20,
            ..Params::DEFAULT
        },
    ] {
        let mut search = AlphaBeta::<Connect4>::new(params, 1 << 14, 7);
        for i in 0..400 {
            let mut state = random_position(&mut rng, 26 + i % 12);
            let before = state;
            let found = search.search(&mut state, Limit::work(u64::MAX));
            assert_eq!(state, before, "the position is given back");
            assert!(found.proven, "searched to the end");
            let want = i32::from(exact(state, &mut known));
            let got = if found.value.abs() >= WON {
                found.value.signum()
            } else {
                0
            };
            assert_eq!(got, want, "{state:?} {found:?}");
            assert!(found.value.abs() <= WIN);
            let best = found.best.expect("a move");
            assert!(moves(state).contains(&best));
            let mut child = state;
            child.play(best);
            assert_eq!(
                i32::from(-exact(child, &mut known)),
                want,
                "the move keeps the value"
            );
            // The line is legal and starts with the move.
            assert_eq!(search.line().first(), Some(&best));
            let mut walk = state;
            for &m in search.line() {
                assert!(moves(walk).contains(&m));
                walk.play(m);
            }
        }
    }
}

#[test]
fn solves_known_positions() {
    // Late positions of the published solver test set; the sign is the result for the side to move.
    let mut search = AlphaBeta::<Connect4>::new(Params::EXACT, 1 << 20, 7);
    for (line, sign) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ] {
        let mut state = Connect4::after(line).expect("a game so far");
        let found = search.search(&mut state, Limit::work(u64::MAX));
        let got = if found.value.abs() >= WON {
            found.value.signum()
        } else {
            0
        };
        assert_eq!((got, found.proven), (sign, true), "{line}");
    }
}

#[test]
fn tiny_limits_finished_games_and_single_moves_are_fine() {
    let mut search = AlphaBeta::<Connect4>::new(Params::DEFAULT, 2, 7);
    let mut rng = Rng::new(5);
    for work in 0..50 {
        let mut state = random_position(&mut rng, 12);
        let found = search.search(&mut state, Limit::work(work));
        assert!(moves(state).contains(&found.best.expect("a move")));
        assert!(found.nodes <= work + 1);
    }
    let mut over = Connect4::after("1212121").expect("legal");
    let found = search.search(&mut over, Limit::work(1000));
    assert_eq!((found.best, found.value, found.proven), (None, -WIN, true));
}
