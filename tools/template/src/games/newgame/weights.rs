//! Every number of the bot: evaluation, search, clock.

crate::tunables! {
    /// What the bot believes and how it spends its time. The column `hand` keeps what a person set, so that
    /// `cargo fifty tune newgame` can be measured against it.
    pub struct Weights {
        /// Milliseconds for the first answer.
        first_ms: i32 = 900, 50, 980, 10;
        /// Milliseconds for every later answer.
        later_ms: i32 = 43, 5, 48, 1;
        /// Worth of four cells in a line with one own stone and none of the other seat.
        one: f32 = 0.1, 0.0, 2.0, 0.05, hand 0.1;
        /// The same with two stones.
        two: f32 = 0.4, 0.0, 4.0, 0.1, hand 0.4;
        /// The same with three.
        three: f32 = 1.2, 0.0, 8.0, 0.2, hand 1.2;
        /// Exploration of the tree, in shares of a win.
        explore: f32 = 0.5, 0.05, 2.0, 0.05;
    }
}
