//! Crates become modules, files become their contents: one text out of many.
//!
//! Each inlined crate is a private module at the root of the bundle; `crate::`, `$crate` and the names of
//! other crates are rewritten to point there, whatever the edition they were written in. Whole files are
//! read by the two passes of `passes`; this file holds what they share and the order of
//! things. Nothing is removed by any of them but what `cfg` switches off, tests, docs and lint attributes.

use super::callers::Callers;
use super::editions::foreign::Foreign;
use super::expand::{Expander, stand_ins};
use super::globs::Modules;
use super::lex::{raw_in, unraw};
use super::offers;
use super::passing::Passing;
use super::project::{Crate, Project};
use super::shorten::RESERVED;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place in a crate's module tree and on the disk.
#[derive(Clone, Debug)]
pub struct Place {
    /// Index of the crate.
    pub krate: usize,
    /// Modules from the crate's root.
    pub path: Vec<String>,
    /// File that is being read.
    pub file: PathBuf,
    /// Where `mod x;` looks for its file.
    pub dir: PathBuf,
    /// Inside an inline module of this file (decides what `#[path]` is relative to).
    pub inline: bool,
}

/// A stretch of a text that is one module's own.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Bytes of its contents.
    pub range: Range<usize>,
    /// True for the root module of the program.
    pub is_bundle_root: bool,
    /// Names that items and imports declare there.
    pub declared: BTreeSet<String>,
    /// Functions, constants and statics there.
    pub values: BTreeSet<String>,
    /// What is imported there by name: its path, and what it is called.
    pub imported: Vec<(Vec<String>, String)>,
    /// The module, from its crate's root.
    pub path: Vec<String>,
}

/// Which of a text's scopes a place is in: the innermost, and not one that ends before it.
pub fn scope_at(scopes: &[Scope], byte: usize) -> usize {
    scopes
        .iter()
        .rposition(|scope| scope.range.contains(&byte))
        .unwrap_or(0)
}

/// One inlined crate.
#[derive(Debug)]
pub struct Part {
    /// Index in the project.
    pub krate: usize,
    /// Name of its module; empty for the program.
    pub module: String,
    /// Its text.
    pub text: String,
}

/// The result: everything a bundle is made of.
#[derive(Debug, Default)]
pub struct Parts {
    /// The program first, then crates in the order of first use.
    pub list: Vec<Part>,
    /// Attributes that must stand at the root (`#![recursion_limit = …]`).
    pub attributes: BTreeSet<String>,
    /// `extern crate` lines the root needs (`alloc`).
    pub externs: BTreeSet<String>,
    /// Crates kept as `use` because the judge offers them.
    pub kept: BTreeSet<String>,
    /// Every file that was read.
    pub files: Vec<PathBuf>,
    /// Modules of crates that could not be inlined, with the reason: an obstacle where they are reached.
    pub refused: BTreeMap<String, String>,
    /// Modules of procedural macros.
    pub macros: BTreeSet<String>,
    /// What macros of other editions than their callers' made in words of their own.
    pub foreign: BTreeSet<Foreign>,
}

