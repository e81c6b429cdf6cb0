//! The arena against real processes: one binary, a module a promise.

mod batch;
mod count;
mod freeze;
mod hostile;
mod keeps;
mod kill;
mod misbehave;
mod options;
mod output;
mod outside;
mod program;
mod referee;
mod refused;
mod resume;
mod same;
mod serve;
mod start_cost;
mod tune_program;
