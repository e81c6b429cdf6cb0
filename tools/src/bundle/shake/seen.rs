//! Which crates what stands in a crate can mean by a name: those that it names, and those of which these hand something on.
//!
//! Modules at the root of a text are the crates; what is in none of them is the program.

use super::Shaker;
use super::names::{absolute, root};
use super::nodes::Role;
use crate::bundle::lex::unraw;
use std::collections::{BTreeSet, HashMap, HashSet};

/// By each crate's name, and the program's, which is empty.
#[derive(Default)]
pub struct Seen<'a> {
    /// The crates that can be meant there.
    crates: HashMap<&'a str, BTreeSet<&'a str>>,
    /// The words that are said there.
    words: HashMap<&'a str, HashSet<&'a str>>,
}

impl<'a> Seen<'a> {
    /// Of the whole text.
    pub fn of(shaker: &Shaker<'a>) -> Self {
        let list = &shaker.nodes.list;
        let crates = &shaker.crates;
        let is_crate = |module: &str| crates.contains(module);
        let mut inside: HashMap<&str, (isize, isize)> = HashMap::new();
        for (i, node) in list.iter().enumerate() {
            if node.role == Role::Module && node.module.is_empty() && is_crate(&node.name) {
                inside.insert(&node.name, shaker.tokens_of(i));
            }
        }
        let mut seen: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        let mut words: HashMap<&str, HashSet<&str>> = HashMap::new();
        let mut parts: Vec<(isize, isize, &str)> =
            inside.iter().map(|(name, of)| (of.0, of.1, *name)).collect();
        parts.sort_unstable();
        let mut next = parts.iter().peekable();
        for k in 0..shaker.tokens.list.len() as isize {
            while next.peek().is_some_and(|part| part.1 <= k) {
                next.next();
            }
            let own = next.peek().filter(|part| part.0 <= k).map_or("", |part| part.2);
            let word = unraw(shaker.tokens.at(k));
            if shaker.tokens.is_word(k) {
                words.entry(own).or_default().insert(word);
            }
            if let Some((word, _)) = inside.get_key_value(word) {
                seen.entry(own).or_default().insert(*word);
            }
        }
        // What a crate hands on of another one.
        let mut on: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        let handed = |i: &usize| {
            let node = &list[*i];
            let (first, last) = shaker.tokens_of(shaker.line_of(*i));
            let begins = (first..last).find(|k| matches!(shaker.tokens.at(*k), "use" | "pub"));
            // What is public in a part of the crate is for that crate.
            node.role == Role::UseLeaf
                && node.public
                && begins.is_some_and(|k| shaker.tokens.at(k) == "pub" && shaker.tokens.at(k + 1) != "(")
        };
        for leaf in (0..list.len()).filter(handed).map(|i| &list[i]) {
            let full = absolute(&leaf.module, &leaf.path).unwrap_or_else(|| leaf.path.clone());
            if let Some((of, _)) = inside.get_key_value(root(full.trim_start_matches("::"))) {
                on.entry(shaker.crate_at(&leaf.module)).or_default().insert(*of);
            }
        }
        loop {
            let before: usize = seen.values().map(BTreeSet::len).sum();
            for of in seen.values_mut() {
                let more: Vec<&str> = of.iter().filter_map(|of| on.get(of)).flatten().copied().collect();
                of.extend(more);
            }
            if seen.values().map(BTreeSet::len).sum::<usize>() == before {
                return Self { crates: seen, words };
            }
        }
    }

    /// True if what stands in the crate `from` can mean what is in `to`.
    pub fn can_mean(&self, from: &str, to: &str) -> bool {
        from == to || self.crates.get(from).is_some_and(|crates| crates.contains(to))
    }

    /// True if the crate says this word: a trait's methods are those of a value only where the trait is imported or asked for,
    /// but for imports of all there is.
    pub fn says(&self, own: &str, word: &str) -> bool {
        self.words.get(own).is_some_and(|words| words.contains(word))
    }
}

impl Shaker<'_> {
    /// The line that a name is imported by.
    fn line_of(&self, leaf: usize) -> usize {
        let list = &self.nodes.list;
        let mut at = leaf;
        while let (Some(parent), true) = (list[at].parent, list[at].role != Role::Use) {
            at = parent;
        }
        at
    }

    /// The crate that a module is of; nothing for the program's.
    pub fn crate_at<'m>(&self, module: &'m str) -> &'m str {
        let root = root(module);
        if self.crates.contains(root) { root } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::Nodes;
    use super::*;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn crates_are_seen_that_are_named_or_handed_on() {
        let text = "mod a { pub use crate::b::B; use crate::c::C; pub fn f(b: B, c: C) {} }
                    mod b { pub struct B; } mod c { pub(in crate::c) use crate::d::D; pub struct C; }
                    mod d { pub trait D { fn split(&self); } } fn main() { a::f(todo!(), todo!()); }";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile {
            crates: ["a", "b", "c", "d"].map(str::to_owned).into(),
            ..Compile::default()
        };
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let seen = Seen::of(&shaker);
        let meant = |from: &str| {
            let all = ["a", "b", "c", "d", ""];
            all.into_iter()
                .filter(|to| seen.can_mean(from, to))
                .collect::<Vec<_>>()
        };
        assert_eq!(meant(""), ["a", "b", ""]);
        assert_eq!(meant("a"), ["a", "b", "c"]);
        assert_eq!(meant("b"), ["b"]);
        assert_eq!(meant("c"), ["c", "d"]);
        assert!(seen.says("c", "D") && !seen.says("a", "D"));
        assert_eq!(shaker.crate_at("b::inner"), "b");
        assert_eq!(shaker.crate_at("program"), "");
    }
}
