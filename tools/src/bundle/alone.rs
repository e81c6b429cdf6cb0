//! The judge's side: one file, an empty directory, `rustc` and nothing else.

use super::budget::{Budget, rustc, said};
use super::project::{Crate, Project};
use super::unit::{self, Selection};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a file is compiled.
#[derive(Clone, Debug, Default)]
pub struct Compile {
    /// Edition.
    pub edition: u16,
    /// Further flags (`-O`).
    pub flags: Vec<String>,
    /// Every judge's machine has the target features that these flags say, and no other.
    pub baseline: bool,
    /// `--extern` and `-L` for crates that the judge offers.
    pub offered: Vec<String>,
    /// Modules at the root of what is compiled that are crates of their own.
    pub crates: BTreeSet<String>,
    /// How much of it there may be.
    pub budget: Budget,
}

/// Lints that nobody asks about and that cost rustc half of its time where constants have names of C.
pub const UNASKED: &str = "-Anonstandard_style";

impl Compile {
    /// A command that compiles `source` in its own directory.
    pub fn command(&self, source: &Path) -> Command {
        let mut command = Command::new(rustc());
        command
            .args(["--edition", &self.edition.to_string()])
            .args(["--crate-name", "bundle", "--crate-type", "bin"])
            // For each constant of another style rustc reads all of the program, whoever asks for its advice or not.
            .arg(UNASKED)
            .args(&self.flags)
            .args(&self.offered)
            .arg(source.file_name().expect("a source is a file"))
            .current_dir(source.parent().expect("a source lies in a folder"))
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        command
    }

    /// True if these flags switch debug assertions off.
    pub fn is_release(&self) -> bool {
        let optimised = self
            .flags
            .iter()
            .any(|f| f == "-O" || (f.contains("opt-level=") && !f.contains("opt-level=0")));
        optimised && !self.flags.iter().any(|f| f.contains("debug-assertions"))
    }

    /// The same but for the optimiser.
    #[must_use]
    pub fn unoptimised(&self) -> Self {
        let mut plain = self.clone();
        let is_level = |flag: &String| flag == "-O" || flag.contains("opt-level");
        plain.flags.retain(|flag| !is_level(flag));
        plain.flags.push("-Copt-level=0".to_owned());
        if self.is_release() {
            plain.flags.push("-Cdebug-assertions=off".to_owned());
        }
        plain
    }

    /// Compiles and links `text` alone as [`Compile::program`] does, but for LLVM's passes: they refuse nothing, and
    /// take most of the time. An error as well where it reads another file then: a judge has no such.
    pub fn accepts(&self, text: &str) -> Result<()> {
        let dir = tempfile::tempdir().context("no temporary directory")?;
        let mut plain = self.unoptimised();
        plain.flags.push("-Cno-prepopulate-passes".to_owned());
        let read = dir.path().join("read.d");
        plain
            .flags
            .push(format!("--emit=link,dep-info={}", read.display()));
        plain.program(text, &dir.path().join("bundle"))?;
        let read = std::fs::read_to_string(&read).context("what the compiler read is not known")?;
        // Each file that was read has a line of its own.
        let files = read.lines().filter(|line| !line.starts_with('#'));
        let mut files = files.filter_map(|line| line.strip_suffix(':'));
        match files.find(|file| !file.ends_with("bundle.rs")) {
            None => Ok(()),
            Some(file) => bail!("it reads {file} when it is compiled, and one file has no other beside it"),
        }
    }

    /// Compiles `text` alone to the program `to`. The error is what the compiler said.
    pub fn program(&self, text: &str, to: &Path) -> Result<()> {
        let dir = tempfile::tempdir().context("no temporary directory")?;
        let source = dir.path().join("bundle.rs");
        std::fs::write(&source, text).context("temporary source")?;
        let to = std::path::absolute(to)?;
        let out = self
            .command(&source)
            .args(["-Awarnings", "-o"])
            .arg(&to)
            .output()
            .context("rustc cannot be started")?;
        if !out.status.success() {
            bail!("{}", said(out.status, &out.stderr));
        }
        Ok(())
    }
}

/// `--extern` flags for crates the judge offers, built by Cargo for this project.
pub fn offered(project: &Project, selection: &Selection, krates: &[usize]) -> Result<Vec<String>> {
    if krates.is_empty() {
        return Ok(Vec::new());
    }
    let selection = Selection {
        target_dir: Some(project.target_dir.clone()),
        ..selection.clone()
    };
    let out = unit::cargo("build", &project.asked, project.bin(), &selection)
        .args(["--message-format", "json"])
        // As a judge builds them, whatever the project's own profile says.
        .env("CARGO_PROFILE_RELEASE_PANIC", "unwind")
        .env("CARGO_PROFILE_RELEASE_LTO", "false")
        .output()
        .context("cargo cannot be started")?;
    if !out.status.success() {
        bail!("cargo build: {}", said(out.status, &out.stderr));
    }
    // Of two versions of a crate, that which is offered.
    let is_one = |name: &str, id: &str| {
        let is_it = |krate: &Crate| krate.name == name && id.ends_with(krate.version.as_str());
        krates.iter().any(|index| is_it(&project.crates[*index]))
    };
    // A build script or a procedural macro may have one of its own of the same version, compiled for the machine here.
    let mut found: BTreeMap<String, (u8, PathBuf)> = BTreeMap::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let name = message["target"]["name"]
            .as_str()
            .unwrap_or_default()
            .replace('-', "_");
        let id = message["package_id"].as_str().unwrap_or_default();
        let file = message["filenames"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|f| f.as_str())
            .find(|f| Path::new(f).extension().is_some_and(|e| e == "rlib"));
        let (true, Some(file)) = (is_one(&name, id), file) else {
            continue;
        };
        let level = message["profile"]["opt_level"].as_str().unwrap_or_default();
        let level = level.parse().unwrap_or(u8::MAX);
        if found.get(&name).is_none_or(|(known, _)| *known <= level) {
            found.insert(name, (level, file.into()));
        }
    }
    let mut flags = Vec::new();
    for (name, (_, file)) in found {
        let dir = file.parent().unwrap_or(Path::new(""));
        for dir in [dir.to_owned(), dir.join("deps")] {
            flags.push("-L".to_owned());
            flags.push(format!("dependency={}", dir.display()));
        }
        flags.push("--extern".to_owned());
        flags.push(format!("{name}={}", file.display()));
    }
    Ok(flags)
}

#[cfg(test)]
mod tests {
    use super::Compile;

    #[test]
    fn a_text_that_reads_a_file_is_not_accepted() {
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.txt");
        std::fs::write(&file, "a").unwrap();
        let read = format!("include_str!({file:?})");
        let rules = format!("macro_rules! read {{ () => {{ {read} }} }}");
        compile.accepts(&format!("{rules} fn main() {{}}")).unwrap();
        let error = compile.accepts(&format!("{rules} fn main() {{ print!(\"{{}}\", read!()); }}"));
        let said = format!("it reads {} when", file.display());
        assert!(error.unwrap_err().to_string().starts_with(&said), "{said}");
    }
}
