//! perft of the wondev simulator, every position made, beside its slow oracle in the same run.
//!
//! `cargo bench --bench wondev`; throughput is positions a second. The counts are asserted equal.

#![allow(missing_docs)] // criterion's macros make functions without

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::wondev::board::Sq;
use fifty::games::wondev::rules::Perft;
use fifty::games::wondev::state::{Flow, League, State};
use fifty::games::wondev::unshipped::setup::{start, Map, Setup};
use fifty::kit::cpu;
use oracle::Oracle;
use std::time::Duration;

#[allow(dead_code, missing_docs)]
#[path = "../tests/suite/wondev_oracle.rs"]
mod oracle;

fn oracle_of(state: &State, size: u8) -> Oracle {
    let at = |sq: &Sq| (i32::from(sq.x()), i32::from(sq.y()));
    Oracle {
        league: state.league() as u32,
        ends_at_once: true,
        grid: (0..size)
            .map(|y| {
                (0..size)
                    .map(|x| {
                        let sq = Sq::at(x, y);
                        (state.cells() & sq.bit() != 0).then(|| state.height(sq) as i32)
                    })
                    .collect()
            })
            .collect(),
        units: [0, 1].map(|p| state.units(p)[..state.league().units()].iter().map(at).collect()),
        points: [0; 2],
        dead: [false; 2],
        turn: 0,
        rounds: 0,
        over: false,
    }
}

fn perft(c: &mut Criterion) {
    for (league, depth) in [(League::Climb, 5), (League::Push, 4), (League::Fog, 4)] {
        let (state, size) = start(&Setup {
            league,
            flow: Flow::Turn,
            seed: 3,
            map: Some(Map::Square),
            symmetric: false,
        });
        let oracle = oracle_of(&state, size);
        let shallow = depth - 2;
        let few = oracle.perft(shallow);
        let many = cpu::run(Perft { state, depth });
        assert_eq!(
            few,
            cpu::run(Perft {
                state,
                depth: shallow
            })
        );

        let mut group = c.benchmark_group(format!("wondev perft, league {}", league as u32));
        group.sample_size(10).measurement_time(Duration::from_secs(3));
        group.throughput(Throughput::Elements(many));
        group.bench_function(format!("bitboards, depth {depth}"), |b| {
            b.iter(|| cpu::run(Perft { state, depth }));
        });
        group.throughput(Throughput::Elements(few));
        group.bench_function(format!("slow oracle, depth {shallow}"), |b| {
            b.iter(|| oracle.perft(shallow));
        });
        group.finish();
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