/// Reads crates and files on demand.
pub struct Inliner<'p> {
    /// The project.
    pub project: &'p Project,
    /// Crates the judge offers.
    pub offered: &'p BTreeMap<String, String>,
    passes: Passes,
    /// What has been made so far.
    pub parts: Parts,
    /// Procedural macros.
    pub expander: Expander,
    /// Edition of the bundle.
    pub edition: u16,
    /// Translate where temporaries are dropped, see `super::scope`.
    pub rescope: bool,
    /// Labels given out.
    pub labels: usize,
    /// Macros without arguments that declare modules: their bodies.
    pub makers: BTreeMap<(usize, String), String>,
    /// Macros that hand items on.
    pub passing: BTreeMap<(usize, String), Passing>,
    modules: BTreeMap<usize, String>,
    taken: BTreeSet<String>,
    /// Exported macros by crate: name and module path.
    pub exported: BTreeMap<usize, Vec<(String, Vec<String>)>>,
    /// Modules that are there or not as the judge's compiler decides: their `cfg`s.
    pub gates: BTreeMap<(usize, Vec<String>), String>,
    /// Crates whose macros a crate sees everywhere (`#[macro_use] extern crate`).
    pub macro_use: BTreeMap<usize, Vec<usize>>,
    /// Names that macros of a crate hand to each other.
    pub handed: BTreeMap<usize, BTreeSet<String>>,
    /// Macros that ask a `cfg` which their callers name.
    pub asking: BTreeSet<String>,
    /// Macros that take a path as names, `$x:ident::$y:ident`: it cannot start otherwise.
    pub splitting: BTreeSet<String>,
    /// Macros in which paths start with a name that they are given.
    pub leading: BTreeSet<String>,
    /// Exported macros that share their name with something else: they are `name_rules`, imported as `name`.
    pub renamed: BTreeSet<(usize, String)>,
    /// What each module declares that was read, now or when all was read before.
    pub surroundings: Modules,
    /// What a module not read yet brings was asked.
    pub is_unsure: bool,
    /// Types and modules in the root of each crate, imported ones too.
    pub root_types: BTreeMap<usize, BTreeSet<String>>,
    /// Names of crates that a crate's root declares (`extern crate`).
    pub root_crates: BTreeMap<usize, BTreeSet<String>>,
    /// Of these, what other crates see.
    pub public_types: BTreeMap<usize, BTreeSet<String>>,
    /// `extern crate self as x`.
    pub own_names: BTreeMap<usize, String>,
    /// `extern crate y as x` in the root of a crate: every module of it may say `x`.
    pub aliases: BTreeMap<(usize, String), String>,
    /// What the crate `alloc` is called at the root, where the program has something else of that name.
    pub alloc: Option<String>,
    /// Who calls which macros, as far as somebody asked.
    pub callers: Callers<'p>,
}

/// Where a crate name in a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Module of this name at the bundle's root.
    Module(String),
    /// A crate the judge has, by its path; the name that it was asked for by where that will do.
    Offered(String),
}

/// How a text is read through; the passes meet further files and come back here for them.
#[derive(Clone, Copy)]
pub struct Passes {
    /// See [`Inliner::items`].
    pub items: fn(&mut Inliner<'_>, &str, &Place, bool) -> Result<Option<String>>,
    /// See [`Inliner::expression`].
    pub expression: fn(&mut Inliner<'_>, &str, &Place) -> Result<String>,
}

/// Inlines the project's program into a text of `edition`. `rescope` as in [`Inliner`].
pub fn inline(
    project: &Project,
    offered: &BTreeMap<String, String>,
    edition: u16,
    rescope: bool,
    passes: Passes,
) -> Result<Parts> {
    let mut known = Modules::new();
    let mut read = |is_last: bool| -> Result<Option<Parts>> {
        let mut inliner = inliner(project, offered, edition, rescope, passes)?;
        inliner.surroundings = std::mem::take(&mut known);
        inliner.taken.extend(offered.keys().cloned());
        inliner.taken.extend(RESERVED.map(str::to_owned));
        inliner.crate_text(0)?;
        // What a module brings that was read late may be something else than a crate of that name.
        if inliner.is_unsure && !is_last {
            known = inliner.surroundings;
            return Ok(None);
        }
        inliner.parts.foreign = std::mem::take(&mut inliner.expander.foreign);
        inliner.parts.list.sort_by_key(|part| part.krate != 0);
        Ok(Some(inliner.parts))
    };
    let parts = read(false)?;
    let parts = if parts.is_some() { parts } else { read(true)? };
    parts.context("a text is read twice at most")
}

/// Before anything was read.
fn inliner<'p>(
    project: &'p Project,
    offered: &'p BTreeMap<String, String>,
    edition: u16,
    rescope: bool,
    passes: Passes,
) -> Result<Inliner<'p>> {
    Ok(Inliner {
        project,
        offered,
        passes,
        parts: Parts::default(),
        expander: Expander::new(project)?,
        edition,
        rescope,
        labels: 0,
        makers: BTreeMap::new(),
        passing: BTreeMap::new(),
        modules: BTreeMap::new(),
        taken: ["core", "std", "alloc", "test", "proc_macro", "main"]
            .map(str::to_owned)
            .into(),
        exported: BTreeMap::new(),
        gates: BTreeMap::new(),
        macro_use: BTreeMap::new(),
        handed: BTreeMap::new(),
        asking: BTreeSet::new(),
        splitting: BTreeSet::new(),
        leading: BTreeSet::new(),
        renamed: BTreeSet::new(),
        surroundings: Modules::new(),
        is_unsure: false,
        root_types: BTreeMap::new(),
        root_crates: BTreeMap::new(),
        public_types: BTreeMap::new(),
        own_names: BTreeMap::new(),
        aliases: BTreeMap::new(),
        alloc: None,
        callers: Callers::new(project),
    })
}

