//! How much the compiler may be asked.
//!
//! Every question is a run of rustc; its processor time counts and the bundler's own, not the clock on the wall. What
//! is past the budget is not begun any more: the search for more to leave out ends, and what is proven by then
//! stands. What a program cannot do without (that what names reach compiles, that editions agree) is asked in any
//! case, and once. Without a limit nothing depends on how fast the machine is.

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use nix::time::ClockId;
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;
use wait4::Wait4;

/// Seconds of a bundle's budget unless told otherwise.
pub const SECONDS: u64 = 400;

/// The same for a judge without a limit: what is left out there is worth less than what it costs.
const UNLIMITED: u64 = 150;

/// Seconds of a bundle's budget for a judge with this limit of characters, unless told otherwise.
pub fn seconds_for(limit: Option<usize>) -> u64 {
    if limit.is_some() { SECONDS } else { UNLIMITED }
}

/// The budget of so many seconds; 0 for no end.
pub fn budget_of(seconds: u64) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Processor time, shared by all who ask for the same bundle.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    limit: Option<Duration>,
    /// Bytes of a text of which all that no code needs has gone, beyond which the rest is not looked for.
    most: Option<usize>,
    /// The thread that bundles, and its processor time when it began.
    begun: Option<(ThreadId, Duration)>,
    shared: Arc<Shared>,
}

/// Part of the budget, in percent, after which a question that may be left is broken off.
const LAST: u32 = 110;

/// Times a limit that a text has without what no code needs, where all further cuts and shorter names leave it over that.
const FAR: usize = 4;

#[derive(Debug, Default)]
struct Shared {
    /// Microseconds of all questions so far.
    spent: AtomicU64,
    /// Those of the thread that bundles, when it last asked for them.
    own: AtomicU64,
    /// Those of the longest check that was no failure.
    usual: AtomicU64,
    questions: AtomicU64,
    /// Microseconds beyond the limit.
    lent: AtomicU64,
    /// What is asked now may as well be left.
    optional: AtomicBool,
    /// Something was left undone for it.
    ended: AtomicBool,
    /// The text is far over what the judge takes: nothing that there is time for brings it below.
    closed: AtomicBool,
    /// Where questions stand.
    folder: OnceLock<tempfile::TempDir>,
}

/// All budgets with a limit are at their end.
static HURRIED: AtomicBool = AtomicBool::new(false);
/// They may be ended so.
static MAY_HURRY: AtomicBool = AtomicBool::new(false);

/// Whether [`hurry`] is to end budgets: where one bundle is made that has a limit, and no other after it.
pub fn may_hurry(may: bool) {
    MAY_HURRY.store(may, Ordering::Relaxed);
}

/// Processes of questions that may be left.
static ASKING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Ends all budgets that have a limit, and the questions under them that may be left: what is proven by now stands. `false`
/// if they may not, or had ended so before.
pub fn hurry() -> bool {
    if !MAY_HURRY.load(Ordering::Relaxed) || HURRIED.swap(true, Ordering::Relaxed) {
        return false;
    }
    for process in &*asking() {
        let _ = kill(Pid::from_raw(*process), Signal::SIGKILL);
    }
    true
}

fn asking() -> MutexGuard<'static, BTreeSet<i32>> {
    ASKING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True once budgets were ended by [`hurry`].
pub fn is_hurried() -> bool {
    HURRIED.load(Ordering::Relaxed)
}

/// About what a check takes of a text that was not cut yet.
const MICROS_A_BYTE: usize = 3;

/// What a run of rustc came to.
pub struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// What it said.
    pub stderr: String,
    /// Processor time.
    pub took: Duration,
    /// A signal ended it, and not for the time that it took.
    pub is_broken: bool,
}

/// A process that is ended for its time has taken that but for so much.
const GRAIN: Duration = Duration::from_millis(500);

impl Budget {
    /// At most `limit` from now on in this thread, or no end.
    pub fn new(limit: Option<Duration>) -> Self {
        Self {
            limit,
            most: None,
            begun: Some((thread::current().id(), thread_time())),
            shared: Arc::default(),
        }
    }

    /// The same for a judge that takes so many characters.
    #[must_use]
    pub fn below(self, characters: Option<usize>) -> Self {
        Self {
            most: characters.map(|most| most * FAR),
            ..self
        }
    }

    /// What no code needs has gone of a text, and so many bytes are left: far over the limit that is the end.
    pub fn came_to(&self, bytes: usize) {
        if self.most.is_some_and(|most| bytes > most) {
            self.shared.closed.store(true, Ordering::Relaxed);
        }
    }

