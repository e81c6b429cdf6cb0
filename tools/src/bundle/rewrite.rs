//! The token pass over one text: paths that change their start, attributes that go, files that are
//! included. It reads macro bodies too, which no syntax tree can.

use super::docs;
use super::editions::fragments;
use super::inline::{Inliner, Place, Scope, Target, scope_at};
use super::lex::{BEFORE_A_PATH, Edits, Kind, Tokens};
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::ops::Range;

mod blocks;
mod calls;
mod conditions;
mod handed;
mod panics;
mod scripted;

/// One pass.
pub struct Rewrite<'a, 'p> {
    /// The crates.
    pub inliner: &'a mut Inliner<'p>,
    /// The text.
    pub tokens: &'a Tokens<'a>,
    /// Where it stands.
    pub place: &'a Place,
    /// Ranges that are gone.
    pub dead: &'a [Range<usize>],
    /// Macro bodies and arguments.
    pub opaque: &'a [Range<usize>],
    /// Macro bodies alone.
    pub rules: &'a [Range<usize>],
    /// Those with `local_inner_macros`.
    pub inner: &'a [Range<usize>],
    /// Those of dependencies that other crates may call, by name.
    pub exported: &'a [(Range<usize>, String)],
    /// Modules of the text, outer ones first.
    pub scopes: &'a [Scope],
    /// What is imported of a newer edition's prelude, by the module's index; `None` where nothing can be imported.
    pub preludes: Option<BTreeSet<(usize, &'static str)>>,
    /// Crates that have to be known by a name alone: the module's index, what the crate is here, and that name.
    pub named: BTreeSet<(usize, String, String)>,
    /// Changes.
    pub edits: Edits,
}

impl Rewrite<'_, '_> {
    /// Does it all.
    pub fn run(mut self) -> Result<String> {
        let count = self.tokens.list.len();
        let strip_comments = !self.inliner.krate(self.place.krate).local;
        let mut macros: Vec<BTreeSet<String>> = vec![BTreeSet::new(); self.scopes.len()];
        let mut dead: Vec<Range<usize>> = self.dead.to_vec();
        dead.sort_by_key(|r| r.start);
        let mut dead = dead.into_iter().peekable();
        let mut end = 0;
        let mut i = 0;
        while i < count {
            let range = self.tokens.list[i].range.clone();
            if strip_comments {
                self.gap(end..range.start);
            }
            end = range.end;
            while dead.peek().is_some_and(|d| d.end <= range.start) {
                dead.next();
            }
            if dead.peek().is_some_and(|d| d.start <= range.start) {
                i += 1;
                continue;
            }
            i = self.token(i, &mut macros)?;
            end = self.tokens.list[i - 1].range.end;
        }
        if strip_comments {
            self.gap(end..self.tokens.text.len());
        }
        self.import_macros(&mut macros)?;
        self.import_handed(&macros);
        self.import_preludes();
        self.import_named();
        Ok(self.edits.apply(self.tokens.text))
    }

    /// Removes a doc comment or an attribute, and the line end behind it (two edits: the first may already
    /// be another).
    fn remove(&mut self, range: Range<usize>) {
        let next = self.tokens.list.get(self.tokens.from(range.end));
        let blank = range.end..next.map_or(range.end, |t| t.range.start);
        let text = &self.tokens.text[blank.clone()];
        if text.contains('\n') && text.trim().is_empty() {
            self.edits.remove(blank);
        }
        self.edits.remove(range);
    }

    fn gap(&mut self, range: Range<usize>) {
        let text = self.tokens.text.get(range.clone()).unwrap_or_default();
        if text.contains('/') {
            self.edits
                .replace(range, if text.contains('\n') { "\n" } else { " " });
        }
    }

    fn is_opaque(&self, byte: usize) -> bool {
        self.opaque.iter().any(|r| r.contains(&byte))
    }

    fn scope(&self, byte: usize) -> usize {
        scope_at(self.scopes, byte)
    }

