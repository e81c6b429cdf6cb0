//! Where things lie: the project's sources, found from where the program runs, and the user's caches. A copied
//! program works where it is; it knows nothing of the folder it was built in.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Fifty's own checkout: the first folder above the current one, or above the program, that is one.
pub fn project_root() -> Result<PathBuf> {
    let current = std::env::current_dir().ok();
    let program = std::env::current_exe().ok();
    let mut folders = [current.as_deref(), program.as_deref()]
        .into_iter()
        .flatten()
        .flat_map(Path::ancestors);
    folders
        .find(|folder| folder.join("tools/src/cli").is_dir() && folder.join("src/games").is_dir())
        .map(Path::to_path_buf)
        .context("this needs Fifty's sources: run it in their folder")
}

/// A folder of ours among the user's caches, made if need be.
pub fn cache_dir(kind: &str) -> Result<PathBuf> {
    let given = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let caches = given("XDG_CACHE_HOME")
        .or_else(|| Some(given("HOME")?.join(".cache")))
        .unwrap_or_else(std::env::temp_dir);
    let dir = caches.join("fifty").join(kind);
    std::fs::create_dir_all(&dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    Ok(dir)
}