impl Inliner<'_> {
    /// The crate being read.
    pub fn krate(&self, index: usize) -> &Crate {
        &self.project.crates[index]
    }

    /// Name of the module a crate lives in; empty for the program.
    pub fn module(&self, krate: usize) -> &str {
        self.modules.get(&krate).map_or("", String::as_str)
    }

    /// Path of a crate's root in the bundle.
    pub fn root_of(&self, krate: usize) -> String {
        match self.module(krate) {
            "" => "crate".to_owned(),
            module => format!("crate::{module}"),
        }
    }

    /// Notes that a crate sees the macros of one `below` everywhere.
    pub fn sees_macros(&mut self, krate: usize, below: usize) {
        let seen = self.macro_use.entry(krate).or_default();
        if !seen.contains(&below) {
            seen.push(below);
        }
    }

    fn crate_text(&mut self, index: usize) -> Result<()> {
        let module = self.module(index).to_owned();
        let krate = self.krate(index);
        let (root, edition) = (krate.root.clone(), krate.edition);
        if krate.macros.is_some() {
            let text = stand_ins(self.expander.of(index));
            self.parts.macros.insert(module.clone());
            self.parts.list.push(Part {
                krate: index,
                module,
                text,
            });
            return Ok(());
        }
        let dir = root.parent().unwrap_or(Path::new("")).to_owned();
        let place = Place {
            krate: index,
            path: Vec::new(),
            file: root,
            dir,
            inline: false,
        };
        let mut text = self.file_module(&place)?.unwrap_or_default();
        if index != 0 {
            for (name, path) in self.exported.get(&index).into_iter().flatten() {
                if !path.is_empty() {
                    let start = if edition == 2015 { "self::" } else { "" };
                    let gates = (1..=path.len()).filter_map(|n| self.gates.get(&(index, path[..n].to_vec())));
                    let gates: String = gates.map(String::as_str).collect();
                    let raw = |name: &String| raw_in(self.edition, name);
                    let path = path.iter().map(raw).collect::<Vec<_>>().join("::");
                    let mut import = raw(name);
                    if self.renamed.contains(&(index, name.clone())) {
                        import = format!("{}_rules as {import}", unraw(name));
                    }
                    let _ = writeln!(text, "\n{gates}pub(crate) use {start}{path}::{import};");
                }
            }
        }
        self.parts.list.push(Part {
            krate: index,
            module,
            text,
        });
        Ok(())
    }

    /// Which crate of the standard library is `name` everywhere in the crate `from`, by `extern crate alloc as name`:
    /// what that is called in the bundle.
    pub fn standard_alias(&self, from: usize, name: &str) -> Option<&str> {
        let real = self.aliases.get(&(from, name.to_owned()))?.as_str();
        let is_own = self.krate(from).deps.contains_key(real);
        (matches!(real, "std" | "core" | "alloc") && !is_own).then(|| self.standard(real))
    }

    /// True if `name` at the start of a path is something of the crate's root instead of a crate: edition 2015 starts there,
    /// with `mod core;` for instance, or with a module of the name of a dependency that the root does not declare.
    pub fn hides_crate(&self, krate: usize, name: &str) -> bool {
        let has = |of: &BTreeMap<usize, BTreeSet<String>>| of.get(&krate).is_some_and(|of| of.contains(name));
        let known = self.krate(krate);
        let is_crate = matches!(name, "core" | "alloc") || known.deps.contains_key(name);
        known.edition == 2015 && is_crate && has(&self.root_types) && !has(&self.root_crates)
    }

    /// What a crate of the standard library is called in the bundle.
    pub fn standard<'s>(&'s self, real: &'s str) -> &'s str {
        self.alloc.as_deref().filter(|_| real == "alloc").unwrap_or(real)
    }

    /// The crate that `from` calls `name`, by an alias of its own perhaps.
    pub fn below(&self, from: usize, name: &str) -> Option<usize> {
        self.project.below(from, self.named(from, name))
    }

    /// What a crate is called by the project that `from` calls `name`.
    fn named<'s>(&'s self, from: usize, name: &'s str) -> &'s str {
        let alias = self.aliases.get(&(from, name.to_owned()));
        alias.map_or(name, String::as_str)
    }

    /// Resolves a crate name as seen from `from`; reads the crate on its first use.
    pub fn extern_name(&mut self, from: usize, name: &str) -> Result<Option<Target>> {
        let name = unraw(name);
        if self.own_names.get(&from).is_some_and(|own| own == name) {
            return Ok(Some(Target::Module(self.module(from).to_owned())));
        }
        let Some(index) = self.below(from, name) else {
            return Ok(None);
        };
        let name = &self.named(from, name).to_owned();
        if offers::has(self.offered, self.project, index) {
            let kept = self.krate(index).name.clone();
            self.parts.kept.insert(kept.clone());
            let path = if kept == *name { kept } else { format!("::{kept}") };
            return Ok(Some(Target::Offered(path)));
        }
        if let Some(module) = self.modules.get(&index) {
            return Ok(Some(Target::Module(module.clone())));
        }
        // After the modules: it reads files, and is the same for a crate whenever it is asked.
        if let Some((kept, below)) = offers::within(self.offered, self.project, index) {
            let path = format!("::{kept}::{below}");
            self.parts.kept.insert(kept);
            return Ok(Some(Target::Offered(path)));
        }
        let krate = self.krate(index);
        let (name, version) = (krate.name.clone(), krate.version.clone());
        let (local, refusal) = (krate.local, krate.refusal.clone());
        let package = krate.package.clone();
        let mut module = name.clone();
        if self.taken.contains(&module) {
            let short: Vec<&str> = version.split('.').take(2).collect();
            module = format!("{name}_{}", short.join("_"));
        }
        while self.taken.contains(&module) {
            module.push('_');
        }
        self.taken.insert(module.clone());
        self.modules.insert(index, module.clone());
        let read = match refusal {
            Some(reason) => Err(anyhow::anyhow!("{reason}")),
            None => self.crate_text(index),
        };
        if let Err(error) = read {
            if local && self.krate(index).refusal.is_none() {
                return Err(error);
            }
            // Whether it matters is seen when it is known what the program reaches.
            let reason = format!("{package} cannot be bundled: {error:#}");
            self.parts.refused.insert(module.clone(), reason);
            self.parts.list.push(Part {
                krate: index,
                module: module.clone(),
                text: String::new(),
            });
        }
        Ok(Some(Target::Module(module)))
    }

    /// Reserves the names of the program's root module.
    pub fn reserve(&mut self, names: &BTreeSet<String>) {
        self.taken.extend(names.iter().cloned());
    }

    /// Text of a module that is a file; `None` where `#![cfg]` switches it off.
    pub fn file_module(&mut self, place: &Place) -> Result<Option<String>> {
        let text = self.read(&place.file)?;
        self.items(&text, place, true)
    }

    /// Reads a source file: no byte-order mark, no `#!` line, line ends as `\n`.
    pub fn read(&mut self, path: &Path) -> Result<String> {
        let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        self.parts.files.push(path.to_owned());
        let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{}: not UTF-8", path.display()))?;
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        Ok(match text.strip_prefix("#!") {
            Some(rest) if !rest.trim_start().starts_with('[') => rest
                .split_once('\n')
                .map_or(String::new(), |(_, rest)| rest.to_owned()),
            _ => text,
        })
    }

    /// Rewrites a text of items. `whole` if it is a module of its own (not `include!`d).
    pub fn items(&mut self, text: &str, place: &Place, whole: bool) -> Result<Option<String>> {
        Ok((self.passes.items)(self, text, place, whole)?.map(closed))
    }

    /// Rewrites a text that is an expression (`include!` in an expression).
    pub fn expression(&mut self, text: &str, place: &Place) -> Result<String> {
        (self.passes.expression)(self, text, place).map(|text| closed(text.trim().to_owned()))
    }
}

/// A text of which nothing that stands behind it gets into a comment.
fn closed(mut text: String) -> String {
    if !text.ends_with('\n') && text.lines().last().is_some_and(|line| line.contains("//")) {
        text.push('\n');
    }
    text
}
