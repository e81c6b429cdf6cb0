//! Fifty: exact simulators of five contest games, a shared search core, and bots that answer inside
//! fifty milliseconds.
//!
//! Imports only run downwards: [`kit`] <- [`search`] <- [`games`] <- `bots/` <- `tools/`; no game knows
//! another. Everything here can end up in a single-file submission, so modules are small, import by
//! name, and never panic on input. Code compiles on rustc 1.85 in editions 2021 and 2024.

pub mod games;
pub mod kit;
pub mod search;
