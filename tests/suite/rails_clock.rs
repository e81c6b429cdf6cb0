//! Rails: what an answer costs of its own processor time, on the largest maps.

use crate::rails::asked;
use cpu_time::ThreadTime;
use fifty::games::rails::bot::Bot;
use fifty::games::rails::map::Rules;
use fifty::games::rails::state::State;
use fifty::games::rails::unshipped::mapgen::generate;
use fifty::games::rails::unshipped::orders::resolve;
use fifty::games::rails::unshipped::text::{init_lines, turn_lines};
use fifty::games::rails::weights::Weights;
use fifty::kit::agent::Agent;
use fifty::kit::clock::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Milliseconds an answer is allowed by the bot's own clock, and of the processor.
const BUDGET: u64 = 39;
const BOUND: Duration = Duration::from_millis(45);

/// Answers on maps of the largest size, seat 0 against a quick seat 1, while `busy` other threads spin: the processor
/// time of each, sorted.
fn answers(count: usize, busy: usize) -> Vec<(Duration, i64, u8)> {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut times = Vec::with_capacity(count);
        let mut seed = 0;
        while times.len() < count {
            seed += 1;
            let rules = Rules::inking(3 + (seed % 2) as u8);
            let map = generate(seed, true, rules);
            if map.height < 20 {
                continue;
            }
            let mut mine = Bot::new(Budget::millis(BUDGET, BUDGET), Weights::DEFAULT, 0);
            let mut other = Bot::new(Budget::Work(12), Weights::DEFAULT, 0);
            let mut state = State::new();
            while !state.is_over() && times.len() < count {
                let mut text = Vec::new();
                if state.turn == 0 {
                    text = init_lines(&map, 0);
                }
                text.extend(turn_lines(&map, &state, state.scores.map(i64::from), 0));
                let text = text.join("\n") + "\n";
                let mut out = Vec::new();
                let before = ThreadTime::now();
                assert!(mine.turn(&mut text.as_bytes(), &mut out).unwrap());
                times.push((before.elapsed(), seed, state.turn));
                let said = [
                    String::from_utf8(out).unwrap(),
                    asked(&mut other, &map, &state, 1),
                ];
                let plans = said.map(|line| resolve(&map, &state, &line).plan);
                state.play(&map, &plans);
            }
        }
        done.store(true, Ordering::Relaxed);
        times.sort_unstable();
        times
    })
}

/// `cargo test --release -p fifty --test suite rails_answers -- --ignored --nocapture`; other counts by `RAILS_ANSWERS`,
/// other threads that spin by `RAILS_BUSY`.
#[test]
#[ignore = "seven minutes of one core"]
fn rails_answers_stay_within_their_own_time() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |n| n.parse().expect("a number"));
    let (count, busy) = (number("RAILS_ANSWERS", 10_000), number("RAILS_BUSY", 1));
    let times = answers(count, busy);
    let ms = |at: usize| times[at].0.as_secs_f64() * 1000.0;
    let over = times.iter().filter(|(time, ..)| *time > BOUND).count();
    println!(
        "{count} answers at {BUDGET} ms on maps of 30 by 20, {busy} other threads busy: own time min {:.1}, median {:.1}, \
         99.9 % {:.1}, max {:.1} ms (map, turn: {:?}); {over} over {} ms",
        ms(0),
        ms(count / 2),
        ms(count - 1 - count / 1000),
        ms(count - 1),
        (times[count - 1].1, times[count - 1].2),
        BOUND.as_millis(),
    );
    assert_eq!(over, 0);
}
