//! Beam search against enumeration: a small knapsack, and a walk on a grid of prizes.

use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::beam::{Beam, Candidate, Expand, Params};
use fifty::search::game::Game;
use std::time::{Duration, Instant};

const SIDE: i32 = 7;

/// A walk over a grid of prizes, each collected once.
#[derive(Clone)]
pub struct Walk {
    prizes: [u8; 49],
    taken: u64,
    at: (i32, i32),
    score: u32,
    left: u32,
}

impl Walk {
    pub fn new(seed: u64, steps: u32) -> Self {
        let mut rng = Rng::new(seed);
        let mut prizes = [0; 49];
        for p in &mut prizes {
            *p = rng.below(20) as u8;
        }
        Self {
            prizes,
            taken: 0,
            at: (3, 3),
            score: 0,
            left: steps,
        }
    }

    fn best_by_enumeration(&self) -> u32 {
        if self.left == 0 {
            return self.score;
        }
        self.around()
            .map(|step| {
                let mut next = self.clone();
                next.go(step);
                next.best_by_enumeration()
            })
            .max()
            .unwrap_or(self.score)
    }

    fn around(&self) -> impl Iterator<Item = (i8, i8)> {
        let (x, y) = self.at;
        let inside = |v: i32| (0..SIDE).contains(&v);
        [(1, 0), (-1, 0), (0, 1), (0, -1)]
            .into_iter()
            .filter(move |&(dx, dy)| inside(x + i32::from(dx)) && inside(y + i32::from(dy)))
    }

    fn go(&mut self, (dx, dy): (i8, i8)) {
        self.at = (self.at.0 + i32::from(dx), self.at.1 + i32::from(dy));
        let cell = self.at.0 * SIDE + self.at.1;
        if self.taken >> cell & 1 == 0 {
            self.taken |= 1 << cell;
            self.score += u32::from(self.prizes[cell as usize]);
        }
        self.left -= 1;
    }
}

impl Game<1> for Walk {
    type Move = (i8, i8);

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn payoff(&self) -> [f32; 1] {
        [self.score as f32 / (20 * 49) as f32]
    }

    fn to_move(&self) -> usize {
        0
    }

    fn moves(&self, _: usize, out: &mut Vec<(i8, i8)>) {
        out.extend(self.around());
    }

    fn advance(&mut self, joint: &[(i8, i8); 1], _: &mut Rng) {
        self.go(joint[0]);
    }

