//! Fixed positions, fixed work: what the board, the endings and the search do in a second.

use super::formats::Bags;
use crate::adapter::{BenchLine, mix};
use fifty::games::connexion::board::Board;
use fifty::games::connexion::cells::Cell;
use fifty::games::connexion::decide::Thinker;
use fifty::games::connexion::state::{Move, State, TURNS};
use fifty::games::connexion::tiles::Kind;
use fifty::games::connexion::weights::Weights;
use fifty::kit::bits::Bits;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::{Kernel, Level, run};
use fifty::kit::rng::Rng;

/// Every kind onto every empty cell of half-filled boards, with margin and take-back.
struct Sweep;

impl Kernel for Sweep {
    type Out = (u64, u64);

    #[inline(always)]
    fn run<L: Level>(self) -> (u64, u64) {
        let (mut count, mut signature) = (0, 0);
        for seed in 0..2_000 {
            let mut board = Board::random(8 + seed as usize % 48, &mut Rng::new(seed));
            let mut sum = 0;
            for cell in Bits(board.empty()).map(|c| Cell(c as u8)) {
                for kind in (0..16).map(Kind) {
                    let undo = board.place(cell, kind);
                    sum += i64::from(board.margin());
                    board.take_back(cell, kind, undo);
                    count += 1;
                }
            }
            signature = mix(signature, sum as u64 ^ board.hash());
        }
        (count, signature)
    }
}

/// A game of the margin greedy against itself until `empty` cells are left.
fn position(seed: u64, empty: u8) -> State {
    let bags = Bags::random(seed);
    let mut state = State::new(bags.hands());
    while state.turn < TURNS - empty {
        let seat = state.mover();
        let value = |m: &Move| super::builtins::margin(&state.board, seat, m.cell, m.kind);
        let Some(mv) = state.legal(seat).max_by_key(value) else {
            break;
        };
        let next = 5 + usize::from(state.turn) / 2;
        state.play(mv);
        if let Some(&kind) = bags.0[seat].get(next) {
            state.draw(seat, kind);
        }
    }
    state
}

/// The lines of `fifty bench connexion`.
pub fn bench() -> Vec<BenchLine> {
    vec![
        BenchLine::measured("place + margin + take back", "placements", || run(Sweep)),
        BenchLine::measured("last 9 turns solved", "nodes", || {
            let (mut nodes, mut signature) = (0, 0);
            for seed in 0..12 {
                let mut thinker = Thinker::new(Weights::DEFAULT, 1);
                if let Some(found) = thinker.solve(&position(seed, 9), Limit::work(u64::MAX)) {
                    nodes += found.nodes;
                    signature = mix(signature, found.margin as i64 as u64 ^ found.nodes);
                }
            }
            (nodes, signature)
        }),
        BenchLine::measured("search", "nodes", || {
            let (mut nodes, mut signature) = (0, 0);
            for (seed, empty) in [64, 56, 48, 40, 32, 24, 16].into_iter().enumerate() {
                let mut thinker = Thinker::new(Weights::DEFAULT, 1);
                if let Some(found) = thinker.choose(&position(seed as u64, empty), Limit::work(60_000)) {
                    nodes += found.nodes;
                    let mv = u64::from(found.mv.cell.0) << 4 | u64::from(found.mv.kind.0);
                    signature = mix(signature, mv ^ found.nodes << 10);
                }
            }
            (nodes, signature)
        }),
    ]
}
