//! Frozen. What a quiet wondev position is worth to the player to move: who gets where first, heights, mobility.
//!
//! An opinion, not a rule: linear in a few counts, own minus enemy. Units: a hundred to the point in
//! the points leagues; arbitrary in league 0. Decided positions are the search's business.

use super::board::{NEAR, Sq, spread};
use super::state::{League, State};

/// Counts per side, in the order of the weights.
pub const TERMS: usize = 14;

fifty::tunables! {
    /// Every number of the bot. `c_` is for league 0, `p_` for one unit with points, `q_` for two units.
    pub struct Weights {
        /// Cells reached first.
        c_area: i32 = 20, -100, 300, 10;
        /// Cells of height 1 reached first.
        c_area1: i32 = 5, -100, 300, 10;
        /// Cells of height 2 reached first.
        c_area2: i32 = 15, -100, 300, 10;
        /// Cells of height 3 reached first.
        c_area3: i32 = 5, -100, 300, 10;
        /// Cells a unit can step onto.
        c_step: i32 = 10, -100, 300, 10;
        /// Of these, height 1.
        c_step1: i32 = 10, -100, 300, 10;
        /// Of these, height 2.
        c_step2: i32 = 40, -100, 300, 10;
        /// Of these, height 3.
        c_step3: i32 = 60, -100, 300, 10;
        /// Standing on height 1.
        c_on1: i32 = 50, -100, 300, 10;
        /// Standing on height 2.
        c_on2: i32 = 150, -100, 500, 10;
        /// Standing on height 3.
        c_on3: i32 = 150, -100, 500, 10;
        /// A unit with at most one way out.
        c_tight: i32 = -60, -500, 100, 10;
        /// Points.
        c_point: i32 = 0, 0, 300, 10;
        /// To move.
        c_tempo: i32 = 10, -100, 300, 10;

        /// Cells reached first.
        p_area: i32 = 120, -100, 500, 10;
        /// Cells of height 1 reached first.
        p_area1: i32 = 0, -100, 300, 10;
        /// Cells of height 2 reached first.
        p_area2: i32 = 20, -100, 300, 10;
        /// Cells of height 3 reached first.
        p_area3: i32 = 20, -100, 300, 10;
        /// Cells a unit can step onto.
        p_step: i32 = 60, -100, 300, 10;
        /// Of these, height 1.
        p_step1: i32 = 0, -100, 300, 10;
        /// Of these, height 2.
        p_step2: i32 = 10, -100, 300, 10;
        /// Of these, height 3.
        p_step3: i32 = 20, -100, 300, 10;
        /// Standing on height 1.
        p_on1: i32 = 20, -100, 300, 10;
        /// Standing on height 2.
        p_on2: i32 = 60, -100, 500, 10;
        /// Standing on height 3.
        p_on3: i32 = 100, -100, 500, 10;
        /// A unit with at most one way out.
        p_tight: i32 = -60, -500, 100, 10;
        /// Points.
        p_point: i32 = 100, 0, 300, 10;
        /// To move.
        p_tempo: i32 = 10, -100, 300, 10;

        /// Cells reached first.
        q_area: i32 = 120, -100, 500, 10;
        /// Cells of height 1 reached first.
        q_area1: i32 = 0, -100, 300, 10;
        /// Cells of height 2 reached first.
        q_area2: i32 = 20, -100, 300, 10;
        /// Cells of height 3 reached first.
        q_area3: i32 = 20, -100, 300, 10;
        /// Cells a unit can step onto.
        q_step: i32 = 60, -100, 300, 10;
        /// Of these, height 1.
        q_step1: i32 = 0, -100, 300, 10;
        /// Of these, height 2.
        q_step2: i32 = 10, -100, 300, 10;
        /// Of these, height 3.
        q_step3: i32 = 20, -100, 300, 10;
        /// Standing on height 1.
        q_on1: i32 = 20, -100, 300, 10;
        /// Standing on height 2.
        q_on2: i32 = 60, -100, 500, 10;
        /// Standing on height 3.
        q_on3: i32 = 100, -100, 500, 10;
        /// A unit with at most one way out.
        q_tight: i32 = -100, -500, 100, 10;
        /// Points.
        q_point: i32 = 100, 0, 300, 10;
        /// To move.
        q_tempo: i32 = 10, -100, 300, 10;

        /// Plies taken off a late move: per cent of ln(depth) * ln(number).
        lmr: i32 = 45, 0, 200, 5;
        /// Moves searched in full before reductions.
        lmr_after: i32 = 3, 1, 20, 1;
        /// Margin per ply by which a static value must beat the window to stop at once.
        futility: i32 = 120, 0, 1000, 20;
        /// Plies at which that is tried.
        futility_depth: i32 = 3, 0, 8, 1;
        /// Plies taken off after a null move.
        null_cut: i32 = 3, 1, 6, 1;
        /// Milliseconds for the first answer.
        first_ms: i32 = 900, 10, 990, 10;
        /// Milliseconds for a later answer.
        later_ms: i32 = 43, 5, 48, 1;
    }
}

