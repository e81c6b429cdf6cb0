//! Every number of the bot but what it learned ([`super::learned`]).

crate::tunables! {
    /// How the search spends its time.
    pub struct Weights {
        /// Milliseconds for one answer, from the start of the program.
        think_ms: u32 = 86, 1, 95, 1;
        /// Exploration.
        explore: f32 = 0.3, 0.02, 2.0, 0.02;
        /// An unseen move is worth this much less than its seen siblings.
        unseen: f32 = 0.02, -0.2, 0.5, 0.01;
        /// Turns played greedily before a leaf is valued.
        plies: u32 = 0, 0, 60, 1;
        /// Visits before a leaf grows its moves.
        grow_at: u32 = 1, 1, 16, 1;
        /// Moves a node keeps (the likeliest).
        width: u32 = 32, 4, 120, 2;
        /// How far the others are expected to take the most squares at once.
        greed: f32 = 0.0, 0.0, 1.0, 0.05;
        /// Weight of today's share of the whole board in a leaf's value: it keeps the game moving.
        whole: f32 = 0.1, 0.0, 1.0, 0.05;
    }
}
