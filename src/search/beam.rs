//! Beam search: the best plans of one seat, layer by layer.
//!
//! Handles: long plans, several moves of a turn as a step each, multi-turn plans (last turn's plan goes in again and
//! stays in the beam), other seats whose moves an opinion foresees, duplicate states by hash, diversity by key, a
//! width that follows the measured time per state so that the last layer ends inside the deadline, the best plan at
//! any moment. The rules are the [`Game`]'s, states are copied and played on; what to try and what it is worth is
//! [`Expand`]'s. Does not handle: proofs, and chance other than the draws of one fixed seed.
//!
//! Memory: two layers of states, one list of candidates, and a link of 8 bytes and a move per kept state, all taken by
//! [`Beam::new`]; a search allocates nothing unless cloning a state does. With a bound on work instead of a clock the
//! answer is the same everywhere.

use super::game::Game;
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::kit::rng::Rng;
use std::time::Instant;

/// Opinions of a beam: which moves are worth trying, and what they lead to. [`Expand::expand`] is the only duty.
pub trait Expand<G: Game<N>, const N: usize> {
    /// No two states of one [`Candidate::hash`] in a layer. `false` needs no table.
    const DISTINCT: bool = true;
    /// Most states of one [`Candidate::key`] in a layer; 0 for no bound, and no table.
    const PER_KEY: usize = 0;

    /// Appends successors of `state`, which lies `depth` steps from the start; none where the plan ends. `out` holds
    /// other states' successors already.
    fn expand<L: Level>(&mut self, state: &G, depth: usize, out: &mut Vec<Candidate<G::Move, N>>);
}

/// A successor that may enter the next layer.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M, const N: usize> {
    /// What every seat does, as [`Game::advance`] takes it.
    pub joint: [M; N],
    /// How good the plan so far is; only compared within a layer, and between plans that have ended.
    pub value: f32,
    /// Equal for states that are worth keeping once; breaks ties, too.
    pub hash: u64,
    /// What [`Expand::PER_KEY`] counts.
    pub key: u32,
    parent: u32,
    kept: bool,
}

impl<M, const N: usize> Candidate<M, N> {
    /// The successor by `joint`.
    #[inline(always)]
    pub fn new(joint: [M; N], value: f32, hash: u64, key: u32) -> Self {
        Self {
            joint,
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
        caution: 0.9,
        poll: 16,
    };
}

/// What a search found; the plan is [`Beam::plan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestLine {
    /// Value of the plan's last state; 0 for an empty plan.
    pub value: f32,
    /// Moves of the plan.
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
struct Link<M> {
    parent: u32,
    step: M,
    value: f32,
}

/// No link: the start.
const START: u32 = u32::MAX;

/// A state of a layer.
struct Kept<G> {
    state: G,
    link: u32,
    value: f32,
}

/// A state at the end of a plan.
#[derive(Clone, Copy)]
struct Tip {
    value: f32,
    link: u32,
    depth: usize,
}

/// The search: layers and buffers, reused from turn to turn.
pub struct Beam<G: Game<N>, E: Expand<G, N>, const N: usize> {
    /// May be changed between searches, within the memory taken at construction.
    pub params: Params,
    /// The opinions; may be changed between searches.
    pub opinions: E,
    layer: Vec<Kept<G>>,
    next: Vec<Kept<G>>,
    candidates: Vec<Candidate<G::Move, N>>,
    links: Vec<Link<G::Move>>,
    // No hash sets: both are emptied by a new stamp, once a layer, and never grow.
    seen: Vec<(u64, u32)>,
    keys: Vec<(u32, u32, u32)>,
    stamp: u32,
    most: usize,
    plan: Vec<G::Move>,
    seat: usize,
    nodes: u64,
}

impl<G: Game<N>, E: Expand<G, N>, const N: usize> Beam<G, E, N> {
    /// Memory for `params`, for states of up to `branching` successors. At least two full layers of
    /// candidates fit, weaker ones are dropped when the list is full.
    pub fn new(params: Params, opinions: E, branching: usize) -> Self {
        let widest = params.widest.max(1);
        let most = (widest * branching).min(widest * 64).max(4 * widest);
        // Every candidate may be looked up, so tables never fill.
        let slots = (2 * (most + branching)).next_power_of_two();
        Self {
            layer: Vec::with_capacity(widest),
            next: Vec::with_capacity(widest),
            candidates: Vec::with_capacity(most + branching),
            links: Vec::with_capacity(widest * params.layers),
            seen: vec![(0, 0); if E::DISTINCT { slots } else { 0 }],
            keys: vec![(0, 0, 0); if E::PER_KEY > 0 { slots } else { 0 }],
            stamp: 0,
            most,
            plan: Vec::with_capacity(params.layers),
            seat: 0,
            nodes: 0,
            params,
            opinions,
        }
    }

    /// The seat's moves in the best plan of the last search, first one first.
    pub fn plan(&self) -> &[G::Move] {
        &self.plan
    }

    /// First moves that entered the beam, how many of the states it kept came of each, and their values in the first
    /// layer, where all can be compared: the best plan's, then by falling number of states.
    pub fn candidates(&self) -> Vec<(G::Move, i32, f32)> {
        let mut found: Vec<(G::Move, i32, f32)> = Vec::new();
        // Where the first move of each link lies in `found`. Parents come before what came of them; START is none.
        let mut first: Vec<usize> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let at = match first.get(link.parent as usize) {
                Some(&at) => at,
                None => found.iter().position(|f| f.0 == link.step).unwrap_or(found.len()),
            };
            if at == found.len() {
                found.push((link.step, 0, link.value));
            }
            found[at].1 += 1;
            first.push(at);
        }
        found.sort_by_key(|f| (self.plan.first() != Some(&f.0), -f.1));
        found
    }

