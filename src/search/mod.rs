//! Search shared by all games: what a game must offer ([`game`]) and the searches over it.
//!
//! A list of modules only, like [`crate::kit`].

pub mod alphabeta;
pub mod averages;
pub mod beam;
pub mod game;
pub mod mcts;
pub mod policy;
pub mod proof;
pub mod sampled;
pub mod tt;
