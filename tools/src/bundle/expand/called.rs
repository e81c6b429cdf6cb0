//! Calls of `macro_rules` that say only then what they mean: whose rules a path names, and what they make there.

use super::rules::Rules;
use super::{Finder, MacroKind, checked, project, rules};
use crate::bundle::cfg::split;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeSet, VecDeque};

impl Finder<'_> {
    /// The crate whose `macro_rules` a path means here, and its name there: where it was declared, if the crate that it is
    /// called by only exports it anew. `any`: not only of those that wait for their calls.
    fn owner(&mut self, path: &syn::Path, any: bool) -> Option<(usize, String)> {
        let (krate, name) = self.named(path, any)?;
        let mut todo = VecDeque::from([krate]);
        let mut seen = BTreeSet::new();
        while let Some(below) = todo.pop_front().filter(|_| !self.names.rules.contains(&name)) {
            if !seen.insert(below) {
                continue;
            }
            if self.expander.written(self.project, below).contains_key(&name) {
                return Some((below, name));
            }
            if self.expander.declared(self.project, below).contains_key(&name) {
                return Some((if any { below } else { krate }, name));
            }
            todo.extend(self.project.crates[below].deps.values().copied());
        }
        Some((krate, name))
    }

    /// The crate that a macro's path names.
    fn named(&mut self, path: &syn::Path, any: bool) -> Option<(usize, String)> {
        let (project, krate) = (self.project, self.krate);
        let deps = &project.crates[krate].deps;
        let mut path = self.names.meant(path, &|name| deps.contains_key(name));
        let name = path.pop()?;
        let of = |first: &str| match first {
            "crate" | "self" | "super" => Some(krate),
            first => project.below(krate, first),
        };
        let is_here =
            self.expander.rules.contains_key(&(krate, name.clone())) || self.names.rules.contains(&name);
        if let Some(first) = path.first() {
            // Or a module that stands here.
            let is_module = is_here && !matches!(first.as_str(), "std" | "core" | "alloc");
            return Some((of(first).or(is_module.then_some(krate))?, name));
        }
        if let Some(imports) = self.names.imported.get(&name) {
            return imports
                .iter()
                .find_map(|(first, old)| Some((of(first)?, old.clone())));
        }
        if is_here {
            return Some((krate, name));
        }
        let all = deps
            .iter()
            .filter(|(dep, _)| self.names.macro_use || self.names.globs.contains(*dep));
        let mut candidates: Vec<usize> = all.map(|(_, krate)| *krate).collect();
        candidates.insert(0, krate);
        let has = |krate: &usize| {
            self.expander.written(project, *krate).contains_key(&name)
                || any && self.expander.declared(project, *krate).contains_key(&name)
        };
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
    /// [`super::sources`]. So does one that is given a derive or an attribute of a procedural macro.
    pub(super) fn by_rules(&mut self, path: &syn::Path, arguments: &TokenStream) -> Option<String> {
        if self.in_rules {
            return None;
        }
        let is_given = self.has_procedural(arguments);
        let (owner, name) = self.owner(path, is_given)?;
        self.expander.written(self.project, owner);
        let in_files = self.expander.rules.get(&(owner, name.clone()));
        let waiting = in_files.or_else(|| self.expander.written.get(&owner)?.get(&name));
        let other = || {
            let declared = self.expander.declared.get(&owner)?.get(&name)?.clone();
            Rules::new(declared.filter(|_| is_given)?)
        };
        let rules = waiting.cloned().or_else(other)?;
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
        let called = (start.as_str(), self.expander.calls);
        let keeps = |name: &str| {
            let mut macros = self.expander.macros.values().flatten();
            macros.any(|(known, kind)| known == name && *kind == MacroKind::Bang)
        };
        let arguments = (arguments, checked::stands(self.text, arguments));
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

    /// True if there is a derive or an attribute of a procedural macro among these tokens.
    pub(super) fn has_procedural(&self, tokens: &TokenStream) -> bool {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let is_hash = |n: usize| matches!(trees.get(n), Some(TokenTree::Punct(p)) if p.as_char() == '#');
        trees.iter().enumerate().any(|(n, tree)| match tree {
            TokenTree::Group(group) if n > 0 && is_hash(n - 1) => self.is_procedural(group.stream()),
            TokenTree::Group(group) => self.has_procedural(&group.stream()),
            _ => false,
        })
    }

    /// True if an attribute, without its brackets, is a procedural macro's or derives one.
    fn is_procedural(&self, attribute: TokenStream) -> bool {
        let Ok(meta) = syn::parse2::<syn::Meta>(attribute) else {
            return false;
        };
        match &meta {
            syn::Meta::List(list) if list.path.is_ident("derive") => {
                let paths = split(list.tokens.clone()).into_iter();
                let mut paths = paths.filter_map(|path| syn::parse2::<syn::Path>(path).ok());
                paths.any(|path| self.means(MacroKind::Derive, &path).is_some())
            }
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let mut attributes = split(list.tokens.clone()).into_iter().skip(1);
                attributes.any(|attribute| self.is_procedural(attribute))
            }
            meta => self.means(MacroKind::Attribute, meta.path()).is_some(),
        }
    }
}