    /// Handles token `i`; returns the next one to look at.
    fn token(&mut self, i: usize, macros: &mut [BTreeSet<String>]) -> Result<usize> {
        let token = self.tokens.list[i].clone();
        let at = i as isize;
        let start = token.range.start;
        match token.kind {
            Kind::Doc if self.is_opaque(start) && docs::is_argument(self.tokens, i) => {
                let attribute = docs::attribute(self.tokens.at(at));
                self.edits.replace(token.range, attribute);
            }
            Kind::Doc => self.remove(token.range),
            Kind::Punct if self.tokens.at(at) == "#" => {
                let bang = self.tokens.at(at + 1) == "!";
                let open = i + 1 + usize::from(bang);
                if self.tokens.at(open as isize) == "[" && !self.is_opaque(start) {
                    return self.attribute(i, open, bang);
                }
            }
            Kind::Ident => return self.word(i, macros),
            _ => {}
        }
        Ok(i + 1)
    }

    fn word(&mut self, i: usize, macros: &mut [BTreeSet<String>]) -> Result<usize> {
        let at = i as isize;
        let range = self.tokens.list[i].range.clone();
        let text = self.tokens.at(at);
        if matches!(text, "cfg" | "cfg_attr" | "feature") && self.is_opaque(range.start) {
            if let Some(next) = self.opaque_cfg(i)? {
                return Ok(next);
            }
        }
        if self.is_opaque(range.start) && self.scripted(i) {
            return Ok(i + 1);
        }
        let next = self.tokens.at(at + 1);
        let before = self.tokens.before(at);
        if next == "!" && matches!(self.tokens.at(at + 2), "(" | "[" | "{") {
            if let Some(next) = self.macro_call(i)? {
                return Ok(next);
            }
            let module = self.inliner.module(self.place.krate);
            let is_inner = self.inner.iter().any(|r| r.contains(&range.start)) && text != "macro_rules";
            let is_renamed = self
                .inliner
                .renamed
                .contains(&(self.place.krate, text.to_owned()));
            // `$x:ident!` is no call, `target: path!()` is one.
            let is_kind = before == ":" && self.tokens.at(at - 3) == "$";
            let is_bare = !matches!(before, "::" | "$") && !is_kind;
            if is_bare && is_inner && !is_renamed && self.is_handed_call(i) {
                self.remember(i);
                return Ok(i + 1);
            }
            if is_bare && (is_inner || is_renamed) && !module.is_empty() {
                self.edits
                    .replace(range.clone(), format!("crate::{module}::{text}"));
                return Ok(i + 1);
            }
            let scope = self.scope(range.start);
            if let Some(set) = macros.get_mut(scope) {
                set.insert(text.to_owned());
            }
        }
        if self.inner.iter().any(|r| r.contains(&range.start)) {
            self.handed_name(i);
        }
        let edition = self.inliner.krate(self.place.krate).edition;
        let escape = match text {
            "gen" => edition < 2024 && self.inliner.edition >= 2024,
            // What a procedural macro of 2015 wrote.
            "try" => next == "!" || before == "!" && self.tokens.at(at - 2) == "macro_rules",
            _ => false,
        };
        // In edition 2015 `::Name` alone is a path from the crate's root.
        let starts = next == "::" || (edition == 2015 && before == "::");
        let starts = starts && !matches!(before, "." | "$" | "'");
        if escape && before != "'" {
            if !starts || !self.path_start(i)? {
                self.edits.replace(range, format!("r#{text}"));
            }
            return Ok(i + 1);
        }
        if text == "crate" {
            self.own_crate(i)?;
            return Ok(i + 1);
        }
        if text == "extern" && next == "crate" && self.is_opaque(range.start) {
            if let Some(end) = self.declared_crate(i)? {
                return Ok(end);
            }
        }
        if edition < 2021 {
            self.old_word(i);
        }
        if edition >= 2024 && self.inliner.edition < 2024 {
            self.prelude_word(i);
        }
        if edition == 2015 && text == "use" && self.is_opaque(range.start) {
            self.old_use(i + 1)?;
        }
        if edition < 2024 && self.inliner.edition >= 2024 {
            for (place, word) in super::older::unsafe_words(self.tokens, i) {
                self.edits.replace(place..place, word);
            }
        }
        if let Some(older) = fragments::older(text, edition, self.inliner.edition) {
            if fragments::name(self.tokens, i).is_some() {
                self.edits.replace(range.clone(), older);
            }
        }
        if starts {
            self.path_start(i)?;
        } else if self.is_leading(i) {
            self.crate_for_rules(i)?;
        }
        Ok(i + 1)
    }

