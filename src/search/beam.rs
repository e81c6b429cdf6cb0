//! Beam search: the best plans of one planner, layer by layer.
//!
//! Handles: long plans with many steps, turns of several steps, multi-turn plans (last turn's plan goes in
//! again and stays in the beam), duplicate states by hash, diversity by key, a width that follows the
//! measured time per state so that the last layer ends inside the deadline, the best plan at any moment.
//! Does not handle: opponents and chance, other than what [`Plan::apply`] makes of them; proofs.
//!
//! Memory: two layers of states, one list of candidates, and a link of 4 bytes and a step per kept state,
//! all taken by [`Beam::new`]; a search allocates nothing unless cloning a state does. With a bound on
//! work instead of a clock the answer is the same everywhere.
//!
//! What its parts are worth on rails in Elo, with 95 % intervals: 16 states a plan, at equal time, 400 games from
//! recorded positions, which decide many of them, from `cargo bench --bench techniques -- rails 400`:
//!
//! | part | Elo |
//! |---|---|
//! | twice the states | -1 (-23 to +21) |
//! | last turn's plan kept | +16 (-4 to +35) |
//! | duplicates removed | +16 (-3 to +34) |
//! | two states a key, the first cell | -23 (-45 to 0): off |
//! | width by what is left of the limit | the same games as a fixed width of 5: it keeps the deadline, no more |

use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use std::time::Instant;

/// A state of the plan. Copied from layer to layer, so keep it flat and small.
pub trait Plan: Clone {
    /// One step of a plan; a layer is one step.
    type Step: Copy + Default + PartialEq + core::fmt::Debug;

    /// Appends the steps possible here; none where the plan ends. `out` comes empty.
    fn steps<L: Level>(&self, out: &mut Vec<Self::Step>);

    /// Takes a step.
    fn apply<L: Level>(&mut self, step: Self::Step);

    /// How good the plan so far is; only compared within a layer, and between plans that have ended.
    fn value<L: Level>(&self) -> f32;

    /// Equal for states that are worth keeping once.
    fn hash(&self) -> u64;

    /// At most [`Params::per_key`] states of one key are kept in a layer.
    #[inline(always)]
    fn key(&self) -> u32 {
        0
    }

    /// Appends all successors as candidates. Override where value and hash of a successor are cheaper
    /// than a copy; `steps` is scratch space and comes empty.
    #[inline(always)]
    fn expand<L: Level>(&self, steps: &mut Vec<Self::Step>, out: &mut Vec<Candidate<Self::Step>>) {
        self.steps::<L>(steps);
        for &step in steps.iter() {
            let mut next = self.clone();
            next.apply::<L>(step);
            out.push(Candidate::new(step, next.value::<L>(), next.hash(), next.key()));
        }
    }
}

/// A successor that may enter the next layer.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<S> {
    /// The last step.
    pub step: S,
    /// [`Plan::value`] after it.
    pub value: f32,
    /// [`Plan::hash`] after it.
    pub hash: u64,
    /// [`Plan::key`] after it.
    pub key: u32,
    parent: u32,
    kept: bool,
}

impl<S> Candidate<S> {
    /// A successor by `step`.
    #[inline(always)]
    pub fn new(step: S, value: f32, hash: u64, key: u32) -> Self {
        Self {
            step,
            value,
            hash,
            key,
            parent: 0,
            kept: false,
        }
    }
}

/// Numbers of the search itself.
#[derive(Clone, Debug)]
pub struct Params {
    /// Steps of a plan.
    pub layers: usize,
    /// Most states kept in a layer; sizes the memory.
    pub widest: usize,
    /// Fewest states kept in a layer, however little time is left.
    pub narrowest: usize,
    /// Most states of one key kept in a layer; 0 for no bound.
    pub per_key: usize,
    /// Share of the measured speed the width counts on, 0 to 1.
    pub caution: f32,
    /// States expanded between two looks at the clock.
    pub poll: u64,
}

impl Params {
    /// Twenty layers of up to 1,000 states.
    pub const DEFAULT: Self = Self {
        layers: 20,
        widest: 1_000,
        narrowest: 4,
        per_key: 0,
        caution: 0.9,
        poll: 16,
    };
}

/// What a search found; the plan is [`Beam::plan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Value of the plan's last state.
    pub value: f32,
    /// Steps of the plan.
    pub depth: usize,
    /// States expanded.
    pub nodes: u64,
    /// States kept in the last full layer.
    pub width: usize,
    /// The plan runs to the last layer or to an end.
    pub complete: bool,
}

/// How a kept state came about.
#[derive(Clone, Copy)]
struct Link<S> {
    parent: u32,
    step: S,
}

/// No link: the start.
const START: u32 = u32::MAX;

