//! What no kingdomino bot uses: a flat Monte-Carlo opponent and yardstick, and playouts to be timed.
//!
//! Nothing outside this folder names it, so it never reaches a shipped file (`tests/suite/tidy.rs`).

pub mod flat;
pub mod games;
