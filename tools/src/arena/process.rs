//! One bot process and its pipes: write with a deadline, read with a deadline, end it and all it started.
//!
//! Nothing here blocks longer than it is told to, whatever the process does. Bytes that come beyond an
//! answer stay queued for the next one. Not here: what an answer means.

use super::command::CommandLine;
use super::excuse::Account;
use super::freeze::{Freeze, Freezer, Group};
use super::guard::{self, Mark};
use super::launch::{self, Preparation, Rlimits};
use super::sandbox::Place;
use super::sys::{self, Want};
use super::witness::Witness;
use crate::referee::Fault;
use nix::sys::signal::Signal;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Unread output beyond which a bot floods; answers are a few hundred bytes.
pub const FLOOD: usize = 128 << 10;
/// Bytes on stderr during one answer beyond which a bot floods at once.
const STDERR_FLOOD: u64 = 32 << 20;
/// Bytes on stderr that make a missing answer a flood instead of a timeout.
const STDERR_NOISE: u64 = 256 << 10;
/// Bytes of stderr kept of one turn.
const STDERR_TURN: usize = 4 << 10;
/// Bytes of stderr kept of one whole game.
const STDERR_GAME: usize = 256 << 10;
/// Bytes of stderr kept from the end.
const STDERR_TAIL: usize = 2 << 10;
/// How long a finished bot may take to leave, and again after a terminate signal.
const LEAVE: Duration = Duration::from_secs(1);
/// How long a bot may take to be back where it waits for a question.
const THAW: Duration = Duration::from_millis(1);

/// What a bot said on stderr, within bounds.
#[derive(Debug, Default)]
pub struct Stderr {
    turn: Vec<u8>,
    tail: Vec<u8>,
    kept: usize,
    total: u64,
}

impl Stderr {
    /// Adds what came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = STDERR_TURN
            .saturating_sub(self.turn.len())
            .min(STDERR_GAME.saturating_sub(self.kept))
            .min(bytes.len());
        self.turn.extend_from_slice(&bytes[..room]);
        self.kept += room;
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * STDERR_TAIL {
            self.tail.drain(..self.tail.len() - STDERR_TAIL);
        }
    }

    /// What came since the last call.
    pub fn take_turn(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.turn)).into_owned()
    }

    /// The last lines, at most `n`.
    pub fn last_lines(&self, n: usize) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.tail);
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(n)..]
            .iter()
            .map(|l| l.chars().take(300).collect())
            .collect()
    }
}

/// How a process is started and watched.
#[derive(Clone, Copy, Debug)]
pub struct Spec<'a> {
    /// Its place, if it has one.
    pub place: Option<&'a Place>,
    /// What it may use.
    pub limits: Rlimits,
    /// It lives for a whole game and is asked again and again; else for one answer, its input closed.
    pub talk: bool,
    /// Somebody wants to know whose doing a late answer is.
    pub watch: bool,
    /// How it will be frozen while it is not asked.
    pub freeze: Freeze,
}

/// A running bot.
pub struct Process {
    child: Child,
    placed: bool,
    freezer: Freezer,
    witness: Option<Witness>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    queue: Vec<u8>,
    flooded: bool,
    exit: Option<ExitStatus>,
}

