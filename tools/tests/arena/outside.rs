//! Games by somebody else's referee: a toy of 60 lines of Python in the conventions of others, and `fifty referee`
//! itself, which must come to what `fifty play` comes to.

use crate::program::{self, file};
use fifty_tools::arena::result::GameResult;
use fifty_tools::arena::store::Store;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn toy() -> String {
    format!("python3 {}", file("toy_referee.py"))
}

fn bot(plus: &str) -> String {
    format!("plus{plus}=python3 {} {plus}", file("toy_bot.py"))
}

fn command(args: &[&str], dir: &Path) -> Command {
    let mut command = program::command(args, dir);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn fifty(args: &[&str], dir: &Path) -> Output {
    command(args, dir).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The games of the only run, without what differs from run to run.
fn games(path: &Path) -> Vec<GameResult> {
    let store = Store::read(path).unwrap();
    let run = store.runs().unwrap().last().unwrap().id;
    let plain = |mut result: GameResult| {
        result.times.clear();
        result
    };
    store.results(run).unwrap().into_values().map(plain).collect()
}

#[test]
fn a_toy_plays_a_league_and_shows_its_frames() {
    let dir = tempfile::tempdir().unwrap();
    let bots = [
        bot("0"),
        bot("2"),
        format!("dumb=python3 {} mute", file("toy_bot.py")),
    ];
    let toy = toy();
    // One at a time, so that they are stored in order.
    let mut args = vec!["league", "--referee", &toy, "--games", "4", "--jobs", "1"];
    args.extend(bots.iter().flat_map(|bot| ["--bot", bot]));
    let league = fifty(&args, dir.path());
    let said = text(&league.stdout);
    assert_eq!(league.status.code(), Some(0), "{said}{}", text(&league.stderr));
    assert!(
        said.contains("toy_referee: 12 games") && said.contains("timeout 8"),
        "{said}"
    );
    let played = games(&dir.path().join("fifty.sqlite"));
    assert_eq!(played.len(), 12);
    // Two above wins every round that has room for it, whatever the seat.
    for game in played.iter().filter(|game| !game.seating.contains(&2)) {
        let seat = game.seating.iter().position(|&bot| bot == 1).unwrap();
        assert_eq!(game.points[seat], 1.0, "{game:?}");
    }
    let shown = text(&fifty(&["show", "1"], dir.path()).stdout);
    assert!(
        shown.contains("hint ")
            && shown.contains("stderr: [PDATA] plus = 2")
            && shown.contains("seat 0: plus0"),
        "{shown}"
    );
    let page = dir.path().join("page.html");
    fifty(&["show", "1", "--html", page.to_str().unwrap()], dir.path());
    assert!(
        std::fs::read_to_string(page)
            .unwrap()
            .contains("[PDATA] plus = 2")
    );
}

#[test]
fn a_file_names_it_and_a_test_decides() {
    let dir = tempfile::tempdir().unwrap();
    let toml = format!(
        "command = '{}'\nname = 'toy'\noptions = {{ rounds = '3' }}\n[bots]\nnew = '{}'\nold = '{}'\n",
        toy(),
        bot("3").split_once('=').unwrap().1,
        bot("1").split_once('=').unwrap().1
    );
    std::fs::write(dir.path().join("fifty.toml"), toml).unwrap();
    let sprt = fifty(
        &["sprt", "--candidate", "new", "--base", "old", "--elo1", "60"],
        dir.path(),
    );
    let said = text(&sprt.stdout);
    assert_eq!(sprt.status.code(), Some(0), "{said}{}", text(&sprt.stderr));
    assert!(said.contains("accepted") && said.contains("toy: "), "{said}");
    let wrong = fifty(&["sprt", "--candidate", "new", "--base", "nobody"], dir.path());
    assert!(text(&wrong.stderr).contains("nobody") && wrong.status.code() == Some(2));
    std::fs::write(dir.path().join("fifty.toml"), "command = 'x'\nbot = 1\n").unwrap();
    let wrong = fifty(&["play", "--bot", "a", "--bot", "b"], dir.path());
    assert!(text(&wrong.stderr).contains("fifty.toml line 2"), "{wrong:?}");
}

#[test]
fn troubles_are_named_and_counted_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let (toy, zero, two) = (toy(), bot("0"), bot("2"));
    let args = [
        "play",
        "--referee",
        &toy,
        "--referee-timeout",
        "5",
        "--bot",
        &zero,
        "--bot",
        &two,
        "--games",
        "16",
        "--json",
    ];
    let broken = command(&args, dir.path())
        .env("TOY_TROUBLE", "2=hang 3=crash 5=nonsense 6=three")
        .output()
        .unwrap();
    let said = text(&broken.stdout);
    assert_eq!(broken.status.code(), Some(0), "{said}{}", text(&broken.stderr));
    for words in [
        "the referee failed 8 of 16 games",
        "hung 2 times, first on seed 2: no end within 5 s",
        "crashed 2 times, first on seed 3: exit code 1; it said: the referee lost its board",
        "printed nonsense 2 times, first on seed 5: expected a score a line, met \"Exception in thread main\"",
        "scored the wrong number of players 2 times, first on seed 6: expected 2 scores, met 3",
        "\"failed\":8",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // The same again with a referee in order: only what is missing is played.
    let args: Vec<&str> = args.into_iter().chain(["--resume"]).collect();
    let whole = fifty(&args, dir.path());
    let said = text(&whole.stdout);
    assert!(
        said.contains("16 games on 8 seeds") && said.contains("\"failed\":0"),
        "{said}"
    );
    // One that never plays is told at once.
    let dead = fifty(
        &[
            "play",
            "--referee",
            "sh -c 'exit 4'",
            "--bot",
            &zero,
            "--bot",
            &two,
            "--games",
            "900",
        ],
        dir.path(),
    );
    assert_eq!(dead.status.code(), Some(2));
    assert!(
        text(&dead.stderr).contains("none of the first 5 games")
            && text(&dead.stderr).contains("exit code 4")
    );
}

fn start(dir: &Path, resume: bool) -> Child {
    let (toy, zero, two) = (toy(), bot("0"), bot("2"));
    let mut args = vec![
        "play",
        "--referee",
        &toy,
        "--bot",
        &zero,
        "--bot",
        &two,
        "--games",
        "40",
    ];
    args.extend(resume.then_some("--resume"));
    command(&args, dir).spawn().unwrap()
}

#[test]
fn killed_runs_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let results: PathBuf = dir.path().join("fifty.sqlite");
    let count = || match Store::read(&results).and_then(|store| store.runs()) {
        Ok(runs) => runs.first().map_or(0, |run| run.games),
        Err(_) => 0,
    };
    for kill in 0..3 {
        let before = count();
        let mut run = start(dir.path(), kill > 0);
        let until = Instant::now() + Duration::from_secs(120);
        while count() < before + 3 {
            assert!(Instant::now() < until);
            std::thread::sleep(Duration::from_millis(10));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let whole = start(dir.path(), true).wait_with_output().unwrap();
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let often = games(&results);
    let single = tempfile::tempdir().unwrap();
    start(single.path(), false).wait_with_output().unwrap();
    assert_eq!(often, games(&single.path().join("fifty.sqlite")));
    assert_eq!(often.len(), 40);
}

/// Plays `game` here and by `fifty referee`; the games of both.
fn both(game: &str, bots: [&str; 2], seeds: usize, referee: &str, more: &[&str]) -> [Vec<GameResult>; 2] {
    let dir = tempfile::tempdir().unwrap();
    let count = (seeds * if game == "slime" { 6 } else { 2 }).to_string();
    let players = if game == "slime" { "4" } else { "2" };
    let bots = ["--bot", bots[0], "--bot", bots[1], "--games", &count];
    let here = [&["play", game, "--results", "here.sqlite"], &bots[..]].concat();
    let there = [
        &[
            "play",
            "--referee",
            referee,
            "--seats",
            players,
            "--results",
            "there.sqlite",
        ],
        more,
        &bots[..],
    ]
    .concat();
    for args in [here, there] {
        let output = fifty(&args, dir.path());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
    }
    ["here.sqlite", "there.sqlite"].map(|name| games(&dir.path().join(name)))
}

/// The command for all: `cargo test -p fifty-tools --test arena outside -- --ignored`.
fn equal(game: &str, seeds: usize) {
    let referee = format!("{} referee {game}", env!("CARGO_BIN_EXE_fifty"));
    let [here, there] = both(game, ["engine:20", "builtin:greedy"], seeds, &referee, &[]);
    assert_eq!(here, there, "{game}");
}

#[test]
fn our_own_referee_as_an_outside_program_is_the_arena() {
    for game in ["wondev", "kingdomino", "slime"] {
        equal(game, 1);
    }
}

#[test]
#[ignore = "several minutes"]
fn our_own_referee_is_the_arena_in_all_games() {
    for game in ["rails", "kingdomino", "wondev", "slime", "connexion"] {
        equal(game, 12);
    }
}

#[test]
fn settings_file_and_json_line_are_spoken_too() {
    let program = env!("CARGO_BIN_EXE_fifty");
    let referee = format!("{program} referee connexion --config {{settings}}");
    // The tool knows no seed but its bags.
    let bots = ["builtin:greedy", "builtin:margin"];
    let [here, there] = both("connexion", bots, 1, &referee, &["--adapter", "settings"]);
    let plain = |games: &[GameResult]| -> Vec<_> {
        games
            .iter()
            .map(|g| (g.seating.clone(), g.scores.clone(), g.answers))
            .collect()
    };
    assert_eq!(plain(&here), plain(&there));
    let referee = format!("{program} referee wondev --psyleague -p1 {{p1}} -p2 {{p2}} -seed {{seed}}");
    let bots = ["engine:20", "builtin:greedy"];
    let [here, there] = both("wondev", bots, 2, &referee, &["--adapter", "psyleague"]);
    let points = |games: &[GameResult]| games.iter().map(|g| g.points.clone()).collect::<Vec<_>>();
    assert_eq!(points(&here), points(&there));
}
