//! What a tree policy can ask of the tree search: modelled seats, ply discount, lists with priors, actions of two
//! plies, a horizon with draws behind it, common random numbers, a tree kept in place.

use crate::search_mcts::Die;
use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::game::Game;
use fifty::search::mcts::{Mcts, Params};
use fifty::search::policy::{Leaf, Playout, TreePolicy, Uniform};

/// Three seats take 1 to 3 of a heap in turn; whoever takes the last wins all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heap {
    pub left: u8,
    pub seat: usize,
}

impl Game<3> for Heap {
    type Move = u8;

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn payoff(&self) -> [f32; 3] {
        let mut payoff = [0.0; 3];
        payoff[(self.seat + 2) % 3] = 1.0;
        payoff
    }

    fn to_move(&self) -> usize {
        self.seat
    }

    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        out.extend(1..=self.left.min(3));
    }

    fn advance(&mut self, joint: &[u8; 3], _: &mut Rng) {
        self.left -= joint[self.seat];
        self.seat = (self.seat + 1) % 3;
    }

    fn hash(&self) -> u64 {
        u64::from(self.left) * 3 + self.seat as u64
    }
}

/// Nothing is known of a leaf.
pub struct Blank;

impl<G: Game<3>> Leaf<G, 3> for Blank {
    fn value<L: Level>(&mut self, _: &mut G, _: &mut Rng) -> [f32; 3] {
        [1.0 / 3.0; 3]
    }
}

/// Every move is as likely, and some seats always take one.
#[derive(Clone)]
pub struct Ones<const SOLVER: bool> {
    pub one: [bool; 3],
}

impl<const SOLVER: bool> TreePolicy<Heap, 3> for Ones<SOLVER> {
    type Prior = f32;
    const PUCT: bool = true;
    const TRY_ALL: bool = false;
    const FPU_REDUCTION: bool = true;
    const SORTED: bool = true;
    const MODELS: bool = true;
    const DISCOUNT: bool = true;
    const SOLVER: bool = SOLVER;

    fn modelled(&self, seat: usize) -> bool {
        self.one[seat]
    }

    fn may_stop(&self, state: &Heap) -> bool {
        !self.one[state.seat]
    }

    fn list<L: Level>(
        &mut self,
        state: &Heap,
        seat: usize,
        _: bool,
        moves: &mut Vec<u8>,
        priors: &mut Vec<f32>,
    ) {
        let most = if self.one[seat] { 1 } else { state.left.min(3) };
        moves.extend(1..=most);
        priors.resize(moves.len(), 1.0 / f32::from(most));
    }
}

type Heaps<const SOLVER: bool> = Mcts<Heap, Blank, Ones<SOLVER>, 3>;

fn heaps<const SOLVER: bool>(one: [bool; 3], discount: f32, edges: usize) -> Heaps<SOLVER> {
    let params = Params {
        exploration: 1.0,
        discount,
        ..Params::DEFAULT
    };
    Mcts::new(params, Blank, Ones { one }, edges, 3, 1)
}

/// My best share of the heap against seats that always take one, by brute force.
fn best(left: u8, seat: usize) -> f32 {
    if left == 0 {
        return f32::from(seat == 1);
    }
    if seat != 0 {
        return best(left - 1, (seat + 1) % 3);
    }
    (1..=left.min(3)).map(|m| best(left - m, 1)).fold(0.0, f32::max)
}

#[test]
fn a_modelled_rival_is_planned_against() {
    fn run<const SOLVER: bool>() {
        for left in 1..=14 {
            let mut search = heaps::<SOLVER>([false, true, true], 0.0, 10_000);
            let found = search.search(&Heap { left, seat: 0 }, 0, Limit::work(3_000));
            let m = found.best.expect("a move");
            assert_eq!(best(left - m, 1), best(left, 0), "{left}: {m} {found:?}");
            // The models take one move alone: everything is certain.
            assert_eq!(found.proven, SOLVER, "{left}");
            if SOLVER {
                assert_eq!(found.value[0], best(left, 0), "{left}");
            }
        }
    }
    run::<true>();
    run::<false>();
}

/// Seven can be won in seven plies (one now) and in four (two or three now).
#[test]
fn discount_prefers_the_shorter_way_to_the_same_end() {
    let mut search = heaps::<false>([false, true, true], 0.05, 10_000);
    let found = search.search(&Heap { left: 7, seat: 0 }, 0, Limit::work(3_000));
    assert!(found.best.is_some_and(|m| m > 1), "{found:?}");
    let ours = search.my_moves();
    let mean = |m: u8| {
        let edge = ours.iter().find(|edge| edge.mv == m).expect("tried");
        edge.sum / edge.visits as f32
    };
    assert!((mean(2) - 0.8).abs() < 0.05 && mean(1) < 0.7, "{ours:?}");
}

