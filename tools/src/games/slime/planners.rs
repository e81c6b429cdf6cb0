//! Searching opponents that share nothing with the bot but the rules: paranoid, max^n and a tree with greedy playouts.
//!
//! They count squares and open squares beside their own, and order moves by what these gain: what a reader of the
//! contest's page would write first. The alpha-beta family with the bot's own network is [`super::rivals`]. Values are
//! shares per seat. By time or, the same everywhere, by positions looked at.

use fifty::games::slime::board::{Board, dilate};
use fifty::games::slime::moves::Move;
use fifty::games::slime::state::{SEATS, State};
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Plain;
use fifty::kit::rng::Rng;
use std::time::Duration;

/// Moves looked at: at the root, below it by the paranoid search, by max^n, and in the tree.
const WIDTHS: [usize; 4] = [40, 12, 8, 24];
/// Worth of an open square beside one's own, in squares.
const OPEN: f32 = 0.3;
/// Deepest search, in plies.
const DEEPEST: u32 = 11;
/// Plies of a playout.
const PLAYOUT: usize = 8;
/// Exploration of the tree, and nodes it may hold.
const EXPLORE: f32 = 0.25;
const NODES: usize = 1 << 17;
/// For one answer unless the name says otherwise.
const THINK: Duration = Duration::from_millis(60);

/// How a planner looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Paranoid,
    Maxn,
    Tree,
}

/// What an answer may cost.
#[derive(Clone, Copy, Debug)]
enum Cost {
    Time(Duration),
    Positions(u64),
}

/// One searching opponent, without memory between moves.
pub struct Planner {
    style: Style,
    cost: Cost,
    limit: Limit,
    nodes: u64,
    stopped: bool,
    me: usize,
}

impl Planner {
    /// `planner-paranoid`, `planner-maxn` or `planner-tree`, each alone, or with `-60ms` or `-40000` positions.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_prefix("planner-")?;
        let (kin, rest) = name.split_once('-').unwrap_or((name, "60ms"));
        let style = match kin {
            "paranoid" => Style::Paranoid,
            "maxn" => Style::Maxn,
            "tree" => Style::Tree,
            _ => return None,
        };
        let cost = match rest.strip_suffix("ms") {
            Some("60") => Cost::Time(THINK),
            Some(ms) => Cost::Time(Duration::from_millis(ms.parse().ok()?)),
            None => Cost::Positions(rest.parse().ok()?),
        };
        Some(Self {
            style,
            cost,
            limit: Limit::work(0),
            nodes: 0,
            stopped: false,
            me: 0,
        })
    }

    /// The move of the seat on turn of a game that is not over.
    pub fn best(&mut self, state: &State, rng: &mut Rng) -> Move {
        self.limit = match self.cost {
            Cost::Time(span) => Limit::after(span),
            Cost::Positions(count) => Limit::work(count),
        };
        (self.nodes, self.stopped, self.me) = (0, false, state.seat());
        if self.style == Style::Tree {
            return self.grow(state.board(), rng);
        }
        self.deepen(state.board(), rng)
    }

    /// Counts a position; true where the search has to end.
    fn spent(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes >= self.limit.work || self.nodes % 64 == 0 && self.limit.reached(self.nodes);
        self.stopped
    }

    fn deepen(&mut self, board: &Board<SEATS>, rng: &mut Rng) -> Move {
        let mut moves = ranked(board, self.me, WIDTHS[0], rng);
        for depth in 0..DEEPEST {
            let (mut best, mut at) = (-1.0, 0);
            for (i, &m) in moves.iter().enumerate() {
                let mut after = *board;
                after.play(self.me, m);
                let seat = follower(&after, self.me);
                let value = if self.style == Style::Paranoid {
                    self.paranoid(&after, seat, depth, [best, 2.0], rng)
                } else {
                    self.maxn(&after, seat, depth, rng)[self.me]
                };
                if self.stopped {
                    break;
                }
                if value > best {
                    (best, at) = (value, i);
                }
            }
            moves[..=at].rotate_right(1);
            if self.stopped || board.empty.count_ones() <= depth {
                break;
            }
        }
        moves[0]
    }

    fn paranoid(
        &mut self,
        board: &Board<SEATS>,
        seat: usize,
        depth: u32,
        mut window: [f32; 2],
        rng: &mut Rng,
    ) -> f32 {
        if self.spent() || depth == 0 || board.empty == 0 || board.own[self.me] == 0 {
            return shares(board)[self.me];
        }
        let mine = seat == self.me;
        for m in ranked(board, seat, WIDTHS[1], rng) {
            let mut after = *board;
            after.play(seat, m);
            let value = self.paranoid(&after, follower(&after, seat), depth - 1, window, rng);
            if mine {
                window[0] = window[0].max(value);
            } else {
                window[1] = window[1].min(value);
            }
            if self.stopped || window[0] >= window[1] {
                break;
            }
        }
        window[usize::from(!mine)]
    }

    fn maxn(&mut self, board: &Board<SEATS>, seat: usize, depth: u32, rng: &mut Rng) -> [f32; SEATS] {
        if self.spent() || depth == 0 || board.empty == 0 {
            return shares(board);
        }
        let mut best = [-1.0; SEATS];
        for m in ranked(board, seat, WIDTHS[2], rng) {
            let mut after = *board;
            after.play(seat, m);
            let value = self.maxn(&after, follower(&after, seat), depth - 1, rng);
            if value[seat] > best[seat] {
                best = value;
            }
            if self.stopped {
                break;
            }
        }
        best
    }

    /// UCT; moves enter by what they gain, as many as the root of the visits.
    fn grow(&mut self, root: &Board<SEATS>, rng: &mut Rng) -> Move {
        let mut tree = vec![Node::new(root, self.me, rng)];
        let mut path = Vec::new();
        while tree.len() < NODES && !self.spent() {
            let (mut board, mut at) = (*root, 0);
            path.clear();
            while board.empty != 0 {
                let node = &tree[at];
                let i = node.choose();
                board.play(node.seat, node.edges[i].m);
                path.push((at, i));
                let child = node.edges[i].child;
                if child == 0 {
                    let seat = follower(&board, node.seat);
                    tree[at].edges[i].child = tree.len();
                    tree.push(Node::new(&board, seat, rng));
                    break;
                }
                at = child;
            }
            let mut seat = path.last().map_or(self.me, |&(at, _)| tree[at].seat);
            for _ in 0..PLAYOUT {
                seat = (seat + 1) % SEATS;
                if board.empty != 0 {
                    board.greedy_turn::<Plain>(seat, rng);
                }
            }
            let value = shares(&board);
            for &(at, i) in &path {
                let node = &mut tree[at];
                node.visits += 1;
                node.edges[i].visits += 1;
                node.edges[i].sum += value[node.seat];
            }
        }
        let most = tree[0].edges.iter().max_by_key(|edge| edge.visits);
        most.map_or(Move::PASS, |edge| edge.m)
    }
}

