//! Games whose referee is somebody else's program, and the forms in which such programs are asked and answer.
//!
//! [`settings`] say who the referee is, [`call`] plays one game by it, [`said`] reads what it printed, [`outcome`] makes the
//! arena's result of that, [`adapter`] lists such games among ours. [`cglog`] is the log of a CodinGame referee run at
//! home; [`told`] what `fifty referee` prints for other arenas.

pub mod adapter;
pub mod call;
pub mod cglog;
pub mod outcome;
pub mod said;
pub mod settings;
pub mod told;
