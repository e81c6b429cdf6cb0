//! What wondev tells the shared alpha-beta: evaluation, order of moves, exact threat rules of league 0,
//! and where to look less.
//!
//! When to ask the alpha-beta, and when a prover, is [`super::search`]'s matter.

use super::board::{spread, Sq, NEAR};
use super::eval::{counts, row, stage, terms, weighed, Counts, Row};
use super::learned::NETS;
use super::net::Net;
use super::sides::Sides;
use super::state::{League, Move, State};
use super::weights::Weights;
use crate::kit::bits::Bits;
use crate::kit::cpu::Level;
use crate::kit::packed::Numbers;
use crate::search::alphabeta::policy::{Before, Policy, Reductions};
use crate::search::alphabeta::{Work, WIN};
use crate::search::game::Game;
use crate::search::tt::Values;

/// Remembered evaluations: half a mebibyte.
const VALUES: usize = 1 << 15;

/// What was learned.
#[derive(Clone)]
pub struct Nets {
    /// Of league 0.
    pub climb: Box<Net>,
    /// Of league 1, and of leagues 2 and 3.
    pub sides: [Sides; 2],
}

impl Nets {
    /// The networks as they were learned.
    pub fn learned() -> Self {
        let mut numbers = Numbers::new(NETS);
        let mut next = || numbers.number();
        // In the order of the text.
        Self {
            climb: Net::new(&mut next),
            sides: [(); 2].map(|()| Sides::new(&mut next)),
        }
    }

    /// What is to be added for the player to move while both live and meet; in league 0 after [`Net::face`].
    #[inline(always)]
    pub fn added<L: Level>(&self, state: &State, counts: &Counts, stage: i32) -> i32 {
        match state.league() {
            League::Climb => self.climb.evaluate::<L>(state, &terms(counts), stage),
            League::Points => self.sides[0].evaluate::<L>(counts, stage),
            League::Push | League::Fog => self.sides[1].evaluate::<L>(counts, stage),
        }
    }
}

/// The numbers of one search.
pub struct Opinion {
    pub(super) weights: Weights,
    row: Row,
    nets: Nets,
    reductions: [Reductions; 2],
    /// Whether league 0 is searched, 1 if not.
    sides: usize,
    values: Values,
    /// Tells values of other maps and leagues apart.
    salt: u64,
}

impl Opinion {
    /// Before the first position.
    pub fn new(weights: Weights) -> Self {
        Self {
            row: row(&weights, League::Climb, 0),
            reductions: [weights.lmr, weights.lmr_sides].map(Reductions::new),
            sides: 0,
            nets: Nets::learned(),
            values: Values::new(VALUES),
            salt: 0,
            weights,
        }
    }

    /// Values positions by other networks from now on.
    pub fn set_nets(&mut self, nets: Nets) {
        self.nets = nets;
        self.values = Values::new(VALUES);
    }