/// The weights of one league as a row.
pub fn row(w: &Weights, league: League) -> [i32; TERMS] {
    match league {
        League::Climb => [
            w.c_area, w.c_area1, w.c_area2, w.c_area3, w.c_step, w.c_step1, w.c_step2, w.c_step3, w.c_on1,
            w.c_on2, w.c_on3, w.c_tight, w.c_point, w.c_tempo,
        ],
        League::Points => [
            w.p_area, w.p_area1, w.p_area2, w.p_area3, w.p_step, w.p_step1, w.p_step2, w.p_step3, w.p_on1,
            w.p_on2, w.p_on3, w.p_tight, w.p_point, w.p_tempo,
        ],
        League::Push | League::Fog => [
            w.q_area, w.q_area1, w.q_area2, w.q_area3, w.q_step, w.q_step1, w.q_step2, w.q_step3, w.q_on1,
            w.q_on2, w.q_on3, w.q_tight, w.q_point, w.q_tempo,
        ],
    }
}

/// Cells each side reaches before the other, the mover first: `[own, enemy]`, starting squares included.
#[inline(always)]
pub fn territory(state: &State) -> [u64; 2] {
    let me = state.mover();
    let cells = state.cells();
    let level = [0, 1, 2, 3].map(|k| state.level(k));
    let low = [!level[1] & cells, !level[2] & cells, !level[3] & cells];
    let step = |front: u64| {
        spread(front) & low[0] | spread(front & level[0]) & low[1] | spread(front & level[1]) & low[2]
    };
    let mut own = state.mask(me) & cells;
    let mut foe = state.mask(1 - me) & cells;
    let (mut own_front, mut foe_front) = (own, foe);
    loop {
        own_front = step(own_front) & !own & !foe;
        own |= own_front;
        foe_front = step(foe_front) & !own & !foe;
        foe |= foe_front;
        if own_front | foe_front == 0 {
            return [own, foe];
        }
    }
}

/// The counts of both sides, own minus enemy.
#[inline(always)]
pub fn terms(state: &State) -> [i32; TERMS] {
    let me = state.mover();
    let area = territory(state);
    let exact = [
        state.level(0) & !state.level(1),
        state.level(1) & !state.level(2),
        state.level(2) & !state.level(3),
    ];
    let taken = state.mask(0) | state.mask(1);
    let mut out = [0i32; TERMS];
    for (side, sign) in [(me, 1), (1 - me, -1)] {
        let mine = area[usize::from(side != me)];
        out[0] += sign * mine.count_ones() as i32;
        for k in 0..3 {
            out[1 + k] += sign * (mine & exact[k]).count_ones() as i32;
        }
        for sq in state.units(side) {
            if sq == Sq::NONE {
                continue;
            }
            let steps = NEAR[sq.index()] & state.climbable(sq) & !taken;
            let ways = steps.count_ones() as i32;
            out[4] += sign * ways;
            for k in 0..3 {
                out[5 + k] += sign * (steps & exact[k]).count_ones() as i32;
                out[8 + k] += sign * (exact[k] >> sq.index() & 1) as i32;
            }
            out[11] += sign * i32::from(ways <= 1);
        }
    }
    out[12] = state.points(me) as i32 - state.points(1 - me) as i32;
    out[13] = 1;
    out
}

/// Worth of a position to the player to move.
#[inline(always)]
pub fn evaluate(state: &State, row: &[i32; TERMS]) -> i32 {
    let mut sum = 0;
    for (count, weight) in terms(state).iter().zip(row) {
        sum += count * weight;
    }
    sum
}
