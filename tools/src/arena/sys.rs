//! The system calls the arena needs and the standard library does not offer, by `nix`, `procfs` and `wait4`.
//!
//! Linux only. Not here: any policy; who is killed, frozen or excused when is decided in `process`, `guard`,
//! `freeze` and `excuse`.

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{self, Signal};
use nix::sys::time::TimeSpec;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::time::ClockId;
use nix::unistd::Pid;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ExitStatus};
use std::time::Duration;
use wait4::Wait4;

/// What to wait for on one descriptor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Bytes to read, or the other end closed.
    Read,
    /// Room to write, or the other end closed.
    Write,
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32)
}

/// Waits until one of `fds` is ready or `timeout` has passed; tells whether one is.
pub fn poll(fds: &[(BorrowedFd<'_>, Want)], timeout: Duration) -> io::Result<bool> {
    let events = |want| match want {
        Want::Read => PollFlags::POLLIN,
        Want::Write => PollFlags::POLLOUT,
    };
    let mut list: Vec<PollFd<'_>> = fds
        .iter()
        .map(|&(fd, want)| PollFd::new(fd, events(want)))
        .collect();
    match ppoll(&mut list, Some(TimeSpec::from_duration(timeout)), None) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Makes reads and writes return at once.
pub fn set_nonblocking(fd: &impl AsFd) -> io::Result<()> {
    let flags = OFlag::from_bits_truncate(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Sends `signal` to a whole process group; false where none is left.
pub fn signal_group(group: u32, signal: Signal) -> bool {
    signal::killpg(pid(group), signal).is_ok()
}

/// Kills one process; one that is gone already needs no killing.
pub fn kill(number: u32) {
    let _ = signal::kill(pid(number), Signal::SIGKILL);
}

/// Takes the exit status of a child that no `Child` stands for, if it has ended; true where it has (or was no child).
pub fn reap(number: u32) -> bool {
    !matches!(
        waitpid(pid(number), Some(WaitPidFlag::WNOHANG)),
        Ok(WaitStatus::StillAlive)
    )
}

/// Orphans of our bots become our children, so that they can be found and ended. Where that cannot be had they
/// become init's, and only the watcher finds them.
pub fn adopt_orphans() {
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// One line of the process table.
#[derive(Clone, Copy, Debug)]
pub struct ProcessEntry {
    /// Process id.
    pub pid: u32,
    /// Its parent.
    pub parent: u32,
    /// Its group.
    pub group: u32,
}

/// Every process that can be seen.
pub fn processes() -> Vec<ProcessEntry> {
    let Ok(all) = procfs::process::all_processes() else {
        return Vec::new();
    };
    all.filter_map(|process| {
        let stat = process.ok()?.stat().ok()?;
        Some(ProcessEntry {
            pid: stat.pid as u32,
            parent: stat.ppid as u32,
            group: stat.pgrp as u32,
        })
    })
    .collect()
}

/// Whether `pid` was started with exactly this environment entry; `None` where its environment is empty, as while a
/// process turns into another program, and after its end.
pub fn environment_has(pid: u32, entry: &str) -> Option<bool> {
    match fs::read(format!("/proc/{pid}/environ")) {
        Ok(bytes) if bytes.is_empty() => None,
        Ok(bytes) => Some(bytes.split(|&b| b == 0).any(|e| e == entry.as_bytes())),
        Err(_) => Some(false),
    }
}

/// True where `pid` was started with exactly this environment entry.
pub fn has_environment(pid: u32, entry: &str) -> bool {
    environment_has(pid, entry) == Some(true)
}

/// True where a child has ended; its exit status stays to be taken.
pub fn has_ended(number: u32) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    matches!(
        waitid(Id::Pid(pid(number)), flags),
        Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..))
    )
}

/// The first child of a process' first child.
pub fn grandchild(number: u32) -> Option<u32> {
    let child = |pid: u32| -> Option<u32> {
        let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
        text.split_ascii_whitespace().next()?.parse().ok()
    };
    child(child(number)?)
}

/// True where the first thread of a process sleeps (or is gone): it waits for something.
pub fn sleeps(number: u32) -> bool {
    let state = |pid| Some(procfs::process::Process::new(pid).ok()?.stat().ok()?.state);
    !matches!(state(number as i32), Some('R' | 'D' | 'T' | 't'))
}

/// Waits for a child and tells the CPU time it and what it waited for took, and how it ended. User and system time
/// together: the kernel knows the sum exactly, how it splits only by clock ticks, which are as long as some answers.
pub fn wait_measured(child: &mut Child) -> io::Result<(Duration, ExitStatus)> {
    let used = child.wait4()?;
    Ok((used.rusage.utime + used.rusage.stime, used.status))
}

/// CPU time of all threads of a process, also of those that have ended, up to this moment.
pub fn cpu_time(number: u32) -> Option<Duration> {
    let clock = ClockId::pid_cpu_clock_id(pid(number)).ok()?;
    Some(clock.now().ok()?.into())
}

/// The cores a process or thread may use; 0 is the calling thread. Empty where the system does not tell.
pub fn cores_of(number: u32) -> Vec<usize> {
    let Ok(set) = sched_getaffinity(pid(number)) else {
        return Vec::new();
    };
    (0..CpuSet::count())
        .filter(|&core| set.is_set(core).unwrap_or_default())
        .collect()
}

/// The cores this process may use; the first alone where the system does not tell.
pub fn allowed_cores() -> Vec<usize> {
    let cores = cores_of(0);
    if cores.is_empty() { vec![0] } else { cores }
}

/// Binds the calling thread to one core, one of [`allowed_cores`]; where that fails it stays where it may be.
pub fn stay_on(core: usize) {
    let mut set = CpuSet::new();
    if set.set(core).is_ok() {
        let _ = sched_setaffinity(pid(0), &set);
    }
}
