//! The excuse table: nobody is excused for what it did itself, everybody for what others did to it.
//!
//! Each row plays one bot against a clock of 50 ms for a number of answers, on a machine in one of several states. Other
//! programs may run, too: a bot that thinks too long by its own clock tells whether its core was taken from it just
//! before it would have answered; no record could show then when that would have been, and such an answer is counted
//! apart, as is one of a bot that would have been late by what other programs did, too.
//!
//! A test binary of its own: a child of this process that is no bot of the arena may be an orphan of one, and then no
//! wait is credited. Tests beside it that start programs would take its excuses from every bot here.
//!
//! The short table is a test; the long one, 500 answers a row, is a command:
//! `cargo test --release -p fifty-tools --test excuse long_table -- --ignored --nocapture`.

use fifty_tools::arena::bots::Bot;
use fifty_tools::arena::freeze::{Freeze, Group};
use fifty_tools::arena::runner::{Late, play};
use fifty_tools::arena::sandbox::Sandbox;
use fifty_tools::arena::seat::Rules;
use fifty_tools::arena::sys;
use fifty_tools::games::adapters;
use fifty_tools::referee::{Ask, Outcome, Referee, Reply, Verdict};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const LIMIT: Duration = Duration::from_millis(50);

/// Sends numbers and takes whatever comes, late or not. The first answer has no clock.
struct Endless {
    turns: usize,
    turn: usize,
    /// Answers in which the bot says that its core was taken from it just before its time was over.
    taken: Arc<Mutex<Vec<usize>>>,
    injector: Injector,
}

impl Referee for Endless {
    fn asks(&mut self) -> Vec<Ask> {
        if self.turn > self.turns {
            return Vec::new();
        }
        if self.turn > 0 {
            self.injector.strike();
        }
        vec![Ask {
            seat: 0,
            send: format!("{}\n", self.turn),
            want: 1,
            limit: if self.turn == 0 {
                Duration::from_secs(20)
            } else {
                LIMIT
            },
        }]
    }

    fn reply(&mut self, replies: &[Reply]) {
        if self.turn == 0 {
            assert!(replies[0].output.is_ok(), "the bot does not start");
            self.injector.meet();
        }
        if replies[0].lines().concat().ends_with("true") {
            self.taken.lock().unwrap().push(self.turn);
        }
        self.turn += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn > self.turns).then(|| Outcome {
            scores: vec![0.0],
            points: vec![0.0],
            end: "counted".into(),
            verdicts: vec![Verdict::Fine],
        })
    }

    fn view(&self) -> Value {
        json!({ "turn": self.turn })
    }
}

/// What others do to the bot in every answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Harm {
    None,
    /// SIGSTOP from a third process.
    Stop,
    /// Its control group frozen.
    Freeze,
    /// A spinner of real-time priority on its core.
    RealTime,
}

/// Does it: a shell, which is a third process.
struct Injector {
    harm: Harm,
    /// When it begins and for how long, in milliseconds after the question.
    begin: u64,
    long: u64,
    shell: Option<Child>,
    command: String,
}

impl Injector {
    fn new(harm: Harm, begin: u64, long: u64) -> Self {
        let shell = (harm != Harm::None).then(|| {
            Command::new("sh")
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        });
        Self {
            harm,
            begin,
            long,
            shell,
            command: String::new(),
        }
    }

    fn meet(&mut self) {
        if self.harm == Harm::None {
            return;
        }
        let pid = bot_process();
        let seconds = |ms: u64| format!("0.{ms:03}");
        let (begin, long) = (seconds(self.begin), seconds(self.long));
        self.command = match self.harm {
            Harm::None => String::new(),
            Harm::Stop => format!("sleep {begin}; kill -STOP {pid}; sleep {long}; kill -CONT {pid}\n"),
            Harm::Freeze => {
                let file = format!("{}/cgroup.freeze", group_of(pid));
                format!("sleep {begin}; echo 1 >{file}; sleep {long}; echo 0 >{file}\n")
            }
            Harm::RealTime => format!(
                "sleep {begin}; '{}' hog {} {}\n",
                bot().display(),
                last_core(),
                self.long
            ),
        };
    }

