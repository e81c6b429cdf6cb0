//! How much the compiler may be asked.
//!
//! Every question is a run of rustc; its processor time counts, not the clock on the wall. What is past the budget
//! is not begun any more: the search for more to leave out ends, and what is proven by then stands. Without a
//! limit nothing depends on how fast the machine is.

use anyhow::{Context, Result};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use wait4::Wait4;

/// Processor time, shared by all who ask for the same bundle.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    limit: Option<Duration>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Microseconds so far.
    spent: AtomicU64,
    /// Those of what has to be done in any case.
    before: AtomicU64,
    questions: AtomicU64,
    /// Something was left undone for it.
    ended: AtomicBool,
}

/// What a run of rustc came to.
pub struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// What it said.
    pub stderr: String,
    /// Processor time.
    pub took: Duration,
}

impl Budget {
    /// At most `limit`, or no end.
    pub fn new(limit: Option<Duration>) -> Self {
        Self {
            limit,
            shared: Arc::default(),
        }
    }

    /// The limit in whole seconds.
    pub fn seconds(&self) -> Option<u64> {
        self.limit.map(|limit| limit.as_secs())
    }

    /// Processor time of all questions.
    pub fn spent(&self) -> Duration {
        Duration::from_micros(self.shared.spent.load(Ordering::Relaxed))
    }

    /// Number of questions.
    pub fn questions(&self) -> u64 {
        self.shared.questions.load(Ordering::Relaxed)
    }

    /// What was asked until now had to be: the budget is for what follows.
    pub fn begin(&self) {
        let spent = self.shared.spent.load(Ordering::Relaxed);
        self.shared.before.store(spent, Ordering::Relaxed);
    }

    /// True if more than this part of it is spent, in percent: what asks leaves something undone.
    pub fn is_past(&self, percent: u32) -> bool {
        let before = Duration::from_micros(self.shared.before.load(Ordering::Relaxed));
        let is_past = self
            .limit
            .is_some_and(|limit| self.spent().saturating_sub(before) > limit * percent / 100);
        if is_past {
            self.shared.ended.store(true, Ordering::Relaxed);
        }
        is_past
    }

    /// True if something was left undone.
    pub fn has_ended(&self) -> bool {
        self.shared.ended.load(Ordering::Relaxed)
    }

    /// Runs rustc to its end, or for `most` of processor time.
    pub fn run(&self, command: &Command, most: Duration) -> Result<Answer> {
        let mut limited = limited(command, most.as_secs().max(1));
        let mut child = limited
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("rustc cannot be started")?;
        let mut said = Vec::new();
        let mut pipe = child.stderr.take().expect("it was asked for");
        let heard = pipe.read_to_end(&mut said);
        let used = child.wait4().context("rustc was lost")?;
        heard.context("rustc cannot be heard")?;
        let took = used.rusage.utime + used.rusage.stime;
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.shared.spent.fetch_add(micros, Ordering::Relaxed);
        self.shared.questions.fetch_add(1, Ordering::Relaxed);
        Ok(Answer {
            status: used.status,
            stderr: String::from_utf8_lossy(&said).into_owned(),
            took,
        })
    }
}

/// The same command under a limit of processor time.
fn limited(command: &Command, seconds: u64) -> Command {
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
    fn what_runs_counts_and_ends() {
        let budget = Budget::new(Some(Duration::from_millis(1)));
        assert!(!budget.is_past(100) && !budget.has_ended());
        let mut command = Command::new("sh");
        command.args(["-c", "echo said >&2; while :; do :; done"]);
        let answer = budget.run(&command, Duration::from_secs(1)).unwrap();
        assert!(!answer.status.success() && answer.took >= Duration::from_millis(500));
        assert_eq!(answer.stderr, "said\n");
        assert_eq!(budget.questions(), 1);
        assert!(budget.is_past(100) && budget.has_ended());
        assert!(!Budget::default().is_past(0));
    }
}
