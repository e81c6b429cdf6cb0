//! What a crate calls procedural macros that it exports under other names: `pub use of::old as new`.
//!
//! Read off its sources, by names alone. An import counts where its conditions hold: those in front of it, and those that
//! a macro puts in front of what it is given (`cfg_rt! { pub use … }`).

use super::locals::is_punct;
use super::sources::for_each_source;
use crate::bundle::cfg::Known;
use crate::bundle::project::Crate;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The old name by the new one.
pub fn of(krate: &Crate) -> HashMap<String, String> {
    let mut sources: Vec<TokenStream> = Vec::new();
    for_each_source(krate.root.parent().unwrap_or(Path::new("")), &mut |text| {
        if text.contains(" as ") || text.contains("macro_rules") {
            sources.extend(text.parse::<TokenStream>());
        }
    });
    in_sources(sources, &krate.known)
}

fn in_sources(sources: Vec<TokenStream>, known: &Known) -> HashMap<String, String> {
    let mut reader = Reader {
        known,
        off: BTreeSet::new(),
        list: HashMap::new(),
    };
    for source in &sources {
        reader.macros(source.clone());
    }
    for source in sources {
        reader.imports(source);
    }
    reader.list
}

struct Reader<'a> {
    known: &'a Known,
    /// Macros that put a condition in front of what they are given that does not hold.
    off: BTreeSet<String>,
    list: HashMap<String, String>,
}

impl Reader<'_> {
    fn has_off(&self, stream: TokenStream) -> bool {
        stream.into_iter().any(|tree| match tree {
            TokenTree::Group(group) => self.known.forbids(group.stream()) || self.has_off(group.stream()),
            _ => false,
        })
    }

    /// Notes macros of one rule with a condition that does not hold.
    fn macros(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (n, tree) in trees.iter().enumerate() {
            match (tree, trees.get(n + 2), trees.get(n + 3)) {
                (TokenTree::Ident(word), Some(TokenTree::Ident(name)), Some(TokenTree::Group(rules)))
                    if word == "macro_rules" =>
                {
                    let list: Vec<TokenTree> = rules.stream().into_iter().collect();
                    let arrows = list
                        .windows(2)
                        .filter(|two| is_punct(two.first(), '=') && is_punct(two.last(), '>'))
                        .count();
                    if arrows == 1 && self.has_off(rules.stream()) {
                        self.off.insert(name.to_string());
                    }
                }
                (TokenTree::Group(group), ..) => self.macros(group.stream()),
                _ => {}
            }
        }
    }

    fn imports(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let (mut n, mut is_on) = (0, true);
        while let Some(tree) = trees.get(n) {
            n += 1;
            match tree {
                TokenTree::Punct(hash) if hash.as_char() == '#' => {
                    if let Some(TokenTree::Group(group)) = trees.get(n) {
                        is_on &= !self.known.forbids(group.stream());
                        n += 1;
                    }
                }
                TokenTree::Punct(end) if end.as_char() == ';' => is_on = true,
                TokenTree::Ident(word) if word == "use" => {
                    let end = (n..trees.len()).find(|&i| is_punct(trees.get(i), ';'));
                    let end = end.unwrap_or(trees.len());
                    if is_on {
                        self.import(&trees[n..end]);
                    }
                    n = end;
                }
                TokenTree::Ident(name) if is_punct(trees.get(n), '!') => {
                    is_on &= !self.off.contains(&name.to_string());
                }
                TokenTree::Group(group) => {
                    if is_on {
                        self.imports(group.stream());
                    }
                    // After the parameters of a function comes its body.
                    is_on |= group.delimiter() == proc_macro2::Delimiter::Brace;
                }
                _ => {}
            }
        }
    }

    fn import(&mut self, trees: &[TokenTree]) {
        let mut words = Vec::new();
        flatten(trees.iter().cloned(), &mut words);
        for three in words.windows(3) {
            if three[1] == "as" && three[2] != "_" {
                self.list.insert(three[2].clone(), three[0].clone());
            }
        }
    }
}

/// The words of an import, in order.
fn flatten(trees: impl Iterator<Item = TokenTree>, words: &mut Vec<String>) {
    for tree in trees {
        match tree {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => flatten(group.stream().into_iter(), words),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, in_sources};

    #[test]
    fn only_imports_whose_conditions_hold_are_read() {
        let rules = "macro_rules! with_rt { ($($item:item)*) => { $(#[cfg(feature = \"rt\")] $item)* } }
            macro_rules! without_rt { ($($item:item)*) => { $(#[cfg(not(feature = \"rt\"))] $item)* } }";
        let uses = "with_rt! { #[cfg(not(feature = \"many\"))] pub use of::main_rt as main; fn f() {} }
            without_rt! { pub use of::main_fail as main; }
            #[cfg(feature = \"many\")] pub use of::main_many as main;
            mod inner { pub use of::{a as b, c::{d as e}}; } #[cfg(any())] mod off { use of::x as b; }
            #[cfg(any())] fn g(h: u8) { use of::y as e; } use of::z as _;";
        let known = Known {
            features: ["rt".to_owned()].into(),
            ..Known::default()
        };
        let sources = [rules, uses].map(|text| text.parse().unwrap());
        let found = in_sources(sources.to_vec(), &known);
        let mut found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        found.sort_unstable();
        assert_eq!(found, [("b", "a"), ("e", "d"), ("main", "main_rt")]);
    }
}
