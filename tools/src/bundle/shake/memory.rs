//! What one shaking found to be needed, for the next one of nearly the same text.
//!
//! A part that an error asked back is needed as long as what asked for it reads as it did: the next round of folding
//! need not ask again. Parts are told apart by what and where they are; of two that are alike neither is remembered.
//! Forgetting costs questions; remembering wrongly costs characters, never the program.

use super::Shaker;
use super::nodes::Role;
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// By what is needed: what asked for it, and how that read.
#[derive(Default)]
pub struct Memory {
    asked: HashMap<String, Vec<(String, u64)>>,
}

impl Shaker<'_> {
    /// Names of parts that are there once.
    fn keys(&self) -> HashMap<String, usize> {
        let mut keys: HashMap<String, usize> = HashMap::new();
        let mut twice = BTreeSet::new();
        for (i, node) in self.nodes.list.iter().enumerate() {
            if self.removed.contains(&i) || self.is_inside_removed(i) {
                continue;
            }
            let key = format!(
                "{:?} {} {} {} {} {}",
                node.role, node.module, node.of_type, node.of_trait, node.name, node.path
            );
            if keys.insert(key.clone(), i).is_some() {
                twice.insert(key);
            }
        }
        keys.retain(|key, _| !twice.contains(key));
        keys
    }

    /// How a part reads without what was cut, blanks aside.
    fn reads(&self, text: &str, i: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        let whole = &text[self.derived(i).unwrap_or(self.nodes.list[i].range.clone())];
        for byte in whole.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
            byte.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What is needed, and why.
    pub fn memory(&self) -> Memory {
        let text = self.blanked(&self.removed);
        let keys: HashMap<usize, String> = self.keys().into_iter().map(|(key, i)| (i, key)).collect();
        let mut memory = Memory::default();
        for i in self.held() {
            let Some(key) = keys.get(&i) else { continue };
            let told = self.askers[&i]
                .iter()
                .filter_map(|by| Some((keys.get(by)?.clone(), self.reads(&text, *by))));
            memory.asked.insert(key.clone(), told.collect());
        }
        memory
    }

    /// Takes over what is needed still; only of what the compiler never calls unused by itself.
    pub fn recall(&mut self, memory: &Memory) {
        let text = self.blanked(&self.removed);
        let keys = self.keys();
        for (key, askers) in &memory.asked {
            let Some(&i) = keys.get(key) else { continue };
            let is_silent = matches!(
                self.nodes.list[i].role,
                Role::TraitImpl | Role::Derive | Role::Assert | Role::TraitImplItem
            );
            let same = |(by, read): &(String, u64)| {
                let by = *keys.get(by)?;
                (self.reads(&text, by) == *read).then_some(by)
            };
            let askers: Vec<usize> = askers.iter().filter_map(same).collect();
            if is_silent && !askers.is_empty() && !self.removed.contains(&i) {
                self.locked.insert(i);
                self.recalled.insert(i);
                self.askers.entry(i).or_default().extend(askers);
            }
        }
    }

    /// Lets go of what was only needed by what has gone since; `true` if there is any.
    pub fn forget(&mut self) -> bool {
        let held = self.held();
        let free: BTreeSet<usize> = self.recalled.difference(&held).copied().collect();
        self.recalled.clear();
        self.locked = &self.locked - &free;
        !free.is_empty()
    }
}
