//! The bundler: any bot of any Cargo project as one source file.
//!
//! [`bundle`] asks Cargo for the project, inlines every crate the judge does not offer as a module,
//! answers `cfg`, and hands back the text with a report. It writes nothing; [`write()`] does, whole or not
//! at all. The same input gives the same text, byte for byte.

pub mod alone;
mod cache;
pub mod cfg;
mod imports;
pub mod inline;
mod layout;
pub mod lex;
pub mod print;
pub mod project;
pub mod report;
pub mod rewrite;
pub mod shake;
mod shorten;
pub mod target;
pub mod walk;

use alone::Compile;
use anyhow::{Context, Result, bail};
use print::Minify;
use project::{Project, Selection};
use report::Share;
use std::io::Write;
use std::path::{Path, PathBuf};
use target::Target;

/// What is to be bundled, for whom.
#[derive(Clone, Debug)]
pub struct Request {
    /// The program.
    pub selection: Selection,
    /// The judge.
    pub target: Target,
    /// How far the text is squeezed.
    pub minify: Minify,
    /// Who hears how it goes.
    pub progress: Progress,
    /// Where results are kept; by default the project's target folder.
    pub cache: Option<PathBuf>,
}

/// Where progress is shown.
#[derive(Clone, Debug, Default)]
pub enum Progress {
    /// Nowhere.
    #[default]
    Silent,
    /// On this line of a terminal.
    Bar(indicatif::ProgressBar),
}

impl Progress {
    /// A spinner on stderr.
    pub fn bar(title: &str) -> Self {
        let bar = indicatif::ProgressBar::new_spinner().with_message(title.to_owned());
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        Self::Bar(bar)
    }

    /// Clears the line.
    pub fn done(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        if let Self::Bar(bar) = self {
            bar.set_message(line.to_owned());
        }
    }
}

impl Request {
    /// A bot for CodinGame's limit, readable.
    pub fn new(bin: &str, manifest: Option<PathBuf>) -> Result<Self> {
        Ok(Self {
            selection: Selection {
                bin: bin.to_owned(),
                manifest,
                ..Selection::default()
            },
            target: Target::find("codingame")?,
            minify: Minify::None,
            progress: Progress::Silent,
            cache: None,
        })
    }
}

/// One file, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The source.
    pub text: String,
    /// Its size as the judge counts.
    pub characters: usize,
    /// The judge's limit.
    pub limit: Option<usize>,
    /// How the judge compiles it.
    pub compile: Compile,
    /// Size of every module, in order of the text.
    pub shares: Vec<Share>,
    /// Files it was made of.
    pub files: Vec<PathBuf>,
    /// Names of what was cut because nothing uses it.
    pub removed: Vec<String>,
    /// Characters before anything was cut.
    pub unshaken: usize,
    /// Crates that became modules, as `name version: licence`; the project's own are not listed.
    pub inlined: Vec<String>,
}

/// Bundles a program. Errors name crate, file and line.
pub fn bundle(request: &Request) -> Result<Bundle> {
    let mut project = Project::load(&request.selection)?;
    for krate in &mut project.crates {
        krate.known.target.extend(request.target.cfgs().cloned());
    }
    let parts = inline::inline(&project, &request.target.crates, true)?;
    let whole = print::assemble(&parts);
    let kept: Vec<String> = parts.kept.iter().cloned().collect();
    let manifest = project.package_dir.join("Cargo.toml");
    let compile = Compile {
        edition: request.target.edition,
        flags: request.target.flags.clone(),
        offered: alone::offered(&manifest, &request.selection.bin, &kept)?,
    };
    let dir = request.cache.as_deref().unwrap_or(&project.target_dir);
    let shaken = cache::kept(&whole, &compile, dir, || {
        shake::shake(&whole, &compile, &|line| request.progress.say(line))
    })?;
    let mut program = imports::merge(&shaken.text)?;
    if request.minify == Minify::Full {
        request.progress.say("shortening names");
        program = cache::kept(&program, &compile, dir, || shorten::shorten(&program, &compile))?;
    }
    let licences = print::licences(&project, &parts, &shaken.text);
    let mut text = String::new();
    for line in &licences {
        text += "// ";
        text += line;
        text.push('\n');
    }
    for line in &request.target.header {
        text += line;
        text.push('\n');
    }
    text += &print::tidy(&program, request.minify, request.target.comments)?;
    let characters = request.target.count(&text);
    Ok(Bundle {
        characters,
        limit: request.target.limit,
        compile,
        shares: report::shares(&text, &request.target)?,
        unshaken: request.target.count(&whole),
        inlined: licences,
        removed: shaken.removed,
        files: parts.files,
        text,
    })
}

impl Bundle {
    /// Compiles the text alone: with the judge's flags in its edition, and in the other edition without
    /// optimisation. An error over the limit, or where a compiler refuses the text.
    pub fn check(&self) -> Result<()> {
        if let Some(limit) = self.limit.filter(|limit| self.characters > *limit) {
            bail!(
                "{} characters, {} over the limit of {limit}",
                self.characters,
                self.characters - limit
            );
        }
        let dir = tempfile::tempdir().context("no temporary directory")?;
        let other = if self.compile.edition == 2021 { 2024 } else { 2021 };
        let mut plain = self.compile.clone();
        plain.edition = other;
        plain
            .flags
            .retain(|flag| flag != "-O" && !flag.contains("opt-level"));
        for compile in [&self.compile, &plain] {
            let name = || format!("the bundle does not compile alone (edition {})", compile.edition);
            compile
                .program(&self.text, &dir.path().join("bundle"))
                .with_context(name)?;
        }
        Ok(())
    }
}

/// Writes a file whole or not at all.
pub fn write(text: &str, to: &Path) -> Result<()> {
    let dir = match to.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(dir).with_context(|| format!("{}: cannot be made", dir.display()))?;
    let mut file = tempfile::NamedTempFile::new_in(dir)
        .with_context(|| format!("{}: nothing can be written there", dir.display()))?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.flush())
        .with_context(|| format!("{}: cannot be written", to.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = file
            .as_file()
            .set_permissions(std::fs::Permissions::from_mode(0o644));
    }
    file.persist(to)
        .with_context(|| format!("{}: cannot be written", to.display()))?;
    Ok(())
}
