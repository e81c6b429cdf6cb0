//! Every way a bot can misbehave is told apart, costs little time, and leaves nothing behind.

use crate::count::Count;
use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::runner::{Played, play};
use fifty_tools::arena::seat::Rules;
use fifty_tools::arena::sys;
use fifty_tools::games::adapters;
use fifty_tools::referee::Verdict;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn bots_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots")
}

/// Plays one bot; fails if anything that carries its mark is still alive afterwards.
fn watch(name: &str, mut game: Count) -> Played {
    let file = bots_dir().join(name);
    let mark = format!("FIFTY_TEST={name}.{}", std::process::id());
    let disk = std::env::temp_dir().join(format!("fifty-disk-{name}-{}", std::process::id()));
    let shell = if file.extension().is_some_and(|e| e == "sh") {
        "sh "
    } else {
        ""
    };
    let line = format!(
        "{mark} RUST_BACKTRACE=0 FIFTY_TEST_FILE='{}' {shell}'{}'",
        disk.display(),
        file.display()
    );
    // Compiling comes before the clock.
    let bot = Bot::parse(&line, adapters()[0]).unwrap();
    let mut rules = Rules::default();
    rules.limits.memory = Some(256 << 20);
    rules.limits.file = 1 << 20;
    let started = Instant::now();
    let seat = bot.seat(adapters()[0], 0, rules).unwrap();
    let played = play(&mut game, &mut [seat], None).unwrap();
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{name} took {:?}",
        started.elapsed()
    );
    let left: Vec<u32> = sys::processes()
        .iter()
        .map(|p| p.pid)
        .filter(|&pid| sys::has_environment(pid, &mark))
        .collect();
    assert!(left.is_empty(), "{name} left processes {left:?}");
    let size = std::fs::metadata(&disk).map_or(0, |m| m.len());
    let _ = std::fs::remove_file(&disk);
    assert!(size <= 1 << 20, "{name} wrote {size} bytes");
    played
}

fn verdict(name: &str, limit_ms: u64) -> (Verdict, Played) {
    let played = watch(name, Count::new(limit_ms));
    (played.outcome.verdicts[0].clone(), played)
}

/// Answers in time even on a loaded machine.
const PATIENT: u64 = 5_000;
/// For bots that never answer.
const SHORT: u64 = 300;

#[test]
fn odd_but_right_answers_are_fine() {
    for name in [
        "good.sh",
        "crlf.sh",
        "chatty_stderr.sh",
        "stubborn.sh",
        "orphan.sh",
    ] {
        let (verdict, played) = verdict(name, PATIENT);
        assert_eq!(verdict, Verdict::Fine, "{name}");
        assert_eq!(played.outcome.scores, [5.0], "{name}");
        assert_eq!(played.seats[0].times.summary().answers, 5);
    }
}

#[test]
fn crashes_are_crashes() {
    for (name, exit) in [
        ("exits.sh", "exit code 0"),
        ("exit_code.sh", "exit code 3"),
        ("segfault.sh", "signal 11"),
        ("half_line_exit.sh", "exit code 0"),
        ("many_children.sh", "exit code 1"),
        ("child_holds_pipe.sh", "exit code 1"),
        ("fills_disk.sh", "exit code 1"),
        ("hog.rs", "signal 6"),
        ("panics.rs", "exit code 101"),
        ("deep.rs", "signal"),
    ] {
        // The one whose child holds the pipe is found out at the limit.
        let limit = if name == "child_holds_pipe.sh" {
            1_000
        } else {
            PATIENT
        };
        let (verdict, played) = verdict(name, limit);
        assert_eq!(verdict, Verdict::Crash, "{name}");
        let said = played.seats[0].exit.clone().unwrap_or_default();
        assert!(said.contains(exit), "{name}: {said}");
    }
    for name in ["closes_output.sh", "closes_output_later.sh"] {
        assert_eq!(verdict(name, PATIENT).0, Verdict::Crash, "{name}");
    }
}

#[test]
fn the_last_words_of_a_crash_are_kept() {
    let (_, played) = verdict("exit_code.sh", PATIENT);
    assert_eq!(played.seats[0].stderr, ["cannot find my book"]);
    let (_, played) = verdict("panics.rs", PATIENT);
    assert!(
        played.seats[0]
            .stderr
            .iter()
            .any(|l| l.contains("index out of bounds"))
    );
}

#[test]
fn silence_in_any_form_is_a_timeout() {
    for name in [
        "sleeps.sh",
        "silent.sh",
        "busy.sh",
        "late.sh",
        "half_line.sh",
        "trickle.sh",
    ] {
        assert_eq!(verdict(name, SHORT).0, Verdict::Timeout, "{name}");
    }
}

#[test]
fn a_full_pipe_is_a_timeout() {
    let mut game = Count::new(SHORT);
    game.padding = 300_000;
    let played = watch("deaf.sh", game);
    assert_eq!(played.outcome.verdicts[0], Verdict::Timeout);
}

#[test]
fn rubbish_is_garbage_and_wrong_moves_are_invalid() {
    for name in ["rubbish.sh", "empty_line.sh", "binary.sh"] {
        let (verdict, _) = verdict(name, PATIENT);
        assert!(matches!(verdict, Verdict::Garbage(_)), "{name}: {verdict:?}");
    }
    assert_eq!(
        verdict("wrong_number.sh", PATIENT).0,
        Verdict::Invalid("77, not 0".into())
    );
    let more = "; it wrote more lines than it was asked for, and each was taken as its next answer";
    assert_eq!(
        verdict("two_lines.sh", PATIENT).0,
        Verdict::Invalid(format!("99, not 1{more}"))
    );
}

#[test]
fn floods_are_floods() {
    for name in ["flood_lines.sh", "flood_zero.sh", "flood_after_answer.sh"] {
        assert_eq!(verdict(name, PATIENT).0, Verdict::Flood, "{name}");
    }
    assert_eq!(verdict("flood_stderr.sh", 1_500).0, Verdict::Flood);
}
