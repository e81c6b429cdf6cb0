//! The workbench: what an author does all day with recorded games. Looks games up, asks a bot again at any turn,
//! plays on from there.
//!
//! Everything here works on a results file and needs no page; the page only shows it.

pub mod ask;
pub mod check;
pub mod facts;
pub mod filter;
pub mod import;
pub mod index;
pub mod leaderboard;
pub mod line;
pub mod load;
pub mod noted;
pub mod playout;
pub mod pool;
pub mod position;
pub mod review;
pub mod take;
pub mod watched;
pub mod web;