    /// `extern crate x;` among what a macro is handed, of a crate that is in the file: an import. Returns the index of its end.
    fn declared_crate(&mut self, i: usize) -> Result<Option<usize>> {
        let at = i as isize;
        let name = self.tokens.at(at + 2);
        let (alias, end) = match (self.tokens.at(at + 3), self.tokens.at(at + 5)) {
            (";", _) => (name, i + 3),
            ("as", ";") => (self.tokens.at(at + 4), i + 5),
            _ => return Ok(None),
        };
        if !self.tokens.is_word(at + 2) || name == "self" {
            return Ok(None);
        }
        let Some(Target::Module(module)) = self.inliner.extern_name(self.place.krate, name)? else {
            return Ok(None);
        };
        let range = self.tokens.list[i].range.start..self.tokens.list[end].range.start;
        let import = if module == alias {
            format!("use crate::{module}")
        } else {
            format!("use crate::{module} as {alias}")
        };
        self.edits.replace(range, import);
        Ok(Some(end))
    }

    /// An import of edition 2015 in a macro: the tree that begins at token `i` starts at the crate's root.
    fn old_use(&mut self, i: usize) -> Result<()> {
        let at = i as isize;
        let text = self.tokens.at(at);
        if text == "{" {
            let mut k = i + 1;
            while k < self.tokens.list[i].pair {
                self.old_use(k)?;
                while k < self.tokens.list[i].pair && self.tokens.at(k as isize) != "," {
                    k = self.tokens.list[k].pair.max(k) + 1;
                }
                k += 1;
            }
            return Ok(());
        }
        let krate = self.place.krate;
        let is_name = self.tokens.is_word(at)
            && (!matches!(text, "crate" | "self" | "super" | "std" | "core")
                || self.inliner.hides_crate(krate, text));
        let is_given = text == "$" && self.tokens.is_word(at + 1) && self.names_of_root(i);
        if is_given || is_name && self.inliner.extern_name(krate, text)?.is_none() || text == "*" {
            let start = self.tokens.list[i].range.start;
            let root = self.inliner.root_of(krate);
            self.edits.replace(start..start, format!("{root}::"));
        }
        Ok(())
    }

    /// True if no call of the macro around token `i` in this text is given a name that is none of the crate's root.
    fn names_of_root(&self, i: usize) -> bool {
        let tokens = self.tokens;
        let is_around = |rules: &usize| (*rules..tokens.list[rules + 3].pair).contains(&i);
        let Some(rules) = tokens.macros().into_iter().rfind(is_around) else {
            return false;
        };
        let name = tokens.at(rules as isize + 2);
        let elsewhere = |k: usize| {
            let at = k as isize;
            let is_call = tokens.at(at) == name && tokens.at(at + 1) == "!";
            is_call
                && tokens.list.get(k + 2).is_some_and(|open| {
                    (k + 3..open.pair).any(|k| {
                        matches!(
                            tokens.at(k as isize),
                            "std" | "core" | "alloc" | "self" | "super" | "crate"
                        )
                    })
                })
        };
        tokens.at(i as isize + 1) != "crate" && !(0..tokens.list.len()).any(elsewhere)
    }

    /// What editions before 2021 read otherwise: panics without a format.
    fn old_word(&mut self, i: usize) {
        let tokens = self.tokens;
        if let Some((range, text)) = super::editions::unformatted_panic(tokens, i) {
            let new = super::editions::formatted(tokens, i, text);
            if new != text {
                self.edits.replace(range, new);
            }
        }
        self.valued_panic(i);
    }

