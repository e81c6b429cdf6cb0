//! Connexion: 64 cells, 64 tiles; FIRST scores groups of equal symbols, SECOND groups of equal colours.
//!
//! A list of modules only. Seats and graphs share their numbers: seat 0 is FIRST and scores graph 0
//! (symbols), seat 1 is SECOND and scores graph 1 (colours), so one code serves both.
//!
//! How strong and how fast it is: `benches/MEASURED.md`.

pub mod board;
pub mod bot;
pub mod cells;
pub mod decide;
pub mod field;
pub mod order;
pub mod protocol;
pub mod search;
pub mod state;
pub mod tiles;
pub mod weights;
