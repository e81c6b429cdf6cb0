//! kingdomino ("Coders of the Realm"): rules, evaluation and the bot's side of the protocol.

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
