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
        hole: f32 = 3.5808, 0.0, 10.0, 0.5, hand 2.0;
        /// The same on a full board.
        hole_late: f32 = 4.3236, 0.0, 10.0, 0.5, hand 2.0;
        /// Greedy playouts: points lost per empty square with one empty neighbour.
        narrow: f32 = 1.4918, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        narrow_late: f32 = 0.5923, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points lost per row or column the box grows by.
        grow: f32 = 0.396, -4.0, 4.0, 0.25, hand 0.5;
        /// Greedy playouts: points per square of the same terrain that the new squares touch.
        touch: f32 = 3.1439, -4.0, 4.0, 0.25, hand 0.5;
        /// The same on a full board.
        touch_late: f32 = 0.145, -4.0, 10.0, 0.25, hand 0.5;
        /// Greedy playouts: points per square of any kind that the new squares touch.
        contact: f32 = -1.9961, -4.0, 4.0, 0.25, hand 0.0;
        /// The same on a full board.
        contact_late: f32 = 0.1535, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy playouts: points per crown and empty neighbour of the zone added to, on an empty board.
        reach: f32 = 0.3274, -4.0, 4.0, 0.1, hand 0.0;
        /// The same on a full board.
        reach_late: f32 = 0.2423, -4.0, 4.0, 0.1, hand 0.0;
        /// Greedy playouts: points lost per square taken from the edge of a crowned zone of other terrain.
        block: f32 = 0.3167, -4.0, 10.0, 0.25, hand 0.0;
        /// The same on a full board.
        block_late: f32 = 0.993, -4.0, 10.0, 0.25, hand 0.0;
        /// Added to `touch` per share by which the terrain has more squares than the mean.
        touch_common: f32 = -0.7804, -4.0, 4.0, 0.25, hand 0.0;
        /// Greedy playouts: points per side of the castle covered, on an empty board.
        castle: f32 = 1.2795, -4.0, 8.0, 0.25, hand 0.0;
        /// The same on a full board.
        castle_late: f32 = 0.9559, -4.0, 8.0, 0.25, hand 0.0;
        /// Greedy playouts: share lost of what the next tile could win at squares taken from it, on an empty board.
        keep: f32 = 0.1443, 0.0, 4.0, 0.1, hand 0.0;
        /// The same on a full board.
        keep_late: f32 = 0.3607, 0.0, 4.0, 0.1, hand 0.0;
        /// Greedy playouts: points per square of the zones joined, on an empty board.
        join: f32 = 0.6695, -4.0, 4.0, 0.1, hand 0.0;
        /// The same on a full board.
        join_late: f32 = -0.0567, -4.0, 4.0, 0.1, hand 0.0;
        /// Greedy playouts: random part of a placement's worth, in points.
        noise: f32 = 0.5, 0.0, 4.0, 0.25;
        /// Greedy picks: points per crown on the tile, on an empty board; fades as the board fills.
        pick_crown: f32 = 7.7117, -4.0, 10.0, 0.25, hand 0.0;
        /// Added to it per share by which the terrain has more squares than the mean.
        pick_common: f32 = 8.4706, -4.0, 10.0, 0.25, hand 0.0;
        /// Greedy picks: points when both halves are alike.
        pick_pair: f32 = 2.6461, -4.0, 4.0, 0.25, hand 0.0;
        /// Greedy picks: share of the other seat's points that count as one's own.
        pick_deny: f32 = 0.9226, -1.0, 2.0, 0.1, hand 0.0;
        /// Greedy picks: points lost per tile on offer with a lower number (it acts earlier next turn).
        pick_late: f32 = 5.5413, -4.0, 8.0, 0.1, hand 0.0;
        /// The same on a full board.
        pick_last: f32 = 1.8706, -4.0, 8.0, 0.1, hand 0.0;
        /// Greedy picks: random part, in points.
        pick_noise: f32 = 0.75, 0.0, 4.0, 0.25;
        /// Greedy playouts: share of what a terrain on a square has been worth in playouts before.
        learn: f32 = 1.0, 0.0, 4.0, 0.1, hand 0.0;
        /// Playouts after which half of that is believed.
        doubt: f32 = 200.0, 1.0, 2000.0, 20.0;
        /// Share of those playouts that count in the next search.
        recall: f32 = 0.5, 0.0, 1.0, 0.1;
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
