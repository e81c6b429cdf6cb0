//! Every number of the bot but what it learned ([`super::learned`]).

crate::tunables! {
    /// How the search spends its time.
    pub struct Weights {
        /// Milliseconds for one answer, from the start of the program.
        think_ms: u32 = 60, 1, 95, 1;
        /// Exploration.
        explore: f32 = 0.22, 0.02, 2.0, 0.02;
        /// FPU reduction: a move not tried is worth this much less than those tried.
        first_play: f32 = 0.02, -0.2, 0.5, 0.01;
        /// Replies looked at where a seat is modelled, times the root of the visits.
        widen: f32 = 1.0, 0.1, 10.0, 0.1;
        /// Moves a node keeps (the likeliest).
        width: u32 = 32, 4, 120, 2;
        /// Logits of a move's prior that the whole board is worth after the hardest replies; the table is fitted to it.
        replies: f32 = 20.0, 0.0, 100.0, 1.0;
        /// Logarithm of the odds against a model before anything was seen of a seat.
        doubt: f32 = 0.5, -2.0, 10.0, 0.25;
        /// Part of a payoff lost with each ply to it: it ends games.
        discount: f32 = 0.001, 0.0, 0.05, 0.0005;
        /// Weight of today's share of the whole board in a leaf's value: it keeps the game moving.
        whole: f32 = 0.0, 0.0, 1.0, 0.05;
    }
}
