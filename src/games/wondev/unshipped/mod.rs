//! What no wondev bot uses: how a game starts and proven positions, for referee, tests and benches.
//!
//! Nothing outside this folder names it, so it never reaches a shipped file (`tests/suite/tidy.rs`).

pub mod proven;
pub mod setup;
