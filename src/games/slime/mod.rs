//! slime: rules, evaluation and the bot's side of the protocol.
//!
//! Four slimes on one square board (4x4 to 8x8) spread, jump and merge for squares. A list of modules
//! only; it re-exports nothing.
//!
//! How strong and how fast it is: `benches/MEASURED.md`.

pub mod board;
pub mod bot;
pub mod eval;
pub mod features;
pub mod learned;
pub mod memory;
pub mod models;
pub mod moves;
pub mod odds;
pub mod policy;
pub mod prior;
pub mod replies;
pub mod search;
pub mod state;
pub mod traits;
pub mod unshipped;
pub mod weights;