#[test]
fn a_small_tree_and_little_work_still_give_a_move() {
    for edges in [1, 4, 5, 8, 100] {
        let mut search = heaps::<false>([false; 3], 0.0, edges);
        for work in [0, 1, 2_000] {
            let found = search.search(&Heap { left: 9, seat: 2 }, 2, Limit::work(work));
            assert!(found.best.is_some_and(|m| (1..=3).contains(&m)), "{edges} {work}");
            assert!(
                found.nodes <= edges.max(8) && found.iterations == work,
                "{edges} {found:?}"
            );
        }
    }
    let mut search = heaps::<false>([false; 3], 0.0, 100);
    let found = search.search(&Heap { left: 0, seat: 0 }, 0, Limit::work(9));
    assert_eq!(found.best, None);
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let run = || {
        let mut search = heaps::<false>([false, true, false], 0.01, 5_000);
        let heap = Heap { left: 13, seat: 2 };
        (
            search.search(&heap, 2, Limit::work(2_500)),
            search.search(&heap, 2, Limit::work(100)),
        )
    };
    assert_eq!(run(), run());
}

/// A tree is kept between moves while the same seats are modelled, and not when another one is.
#[test]
fn a_kept_tree_fits_the_models() {
    let start = Heap { left: 14, seat: 0 };
    let next = Heap { left: 10, seat: 0 };
    for (change, kept) in [(false, true), (true, false)] {
        let mut search = heaps::<false>([false, true, true], 0.0, 10_000);
        search.search(&start, 0, Limit::work(2_000));
        search.policy.one[2] = !change;
        let found = search.search(&next, 0, Limit::work(50));
        let visits: u32 = search.my_moves().iter().map(|e| e.visits).sum();
        assert_eq!(u64::from(visits) > found.iterations, kept, "{visits} {found:?}");
        let m = found.best.expect("a move");
        assert!((1..=3).contains(&m));
    }
}

#[test]
fn candidates_come_by_falling_visits_as_many_as_fit() {
    let mut search = heaps::<false>([false; 3], 0.0, 5_000);
    let found = search.search(&Heap { left: 13, seat: 0 }, 0, Limit::work(500));
    for room in [0, 1, 2, 5] {
        let mut out = Vec::with_capacity(room);
        search.candidates(&mut out);
        assert_eq!(out.len(), room.min(3));
        assert!(out.windows(2).all(|w| w[0].visits >= w[1].visits));
        if let Some(first) = out.first() {
            assert_eq!((first.visits, Some(first.mv)), (found.visits, found.best));
        }
    }
}

/// A modelled seat that draws among three moves: nothing is proven by one of them, and the value is the mean.
#[derive(Clone)]
struct Drawer;

impl TreePolicy<Heap, 3> for Drawer {
    type Prior = ();
    const UCT: bool = true;
    const MODELS: bool = true;

    fn modelled(&self, seat: usize) -> bool {
        seat == 1
    }

    fn may_stop(&self, state: &Heap) -> bool {
        state.seat != 1
    }
}

#[test]
fn a_chance_node_is_proven_only_where_everything_ends_alike() {
    // Seat 1 draws from 1 to 3 of two or three: seat 0 takes what is left or not. Seat 2 would win with 1 drawn.
    let mut search: Mcts<Heap, Blank, Drawer, 3> = Mcts::new(Params::DEFAULT, Blank, Drawer, 10_000, 3, 1);
    // Three left and seat 0 takes all: won for certain, whatever the others are.
    let found = search.search(&Heap { left: 3, seat: 0 }, 0, Limit::work(500));
    assert!(found.proven && found.best == Some(3), "{found:?}");
    // Four left: one leaves 3 (seat 1 takes them all one time in three; otherwise seat 2 takes the rest), two
    // leaves 2 (half and half), three leaves 1 (seat 1 wins). Seat 0 never wins, but that is not one certain end.
    let found = search.search(&Heap { left: 4, seat: 0 }, 0, Limit::work(5_000));
    assert!(!found.proven, "{found:?}");
    let moves = search.my_moves();
    let three = moves.iter().find(|e| e.mv == 3).expect("tried");
    assert!(three.mean().is_none_or(|mean| mean < 1e-3));
    // Seat 2 before a heap of 6: with 3 it leaves 3 to seat 0, who takes them. With less it may come to draws.
    let found = search.search(&Heap { left: 4, seat: 2 }, 2, Limit::work(5_000));
    assert!(found.best.is_some());
}

