//! What no slime bot uses: perft, random play and two-player Ataxx, for tests and benches.
//!
//! Nothing outside this folder names it, so it never reaches a shipped file (`tests/suite/tidy.rs`).

pub mod ataxx;
pub mod perft;
pub mod random;
