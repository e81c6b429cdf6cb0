//! Fits the weights of kingdomino's greedy playouts by games of greedy against greedy, without any search: tens of
//! thousands of games a second, where a tuner that plays searches has one.
//!
//! - `cargo bench --bench kingdomino_policy -- STEPS PAIRS DECKS` (60 20 250) climbs from the weights as they are, by an
//!   evolution strategy: each step looks at PAIRS of opposite changes, each played on the same DECKS (two games a deck,
//!   seats swapped) against the weights as they are; it prints the weights every tenth step.
//! - `-- match NAME=VALUE,... [DECKS]` plays weights so changed against those as they are (2000).
//!
//! Fitted is the mean of `x / (1 + |x|)`, `x` the margin in 20 points. What a stronger playout is worth to the search
//! only matches of the bot tell. Its answer is asserted: weights against themselves come out even.

use fifty::games::kingdomino::playout::{greedy_slot, place, Deck, Promises};
use fifty::games::kingdomino::state::{State, Variant};
use fifty::games::kingdomino::tile::Tile;
use fifty::games::kingdomino::weights::Weights;
use fifty::games::kingdomino::worth::{Taste, UNLEARNED};
use fifty::games::kingdomino::zones::Sight;
use fifty::kit::cpu::{run, Kernel, Level};
use fifty::kit::rng::Rng;

/// Weights of the playouts and the size of their changes.
const FREE: [(&str, f64); 26] = [
    ("keep", 0.1),
    ("keep_late", 0.1),
    ("touch_common", 0.3),
    ("castle", 0.5),
    ("castle_late", 0.5),
    ("join", 0.1),
    ("join_late", 0.1),
    ("hole", 0.8),
    ("hole_late", 1.0),
    ("narrow", 0.4),
    ("narrow_late", 0.4),
    ("grow", 0.3),
    ("touch", 0.4),
    ("touch_late", 0.4),
    ("contact", 0.3),
    ("contact_late", 0.3),
    ("reach", 0.1),
    ("reach_late", 0.1),
    ("block", 0.4),
    ("block_late", 0.4),
    ("pick_crown", 1.0),
    ("pick_common", 1.0),
    ("pick_pair", 0.5),
    ("pick_deny", 0.15),
    ("pick_late", 0.6),
    ("pick_last", 0.6),
];
/// Decks of the games that only report.
const CONTROL: u64 = 99_000_000_000;

/// Greedy games of `new` against `old`, each deck twice.
struct Games<'a> {
    new: &'a Weights,
    old: &'a Weights,
    decks: u64,
    seed: u64,
}

/// Means over the games, of the new side.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    value: f64,
    margin: f64,
    own: f64,
    points: f64,
}

impl Kernel for Games<'_> {
    type Out = Told;

    #[inline(always)]
    fn run<L: Level>(self) -> Told {
        let mut sum = Told::default();
        let (new, old) = (Taste::new(self.new), Taste::new(self.old));
        for game in 0..2 * self.decks {
            let me = game as usize % 2;
            let weights = if me == 0 { [&new, &old] } else { [&old, &new] };
            let mut rng = Rng::new(self.seed + game / 2 * 1_000_003);
            let mut state = State::<2>::new(Variant::MAIN);
            let mut deck = Deck::new(state.deck, Tile::of_box);
            deck.shuffle(&mut rng);
            let mut sights = [0, 1].map(|seat| Sight::new(&state.kingdoms[seat]));
            let mut promises = [Promises::NONE, Promises::NONE];
            while !state.over() {
                if state.wants_draw() {
                    deck.deal(&mut state);
                    promises[0].offered(&state, &weights[0].weights);
                    promises[1].offered(&state, &weights[1].weights);
                }
                let seat = state.mover();
                if place::<L, 2>(&mut state, &mut sights, (weights[seat], &UNLEARNED), &mut rng).is_some() {
                    promises[0].placed(seat);
                    promises[1].placed(seat);
                }
                let slot = greedy_slot(
                    &state,
                    &sights,
                    &mut promises[seat],
                    seat,
                    &weights[seat].weights,
                    &mut rng,
                );
                state.take(slot);
            }
            for kingdom in &mut state.kingdoms {
                kingdom.rescore_all();
            }
            let scores = state.kingdoms.map(|kingdom| f64::from(kingdom.score()));
            let margin = scores[me] - scores[1 - me];
            sum.value += margin / (20.0 + margin.abs());
            sum.margin += margin;
            sum.own += scores[me];
            sum.points += f64::from(state.points()[me]);
        }
        let mean = |x: f64| x / (2 * self.decks) as f64;
        Told {
            value: mean(sum.value),
            margin: mean(sum.margin),
            own: mean(sum.own),
            points: mean(sum.points),
        }
    }
}