impl Process {
    /// Starts it with all three streams piped (stdin only if it talks).
    pub fn start(line: &CommandLine, mark: &Mark, spec: Spec<'_>) -> io::Result<Self> {
        let mut command = line.command();
        mark.put(&mut command);
        let group = if spec.freeze == Freeze::Cgroup {
            Group::new()
        } else {
            None
        };
        let mut command = launch::prepared(
            command,
            &Preparation {
                arena: std::process::id(),
                limits: spec.limits,
                confined: spec.place.map(|place| place.confined(spec.limits.file)),
                cgroup: group.as_ref().map(|group| group.dir().to_path_buf()),
            },
        );
        command
            .stdin(if spec.talk { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self {
            freezer: Freezer::new(group, child.id()),
            witness: spec.watch.then(|| {
                Witness::new(
                    child.id(),
                    spec.place.is_some_and(Place::apart),
                    !spec.talk,
                    line.pins(),
                )
            }),
            child,
            placed: spec.place.is_some_and(Place::apart),
            stdin,
            stdout,
            stderr,
            queue: Vec::new(),
            flooded: false,
            exit: None,
        };
        if let Some(pipe) = &process.stdin {
            sys::set_nonblocking(pipe)?;
        }
        if let Some(pipe) = &process.stdout {
            sys::set_nonblocking(pipe)?;
        }
        if let Some(pipe) = &process.stderr {
            sys::set_nonblocking(pipe)?;
        }
        Ok(process)
    }

    /// The bot's own process: in a place, the child of its init.
    fn bot(&self) -> u32 {
        if self.placed {
            sys::grandchild(self.id()).unwrap_or(self.id())
        } else {
            self.id()
        }
    }

    /// True where it is stopped until it is asked again.
    pub fn frozen(&self) -> bool {
        self.freezer.frozen()
    }

    /// Stops it until it is asked again.
    pub fn freeze(&mut self) {
        self.freezer.freeze();
    }

    /// Waits until it sleeps, as a bot does that has started and waits for its first question, at most `most`.
    pub fn settle(&self, most: Duration) {
        let until = Instant::now() + most;
        let mut nap = Duration::from_micros(50);
        while !sys::sleeps(self.bot()) && Instant::now() < until {
            std::thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(2));
        }
    }

    /// Before a question that is to be answered within `limit`: it runs again, and is watched.
    pub fn begin(&mut self, limit: Duration) {
        self.freezer.thaw();
        if self.stdin.is_some() {
            // Back to where it waits for us, most likely.
            self.settle(THAW);
        }
        if let Some(witness) = &mut self.witness {
            witness.begin(limit);
        }
    }

    /// After an answer that came `took` after `started`; where that is beyond `limit`, whose doing it was, as far as can
    /// be told.
    pub fn account(&mut self, started: Instant, took: Duration, limit: Duration) -> Option<Account> {
        let witness = self.witness.as_mut()?;
        witness.answered(took);
        (took > limit).then(|| witness.account(started, took))
    }

    /// When to give up, if at `until` unless somebody else stopped the bot meanwhile.
    fn deadline(&self, until: Instant) -> Instant {
        until + self.witness.as_ref().map(Witness::extension).unwrap_or_default()
    }

    /// Waits for output until the next look at the bot is due or `until` has come; false where it has.
    fn watch(&mut self, log: &mut Stderr, until: Instant, write: bool) -> Result<bool, Fault> {
        let due = self.witness.as_ref().map(Witness::due);
        let now = Instant::now();
        if let (Some(due), Some(witness)) = (due, &mut self.witness) {
            if due <= now {
                witness.tick();
                let ready = self.wait(log, now, write)?;
                return Ok(ready || now < self.deadline(until));
            }
        }
        let end = self.deadline(until);
        let ready = self.wait(log, due.map_or(end, |due| due.min(end)), write)?;
        Ok(ready || Instant::now() < end)
    }

    /// Its id, which is also its group's.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes all of `text`, reading what comes meanwhile. False if the process no longer listens;
    /// `Timeout` if it does not read in time.
    pub fn tell(&mut self, text: &[u8], log: &mut Stderr, until: Instant) -> Result<bool, Fault> {
        let mut rest = text;
        while !rest.is_empty() {
            let Some(pipe) = self.stdin.as_mut() else {
                return Ok(false);
            };
            match pipe.write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    // Too long a message for the pipe of a bot that does not run.
                    self.freezer.thaw();
                    if !self.watch(log, until, true)? {
                        return Err(Fault::Timeout);
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    self.stdin = None;
                    return Ok(false);
                }
            }
        }
        if let Some(witness) = &mut self.witness {
            witness.told();
        }
        Ok(true)
    }

