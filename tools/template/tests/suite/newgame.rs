//! newgame: the rules once more, slowly and obviously, and a recorded game.
//!
//! CHANGE: the twin first, from the contest's text and not from the fast rules; then add the contest's recordings.

use crate::conformance;
use crate::recorded::records;
use fifty::games::newgame::protocol;
use fifty::games::newgame::state::{Cell, State, SIZE};
use fifty::kit::rng::Rng;
use fifty::search::game::Game;

/// The reference implementation: a grid of owners.
#[derive(Default)]
struct Twin {
    grid: [[Option<usize>; SIZE as usize]; SIZE as usize],
    turn: usize,
}

impl Twin {
    fn play(&mut self, cell: Cell) {
        let place = &mut self.grid[cell.y() as usize][cell.x() as usize];
        assert_eq!(*place, None, "{cell:?} is taken");
        *place = Some(self.turn % 2);
        self.turn += 1;
    }

    fn owner(&self, x: i32, y: i32) -> Option<usize> {
        let row = self.grid.get(usize::try_from(y).ok()?)?;
        *row.get(usize::try_from(x).ok()?)?
    }

    fn winner(&self) -> Option<usize> {
        let size = i32::from(SIZE);
        let cells = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let lines = cells.flat_map(|at| [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|step| (at, step)));
        let mut owned = lines.filter_map(|((x, y), (dx, dy))| {
            let first = self.owner(x, y)?;
            let whole = (1..4).all(|i| self.owner(x + i * dx, y + i * dy) == Some(first));
            whole.then_some(first)
        });
        owned.next()
    }
}

#[test]
fn newgame_conforms() {
    conformance::check(|_| State::default(), 50, 40);
}

#[test]
fn newgame_agrees_with_its_twin() {
    let mut moves = Vec::new();
    for seed in 0..200 {
        let (mut state, mut twin, mut rng) = (State::default(), Twin::default(), Rng::new(seed));
        while !state.is_over() {
            assert_eq!(twin.winner(), None, "seed {seed}: {state:?}");
            moves.clear();
            state.moves(state.to_move(), &mut moves);
            let empty = twin.grid.iter().flatten().filter(|owner| owner.is_none()).count();
            assert_eq!(moves.len(), empty, "seed {seed}: {state:?}");
            let cell = moves[rng.below(moves.len() as u32) as usize];
            state.play(cell);
            twin.play(cell);
        }
        assert_eq!(state.winner(), twin.winner(), "seed {seed}: {state:?}");
    }
}

/// Positions after so many plies; four in a line ends a game, so ply 8 is the first that has fewer.
fn perft(state: &State, plies: u32) -> u64 {
    if plies == 0 || state.is_over() {
        return u64::from(plies == 0);
    }
    let mut moves = Vec::new();
    state.moves(state.to_move(), &mut moves);
    let after = |&cell: &Cell| {
        let mut next = *state;
        next.play(cell);
        perft(&next, plies - 1)
    };
    moves.iter().map(after).sum()
}

#[test]
fn newgame_perft_counts() {
    let counts: Vec<u64> = (0..4).map(|plies| perft(&State::default(), plies)).collect();
    assert_eq!(counts, [1, 36, 36 * 35, 36 * 35 * 34]);
}

#[test]
fn newgame_recorded_games_are_understood() {
    let games = records("newgame/games.jsonl");
    assert!(!games.is_empty());
    for game in &games {
        let mut state = State::default();
        let steps = game["steps"].as_array().expect("steps");
        for exchange in steps.iter().filter_map(|step| step["exchanges"].get(0)) {
            assert_eq!(exchange["seat"], state.to_move());
            let line = exchange["output"].as_str().expect("an answer");
            state.play(protocol::cell(line).expect("a cell"));
        }
        assert!(state.is_over());
        assert_eq!(game["scores"][0].as_f64(), Some(f64::from(state.payoff()[0])));
    }
}
