//! Every number of the bot: evaluation, search, clock.

crate::tunables! {
    /// What the bot believes and how it spends its time.
    pub struct Weights {
        /// Points of the mover's best placement that count in a leaf, in 1/32.
        reply: i32 = 15, 0, 64, 2, hand 32;
        /// Points of the opponent's best placement that count against the mover, in 1/32.
        threat: i32 = 2, 0, 64, 2, hand 0;
        /// Points an average tile of a player links up in his own graph, summed over the empty cells,
        /// in 1/32.
        links: i32 = 18, -64, 128, 2, hand 0;
        /// More of the same for each 16 empty cells, in 1/32.
        links_early: i32 = 19, -64, 128, 2, hand 0;
        /// The same for the other player's tiles in his graph, in 1/32.
        cross: i32 = 6, -64, 128, 2, hand 0;
        /// Points that two tiles side by side would join, in 1/32.
        joints: i32 = 34, -64, 128, 2, hand 0;
        /// More of the same for each 16 empty cells, in 1/32.
        joints_early: i32 = 38, -64, 128, 2, hand 0;
        /// Placements tried inside the tree.
        width: i32 = 12, 2, 64, 1;
        /// Placements tried one ply before the leaves.
        width_last: i32 = 12, 1, 64, 1;
        /// Placements tried at the root.
        root: i32 = 40, 4, 320, 4;
        /// Bag orders sampled per move; 0: hands are searched as they are.
        samples: i32 = 4, 0, 64, 1;
        /// Placements this far behind the best (in points) are not told apart.
        slack: i32 = 12, 1, 60, 1;
        /// Placements after this many are searched one ply less first.
        reduce: i32 = 3, 1, 20, 1;
        /// Expected margin that is won with a chance of 73 %, for the report only.
        spread: f32 = 8.0, 1.0, 64.0, 1.0;
        /// Nodes of the look that is taken when an ending could not be solved with fixed work.
        look: i32 = 5000, 100, 100000, 1000;
        /// Part of a new measurement in the mean of what answers cost beyond their plan.
        lag_rate: f32 = 0.3, 0.05, 1.0, 0.05;
        /// Times that mean is set aside for every answer to come.
        lag_factor: f32 = 1.5, 0.0, 4.0, 0.25;
        /// Clock kept back for the judge's and the machine's delays, in ms.
        reserve: i32 = 300, 100, 3000, 50;
    }
}
