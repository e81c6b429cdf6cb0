//! Whose answer counts for a `cfg` in an exported macro: that of the crates which call it, not of the one which has it.
//!
//! A bundle has one text of each macro, so that all of them must answer alike; otherwise the macro is refused by name.
//! Who calls what is read off the sources, by names alone and with macros that call others; what a procedural macro would
//! call is not seen.

use super::cfg::Answer;
use super::project::Project;
use anyhow::{Context, Result, bail};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Name of the exported macro around a place of a text.
pub fn around(exported: &[(Range<usize>, String)], at: usize) -> Option<&str> {
    let around = exported.iter().find(|(range, _)| range.contains(&at));
    around.map(|(_, name)| name.as_str())
}

/// True if rules have a `cfg` with parameters: their callers name the predicate.
pub fn asks(stream: TokenStream) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    trees.iter().enumerate().any(|(n, tree)| match tree {
        TokenTree::Ident(word) if *word == "cfg" || *word == "cfg_attr" => {
            let args = trees[n + 1..].iter().take(2).find_map(|tree| match tree {
                TokenTree::Group(group) => Some(group.stream().to_string()),
                _ => None,
            });
            args.is_some_and(|args| args.contains('$'))
        }
        TokenTree::Group(group) => asks(group.stream()),
        _ => false,
    })
}

/// Who calls which macros; the sources of a crate are read once, when it is first asked about.
pub struct Callers<'p> {
    project: &'p Project,
    /// By crate.
    calls: BTreeMap<usize, Calls>,
    /// Names of macros by rules in the sources of a crate, by text alone.
    rules: BTreeMap<usize, BTreeSet<String>>,
}

/// Macro calls in the sources of one crate.
#[derive(Default)]
struct Calls {
    /// Macros called outside of macros.
    called: BTreeSet<String>,
    /// What each macro of the crate calls.
    rules: BTreeMap<String, BTreeSet<String>>,
    /// What of that it calls by a name alone, which has to be known wherever the macro is called.
    alone: BTreeMap<String, BTreeSet<String>>,
}

impl<'p> Callers<'p> {
    /// Nothing read yet.
    pub fn new(project: &'p Project) -> Self {
        Self {
            project,
            calls: BTreeMap::new(),
            rules: BTreeMap::new(),
        }
    }

    /// The answer to `predicate` in the crate `owner`, or in the body of its exported macro `name`.
    pub fn answer(&mut self, owner: usize, name: Option<&str>, predicate: &TokenStream) -> Result<Answer> {
        let project = self.project;
        let of = |krate: usize| project.crates[krate].known.answer(predicate.clone());
        let own = of(owner);
        let Some(name) = name else {
            return Ok(own);
        };
        let users = self.users(owner);
        if users.iter().all(|&krate| of(krate) == own) {
            return Ok(own);
        }
        let calling = self.calling(&users, name)?;
        let mut calling = calling.into_iter();
        let Some(first) = calling.next() else {
            return Ok(own);
        };
        if let Some(other) = calling.find(|&krate| of(krate) != of(first)) {
            let [first, other] = [first, other].map(|krate| &project.crates[krate].package);
            bail!(
                "the macro `{name}!` asks `cfg({predicate})`, which {first} and {other}, who call it, answer differently"
            );
        }
        Ok(of(first))
    }

    /// The crates that call an exported macro of the crate `owner`, by others perhaps.
    pub fn of(&mut self, owner: usize, name: &str) -> Result<Vec<usize>> {
        let users = self.users(owner);
        self.calling(&users, name)
    }

    /// What macros of a crate call by names alone, `helper!()` for `$crate::helper!()`, if they are among the `called`.
    pub fn by_name(&mut self, krate: usize, called: &BTreeSet<String>) -> Result<BTreeSet<String>> {
        let alone = self.calls_of(krate)?.alone.iter();
        let meant = alone.filter(|(name, _)| called.contains(*name));
        Ok(meant.flat_map(|(_, inner)| inner.iter().cloned()).collect())
    }

    /// A crate and those above it.
    fn users(&self, owner: usize) -> Vec<usize> {
        let project = self.project;
        (0..project.crates.len())
            .filter(|&krate| krate == owner || reaches(project, krate, owner))
            .collect()
    }

    /// Those of `users` that call the macro outside of macros, or one that leads to it.
    fn calling(&mut self, users: &[usize], name: &str) -> Result<Vec<usize>> {
        for &krate in users {
            self.calls_of(krate)?;
        }
        let mut leading: BTreeSet<&str> = [name].into();
        loop {
            let before = leading.len();
            for (outer, inner) in users.iter().flat_map(|krate| &self.calls[krate].rules) {
                if inner.iter().any(|inner| leading.contains(inner.as_str())) {
                    leading.insert(outer);
                }
            }
            if leading.len() == before {
                break;
            }
        }
        let leads = |call: &String| leading.contains(call.as_str());
        let calls = |krate: &&usize| self.calls[*krate].called.iter().any(leads);
        Ok(users.iter().filter(calls).copied().collect())
    }

    /// True if the sources of a crate have a macro by rules of a name that the compiler has one of.
    pub fn has_rules(&mut self, krate: usize, name: &str) -> Result<bool> {
        if let Entry::Vacant(place) = self.rules.entry(krate) {
            let mut rules = BTreeSet::new();
            let dir = self.project.crates[krate].root.parent().unwrap_or(Path::new(""));
            each_source(dir, &mut |text| {
                for (at, word) in text.match_indices("macro_rules!") {
                    let rest = text[at + word.len()..].trim_start();
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                    rules.insert(rest[..end.unwrap_or(0)].to_owned());
                }
            })?;
            place.insert(rules);
        }
        Ok(self.rules[&krate].contains(name))
    }

