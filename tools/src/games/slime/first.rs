//! The first version that played, frozen: a yardstick for all later ones.
//!
//! Monte-Carlo tree search (max^n) with priors by immediate gain and five greedy turns before a leaf is
//! valued by today's shares. Nothing here follows the bot's later ideas or numbers; only the board does.

use fifty::games::slime::board::{Board, Counts, Square, dilate, neighbours};
use fifty::games::slime::moves::{Kind, Move};
use fifty::games::slime::state::{SEATS, State};
use fifty::kit::bits::Bits;
use fifty::kit::cpu::{Kernel, Level, run};
use fifty::kit::rng::Rng;

/// Iterations for one answer; about half of what the version did in its 86 ms.
pub const ITERATIONS: u32 = 50_000;
const EXPLORE: f32 = 0.3;
const UNSEEN: f32 = 0.02;
const PLIES: u32 = 5;
const WIDTH: usize = 40;
const WHOLE: f32 = 0.1;

/// Most squares around one.
const AROUND: usize = 8;

/// One kind of move with one count, and the likelihood of each such move before normalising.
#[derive(Clone, Copy, Debug)]
struct Class {
    kind: Kind,
    count: u32,
    weight: f32,
}

/// All classes, likeliest first.
#[derive(Clone, Debug)]
struct Prior {
    classes: [Class; 3 * AROUND + 2],
}

impl Prior {
    /// Sorts the classes by what the weights say.
    fn new() -> Self {
        let class = |kind, count: usize| {
            let n = count as f32;
            let log = match kind {
                Kind::Spread => n + 1.0,
                Kind::Merge | Kind::Jump => n - 1.0,
                Kind::Pass => -1.0,
            };
            Class {
                kind,
                count: count as u32,
                weight: log.exp(),
            }
        };
        let mut classes = [class(Kind::Pass, 0); 3 * AROUND + 2];
        for count in 0..=AROUND {
            classes[count] = class(Kind::Spread, count);
            classes[AROUND + 1 + count] = class(Kind::Jump, count);
            if count >= 2 {
                classes[2 * AROUND + count] = class(Kind::Merge, count);
            }
        }
        classes.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Self { classes }
    }

    /// Calls `keep` with the likeliest moves of `seat` and their weights, at most `width` of them and
    /// always the pass; returns the sum of the weights.
    #[inline(always)]
    fn best<const P: usize>(
        &self,
        board: &Board<P>,
        seat: usize,
        width: usize,
        mut keep: impl FnMut(Move, f32),
    ) -> f32 {
        let own = board.own[seat];
        let taken = Counts::of(board.enemies(seat)).0;
        let filled = Counts::of(board.empty).0;
        let spreads = dilate(own) & board.empty;
        let reach = board.within_two(seat);
        let pairs = own & neighbours(own);
        let mut left = width;
        let mut sum = 0.0;
        let mut passed = false;
        for class in &self.classes {
            if left <= 1 && passed {
                break;
            }
            match class.kind {
                Kind::Pass => {
                    passed = true;
                    left = left.saturating_sub(1);
                    sum += class.weight;
                    keep(Move::PASS, class.weight);
                }
                Kind::Spread => {
                    for to in Bits(spreads & exactly(&taken, class.count)) {
                        if left == 1 {
                            break;
                        }
                        left -= 1;
                        sum += class.weight;
                        let to = Square(to as u8);
                        keep(
                            Move::new(Kind::Spread, board.spread_source(seat, to), to),
                            class.weight,
                        );
                    }
                }
                Kind::Jump => {
                    for to in Bits(reach & exactly(&taken, class.count)) {
                        let to = Square(to as u8);
                        for from in Bits(to.ring() & own) {
                            if left == 1 {
                                break;
                            }
                            left -= 1;
                            sum += class.weight;
                            keep(Move::new(Kind::Jump, Square(from as u8), to), class.weight);
                        }
                    }
                }
                Kind::Merge => {
                    for to in Bits(pairs & exactly(&filled, class.count)) {
                        let to = Square(to as u8);
                        for from in Bits(to.near() & own) {
                            if left == 1 {
                                break;
                            }
                            left -= 1;
                            sum += class.weight;
                            keep(Move::new(Kind::Merge, Square(from as u8), to), class.weight);
                        }
                    }
                }
            }
        }
        sum
    }
}

/// Squares whose count is `n`.
#[inline(always)]
fn exactly(planes: &[u64; 4], n: u32) -> u64 {
    let mut set = u64::MAX;
    for (i, plane) in planes.iter().enumerate() {
        set &= if n >> i & 1 == 1 { *plane } else { !*plane };
    }
    set
}

/// One move in the tree. `sum` is the value for the seat that made the move.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    visits: u32,
    sum: f32,
    prior: f32,
    play: Move,
    kids: u8,
    open: u8,
}

const _: () = assert!(size_of::<Node>() <= 20);

/// A search and its memory.
#[derive(Clone, Debug)]
pub struct Search {
    iterations: u32,
    prior: Prior,
    nodes: Vec<Node>,
    path: Vec<u32>,
    rng: Rng,
}

