//! The text in which every crate keeps its own edition, and whether the file's does the same.

use super::differs::Differs;
use super::mixed::Mixed;
use super::panics::formatted_panics;
use super::whole::{is_unsaid, whole_captures};
use super::{Compile, Editions, Line, fix, line_at, moved};
use crate::bundle::TRACE;
use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::shake::{Code, Compiler};
use anyhow::Result;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// `text` in which the lints see nothing that runs otherwise than in `original`, or with closures that capture what they
/// did; an error where functions do something else all the same: lints do not look into what macros make of it.
pub fn settled(
    original: &str,
    text: &str,
    editions: &Editions,
    compile: &Compile,
    say: &dyn Fn(&str),
) -> Result<String> {
    let [plain, plain_text] = [original, text].map(|text| alike(text, editions));
    let Some(names) = moved::otherwise(&plain?, &plain_text?, editions, compile)? else {
        return Ok(text.to_owned());
    };
    if names.is_empty() {
        return Ok(text.to_owned());
    }
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    say(&format!("{TRACE}does something else: {}", list.join(" ")));
    let is_one = |item: &str| is_of(item, &names);
    let mut endless = compile.clone();
    endless.budget = compile.budget.without_end();
    // Closures that capture fields where they captured variables: of most that is noticed of that the lints tell.
    if original == text {
        let mut last = text.to_owned();
        for is_wide in [false, true] {
            let captured = whole_captures(text, editions, is_wide)?;
            if captured != last && is_same_with(&captured, &names, editions, &endless)? {
                return Ok(if is_unsaid(text)? {
                    captured
                } else {
                    text.to_owned()
                });
            }
            last = captured;
        }
    }
    let reference = Reference::new(original, editions, &endless)?;
    let mut found = match compared(&reference, text, editions, &endless) {
        Ok(Ok(text)) => return Ok(text),
        Ok(Err(found)) => found,
        Err(_) => return Ok(text.to_owned()),
    };
    // Memory that is given back at another time is another code, and does nothing else.
    found.retain(|item| is_one(item));
    if found.is_empty() {
        return Ok(text.to_owned());
    }
    let lines = lines(text, editions, &names)?;
    Err(anyhow::Error::new(Differs::new(
        editions,
        compile.edition,
        &found,
        lines,
    )))
}

/// True if a function is one of these names, or within one.
fn is_of(item: &str, names: &BTreeSet<String>) -> bool {
    let mut words = item.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| names.contains(word))
}

/// True if functions of these names do the same in the crates' editions and in the file's where closures capture whole
/// variables: each step by step, or in the code that is made of it.
fn is_same_with(
    captured: &str,
    names: &BTreeSet<String>,
    editions: &Editions,
    compile: &Compile,
) -> Result<bool> {
    let plain = alike(captured, editions)?;
    let left = moved::otherwise(&plain, &plain, editions, compile)?;
    if left.as_ref().is_some_and(BTreeSet::is_empty) {
        return Ok(true);
    }
    let file = Reference::of_file(captured, editions, compile)?;
    let unlike = Reference::new(captured, editions, compile)?
        .code()
        .unlike(file.code());
    let is_left = |item: &String| is_of(item, names) && left.as_ref().is_none_or(|left| is_of(item, left));
    Ok(unlike.is_ok_and(|found| !found.iter().any(is_left)))
}

/// Where functions of these names are.
fn lines(text: &str, editions: &Editions, names: &BTreeSet<String>) -> Result<Vec<Line>> {
    let parts = editions.parts(text)?;
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let at = |i: usize| tokens.at(i as isize);
    let places = (1..tokens.list.len()).filter(|i| at(i - 1) == "fn" && names.contains(at(*i)));
    let lines = places.map(|i| line_at(text, &parts, tokens.list[i].range.start));
    Ok(lines.collect())
}

