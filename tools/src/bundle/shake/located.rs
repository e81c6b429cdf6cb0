//! Where a name must be declared that an error misses: in the module to which the path before it leads, or by an import
//! there. Of the many things of one name that may have gone only that has to come back.

use super::Shaker;
use super::blame::MISSED;
use super::compiler::Message;
use super::nodes::ways::End;
use super::nodes::{Node, Role};
use super::said;
use super::settled::Growth;
use crate::bundle::lex::unraw;
use std::collections::{BTreeMap, BTreeSet};

/// Words before the name of what is declared.
const DECLARES: [&str; 9] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union",
];

impl Shaker<'_> {
    /// What of the batch, and of the imports that are torn, declares what an error misses, or may make it, where the error
    /// says it should be; nothing if that is not known, or has gone for another reason. `imported`: imports and what they
    /// name.
    pub fn located(
        &self,
        error: &Message,
        growth: &Growth,
        imported: &[(usize, BTreeSet<usize>)],
    ) -> BTreeSet<usize> {
        let Some((module, name)) = self.missed_in(error) else {
            return self.not_in_scope(error, growth, imported);
        };
        let list = &self.nodes.list;
        let is_there = |i: &usize| {
            let node = &list[*i];
            let is_role = matches!(
                node.role,
                Role::Item | Role::Macro | Role::MacroCall | Role::Extern | Role::UseLeaf
            );
            is_role && node.name == name && node.module == module
        };
        let gone = || growth.batch.iter().chain(growth.torn()).copied();
        let mut found: BTreeSet<usize> = gone().filter(is_there).collect();
        // An import goes with what it names.
        for (_, of) in imported.iter().filter(|(i, _)| is_there(i)) {
            found.extend(of & &growth.batch);
        }
        match self.nodes.ways.way(&module, name) {
            Some((End::Item(item), _)) if growth.batch.contains(&item) => {
                found.insert(item);
            }
            // It is there, and no way leads to it.
            Some((End::Item(_), way)) if found.is_empty() => {
                let is_gone = |i: &usize| growth.may_lead(*i);
                found.extend(way.into_iter().filter(is_gone));
            }
            Some((End::Made(of), _)) => found.extend(self.declaring(name, &of, &growth.batch)),
            _ if found.is_empty() => found.extend(self.declaring(name, &module, &growth.batch)),
            _ => {}
        }
        found
    }

    /// Imports of traits whose methods an error misses where it is, or what they name, if they have gone.
    fn not_in_scope(
        &self,
        error: &Message,
        growth: &Growth,
        imported: &[(usize, BTreeSet<usize>)],
    ) -> BTreeSet<usize> {
        let traits: Vec<&str> = said::not_in_scope(error).collect();
        let places = error.spans.iter().filter_map(|span| self.nodes.at(span));
        let modules: Vec<&str> = places.map(|place| self.nodes.module_at(place)).collect();
        let brings = |i: &usize| {
            let node = &self.nodes.list[*i];
            let last = node.path.rsplit("::").next().unwrap_or_default();
            traits.contains(&last) && modules.contains(&node.module.as_str())
        };
        let mut found = BTreeSet::new();
        for (i, of) in imported.iter().filter(|(i, _)| brings(i)) {
            found.extend(of & &growth.batch);
            found.extend(Some(*i).filter(|i| growth.may_lead(*i)));
        }
        found
    }

    /// Calls of macros in a module that may declare something by a name.
    fn declaring(&self, name: &str, module: &str, batch: &BTreeSet<usize>) -> Vec<usize> {
        let list = &self.nodes.list;
        let makes = |i: &usize| list[*i].module == module && self.may_declare(&list[*i], name);
        batch.iter().copied().filter(makes).collect()
    }

    /// True of a call of a macro that declares a name. Where what it makes is not known, it may be given the name: where it
    /// says what it declares, that, and else what it is given otherwise than as the type of something.
    pub fn may_declare(&self, node: &Node, name: &str) -> bool {
        if node.role != Role::MacroCall {
            return false;
        }
        if let Some(declared) = self.products.names.get(&self.whole[node.range.clone()]) {
            return declared.contains(name);
        }
        let mut words = node.needs.iter();
        let by = words.next();
        if !by.is_some_and(|by| words.any(|word| word == name) && !self.idle_macros.contains(by)) {
            return false;
        }
        let [first, last] = [node.range.start, node.range.end].map(|byte| self.tokens.from(byte) as isize);
        let at = |k: isize| self.tokens.at(k);
        // `*const T` declares nothing.
        let is_declared =
            |k: isize| DECLARES.contains(&at(k - 1)) && at(k - 2) != "*" && self.tokens.is_word(k);
        let mut declared = (first..last).filter(|k| is_declared(*k)).peekable();
        if declared.peek().is_some() {
            return declared.any(|k| at(k) == name);
        }
        let is_type = |k: isize| matches!(at(k - 1), ":" | "&") || at(k + 1) == "::";
        (first..last).any(|k| at(k) == name && !is_type(k))
    }

    /// Finds the macros of the text that declare nothing by a name that they are given: neither themselves nor by others to
    /// which they hand it.
    pub fn find_idle_macros(&mut self) {
        let (tokens, list) = (self.tokens, &self.nodes.list);
        let mut idle: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut others: BTreeSet<&str> = BTreeSet::new();
        for i in (0..list.len()).filter(|i| list[*i].role == Role::Macro) {
            let (first, last) = self.tokens_of(i);
            let name = list[i].name.as_str();
            let declares = |k: isize| tokens.at(k) == "$" && DECLARES.contains(&tokens.at(k - 1));
            if (first..last).any(declares) {
                others.insert(name);
            }
            let calls = (first..last).filter(|k| tokens.at(k + 1) == "!" && tokens.is_word(*k));
            idle.entry(name).or_default().extend(calls.map(|k| tokens.at(k)));
        }
        loop {
            let leads = |(name, calls): &(&&str, &BTreeSet<&str>)| {
                others.contains(**name) || calls.iter().any(|of| others.contains(of))
            };
            let more: Vec<&str> = idle.iter().filter(leads).map(|(name, _)| *name).collect();
            if more.is_empty() {
                break;
            }
            for name in more {
                idle.remove(name);
                others.insert(name);
            }
        }
        self.idle_macros = idle.into_keys().map(str::to_owned).collect();
    }

    /// The module in which a name is missed, and the name.
    fn missed_in(&self, error: &Message) -> Option<(String, &str)> {
        if !MISSED.contains(&error.code.as_str()) {
            return None;
        }
        let place = error.spans.first()?;
        let at = self.tokens.from(place.start) as isize;
        let name = unraw(self.tokens.at(at));
        // In a macro the error is elsewhere, and says another name.
        if error.text.split('`').nth(1)?.rsplit("::").next() != Some(name) {
            return None;
        }
        let around = self.nodes.module_at(self.nodes.at(place)?);
        let mut path = Vec::new();
        let mut k = at;
        while self.tokens.at(k - 1) == "::" && self.tokens.is_word(k - 2) {
            k -= 2;
            path.insert(0, unraw(self.tokens.at(k)));
        }
        match self.tokens.at(k - 1) {
            // From the root, or from a type or a variable of a macro.
            "::" | "$" => None,
            _ if path.is_empty() => Some((around.to_owned(), name)),
            _ => match self.nodes.ways.end(around, &path.join("::"))? {
                End::Module(module) => Some((module, name)),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::Nodes;
    use super::*;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn a_call_declares_what_it_says_it_does_and_not_the_types_of_it() {
        let text = "macro_rules! s { ($($t:tt)*) => { $($t)* } }\n\
                    macro_rules! c { ($($name:ident: $of:ty = $v:expr),*) => { $(const $name: $of = $v;)* } }\n\
                    s! { pub struct glob { path: *const c_char, all: [c_int; 3] } }\n\
                    c!(ONE: c_int = 1, TWO: c_int = ZERO);\nfn main() {}\n";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &Compile::default(), &|_| {}).unwrap();
        shaker.find_idle_macros();
        let calls = nodes.list.iter().filter(|node| node.role == Role::MacroCall);
        let of =
            |name: &str| -> Vec<bool> { calls.clone().map(|call| shaker.may_declare(call, name)).collect() };
        assert_eq!(of("TWO"), [false, true]);
        for nothing in ["c_int", "c_char", "path"] {
            assert_eq!(of(nothing), [false, false], "{nothing}");
        }
    }
}
