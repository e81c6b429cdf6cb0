//! Keeps a bot from running while it is not asked: by SIGSTOP to its process group, or by a control group's freezer
//! (version 2), which also holds what left the process group but costs the start of each bot milliseconds: the kernel
//! moves a process into a group only after all cores have passed a quiet state.
//!
//! The control group also ends everything in it at once. Not here: when to do either; `runner` and `process` decide.

use super::sys;
use nix::sys::signal::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How a bot is kept from running while another is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Freeze {
    /// By stopping its process group.
    Stop,
    /// By its control group's freezer; where no group can be made, as `Stop`.
    Cgroup,
    /// Not at all.
    Off,
}

/// A control group for one bot; it goes when its owner does.
#[derive(Debug)]
pub struct Group {
    dir: PathBuf,
}

impl Group {
    /// A new one below our own; none where we may not.
    pub fn new() -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = home()?.join(format!("{}.{n}", prefix(std::process::id())));
        fs::create_dir(&dir).ok()?;
        Some(Self { dir })
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn write(&self, file: &str, text: &str) -> bool {
        fs::write(self.dir.join(file), text).is_ok()
    }

    /// Ends everything in it.
    pub fn kill(&self) {
        self.write("cgroup.kill", "1");
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        remove(&self.dir);
    }
}

/// Ends what is in a group and removes it. What was killed stays in its group until it is gone.
fn remove(dir: &Path) {
    for wait in 0..20 {
        if fs::remove_dir(dir).is_ok() || !dir.exists() {
            return;
        }
        let _ = fs::write(dir.join("cgroup.kill"), "1");
        std::thread::sleep(Duration::from_micros(200 << wait.min(5)));
    }
}

fn prefix(arena: u32) -> String {
    format!("fifty-{arena}")
}

/// Removes what groups arena `arena` left.
pub fn sweep(arena: u32) {
    let Some(entries) = home().and_then(|home| fs::read_dir(home).ok()) else {
        return;
    };
    let prefix = prefix(arena) + ".";
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            remove(&entry.path());
        }
    }
}

/// Our own control group's folder, if groups can be made and frozen in it.
fn home() -> Option<&'static Path> {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let me = procfs::process::Process::myself().ok()?;
        let own = me
            .cgroups()
            .ok()?
            .into_iter()
            .find(|group| group.hierarchy == 0)?;
        let mounts = me.mountinfo().ok()?;
        let mount = mounts.into_iter().find(|mount| mount.fs_type == "cgroup2")?;
        let dir = mount.mount_point.join(own.pathname.trim_start_matches('/'));
        let trial = dir.join(format!("{}.trial", prefix(std::process::id())));
        fs::create_dir(&trial).ok()?;
        let freezes = trial.join("cgroup.freeze").exists()
            // Entering needs the right to write to the group that is left, too.
            && fs::OpenOptions::new().write(true).open(dir.join("cgroup.procs")).is_ok();
        let _ = fs::remove_dir(&trial);
        freezes.then_some(dir)
    };
    HOME.get_or_init(find).as_deref()
}

/// Holds one bot.
#[derive(Debug)]
pub struct Freezer {
    group: Option<Group>,
    leader: u32,
    frozen: bool,
}

impl Freezer {
    /// For the process `leader` with its process group, in control group `group` if it has one.
    pub fn new(group: Option<Group>, leader: u32) -> Self {
        Self {
            group,
            leader,
            frozen: false,
        }
    }

    /// Its control group.
    pub fn group(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// True where it is stopped.
    pub fn frozen(&self) -> bool {
        self.frozen
    }

    /// Stops it until [`Freezer::thaw`].
    pub fn freeze(&mut self) {
        if !self.frozen {
            self.frozen = true;
            self.set(true);
        }
    }

    /// Lets it go on. True where it was frozen.
    pub fn thaw(&mut self) -> bool {
        let was = std::mem::take(&mut self.frozen);
        if was {
            self.set(false);
        }
        was
    }

    fn set(&self, frozen: bool) {
        let by_group = self
            .group
            .as_ref()
            .is_some_and(|group| group.write("cgroup.freeze", if frozen { "1" } else { "0" }));
        if !by_group {
            let signal = if frozen { Signal::SIGSTOP } else { Signal::SIGCONT };
            sys::signal_group(self.leader, signal);
        }
    }
}
