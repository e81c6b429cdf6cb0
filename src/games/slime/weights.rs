//! Every number of the bot.

crate::tunables! {
    /// What the search believes before it has looked, and how it spends its time.
    pub struct Weights {
        /// Milliseconds for one answer, from the start of the program.
        think_ms: u32 = 86, 1, 95, 1;
        /// Exploration.
        explore: f32 = 0.3, 0.02, 2.0, 0.02;
        /// An unseen move is worth this much less than its seen siblings.
        unseen: f32 = 0.02, -0.2, 0.5, 0.01;
        /// Turns played greedily before a leaf is valued.
        plies: u32 = 5, 0, 60, 1;
        /// Visits before a leaf grows its moves.
        grow_at: u32 = 1, 1, 16, 1;
        /// Moves a node keeps (the likeliest).
        width: u32 = 40, 4, 120, 2;
        /// Logarithm of a spread's prior: per square gained.
        spread_gain: f32 = 1.0, 0.0, 3.0, 0.05;
        /// Logarithm of a merge's prior: at no gain.
        merge_base: f32 = 0.0, -4.0, 4.0, 0.1;
        /// Logarithm of a merge's prior: per square gained.
        merge_gain: f32 = 1.0, 0.0, 3.0, 0.05;
        /// Logarithm of a jump's prior: at no gain.
        jump_base: f32 = -1.0, -4.0, 4.0, 0.1;
        /// Logarithm of a jump's prior: per square gained.
        jump_gain: f32 = 1.0, 0.0, 3.0, 0.05;
        /// Logarithm of the pass's prior.
        pass_base: f32 = -1.0, -6.0, 4.0, 0.1;
        /// Weight of the share of the whole board; the rest is the share of the occupied squares.
        whole: f32 = 0.1, 0.0, 1.0, 0.05;
    }
}
