//! Parts that the compiler never calls unused: tried all at once, and what errors ask back stays.

use super::Shaker;
use super::code::Code;
use super::compiled::versions;
use super::nodes::{Node, Role};
use anyhow::Result;
use std::collections::{BTreeSet, HashSet};

/// How often what errors asked back is tried again, all at once.
const PASSES: usize = 3;
/// Checks that [`Shaker::guarded_at_once`] may take.
const AT_ONCE: usize = 8;
/// Bytes of a text that is long.
pub const LONG: usize = 400_000;
/// Bytes of a text of which [`Shaker::guarded_at_once`] is worth it.
const EARLY: usize = 150_000;

impl Shaker<'_> {
    /// The same once, before anything else is asked of a text that is not short: what holds nothing else goes at a price
    /// that the rest would cost again and again. Only where it is known what there is code for, and where errors soon ask
    /// nothing back. What they ask is for [`Self::guarded_parts`] to try again, as by then most of what asks has gone.
    pub fn guarded_at_once(&mut self) -> Result<()> {
        if self.left() < EARLY || self.compiled.is_empty() {
            return Ok(());
        }
        let compiled = self.compiled.clone();
        let compiled: Vec<&String> = compiled.iter().collect();
        let locked = self.locked.clone();
        self.most_checks = self.checks + AT_ONCE;
        self.attempt(&self.silent_crates(&compiled), &BTreeSet::new())?;
        let before = self.removed.len();
        let batch = self.candidates(&compiled);
        self.attempt(&batch, &BTreeSet::new())?;
        self.most_checks = usize::MAX;
        if self.removed.len() == before {
            self.locked = locked;
        } else {
            self.recalled.extend(self.locked.difference(&locked));
        }
        Ok(())
    }

    /// Trait impls, derives, overriding methods, macro calls, asserts, macros of quiet names, modules left empty.
    pub fn guarded_parts(&mut self, reference: &Code, retries: usize) -> Result<()> {
        if self.compiled.is_empty() {
            self.compiled = reference.items()?.keys().cloned().collect();
        }
        let compiled = self.compiled.clone();
        let compiled: Vec<&String> = compiled.iter().collect();
        self.attempt(&self.silent_crates(&compiled), &BTreeSet::new())?;
        for pass in 0..PASSES {
            let started = self.removed.len();
            loop {
                let before = self.removed.len();
                let batch = self.candidates(&compiled);
                self.attempt(&batch, &BTreeSet::new())?;
                self.unreached()?;
                self.unused()?;
                if self.removed.len() == before {
                    break;
                }
            }
            if self.forget() {
                continue;
            }
            if retries == 0 || pass + 1 == PASSES || self.removed.len() == started || self.is_spent() {
                break;
            }
            // What was asked back for something that has gone since is tried again.
            self.locked = self.held();
        }
        self.keep_copies()?;
        // One more chance, one by one: blame is coarse, where it did not name one alone.
        let size = |i: &usize| self.nodes.list[*i].range.len();
        let held = self.held();
        let mut retry: Vec<usize> = self.locked.difference(&held).copied().collect();
        retry.retain(|i| self.nodes.list[*i].role != Role::Derive);
        retry.sort_by_key(|i| (std::cmp::Reverse(size(i)), *i));
        retry.truncate(retries);
        // As many at once as it went well with before, and half of them where it does not.
        let (mut next, mut many) = (0, 1);
        while next < retry.len() && !self.is_spent() {
            let end = retry.len().min(next + many);
            let is_left = |i: &usize| {
                !self.removed.contains(i) && !self.is_inside_removed(*i) && !self.spared.contains(i)
            };
            let some: BTreeSet<usize> = retry[next..end].iter().copied().filter(is_left).collect();
            if some.is_empty() {
                next = end;
                continue;
            }
            let closed = self.close(&some);
            let all = &self.removed | &closed;
            self.checks += 1;
            let outcome = self.compiler.check(&self.blanked(&all))?;
            if outcome.errors.is_empty() {
                self.guarded.extend(closed);
                self.removed = all;
                self.heard(outcome);
                self.locked = &self.locked - &some;
                (next, many) = (end, 2 * many);
            } else if some.len() == 1 {
                (next, many) = (end, 1);
            } else {
                many = some.len() / 2;
            }
            self.progress();
        }
        self.unused()
    }

    /// `Copy` stays where `Clone` does: the derived `clone` of a type that is `Copy` is another function.
    fn keep_copies(&mut self) -> Result<()> {
        let stay = (0..self.nodes.list.len()).filter(|i| !self.removed.contains(i));
        let copies = stay.filter_map(|i| self.copy_of(i));
        let back: BTreeSet<usize> = copies.filter(|copy| self.removed.contains(copy)).collect();
        if back.is_empty() {
            return Ok(());
        }
        self.removed = &self.removed - &back;
        self.guarded = &self.guarded - &back;
        self.locked.extend(back);
        self.mend()
    }

    /// The derived `Copy` beside a derived `Clone`.
    pub fn copy_of(&self, clone: usize) -> Option<usize> {
        let list = &self.nodes.list;
        let is_derive = |i: usize, name: &str| list[i].role == Role::Derive && list[i].of_trait == name;
        let parent = list[clone].parent.filter(|_| is_derive(clone, "Clone"))?;
        let beside = (parent + 1..list.len()).take_while(|i| list[*i].parent == Some(parent));
        beside.into_iter().find(|i| is_derive(*i, "Copy"))
    }

    pub fn is_inside_removed(&self, node: usize) -> bool {
        let mut around = self.nodes.list[node].parent;
        while let Some(i) = around {
            if self.removed.contains(&i) {
                return true;
            }
            around = self.nodes.list[i].parent;
        }
        false
    }

    /// Modules at the root that no compiled item stands in or names.
    fn silent_crates(&self, compiled: &[&String]) -> BTreeSet<usize> {
        let is_silent = |node: &Node| {
            let inside = format!("{}::", node.name);
            let is_crate = node.role == Role::Module && node.module.is_empty();
            is_crate && !compiled.iter().any(|item| item.contains(&inside))
        };
        (0..self.nodes.list.len())
            .filter(|i| {
                is_silent(&self.nodes.list[*i]) && !self.removed.contains(i) && !self.locked.contains(i)
            })
            .collect()
    }

    fn candidates(&self, compiled: &[&String]) -> BTreeSet<usize> {
        let has_code = self.with_code();
        let methods = methods(compiled);
        let required = self.required();
        let is_required = |node: &Node| {
            let of = node.parent.map(|parent| &self.nodes.list[parent]);
            let of_trait = of.and_then(|of| self.nodes.resolve(&of.module, &of.trait_path));
            of_trait.is_some_and(|of| required.contains(&(of, node.name.as_str())))
        };
        let uncalled = self.uncalled();
        let versions = versions(compiled);
        let is_candidate = |(i, node): (usize, &Node)| match node.role {
            Role::Macro => uncalled.contains(&i),
            Role::TraitImpl => node.of_trait != "Drop" && !has_code.contains(&i) && !is_fused(node, compiled),
            Role::Derive => !self.has_default(i),
            Role::MacroCall => !self.may_have_code(i, &versions),
            Role::Assert | Role::Extern => true,
            Role::TraitImplItem => {
                // Without its own value a constant takes the trait's default; a type has none.
                let is_method = node.kind == "fn" && !node.name.is_empty();
                node.of_trait != "Drop"
                    && is_method
                    && !methods.contains(node.name.as_str())
                    && !is_required(node)
            }
            _ => false,
        };
        let kept: BTreeSet<usize> = self.locked.iter().filter_map(|i| self.copy_of(*i)).collect();
        (0..self.nodes.list.len())
            .filter(|i| is_candidate((*i, &self.nodes.list[*i])) && !kept.contains(i))
            .filter(|i| !self.removed.contains(i) && !self.locked.contains(i) && !self.is_inside_removed(*i))
            .collect()
    }

    /// Traits and names of their functions without a default.
    fn required(&self) -> HashSet<(usize, &str)> {
        let nodes = self.nodes.list.iter().filter(|node| {
            node.role == Role::TraitItem && self.text[node.range.clone()].trim_end().ends_with(';')
        });
        nodes
            .filter_map(|node| Some((node.parent?, node.name.as_str())))
            .collect()
    }

    /// Impls that have code.
    fn with_code(&self) -> BTreeSet<usize> {
        let made = self.made.iter().chain(&self.coded).flatten();
        made.filter_map(|i| self.nodes.list[*i].parent).collect()
    }
}

/// True of an impl by which the library's `Fuse`, of which there is code for the type, chooses what it does.
fn is_fused(node: &Node, compiled: &[&String]) -> bool {
    let is_of = |item: &&String| item.contains("::fuse::") && item.contains(&node.of_type);
    node.is_of_trait("FusedIterator") && compiled.iter().any(is_of)
}

/// Names that stand behind `>::` in the names of compiled items, as methods of impls do.
fn methods<'a>(compiled: &[&'a String]) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for item in compiled {
        for (at, mark) in item.match_indices(">::") {
            let rest = &item[at + mark.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
            if rest.is_empty() || rest.starts_with("::") {
                names.insert(name);
            }
        }
    }
    names
}
