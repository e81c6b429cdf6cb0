//! wondev: rules of all four leagues, evaluation, search, fog and the bot's side of the protocol.
//!
//! Measured: twice the work, `cargo fifty play wondev --bot engine:2000 --bot engine:1000 --games 200 --seed 900`,
//! is worth +119 Elo in league 0 (95 % interval +76 to +166), in league 1 +100 (+38 to +169, 100 games). At the
//! contest's clock, `--bot dist/wondev.rs --bot builtin:greedy --games 40 --seed 700 --league N`: league 1 40 of
//! 40; league 3 39 of 40 and 38 of 40, every loss an answer late while the machine's wake-ups came 42 and 53 ms
//! late.
//!
//! A list of modules only. [`board`] <- [`state`] <- ([`setup`], [`fog`], [`eval`] <- [`search`]) <- [`bot`].

pub mod board;
pub mod bot;
pub mod eval;
pub mod fog;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod setup;
pub mod state;
pub mod weights;
