//! slime: rules, evaluation and the bot's side of the protocol.
//!
//! Four slimes on one square board (4x4 to 8x8) spread, jump and merge for squares. A list of modules
//! only; it re-exports nothing.
//!
//! Measured at the contest's clock with the compiled bundle: against three `builtin:greedy`, `cargo fifty play slime
//! --bot dist/slime.rs --bot builtin:greedy --bot builtin:greedy --bot builtin:greedy --games 100 --seed 100 --jobs 1`:
//! 43.9 squares, first in all 100, no timeout, none excused, slowest answer 75.2 ms. Against `greedy`, `random` and
//! `first` in all seatings, `--every --games 48`, from seeds 300, 400 and 500: 34.0, 31.9 and 33.9 squares (`first`:
//! 23.8, 25.9 and 25.5), first in 41, 35 and 41, no timeout, slowest answer 84.6 ms. Rotated only, `--games 100` from
//! seed 300, `first` always moving just before: 31.1 (28.9), first in 54. How much the third planner holds depends
//! little on how well it looks: from seed 500, `--every --games 48` with `builtin:first-500`, `first-100` and
//! `first-20` in place of `first`, which looks at 50,000, 34.7, 36.3 and 38.2 squares (theirs: 21.5, 20.7, 15.8),
//! first in 44, 45 and 44.
//!
//! Twice the time, `cargo run --release -p fifty-tools --example slime_rivals -- 400 2 tree double tree double`: 18.0
//! and 18.0 squares against 14.0 and 13.8 (+-0.7), 4 ms an answer against 2.

pub mod board;
pub mod bot;
pub mod features;
pub mod habits;
pub mod learned;
pub mod memory;
pub mod moves;
pub mod policy;
pub mod prior;
pub mod search;
pub mod state;
pub mod traits;
pub mod unshipped;
pub mod value;
pub mod weights;
