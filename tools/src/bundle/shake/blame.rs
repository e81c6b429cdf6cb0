//! What an error of the compiler asks back, and what cannot stand without something that goes.

use super::Shaker;
use super::compiler::Message;
use super::nodes::{Node, Role};
use super::said::{Bound, bound, names, operator};
use std::collections::BTreeSet;

/// Traits the compiler uses without naming them in its errors.
const COERCIONS: [&str; 12] = [
    "Deref",
    "DerefMut",
    "Index",
    "IndexMut",
    "IntoIterator",
    "Iterator",
    "Borrow",
    "AsRef",
    "Copy",
    "Clone",
    "Future",
    "CoerceUnsized",
];

/// How an error ends that knows a method, but not the impls that it takes.
const UNMET: &str = "its trait bounds were not satisfied";

/// Codes of errors that miss a name.
pub const MISSED: [&str; 6] = ["E0405", "E0408", "E0412", "E0425", "E0432", "E0433"];

fn is_impl(node: &Node) -> bool {
    matches!(node.role, Role::TraitImpl | Role::Derive | Role::TraitImplItem)
}

/// Words of the compiler's sentences that may be names as well.
const PROSE: [&str; 18] = [
    "an", "and", "field", "find", "for", "found", "from", "function", "in", "is", "item", "method", "not",
    "of", "or", "scope", "to", "value",
];

