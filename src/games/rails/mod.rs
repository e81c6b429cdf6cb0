//! rails: rules, evaluation and the bot's side of the protocol.
//!
//! At the contest's clock, `cargo fifty play rails --bot dist/rails.rs --bot builtin:first --games 100 --jobs 1 --seed
//! 30000 -o variant=V`: `utg` 80.0 % (Elo +241, 95 % interval +169 to +337), `utg-ink4` 74.5 % (+186, +116 to +275);
//! no answer late. Against `builtin:greedy` in the same way 100 of 100 in either.
//!
//! At equal work, `cargo fifty play rails --bot engine:100 --bot builtin:first-100 --games 100 --seed 6000 -o
//! variant=V`: `utg` 77.0 % (Elo +210, 95 % interval +135 to +308), `utg-ink4` 75.0 % (+191, +127
//! to +270). Against the weights before, `--bot engine:60 --bot engine:60,home=0,life=1,life_hit=1 --games 100
//! --seed 9000 -o variant=V`: `utg` 56.0 % (+42, -25 to +112), `utg-ink4` 59.0 % (+63, -4 to +136).
//!
//! Side quest, `cargo test --test suite quest_rates -- --ignored --nocapture`: with `quest` at 99 it was met in
//! 100 of 100 games, by the bot as it ships in 50 of the same games; the quest player won 17 of 100 against it. What
//! it costs the bot as it ships, `--bot engine:60 --bot engine:60,quest=0 --games 100 --seed 9500`: 50.0 %, nothing.
//!
//! Twice the work, `engine:120` against
//! `engine:60`, 40 games, seed 900, `utg`: +89 (-33 to +238). A beam of 160 instead of 96 at the clock: 46.7 and
//! 51.7 % of 30 games, no gain.

pub mod bot;
pub mod cells;
pub mod duel;
pub mod map;
pub mod path;
pub mod planner;
pub mod quest;
pub mod race;
pub mod reader;
pub mod routes;
pub mod state;
pub mod unshipped;
pub mod weights;
