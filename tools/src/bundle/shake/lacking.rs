//! What a type lacks that an error names: impls of traits, methods, operators, and the macro calls that may make them.

use super::Shaker;
use super::blame::is_impl;
use super::compiler::Message;
use super::nodes::{Node, Role};
use super::said::{
    Bound, bound, candidates, must_be, names, operands, operator, outermost, unmet, unmet_leaf,
};
use crate::bundle::lex::unraw;
use std::collections::BTreeSet;

/// How often a type is dereferenced to look for a method.
const DEREFS: usize = 4;

/// Of the bounds that are not met those by the trait that there must be; the one that there is, if there is but one.
fn unmet_must_be(error: &Message) -> Vec<Bound<'_>> {
    let mut bounds: Vec<Bound> = unmet(error).collect();
    if bounds.len() > 1 {
        let last = must_be(error).and_then(|of_trait| of_trait.rsplit("::").next());
        bounds.retain(|bound| Some(bound.last()) == last);
    }
    bounds
}

impl Shaker<'_> {
    /// Where a type lacks a trait: its impl, one for all types, or the macro calls that make it.
    pub fn bound(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let Some(bound) = bound(error) else {
            return BTreeSet::new();
        };
        let found = self.bound_as(&bound, error, batch, closed);
        if !found.is_empty() {
            return found;
        }
        // What is no iterator may be what one is made of.
        if error.text.ends_with("is not an iterator") {
            let of_trait = "IntoIterator";
            return self.bound_as(&Bound { of_trait, ..bound }, error, batch, closed);
        }
        let leaf = unmet_leaf(error, &bound);
        leaf.map_or(found, |leaf| self.bound_as(&leaf, error, batch, closed))
    }

    /// Impls of the trait for the type, and calls that say they make it; if there is none, what may make it.
    fn bound_as(
        &self,
        bound: &Bound,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let mut said = error.text.split('`').nth(1).map_or(Vec::new(), names);
        said.extend(&bound.names);
        let (aliases, of_trait) = (self.aliases(&bound.names, &said), bound.last());
        let of_type = &[&bound.names[..], &aliases[..]].concat();
        let ends = [bound.of_type, bound.of_trait].map(|path| self.nodes.ways.end("", path));
        let is_other = |n: &Node| n.role == Role::TraitImpl && self.nodes.is_another(n, &ends);
        let is_of_type = |n: &Node| of_type.contains(&n.of_type.as_str());
        let is_it = |n: &Node| is_impl(n) && n.is_of_trait(of_trait) && is_of_type(n) && !is_other(n);
        // Of the impls of one trait for one type the one that is about no other types than the error, and about most of
        // those; what a macro makes counts.
        said.extend(aliases);
        let is_about = |n: &Node| {
            let mut needs = n.needs.iter();
            n.role == Role::TraitImpl && is_it(n) && needs.all(|name| said.contains(&name.as_str()))
        };
        let calls = self.known_calls(of_type, of_trait, &said, batch);
        let list = closed.iter().map(|i| &self.nodes.list[*i]);
        let about = list.filter(|node| is_about(node)).map(|node| node.needs.len());
        if let Some(most) = about.chain(calls.iter().map(|(count, _)| *count)).max() {
            let found = self.pick(error, batch, closed, &|n| is_about(n) && n.needs.len() == most);
            let mut found = self.alike(found, error, of_trait);
            found.extend(
                calls
                    .into_iter()
                    .filter(|(count, _)| *count == most)
                    .map(|(_, i)| i),
            );
            if !found.is_empty() {
                return found;
            }
        }
        let found = self.pick(error, batch, closed, &is_it);
        if !found.is_empty() {
            return found;
        }
        let shape = bound.whole.get(..1).unwrap_or_default();
        if matches!(shape, "[" | "(") {
            // Of arrays and tuples those that are about nothing else.
            let found = self.nearest_impls(&[""], of_trait, &said, 0, batch);
            if !found.is_empty() {
                return found;
            }
        }
        let found = self.pick(error, batch, closed, &|n| {
            n.role == Role::TraitImpl && n.is_of_trait(of_trait) && !n.needs.contains(&n.of_type)
        });
        if !found.is_empty() {
            return found;
        }
        let found = match shape {
            "[" | "(" | "&" | "*" => self.calls_for_shape(shape, of_trait, batch),
            _ => BTreeSet::new(),
        };
        if !found.is_empty() {
            return found;
        }
        let found = self.nearest_impls(of_type, of_trait, &said, usize::MAX, batch);
        if !found.is_empty() {
            return found;
        }
        let found = self.calls_for(of_type, of_trait, batch);
        if found.is_empty() {
            self.constants_for(&said, of_trait, batch)
        } else {
            found
        }
    }

    /// Other names of what has one of these: those that imports give it, and types short for it that are about nothing that
    /// is not `said`.
    fn aliases(&self, names: &[&str], said: &[&str]) -> Vec<&str> {
        let is_alias = |i: &usize| {
            let node = &self.nodes.list[*i];
            match node.role {
                Role::UseLeaf => {
                    let last = node.path.rsplit("::").next().unwrap_or_default();
                    !matches!(node.name.as_str(), "*" | "_") && node.name != last && names.contains(&last)
                }
                Role::Item if node.kind == "type" => {
                    let is_of_it = node.needs.iter().any(|of| names.contains(&of.as_str()));
                    is_of_it && self.is_about_no_other(*i, said)
                }
                _ => false,
            }
        };
        let aliases = (0..self.nodes.list.len()).filter(is_alias);
        aliases.map(|i| self.nodes.list[i].name.as_str()).collect()
    }

    /// True of a `type` that is short for nothing but what is `said`.
    fn is_about_no_other(&self, i: usize, said: &[&str]) -> bool {
        let (first, last) = self.tokens_of(i);
        let short = (first..last).skip_while(|k| self.tokens.at(*k) != "=");
        let mut words = short
            .filter(|k| self.tokens.is_word(*k))
            .map(|k| self.tokens.at(k));
        words.all(|word| said.contains(&word))
    }

    /// Those whose trait is about a type of the same shape as in the error (a tuple, an array, a name), if there are any.
    fn alike(&self, found: BTreeSet<usize>, error: &Message, of_trait: &str) -> BTreeSet<usize> {
        let shape = |text: &str| {
            let after = text.split_once(&format!("{of_trait}<"))?.1.trim_start();
            let first = after.chars().next()?;
            Some(if first.is_alphabetic() { 'a' } else { first })
        };
        let wanted = shape(&error.text);
        let is_alike = |i: &usize| shape(&self.whole[self.nodes.list[*i].range.clone()]) == wanted;
        let alike: BTreeSet<usize> = found.iter().copied().filter(is_alike).collect();
        if alike.is_empty() { found } else { alike }
    }

    /// "No method named `x` found for type `T`".
    pub fn method(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        if !matches!(error.code.as_str(), "E0599" | "E0689") {
            return BTreeSet::new();
        }
        let has = |word: &str| !word.is_empty() && error.words.contains(word);
        let quoted = error.text.split('`').nth(1).unwrap_or_default();
        let of_whole = error.text.split('`').nth(3).unwrap_or_default();
        let of_type = names(of_whole);
        let is_part = |n: &Node| {
            n.name == quoted
                && matches!(
                    n.role,
                    Role::Method | Role::MacroPart | Role::TraitItem | Role::TraitImplItem
                )
        };
        let of_it = |n: &Node| is_part(n) && of_type.contains(&n.of_type.as_str());
        let of_some =
            |n: &Node| is_part(n) && (n.role == Role::MacroPart || has(&n.of_type) || has(&n.of_trait));
        // What another type has may come by what this one leads to.
        let leads = |n: &Node| {
            n.role == Role::TraitImpl && n.of_trait == "Deref" && of_type.first() == Some(&n.of_type.as_str())
        };
        let is_declared = |n: &Node| n.role == Role::TraitItem && n.name == quoted;
        let steps: [&dyn Fn() -> BTreeSet<usize>; 12] = [
            &|| self.first_met(unmet_must_be(error).into_iter(), error, batch, closed),
            &|| self.first_met(unmet(error), error, batch, closed),
            &|| self.pick(error, batch, closed, &of_it),
            &|| self.calls_inside(&of_type, quoted, batch),
            &|| self.pick(error, batch, closed, &leads),
            &|| self.first_met(candidates(error), error, batch, closed),
            &|| self.pick(error, batch, closed, &of_some),
            &|| self.pick(error, batch, closed, &is_declared),
            &|| self.impls_with(quoted, error, batch),
            &|| self.calls_with(quoted, error, batch),
            &|| self.calls_declaring(quoted, outermost(of_whole), batch),
            &|| self.traits_of_it(quoted, batch),
        ];
        let mut found = steps.iter().map(|step| step());
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// What a trait has no more where it is named before it: a path that ends at the trait is no type.
    pub fn named_in_trait(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let Some(span) = error.spans.first().filter(|_| error.code == "E0782") else {
            return BTreeSet::new();
        };
        let behind = self.tokens.from(span.end) as isize;
        let (of_trait, name) = (self.tokens.at(behind - 1), unraw(self.tokens.at(behind + 1)));
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::TraitItem && node.name == name && node.of_trait == of_trait
        };
        let is_path = self.tokens.at(behind) == "::";
        batch.iter().copied().filter(|i| is_path && is_it(i)).collect()
    }

    /// What a type is dereferenced by that has no such field itself, or nothing to be indexed by.
    pub fn dereferenced(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let place = match error.code.as_str() {
            "E0609" => 3,
            "E0608" => 1,
            _ => return BTreeSet::new(),
        };
        let of_type = outermost(error.text.split('`').nth(place).unwrap_or_default());
        let is_index = |node: &Node| node.is_of_trait("Index") && node.of_type == of_type;
        if error.code == "E0608" && self.nodes.list.iter().any(is_index) {
            return BTreeSet::new();
        }
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::TraitImpl && node.of_trait == "Deref" && node.of_type == of_type
        };
        let mut found: BTreeSet<usize> = batch.iter().copied().filter(is_it).collect();
        // Of a type that is indexed a call may say more than its `Deref`.
        if error.code == "E0609" {
            found.extend(self.calls_for(&[of_type], "Deref", batch));
        }
        found
    }

    /// What leads from a type that has no such method to one that has, by `Deref`: no error names that.
    pub fn method_behind(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let [name, of_type] = [1, 3].map(|n| error.text.split('`').nth(n).unwrap_or_default());
        let mut of_type = outermost(of_type);
        let has = |of: &str| {
            let is_it = |node: &Node| node.role == Role::Method && node.name == name && node.of_type == of;
            list.iter().any(is_it)
        };
        let mut found = BTreeSet::new();
        if error.code != "E0599" || !error.text.starts_with("no method named ") || has(of_type) {
            return found;
        }
        for _ in 0..DEREFS {
            let leads = |node: &Node| {
                node.role == Role::TraitImpl && node.of_trait == "Deref" && node.of_type == of_type
            };
            let impls: Vec<usize> = (0..list.len()).filter(|i| leads(&list[*i])).collect();
            found.extend(impls.iter().filter(|i| batch.contains(i)));
            let target = impls.first().and_then(|i| {
                let (first, last) = self.tokens_of(*i);
                let at = |k: isize| self.tokens.at(k);
                let target = (first..last).find(|k| at(*k) == "Target" && at(k + 1) == "=")?;
                let path = (target + 2..last).take_while(|k| !matches!(at(*k), "<" | ";"));
                path.map(at).last()
            });
            match target {
                Some(target) if has(target) => return found,
                Some(target) => of_type = target,
                None => break,
            }
        }
        BTreeSet::new()
    }

    /// Traits of the batch that have the method.
    fn traits_of_it(&self, method: &str, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let traits = self.traits_with(method);
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.kind == "trait" && traits.contains(node.name.as_str())
        };
        batch.iter().copied().filter(is_it).collect()
    }

    /// Impls of the trait that a method's type must have, for the very type that an error is about.
    pub fn impls_that_must_be(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let bounds = unmet_must_be(error);
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            matches!(node.role, Role::TraitImpl | Role::Derive)
                && bounds.iter().any(|bound| {
                    let ends = [bound.of_type, bound.of_trait].map(|path| self.nodes.ways.end("", path));
                    let is_of = bound.of_type.rsplit("::").next() == Some(node.of_type.as_str());
                    is_of && node.is_of_trait(bound.last()) && !self.nodes.is_another(node, &ends)
                })
        };
        batch.iter().copied().filter(is_it).collect()
    }

    /// The first of these bounds that something of the batch meets: what that is.
    fn first_met<'e>(
        &self,
        mut bounds: impl Iterator<Item = Bound<'e>>,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let met = |bound: Bound| {
            let found = self.bound_as(&bound, error, batch, closed);
            (!found.is_empty()).then_some(found)
        };
        bounds.find_map(met).unwrap_or_default()
    }

    /// Impls of traits that have the method, for the type that the error is about or for all types.
    fn impls_with(&self, method: &str, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let traits = self.traits_with(method);
        let of_type = names(error.text.split('`').nth(3).unwrap_or_default());
        let is_it = |i: &usize| {
            let node = &list[*i];
            let is_name = node.of_type.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let is_of =
                of_type.contains(&node.of_type.as_str()) || (is_name && !node.needs.contains(&node.of_type));
            node.role == Role::TraitImpl && traits.contains(node.of_trait.as_str()) && is_of
        };
        batch.iter().copied().filter(is_it).collect()
    }

    /// "Cannot multiply `A` by `B`": an impl of that operator, or a macro call that made it.
    pub fn operator(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let Some(of_trait) = operator(error) else {
            return BTreeSet::new();
        };
        if let Some((left, right)) = operands(error) {
            let said = [names(left), names(right)].concat();
            let left = outermost(left);
            let found = self.demanded_of_operands(left, of_trait, &said, (batch, closed));
            if !found.is_empty() {
                return found;
            }
            let of_type = [vec![left], self.aliases(&[left], &said)].concat();
            let found = self.nearest_impls(&of_type, of_trait, &said, usize::MAX, batch);
            if !found.is_empty() {
                return found;
            }
        }
        let has = |word: &str| !word.is_empty() && error.words.contains(word);
        let found = self.pick(error, batch, closed, &|n| {
            is_impl(n) && n.is_of_trait(of_trait) && has(&n.of_type)
        });
        if !found.is_empty() {
            return found;
        }
        let of_type: Vec<&str> = error.words.iter().map(String::as_str).collect();
        let found = self.calls_for(&of_type, of_trait, batch);
        if found.is_empty() {
            self.calls(error, batch)
        } else {
            found
        }
    }

    /// What an operator's impl that is there demands of the types that are `said`, and they lack: of operators no error says
    /// that.
    fn demanded_of_operands(
        &self,
        left: &str,
        of_trait: &str,
        said: &[&str],
        (batch, closed): (&BTreeSet<usize>, &BTreeSet<usize>),
    ) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let at = |k: isize| self.tokens.at(k);
        let is_there = |i: &usize| {
            let node = &list[*i];
            let is_it = node.role == Role::TraitImpl && node.is_of_trait(of_trait) && node.of_type == left;
            is_it && !closed.contains(i) && !self.removed.contains(i) && !self.is_inside_removed(*i)
        };
        let mut found = BTreeSet::new();
        for there in (0..list.len()).filter(is_there) {
            let (first, last) = self.tokens_of(there);
            let head = (first..last).take_while(|k| at(*k) != "{");
            let bounds: BTreeSet<&str> = head.filter(|k| matches!(at(k - 1), ":" | "+")).map(at).collect();
            for of in said.iter().filter(|of| **of != left) {
                let lacked = |bound: &&str| self.nearest_impls(&[of], bound, said, usize::MAX, batch);
                found.extend(bounds.iter().flat_map(lacked));
            }
        }
        found
    }

    /// `Copy` and `Clone` of the types of fields that a type which is copied has.
    pub fn copied(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        if !matches!(error.code.as_str(), "E0204" | "E0740") {
            return BTreeSet::new();
        }
        let said = error.spans.iter().filter_map(|span| self.whole.get(span.clone()));
        // Which fields they are is said beside.
        let shown = error.rendered.lines().filter_map(|line| line.split_once(" | "));
        let said = said.chain(shown.map(|(_, line)| line));
        let words: BTreeSet<&str> = said.flat_map(super::words).map(|(_, word)| word).collect();
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            let is_role = matches!(node.role, Role::TraitImpl | Role::Derive);
            is_role
                && ["Copy", "Clone"].contains(&node.of_trait.as_str())
                && words.contains(node.of_type.as_str())
        };
        batch.iter().copied().filter(is_it).collect()
    }
}
