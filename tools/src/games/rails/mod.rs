//! rails for the tools; a list of modules only, the game's entry is [`adapter`].

pub mod adapter;
mod bench;
mod builtins;
mod partner;
mod picture;
mod referee;
mod verify;
