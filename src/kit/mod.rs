//! Small tools every layer uses: random numbers, bits, clocks, instruction sets, numbers by bit,
//! tunables, packed numbers, line input, a bot's words.
//!
//! A list of modules only; it re-exports nothing, so a bundle carries what is named and no more.

pub mod agent;
pub mod bits;
pub mod clock;
pub mod cpu;
pub mod lanes;
pub mod packed;
pub mod rng;
pub mod think;
pub mod tunables;
