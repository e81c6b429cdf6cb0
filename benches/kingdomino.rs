//! Kingdomino: whole games from turn 1 by playout, random and greedy.
#![allow(missing_docs)] // what criterion_group! makes

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::kingdomino::playout::{greedy_playout, random_playout, Deck};
use fifty::games::kingdomino::state::{State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::kit::cpu::{run, Kernel, Level};
use fifty::kit::rng::Rng;

const GAMES: u64 = 1_000;

/// Games with decks of their own; the sum of all scores.
struct Playouts {
    greedy: bool,
}

impl Kernel for Playouts {
    type Out = u64;

    #[inline(always)]
    fn run<L: Level>(self) -> u64 {
        let mut start = State::<2>::new(Variant::MAIN);
        let mut rng = Rng::new(1);
        start.draw(&mut rng, Tile::of_box);
        let mut deck = Deck::new(start.deck, Tile::of_box);
        let mut sum = 0;
        for _ in 0..GAMES {
            let mut state = start.clone();
            deck.shuffle(&mut rng);
            if self.greedy {
                greedy_playout::<L, 2>(&mut state, &mut deck, &Weights::DEFAULT, &mut rng);
            } else {
                random_playout::<L, 2>(&mut state, &mut deck, &mut rng);
            }
            sum += state.kingdoms.iter().map(|k| u64::from(k.score())).sum::<u64>();
        }
        sum
    }
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kingdomino");
    group.throughput(Throughput::Elements(GAMES));
    for (name, greedy) in [("random playouts", false), ("greedy playouts", true)] {
        group.bench_function(name, |b| b.iter(|| run(Playouts { greedy })));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = playouts
}
criterion_main!(benches);
