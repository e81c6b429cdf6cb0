//! Whose impls are whose, and which hold although they lie in a body.

use super::nodes::{Nodes, Role};
use std::collections::{BTreeMap, HashMap};

impl Nodes {
    /// Finds out whose impls are whose.
    pub fn index_impls(&mut self) {
        let mut same: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in self.list.iter().enumerate() {
            if matches!(node.role, Role::Item | Role::MacroCall) {
                same.entry(&node.name).or_default().push(i);
            }
        }
        let (mut impls, mut parts) = (HashMap::new(), HashMap::new());
        for (i, node) in self.list.iter().enumerate() {
            if let (Role::TraitImplItem, Some(of)) = (node.role, node.parent) {
                parts.entry(of).or_insert_with(Vec::new).push(i);
            }
            let about = match node.role {
                Role::Impl => vec![(&node.path, &node.of_type)],
                Role::TraitImpl => vec![(&node.path, &node.of_type), (&node.trait_path, &node.of_trait)],
                _ => Vec::new(),
            };
            for (path, name) in about {
                // By imports, or by a name that occurs once.
                let found = match (
                    self.found(&node.module, path),
                    same.get(name.as_str()).map(Vec::as_slice),
                ) {
                    (Some(found), _) => found,
                    (None, Some([only])) => *only,
                    _ => continue,
                };
                let is_other = *name != self.list[found].name
                    && path == name
                    && !self.imports.contains_key(&(node.module.clone(), path.clone()));
                let of: &mut Vec<usize> = impls.entry(found).or_default();
                if !is_other && of.last() != Some(&i) {
                    of.push(i);
                }
            }
        }
        (self.impls, self.parts) = (impls, parts);
    }

    /// Functions and constants with impls in them of what is declared outside: used or not, these hold for all of the
    /// program.
    pub fn holders(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut holders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, node) in self.list.iter().enumerate() {
            if !matches!(node.role, Role::Impl | Role::TraitImpl) {
                continue;
            }
            let mut around = node.parent;
            while let Some(outer) = around {
                let holder = &self.list[outer];
                around = holder.parent;
                if !matches!(holder.kind, "fn" | "const" | "static") {
                    continue;
                }
                let inside = self.list[outer..]
                    .iter()
                    .take_while(|n| n.range.start < holder.range.end);
                let is_local = inside
                    .filter(|n| n.role == Role::Item)
                    .any(|n| n.name == node.of_type || n.name == node.of_trait && !node.of_trait.is_empty());
                if !is_local {
                    holders.entry(outer).or_default().push(i);
                }
            }
        }
        holders
    }
}
