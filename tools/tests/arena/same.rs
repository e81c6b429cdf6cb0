//! At fixed work a bot plays the same game over pipes as inside this process.

use fifty_tools::adapter::Adapter;
use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::matches::recorded;
use fifty_tools::games::adapters;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const ITERATIONS: u64 = 60;

/// Everything both seats answered and said on stderr, and the scores.
fn game(adapter: &'static dyn Adapter, bot: &str, seat: usize) -> (Vec<(usize, String, String)>, Vec<f64>) {
    let bots = [
        Bot::parse(bot, adapter).unwrap(),
        Bot::parse("builtin:greedy", adapter).unwrap(),
    ];
    let trace = recorded(adapter, &bots, 11, seat).unwrap();
    let answers = trace
        .answers()
        .map(|e| (e.seat, e.output.clone(), e.stderr.clone()));
    (answers.collect(), trace.scores)
}

#[test]
fn piped_games_are_the_games_played_in_process() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--package", "fifty", "--bins"])
        .current_dir(root)
        .status()
        .unwrap();
    assert!(built.success());
    let programs = Path::new(env!("CARGO_BIN_EXE_fifty")).parent().unwrap();
    for &adapter in adapters() {
        let program = programs.join(adapter.name());
        let piped = format!("FIFTY_ITERATIONS={ITERATIONS} '{}'", program.display());
        for seat in [0, adapter.seats(&BTreeMap::new()) - 1] {
            let (inside, scores) = game(adapter, &format!("engine:{ITERATIONS}"), seat);
            let (outside, same) = game(adapter, &piped, seat);
            assert!(
                inside.len() >= 4,
                "{}: a game of {} answers",
                adapter.name(),
                inside.len()
            );
            for (n, (a, b)) in inside.iter().zip(&outside).enumerate() {
                assert_eq!(a, b, "{} seat {seat}, answer {n}", adapter.name());
            }
            assert_eq!(inside.len(), outside.len(), "{} seat {seat}", adapter.name());
            assert_eq!(scores, same, "{} seat {seat}", adapter.name());
        }
    }
}
