//! slime: perft and playouts. Beside another engine: `cargo bench -p fifty-competing --bench slime`.
#![allow(missing_docs)] // what criterion_group! makes

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::slime::policy::GreedyGames;
use fifty::games::slime::unshipped::ataxx::{start, RandomGames};
use fifty::games::slime::unshipped::perft::Perft;
use fifty::kit::cpu::run;

/// Every move made, on the last ply too.
fn perft(c: &mut Criterion) {
    let count = Perft::<2, false> {
        board: start(7),
        seat: 0,
        depth: 5,
    };
    let mut group = c.benchmark_group("slime");
    group.sample_size(20);
    group.throughput(Throughput::Elements(4_752_668));
    group.bench_function("two-player 7x7 perft(5), nodes", |b| {
        b.iter(|| assert_eq!(run(count), 4_752_668));
    });
    group.finish();
}

fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("slime");
    group.sample_size(20);
    let random = RandomGames {
        size: 8,
        games: 2_000,
        seed: 1,
    };
    let done = run(random);
    group.throughput(Throughput::Elements(done.0));
    group.bench_function("two-player 8x8 random playouts, moves", |b| {
        b.iter(|| assert_eq!(run(random), done));
    });
    let greedy = GreedyGames {
        games: 2_000,
        seed: 1,
    };
    let done = run(greedy);
    group.throughput(Throughput::Elements(done.0));
    group.bench_function("four-player playouts by the bot's policy, moves", |b| {
        b.iter(|| assert_eq!(run(greedy), done));
    });
    group.finish();
}

criterion_group!(benches, perft, playouts);
criterion_main!(benches);
