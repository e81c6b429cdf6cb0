//! One node of alpha-beta, and its parts: probe, prune, pick, child, learn.

use super::policy::{Before, Picker, Policy};
use super::{away, home, Tables, HISTORY, MAX_PLY, WIN, WON};
use crate::kit::cpu::{Kernel, Level};
use crate::search::game::Game;
use crate::search::tt::{Bound, Entry, COMPLETE};

/// A position to be searched.
pub(in crate::search) struct Node<'a, G: Game<2>, P> {
    pub tables: &'a mut Tables<G::Move>,
    pub policy: &'a mut P,
    pub game: &'a mut G,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub ply: usize,
    /// A null move may be tried.
    pub null: bool,
}

/// Which moves of a node are searched, and which have been.
struct Picks<M, Z> {
    /// The moves that are allowed.
    only: u64,
    /// There is little choice: nothing is left out.
    forced: bool,
    /// First of the node's moves in the list.
    base: usize,
    /// How many have been given out.
    at: usize,
    /// The table's move and the killers, as far as they are legal: the first `known` of these.
    early: [M; 3],
    known: usize,
    /// All moves are in the list.
    listed: bool,
    /// There is a legal move, allowed or not.
    any: bool,
    lazy: Option<Z>,
}

impl<M: Copy + Eq, Z> Picks<M, Z> {
    /// The score of a move that a position has, unless it is not to be listed.
    #[inline(always)]
    fn score<G: Game<2, Move = M>, P: Policy<G>>(
        &mut self,
        game: &G,
        history: &[i32],
        mut score: i32,
        m: M,
    ) -> Option<i32> {
        self.any = true;
        let place = self.early[..self.known].iter().position(|&e| e == m);
        if (P::STAGED && place.is_some()) || (P::BEFORE && !P::allows(self.only, m)) {
            return None;
        }
        if P::HISTORY {
            score += history[P::index(game, m)];
        }
        if !P::STAGED {
            score = place.map_or(score, |place| i32::MAX - place as i32);
        }
        Some(score)
    }
}

impl<G: Game<2>, P: Policy<G>> Kernel for Node<'_, G, P> {
    type Out = i32;

    #[inline(always)]
    fn run<L: Level>(mut self) -> i32 {
        self.tables.work.nodes += 1;
        if P::PREFETCH {
            self.prefetch(self.policy.hash(self.game), self.depth);
        }
        if !P::POLL_INSIDE && self.tables.work.look(P::POLL) {
            return 0;
        }
        if let Some(value) = self.policy.result::<L>(self.game) {
            return self.known(value);
        }
        let (mut only, mut forced) = (!0, false);
        if P::BEFORE {
            let window = (self.alpha, self.beta);
            let work = &mut self.tables.work;
            match self.policy.before::<L>(self.game, window, work) {
                Before::Decided(value) => return self.known(value),
                Before::Open => {}
                Before::Only(bits) => only = bits,
                Before::Forced(bits) => {
                    (only, forced) = (bits, true);
                    self.depth = self.depth.max(1);
                }
            }
        }
        let mut leaf = self.depth <= 0;
        if P::EXTENDS && leaf {
            leaf = !self.policy.restless::<L>(self.game, -self.depth);
        }
        if leaf || self.ply + 1 >= MAX_PLY {
            let value = self.policy.evaluate::<L>(self.game);
            return self.guess(value);
        }
        if P::POLL_INSIDE && self.tables.work.look(P::POLL) {
            return 0;
        }
        let mut hash = 0;
        let mut hint: Option<G::Move> = None;
        if P::TABLE {
            hash = self.policy.hash(self.game);
            match self.probe(hash) {
                Ok(value) => return value,
                Err(best) => hint = best,
            }
            if P::BLIND && hint.is_none() {
                self.depth -= self.policy.blind(self.depth);
            }
        }
        let scout = self.beta - self.alpha == 1 && self.alpha > -WON && self.beta < WON && !forced;
        if (P::FUTILITY || P::NULL_MOVE) && scout {
            if let Some(value) = self.prune::<L>() {
                return self.guess(value);
            }
        }
        let mut picks = Picks {
            only,
            forced,
            base: self.tables.list.len(),
            at: 0,
            early: [G::Move::default(); 3],
            known: 0,
            listed: false,
            any: false,
            lazy: None,
        };
        if P::TABLE || P::KILLERS {
            self.hint(&mut picks, hint);
        }
        let found = self.moves::<L>(&mut picks, scout);
        self.tables.list.truncate(picks.base);
        if self.tables.work.stopped {
            return 0;
        }
        let Some((value, best, bound)) = found else {
            return self.stuck::<L>(picks.any);
        };
        if P::TABLE {
            let entry = Entry::new(hash, value, best, self.depth, bound);
            self.tables.store::<G, P>(hash, entry, self.ply);
        }
        value
    }
}

