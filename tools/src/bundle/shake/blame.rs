//! What an error of the compiler asks back, and what cannot stand without something that goes.

use super::Shaker;
use super::compiler::Message;
use super::nodes::{Node, Role};
use super::said::{outermost, parameters, ways};
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

pub fn is_impl(node: &Node) -> bool {
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
        let unresolved = errors.iter().filter(|error| error.code == "E0432");
        let places = unresolved.flat_map(|error| &error.spans);
        let nodes = places.filter_map(|span| self.nodes.at(span));
        nodes.filter(|i| self.may_dangle(*i, removed)).collect()
    }

    /// True of an import that is there and was not needed.
    fn may_dangle(&self, i: usize, removed: &BTreeSet<usize>) -> bool {
        self.nodes.list[i].role == Role::UseLeaf && !removed.contains(&i) && !self.locked.contains(&i)
    }

    /// Imports that the errors point to, or to what stands before the braces that they are in; and those of what is private
    /// and named as something else that has gone: of a function `join` in a module `join`.
    pub fn astray(&self, errors: &[Message], removed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_there = |i: &usize| self.may_dangle(*i, removed);
        let mut astray = BTreeSet::new();
        for error in errors
            .iter()
            .filter(|error| matches!(error.code.as_str(), "E0432" | "E0603"))
        {
            for i in error.spans.iter().filter_map(|span| self.nodes.at(span)) {
                match self.nodes.list[i].role {
                    Role::UseLeaf => astray.extend(Some(i).filter(is_there)),
                    Role::Use | Role::UseGroup if error.code == "E0432" => {
                        astray.extend(self.standing_in(i).filter(is_there));
                    }
                    _ => {}
                }
            }
        }
        astray
    }

    /// Adds what cannot stand without the batch: impls of a type or trait that goes, impls' versions of a
    /// trait's function that goes, use lines of it are left to the compiler's next report.
    pub fn close(&self, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = batch.clone();
        let nodes = self.nodes;
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
        // A macro has the same said of what it makes many times over.
        let mut told = BTreeSet::new();
        for error in errors {
            let places: Vec<Option<usize>> = error.spans.iter().map(|span| self.nodes.at(span)).collect();
            if !told.insert((&error.text, &error.words, places)) {
                continue;
            }
            let mut asked = self.blame(error, batch, closed, is_vague);
            if error.code == "E0599" {
                let beside = self.called_beside(error, &asked, batch);
                asked.extend(beside);
            }
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

    /// What else is called of the types and traits of which an error asks for a method, where it stands: of a chain of calls
    /// the compiler names the first alone.
    fn called_beside(
        &self,
        error: &Message,
        asked: &BTreeSet<usize>,
        batch: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let is_method = |node: &Node| matches!(node.role, Role::Method | Role::TraitItem);
        let owners: BTreeSet<(&str, &str)> = (asked.iter().map(|i| &list[*i]))
            .filter(|node| is_method(node))
            .map(|node| (node.of_type.as_str(), node.of_trait.as_str()))
            .collect();
        if owners.is_empty() {
            return BTreeSet::new();
        }
        let places: BTreeSet<usize> = error
            .spans
            .iter()
            .filter_map(|span| self.nodes.at(span))
            .collect();
        let at = |k: usize| self.tokens.at(k as isize);
        let mut called = BTreeSet::new();
        for (first, last) in places.into_iter().map(|place| self.tokens_of(place)) {
            let is_call = |k: &usize| at(k - 1) == "." && matches!(at(k + 1), "(" | "::");
            called.extend((first.max(1) as usize..last as usize).filter(is_call).map(at));
        }
        let is_it = |i: &usize| {
            let node = &list[*i];
            let is_owned = || owners.contains(&(node.of_type.as_str(), node.of_trait.as_str()));
            is_method(node) && called.contains(node.name.as_str()) && is_owned()
        };
        batch.iter().copied().filter(is_it).collect()
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
        if !is_vague && error.text.ends_with(UNMET) {
            let own = self.own_method(error, batch);
            return if own.is_empty() {
                self.impls_that_must_be(error, batch)
            } else {
                own
            };
        }
        if !is_vague && error.code == "E0034" {
            return BTreeSet::new();
        }
        let named: [&dyn Fn() -> BTreeSet<usize>; 12] = [
            &|| self.missing(error, batch),
            &|| self.copied(error, batch),
            &|| self.undeclared(error, batch),
            &|| self.named_in_trait(error, batch),
            &|| self.dereferenced(error, batch),
            &|| self.bound(error, batch, closed),
            &|| self.method(error, batch, closed),
            &|| self.method_behind(error, batch),
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

    /// A type's own method, where an error misses what one of a trait asks for: it would be called before that.
    fn own_method(&self, error: &Message, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let [name, of] = [1, 3].map(|n| error.text.split('`').nth(n).unwrap_or_default());
        let of = outermost(of);
        let is_it = |i: &usize| {
            let node = &self.nodes.list[*i];
            node.role == Role::Method && node.name == name && node.of_type == of
        };
        batch.iter().copied().filter(is_it).collect()
    }

    /// Nodes of the batch that pass the test, nearest to what the error names; where one fell with its type or trait,
    /// that is what has to come back.
    pub fn pick(
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
        // With an impl that fell alone.
        let around = hit.iter().filter_map(|i| self.nodes.list[*i].parent);
        let fell = |i: &usize| batch.contains(i) && self.nodes.list[*i].role == Role::TraitImpl;
        let direct = self.nearest(around.filter(fell).collect(), error);
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
        let is_macro = !is_vague && error.code.is_empty() && error.text.starts_with("cannot find macro ");
        // What a type is in is not what it misses.
        let ways = if MISSED.contains(&error.code.as_str()) {
            BTreeSet::new()
        } else {
            &ways(&error.text) | &parameters(&error.rendered)
        };
        let has = |word: &str| {
            let is_said =
                !word.is_empty() && error.words.contains(word) && !is_prose(word) && !ways.contains(word);
            is_said && (!is_macro || error.text.contains(&format!("`{word}`")))
        };
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
    use super::super::nodes::Nodes;
    use super::*;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    /// Names of what an error asks back where all may go; of a text that is shaken.
    fn asked(text: &str, code: &str, said: &str) -> Vec<String> {
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
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
    fn a_type_s_own_method_is_meant_before_one_of_a_trait() {
        let text = "struct F; struct G; impl F { fn max(self, _: F) -> F { self } }
            impl G { fn max(self, _: G) -> G { self } } fn main() {}";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &Compile::default(), &|_| {}).unwrap();
        let all: BTreeSet<usize> = (0..nodes.list.len()).collect();
        let said = "the method `max` exists for struct `a::G`, but its trait bounds were not satisfied";
        let error = Message::of("E0599", said);
        // The same of one place is one question.
        let found = shaker.blamed_as(&[error.clone(), error], &all, &all, false);
        let types: Vec<&str> = found.iter().map(|i| nodes.list[*i].of_type.as_str()).collect();
        assert_eq!(types, ["G"]);
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
