//! Games on many machines: a run cut into slices, each played anywhere, and taken in again.
//!
//! A plan is a folder that needs nothing else of the machine it was made on: `plan.json` with every game, `files/` with
//! the programs of the bots by the hash of their content, and this program itself, `fifty`, so that every machine plays
//! with the same code. A slice is a range of whole groups of games; its result is one file, written under another name
//! and renamed without replacing anything, so that a slice may be played twice, at once as well, and killed at any time.
//! Merging takes every game once, in any order of files. What decides a run (seeds, seatings, options, limits) is in the
//! plan, so at fixed work its games are those of one machine, however it is cut.
//!
//! Not here: statistics (`arena`), and who starts slices, but for Slurm (`slurm`), which is spoken to by its own programs.

pub mod merge;
pub mod node;
pub mod plan;
pub mod play;
pub mod queue;
#[cfg(test)]
mod simulation;
pub mod slice;
pub mod slurm;
