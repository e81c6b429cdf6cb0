//! Every number of the bot: playouts, search, time.

crate::tunables! {
    /// Playouts, search and time.
    pub struct Weights {
        /// Milliseconds for the first answer.
        first_ms: f32 = 900.0, 50.0, 980.0, 50.0;
        /// Milliseconds for later answers.
        later_ms: f32 = 43.0, 5.0, 48.0, 1.0;
        /// Share of the time the exact solver may take before the tree has its turn.
        solve: f32 = 0.90, 0.0, 1.0, 0.05;
        /// Greedy playouts: points lost per empty square cut off from all others, on an empty board.
        hole: f32 = 2.934, 0.0, 10.0, 0.5, hand 2.0;
        /// The same on a full board.
        hole_late: f32 = 5.604, 0.0, 10.0, 0.5, hand 2.0;
        /// Greedy playouts: points lost per empty square with one empty neighbour.
        narrow: f32 = 1.516, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        narrow_late: f32 = 0.5457, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points lost per row or column the box grows by.
        grow: f32 = 0.4684, -4.0, 4.0, 0.25, hand 0.5;
        /// Greedy playouts: points per square of the same terrain that the new squares touch.
        touch: f32 = 1.636, -4.0, 4.0, 0.25, hand 0.5;
        /// The same on a full board.
        touch_late: f32 = 1.026, -4.0, 10.0, 0.25, hand 0.5;
        /// Greedy playouts: points per square of any kind that the new squares touch.
        contact: f32 = -0.8491, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        contact_late: f32 = -0.4047, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points per crown and empty neighbour of the zone added to, on an empty board.
        reach: f32 = 0.1167, -4.0, 4.0, 0.1, hand 0.0;
        /// The same on a full board.
        reach_late: f32 = 0.5332, -4.0, 4.0, 0.1, hand 0.0;
        /// Greedy playouts: points lost per square taken from the edge of a crowned zone of other terrain.
        block: f32 = 0.9, -4.0, 10.0, 0.25, hand 0.0;
        /// The same on a full board.
        block_late: f32 = 0.7684, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: random part of a placement's worth, in points.
        noise: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy picks: points per crown on the tile, on an empty board; fades as the board fills.
        pick_crown: f32 = 4.128, -4.0, 10.0, 0.25, hand 0.0;
        /// Added to it per share by which the terrain has more squares than the mean.
        pick_common: f32 = 4.354, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy picks: points when both halves are alike.
        pick_pair: f32 = 1.382, -4.0, 4.0, 0.25, hand 0.0;
        /// Greedy picks: share of the other seat's points that count as one's own.
        pick_deny: f32 = 0.9764, -1.0, 1.0, 0.1, hand 0.0;
        /// Greedy picks: points lost per tile on offer with a lower number (it acts earlier next turn).
        pick_late: f32 = 3.482, -4.0, 4.0, 0.1, hand 0.0;
        /// The same on a full board.
        pick_last: f32 = 3.067, -4.0, 4.0, 0.1, hand 0.0;
        /// Greedy picks: random part, in points.
        pick_noise: f32 = 0.75, 0.0, 4.0, 0.25;
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
