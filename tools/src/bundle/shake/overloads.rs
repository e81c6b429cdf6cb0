//! Impls of a trait that a call means: where one of them goes, the compiler takes another one that is left for the type, and
//! says that the argument has the wrong type.

use super::Shaker;
use super::compiler::Message;
use super::nodes::Role;
use std::collections::BTreeSet;
use std::ops::Range;

/// How an error says so.
const SAID: [&str; 2] = [
    "arguments to this method are incorrect",
    "arguments to this function are incorrect",
];

/// What stands before an impl.
const BEFORE: [&str; 6] = ["", "{", "}", ";", "]", "unsafe"];

/// A name in the rules of a macro or outside.
enum Named<'a> {
    /// As it stands.
    Told(&'a str),
    /// What the macro is called with.
    Given,
}

/// What an error means: the function that is called, the type that the impl around is of, and words of each call of a macro
/// that made it.
struct Meant<'a> {
    called: Named<'a>,
    of_type: Named<'a>,
    given: Vec<BTreeSet<&'a str>>,
}

impl Meant<'_> {
    fn is_named(&self, name: &str, named: &Named) -> bool {
        match named {
            Named::Told(told) => name == *told,
            Named::Given => self.given.iter().any(|words| words.contains(name)),
        }
    }

    /// True of a call with these words that may make such an impl.
    fn may_be_made_by(&self, words: &BTreeSet<&str>) -> bool {
        match (&self.called, &self.of_type) {
            (Named::Told(called), Named::Told(of)) => words.contains(called) && words.contains(of),
            // The same arguments for another macro.
            _ => (self.given.iter()).any(|given| given.len() > 1 && given.is_subset(words)),
        }
    }
}