struct Edge {
    m: Move,
    /// 0: none yet, the root is nobody's child.
    child: usize,
    visits: u32,
    sum: f32,
}

struct Node {
    seat: usize,
    visits: u32,
    edges: Vec<Edge>,
}

impl Node {
    fn new(board: &Board<SEATS>, seat: usize, rng: &mut Rng) -> Self {
        let edge = |m| Edge {
            m,
            child: 0,
            visits: 0,
            sum: 0.0,
        };
        let edges = ranked(board, seat, WIDTHS[3], rng).into_iter().map(edge);
        Self {
            seat,
            visits: 0,
            edges: edges.collect(),
        }
    }

    fn choose(&self) -> usize {
        let open = 2 + (self.visits as f32).sqrt() as usize;
        let log = (self.visits.max(1) as f32).ln();
        let (mut best, mut at) = (f32::MIN, 0);
        for (i, edge) in self.edges.iter().enumerate().take(open) {
            let visits = edge.visits as f32;
            let value = if edge.visits == 0 {
                f32::MAX
            } else {
                edge.sum / visits + EXPLORE * (log / visits).sqrt()
            };
            if value > best {
                (best, at) = (value, i);
            }
        }
        at
    }
}

/// The moves that gain most, ties drawn; never empty.
fn ranked(board: &Board<SEATS>, seat: usize, most: usize, rng: &mut Rng) -> Vec<Move> {
    let mut moves = Vec::with_capacity(256);
    board.useful_moves(seat, &mut moves);
    let mut ranked: Vec<(i32, u32, Move)> = moves
        .into_iter()
        .map(|m| (-board.gain(seat, m), rng.below(1 << 20), m))
        .collect();
    ranked.sort_by_key(|&(loss, draw, _)| (loss, draw));
    ranked.truncate(most);
    if ranked.is_empty() {
        return vec![Move::PASS];
    }
    ranked.into_iter().map(|(_, _, m)| m).collect()
}

/// Shares of the squares; before the end, open squares beside one's own count in part.
fn shares(board: &Board<SEATS>) -> [f32; SEATS] {
    let worth = board.own.map(|own| {
        let open = dilate(own) & board.empty;
        own.count_ones() as f32 + OPEN * open.count_ones() as f32
    });
    let sum: f32 = worth.iter().sum();
    worth.map(|worth| worth / sum.max(1.0))
}

/// The next seat that has squares.
fn follower(board: &Board<SEATS>, seat: usize) -> usize {
    let mut next = (1..=SEATS).map(|i| (seat + i) % SEATS);
    next.find(|&seat| board.own[seat] != 0).unwrap_or(seat)
}

#[cfg(test)]
mod tests {
    use super::{Move, Planner};
    use fifty::games::slime::state::State;
    use fifty::kit::rng::Rng;

    #[test]
    fn planners_see_what_fills_the_board() {
        // The last square takes two more and ends the game.
        let state = State::parse("1,1122,1122,1133,111.").unwrap();
        for name in ["paranoid-500", "maxn-500", "tree-500"] {
            let mut planner = Planner::named(&format!("planner-{name}")).unwrap();
            let best = planner.best(&state, &mut Rng::new(1));
            assert_eq!(best.to_string(), "3 2 3 3", "{name}");
        }
        for name in ["planner", "planner-", "planner-maxn-", "planner-tree-5s", "tree"] {
            assert!(Planner::named(name).is_none(), "{name}");
        }
    }

    /// The corner's merge: two turns alone make eight squares.
    #[test]
    fn planners_open_with_the_merge() {
        for name in ["planner-paranoid-3000", "planner-maxn-3000"] {
            let mut planner = Planner::named(name).unwrap();
            let mut state = State::start(8);
            for turn in 0..5 {
                let best = planner.best(&state, &mut Rng::new(turn));
                let best = if state.seat() == 0 { best } else { Move::PASS };
                state.play(best);
            }
            assert_eq!(state.board().counts()[0], 8, "{name}");
        }
    }
}
