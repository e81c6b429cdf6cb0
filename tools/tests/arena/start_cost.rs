//! What the sandbox costs: games of two seats with it and without, in turn, each of a hundred answers.
//!
//! `cargo test --release -p fifty-tools --test arena start_cost -- --ignored --nocapture` prints the medians and the
//! difference pair by pair; a quiet machine is its own affair. The bot is the C library's `cat`, so that what is timed is
//! the arena.

use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::runner::play;
use fifty_tools::arena::sandbox::Sandbox;
use fifty_tools::arena::seat::{Rules, Seat};
use fifty_tools::games::adapters;
use fifty_tools::referee::{Ask, Outcome, Referee, Reply, Verdict};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PAIRS: usize = 60;
const SEATS: usize = 2;
const ANSWERS: usize = 100;
/// What a seat's start may cost.
const MOST: f64 = 3.0;

/// Asks both seats in turn, and keeps when it had the first answer of each, and how long the others took.
struct Echo {
    asked: usize,
    begun: Instant,
    started: Duration,
    answers: Vec<f64>,
}

impl Referee for Echo {
    fn asks(&mut self) -> Vec<Ask> {
        if self.asked == ANSWERS * SEATS {
            return Vec::new();
        }
        vec![Ask {
            seat: self.asked % SEATS,
            send: "1\n".into(),
            want: 1,
            limit: Duration::from_secs(10),
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        assert_eq!(replies[0].lines(), ["1"]);
        self.asked += 1;
        if self.asked == SEATS {
            self.started = self.begun.elapsed();
        } else if self.asked > SEATS {
            self.answers.push(replies[0].elapsed.as_secs_f64() * 1e3);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.asked == ANSWERS * SEATS).then(|| Outcome {
            scores: vec![0.0; SEATS],
            points: vec![0.0; SEATS],
            end: "echoed".into(),
            verdicts: vec![Verdict::Fine; SEATS],
        })
    }

    fn view(&self) -> Value {
        json!({})
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Milliseconds of one game: until both seats have answered once, and for their end, both by
/// seat, and of its median answer between.
fn game(sandbox: Sandbox) -> [f64; 3] {
    let adapter = adapters()[0];
    let rules = Rules {
        sandbox,
        ..Rules::default()
    };
    let begun = Instant::now();
    let mut seats: Vec<Box<dyn Seat>> = (0..SEATS)
        .map(|seat| {
            let bot = Bot::parse("cat", adapter).unwrap();
            bot.seat(adapter, seat as u64, rules).unwrap()
        })
        .collect();
    let mut echo = Echo {
        asked: 0,
        begun,
        started: Duration::ZERO,
        answers: Vec::new(),
    };
    play(&mut echo, &mut seats, None).unwrap();
    let over = Instant::now();
    drop(seats);
    let ended = over.elapsed();
    [
        echo.started.as_secs_f64() * 1e3 / SEATS as f64,
        ended.as_secs_f64() * 1e3 / SEATS as f64,
        median(&mut echo.answers),
    ]
}

#[test]
#[ignore = "times the machine"]
fn start_cost() {
    let mut with: [Vec<f64>; 3] = Default::default();
    let mut without: [Vec<f64>; 3] = Default::default();
    game(Sandbox::Auto);
    for pair in 0..PAIRS {
        // Each goes first in every second pair.
        for turn in [pair % 2, 1 - pair % 2] {
            let (sandbox, times) = if turn == 0 {
                (Sandbox::Auto, &mut with)
            } else {
                (Sandbox::None, &mut without)
            };
            for (all, one) in times.iter_mut().zip(game(sandbox)) {
                all.push(one);
            }
        }
    }
    let mut cost = [0.0; 3];
    for (n, what) in ["start of a seat", "end of a seat", "an answer"]
        .iter()
        .enumerate()
    {
        let mut apart: Vec<f64> = with[n].iter().zip(&without[n]).map(|(a, b)| a - b).collect();
        cost[n] = median(&mut apart);
        println!(
            "{what:16} {:7.3} ms with the sandbox, {:7.3} without, {:+.3} pair by pair (medians of {PAIRS})",
            median(&mut with[n]),
            median(&mut without[n]),
            cost[n]
        );
    }
    assert!(cost[0] <= MOST, "the start of a seat costs more than {MOST} ms");
}
