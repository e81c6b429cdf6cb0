//! What calls of the text's own macros are needed for.
//!
//! A call that stands among items says nothing by itself: it is of use where something it declares is, or a type
//! or trait that it makes impls for. Bodies are read as words, never expanded.

use super::super::names::{EXPORTS, PINS};
use super::{DECLARES, Reach};
use crate::bundle::lex::{Kind, Tokens};
use std::collections::{BTreeSet, HashSet};

const PRIMITIVES: [&str; 17] = [
    "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f32", "f64",
    "bool", "char", "str",
];

/// True if a macro's text declares anything outside of impls.
pub fn declares(tokens: &Tokens, range: &std::ops::Range<usize>) -> bool {
    // `macro_rules! name {`
    let (mut i, last) = (tokens.from(range.start), tokens.from(range.end));
    while i < last && tokens.at(i as isize) != "macro_rules" {
        i += 1;
    }
    i += 3;
    while i < last {
        match tokens.at(i as isize) {
            "impl" => {
                // On to the end of its braces, or of the group it stands in.
                while i < last {
                    match tokens.list[i].kind {
                        Kind::Open if tokens.at(i as isize) == "{" => {
                            i = tokens.list[i].pair;
                            break;
                        }
                        Kind::Open => i = tokens.list[i].pair,
                        Kind::Close => break,
                        _ => {}
                    }
                    i += 1;
                }
            }
            word if DECLARES.contains(&word) => return true,
            _ => {}
        }
        i += 1;
    }
    false
}

/// True if a text of tokens makes what nobody needs to name: an attribute says so, or it is assembly.
pub fn pins(tokens: &Tokens, range: &std::ops::Range<usize>) -> bool {
    (tokens.from(range.start)..tokens.from(range.end)).any(|i| {
        let at = i as isize;
        let is_attribute = matches!(tokens.at(at - 2), "#" | "unsafe");
        match tokens.at(at) {
            "global_asm" => tokens.at(at + 1) == "!",
            word => is_attribute && (PINS.contains(&word) || EXPORTS.contains(&word)),
        }
    })
}

impl<'a> Reach<'a> {
    /// Names for whose sake a macro call where items stand may be needed; empty if nobody can tell.
    pub fn call(&self, tokens: &'a Tokens, node: usize) -> BTreeSet<&'a str> {
        let range = &self.nodes.list[node].range;
        let (first, last) = (tokens.from(range.start), tokens.from(range.end));
        let mut declared = BTreeSet::new();
        let mut words = BTreeSet::new();
        let mut name = None;
        for i in first..last {
            let at = i as isize;
            if !tokens.is_word(at) {
                continue;
            }
            let word = tokens.at(at);
            if tokens.at(at + 1) == "!" && name.is_none() {
                name = Some(word);
                continue;
            }
            let is_reference = matches!(tokens.at(at - 1), "ref" | "mut") && tokens.at(at - 2) == "static";
            if DECLARES.contains(&tokens.at(at - 1)) || is_reference || tokens.at(at - 2) == "macro_rules" {
                declared.insert(word);
            }
            words.insert(word);
        }
        let declared_nothing = declared.is_empty();
        let is_known = name.is_some_and(|name| self.macros.contains_key(name));
        // `each!(make_one [u8, u16]);` calls what it names.
        let handed = words.iter().copied().filter(|w| self.macros.contains_key(w));
        let called: Vec<&str> = name.into_iter().chain(handed).collect();
        if pins(tokens, range) || self.is_pinning(&called) || (declared_nothing && !is_known) {
            return BTreeSet::new();
        }
        let mut wanted = if declared_nothing { words.clone() } else { declared };
        if words.contains("impl") {
            wanted.extend(words.iter().filter(|w| self.types.contains_key(*w)));
        }
        // What the macro makes is about types and traits its body names, or those of the macros it calls; where names are
        // told apart, only if the call names nothing new itself.
        if name.is_some() && (declared_nothing || !self.is_fine) {
            let types: BTreeSet<&str> = words
                .iter()
                .copied()
                .filter(|w| self.types.contains_key(w))
                .collect();
            if declared_nothing && self.makes_impls(&called) {
                // Impls for types that nothing reaches are of no use.
                if !types.is_empty() {
                    return types;
                }
                wanted.clear();
            }
            for name in called {
                self.named_by(name, &mut wanted);
            }
            if wanted.is_empty() {
                wanted = words;
            }
        }
        // That a program says `i32` is no reason for `impls!(i32)`, if there may be another.
        let own: BTreeSet<&str> = wanted
            .iter()
            .copied()
            .filter(|w| !PRIMITIVES.contains(w))
            .collect();
        if own.is_empty() { wanted } else { own }
    }

    /// True if one of these macros of the text, or one that it calls, makes what nobody needs to name.
    fn is_pinning(&self, called: &[&'a str]) -> bool {
        let mut todo = called.to_vec();
        let mut seen = HashSet::new();
        while let Some(name) = todo.pop() {
            let Some(body) = self.macros.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            if self.pinning.contains(name) {
                return true;
            }
            todo.extend(body.iter().filter(|word| self.macros.contains_key(*word)));
        }
        false
    }

    /// True for macros of the text that make impls and nothing else.
    fn makes_impls(&self, called: &[&'a str]) -> bool {
        let mut todo = called.to_vec();
        let mut seen = HashSet::new();
        let mut is_known = false;
        while let Some(name) = todo.pop() {
            let Some(body) = self.macros.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            is_known = true;
            if self.makers.contains(name) {
                return false;
            }
            todo.extend(body.iter().filter(|word| self.macros.contains_key(*word)));
        }
        is_known
    }

    /// Adds types and traits that a macro's body names, and those of the macros it calls.
    pub fn named_by(&self, name: &'a str, wanted: &mut BTreeSet<&'a str>) {
        let mut todo: Vec<&str> = vec![name];
        let mut seen = HashSet::new();
        while let Some(name) = todo.pop() {
            let Some(body) = self.macros.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            for word in body {
                if self.types.contains_key(word) {
                    wanted.insert(word);
                }
                if self.macros.contains_key(word) {
                    todo.push(word);
                }
            }
        }
    }
}
