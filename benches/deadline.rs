//! How far each search runs beyond its deadline: the distribution over some hundred searches.
//!
//! `cargo bench --bench deadline` prints median, 99th percentile and maximum in microseconds after a
//! deadline of 5 ms, for every search, from connect-four positions. On an idle core the maximum stays
//! below 1,000; on a loaded one the scheduler's pauses show.

#[path = "connect4/game.rs"]
#[allow(dead_code)] // tests use more of it
mod connect4;
#[path = "connect4/entries.rs"]
#[allow(dead_code)] // the yardstick uses more of it
mod entries;
#[path = "connect4/hand.rs"]
#[allow(dead_code)] // the yardstick uses more of it
mod hand;

use connect4::{Column, Connect4};
use entries::Fast;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::{self, AlphaBeta, Position};
use fifty::search::beam::{self, Beam, Plan};
use fifty::search::game::Game;
use fifty::search::multi::{Multi, Others, Seats};
use std::time::{Duration, Instant};

const DEADLINE: Duration = Duration::from_millis(5);
const SEARCHES: usize = 200;

/// Connect four for the other traits.
#[derive(Clone)]
struct Board(Connect4);

impl Plan for Board {
    type Step = Column;
    fn steps<L: Level>(&self, out: &mut Vec<Column>) {
        if !self.0.finished() {
            Game::moves(&self.0, 0, out);
        }
    }
    fn apply<L: Level>(&mut self, step: Column) {
        self.0.play(step);
    }
    fn value<L: Level>(&self) -> f32 {
        Position::evaluate::<L>(&self.0) as f32
    }
    fn hash(&self) -> u64 {
        Game::hash(&self.0)
    }
}

impl Seats<2> for Board {
    type Move = Column;
    fn result(&self) -> Option<[f32; 2]> {
        self.0.finished().then(|| Game::payoff(&self.0))
    }
    fn mover(&self) -> Option<usize> {
        Some(self.0.seat())
    }
    fn moves(&self, out: &mut Vec<Column>) {
        Game::moves(&self.0, 0, out);
    }
    fn play(&mut self, m: Column) {
        self.0.play(m);
    }
    fn evaluate<L: Level>(&self) -> [f32; 2] {
        let mine = 0.5 + (Position::evaluate::<L>(&self.0) as f32 / 200.0).clamp(-0.4, 0.4);
        let mut value = [1.0 - mine; 2];
        value[self.0.seat()] = mine;
        value
    }
}

fn report(name: &str, mut search: impl FnMut(&Connect4, Limit)) {
    let mut rng = Rng::new(4);
    let mut over: Vec<u128> = (0..SEARCHES)
        .map(|i| {
            let mut state = Connect4::EMPTY;
            for _ in 0..i % 8 {
                let mut moves = Vec::new();
                Game::moves(&state, 0, &mut moves);
                state.play(moves[rng.below(moves.len() as u32) as usize]);
            }
            let until = Instant::now() + DEADLINE;
            let limit = Limit {
                until: Some(until),
                work: u64::MAX,
            };
            search(&state, limit);
            Instant::now().saturating_duration_since(until).as_micros()
        })
        .collect();
    over.sort_unstable();
    let at = |share: f64| over[((over.len() - 1) as f64 * share) as usize];
    println!(
        "{name:12} beyond the deadline: median {} µs, 99 % {} µs, most {} µs",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn main() {
    let mut tree = entries::uct(Fast, 400_000, 1);
    report("mcts", |state, limit| {
        tree.search(state, state.seat(), limit);
    });
    let mut deep = AlphaBeta::new(alphabeta::Params::DEFAULT, 1 << 18, 7);
    report("alphabeta", |state, limit| {
        deep.search(&mut state.clone(), limit);
    });
    let mut beam = Beam::new(beam::Params::DEFAULT, 7);
    report("beam", |state, limit| {
        beam.search(&Board(*state), &[], limit);
    });
    let mut multi = Multi::<Board, 2>::new(Others::Themselves, 7);
    report("multi", |state, limit| {
        multi.search(&Board(*state), limit);
    });
}
