//! Where traits are in scope.

use super::super::names::{absolute, joined};
use super::super::nodes::{Node, Role};
use super::{METHOD, Reach};
use std::collections::{BTreeSet, HashMap};

/// Traits of the library that are imported for their methods, and words that mean one of those.
const LIBRARY: [(&str, &[&str]); 9] = [
    (
        "Read",
        &[
            "read",
            "read_exact",
            "read_to_end",
            "read_to_string",
            "bytes",
            "take",
            "chain",
            "by_ref",
        ],
    ),
    (
        "Write",
        &[
            "write",
            "writeln",
            "write_all",
            "write_char",
            "write_fmt",
            "write_str",
            "flush",
        ],
    ),
    (
        "BufRead",
        &["lines", "read_line", "read_until", "split", "fill_buf", "consume"],
    ),
    ("Seek", &["seek", "rewind", "stream_position"]),
    ("FromStr", &["from_str"]),
    ("Hash", &["hash", "hash_slice"]),
    (
        "Hasher",
        &["finish", "write_u8", "write_u32", "write_u64", "write_usize"],
    ),
    ("BuildHasher", &["build_hasher", "hash_one"]),
    ("Borrow", &["borrow"]),
];

impl Reach<'_> {
    /// True if it imports what may be a trait of the library, there for methods whose names nobody knows here. The
    /// compiler says soon enough which are of no use, and where names reach little they would lead further.
    pub fn may_have_methods(&self, node: &Node) -> bool {
        let Some(last) = of_library(node).filter(|last| last.starts_with(char::is_uppercase)) else {
            return false;
        };
        // `BitXor::bitxor`, `FromStr::from_str`.
        let is_called = |name: &str| self.is_said(name, METHOD);
        !self.is_fine || is_called(&last.to_lowercase()) || is_called(&snake(last))
    }

    /// True if it imports a trait of the library of which its module says a method: an error would ask it back.
    pub fn has_methods_said(&self, node: &Node) -> bool {
        let last = of_library(node);
        let methods = LIBRARY.iter().find(|(name, _)| Some(*name) == last);
        let said = self.said_in.get(node.module.as_str());
        methods
            .zip(said)
            .is_some_and(|((_, methods), said)| methods.iter().any(|method| said.contains(method)))
    }

    /// True if it imports what may be a trait of a crate that is not in the text: of that the compiler says nothing where
    /// no other name leads to it.
    pub fn is_from_outside(&self, node: &Node) -> bool {
        let here = ["crate", "self", "super", "Self", "std", "core", "alloc"];
        let Some((root, path)) = node.path.trim_start_matches("::").split_once("::") else {
            return false;
        };
        let last = path.rsplit("::").next().unwrap_or_default();
        let is_declared = || self.modules.contains(root) || self.types.contains_key(root);
        last.starts_with(char::is_uppercase) && !here.contains(&root) && !is_declared()
    }

    /// In which modules each trait is in scope: where it is declared, imported or let in by a glob.
    pub fn find_scopes(&mut self) {
        let list = &self.nodes.list;
        let mut globs: Vec<(&str, String)> = Vec::new();
        let mut named: HashMap<&str, Vec<&str>> = HashMap::new();
        for node in list.iter().filter(|n| n.role == Role::UseLeaf) {
            if node.name == "*" {
                let path = node.path.strip_suffix("::*").unwrap_or(&node.path);
                let target = absolute(&node.module, path).unwrap_or_else(|| path.to_owned());
                let inner = joined(&node.module, path);
                globs.push((&node.module, target));
                globs.push((&node.module, inner));
            } else {
                let last = node.path.rsplit("::").next().unwrap_or_default();
                named.entry(last).or_default().push(&node.module);
            }
        }
        for (name, traits) in &self.traits {
            for &of_trait in traits {
                let mut modules: BTreeSet<&str> = BTreeSet::new();
                modules.insert(&list[of_trait].module);
                modules.extend(named.get(name).into_iter().flatten());
                loop {
                    let more: Vec<&str> = globs
                        .iter()
                        .filter(|(module, target)| {
                            !modules.contains(module) && modules.contains(target.as_str())
                        })
                        .map(|(module, _)| *module)
                        .collect();
                    if more.is_empty() {
                        break;
                    }
                    modules.extend(more);
                }
                self.scopes.insert(of_trait, modules.into_iter().collect());
            }
        }
    }
}

/// The name in the library of what is imported from there.
fn of_library(node: &Node) -> Option<&str> {
    let path = node.path.trim_start_matches("::");
    let roots = ["std::", "core::", "alloc::"];
    let is_library = roots.iter().any(|root| path.starts_with(root));
    path.rsplit("::").next().filter(|_| is_library)
}

/// `FromStr` as `from_str`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
