//! kingdomino ("Coders of the Realm"): rules, evaluation and the bot's side of the protocol.
//!
//! Measured with `cargo fifty bench kingdomino` (CPU time, a busy machine): 458 k random and 49.5 k greedy
//! playouts a second from turn 1; of 200 first calls of turn 11, 195 solved within the solver's 39 ms (8.3 ms
//! in the mean), of the calls after it all.
//!
//! `cargo fifty play kingdomino --bot engine --bot builtin:flatmc --games 80 --jobs 1`, both with this playout
//! policy: 61.3 % (Elo +79.5, 95 % interval +16.1 to +148.7), mean scores 128.8 and 121.4, no answer late.

pub mod bot;
pub mod exact;
pub mod flat;
pub mod kingdom;
pub mod playout;
pub mod protocol;
pub mod state;
pub mod tile;
pub mod tree;
pub mod weights;
pub mod zones;
