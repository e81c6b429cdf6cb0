//! The program itself, and the toy bots and referees that it is given.

use std::path::Path;
use std::process::{Command, Stdio};

/// `fifty` in a folder, without input.
pub fn command(args: &[&str], dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fifty"));
    command
        .args(args)
        .current_dir(dir)
        .env_remove("CARGO")
        .stdin(Stdio::null());
    command
}

/// A file of `bots`, by its whole path.
pub fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/arena/bots")
        .join(name);
    path.display().to_string()
}
