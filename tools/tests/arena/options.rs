//! Options of a game on the command line: they decide the seats, and wrong ones are refused before a game.

use serde_json::Value;
use std::process::{Command, Output};

fn play(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args([
            "play",
            "--bot",
            "builtin:random",
            "--bot",
            "builtin:greedy",
            "--no-results",
        ])
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn classic_kingdomino_seats_as_many_as_it_is_told() {
    for players in ["2", "3", "4"] {
        let args = [
            "kingdomino",
            "--variant",
            "classic",
            "--players",
            players,
            "--games",
            "12",
            "--json",
        ];
        let output = play(&args);
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find(|line| line.starts_with('{')).unwrap();
        let report: Value = serde_json::from_str(line).unwrap();
        assert_eq!(report["games"], 12);
        for game in report["results"].as_array().unwrap() {
            assert_eq!(game["seating"].as_array().unwrap().len().to_string(), players);
            assert_eq!(game["faults"], serde_json::json!([]), "{players} players: {game}");
            let points: f64 = game["points"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_f64)
                .sum();
            assert!(
                (points * 2.0 - players.parse::<f64>().unwrap()).abs() < 1e-6,
                "{game}"
            );
        }
        assert!(report["bots"][1]["share"].as_f64() > report["bots"][0]["share"].as_f64());
    }
}

#[test]
fn wrong_options_are_one_line_and_exit_two() {
    for (args, words) in [
        (&["kingdomino", "--players", "5"][..], "players"),
        (&["kingdomino", "--players", "3"], "variant=classic"),
        (&["kingdomino", "--variant", "clasic"], "main or classic"),
        (&["wondev", "--league", "7"], "0 climb, 1 points"),
        (&["rails", "-o", "nothing=1"], "nothing"),
        (&["slime", "--size", "9"], "4 to 8"),
        (&["connexion", "-o", "clock_ms"], "expected key=value"),
    ] {
        let output = play(args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            said.lines().count() == 1 && said.contains(words),
            "{args:?}: {said}"
        );
        assert!(output.stdout.is_empty());
    }
}

/// A bot that takes 150 ms of wondev's 50 loses by its clock, unless it has a longer one or is taken late.
#[test]
fn a_bot_has_a_clock_and_a_grace_of_its_own() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/arena/bots/slow_wondev.sh");
    for (command, first, second, games) in [
        ("play", "--bot", "--bot", "2"),
        ("league", "--bot", "--bot", "2"),
        ("sprt", "--candidate", "--base", "2"),
    ] {
        for (own, late) in [
            ("", true),
            (";clock=5000", false),
            (";grace=5000", false),
            (";clock=20;grace=20", true),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let results = dir.path().join("games.sqlite");
            let fifty = |args: &[&str]| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_fifty"));
                command
                    .args(args)
                    .args(["--results", results.to_str().unwrap()])
                    .output()
                    .unwrap()
            };
            let slow = format!("slow=sh '{file}'{own}");
            let output = fifty(&[
                command,
                "wondev",
                first,
                &slow,
                second,
                "builtin:random",
                "--games",
                games,
            ]);
            assert!(output.status.code() != Some(2), "{output:?}");
            let lost = fifty(&["games", "--bot", "slow", "--fault", "timeout", "--csv"]);
            let rows = String::from_utf8(lost.stdout).unwrap().lines().count();
            assert_eq!(
                rows > 1,
                late,
                "{command} {own}: {rows}, {}",
                String::from_utf8_lossy(&output.stdout)
            );
        }
    }
}

/// A judge with one clock for a game must not hold the stronger side back: it thinks as much longer as it was given.
#[test]
fn limit_gives_more_time_where_one_clock_serves_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args([
            "limit",
            "connexion",
            "--games",
            "2",
            "--times",
            "6",
            "--jobs",
            "1",
        ])
        .args(["-o", "clock_ms=640"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(
        out.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let row = text.lines().find(|line| line.starts_with("| 6 |")).unwrap();
    let medians = row.split('|').nth(6).unwrap();
    let times: Vec<f64> = medians
        .split(',')
        .map(|t| t.trim().trim_end_matches(" ms").parse().unwrap())
        .collect();
    assert!(times[0] > 3.0 * times[1], "{row}");
}
