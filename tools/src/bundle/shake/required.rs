//! What the impl of a trait needs, before the compiler says so: impls of the trait's supertraits for the same type, of what
//! the trait demands of its associated types, and calls of macros that make parts of the impl. The compiler says that one
//! step at a time, each a question. Where there are several impls that may be meant, it is left to errors.

use super::Shaker;
use super::nodes::{Node, Role};
use super::products::Product;
use crate::bundle::lex::unraw;
use std::collections::{BTreeSet, HashMap};

/// A type and a trait as they are written in modules.
struct Wanted<'a> {
    of_type: (&'a str, &'a str),
    of_trait: (&'a str, &'a str),
}

/// Traits by which the standard library chooses other code for a type, and the one that it has with them: nothing misses them.
const MARKS: [(&str, &str); 3] = [
    ("FusedIterator", "Iterator"),
    ("Eq", "PartialEq"),
    ("Copy", "Clone"),
];

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default()
}

/// Names of the type and the trait of an impl that a macro makes.
fn names(of: &Product) -> (&str, &str) {
    (&of.of_type, &of.of_trait)
}

impl Shaker<'_> {
    /// What of `batch` impls among `live` need, where only one part of it can be meant and nothing that stays is it, and what
    /// marks their types.
    pub fn required_by(&self, live: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut impls: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in list.iter().enumerate() {
            if matches!(node.role, Role::TraitImpl | Role::Derive) {
                impls.entry(&node.of_type).or_default().push(i);
            }
        }
        let made = self.made_impls();
        let mut required = self.marks_of(live, batch);
        required.extend(self.copies_of(live, batch));
        for &i in live {
            let node = &list[i];
            if node.role != Role::TraitImpl || self.removed.contains(&i) {
                continue;
            }
            // What they make may be what the trait has a function for anyhow: no error asks for that. But not what nobody
            // asks the trait for.
            let is_unasked = |part: &usize| {
                let owed = self.owed_by_call(*part);
                !owed.is_empty() && !owed.iter().any(|of| live.contains(of))
            };
            let is_call = |part: &usize| {
                list[*part].role == Role::MacroCall && batch.contains(part) && !is_unasked(part)
            };
            required.extend(self.standing_in(i).filter(is_call));
            let Some(of_trait) = self.nodes.found(&node.module, &node.trait_path) else {
                continue;
            };
            let of_type = (node.module.as_str(), node.path.as_str());
            for (of_type, bounds) in self.demanded(i, of_trait, of_type) {
                for bound in &bounds {
                    let of_trait = (list[of_trait].module.as_str(), bound.as_str());
                    let wanted = Wanted { of_type, of_trait };
                    let all = impls.get(last(of_type.1)).into_iter().flatten().copied();
                    let calls = made.get(&(last(of_type.1), last(bound)));
                    let calls = calls.map_or(&[][..], Vec::as_slice);
                    required.extend(self.only_one(&wanted, all, calls, batch));
                }
            }
        }
        required
    }

    /// What of `batch` marks a type that has the trait which goes with it among `live`.
    fn marks_of(&self, live: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let is_impl = |i: &&usize| matches!(list[**i].role, Role::TraitImpl | Role::Derive);
        let live = live.iter().filter(is_impl).map(|i| &list[*i]);
        let had: BTreeSet<(&str, &str)> = live.map(|of| (&*of.of_type, &*of.of_trait)).collect();
        let is_mark = |i: &&usize| {
            let node = &list[**i];
            let with = MARKS.iter().find(|(mark, _)| node.is_of_trait(mark));
            with.is_some_and(|(_, with)| had.contains(&(&*node.of_type, *with)))
        };
        batch.iter().filter(is_impl).filter(is_mark).copied().collect()
    }

    /// What of `batch` says that types among `live` are copied: moved instead they leave other code, and nothing misses it.
    fn copies_of(&self, live: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut said = BTreeSet::new();
        for &of in live.iter().filter(|of| list[**of].role == Role::Item) {
            let is_inside = |i: &usize| list[*i].range.start < list[of].range.end;
            let derives = (of + 1..list.len()).take_while(is_inside);
            let derives = derives.filter(|i| list[*i].role == Role::Derive);
            let impls = self.nodes.impls.get(&of).into_iter().flatten().copied();
            let all: Vec<usize> = derives.chain(impls).collect();
            let is = |i: &&usize, name: &str| list[**i].is_of_trait(name);
            if all.iter().any(|i| is(&i, "Copy")) {
                let both = all.iter().filter(|i| is(i, "Copy") || is(i, "Clone"));
                said.extend(both.filter(|i| batch.contains(i)));
            }
        }
        said
    }

    /// Calls of macros by the types and traits of the impls that they make.
    fn made_impls(&self) -> HashMap<(&str, &str), Vec<usize>> {
        let mut made: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for (i, node) in self.nodes.list.iter().enumerate() {
            if node.role != Role::MacroCall {
                continue;
            }
            let of: BTreeSet<(&str, &str)> = self.impls_by(i).into_iter().flatten().map(names).collect();
            for names in of {
                made.entry(names).or_default().push(i);
            }
        }
        made
    }

    /// The types that impl `i` of a trait is about, with what the trait demands of them.
    fn demanded<'s>(
        &'s self,
        i: usize,
        of_trait: usize,
        of_type: (&'s str, &'s str),
    ) -> Vec<((&'s str, &'s str), Vec<String>)> {
        let list = &self.nodes.list;
        let node = &list[i];
        let mut all = Vec::new();
        // A parameter of the impl is no type.
        if node.needs.contains(&node.of_type) {
            all.push((of_type, self.bounds_of(of_trait)));
        }
        for part in self.standing_in(i) {
            let mut declared = self.standing_in(of_trait);
            let is_it = |of: &usize| list[*of].role == Role::TraitItem && list[*of].name == list[part].name;
            if let (Some(of), Some(declared)) = (self.short_for(part), declared.find(is_it)) {
                all.push(((node.module.as_str(), of), self.bounds_of(declared)));
            }
        }
        all
    }

    /// The path that `type x = path…;` is short for, if it is one.
    fn short_for(&self, i: usize) -> Option<&str> {
        let (first, end) = self.tokens_of(i);
        let node = &self.nodes.list[i];
        let is_name = |k: &isize| self.tokens.before(*k) == "type" && unraw(self.tokens.at(*k)) == node.name;
        let name = (first..end)
            .find(is_name)
            .filter(|_| node.role == Role::TraitImplItem)?;
        let from = (name + 1..end).find(|k| self.tokens.at(*k) == "=")? + 1;
        let is_path = |k: &isize| self.tokens.is_word(*k) || self.tokens.at(*k) == "::";
        let to = (from..end).find(|k| !is_path(k))?;
        let is_whole = matches!(self.tokens.at(to), "<" | ";");
        let at = |k: isize| &self.tokens.list[k as usize].range;
        let path = (is_whole && to > from).then(|| at(from).start..at(to - 1).end)?;
        // `Self::X` is another part of the impl.
        Some(&self.whole[path]).filter(|path| !path.starts_with("Self"))
    }

    /// Paths of the bounds behind the name of a trait or of an associated type.
    fn bounds_of(&self, i: usize) -> Vec<String> {
        let (first, end) = self.tokens_of(i);
        let tokens = self.tokens;
        let mut bounds = Vec::new();
        let is_keyword = |k: &isize| matches!(tokens.at(*k), "trait" | "type");
        let Some(keyword) = (first..end).find(is_keyword) else {
            return bounds;
        };
        let mut k = tokens.behind_angles(keyword as usize + 2) as isize;
        if tokens.at(k) != ":" {
            return bounds;
        }
        while k < end && !matches!(tokens.at(k), "{" | ";" | "=" | "where") {
            let from = k;
            while tokens.is_word(k) || tokens.at(k) == "::" {
                k += 1;
            }
            // What begins with `?` or `'` is no bound that an impl meets.
            if k > from && tokens.at(from) != "for" && !matches!(tokens.before(from), "?" | "~") {
                bounds.push((from..k).map(|k| tokens.at(k)).collect());
            }
            k = match tokens.at(k) {
                "(" | "[" => tokens.list[k as usize].pair as isize + 1,
                "<" => tokens.behind_angles(k as usize) as isize,
                _ => k.max(from + 1),
            };
        }
        bounds
    }

    /// The one of `all` impls of the type or the one of the `calls` that make it which is the impl that is wanted, if nothing
    /// else may be it.
    fn only_one(
        &self,
        wanted: &Wanted,
        all: impl Iterator<Item = usize>,
        calls: &[usize],
        batch: &BTreeSet<usize>,
    ) -> Option<usize> {
        let ways = &self.nodes.ways;
        let ends = [wanted.of_type, wanted.of_trait].map(|(module, path)| ways.end(module, path));
        let is_it =
            |node: &Node| node.is_of_trait(last(wanted.of_trait.1)) && !self.nodes.is_another(node, &ends);
        let mut found: Vec<usize> = all.filter(|i| is_it(&self.nodes.list[*i])).collect();
        found.extend(calls);
        match found[..] {
            [one] if batch.contains(&one) => Some(one),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shaker;
    use super::super::nodes::{Nodes, Role};
    use super::super::written::products;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn an_impl_needs_supertraits_what_its_types_must_be_and_calls_inside() {
        let text = "mod lane {
    pub trait Sealed {}
    pub trait Lane: Sealed + Copy + super::two::Sum<u8> + ?Sized { type Word: Word<Self>; fn lane(&self) -> u8 { 1 } }
    pub trait Word<L> {}
}
mod two { pub trait Sealed {} pub trait Sum<T> {} pub trait Many<T> {} }
use lane::{Lane, Sealed};
macro_rules! part { () => { fn lane(&self) -> u8 { 2 } } }
macro_rules! sums { ($of:ty) => { impl two::Sum<u8> for $of {} } }
#[derive(Clone, Copy)] struct A;
#[derive(Clone, Copy)] struct B;
struct W;
impl Sealed for A {}
impl Sealed for B {}
impl two::Sealed for A {}
impl lane::Word<A> for W {}
impl Lane for A { type Word = W; part!(); }
sums!(A);
sums!(B);
fn main() {}
";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        shaker.products = products(text, &compile).unwrap();
        let list = &shaker.nodes.list;
        let impls: BTreeSet<usize> = (0..list.len())
            .filter(|i| list[*i].role == Role::TraitImpl && list[*i].of_trait == "Lane")
            .collect();
        let is_asked = |i: &usize| list[*i].role == Role::TraitItem && list[*i].name == "lane";
        let live: BTreeSet<usize> = (0..list.len())
            .filter(is_asked)
            .chain(impls.iter().copied())
            .collect();
        let batch = &(0..list.len()).collect() - &live;
        let required = shaker.required_by(&live, &batch);
        let texts: Vec<&str> = required.iter().map(|i| &text[list[*i].range.clone()]).collect();
        let expected = [
            "Copy",
            "impl Sealed for A {}",
            "impl lane::Word<A> for W {}",
            "part!();",
            "sums!(A);",
        ];
        assert_eq!(texts, expected);
        // A call makes nothing that is needed where nobody asks the trait for it.
        let part = texts.iter().position(|text| *text == "part!();");
        let unasked = shaker.required_by(&impls, &batch);
        assert_eq!(
            &required - &unasked,
            required.iter().copied().skip(part.unwrap()).take(1).collect()
        );
        // What is there already is not asked back, and of two that may be meant neither is.
        let rest: BTreeSet<usize> = &batch - &required;
        assert!(shaker.required_by(&live, &rest).is_empty());
    }
}
