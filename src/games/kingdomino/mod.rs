//! kingdomino ("Coders of the Realm"): rules, evaluation and the bot's side of the protocol.
//!
//! How strong and how fast it is: `benches/MEASURED.md`.

pub mod bot;
pub mod exact;
pub mod kingdom;
pub mod playout;
pub mod protocol;
pub mod search;
pub mod state;
pub mod tile;
pub mod unshipped;
pub mod weights;
pub mod worth;
pub mod zones;
