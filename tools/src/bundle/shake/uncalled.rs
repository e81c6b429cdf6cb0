//! Macros by rules that the compiler never calls unused (of names that begin with `_` it says nothing), and parts of
//! macros that it calls unused of some calls only.

use super::Shaker;
use super::nodes::Role;
use std::collections::{BTreeMap, BTreeSet};

impl Shaker<'_> {
    /// Such macros that nothing names but they themselves and each other.
    pub(super) fn uncalled(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let is_one = |i: &usize| {
            let is_quiet = list[*i].role == Role::Macro && list[*i].name.starts_with('_');
            is_quiet && !self.removed.contains(i) && !self.is_inside_removed(*i)
        };
        let macros: Vec<usize> = (0..list.len()).filter(is_one).collect();
        if macros.is_empty() {
            return BTreeSet::new();
        }
        let names: BTreeSet<&str> = macros.iter().map(|i| list[*i].name.as_str()).collect();
        // Which of the names each of them says, and which the rest of the text.
        let mut said: BTreeMap<Option<usize>, BTreeSet<&str>> = BTreeMap::new();
        let mut gone = self.cut(&self.removed).into_iter().peekable();
        for (k, token) in self.tokens.list.iter().enumerate() {
            let at = token.range.start;
            while gone.next_if(|range| range.end <= at).is_some() {}
            let word = self.tokens.at(k as isize);
            if !names.contains(word) || gone.peek().is_some_and(|range| range.contains(&at)) {
                continue;
            }
            let by = macros.iter().copied().find(|i| list[*i].range.contains(&at));
            said.entry(by).or_default().insert(word);
        }
        let mut called = BTreeSet::new();
        let mut todo = vec![None];
        while let Some(by) = todo.pop() {
            for word in said.remove(&by).unwrap_or_default() {
                if called.insert(word) {
                    todo.extend(macros.iter().filter(|i| list[**i].name == word).map(|i| Some(*i)));
                }
            }
        }
        let is_called = |i: &usize| called.contains(list[*i].name.as_str());
        macros.into_iter().filter(|i| !is_called(i)).collect()
    }

    /// Of the batch what stands in rules of which some call makes it used: there are more calls that stay than the compiler
    /// says it of, once for each.
    pub(super) fn used_of_some_call(&self, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, node) in list.iter().enumerate() {
            let goes = || batch.contains(&i) || self.removed.contains(&i) || self.is_inside_removed(i);
            if node.role == Role::MacroCall && !goes() {
                let path = self.whole[node.range.clone()]
                    .split('!')
                    .next()
                    .unwrap_or_default();
                *calls.entry(last_word(path)).or_default() += 1;
            }
        }
        let mut said: BTreeMap<usize, usize> = BTreeMap::new();
        for message in &self.unused {
            let parts: BTreeSet<usize> = message.spans.iter().filter_map(|s| self.nodes.at(s)).collect();
            for i in parts
                .intersection(batch)
                .filter(|i| list[**i].role == Role::MacroPart)
            {
                *said.entry(*i).or_default() += 1;
            }
        }
        let is_used = |(i, unused): &(usize, usize)| {
            let mut around = list[*i].parent;
            while let Some(of) = around.filter(|of| list[*of].role != Role::Macro) {
                around = list[of].parent;
            }
            let calls = around.and_then(|of| calls.get(list[of].name.as_str()));
            calls.is_some_and(|calls| unused < calls)
        };
        said.into_iter().filter(is_used).map(|(i, _)| i).collect()
    }
}

/// The last name of a path.
fn last_word(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::super::nodes::Nodes;
    use super::super::*;
    use super::*;

    #[test]
    fn macros_of_quiet_names_that_nothing_calls_go() {
        let text = "macro_rules! _one { ($x:expr) => { _two!($x) }; () => { _one!(0) } }\n\
                    macro_rules! _two { ($x:expr) => { $x + 2 }; ((($x:tt))) => { _one!($x) } }\n\
                    macro_rules! _kept { ($x:expr) => { _below!($x) } }\n\
                    macro_rules! _below { ($x:expr) => { $x + 3 } }\n\
                    fn main() { print!(\"{}\", _kept!(1)) }\n";
        let compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        let reference = Code::of(text, &compile, &HashMap::new());
        let tokens = Tokens::new(text, std::path::Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        shaker.guarded_parts(&reference, 0).unwrap();
        let left = shaker.result().text;
        let has = |name: &str| left.contains(&format!("macro_rules! {name} "));
        assert!(
            !has("_one") && !has("_two") && has("_kept") && has("_below"),
            "{left}"
        );
    }

    #[test]
    fn what_one_call_of_two_makes_use_of_is_used() {
        let text = "macro_rules! made { ($of:ident) => { struct $of; impl $of { const FULL: u8 = 1; const NEVER: u8 = 2; } } }\n\
                    made!(A);\nmade!(B);\nfn main() { let _ = A; print!(\"{}\", A::FULL) }\n";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let tokens = Tokens::new(text, std::path::Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        shaker.start(false, None).unwrap();
        let parts: BTreeSet<usize> = shaker.parts.iter().copied().collect();
        let used = shaker.used_of_some_call(&parts);
        let names: Vec<&str> = used.iter().map(|i| shaker.nodes.list[*i].name.as_str()).collect();
        assert_eq!(names, ["FULL"]);
        // The other call goes: nothing is left that would not use it.
        let is_other = |i: &usize| {
            let range = shaker.nodes.list[*i].range.clone();
            shaker.nodes.list[*i].role == Role::MacroCall && text[range].contains('B')
        };
        let other = (0..shaker.nodes.list.len()).filter(is_other);
        assert!(
            shaker
                .used_of_some_call(&parts.iter().copied().chain(other).collect())
                .is_empty()
        );
    }
}
