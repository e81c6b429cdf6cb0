//! Fixed work on the yardstick, our own entries and public crates interleaved in one run.
//!
//! Prints one line per entry: `name, ns of process CPU time per iteration, share of raw playouts`, fields
//! separated by tabs. `cargo fifty bench --peers` builds this under two sets of flags and judges.

#[path = "../connect4/game.rs"]
#[allow(dead_code)] // tests use more of it
mod connect4;
#[path = "../connect4/entries.rs"]
mod entries;
#[path = "../connect4/hand.rs"]
mod hand;
mod peers;
#[path = "../connect4/table.rs"]
mod table;

use table::{Entry, ITERATIONS};

fn main() {
    let mut all = table::own();
    all.push(Entry::new("arbor 0.2", |seed| peers::arbor(ITERATIONS, seed)));
    all.push(Entry::new("board-game 0.8", |seed| {
        peers::board_game(ITERATIONS, seed);
    }));
    all.push(Entry::new("simple-mcts 0.2", |seed| {
        peers::simple_mcts(ITERATIONS, seed);
    }));
    table::fixed(&mut all);
}
