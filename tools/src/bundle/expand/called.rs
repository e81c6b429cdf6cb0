//! Calls of `macro_rules` that say only then what they mean: whose rules a path names, and what they make there.

use super::{Finder, MacroKind, project, rules, segments};
use proc_macro2::TokenStream;
use std::collections::{BTreeSet, VecDeque};

impl Finder<'_> {
    /// The crate whose `macro_rules` a path means here, and its name there: where it was declared, if the crate that it is
    /// called by only exports it anew.
    fn owner(&mut self, path: &syn::Path) -> Option<(usize, String)> {
        let (krate, name) = self.named(path)?;
        let mut todo = VecDeque::from([krate]);
        let mut seen = BTreeSet::new();
        while let Some(below) = todo.pop_front().filter(|_| !self.names.rules.contains(&name)) {
            if !seen.insert(below) {
                continue;
            }
            if self.expander.written(self.project, below).contains_key(&name) {
                return Some((below, name));
            }
            if self.expander.declared(self.project, below).contains(&name) {
                break;
            }
            todo.extend(self.project.crates[below].deps.values().copied());
        }
        Some((krate, name))
    }

    /// The crate that a macro's path names.
    fn named(&mut self, path: &syn::Path) -> Option<(usize, String)> {
        let mut path = segments(path);
        let name = path.pop()?;
        let (project, krate) = (self.project, self.krate);
        let deps = &project.crates[krate].deps;
        let of = |first: &str| match first {
            "crate" | "self" | "super" => Some(krate),
            first => project.below(krate, first),
        };
        if let Some(first) = path.first() {
            return Some((of(first)?, name));
        }
        if let Some(imports) = self.names.imported.get(&name) {
            return imports
                .iter()
                .find_map(|(first, old)| Some((of(first)?, old.clone())));
        }
        if self.expander.rules.contains_key(&(krate, name.clone())) || self.names.rules.contains(&name) {
            return Some((krate, name));
        }
        let all = deps
            .iter()
            .filter(|(dep, _)| self.names.macro_use || self.names.globs.contains(*dep));
        let mut candidates: Vec<usize> = all.map(|(_, krate)| *krate).collect();
        candidates.insert(0, krate);
        let has = |krate: &usize| self.expander.written(project, *krate).contains_key(&name);
        let found = candidates.iter().copied().find(has);
        // A glob may reach what its crate exports anew.
        let anew = || {
            let mut below = candidates[1..].iter();
            below.find(|krate| {
                let deps = project.crates[**krate].deps.values();
                let mut deps = deps.filter(|_| project.crates[**krate].local);
                deps.any(|below| {
                    self.expander
                        .written
                        .get(below)
                        .is_some_and(|list| list.contains_key(&name))
                })
            })
        };
        Some((found.or_else(|| anew().copied())?, name))
    }

    /// What a call of a `macro_rules` makes that says only when it is called what it means: see
    /// [`super::sources`].
    pub(super) fn by_rules(&mut self, path: &syn::Path, arguments: &TokenStream) -> Option<String> {
        if self.in_rules {
            return None;
        }
        let (owner, name) = self.owner(path)?;
        self.expander.written(self.project, owner);
        let in_files = self.expander.rules.get(&(owner, name.clone()));
        let rules = in_files.or_else(|| self.expander.written.get(&owner)?.get(&name))?;
        let mut start = "crate".to_owned();
        if owner != self.krate {
            let mut deps = self.project.crates[self.krate].deps.iter();
            let named = deps.find(|(_, krate)| **krate == owner);
            start = named.map_or_else(
                || format!("{}{owner}", project::NUMBERED),
                |(name, _)| name.clone(),
            );
        }
        let edition = self.project.crates[owner].edition;
        let macros = self.expander.macros.values().flatten();
        let names: BTreeSet<&str> = macros
            .filter(|(_, kind)| *kind == MacroKind::Bang)
            .map(|(name, _)| name.as_str())
            .collect();
        let called = (start.as_str(), self.expander.calls);
        let keeps = |name: &str| names.contains(name);
        let text = rules::called(&rules.printing, arguments, edition, called, &keeps).ok()?;
        self.expander.calls += 1;
        self.found += 1;
        // Which of it the caller gave is not known.
        let by = format!("{}::{name}", self.project.crates[owner].name);
        let editions = (edition, self.project.crates[self.krate].edition);
        let place = (self.krate, self.functions.last());
        self.expander
            .note(place, (by, editions), (&text, &|_| true, false));
        Some(text)
    }
}