    /// True where a text is that far over the limit.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Relaxed)
    }

    /// For what a program cannot do without: it counts, but has no end.
    #[must_use]
    pub fn without_end(&self) -> Self {
        Self {
            limit: None,
            ..self.clone()
        }
    }

    /// All who share it have so much more time from now on, in place of what they were lent before.
    pub fn lend(&self, more: Duration) {
        self.shared.lent.store(micros(more), Ordering::Relaxed);
    }

    /// The limit with what is lent.
    fn whole(&self) -> Option<Duration> {
        let lent = Duration::from_micros(self.shared.lent.load(Ordering::Relaxed));
        self.limit.map(|limit| limit + lent)
    }

    /// The limit in whole seconds.
    pub fn seconds(&self) -> Option<u64> {
        self.limit.map(|limit| limit.as_secs())
    }

    /// Processor time of all questions and of the thread that asks.
    pub fn spent(&self) -> Duration {
        if let Some((_, begun)) = self.begun.filter(|(thread, _)| *thread == thread::current().id()) {
            let own = micros(thread_time().saturating_sub(begun));
            self.shared.own.store(own, Ordering::Relaxed);
        }
        let own = self.shared.own.load(Ordering::Relaxed);
        Duration::from_micros(self.shared.spent.load(Ordering::Relaxed) + own)
    }

    /// Number of questions.
    pub fn questions(&self) -> u64 {
        self.shared.questions.load(Ordering::Relaxed)
    }

    /// A check went well that took so long.
    pub fn heard(&self, took: Duration) {
        self.shared.usual.fetch_max(micros(took), Ordering::Relaxed);
    }

    /// Whether what is asked from now on may as well be left: it is broken off where there is no time for it.
    pub fn may_be_left(&self, optional: bool) {
        self.shared.optional.store(optional, Ordering::Relaxed);
    }

    /// Time until so many percent of the limit.
    fn left(&self, percent: u32) -> Option<Duration> {
        let limit = self.whole()?;
        if is_hurried() || self.is_closed() {
            return Some(Duration::ZERO);
        }
        Some((limit * percent / 100).saturating_sub(self.spent()))
    }

    /// True if there is time for so many more checks like the longest by now; else something is left undone.
    pub fn has_time_for(&self, checks: u32) -> bool {
        let usual = Duration::from_micros(self.shared.usual.load(Ordering::Relaxed));
        let has = self.left(100).is_none_or(|left| left > usual * checks);
        if !has {
            self.shared.ended.store(true, Ordering::Relaxed);
        }
        has
    }

    /// True if a text of so many bytes can hardly be read that often: nothing need have been asked before.
    pub fn is_short_for(&self, bytes: usize, times: u32) -> bool {
        let once = Duration::from_micros((bytes * MICROS_A_BYTE) as u64);
        self.left(100).is_some_and(|left| left < once * times)
    }

    /// True if more than this part of it is spent, in percent: what asks leaves something undone.
    pub fn is_past(&self, percent: u32) -> bool {
        let is_past = self.left(percent).is_some_and(|left| left.is_zero());
        if is_past {
            self.shared.ended.store(true, Ordering::Relaxed);
        }
        is_past
    }

    /// True if something was left undone.
    pub fn has_ended(&self) -> bool {
        self.shared.ended.load(Ordering::Relaxed)
    }

    /// A folder for what is asked, gone with the last who asks.
    pub fn folder(&self) -> Result<&Path> {
        if self.shared.folder.get().is_none() {
            let made = tempfile::tempdir().context("no temporary directory")?;
            let _ = self.shared.folder.set(made);
        }
        Ok(self.shared.folder.get().expect("just made").path())
    }

    /// Runs rustc to its end, or for `most` of processor time.
    pub fn run(&self, command: &Command, most: Duration) -> Result<Answer> {
        let answer = self.run_once(command, most)?;
        // The signal that ended the budget may have been meant for all that runs.
        if answer.is_broken && is_hurried() {
            return self.run_once(command, most);
        }
        Ok(answer)
    }

    fn run_once(&self, command: &Command, most: Duration) -> Result<Answer> {
        let optional = self.shared.optional.load(Ordering::Relaxed);
        let left = self.left(LAST).filter(|_| optional);
        let most = left.map_or(most, |left| most.min(left));
        let most = most.as_secs().max(1);
        let mut limited = limited(command, most);
        let mut child = limited
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("rustc cannot be started")?;
        // One that is over has its number until it is waited for.
        let process = i32::try_from(child.id()).ok().filter(|_| left.is_some());
        if let Some(process) = process {
            asking().insert(process);
            if is_hurried() {
                let _ = child.kill();
            }
        }
        let mut said = Vec::new();
        let mut pipe = child.stderr.take().expect("it was asked for");
        let heard = pipe.read_to_end(&mut said);
        if let Some(process) = process {
            asking().remove(&process);
        }
        let used = child.wait4().context("rustc was lost")?;
        heard.context("rustc cannot be heard")?;
        let took = used.rusage.utime + used.rusage.stime;
        self.shared.spent.fetch_add(micros(took), Ordering::Relaxed);
        self.shared.questions.fetch_add(1, Ordering::Relaxed);
        let is_ended = process.is_some() && is_hurried();
        let is_short = took + GRAIN < Duration::from_secs(most);
        Ok(Answer {
            status: used.status,
            stderr: String::from_utf8_lossy(&said).into_owned(),
            took,
            is_broken: used.status.code().is_none() && is_short && !is_ended,
        })
    }
}

