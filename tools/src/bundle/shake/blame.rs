//! What an error of the compiler asks back, and what cannot stand without something that goes.

use super::Shaker;
use super::compiler::Message;
use super::nodes::{Node, Role};
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

/// The trait of the arithmetic that an error misses.
fn operator(error: &Message) -> Option<&'static str> {
    let said = [
        ("cannot add", "Add"),
        ("cannot subtract", "Sub"),
        ("cannot multiply", "Mul"),
        ("cannot divide", "Div"),
        ("cannot calculate the remainder", "Rem"),
    ];
    let found = said.iter().find(|(words, _)| error.text.starts_with(words));
    found
        .filter(|_| error.code == "E0369")
        .map(|(_, of_trait)| *of_trait)
}

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
                }
                _ => {}
            }
        }
        &all - &self.removed
    }

    /// Which of the batch an error asks back.
    pub fn blame(
        &self,
        error: &Message,
        batch: &BTreeSet<usize>,
        closed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let has = |word: &str| !word.is_empty() && error.words.contains(word);
        let pick = |test: &dyn Fn(&Node) -> bool| -> BTreeSet<usize> {
            let hit: BTreeSet<usize> = closed
                .iter()
                .copied()
                .filter(|i| test(&self.nodes.list[*i]))
                .collect();
            let direct = self.nearest(&hit & batch, error);
            if !direct.is_empty() {
                return direct;
            }
            // The impl fell with its type or trait: that is what has to come back.
            let owner = |i: &usize| {
                let node = &self.nodes.list[*i];
                batch
                    .iter()
                    .copied()
                    .filter(|b| {
                        let name = &self.nodes.list[*b].name;
                        *name == node.of_type || *name == node.of_trait
                    })
                    .collect::<Vec<_>>()
            };
            hit.iter().flat_map(owner).collect()
        };
        let is_impl = |n: &Node| matches!(n.role, Role::TraitImpl | Role::Derive | Role::TraitImplItem);
        let steps: [&dyn Fn(&Node) -> bool; 6] = [
            &|n| is_impl(n) && has(&n.of_trait) && has(&n.of_type),
            &|n| is_impl(n) && has(&n.of_trait),
            &|n| !is_impl(n) && has(&n.name),
            &|n| n.role == Role::TraitImplItem && has(&n.name),
            &|n| is_impl(n) && has(&n.of_type) && COERCIONS.contains(&n.of_trait.as_str()),
            &|n| has(&n.of_type),
        ];
        // "No method named `x` found for type `T`".
        if error.code == "E0599" {
            let quoted = error.text.split('`').nth(1).unwrap_or_default();
            let found = pick(&|n| {
                n.name == quoted
                    && matches!(
                        n.role,
                        Role::Method | Role::MacroPart | Role::TraitItem | Role::TraitImplItem
                    )
                    && (n.role == Role::MacroPart || has(&n.of_type) || has(&n.of_trait))
            });
            if !found.is_empty() {
                return found;
            }
        }
        // "Cannot multiply `A` by `B`": an impl of that operator, or a macro call that made it.
        if let Some(of_trait) = operator(error) {
            let found = pick(&|n| is_impl(n) && n.of_trait == of_trait && has(&n.of_type));
            if !found.is_empty() {
                return found;
            }
            let is_call = |i: &usize| self.nodes.list[*i].role == Role::MacroCall;
            let calls: BTreeSet<usize> = batch.iter().copied().filter(is_call).collect();
            if !calls.is_empty() {
                return calls;
            }
        }
        for span in &error.spans {
            let Some(place) = self.nodes.at(span) else {
                continue;
            };
            let module = self.nodes.module_at(place);
            for word in &error.words {
                if let Some(item) = self.nodes.resolve(module, word) {
                    if batch.contains(&item) {
                        return [item].into();
                    }
                }
            }
        }
        for step in steps {
            let found = pick(step);
            if !found.is_empty() {
                return found;
            }
        }
        // What the place of the error says may have meant one of them, and means something else now.
        let said = error.spans.iter().filter_map(|span| self.whole.get(span.clone()));
        let said: BTreeSet<&str> = said
            .flat_map(super::words)
            .filter_map(|(is_word, word)| is_word.then_some(word))
            .collect();
        let found = pick(&|n| said.contains(n.name.as_str()));
        if !found.is_empty() {
            return found;
        }
        if !self.crates.is_empty() {
            let found = self.inside(error, batch);
            if !found.is_empty() {
                return found;
            }
        }
        // A macro call's products have names we cannot see.
        let calls: BTreeSet<usize> = batch
            .iter()
            .copied()
            .filter(|i| self.nodes.list[*i].role == Role::MacroCall)
            .collect();
        calls
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
