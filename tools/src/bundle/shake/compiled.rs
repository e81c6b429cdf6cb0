//! What the names of compiled functions say of impls that macros make: no line of theirs tells which call it was.

use super::Shaker;
use super::nodes::Role;
use super::said::{last_names, outermost};
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

/// By traits' names, functions with code of impls of them: last names of the type, and the function's name.
pub type Versions<'c> = HashMap<&'c str, Vec<(BTreeSet<&'c str>, &'c str)>>;

/// What names of compiled functions say of impls.
pub fn versions<'c>(compiled: &[&'c String]) -> Versions<'c> {
    let mut versions = Versions::new();
    for of in compiled.iter().filter_map(|name| Compiled::read(name)) {
        let all = versions.entry(of.of_trait).or_default();
        all.push((last_names(of.of_type), of.name));
    }
    versions
}

impl Shaker<'_> {
    /// True of a call in an impl that may make a function with code: where the trait has a default, nothing misses it.
    pub fn may_have_code(&self, call: usize, versions: &Versions) -> bool {
        let list = &self.nodes.list;
        let around = || std::iter::successors(list[call].parent, |of| list[*of].parent).map(|of| &list[of]);
        let Some(own) = around().next().filter(|of| of.role == Role::TraitImpl) else {
            return false;
        };
        // What is local to a function of an impl is named by that as well; a parameter of an impl is no type.
        let impls = around().filter(|of| matches!(of.role, Role::Impl | Role::TraitImpl));
        let types: Vec<&str> = impls
            .filter(|of| of.needs.contains(&of.of_type))
            .map(|of| of.of_type.as_str())
            .collect();
        let of_trait = versions.get(own.of_trait.as_str()).into_iter().flatten();
        let mut versions = of_trait.filter(|(names, _)| types.iter().all(|of_type| names.contains(of_type)));
        versions.any(|(_, name)| self.may_make(call, name))
    }

    /// False of a call of which it is known that it makes no impl of the trait for a type of these names.
    fn may_make_impl(&self, call: usize, of_trait: &str, of_type: &BTreeSet<&str>) -> bool {
        self.impls_by(call).is_none_or(|products| {
            let mut products = products.iter();
            products.any(|product| product.of_trait == of_trait && product.is_for(of_type))
        })
    }

    /// Impls of traits by which a type has functions with code; those for all types where none is for this one. One that adds
    /// nothing to what its trait provides has no line with code, and without it a call may mean another trait's.
    fn impls_of(&self, compiled: &[Compiled]) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut impls: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in list.iter().enumerate() {
            if node.role == Role::TraitImpl {
                impls.entry(&node.of_trait).or_default().push(i);
            }
        }
        let mut found = BTreeSet::new();
        let types: BTreeSet<(&str, &str)> = compiled
            .iter()
            .map(|of| (of.of_trait, outermost(of.of_type)))
            .collect();
        for (of_trait, of_type) in types {
            let of_trait = impls.get(of_trait).into_iter().flatten().copied();
            let own = |i: &usize| list[*i].of_type == of_type;
            let of_own: Vec<usize> = of_trait.clone().filter(own).collect();
            let is_of_all = |i: &usize| !list[*i].needs.contains(&list[*i].of_type);
            if of_own.is_empty() {
                found.extend(of_trait.filter(is_of_all));
            } else {
                found.extend(of_own);
            }
        }
        found
    }

    /// Functions of traits of which a version has code, impls by which a type has such, and calls of macros that make impls of
    /// such traits: of those that say different types the ones for a type that it has code for.
    pub fn with_compiled(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut types: BTreeSet<(&str, BTreeSet<&str>)> = BTreeSet::new();
        let mut functions: BTreeSet<(&str, &str)> = BTreeSet::new();
        let compiled: Vec<Compiled> = (self.compiled.iter())
            .filter_map(|name| Compiled::read(name))
            .collect();
        for compiled in &compiled {
            functions.insert((compiled.of_trait, compiled.name));
            types.insert((compiled.of_trait, last_names(compiled.of_type)));
        }
        let is_function = |i: &usize| {
            let node = &list[*i];
            node.role == Role::TraitItem && functions.contains(&(node.of_trait.as_str(), node.name.as_str()))
        };
        let mut found: BTreeSet<usize> = (0..list.len()).filter(is_function).collect();
        found.extend(self.impls_of(&compiled));
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
                    let of_it = of_it.map(|(call, _)| *call);
                    found.extend(of_it.filter(|call| self.may_make_impl(*call, of_trait, of_type)));
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

    #[test]
    fn calls_in_impls_have_code_by_the_types_around_them() {
        let text = "trait Size { fn size(&self) -> usize { 1 } fn twice(&self) -> usize { 2 } }
                    macro_rules! by { ($name:ident) => { fn $name(&self) -> usize { 3 } } }
                    trait Make { fn make(); } struct One; struct Two; struct Own;
                    impl Make for One { fn make() { struct P; impl Size for P { by!(size); by!(twice); } } }
                    impl Make for Two { fn make() { struct P; impl Size for P { by!(size); by!(twice); } } }
                    impl<T: Make> Size for T { by!(size); } impl Own { by!(size); } by!(free); fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let calls = (0..nodes.list.len()).filter(|i| nodes.list[*i].role == Role::MacroCall);
        let calls: Vec<usize> = calls.collect();
        for (name, expected) in [
            (
                "<<bundle::Two as bundle::Make>::make::P as bundle::Size>::twice",
                &[3][..],
            ),
            ("<bundle::Own as bundle::Size>::size", &[4]),
            ("<bundle::One>::size", &[]),
        ] {
            let name = name.to_owned();
            let versions = versions(&[&name]);
            let with_code = (0..calls.len()).filter(|n| shaker.may_have_code(calls[*n], &versions));
            assert_eq!(with_code.collect::<Vec<usize>>(), expected, "{name}");
        }
    }
}
