//! slime for the tools; a list of modules only, the game's entry is [`adapter`].

pub mod adapter;
mod bench;
pub mod builtins;
mod entry;
mod family;
pub mod hand;
mod picture;
pub mod planners;
mod protocol;
mod referee;
pub mod rivals;
pub mod train;
mod verify;
mod view;
