//! What parts of a text surely name, as far as paths and plain imports tell.

use super::Shaker;
use super::names::{absolute, root};
use super::nodes::{Nodes, Role};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// What bodies may name, by its name.
#[derive(Default)]
pub struct Known<'a> {
    /// With the module that imports it.
    imports: HashMap<(&'a str, &'a str), usize>,
    /// Functions of types and traits.
    methods: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Known<'a> {
    pub fn of(nodes: &'a Nodes) -> Self {
        let mut known = Self::default();
        for (i, node) in nodes.list.iter().enumerate() {
            match node.role {
                Role::UseLeaf => {
                    known.imports.insert((&node.module, &node.name), i);
                }
                Role::Method | Role::TraitItem if node.kind == "fn" => {
                    known.methods.entry(&node.name).or_default().push(i);
                }
                _ => {}
            }
        }
        known
    }
}

impl Shaker<'_> {
    /// `blamed` with what of the batch it cannot do without, in any number of steps: the compiler would ask for one step
    /// after the other, each a question.
    pub fn with_named(&self, blamed: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let known = Known::of(self.nodes);
        let mut all = blamed.clone();
        let mut todo: Vec<usize> = blamed.iter().copied().collect();
        while let Some(i) = todo.pop() {
            let mut named = BTreeSet::new();
            match self.nodes.list[i].role {
                // What stands in it may go.
                Role::Module | Role::Impl | Role::TraitImpl => {}
                Role::UseLeaf => self.imported_by(i, &known, &mut named),
                _ => self.named_in(i, &known, false, &mut named),
            }
            let more = self.with_owners(&(&named & batch), batch);
            todo.extend(more.difference(&all));
            all.extend(more);
        }
        all
    }

    /// What of the batch the macros name that stay, where they stand: what they make may be asked for where nothing says so.
    pub fn said_by_macros(&self, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let stays = |i: &usize| {
            let is_macro = matches!(list[*i].role, Role::Macro | Role::MacroCall);
            is_macro && !batch.contains(i) && !self.removed.contains(i) && !self.is_inside_removed(*i)
        };
        let known = Known::of(self.nodes);
        let mut said = BTreeSet::new();
        for i in (0..list.len()).filter(stays) {
            self.named_in(i, &known, false, &mut said);
        }
        &said & batch
    }

    /// What of the batch is in the same modules at the root as `blamed`.
    pub fn beside(&self, blamed: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let crate_of = |i: &usize| root(&self.nodes.list[*i].module);
        let crates: BTreeSet<&str> = blamed.iter().map(crate_of).collect();
        batch
            .iter()
            .copied()
            .filter(|i| crates.contains(crate_of(i)))
            .collect()
    }

    /// What an import names, and the import there by which it comes.
    pub fn imported_by(&self, i: usize, known: &Known, named: &mut BTreeSet<usize>) {
        let node = &self.nodes.list[i];
        let full = absolute(&node.module, &node.path).unwrap_or_else(|| node.path.clone());
        if let Some((module, name)) = full.rsplit_once("::") {
            named.extend(known.imports.get(&(module, name)));
        }
        named.extend(self.nodes.resolve(&node.module, &node.path));
    }

    /// Items, imports and functions of types that node `i` names: a method only where it is its own type's, or, if `alone`
    /// counts, where no other has its name.
    pub fn named_in(&self, i: usize, known: &Known, alone: bool, named: &mut BTreeSet<usize>) {
        let (first, last) = self.tokens_of(i);
        self.named_within(i, first..last, known, &|_| alone, named);
    }

    /// The same for some tokens of it.
    pub fn named_within(
        &self,
        i: usize,
        place: Range<isize>,
        known: &Known,
        alone: &dyn Fn(usize) -> bool,
        named: &mut BTreeSet<usize>,
    ) {
        let (tokens, module, own) = (
            self.tokens,
            self.nodes.module_at(i),
            self.nodes.list[i].of_type.as_str(),
        );
        let of = |of_type: &str, name: &str| {
            let all = known.methods.get(name).into_iter().flatten().copied();
            let of_type = if of_type == "Self" { own } else { of_type };
            let is_of = |m: &usize| self.nodes.list[*m].of_type == of_type;
            all.filter(is_of).collect::<Vec<usize>>()
        };
        let (mut k, last) = (place.start, place.end);
        while k < last {
            let word = tokens.at(k);
            let begins = tokens.is_word(k) && tokens.at(k - 1) != "::";
            if begins && tokens.before(k) == "." {
                let all = known.methods.get(word).map(Vec::as_slice);
                if let Some([only]) = all.filter(|all| matches!(all, [only] if alone(*only))) {
                    named.insert(*only);
                } else if tokens.at(k - 2) == "self" && tokens.at(k - 3) != "." {
                    named.extend(of(own, word));
                }
            } else if begins {
                named.extend(known.imports.get(&(module, word)));
                named.extend(self.nodes.resolve(module, word));
                let mut path = word.to_owned();
                while tokens.at(k + 1) == "::" && tokens.is_word(k + 2) {
                    named.extend(of(tokens.at(k), tokens.at(k + 2)));
                    path = path + "::" + tokens.at(k + 2);
                    named.extend(self.nodes.resolve(module, &path));
                    k += 2;
                }
            }
            k += 1;
        }
    }
}
