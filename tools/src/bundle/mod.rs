//! The bundler: any bot of any Cargo project as one source file.
//!
//! [`bundle`] asks Cargo for the project, inlines every crate the judge does not offer as a module,
//! answers `cfg`, and hands back the text with a report. It writes nothing; [`write()`] does, whole or not
//! at all. The same input gives the same text, byte for byte.

pub mod alone;
pub mod budget;
pub mod cache;
mod callers;
pub mod cfg;
pub mod corpus;
mod docs;
pub mod editions;
mod ends;
mod expand;
mod features;
mod globs;
mod imports;
pub mod inline;
mod layout;
pub mod lex;
mod lints;
pub mod litter;
mod marks;
mod notes;
mod numbers;
mod offers;
mod older;
mod operands;
mod origins;
mod passes;
mod passing;
pub mod print;
mod program;
pub mod project;
mod quoted;
pub mod rejected;
pub mod report;
pub mod rewrite;
mod server;
pub mod shake;
mod shorten;
mod squeeze;
pub mod target;
mod torn;
pub mod unit;
pub mod walk;

use alone::Compile;
use anyhow::{Context, Result, bail};
use budget::Budget;
use lex::Tokens;
use print::Minify;
use project::Project;
use report::Share;
use squeeze::Material;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use target::Target;
use tempfile::TempDir;
use unit::Selection;

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
    /// Processor time of the compiler after which no more is tried to leave out; by default there is no end to it,
    /// and the result does not depend on the machine.
    pub budget: Option<Duration>,
}

/// A budget without time for so many checks leaves a large text as names leave it.
const UNCUT: u32 = 8;

/// Where progress is shown.
#[derive(Clone, Debug, Default)]
pub enum Progress {
    /// Nowhere.
    #[default]
    Silent,
    /// On this line of a terminal.
    Bar(indicatif::ProgressBar),
    /// Every step on a line of its own on stderr, and what was given up and why.
    Trace,
}

/// Begins a line that only [`Progress::Trace`] shows.
pub(crate) const TRACE: &str = "trace: ";

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
        match self {
            Self::Bar(bar) if !line.starts_with(TRACE) => bar.set_message(line.to_owned()),
            Self::Trace => eprintln!("{}", line.trim_start_matches(TRACE)),
            _ => {}
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
            budget: None,
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
    /// Names of what was cut because nothing uses it, with their modules.
    pub removed: Vec<String>,
    /// Characters before anything was cut.
    pub unshaken: usize,
    /// Crates that became modules, as `name version: licence`; the project's own are not listed.
    pub inlined: Vec<String>,
    /// What is not as the project has it, in words.
    pub notes: Vec<String>,
    /// Processor time that the compiler was asked for.
    pub took: Duration,
    /// What the text is made of.
    material: Material,
    /// Where results are kept.
    cache: PathBuf,
    /// Why a text that calls what the program's own build script links is none.
    linked: Option<String>,
    /// What `compile` names may lie there.
    _spare: Option<Arc<TempDir>>,
}

