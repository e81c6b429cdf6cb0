//! slime: rules, evaluation and the bot's side of the protocol.
//!
//! Four slimes on one square board (4x4 to 8x8) spread, jump and merge for squares. A list of modules
//! only; it re-exports nothing.
//!
//! Measured at the contest's clock with the compiled bundle: against three `builtin:greedy`, `cargo fifty play slime
//! --bot dist/slime.rs --bot builtin:greedy --bot builtin:greedy --bot builtin:greedy --games 48 --seed 100 --jobs 1`: 39.2
//! squares, first in all 48, no timeout, none excused, slowest answer 70.2 ms. Against `greedy`, `random` and `first`,
//! 36 games from seed 300: 31.1 squares (`first`: 26.7), first in 23, no timeout, slowest answer 71.5 ms.
//!
//! Twice the time, `cargo run --release -p fifty-tools --example slime_rivals -- 400 2 tree double tree double`: 17.2
//! and 17.6 squares against 14.2 and 14.2 (+-0.6), 4 ms an answer against 2.

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
