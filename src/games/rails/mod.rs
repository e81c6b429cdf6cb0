//! rails: rules, evaluation and the bot's side of the protocol.

pub mod autoplace;
pub mod cells;
pub mod map;
pub mod mapgen;
pub mod orders;
pub mod path;
pub mod reader;
pub mod state;
pub mod stream;
pub mod text;
