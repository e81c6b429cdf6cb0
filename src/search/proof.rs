//! Depth-first proof-number search (df-pn): whether the side to move can force a win, without any evaluation.
//!
//! It goes where the fewest positions are left to settle, so it follows lines of few replies much deeper than a search
//! of equal depths. Rules, threats and order come from the [`Policy`] of alpha-beta. Handles alternating games without
//! cycles; results are a win of the side to move, or not (where games can be drawn: at most a draw). Does not
//! say how long a win takes, and a proof need not be the shortest.
//!
//! A position has two numbers: what the attacker lacks to a win, and what the defender lacks to preventing it. The side
//! to move takes the least of its moves' numbers; the other needs all of them, for which the largest counts, plus one for
//! every other that is open: a sum would count a position that several moves lead to again and again (weak
//! proof-number search, Ueda et al. 2008).
//!
//! Memory: a table of 16 bytes an entry, and one list, both taken by [`Prover::new`]. The table lives from search to
//! search, so the next move's question finds this one's answers.

use super::alphabeta::policy::{Before, Policy};
use super::alphabeta::{Work, WON};
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, prefetch, Kernel, Level};
use crate::search::game::Game;

/// Of a number: never.
const NEVER: u32 = 1 << 28;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fact {
    key: u64,
    /// What attacker and defender lack; 0 once they have it.
    lack: [u32; 2],
}

impl Fact {
    /// Settled: the attacker wins, or it does not.
    const fn settled(key: u64, wins: bool) -> Self {
        let lack = if wins { [0, NEVER] } else { [NEVER, 0] };
        Self { key, lack }
    }

    const fn is_settled(&self) -> bool {
        self.lack[0] == 0 || self.lack[1] == 0
    }
}

/// The search with its table.
pub struct Prover<M> {
    table: Vec<Fact>,
    list: Vec<(M, Fact)>,
    work: Work,
    /// Whose win is asked for.
    attacker: usize,
}

impl<M: Copy + Eq + Default> Prover<M> {
    /// Memory for `entries` positions, a power of two, and lines of `room` moves in all.
    pub fn new(entries: usize, room: usize) -> Self {
        Self {
            table: vec![Fact::settled(0, false); entries],
            list: Vec::with_capacity(room),
            work: Work::new(Limit::work(0)),
            attacker: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.fill(Fact::settled(0, false));
    }

    /// Whether `attacker` wins whatever the other plays, if that can be told within the limit, which counts positions.
    pub fn prove<G: Game<2, Move = M>, P: Policy<G>>(
        &mut self,
        policy: &mut P,
        game: &G,
        attacker: usize,
        limit: Limit,
    ) -> Option<bool> {
        self.work = Work::new(limit);
        self.attacker = attacker;
        self.list.clear();
        let fact = cpu::run(Start {
            prover: self,
            policy,
            game,
        });
        fact.is_settled().then_some(fact.lack[0] == 0)
    }

    /// Positions looked at by the last search.
    pub fn nodes(&self) -> u64 {
        self.work.nodes
    }

    /// Whether the last question's attacker wins at `game`, as far as the table still knows.
    pub fn known<G: Game<2, Move = M>, P: Policy<G>>(&self, policy: &P, game: &G) -> Option<bool> {
        let key = self.key(policy, game);
        let fact = self.table[self.slot(key)];
        (fact.key == key && fact.is_settled()).then_some(fact.lack[0] == 0)
    }

    /// The two questions about a position have entries of their own.
    #[inline(always)]
    fn key<G: Game<2, Move = M>, P: Policy<G>>(&self, policy: &P, game: &G) -> u64 {
        policy.hash(game) ^ (self.attacker as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        (key >> 20) as usize & (self.table.len() - 1)
    }

    #[inline(always)]
    fn store(&mut self, fact: Fact) {
        let slot = self.slot(fact.key);
        self.table[slot] = fact;
    }

    /// A position's numbers: settled by the rules, remembered, or as they are for one not seen yet.
    #[inline(always)]
    fn meet<L: Level, G: Game<2, Move = M>, P: Policy<G>>(
        &mut self,
        policy: &mut P,
        game: &G,
        key: u64,
    ) -> Fact {
        self.work.nodes += 1;
        let known = self.table[self.slot(key)];
        if known.key == key {
            return known;
        }
        if let Some(value) = policy.result::<L>(game) {
            return self.told(game, key, value);
        }
        if P::BEFORE {
            if let Before::Decided(value) = policy.before::<L>(game, self.window(game), &mut self.work) {
                return self.told(game, key, value);
            }
        }
        // To begin with the number of moves was worse by a quarter of what is proven.
        Fact { key, lack: [1; 2] }
    }

    /// Whose turn it is: 0 the attacker's.
    #[inline(always)]
    fn side<G: Game<2, Move = M>>(&self, game: &G) -> usize {
        usize::from(game.to_move() != self.attacker)
    }

    /// Values for the side to move from the upper bound on say that it reaches its aim.
    #[inline(always)]
    fn window<G: Game<2, Move = M>>(&self, game: &G) -> (i32, i32) {
        if self.side(game) == 0 {
            (WON - 1, WON)
        } else {
            (-WON, 1 - WON)
        }
    }

    /// What a value for the side to move settles.
    #[inline(always)]
    fn told<G: Game<2, Move = M>>(&self, game: &G, key: u64, value: i32) -> Fact {
        let reached = value >= self.window(game).1;
        Fact::settled(key, reached == (self.side(game) == 0))
    }
}

/// The root.
struct Start<'a, G: Game<2>, P> {
    prover: &'a mut Prover<G::Move>,
    policy: &'a mut P,
    game: &'a G,
}

impl<G: Game<2>, P: Policy<G>> Kernel for Start<'_, G, P> {
    type Out = Fact;

