//! What a quiet wondev position is worth to the player to move: who gets where first, heights, mobility.
//!
//! An opinion, not a rule: linear in a few counts, own minus enemy, with weights that shift as the board
//! fills. Units: 200 is one unit of the logistic scale ([`chance`]). Decided positions are the search's
//! business.

use super::board::{push_targets, spread, Sq, NEAR};
use super::state::{League, State};
use super::weights::Weights;
use crate::kit::bits::Bits;

/// Counts with a weight, of each side: those of [`Counts`] less pushes.
pub const TERMS: usize = 25;
/// Counts of a side.
pub const SIDE: usize = 26;

/// What is counted of the player to move and of the enemy: cells reached first by their heights, the same at the third
/// and the second step, cells and tops reached at all, units by height, steps by height, units with at most one step,
/// points (only their difference, as the mover's), the turn (1 to the mover), units without a step, pushes.
pub type Counts = [[i32; SIDE]; 2];

/// The weights of one league on one map.
#[derive(Clone, Debug)]
pub struct Row {
    /// On an empty and on a full board while both live, then for a survivor alone.
    pub(super) duel: [[i32; TERMS]; 2],
    solo: [[i32; TERMS]; 2],
    /// Levels that fill the map, as a reciprocal in 2^-20.
    share: i32,
    /// The late weights come with the square of the share of levels built.
    bend: bool,
}

/// The weights for `league` on a map of these cells.
pub fn row(weights: &Weights, league: League, cells: u64) -> Row {
    let block = match league {
        League::Climb => 0,
        League::Points => 1,
        League::Push | League::Fog => 2,
    };
    let stage = |block: usize, late: usize| {
        let mut out = [0; TERMS];
        for (k, cell) in out.iter_mut().enumerate() {
            *cell = weights.terms[2 * (block * TERMS + k) + late];
        }
        out
    };
    Row {
        duel: [stage(block, 0), stage(block, 1)],
        solo: [stage(3, 0), stage(3, 1)],
        bend: league == League::Points,
        share: (1 << 20) / (4 * cells.count_ones() as i32).max(1),
    }
}

/// A value as a chance to win, 0 to 1.
pub fn chance(value: i32) -> f32 {
    1.0 / (1.0 + (-value as f32 / 200.0).exp())
}

/// A function of each of four masks and its place, in a form that becomes vector code.
#[inline(always)]
fn four(x: [u64; 4], f: impl Fn(usize, u64) -> u64) -> [u64; 4] {
    let mut out = [0; 4];
    for k in 0..4 {
        out[k] = f(k, x[k]);
    }
    out
}

