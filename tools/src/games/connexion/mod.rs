//! connexion for the tools; a list of modules only, the game's entry is [`adapter`].

pub mod adapter;
pub mod bench;
pub mod builtins;
pub mod formats;
mod picture;
pub mod referee;
pub mod verify;
