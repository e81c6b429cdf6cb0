//! slime: rules, evaluation and the bot's side of the protocol.
//!
//! Four slimes on one square board (4x4 to 8x8) spread, jump and merge for squares. A list of modules
//! only; it re-exports nothing.
//!
//! Measured at the contest's clock with compiled bundles (in-process engines have no memory between moves):
//! `cargo fifty play slime --bot NEW --bot OLD --bot NEW --bot OLD --games 12` against the version without
//! habits: 19.2 and 20.8 squares against 11.2 and 12.7, first in 10 of 12. Against three `builtin:greedy`, `cargo
//! fifty play slime --bot dist/slime.rs --bot builtin:greedy --bot builtin:greedy --bot builtin:greedy --games 100 --seed
//! 100 --jobs 1`: 40.6 squares, first in all 100, with 70 ms of thinking; 2 timeouts and 3 answers excused, with wake-ups
//! of the machine up to 100.2 ms late.
//! Against `greedy`, `random` and `first`, 100 games from seed 300, before it took the others for grabbers until they
//! show otherwise: 29.6 squares, first in 45 (`first`: 29.7).

pub mod ataxx;
pub mod board;
pub mod bot;
pub mod features;
pub mod habits;
pub mod learned;
pub mod memory;
pub mod moves;
pub mod perft;
pub mod policy;
pub mod prior;
pub mod random;
pub mod search;
pub mod state;
pub mod traits;
pub mod value;
pub mod weights;