    /// `crate`, `$crate`, `pub(crate)`.
    fn own_crate(&mut self, i: usize) -> Result<()> {
        let at = i as isize;
        let range = self.tokens.list[i].range.clone();
        let module = self.inliner.module(self.place.krate).to_owned();
        if module.is_empty() || self.tokens.at(at - 1) == "extern" {
            return Ok(());
        }
        let alone = self.tokens.at(at - 1) == "(" && self.tokens.at(at + 1) == ")";
        let exported = super::callers::around(self.exported, range.start).map(str::to_owned);
        if alone && exported.is_some() {
            // The crate of whoever calls the macro.
            return Ok(());
        }
        // Of a macro that another one made, `$crate` is written so, too.
        let is_made = self.inliner.expander.changed.contains(&self.place.file);
        let new = match exported {
            Some(name) if self.tokens.at(at - 1) != "$" && !is_made => {
                self.callers_root(&name, range.start)?
            }
            _ if alone && self.tokens.at(at - 2) == "pub" => format!("in crate::{module}"),
            _ => format!("crate::{module}"),
        };
        self.edits.replace(range, new);
        Ok(())
    }

    /// True if the token is a word of a path to which `::` behind it belongs; such a `::` does not begin one.
    fn goes_on(&self, at: isize) -> bool {
        self.tokens.is_word(at) && !BEFORE_A_PATH.contains(&self.tokens.at(at))
    }

