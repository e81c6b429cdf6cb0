//! Which crate of a bundle can name what of which other.
//!
//! Crates are modules at the root that say `crate::other` of each other. Where one neither says that nor sees it
//! re-exported, a word of its code names nothing in there: `read` in the program is no reason to keep `read` of the
//! C library that a dependency of a dependency calls. Bodies of macros are expanded anywhere and count everywhere.

use super::super::names::root;
use super::super::nodes::{Nodes, Role};
use crate::bundle::lex::Tokens;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Crates, and what was said in each.
#[derive(Default)]
pub struct Crates {
    /// Crate of each node; 0 is the program.
    of: Vec<usize>,
    /// Crates that can name what is in each.
    viewers: Vec<BTreeSet<usize>>,
    said: Vec<HashSet<String>>,
    everywhere: HashSet<String>,
    /// Crates by the names of their modules.
    ids: HashMap<String, usize>,
    /// Crates that code outside of them names: what is in the others is about themselves.
    entered: HashSet<usize>,
}

impl Crates {
    /// Reads who names whom. `names` are modules at the root that are crates of their own.
    pub fn new(tokens: &Tokens, nodes: &Nodes, names: &BTreeSet<String>) -> Self {
        let ids: HashMap<&str, usize> = names
            .iter()
            .enumerate()
            .map(|(n, name)| (name.as_str(), n + 1))
            .collect();
        let id = |module: &str| {
            let first = root(module);
            ids.get(first).copied().unwrap_or(0)
        };
        let is_root = |n: usize| nodes.list[n].role == Role::Module && nodes.list[n].module.is_empty();
        let of: Vec<usize> = (0..nodes.list.len())
            .map(|n| {
                id(if is_root(n) {
                    &nodes.list[n].name
                } else {
                    &nodes.list[n].module
                })
            })
            .collect();
        let mut sees: Vec<BTreeSet<usize>> = (0..=names.len()).map(|n| [n].into()).collect();
        let mut shows: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); names.len() + 1];
        let roots: Vec<usize> = (0..nodes.list.len())
            .filter(|n| is_root(*n) && of[*n] != 0)
            .collect();
        let mut next = roots.iter().peekable();
        let mut inside = None;
        for (i, token) in tokens.list.iter().enumerate() {
            while next
                .peek()
                .is_some_and(|n| nodes.list[**n].range.start <= token.range.start)
            {
                inside = next.next().copied();
            }
            let here = inside.filter(|n| nodes.list[*n].range.contains(&token.range.start));
            let here = here.map_or(0, |n| of[n]);
            let at = i as isize;
            let is_path = tokens.at(at - 1) == "::" && tokens.at(at - 2) == "crate";
            if let Some(other) = ids.get(tokens.at(at)).filter(|_| is_path || here == 0) {
                sees[here].insert(*other);
            }
        }
        for (n, node) in nodes.list.iter().enumerate() {
            if node.role == Role::UseLeaf && node.public {
                let path = node.path.trim_start_matches("crate::");
                shows[of[n]].insert(id(path));
            }
        }
        loop {
            let before: usize = sees.iter().map(BTreeSet::len).sum();
            for seen in &mut sees {
                let more: BTreeSet<usize> = seen.iter().flat_map(|n| &shows[*n]).copied().collect();
                seen.extend(more);
            }
            if sees.iter().map(BTreeSet::len).sum::<usize>() == before {
                break;
            }
        }
        let viewers = (0..sees.len())
            .map(|n| (0..sees.len()).filter(|from| sees[*from].contains(&n)).collect())
            .collect();
        Self {
            of,
            viewers,
            said: vec![HashSet::new(); names.len() + 1],
            everywhere: HashSet::new(),
            ids: ids.into_iter().map(|(name, id)| (name.to_owned(), id)).collect(),
            entered: HashSet::new(),
        }
    }

    /// A word of code: of node `by`, or of code that may stand anywhere.
    pub fn say(&mut self, word: &str, by: Option<usize>) {
        self.enter(word, by);
        match by {
            Some(node) => drop(self.said[self.of[node]].insert(word.to_owned())),
            None => drop(self.everywhere.insert(word.to_owned())),
        }
    }

    /// A word that may be the name of a crate.
    pub fn enter(&mut self, word: &str, by: Option<usize>) {
        if let Some(id) = self.ids.get(word) {
            if by.is_none_or(|by| self.of[by] != *id) {
                self.entered.insert(*id);
            }
        }
    }

    /// True if the node is in a crate that somebody names.
    pub fn is_entered(&self, node: usize) -> bool {
        self.of[node] == 0 || self.entered.contains(&self.of[node])
    }

    /// True if code that can name `node` says its name.
    pub fn is_named(&self, node: usize, name: &str) -> bool {
        let viewers = &self.viewers[self.of[node]];
        self.everywhere.contains(name) || viewers.iter().any(|from| self.said[*from].contains(name))
    }
}
