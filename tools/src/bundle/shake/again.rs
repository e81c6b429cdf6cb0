//! What the program reaches by names, asked again when bodies and impls have gone.
//!
//! Impls hold each other: a type that only its own impls name, whose traits only ask for each other, is called
//! unused by nobody. By names from `main` on it is not reached, now that what named it has no body.

use super::Shaker;
use super::nodes::{Nodes, Role};
use super::reach::reach;
use crate::bundle::lex::Tokens;
use anyhow::Result;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// How often names come back before it is given up.
const ROUNDS: usize = 8;

impl Shaker<'_> {
    /// Removes what is not reached.
    pub fn unreached(&mut self) -> Result<()> {
        if self.is_spent() {
            return Ok(());
        }
        let left = self.blanked(&self.removed);
        let tokens = Tokens::new(&left, Path::new("bundle"))?;
        let nodes = Nodes::new(&tokens)?;
        let same: HashMap<(usize, &str), usize> = (0..self.nodes.list.len())
            .map(|i| {
                let node = &self.nodes.list[i];
                ((node.range.start, node.name.as_str()), i)
            })
            .collect();
        let mut forced: BTreeSet<String> = BTreeSet::new();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        let mut done = None;
        for _ in 0..ROUNDS {
            let reached = reach(&tokens, &nodes, &forced, &self.crates);
            let dead = reached
                .dead
                .iter()
                .filter(|i| nodes.list[**i].role != Role::Module);
            gone = dead
                .filter_map(|i| {
                    let node = &nodes.list[*i];
                    let same = *same.get(&(node.range.start, node.name.as_str()))?;
                    (self.nodes.list[same].role == node.role && node.of_trait != "Drop").then_some(same)
                })
                .collect();
            gone = &(&gone - &self.removed) - &self.spared;
            if gone.is_empty() {
                return Ok(());
            }
            self.checks += 1;
            let outcome = self.compiler.check(&self.blanked(&(&self.removed | &gone)))?;
            if outcome.errors.is_empty() {
                done = Some(outcome);
                break;
            }
            let said: BTreeSet<&String> = outcome.errors.iter().flat_map(|error| &error.words).collect();
            let before = forced.len();
            for i in &gone {
                let node = &self.nodes.list[*i];
                if !node.name.is_empty() && said.contains(&node.name) {
                    forced.insert(node.name.clone());
                }
                if node.role == Role::TraitImpl && said.contains(&node.of_trait) {
                    forced.extend(node.needs.iter().filter(|name| said.contains(name)).cloned());
                    forced.insert(node.of_trait.clone());
                }
            }
            if forced.len() == before {
                return Ok(());
            }
        }
        if let Some(outcome) = done {
            self.guarded.extend(&gone);
            self.removed.extend(&gone);
            self.heard(outcome);
            self.progress();
        }
        Ok(())
    }
}
