//! Everything of Fifty that needs heavier crates: referees, bundler, arena, tuner, benches.

// First, since what it defines for printing holds for the modules after it.
#[macro_use]
pub mod out;

pub mod adapter;
pub mod arena;
pub mod batch;
pub mod bundle;
pub mod cli;
pub mod competing;
pub mod elsewhere;
pub mod games;
pub mod instructions;
pub mod outside;
pub mod paths;
pub mod progress;
pub mod recorded;
pub mod referee;
pub mod results;
pub mod scaffold;
pub mod serve;
pub mod ship;
pub mod show;
pub mod tune;
