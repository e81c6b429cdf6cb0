//! What was left out is proven: the code is compared with that of the unshaken text, and what changed it comes back.

use super::code::Code;
use super::labels::words;
use super::nodes::{Nodes, Role};
use super::{PROOF, Shaken, Shaker};
use crate::bundle::TRACE;
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use anyhow::{Result, bail};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// Part of the budget, in percent, for what needs least.
const LEAST: u32 = 130;

/// Without what the compiler itself calls unused, if that is proven at once; else all of it.
pub fn modest(text: &str, compile: &Compile, reference: &Code, say: &dyn Fn(&str)) -> Result<Shaken> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let mut shaker = Shaker::new(&tokens, &nodes, compile, say)?;
    shaker.until = LEAST;
    shaker.start(false, None)?;
    let proven = shaker.unused().and_then(|()| {
        let code = reference.other(&shaker.blanked(&shaker.removed));
        reference.difference(&code)
    });
    if !proven.is_ok_and(|changed| changed.is_empty()) {
        shaker.removed.clear();
        let outcome = shaker.compiler.check(text)?;
        shaker.heard(outcome);
    }
    Ok(shaker.result())
}

impl Shaker<'_> {
    /// Compares the code with the unshaken text's and gives back what changed it; the code that is left.
    pub fn prove(&mut self, reference: &Code) -> Result<Code> {
        let last = RefCell::new(None);
        self.prove_by(&|left| {
            let code = reference.other(left);
            let changed = reference.difference(&code)?;
            last.replace(Some(code));
            Ok(changed)
        })?;
        Ok(last.into_inner().expect("what is proven was compared"))
    }

    /// Gives back what changed the code: `differs` names what of a text is other code.
    pub fn prove_by(&mut self, differs: &dyn Fn(&str) -> Result<Vec<String>>) -> Result<()> {
        (self.say)("comparing the code with the unshaken bundle's");
        for n in 0..24 {
            if n > 0 && self.compiler.budget().is_past(PROOF) {
                break;
            }
            let changed = differs(&self.blanked(&self.removed))?;
            if changed.is_empty() {
                return Ok(());
            }
            (self.say)(&format!("{TRACE}changed: {}", changed.join(", ")));
            if self.guarded.is_empty() {
                bail!(
                    "removing what the compiler calls unused changed the code of {}",
                    changed.join(", ")
                );
            }
            // Of what was copied and is moved now no name tells; it is little.
            let copies = self.copies();
            self.give_back(&changed, copies)?;
            self.progress();
        }
        bail!("no set of removals was found that leaves the code as it is")
    }

    /// Guarded derives that say of types which are there that they are copied.
    fn copies(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let is_there = |i: &usize| list[*i].role == Role::Derive && !self.is_inside_removed(*i);
        let guarded = || self.guarded.iter().copied().filter(is_there);
        let copies = guarded().filter(|i| list[*i].of_trait == "Copy");
        let types: BTreeSet<Option<usize>> = copies.map(|i| list[i].parent).collect();
        let is_said = |i: &usize| matches!(list[*i].of_trait.as_str(), "Copy" | "Clone");
        guarded()
            .filter(|i| is_said(i) && types.contains(&list[*i].parent))
            .collect()
    }

    /// Restores the guarded parts that are `suspects`, else those that the changed names point to, or the later half of all.
    fn give_back(&mut self, changed: &[String], mut suspects: BTreeSet<usize>) -> Result<()> {
        let changed = if suspects.is_empty() { changed } else { &[] };
        for name in changed {
            let words: BTreeSet<&str> = words(name)
                .filter(|(is_word, _)| *is_word)
                .map(|(_, w)| w)
                .collect();
            for i in &self.guarded {
                let node = &self.nodes.list[*i];
                let is_trait = !node.of_trait.is_empty() && words.contains(node.of_trait.as_str());
                let is_impl = is_trait && (node.of_type.is_empty() || words.contains(node.of_type.as_str()));
                if is_impl || (node.role == Role::MacroCall && self.makes_impl(*i, &words)) {
                    suspects.insert(*i);
                }
            }
        }
        if suspects.is_empty() {
            let list: Vec<usize> = self.guarded.iter().copied().collect();
            suspects = list[list.len() / 2..].iter().copied().collect();
        }
        self.guarded = &self.guarded - &suspects;
        self.removed = &self.removed - &suspects;
        self.locked.extend(&suspects);
        // What these use may have gone on the compiler's word since: ask it again.
        self.mend()
    }

    /// Restores until the text compiles.
    pub fn mend(&mut self) -> Result<()> {
        for _ in 0..64 {
            if self.compiler.budget().is_past(PROOF) {
                bail!("its parts are not put together again within the budget");
            }
            self.checks += 1;
            let outcome = self.compiler.check(&self.blanked(&self.removed))?;
            if outcome.errors.is_empty() {
                self.heard(outcome);
                return Ok(());
            }
            let removed = self.removed.clone();
            let mut back = self.blamed(&outcome.errors, &removed, &removed);
            if back.is_empty() {
                (self.say)(&format!("{TRACE}all of it back"));
                break;
            }
            if !self.crates.is_empty() {
                back = self.with_owners(&back, &self.removed);
            }
            self.removed = &self.removed - &back;
            self.guarded = &self.guarded - &back;
            self.locked.extend(back);
        }
        self.removed.clear();
        self.guarded.clear();
        Ok(())
    }
}
