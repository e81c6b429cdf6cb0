//! The roles this program plays for the arena: it puts limits and a seal on itself and becomes a bot, cleans up after
//! an arena that is gone, or tries the sandbox. Everything between fork and exec is so done by safe code.
//!
//! What holds for a bot afterwards: a process group of its own, death with the thread that started it, limits on
//! memory, files and core dumps, no new privileges, and the seal (see `seal`). A confined bot is the third of three
//! processes: the arena's child, which ends as the bot ends; the init of the bot's own process table; and the bot. Not
//! here: what a place is made of (`sandbox`), and how a role is started (`launch`).

use super::launch::{Confined, Preparation, Rlimits, SEAT, TRIAL, WATCHER};
use super::{guard, sandbox};
use nix::sys::prctl;
use nix::sys::resource::{Resource, rlim_t, setrlimit};
use nix::sys::signal::{SigSet, Signal, raise};
use nix::sys::wait::{WaitStatus, wait, waitpid};
use nix::unistd::{ForkResult, Pid, fork, getppid};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// `fcntl` command that chooses the signal of a descriptor; the `libc` crate does not name it.
const F_SETSIG: i32 = 10;

/// Plays the role this program was started in, if it was; nothing for an ordinary start.
pub fn intercept() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let role = args.next()?;
    if role == WATCHER {
        guard::watch(args.next()?.to_str()?.parse().ok()?);
        return Some(ExitCode::SUCCESS);
    }
    if role == TRIAL {
        for means in try_all() {
            println!("{means}");
        }
        return Some(ExitCode::SUCCESS);
    }
    if role != SEAT {
        return None;
    }
    let spec = args.next()?.into_string().unwrap_or_default();
    let words: Vec<OsString> = args.collect();
    let why = become_bot(&spec, &words);
    eprintln!("{}: cannot be started: {why}", words.first()?.to_string_lossy());
    Some(ExitCode::from(127))
}

/// Returns only where it fails.
fn become_bot(spec: &str, words: &[OsString]) -> String {
    let preparation: Preparation = match serde_json::from_str(spec) {
        Ok(preparation) => preparation,
        Err(error) => return error.to_string(),
    };
    if let Err(error) = prctl::set_pdeathsig(Signal::SIGKILL) {
        return error.to_string();
    }
    if getppid().as_raw() as u32 != preparation.arena {
        return "its arena is gone".into();
    }
    if let Some(cgroup) = &preparation.cgroup {
        if let Err(error) = std::fs::write(cgroup.join("cgroup.procs"), "0") {
            return format!("{}: {error}", cgroup.display());
        }
    }
    let confined = preparation.confined.as_ref();
    let apart = confined.is_some_and(|place| place.fleeting && sandbox::leave_namespaces().is_ok());
    if let (true, Some(confined)) = (apart, confined) {
        if let Err(error) = enter(confined) {
            return error.to_string();
        }
    }
    limit(preparation.limits);
    if let Some(confined) = confined {
        // What is missing was told when the arena began.
        let _ = sandbox::close(confined, apart);
    }
    // Without a seal (an old kernel) the bot plays all the same: whoever plays it looks whether it has one.
    let _ = seal(confined.is_some());
    match words.split_first() {
        Some((program, rest)) => Command::new(program).args(rest).exec().to_string(),
        None => "no command".into(),
    }
}

/// Splits this process in two. A role has one thread and starts no other.
#[allow(unsafe_code)]
fn split() -> nix::Result<ForkResult> {
    // SAFETY: no other thread exists whose locks the child could find held.
    unsafe { fork() }
}

/// Returns only in the process that is to become the bot: this one waits for it and ends as it did, and between them
/// stands the init of its namespace.
fn enter(confined: &Confined) -> nix::Result<()> {
    // The bot is asked to leave, not those who stand around it.
    SigSet::all().thread_block()?;
    let (ends_here, ends_there) = nix::unistd::pipe()?;
    if let ForkResult::Parent { child } = split()? {
        drop(ends_there);
        let _ = waitpid(child, None);
        let mut end = [0u8; 8];
        let _ = nix::unistd::read(&ends_here, &mut end);
        end_as(i32::from_ne_bytes([end[0], end[1], end[2], end[3]]), end[4] == 1);
    }
    drop(ends_here);
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    sandbox::mounts(confined);
    if let ForkResult::Parent { child } = split()? {
        let (number, signal) = init(child);
        let mut end = [0u8; 8];
        end[..4].copy_from_slice(&number.to_ne_bytes());
        end[4] = u8::from(signal);
        let _ = nix::unistd::write(&ends_there, &end);
        std::process::exit(0);
    }
    SigSet::all().thread_unblock()
}

/// Takes the end of every process of the namespace until the bot's has come: its number, and whether that is a signal.
fn init(bot: Pid) -> (i32, bool) {
    // The streams are the bot's: whoever waits for their end shall see it.
    for stream in 0..3 {
        let _ = nix::unistd::close(stream);
    }
    loop {
        match wait() {
            Ok(WaitStatus::Exited(pid, code)) if pid == bot => return (code, false),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == bot => return (signal as i32, true),
            Err(nix::errno::Errno::ECHILD) => return (127, false),
            _ => {}
        }
    }
}

/// Ends this process as another did.
fn end_as(number: i32, signal: bool) -> ! {
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    if let (true, Ok(signal)) = (signal, Signal::try_from(number)) {
        let mut only = SigSet::empty();
        only.add(signal);
        let _ = only.thread_unblock();
        // The first may meet a handler of the runtime, which takes itself away.
        for _ in 0..2 {
            let _ = raise(signal);
        }
    }
    std::process::exit(if signal { 128 + number } else { number });
}

