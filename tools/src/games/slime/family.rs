//! The alpha-beta family for four seats, on slime positions with the bot's opinions: max^n, paranoid, best reply.
//!
//! Iterative deepening under a limit; exact values when the game ends within the depth. No bot plays with it: it is
//! what the tree search is measured against (`benches/MEASURED.md`). Values are per seat, `0.0..=1.0`.

use super::view::View;
use fifty::games::slime::moves::Move;
use fifty::games::slime::state::SEATS;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::{self, Kernel, Level};

/// Plies that a search can look ahead.
pub const MAX_PLY: usize = 64;

/// How the others are taken to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Each for himself: max^n, with shallow pruning where shares sum to at most 1.
    Themselves,
    /// All against me, one after the other.
    Paranoid,
    /// All against me, but only one of them moves between two moves of mine.
    BestReply,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepened {
    /// The best move; `None` only where the game is over.
    pub best: Option<Move>,
    /// Value per seat (paranoid and best reply: the asking seat's entry alone means something).
    pub value: [f32; SEATS],
    /// Plies of the last finished iteration.
    pub depth: usize,
    /// Positions visited.
    pub nodes: u64,
    /// No evaluation had a part in it: exact under the assumption about the others.
    pub proven: bool,
}

/// The search: buffers, reused from move to move.
pub struct Family {
    /// How the others are taken to play; may be changed between searches.
    pub others: Others,
    /// Last depth of the deepening, in plies.
    pub last_depth: usize,
    /// Nodes between two looks at the clock.
    pub poll: u64,
    stack: Vec<Move>,
    me: usize,
    nodes: u64,
    limit: Limit,
    stopped: bool,
    horizon: bool,
}

impl Family {
    /// Buffers for positions of up to `widest` moves.
    pub fn new(others: Others, widest: usize) -> Self {
        Self {
            others,
            last_depth: MAX_PLY,
            poll: 64,
            stack: Vec::with_capacity(widest * (SEATS + 1) * MAX_PLY),
            me: 0,
            nodes: 0,
            limit: Limit::work(0),
            stopped: false,
            horizon: false,
        }
    }

    /// Searches for the mover until the limit, the last depth, or an exact value. Always finds a legal
    /// move if there is one, however small the limit.
    pub fn search(&mut self, state: &View, limit: Limit) -> Deepened {
        self.limit = limit;
        self.nodes = 0;
        self.stopped = false;
        self.stack.clear();
        cpu::run(Deepen { search: self, state })
    }