/// A translation whose functions have the code that those of the `reference` have in their editions; else what differs.
pub fn compared(
    reference: &Reference,
    text: &str,
    editions: &Editions,
    compile: &Compile,
) -> Result<Result<String, BTreeSet<String>>> {
    let plain = Code::of(&alike(text, editions)?, compile, &HashMap::new());
    let differs = reference.code().strays(&plain)?;
    if differs.is_empty() {
        return Ok(Ok(text.to_owned()));
    }
    let strays = |text: &str| {
        let file = Reference::of_file(text, editions, compile)?;
        reference.code().strays(file.code())
    };
    let mut differs = strays(text).unwrap_or(differs);
    if differs.is_empty() {
        return Ok(Ok(text.to_owned()));
    }
    // Before 2021 a closure captures variables, not fields of them. Where that is all the difference, the
    // compiler's own lint says whether it can be noticed.
    let captured = whole_captures(text, editions, false)?;
    if captured != text {
        let reference = Reference::new(&captured, editions, compile)?;
        let file = Reference::of_file(&captured, editions, compile)?;
        if reference.code().strays(file.code())?.is_empty() {
            let mut own = compile.clone();
            own.edition = 2018;
            let noticed = Compiler::new(&own)?.lints(text, "rust_2021_incompatible_closure_captures")?;
            return Ok(Ok(match noticed {
                Some(places) if places.is_empty() && !is_unsaid(text)? => text.to_owned(),
                _ => captured,
            }));
        }
    }
    let wide = whole_captures(text, editions, true)?;
    if wide != captured && strays(&wide).is_ok_and(|left| left.is_empty()) {
        return Ok(Ok(wide));
    }
    let fixed = fix(text, editions, compile)?;
    if fixed != text {
        // What cannot be compared at all, as where the suggestions do not compile, leaves what was found before.
        if let Ok(left) = strays(&fixed) {
            if left.is_empty() {
                return Ok(Ok(fixed));
            }
            differs = left;
        }
    }
    Ok(Err(differs.into_iter().collect()))
}

/// Compares texts where every crate is read in its own edition.
pub struct Apart<'a> {
    editions: &'a Editions,
    compile: &'a Compile,
    /// What was compared last, and its code: others are compared with it as well.
    last: RefCell<Option<(String, Reference)>>,
}

impl<'a> Apart<'a> {
    /// Nothing is compared yet.
    pub fn new(editions: &'a Editions, compile: &'a Compile) -> Self {
        Self {
            editions,
            compile,
            last: RefCell::new(None),
        }
    }

    /// Names of what is other code in `other`.
    pub fn between(&self, one: &str, other: &str) -> Result<Vec<String>> {
        let read = |text: &str| Reference::new(text, self.editions, self.compile);
        let mut last = self.last.borrow_mut();
        let known = last.take().filter(|(text, _)| text == one);
        let (_, reference) = last.insert(match known {
            Some(known) => known,
            None => (one.to_owned(), read(one)?),
        });
        reference.code().difference(read(other)?.code())
    }
}

/// The text with every crate in its own edition.
pub struct Reference {
    code: Code,
    _mixed: Mixed,
}

impl Reference {
    /// Reads `text` so.
    pub fn new(text: &str, editions: &Editions, compile: &Compile) -> Result<Self> {
        let text = &alike(text, editions)?;
        Ok(Self::of(Mixed::own(text, editions, compile)?))
    }

    /// Reads it in the file's edition, and otherwise as [`new`](Self::new) does.
    fn of_file(text: &str, editions: &Editions, compile: &Compile) -> Result<Self> {
        let text = &alike(text, editions)?;
        Ok(Self::of(Mixed::of_file(text, editions, compile)?))
    }

    fn of(mixed: Mixed) -> Self {
        Self {
            code: Code::of(&mixed.text, &mixed.compile, &HashMap::new()),
            _mixed: mixed,
        }
    }

    /// Its code.
    pub fn code(&self) -> &Code {
        &self.code
    }
}

/// The text with panics that older and later editions make the same code of, for comparing only.
pub fn alike(text: &str, editions: &Editions) -> Result<String> {
    if editions.program < 2021 {
        return formatted_panics(text, true);
    }
    let mut edits = Edits::default();
    for (_, range, edition) in editions.parts(text)? {
        if edition < 2021 {
            edits.replace(range.clone(), formatted_panics(&text[range], true)?);
        }
    }
    Ok(edits.apply(text))
}

/// What the macros by rules of a text are made of.
pub fn rules(text: &str) -> Result<Vec<String>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let macros = tokens.macros().into_iter();
    Ok(macros.map(|at| text[tokens.definition(at)].to_owned()).collect())
}
