//! How a bot's process is asked for: this program is started again in another role, which prepares itself and then
//! becomes the bot. Here: the roles by name, what they are told, and the commands that start them; `roles` plays them.

use serde::{Deserialize, Serialize};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// First argument of the role that becomes a bot.
pub(super) const SEAT: &str = "--become-a-bot";
/// First argument of the role that cleans up after the arena.
pub(super) const WATCHER: &str = "--watch-the-arena";
/// First argument of the role that tries what can be had of a sandbox.
pub(super) const TRIAL: &str = "--try-the-sandbox";

/// What a bot's process may use.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Rlimits {
    /// Bytes of private memory; `None` for no limit.
    pub memory: Option<u64>,
    /// Largest file it may write, in bytes.
    pub file: u64,
}

/// What the bot's process has to know of its place.
#[derive(Debug, Serialize, Deserialize)]
pub struct Confined {
    /// Where it may write; also its folder for temporary files.
    pub dir: PathBuf,
    /// That lies in memory, and so does what it writes where it was started.
    pub fleeting: bool,
    /// Bytes of it.
    pub size: u64,
}

/// What is to be done before the bot begins.
#[derive(Debug, Serialize, Deserialize)]
pub struct Preparation {
    /// The arena; where it is gone already, nothing is started.
    pub arena: u32,
    /// Limits.
    pub limits: Rlimits,
    /// The control group to enter, if it has one.
    pub cgroup: Option<PathBuf>,
    /// Its place, if it has one.
    pub confined: Option<Confined>,
}

/// The program to start in another role; none where this one is not `fifty` and has no `fifty` beside it.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let own = std::env::current_exe().ok()?;
        if own.file_stem()? == "fifty" {
            // Not its path: that may have been built anew meanwhile.
            return Some(PathBuf::from("/proc/self/exe"));
        }
        own.ancestors()
            .skip(1)
            .take(2)
            .map(|dir| dir.join("fifty"))
            .find(|p| p.is_file())
    };
    PROGRAM.get_or_init(find).as_deref()
}

/// The command that prepares itself and becomes `command`; `command` itself, in a group of its own, where nothing can
/// be prepared.
pub fn prepared(command: Command, preparation: &Preparation) -> Command {
    let mut role = match (program(), serde_json::to_string(preparation)) {
        (Some(program), Ok(spec)) => {
            let mut role = Command::new(program);
            role.arg(SEAT)
                .arg(spec)
                .arg(command.get_program())
                .args(command.get_args());
            for (name, value) in command.get_envs() {
                match value {
                    Some(value) => role.env(name, value),
                    None => role.env_remove(name),
                };
            }
            if let Some(confined) = &preparation.confined {
                role.env("TMPDIR", &confined.dir);
            }
            if let Some(dir) = command.get_current_dir() {
                role.current_dir(dir);
            }
            role
        }
        _ => command,
    };
    role.process_group(0);
    role
}

/// The command that waits until its input is closed and then cleans up after arena `arena`.
pub fn watcher(arena: u32) -> Option<Command> {
    let mut role = Command::new(program()?);
    role.arg(WATCHER).arg(arena.to_string()).process_group(0);
    Some(role)
}

/// The command that prints what cannot be had of a sandbox, a means a line.
pub fn trial() -> Option<Command> {
    let mut role = Command::new(program()?);
    role.arg(TRIAL);
    Some(role)
}
