//! One text, several editions: what is not to be read as the file is stands in macros of helper crates.
//!
//! The compiler takes a token's edition from where it was written. Lints say nothing about what comes out of another
//! crate's macro, so what they find is about the crates that stayed. The prelude is the file's: newer crates in an
//! older file are given what theirs has more.

use super::touched::Functions;
use super::{Editions, at_least_2018, quoted};
use crate::bundle::alone::{Compile, UNASKED};
use crate::bundle::budget::said;
use crate::bundle::lex::{Edits, Kind, Tokens};
use crate::bundle::rejected::parsed;
use crate::bundle::shake::Compiler;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use syn::spanned::Spanned;

/// Which ranges are to be read.
pub type Keeps<'a> = &'a dyn Fn(&Range<usize>) -> bool;

/// A text in which crates keep editions of their own: what is not to be read in the edition of the file stands in
/// macros of helper crates.
pub struct Mixed {
    /// The text.
    pub text: String,
    /// How it is compiled: with its helpers.
    pub compile: Compile,
    /// What was put in, last first: places behind it, and how far those behind are from where they were.
    shifts: Vec<Vec<(usize, isize)>>,
    _dir: tempfile::TempDir,
}

impl Mixed {
    /// `text` in which all crates keep theirs.
    pub fn own(text: &str, editions: &Editions, compile: &Compile) -> Result<Self> {
        Self::new(text, editions, compile, editions.program.max(2018), &|_| false)
    }

    /// The same, read as of `compile`'s edition all over: what macros print of tokens is as in [`own`](Self::own), where
    /// blanks stand otherwise than in the text.
    pub fn of_file(text: &str, editions: &Editions, compile: &Compile) -> Result<Self> {
        let base = editions.program.max(2018);
        Self::with(
            text,
            editions,
            compile,
            base,
            (&|_| false, Some(compile.edition)),
            &[],
        )
    }

    /// `text` in a file of `base`; `stays` says of which editions the crates are read as it reads.
    pub fn new(
        text: &str,
        editions: &Editions,
        compile: &Compile,
        base: u16,
        stays: &dyn Fn(u16) -> bool,
    ) -> Result<Self> {
        Self::with(text, editions, compile, base, (stays, None), &[])
    }

    /// The same, `read` in one edition all over if there is one; what is `apart` keeps its edition.
    fn with(
        text: &str,
        editions: &Editions,
        compile: &Compile,
        base: u16,
        (stays, read): (&dyn Fn(u16) -> bool, Option<u16>),
        apart: &[Range<usize>],
    ) -> Result<Self> {
        let dir = tempfile::tempdir().context("no temporary directory")?;
        let file = read.unwrap_or(base);
        let mut helpers: BTreeMap<u16, String> = BTreeMap::new();
        let mut calls: Vec<(Range<usize>, String)> = Vec::new();
        let parts = editions.parts(text)?;
        let mut put = |name: &str, range: Range<usize>, edition: u16| -> Result<()> {
            let edition = read.unwrap_or(edition);
            let mut body = quoted(&text[range.clone()])?;
            for (since, module) in PRELUDES {
                // A function has no place for it.
                let is_function = apart.contains(&range);
                if file < since && edition >= since && !is_function {
                    body = with_prelude(&body, module)?;
                }
            }
            let helper = helpers.entry(edition).or_default();
            let _ = writeln!(
                helper,
                "#[macro_export]\nmacro_rules! part_{name} {{ ($d:tt) => {{ {body} }} }}"
            );
            calls.push((range, format!("fifty_edition_{edition}::part_{name}!{{$}}")));
            Ok(())
        };
        for (name, range, edition) in &parts {
            if *edition != base && !stays(*edition) {
                put(name, range.clone(), *edition)?;
            }
        }
        let program = at_least_2018(editions.program);
        if program != base && !stays(program) {
            for (n, range) in stretches(text, &parts)?.into_iter().enumerate() {
                put(&format!("of_program_{n}"), range, program)?;
            }
        }
        for (n, range) in apart.iter().enumerate() {
            let edition = editions.at(&parts, range.start);
            if edition != base && stays(edition) {
                put(&format!("apart_{n}"), range.clone(), edition)?;
            }
        }
        let mut edits = Edits::default();
        for (range, call) in calls {
            edits.replace(range, call);
        }
        let mut own = compile.clone();
        own.edition = file;
        for (edition, source) in &helpers {
            own.offered
                .extend(helper(dir.path(), *edition, source, &compile.offered)?);
        }
        let (mixed, shifts) = edits.shifting(text);
        Ok(Self {
            text: mixed + PRELUDE,
            compile: own,
            shifts: vec![shifts],
            _dir: dir,
        })
    }

