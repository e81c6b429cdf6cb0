//! Every number of the bot: playouts, search, time.

crate::tunables! {
    /// Playouts, search and time.
    pub struct Weights {
        /// Milliseconds for the first answer.
        first_ms: f32 = 900.0, 50.0, 980.0, 50.0;
        /// Milliseconds for later answers.
        later_ms: f32 = 43.0, 5.0, 48.0, 1.0;
        /// Greedy playouts: points lost per empty square cut off from all others.
        hole: f32 = 2.0, 0.0, 10.0, 0.5;
        /// Greedy playouts: points lost per row or column the box grows by.
        grow: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy playouts: points per square of the same terrain that the new squares touch.
        touch: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy playouts: random part of a placement's worth, in points.
        noise: f32 = 0.5, 0.0, 4.0, 0.25;
    }
}
