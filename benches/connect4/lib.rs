//! Connect four for benches and tests: the game, searches of it, and their measurement at fixed work.

pub mod entries;
pub mod game;
pub mod hand;
pub mod table;
