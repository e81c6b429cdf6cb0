//! Beam search against enumeration: a small knapsack, and a walk on a grid of prizes.

use fifty::kit::clock::Limit;
use fifty::kit::cpu::Level;
use fifty::kit::rng::Rng;
use fifty::search::beam::{Beam, Params, Plan};
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

impl Plan for Walk {
    type Step = (i8, i8);
    fn steps<L: Level>(&self, out: &mut Vec<(i8, i8)>) {
        if self.left > 0 {
            out.extend(self.around());
        }
    }
    fn apply<L: Level>(&mut self, step: (i8, i8)) {
        self.go(step);
    }
    fn value<L: Level>(&self) -> f32 {
        self.score as f32
    }
    fn hash(&self) -> u64 {
        (self.taken ^ ((self.at.0 * SIDE + self.at.1) as u64) << 50).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
    fn key(&self) -> u32 {
        (self.at.0 * SIDE + self.at.1) as u32
    }
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
    let mut beam = Beam::new(params, 4);
    for seed in 0..20 {
        let start = Walk::new(seed, 9);
        let found = beam.search(&start, &[], Limit::work(u64::MAX));
        assert_eq!(found.value as u32, start.best_by_enumeration(), "seed {seed}");
        assert_eq!(value_of(&start, beam.plan()), found.value as u32);
        assert!(found.complete && found.depth == 9 && beam.plan().len() == 9);
    }
}

#[test]
fn a_wider_beam_is_not_worse_on_the_whole_and_keys_spread() {
    let total = |widest: usize, per_key: usize| -> f32 {
        let params = Params {
            layers: 25,
            widest,
            per_key,
            ..Params::DEFAULT
        };
        let mut beam = Beam::new(params, 4);
        (0..40)
            .map(|seed| {
                beam.search(&Walk::new(seed, 25), &[], Limit::work(u64::MAX))
                    .value
            })
            .sum()
    };
    let (narrow, wide, spread) = (total(5, 0), total(400, 0), total(400, 12));
    assert!(wide > narrow * 1.02, "{narrow} {wide}");
    assert!(spread > narrow, "{spread}");
}

#[test]
fn work_bounds_the_width_and_repeats() {
    let params = Params {
        layers: 30,
        widest: 2_000,
        ..Params::DEFAULT
    };
    let mut beam = Beam::new(params.clone(), 4);
    let start = Walk::new(5, 30);
    for work in [0, 1, 10, 100, 1_000, 10_000] {
        let found = beam.search(&start, &[], Limit::work(work));
        let plan = beam.plan().to_vec();
        assert!(found.nodes <= work);
        assert_eq!(value_of(&start, &plan), found.value as u32);
        assert!(work < 1_000 || found.complete, "{work}: {found:?}");
        let mut other = Beam::new(params.clone(), 4);
        assert_eq!(other.search(&start, &[], Limit::work(work)), found);
        assert_eq!(other.plan(), plan);
    }
}

#[test]
fn the_last_layer_is_reached_inside_the_deadline() {
    let params = Params {
        layers: 40,
        widest: 5_000,
        ..Params::DEFAULT
    };
    let mut beam = Beam::new(params, 4);
    // A machine under load may cut one short, not all of them.
    let complete = (0..20).any(|seed| {
        let begun = Instant::now();
        let start = Walk::new(seed, 40);
        let found = beam.search(&start, &[], Limit::after(Duration::from_millis(60)));
        assert_eq!(value_of(&start, beam.plan()), found.value as u32);
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
    let mut beam = Beam::new(wide.clone(), 4);
    let best = beam.search(&start, &[], Limit::work(u64::MAX));
    let plan = beam.plan().to_vec();
    let mut narrow = Beam::new(Params { widest: 2, ..wide }, 4);
    let poor = narrow.search(&start, &[], Limit::work(u64::MAX));
    let warm = narrow.search(&start, &plan, Limit::work(u64::MAX));
    assert!(
        poor.value < best.value,
        "the test needs a start where two states are too few"
    );
    assert!(warm.value >= best.value);
    assert_eq!(value_of(&start, narrow.plan()), warm.value as u32);
    // One step on, as in the next turn.
    let mut next = start.clone();
    next.go(plan[0]);
    assert!(narrow.search(&next, &plan[1..], Limit::work(u64::MAX)).value >= best.value);
}

#[test]
fn an_ended_plan_is_an_answer() {
    let mut beam = Beam::new(Params::DEFAULT, 4);
    let found = beam.search(&Walk::new(1, 0), &[], Limit::work(u64::MAX));
    assert!(found.complete && beam.plan().is_empty() && found.depth == 0);
    let found = beam.search(&Walk::new(1, 3), &[], Limit::work(u64::MAX));
    assert!(found.complete && beam.plan().len() == 3);
    assert_eq!(found.value as u32, Walk::new(1, 3).best_by_enumeration());
}
