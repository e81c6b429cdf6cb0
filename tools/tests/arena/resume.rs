//! Runs that are killed or interrupted, ten times each, lose nothing and repeat nothing; an interrupted one prints
//! its table and the line that goes on with it.

use fifty_tools::arena::store::Store;
use fifty_tools::tune;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Each command with its games, and a word of its table.
const RUNS: [(&str, &str, usize, &str); 4] = [
    (
        "play",
        "wondev --bot engine:30 --bot builtin:greedy --games 144 --results",
        144,
        "LOS",
    ),
    (
        "league",
        "wondev --bot engine:30 --bot builtin:greedy --bot builtin:random --games 48 --results",
        144,
        "Bradley-Terry",
    ),
    (
        "sprt",
        "wondev --candidate engine:30 --base builtin:greedy --elo1 0.1 --games 144 --results",
        144,
        "LLR",
    ),
    (
        "tune",
        "wondev --params c_area0_e --work 100 --games 400 --batch 1 --check 0 --db",
        400,
        "scatter",
    ),
];

fn start(kind: &str, args: &str, file: &Path, resume: bool) -> Child {
    Command::new(env!("CARGO_BIN_EXE_fifty"))
        .arg(kind)
        .args(args.split(' '))
        .arg(file)
        .args(resume.then_some("--resume"))
        .env_remove("CARGO")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Finished games of the only run; none while the file is not there yet.
fn finished(kind: &str, file: &Path) -> usize {
    if !file.exists() {
        return 0;
    }
    if kind == "tune" {
        let rows = tune::store::Store::open(file).and_then(|s| s.rows("wondev"));
        return rows.map_or(0, |rows| 2 * rows.len());
    }
    let runs = Store::read(file).and_then(|s| s.runs()).unwrap_or_default();
    assert!(runs.len() <= 1, "a resumed run must not start another");
    runs.first().map_or(0, |r| r.games)
}

/// Everything about each game but its times.
fn games(kind: &str, file: &Path) -> Vec<String> {
    if kind == "tune" {
        let rows = tune::store::Store::open(file).and_then(|s| s.rows("wondev"));
        return rows.unwrap().iter().map(|row| format!("{row:?}")).collect();
    }
    let store = Store::read(file).unwrap();
    let run = store.runs().unwrap()[0].id;
    let ids = store.ids(run).unwrap();
    let results = store.results(run).unwrap().into_values();
    results
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

/// Waits until the run has some more games than `before`.
fn more(kind: &str, file: &Path, before: usize) {
    let until = Instant::now() + Duration::from_secs(120);
    while finished(kind, file) < before + 4 {
        assert!(Instant::now() < until, "{kind} does not go on");
        std::thread::sleep(Duration::from_millis(3));
    }
}

#[test]
fn killed_and_interrupted_runs_hold_the_games_of_a_single_run() {
    for (kind, args, total, word) in RUNS {
        let dir = tempfile::tempdir().unwrap();
        let (often, single) = (dir.path().join("often.sqlite"), dir.path().join("single.sqlite"));
        for kill in 0..10 {
            let before = finished(kind, &often);
            let mut arena = start(kind, args, &often, kill > 0);
            more(kind, &often, before);
            arena.kill().unwrap();
            arena.wait().unwrap();
        }
        let mut line = None;
        for interrupt in 0..10 {
            let before = finished(kind, &often);
            let mut arena = match &line {
                // The line it printed, as a shell reads it.
                Some(line) => Command::new("sh")
                    .args(["-c", &format!("exec {line}")])
                    .env_remove("CARGO")
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap(),
                None => start(kind, args, &often, true),
            };
            more(kind, &often, before);
            let (name, code) = [("INT", 130), ("TERM", 143)][interrupt % 2];
            let sent = Command::new("kill")
                .args([format!("-{name}"), arena.id().to_string()])
                .status();
            assert!(sent.unwrap().success());
            let ended = arena.wait().unwrap();
            let mut output = String::new();
            std::io::Read::read_to_string(arena.stdout.as_mut().unwrap(), &mut output).unwrap();
            assert_eq!(ended.code(), Some(code), "{kind} {interrupt}: {output}");
            assert!(
                output.contains(word) && output.contains("interrupted"),
                "{kind}: {output}"
            );
            line = output
                .split_once("go on with: ")
                .map(|(_, line)| line.trim().to_owned());
            assert!(
                line.as_ref().is_some_and(|line| line.ends_with("--resume")),
                "{kind}: {output}"
            );
        }
        assert!(
            finished(kind, &often) < total,
            "{kind}: nothing was left to resume"
        );
        for (file, resume) in [(&often, true), (&single, false)] {
            let mut arena = start(kind, args, file, resume);
            let mut output = String::new();
            std::io::Read::read_to_string(arena.stdout.as_mut().unwrap(), &mut output).unwrap();
            let code = arena.wait().unwrap().code();
            // A test that does not decide is inconclusive.
            assert_eq!(code, Some(i32::from(kind == "sprt")), "{output}");
        }
        let (a, b) = (games(kind, &often), games(kind, &single));
        let count = if kind == "tune" { total / 2 } else { total };
        assert_eq!((a.len(), b.len()), (count, count), "{kind}");
        for (n, (a, b)) in a.iter().zip(&b).enumerate() {
            assert!(a == b, "{kind}, game {n} differs:\n{a:.600}\n{b:.600}");
        }
    }
}
