//! Which module of a bundle can name what of which other.
//!
//! Code names what is in another module by a path that leads there, or by what another module imports from there. Where
//! it says no word of such a path, a word of it names nothing in there: `read` in the program is no reason to keep `read`
//! of the C library that a dependency of a dependency calls. Bodies of macros are expanded anywhere and count everywhere.
//! Modules at the root that are crates of their own hold nothing for others where no code outside of them names them.

use super::super::names::{absolute, joined, root};
use super::super::nodes::{Nodes, Role};
use crate::bundle::lex::{Kind, Tokens, unraw};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Crates and modules, and what was said in each.
#[derive(Default)]
pub struct Crates {
    /// Crate of each node; 0 is the program.
    of: Vec<usize>,
    /// Module of each node; 0 is the root.
    place: Vec<usize>,
    /// Modules that can name what is in each.
    viewers: Vec<Set>,
    /// Modules in which a word was said.
    said: HashMap<String, Set>,
    everywhere: HashSet<String>,
    /// Crates by the names of their modules.
    ids: HashMap<String, usize>,
    /// Crates that code outside of them names: what is in the others is about themselves.
    entered: HashSet<usize>,
}

/// Small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, n: usize) {
        if self.0.len() <= n / 64 {
            self.0.resize(n / 64 + 1, 0);
        }
        self.0[n / 64] |= 1 << (n % 64);
    }

    fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, more) in self.0.iter_mut().zip(&other.0) {
            *own |= more;
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 != 0);
        self.0
            .iter()
            .enumerate()
            .flat_map(move |(n, word)| bits(*word).map(move |bit| n * 64 + bit))
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

impl Crates {
    /// Reads who names whom. `names` are modules at the root that are crates of their own.
    pub fn new(tokens: &Tokens, nodes: &Nodes, names: &BTreeSet<String>) -> Self {
        let ids: HashMap<String, usize> = names
            .iter()
            .enumerate()
            .map(|(n, name)| (name.clone(), n + 1))
            .collect();
        let of = nodes.list.iter().map(|node| {
            let is_root = node.role == Role::Module && node.module.is_empty();
            let name = if is_root { &node.name } else { &node.module };
            ids.get(root(name)).copied().unwrap_or(0)
        });
        let of = of.collect();
        let modules = Modules::new(nodes);
        Self {
            of,
            viewers: modules.viewers(tokens),
            place: nodes.list.iter().map(|node| modules.id(&node.module)).collect(),
            said: HashMap::new(),
            everywhere: HashSet::new(),
            ids,
            entered: HashSet::new(),
        }
    }

    /// A word of code: of node `by`, or of code that may stand anywhere.
    pub fn say(&mut self, word: &str, by: Option<usize>) {
        self.enter(word, by);
        match by {
            Some(node) => match self.said.get_mut(word) {
                Some(said) => said.insert(self.place[node]),
                None => self
                    .said
                    .entry(word.to_owned())
                    .or_default()
                    .insert(self.place[node]),
            },
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
        let viewers = &self.viewers[self.place[node]];
        self.everywhere.contains(name) || self.said.get(name).is_some_and(|said| said.meets(viewers))
    }
}

/// The module around `path`.
fn outer(path: &str) -> &str {
    path.rsplit_once("::").map_or("", |(outer, _)| outer)
}

/// Modules by their paths; 0 is the root.
struct Modules<'a> {
    nodes: &'a Nodes,
    ids: BTreeMap<String, usize>,
    /// Those of each name.
    named: HashMap<&'a str, Set>,
    /// Full names of what is no module.
    items: HashSet<String>,
}

impl<'a> Modules<'a> {
    fn new(nodes: &'a Nodes) -> Self {
        let mut ids = BTreeMap::from([(String::new(), 0)]);
        let mut named: HashMap<&str, Set> = HashMap::new();
        let mut items = HashSet::new();
        for node in &nodes.list {
            if node.role == Role::Module {
                let next = ids.len();
                let id = *ids.entry(joined(&node.module, &node.name)).or_insert(next);
                named.entry(&node.name).or_default().insert(id);
            } else if matches!(node.role, Role::Item | Role::Macro) {
                items.insert(joined(&node.module, &node.name));
            }
        }
        Self {
            nodes,
            ids,
            named,
            items,
        }
    }