    fn hash(&self) -> u64 {
        (self.taken ^ ((self.at.0 * SIDE + self.at.1) as u64) << 50).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// Every step, by the prizes collected; at most `PER_KEY` states of a layer on one cell.
pub struct Greedy<const PER_KEY: usize, const DISTINCT: bool>;

impl<const PER_KEY: usize, const DISTINCT: bool> Expand<Walk, 1> for Greedy<PER_KEY, DISTINCT> {
    const PER_KEY: usize = PER_KEY;
    const DISTINCT: bool = DISTINCT;

    fn expand<L: Level>(&mut self, walk: &Walk, _: usize, out: &mut Vec<Candidate<(i8, i8), 1>>) {
        if walk.is_over() {
            return;
        }
        for step in walk.around() {
            let mut next = walk.clone();
            next.go(step);
            let cell = (next.at.0 * SIDE + next.at.1) as u32;
            out.push(Candidate::new([step], next.score as f32, next.hash(), cell));
        }
    }
}

/// A beam of all that may differ.
pub fn beam(params: Params) -> Beam<Walk, Greedy<0, true>, 1> {
    Beam::new(params, Greedy, 4)
}

fn value_of(start: &Walk, plan: &[(i8, i8)]) -> u32 {
    let mut walk = start.clone();
    for &step in plan {
        assert!(walk.around().any(|s| s == step), "an impossible step");
        walk.go(step);
    }
    walk.score
}

#[test]
fn a_wide_beam_finds_the_best_plan_of_enumeration() {
    let params = Params {
        layers: 9,
        widest: 30_000,
        ..Params::DEFAULT
    };
    let mut search = beam(params);
    for seed in 0..20 {
        let start = Walk::new(seed, 9);
        let found = search.search(&start, 0, &[], Limit::work(u64::MAX));
        assert_eq!(found.value as u32, start.best_by_enumeration(), "seed {seed}");
        assert_eq!(value_of(&start, search.plan()), found.value as u32);
        assert!(found.complete && found.depth == 9 && search.plan().len() == 9);
    }
}

/// Prizes of 40 walks of 25 steps, found by beams of `widest` states.
fn total<const PER_KEY: usize, const DISTINCT: bool>(widest: usize) -> f32 {
    let params = Params {
        layers: 25,
        widest,
        ..Params::DEFAULT
    };
    let mut search = Beam::new(params, Greedy::<PER_KEY, DISTINCT>, 4);
    (0..40)
        .map(|seed| {
            let start = Walk::new(seed, 25);
            let found = search.search(&start, 0, &[], Limit::work(u64::MAX));
            assert_eq!(value_of(&start, search.plan()), found.value as u32);
            found.value
        })
        .sum()
}

#[test]
fn a_wider_beam_is_not_worse_on_the_whole_and_keys_spread() {
    let (narrow, wide, spread) = (total::<0, true>(5), total::<0, true>(400), total::<12, true>(400));
    assert!(wide > narrow * 1.02, "{narrow} {wide}");
    assert!(spread > narrow, "{spread}");
}

#[test]
fn duplicates_waste_a_beam() {
    let (distinct, doubled) = (total::<0, true>(20), total::<0, false>(20));
    assert!(distinct > doubled, "{distinct} {doubled}");
}

#[test]
fn work_bounds_the_width_and_repeats() {
    let params = Params {
        layers: 30,
        widest: 2_000,
        ..Params::DEFAULT
    };
    let mut search = beam(params.clone());
    let start = Walk::new(5, 30);
    for work in [0, 1, 10, 100, 1_000, 10_000] {
        let found = search.search(&start, 0, &[], Limit::work(work));
        let plan = search.plan().to_vec();
        assert!(found.nodes <= work);
        assert_eq!(value_of(&start, &plan), found.value as u32);
        assert!(work < 1_000 || found.complete, "{work}: {found:?}");
        let mut other = beam(params.clone());
        assert_eq!(other.search(&start, 0, &[], Limit::work(work)), found);
        assert_eq!(other.plan(), plan);
    }
}

#[test]
fn every_first_move_is_listed_with_the_states_it_led_to() {
    let params = Params {
        layers: 8,
        widest: 50,
        ..Params::DEFAULT
    };
    let mut search = beam(params);
    assert!(search.candidates().is_empty());
    for seed in 0..20 {
        let start = Walk::new(seed, 8);
        search.search(&start, 0, &[], Limit::work(u64::MAX));
        let listed = search.candidates();
        assert_eq!(Some(&listed[0].0), search.plan().first());
        assert_eq!(listed.len(), start.around().count());
        assert!(listed[1..].windows(2).all(|pair| pair[0].1 >= pair[1].1));
        let all: i32 = listed.iter().map(|l| l.1).sum();
        assert!(all <= 8 * 50 && listed.iter().all(|l| l.1 > 0), "{listed:?}");
        for (step, _, value) in listed {
            let mut next = start.clone();
            next.go(step);
            assert_eq!(value as u32, next.score);
        }
    }
}

#[test]
fn the_last_layer_is_reached_inside_the_deadline() {
    let params = Params {
        layers: 40,
        widest: 5_000,
        ..Params::DEFAULT
    };
    let mut search = beam(params);
    // A machine under load may cut one short, not all of them.
    let complete = (0..20).any(|seed| {
        let begun = Instant::now();
        let start = Walk::new(seed, 40);
        let found = search.search(&start, 0, &[], Limit::after(Duration::from_millis(60)));
        assert_eq!(value_of(&start, search.plan()), found.value as u32);
        found.complete && found.depth == 40 && begun.elapsed() < Duration::from_millis(62)
    });
    assert!(complete);
}

#[test]
fn a_kept_plan_is_never_lost() {
    let start = Walk::new(7, 20);
    let wide = Params {
        layers: 20,
        widest: 3_000,
        ..Params::DEFAULT
    };
    let mut search = beam(wide.clone());
    let best = search.search(&start, 0, &[], Limit::work(u64::MAX));
    let plan = search.plan().to_vec();
    let mut narrow = beam(Params { widest: 2, ..wide });
    let poor = narrow.search(&start, 0, &[], Limit::work(u64::MAX));
    let warm = narrow.search(&start, 0, &plan, Limit::work(u64::MAX));
    assert!(
        poor.value < best.value,
        "the test needs a start where two states are too few"
    );
    assert!(warm.value >= best.value);
    assert_eq!(value_of(&start, narrow.plan()), warm.value as u32);
    // One step on, as in the next turn.
    let mut next = start.clone();
    next.go(plan[0]);
    assert!(narrow.search(&next, 0, &plan[1..], Limit::work(u64::MAX)).value >= best.value);
}

#[test]
fn an_ended_plan_is_an_answer() {
    let mut search = beam(Params::DEFAULT);
    let found = search.search(&Walk::new(1, 0), 0, &[], Limit::work(u64::MAX));
    assert!(found.complete && search.plan().is_empty() && found.depth == 0);
    let found = search.search(&Walk::new(1, 3), 0, &[], Limit::work(u64::MAX));
    assert!(found.complete && search.plan().len() == 3);
    assert_eq!(found.value as u32, Walk::new(1, 3).best_by_enumeration());
}
