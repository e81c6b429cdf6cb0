//! Standard output that takes no more: a reader who has left is no error, a full disk is one line and exit 2, and in
//! both cases the work was done.

use fifty_tools::arena::store::Store;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn fifty(dir: &Path, args: &[&str], out: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap()
}

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = UnixStream::pair().unwrap();
    drop(reader);
    OwnedFd::from(writer).into()
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

const PLAY: [&str; 8] = [
    "play",
    "wondev",
    "--bot",
    "builtin:greedy",
    "--bot",
    "builtin:random",
    "--json",
    "--results=r.sqlite",
];

#[test]
fn games_are_stored_whatever_becomes_of_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let left = fifty(dir.path(), &PLAY, closed());
    assert_eq!((left.status.code(), left.stderr.len()), (Some(0), 0), "{left:?}");
    let full = fifty(dir.path(), &PLAY, full());
    let said = String::from_utf8_lossy(&full.stderr).into_owned();
    assert_eq!(full.status.code(), Some(2), "{said}");
    assert!(
        said.lines().count() == 1 && said.contains("standard output"),
        "{said}"
    );
    let runs = Store::read(&dir.path().join("r.sqlite")).unwrap().runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.games).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn no_subcommand_panics_for_want_of_a_reader() {
    let dir = tempfile::tempdir().unwrap();
    fifty(dir.path(), &PLAY, Stdio::null());
    for args in [
        &["bots", "--results", "r.sqlite"][..],
        &["games", "--results", "r.sqlite"],
        &["show", "1", "--results", "r.sqlite"],
        &["export", "--results", "r.sqlite"],
        &[
            "ask",
            "1",
            "--turn",
            "2",
            "--bot",
            "builtin:greedy",
            "--results",
            "r.sqlite",
        ],
        &[
            "league",
            "wondev",
            "--bot",
            "builtin:greedy",
            "--bot",
            "builtin:random",
            "--games",
            "2",
        ],
    ] {
        for (out, code) in [(closed(), 0), (full(), 2)] {
            let told = fifty(dir.path(), args, out);
            let said = String::from_utf8_lossy(&told.stderr).into_owned();
            assert_eq!(told.status.code(), Some(code), "{args:?}: {said}");
            assert!(!said.contains("panicked"), "{args:?}: {said}");
        }
    }
}
