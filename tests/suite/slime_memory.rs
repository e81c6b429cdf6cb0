//! The slime program's memory beside it: no link is followed, no note is lost with four games at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const QUESTION: &str = "1,1......2,........,........,........,........,........,........,3......4";

fn program(dir: &Path) -> PathBuf {
    let program = dir.join("slime");
    fs::copy(env!("CARGO_BIN_EXE_slime"), &program).unwrap();
    program
}

fn answer(program: &Path) {
    let output = Command::new(program).arg(QUESTION).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty(), "{output:?}");
}

fn lines(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|line| line.ends_with(" ;")).count()
}

#[test]
fn four_games_at_once_lose_no_note() {
    let dir = std::env::temp_dir().join(format!("fifty-slime-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let program = program(&dir);
    answer(&program);
    let memory = dir.join("slime.memory");
    let note = fs::read_to_string(&memory).unwrap();
    // Nearly full: the file is turned over while four play.
    let count = 64 * 1024 / note.len();
    fs::write(&memory, note.repeat(count)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| answer(&program)));
        }
    });
    let old = dir.join("slime.memory.old");
    assert_eq!(lines(&memory) + lines(&old), count + 20);
    assert!(lines(&old) >= count, "it was never turned over");
    let mut left: Vec<_> = fs::read_dir(&dir)
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["slime", "slime.memory", "slime.memory.old"]);
    fs::remove_dir_all(&dir).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_in_its_place_is_not_followed() {
    let dir = std::env::temp_dir().join(format!("fifty-slime-link-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let program = program(&dir);
    let other = dir.join("precious");
    fs::write(&other, "mine\n").unwrap();
    std::os::unix::fs::symlink(&other, dir.join("slime.memory")).unwrap();
    answer(&program);
    std::os::unix::fs::symlink(dir.join("nowhere"), dir.join("slime.memory.old")).unwrap();
    answer(&program);
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine\n");
    assert!(!dir.join("nowhere").exists());
    fs::remove_dir_all(&dir).unwrap();
}
