//! newgame: rules, evaluation and the bot's side of the protocol.
//!
//! A start that plays: two seats put stones on a board of six by six cells; four of one's own in a row, a column or
//! a diagonal win, a full board is a draw. To make it your game, go through the files in this order and keep the
//! tests green: [`state`] (what a position is, what a move does), [`protocol`] (what the judge writes and reads),
//! [`eval`] (what a position is worth), [`bot`] (clock, search, answer), [`weights`] (all numbers).
//!
//! A list of modules only. [`state`] <- ([`protocol`], [`eval`] <- [`weights`]) <- [`bot`].

pub mod bot;
pub mod eval;
pub mod protocol;
pub mod state;
pub mod weights;
