//! Every number of the bot's opinion, search and clock.

crate::tunables! {
    /// What the bot believes.
    pub struct Weights {
        /// Milliseconds for the first answer.
        first_ms: i32 = 850, 50, 950, 10;
        /// Milliseconds for every later answer.
        later_ms: i32 = 39, 5, 48, 1;
        /// Share of an answer's time spent on the other seat's plan.
        foe_share: f32 = 0.3, 0.0, 0.9, 0.05;
        /// Turns looked ahead.
        depth: i32 = 4, 1, 8, 1;
        /// Most states in a layer.
        width: i32 = 96, 1, 400, 8;
        /// Most turns that a promised connection lasts.
        horizon: f32 = 12.0, 0.0, 60.0, 1.0, hand 12.0;
        /// What a turn of delay leaves of a connection still to be built.
        patience: f32 = 0.6639, 0.3, 1.0, 0.02, hand 0.8;
        /// The same where a region takes more than three hits.
        patience_high: f32 = 0.8, 0.3, 1.0, 0.02, hand 0.8;
        /// Value of a connection in the making against a live one.
        promise: f32 = 0.45, 0.0, 3.0, 0.05, hand 0.45;
        /// Value of taking a live connection over by a shorter route.
        takeover: f32 = 2.0, 0.0, 3.0, 0.05, hand 2.0;
        /// Turns of the disruption race that live connections are counted on.
        race: i32 = 16, 0, 30, 1;
        /// Turns a promised connection lasts, besides those for the hits its weakest region takes.
        life: f32 = -1.5, -10.0, 30.0, 1.0, hand -1.5;
        /// Turns it lasts for each hit its weakest region takes.
        life_hit: f32 = 2.0, 0.0, 10.0, 0.5, hand 2.0;
        /// Value of every track.
        wash: f32 = 0.4, 0.0, 2.0, 0.05, hand 0.4;
        /// Value, besides, of a track that nobody can wash away, in the first turn.
        home: f32 = 5.0, 0.0, 20.0, 0.5, hand 5.0;
        /// Turns by which that value is gone, for each hit a region takes.
        fade: f32 = 15.0, 1.0, 40.0, 1.0, hand 15.0;
        /// Cheap routes: cost of a rail already there.
        cheap_rail: i32 = 1, 1, 14, 1;
        /// Cheap routes: cost per paint, added to the rail's.
        cheap_paint: i32 = 3, 1, 4, 1;
        /// Short routes: cost of a cell.
        short_rail: i32 = 3, 1, 11, 1;
        /// Short routes: cost per paint, added.
        short_paint: i32 = 1, 0, 4, 1;
        /// Routes whose ends are tried, best first.
        routes: i32 = 12, 1, 48, 1;
        /// Sets of cells tried in a position.
        sets: i32 = 40, 1, 200, 4;
        /// Cells that pay at once, each tried in five sets more.
        bargains: i32 = 4, 0, 8, 1;
        /// Paint is spent on whatever is open where fewer routes than this promise anything.
        scarce: i32 = 0, 0, 12, 1;
        /// Regions with at most this many hits left are gone round by routes of their own; 0 for no such routes.
        calm: i32 = 1, 0, 4, 1;
        /// Value of a way round for a live connection, for the turns that it lasts longer.
        backup: f32 = 0.45, 0.0, 3.0, 0.05;
        /// Routes are tried in the order of what they promise times the turns they last (1), or of the promise (0).
        steady: i32 = 1, 0, 1, 1;
        /// Sets of two and three cells that pay at once, shorter or as long and first by direction, each tried in five
        /// sets more.
        flips: i32 = 4, 0, 8, 1;
        /// Regions tried with every set of cells.
        regions: i32 = 8, 1, 10, 1;
        /// Share of what promised connections lose in turns by a hit that counts for it.
        strike: f32 = 0.75, 0.0, 4.0, 0.25;
        /// Most paint the bot takes from its plan to meet the side quest; 99 makes it a quest player.
        quest: i32 = 2, 0, 99, 1;
    }
}

impl Weights {
    /// Most sets of cells tried on a board.
    pub fn most_sets(&self) -> usize {
        (self.sets.max(1) + 5 * (self.bargains.max(0) + self.flips.max(0))) as usize
    }
}
