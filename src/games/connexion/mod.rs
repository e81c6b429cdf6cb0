//! Connexion: 64 cells, 64 tiles; FIRST scores groups of equal symbols, SECOND groups of equal colours.
//!
//! Measured with `cargo fifty play connexion --bot dist/connexion.rs --bot builtin:B --jobs 1`: at a tenth of the
//! clock (`-o clock_ms=1000 --games 200`) 200 of 200 against `greedy` and against `margin`, slowest answer 128.5
//! ms; on the full clock 99 of 100 against `ab5` (`--games 40`, then `--games 60 --seed 21`), no loss on time with
//! the other core busy. Twice the work
//! (`engine:2000` against `engine:1000`, 200 games, seed 900): +51 Elo (95 % interval +12 to +91). All of these with
//! the weights before today's, which the README's `tune` command makes of weights set by hand; against those before,
//! `--bot engine:N --bot engine:N,reply=17,threat=8,links=22,links_early=18,cross=3,joints=26,joints_early=31`: +15
//! Elo (-2 to +33) with N 1000, 1000 games from seed 20000; +42 (-1 to +86) with N 8000, 200 games from seed 30000.
//! Today's at a tenth of the clock against `ab5` (`-o clock_ms=1000 --games 60 --seed 500`): 95.0 %, none late.
//!
//! A list of modules only. Seats and graphs share their numbers: seat 0 is FIRST and scores graph 0
//! (symbols), seat 1 is SECOND and scores graph 1 (colours), so one code serves both.

pub mod board;
pub mod bot;
pub mod cells;
pub mod decide;
pub mod field;
pub mod order;
pub mod protocol;
pub mod search;
pub mod state;
pub mod tiles;
pub mod weights;
