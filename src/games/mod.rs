//! The five games. Each folder holds rules, evaluation and the bot's side of the protocol; none knows
//! another.

pub mod connexion;
pub mod kingdomino;
pub mod rails;
pub mod slime;
pub mod wondev;