    /// Searches for `seat` until the limit or the last layer. `keep` is a plan that stays in the beam as long as its
    /// moves are among the successors: last turn's plan without the moves that were made.
    pub fn search(&mut self, start: &G, seat: usize, keep: &[G::Move], limit: Limit) -> BestLine {
        self.seat = seat;
        cpu::run(Run {
            beam: self,
            start,
            keep,
            limit,
        })
    }

    #[inline(always)]
    fn run<L: Level>(&mut self, start: &G, keep: &[G::Move], limit: &Limit) -> BestLine {
        let started = Instant::now();
        self.nodes = 0;
        self.plan.clear();
        self.links.clear();
        self.layer.clear();
        self.layer.push(Kept {
            state: start.clone(),
            link: START,
            value: 0.0,
        });
        let mut kept = Some(START);
        let (mut width, mut complete) = (1, false);
        // The best plan that has ended, and the best one of the layer reached.
        let mut ended: Option<Tip> = None;
        let mut open = Tip {
            value: 0.0,
            link: START,
            depth: 0,
        };
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
                complete = true;
                open.value = f32::NEG_INFINITY;
                break;
            }
            let wanted_width = self.width(layers - depth - 1, started, limit);
            kept = self.keep_best(wanted_width);
            open = Tip {
                value: self.layer[0].value,
                link: self.layer[0].link,
                depth: depth + 1,
            };
            width = self.layer.len();
            complete = depth + 1 == layers;
        }
        let best = match ended {
            Some(end) if end.value >= open.value => end,
            _ => open,
        };
        complete |= ended.is_some_and(|end| end.link == best.link);
        self.trace(best.link);
        BestLine {
            value: best.value,
            depth: best.depth,
            nodes: self.nodes,
            width,
            complete,
        }
    }

    /// Lists the successors of the layer, or of its best part when its `share` of the time is over;
    /// `false` when the limit was reached before its end.
    #[inline(always)]
    fn expand_layer<L: Level>(
        &mut self,
        wanted: Option<(u32, G::Move)>,
        limit: &Limit,
        share: Option<Instant>,
        depth: usize,
        ended: &mut Option<Tip>,
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
            let Kept { state, link, value } = &self.layer[i];
            self.opinions.expand::<L>(state, depth, &mut self.candidates);
            if self.candidates.len() == from && ended.is_none_or(|end| *value > end.value) {
                *ended = Some(Tip {
                    value: *value,
                    link: *link,
                    depth,
                });
            }
            for candidate in &mut self.candidates[from..] {
                candidate.parent = i as u32;
                candidate.kept = wanted == Some((*link, candidate.joint[self.seat]));
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
    fn keep_best(&mut self, width: usize) -> Option<u32> {
        // Most often a part of the list is enough; the rest is only sorted where that runs out.
        let part = (2 * width + 8).min(self.candidates.len());
        if part < self.candidates.len() {
            self.candidates.select_nth_unstable_by(part, better);
        }
        self.candidates[..part].sort_unstable_by(better);
        self.stamp += 1;
        self.next.clear();
        let mut kept = None;
        let mut best = f32::NEG_INFINITY;
        let mut sorted = part;
        let mut i = 0;
        // Draws of the rules, if any, fall alike in all searches.
        let mut rng = Rng::new(1);
        while i < self.candidates.len() && self.next.len() < width {
            if i == sorted {
                self.candidates[sorted..].sort_unstable_by(better);
                sorted = self.candidates.len();
            }
            let c = self.candidates[i];
            i += 1;
            if E::DISTINCT && !self.fresh(c.hash) || !self.below_key_bound(c.key) && !c.kept {
                continue;
            }
            let parent = &self.layer[c.parent as usize];
            let mut state = parent.state.clone();
            let link = self.links.len() as u32;
            self.links.push(Link {
                parent: parent.link,
                step: c.joint[self.seat],
                value: c.value,
            });
            state.advance(&c.joint, &mut rng);
            if c.kept {
                kept = Some(link);
            }
            let value = c.value;
            self.next.push(Kept { state, link, value });
            if value > best {
                // The best state goes first: the kept plan sorts first without being the best.
                best = value;
                let last = self.next.len() - 1;
                self.next.swap(0, last);
            }
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
        if E::PER_KEY == 0 {
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
        (count as usize) < E::PER_KEY
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
fn better<M, const N: usize>(a: &Candidate<M, N>, b: &Candidate<M, N>) -> core::cmp::Ordering {
    b.kept
        .cmp(&a.kept)
        .then(b.value.total_cmp(&a.value))
        .then(a.hash.cmp(&b.hash))
        .then(a.parent.cmp(&b.parent))
}

/// The whole search as a kernel.
struct Run<'a, G: Game<N>, E: Expand<G, N>, const N: usize> {
    beam: &'a mut Beam<G, E, N>,
    start: &'a G,
    keep: &'a [G::Move],
    limit: Limit,
}

impl<G: Game<N>, E: Expand<G, N>, const N: usize> Kernel for Run<'_, G, E, N> {
    type Out = BestLine;
    #[inline(always)]
    fn run<L: Level>(self) -> BestLine {
        self.beam.run::<L>(self.start, self.keep, &self.limit)
    }
}
