//! What the impl of a trait needs that an error says is missing. Where there is an impl for all types, rustc tells the bound
//! that is not met only if there is no other impl that it might mean.

use super::Shaker;
use super::compiler::Message;
use super::elsewhere::PRIMITIVES;
use super::nodes::{Node, Role};
use super::said::{bound, names};
use std::collections::{BTreeSet, HashSet};

/// How many bounds deep.
const DEEP: usize = 4;

impl Shaker<'_> {
    /// Impls and calls of macros in `batch` by which the bounds may come to be met that the impls have which are there: those
    /// of the fewest bounds between; `all`: the text's own traits.
    pub fn nested<'s>(
        &'s self,
        error: &'s Message,
        batch: &BTreeSet<usize>,
        all: &HashSet<&'s str>,
    ) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let (mut of_type, mut traits) = match bound(error) {
            Some(bound) => (bound.names.clone(), vec![bound.last()]),
            None => (
                error.words.iter().map(String::as_str).collect(),
                self.bounds_of_called(error, batch, all),
            ),
        };
        // What the trait is about counts as the type does.
        of_type.extend(error.text.split('`').nth(1).map_or(Vec::new(), names));
        // Traits of others that impls are of.
        let foreign = batch.iter().map(|i| list[*i].of_trait.as_str());
        let foreign: HashSet<&str> = foreign.filter(|of_trait| !of_trait.is_empty()).collect();
        // A parameter of some impl says nothing.
        let is_type = |node: &Node| matches!(node.kind, "struct" | "enum" | "union" | "type");
        let types = list
            .iter()
            .filter(|node| is_type(node))
            .map(|node| node.name.as_str());
        let types: HashSet<&str> = types.chain(PRIMITIVES).collect();
        let may_be = |i: usize| {
            let node = &list[i];
            !node.needs.contains(&node.of_type) || error.words.contains(&node.of_type)
        };
        // Types without a name.
        let shapes = ["[", "(", "&", "*"]
            .into_iter()
            .filter(|shape| error.text.contains(shape));
        let shapes: Vec<&str> = shapes.collect();
        let mut seen: BTreeSet<&str> = traits.iter().copied().collect();
        for _ in 0..DEEP {
            let mut next = BTreeSet::new();
            let is_there = |i: &usize| {
                let node = &list[*i];
                node.role == Role::TraitImpl && traits.contains(&node.of_trait.as_str()) && may_be(*i)
            };
            for i in
                (0..list.len()).filter(|i| is_there(i) && !batch.contains(i) && !self.removed.contains(i))
            {
                let words = self.head_of(i);
                let is_trait = |word: &&str| all.contains(word) || foreign.contains(word);
                next.extend(words.filter(|word| is_trait(word) && !seen.contains(word)));
            }
            let is_asked = |i: &usize| {
                let node = &list[*i];
                matches!(node.role, Role::TraitImpl | Role::Derive)
                    && next.contains(node.of_trait.as_str())
                    && may_be(*i)
            };
            let mut asked: BTreeSet<usize> = batch.iter().copied().filter(is_asked).collect();
            let of_it = |i: &usize| {
                let mut said = list[*i].needs.iter().skip(1);
                said.any(|word| types.contains(word.as_str()) && of_type.contains(&word.as_str()))
            };
            for of_trait in &next {
                for shape in &shapes {
                    asked.extend(self.calls_for_shape(shape, of_trait, batch));
                }
                asked.extend(self.all_calls_for(of_trait, batch).into_iter().filter(of_it));
            }
            // Only where none says so itself.
            if asked.is_empty() {
                let handing = next
                    .iter()
                    .flat_map(|of_trait| self.handing_calls_for(of_trait, batch));
                asked.extend(handing.filter(of_it));
            }
            if !asked.is_empty() || next.is_empty() {
                return asked;
            }
            seen.extend(&next);
            traits = next.into_iter().collect();
        }
        BTreeSet::new()
    }

    /// Words before the first brace of a node.
    fn head_of(&self, i: usize) -> impl Iterator<Item = &str> {
        let (first, last) = self.tokens_of(i);
        let open = (first..last).find(|k| self.tokens.at(*k) == "{");
        (first..open.unwrap_or(last)).map(|k| self.tokens.at(k))
    }

    /// Of `all` traits those by which methods are bound that may be called where a method is not found, or where the compiler
    /// comes to no end with what it is bound by.
    fn bounds_of_called<'s>(
        &'s self,
        error: &Message,
        batch: &BTreeSet<usize>,
        all: &HashSet<&'s str>,
    ) -> Vec<&'s str> {
        let may_be_called = matches!(error.code.as_str(), "E0275" | "E0599");
        let Some(called) = self.stands_at(error).filter(|_| may_be_called) else {
            return Vec::new();
        };
        let list = &self.nodes.list;
        let is_called = |i: &usize| {
            let node = &list[*i];
            let is_method = matches!(node.role, Role::Method | Role::TraitItem) && node.name == called;
            is_method && !batch.contains(i) && !self.removed.contains(i)
        };
        let methods = (0..list.len()).filter(is_called);
        let heads = methods.flat_map(|i| [Some(i), list[i].parent].into_iter().flatten());
        let words = heads.flat_map(|i| self.head_of(i));
        let bounds: BTreeSet<&str> = words.filter(|word| all.contains(word)).collect();
        bounds.into_iter().collect()
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
    fn bounds_of_impls_for_all_types_are_asked_back() {
        let text = "trait Read {} trait Safe {} trait Seen {} trait Other {} struct S; struct U;
                    impl<T: Safe> Read for T {} impl<T> Safe for Vec<T> where T: Seen {} impl Safe for U {}
                    impl<T> Seen for T {} impl Seen for U {} impl Seen for S {} impl Other for S {} fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let error = Message::of("E0277", "the trait bound `Vec<S>: Read` is not satisfied");
        let found = |gone: &[&str]| -> Vec<&str> {
            let is_gone = |i: &usize| gone.contains(&&text[shaker.nodes.list[*i].range.clone()]);
            let batch = (0..shaker.nodes.list.len()).filter(is_gone).collect();
            let found = shaker.nested(&error, &batch, &shaker.traits()).into_iter();
            found.map(|i| &text[shaker.nodes.list[i].range.clone()]).collect()
        };
        let vec = "impl<T> Safe for Vec<T> where T: Seen {}";
        let all = [
            "impl<T> Seen for T {}",
            "impl Seen for U {}",
            "impl Seen for S {}",
            "impl Other for S {}",
        ];
        assert_eq!(found(&[&all[..], &[vec, "impl Safe for U {}"]].concat()), [vec]);
        assert_eq!(found(&all), ["impl<T> Seen for T {}", "impl Seen for S {}"]);
        assert!(found(&["impl Other for S {}"]).is_empty());
    }

    #[test]
    fn where_a_method_is_called_what_it_is_bound_by_is_asked_back() {
        let text = "trait Dot<R> {} trait Number {} struct M; impl M { fn dot(&self) where Self: Dot<M> {} }
                    impl<T: Number> Dot<T> for M {} impl Number for M {} fn main() { M.dot() }";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &Compile::default(), &|_| {}).unwrap();
        let gone = "impl Number for M {}";
        let is_gone = |i: &usize| &text[shaker.nodes.list[*i].range.clone()] == gone;
        let batch: BTreeSet<usize> = (0..shaker.nodes.list.len()).filter(is_gone).collect();
        let mut error = Message::of("E0275", "overflow evaluating the requirement `M: Other`");
        assert!(shaker.nested(&error, &batch, &shaker.traits()).is_empty());
        let at = text.rfind("dot").unwrap();
        error.spans.push(at..at + 3);
        assert_eq!(shaker.nested(&error, &batch, &shaker.traits()), batch);
    }
}
