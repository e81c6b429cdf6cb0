//! Where unseen enemies may be: the exact set of position pairs consistent with everything seen.
//!
//! Each turn the own action is replayed from every pair, then every enemy action that fits the new
//! grid, the own squares, and what is (and is not) shown. Nothing the rules allow is left out, so the
//! true pair is always inside; each pair carries a weight, its likelihood up to a common factor.
//! Also keeps the points each pair would have given the enemy. Two-unit leagues only.

use super::board::Sq;
use super::eval::{evaluate, Row};
use super::protocol::View;
use super::state::{Flow, League, Move, State};

/// One way the enemy may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Enemy units in index order.
    pub units: [Sq; 2],
    /// Likelihood, largest 1.
    pub weight: f32,
    /// Points the enemy has if so.
    pub points: u8,
}

/// More parents than this are not weighed by evaluation: time.
const WEIGHED: usize = 500;
/// A move is e times as likely as one that is worth so much less to the enemy.
const TEMPERATURE: f32 = 25.0;

/// The candidate set.
#[derive(Clone, Debug, Default)]
pub struct Fog {
    /// Never empty after a first view, sorted by units.
    pub pairs: Vec<Pair>,
    /// No enemy action was needed to explain the last turn, and none could.
    pub idle: bool,
}

/// Weights by pair while a set is put together.
struct Gather {
    weight: Vec<f32>,
    points: Vec<u8>,
}

impl Gather {
    fn new() -> Self {
        Self {
            weight: vec![0.0; 64 * 64],
            points: vec![0; 64 * 64],
        }
    }

    fn add(&mut self, units: [Sq; 2], weight: f32, points: u8) {
        let slot = units[0].index() * 64 + units[1].index();
        self.weight[slot] += weight.max(1e-30);
        self.points[slot] = self.points[slot].max(points);
    }

    fn pairs(&self) -> Vec<Pair> {
        let top = self.weight.iter().fold(1e-30f32, |a, &b| a.max(b));
        self.weight
            .iter()
            .enumerate()
            .filter(|entry| *entry.1 > 0.0)
            .map(|(slot, &w)| Pair {
                units: [Sq((slot / 64) as u8), Sq((slot % 64) as u8)],
                weight: (w / top).max(1e-20),
                points: self.points[slot],
            })
            .collect()
    }
}

/// What the view says about one enemy pair: a shown unit is where it is shown (league 2 shows all), an
/// unseen one is out of sight.
fn shown(view: &View, sight: u64, units: [Sq; 2]) -> bool {
    (0..2).all(|i| match view.foe[i] {
        Sq::NONE => sight & units[i].bit() == 0,
        at => at == units[i],
    })
}

impl Fog {
    /// The set before anything was replayed: the first turn, or after something inexplicable.
    pub fn begin(&mut self, view: &View) {
        let state = view.state(League::Fog);
        let sight = state.sight(0);
        let open = view.cells & !view.level[3] & !state.mask(0);
        // One level on the grid: the enemy has moved once, and whoever built or pushed is beside it.
        let built = view.level[0].is_power_of_two() && view.level[1] == 0;
        let mut gather = Gather::new();
        for a in 0..56 {
            for b in 0..56 {
                let units = [Sq(a), Sq(b)];
                let free = a != b && open & units[0].bit() != 0 && open & units[1].bit() != 0;
                if !free || !shown(view, sight, units) {
                    continue;
                }
                let mut other = state;
                other.units[1] = units;
                if !built || other.sight(1) & view.level[0] != 0 {
                    gather.add(units, 1.0, 0);
                }
            }
        }
        self.pairs = gather.pairs();
        self.idle = false;
        if self.pairs.is_empty() {
            self.invent(view);
        }
    }

    /// The input contradicts the rules: take what is shown, and put the rest anywhere free.
    fn invent(&mut self, view: &View) {
        let mut free = view.cells & !view.level[3];
        for sq in view.own.iter().chain(&view.foe) {
            free &= !sq.bit();
        }
        let mut units = view.foe;
        for sq in &mut units {
            if *sq == Sq::NONE && free != 0 {
                *sq = Sq(63 - free.leading_zeros() as u8);
                free &= !sq.bit();
            }
        }
        self.pairs = vec![Pair {
            units,
            weight: 1.0,
            points: 0,
        }];
    }