/// Bundles a program. Errors name crate, file and line.
pub fn bundle(request: &Request) -> Result<Bundle> {
    let mut project = Project::load(&request.selection)?;
    project.compiled_for(&request.target);
    let own = project.crates[0].edition.max(2021);
    let edition = request.target.edition.unwrap_or(own);
    let budget = Budget::new(request.budget).below(request.target.limit);
    let mut offered = request.target.crates.clone();
    let more = features::beyond(&project, &request.target);
    offered.retain(|name, _| !more.contains_key(name));
    let mut made = once(request, &project, &offered, edition, &budget);
    let mut notes = project.notes.clone();
    if made.is_err() && !offered.is_empty() {
        let torn = torn::offered(&project, &passes::inline(&project, &offered, edition, false)?);
        if !torn.is_empty() {
            offered.retain(|name, _| !torn.contains(name));
            made = once(request, &project, &offered, edition, &budget);
            notes.push(torn::note(&torn));
        }
    }
    // The crates of one edition may not mean anything in another: where the target has none, either will do.
    let other = if edition > 2021 { 2021 } else { 2024 };
    let may_be = |edition| edition == 2021 || project.crates.iter().any(|krate| krate.edition >= edition);
    if made.is_err() && request.target.edition.is_none() && may_be(other) {
        if let Ok(others) = once(request, &project, &offered, other, &budget) {
            notes.push(format!(
                "a file of edition {other}, as a crate of the program does not compile in {edition}"
            ));
            made = Ok(others);
        }
    }
    let (parts, compile, whole, shaken) = made?;
    let inlined: BTreeSet<usize> = parts.list.iter().map(|part| part.krate).collect();
    let names = inlined.iter().map(|krate| project.crates[*krate].name.as_str());
    notes.extend(features::note(&more, &names.collect()));
    notes.extend(offers::note(&request.target.crates, &project, &inlined));
    let dir = request.cache.as_deref().unwrap_or(&project.target_dir);
    let program = lints::without(imports::merge(&shaken.text)?, &request.target.header)?;
    if let Some(seconds) = request.budget.filter(|_| shaken.cut_short || budget.has_ended()) {
        notes.push(if budget::is_hurried() {
            "SIGTERM ended the search: with more time the file could still be smaller".to_owned()
        } else if budget.is_closed() {
            "far over the limit once what no code needs had gone: the rest of the search was left (--budget 0 goes on)".to_owned()
        } else {
            format!(
                "a budget of {} s of processor time was too short to try everything: with a larger --budget the file \
                 could still be smaller",
                seconds.as_secs()
            )
        });
    }
    let own = project.manifest.parent().map(|dir| dir.display().to_string());
    if let Some(own) = own.filter(|own| program.contains(own.as_str())) {
        notes.push(format!(
            "{own} is in the file, as CARGO_MANIFEST_DIR or the like was when it was bundled: a judge has no such folder"
        ));
    }
    notes.extend(notes::of(&program)?);
    notes.extend(quoted::note(&program, &compile.crates)?);
    let removed = shake::left_out(&whole, &program)?;
    let licences = print::licences(&project, &parts, &shaken.text);
    let material = Material {
        head: head(&licences, &request.target, &shaken.allowed),
        program,
        target: request.target.clone(),
    };
    if request.minify == Minify::Full && material.is_far_over()? {
        notes.push("its names are not shortened: far over the limit that would not help".to_owned());
    } else if request.minify == Minify::Full {
        request.progress.say("shortening names");
    }
    let text = material.text(request.minify, &compile, dir)?;
    let characters = request.target.count(&text);
    Ok(Bundle {
        characters,
        limit: request.target.limit,
        compile,
        shares: report::shares(&text, &request.target)?,
        unshaken: request.target.count(&whole),
        inlined: licences,
        notes,
        took: budget.spent(),
        removed,
        files: parts.files,
        material,
        cache: dir.to_owned(),
        linked: own_library(&project.crates[0]),
        _spare: project.spare.clone(),
        text,
    })
}

/// What the build script of the program's own package links, and why that is no bundle.
fn own_library(own: &project::Crate) -> Option<String> {
    let reason = own.refusal.as_ref()?;
    Some(format!("{} cannot be bundled: {reason}", own.package))
}

type Made = (inline::Parts, Compile, String, shake::Shaken);

/// The lines above the program.
fn head(licences: &[String], target: &Target, allowed: &BTreeSet<String>) -> String {
    let mut head = String::new();
    for line in licences {
        let _ = writeln!(head, "// {line}");
    }
    for line in &target.header {
        let _ = writeln!(head, "{line}");
    }
    if !allowed.is_empty() {
        let lints: Vec<&str> = allowed.iter().map(String::as_str).collect();
        let _ = writeln!(head, "#![allow({})]", lints.join(","));
    }
    head
}

/// Inlines and shakes, but for what the judge offers.
fn once(
    request: &Request,
    project: &Project,
    offered: &BTreeMap<String, String>,
    edition: u16,
    budget: &Budget,
) -> Result<Made> {
    let made = one(request, project, offered, (edition, false), budget);
    // Newer crates in an older file: once more, dropping temporaries where they would. What they borrow may not live long
    // enough otherwise.
    let differs = made.as_ref().is_err_and(anyhow::Error::is::<editions::Differs>);
    let is_rejected = made.as_ref().is_err_and(anyhow::Error::is::<rejected::Rejected>);
    if (differs || is_rejected) && project.crates.iter().any(|krate| krate.edition > edition) {
        let again = one(request, project, offered, (edition, true), budget);
        if differs || again.is_ok() {
            return again;
        }
    }
    made
}