    /// The crates of editions that `stays` names as `base` reads them, but for functions that it cannot read and nobody
    /// `keeps`, if it is said who does.
    pub fn read_as(
        text: &str,
        editions: &Editions,
        compile: &Compile,
        base: u16,
        stays: &dyn Fn(u16) -> bool,
        keeps: Option<Keeps<'_>>,
    ) -> Result<Self> {
        let apart = match keeps {
            Some(keeps) => unread(text, (base, stays), keeps, &|_| false)?,
            None => Vec::new(),
        };
        Self::read_apart(text, editions, compile, base, stays, &apart)
    }

    /// The same but for these functions, none inside of another, which are read as they were written.
    pub fn read_apart(
        text: &str,
        editions: &Editions,
        compile: &Compile,
        base: u16,
        stays: &dyn Fn(u16) -> bool,
        apart: &[Range<usize>],
    ) -> Result<Self> {
        let mut mixed = Self::with(text, editions, compile, base, (stays, None), apart)?;
        let absolute = "macro_expanded_macro_exports_accessed_by_absolute_paths";
        mixed.compile.flags.push(format!("-A{absolute}"));
        Ok(mixed)
    }

    /// The text that this was made of was another one before that was put in.
    #[must_use]
    pub fn of_shifted(mut self, shifts: Vec<(usize, isize)>) -> Self {
        self.shifts.push(shifts);
        self
    }

    /// Where a range was that no call is in.
    pub fn back(&self, range: &Range<usize>) -> Range<usize> {
        let back = |at: usize| self.shifts.iter().fold(at, |at, shifts| back(shifts, at));
        back(range.start)..back(range.end)
    }
}

/// Whether `text` compiles with every crate read in its own edition.
pub fn compiles(text: &str, editions: &Editions, compile: &Compile) -> Result<bool> {
    let mixed = Mixed::own(text, editions, compile)?;
    let checked = Compiler::new(&mixed.compile)?.check(&mixed.text)?;
    Ok(checked.errors.is_empty())
}

/// Where a place was before what is told in `shifts` was put in.
pub fn back(shifts: &[(usize, isize)], at: usize) -> usize {
    let shift = shifts.iter().rev().find(|(behind, _)| *behind <= at);
    (at as isize - shift.map_or(0, |(_, shift)| *shift)) as usize
}

/// Functions that `base` cannot read where crates of editions that `stays` names are read so, and nobody `keeps`: by what they
/// say, or as they have `failed`; none inside of another.
pub fn unread(
    text: &str,
    (base, stays): (u16, &dyn Fn(u16) -> bool),
    keeps: Keeps<'_>,
    failed: Keeps<'_>,
) -> Result<Vec<Range<usize>>> {
    let chained = if base < 2024 && stays(2024) {
        chained(text)?
    } else {
        Vec::new()
    };
    outer(text, &|range| {
        (failed(range) || chained.contains(range)) && !keeps(range)
    })
}

/// Functions with a condition of several `let`, which editions before 2024 do not read; none inside of another.
fn chained(text: &str) -> Result<Vec<Range<usize>>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let is_chain = |i: usize| {
        let i = i as isize;
        let is_first = tokens.at(i) == "let" && matches!(tokens.at(i - 1), "if" | "while");
        let condition = || (i + 1..tokens.list.len() as isize).take_while(|k| tokens.at(*k) != "{");
        let is_and = |k: isize| tokens.at(k) == "&" && tokens.at(k + 1) == "&";
        tokens.at(i) == "let" && tokens.at(i - 1) == "&" || is_first && condition().any(is_and)
    };
    outer(text, &|range| {
        let mut within = tokens.from(range.start)..tokens.from(range.end);
        within.any(is_chain)
    })
}