impl<G: Game<2>, P: Policy<G>> Node<'_, G, P> {
    /// Asks the caches for what a node of this depth will look up.
    #[inline(always)]
    fn prefetch(&self, hash: u64, depth: i32) {
        self.policy.prefetch(hash);
        if P::TABLE && depth > 0 {
            self.tables.table.prefetch(hash >> P::SHIFT);
        }
    }

    /// A value that stands without any evaluation.
    #[inline(always)]
    fn known(&mut self, value: i32) -> i32 {
        if P::PROVES {
            self.tables.complete = true;
        }
        if P::MATES {
            away(value, self.ply)
        } else {
            value
        }
    }

    /// A value that rests on an evaluation.
    #[inline(always)]
    fn guess(&mut self, value: i32) -> i32 {
        if P::PROVES {
            self.tables.complete = false;
        }
        value
    }

    /// What the table says: the value, or at least a move if it knows the position.
    #[inline(always)]
    fn probe(&mut self, hash: u64) -> Result<i32, Option<G::Move>> {
        let entry = self.tables.find::<G, P>(hash);
        if entry.key != hash {
            return Err(None);
        }
        if i32::from(entry.depth) >= self.depth {
            let value = if P::MATES {
                away(entry.value, self.ply)
            } else {
                entry.value
            };
            if entry.decides(value, self.alpha, self.beta) {
                if P::PROVES {
                    self.tables.complete = entry.depth == COMPLETE;
                }
                return Ok(value);
            }
        }
        Err(Some(entry.best))
    }

    /// A value so far outside the window that no search is needed.
    #[inline(always)]
    fn prune<L: Level>(&mut self) -> Option<i32> {
        let (depth, beta) = (self.depth, self.beta);
        let still = self.policy.evaluate::<L>(self.game);
        if P::FUTILITY {
            let above = self.policy.futile(depth);
            let below = self.policy.hopeless(depth);
            if above.is_some_and(|margin| still - margin >= beta)
                || below.is_some_and(|margin| still + margin <= self.alpha)
            {
                return Some(still);
            }
        }
        if P::NULL_MOVE && self.null && still >= beta {
            let depth = self.policy.null_depth(depth)?;
            let mut child = self.policy.pass(self.game)?;
            let value = Node {
                tables: self.tables,
                policy: self.policy,
                game: &mut child,
                depth,
                alpha: beta - 1,
                beta,
                ply: self.ply + 1,
                null: false,
            }
            .value_for::<L>(self.game.to_move());
            if (value >= beta && value < WON) || self.tables.work.stopped {
                return Some(value);
            }
        }
        None
    }

    /// The value for `me`, to whom the window belongs too.
    #[inline(always)]
    pub fn value_for<L: Level>(mut self, me: usize) -> i32 {
        if !P::ALTERNATES && self.game.to_move() == me {
            return L::enter(self);
        }
        (self.alpha, self.beta) = (-self.beta, -self.alpha);
        -L::enter(self)
    }

    /// The position after a move, `depth` plies deep: the first move in the whole window, others in one of
    /// no width, `less` plies less deep, until one is better than thought.
    #[inline(always)]
    pub fn child<L: Level>(&mut self, m: G::Move, number: usize, less: i32, depth: i32) -> i32 {
        let me = self.game.to_move();
        let (alpha, beta, ply) = (self.alpha, self.beta, self.ply + 1);
        let tables = &mut *self.tables;
        let first = if P::SCOUT && number > 0 {
            (depth - less, alpha + 1)
        } else {
            (depth, beta)
        };
        self.policy.step(self.game, m, |policy, child| {
            let (mut tried, mut top) = first;
            loop {
                let node = Node {
                    tables: &mut *tables,
                    policy: &mut *policy,
                    game: &mut *child,
                    depth: tried,
                    alpha,
                    beta: top,
                    ply,
                    null: true,
                };
                let value = node.value_for::<L>(me);
                let last = tried == depth && (top == beta || value >= beta);
                if last || value <= alpha || (!P::POLL_INSIDE && tables.work.stopped) {
                    return value;
                }
                if tried < depth {
                    tried = depth;
                } else {
                    top = beta;
                }
            }
        })
    }

    /// Puts the table's move and the killers in front.
    #[inline(always)]
    fn hint(&mut self, picks: &mut Picks<G::Move, P::Lazy>, hint: Option<G::Move>) {
        let killers = if P::KILLERS {
            self.tables.killers[self.ply].map(Some)
        } else {
            [None; 2]
        };
        for m in [hint, killers[0], killers[1]].into_iter().flatten() {
            if picks.early[..picks.known].contains(&m)
                || (P::BEFORE && !P::allows(picks.only, m))
                || (P::STAGED && !self.policy.legal(self.game, m))
            {
                continue;
            }
            if P::STAGED && !P::LAZY {
                self.tables.list.push((-(picks.known as i32), m));
            }
            picks.early[picks.known] = m;
            picks.known += 1;
        }
    }

    /// Lists all moves not given out yet, with their scores.
    #[inline(always)]
    fn list<L: Level>(&mut self, picks: &mut Picks<G::Move, P::Lazy>) {
        let game = &*self.game;
        let Tables {
            list, history, work, ..
        } = &mut *self.tables;
        self.policy.each::<L>(game, work, |score, m| {
            if let Some(score) = picks.score::<G, P>(game, history, score, m) {
                list.push((score, m));
            }
        });
    }

    /// The next move and its score.
    #[inline(always)]
    fn pick<L: Level>(&mut self, picks: &mut Picks<G::Move, P::Lazy>) -> Option<(i32, G::Move)> {
        if P::LAZY {
            return self.pick_lazily(picks);
        }
        let next = picks.base + picks.at;
        if next == self.tables.list.len() && !picks.listed {
            picks.listed = true;
            self.list::<L>(picks);
        }
        // Score and place as one number, so that several are compared at once; of equal scores the first.
        let mut top = i64::MIN | i64::from(u32::MAX);
        let mut second = top;
        for (i, entry) in self.tables.list[next..].iter().enumerate() {
            let this = i64::from(entry.0) << 32 | i64::from(!i as u32);
            if P::PREFETCH {
                second = second.max(top.min(this));
            }
            top = top.max(this);
        }
        let top = !top as u32 as usize;
        if P::PREFETCH {
            // Its slots are there once the search below the move picked now is done.
            if let Some(&(_, m)) = self.tables.list.get(next + !second as u32 as usize) {
                let hash = self.policy.hash_after(self.game, m);
                self.prefetch(hash, self.depth - 1);
            }
        }
        let left = &mut self.tables.list[next..];
        if P::STABLE {
            left.get_mut(..=top)?.rotate_right(1);
        } else if top > 0 {
            left.swap(0, top);
        }
        picks.at += 1;
        left.first().copied()
    }

    /// The same where moves are made one by one.
    #[inline(always)]
    fn pick_lazily(&mut self, picks: &mut Picks<G::Move, P::Lazy>) -> Option<(i32, G::Move)> {
        if picks.at < picks.known {
            picks.at += 1;
            return Some((0, picks.early[picks.at - 1]));
        }
        // Not by a closure, which would be compiled for the plain machine.
        if picks.lazy.is_none() {
            picks.lazy = Some(P::Lazy::new(self.game));
        }
        let lazy = picks.lazy.as_mut()?;
        loop {
            let m = lazy.next()?;
            if !picks.early[..picks.known].contains(&m) {
                return Some((0, m));
            }
        }
    }

    /// Tries the moves; the best with its value and what that is, or nothing where there is none. `scout`: a
    /// window of no width, no proofs, some choice.
    #[inline(always)]
    fn moves<L: Level>(
        &mut self,
        picks: &mut Picks<G::Move, P::Lazy>,
        scout: bool,
    ) -> Option<(i32, G::Move, Bound)> {
        let floor = self.alpha;
        let mut best = (-WIN - 1, G::Move::default());
        let (mut sure, mut all) = (false, true);
        let mut number = 0;
        loop {
            if P::WIDTH && number >= self.policy.width(self.depth, scout) && best.0 > -WON {
                // What was not looked at must not be called lost.
                all = false;
                break;
            }
            let Some((score, m)) = self.pick::<L>(picks) else {
                break;
            };
            let mut less = 0;
            if P::REDUCE && number > 0 && !picks.forced {
                less = self.policy.reduction(self.depth, number, score);
            }
            let mut depth = self.depth - 1;
            if P::EXTEND_SINGLE && picks.listed && self.tables.list.len() == picks.base + 1 {
                depth += 1;
            }
            let value = self.child::<L>(m, number, less, depth);
            if self.tables.work.stopped {
                break;
            }
            if P::PROVES {
                all &= self.tables.complete;
            }
            if value > best.0 {
                best = (value, m);
                if P::PROVES {
                    sure = self.tables.complete;
                }
                self.alpha = self.alpha.max(value);
                if value >= self.beta {
                    if P::KILLERS || P::HISTORY {
                        self.learn(picks.base, number, m);
                    }
                    break;
                }
            }
            number += 1;
        }
        let bound = Bound::of(best.0, floor, self.beta);
        if P::PROVES {
            // A move good enough needs no look at the others; a bound from above needs all of them. A win
            // counts as soon as one is found: which of several is the shortest is left open.
            self.tables.complete = match bound {
                Bound::Lower => sure || best.0 >= WON,
                _ => all || best.0 <= -WON || (best.0 >= WON && bound == Bound::Exact),
            };
        }
        (best.0 >= -WIN).then_some((best.0, best.1, bound))
    }

    /// The node has no move: those that are not allowed lose at once, or there is none at all and a pass is
    /// played.
    #[inline(always)]
    fn stuck<L: Level>(&mut self, any: bool) -> i32 {
        if P::BEFORE && any {
            return self.known(2 - WIN);
        }
        let pass = self.policy.no_move();
        self.child::<L>(pass, 0, 0, self.depth - 1)
    }

    /// A cut by `m`: killers and history learn it, and the moves tried before it lose.
    #[inline(always)]
    fn learn(&mut self, base: usize, number: usize, m: G::Move) {
        let Tables {
            list,
            history,
            killers,
            ..
        } = &mut *self.tables;
        if P::KILLERS && killers[self.ply][0] != m {
            killers[self.ply] = [m, killers[self.ply][0]];
        }
        if P::HISTORY {
            let mut push = |m, gain: i32| {
                let cell = &mut history[P::index(self.game, m)];
                *cell += gain - *cell * gain.abs() / HISTORY;
            };
            let (gain, loss) = self.policy.gain(self.depth);
            push(m, gain);
            for &(_, worse) in &list[base..base + number] {
                push(worse, -loss);
            }
        }
    }
}

impl<M: Copy + Default> Tables<M> {
    /// The entry of a slot; its key says whether it is this position's.
    #[inline(always)]
    pub(super) fn find<G: Game<2>, P: Policy<G>>(&self, hash: u64) -> &Entry<M> {
        if P::KEEP_DEEP {
            self.table.get_deep(hash >> P::SHIFT, hash)
        } else {
            self.table.get(hash >> P::SHIFT)
        }
    }

    /// Remembers a value, a proof as its distance from here.
    #[inline(always)]
    pub(super) fn store<G: Game<2>, P: Policy<G>>(&mut self, hash: u64, mut entry: Entry<M>, ply: usize) {
        if P::MATES {
            entry.value = home(entry.value, ply);
        }
        if P::PROVES && self.complete {
            entry.depth = COMPLETE;
        }
        if P::KEEP_DEEP {
            self.table.put_deep(hash >> P::SHIFT, entry);
        } else {
            self.table.put(hash >> P::SHIFT, entry);
        }
    }
}
