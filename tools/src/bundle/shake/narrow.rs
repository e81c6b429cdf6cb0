//! `pub` taken as `pub(crate)` while the compiler is asked what is unused.
//!
//! Nothing outside sees a program's items. Yet rustc takes a type for reachable from outside when a trait is
//! implemented for references to it (`impl IntoIterator for &ArrayVec`), and then calls none of its public
//! methods unused. Only the question is narrowed; the bundle keeps its own words. Not all programs bear it (a
//! macro may want the bare word): the caller asks once, and does without where it does not compile.

use super::nodes::{Nodes, Role};
use crate::bundle::lex::Tokens;
use std::collections::BTreeSet;
use std::ops::Range;

const WORD: &str = "pub";
const SCOPE: &str = "(crate)";

/// Where a text says `pub` and no more, but for a macro's variable of that name: byte places behind the word, ascending.
pub fn places(tokens: &Tokens) -> Vec<usize> {
    let at = |i: isize| tokens.at(i);
    (0..tokens.list.len())
        .filter(|&i| at(i as isize) == WORD && at(i as isize + 1) != "(" && tokens.before(i as isize) != "$")
        .map(|i| tokens.list[i].range.end)
        .collect()
}

/// True if a `pub use` may hand on what only the text's crate sees, which no narrowed text says: the module of one of
/// `crates`, or what a `pub(crate) use` names.
pub fn hides(text: &str, nodes: &Nodes, crates: &BTreeSet<String>) -> bool {
    let list = &nodes.list;
    let says = |mut i: usize, scope: &str| {
        while let (Role::UseLeaf | Role::UseGroup, Some(parent)) = (list[i].role, list[i].parent) {
            i = parent;
        }
        let head = text[list[i].range.clone()].split(['{', ';']).next();
        head.is_some_and(|head| head.contains(scope))
    };
    let leaves = || (0..list.len()).filter(|i| list[*i].role == Role::UseLeaf);
    let narrow = leaves().filter(|i| says(*i, "pub(crate) use "));
    let narrow: BTreeSet<&str> = narrow.map(|i| list[i].name.as_str()).collect();
    leaves().any(|i| {
        let real = list[i].path.rsplit("::").next().unwrap_or_default();
        (narrow.contains(real) || crates.contains(real)) && says(i, "pub use ")
    })
}

/// A text with scopes put in, and the way back.
pub struct Narrowed {
    /// The text.
    pub text: String,
    /// Where scopes were put, in the text without them.
    places: Vec<usize>,
}

impl Narrowed {
    /// Puts a scope at each of `places` where `text`, of which parts may be blank, still has the word.
    pub fn new(text: &str, places: &[usize]) -> Self {
        let mut narrowed = Self {
            text: String::with_capacity(text.len() + places.len() * SCOPE.len()),
            places: Vec::new(),
        };
        let mut from = 0;
        for &place in places {
            if text[..place].ends_with(WORD) {
                narrowed.text += &text[from..place];
                narrowed.text += SCOPE;
                narrowed.places.push(place);
                from = place;
            }
        }
        narrowed.text += &text[from..];
        narrowed
    }

    /// The range of the text without scopes for one of the text with them.
    pub fn back(&self, range: &Range<usize>) -> Range<usize> {
        // Scopes that begin before a byte; what stands inside of one is at its place.
        let back = |at: usize| {
            let mut n = 0;
            while self
                .places
                .get(n)
                .is_some_and(|place| place + n * SCOPE.len() < at)
            {
                n += 1;
            }
            match n {
                0 => at,
                _ => (at - n * SCOPE.len()).max(self.places[n - 1]),
            }
        };
        back(range.start)..back(range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_is_handed_on_may_be_narrow() {
        let hides = |text: &str| {
            let tokens = Tokens::new(text, Path::new("text")).unwrap();
            super::hides(text, &Nodes::new(&tokens).unwrap(), &["a".to_owned()].into())
        };
        assert!(hides("mod a {} mod b { pub use crate::{c::d, a as e}; }"));
        assert!(hides(
            "mod a { pub(crate) use m_rules as m; } mod b { #[x]\npub use crate::a::{f, g::{h, m}}; }"
        ));
        assert!(!hides(
            "mod a {} use a; mod b { pub(crate) use m; pub use crate::a::b; use crate::a::m; }"
        ));
    }

    #[test]
    fn ranges_lead_back() {
        let text = "pub fn a() {}\npub(super) fn b() {}\npub struct C { pub x: u8 }";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let all = places(&tokens);
        assert_eq!(all.len(), 3);
        let rules = "macro_rules! m { ($pub:vis $t:ty) => { $pub type A = $t; } }";
        assert!(places(&Tokens::new(rules, Path::new("text")).unwrap()).is_empty());
        let narrowed = Narrowed::new(text, &all);
        assert_eq!(
            narrowed.text,
            "pub(crate) fn a() {}\npub(super) fn b() {}\npub(crate) struct C { pub(crate) x: u8 }"
        );
        for name in ["fn a", "fn b", "struct C", "x: u8", "}"] {
            let (at, there) = (text.rfind(name).unwrap(), narrowed.text.rfind(name).unwrap());
            assert_eq!(narrowed.back(&(there..there + name.len())), at..at + name.len());
        }
        // The word and its scope are the word.
        assert_eq!(narrowed.back(&(0..10)), 0..3);
        // A part that was blanked has no word left.
        let blank = text.replacen("pub fn a() {}", "             ", 1);
        assert_eq!(Narrowed::new(&blank, &all).places, all[1..]);
    }
}