    /// Takes the next `want` whole lines.
    pub fn lines(&mut self, want: usize, log: &mut Stderr, until: Instant) -> Result<Vec<u8>, Fault> {
        let before = log.total;
        loop {
            if let Some(end) = end_of_line(&self.queue, want) {
                let rest = self.queue.split_off(end);
                return Ok(std::mem::replace(&mut self.queue, rest));
            }
            let noise = log.total - before;
            if self.queue.len() > FLOOD || noise > STDERR_FLOOD {
                self.flooded = true;
            }
            if self.flooded {
                return Err(Fault::Flood);
            }
            if self.stdout.is_none() {
                self.drain(log);
                return Err(Fault::Crash);
            }
            if !self.watch(log, until, false)? && end_of_line(&self.queue, want).is_none() {
                // A process that is gone may have left its output open to another.
                return Err(if self.exited() {
                    Fault::Crash
                } else if log.total - before > STDERR_NOISE {
                    Fault::Flood
                } else {
                    Fault::Timeout
                });
            }
        }
    }

    /// A whole line has come that nobody took.
    pub fn is_ahead(&self) -> bool {
        end_of_line(&self.queue, 1).is_some()
    }

    /// Takes all output up to the end of the process, whose exit status stays to be taken.
    pub fn whole(&mut self, log: &mut Stderr, until: Instant) -> Result<Vec<u8>, Fault> {
        let noise = log.total + STDERR_FLOOD;
        loop {
            if self.queue.len() > FLOOD || log.total > noise {
                self.flooded = true;
                return Err(Fault::Flood);
            }
            if sys::has_ended(self.id()) {
                self.drain(log);
                return Ok(std::mem::take(&mut self.queue));
            }
            if Instant::now() >= self.deadline(until) {
                return Err(Fault::Timeout);
            }
            if let Some(witness) = &mut self.witness {
                if witness.due() <= Instant::now() {
                    witness.tick();
                }
            }
            if self.stdout.is_none() && self.stderr.is_none() {
                std::thread::sleep(Duration::from_micros(100));
            } else {
                // Somebody else may hold the pipe open after the exit: look at the process now and then.
                self.wait(log, until.min(Instant::now() + Duration::from_millis(2)), false)?;
            }
        }
    }

    /// Reads what has arrived, without waiting. Tells whether the unread output is a flood by now.
    pub fn drain(&mut self, log: &mut Stderr) -> bool {
        self.read_stdout();
        self.read_stderr(log);
        if self.queue.len() > FLOOD {
            self.flooded = true;
        }
        self.flooded
    }

    /// Waits for output (or, if `write`, room for input) and reads it. False when `until` has come.
    fn wait(&mut self, log: &mut Stderr, until: Instant, write: bool) -> Result<bool, Fault> {
        let mut fds = Vec::with_capacity(3);
        if let Some(pipe) = &self.stdout {
            fds.push((pipe.as_fd(), Want::Read));
        }
        if let Some(pipe) = &self.stderr {
            fds.push((pipe.as_fd(), Want::Read));
        }
        if let (true, Some(pipe)) = (write, &self.stdin) {
            fds.push((pipe.as_fd(), Want::Write));
        }
        let now = Instant::now();
        let ready = now < until && sys::poll(&fds, until - now).map_err(|_| Fault::Crash)?;
        // A look after the deadline too: the bytes may have come in time while we were not running.
        self.read_stdout();
        self.read_stderr(log);
        Ok(ready)
    }

