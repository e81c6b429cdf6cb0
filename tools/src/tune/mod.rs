//! The tuner: marked numbers in, stronger numbers out.
//!
//! [`space`] says which numbers and in what unit, [`spsa`] walks, [`games`] plays the pairs, [`store`]
//! keeps every pair, [`regression`] reads all of them again, [`report`] shows what happened, [`guard`] has the last word at the real clock, [`fit`] learns
//! linear evaluations from positions, [`source`] writes values back into the code. [`program`] tunes any program by its
//! command line, by the walk or by [`surrogate`]'s Gaussian process; [`program_report`] tells what came of it.

pub mod faults;
pub mod fit;
pub mod games;
pub mod guard;
pub mod page;
pub mod program;
pub mod program_report;
pub mod regression;
pub mod report;
pub mod run;
pub mod source;
pub mod space;
pub mod spsa;
pub mod step;
pub mod store;
pub mod surrogate;
