//! Fixed work on the yardstick, our own entries and public crates interleaved in one run.
//!
//! Prints one line per entry: `name, ns of process CPU time per iteration, share of raw playouts`, fields
//! separated by tabs. `cargo fifty bench --competing` builds this under two sets of flags and compares.

mod crates;

use fifty_connect4::table::{self, Entry, ITERATIONS};

fn main() {
    let mut all = table::own();
    all.push(Entry::new("arbor 0.2", |seed| crates::arbor(ITERATIONS, seed)));
    all.push(Entry::new("board-game 0.8", |seed| {
        crates::board_game(ITERATIONS, seed);
    }));
    all.push(Entry::new("simple-mcts 0.2", |seed| {
        crates::simple_mcts(ITERATIONS, seed);
    }));
    table::fixed(&mut all);
}
