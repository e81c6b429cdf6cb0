//! Fixed work, interleaved, in process CPU time: what a noisy machine cannot turn around.

use crate::entries::{self, Batch, Fast};
use cpu_time::ProcessTime;

/// Iterations of one measurement of a tree search.
pub const ITERATIONS: u32 = 100_000;
/// Playouts of one measurement without a tree.
const PLAYOUTS: u32 = 4 * ITERATIONS;
/// Measurements of each entry, interleaved with those of all others.
const ROUNDS: u64 = 7;

/// Something that is measured.
pub struct Entry {
    /// First column of the table.
    pub name: &'static str,
    count: u32,
    /// One measurement's work, from a seed.
    pub run: Box<dyn FnMut(u64)>,
}

impl Entry {
    /// A tree search of [`ITERATIONS`].
    pub fn new(name: &'static str, run: impl FnMut(u64) + 'static) -> Self {
        Self {
            name,
            count: ITERATIONS,
            run: Box::new(run),
        }
    }
}

/// Raw playouts first (the unit of the ratios), then our searches.
pub fn own() -> Vec<Entry> {
    let edges = 8 * ITERATIONS as usize;
    let mut plain = entries::uct(Fast, edges, 1);
    let mut batch = entries::uct(Batch::<4>, edges, 1);
    let raw = Entry::new("raw playouts", |seed| entries::raw(PLAYOUTS, seed));
    let lanes = Entry::new("raw playouts, 4 lanes", |seed| entries::raw_lanes(PLAYOUTS, seed));
    let more = |entry| Entry {
        count: PLAYOUTS,
        ..entry
    };
    vec![
        more(raw),
        more(lanes),
        Entry::new("fifty mcts", move |_| entries::ours(&mut plain, ITERATIONS)),
        Entry::new("fifty mcts, 4 playouts a leaf", move |_| {
            entries::ours(&mut batch, ITERATIONS);
        }),
        Entry::new("by hand", |seed| entries::hand(ITERATIONS, seed)),
    ]
}

/// Interleaved rounds; prints the best of each entry in ns per iteration and its share of the first. The
/// work is fixed: what a round takes beyond the best is the machine's doing.
pub fn fixed(all: &mut [Entry]) {
    let mut best = vec![f64::INFINITY; all.len()];
    for round in 1..=ROUNDS {
        for (entry, best) in all.iter_mut().zip(&mut best) {
            let start = ProcessTime::now();
            (entry.run)(round);
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(entry.count));
        }
    }
    for (entry, ns) in all.iter().zip(&best) {
        println!("{}\t{ns:.1}\t{:.3}", entry.name, best[0] / ns);
    }
}
