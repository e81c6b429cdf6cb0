//! What a text is made of: the program and the crates of others, each a module at the root, and their editions.

use super::across::Macros;
use super::differs::Line;
use super::foreign::Foreign;
use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::rejected::parsed;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;

/// What a text is made of.
#[derive(Clone, Debug, Hash)]
pub struct Editions {
    /// Edition of the program.
    pub program: u16,
    /// Editions of the modules at the root that are crates of others.
    pub modules: BTreeMap<String, u16>,
    /// What macros of other editions than their callers' made in words of their own, by the callers' modules.
    pub foreign: BTreeSet<(String, Foreign)>,
    /// Temporaries of newer crates can still be told to drop where they would: see `super::walk::scope`.
    pub may_rescope: bool,
}

/// Paths are translated as they are read, so that what is left of 2015 means what 2018 means.
pub fn at_least_2018(edition: u16) -> u16 {
    edition.max(2018)
}

/// A crate's module: its name, where it stands, and its edition, 2018 at least.
pub type Part = (String, Range<usize>, u16);

/// The crate that a byte belongs to; none where that is the program.
pub fn part_at(parts: &[Part], byte: usize) -> Option<&Part> {
    parts.iter().find(|part| part.1.contains(&byte))
}

impl Editions {
    /// Edition that what stands at a place of `text` was written for.
    pub fn by_place(&self, text: &str) -> Result<impl Fn(usize) -> u16 + use<'_>> {
        let parts = self.parts(text)?;
        Ok(move |byte| part_at(&parts, byte).map_or(self.program, |part| self.modules[&part.0]))
    }

    /// The modules at the root of `text` that are crates of others.
    pub(super) fn parts(&self, text: &str) -> Result<Vec<Part>> {
        let file = parsed(text)?;
        let mut parts = Vec::new();
        for item in &file.items {
            if let syn::Item::Mod(module) = item {
                let name = module.ident.to_string();
                if let Some(edition) = self.modules.get(&name) {
                    parts.push((name, item.span().byte_range(), at_least_2018(*edition)));
                }
            }
        }
        Ok(parts)
    }

    /// Edition of a module at the root; of the program, if it is none of others.
    pub(super) fn of(&self, module: &str) -> u16 {
        *self.modules.get(module).unwrap_or(&self.program)
    }

    /// Crates that none of the `lines` of `text` is about, which mean the same in `edition`, are read as written for it.
    pub(super) fn of_those_in(&self, text: &str, lines: &[Line], edition: u16) -> Result<Self> {
        let tokens = Tokens::new(text, Path::new("bundle"))?;
        let parts = self.parts(text)?;
        let concerned: BTreeSet<&str> = lines.iter().map(|line| line.module.as_str()).collect();
        let concerned = with_makers(&tokens, &parts, concerned);
        let mut few = self.clone();
        let is_in = |name: &str| concerned.contains(name);
        let program = std::iter::once(("", &mut few.program));
        let modules = few
            .modules
            .iter_mut()
            .map(|(name, written)| (name.as_str(), written));
        for (_, written) in program.chain(modules).filter(|(name, _)| !is_in(name)) {
            *written = edition;
        }
        Ok(few)
    }

    /// `original`, but what is read in `edition` as `translation` has it: what stood there may not compile in it.
    pub(super) fn written(&self, original: &str, translation: &str, edition: u16) -> Result<String> {
        let is_program_old = at_least_2018(self.program) != edition;
        let (most, other) = if is_program_old {
            (original, translation)
        } else {
            (translation, original)
        };
        let others: BTreeMap<String, Range<usize>> = (self.parts(other)?.into_iter())
            .map(|(name, range, _)| (name, range))
            .collect();
        let mut edits = Edits::default();
        for (name, range, written) in self.parts(most)? {
            if let (true, Some(of)) = ((written != edition) != is_program_old, others.get(&name)) {
                edits.replace(range, other[of.clone()].to_owned());
            }
        }
        Ok(edits.apply(most))
    }

    /// Edition of what stands at a byte of the text that these are the parts of, 2018 at least.
    pub(super) fn at(&self, parts: &[Part], byte: usize) -> u16 {
        part_at(parts, byte).map_or(at_least_2018(self.program), |part| part.2)
    }

    /// True if the program or one of its crates is of such an edition.
    pub(super) fn has(&self, parts: &[Part], is_one: &dyn Fn(u16) -> bool) -> bool {
        is_one(at_least_2018(self.program)) || parts.iter().any(|part| is_one(part.2))
    }

    /// The bytes of `text`, of which these are the parts, that were written for such an edition.
    pub(super) fn ranges(
        &self,
        text: &str,
        parts: &[Part],
        is_one: &dyn Fn(u16) -> bool,
    ) -> Vec<Range<usize>> {
        let those = parts.iter().filter(|part| is_one(part.2));
        let mut ranges: Vec<Range<usize>> = those.map(|part| part.1.clone()).collect();
        if is_one(at_least_2018(self.program)) {
            ranges.extend(between(text, parts));
        }
        ranges
    }

    /// True if the program and all of its crates were written for `edition`.
    pub fn are_all(&self, edition: u16) -> bool {
        let mut all = self.modules.values().chain([&self.program]);
        all.all(|written| at_least_2018(*written) == edition)
    }

    /// The same of what is left of them in `text`.
    pub(super) fn is_all(&self, edition: u16, text: &str) -> Result<bool> {
        Ok(at_least_2018(self.program) == edition && self.parts(text)?.iter().all(|part| part.2 == edition))
    }
}

/// What stands between the parts of `text`: the program's own.
fn between(text: &str, parts: &[Part]) -> Vec<Range<usize>> {
    let ends = std::iter::once(0).chain(parts.iter().map(|part| part.1.end));
    let starts = parts.iter().map(|part| part.1.start).chain([text.len()]);
    ends.zip(starts).map(|(end, start)| end..start).collect()
}

/// `modules`, and those whose macros by rules are called there: what is told of a caller may end in a block of theirs.
fn with_makers<'p>(tokens: &Tokens<'p>, parts: &'p [Part], modules: BTreeSet<&'p str>) -> BTreeSet<&'p str> {
    let of_program = between(tokens.text, parts).into_iter().map(|range| ("", range));
    let crates = parts.iter().map(|part| (part.0.as_str(), part.1.clone()));
    let areas: Vec<(&str, Range<usize>)> = crates.chain(of_program).collect();
    let macros = Macros::new(tokens, &|_| true);
    let names_in = |area: &Range<usize>| Macros::new(tokens, &|byte| area.contains(&byte)).own_names();
    let makers: Vec<(&str, BTreeSet<&str>)> = areas
        .iter()
        .map(|(module, range)| (*module, names_in(range)))
        .filter(|(_, names)| !names.is_empty())
        .collect();
    let mut modules = modules;
    loop {
        let called = |names: &BTreeSet<&str>| {
            let mut here = areas.iter().filter(|(module, _)| modules.contains(module));
            here.any(|(_, range)| macros.may_lead(range, names))
        };
        let made = makers
            .iter()
            .filter(|maker| called(&maker.1))
            .map(|maker| maker.0);
        let more: BTreeSet<&str> = made.filter(|module| !modules.contains(module)).collect();
        if more.is_empty() {
            return modules;
        }
        modules.extend(more);
    }
}