    /// What the sources of a crate call, read when first asked for.
    fn calls_of(&mut self, krate: usize) -> Result<&Calls> {
        Ok(match self.calls.entry(krate) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let dir = self.project.crates[krate].root.parent().unwrap_or(Path::new(""));
                let mut calls = Calls::default();
                read(dir, &mut calls)?;
                place.insert(calls)
            }
        })
    }
}

/// True if `to` is among the crates below `from`.
fn reaches(project: &Project, from: usize, to: usize) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(krate) = open.pop() {
        for &below in project.crates[krate].deps.values() {
            if below == to {
                return true;
            }
            if seen.insert(below) {
                open.push(below);
            }
        }
    }
    false
}

/// Adds the calls in the sources of a folder.
fn read(dir: &Path, calls: &mut Calls) -> Result<()> {
    each_source(dir, &mut |text| {
        // What is not Rust is nobody's module: templates, broken test cases.
        if let Ok(stream) = text.parse() {
            add(stream, calls);
        }
    })
}

/// Shows all sources of a folder that are text.
fn each_source(dir: &Path, show: &mut dyn FnMut(&str)) -> Result<()> {
    let entries = fs::read_dir(dir).with_context(|| format!("{}: cannot be read", dir.display()))?;
    for entry in entries {
        let path = entry
            .with_context(|| format!("{}: cannot be read", dir.display()))?
            .path();
        if path.is_dir() && !path.ends_with("target") {
            each_source(&path, show)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            if let Ok(text) = fs::read_to_string(&path) {
                show(&text);
            }
        }
    }
    Ok(())
}

/// The same of a text; what is there for tests alone is left out.
fn add(stream: TokenStream, calls: &mut Calls) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut n = 0;
    while let Some(tree) = trees.get(n) {
        match (tree, trees.get(n + 1), trees.get(n + 2), trees.get(n + 3)) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute)), ..)
                if hash.as_char() == '#' && attribute.stream().to_string() == "cfg (test)" =>
            {
                let ends = |tree: &TokenTree| match tree {
                    TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                    TokenTree::Punct(punct) => punct.as_char() == ';',
                    _ => false,
                };
                n += trees[n..].iter().position(ends).unwrap_or(trees.len());
            }
            (TokenTree::Ident(word), _, Some(TokenTree::Ident(name)), Some(TokenTree::Group(body)))
                if word == "macro_rules" =>
            {
                let mut inner = Calls::default();
                add(body.stream(), &mut inner);
                let nested = inner.rules.into_values().flatten();
                let all = calls.rules.entry(name.to_string()).or_default();
                all.extend(inner.called.into_iter().chain(nested));
                if !has_own_names(&trees[..n]) {
                    let alone = calls.alone.entry(name.to_string()).or_default();
                    called_alone(body.stream(), alone);
                }
                n += 3;
            }
            (TokenTree::Ident(name), ..) if is_call(&trees, n) => {
                calls.called.insert(name.to_string());
            }
            // Another name for it.
            (TokenTree::Ident(name), Some(TokenTree::Ident(word)), ..) if word == "as" => {
                calls.called.insert(name.to_string());
            }
            (TokenTree::Group(group), ..) => add(group.stream(), calls),
            _ => {}
        }
        n += 1;
    }
}

/// True if tree `n` is the name of a macro that is called there, with what stands in a group or is given to the rules around:
/// `inner!($x)`, `inner!$group`.
fn is_call(trees: &[TokenTree], n: usize) -> bool {
    let is_group = matches!(trees.get(n + 2), Some(TokenTree::Group(_)));
    let is_given = is_sign(trees, n + 2, '$') && matches!(trees.get(n + 3), Some(TokenTree::Ident(_)));
    is_sign(trees, n + 1, '!') && (is_group || is_given)
}

fn is_sign(trees: &[TokenTree], n: usize, sign: char) -> bool {
    matches!(trees.get(n), Some(TokenTree::Punct(of)) if of.as_char() == sign)
}

/// True if the attributes at the end of `before` say of a macro that the names in it are its crate's.
fn has_own_names(before: &[TokenTree]) -> bool {
    let mut rest = before;
    while let [more @ .., TokenTree::Punct(hash), TokenTree::Group(attribute)] = rest {
        if hash.as_char() != '#' {
            return false;
        }
        if attribute.stream().to_string().contains("local_inner_macros") {
            return true;
        }
        rest = more;
    }
    false
}

/// Adds the macros that are called by a name alone.
fn called_alone(stream: TokenStream, names: &mut BTreeSet<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is_alone = |n: usize| n == 0 || !is_sign(&trees, n - 1, ':') && !is_sign(&trees, n - 1, '$');
    for (n, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(name) if is_call(&trees, n) && is_alone(n) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => called_alone(group.stream(), names),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_rules_and_tests() {
        let mut calls = Calls::default();
        let text = "use kit::level as other; fn f() { a!(b!{}); x != y } \
                    macro_rules! outer { ($t:tt) => { $crate::inner!($t); given!$t; macro_rules! deep { () => { far!() } } }; } \
                    #[cfg(test)] mod tests { fn g() { never!() } } fn h() { last![] }";
        add(text.parse().unwrap(), &mut calls);
        let called: Vec<&str> = calls.called.iter().map(String::as_str).collect();
        assert_eq!(called, ["a", "b", "last", "level"]);
        let inner: Vec<&str> = calls.rules["outer"].iter().map(String::as_str).collect();
        assert_eq!(inner, ["far", "given", "inner"]);
        let alone: Vec<&str> = calls.alone["outer"].iter().map(String::as_str).collect();
        assert_eq!(alone, ["far", "given"]);
    }
}
