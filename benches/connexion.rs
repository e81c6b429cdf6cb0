//! connexion: placements a second, and the end of the game solved exactly.
//!
//! Positions come from the recorded games. Answers are asserted, so a bench cannot speed up by being wrong.

#![allow(missing_docs)] // what criterion_group! makes

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use fifty::games::connexion::board::Board;
use fifty::games::connexion::cells::{Cell, AUTOMORPHISMS};
use fifty::games::connexion::decide::Thinker;
use fifty::games::connexion::state::{Move, State};
use fifty::games::connexion::tiles::{Kind, Tiles};
use fifty::games::connexion::weights::Weights;
use fifty::kit::bits::Bits;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::{self, Kernel, Level};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::hint::black_box;
use std::io::{BufRead, BufReader};

/// Recorded full games, replayed until `empty` cells are left.
fn recorded(empty: u8) -> Vec<State> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/connexion/games.jsonl.gz");
    let file = std::fs::File::open(path).expect("the recorded games");
    let tile = |v: &Value| Kind::parse(v.as_str().expect("text")).expect("a tile");
    let mut out = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let record: Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        let moves = record["moves"].as_array().expect("moves");
        if moves.len() < 64 {
            continue;
        }
        let mut hands = [Tiles::EMPTY; 2];
        for (hand, bag) in hands.iter_mut().zip(record["bags"].as_array().expect("bags")) {
            for v in &bag.as_array().expect("a bag")[..5] {
                hand.add(tile(v));
            }
        }
        let mut state = State::new(hands);
        for item in &moves[..usize::from(64 - empty)] {
            let seat = state.mover();
            let cell = Cell::parse(item[1].as_str().expect("text")).expect("a cell");
            state.play(Move {
                cell,
                kind: tile(&item[2]),
            });
            if item[3] != "X0" {
                assert!(state.draw(seat, tile(&item[3])));
            }
        }
        out.push(state);
    }
    out
}

/// Colours and symbols exchanged, and with them the aims and the seats' tiles; the mover stays FIRST, so
/// it is another position.
fn exchanged(state: &State) -> State {
    let same = [0, 1, 2, 3];
    let turn = |tiles: Tiles| {
        let mut out = Tiles::EMPTY;
        for kind in tiles.kinds() {
            for _ in 0..tiles.count(kind) {
                out.add(Kind::new(kind.symbol() as u8, kind.colour() as u8));
            }
        }
        out
    };
    State {
        board: state.board.mapped(&AUTOMORPHISMS[2], same, same, true),
        hands: state.hands.map(turn),
        bags: state.bags.map(turn),
        turn: state.turn,
    }
}

/// Every kind onto every empty cell and back; the sum of the margins in between.
struct Sweep<'b>(&'b mut [Board]);

impl Kernel for Sweep<'_> {
    type Out = (u64, i64);

    #[inline(always)]
    fn run<L: Level>(self) -> (u64, i64) {
        let (mut count, mut sum) = (0, 0);
        for board in self.0 {
            for cell in Bits(board.empty()) {
                for kind in 0..16 {
                    let undo = board.place(Cell(cell as u8), Kind(kind));
                    sum += i64::from(board.margin());
                    board.take_back(Cell(cell as u8), Kind(kind), undo);
                    count += 1;
                }
            }
        }
        (count, sum)
    }
}

fn placements(c: &mut Criterion) {
    let mut boards: Vec<Board> = [54, 44, 34, 24, 14]
        .iter()
        .flat_map(|&empty| recorded(empty))
        .map(|state| state.board)
        .collect();
    let (count, sum) = cpu::run(Sweep(&mut boards));
    let mut group = c.benchmark_group("connexion");
    group.throughput(Throughput::Elements(count));
    group.bench_function("place + margin + take back", |b| {
        b.iter(|| assert_eq!(cpu::run(Sweep(black_box(&mut boards))).1, sum));
    });
    group.finish();
}

/// Milliseconds this thread has run, as Linux counts them: other work on the machine does not show.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let ns = text
        .split_ascii_whitespace()
        .next()
        .and_then(|w| w.parse::<f64>().ok());
    ns.expect("nanoseconds") / 1e6
}

/// Not criterion's: each position is solved once from an empty table, and the worst one counts too.
fn endings(_: &mut Criterion) {
    for empty in [8, 10] {
        let (mut total, mut worst, mut nodes) = (0.0, 0.0f64, 0);
        let (mut margins, mut solved) = (0.0, 0);
        // 61 games were recorded to the end. For 100 positions the first 39 come twice: as they are, and
        // as their other player would find them (colours for symbols, seats exchanged).
        let mut states = recorded(empty);
        let seen: Vec<State> = states.iter().take(39).map(exchanged).collect();
        states.extend(seen);
        assert_eq!(states.len(), 100);
        for state in &states {
            let mut thinker = Thinker::new(Weights::DEFAULT, 1);
            let start = cpu_ms();
            let choice = thinker
                .solve(state, Limit::work(u64::MAX))
                .expect("an open ending");
            let spent = cpu_ms() - start;
            assert!(choice.exact);
            total += spent;
            worst = worst.max(spent);
            nodes += choice.nodes;
            margins += choice.margin;
            solved += 1;
        }
        println!(
            "connexion/last {empty} turns: {solved} positions, {:.1} ms of CPU on average, {:.1} ms at worst, {} nodes \
             on average, sum of margins {margins}",
            total / f64::from(solved),
            worst,
            nodes / u64::from(solved as u32),
        );
    }
}

criterion_group!(benches, placements, endings);
criterion_main!(benches);
