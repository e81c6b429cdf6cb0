//! wondev: rules of all four leagues, evaluation, search, fog and the bot's side of the protocol.
//!
//! Measured: twice the work, `cargo fifty play wondev --bot engine:2000 --bot engine:1000 --games 200 --seed 900`,
//! is worth +119 Elo in league 0 (95 % interval +76 to +166), in league 1 +100 (+38 to +169, 100 games). At the
//! contest's clock, `cargo fifty play wondev --bot dist/wondev.rs --bot builtin:B --games 200 --jobs 1 --seed 9000 -o
//! league=N`, no fault in any of the 1,600 games (leagues 0 and 1 with the weights before today's):
//!
//! | league | against `greedy` | against `first` | Elo over `first` (95 % interval) | excused answers |
//! |---|---|---|---|---|
//! | 0 | 100.0 % | 81.0 % | +252 (+202 to +312) | 0 and 1 of 2,997 |
//! | 1 | 98.5 % | 69.5 % | +143 (+95 to +197) | 3 of 6,455 and 2 of 8,488 |
//! | 2 | 100.0 % | 99.0 % | +798 (+645 and more) | 1 of 5,094 and 2 of 7,309 |
//! | 3 (fog) | 100.0 % | 84.2 % | +291 (+236 to +362) | 0 and 2 of 8,987 |
//!
//! Excused: late only because the machine stood still (`tools/src/arena/load.rs`).
//!
//! A list of modules only. [`board`] <- [`state`] <- ([`unshipped::setup`], [`fog`], [`eval`] <- [`search`]) <- [`bot`].

pub mod board;
pub mod bot;
pub mod eval;
pub mod fog;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod state;
pub mod unshipped;
pub mod weights;
