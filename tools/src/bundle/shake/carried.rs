//! What is known of the nodes of one text, for another that has nearly the same ones.
//!
//! A text with fewer branches, or with calls of macros written out, need not be asked again of which of its functions
//! there is code. Nodes are told apart by what and where they are; of those that are alike the first is the first. What
//! the other text does not have, or not as often, counts as known: it stays, which costs characters, never the program.

use super::nodes::{Node, Nodes, Role};
use std::collections::{BTreeSet, HashMap};

/// A text and its nodes.
pub type Of<'a> = (&'a str, &'a Nodes);

/// The nodes of `to` that are `known` of `from`.
pub fn carried(known: &BTreeSet<usize>, from: Of, to: Of) -> BTreeSet<usize> {
    let before = by_key(from);
    let mut found = BTreeSet::new();
    for (key, places) in by_key(to) {
        let same = before.get(&key).map_or(&[][..], Vec::as_slice);
        if same.len() == places.len() {
            let pairs = places.iter().zip(same);
            found.extend(pairs.filter(|(_, i)| known.contains(i)).map(|(place, _)| *place));
        } else if same.is_empty() || same.iter().any(|i| known.contains(i)) {
            found.extend(places);
        }
    }
    found
}

/// Places in the list, in order, by what tells nodes apart.
fn by_key((text, nodes): Of) -> HashMap<String, Vec<usize>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, node) in nodes.list.iter().enumerate() {
        let of = node.parent.map(|parent| &nodes.list[parent]);
        let of = std::iter::once(node).chain(of);
        let heads: String = of.map(|node| head(text, node)).collect();
        let Node {
            role,
            kind,
            module,
            of_type,
            of_trait,
            name,
            ..
        } = node;
        let key = format!("{role:?} {kind} {module} {of_type} {of_trait} {name} {heads}");
        places.entry(key).or_default().push(i);
    }
    places
}

/// An impl up to its brace, without blanks; empty for others.
fn head(text: &str, node: &Node) -> String {
    if !matches!(node.role, Role::Impl | Role::TraitImpl) {
        return String::new();
    }
    let whole = &text[node.range.clone()];
    let whole = &whole[whole.find("impl").unwrap_or(0)..];
    let head = whole.split('{').next().unwrap_or_default();
    head.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    fn nodes(text: &str) -> Nodes {
        Nodes::new(&Tokens::new(text, Path::new("text")).unwrap()).unwrap()
    }

    #[test]
    fn the_same_functions_are_found_again() {
        let whole = "mod a { pub fn f() {} } struct S; impl S { fn g() {} fn h() {} } fn f() {}
                     impl From<u8> for S { fn from(_: u8) -> S { S } } impl From<u16> for S { fn from(_: u16) -> S { S } }";
        let less = "struct S; impl S { fn h() {} fn new() {} } fn f() {}
                    impl From<u16> for S { fn from(_: u16) -> S { S } }";
        let (from, to) = (nodes(whole), nodes(less));
        let named = |nodes: &Nodes, name: &str| -> Vec<usize> {
            (0..nodes.list.len())
                .filter(|i| nodes.list[*i].name == name)
                .collect()
        };
        // Of two `from` one is left, the other one.
        let known: BTreeSet<usize> = [named(&from, "h")[0], named(&from, "from")[0]].into();
        let found = carried(&known, (whole, &from), (less, &to));
        for (name, is_known) in [("h", true), ("from", false), ("new", true), ("f", false)] {
            assert_eq!(found.contains(&named(&to, name)[0]), is_known, "{name}");
        }
        assert_eq!(carried(&known, (whole, &from), (whole, &from)), known);
    }
}