/// The search: layers and buffers, reused from turn to turn.
pub struct Beam<P: Plan> {
    /// May be changed between searches, within the memory taken at construction.
    pub params: Params,
    layer: Vec<(P, u32)>,
    next: Vec<(P, u32)>,
    candidates: Vec<Candidate<P::Step>>,
    links: Vec<Link<P::Step>>,
    steps: Vec<P::Step>,
    // No hash sets: both are emptied by a new stamp, once a layer, and never grow.
    seen: Vec<(u64, u32)>,
    keys: Vec<(u32, u32, u32)>,
    stamp: u32,
    most: usize,
    plan: Vec<P::Step>,
    nodes: u64,
}

impl<P: Plan> Beam<P> {
    /// Memory for `params`, for states of up to `branching` successors. At least two full layers of
    /// candidates fit, weaker ones are dropped when the list is full.
    pub fn new(params: Params, branching: usize) -> Self {
        let widest = params.widest.max(1);
        let most = (widest * branching).min(widest * 64).max(4 * widest);
        // Every candidate may be looked up, so tables never fill.
        let slots = (2 * (most + branching)).next_power_of_two();
        Self {
            layer: Vec::with_capacity(widest),
            next: Vec::with_capacity(widest),
            candidates: Vec::with_capacity(most + branching),
            links: Vec::with_capacity(widest * params.layers),
            steps: Vec::with_capacity(branching),
            seen: vec![(0, 0); slots],
            keys: vec![(0, 0, 0); slots],
            stamp: 0,
            most,
            plan: Vec::with_capacity(params.layers),
            nodes: 0,
            params,
        }
    }

    /// The best plan of the last search, first step first.
    pub fn plan(&self) -> &[P::Step] {
        &self.plan
    }

    /// Searches until the limit or the last layer. `keep` is a plan that stays in the beam as long as its
    /// steps are possible: last turn's plan without the steps that were taken.
    pub fn search(&mut self, start: &P, keep: &[P::Step], limit: Limit) -> Found {
        cpu::run(Run {
            beam: self,
            start,
            keep,
            limit,
        })
    }

    #[inline(always)]
    fn run<L: Level>(&mut self, start: &P, keep: &[P::Step], limit: &Limit) -> Found {
        let started = Instant::now();
        self.nodes = 0;
        self.plan.clear();
        self.links.clear();
        self.layer.clear();
        self.layer.push((start.clone(), START));
        let mut kept = Some(START);
        let mut found = Found {
            value: start.value::<L>(),
            depth: 0,
            nodes: 0,
            width: 1,
            complete: false,
        };
        // The best plan that has ended, and the best one of the layer reached.
        let mut ended: Option<(f32, u32, usize)> = None;
        let mut open = (found.value, START, 0);
        let layers = self
            .params
            .layers
            .min(self.links.capacity() / self.params.widest.max(1));
        for depth in 0..layers {
            let wanted = kept.and_then(|link| keep.get(depth).map(|&step| (link, step)));
            // A layer that takes more than its share of the time is cut: its best states come first.
            let share = limit
                .left()
                .map(|left| Instant::now() + left.mul_f32(1.5) / (layers - depth) as u32);
            if !self.expand_layer::<L>(wanted, limit, share, depth, &mut ended) {
                break;
            }
            if self.candidates.is_empty() {
                found.complete = true;
                open = (f32::NEG_INFINITY, START, 0);
                break;
            }
            let width = self.width(layers - depth - 1, started, limit);
            kept = self.keep_best::<L>(width);
            let (_, link) = self.layer[0];
            open = (self.candidates[0].value, link, depth + 1);
            found.width = self.layer.len();
            found.complete = depth + 1 == layers;
        }
        let (value, link, depth) = match ended {
            Some(end) if end.0 >= open.0 => end,
            _ => open,
        };
        found.complete |= ended.is_some_and(|end| end.1 == link);
        (found.value, found.depth, found.nodes) = (value, depth, self.nodes);
        self.trace(link);
        found
    }

    /// Lists the successors of the layer, or of its best part when its `share` of the time is over;
    /// `false` when the limit was reached before its end.
    #[inline(always)]
    fn expand_layer<L: Level>(
        &mut self,
        wanted: Option<(u32, P::Step)>,
        limit: &Limit,
        share: Option<Instant>,
        depth: usize,
        ended: &mut Option<(f32, u32, usize)>,
    ) -> bool {
        self.candidates.clear();
        for i in 0..self.layer.len() {
            if self.nodes >= limit.work {
                return false;
            }
            if self.nodes % self.params.poll.max(1) == 0 {
                if limit.reached(self.nodes) {
                    return false;
                }
                if i >= self.params.narrowest && share.is_some_and(|until| Instant::now() >= until) {
                    return true;
                }
            }
            self.nodes += 1;
            if self.candidates.len() > self.most {
                self.drop_weak();
            }
            let from = self.candidates.len();
            let (state, link) = &self.layer[i];
            self.steps.clear();
            state.expand::<L>(&mut self.steps, &mut self.candidates);
            if self.candidates.len() == from {
                let value = state.value::<L>();
                if ended.is_none_or(|(best, _, _)| value > best) {
                    *ended = Some((value, *link, depth));
                }
            }
            for candidate in &mut self.candidates[from..] {
                candidate.parent = i as u32;
                candidate.kept = wanted == Some((*link, candidate.step));
            }
        }
        true
    }

