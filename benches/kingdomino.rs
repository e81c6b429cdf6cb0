//! Kingdomino: whole games from turn 1 by playout, random and greedy.
#![allow(missing_docs)] // what criterion_group! makes

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::kingdomino::unshipped::games::Games;
use fifty::kit::cpu::run;

const GAMES: u64 = 1_000;

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kingdomino");
    group.throughput(Throughput::Elements(GAMES));
    for (name, greedy) in [("random playouts", false), ("greedy playouts", true)] {
        group.bench_function(name, |b| b.iter(|| run(Games { count: GAMES, greedy })));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = playouts
}
criterion_main!(benches);
