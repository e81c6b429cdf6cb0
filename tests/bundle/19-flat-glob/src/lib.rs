mod board;
mod moves;

pub use board::*;
pub use moves::{Move, all};
