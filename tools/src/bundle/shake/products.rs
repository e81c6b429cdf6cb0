//! What is known of what calls of macros make: impls, and names.

use super::nodes::{Node, Nodes, Role};
use std::collections::{BTreeSet, HashMap};

/// An impl that a macro makes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product {
    /// Last name of its trait.
    pub of_trait: String,
    /// Last name of its type.
    pub of_type: String,
    /// All names that it is about.
    pub needs: Vec<String>,
}

impl Product {
    /// True of an impl for one of these types, or for all: a parameter of an impl may be any type.
    pub fn is_for(&self, types: &BTreeSet<&str>) -> bool {
        types.contains(self.of_type.as_str()) || !self.needs.contains(&self.of_type)
    }
}

/// What is known of calls as they stand in a text.
#[derive(Clone, Default)]
pub struct Products {
    /// The impls that they make.
    pub impls: HashMap<String, BTreeSet<Product>>,
    /// The names that they declare.
    pub names: HashMap<String, BTreeSet<String>>,
}

/// Those of a text's parts that are meant.
pub fn impls(nodes: &Nodes, is_meant: &dyn Fn(&Node) -> bool) -> Vec<Product> {
    let impls = nodes
        .list
        .iter()
        .filter(|node| node.role == Role::TraitImpl && is_meant(node));
    let made = impls.map(|node| Product {
        of_trait: node.of_trait.clone(),
        of_type: node.of_type.clone(),
        needs: node.needs.clone(),
    });
    made.collect()
}

/// The names that a text declares; none where a call or an import of all there is may declare more.
pub fn declared(nodes: &Nodes) -> Option<Vec<String>> {
    let is_in_impl = |node: &Node| {
        let of = node.parent.map(|of| nodes.list[of].role);
        matches!(of, Some(Role::Impl | Role::TraitImpl))
    };
    let is_open = |node: &Node| match node.role {
        Role::MacroCall => !is_in_impl(node),
        Role::UseLeaf => node.name == "*",
        _ => false,
    };
    if nodes.list.iter().any(is_open) {
        return None;
    }
    let is_name = |node: &&Node| {
        matches!(
            node.role,
            Role::Item | Role::Macro | Role::Module | Role::UseLeaf | Role::Extern
        )
    };
    let names = nodes.list.iter().filter(is_name);
    Some(names.map(|node| node.name.clone()).collect())
}