    /// Makes room in the list: the weaker half goes.
    fn drop_weak(&mut self) {
        let half = self.most / 2;
        self.candidates.select_nth_unstable_by(half, better);
        self.candidates.truncate(half);
    }

    /// States the next layer may hold so that the layers left fit in what is left of the limit.
    fn width(&self, layers_left: usize, started: Instant, limit: &Limit) -> usize {
        let mut width = self.params.widest;
        if limit.work != u64::MAX {
            let left = limit.work.saturating_sub(self.nodes) as usize;
            width = width.min(left / layers_left.max(1));
        }
        if let Some(left) = limit.left() {
            let spent = started.elapsed().as_secs_f32().max(1e-7);
            let rate = self.nodes as f32 / spent * self.params.caution;
            width = width.min((rate * left.as_secs_f32()) as usize / layers_left.max(1));
        }
        width
            .max(self.params.narrowest)
            .clamp(1, self.params.widest.max(1))
    }

    /// Makes the best candidates the next layer, best first: no two of one hash, not too many of one key.
    /// Returns the link of the plan to keep, if it is still there.
    #[inline(always)]
    fn keep_best<L: Level>(&mut self, width: usize) -> Option<u32> {
        // Most often a part of the list is enough; the rest is only sorted where that runs out.
        let part = (2 * width + 8).min(self.candidates.len());
        if part < self.candidates.len() {
            self.candidates.select_nth_unstable_by(part, better);
        }
        self.candidates[..part].sort_unstable_by(better);
        self.stamp += 1;
        self.next.clear();
        let mut kept = None;
        let mut best: Option<usize> = None;
        let mut sorted = part;
        let mut i = 0;
        while i < self.candidates.len() && self.next.len() < width {
            if i == sorted {
                self.candidates[sorted..].sort_unstable_by(better);
                sorted = self.candidates.len();
            }
            let c = self.candidates[i];
            i += 1;
            if !self.fresh(c.hash) || !self.below_key_bound(c.key) && !c.kept {
                continue;
            }
            let (parent, from) = &self.layer[c.parent as usize];
            let mut state = parent.clone();
            state.apply::<L>(c.step);
            let link = self.links.len() as u32;
            self.links.push(Link {
                parent: *from,
                step: c.step,
            });
            if c.kept {
                kept = Some(link);
            }
            if best.is_none_or(|b| c.value > self.candidates[b].value) {
                best = Some(i - 1);
                // The best state goes first: the kept plan sorts first without being the best.
                self.next.push((state, link));
                let last = self.next.len() - 1;
                self.next.swap(0, last);
            } else {
                self.next.push((state, link));
            }
        }
        if let Some(b) = best {
            self.candidates.swap(0, b);
        }
        core::mem::swap(&mut self.layer, &mut self.next);
        kept
    }

    /// True the first time a hash is met in this layer.
    #[inline(always)]
    fn fresh(&mut self, hash: u64) -> bool {
        let mask = self.seen.len() - 1;
        let mut at = (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize & mask;
        while self.seen[at].1 == self.stamp {
            if self.seen[at].0 == hash {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.seen[at] = (hash, self.stamp);
        true
    }

    /// Counts a state of this key; `false` when there are enough.
    #[inline(always)]
    fn below_key_bound(&mut self, key: u32) -> bool {
        if self.params.per_key == 0 {
            return true;
        }
        let mask = self.keys.len() - 1;
        let mut at = (u64::from(key).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize & mask;
        while self.keys[at].2 == self.stamp && self.keys[at].0 != key {
            at = (at + 1) & mask;
        }
        let count = if self.keys[at].2 == self.stamp {
            self.keys[at].1
        } else {
            0
        };
        self.keys[at] = (key, count + 1, self.stamp);
        (count as usize) < self.params.per_key
    }

    /// Writes the plan that ends at `link`.
    fn trace(&mut self, mut link: u32) {
        self.plan.clear();
        while link != START {
            self.plan.push(self.links[link as usize].step);
            link = self.links[link as usize].parent;
        }
        self.plan.reverse();
    }
}

/// The kept plan first, then by falling value; equal values in an order that does not depend on the sort.
#[inline(always)]
fn better<S>(a: &Candidate<S>, b: &Candidate<S>) -> core::cmp::Ordering {
    b.kept
        .cmp(&a.kept)
        .then(b.value.total_cmp(&a.value))
        .then(a.hash.cmp(&b.hash))
        .then(a.parent.cmp(&b.parent))
}

/// The whole search as a kernel.
struct Run<'a, P: Plan> {
    beam: &'a mut Beam<P>,
    start: &'a P,
    keep: &'a [P::Step],
    limit: Limit,
}

impl<P: Plan> Kernel for Run<'_, P> {
    type Out = Found;
    #[inline(always)]
    fn run<L: Level>(self) -> Found {
        self.beam.run::<L>(self.start, self.keep, &self.limit)
    }
}