    /// A word followed by `::`: the name of a crate? True if something else stands there now.
    fn path_start(&mut self, i: usize) -> Result<bool> {
        let at = i as isize;
        let krate = self.place.krate;
        let name = self.tokens.at(at);
        let mut range = self.tokens.list[i].range.clone();
        let mut leading = false;
        if self.tokens.at(at - 1) == "::" {
            let word = self.goes_on(at - 2);
            let is_end =
                matches!(self.tokens.at(at - 2), ">" | "}" | ")" | "]") && !self.tokens.is_head(at - 2);
            if word || is_end && !self.after_block(i) {
                return Ok(false);
            }
            leading = true;
        }
        let scope = self.scope(range.start);
        if leading {
            let is_standard = matches!(name, "std" | "core" | "alloc");
            if is_standard && !self.inliner.hides_crate(krate, name) {
                let real = self.inliner.standard(name);
                if real != name {
                    self.edits.replace(range, real.to_owned());
                }
                return Ok(true);
            }
            range.start = self.tokens.list[i - 1].range.start;
        } else if self.scopes[scope].declared.contains(name) || self.is_below(i) || self.is_own(i, scope) {
            return Ok(false);
        }
        if let Some(standard) = self.inliner.standard_alias(krate, name) {
            self.edits.replace(range, format!("::{standard}"));
            return Ok(true);
        }
        let in_root = self.scopes[scope].is_bundle_root;
        let target = if leading && self.inliner.hides_crate(krate, name) {
            None
        } else {
            self.inliner.extern_name(krate, name)?
        };
        match target {
            Some(Target::Offered(path)) if path != name => self.edits.replace(range, path),
            Some(Target::Module(module)) if !leading && self.is_split(i) => {
                self.named.insert((scope, module, name.to_owned()));
            }
            Some(Target::Module(module)) if !in_root || leading || module != name => {
                self.edits.replace(range, format!("crate::{module}"));
            }
            // Edition 2015: `::a::b` starts at the crate's root.
            None if leading && self.inliner.krate(krate).edition == 2015 && !self.is_callers_name(i) => {
                let of = self.root_meant(i)?;
                let start = self.inliner.root_of(of);
                self.edits.replace(range, format!("{start}::{name}"));
            }
            None if self.is_callers_name(i) => {
                let root = self.inliner.root_of(krate);
                self.edits.replace(range, root);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// In which crate `::a` begins that token `i` of a crate of 2015 names: in its own, but in an exported macro in that of
    /// whoever calls it.
    fn root_meant(&self, i: usize) -> Result<usize> {
        let krate = self.place.krate;
        let own = self.inliner.krate(krate);
        let name = self.tokens.at(i as isize);
        let Some(exported) = super::callers::around(self.exported, self.tokens.list[i].range.start) else {
            return Ok(krate);
        };
        let has = |of: &&usize| self.inliner.root_types[*of].contains(name);
        let others: Vec<usize> = (self.inliner.root_types.keys())
            .filter(|of| **of != krate && has(of))
            .copied()
            .collect();
        match others[..] {
            [] => Ok(krate),
            [other] if !has(&&krate) => Ok(other),
            [other, ..] => bail!(
                "{} of edition 2015 has a macro {exported}! with a path ::{name}, which is its caller's: both {} and {} may be meant",
                own.name,
                own.name,
                self.inliner.krate(other).name
            ),
        }
    }

    /// True if token `i` is the name of its crate in a macro by rules, and nothing that any root has: what calls the macro
    /// has the crate under that name.
    fn is_callers_name(&self, i: usize) -> bool {
        let name = self.tokens.at(i as isize);
        let is_own = name == self.inliner.krate(self.place.krate).name;
        let is_in_a_root = || self.inliner.root_types.values().any(|types| types.contains(name));
        is_own && self.is_rule(self.tokens.list[i].range.start) && !is_in_a_root()
    }

    fn is_rule(&self, byte: usize) -> bool {
        self.rules.iter().any(|rule| rule.contains(&byte))
    }

    /// `{ … } ::x::y` and `(…) ::x`: a path of its own only after a block or an attribute.
    fn after_block(&self, i: usize) -> bool {
        matches!(self.tokens.at(i as isize - 2), "}" | "]")
    }

    /// The prelude of edition 2024 has two traits more: their names may be something else's where they stand, their methods
    /// are known all the same.
    fn prelude_word(&mut self, i: usize) {
        let at = i as isize;
        let word = self.tokens.at(at);
        let of_type = matches!(self.tokens.before(at), "." | "::");
        let line = match word {
            "Future" if !of_type => "Future",
            "IntoFuture" if !of_type => "IntoFuture",
            "poll" if of_type => "Future as _",
            "into_future" if of_type => "IntoFuture as _",
            _ => return,
        };
        let scope = self.scope(self.tokens.list[i].range.start);
        if of_type || !self.scopes[scope].declared.contains(word) && !self.is_brought(i, scope) {
            self.preludes.as_mut().map(|list| list.insert((scope, line)));
        }
    }

    fn import_preludes(&mut self) {
        for (scope, line) in self.preludes.take().unwrap_or_default() {
            let at = self.scopes[scope].range.end.min(self.tokens.text.len());
            self.edits
                .replace(at..at, format!("\nuse ::core::future::{line};\n"));
        }
    }

    /// True if a line of the module itself imports a macro of that name from a crate.
    fn imports_macro(&self, scope: &Scope, name: &str) -> bool {
        scope.imported.iter().any(|(path, here)| {
            let [krate, old] = path.as_slice() else {
                return false;
            };
            let below = self.inliner.below(self.place.krate, krate);
            let exported = below.and_then(|krate| self.inliner.exported.get(&krate));
            here == name && exported.is_some_and(|list| list.iter().any(|(exported, _)| exported == old))
        })
    }

    /// `#[macro_use] extern crate x;` reaches the whole crate; here each module imports what it calls, and what that calls by
    /// a name alone.
    fn import_macros(&mut self, called: &mut [BTreeSet<String>]) -> Result<()> {
        let from = self
            .inliner
            .macro_use
            .get(&self.place.krate)
            .cloned()
            .unwrap_or_default();
        for (scope, called) in self.scopes.iter().zip(called) {
            loop {
                let before = called.len();
                for krate in &from {
                    let exported = self.inliner.exported.get(krate).into_iter().flatten();
                    if exported.into_iter().any(|(name, _)| called.contains(name)) {
                        called.extend(self.inliner.callers.by_name(*krate, called)?);
                    }
                }
                if called.len() == before {
                    break;
                }
            }
            for krate in &from {
                let module = self.inliner.module(*krate).to_owned();
                for (name, _) in self.inliner.exported.get(krate).into_iter().flatten() {
                    if called.contains(name) && !self.imports_macro(scope, name) {
                        let at = scope.range.end.min(self.tokens.text.len());
                        self.edits
                            .replace(at..at, format!("\nuse crate::{module}::{name};\n"));
                    }
                }
            }
        }
        Ok(())
    }
}
