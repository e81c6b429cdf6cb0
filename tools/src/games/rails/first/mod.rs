//! The first version of the bot that played whole games, frozen as `builtin:first`: a yardstick.
//!
//! Its opinion and its plans are never improved; it shares the simulator, the reader and the shared
//! search core with the living bot.

pub mod bot;
mod planner;
mod routes;
pub mod weights;
