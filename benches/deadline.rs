//! How far each search runs beyond its deadline: the distribution over some hundred searches.
//!
//! `cargo bench --bench deadline` prints median, 99th percentile and maximum in microseconds after a
//! deadline of 5 ms, for every search, from connect-four positions. On an idle core the maximum stays
//! below 1,000; on a loaded one the scheduler's pauses show.

use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::alphabeta::AlphaBeta;
use fifty::search::beam::{self, Beam, Candidate, Expand};
use fifty::search::game::Game;
use fifty_connect4::entries::{self, Fast};
use fifty_connect4::game::{Column, Connect4, Lines};
use std::time::{Duration, Instant};

const DEADLINE: Duration = Duration::from_millis(5);
const SEARCHES: usize = 200;

/// A plan of both seats' stones, for whoever moves last.
struct Both(Vec<Column>);

impl Expand<Connect4, 2> for Both {
    #[inline(always)]
    fn expand<L: Level>(&mut self, state: &Connect4, _: usize, out: &mut Vec<Candidate<Column, 2>>) {
        if state.finished() {
            return;
        }
        self.0.clear();
        Game::moves(state, 0, &mut self.0);
        for &column in &self.0 {
            let mut next = *state;
            next.play(column);
            let value = next.worth() as f32;
            out.push(Candidate::new([column; 2], value, Game::hash(&next), 0));
        }
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
    let mut deep = AlphaBeta::new(Lines, 1 << 18, 7);
    report("alphabeta", |state, limit| {
        deep.search(&mut state.clone(), limit);
    });
    let mut beam = Beam::new(beam::Params::DEFAULT, Both(Vec::with_capacity(7)), 7);
    report("beam", |state, limit| {
        beam.search(state, 0, &[], limit);
    });
}
