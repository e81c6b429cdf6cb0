//! Ten kills in the middle of a run lose nothing and repeat nothing.

use fifty_tools::arena::store::Store;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const GAMES: usize = 200;

fn start(file: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(["play", "wondev", "--bot", "engine:40", "--bot", "builtin:greedy"])
        .args(["--games", &GAMES.to_string(), "--resume", "--results"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Finished games of the only run; none while the file is not there yet.
fn finished(file: &Path) -> usize {
    if !file.exists() {
        return 0;
    }
    let runs = Store::open(file).and_then(|s| s.runs()).unwrap_or_default();
    assert!(runs.len() <= 1, "a resumed run must not start another");
    runs.first().map_or(0, |r| r.games)
}

/// Everything about each game but its times.
fn games(file: &Path) -> Vec<String> {
    let store = Store::open(file).unwrap();
    let run = store.runs().unwrap()[0].id;
    let ids = store.ids(run).unwrap();
    store
        .results(run)
        .unwrap()
        .into_values()
        .map(|mut result| {
            result.times.clear();
            let mut trace = store.trace(ids[&result.index]).unwrap();
            for exchange in trace.steps.iter_mut().flat_map(|s| &mut s.exchanges) {
                exchange.micros = 0;
            }
            format!("{result:?} {trace:?}")
        })
        .collect()
}

#[test]
fn a_run_killed_ten_times_holds_the_games_of_a_single_run() {
    let dir = tempfile::tempdir().unwrap();
    let (killed, single) = (dir.path().join("killed.sqlite"), dir.path().join("single.sqlite"));
    for kill in 1..=10 {
        let mut arena = start(&killed);
        let enough = kill * GAMES / 12;
        let until = Instant::now() + Duration::from_secs(60);
        while finished(&killed) < enough && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        arena.kill().unwrap();
        arena.wait().unwrap();
        assert!(
            finished(&killed) >= enough,
            "kill {kill} came before {enough} games"
        );
    }
    assert!(start(&killed).wait().unwrap().success());
    assert!(start(&single).wait().unwrap().success());
    let (a, b) = (games(&killed), games(&single));
    assert_eq!((a.len(), b.len()), (GAMES, GAMES));
    for (n, (a, b)) in a.iter().zip(&b).enumerate() {
        assert!(a == b, "game {n} differs:\n{a:.600}\n{b:.600}");
    }
}
