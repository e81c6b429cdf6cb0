//! A place of its own for each bot: what it may see, write and reach.
//!
//! | what a bot could do | kept from it by |
//! |---|---|
//! | kill, stop, trace, read or write its opponent or the arena | PID namespace with its own `/proc`; landlock's scope |
//! | survive its game: double forks, cleared environment, sessions of its own | PID namespace: all ends with its init |
//! | survive the arena | death signals of the launcher and of that init |
//! | delete or write files, fill the disk | landlock; its folder is an overlay in a memory file system of limited size |
//! | System V memory and queues, `/dev/shm` | IPC namespace, a `/dev/shm` of its own |
//! | network | seccomp: local sockets alone; landlock |
//! | stop itself in secret, raise its priority, trace | seccomp (see `roles`), no new privileges |
//! | thousands of processes and threads | the process table of its PID namespace has so many places (Linux 6.14) |
//! | memory, big files, core dumps | limits of the process (`roles`) |
//!
//! A bot that is started for each move has no namespaces: making them would be part of its answer's time. Its folder is
//! one of its own on disk, named in `TMPDIR`, kept for the game; a program made of a single file is run from there.
//!
//! Not contained: what it may read, memory shared between its own processes, their number before Linux 6.14.
//! Each means is used where the kernel grants it to this user; none needs root. Here: the choice and the means
//! themselves, called by `roles` in the process that becomes the bot.

use super::launch::{self, Confined};
use anyhow::{anyhow, bail};
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, path_beneath_rules,
};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{getgid, getuid};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Processes and threads of one bot, less some: numbers below 300 are given once only.
const PROCESSES: &str = "1024";

/// How much of it is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Sandbox {
    /// Whatever this machine offers; what it does not is told once.
    Auto,
    /// Nothing beyond limits.
    #[default]
    None,
    /// All of it, or no game.
    Strict,
}

impl Sandbox {
    /// To be called once before the games: an error where all is wanted and something is missing.
    pub fn check(self) -> anyhow::Result<()> {
        static TOLD: OnceLock<()> = OnceLock::new();
        if self == Self::None {
            return Ok(());
        }
        let missing = missing();
        if missing.is_empty() {
            return Ok(());
        }
        let list = missing.join("; ");
        if self == Self::Strict {
            bail!("--sandbox strict: this machine lacks {list}");
        }
        TOLD.get_or_init(|| eprintln!("bots are not fully contained, this machine lacks {list}"));
        Ok(())
    }
}

/// What this machine lacks, each with its reason; tried once, in a process of its own.
pub fn missing() -> &'static [String] {
    static MISSING: OnceLock<Vec<String>> = OnceLock::new();
    MISSING.get_or_init(|| match launch::trial().map(tried) {
        Some(Ok(output)) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().map(str::to_owned).collect()
        }
        _ => vec!["the program fifty itself, which prepares bots".into()],
    })
}

/// Runs the trial. Its folder is removed from out here: inside something is mounted on it, and the door is closed.
fn tried(mut trial: Command) -> io::Result<Output> {
    let child = trial
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pid = child.id();
    let output = child.wait_with_output();
    sweep(pid);
    output
}

/// One bot's place.
#[derive(Debug)]
pub struct Place {
    /// Where it may write.
    dir: TempDir,
    /// That is gone with each of its processes.
    fleeting: bool,
}

impl Place {
    /// A new one. Not `fleeting`: what it writes is there for its next process.
    pub fn new(fleeting: bool) -> io::Result<Self> {
        let dir = tempfile::Builder::new()
            .prefix(&prefix(std::process::id()))
            .tempdir()?;
        Ok(Self { dir, fleeting })
    }

    /// A copy of a program in here: what it writes beside itself is its own. `None` where none can be made or run.
    ///
    /// Another process copies: what is open for writing here, a bot started meanwhile would hold open, and nobody could
    /// run it.
    pub fn bring(&self, program: &Path) -> Option<PathBuf> {
        let flags = statvfs(self.dir.path()).ok()?.flags();
        let own = self.dir.path().join(program.file_name()?);
        let copied = || Command::new("cp").arg("--").arg(program).arg(&own).status();
        let is_there = !flags.contains(FsFlags::ST_NOEXEC) && copied().is_ok_and(|status| status.success());
        is_there.then_some(own)
    }

    /// True where the bot has a process table of its own. A process for each move has none: making one would be part of
    /// its answer's time.
    pub fn apart(&self) -> bool {
        static POSSIBLE: OnceLock<bool> = OnceLock::new();
        self.fleeting && *POSSIBLE.get_or_init(|| !missing().iter().any(|means| means.contains("namespaces")))
    }

