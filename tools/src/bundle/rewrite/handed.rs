//! Macros that one macro hands to another by name: `apply!(equal, x)`, `apply!(call!(f), x)`.
//!
//! In the body of a macro with `local_inner_macros` such a name is the crate's own, whoever calls; where only a name can
//! stand, no path can. So it stays a name, and every module that calls a macro of the crate imports it.

use super::Rewrite;
use crate::bundle::inline::Target;
use crate::bundle::lex::Kind;
use anyhow::Result;

impl Rewrite<'_, '_> {
    /// True for a call at token `i` that is handed on where a macro of this text takes a name and `!`.
    pub(super) fn is_handed_call(&self, i: usize) -> bool {
        let tokens = self.tokens;
        let is_taken =
            |at: isize| tokens.at(at) == "ident" && tokens.at(at - 1) == ":" && tokens.at(at + 1) == "!";
        (0..tokens.list.len() as isize).any(is_taken) && self.is_argument(i)
    }

    /// Remembers the name at token `i`, which is not called here, if it is an argument of a call.
    pub(super) fn handed_name(&mut self, i: usize) {
        let at = i as isize;
        let is_alone = matches!(self.tokens.at(at - 1), "(" | "," | "[" | "{")
            && matches!(self.tokens.at(at + 1), ")" | "," | "]" | "}");
        if is_alone && self.is_argument(i) {
            self.remember(i);
        }
    }

    pub(super) fn remember(&mut self, i: usize) {
        let name = self.tokens.at(i as isize).to_owned();
        let handed = self.inliner.handed.entry(self.place.krate).or_default();
        handed.insert(name);
    }

    /// True in the arguments of a call.
    fn is_argument(&self, i: usize) -> bool {
        self.calls_around(i).next().is_some()
    }

    /// Names of the macros that are called with what is at token `i`, the innermost first.
    fn calls_around(&self, i: usize) -> impl Iterator<Item = &str> {
        let tokens = self.tokens;
        let before = |at: usize| match tokens.list[at].kind {
            Kind::Close => tokens.list[at].pair,
            _ => at,
        };
        let outwards = std::iter::successors(i.checked_sub(1).map(before), move |at| {
            at.checked_sub(1).map(before)
        });
        outwards.filter_map(move |at| {
            let (is_open, at) = (
                tokens.list[at].kind == Kind::Open && tokens.list[at].pair > i,
                at as isize,
            );
            let is_call = is_open && tokens.at(at - 1) == "!" && tokens.is_word(at - 2);
            is_call.then(|| tokens.at(at - 2))
        })
    }

    /// True at the start of a path in the arguments of a macro that takes it as names.
    pub(super) fn is_split(&self, i: usize) -> bool {
        let splitting = &self.inliner.splitting;
        !splitting.is_empty() && self.calls_around(i).any(|name| splitting.contains(name))
    }

    /// True of a word alone among the arguments of a macro in which paths start with a name that it is given.
    pub(super) fn is_leading(&self, i: usize) -> bool {
        let at = i as isize;
        let leading = &self.inliner.leading;
        !leading.is_empty()
            && matches!(
                self.tokens.at(at - 1),
                "(" | "," | "[" | "{" | ">" | "=" | ":" | ";"
            )
            && matches!(
                self.tokens.at(at + 1),
                ")" | "," | "]" | "}" | ";" | "=" | ":" | "as"
            )
            && self.calls_around(i).any(|name| leading.contains(name))
    }

    /// The name at token `i` that a macro starts a path with: if it is that of a crate in the file, it is imported here.
    pub(super) fn crate_for_rules(&mut self, i: usize) -> Result<()> {
        let name = self.tokens.at(i as isize);
        let scope = self.scope(self.tokens.list[i].range.start);
        // Whether the call makes something of that name is no matter: then it does not start a path to a crate.
        if self.scopes[scope].declared.contains(name) || self.is_of_block(i, name, &mut Vec::new()) {
            return Ok(());
        }
        if let Some(Target::Module(module)) = self.inliner.extern_name(self.place.krate, name)? {
            self.named.insert((scope, module, name.to_owned()));
        }
        Ok(())
    }

    /// Imports the crates that paths start with which macros take as names.
    pub(super) fn import_named(&mut self) {
        for (scope, module, name) in std::mem::take(&mut self.named) {
            let scope = &self.scopes[scope];
            if scope.is_bundle_root && module == name {
                continue;
            }
            let alias = if module == name {
                String::new()
            } else {
                format!(" as {name}")
            };
            let at = scope.range.end.min(self.tokens.text.len());
            self.edits
                .replace(at..at, format!("\nuse crate::{module}{alias};\n"));
        }
    }

    /// Imports what macros hand on of the crates whose macros a module calls.
    pub(super) fn import_handed(&mut self, called: &[std::collections::BTreeSet<String>]) {
        let own = self.place.krate;
        let mut lines = Vec::new();
        for (scope, called) in self.scopes.iter().zip(called) {
            for (krate, handed) in self.inliner.handed.iter().filter(|(krate, _)| **krate != own) {
                let exported = self.inliner.exported.get(krate).map_or(&[][..], Vec::as_slice);
                if !exported.iter().any(|(name, _)| called.contains(name)) {
                    continue;
                }
                let is_known = self
                    .inliner
                    .macro_use
                    .get(&own)
                    .is_some_and(|from| from.contains(krate));
                for (name, _) in exported.iter().filter(|(name, _)| handed.contains(name)) {
                    let is_there = is_known && called.contains(name);
                    if !is_there && !scope.declared.contains(name) {
                        lines.push((
                            scope.range.end,
                            self.inliner.module(*krate).to_owned(),
                            name.clone(),
                        ));
                    }
                }
            }
        }
        for (end, module, name) in lines {
            let at = end.min(self.tokens.text.len());
            self.edits
                .replace(at..at, format!("\nuse crate::{module}::{name};\n"));
        }
    }
}
