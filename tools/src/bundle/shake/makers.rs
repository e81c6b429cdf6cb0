//! Macros that make impls, and calls of macros, whose products have names that cannot be seen.

use super::Shaker;
use super::compiler::Message;
use super::nodes::{Node, Role};
use super::products::Product;
use super::said::names;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More macro calls than are asked back together on suspicion alone.
const MANY: usize = 4;

impl Shaker<'_> {
    /// Calls of macros that make an impl of a trait for types of no name (`[T; N]`, `(A, B)`), which begin alike.
    pub fn calls_for_shape(&self, shape: &str, of_trait: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let says_it = |i: usize| {
            let (first, last) = self.tokens_of(i);
            (first..last).any(|k| self.tokens.at(k) == "for" && self.tokens.at(k + 1) == shape)
        };
        // Of a trait that it is handed the rules say it: `impl<T> $marker for [T; $n]`.
        let says = |i: &usize| {
            let by = self.nodes.list[*i].needs.first();
            let mut rules = by.and_then(|by| self.rules.get(by)).into_iter().flatten();
            says_it(*i) || rules.any(|rules| says_it(*rules))
        };
        self.all_calls_for(of_trait, batch)
            .into_iter()
            .filter(says)
            .collect()
    }

    /// Calls of macros that make an impl of a trait: those that say the most of a type's names.
    pub fn calls_for(&self, of_type: &[&str], of_trait: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let direct = self.all_calls_for(of_trait, batch);
        let calls = &direct | &self.handing_calls_for(of_trait, batch);
        let said = |i: &usize| {
            let words = list[*i].needs.iter().map(String::as_str);
            let names: BTreeSet<&str> = words.filter(|word| of_type.contains(word)).collect();
            (names.len(), direct.contains(i))
        };
        let most = calls.iter().map(said).max();
        calls.into_iter().filter(|i| Some(said(i)) == most).collect()
    }

    /// Names of the macros that make impls of a trait.
    pub fn makers_of(&self, of_trait: &str) -> BTreeSet<&str> {
        let makers = self.makers.get(of_trait).into_iter().flatten();
        makers.map(|i| self.nodes.list[*i].name.as_str()).collect()
    }

    /// The same whatever type they say.
    pub fn all_calls_for(&self, of_trait: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let makers = self.makers.get(of_trait);
        let is_call = |i: &usize| {
            let said = &list[*i].needs;
            // One that is handed to another is called there.
            let is_of = |name: &String| self.may_mean(*i, name, makers) || name == of_trait;
            list[*i].role == Role::MacroCall && said.iter().any(is_of)
        };
        batch.iter().copied().filter(is_call).collect()
    }

    /// Calls of macros that have others make an impl of a trait.
    pub fn handing_calls_for(&self, of_trait: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let handing = self.handing.get(of_trait);
        let is_handing = |i: &usize| {
            let by = list[*i].needs.first();
            list[*i].role == Role::MacroCall && by.is_some_and(|by| self.may_mean(*i, by, handing))
        };
        batch.iter().copied().filter(is_handing).collect()
    }

    /// True if one of these `macros` may be meant by its name where a node stands: if its crate has any of that name, that.
    fn may_mean(&self, node: usize, name: &str, macros: Option<&BTreeSet<usize>>) -> bool {
        let (Some(macros), Some(named)) = (macros, self.rules.get(name)) else {
            return false;
        };
        let list = &self.nodes.list;
        let krate = |i: usize| list[i].module.split("::").next();
        let is_near = |i: &&usize| krate(**i) == krate(node);
        let has_own = named.iter().any(|i| is_near(&i));
        named
            .iter()
            .filter(|i| !has_own || is_near(i))
            .any(|i| macros.contains(i))
    }

    /// Constants without a name that call a macro which makes impls of a trait, and say the most of these names.
    pub fn constants_for(&self, said: &[&str], of_trait: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let macros = self.makers_of(of_trait);
        let count = |i: usize| {
            let (first, last) = self.tokens_of(i);
            let is_call = |k: isize| self.tokens.at(k + 1) == "!" && macros.contains(self.tokens.at(k));
            let words = (first..last).map(|k| self.tokens.at(k));
            let named: BTreeSet<&str> = words.filter(|word| said.contains(word)).collect();
            (first..last).any(is_call).then_some(named.len())
        };
        let constants = batch.iter().copied().filter(|i| list[*i].role == Role::Assert);
        let calls: Vec<(usize, usize)> = constants.filter_map(|i| Some((count(i)?, i))).collect();
        let most = calls.iter().map(|call| call.0).max();
        calls
            .into_iter()
            .filter(|call| Some(call.0) == most)
            .map(|call| call.1)
            .collect()
    }

    /// The impls that a call makes, if that is known.
    pub fn impls_by(&self, call: usize) -> Option<&BTreeSet<Product>> {
        self.products
            .impls
            .get(&self.whole[self.nodes.list[call].range.clone()])
    }

    /// True of a call that is known to make an impl of a trait that is named, for a type that is or for all types.
    pub fn makes_impl(&self, call: usize, named: &BTreeSet<&str>) -> bool {
        let is_it = |product: &Product| named.contains(product.of_trait.as_str()) && product.is_for(named);
        self.impls_by(call).is_some_and(|made| made.iter().any(is_it))
    }

    /// Calls that are known to make an impl of a trait for a type, and how many names of the error the impl is about;
    /// it is about no other.
    pub fn known_calls(
        &self,
        of_type: &[&str],
        of_trait: &str,
        said: &[&str],
        batch: &BTreeSet<usize>,
    ) -> Vec<(usize, usize)> {
        let list = &self.nodes.list;
        let calls = batch.iter().copied().filter(|i| list[*i].role == Role::MacroCall);
        let made = |i: usize| {
            let products = self.impls_by(i)?;
            let of = products.iter().filter(|product| {
                let mut needs = product.needs.iter();
                product.of_trait == of_trait
                    && of_type.contains(&product.of_type.as_str())
                    && needs.all(|name| said.contains(&name.as_str()))
            });
            Some((of.map(|product| product.needs.len()).max()?, i))
        };
        calls.filter_map(made).collect()
    }

    /// Impls of a trait for a type, and calls that are known to make one, that are about no more than `others` that are not
    /// `said`: those about the fewest of these, and of them those about the most of what is said.
    pub fn nearest_impls(
        &self,
        of_type: &[&str],
        of_trait: &str,
        said: &[&str],
        others: usize,
        batch: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        // What more there is to it, and what is said of it.
        let rank = |needs: &[String]| {
            let (known, other): (Vec<&String>, Vec<&String>) =
                needs.iter().partition(|name| said.contains(&name.as_str()));
            let other = other.iter().filter(|name| **name != "Self").count();
            (Reverse(other), known.len())
        };
        let made = |i: usize| {
            let node = &list[i];
            match node.role {
                Role::TraitImpl => {
                    let is_it = node.is_of_trait(of_trait) && of_type.contains(&node.of_type.as_str());
                    is_it.then(|| rank(&node.needs))
                }
                Role::MacroCall => {
                    let products = self.impls_by(i)?;
                    let is_it =
                        |of: &&Product| of.of_trait == of_trait && of_type.contains(&of.of_type.as_str());
                    products.iter().filter(is_it).map(|of| rank(&of.needs)).max()
                }
                _ => None,
            }
        };
        let found = batch.iter().filter_map(|i| Some((made(*i)?, *i)));
        let found: Vec<_> = found.filter(|((other, _), _)| other.0 <= others).collect();
        let most = found.iter().map(|(rank, _)| *rank).max();
        let nearest = found.into_iter().filter(|(rank, _)| Some(*rank) == most);
        nearest.map(|(_, i)| i).collect()
    }

    /// Calls in impls of a type that say a name: what they make may have it.
    pub fn calls_inside(&self, of_type: &[&str], name: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let says = |i: &usize| {
            let (first, last) = self.tokens_of(*i);
            let is_of = |of: usize| of_type.contains(&list[of].of_type.as_str());
            list[*i].role == Role::MacroCall
                && list[*i].parent.is_some_and(is_of)
                && (first..last).any(|k| self.tokens.at(k) == name)
        };
        batch.iter().copied().filter(says).collect()
    }

    /// The same for all traits that have a method.
    pub fn calls_with(&self, method: &str, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let names = names(error.text.split('`').nth(3).unwrap_or_default());
        let traits = self.traits_with(method).into_iter();
        traits
            .flat_map(|of_trait| self.calls_for(&names, of_trait, batch))
            .collect()
    }

    /// Calls of macros that declare a function of that name, in their rules or in what they are handed: those that say that
    /// type, or those in a crate that has one of the name, if there are such.
    pub fn calls_declaring(&self, name: &str, of_type: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let says = |i: usize, is_it: &dyn Fn(isize) -> bool| {
            let (first, last) = self.tokens_of(i);
            (first..last).any(is_it)
        };
        let declares = |i: usize| says(i, &|k| self.tokens.at(k) == "fn" && self.tokens.at(k + 1) == name);
        let macros = (0..list.len()).filter(|i| list[*i].role == Role::Macro && declares(*i));
        let macros: BTreeMap<&str, usize> = macros.map(|i| (list[i].name.as_str(), i)).collect();
        let rules = |i: usize| {
            list[i]
                .needs
                .iter()
                .find_map(|word| macros.get(word.as_str()).copied())
        };
        let is_call = |i: &usize| list[*i].role == Role::MacroCall && (rules(*i).is_some() || declares(*i));
        let calls: BTreeSet<usize> = batch.iter().copied().filter(is_call).collect();
        let is_type = |k: isize| self.tokens.at(k) == of_type;
        let says_type =
            |i: &usize| says(*i, &is_type) || rules(*i).is_some_and(|rules| says(rules, &is_type));
        let types = list
            .iter()
            .filter(|of| of.role == Role::Item && of.name == of_type);
        let homes: BTreeSet<&str> = types.map(|of| self.crate_at(&of.module)).collect();
        let is_home = |i: &usize| homes.contains(self.crate_at(&list[*i].module));
        for is_near in [&says_type as &dyn Fn(&usize) -> bool, &is_home] {
            let near: BTreeSet<usize> = calls.iter().copied().filter(is_near).collect();
            if !near.is_empty() {
                return near;
            }
        }
        calls
    }

    /// Traits that have a method, by themselves or in an impl.
    pub fn traits_with(&self, method: &str) -> BTreeSet<&str> {
        let items = self.nodes.list.iter();
        let is_part = |node: &&Node| matches!(node.role, Role::TraitItem | Role::TraitImplItem);
        let items = items.filter(|node| is_part(node) && node.name == method && !node.of_trait.is_empty());
        items.map(|node| node.of_trait.as_str()).collect()
    }

    /// Macros by the traits that they make impls of.
    pub fn find_makers(&mut self) {
        let tokens = self.tokens;
        // Those that make impls of what they are handed.
        let mut open: BTreeSet<usize> = BTreeSet::new();
        for (i, node) in self.nodes.list.iter().enumerate() {
            if node.role != Role::Macro {
                continue;
            }
            self.rules.entry(node.name.clone()).or_default().push(i);
            let (first, last) = (tokens.from(node.range.start), tokens.from(node.range.end));
            let mut k = first as isize;
            while k < last as isize {
                if tokens.at(k) == "impl" {
                    // `impl<…> a::Trait<…> for`: every word from the bounds to there may be the trait's.
                    let mut said = BTreeSet::new();
                    let begin = k;
                    let behind = tokens.behind_angles(k as usize + 1);
                    // Where they are not closed, all may be meant.
                    k = if behind < last { behind as isize } else { k + 1 };
                    while k < last as isize && !matches!(tokens.at(k), "for" | "{" | ";" | "}") {
                        if tokens.is_word(k) {
                            said.insert(tokens.at(k).to_owned());
                        }
                        // What is in brackets has a `;` of its own.
                        k = match tokens.at(k) {
                            "[" => tokens.list[k as usize].pair as isize + 1,
                            _ => k + 1,
                        };
                    }
                    if tokens.at(k) == "for" {
                        if (begin..k).any(|k| tokens.at(k) == "$") {
                            open.insert(i);
                        }
                        for name in said {
                            self.makers.entry(name).or_default().insert(i);
                        }
                    }
                }
                k += 1;
            }
        }
        self.find_handing(open);
    }

    /// Finds the macros that have impls made by others: `open` are those that make impls of what they are handed.
    fn find_handing(&mut self, mut open: BTreeSet<usize>) {
        let tokens = self.tokens;
        // A macro, the one that it calls, what may be traits of what it hands it, and whether it hands on what it is handed.
        let mut calls: Vec<(usize, usize, BTreeSet<&str>, bool)> = Vec::new();
        for i in self.rules.values().flatten().copied() {
            let (first, last) = self.tokens_of(i);
            for k in (first..last).filter(|k| tokens.at(k + 1) == "!") {
                let close = tokens.list.get(k as usize + 2).map_or(0, |open| open.pair) as isize;
                let handed = || (k + 3..close).map(|k| tokens.at(k));
                let is_trait = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
                let called = self.rules.get(tokens.at(k)).into_iter().flatten();
                for of in called.filter(|of| **of != i) {
                    let is_on = handed().any(|word| word == "$");
                    calls.push((i, *of, handed().filter(is_trait).collect(), is_on));
                }
            }
        }
        let mut made: HashMap<usize, BTreeSet<&str>> = HashMap::new();
        for (name, macros) in &self.makers {
            for of in macros {
                made.entry(*of).or_default().insert(name);
            }
        }
        let mut handing: HashMap<usize, BTreeSet<&str>> = HashMap::new();
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for (i, of, traits, is_on) in &calls {
                let mut more: BTreeSet<&str> = BTreeSet::new();
                if open.contains(of) {
                    is_new |= *is_on && open.insert(*i);
                    more.extend(traits);
                }
                let by_others = [made.get(of), handing.get(of)];
                more.extend(by_others.into_iter().flatten().flatten());
                let known = handing.entry(*i).or_default();
                let before = known.len();
                known.extend(more);
                is_new |= known.len() > before;
            }
        }
        let mut by_trait: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (i, traits) in handing {
            for name in traits {
                by_trait.entry(name.to_owned()).or_default().insert(i);
            }
        }
        self.handing = by_trait;
    }

    /// Macro calls of the batch. Their products have names we cannot see: those that say a word of the error, or all.
    pub fn calls(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_call = |i: &usize| self.nodes.list[*i].role == Role::MacroCall;
        let calls: BTreeSet<usize> = batch.iter().copied().filter(is_call).collect();
        let says = |i: &usize| {
            let mut words = self.nodes.list[*i].needs.iter().skip(1);
            words.any(|word| error.words.contains(word))
        };
        let near: BTreeSet<usize> = calls.iter().copied().filter(says).collect();
        // Where the batch can be tried in halves, that says more than all of many.
        let is_known = !near.is_empty() || (batch != &self.removed && calls.len() > MANY);
        if is_known { near } else { calls }
    }
}

