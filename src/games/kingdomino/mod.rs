//! kingdomino ("Coders of the Realm"): rules, evaluation and the bot's side of the protocol.
//!
//! Measured with `cargo fifty bench kingdomino` (CPU time, a busy machine): 458 k random and 49.5 k greedy
//! playouts a second from turn 1; of 200 first calls of turn 11, 195 solved within the solver's 39 ms (8.3 ms
//! in the mean), of the calls after it all.
//!
//! With the playout weights before today's (51.0 % of 300 games for today's, `engine:400`, seed 7000), at the contest's
//! clock, `cargo fifty play kingdomino --bot dist/kingdomino.rs --bot builtin:B --games 400 --jobs 1
//! --seed 20000` (200 decks, seats swapped): against `greedy` 400 of 400, mean scores 168.8 and 88.7; against
//! `flatmc`, flat Monte Carlo with the playouts of `greedy` and the same time, 97.2 % (Elo +619, 95 % interval +538 to
//! +771), 138.3 and 105.2. No timeout; 5 and 3 of 10,400 answers each were excused (`tools/src/arena/load.rs`). Own
//! score in self-play, `--bot engine:1000 --bot engine:1000 --games 60 --seed 40000`: 125.9.
//! At fixed work that takes both about as long,
//! `FIFTY_ITERATIONS=500 cargo fifty play kingdomino --bot engine:400 --bot builtin:flatmc --games 80 --seed 100`:
//! 95.0 % (+511, +387 to +1013), mean scores 131.7 and 99.7.
//! `cargo fifty play kingdomino --bot engine --bot builtin:flattuned --games 80 --jobs 1`, both with this playout
//! policy (the builtin was called `flatmc` then): 61.3 % (Elo +79.5, 95 % interval +16.1 to +148.7), mean scores
//! 128.8 and 121.4, no answer late.
//! `cargo fifty play kingdomino --bot engine:500 --bot engine:500,hole=1.95,… --games 200`, the numbers those of
//! `FIRST` in the tools' builtins: 75.0 % (Elo +190.8, +143.2 to +246.1), mean scores 127.3 and 118.4.
//! Twice the work, `--bot engine:1000 --bot engine:500 --games 60 --seed 900`: +35 (-48 to +122).

pub mod bot;
pub mod exact;
pub mod kingdom;
pub mod playout;
pub mod protocol;
pub mod search;
pub mod state;
pub mod tile;
pub mod unshipped;
pub mod weights;
pub mod zones;
