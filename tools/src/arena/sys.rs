//! The system calls the arena needs and the standard library does not offer, each behind a safe function.
//!
//! Linux only. Not here: any policy; who is killed when is decided in `process` and `guard`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// What to wait for on one descriptor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Bytes to read, or the other end closed.
    Read,
    /// Room to write, or the other end closed.
    Write,
}

/// Waits until one of `fds` is ready or `timeout` has passed; tells which are ready.
pub fn poll(fds: &[(RawFd, Want)], timeout: Duration) -> io::Result<Vec<bool>> {
    let mut list: Vec<libc::pollfd> = fds
        .iter()
        .map(|&(fd, want)| libc::pollfd {
            fd,
            events: if want == Want::Read {
                libc::POLLIN
            } else {
                libc::POLLOUT
            },
            revents: 0,
        })
        .collect();
    let span = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(timeout.subsec_nanos()),
    };
    // SAFETY: `list` is a valid array of its length, `span` a valid time, and no signal mask is given.
    let n = unsafe {
        libc::ppoll(
            list.as_mut_ptr(),
            list.len() as libc::nfds_t,
            &raw const span,
            std::ptr::null(),
        )
    };
    if n < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
        return Ok(vec![false; fds.len()]);
    }
    Ok(list.iter().map(|p| p.revents != 0).collect())
}

/// Makes reads and writes return at once.
pub fn set_nonblocking(fd: &impl AsRawFd) -> io::Result<()> {
    let fd = fd.as_raw_fd();
    // SAFETY: plain flag calls on a descriptor its owner keeps open.
    let done = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        flags >= 0 && libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) >= 0
    };
    if done {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// What a bot's process may use.
#[derive(Clone, Copy, Debug)]
pub struct Rlimits {
    /// Bytes of private memory; `None` for no limit.
    pub memory: Option<u64>,
    /// Largest file it may write, in bytes.
    pub file: u64,
}

/// Arranges that the process starts in a group of its own, under `limits`, and dies with the thread that
/// started it.
pub fn contain(command: &mut Command, limits: Rlimits) {
    let parent = std::process::id() as libc::pid_t;
    let child = move || {
        // SAFETY: only system calls that are safe between fork and exec, on values of this frame.
        unsafe {
            libc::setpgid(0, 0);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            limit(libc::RLIMIT_CORE, 0);
            limit(libc::RLIMIT_FSIZE, limits.file);
            if let Some(bytes) = limits.memory {
                limit(libc::RLIMIT_DATA, bytes);
                // Address space may be reserved far beyond what is used (Java, Go, node).
                limit(libc::RLIMIT_AS, bytes.saturating_mul(16));
            }
        }
        Ok(())
    };
    // SAFETY: the closure allocates nothing and takes no lock.
    unsafe { command.pre_exec(child) };
}

fn limit(what: libc::__rlimit_resource_t, bytes: u64) {
    let both = libc::rlimit {
        rlim_cur: bytes,
        rlim_max: bytes,
    };
    // SAFETY: a plain call with a valid struct; where the limit cannot be set, none holds.
    unsafe { libc::setrlimit(what, &raw const both) };
}

/// Sends `signal` to a whole process group; false where none is left.
pub fn signal_group(group: u32, signal: c_int) -> bool {
    // SAFETY: a plain call; the group is one that this arena made.
    unsafe { libc::killpg(group as libc::pid_t, signal) == 0 }
}

/// Kills one process.
pub fn kill(pid: u32) {
    // SAFETY: a plain call.
    unsafe { libc::kill(pid as libc::pid_t, libc::SIGKILL) };
}

/// Takes the exit status of a child that no `Child` stands for. Waits only when asked to.
pub fn reap(pid: u32, wait: bool) {
    // SAFETY: a plain call that ignores the status.
    unsafe {
        libc::waitpid(
            pid as libc::pid_t,
            std::ptr::null_mut(),
            if wait { 0 } else { libc::WNOHANG },
        )
    };
}

/// Orphans of our bots become our children, so that they can be found and ended.
pub fn adopt_orphans() {
    // SAFETY: a plain call.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// Splits off a child process that runs `work` once every copy of the returned descriptor is closed,
/// which happens when this process ends, however it ends.
pub fn fork_watcher(work: fn(parent: u32)) -> io::Result<OwnedFd> {
    let mut ends: [c_int; 2] = [0; 2];
    let parent = std::process::id();
    // SAFETY: `ends` has room for the two descriptors; each is owned by exactly one side afterwards. The
    // child uses the C library's allocator, which fork leaves usable, touches no lock of this program
    // and leaves by `_exit`.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                libc::setsid();
                let keep = ends[0] as libc::c_uint;
                libc::syscall(libc::SYS_close_range, 0, keep - 1, 0);
                libc::syscall(libc::SYS_close_range, keep + 1, libc::c_uint::MAX, 0);
                let mut byte = 0u8;
                while libc::read(ends[0], (&raw mut byte).cast(), 1) != 0 {}
                work(parent);
                libc::_exit(0);
            }
            _ => {
                libc::close(ends[0]);
                Ok(OwnedFd::from_raw_fd(ends[1]))
            }
        }
    }
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
    let Ok(dir) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    dir.filter_map(|entry| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in brackets may hold anything, so count from the last bracket: state, parent, group.
        let mut rest = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().skip(1);
        Some(ProcessEntry {
            pid,
            parent: rest.next()?.parse().ok()?,
            group: rest.next()?.parse().ok()?,
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
pub fn has_ended(pid: u32) -> bool {
    // SAFETY: plain call with a valid out-parameter; an all-zero siginfo is one, and stays so where nothing
    // has ended.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, pid, &raw mut info, flags) == 0 && info.si_pid() != 0
    }
}

/// Waits for a child and tells the CPU time it and what it waited for took, and how it ended. User and system time
/// together: the kernel knows the sum exactly, how it splits only by clock ticks, which are as long as some answers.
pub fn wait_measured(child: &std::process::Child) -> io::Result<(Duration, ExitStatus)> {
    let mut status: c_int = 0;
    // SAFETY: plain call; both out-parameters are valid, and an all-zero rusage is one.
    let (done, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let done = libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, &raw mut usage);
        (done, usage)
    };
    if done < 0 {
        return Err(io::Error::last_os_error());
    }
    let time =
        |t: libc::timeval| Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64);
    let took = time(usage.ru_utime) + time(usage.ru_stime);
    Ok((took, ExitStatus::from_raw(status)))
}

/// CPU time of a process's first thread, and how long it waited for a core although it could run.
pub fn schedule(pid: u32) -> Option<(Duration, Duration)> {
    let text = fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    let mut numbers = text.split_ascii_whitespace().map_while(|n| n.parse().ok());
    Some((
        Duration::from_nanos(numbers.next()?),
        Duration::from_nanos(numbers.next()?),
    ))
}

/// The cores this process may use; the first alone where the system does not tell.
pub fn allowed_cores() -> Vec<usize> {
    // SAFETY: an all-zero set is a valid one, the call writes at most its size, and every index asked for
    // is below its capacity.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) != 0 {
            return vec![0];
        }
        (0..libc::CPU_SETSIZE as usize)
            .filter(|&core| libc::CPU_ISSET(core, &set))
            .collect()
    }
}

/// Binds the calling thread to one core, one of [`allowed_cores`]; where that fails it stays where it may be.
pub fn stay_on(core: usize) {
    // SAFETY: an all-zero set is a valid one, and `core` came from such a set.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set);
    }
}
