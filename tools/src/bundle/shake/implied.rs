//! What derives need of each other, before the compiler says so.
//!
//! A derived impl needs the same trait of the types of all fields, `Copy` needs `Clone`, and so on. The compiler says that
//! one step at a time, each a question. Only what it would surely ask back comes back here: what a field of another form
//! needs is left to its errors.

use super::Shaker;
use super::names::{last_name, type_path};
use super::nodes::Role;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use syn::{Fields, GenericArgument, Item, PathArguments, Type};

/// Traits whose derived impl needs the same of every field, those of the last only where it is a struct's.
const OF_FIELDS: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    DEFAULT,
];
const DEFAULT: &str = "Default";
/// Types of the library that are that if their items are; `Default` they are anyway.
const AROUND: [&str; 3] = ["Option", "Vec", "Box"];

/// What the same type must have where a trait is derived.
fn below(of_trait: &str) -> &'static [&'static str] {
    match of_trait {
        "Copy" => &["Clone"],
        "Eq" | "PartialOrd" => &["PartialEq"],
        "Ord" => &["Eq", "PartialOrd"],
        _ => &[],
    }
}

impl Shaker<'_> {
    /// `blamed` with what its derives need of `batch`.
    pub fn with_implied(&mut self, blamed: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_derive = |i: &usize| self.nodes.list[*i].role == Role::Derive;
        let mut all = blamed.clone();
        let mut todo: Vec<usize> = blamed.iter().copied().filter(is_derive).collect();
        if todo.is_empty() {
            return all;
        }
        let mut derives: HashMap<(usize, String), usize> = HashMap::new();
        for i in batch.iter().copied().filter(is_derive) {
            if let Some(item) = self.derived_item(i) {
                derives.insert((item, self.nodes.list[i].of_trait.clone()), i);
            }
        }
        while let Some(i) = todo.pop() {
            let mut needed: BTreeSet<usize> = self.needed_by(i, &derives).collect();
            needed.extend(self.copy_of(i).filter(|copy| batch.contains(copy)));
            for by in needed {
                self.askers.entry(by).or_default().insert(i);
                if all.insert(by) {
                    todo.push(by);
                }
            }
        }
        all
    }

    /// Of `derives` by type and trait those without which derive `i` does not compile.
    fn needed_by<'d>(
        &self,
        i: usize,
        derives: &'d HashMap<(usize, String), usize>,
    ) -> impl Iterator<Item = usize> + use<'d> {
        let of_trait = self.nodes.list[i].of_trait.clone();
        let mut wanted: Vec<(usize, String)> = Vec::new();
        if let Some(item) = self.derived_item(i) {
            wanted.extend(below(&of_trait).iter().map(|of| (item, (*of).to_owned())));
            let fields = self.types_of_fields(item, &of_trait);
            wanted.extend(fields.into_iter().map(|field| (field, of_trait.clone())));
        }
        wanted.into_iter().filter_map(|of| derives.get(&of).copied())
    }

    /// Types of the text that must have `of_trait` where it is derived for `item`.
    fn types_of_fields(&self, item: usize, of_trait: &str) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let node = &self.nodes.list[item];
        if !OF_FIELDS.contains(&of_trait) {
            return found;
        }
        let (fields, generics): (Vec<Fields>, _) = match syn::parse_str(&self.whole[node.range.clone()]) {
            Ok(Item::Struct(of)) => (vec![of.fields], of.generics),
            Ok(Item::Enum(of)) if of_trait != DEFAULT => {
                let fields = of.variants.into_iter().map(|variant| variant.fields);
                (fields.collect(), of.generics)
            }
            _ => return found,
        };
        let own: BTreeSet<String> = generics.type_params().map(|of| of.ident.to_string()).collect();
        let mut todo: Vec<&Type> = fields.iter().flatten().map(|field| &field.ty).collect();
        while let Some(ty) = todo.pop() {
            match ty {
                Type::Array(array) => todo.push(&array.elem),
                Type::Tuple(tuple) => todo.extend(&tuple.elems),
                Type::Paren(paren) => todo.push(&paren.elem),
                Type::Path(path) if path.qself.is_none() && !own.contains(&last_name(ty)) => {
                    let named = self.nodes.resolve(&node.module, &type_path(ty));
                    let last = path.path.segments.last();
                    if let Some(named) = named {
                        found.insert(named);
                    } else if let (true, Some(PathArguments::AngleBracketed(list))) = (
                        of_trait != DEFAULT && AROUND.contains(&last_name(ty).as_str()),
                        last.map(|last| &last.arguments),
                    ) {
                        todo.extend(list.args.iter().filter_map(|arg| match arg {
                            GenericArgument::Type(ty) => Some(ty),
                            _ => None,
                        }));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The item that a derive is for.
    pub fn derived_item(&self, i: usize) -> Option<usize> {
        let list = &self.nodes.list;
        let derives = list[i].parent.filter(|_| list[i].role == Role::Derive)?;
        let from = list[derives].range.end;
        let is_item = |i: &usize| {
            let node = &list[*i];
            matches!(node.kind, "struct" | "enum" | "union")
                && node.range.start < from
                && from < node.range.end
        };
        (0..list.len())
            .filter(is_item)
            .min_by_key(|i| list[*i].range.len())
    }

    /// What a derive is for, behind the derive.
    pub fn derived(&self, i: usize) -> Option<Range<usize>> {
        let list = &self.nodes.list;
        let from = list[list[i].parent?].range.end;
        Some(from..list[self.derived_item(i)?].range.end)
    }

    /// True of a derive that an attribute inside of its type belongs to, and that stays with it.
    pub fn has_default(&self, i: usize) -> bool {
        let is_it = self.nodes.list[i].of_trait == DEFAULT;
        is_it
            && self
                .derived(i)
                .is_some_and(|range| self.whole[range].contains("#[default]"))
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
    fn derives_bring_back_those_of_fields() {
        let text = "
mod a { #[derive(Clone, Copy, Hash)] pub struct Far; }
use a::Far;
#[derive(Clone, Hash, Default)] struct Kept<T>(Vec<T>);
#[derive(Clone, Copy, Hash, Default)] struct Near { far: [(Far, u8); 2] }
#[derive(Clone, Hash, Default)] enum Any { #[default] None, One(Option<Near>), All(Vec<Kept<u8>>), By(std::rc::Rc<Other>) }
#[derive(Clone, Hash)] struct Other;
#[derive(Default)] struct Lone { kept: Vec<Near>, any: Any }
fn main() {}
";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let list = shaker.nodes.list.clone();
        let all: BTreeSet<usize> = (0..list.len())
            .filter(|i| list[*i].role == Role::Derive)
            .collect();
        let derive = |of_type: &str, of_trait: &str| {
            let mut found = all.iter().copied();
            found
                .find(|i| list[*i].of_type == of_type && list[*i].of_trait == of_trait)
                .unwrap()
        };
        let mut implied = |of_type: &str, of_trait: &str| {
            let of = derive(of_type, of_trait);
            let found = shaker.with_implied(&[of].into(), &all);
            let names = found
                .iter()
                .map(|i| format!("{} {}", list[*i].of_type, list[*i].of_trait));
            names.collect::<Vec<String>>().join(", ")
        };
        assert_eq!(implied("Any", "Hash"), "Far Hash, Kept Hash, Near Hash, Any Hash");
        // What is `Clone` and `Copy` is both or neither.
        assert_eq!(
            implied("Near", "Copy"),
            "Far Clone, Far Copy, Near Clone, Near Copy"
        );
        assert_eq!(implied("Lone", "Default"), "Any Default, Lone Default");
        assert!(shaker.has_default(derive("Any", "Default")));
        assert!(!shaker.has_default(derive("Lone", "Default")) && !shaker.has_default(derive("Any", "Hash")));
    }
}