impl Shaker<'_> {
    /// Other impls for the type that the impl around an error is of, with the function that is called, and calls of macros that
    /// may make such.
    pub fn overloaded(&self, errors: &[Message], batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let meant = |error| Some((error, self.meant(error)?));
        let meant: Vec<(&Message, Meant)> = errors.iter().filter_map(meant).collect();
        if meant.is_empty() {
            return all;
        }
        let list = &self.nodes.list;
        let of_role = |role: Role| batch.iter().copied().filter(move |i| list[*i].role == role);
        let calls = of_role(Role::MacroCall).map(|i| (i, self.words_in(&list[i].range)));
        let calls: Vec<(usize, BTreeSet<&str>)> = calls.collect();
        for (error, meant) in &meant {
            let is_meant = |i: &usize| {
                let mut parts = self
                    .standing_in(*i)
                    .filter(|of| list[*of].role == Role::TraitImplItem);
                meant.is_named(&list[*i].of_type, &meant.of_type)
                    && parts.any(|of| meant.is_named(&list[of].name, &meant.called))
            };
            let mut found: BTreeSet<usize> = of_role(Role::TraitImpl).filter(is_meant).collect();
            let made_by = calls.iter().filter(|(_, words)| meant.may_be_made_by(words));
            found.extend(made_by.map(|(i, _)| *i));
            if !found.is_empty() {
                self.trace(error, &found);
            }
            all.extend(found);
        }
        all
    }

    fn meant(&self, error: &Message) -> Option<Meant<'_>> {
        let is_it = error.code == "E0308" && SAID.iter().any(|said| error.rendered.contains(said));
        let span = error.spans.first().filter(|_| is_it)?;
        let place = self.tokens.from(span.start) as isize;
        Some(Meant {
            called: self.called_around(place)?,
            of_type: self.type_around(place)?,
            given: error.calls.iter().map(|call| self.words_in(call)).collect(),
        })
    }

    /// Words between the parentheses of a call of a macro.
    fn words_in(&self, call: &Range<usize>) -> BTreeSet<&str> {
        let at = |k: usize| self.tokens.at(k as isize);
        let inside = (self.tokens.from(call.start)..self.tokens.from(call.end))
            .skip_while(|k| !matches!(at(*k), "(" | "[" | "{"));
        let words = inside.filter(|k| self.tokens.is_word(*k as isize)).map(at);
        words.filter(|word| !matches!(*word, "impl" | "for")).collect()
    }

    fn named_at(&self, k: isize) -> Option<Named<'_>> {
        match self.tokens.at(k - 1) {
            _ if !self.tokens.is_word(k) => None,
            "$" => Some(Named::Given),
            _ => Some(Named::Told(self.tokens.at(k))),
        }
    }

    /// What is called with the argument at a place.
    fn called_around(&self, place: isize) -> Option<Named<'_>> {
        let mut depth = 0;
        for k in (0..place).rev() {
            match self.tokens.at(k) {
                ")" | "]" | "}" => depth += 1,
                "(" if depth == 0 => return self.named_at(k - 1),
                "[" | "{" if depth == 0 => return None,
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The type that the impl around a place is of.
    fn type_around(&self, place: isize) -> Option<Named<'_>> {
        let at = |k: isize| self.tokens.at(k);
        let begin = (0..place)
            .rev()
            .find(|k| at(*k) == "impl" && BEFORE.contains(&at(k - 1)))?;
        let head = (begin..place).take_while(|k| at(*k) != "{");
        let of = head.skip_while(|k| at(*k) != "for").skip(1);
        let path = of.take_while(|k| !matches!(at(*k), "<" | "where"));
        self.named_at(path.filter(|k| self.tokens.is_word(*k)).last()?)
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
    fn other_impls_of_what_is_called_are_meant() {
        let text = "use std::ops::{Add, Sub}; struct C<T>(T); struct D(u8); struct E(u8);
            impl<T: Add<Output = T>> Add for C<T> { type Output = C<T>; fn add(self, of: C<T>) -> C<T> { C(self.0 + of.0) } }
            impl<T: Add<Output = T>> Add<T> for C<T> { type Output = C<T>; fn add(self, of: T) -> C<T> { C(self.0 + of) } }
            impl<'a, T: Clone + Add<Output = T>> Add<&'a T> for C<T> { type Output = C<T>;
                fn add(self, of: &'a T) -> C<T> { self.add(of.clone()) } }
            macro_rules! by { (impl $imp:ident for $of:ident, $name:ident) => {
                impl $imp<$of> for $of { type Output = $of; fn $name(self, of: $of) -> $of { $imp::$name(self, &of) } } } }
            macro_rules! by_ref { (impl $imp:ident for $of:ident, $name:ident) => {
                impl<'a> $imp<&'a $of> for $of { type Output = $of; fn $name(self, _: &'a $of) -> $of { self } } } }
            by! { impl Add for D, add } by_ref! { impl Add for D, add } by_ref! { impl Sub for D, sub } by_ref! { impl Add for E, add }
            fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &Compile::default(), &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..nodes.list.len()).collect();
        let place = |of: &str| text.find(of).unwrap()..text.find(of).unwrap() + of.len();
        let found = |span: &str, call: Option<&str>| -> Vec<&str> {
            let mut error = Message::of("E0308", SAID[0]);
            error.spans.push(place(span));
            error.calls.extend(call.map(place));
            let found = shaker.overloaded(&[error], &all);
            found
                .into_iter()
                .map(|i| &text[nodes.list[i].range.clone()][..24])
                .collect()
        };
        assert_eq!(
            found("of.clone()", None),
            [
                "impl<T: Add<Output = T>>",
                "impl<T: Add<Output = T>>",
                "impl<'a, T: Clone + Add<"
            ]
        );
        let call = "by! { impl Add for D, add }";
        assert_eq!(
            found("&of)", Some(call)),
            [&call[..24], "by_ref! { impl Add for D"]
        );
        assert!(found("-> $of { self }", Some(call)).is_empty());
    }
}
