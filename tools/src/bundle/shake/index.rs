//! What the words of a text name, as far as they tell, by names and without asking the compiler.

use super::Shaker;
use super::compiler::Message;
use super::instances::NEVER;
use super::mentions::Known;
use super::names::{absolute, root};
use super::nodes::{Node, Role};
use super::seen::Seen;
use crate::bundle::lex::unraw;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// What there is, by its name.
pub struct Index<'a> {
    known: Known<'a>,
    seen: Seen<'a>,
    macros: HashMap<&'a str, Vec<usize>>,
    /// What stands in traits.
    owed: HashMap<&'a str, Vec<usize>>,
    /// What macros may name: items and methods.
    items: HashMap<&'a str, Vec<usize>>,
    /// Imports, and the items or macros that they name.
    imported: Vec<(usize, BTreeSet<usize>)>,
}

impl<'a> Index<'a> {
    /// Of all of the text.
    fn of(shaker: &Shaker<'a>) -> Self {
        let nodes = shaker.nodes;
        let mut index = Self {
            known: Known::of(nodes),
            seen: Seen::of(shaker),
            macros: HashMap::new(),
            owed: HashMap::new(),
            items: HashMap::new(),
            imported: Vec::new(),
        };
        let named = || {
            nodes
                .list
                .iter()
                .enumerate()
                .filter(|(_, node)| !node.name.is_empty())
        };
        for (i, node) in named() {
            match (node.role, node.parent) {
                (Role::TraitItem, Some(_)) => index.owed.entry(&node.name).or_default().push(i),
                (Role::Macro, _) => index.macros.entry(&node.name).or_default().push(i),
                (Role::Item | Role::Method | Role::MacroCall, _) => {
                    index.items.entry(&node.name).or_default().push(i);
                }
                _ => {}
            }
        }
        // What may declare something, by the crate that it is in.
        let mut calls: HashMap<&str, Vec<usize>> = HashMap::new();
        let is_call = |(_, node): &(usize, &Node)| node.role == Role::MacroCall;
        for (i, node) in nodes.list.iter().enumerate().filter(is_call) {
            calls.entry(root(&node.module)).or_default().push(i);
        }
        let is_import = |(_, node): &(usize, &Node)| node.role == Role::UseLeaf && node.name != "*";
        for (i, node) in named().filter(is_import) {
            let last = node.path.rsplit("::").next().unwrap_or_default();
            let macros = index.macros.get(last).into_iter().flatten().copied();
            let mut of: BTreeSet<usize> = macros.chain(nodes.found(&node.module, &node.path)).collect();
            let from = absolute(&node.module, &node.path).unwrap_or_else(|| node.path.clone());
            let from = root(from.trim_start_matches("::"));
            if of.is_empty() && shaker.crates.contains(from) {
                // A macro may make it, where it is called with its name.
                let makes = |i: &usize| shaker.may_declare(&nodes.list[*i], last);
                of.extend(calls.get(from).into_iter().flatten().copied().filter(makes));
            }
            index.imported.push((i, of));
        }
        index
    }
}

