//! wondev for the tools; a list of modules only, the game's entry is [`adapter`].

pub mod adapter;
mod bench;
mod builtins;
mod features;
mod picture;
mod protocol;
mod referee;
pub mod train;
mod verify;