    /// Replays the own action `played` in `before` (own units as seat 0; enemy squares are ignored) and
    /// the enemy's answer, and keeps what agrees with `view`.
    pub fn observe(&mut self, before: &State, played: Move, view: &View, row: &Row) {
        let sight = view.state(League::Fog).sight(0);
        let weigh = self.pairs.len() <= WEIGHED;
        let mut gather = Gather::new();
        let mut idle = Gather::new();
        for pair in &self.pairs {
            let mut state = *before;
            state.league = League::Fog;
            state.flow = Flow::Turn;
            state.units[1] = pair.units;
            state.mover = 0;
            if !played.is_defeat() && state.is_legal(played) {
                state.act(played);
            }
            state.mover = 1;
            // At most one level may differ now, and nothing may have shrunk.
            let mut raised = 0u64;
            let mut count = 0;
            let mut shrunk = 0u64;
            for k in 0..4 {
                let more = view.level[k] & !state.level[k];
                raised |= more;
                count += more.count_ones();
                shrunk |= state.level[k] & !view.level[k];
            }
            if count > 1 || shrunk != 0 {
                continue;
            }
            if raised == 0 && state.units[0] == view.own && shown(view, sight, state.units[1]) {
                // It died, or is dead.
                idle.add(state.units[1], pair.weight, pair.points);
            }
            state.each_move(|m| {
                let (first, second) = (m.first(), m.second());
                let blocked = state.units[0].contains(&second);
                let change = match (blocked, m.is_push()) {
                    (true, _) => 0,
                    (false, true) => first.bit(),
                    (false, false) => second.bit(),
                };
                if change != raised {
                    return;
                }
                let mut after = state;
                let climbed = after.act(m);
                if after.units[0] != view.own || !shown(view, sight, after.units[1]) {
                    return;
                }
                let mut weight = pair.weight;
                if weigh {
                    after.mover = 0;
                    let worth = evaluate(&after, row) as f32;
                    weight *= (-worth / TEMPERATURE).clamp(-20.0, 20.0).exp();
                }
                gather.add(after.units[1], weight, pair.points + u8::from(climbed));
            });
        }
        let active = gather.pairs();
        self.idle = active.is_empty();
        let still = idle.pairs();
        if active.is_empty() && still.is_empty() {
            self.recover(view);
            return;
        }
        // A death is possible, but an action explains more.
        for pair in still {
            gather.add(pair.units, pair.weight * 1e-3, pair.points);
        }
        self.pairs = if active.is_empty() {
            idle.pairs()
        } else {
            gather.pairs()
        };
    }

    /// Nothing fits. Perhaps a dead enemy's units are no longer shown: keep the old squares that are still
    /// possible; cells whose steps are missing from the list are blocked.
    fn recover(&mut self, view: &View) {
        self.idle = true;
        let state = view.state(League::Push);
        let mut offered = 0u64;
        let mut reach = 0u64;
        for (_, m) in &view.actions {
            if !m.is_push() {
                offered |= m.first().bit();
            }
        }
        for sq in view.own {
            if sq != Sq::NONE {
                reach |= super::board::NEAR[sq.index()] & state.climbable(sq);
            }
        }
        let blocked = reach & !offered & !state.mask(0);
        let fits = |pair: &Pair| {
            let mask = pair.units[0].bit() | pair.units[1].bit();
            mask & (state.mask(0) | offered | view.level[3]) == 0
                && (0..2).all(|i| view.foe[i] == Sq::NONE || view.foe[i] == pair.units[i])
                && (mask & reach) == blocked
        };
        self.pairs.retain(fits);
        if self.pairs.is_empty() {
            self.begin(view);
        }
    }

    /// The likeliest pair.
    pub fn best(&self) -> Option<Pair> {
        let mut best: Option<Pair> = None;
        for pair in &self.pairs {
            if best.is_none_or(|b| pair.weight > b.weight) {
                best = Some(*pair);
            }
        }
        best
    }

    /// Whether a pair is still possible.
    pub fn holds(&self, units: [Sq; 2]) -> bool {
        self.pairs.iter().any(|pair| pair.units == units)
    }
}