    /// The innermost known module.
    fn id(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(id) = self.ids.get(path) {
                return *id;
            }
            path = outer(path);
        }
    }

    /// All modules that `path`, said in `here`, may lead through; the last of them, and whether that is where it ends.
    fn led_through(&self, here: &str, path: &str, set: &mut Set) -> (usize, bool) {
        let full = absolute(here, path).unwrap_or_else(|| {
            let head = path.split("::").next().unwrap_or_default();
            let inside = joined(here, head);
            let import = || self.nodes.imports.get(&(here.to_owned(), head.to_owned()));
            if self.ids.contains_key(&inside) || (import().is_none() && self.items.contains(&inside)) {
                joined(here, path)
            } else {
                path.to_owned()
            }
        });
        // Of the root's no other is meant, where nothing here has the name.
        let mut at = String::new();
        let mut last = 0;
        set.insert(0);
        let mut is_known = true;
        for part in full.split("::").filter(|part| !part.is_empty()) {
            let next = joined(&at, part);
            match self.ids.get(&next).filter(|_| is_known) {
                Some(id) => last = *id,
                None if is_known && (part == "*" || self.items.contains(&next)) => return (last, true),
                // What is in a type.
                None if part.starts_with(char::is_uppercase) => return (last, false),
                // By way of an import.
                None => {
                    is_known = false;
                    if let Some(found) = self.named.get(part) {
                        set.extend(found);
                    }
                }
            }
            set.insert(last);
            at = next;
        }
        (last, is_known)
    }

    /// Which modules can name what is in each.
    fn viewers(&self, tokens: &Tokens) -> Vec<Set> {
        let count = self.ids.len();
        // What each names, and where what it imports comes from.
        let mut sees: Vec<Set> = vec![Set::default(); count];
        let mut shows: Vec<Set> = vec![Set::default(); count];
        for (n, seen) in sees.iter_mut().enumerate() {
            seen.insert(n);
        }
        self.read_paths(tokens, &mut sees);
        for node in self.nodes.list.iter().filter(|node| node.role == Role::UseLeaf) {
            let id = self.id(&node.module);
            let path = node.path.trim_start_matches("::");
            let (last, is_plain) = self.led_through(&node.module, path, &mut sees[id]);
            shows[id].insert(last);
            // Not where it seems, if that is an import too.
            if !is_plain {
                let from = path.rsplit("::").take(2);
                from.filter_map(|name| self.named.get(name))
                    .for_each(|found| shows[id].extend(found));
            }
        }
        loop {
            let before = sees.clone();
            for seen in &mut sees {
                for n in seen.clone().iter() {
                    seen.extend(&shows[n]);
                }
            }
            if sees == before {
                break;
            }
        }
        let mut viewers = vec![Set::default(); count];
        for (from, seen) in sees.iter().enumerate() {
            seen.iter().for_each(|n| viewers[n].insert(from));
        }
        viewers
    }

    /// Paths outside of `use` lines.
    fn read_paths(&self, tokens: &Tokens, sees: &mut [Set]) {
        let mut around: Vec<(usize, String)> = vec![(usize::MAX, String::new())];
        let is_mark = |role: Role| matches!(role, Role::Module | Role::Use);
        let mut next = self.nodes.list.iter().filter(|n| is_mark(n.role)).peekable();
        let mut imports_until = 0;
        for (i, token) in tokens.list.iter().enumerate() {
            while let Some(node) = next.next_if(|node| node.range.start <= token.range.start) {
                if node.role == Role::Module {
                    around.push((node.range.end, joined(&node.module, &node.name)));
                } else {
                    imports_until = node.range.end;
                }
            }
            while around.last().is_some_and(|(end, _)| *end <= token.range.start) {
                around.pop();
            }
            let at = i as isize;
            // The last name of a path, or one before a list of them.
            let is_part = tokens.at(at - 1) == "::" || tokens.at(at + 1) == "::";
            let goes_on = tokens.at(at + 1) == "::" && tokens.is_word(at + 2);
            if token.kind != Kind::Ident || !is_part || goes_on || token.range.start < imports_until {
                continue;
            }
            let mut path = vec![tokens.at(at)];
            let mut k = at;
            while tokens.at(k - 1) == "::" && tokens.is_word(k - 2) {
                k -= 2;
                path.push(tokens.at(k));
            }
            path.reverse();
            let path: Vec<&str> = path.iter().map(|part| unraw(part)).collect();
            let here = around.last().map_or("", |(_, path)| path);
            let _ = self.led_through(here, &path.join("::"), &mut sees[self.id(here)]);
        }
    }
}
