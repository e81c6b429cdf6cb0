//! Tuning somebody else's program in somebody else's game, by both methods, over an interruption.

use crate::program::file;
use fifty_tools::tune::store::Store;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn tune(dir: &Path, db: &str, games: &str, more: &[&str]) -> Output {
    let referee = format!("python3 {}", file("toy_referee.py"));
    let bot = format!("python3 {} {{plus}}", file("toy_bot.py"));
    let opponent = format!("python3 {} 4", file("toy_bot.py"));
    Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args([
            "tune",
            "--referee",
            &referee,
            "--bot",
            &bot,
            "--param",
            "plus=1,0,9,1",
        ])
        .args([
            "--opponent",
            &opponent,
            "-o",
            "rounds=4",
            "--db",
            db,
            "--games",
            games,
        ])
        .args(more)
        .current_dir(dir)
        .env_remove("CARGO")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn a_program_is_tuned_and_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let search = [
        "--method",
        "gp",
        "--batch",
        "2",
        "--check",
        "2",
        "--html",
        "page.html",
    ];
    tune(dir.path(), "often.sqlite", "8", &search);
    let again = [&search[..], &["--resume"]].concat();
    let often = tune(dir.path(), "often.sqlite", "24", &again);
    let single = tune(dir.path(), "single.sqlite", "24", &search);
    let said = String::from_utf8_lossy(&often.stdout).into_owned();
    assert_eq!(often.status.code(), Some(0), "{said}{often:?}");
    assert_eq!(said, String::from_utf8_lossy(&single.stdout));
    let trials = |db: &str| {
        Store::open(&dir.path().join(db))
            .unwrap()
            .trials("toy_referee program")
            .unwrap()
    };
    assert_eq!(trials("often.sqlite"), trials("single.sqlite"));
    assert_eq!(trials("often.sqlite").len(), 6);
    assert!(said.contains("Gaussian process, 6 settings, 12 pairs"), "{said}");
    assert!(said.contains("answer against start on 2 seeds"), "{said}");
    let answer: f64 = said
        .split("answer: plus=")
        .nth(1)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    assert!((0.0..=9.0).contains(&answer), "{said}");
    assert!(
        std::fs::read_to_string(dir.path().join("page.html"))
            .unwrap()
            .contains("<svg")
    );
    let walk = tune(dir.path(), "walk.sqlite", "16", &["--batch", "2", "--check", "0"]);
    let said = String::from_utf8_lossy(&walk.stdout).into_owned();
    assert!(
        said.contains("SPSA, 4 pairs of settings") && said.contains("answer: plus="),
        "{said}{walk:?}"
    );
    let wrong = tune(dir.path(), "walk.sqlite", "16", &["--param", "risk=1,0,2,1"]);
    assert!(
        String::from_utf8_lossy(&wrong.stderr).contains("{risk}"),
        "{wrong:?}"
    );
}

/// A score of games in which the program fell over says nothing of its numbers.
#[test]
fn a_program_that_never_plays_is_an_error_and_faults_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let program = |bot: &str, db: &str, opponents: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_fifty"))
            .args([
                "tune",
                "wondev",
                "--bot",
                bot,
                "--param",
                "d=6,2,12,1",
                "--check",
                "0",
            ])
            .args(["--method", "gp", "--batch", "1", "--games", "4", "--db", db])
            .args(opponents.iter().flat_map(|opponent| ["--opponent", opponent]))
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let out = program("false {d}", "crashes.sqlite", &["builtin:random"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}{out:?}");
    for words in [
        "failed in all 2 games",
        "seed ",
        "crash",
        "false 6",
        "crashes.sqlite",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // The opponent alone: that is told, and ends nothing.
    let slow = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/arena/bots/slow_wondev.sh");
    let out = program(
        &format!("sh '{slow}' {{d}};clock=5000"),
        "plays.sqlite",
        &["false", "builtin:random"],
    );
    let told = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{told}{out:?}");
    assert!(
        told.contains("faults of its opponents in 4 games: crash 2"),
        "{told}"
    );
}