/// Longest line looked at.
const DEEPEST: usize = 96;
/// The tree stops growing here (20 bytes each).
const MOST_NODES: usize = 6_000_000;

impl Search {
    /// A search of so many iterations an answer, the same for the same `seed` and position.
    pub fn new(iterations: u32, seed: u64) -> Self {
        Self {
            iterations,
            prior: Prior::new(),
            nodes: Vec::new(),
            path: Vec::with_capacity(DEEPEST),
            rng: Rng::new(seed),
        }
    }

    /// The move of the seat on turn of a game that is not over.
    pub fn best(&mut self, state: &State) -> Move {
        run(Look {
            search: self,
            board: *state.board(),
            seat: state.seat(),
        })
    }

    /// Adds the moves of node `at`, where `seat` is on turn.
    #[inline(always)]
    fn grow(&mut self, at: usize, board: &Board<SEATS>, seat: usize, width: usize) {
        let first = self.nodes.len();
        let nodes = &mut self.nodes;
        let sum = self.prior.best(board, seat, width, |play, prior| {
            nodes.push(Node {
                first: 0,
                visits: 0,
                sum: 0.0,
                prior,
                play,
                kids: 0,
                open: 0,
            });
        });
        for node in &mut nodes[first..] {
            node.prior /= sum;
        }
        let kids = nodes.len() - first;
        nodes[at].first = first as u32;
        nodes[at].kids = kids as u8;
    }

    /// The child of `at` to look at next.
    #[inline(always)]
    fn select(&mut self, at: usize) -> usize {
        let node = self.nodes[at];
        let first = node.first as usize;
        let scale = EXPLORE * (node.visits as f32).sqrt();
        let mut best = (f32::MIN, 0);
        let (mut visits, mut sum) = (0, 0.0);
        for (i, kid) in self.nodes[first..first + node.open as usize].iter().enumerate() {
            visits += kid.visits;
            sum += kid.sum;
            let n = kid.visits as f32;
            let score = kid.sum / n + scale * kid.prior / (1.0 + n);
            if score > best.0 {
                best = (score, i);
            }
        }
        if node.open < node.kids {
            let unseen = if visits == 0 {
                f32::MAX
            } else {
                sum / visits as f32 - UNSEEN + scale * self.nodes[first + node.open as usize].prior
            };
            if unseen > best.0 {
                self.nodes[at].open += 1;
                return first + node.open as usize;
            }
        }
        first + best.1
    }

    /// Plays on greedily for a while, then values the board for every seat.
    #[inline(always)]
    fn value<L: Level>(&mut self, mut board: Board<SEATS>, mut seat: usize) -> [f32; SEATS] {
        for _ in 0..PLIES {
            if board.empty == 0 {
                break;
            }
            board.greedy_turn::<L>(seat, &mut self.rng);
            seat = (seat + 1) % SEATS;
        }
        let occupied = (board.all() & !board.empty).count_ones() as f32;
        let all = board.all().count_ones() as f32;
        let whole = WHOLE;
        let scale = whole / all + (1.0 - whole) / occupied;
        board.counts().map(|n| n as f32 * scale)
    }

    /// One iteration: down to a leaf, value it, back up.
    #[inline(always)]
    fn iterate<L: Level>(&mut self, mut board: Board<SEATS>, root: usize) {
        let mut seat = root;
        let mut at = 0;
        self.path.clear();
        while board.empty != 0 && self.path.len() < DEEPEST {
            let node = self.nodes[at];
            if node.kids == 0 {
                if node.visits < 1 || self.nodes.len() > MOST_NODES {
                    break;
                }
                self.grow(at, &board, seat, WIDTH);
            }
            at = self.select(at);
            board.play(seat, self.nodes[at].play);
            self.path.push(at as u32);
            seat = (seat + 1) % SEATS;
        }
        let value = self.value::<L>(board, seat);
        let mut mover = root;
        self.nodes[0].visits += 1;
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.sum += value[mover];
            mover = (mover + 1) % SEATS;
        }
    }

    /// The most visited child of `at`.
    fn favourite(&self, at: usize) -> Option<usize> {
        let first = self.nodes[at].first as usize;
        (first..first + self.nodes[at].open as usize).max_by_key(|&kid| self.nodes[kid].visits)
    }
}

struct Look<'a> {
    search: &'a mut Search,
    board: Board<SEATS>,
    seat: usize,
}

impl Kernel for Look<'_> {
    type Out = Move;

    #[inline(always)]
    fn run<L: Level>(self) -> Move {
        let search = self.search;
        search.nodes.clear();
        search.nodes.push(Node {
            first: 0,
            visits: 0,
            sum: 0.0,
            prior: 1.0,
            play: Move::PASS,
            kids: 0,
            open: 0,
        });
        search.grow(0, &self.board, self.seat, 250);
        if search.nodes[0].kids > 1 {
            for _ in 0..search.iterations {
                search.iterate::<L>(self.board, self.seat);
            }
        }
        search
            .favourite(0)
            .map_or(Move::PASS, |kid| search.nodes[kid].play)
    }
}
