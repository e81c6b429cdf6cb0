//! rails: rules, evaluation and the bot's side of the protocol.
//!
//! Measured by `cargo fifty play rails --bot engine:100 --bot builtin:first-100 --games 100 --seed 6000 -o
//! variant=V` (equal work): `utg` 77.0 % (Elo +210, 95 % interval +135 to +308), `utg-ink4` 75.0 % (+191, +127
//! to +270). Against the weights before, `--bot engine:60 --bot engine:60,home=0,life=1,life_hit=1 --games 100
//! --seed 9000 -o variant=V`: `utg` 56.0 % (+42, -25 to +112), `utg-ink4` 59.0 % (+63, -4 to +136).
//!
//! Side quest, `cargo test --test suite quest_rates -- --ignored --nocapture`: with `quest` at 99 it was met in
//! 100 of 100 games, by the bot as it ships in 50 of the same games; the quest player won 17 of 100 against it.
//!
//! The version before this one, without `home` and with `life` 1 and `life_hit` 1: the match above 69.5 %, in
//! `utg-ink4` 67.0 %. At the contest's clock `--bot dist/rails.rs --bot builtin:greedy --games 20 --seed 100`:
//! 20 of 20 in either variant; against `builtin:first`, 24 games each: `utg` from seed 7200 58.3 %, `utg-ink4`
//! from seed 7200 83.3 %, from 7300 58.3 %; no fault of transport. Twice the work, `engine:120` against
//! `engine:60`, 40 games, seed 900, `utg`: +89 (-33 to +238). A beam of 160 instead of 96 at the clock: 46.7 and
//! 51.7 % of 30 games, no gain.

pub mod autoplace;
pub mod bot;
pub mod cells;
pub mod duel;
pub mod map;
pub mod mapgen;
pub mod orders;
pub mod path;
pub mod planner;
pub mod quest;
pub mod race;
pub mod reader;
pub mod routes;
pub mod state;
pub mod stream;
pub mod text;
pub mod weights;
