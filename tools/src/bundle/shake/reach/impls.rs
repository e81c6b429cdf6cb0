//! Which impls may matter: those whose trait and types are there.
//!
//! Types are told apart by name; where it is known what is a crate, also by what the name means in the impl's module.

use super::super::nodes::{Nodes, Role};
use super::{ITEM, Reach};

/// What the names in the head of an impl mean, where that can be told.
pub fn known(nodes: &Nodes, of: usize) -> Vec<(&str, usize)> {
    let node = &nodes.list[of];
    let known = node.needs.iter().filter_map(|name| {
        let found = nodes.resolve(&node.module, name)?;
        let meant = &nodes.list[found];
        let is_type = matches!(meant.kind, "struct" | "enum" | "union" | "trait");
        (is_type || meant.role == Role::MacroCall).then_some((name.as_str(), found))
    });
    known.collect()
}

impl Reach<'_> {
    /// True if a type or trait of this name could be there in the program.
    fn could_be(&self, name: &str, depth: usize) -> bool {
        if self.forced.contains(name) {
            return true;
        }
        let (types, traits) = (self.types.get(name), self.traits.get(name));
        if !self.is_fine {
            if self.is_said(name, ITEM) {
                return true;
            }
            if let Some(short) = self.aliases.get(name).filter(|_| depth > 0) {
                return types.is_none() && short.iter().all(|n| self.could_be(n, depth - 1));
            }
            return match traits {
                Some(list) => list.iter().any(|i| self.live[*i]),
                None => types.is_none(),
            };
        }
        if types.is_some() || traits.is_some() {
            let mut known = types.into_iter().chain(traits).flatten();
            return known.any(|i| self.live[*i])
                || (self.aliases.contains_key(name) && self.is_said(name, ITEM));
        }
        if self.is_said(name, ITEM) {
            return true;
        }
        let short = self.aliases.get(name).filter(|_| depth > 0);
        short.is_none_or(|short| short.iter().all(|n| self.could_be(n, depth - 1)))
    }

    /// True if an impl may matter: its trait and all the types that it is about are there.
    pub fn is_impl_live(&self, index: usize) -> bool {
        let node = &self.nodes.list[index];
        let is_trait_there = || {
            // A trait of the library may have the name of one that is here.
            let exact = if self.is_fine { self.trait_of(index) } else { None };
            if let Some(of_trait) = exact {
                return self.live[of_trait] || self.forced.contains(&node.of_trait);
            }
            node.of_trait.is_empty()
                || self.could_be(&node.of_trait, 4)
                || (self.is_fine && self.is_said(&node.of_trait, ITEM) && self.trait_of(index).is_none())
        };
        // Two types of one name are told apart where it is known which is meant.
        let about = self.about.get(&index).map_or(&[][..], Vec::as_slice);
        let is_there = |name: &String| match about.iter().find(|(known, _)| known == name) {
            Some((_, of)) => self.live[*of] || self.forced.contains(name),
            None => self.could_be(name, 4),
        };
        is_trait_there() && node.needs.iter().all(is_there)
    }

    /// What an impl's trait is in this text, if that can be told.
    pub fn trait_of(&self, node: usize) -> Option<usize> {
        let node = &self.nodes.list[node];
        let found = self.nodes.resolve(&node.module, &node.trait_path);
        found.filter(|i| self.nodes.list[*i].kind == "trait")
    }
}