    #[inline(always)]
    fn run<L: Level>(self) -> Fact {
        let key = self.prover.key(self.policy, self.game);
        let fact = self.prover.meet::<L, G, P>(self.policy, self.game, key);
        if fact.is_settled() {
            self.prover.store(fact);
            return fact;
        }
        L::enter(Node {
            prover: self.prover,
            policy: self.policy,
            game: self.game,
            key: fact.key,
            bounds: [NEVER; 2],
        })
    }
}

/// An open position, searched until one of its numbers reaches its bound.
struct Node<'a, G: Game<2>, P> {
    prover: &'a mut Prover<G::Move>,
    policy: &'a mut P,
    game: &'a G,
    key: u64,
    bounds: [u32; 2],
}

impl<G: Game<2>, P: Policy<G>> Kernel for Node<'_, G, P> {
    type Out = Fact;

    #[inline(always)]
    fn run<L: Level>(mut self) -> Fact {
        let base = self.prover.list.len();
        let settled = self.expand::<L>(base);
        let fact = settled.unwrap_or_else(|| self.narrow::<L>(base));
        self.prover.list.truncate(base);
        self.prover.store(fact);
        fact
    }
}

impl<G: Game<2>, P: Policy<G>> Node<'_, G, P> {
    /// Lists the moves with what is known of the positions after them; the node's fact if one of them settles it.
    #[inline(always)]
    fn expand<L: Level>(&mut self, base: usize) -> Option<Fact> {
        let mut only = !0;
        if P::BEFORE {
            let window = self.prover.window(self.game);
            match self.policy.before::<L>(self.game, window, &mut self.prover.work) {
                Before::Decided(value) => return Some(self.prover.told(self.game, self.key, value)),
                Before::Open => {}
                Before::Only(bits) | Before::Forced(bits) => only = bits,
            }
        }
        let Prover { list, work, .. } = &mut *self.prover;
        let mut any = false;
        self.policy.each::<L>(self.game, work, |_, m| {
            any = true;
            if !P::BEFORE || P::allows(only, m) {
                list.push((m, Fact::settled(0, false)));
            }
        });
        if !any {
            list.push((self.policy.no_move(), Fact::settled(0, false)));
        }
        let side = self.prover.side(self.game);
        // The caches are asked for the slots of all children first: they are far apart, and each would be waited for.
        for i in base..self.prover.list.len() {
            let child = self.after(i);
            let key = self.prover.key(self.policy, &child);
            prefetch(&self.prover.table[self.prover.slot(key)]);
            self.prover.list[i].1.key = key;
        }
        for i in base..self.prover.list.len() {
            let key = self.prover.list[i].1.key;
            let child = self.after(i);
            let fact = self.prover.meet::<L, G, P>(self.policy, &child, key);
            if fact.lack[side] == 0 {
                return Some(Fact::settled(self.key, side == 0));
            }
            self.prover.list[i].1 = fact;
        }
        None
    }

    /// The position after a listed move.
    #[inline(always)]
    fn after(&self, at: usize) -> G {
        let mut child = self.game.clone();
        self.policy.play(&mut child, self.prover.list[at].0);
        child
    }

    /// Searches the child nearest to the aim of the side to move, again and again.
    #[inline(always)]
    fn narrow<L: Level>(&mut self, base: usize) -> Fact {
        let side = self.prover.side(self.game);
        loop {
            let (mut first, mut second, mut best) = (NEVER, NEVER, base);
            let (mut most, mut open) = (0, 0);
            for (i, (_, child)) in self.prover.list.iter().enumerate().skip(base) {
                let near = child.lack[side];
                if near < first {
                    (second, first, best) = (first, near, i);
                } else {
                    second = second.min(near);
                }
                let far = child.lack[side ^ 1];
                if far != 0 {
                    most = most.max(far);
                    open += 1;
                }
            }
            // With none open every move fails. A move that is settled well leaves the other side nothing.
            let extra = u32::max(open, 1) - 1;
            let mut fact = Fact::settled(self.key, side == 0);
            if first > 0 {
                fact.lack[side] = first;
                fact.lack[side ^ 1] = if most == 0 {
                    0
                } else {
                    (most + extra).min(NEVER - 1)
                };
            }
            let full = (0..2).any(|k| fact.lack[k] >= self.bounds[k]);
            if full || fact.is_settled() || self.prover.work.look(256) {
                return fact;
            }
            let (child, known) = (self.after(best), self.prover.list[best].1);
            let mut bounds = [0; 2];
            bounds[side] = self.bounds[side].min(second + second / 4 + 1);
            bounds[side ^ 1] = self.bounds[side ^ 1].saturating_sub(extra).max(1);
            let node = Node {
                prover: self.prover,
                policy: self.policy,
                game: &child,
                key: known.key,
                bounds,
            };
            self.prover.list[best].1 = L::enter(node);
        }
    }
}
