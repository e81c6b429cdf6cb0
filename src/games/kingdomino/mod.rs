//! kingdomino ("Coders of the Realm"): rules, evaluation and the bot's side of the protocol.

pub mod kingdom;
pub mod protocol;
pub mod state;
pub mod tile;