impl Shaker<'_> {
    /// Imports that the errors point to.
    pub fn dangling(&self, errors: &[Message], removed: &BTreeSet<usize>) -> BTreeSet<usize> {
        errors
            .iter()
            .filter(|error| error.code == "E0432")
            .flat_map(|error| &error.spans)
            .filter_map(|span| self.nodes.at(span))
            .filter(|i| {
                self.nodes.list[*i].role == Role::UseLeaf && !removed.contains(i) && !self.locked.contains(i)
            })
            .collect()
    }

    /// Adds what cannot stand without the batch: impls of a type or trait that goes, impls' versions of a
    /// trait's function that goes, use lines of it are left to the compiler's next report.
    pub fn close(&self, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = batch.clone();
        let nodes = &self.nodes;
        let impls = |of: usize| nodes.impls.get(&of).into_iter().flatten().copied();
        for &i in batch {
            let gone = &nodes.list[i];
            if gone.name.is_empty() {
                continue;
            }
            match (gone.role, gone.parent) {
                (Role::Item | Role::MacroCall, _) => all.extend(impls(i)),
                (Role::TraitItem, Some(owner)) => {
                    let parts = impls(owner).filter_map(|of| nodes.parts.get(&of)).flatten();
                    all.extend(parts.filter(|part| nodes.list[**part].name == gone.name));
                    // And what macros make of it.
                    let makers = self.makers.get(&nodes.list[owner].name);
                    let is_part = |part: &usize| {
                        let node = &nodes.list[*part];
                        node.role == Role::MacroPart
                            && node.name == gone.name
                            && makers.is_some_and(|makers| node.parent.is_some_and(|of| makers.contains(&of)))
                    };
                    all.extend(self.parts.iter().copied().filter(is_part));
                }
                _ => {}
            }
        }
        &all - &self.removed
    }

    /// Which of the batch errors ask back: what they name, or, where none names anything, what they may mean.
    pub fn blamed(
        &mut self,
        errors: &[Message],
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let named = self.blamed_as(errors, batch, closed, false);
        if named.is_empty() {
            self.blamed_as(errors, batch, closed, true)
        } else {
            named
        }
    }

    /// What they name, or what they may mean if that is to be `is_vague`.
    pub fn blamed_as(
        &mut self,
        errors: &[Message],
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
        is_vague: bool,
    ) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        for error in errors {
            let asked = self.blame(error, batch, closed, is_vague);
            if is_vague || !asked.is_empty() {
                self.trace(error, &asked);
            }
            if !is_vague || error.text.ends_with(UNMET) {
                self.remember(error, &asked);
            }
            all.extend(asked);
        }
        all
    }

    /// Where an error stands that asks for one part alone is what needs it; a type is `Clone` and `Copy` at once.
    fn remember(&mut self, error: &Message, asked: &BTreeSet<usize>) {
        let is_copy = |i: &usize| self.copy_of(*i).is_some_and(|copy| asked.contains(&copy));
        if asked.len() != 1 && !(asked.len() == 2 && asked.iter().any(is_copy)) {
            return;
        }
        for &asked in asked {
            let places = error.spans.iter().filter_map(|span| self.nodes.at(span));
            let by: Vec<usize> = places.map(|place| self.asker(error, place, asked)).collect();
            self.askers.entry(asked).or_default().extend(by);
        }
    }

    /// What asks for `asked` where an error stands: a derive complains at the fields of its type.
    fn asker(&self, error: &Message, place: usize, asked: usize) -> usize {
        let list = &self.nodes.list;
        let mut item = place;
        while let (Role::Solid, Some(parent)) = (list[item].role, list[item].parent) {
            item = parent;
        }
        let of_trait = &list[asked].of_trait;
        if error.code.is_empty() || list[item].role != Role::Item || of_trait.is_empty() {
            return item;
        }
        let is_derive = |node: &Node| {
            node.role == Role::Derive
                && node.of_trait == *of_trait
                && list[item].range.contains(&node.range.start)
        };
        list.iter().position(is_derive).unwrap_or(item)
    }

    /// What of the locked parts would be asked back again: something asked for it that stays, or that would be asked back
    /// itself.
    pub fn held(&self) -> BTreeSet<usize> {
        let mut held: BTreeSet<usize> = BTreeSet::new();
        loop {
            // Whoever asked may go itself, or with something around it.
            let may_go = |i: usize| {
                let mut at = Some(i);
                while let Some(i) = at {
                    if self.removed.contains(&i) || (self.locked.contains(&i) && !held.contains(&i)) {
                        return true;
                    }
                    at = self.nodes.list[i].parent;
                }
                false
            };
            let is_asked = |i: &&usize| {
                let mut by = self.askers.get(*i).into_iter().flatten();
                by.any(|by| !may_go(*by))
            };
            let more: Vec<usize> = self.locked.difference(&held).filter(is_asked).copied().collect();
            if more.is_empty() {
                return held;
            }
            held.extend(more);
        }
    }

    /// Which of the batch an error asks back; `is_vague` if a suspicion will do.
    fn blame(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
        is_vague: bool,
    ) -> BTreeSet<usize> {
        // Some other error says which bounds, or why there is more than one now.
        if !is_vague && (error.text.ends_with(UNMET) || error.code == "E0034") {
            return BTreeSet::new();
        }
        let named: [&dyn Fn() -> BTreeSet<usize>; 8] = [
            &|| self.missing(error, batch),
            &|| self.undeclared(error, batch),
            &|| self.bound(error, batch, closed),
            &|| self.method(error, batch, closed),
            &|| self.operator(error, batch, closed),
            &|| self.resolved(error, batch),
            &|| self.by_words(error, batch, closed, is_vague),
            &|| self.globs(error, batch),
        ];
        let suspected: [&dyn Fn() -> BTreeSet<usize>; 3] = [
            &|| self.said_there(error, batch, closed),
            &|| self.inside(error, batch),
            &|| self.calls(error, batch),
        ];
        let suspected = if is_vague { &suspected[..] } else { &[] };
        let mut asked = named.iter().chain(suspected).map(|ask| ask());
        asked.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Nodes of the batch that pass the test, nearest to what the error names; where one fell with its type or trait,
    /// that is what has to come back.
    fn pick(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
        test: &dyn Fn(&Node) -> bool,
    ) -> BTreeSet<usize> {
        let is_hit = |i: &usize| test(&self.nodes.list[*i]);
        let hit: BTreeSet<usize> = closed.iter().copied().filter(is_hit).collect();
        let direct = self.nearest(&hit & batch, error);
        if !direct.is_empty() {
            return direct;
        }
        let owner = |i: &usize| {
            let node = &self.nodes.list[*i];
            let is_owner = |b: &usize| {
                let name = &self.nodes.list[*b].name;
                !name.is_empty() && (*name == node.of_type || *name == node.of_trait)
            };
            batch.iter().copied().filter(is_owner).collect::<Vec<_>>()
        };
        hit.iter().flat_map(owner).collect()
    }

    /// Where a type lacks a trait: its impl, one for all types, or the macro calls that make it.
    fn bound(&self, error: &Message, batch: &BTreeSet<usize>, closed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let Some(bound) = bound(error) else {
            return BTreeSet::new();
        };
        let found = self.bound_as(&bound, error, batch, closed);
        // What is no iterator may be what one is made of.
        if found.is_empty() && error.text.ends_with("is not an iterator") {
            let of_trait = "IntoIterator";
            return self.bound_as(&Bound { of_trait, ..bound }, error, batch, closed);
        }
        found
    }

    /// Impls of the trait for the type, and calls that say they make it; if there is none, what may make it.
    fn bound_as(
        &self,
        bound: &Bound,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let (of_type, of_trait) = (&bound.names, bound.last());
        let ways = &self.nodes.ways;
        let ends = [bound.of_type, bound.of_trait].map(|path| ways.end("", path));
        // Another type or trait of that name.
        let is_other = |n: &Node| {
            let paths = [&n.path, &n.trait_path];
            let mut known = paths
                .iter()
                .zip(&ends)
                .filter(|(path, end)| !path.is_empty() && end.is_some());
            n.role == Role::TraitImpl
                && known.any(|(path, end)| ways.end(&n.module, path).is_some_and(|of| Some(of) != *end))
        };
        let is_of_type = |n: &Node| of_type.contains(&n.of_type.as_str());
        let is_it = |n: &Node| is_impl(n) && n.is_of_trait(of_trait) && is_of_type(n) && !is_other(n);
        // Of the impls of one trait for one type the one that is about no other types than the error, and about most of
        // those; what a macro makes counts.
        let said = error.text.split('`').nth(1).map_or(Vec::new(), names);
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
        let found = self.pick(error, batch, closed, &|n| {
            n.role == Role::TraitImpl && n.is_of_trait(of_trait) && !n.needs.contains(&n.of_type)
        });
        if !found.is_empty() {
            return found;
        }
        let shape = error
            .text
            .split('`')
            .nth(1)
            .and_then(|of| of.get(..1))
            .unwrap_or_default();
        let found = match shape {
            "[" | "(" | "&" | "*" => self.calls_for_shape(shape, of_trait, batch),
            _ => BTreeSet::new(),
        };
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
    fn method(&self, error: &Message, batch: &BTreeSet<usize>, closed: &BTreeSet<usize>) -> BTreeSet<usize> {
        if !matches!(error.code.as_str(), "E0599" | "E0689") {
            return BTreeSet::new();
        }
        let has = |word: &str| !word.is_empty() && error.words.contains(word);
        let quoted = error.text.split('`').nth(1).unwrap_or_default();
        let of_type = names(error.text.split('`').nth(3).unwrap_or_default());
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
        let steps: [&dyn Fn() -> BTreeSet<usize>; 8] = [
            &|| self.pick(error, batch, closed, &of_it),
            &|| self.calls_inside(&of_type, quoted, batch),
            &|| self.pick(error, batch, closed, &leads),
            &|| self.pick(error, batch, closed, &of_some),
            &|| self.pick(error, batch, closed, &is_declared),
            &|| self.impls_with(quoted, error, batch),
            &|| self.calls_with(quoted, error, batch),
            &|| self.calls_declaring(quoted, batch),
        ];
        let mut found = steps.iter().map(|step| step());
        found.find(|found| !found.is_empty()).unwrap_or_default()
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
    fn operator(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let Some(of_trait) = operator(error) else {
            return BTreeSet::new();
        };
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

    /// What a word of the error means where the error is.
    fn resolved(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let places = error.spans.iter().filter_map(|span| self.nodes.at(span));
        let mut modules = places.map(|place| self.nodes.module_at(place));
        let meant = modules.find_map(|module| {
            let items = error
                .words
                .iter()
                .filter_map(|word| self.nodes.resolve(module, word));
            items.into_iter().find(|item| batch.contains(item))
        });
        meant.into_iter().collect()
    }

    /// What the error's words name.
    fn by_words(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
        is_vague: bool,
    ) -> BTreeSet<usize> {
        // "not found in this scope" names no method `not`.
        let is_prose = |word: &str| PROSE.contains(&word) && !error.rendered.contains(&format!("`{word}`"));
        let has = |word: &str| !word.is_empty() && error.words.contains(word) && !is_prose(word);
        let steps: [&dyn Fn(&Node) -> bool; 6] = [
            &|n| is_impl(n) && has(&n.of_trait) && has(&n.of_type),
            &|n| is_impl(n) && has(&n.of_trait),
            &|n| !is_impl(n) && has(&n.name),
            &|n| n.role == Role::TraitImplItem && has(&n.name),
            &|n| is_impl(n) && has(&n.of_type) && COERCIONS.contains(&n.of_trait.as_str()),
            // One for all types says nothing by the name of its parameter.
            &|n| has(&n.of_type) && (n.role != Role::TraitImpl || n.needs.contains(&n.of_type)),
        ];
        let steps = match (is_vague, error.code.as_str()) {
            // The last two say little.
            (true, _) => &steps[..],
            // No impl brings a name.
            (false, code) if MISSED.contains(&code) => &steps[2..3],
            (false, _) => &steps[..4],
        };
        let mut found = steps.iter().map(|step| self.pick(error, batch, closed, step));
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// What the place of the error says may have meant one of them, and means something else now.
    fn said_there(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let said = error.spans.iter().filter_map(|span| self.whole.get(span.clone()));
        let said: BTreeSet<&str> = said
            .flat_map(super::words)
            .filter_map(|(is_word, word)| is_word.then_some(word))
            .collect();
        self.pick(error, batch, closed, &|n| said.contains(n.name.as_str()))
    }

    /// Parts of an impl without which it is none, or the calls in it that make them.
    fn missing(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        if error.code != "E0046" {
            return BTreeSet::new();
        }
        let names: BTreeSet<&str> = error.text.split('`').skip(1).step_by(2).collect();
        let places: BTreeSet<usize> = error
            .spans
            .iter()
            .filter_map(|span| self.nodes.at(span))
            .collect();
        let is_part = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::TraitImplItem
                && names.contains(node.name.as_str())
                && node.parent.is_some_and(|of| places.contains(&of))
        };
        let parts: BTreeSet<usize> = batch.iter().copied().filter(is_part).collect();
        if !parts.is_empty() {
            return parts;
        }
        let stands_there = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::MacroCall && node.parent.is_some_and(|of| places.contains(&of))
        };
        let calls: BTreeSet<usize> = batch.iter().copied().filter(stands_there).collect();
        let says = |i: &usize| {
            let (first, last) = self.tokens_of(*i);
            (first..last).any(|k| names.contains(self.tokens.at(k)))
        };
        let near: BTreeSet<usize> = calls.iter().copied().filter(says).collect();
        if !near.is_empty() {
            return near;
        }
        // Of an impl that rules make.
        let is_made = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::MacroPart && names.contains(node.name.as_str())
        };
        let made: BTreeSet<usize> = batch.iter().copied().filter(is_made).collect();
        if made.is_empty() { calls } else { made }
    }

    /// What an impl has a version of and the trait has not.
    fn undeclared(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        if !matches!(error.code.as_str(), "E0407" | "E0437" | "E0438") {
            return BTreeSet::new();
        }
        let mut quoted = error.text.split('`').skip(1).step_by(2);
        let part = quoted.next().unwrap_or_default();
        let of_trait = quoted.next().and_then(|path| path.rsplit("::").next());
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::TraitItem && node.name == part && Some(node.of_trait.as_str()) == of_trait
        };
        batch.iter().copied().filter(is_it).collect()
    }

    /// Imports of all there is in a module, where a name is missed that may have come by one.
    fn globs(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        if !MISSED.contains(&error.code.as_str()) {
            return BTreeSet::new();
        }
        let places = error.spans.iter().filter_map(|span| self.nodes.at(span));
        let mut modules: BTreeSet<&str> = places.map(|place| self.nodes.module_at(place)).collect();
        let named = error.text.split('`').skip(1).step_by(2);
        modules.extend(named.filter_map(|name| name.split_once("crate::").map(|(_, path)| path)));
        let is_glob = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::UseLeaf && node.name == "*" && modules.contains(node.module.as_str())
        };
        batch.iter().copied().filter(is_glob).collect()
    }

    /// `nodes` with what is around them in `removed`: nothing comes back into what is not there.
    pub fn with_owners(&self, nodes: &BTreeSet<usize>, removed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = nodes.clone();
        for i in nodes {
            let mut around = self.nodes.list[*i].parent;
            while let Some(i) = around {
                if removed.contains(&i) {
                    all.insert(i);
                }
                around = self.nodes.list[i].parent;
            }
        }
        all
    }

    /// What went with something around it: parts of `removed` in which stands what the error names.
    fn inside(&self, error: &Message, removed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let has = |word: &str| !word.is_empty() && error.words.contains(word);
        let mut found = BTreeSet::new();
        if self.crates.is_empty() {
            return found;
        }
        for (i, node) in self.nodes.list.iter().enumerate() {
            let is_part = matches!(node.role, Role::Method | Role::TraitItem | Role::TraitImplItem);
            if has(&node.name) && (!is_part || has(&node.of_type) || has(&node.of_trait)) {
                found.extend(self.with_owners(&[i].into(), removed).intersection(removed));
            }
        }
        found
    }

    /// Those whose modules the error names most.
    fn nearest(&self, nodes: BTreeSet<usize>, error: &Message) -> BTreeSet<usize> {
        let score = |i: &usize| {
            let module = &self.nodes.list[*i].module;
            module
                .split("::")
                .filter(|part| error.words.contains(*part))
                .count()
        };
        let best = nodes.iter().map(score).max();
        nodes.into_iter().filter(|i| Some(score(i)) == best).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    /// Names of what an error asks back where all may go; of a text that is shaken.
    fn asked(text: &str, code: &str, said: &str) -> Vec<String> {
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let shaker = Shaker::new(text, &tokens, &compile, &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..shaker.nodes.list.len()).collect();
        let found = shaker.by_words(&Message::of(code, said), &all, &all, false);
        let names = found.iter().map(|i| shaker.nodes.list[*i].name.clone());
        names.collect()
    }

    #[test]
    fn a_sentence_names_only_what_it_quotes() {
        let text = "mod a { use std::ops::Not; pub struct S; impl Not for S { type Output = S; fn not(self) -> S { S } } }\n\
                    fn main() {}\n";
        for (said, expected) in [
            (
                "cannot find type `T` in this scope: not found in this scope",
                false,
            ),
            (
                "cannot find function `not` in this scope: not found in this scope",
                true,
            ),
        ] {
            let asked = asked(text, "E0407", said);
            assert_eq!(asked.contains(&"not".to_owned()), expected, "{said}");
        }
    }

    #[test]
    fn a_crate_is_missed_by_the_name_it_has_here() {
        let text = "extern crate alloc as given; mod alloc {}\nfn main() {}\n";
        for (code, said) in [
            ("E0433", "cannot find `given` in the crate root"),
            ("E0432", "unresolved import `given`"),
        ] {
            assert_eq!(asked(text, code, said), ["given"], "{code}");
        }
    }
}
