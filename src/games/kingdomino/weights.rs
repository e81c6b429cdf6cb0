//! Every number of the bot: playouts, search, time.

crate::tunables! {
    /// Playouts, search and time.
    pub struct Weights {
        /// Milliseconds for the first answer.
        first_ms: f32 = 900.0, 50.0, 980.0, 50.0;
        /// Milliseconds for later answers.
        later_ms: f32 = 43.0, 5.0, 48.0, 1.0;
        /// Share of the time the exact solver may take before the tree has its turn.
        solve: f32 = 0.75, 0.0, 1.0, 0.05;
        /// Greedy playouts: points lost per empty square cut off from all others.
        hole: f32 = 2.0, 0.0, 10.0, 0.5;
        /// Greedy playouts: points lost per row or column the box grows by.
        grow: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy playouts: points per square of the same terrain that the new squares touch.
        touch: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy playouts: random part of a placement's worth, in points.
        noise: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Exploration of the tree, in shares of a win.
        explore: f32 = 0.25, 0.05, 1.0, 0.05;
        /// Weight of a placement's worth as a fading bias, in shares of a win a point.
        bias: f32 = 0.02, 0.0, 0.2, 0.01;
        /// Placements looked at: `2 + widen * sqrt(visits)`, best worth first.
        widen: f32 = 0.5, 0.1, 4.0, 0.1;
        /// Margin in points that makes 73 % of a win, at turn 1.
        scale_first: f32 = 20.0, 4.0, 60.0, 2.0;
        /// The same at the last turn.
        scale_last: f32 = 4.0, 0.5, 20.0, 0.5;
    }
}
