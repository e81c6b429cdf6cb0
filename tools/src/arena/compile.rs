//! Compiling a single file as the judges do, cached by content and compiler.

use crate::paths::cache_dir;
use anyhow::{Context, Result, bail};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program of a single file. Errors carry what the compiler says.
pub fn compile(source: &Path) -> Result<PathBuf> {
    let text = fs::read(source).with_context(|| format!("{}: cannot be read", source.display()))?;
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(&rustc)
        .arg("-V")
        .output()
        .context("rustc cannot be run")?;
    let mut hasher = DefaultHasher::new();
    (&text, &version.stdout).hash(&mut hasher);
    let stem = source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let dir = cache_dir("bots")?;
    let program = dir.join(format!("{stem}-{:016x}", hasher.finish()));
    if program.exists() {
        return Ok(program);
    }
    eprintln!("compiling {}", source.display());
    let fresh = dir.join(format!("{stem}-{}.new", std::process::id()));
    let output = Command::new(&rustc)
        .args(["--edition", "2021", "-O", "--crate-name", "bot", "-o"])
        .arg(&fresh)
        .arg(source)
        .output()
        .context("rustc cannot be run")?;
    if !output.status.success() {
        bail!(
            "{}: does not compile:\n{}",
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    fs::rename(&fresh, &program)?;
    Ok(program)
}