    /// For [`launch`].
    pub fn confined(&self, size: u64) -> Confined {
        Confined {
            dir: self.dir.path().to_path_buf(),
            fleeting: self.fleeting,
            size,
        }
    }
}

fn prefix(arena: u32) -> String {
    format!("fifty-bot-{arena}-")
}

/// Removes what folders arena `arena` left.
pub fn sweep(arena: u32) {
    let entries = fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries.filter(|e| e.file_name().to_string_lossy().starts_with(&prefix(arena))) {
        // One that cannot be removed is as empty as it was: what was written lay in memory.
        let _ = fs::remove_dir_all(entry.path());
    }
}

/// The first half, before the split into the arena's child and the namespace's init: new namespaces, the same user.
pub fn leave_namespaces() -> io::Result<()> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    unshare(
        CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWIPC,
    )?;
    // Root is nobody special inside, so that it holds no capabilities there either.
    let inside = |id: u32| if id == 0 { 1000 } else { id };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inside(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inside(group)))
}

fn in_memory(dir: &Path, size: u64) -> nix::Result<()> {
    let options = format!("size={size},nr_inodes=4096,mode=0700");
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("fifty"), dir, Some("tmpfs"), flags, Some(options.as_str()))
}

/// The second half, as the namespace's init: what it sees of files and processes. Tells what could not be had.
pub fn mounts(confined: &Confined) -> Vec<String> {
    let mut missing = Vec::new();
    let mut need = |what: &str, done: nix::Result<()>| {
        if let Err(error) = done {
            missing.push(format!("{what} ({error})"));
        }
    };
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    need(
        "private mounts",
        mount(None::<&str>, "/", None::<&str>, private, None::<&str>),
    );
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    need(
        "its own /proc",
        mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>),
    );
    // Older kernels have one such number for all namespaces, which is not ours to set. A control group would do it
    // there, and cost the start of each bot milliseconds.
    let _ = fs::write("/proc/sys/kernel/pid_max", PROCESSES);
    if Path::new("/dev/shm").is_dir() {
        need(
            "its own /dev/shm",
            in_memory(Path::new("/dev/shm"), confined.size),
        );
    }
    if confined.fleeting {
        need("files in memory", in_memory(&confined.dir, confined.size));
        // A folder that cannot be covered stays readable, and landlock keeps it from being written.
        let _ = cover_folder(&confined.dir);
    }
    missing
}

/// What it writes into the folder it was started in goes to memory.
fn cover_folder(dir: &Path) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let plain = |path: &Path| path.to_str().is_some_and(|text| !text.contains([',', ':', '\\']));
    if here == Path::new("/") || dir.starts_with(&here) || !plain(&here) || !plain(dir) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let (upper, work) = (dir.join(".upper"), dir.join(".work"));
    fs::create_dir(&upper)?;
    fs::create_dir(&work)?;
    let options = format!(
        "lowerdir={},upperdir={},workdir={},userxattr",
        here.display(),
        upper.display(),
        work.display()
    );
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("overlay"),
        &here,
        Some("overlay"),
        flags,
        Some(options.as_str()),
    )?;
    std::env::set_current_dir(&here)
}

/// From here on this process and all it starts write only where they may, and reach no process beyond their own.
pub fn close(confined: &Confined, covered: bool) -> anyhow::Result<()> {
    let abi = ABI::V6;
    let mut writable = vec![confined.dir.clone()];
    if covered {
        writable.push("/dev/shm".into());
        writable.extend(std::env::current_dir().ok().filter(|here| is_overlay(here)));
    }
    let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];
    let restrict = || -> Result<_, RulesetError> {
        Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::from_read(abi)))?
            .add_rules(path_beneath_rules(
                devices,
                AccessFs::WriteFile | AccessFs::ReadFile,
            ))?
            .add_rules(path_beneath_rules(writable, AccessFs::from_all(abi)))?
            .restrict_self()
    };
    match restrict()?.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced => Err(anyhow!("all of landlock (Linux 6.12)")),
        RulesetStatus::NotEnforced => Err(anyhow!("landlock")),
    }
}

/// True where what is written to a folder goes elsewhere.
fn is_overlay(dir: &Path) -> bool {
    let mounts = procfs::process::Process::myself().and_then(|me| me.mountinfo());
    let here = |mount: &procfs::process::MountInfo| mount.mount_point == dir && mount.fs_type == "overlay";
    // The last one is on top; a system's own overlay, as in a container, has another source.
    mounts.is_ok_and(|mounts| {
        mounts.into_iter().rev().find(here).is_some_and(|m| {
            m.mount_source.as_deref() == Some("overlay") && m.super_options.contains_key("userxattr")
        })
    })
}
