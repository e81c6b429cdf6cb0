//! Every program of a project, bundled and compared with what Cargo makes of it.

use super::budget::limited;
use super::print::Minify;
use super::target::Target;
use super::unit::Selection;
use super::{Progress, Request, bundle, write};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder with programs in `src/bin`, and what each reads in `input/NAME.txt`.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The folder, with its `Cargo.toml`.
    pub folder: PathBuf,
    /// Where Cargo builds, and where results are kept.
    pub target_dir: PathBuf,
    /// As a request takes it.
    pub budget: Option<Duration>,
    /// Where bundles are written.
    pub keep: Option<PathBuf>,
}

/// Processor time that a program may take: one that comes to no end has another answer.
const SECONDS: u64 = 60;

/// What came of a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The same answer, in this many characters, for this processor time of the compiler.
    Same(usize, Duration),
    /// No bundle, and why.
    Refused(String),
    /// Another answer than Cargo's program.
    Wrong,
}

impl Corpus {
    /// Names of the programs, sorted.
    pub fn names(&self) -> Result<Vec<String>> {
        let folder = self.folder.join("src/bin");
        let list =
            std::fs::read_dir(&folder).with_context(|| format!("{}: no programs", folder.display()))?;
        let mut names = Vec::new();
        for entry in list {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "rs") {
                names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Bundles a program, compiles it alone and compares its answer with that of Cargo's.
    pub fn check(&self, name: &str, target: &Target) -> Result<Verdict> {
        let manifest = self.folder.join("Cargo.toml");
        let request = Request {
            selection: Selection {
                bin: name.to_owned(),
                manifest: Some(manifest.clone()),
                ..Selection::default()
            },
            target: target.clone(),
            minify: Minify::None,
            progress: Progress::Silent,
            cache: Some(self.target_dir.clone()),
            budget: self.budget,
        };
        let bundle = match bundle(&request) {
            Ok(bundle) => bundle,
            Err(error) => return Ok(Verdict::Refused(format!("{error:#}"))),
        };
        if let Some(folder) = &self.keep {
            write(&bundle.text, &folder.join(format!("{name}.rs")))?;
        }
        let built = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--bin", name, "--target-dir"])
            .arg(&self.target_dir)
            .arg("--manifest-path")
            .arg(manifest)
            .status()
            .context("cargo cannot be started")?;
        ensure!(built.success(), "{name} does not build");
        let dir = tempfile::tempdir().context("no temporary directory")?;
        let program = dir.path().join("program");
        if let Err(error) = bundle.compile.program(&bundle.text, &program) {
            return Ok(Verdict::Refused(format!("{error:#}")));
        }
        let expected = self.answer(&self.target_dir.join("release").join(name), name)?;
        ensure!(!expected.is_empty(), "{name} prints nothing to compare");
        if self.answer(&program, name)? != expected {
            return Ok(Verdict::Wrong);
        }
        Ok(Verdict::Same(bundle.characters, bundle.took))
    }

    fn answer(&self, program: &Path, name: &str) -> Result<Vec<u8>> {
        let input = self.folder.join("input").join(format!("{name}.txt"));
        let input = File::open(input).map_or_else(|_| Stdio::null(), Stdio::from);
        let out = limited(&Command::new(program), SECONDS)
            .stdin(input)
            .output()
            .with_context(|| format!("{}: cannot be started", program.display()))?;
        Ok(out.stdout)
    }
}
