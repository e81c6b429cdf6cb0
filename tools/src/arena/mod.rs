//! The arena: processes and clocks around a referee, matches, statistics, results.
//!
//! A list of modules only. Flow: `bots` names who plays, `matches` schedules games, `runner` plays one with
//! the `seat`s it is given, everything after that (statistics, store) works on finished games.

pub mod bots;
pub mod bradley_terry;
pub mod carry;
pub mod command;
pub mod compile;
pub mod excuse;
pub mod freeze;
pub mod guard;
pub mod interrupt;
pub mod launch;
pub mod live;
pub mod load;
pub mod matches;
pub mod opponents;
pub mod process;
pub mod ratings;
pub mod result;
pub mod roles;
pub mod runner;
pub mod sandbox;
pub mod schedule;
pub mod seat;
pub mod sprt;
pub mod stats;
pub mod store;
pub mod sys;
pub mod tagged;
pub mod times;
pub mod witness;
