//! Joint turns a second over the positions of 20 recorded games, and how many path solves a turn takes.
//!
//! Each position gets one joint action (what the recorded game played there: up to three placements and a
//! disruption of each seat), on a copy of the position, active paths and points included. The checksum
//! of points is asserted.

#![allow(missing_docs)] // what criterion_group! makes

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::rails::map::{Map, Rules};
use fifty::games::rails::protocol::Reader;
use fifty::games::rails::state::{Plan, State};
use fifty::games::rails::unshipped::orders::resolve;
use fifty::kit::cpu::{self, Kernel, Level};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

struct Game {
    map: Map,
    turns: Vec<(State, [Plan; 2])>,
    points: u64,
}

fn games() -> Vec<Game> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rails/games.jsonl.gz");
    let file = std::fs::File::open(path).expect("the recorded games");
    let mut games = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines().take(20) {
        let record: Value = serde_json::from_str(&line.expect("a line")).expect("a record");
        let init: Vec<&str> = record["init"][0]
            .as_array()
            .expect("init lines")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let text = init.join("\n") + "\n";
        let mut reader = Reader::new();
        reader.init(&mut text.as_bytes(), || {}).expect("memory");
        let mut map = Arc::unwrap_or_clone(reader.map);
        map.rules = Rules::inking(record["params"]["ink_threshold"].as_u64().expect("a threshold") as u8);
        let mut state = State::new();
        let mut turns = Vec::new();
        for turn in record["turns"].as_array().expect("turns") {
            let plans = [0, 1].map(|seat: usize| {
                let line = turn["outputs"][seat].as_str().expect("an output");
                resolve(&map, &state, line).plan
            });
            turns.push((state, plans));
            state.play(&map, &plans);
        }
        let points = turns
            .last()
            .map_or(0, |_| u64::from(state.scores[0] + state.scores[1]));
        games.push(Game { map, turns, points });
    }
    games
}

struct Pass<'a>(&'a [Game]);

impl Kernel for Pass<'_> {
    type Out = (u64, u64, u64);

    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        let (mut income, mut solves, mut floods) = (0, 0, 0);
        for game in self.0 {
            for (state, plans) in &game.turns {
                let mut next = *black_box(state);
                next.play(&game.map, plans);
                income += u64::from(next.income[0] + next.income[1]);
                solves += u64::from(next.solves - state.solves);
                floods += u64::from(next.floods - state.floods);
                black_box(&next);
            }
        }
        (income, solves, floods)
    }
}

fn joint_turns(c: &mut Criterion) {
    let games = games();
    let turns: u64 = games.iter().map(|g| g.turns.len() as u64).sum();
    let points: u64 = games.iter().map(|g| g.points).sum();
    let (income, solves, floods) = cpu::run(Pass(&games));
    assert_eq!(income, points, "every turn pays what the recorded game paid");
    println!(
        "{turns} positions of {} recorded games: {:.2} path solves and {:.2} joint floods a turn",
        games.len(),
        solves as f64 / turns as f64,
        floods as f64 / turns as f64
    );
    let mut group = c.benchmark_group("rails");
    group.throughput(Throughput::Elements(turns));
    group.bench_function("joint turn", |b| b.iter(|| cpu::run(Pass(black_box(&games)))));
    group.finish();
}

criterion_group!(benches, joint_turns);
criterion_main!(benches);