/// The counts of both sides; for a survivor only its own (points excepted). And whether each side is alone: no cell can
/// be reached by both.
#[inline(always)]
pub fn counts(state: &State) -> (Counts, bool) {
    let me = state.mover();
    let cells = state.cells();
    let level = [0, 1, 2, 3].map(|k| state.level(k));
    let exact = [
        cells & !level[0],
        level[0] & !level[1],
        level[1] & !level[2],
        level[2] & !level[3],
    ];
    let taken = (state.mask(0) | state.mask(1)) & cells;
    let duel = state.dead == 0;
    let rival = if duel { state.mask(1 - me) & cells } else { 0 };
    let start = [state.mask(me) & cells, rival];
    // A dead player's units are in the way and go nowhere.
    let open = if duel { cells } else { cells & !(taken ^ start[0]) };
    let low = [!level[1] & open, !level[2] & open, !level[3] & open];
    // Both sides at once, from any height and from 1 or more, then from 2 or more.
    let (from, onto) = ([!0, !0, level[0], level[0]], [low[0], low[0], low[1], low[1]]);
    let step = |[a, b]: [u64; 2]| {
        let lower = four([a, b, a, b], |k, x| spread(x & from[k]) & onto[k]);
        let upper = [a, b].map(|x| spread(x & level[1]) & low[2]);
        [lower[0] | lower[2] | upper[0], lower[1] | lower[3] | upper[1]]
    };
    let mut out = [[0; SIDE]; 2];
    let mut count = |at: usize, own: u64, foe: u64| {
        out[0][at] = own.count_ones() as i32;
        out[1][at] = foe.count_ones() as i32;
    };

    // Who is first where; the mover wins ties. Rings 1 and 2 are second and third steps.
    let [mut own, mut foe] = start;
    let mut front = start;
    for ring in 0.. {
        let [a, b] = step(front);
        let own_front = a & !own & !foe;
        let foe_front = b & !own & !foe & !own_front;
        own |= own_front;
        foe |= foe_front;
        front = [own_front, foe_front];
        if ring == 1 || ring == 2 {
            for (k, mask) in exact.iter().enumerate() {
                count(4 * ring + k, own_front & mask, foe_front & mask);
            }
        }
        if own_front | foe_front == 0 {
            break;
        }
    }
    for (k, mask) in exact.iter().enumerate() {
        count(k, own & mask, foe & mask);
    }

    // The same without a rival in the way. What was reached first is reached for sure.
    let mut all = [own, foe];
    loop {
        let [a, b] = step(all);
        let next = [all[0] | a & !start[1], all[1] | b & !start[0]];
        if next == all {
            break;
        }
        all = next;
    }
    count(12, all[0], all[1]);
    count(13, all[0] & exact[3], all[1] & exact[3]);

    for (k, mask) in exact[1..].iter().enumerate() {
        count(14 + k, start[0] & mask, start[1] & mask);
    }
    for (side, player) in [me, 1 - me].into_iter().enumerate() {
        for sq in state.units(player) {
            if sq == Sq::NONE || (side == 1 && !duel) {
                continue;
            }
            let steps = NEAR[sq.index()] & state.climbable(sq) & !taken;
            for (k, mask) in exact.iter().enumerate() {
                out[side][17 + k] += (steps & mask).count_ones() as i32;
            }
            out[side][21] += i32::from(steps & steps.wrapping_sub(1) == 0);
            out[side][24] += i32::from(steps == 0);
            if state.league() >= League::Push {
                for target in Bits(NEAR[sq.index()] & start[1 - side]) {
                    let target = Sq(target as u8);
                    let room = push_targets(sq, target) & state.climbable(target) & !taken;
                    out[side][25] += room.count_ones() as i32;
                }
            }
        }
    }
    out[0][22] = state.points(me) as i32 - state.points(1 - me) as i32;
    out[0][23] = 1;
    (
        out,
        !duel || state.league() == League::Points && all[0] & all[1] == 0,
    )
}

/// The counts that have weights, own minus enemy.
#[inline(always)]
pub fn terms([own, foe]: &Counts) -> [i32; TERMS] {
    let mut out = [0; TERMS];
    for (k, term) in out.iter_mut().enumerate() {
        *term = own[k] - foe[k];
    }
    out
}

/// The share of levels built, in 2^-20.
#[inline(always)]
pub fn stage(state: &State, row: &Row) -> i32 {
    let built: u32 = (0..4).map(|k| state.level(k).count_ones()).sum();
    built as i32 * row.share
}

/// The counts times their weights, blended by the stage in 2^-12.
#[inline(always)]
pub fn weigh(terms: &[i32; TERMS], [early, late]: &[[i32; TERMS]; 2], stage: i32) -> i32 {
    let (mut first, mut last) = (0, 0);
    for k in 0..TERMS {
        first += terms[k] * early[k];
        last += terms[k] * late[k];
    }
    first + (((last - first) * stage) >> 12)
}

/// Worth of a position to the player to move by its counts.
#[inline(always)]
pub fn evaluate(state: &State, row: &Row) -> i32 {
    let (counts, alone) = counts(state);
    weighed(&counts, alone, stage(state, row), row)
}

/// The same of what is counted already; `stage` as [`stage`] tells it.
#[inline(always)]
pub fn weighed(counts: &Counts, alone: bool, stage: i32, row: &Row) -> i32 {
    let mut stage = stage >> 8;
    if row.bend {
        stage = (stage * stage) >> 12;
    }
    weigh(&terms(counts), if alone { &row.solo } else { &row.duel }, stage)
}
