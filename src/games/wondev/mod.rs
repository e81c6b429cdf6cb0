//! wondev: rules of all four leagues, evaluation, search, fog and the bot's side of the protocol.
//!
//! A list of modules only. [`board`] <- [`state`] <- ([`unshipped::setup`], [`fog`], [`eval`] <- ([`net`], [`sides`], [`alone`]) <- [`search`]) <- [`bot`].
//!
//! How strong and how fast it is: `benches/MEASURED.md`.

pub mod alone;
pub mod board;
pub mod bot;
pub mod eval;
pub mod fog;
pub mod learned;
pub mod net;
pub mod policy;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod sides;
pub mod state;
pub mod unshipped;
pub mod weights;
