//! Searches for several seats against plain recursion without any pruning, on random trees.

use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::search::multi::{Multi, Others, Seats};

/// A random tree for four seats: everything follows from a hash of the path. Kinds of nodes: a seat's
/// choice of two to four moves, or (where `draws`) a draw of two outcomes before every third turn.
#[derive(Clone, Debug)]
pub struct Tree {
    hash: u64,
    turn: usize,
    length: usize,
    draws: bool,
    drawn: bool,
}

fn mix(h: u64, x: u64) -> u64 {
    let z = (h ^ x.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z ^ (z >> 29)
}

impl Tree {
    pub fn new(seed: u64, length: usize, draws: bool) -> Self {
        Self {
            hash: mix(seed, 77),
            turn: 0,
            length,
            draws,
            drawn: false,
        }
    }

    /// Shares that sum to 1.
    fn shares(&self) -> [f32; 4] {
        let raw: [f32; 4] = std::array::from_fn(|i| 1.0 + (mix(self.hash, i as u64) % 97) as f32);
        let sum: f32 = raw.iter().sum();
        raw.map(|r| r / sum)
    }
}

impl Seats<4> for Tree {
    type Move = u8;
    fn result(&self) -> Option<[f32; 4]> {
        (self.turn >= self.length).then(|| self.shares())
    }
    fn mover(&self) -> Option<usize> {
        if self.draws && self.turn % 3 == 2 && !self.drawn {
            None
        } else {
            Some(self.turn % 4)
        }
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..2 + (mix(self.hash, 9) % 3) as u8);
    }
    fn draws(&self, out: &mut Vec<(f32, u8)>) {
        out.extend([(0.25, 100), (0.75, 101)]);
    }
    fn play(&mut self, m: u8) {
        self.hash = mix(self.hash, 1000 + u64::from(m));
        self.drawn = m >= 100;
        self.turn += usize::from(m < 100);
    }
    fn skip(&mut self) {
        self.hash = mix(self.hash, 5000);
        self.turn += 1;
    }
    fn evaluate<L: Level>(&self) -> [f32; 4] {
        self.shares()
    }
}

fn children(t: &Tree) -> Vec<Tree> {
    let mut moves = Vec::new();
    t.moves(&mut moves);
    moves
        .into_iter()
        .map(|m| {
            let mut next = t.clone();
            next.play(m);
            next
        })
        .collect()
}

fn average(t: &Tree, value: impl Fn(&Tree) -> [f32; 4]) -> [f32; 4] {
    let mut draws = Vec::new();
    t.draws(&mut draws);
    let mut mean = [0.0; 4];
    for (p, m) in draws {
        let mut next = t.clone();
        next.play(m);
        for (a, v) in mean.iter_mut().zip(value(&next)) {
            *a += p * v;
        }
    }
    mean
}

fn max_n(t: &Tree) -> [f32; 4] {
    if let Some(v) = t.result() {
        return v;
    }
    let Some(seat) = t.mover() else {
        return average(t, max_n);
    };
    children(t)
        .iter()
        .map(max_n)
        .reduce(|a, b| if b[seat] > a[seat] { b } else { a })
        .expect("moves")
}

fn paranoid(t: &Tree, me: usize) -> f32 {
    if let Some(v) = t.result() {
        return v[me];
    }
    let Some(seat) = t.mover() else {
        return average(t, |n| [paranoid(n, me); 4])[0];
    };
    let values = children(t).into_iter().map(|c| paranoid(&c, me));
    if seat == me {
        values.fold(f32::NEG_INFINITY, f32::max)
    } else {
        values.fold(f32::INFINITY, f32::min)
    }
}

fn best_reply(t: &Tree, me: usize) -> f32 {
    if let Some(v) = t.result() {
        return v[me];
    }
    if t.mover() == Some(me) {
        return children(t)
            .iter()
            .map(|c| best_reply(c, me))
            .fold(f32::NEG_INFINITY, f32::max);
    }
    let mut worst = f32::INFINITY;
    let mut turn = t.clone();
    while turn.result().is_none() && turn.mover() != Some(me) {
        for mut child in children(&turn) {
            while child.result().is_none() && child.mover() != Some(me) {
                child.skip();
            }
            worst = worst.min(best_reply(&child, me));
        }
        turn.skip();
    }
    worst
}

#[test]
fn four_seats_agree_with_plain_recursion() {
    for seed in 0..150 {
        for draws in [false, true] {
            let tree = Tree::new(seed, 3 + seed as usize % 5, draws);
            let mut search = Multi::<Tree, 4>::new(Others::Themselves, 4);
            let found = search.search(&tree, Limit::work(u64::MAX));
            assert!(found.proven, "{found:?}");
            let want = max_n(&tree);
            for (got, want) in found.value.iter().zip(want) {
                assert!((got - want).abs() < 1e-5, "max^n {seed}: {found:?} {want}");
            }
            let mut next = tree.clone();
            next.play(found.best.expect("a move"));
            assert!(
                (max_n(&next)[0] - want[0]).abs() < 1e-5,
                "the move keeps the value"
            );

            search.others = Others::Paranoid;
            let found = search.search(&tree, Limit::work(u64::MAX));
            assert!(
                found.proven && (found.value[0] - paranoid(&tree, 0)).abs() < 1e-5,
                "{seed}: {found:?}"
            );
        }
        let tree = Tree::new(seed, 3 + seed as usize % 7, false);
        let mut search = Multi::<Tree, 4>::new(Others::BestReply, 4);
        let found = search.search(&tree, Limit::work(u64::MAX));
        assert!(
            found.proven && (found.value[0] - best_reply(&tree, 0)).abs() < 1e-5,
            "{seed}: {found:?}"
        );
    }
}

#[test]
fn small_limits_and_finished_games_are_fine() {
    for others in [Others::Themselves, Others::Paranoid, Others::BestReply] {
        let mut search = Multi::<Tree, 4>::new(others, 4);
        for work in 0..60 {
            let found = search.search(&Tree::new(work, 12, false), Limit::work(work));
            assert!(
                found.best.is_some() && !found.proven && found.nodes <= work + 1,
                "{found:?}"
            );
        }
        let over = search.search(&Tree::new(3, 0, false), Limit::work(100));
        assert!(over.best.is_none() && over.proven);
    }
}
