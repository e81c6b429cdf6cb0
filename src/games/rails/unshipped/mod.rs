//! What no rails bot uses: the judge's half (maps, orders, texts), for referee, tests and benches.
//!
//! Nothing outside this folder names it, so it never reaches a shipped file (`tests/suite/tidy.rs`).

pub mod autoplace;
pub mod mapgen;
pub mod orders;
pub mod stream;
pub mod text;