/// Tries every means of a sandbox on this process; those that fail, each with its reason.
fn try_all() -> Vec<String> {
    let mut missing = Vec::new();
    let Ok(place) = sandbox::Place::new(true) else {
        return vec!["a folder for temporary files".into()];
    };
    let confined = place.confined(1 << 20);
    match sandbox::leave_namespaces() {
        Err(error) => missing.push(format!("user, PID, mount and IPC namespaces ({error})")),
        Ok(()) => match split() {
            Ok(ForkResult::Child) => {
                // Its own list does not come back: the number does.
                std::process::exit(sandbox::mounts(&confined).len() as i32);
            }
            Ok(ForkResult::Parent { child }) => {
                if !matches!(waitpid(child, None), Ok(WaitStatus::Exited(_, 0))) {
                    missing.push("mounts of its own (/proc, /dev/shm, a folder in memory)".into());
                }
            }
            Err(error) => missing.push(error.to_string()),
        },
    }
    if let Err(means) = sandbox::close(&confined, false) {
        missing.push(format!("{means:#}"));
    }
    if seal(true).is_err() {
        missing.push("seccomp".into());
    }
    missing
}

/// Where a limit cannot be set (it is lower already), the lower one holds.
fn limit(limits: Rlimits) {
    let both = |what, bytes: u64| {
        let _ = setrlimit(what, bytes as rlim_t, bytes as rlim_t);
    };
    both(Resource::RLIMIT_CORE, 0);
    both(Resource::RLIMIT_FSIZE, limits.file);
    if let Some(bytes) = limits.memory {
        both(Resource::RLIMIT_DATA, bytes);
        // Address space may be reserved far beyond what is used (Java, Go, node).
        both(Resource::RLIMIT_AS, bytes.saturating_mul(16));
    }
}

/// How many filters `seal` puts on a process.
pub const SEAL_FILTERS: u64 = 2;

/// Takes from this process and all it starts what would let it stop itself in secret, change how it is scheduled or
/// reach into other processes. So whoever finds it stopped knows that somebody else did it.
///
/// `confined`: it also opens no sockets but local ones.
fn seal(confined: bool) -> Result<(), seccompiler::Error> {
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    let deny = |rules, errno: i32| -> Result<BpfProgram, seccompiler::Error> {
        let action = SeccompAction::Errno(errno as u32);
        Ok(SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()?)
    };
    // The exit signal of a clone3 lies in memory, where no filter sees it; without it libraries use clone.
    let new_clone = deny([(libc::SYS_clone3, Vec::new())].into(), libc::ENOSYS)?;
    let refused = deny(refused(confined)?, libc::EPERM)?;
    prctl::set_no_new_privs().map_err(|e| seccompiler::Error::Prctl(e.into()))?;
    seccompiler::apply_filter(&new_clone)?;
    seccompiler::apply_filter(&refused)
}

/// System calls that a sealed process is refused: always where there is no rule, else where one of them matches.
fn refused(confined: bool) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::Error> {
    let equals = |argument: u8, value: i32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value as u64)
            .and_then(|condition| SeccompRule::new(vec![condition]))
    };
    let stops = [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU];
    let mut rules = BTreeMap::new();
    // Signals that stop, by the argument they are in.
    for (call, argument) in [
        (libc::SYS_kill, 1),
        (libc::SYS_tkill, 1),
        (libc::SYS_tgkill, 2),
        (libc::SYS_rt_sigqueueinfo, 1),
        (libc::SYS_rt_tgsigqueueinfo, 2),
        (libc::SYS_pidfd_send_signal, 1),
    ] {
        let each = stops.iter().map(|&signal| equals(argument, signal));
        rules.insert(call, each.collect::<Result<Vec<_>, _>>()?);
    }
    // The same by a child's end, a timer, a descriptor, a message queue or a terminal.
    let exit_signal = |signal: i32| {
        let mask = SeccompCmpOp::MaskedEq(0xFF);
        SeccompCondition::new(0, SeccompCmpArgLen::Qword, mask, signal as u64)
            .and_then(|condition| SeccompRule::new(vec![condition]))
    };
    let each = stops.iter().map(|&signal| exit_signal(signal));
    rules.insert(libc::SYS_clone, each.collect::<Result<Vec<_>, _>>()?);
    rules.insert(libc::SYS_prctl, vec![equals(0, libc::PR_SET_PDEATHSIG)?]);
    rules.insert(libc::SYS_fcntl, vec![equals(1, F_SETSIG)?]);
    let requests = [
        libc::TIOCSCTTY,
        libc::TIOCSTI,
        libc::TIOCSPTLCK,
        libc::TIOCGPTPEER,
    ];
    let each = requests.iter().map(|&request| equals(1, request as i32));
    rules.insert(libc::SYS_ioctl, each.collect::<Result<Vec<_>, _>>()?);
    if confined {
        let families = [
            libc::AF_INET,
            libc::AF_INET6,
            libc::AF_NETLINK,
            libc::AF_PACKET,
            libc::AF_VSOCK,
        ];
        let each = families.iter().map(|&family| equals(0, family));
        rules.insert(libc::SYS_socket, each.collect::<Result<Vec<_>, _>>()?);
        rules.insert(libc::SYS_io_uring_setup, Vec::new());
    }
    for call in [
        libc::SYS_timer_create,
        libc::SYS_mq_open,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_setpriority,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setattr,
        libc::SYS_ioprio_set,
    ] {
        rules.insert(call, Vec::new());
    }
    Ok(rules)
}