/// Lists in falling order that leave moves out.
struct Narrow;

impl TreePolicy<Heap, 3> for Narrow {
    type Prior = f32;
    const PUCT: bool = true;
    const TRY_ALL: bool = false;
    const FPU_REDUCTION: bool = true;
    const SOLVER: bool = false;

    fn list<L: Level>(
        &mut self,
        state: &Heap,
        _: usize,
        root: bool,
        moves: &mut Vec<u8>,
        priors: &mut Vec<f32>,
    ) {
        // Three is never listed; at the root the unlikely move comes first, for the search to sort.
        if root && state.left > 1 {
            moves.extend([1, 2]);
            priors.extend([0.25, 0.75]);
        } else {
            moves.push(1);
            priors.push(1.0);
        }
    }
}

#[test]
fn only_listed_moves_are_tried_likeliest_first() {
    let mut search: Mcts<Heap, Blank, Narrow, 3> = Mcts::new(Params::DEFAULT, Blank, Narrow, 10_000, 3, 1);
    for left in [3, 9] {
        search.clear();
        search.search(&Heap { left, seat: 0 }, 0, Limit::work(300));
        let moves: Vec<u8> = search.my_moves().iter().map(|e| e.mv).collect();
        assert_eq!(moves, [2, 1]);
        let below = search.below(&search.my_moves()[0]);
        assert!(below.iter().all(|e| e.mv == 1), "{below:?}");
    }
}

/// An action is two halves, and behind two actions a die is rolled that nobody can see: the sum of what the seats
/// chose, or the die, decides. The tree ends there.
#[derive(Clone, Debug, PartialEq)]
struct Halves {
    /// Halves chosen so far, four in all.
    chosen: Vec<u8>,
}

impl Game<2> for Halves {
    type Move = u8;

    fn is_over(&self) -> bool {
        false
    }

    fn payoff(&self) -> [f32; 2] {
        unreachable!("never over")
    }

    fn to_move(&self) -> usize {
        self.chosen.len() / 2 % 2
    }

    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        out.extend(0..3);
    }

    fn advance(&mut self, joint: &[u8; 2], _: &mut Rng) {
        let m = joint[self.to_move()];
        self.chosen.push(m);
    }

    fn hash(&self) -> u64 {
        self.chosen.iter().fold(7, |h, &m| h * 11 + u64::from(m) + 1)
    }
}

/// Says what it saw.
#[derive(Default)]
struct Rolls {
    /// For each state valued, the numbers drawn.
    seen: std::collections::HashMap<u64, Vec<u64>>,
    half_done: u32,
}

impl Leaf<Halves, 2> for Rolls {
    const KEYED: bool = true;

    fn value<L: Level>(&mut self, state: &mut Halves, rng: &mut Rng) -> [f32; 2] {
        self.half_done += u32::from(state.chosen.len() % 2 == 1);
        let mut draw = rng.clone();
        self.seen.entry(state.hash()).or_default().push(draw.next_u64());
        // 2 then 1 is the best action; the die moves it a little.
        let worth = |half: &[u8]| match half {
            [2, 1] => 0.4,
            [2, _] => 0.2,
            [a, b] => f32::from(a + b) * 0.05,
            _ => 0.0,
        };
        let first = worth(&state.chosen[..state.chosen.len().min(2)]);
        let second = worth(&state.chosen[state.chosen.len().min(2)..]);
        let die = rng.below(6) as f32 * 0.02 - 0.05;
        let mine = 0.5 + first - second + die;
        [mine, 1.0 - mine]
    }
}

struct InTwo;

impl TreePolicy<Halves, 2> for InTwo {
    type Prior = ();
    const UCT: bool = true;
    const HORIZON: bool = true;
    const SOLVER: bool = false;
    const COMPACT: bool = false;
    const REUSE_PLIES: usize = 4;

    fn may_stop(&self, state: &Halves) -> bool {
        state.chosen.len() % 2 == 0
    }

    fn beyond(&self, state: &Halves) -> bool {
        state.chosen.len() >= 4
    }

    fn may_lead(&self, from: &Halves, to: &Halves) -> bool {
        to.chosen.starts_with(&from.chosen)
    }
}

