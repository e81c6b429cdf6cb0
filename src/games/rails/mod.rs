//! rails: rules, evaluation and the bot's side of the protocol.

pub mod autoplace;
pub mod bot;
pub mod cells;
pub mod duel;
pub mod map;
pub mod mapgen;
pub mod orders;
pub mod path;
pub mod planner;
pub mod quest;
pub mod race;
pub mod reader;
pub mod routes;
pub mod state;
pub mod stream;
pub mod text;
pub mod weights;