#[cfg(test)]
mod tests {
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use crate::bundle::shake::Shaker;
    use crate::bundle::shake::nodes::Nodes;
    use crate::bundle::shake::products::Product;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn calls_are_asked_for_whose_macro_is_handed_on_or_declares_a_method() {
        let text = "struct A<T>(T); trait Same<T> {}
                    macro_rules! same { ($n:literal) => { impl Same<[u8; $n]> for A<[u8; $n]> {} } }
                    macro_rules! each { ($m:ident $n:literal) => { $m!($n); } }
                    macro_rules! zip { ($t:ty) => { impl A<$t> { fn both(self) {} } } }
                    each!(same 3); zip!(u8); each!(other 3); fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..shaker.nodes.list.len()).collect();
        let texts = |found: BTreeSet<usize>| -> Vec<&str> {
            let ranges = found.iter().map(|i| shaker.nodes.list[*i].range.clone());
            ranges.map(|range| &text[range]).collect()
        };
        assert_eq!(texts(shaker.all_calls_for("Same", &all)), ["each!(same 3);"]);
        assert_eq!(texts(shaker.calls_declaring("both", "u8", &all)), ["zip!(u8);"]);
        assert!(shaker.calls_declaring("none", "", &all).is_empty());
    }

    #[test]
    fn a_call_makes_impls_of_named_traits_for_named_types_or_all() {
        let text = "trait Ids {} struct A; struct B;
                    macro_rules! each { () => { impl Ids for A {} } } macro_rules! all { () => { impl<T> Ids for &T {} } }
                    each!(); all!(); fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        for (call, of_type, needs) in [("each!();", "A", &["Ids", "A"][..]), ("all!();", "T", &["Ids"])] {
            let product = Product {
                of_trait: "Ids".to_owned(),
                of_type: of_type.to_owned(),
                needs: needs.iter().map(|name| (*name).to_owned()).collect(),
            };
            shaker.products.impls.insert(call.to_owned(), [product].into());
        }
        let made_by = |named: &[&str]| -> Vec<&str> {
            let named = named.iter().copied().collect();
            let calls = (0..nodes.list.len()).filter(|i| shaker.makes_impl(*i, &named));
            calls.map(|i| &text[nodes.list[i].range.clone()]).collect()
        };
        assert_eq!(made_by(&["A", "Ids"]), ["each!();", "all!();"]);
        assert_eq!(made_by(&["B", "Ids"]), ["all!();"]);
        assert!(made_by(&["A", "B"]).is_empty());
    }

    #[test]
    fn neither_bounds_nor_another_crates_macro_of_the_name_make_an_impl() {
        let text = "mod a { trait Num {} macro_rules! made { ($t:ty) => { impl Num for $t {} } } made!(u8); }
                    mod b { trait Pow {} macro_rules! made { ($t:ty) => { impl<T: Num<Vec<T>>> Pow for A<T, $t> {} } } made!(u8); }
                    made!(u16); fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..shaker.nodes.list.len()).collect();
        let found = |of_trait: &str| -> Vec<(&str, &str)> {
            let calls = shaker.all_calls_for(of_trait, &all).into_iter();
            let calls = calls.map(|i| &shaker.nodes.list[i]);
            calls
                .map(|node| (node.module.as_str(), &text[node.range.clone()]))
                .collect()
        };
        assert_eq!(found("Num"), [("a", "made!(u8);"), ("", "made!(u16);")]);
        assert_eq!(found("Pow"), [("b", "made!(u8);"), ("", "made!(u16);")]);
    }

    #[test]
    fn constants_are_asked_for_whose_calls_make_the_impl() {
        let text = "trait Same<T> {} struct A<T>(T); struct B<T>(T); struct C;
                    macro_rules! same { ($a:ident) => { impl<T> Same<$a<T>> for C {} } }
                    macro_rules! other { ($a:ident) => {} }
                    const _: () = unsafe { same!(A) }; const _: () = unsafe { same!(B) };
                    const _: () = unsafe { other!(B) }; fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..shaker.nodes.list.len()).collect();
        let found = shaker.constants_for(&["C", "Same", "B"], "Same", &all);
        let texts: Vec<&str> = found
            .iter()
            .map(|i| &text[shaker.nodes.list[*i].range.clone()])
            .collect();
        assert_eq!(texts, ["const _: () = unsafe { same!(B) };"]);
        assert!(shaker.constants_for(&["C"], "Other", &all).is_empty());
    }
}