/// What a program that failed said on stderr; how it ended, where it said nothing.
pub fn said(status: ExitStatus, stderr: &[u8]) -> String {
    match String::from_utf8_lossy(stderr).trim() {
        "" => format!("it said nothing and ended with {status}"),
        text => text.to_owned(),
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Processor time of this thread.
fn thread_time() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID
        .now()
        .map_or(Duration::ZERO, Duration::from)
}

/// The same command under a limit of processor time.
pub fn limited(command: &Command, seconds: u64) -> Command {
    let mut new = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -t {seconds}; exec \"$0\" \"$@\"")]);
        shell.arg(command.get_program());
        shell
    } else {
        Command::new(command.get_program())
    };
    new.args(command.get_args());
    if let Some(dir) = command.get_current_dir() {
        new.current_dir(dir);
    }
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => new.env(key, value),
            None => new.env_remove(key),
        };
    }
    new
}

/// What the compiler says it is.
pub fn compiler_version() -> &'static [u8] {
    static VERSION: OnceLock<Vec<u8>> = OnceLock::new();
    VERSION.get_or_init(|| {
        let asked = Command::new(rustc()).arg("-vV").output();
        asked.map(|out| out.stdout).unwrap_or_default()
    })
}

/// The compiler itself: asked hundreds of times, it is not to be looked for by a wrapper each time.
pub fn rustc() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        let out = Command::new("rustc")
            .args(["--print", "sysroot"])
            .current_dir(std::env::temp_dir())
            .output();
        let root = out.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
        let name = format!("rustc{}", std::env::consts::EXE_SUFFIX);
        let own = Path::new(&root.unwrap_or_default()).join("bin").join(name);
        if own.is_file() {
            own
        } else {
            PathBuf::from("rustc")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_without_a_word_is_told_by_its_status() {
        for (script, expected) in [
            ("echo no >&2; exit 1", "no"),
            ("exit 3", "it said nothing and ended with exit status: 3"),
            ("kill -9 $$", "it said nothing and ended with signal: 9 (SIGKILL)"),
        ] {
            let out = Command::new("sh").args(["-c", script]).output().unwrap();
            assert_eq!(said(out.status, &out.stderr), expected);
        }
    }

    #[test]
    fn far_over_the_limit_it_ends() {
        let seconds = Some(Duration::from_secs(99));
        for (budget, expected) in [
            (Budget::new(seconds).below(Some(100)), true),
            (Budget::new(seconds).below(None), false),
            (Budget::new(None).below(Some(100)), false),
        ] {
            budget.came_to(400);
            assert!(budget.has_time_for(1) && !budget.is_past(50));
            budget.came_to(401);
            assert_eq!(budget.is_past(50), expected);
        }
    }

    #[test]
    fn what_is_lent_all_have_who_share_a_budget() {
        let budget = Budget::new(Some(Duration::from_secs(10)));
        let other = budget.clone();
        budget.shared.spent.store(20_000_000, Ordering::Relaxed);
        assert!(other.is_past(100));
        budget.lend(Duration::from_secs(50));
        assert!(!other.is_past(100) && other.is_past(33));
        assert_eq!(other.seconds(), Some(10));
        budget.lend(Duration::ZERO);
        assert!(other.is_past(100));
    }

    #[test]
    fn what_runs_counts_and_ends() {
        let budget = Budget::new(Some(Duration::from_millis(1)));
        assert!(!budget.has_ended());
        let mut command = Command::new("sh");
        command.args(["-c", "echo said >&2; while :; do :; done"]);
        let answer = budget.run(&command, Duration::from_secs(1)).unwrap();
        assert!(!answer.status.success() && answer.took >= Duration::from_millis(500));
        assert_eq!(answer.stderr, "said\n");
        assert!(!answer.is_broken);
        assert_eq!(budget.questions(), 1);
        let mut broken = Command::new("sh");
        broken.args(["-c", "kill -9 $$"]);
        assert!(budget.run(&broken, Duration::from_secs(9)).unwrap().is_broken);
        assert!(budget.is_past(100) && budget.has_ended());
        assert!(!Budget::default().is_past(0));
        let budget = Budget::new(Some(Duration::from_secs(9)));
        assert!(budget.is_short_for(1_000_000, 6) && !budget.is_short_for(1_000, 6));
        assert!(!Budget::default().is_short_for(1_000_000, 6));
    }
}
