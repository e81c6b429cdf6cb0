//! What traits require of their impls though nothing asks for it: an associated type that no path names, a function that is
//! never called. As long as nothing says its name it goes from the trait and from all impls, with what only these name.
//!
//! By names alone: errors ask for what was meant after all.

use super::Shaker;
use super::nodes::Role;
use crate::bundle::lex::unraw;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

impl Shaker<'_> {
    /// What has a name and stands in this trait.
    pub fn items_of(&self, of_trait: usize) -> impl Iterator<Item = usize> {
        let list = &self.nodes.list;
        let is_item = move |i: &usize| {
            list[*i].role == Role::TraitItem && list[*i].parent == Some(of_trait) && !list[*i].name.is_empty()
        };
        self.standing_in(of_trait).filter(is_item)
    }

    /// The trait of the text that an impl is of.
    fn trait_of(&self, of: usize) -> Option<usize> {
        self.traits_of.get(&of).copied()
    }

    /// What a part of an impl is a version of, in the trait.
    pub fn declared(&self, part: usize) -> Option<usize> {
        let list = &self.nodes.list;
        let of_trait = self.trait_of(list[part].parent?)?;
        let is_it = |i: &usize| list[*i].name == list[part].name;
        self.items_of(of_trait).find(is_it)
    }

    /// Where in node `i` stands what says nothing as long as nobody asks for it, ascending.
    pub fn owed_in(&self, i: usize) -> Vec<Range<usize>> {
        let list = &self.nodes.list;
        let of_trait = match list[i].role {
            Role::Item if list[i].kind == "trait" => {
                return self.items_of(i).map(|of| list[of].range.clone()).collect();
            }
            Role::TraitImpl => self.trait_of(i),
            _ => None,
        };
        let Some(of_trait) = of_trait else {
            return Vec::new();
        };
        let names: BTreeSet<&str> = self.items_of(of_trait).map(|of| list[of].name.as_str()).collect();
        let parts = self.standing_in(i).filter(|of| {
            list[*of].role == Role::TraitImplItem
                && list[*of].parent == Some(i)
                && names.contains(&*list[*of].name)
        });
        parts.map(|of| list[of].range.clone()).collect()
    }

    /// What lives as node `i` does now: what is `said` of a trait, and of each of its impls the versions of what lives.
    pub fn owed_with(&self, i: usize, live: &BTreeSet<usize>, said: &BTreeSet<usize>) -> Vec<usize> {
        let list = &self.nodes.list;
        let node = &list[i];
        match node.role {
            Role::Item if node.kind == "trait" => self.items_of(i).filter(|of| said.contains(of)).collect(),
            Role::TraitImpl => {
                let items = self.trait_of(i).map(|of| self.items_of(of));
                let items = items.into_iter().flatten().filter(|of| live.contains(of));
                items.flat_map(|of| self.versions_in(i, &list[of].name)).collect()
            }
            Role::TraitItem if !node.name.is_empty() => {
                let impls = node.parent.and_then(|of| self.nodes.impls.get(&of));
                let impls = impls.into_iter().flatten().copied();
                let lives = |of: &usize| live.contains(of) && self.trait_of(*of) == node.parent;
                impls
                    .filter(lives)
                    .flat_map(|of| self.versions_in(of, &node.name))
                    .collect()
            }
            Role::MacroCall => self.owed_by_call(i),
            _ => Vec::new(),
        }
    }

    /// What of impl `i` is its version of that, or may make it.
    fn versions_in(&self, i: usize, name: &str) -> Vec<usize> {
        let list = &self.nodes.list;
        let is_it = |of: &usize| match list[*of].role {
            Role::TraitImplItem => list[*of].name == name,
            Role::MacroCall => self.may_make(*of, name),
            _ => false,
        };
        let parts = self.standing_in(i).filter(|of| list[*of].parent == Some(i));
        parts.filter(is_it).collect()
    }

    /// True of a call in an impl that may make what has this name: it is handed it, or its rules declare it.
    pub fn may_make(&self, call: usize, name: &str) -> bool {
        let (first, end) = self.tokens_of(call);
        let Some(mark) = (first..end).find(|k| self.tokens.at(*k) == "!") else {
            return false;
        };
        let by = unraw(self.tokens.before(mark));
        let is_declared = self.declared_by.get(by).is_some_and(|names| names.contains(name));
        let is_handed = || (mark..end).any(|k| unraw(self.tokens.at(k)) == name);
        is_declared || (!self.idle_macros.contains(by) && is_handed())
    }

    /// What of the trait a call in an impl of it may make.
    pub fn owed_by_call(&self, call: usize) -> Vec<usize> {
        let list = &self.nodes.list;
        let of_trait = list[call].parent.and_then(|of| self.trait_of(of));
        let items = of_trait.map(|of| self.items_of(of)).into_iter().flatten();
        items.filter(|of| self.may_make(call, &list[*of].name)).collect()
    }

    /// What of traits node `i` says by a path, behind a dot, as `Trait<Name = …>`, or declares in the rules of a macro.
    pub fn owed_as(&self, i: usize, owed: &HashMap<&str, Vec<usize>>) -> Vec<usize> {
        let node = &self.nodes.list[i];
        let list = &self.nodes.list;
        // Behind a dot stands no type.
        let (mut called, mut named): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
        for k in self
            .said_in(i)
            .into_iter()
            .flatten()
            .filter(|k| self.tokens.is_word(*k))
        {
            let is_bound = self.tokens.at(k + 1) == "=" && matches!(self.tokens.before(k), "<" | ",");
            match self.tokens.before(k) {
                "." => called.insert(unraw(self.tokens.at(k))),
                before => (is_bound || before == "::") && named.insert(unraw(self.tokens.at(k))),
            };
        }
        if node.role == Role::MacroPart {
            named.insert(&node.name);
        }
        let all = |of: &&str| owed.get(*of).into_iter().flatten().copied();
        let functions = called.iter().flat_map(all).filter(|of| list[*of].kind == "fn");
        named.iter().flat_map(all).chain(functions).collect()
    }

    /// Finds the text's own traits of impls, and names that macros declare in their rules.
    pub fn find_owed(&mut self) {
        let list = &self.nodes.list;
        for i in (0..list.len()).filter(|i| list[*i].kind == "trait") {
            let impls = self.nodes.impls.get(&i).into_iter().flatten();
            let is_of =
                |of: &&usize| list[**of].role == Role::TraitImpl && list[**of].is_of_trait(&list[i].name);
            self.traits_of.extend(impls.filter(is_of).map(|of| (*of, i)));
        }
        let tokens = self.tokens;
        for i in (0..self.nodes.list.len()).filter(|i| self.nodes.list[*i].role == Role::Macro) {
            let (first, last) = self.tokens_of(i);
            let is_name =
                |k: &isize| matches!(tokens.before(*k), "fn" | "type" | "const") && tokens.is_word(*k);
            let names = (first..last)
                .filter(is_name)
                .map(|k| unraw(tokens.at(k)).to_owned());
            let of = self
                .declared_by
                .entry(self.nodes.list[i].name.clone())
                .or_default();
            of.extend(names);
        }
    }
}
