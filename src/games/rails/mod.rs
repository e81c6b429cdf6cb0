//! rails: rules, evaluation and the bot's side of the protocol.
//!
//! How strong and how fast it is: `benches/MEASURED.md`.

pub mod basis;
pub mod bot;
pub mod candidates;
pub mod cells;
pub mod duel;
pub mod eval;
pub mod map;
pub mod path;
pub mod protocol;
pub mod quest;
pub mod race;
pub mod routes;
pub mod search;
pub mod sets;
pub mod state;
pub mod unshipped;
pub mod wanted;
pub mod weights;