impl<'a> Shaker<'a> {
    /// What there is by its name: of all of the text, whatever has gone.
    fn index(&self) -> Rc<Index<'a>> {
        Rc::clone(self.index.get_or_init(|| Rc::new(Index::of(self))))
    }

    /// Imports that are not in a body that has gone, and the items or macros that they name.
    pub fn imported(&self) -> Vec<(usize, BTreeSet<usize>)> {
        let index = self.index();
        let is_there = |(i, _): &&(usize, BTreeSet<usize>)| !self.is_in_blank(*i);
        index.imported.iter().filter(is_there).cloned().collect()
    }

    /// True of what stands in a body that has gone.
    pub fn is_in_blank(&self, i: usize) -> bool {
        let range = &self.nodes.list[i].range;
        let next = self.blanks.partition_point(|blank| blank.end < range.end);
        let begins = |blank: &Range<usize>| range.start + NEVER.len() >= blank.start;
        self.blanks.get(next).is_some_and(begins)
    }

    /// Adds `begin` to what lives, with all that it names. What stands in traits lives where the trait does and the name is
    /// among those `said`.
    pub fn spread(&self, begin: BTreeSet<usize>, live: &mut BTreeSet<usize>, said: &mut BTreeSet<usize>) {
        let list = &self.nodes.list;
        let index = self.index();
        let mut todo: Vec<usize> = begin.into_iter().collect();
        while let Some(i) = todo.pop() {
            if !live.insert(i) {
                continue;
            }
            let node = &list[i];
            todo.extend(node.parent);
            todo.extend(self.owed_with(i, live, said));
            let mut named = BTreeSet::new();
            match node.role {
                Role::Module | Role::Use | Role::UseGroup | Role::DeriveList | Role::Derive => {}
                Role::UseLeaf => self.imported_by(i, &index.known, &mut named),
                _ => {
                    self.said_by(i, &index, &mut named);
                    let mut more = self.owed_as(i, &index.owed);
                    let own = self.crate_at(self.nodes.module_at(i));
                    more.retain(|of| index.seen.can_mean(own, self.crate_at(&list[*of].module)));
                    let lives = |of: &&usize| list[**of].parent.is_some_and(|of| live.contains(&of));
                    todo.extend(more.iter().filter(lives));
                    said.extend(more);
                }
            }
            if node.role == Role::TraitImplItem {
                named.extend(self.declared(i));
            }
            if node.role == Role::Item {
                let impls = self.nodes.impls.get(&i).into_iter().flatten().copied();
                named.extend(impls.filter(|i| list[*i].of_trait == "Drop"));
            }
            todo.extend(named);
        }
    }

    /// What the words of node `i` name, as far as they tell; those of a macro by name alone, and functions of types that it
    /// names. In crates only that can be meant there: the rest errors ask for.
    fn said_by(&self, i: usize, index: &Index, named: &mut BTreeSet<usize>) {
        let list = &self.nodes.list;
        let is_macro = matches!(list[i].role, Role::Macro | Role::MacroCall);
        let own = self.crate_at(self.nodes.module_at(i));
        let words: BTreeSet<&str> = if is_macro {
            let (first, last) = self.tokens_of(i);
            (first..last).map(|k| unraw(self.tokens.at(k))).collect()
        } else {
            BTreeSet::new()
        };
        let can_be = |of: &usize| {
            let node = &list[*of];
            node.role != Role::Method || words.contains(node.of_type.as_str())
        };
        // A method of this name that has no code is none that is called by what has code.
        let made = self.made.as_ref().filter(|made| made.contains(&i));
        let is_called =
            |of: usize| made.is_none_or(|made| made.contains(&of) || self.in_traits.contains(&of));
        let mut said = BTreeSet::new();
        for place in self.said_in(i) {
            for k in place.clone().filter(|k| self.tokens.is_word(*k)) {
                let word = unraw(self.tokens.at(k));
                let by_name = |of: &HashMap<&str, Vec<usize>>| -> Vec<usize> {
                    let all = of.get(word).into_iter().flatten().copied();
                    all.filter(can_be).collect()
                };
                if is_macro {
                    // A word alone is the name of a variable as often, and one behind a dot that of a method.
                    let is_call = matches!(self.tokens.at(k + 1), "(" | "::") && self.tokens.before(k) != ".";
                    let items = by_name(&index.items).into_iter();
                    said.extend(items.filter(|of| is_call || list[*of].kind != "fn"));
                }
                if is_macro || self.tokens.at(k + 1) == "!" {
                    said.extend(by_name(&index.macros));
                }
                if matches!(self.tokens.before(k), "." | "::") {
                    let is_said = |of: &usize| index.seen.says(own, &list[*of].name);
                    let traits = by_name(&index.owed).into_iter().filter_map(|of| list[of].parent);
                    said.extend(traits.filter(is_said));
                }
            }
            self.named_within(i, place, &index.known, &is_called, &mut said);
        }
        let can_mean = |of: &usize| index.seen.can_mean(own, self.crate_at(&list[*of].module));
        named.extend(said.into_iter().filter(can_mean));
    }

    /// Nodes that stand in node `of`.
    pub fn standing_in(&self, of: usize) -> impl Iterator<Item = usize> {
        let list = &self.nodes.list;
        (of + 1..list.len()).take_while(move |i| list[*i].range.start < list[of].range.end)
    }

    /// Names of the text's own traits.
    pub fn traits(&self) -> HashSet<&str> {
        let traits = self.nodes.list.iter().filter(|node| node.kind == "trait");
        traits.map(|node| node.name.as_str()).collect()
    }

    /// What stands where an error is.
    pub fn stands_at(&self, error: &Message) -> Option<&str> {
        self.whole.get(error.spans.first()?.clone())
    }

    /// Tokens of node `i` that say something: not what stands in an inherent impl or in a trait, nor an impl's versions of the
    /// latter, nor bodies that have gone.
    pub fn said_in(&self, i: usize) -> Vec<Range<isize>> {
        let (mut first, mut last) = self.tokens_of(i);
        if self.nodes.list[i].role == Role::Impl {
            let is_open = |k: &isize| self.tokens.at(*k) == "{";
            last = (first..last).find(is_open).unwrap_or(last);
        }
        let range = &self.nodes.list[i].range;
        let begin = self.blanks.partition_point(|blank| blank.end <= range.start);
        let blanks = self.blanks[begin..].iter();
        let within = blanks.take_while(|blank| blank.start < range.end).cloned();
        let mut silent = self.owed_in(i);
        if silent.is_empty() {
            silent.extend(within);
        } else {
            let is_within = |of: &Range<usize>, all: &[Range<usize>]| {
                all.iter()
                    .any(|silent| silent.start <= of.start && of.end <= silent.end)
            };
            let more: Vec<_> = within.filter(|blank| !is_within(blank, &silent)).collect();
            silent.extend(more);
            silent.sort_by_key(|silent| silent.start);
        }
        let mut places = Vec::new();
        for silent in silent {
            places.push(first..last.min(self.tokens.from(silent.start) as isize));
            first = self.tokens.from(silent.end) as isize;
        }
        places.push(first..last);
        places
    }
}