    fn strike(&mut self) {
        if let Some(shell) = &mut self.shell {
            let mut input = shell.stdin.as_ref().unwrap();
            input.write_all(self.command.as_bytes()).unwrap();
        }
    }
}

impl Drop for Injector {
    fn drop(&mut self) {
        if let Some(shell) = &mut self.shell {
            shell.stdin = None;
            shell.wait().unwrap();
        }
    }
}

/// The bot that runs, by its number outside of its own process table.
fn bot_process() -> u32 {
    let is_bot = |pid: u32| {
        let process = procfs::process::Process::new(pid as i32).ok()?;
        let hog = process.cmdline().ok()?.get(1)? == "hog";
        Some(process.exe().ok()? == bot() && !hog)
    };
    let all = sys::processes().into_iter().map(|p| p.pid);
    all.filter(|&pid| is_bot(pid) == Some(true))
        .max()
        .expect("the bot runs")
}

/// Where a process' control group (version 2) is.
fn group_of(pid: u32) -> String {
    let process = procfs::process::Process::new(pid as i32).unwrap();
    let groups = process.cgroups().unwrap();
    let path = &groups.0.iter().find(|g| g.hierarchy == 0).unwrap().pathname;
    let mounts = process.mountinfo().unwrap();
    let mount = mounts.0.iter().find(|m| m.fs_type == "cgroup2").unwrap();
    format!("{}{path}", mount.mount_point.display())
}

fn last_core() -> usize {
    *sys::allowed_cores().last().unwrap()
}

/// The bot, compiled.
fn bot() -> PathBuf {
    static BOT: Mutex<Option<PathBuf>> = Mutex::new(None);
    BOT.lock()
        .unwrap()
        .get_or_insert_with(|| {
            let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/excuse/clock.rs");
            let program =
                PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("clock-{}", std::process::id()));
            let done = Command::new("rustc")
                .args(["--edition", "2024", "-O", "-o"])
                .args([&program, &source])
                .status();
            assert!(done.unwrap().success());
            program
        })
        .clone()
}

/// Spinning processes on one core.
struct Spinners(Vec<Child>);