fn one(
    request: &Request,
    project: &Project,
    offered: &BTreeMap<String, String>,
    (edition, rescope): (u16, bool),
    budget: &Budget,
) -> Result<Made> {
    let say = |line: &str| request.progress.say(line);
    let parts = passes::inline(project, offered, edition, rescope)?;
    let mut whole = print::assemble(&parts)?;
    let is_kept = |index: &usize| {
        offers::has(offered, project, *index) && parts.kept.contains(&project.crates[*index].name)
    };
    let kept: Vec<usize> = (0..project.crates.len()).filter(is_kept).collect();
    let module = |krate: usize| {
        let part = parts.list.iter().find(|part| part.krate == krate);
        part.map(|part| part.module.clone())
    };
    let editions = editions::Editions {
        program: project.crates[0].edition,
        modules: parts
            .list
            .iter()
            .filter(|part| !part.module.is_empty())
            .map(|part| (part.module.clone(), project.crates[part.krate].edition))
            .collect(),
        foreign: parts
            .foreign
            .iter()
            .filter_map(|made| Some((module(made.caller)?, made.clone())))
            .collect(),
        may_rescope: !rescope && project.crates.iter().any(|krate| krate.edition > edition),
    };
    if quoted::is_told_apart(&whole) {
        whole = quoted::as_written(&whole, editions.by_place(&whole)?)?;
    }
    if !editions.are_all(edition) {
        if let Some(place) = quoted::retold(&whole, editions.by_place(&whole)?, edition)? {
            let line = whole[place..].lines().next().unwrap_or_default();
            bail!("a failed assertion is looked at that would tell other words in edition {edition}: {line}");
        }
    }
    let compile = Compile {
        edition,
        flags: request.target.flags.clone(),
        baseline: request.target.baseline,
        crates: editions.modules.keys().cloned().collect(),
        offered: alone::offered(project, &request.selection, &kept)?,
        budget: budget.clone(),
    };
    torn::agree(&torn::offered(project, &parts), &whole, &editions, &compile)?;
    // What macros made is judged first, before anything is told to drop its temporaries elsewhere.
    if editions.foreign.is_empty() && budget.is_short_for(whole.len(), UNCUT) {
        editions::foreseen(&shake::by_names(&whole, &compile)?, &editions, edition)?;
    }
    let dir = request.cache.as_deref().unwrap_or(&project.target_dir);
    let placed = |error: anyhow::Error| {
        let rejected = error.downcast_ref::<rejected::Rejected>();
        let unread = rejected.and_then(|error| editions::unread(error, &editions, edition).ok()?);
        let error = unread.map_or(error, anyhow::Error::new);
        origins::of_lints(error, project, &parts)
    };
    let shaken = cache::kept(&(&whole, &editions), &compile, dir, || {
        let text = Text {
            whole: &whole,
            editions: &editions,
            compile: &compile,
            refused: &parts.refused,
            rescope,
        };
        text.shaken(&say)
    })
    .map_err(placed)?;
    Ok((parts, compile, whole, shaken))
}

/// A text of several crates, and how it is to be read.
struct Text<'a> {
    whole: &'a str,
    editions: &'a editions::Editions,
    compile: &'a Compile,
    /// Modules that the program must not reach, and why.
    refused: &'a BTreeMap<String, String>,
    /// Newer crates are told to drop their temporaries where they would.
    rescope: bool,
}

