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
        hole: f32 = 2.714, 0.0, 10.0, 0.5, hand 2.0;
        /// The same on a full board.
        hole_late: f32 = 4.754, 0.0, 10.0, 0.5, hand 2.0;
        /// Greedy playouts: points lost per empty square with one empty neighbour.
        narrow: f32 = 2.662, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        narrow_late: f32 = 0.023, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points lost per row or column the box grows by.
        grow: f32 = 0.4952, -4.0, 4.0, 0.25, hand 0.5;
        /// Greedy playouts: points per square of the same terrain that the new squares touch.
        touch: f32 = 2.061, -4.0, 4.0, 0.25, hand 0.5;
        /// The same on a full board.
        touch_late: f32 = 0.2767, -4.0, 10.0, 0.25, hand 0.5;
        /// Greedy playouts: points per square of any kind that the new squares touch.
        contact: f32 = -1.062, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        contact_late: f32 = -0.2889, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points per crown and empty neighbour of the zone added to, on an empty board.
        reach: f32 = 0.2251, -4.0, 4.0, 0.1, hand 0.0;
        /// The same on a full board.
        reach_late: f32 = 0.5713, -4.0, 4.0, 0.1, hand 0.0;
        /// Greedy playouts: points lost per square taken from the edge of a crowned zone of other terrain.
        block: f32 = 1.092, -4.0, 10.0, 0.25, hand 0.0;
        /// The same on a full board.
        block_late: f32 = 0.9011, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points per side of the castle covered, on an empty board.
        side: f32 = 0.7728, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        side_late: f32 = 1.343, -4.0, 4.0, 0.25, hand 0.0;
        /// Greedy playouts: points lost where a box of full size leaves a tile out for certain.
        odd: f32 = 2.668, 0.0, 20.0, 0.5, hand 0.0;
        /// Greedy playouts: points per square of the zones joined, on an empty board; fades as the board fills.
        join: f32 = 0.4446, -2.0, 2.0, 0.1, hand 0.0;
        /// Greedy playouts: points per terrain that can still be added to, on an empty board.
        kinds: f32 = 0.4713, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        kinds_late: f32 = 1.395, -4.0, 4.0, 0.25, hand 0.0;
        /// Greedy playouts: random part of a placement's worth, in points.
        noise: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy picks: points per crown on the tile, on an empty board; fades as the board fills.
        pick_crown: f32 = 7.7, -4.0, 16.0, 0.25, hand 0.0;
        /// Added to it per share by which the terrain has more squares than the mean.
        pick_common: f32 = 9.142, -4.0, 16.0, 0.25, hand 0.0;
        /// Greedy picks: points per square of the largest zone of a half's terrain that can grow, on an empty board; fades
        /// as the board fills.
        pick_size: f32 = 0.143, -4.0, 4.0, 0.1, hand 0.0;
        /// Greedy picks: points when both halves are alike.
        pick_pair: f32 = 3.071, -4.0, 4.0, 0.25, hand 0.0;
        /// Greedy picks: share of the other seat's points that count as one's own.
        pick_deny: f32 = 1.0, -1.0, 1.0, 0.1, hand 0.0;
        /// Greedy picks: points lost per tile on offer with a lower number (it acts earlier next turn).
        pick_late: f32 = 5.365, -4.0, 8.0, 0.1, hand 0.0;
        /// The same on a full board.
        pick_last: f32 = 1.55, -4.0, 8.0, 0.1, hand 0.0;
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