impl Spinners {
    fn on(core: usize, count: usize) -> Self {
        let spinner = |_| {
            Command::new(bot())
                .args(["hog", &core.to_string()])
                .spawn()
                .unwrap()
        };
        Self((0..count).map(spinner).collect())
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

/// The machine's state: spinning processes on the first core and on the last.
#[derive(Clone, Copy)]
struct Machine(&'static str, usize, usize);

const QUIET: Machine = Machine("idle", 0, 0);
const BUSY: Machine = Machine("other core busy", 1, 0);
const CROWDED: Machine = Machine("48 spinners on the other core", 48, 0);
const SHARED: Machine = Machine("a spinner on every core", 1, 1);

struct Row {
    way: &'static str,
    ms: u64,
    machine: Machine,
    harm: Harm,
    begin: u64,
    long: u64,
}

/// A row in which the bot itself is to blame.
const fn own(way: &'static str, machine: Machine) -> Row {
    Row {
        way,
        ms: 55,
        machine,
        harm: Harm::None,
        begin: 0,
        long: 0,
    }
}

/// A row in which others are.
const fn others(way: &'static str, ms: u64, harm: Harm, begin: u64, long: u64) -> Row {
    Row {
        way,
        ms,
        machine: QUIET,
        harm,
        begin,
        long,
    }
}

const OWN: &[Row] = &[
    own("sleep", QUIET),
    own("sleep", BUSY),
    own("sleep", CROWDED),
    own("spin", QUIET),
    own("spin", BUSY),
    own("spin", CROWDED),
    own("work", QUIET),
    own("work", BUSY),
    own("work", CROWDED),
    own("sleep", SHARED),
    own("work", SHARED),
    own("threads", SHARED),
    own("decoy", SHARED),
    own("child", SHARED),
    own("ignored", SHARED),
    own("yield", BUSY),
    own("naps", SHARED),
    own("nice", BUSY),
    own("pinned", CROWDED),
    own("stops", QUIET),
    own("forks", BUSY),
    own("relay", BUSY),
];

const OTHERS: &[Row] = &[
    others("spin", 40, Harm::Stop, 20, 60),
    others("work", 20, Harm::Stop, 5, 60),
    others("sleep", 40, Harm::Stop, 20, 60),
    others("spin", 40, Harm::Freeze, 20, 60),
    others("work", 20, Harm::Freeze, 5, 60),
    others("spin", 40, Harm::RealTime, 20, 60),
];

/// Plays one row and tells its late answers.
fn late_answers(row: &Row, answers: usize) -> (Vec<Late>, Vec<usize>) {
    let cores = sys::allowed_cores();
    let _first = Spinners::on(cores[0], row.machine.1);
    let _last = Spinners::on(last_core(), row.machine.2);
    let mut line = format!("'{}' {} {}", bot().display(), row.way, row.ms);
    if row.harm == Harm::RealTime {
        // Else it moves to another core.
        line = format!("taskset -c {} {line}", last_core());
    }
    let rules = Rules {
        patience: Duration::from_millis(250),
        sandbox: Sandbox::Auto,
        freeze: if row.harm == Harm::Freeze {
            Freeze::Cgroup
        } else {
            Freeze::Stop
        },
        ..Rules::default()
    };
    let taken = Arc::new(Mutex::new(Vec::new()));
    let mut game = Endless {
        turns: answers,
        turn: 0,
        taken: taken.clone(),
        injector: Injector::new(row.harm, row.begin, row.long),
    };
    // What was there long before the bot cannot be the bot's.
    std::thread::sleep(Duration::from_millis(30));
    let seat = Bot::parse(&line, adapters()[0])
        .unwrap()
        .seat(adapters()[0], 0, rules)
        .unwrap();
    let played = play(&mut game, &mut [seat], None).unwrap();
    let taken = taken.lock().unwrap().clone();
    (played.seats[0].late.clone(), taken)
}

/// One table at a time: else one would harm the bots of another.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Plays rows one after the other and prints the table; the number of wrong verdicts in each.
fn table(rows: &[Row], answers: usize, excusable: bool) -> Vec<usize> {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    rows.iter()
        .map(|row| {
            if row.harm == Harm::Freeze && Group::new().is_none() {
                println!("{:8} no control group can be made here: not frozen", row.way);
                return 0;
            }
            let (late, taken) = late_answers(row, answers);
            let undecided = |l: &Late| {
                if excusable {
                    // What it does when nobody harms it, and what it waited for others.
                    let plain = l.own.unwrap_or_default().max(row.ms as f64);
                    let harm = if row.harm == Harm::RealTime {
                        row.long as f64
                    } else {
                        0.0
                    };
                    plain + (l.waited.unwrap_or_default() - harm).max(0.0) > l.limit - 9.0
                } else {
                    taken.contains(&l.batch)
                }
            };
            let excused = late.iter().filter(|l| l.excused).count();
            println!(
                "{:8} {:2} ms, {:30} {:9} {answers:3} answers, {:3} late, {excused:3} excused, {} undecided",
                row.way,
                row.ms,
                row.machine.0,
                format!("{:?}", row.harm),
                late.len(),
                late.iter().filter(|l| undecided(l)).count()
            );
            let wrong: Vec<&Late> = late
                .iter()
                .filter(|l| l.excused != excusable && !undecided(l))
                .collect();
            for l in wrong.iter().take(5) {
                println!("    wrong: {l:?}");
            }
            wrong.len()
        })
        .collect()
}

#[test]
fn nobody_is_excused_for_its_own_doing() {
    assert_eq!(table(OWN, 4, false), vec![0; OWN.len()]);
}

#[test]
fn everybody_is_excused_for_what_others_did() {
    assert_eq!(table(OTHERS, 4, true), vec![0; OTHERS.len()]);
}

/// Half an hour: the whole table with 500 answers a row.
#[test]
#[ignore = "half an hour"]
fn long_table() {
    let wrong: usize =
        table(OWN, 500, false).iter().sum::<usize>() + table(OTHERS, 500, true).iter().sum::<usize>();
    println!("{wrong} wrong");
    assert_eq!(wrong, 0);
}