impl Text<'_> {
    /// What the program needs of it, in one edition.
    fn shaken(&self, say: &dyn Fn(&str)) -> Result<shake::Shaken> {
        let (editions, compile) = (self.editions, self.compile);
        let apart = editions::Apart::new(editions, compile);
        let unlike = |one: &str, other: &str| apart.between(one, other);
        let older = |text: &str| editions::said_in_full(text, editions, compile);
        let is_read = editions.are_all(compile.edition);
        let reading = shake::Reading {
            is_next: is_read,
            unlike: (!is_read).then_some(&unlike as shake::Unlike),
            older: (!is_read).then_some(&older as shake::Older),
        };
        let (original, mut reached) = match shake::reached(self.whole, compile, self.refused, &reading, say) {
            Ok(mut reached) => {
                reached.text = editions::taken_apart(&reached.text, editions, compile)?;
                (reached.text.clone(), reached)
            }
            // An older crate may say what the target's edition does not let it say.
            Err(error) => {
                let Some(rejected) = error.downcast_ref::<rejected::Rejected>() else {
                    return Err(error);
                };
                // What a newer crate leaves out means the same where it is said.
                let original = editions::backdated(&rejected.text, editions, compile)?;
                let fixed = editions::fix(&original, editions, compile)?;
                if fixed == rejected.text {
                    return Err(error);
                }
                let reading = shake::Reading {
                    is_next: false,
                    unlike: None,
                    older: None,
                };
                let checked = shake::Compiler::new(compile)?.check(&fixed)?;
                let reached = if checked.errors.is_empty() {
                    let reached = shake::Reachable {
                        text: fixed,
                        allowed: checked.denied,
                    };
                    shake::coarsely_cut(reached, compile, &reading, say)
                } else {
                    shake::reached(&fixed, compile, self.refused, &reading, say)?
                };
                (original, reached)
            }
        };
        if !self.rescope {
            editions::judged(&original, editions, compile, say)?;
        }
        reached.text = editions::translate(&original, &reached.text, editions, compile, say)?;
        let bare = docs::dropped(&reached.text)?;
        shake::shake(&reached, bare.as_deref(), compile, say)
    }
}

impl Bundle {
    /// Crates of the judge's that the text names.
    pub fn needed(&self) -> Result<BTreeSet<&str>> {
        let tokens = Tokens::new(&self.text, Path::new("bundle"))?;
        let words: BTreeSet<&str> = (0..tokens.list.len()).map(|i| tokens.at(i as isize)).collect();
        let named = self
            .compile
            .offered
            .iter()
            .filter_map(|flag| flag.split_once('='));
        Ok(named
            .map(|(name, _)| name)
            .filter(|name| words.contains(name))
            .collect())
    }

    /// True if the text is plainly the same program in another edition: but for where variables of the stack end, the
    /// optimiser is handed the same code. An error where it does not compile there.
    pub fn is_same_in(&self, edition: u16) -> Result<bool> {
        shake::is_same_in(&self.text, &self.compile, edition)
            .with_context(|| format!("the bundle does not compile alone (edition {edition})"))
    }

    /// Compiles the text alone in the judge's edition, by its flags but for the optimiser. An error over the limit, or
    /// where the compiler refuses the text.
    pub fn check(&self) -> Result<()> {
        if let Some(limit) = self.limit.filter(|limit| self.characters > *limit) {
            bail!(
                "{} characters, {} over the limit of {limit}",
                self.characters,
                self.characters - limit
            );
        }
        let kept = cache::kept(&self.text, &self.compile, &self.cache, || {
            let accepted = self.compile.accepts(&self.text);
            accepted.with_context(|| match &self.linked {
                Some(reason) => reason.clone(),
                None => format!(
                    "the bundle does not compile alone (edition {})",
                    self.compile.edition
                ),
            })?;
            Ok(Accepted)
        });
        kept.map(drop)
    }
}

/// What is kept of a text that compiles alone.
#[derive(serde::Serialize, serde::Deserialize)]
struct Accepted;

/// Writes a file whole or not at all, unless it is none (`/dev/null`).
pub fn write(text: &str, to: &Path) -> Result<()> {
    // What a link leads to is written, not the link; a device is written to, as it is.
    let to = &to.canonicalize().unwrap_or_else(|_| to.to_owned());
    if to.exists() && !to.is_file() && !to.is_dir() {
        return std::fs::write(to, text).with_context(|| format!("{}: cannot be written", to.display()));
    }
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
        .map_err(|error| error.error)
        .with_context(|| format!("{}: cannot be written", to.display()))?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::write;
    use std::fs;

    #[test]
    fn what_a_link_leads_to_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let [real, link] = ["real.rs", "link.rs"].map(|name| dir.path().join(name));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write("new", &link).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(link.is_symlink());
        let error = format!("{:#}", write("new", dir.path()).unwrap_err());
        assert_eq!(error.matches("directory").count(), 1, "{error}");
    }
}
