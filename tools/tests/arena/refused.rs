//! What makes no sense is refused before anything is done: exit 2, and what was expected.

use std::path::Path;
use std::process::{Command, Stdio};

/// What is said, for a refusal.
fn refused(dir: &Path, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    said
}

const PLAY: &str = "play wondev --bot builtin:greedy --bot builtin:random --no-results";

#[test]
fn numbers_without_sense() {
    let dir = tempfile::tempdir().unwrap();
    let sprt = "sprt wondev --candidate builtin:greedy --base builtin:random --no-results";
    for (args, words) in [
        (format!("{PLAY} --games 0"), "from 1 to 1000000"),
        (
            format!("{PLAY} --games 18446744073709551615"),
            "from 1 to 1000000",
        ),
        (format!("{PLAY} --games 1000000000000"), "from 1 to 1000000"),
        (format!("{PLAY} --jobs 0"), "from 1 to 4096"),
        (
            "league wondev --no-results --games 500000".into(),
            "1000000 games in all at most",
        ),
        (format!("{sprt} --elo0 nan"), "expected a number"),
        (format!("{sprt} --elo1 inf"), "expected a number"),
        ("tune wondev --batch 0".into(), "from 1 to"),
        ("tune wondev --batch 18446744073709551615".into(), "from 1 to"),
        ("tune wondev --gain nan".into(), "expected a number"),
        ("tune wondev --gain inf".into(), "expected a number"),
        ("tune wondev --perturb nan".into(), "expected a number"),
        ("tune wondev --start c_area0_e=nan".into(), "expected a number"),
        ("clock wondev --games 0".into(), "from 1 to"),
        (
            "garble wondev --inputs 0 --programs 0".into(),
            "expected more of one of them",
        ),
        ("train wondev -o x --games 0".into(), "0 is not in"),
        ("limit wondev --times 99999999999".into(), "99999999999 is not in"),
        ("batch plan play wondev --slices 0".into(), "from 1 to"),
    ] {
        let said = refused(dir.path(), &args.split(' ').collect::<Vec<_>>());
        assert!(said.contains(words), "{args}: {said}");
    }
    assert!(!dir.path().join("fifty.sqlite").exists());
}

#[test]
fn bots_options_and_places() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plain"), "x").unwrap();
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    let random = "--bot builtin:random --no-results";
    for (args, words) in [
        (
            format!("play wondev --bot ./plain {random}"),
            "may not be executed",
        ),
        (format!("play wondev --bot ./folder {random}"), "a folder"),
        (format!("play wondev --bot cat;clok=5 {random}"), "clok=5"),
        (format!("play wondev --bot cat;name=a;name=b {random}"), "twice"),
        (format!("{PLAY} -o league=1 -o league=2"), "given before"),
        (format!("{PLAY} --on slurm"), "expected a results file"),
        ("bots add nogame x".into(), "expected one of"),
        ("bundle b -o /proc/none/b.rs".into(), "/proc/none/b.rs"),
    ] {
        let said = refused(dir.path(), &args.split(' ').collect::<Vec<_>>());
        assert!(
            said.lines().count() == 1 && said.contains(words),
            "{args}: {said}"
        );
    }
}

#[test]
fn files_and_filters_that_hold_nothing() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("empty"), "").unwrap();
    let stored = format!("{} --results r.sqlite", PLAY.replace(" --no-results", ""));
    let status = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(stored.split(' '))
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    for (args, words) in [
        ("verify wondev empty", "empty: no game in it"),
        ("fit wondev --positions empty", "empty: no position in it"),
        ("show 1 --results empty", "empty: "),
        ("games --results empty", "empty: "),
        ("games --results r.sqlite --game wondew", "games of wondev"),
        ("games --results r.sqlite --run 77", "the last one is 1"),
        ("games --results r.sqlite --like 77", "the last one is 2"),
        ("games --results r.sqlite --seed 7..3", "the smaller number first"),
        ("games --results r.sqlite --margin nan", "expected a number"),
        ("ask 1 --turn 1 --seat 7 --results r.sqlite", "0 to 1"),
    ] {
        let said = refused(dir.path(), &args.split(' ').collect::<Vec<_>>());
        assert!(
            said.lines().count() == 1 && said.contains(words),
            "{args}: {said}"
        );
    }
    let export = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(["export", "--json", "--results", "r.sqlite"])
        .current_dir(dir.path())
        .output();
    std::fs::write(dir.path().join("e.jsonl"), export.unwrap().stdout).unwrap();
    let import = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(["import", "e.jsonl", "--as", "wondev"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&import.stdout).into_owned();
    assert_eq!(
        (import.status.code(), told.lines().count()),
        (Some(1), 2),
        "{told}"
    );
    assert!(
        told.starts_with("differs: e.jsonl: results as export prints them"),
        "{told}"
    );
    let db = rusqlite::Connection::open(dir.path().join("r.sqlite")).unwrap();
    let swap = "UPDATE arena_game SET result=json_set(result, '$.points', json('[0.25, 0.75]')) WHERE id=1";
    db.execute(swap, []).unwrap();
    let said = refused(dir.path(), &["show", "1", "--results", "r.sqlite"]);
    assert!(
        said.contains("r.sqlite: game 1: ") && said.contains("[0.25, 0.75]"),
        "{said}"
    );
    let help = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(["games", "--help"])
        .output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    let order = help.split("--sort").nth(1).unwrap();
    let order = order.split("--limit").next().unwrap();
    for (column, _) in fifty_tools::serve::filter::COLUMNS {
        assert!(order.contains(column), "{column}: {order}");
    }
}