fn play(values: &[(String, f64)], decks: u64, seed: u64) -> Told {
    let (new, old) = (Weights::with(values).unwrap(), Weights::DEFAULT);
    run(Games {
        new: &new,
        old: &old,
        decks,
        seed,
    })
}

fn named(theta: &[f64]) -> Vec<(String, f64)> {
    let named = FREE.iter().zip(theta);
    named.map(|((name, _), &x)| ((*name).to_owned(), x)).collect()
}

/// Keeps every weight where its tunable may be.
fn clamp(theta: &mut [f64]) {
    for ((name, _), x) in FREE.iter().zip(theta) {
        let tunable = Weights::LIST.iter().find(|t| t.name == *name).unwrap();
        *x = x.clamp(tunable.min, tunable.max);
    }
}

fn gauss(rng: &mut Rng) -> f64 {
    let (u, v) = (f64::from(rng.unit()) + 1e-9, f64::from(rng.unit()));
    (-2.0 * u.ln()).sqrt() * (core::f64::consts::TAU * v).cos()
}

/// The climb: gradients from antithetic pairs, steps by Adam in units of the changes.
fn climb(steps: u64, pairs: u64, decks: u64) {
    let default = Weights::DEFAULT;
    let mut theta: Vec<f64> = FREE.iter().map(|(name, _)| default.get(name).unwrap()).collect();
    let mut rng = Rng::new(77);
    let (mut mean, mut square) = ([0.0; FREE.len()], [0.0; FREE.len()]);
    for step in 0..steps {
        let mut gradient = [0.0; FREE.len()];
        for pair in 0..pairs {
            let change = FREE.map(|_| gauss(&mut rng));
            let value = [1.0, -1.0].map(|sign| {
                let moved = theta.iter().zip(change).zip(FREE);
                let mut moved: Vec<f64> = moved.map(|((t, c), (_, size))| t + sign * c * size).collect();
                clamp(&mut moved);
                play(&named(&moved), decks, (step * pairs + pair) * 7_919_000_000).value
            });
            for (g, c) in gradient.iter_mut().zip(change) {
                *g += (value[0] - value[1]) * c / pairs as f64;
            }
        }
        let rate = 0.1 * (1.0 - 0.8 * step as f64 / steps as f64);
        let past = step as i32 + 1;
        let moments = mean.iter_mut().zip(&mut square).zip(gradient);
        for ((t, (_, size)), ((m, s), g)) in theta.iter_mut().zip(FREE).zip(moments) {
            *m = 0.9 * *m + 0.1 * g;
            *s = 0.98 * *s + 0.02 * g * g;
            let (m, s) = (*m / (1.0 - 0.9f64.powi(past)), *s / (1.0 - 0.98f64.powi(past)));
            *t += rate * size * m / (s.sqrt() + 1e-9);
        }
        clamp(&mut theta);
        if step % 10 == 9 || step + 1 == steps {
            let list: Vec<String> = named(&theta)
                .iter()
                .map(|(name, x)| format!("{name}={x:.4}"))
                .collect();
            println!(
                "step {}: {:.3?}\n{}",
                step + 1,
                play(&named(&theta), 2_000, CONTROL),
                list.join(",")
            );
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let number = |i: usize, or: u64| arguments.get(i).map_or(or, |a| a.parse().expect("a number"));
    let even = play(&[], 100, CONTROL);
    assert!(even.margin == 0.0 && even.points == 0.5, "{even:?}");
    if arguments.first().is_some_and(|a| a == "match") {
        let list = arguments.get(1).expect("NAME=VALUE,...").split(',');
        let pairs = list.map(|pair| pair.split_once('=').expect("NAME=VALUE"));
        let values: Vec<(String, f64)> = pairs
            .map(|(name, x)| (name.to_owned(), x.parse().expect("a number")))
            .collect();
        println!("{:.3?}", play(&values, number(2, 2_000), CONTROL));
        return;
    }
    climb(number(0, 60), number(1, 20), number(2, 250));
}
