//! The root of alpha-beta: depth after depth, and the order of its moves.

use super::node::Node;
use super::policy::{Picker, Policy};
use super::{AlphaBeta, Report, Tables, WIN, WON};
use crate::kit::clock::Limit;
use crate::kit::cpu::{self, Kernel, Level};
use crate::search::game::Game;
use crate::search::tt::{Bound, Entry};

impl<G: Game<2>, P: Policy<G>> AlphaBeta<G, P> {
    /// Searches all moves of a position until the limit, the last depth, or a proof. Always finds a legal move
    /// if there is one, however small the limit. `game` comes back as it was.
    pub fn search(&mut self, game: &mut G, limit: Limit) -> Report<G::Move> {
        self.think(game, None, limit)
    }

    /// The same over some of the moves only, all legal there.
    pub fn search_among(&mut self, game: &mut G, moves: &[G::Move], limit: Limit) -> Report<G::Move> {
        self.think(game, Some(moves), limit)
    }

    fn think(&mut self, game: &mut G, moves: Option<&[G::Move]>, limit: Limit) -> Report<G::Move> {
        self.begin(limit, 0);
        let Self { policy, tables } = self;
        tables.list.clear();
        cpu::run(Root {
            tables,
            policy,
            game,
            moves,
        })
    }

    /// Values and moves of the last search's root, `best` first. Only the value of its answer is exact, as far as its
    /// depth was ended; that of another is a bound from above, by which the others are sorted.
    pub fn candidates(&self, best: Option<G::Move>) -> Vec<(i32, G::Move)> {
        let mut list = self.tables.list.clone();
        list.sort_by_key(|e| (Some(e.1) != best, -e.0));
        list
    }
}

struct Root<'a, G: Game<2>, P> {
    tables: &'a mut Tables<G::Move>,
    policy: &'a mut P,
    game: &'a mut G,
    moves: Option<&'a [G::Move]>,
}

impl<G: Game<2>, P: Policy<G>> Kernel for Root<'_, G, P> {
    type Out = Report<G::Move>;

    #[inline(always)]
    fn run<L: Level>(mut self) -> Self::Out {
        let mut report = Report {
            best: None,
            value: 0,
            depth: 0,
            nodes: 0,
            proven: false,
        };
        if let Some(value) = self.policy.result::<L>(self.game) {
            (report.value, report.proven) = (value, true);
            return report;
        }
        self.order::<L>();
        let count = self.tables.list.len();
        if count > 0 {
            report.best = Some(self.tables.list[0].1);
            let (first, last) = self.policy.depths(self.game);
            for depth in first..=last {
                self.aspire::<L>(depth, &mut report);
                if self.tables.work.stopped {
                    break;
                }
                report.depth = depth;
                let proven = report.value.abs() >= WON && WIN - report.value.abs() <= depth;
                report.proven = (P::MATES && proven) || (P::PROVES && self.tables.complete);
                if report.proven || (count == 1 && depth >= 4) {
                    break;
                }
            }
            report.nodes = self.tables.work.nodes;
        }
        report
    }
}

impl<G: Game<2>, P: Policy<G>> Root<'_, G, P> {
    /// Lists the moves: the table's first, then by what looks best after one ply, or by their scores.
    #[inline(always)]
    fn order<L: Level>(&mut self) {
        let Tables { list, work, .. } = &mut *self.tables;
        if let Some(moves) = self.moves {
            list.extend(moves.iter().map(|&m| (0, m)));
        } else if P::LAZY {
            let mut lazy = P::Lazy::new(self.game);
            while let Some(m) = lazy.next() {
                list.push((0, m));
            }
        } else {
            self.policy
                .each::<L>(self.game, work, |score, m| list.push((score, m)));
        }
        let mut hint = None;
        if P::TABLE {
            let hash = self.policy.hash(self.game);
            let entry = self.tables.find::<G, P>(hash);
            hint = (entry.key == hash).then_some(entry.best);
        }
        for i in 0..self.tables.list.len() {
            let (_, m) = self.tables.list[i];
            if hint == Some(m) {
                self.tables.list[i].0 = WIN;
            } else if P::ROOT_ORDER {
                self.tables.list[i].0 = self.node(0, (-WIN, WIN)).child::<L>(m, 0, 0, 0);
            }
        }
        self.tables.list.sort_by_key(|e| -e.0);
    }

    #[inline(always)]
    fn node(&mut self, depth: i32, (alpha, beta): (i32, i32)) -> Node<'_, G, P> {
        Node {
            tables: self.tables,
            policy: self.policy,
            game: self.game,
            depth,
            alpha,
            beta,
            ply: 0,
            null: false,
        }
    }

    /// One depth, with a window around the last value that opens on failure.
    #[inline(always)]
    fn aspire<L: Level>(&mut self, depth: i32, report: &mut Report<G::Move>) {
        let mut window = (-WIN, WIN);
        if P::ASPIRATION && report.depth > 0 && report.value.abs() < WON {
            let half = self.policy.aspiration();
            window = (report.value - half, report.value + half);
        }
        loop {
            let value = self.search::<L>(depth, window, report);
            if !P::ASPIRATION || self.tables.work.stopped {
                return;
            }
            if value <= window.0 && window.0 > -WIN {
                window.0 = -WIN;
            } else if value >= window.1 && window.1 < WIN {
                window.1 = WIN;
            } else {
                return;
            }
        }
    }

    /// All moves at one depth; a better move goes to the front.
    #[inline(always)]
    fn search<L: Level>(
        &mut self,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        report: &mut Report<G::Move>,
    ) -> i32 {
        let floor = alpha;
        let mut best = -WIN - 1;
        let mut all = true;
        for i in 0..self.tables.list.len() {
            let m = self.tables.list[i].1;
            let less = self.policy.root_reduction(depth, i);
            let value = self.node(depth, (alpha, beta)).child::<L>(m, i, less, depth - 1);
            if self.tables.work.stopped {
                let (bound, next) = self.tables.list[i];
                // What was looked at is lost, what was not need not be.
                if P::MATES && best <= -WON && bound > -WON {
                    (report.best, report.value) = (Some(next), bound);
                }
                return best;
            }
            if P::PROVES {
                all &= self.tables.complete;
            }
            self.tables.list[i].0 = value;
            if value > best {
                best = value;
                // Keep the rest in order behind the new first move.
                self.tables.list[..=i].rotate_right(1);
                if value > alpha {
                    alpha = value;
                    report.best = Some(m);
                    report.value = value;
                }
                if value >= beta {
                    break;
                }
            }
        }
        if P::PROVES {
            self.tables.complete = all;
        }
        if P::TABLE {
            let bound = Bound::of(best, floor, beta);
            let hash = self.policy.hash(self.game);
            let entry = Entry::new(hash, best, self.tables.list[0].1, depth, bound);
            self.tables.store::<G, P>(hash, entry, 0);
        }
        best
    }
}