    fn read_stdout(&mut self) {
        let mut buffer = [0u8; 16 << 10];
        while let Some(pipe) = self.stdout.as_mut() {
            if self.queue.len() > FLOOD {
                return;
            }
            match pipe.read(&mut buffer) {
                Ok(0) => self.stdout = None,
                Ok(n) => self.queue.extend_from_slice(&buffer[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.stdout = None,
            }
        }
    }

    fn read_stderr(&mut self, log: &mut Stderr) {
        let mut buffer = [0u8; 16 << 10];
        // Bounded, so that a bot that writes faster than we read cannot hold us here.
        for _ in 0..64 {
            let Some(pipe) = self.stderr.as_mut() else {
                return;
            };
            match pipe.read(&mut buffer) {
                Ok(0) => self.stderr = None,
                Ok(n) => log.push(&buffer[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.stderr = None,
            }
        }
    }

    fn exited(&mut self) -> bool {
        if self.exit.is_none() {
            self.exit = self.child.try_wait().ok().flatten();
        }
        self.exit.is_some()
    }

    /// Closes its input and waits until it leaves, at most `LEAVE`, then asks it to, then kills its group.
    /// Without `patience` it is killed at once. Returns how it ended by itself, if it did.
    pub fn end(&mut self, log: &mut Stderr, patience: bool) -> Option<ExitStatus> {
        self.stdin = None;
        self.freezer.thaw();
        let mut own = None;
        if patience {
            for ask in [false, true] {
                if ask {
                    sys::signal_group(self.id(), Signal::SIGTERM);
                }
                if self.leaves(log) {
                    if !ask {
                        own = self.exit;
                    }
                    break;
                }
            }
        } else if self.stdout.is_none() {
            // It closed its output: most likely it is just now dying, and its exit status is worth a wait.
            let until = Instant::now() + Duration::from_millis(300);
            while !self.exited() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
            }
            own = self.exit;
        } else if self.exited() {
            own = self.exit;
        }
        self.drain(log);
        self.kill();
        own
    }

    fn leaves(&mut self, log: &mut Stderr) -> bool {
        let until = Instant::now() + LEAVE;
        let mut nap = Duration::from_micros(200);
        while !self.exited() {
            if Instant::now() >= until {
                return false;
            }
            // Whatever it still says must not block it.
            self.drain(log);
            if self.queue.len() > FLOOD {
                self.queue.clear();
            }
            std::thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(20));
        }
        true
    }

    /// Kills it and all in its group, without waiting.
    pub fn strike(&mut self) {
        if let Some(group) = self.freezer.group() {
            group.kill();
        }
        sys::signal_group(self.id(), Signal::SIGKILL);
        if self.exit.is_none() {
            sys::kill(self.id());
        }
    }

    fn kill(&mut self) {
        self.strike();
        let until = Instant::now() + LEAVE;
        while !self.exited() {
            if Instant::now() >= until {
                // Somebody who traces it keeps it from us; it is dead all the same.
                guard::leave(self.id());
                return;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Where the `want`-th line ends.
fn end_of_line(bytes: &[u8], want: usize) -> Option<usize> {
    bytes
        .iter()
        .enumerate()
        .filter(|&(_, &b)| b == b'\n')
        .nth(want.checked_sub(1)?)
        .map(|(at, _)| at + 1)
}

/// An exit in words: `exit code 101`, `killed by signal 11 (SIGSEGV)`.
pub fn describe(status: ExitStatus) -> String {
    if let Some(signal) = status.signal() {
        let name = match signal {
            libc::SIGABRT => " (SIGABRT)",
            libc::SIGSEGV => " (SIGSEGV)",
            libc::SIGKILL => " (SIGKILL)",
            libc::SIGXFSZ => " (SIGXFSZ: file too large)",
            libc::SIGILL => " (SIGILL)",
            libc::SIGFPE => " (SIGFPE)",
            libc::SIGTERM => " (SIGTERM)",
            libc::SIGPIPE => " (SIGPIPE)",
            _ => "",
        };
        format!("killed by signal {signal}{name}")
    } else {
        format!("exit code {}", status.code().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{Stderr, end_of_line};

    #[test]
    fn lines_are_counted_from_the_front() {
        assert_eq!(end_of_line(b"a\nb\nc", 1), Some(2));
        assert_eq!(end_of_line(b"a\nb\nc", 2), Some(4));
        assert_eq!(end_of_line(b"a\nb\nc", 3), None);
        assert_eq!(end_of_line(b"a\n", 0), None);
    }

    #[test]
    fn stderr_stays_small() {
        let mut log = Stderr::default();
        for n in 0..200_000 {
            log.push(format!("line {n}\n").as_bytes());
        }
        assert_eq!(log.last_lines(2), ["line 199998", "line 199999"]);
        assert!(log.tail.len() < 5_000 && log.take_turn().len() <= 4_096);
    }
}
