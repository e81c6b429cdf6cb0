//! Fixed positions, fixed work: playouts and searches.

use crate::adapter::{BenchLine, cpu_seconds, mix};
use fifty::games::kingdomino::exact::Solver;
use fifty::games::kingdomino::playout::{Deck, Greedily};
use fifty::games::kingdomino::search::Search;
use fifty::games::kingdomino::state::{Action, State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::unshipped::games::Games;
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::worth::Taste;
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::run;
use fifty::kit::rng::Rng;

/// Two greedy players up to a number of actions; whole games have 52, turn 11 begins after 40.
fn position(seed: u64, actions: usize) -> State<2> {
    let mut rng = Rng::new(seed);
    let mut state = State::<2>::new(Variant::MAIN);
    let taste = Taste::new(&Weights::DEFAULT);
    for _ in 0..actions {
        if state.wants_draw() {
            state.draw(&mut rng, Tile::of_box);
        }
        let sights = [0, 1].map(|seat| Sight::new(&state.kingdoms[seat]));
        let (put, slot) = run(Greedily {
            state: &state,
            sights: &sights,
            taste: &taste,
            rng: &mut rng,
        });
        state.play(Action::new(put, slot));
    }
    if state.wants_draw() {
        state.draw(&mut rng, Tile::of_box);
    }
    state
}

/// Exact solutions of 200 positions; the name tells how many take no more CPU time than the bot gives its
/// solver in one call (wall time would measure what else the machine does).
fn endgames(name: &str, actions: impl Fn(u64) -> usize) -> BenchLine {
    let limit = Weights::DEFAULT.later_ms * Weights::DEFAULT.solve;
    let (mut proven, mut work, mut signature, mut seconds) = (0, 0, 0u64, 0.0);
    for seed in 0..200 {
        let state = position(seed, actions(seed));
        let mut solver = Solver::new();
        let begun = cpu_seconds();
        let solved = solver.solve(&state, Tile::of_box, Limit::work(u64::MAX));
        let took = cpu_seconds() - begun;
        seconds += took;
        if let Some(solved) = solved {
            proven += usize::from(took * 1e3 <= f64::from(limit));
            work += solved.nodes;
            signature =
                mix(signature, solved.value as u64 ^ solved.nodes << 32);
        }
    }
    BenchLine {
        name: format!(
            "{name}: {proven} of 200 exact in {limit:.0} ms, mean {:.1} ms CPU",
            seconds * 5.0
        ),
        work,
        unit: "nodes",
        seconds,
        signature,
    }
}

/// A tree search from the first call of turn 3, fixed work.
fn tree() -> (u64, u64) {
    let (mut work, mut signature) = (0, 0u64);
    for seed in 0..10 {
        let state = position(seed, 8);
        let deck = Deck::new(state.deck, Tile::of_box);
        let found = Search::<2>::new(&Weights::DEFAULT, 1).search(&state, deck, Limit::work(1_000));
        work += found.iterations;
        signature = mix(signature, u64::from(found.visits));
    }
    (work, signature)
}

/// All lines of the game.
pub fn lines() -> Vec<BenchLine> {
    let mut lines = playouts();
    lines.push(BenchLine::measured("tree, first call of turn 3", "iterations", tree));
    lines.push(endgames("first call of turn 11", |_| 40));
    lines.push(endgames("calls of turns 11 to 13", |seed| {
        40 + seed as usize % 12
    }));
    lines
}

fn playouts() -> Vec<BenchLine> {
    [
        ("random playouts from turn 1", 100_000, false),
        ("greedy playouts from turn 1", 30_000, true),
    ]
    .map(|(name, count, greedy)| {
        BenchLine::measured(name, "playouts", || {
            let scores = run(Games { count, greedy });
            (count, scores.into_iter().fold(0, |all, score| mix(all, score.into())))
        })
    })
    .into()
}
