//! newgame for the tools; a list of modules only, the game's entry is [`adapter`].

pub mod adapter;
mod builtins;
mod picture;
mod referee;
