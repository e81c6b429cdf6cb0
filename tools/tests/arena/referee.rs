//! `fifty referee` in the forms that other arenas and a contest's testing tool expect.

use fifty_tools::games::connexion::formats::{Bags, End, Log};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn referee(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fifty"))
        .arg("referee")
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The scores printed, one a line and nothing else.
fn scores(output: &Output) -> Vec<i64> {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
        .lines()
        .map(|line| line.parse().unwrap())
        .collect()
}

#[test]
fn one_score_a_line_as_brutaltester_reads_it() {
    let seats = ["-p1", "engine:100", "-p2", "builtin:random", "-d"];
    let first = referee(&[&["rails"], &seats[..], &["seed=7"]].concat());
    let won = scores(&first);
    assert!(
        won.len() == 2 && won[0] > won[1] && first.stderr.is_empty(),
        "{first:?}"
    );
    // The seed is the game; another seed is another one.
    assert_eq!(
        scores(&referee(&[&["rails"], &seats[..], &["seed=7"]].concat())),
        won
    );
    assert_ne!(
        scores(&referee(&[&["rails"], &seats[..], &["seed=8"]].concat())),
        won
    );
    let four = [
        "-p1",
        "builtin:greedy",
        "-p2",
        "builtin:random",
        "-p3",
        "builtin:random",
        "-p4",
        "builtin:random",
    ];
    let squares = scores(&referee(
        &[&["slime"], &four[..], &["-d", "seed=1 size=6"]].concat(),
    ));
    assert!(
        squares.len() == 4 && squares.iter().sum::<i64>() <= 36,
        "{squares:?}"
    );
}

#[test]
fn a_fault_is_a_negative_score_and_a_line_on_stderr() {
    // Quotes are understood, although no shell reads the command.
    let crash = "sh -c 'echo my book is lost >&2; exit 3'";
    let output = referee(&["wondev", "-p1", "builtin:greedy", "-p2", crash, "-d", "seed=2"]);
    let scores = scores(&output);
    assert!(scores[0] >= 0 && scores[1] == -1, "{scores:?}");
    let said = text(&output.stderr);
    assert!(
        said.contains("seat 1") && said.contains("crash exit code 3"),
        "{said}"
    );
    assert!(said.contains("stderr: my book is lost"), "{said}");
}

#[test]
fn one_json_line_as_psyleague_reads_it() {
    let seats = ["-p1", "builtin:random", "-p2", "builtin:greedy", "--psyleague"];
    let output = referee(&[&["kingdomino"], &seats[..], &["-d", "seed=5"]].concat());
    assert_eq!(text(&output.stdout).lines().count(), 1);
    let line: Value = serde_json::from_str(text(&output.stdout)).unwrap();
    assert_eq!(line["ranks"], serde_json::json!([1, 0]));
    assert_eq!(line["errors"], serde_json::json!([0, 0]));
    assert_eq!(line["test_data"]["seed"], 5);
    assert!(
        line["player_data"][1]["score"]
            .as_str()
            .unwrap()
            .parse::<f64>()
            .unwrap()
            > 0.0
    );
    // Without a seed every game is another.
    let any = |_| {
        let output = referee(&[&["wondev"], &seats[..]].concat());
        let line: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        line["test_data"]["seed"].as_u64().unwrap()
    };
    let [a, b] = [0, 1].map(any);
    assert_ne!(a, b);
}

/// A bot that says what arenas collect, then answers as CodinGame's engine would be asked: not at all.
const TALKER: &str = "sh -c 'echo \"[PDATA][0] nodes = 12\" >&2; echo \"[TDATA] map = big\" >&2; exit 3'";

#[test]
fn codingames_log_as_the_scripts_of_psyleague_and_cgarena_read_it() {
    let dir = tempfile::tempdir().unwrap();
    // As both make it: a temporary file without an ending.
    let log = dir.path().join("log_8x2");
    let file = log.to_str().unwrap();
    for game in ["rails", "kingdomino", "wondev", "connexion"] {
        let seats = ["-p1", "builtin:greedy", "-p2", TALKER, "-l", file];
        let plain = scores(&referee(&[&[game], &seats[..], &["-d", "seed=7"]].concat()));
        let read = || -> Value { serde_json::from_str(&fs::read_to_string(&log).unwrap()).unwrap() };
        let written = read();
        assert_eq!(written["scores"]["0"], plain[0], "{game}");
        assert!(written["scores"]["1"].as_i64().unwrap() < 0, "{game}");
        let texts = |seat: &str| -> String {
            let frames = written["errors"][seat].as_array().unwrap();
            frames.iter().filter_map(Value::as_str).collect()
        };
        assert!(
            texts("1").contains("[PDATA][0] nodes = 12\n[TDATA] map = big\n"),
            "{game}: {}",
            texts("1")
        );
        let frames = written["outputs"]["0"].as_array().unwrap().len();
        assert_eq!(written["errors"]["1"].as_array().unwrap().len(), frames);
        assert_eq!(written["uinput"][0], "seed=7");
        // cgarena's spelling, with CodinGame's server mode and the engine's last league.
        let words = [&[game, "-s"], &seats[..], &["-seed", "7", "-league", "19"]].concat();
        let again = scores(&referee(&words));
        assert_eq!(again[1], plain[1], "{game}");
        assert_eq!(read()["uinput"][0], "seed=7");
        // The same again in a line of JSON; `-s` before a number is a seed.
        let words = [&[game, "-s", "7", "--cgarena"], &seats[..4]].concat();
        let line: Value = serde_json::from_str(text(&referee(&words).stdout)).unwrap();
        assert_eq!(
            (&line["test_data"]["seed"], &line["errors"]),
            (&Value::from(7), &serde_json::json!([0, 1]))
        );
        assert_eq!(line["test_data"]["map"], "big");
        assert!(
            line["attributes"]
                .as_array()
                .unwrap()
                .contains(&serde_json::json!({"name": "nodes", "player": 1, "turn": 0, "value": "12"})),
            "{line}"
        );
    }
}

#[test]
fn a_log_comes_back_as_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("game.json");
    let file = log.to_str().unwrap();
    let seats = ["-p1", "engine:20", "-p2", "builtin:greedy", "-p1n", "me"];
    scores(&referee(
        &[&["wondev"], &seats[..], &["-l", file, "-seed", "-5"]].concat(),
    ));
    let fifty = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_fifty"))
            .args(args)
            .output()
            .unwrap()
    };
    let shown = fifty(&["show", file]);
    assert!(text(&shown.stdout).contains("seat 0: me"), "{shown:?}");
    let results = dir.path().join("r.sqlite");
    let imported = fifty(&[
        "import",
        file,
        "--as",
        "wondev",
        "--results",
        results.to_str().unwrap(),
    ]);
    assert!(text(&imported.stdout).contains("1 games agree"), "{imported:?}");
}

