//! What the names of compiled functions say of impls that macros make: no line of theirs tells which call it was.

use super::Shaker;
use super::labels::words;
use super::nodes::Role;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What stands before the names of the text.
const OWN: &str = "bundle::";

/// An impl's function with code: `<bundle::a::Of<u8> as bundle::Trait<u8>>::name`.
struct Compiled<'a> {
    of_type: &'a str,
    of_trait: &'a str,
    /// The function.
    name: &'a str,
}

impl<'a> Compiled<'a> {
    /// What a name says, if it is that of an impl of a trait that may stand in the text.
    fn read(name: &'a str) -> Option<Self> {
        let inside = name.strip_prefix('<')?;
        let mut depth = 0;
        let mut middle = None;
        for (at, c) in inside.char_indices() {
            match c {
                '<' | '(' | '[' | '{' => depth += 1,
                '>' if inside[..at].ends_with('-') => {}
                '>' if depth == 0 => {
                    let middle: usize = middle?;
                    let rest = inside[at + 1..].strip_prefix("::")?;
                    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                    if !inside[..at].contains(OWN) {
                        return None;
                    }
                    let of_trait = inside[middle..at].split('<').next()?.trim_start_matches(" as ");
                    return Some(Self {
                        of_type: &inside[..middle],
                        of_trait: of_trait.rsplit("::").next()?,
                        name: &rest[..end.unwrap_or(rest.len())],
                    });
                }
                '>' | ')' | ']' | '}' => depth -= 1,
                ' ' if depth == 0 && inside[at..].starts_with(" as ") => middle = Some(at),
                _ => {}
            }
        }
        None
    }
}

/// Words of a type without the modules before them.
fn last_names(of_type: &str) -> BTreeSet<&str> {
    let words: Vec<(bool, &str)> = words(of_type).collect();
    let is_last = |at: usize| words[at].0 && words.get(at + 1).is_none_or(|next| !next.1.starts_with("::"));
    (0..words.len())
        .filter(|at| is_last(*at))
        .map(|at| words[at].1)
        .collect()
}

impl Shaker<'_> {
    /// Functions of traits of which a version has code, and calls of macros that make impls of such traits: of those that
    /// say different types the ones for a type that it has code for.
    pub fn with_compiled(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut types: BTreeSet<(&str, BTreeSet<&str>)> = BTreeSet::new();
        let mut functions: BTreeSet<(&str, &str)> = BTreeSet::new();
        for compiled in self.compiled.iter().filter_map(|name| Compiled::read(name)) {
            functions.insert((compiled.of_trait, compiled.name));
            types.insert((compiled.of_trait, last_names(compiled.of_type)));
        }
        let is_function = |i: &usize| {
            let node = &list[*i];
            node.role == Role::TraitItem && functions.contains(&(node.of_trait.as_str(), node.name.as_str()))
        };
        let mut found: BTreeSet<usize> = (0..list.len()).filter(is_function).collect();
        let mut calls: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in list
            .iter()
            .enumerate()
            .filter(|(_, node)| node.role == Role::MacroCall)
        {
            if let Some(name) = node.needs.first() {
                calls.entry(name).or_default().push(i);
            }
        }
        let body = |name: &str| -> HashSet<&str> {
            let macros = (0..list.len()).filter(|i| list[*i].role == Role::Macro && list[*i].name == name);
            let tokens = macros.map(|i| self.tokens_of(i));
            tokens
                .flat_map(|(first, last)| (first..last).map(|k| self.tokens.at(k)))
                .collect()
        };
        let words =
            |i: &usize| -> BTreeSet<&str> { list[*i].needs.iter().skip(1).map(String::as_str).collect() };
        let calls = calls.into_iter().map(|(name, calls)| {
            let said: Vec<BTreeSet<&str>> = calls.iter().map(words).collect();
            let all: BTreeSet<&str> = said.iter().flatten().copied().collect();
            let is_alike = |word: &&str| said.len() > 1 && said.iter().all(|said| said.contains(word));
            let told: BTreeSet<&str> = all.into_iter().filter(|word| !is_alike(word)).collect();
            (name, (calls, said, told, body(name)))
        });
        let calls: HashMap<&str, _> = calls.collect();
        for (of_trait, of_type) in &types {
            for maker in self.makers_of(of_trait) {
                if let Some((calls, said, told, body)) = calls.get(maker) {
                    let is_told = calls.len() == 1 || !(of_type & told).is_empty();
                    let is_of = |said: &BTreeSet<&str>| {
                        let mut words = of_type.iter();
                        is_told && words.all(|word| said.contains(word) || body.contains(word))
                    };
                    let of_it = calls.iter().zip(said).filter(|(_, said)| is_of(said));
                    found.extend(of_it.map(|(call, _)| *call));
                }
            }
        }
        found
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
    fn calls_with_code_are_told_by_names() {
        let text = "trait Size { fn size(&self) -> usize; fn twice(&self) -> usize { 2 } fn none(&self) {} } struct Of<T>(T);
                    macro_rules! sized { ($of:ident, $t:ty) => { impl Size for $of<$t> { fn size(&self) -> usize { 1 } } } }
                    sized!(Of, u8); sized!(Of, u16); fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let names = [
            "<bundle::Of<u16> as bundle::Size>::size",
            "<fn(u8) -> u8 as bundle::Size>::twice::{closure}",
        ];
        shaker.compiled = names.map(str::to_owned).into();
        shaker.compiled.insert("<bundle::Of<u8>>::size".to_owned());
        let found = shaker.with_compiled();
        let texts: Vec<&str> = found
            .iter()
            .map(|i| &text[shaker.nodes.list[*i].range.clone()])
            .collect();
        let all = [
            "fn size(&self) -> usize;",
            "fn twice(&self) -> usize { 2 }",
            "sized!(Of, u8);",
            "sized!(Of, u16);",
        ];
        assert_eq!(texts, all);
        shaker.compiled.pop_first();
        assert_eq!(shaker.with_compiled().len(), 2);
    }
}