#[test]
fn two_plies_make_an_action_and_the_tree_is_kept_for_the_second_call() {
    let mut search: Mcts<Halves, Rolls, InTwo, 2> =
        Mcts::new(Params::DEFAULT, Rolls::default(), InTwo, 10_000, 3, 5);
    let start = Halves { chosen: Vec::new() };
    let found = search.search(&start, 0, Limit::work(4_000));
    assert_eq!(search.leaf.half_done, 0, "no half action is valued");
    assert!(found.depth == 4 && !found.proven, "{found:?}");
    let mut line = Vec::with_capacity(8);
    search.line(&mut line);
    assert_eq!(line, [2, 1, 2, 1]);
    // Common random numbers: the k-th visit of every position drew the same.
    let long = search.leaf.seen.values().max_by_key(|d| d.len()).expect("valued");
    assert!(long.len() > 50);
    for draws in search.leaf.seen.values() {
        // Below the horizon a position is valued at its first visit alone.
        assert_eq!(draws[..], long[..draws.len()]);
    }
    // The second call: the first seat's action has been played.
    let second = Halves { chosen: vec![2, 1] };
    let kept = search.my_moves().iter().map(|e| e.visits).max().expect("tried");
    let found = search.search(&second, 1, Limit::work(10));
    let visits: u32 = search.my_moves().iter().map(|e| e.visits).sum();
    assert!(
        visits > 1_000 && visits < kept + 10,
        "{visits} of {kept}: {found:?}"
    );
    assert_eq!(found.best, Some(2));
    // Elsewhere: a new tree.
    let found = search.search(&Halves { chosen: vec![0, 1] }, 1, Limit::work(10));
    let visits: u32 = search.my_moves().iter().map(|e| e.visits).sum();
    assert_eq!(u64::from(visits), found.iterations);
}

/// Modelled seats where parts are hidden: the mover is a model but for its first choice.
struct Blind;

impl TreePolicy<Die, 2> for Blind {
    type Prior = ();
    const UCT: bool = true;
    const MODELS: bool = true;
    const REUSE: bool = false;

    fn modelled(&self, seat: usize) -> bool {
        seat == 1
    }
}

/// Two rounds of saying 0 or 1 at once; the second seat is modelled and says 1 always. The first seat scores where
/// they differ.
#[derive(Clone, Debug)]
struct Says {
    left: u8,
    score: u8,
}

impl Game<2> for Says {
    type Move = u8;
    const SIMULTANEOUS: bool = true;

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn payoff(&self) -> [f32; 2] {
        let p = f32::from(self.score) / 2.0;
        [p, 1.0 - p]
    }

    fn to_move(&self) -> usize {
        unreachable!("simultaneous")
    }

    fn moves(&self, _: usize, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }

    fn advance(&mut self, joint: &[u8; 2], _: &mut Rng) {
        self.left -= 1;
        self.score += u8::from(joint[0] != joint[1]);
    }

    fn hash(&self) -> u64 {
        u64::from(self.left) * 8 + u64::from(self.score)
    }
}

struct AlwaysOne;

impl TreePolicy<Says, 2> for AlwaysOne {
    type Prior = f32;
    const PUCT: bool = true;
    const MODELS: bool = true;
    const SOLVER: bool = false;

    fn modelled(&self, seat: usize) -> bool {
        seat == 1
    }

    fn list<L: Level>(
        &mut self,
        state: &Says,
        seat: usize,
        _: bool,
        moves: &mut Vec<u8>,
        priors: &mut Vec<f32>,
    ) {
        if seat == 1 {
            moves.push(1);
        } else {
            state.moves(seat, moves);
            priors.resize(moves.len(), 0.5);
        }
    }
}

#[test]
fn models_work_where_seats_choose_at_once_and_where_parts_are_hidden() {
    let playout = || Playout {
        choose: Uniform::new(4),
    };
    let mut search: Mcts<Says, _, AlwaysOne, 2> =
        Mcts::new(Params::DEFAULT, playout(), AlwaysOne, 1_000, 2, 1);
    let found = search.search(&Says { left: 2, score: 0 }, 0, Limit::work(2_000));
    assert_eq!(found.best, Some(0));
    assert!(found.value[0] > 0.9, "{found:?}");
    let die = Die {
        good: 5,
        rolled: None,
        over: None,
    };
    let mut search: Mcts<Die, _, Blind, 2> = Mcts::new(Params::DEFAULT, playout(), Blind, 200, 4, 1);
    let found = search.search(&die, 0, Limit::work(5_000));
    assert_eq!(found.best, Some(1));
}
