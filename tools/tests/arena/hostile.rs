//! Bots that harm others: with the sandbox nothing gets through; without it the table shows what would.
//!
//! How a bot may misbehave towards itself and the arena (silence, floods, crashes, fork storms) is in `misbehave`.

use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::freeze::Freeze;
use fifty_tools::arena::sandbox::{Sandbox, missing};
use fifty_tools::arena::seat::{Rules, Seat};
use fifty_tools::arena::sys;
use fifty_tools::games::adapters;
use fifty_tools::referee::Ask;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const KINDS: &[&str] = &[
    "kills its opponent",
    "stops its opponent",
    "traces its opponent",
    "reads its opponent's memory",
    "reads its opponent's environment",
    "forges its opponent's output",
    "steals its opponent's input",
    "signals the arena",
    "leaves an orphan",
    "deletes a file of the arena",
    "overwrites a file of the arena",
    "leaves files",
    "fills the disk with many files",
    "raises its priority",
    "takes a real-time priority",
    "opens the network",
    "leaves shared memory",
    "leaves a System V segment",
    "writes a file beyond its limit",
    "takes memory beyond its limit",
    "starts 1,500 processes",
];

fn program() -> PathBuf {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/bots/hostile.rs");
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition", "2024", "-O", "-o"])
        .args([&program, &source]);
    assert!(rustc.status().unwrap().success());
    program
}

/// What a seat answers, or its fault.
pub fn ask(seat: &mut dyn Seat, send: &str) -> String {
    let answer = seat.ask(&Ask {
        seat: 0,
        send: send.into(),
        want: 1,
        limit: Duration::from_secs(10),
    });
    match answer.output {
        Ok(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
        Err(fault) => format!("{fault:?}"),
    }
}

/// What is left of `mark` after a bot: processes, files, segments.
fn leftovers(mark: &str, file: &Path) -> Vec<String> {
    let mut left = Vec::new();
    let named = |pid: u32| {
        let words = procfs::process::Process::new(pid as i32).ok()?.cmdline().ok()?;
        words.first().filter(|word| word.contains(mark)).cloned()
    };
    left.extend(sys::processes().iter().filter_map(|p| named(p.pid)));
    for path in [
        PathBuf::from(format!("/dev/shm/fifty-{mark}")),
        std::env::temp_dir().join(format!("fifty-many-{mark}")),
        PathBuf::from(format!("{}.left", file.display())),
    ] {
        if path.exists() {
            left.push(path.display().to_string());
        }
    }
    match std::fs::read_to_string(file) {
        Ok(text) if text == "precious" => {}
        other => left.push(format!("{}: {other:?}", file.display())),
    }
    let key = format!(" {} ", std::process::id());
    let segments = std::fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    left.extend(
        segments
            .lines()
            .filter(|l| format!(" {l} ").contains(&key))
            .map(|_| "a segment".to_owned()),
    );
    left
}

/// Sets one kind on a bot that means no harm; what the hostile one says, and everything that is wrong afterwards.
fn duel(program: &Path, kind: &str, sandbox: Sandbox) -> (String, Vec<String>) {
    let mark = format!("{}-{}", std::process::id(), kind.replace([' ', '\''], "-"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("precious");
    std::fs::write(&file, "precious").unwrap();
    let rules = Rules {
        sandbox,
        freeze: Freeze::Off,
        ..Rules::default()
    };
    let seat = |line: &str| {
        Bot::parse(line, adapters()[0])
            .unwrap()
            .seat(adapters()[0], 0, rules)
            .unwrap()
    };
    // The opponent: its own process has the number that the arena sees.
    let mut victim = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut honest = seat("cat");
    assert_eq!(ask(honest.as_mut(), "1\n"), "1");
    let mut hostile = seat(&format!(
        "FIFTY_VICTIM={} FIFTY_ARENA={} FIFTY_FILE='{}' FIFTY_MARK='{mark}' '{}' \"{kind}\"",
        victim.id(),
        std::process::id(),
        file.display(),
        program.display()
    ));
    let said = ask(hostile.as_mut(), "1\n");
    let again = ask(honest.as_mut(), "1\n");
    hostile.end(false);
    honest.end(false);
    let mut wrong = leftovers(&mark, &file);
    if again != "1" {
        wrong.push(format!("its opponent says {again}"));
    }
    let state = procfs::process::Process::new(victim.id() as i32)
        .unwrap()
        .stat()
        .unwrap()
        .state;
    if state != 'S' {
        wrong.push(format!("the victim is {state}"));
    }
    let _ = victim.kill();
    victim.wait().unwrap();
    let _ = std::fs::remove_dir_all(std::env::temp_dir().join(format!("fifty-many-{mark}")));
    let _ = std::fs::remove_file(format!("/dev/shm/fifty-{mark}"));
    (said, wrong)
}

/// What the hostile bot may call done although it harmed nobody: it has a place of its own to do it in.
const HARMLESS: &[&str] = &[
    "leaves an orphan",
    "leaves shared memory",
    "leaves a System V segment",
];

/// True where the size of its process table is a PID namespace's own.
fn counts_processes() -> bool {
    let kernel = procfs::sys::kernel::Version::current().unwrap();
    (kernel.major, kernel.minor) >= (6, 14)
}

#[test]
fn nothing_gets_out_of_the_sandbox() {
    let missing = missing();
    println!("missing here: {missing:?}");
    let program = program();
    for kind in KINDS {
        let (said, wrong) = duel(&program, kind, Sandbox::Auto);
        println!("{kind:36} {said:10} {wrong:?}");
        if *kind == "starts 1,500 processes" && !counts_processes() {
            println!(
                "{:36} this kernel counts processes of all namespaces together",
                ""
            );
        } else if missing.is_empty() {
            assert_eq!(wrong, [""; 0], "{kind}");
            assert!(said != "done" || HARMLESS.contains(kind), "{kind}: {said}");
        }
    }
}

/// Which kinds are open without the sandbox. Of these the seal alone stops what concerns scheduling and tracing.
#[test]
#[ignore = "harms files and processes of its own"]
fn what_is_open_without_the_sandbox() {
    let program = program();
    let mut open = 0;
    for kind in KINDS {
        let (said, wrong) = duel(&program, kind, Sandbox::None);
        let harm = said == "done" || !wrong.is_empty();
        open += usize::from(harm);
        println!(
            "{kind:36} {said:10} {} {wrong:?}",
            if harm { "open" } else { "contained" }
        );
    }
    println!("{open} of {} open", KINDS.len());
    assert!(open > 0);
    // The segment is the System's, and stays.
    let _ = Command::new("ipcrm")
        .args(["-M", &std::process::id().to_string()])
        .status();
}
