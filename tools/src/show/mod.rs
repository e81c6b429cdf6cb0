//! Looking at games: the recorded [`trace`], one self-contained [`page`] a game, plain [`text`], and the
//! [`browser`] check of the page.

pub mod browser;
pub mod chrome;
pub mod fields;
mod pack;
pub mod page;
pub mod text;
pub mod think;
pub mod trace;
