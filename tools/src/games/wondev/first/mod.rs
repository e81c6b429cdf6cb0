//! The first version of the bot that played whole games, frozen as `builtin:first`: a yardstick.
//!
//! Nothing here is ever improved; it shares only `fifty::kit` and the game traits with the living bot.

mod board;
pub mod bot;
pub mod eval;
mod fog;
mod protocol;
mod rules;
mod search;
mod state;
