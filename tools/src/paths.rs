//! Where things lie.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The project this tool was built from.
pub fn project_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
}

/// A folder of ours under `target/`, made if need be.
pub fn target_dir(kind: &str) -> Result<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project_root().join("target"), PathBuf::from);
    let dir = target.join("fifty").join(kind);
    std::fs::create_dir_all(&dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    Ok(dir)
}