    /// Takes the numbers of a position's league and map.
    pub fn face(&mut self, root: &State) {
        self.row = row(&self.weights, root.league(), root.cells());
        self.nets.climb.face(root.cells());
        self.sides = usize::from(root.league() != League::Climb);
        self.salt = (root.cells() << 2 | root.league() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// Worth of a position to the player to move, after [`Opinion::face`] for its map and league.
    #[inline(always)]
    pub fn worth<L: Level>(&self, state: &State) -> i32 {
        let (counts, alone) = counts(state);
        let stage = stage(state, &self.row);
        let value = weighed(&counts, alone, stage, &self.row);
        if alone {
            return value;
        }
        value + self.nets.added::<L>(state, &counts, stage)
    }
}

impl Policy<State> for Opinion {
    type Lazy = ();
    const BEFORE: bool = true;
    const STAGED: bool = true;
    const PREFETCH: bool = true;
    const KILLERS: bool = true;
    const HISTORY: bool = true;
    const CELLS: usize = 2 * 64 * 64;
    const REDUCE: bool = true;
    const WIDTH: bool = true;
    const FUTILITY: bool = true;
    const NULL_MOVE: bool = true;
    const BLIND: bool = true;
    const ROOT_ORDER: bool = true;

    #[inline(always)]
    fn evaluate<L: Level>(&mut self, state: &State) -> i32 {
        let key = state.hash() ^ self.salt;
        if let Some(value) = self.values.get(key) {
            return value;
        }
        let value = self.worth::<L>(state);
        self.values.put(key, value);
        value
    }

    #[inline(always)]
    fn hash_after(&self, state: &State, m: Move) -> u64 {
        state.hash_after(m)
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        self.values.prefetch(hash ^ self.salt);
    }

    #[inline(always)]
    fn result<L: Level>(&mut self, state: &State) -> Option<i32> {
        state.over.then(|| match state.winner() {
            None => 0,
            Some(w) if w == state.mover() => WIN,
            Some(_) => -WIN,
        })
    }

    #[inline(always)]
    fn play(&self, state: &mut State, m: Move) {
        state.play(m);
    }

    #[inline(always)]
    fn each<L: Level>(&mut self, state: &State, _: &mut Work, mut out: impl FnMut(i32, Move)) {
        let Weights { climb, threat, .. } = self.weights;
        let (mut tops, mut ledges) = (0, 0);
        if state.league() == League::Climb {
            tops = state.level(2) & !state.level(3) & !state.mask(1 - state.mover());
            ledges = state.level(1) & !state.level(2);
        }
        state.each_move(|m| {
            let (to, build) = (m.first(), m.second().bit());
            let height = state.height(to) as i32;
            let next = tops & !build | ledges & build;
            let threatens = height == 2 && NEAR[to.index()] & next != 0;
            out(height * climb + i32::from(threatens) * threat, m);
        });
    }

    #[inline(always)]
    fn no_move(&self) -> Move {
        Move::DEFEAT
    }

    #[inline(always)]
    fn legal(&self, state: &State, m: Move) -> bool {
        state.is_legal(m)
    }

    /// League 0: a climb wins at once; so does, two plies later, a step after which two climbs threaten, or one that the
    /// enemy cannot reach to cap; two enemy climbs cannot both be capped; one must be; and none may be
    /// made for an enemy on height 2.
    #[inline(always)]
    fn before<L: Level>(&mut self, state: &State, _: (i32, i32), _: &mut Work) -> Before {
        if state.league() != League::Climb {
            return Before::Open;
        }
        let me = state.mover();
        let own = state.units(me)[0];
        let foe = state.units(1 - me)[0];
        let tops = state.level(2) & !state.level(3);
        let high = state.level(1);
        if high >> own.index() & 1 == 1 && NEAR[own.index()] & tops & !foe.bit() != 0 {
            return Before::Decided(WIN - 1);
        }
        let raised = high >> foe.index() & 1 == 1;
        let threats = if raised {
            NEAR[foe.index()] & tops & !own.bit()
        } else {
            0
        };
        match threats.count_ones() {
            0 if threatens(state, own, foe) => Before::Decided(WIN - 3),
            0 if !raised => Before::Open,
            0 => Before::Only(!(NEAR[foe.index()] & high & !tops)),
            1 => Before::Forced(threats),
            _ if state.can_act() => Before::Decided(2 - WIN),
            _ => Before::Open,
        }
    }

    /// Builds on these cells only.
    #[inline(always)]
    fn allows(only: u64, m: Move) -> bool {
        only >> m.second().index() & 1 == 1
    }

    #[inline(always)]
    fn index(state: &State, m: Move) -> usize {
        state.mover() << 12 | m.first().index() << 6 | m.second().index()
    }

    #[inline(always)]
    fn gain(&self, depth: i32) -> (i32, i32) {
        let gain = (self.weights.learn * depth * depth).min(2048);
        (gain, gain / self.weights.unlearn)
    }

    #[inline(always)]
    fn forget(&self) -> i32 {
        self.weights.forget
    }

    #[inline(always)]
    fn reduction(&self, depth: i32, number: usize, score: i32) -> i32 {
        if depth < self.weights.lmr_depth || (number as i32) < self.weights.lmr_after {
            return 0;
        }
        (self.reductions[self.sides].get(depth, number) - score / self.weights.trust).max(0)
    }

    #[inline(always)]
    fn root_reduction(&self, depth: i32, number: usize) -> i32 {
        if depth < 3 || (number as i32) < self.weights.root_after {
            return 0;
        }
        (self.reductions[self.sides].get(depth, number) - self.weights.root_spare).max(0)
    }

    #[inline(always)]
    fn width(&self, depth: i32, scout: bool) -> usize {
        if !scout || depth > self.weights.few_depth {
            return usize::MAX;
        }
        (self.weights.few + self.weights.few_more * depth * depth) as usize
    }

    #[inline(always)]
    fn futile(&self, depth: i32) -> Option<i32> {
        let margin = [self.weights.futility, self.weights.futility_sides][self.sides];
        (depth <= self.weights.futility_depth).then_some(margin * depth)
    }

    #[inline(always)]
    fn hopeless(&self, depth: i32) -> Option<i32> {
        (depth <= self.weights.hopeless_depth).then_some(self.weights.hopeless * depth)
    }

    #[inline(always)]
    fn null_depth(&self, depth: i32) -> Option<i32> {
        (depth >= 3).then_some(depth - 1 - self.weights.null_cut)
    }

    #[inline(always)]
    fn pass(&self, state: &State) -> Option<State> {
        let mut child = *state;
        child.mover ^= 1;
        (state.dead == 0).then_some(child)
    }

    #[inline(always)]
    fn blind(&self, depth: i32) -> i32 {
        i32::from(depth >= self.weights.blind_depth)
    }
}

/// Whether the mover, on `own`, can step so that it climbs next whatever the enemy, on `foe`, does: onto height 2 beside
/// two cells of height 3, or one that the enemy cannot cap, one of them perhaps just built. No climb threatens now. True
/// only where it is so; a win that needs a better look is left to the search.
#[inline(always)]
pub fn threatens(state: &State, own: Sq, foe: Sq) -> bool {
    let [low, two, top, shut] = [0, 1, 2, 3].map(|k| state.level(k));
    if low >> own.index() & 1 == 0 {
        return false;
    }
    // Cells of height 2, also to be built on, and of height 3. A new top beside an enemy on height 2 would be its own.
    let (ledges, tops) = (two & !top & !foe.bit(), top & !shut & !foe.bit());
    let danger = if two >> foe.index() & 1 == 1 {
        NEAR[foe.index()]
    } else {
        0
    };
    let steps = NEAR[foe.index()] & (state.climbable(foe) | own.bit());
    for to in Bits(NEAR[own.index()] & ledges) {
        let around = NEAR[to as usize & 63];
        let ready = around & tops;
        let made = around & ledges & !danger;
        let cap = |t: u64| steps & !(1 << to) & spread(t) != 0;
        match (ready.count_ones(), made) {
            (0, _) if made == 0 => {}
            (0, _) => {
                if Bits(made).any(|t| !cap(1 << t)) {
                    return true;
                }
            }
            (1, 0) => {
                // The build goes back to the cell left, which must not become the enemy's top.
                if (ledges & danger) & own.bit() == 0 && !cap(ready) {
                    return true;
                }
            }
            (1, _) => return true,
            _ => {
                if ledges & danger & own.bit() == 0 {
                    return true;
                }
            }
        }
    }
    false
}