#[test]
fn connexion_reads_bags_and_writes_the_testing_tools_log() {
    let dir = tempfile::tempdir().unwrap();
    let (input, log) = (dir.path().join("input.txt"), dir.path().join("log.txt"));
    let bags: Bags = Bags::random(77);
    fs::write(&input, bags.render()).unwrap();
    let data = format!("bags={}", input.display());
    let output = referee(&[
        "connexion",
        "-p1",
        "engine:20",
        "-p2",
        "builtin:greedy",
        "-d",
        &data,
        "-l",
        log.to_str().unwrap(),
    ]);
    let points = scores(&output);
    let written = fs::read_to_string(&log).unwrap();
    let read = Log::parse(&written).unwrap();
    assert_eq!(read.commands, ["engine:20", "builtin:greedy"]);
    assert_eq!(
        read.init,
        Some([0, 1].map(|seat: usize| bags.0[seat][..5].to_vec()))
    );
    assert_eq!(read.moves.len(), 64);
    assert_eq!(read.end, End::Scores([points[0], points[1]]));
    assert_eq!(written.matches("\n# Debug FIRST: think value=").count(), 32);

    // The same from the tool's own file of options; the argument wins over EXEC2.
    let config = dir.path().join("settings.ini");
    let again = dir.path().join("again.txt");
    let lines = format!(
        "# local\nINPUT={}\nLOG={}\nEXEC1=engine:20\nEXEC2=builtin:random\n",
        input.display(),
        again.display()
    );
    fs::write(&config, lines).unwrap();
    let output = referee(&[
        "connexion",
        "--config",
        config.to_str().unwrap(),
        "-p2",
        "builtin:greedy",
    ]);
    assert_eq!(scores(&output), points);
    assert_eq!(fs::read_to_string(&again).unwrap(), written);
}

#[test]
fn a_page_is_written_where_one_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("game.html");
    scores(&referee(&[
        "wondev",
        "-p1",
        "engine:50",
        "-p2",
        "builtin:random",
        "-l",
        page.to_str().unwrap(),
    ]));
    let html = fs::read_to_string(page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.contains("engine:50"));
}

#[test]
fn what_is_wrong_is_said_once_and_nothing_is_played() {
    for (args, words) in [
        ("wondev -p1 builtin:greedy", "expected -p1 to -p2, no -p2"),
        (
            "wondev -p1 ./nothing-here -p2 builtin:greedy",
            "-p1: ./nothing-here: no such file",
        ),
        (
            "wondev -p1 builtin:greedy -p2 builtin:greedy -d seed=soon",
            "whole number",
        ),
        (
            "wondev -p1 builtin:greedy -p2 builtin:greedy -d league=9",
            "league",
        ),
        (
            "rails --config x -p1 builtin:greedy -p2 builtin:greedy",
            "connexion",
        ),
    ] {
        let output = referee(&args.split(' ').collect::<Vec<_>>());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            output.stdout.is_empty() && said.contains(words),
            "{args:?}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