/// Functions of which `is_one` says so; none inside of another.
fn outer(text: &str, is_one: Keeps<'_>) -> Result<Vec<Range<usize>>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (_, range) in Functions::of(text)?.0 {
        let is_inside = found.iter().any(|outer| outer.contains(&range.start));
        if !is_inside && is_one(&range) {
            found.push(range);
        }
    }
    Ok(found)
}

/// A helper crate of `edition`, compiled; flags that name it.
fn helper(dir: &Path, edition: u16, source: &str, offered: &[String]) -> Result<[String; 2]> {
    let file = dir.join(format!("fifty_edition_{edition}.rs"));
    std::fs::write(&file, source).context("temporary source")?;
    let library = dir.join(format!("libfifty_edition_{edition}.rlib"));
    let out = Command::new("rustc")
        .args(["--crate-type=rlib", "--cap-lints=allow", UNASKED, "--edition"])
        .arg(edition.to_string())
        .args(["--crate-name", &format!("fifty_edition_{edition}"), "-o"])
        .arg(&library)
        .arg(&file)
        .args(offered)
        .env_remove("RUSTFLAGS")
        .output()
        .context("rustc cannot be started")?;
    if !out.status.success() {
        bail!("{}", said(out.status, &out.stderr));
    }
    let name = format!("fifty_edition_{edition}={}", library.display());
    Ok(["--extern".to_owned(), name])
}

/// Modules of [`PRELUDE`], and the editions since which their names are in scope everywhere.
const PRELUDES: [(u16, &str); 2] = [(2021, OF_2021), (2024, "fifty_prelude_2024")];

/// The module of what came with 2021.
pub const OF_2021: &str = "fifty_prelude";

/// What later editions have in scope: a matter of the whole file, not of where a token was written.
const PRELUDE: &str = "
mod fifty_prelude { pub use std::{convert::{TryFrom, TryInto}, iter::FromIterator}; }
mod fifty_prelude_2024 { pub use std::future::{Future, IntoFuture}; }
";

/// Items with the names of a module of [`PRELUDE`] in scope, in each of their own modules.
pub fn with_prelude(items: &str, module: &str) -> Result<String> {
    let line = format!(" #[allow(unused)] use crate::{module}::*; ");
    let tokens = Tokens::new(items, Path::new("bundle"))?;
    let mut edits = Edits::default();
    let is_one_module = tokens
        .list
        .iter()
        .position(|t| t.kind == Kind::Open)
        .is_some_and(|open| tokens.list[open].pair + 1 == tokens.list.len());
    if !is_one_module {
        let place = tokens
            .list
            .get(tokens.behind_attributes(0))
            .map_or(items.len(), |first| first.range.start);
        edits.replace(place..place, line.clone());
    }
    for (i, token) in tokens.list.iter().enumerate() {
        if tokens.at(i as isize) != "{" || tokens.at(i as isize - 2) != "mod" {
            continue;
        }
        let place = tokens
            .list
            .get(tokens.behind_attributes(i + 1))
            .map_or(token.range.end, |next| next.range.start);
        edits.replace(place..place, line.clone());
    }
    Ok(edits.apply(items))
}

/// Runs of the program's own items at the root, between `parts`.
fn stretches(text: &str, parts: &[(String, Range<usize>, u16)]) -> Result<Vec<Range<usize>>> {
    let file = parsed(text)?;
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut is_run = false;
    for item in &file.items {
        let range = item.span().byte_range();
        let is_part = parts.iter().any(|part| part.1.contains(&range.start));
        match runs.last_mut().filter(|_| is_run) {
            Some(run) if !is_part => run.end = range.end,
            _ if !is_part => runs.push(range),
            _ => {}
        }
        is_run = !is_part;
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::{OF_2021, with_prelude};

    #[test]
    fn the_newer_prelude_stands_behind_inner_attributes() {
        for (items, start) in [
            (
                "#![allow(a)] #![deny(b)] fn f() {} fn g() {}",
                "#![allow(a)] #![deny(b)] ",
            ),
            (
                "mod m { #![allow(a)] fn f() {} } fn g() {}",
                " #[allow(unused)] use crate::",
            ),
        ] {
            let text = with_prelude(items, OF_2021).unwrap();
            assert!(text.starts_with(start), "{text}");
            syn::parse_file(&text).unwrap();
        }
    }
}