    #[inline(always)]
    fn deepen<L: Level>(&mut self, state: &View) -> Deepened {
        let mut found = Deepened {
            best: None,
            value: [0.0; SEATS],
            depth: 0,
            nodes: 0,
            proven: false,
        };
        if let Some(value) = state.result() {
            (found.value, found.proven) = (value, true);
            return found;
        }
        let me = state.seat;
        self.me = me;
        state.moves(&mut self.stack);
        found.best = self.stack.first().copied();
        let count = self.stack.len();
        for depth in 1..=self.last_depth.min(MAX_PLY - 1) {
            self.horizon = false;
            let mut best = [f32::NEG_INFINITY; SEATS];
            let mut best_at = None;
            for i in 0..count {
                let mut next = state.clone();
                next.play(self.stack[i]);
                let floor = best[me];
                let value = self.node::<L>(&next, depth - 1, floor, f32::INFINITY, me);
                if self.stopped {
                    break;
                }
                if value[me] > best[me] {
                    (best, best_at) = (value, Some(i));
                }
            }
            if let Some(i) = best_at {
                // Also from an unfinished iteration: the best move of the last one was looked at first.
                found.best = Some(self.stack[i]);
                found.value = best;
                if !self.stopped {
                    found.depth = depth;
                    found.proven = !self.horizon;
                }
                self.stack[..=i].rotate_right(1);
            }
            if self.stopped || found.proven {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// Enters one node at this level's instruction set. `alpha` and `beta` bound my value; `last` is the
    /// seat that chose the move here.
    #[inline(always)]
    fn node<L: Level>(
        &mut self,
        state: &View,
        depth: usize,
        alpha: f32,
        beta: f32,
        last: usize,
    ) -> [f32; SEATS] {
        L::enter(Node {
            search: self,
            state,
            depth,
            alpha,
            beta,
            last,
        })
    }

    #[inline(always)]
    fn visit<L: Level>(
        &mut self,
        state: &View,
        depth: usize,
        alpha: f32,
        beta: f32,
        last: usize,
    ) -> [f32; SEATS] {
        self.nodes += 1;
        if self.nodes > self.limit.work
            || (self.nodes % self.poll.max(1) == 0 && self.limit.reached(self.nodes))
        {
            self.stopped = true;
            return [0.0; SEATS];
        }
        if let Some(value) = state.result() {
            return value;
        }
        let mover = state.seat;
        if depth == 0 {
            self.horizon = true;
            return state.evaluate();
        }
        if self.others == Others::Themselves {
            return self.for_himself::<L>(state, depth, alpha, last, mover);
        }
        if mover == self.me {
            return self.mine::<L>(state, depth, alpha, beta);
        }
        if self.others == Others::BestReply {
            return self.best_reply::<L>(state, depth, alpha, beta);
        }
        let base = self.stack.len();
        state.moves(&mut self.stack);
        let value = self.worst::<L>(state, base, depth, alpha, beta, [f32::INFINITY; SEATS]);
        self.stack.truncate(base);
        value
    }

    /// max^n: the mover takes what is best for himself. `floor` is what the seat that moved here has
    /// already; once the mover's share leaves less than that, the rest cannot matter to it.
    #[inline(always)]
    fn for_himself<L: Level>(
        &mut self,
        state: &View,
        depth: usize,
        floor: f32,
        last: usize,
        mover: usize,
    ) -> [f32; SEATS] {
        let base = self.stack.len();
        state.moves(&mut self.stack);
        let mut best = [f32::NEG_INFINITY; SEATS];
        for i in base..self.stack.len() {
            let mut next = state.clone();
            next.play(self.stack[i]);
            let value = self.node::<L>(&next, depth - 1, best[mover], f32::INFINITY, mover);
            if self.stopped {
                break;
            }
            if value[mover] > best[mover] {
                best = value;
                // Shares sum to at most 1: `last` gets at most what the mover leaves.
                if mover != last && 1.0 - best[mover] <= floor {
                    best[last] = best[last].min(1.0 - best[mover]);
                    break;
                }
            }
        }
        self.stack.truncate(base);
        best
    }

    /// I take what is best for me.
    #[inline(always)]
    fn mine<L: Level>(&mut self, state: &View, depth: usize, mut alpha: f32, beta: f32) -> [f32; SEATS] {
        let base = self.stack.len();
        state.moves(&mut self.stack);
        let me = self.me;
        let mut best = [f32::NEG_INFINITY; SEATS];
        for i in base..self.stack.len() {
            let mut next = state.clone();
            next.play(self.stack[i]);
            let value = self.node::<L>(&next, depth - 1, alpha, beta, me);
            if self.stopped {
                break;
            }
            if value[me] > best[me] {
                best = value;
                alpha = alpha.max(value[me]);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        best
    }

    /// One opponent takes what is worst for me, starting from `worst`.
    #[inline(always)]
    fn worst<L: Level>(
        &mut self,
        state: &View,
        base: usize,
        depth: usize,
        alpha: f32,
        mut beta: f32,
        mut worst: [f32; SEATS],
    ) -> [f32; SEATS] {
        let me = self.me;
        beta = beta.min(worst[me]);
        for i in base..self.stack.len() {
            if alpha >= beta {
                break;
            }
            let mut next = state.clone();
            next.play(self.stack[i]);
            if self.others == Others::BestReply {
                pass_to(&mut next, me);
            }
            let value = self.node::<L>(&next, depth - 1, alpha, beta, me);
            if self.stopped {
                break;
            }
            if value[me] < worst[me] {
                worst = value;
                beta = beta.min(value[me]);
            }
        }
        worst
    }

    /// The most harmful single reply of all opponents; those before and after it pass.
    #[inline(always)]
    fn best_reply<L: Level>(&mut self, state: &View, depth: usize, alpha: f32, beta: f32) -> [f32; SEATS] {
        let mut worst = [f32::INFINITY; SEATS];
        let mut turn = state.clone();
        for _ in 0..SEATS {
            if turn.seat == self.me {
                break;
            }
            let base = self.stack.len();
            turn.moves(&mut self.stack);
            worst = self.worst::<L>(&turn, base, depth, alpha, beta, worst);
            self.stack.truncate(base);
            if self.stopped || worst[self.me] <= alpha {
                break;
            }
            turn.skip();
            if turn.result().is_some() {
                break;
            }
        }
        worst
    }
}

/// Everybody passes until it is my turn, or the game is over.
#[inline(always)]
fn pass_to(state: &mut View, me: usize) {
    for _ in 0..SEATS {
        if state.seat == me || state.result().is_some() {
            return;
        }
        state.skip();
    }
}

/// The whole search as a kernel.
struct Deepen<'a> {
    search: &'a mut Family,
    state: &'a View,
}

impl Kernel for Deepen<'_> {
    type Out = Deepened;
    #[inline(always)]
    fn run<L: Level>(self) -> Self::Out {
        self.search.deepen::<L>(self.state)
    }
}

/// One node as a kernel: recursion enters the level again.
struct Node<'a> {
    search: &'a mut Family,
    state: &'a View,
    depth: usize,
    alpha: f32,
    beta: f32,
    last: usize,
}

impl Kernel for Node<'_> {
    type Out = [f32; SEATS];
    #[inline(always)]
    fn run<L: Level>(self) -> [f32; SEATS] {
        self.search
            .visit::<L>(self.state, self.depth, self.alpha, self.beta, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, Others, View, pass_to};
    use crate::games::slime::view::{ROOT_WIDTH, position};
    use fifty::games::slime::moves::Move;
    use fifty::games::slime::state::SEATS;
    use fifty::kit::clock::Limit;
    use fifty::kit::rng::Rng;

    fn children(view: &View) -> Vec<View> {
        let mut moves = Vec::new();
        view.moves(&mut moves);
        let after = |m: &Move| {
            let mut next = view.clone();
            next.play(*m);
            next
        };
        moves.iter().map(after).collect()
    }

    fn max_n(view: &View, depth: usize) -> [f32; SEATS] {
        match view.result() {
            Some(shares) => shares,
            None if depth == 0 => view.evaluate(),
            None => children(view)
                .iter()
                .map(|next| max_n(next, depth - 1))
                .reduce(|a, b| if b[view.seat] > a[view.seat] { b } else { a })
                .expect("moves"),
        }
    }

    fn paranoid(view: &View, depth: usize, me: usize) -> f32 {
        match view.result() {
            Some(shares) => shares[me],
            None if depth == 0 => view.evaluate()[me],
            None => {
                let values = children(view)
                    .into_iter()
                    .map(|next| paranoid(&next, depth - 1, me));
                if view.seat == me {
                    values.fold(f32::NEG_INFINITY, f32::max)
                } else {
                    values.fold(f32::INFINITY, f32::min)
                }
            }
        }
    }

    fn best_reply(view: &View, depth: usize, me: usize) -> f32 {
        match view.result() {
            Some(shares) => shares[me],
            None if depth == 0 => view.evaluate()[me],
            None if view.seat == me => children(view)
                .iter()
                .map(|next| best_reply(next, depth - 1, me))
                .fold(f32::NEG_INFINITY, f32::max),
            None => {
                let (mut worst, mut turn) = (f32::INFINITY, view.clone());
                // Who was eliminated gets no turn any more.
                for _ in 0..SEATS {
                    if turn.seat == me || turn.result().is_some() {
                        break;
                    }
                    for mut next in children(&turn) {
                        pass_to(&mut next, me);
                        worst = worst.min(best_reply(&next, depth - 1, me));
                    }
                    turn.skip();
                }
                worst
            }
        }
    }

    #[test]
    fn the_family_agrees_with_plain_recursion() {
        let mut rng = Rng::new(5);
        for turns in [0, 3, 10, 22, 40] {
            let mut view = position(4, turns, &mut rng);
            // Below the root all widths are alike, so the root's is too.
            view.root = false;
            let me = view.seat;
            for depth in 1..=3 {
                for others in [Others::Themselves, Others::Paranoid, Others::BestReply] {
                    let mut search = Family::new(others, ROOT_WIDTH);
                    search.last_depth = depth;
                    let found = search.search(&view, Limit::work(u64::MAX));
                    let want = match others {
                        Others::Themselves => max_n(&view, found.depth)[me],
                        Others::Paranoid => paranoid(&view, found.depth, me),
                        Others::BestReply => best_reply(&view, found.depth, me),
                    };
                    assert!(
                        (found.value[me] - want).abs() < 1e-5,
                        "{others:?} {depth} after {turns}: {found:?} {want}"
                    );
                }
            }
        }
    }

    #[test]
    fn small_limits_still_find_a_move() {
        let view = position(8, 9, &mut Rng::new(1));
        for others in [Others::Themselves, Others::Paranoid, Others::BestReply] {
            let mut search = Family::new(others, ROOT_WIDTH);
            for work in 0..60 {
                let found = search.search(&view, Limit::work(work));
                assert!(
                    found.best.is_some() && !found.proven && found.nodes <= work + 1,
                    "{found:?}"
                );
            }
        }
    }
}
