//! Random playouts of the two-player relative on 8x8, beside the `board-game` crate in the same run.
#![allow(missing_docs)] // what criterion_group! makes

use board_game::board::Board;
use board_game::games::ataxx::AtaxxBoard;
use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::slime::unshipped::ataxx::RandomGames;
use fifty::kit::cpu::run;
use rand::rngs::SmallRng;
use rand::SeedableRng;

const GAMES: u32 = 1_000;

/// Turns of `GAMES` random games of the crate.
fn theirs(seed: u64) -> u64 {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut turns = 0;
    for _ in 0..GAMES {
        let mut board = AtaxxBoard::diagonal(8);
        while !board.is_done() {
            let played = board.random_available_move(&mut rng);
            played
                .map(|m| board.play(m).expect("an available move"))
                .expect("a game that is not over");
            turns += 1;
        }
    }
    turns
}

fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("two-player 8x8 random playouts, moves");
    group.sample_size(20);
    let turns = theirs(1);
    group.throughput(Throughput::Elements(turns));
    group.bench_function("board-game", |b| b.iter(|| assert_eq!(theirs(1), turns)));
    let ours = RandomGames {
        size: 8,
        games: GAMES,
        seed: 1,
    };
    let done = run(ours);
    group.throughput(Throughput::Elements(done.0));
    group.bench_function("fifty", |b| b.iter(|| assert_eq!(run(ours), done)));
    group.finish();
    // The same game: mean lengths agree.
    let (a, b) = (turns as f64 / f64::from(GAMES), done.0 as f64 / f64::from(GAMES));
    assert!((a / b - 1.0).abs() < 0.05, "turns a game: {a:.1} and {b:.1}");
}

criterion_group!(benches, playouts);
criterion_main!(benches);
