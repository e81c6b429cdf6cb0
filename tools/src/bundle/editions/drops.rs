//! What functions do, in order, as the compiler's MIR has it: without ways of unwinding, where room is for variables, and
//! ends that nobody can notice.
//!
//! That the memory of a list is given back earlier cannot be noticed, that a type with a `Drop` of its own goes can. Types are
//! known by their names; one that is not known may be noticed.

use crate::bundle::lex::{Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The standard library's types that give back memory and do nothing else, besides what is in them.
const OF_MEMORY: [&str; 46] = [
    "Vec",
    "VecDeque",
    "String",
    "Box",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "Cow",
    "IntoIter",
    "Cell",
    "RefCell",
    "CString",
    "OsString",
    "PathBuf",
    "RandomState",
    "PhantomData",
    "Range",
    "RangeInclusive",
    "Reverse",
    "Wrapping",
    "Ordering",
    "Iter",
    "IterMut",
    "Chars",
    "Map",
    "Filter",
    "Enumerate",
    "Rev",
    "Zip",
    "Chain",
    "Peekable",
    "Arguments",
    "Global",
    "Self",
    "Drop",
    "Clone",
    "Copy",
];

/// Which types of a text can be noticed to go.
pub struct Ends {
    own: BTreeMap<String, bool>,
}

impl Ends {
    /// Those that the text defines.
    pub fn of(tokens: &Tokens<'_>) -> Self {
        let at = |i: usize| tokens.at(i as isize);
        let words = |from: usize, to: usize| -> BTreeSet<String> {
            let list = (from..to).filter(|k| tokens.list[*k].kind == Kind::Ident);
            list.map(|k| at(k).to_owned()).collect()
        };
        let mut own: BTreeMap<String, bool> = BTreeMap::new();
        let mut held: Vec<(String, BTreeSet<String>)> = Vec::new();
        let mut any = false;
        for i in 0..tokens.list.len() {
            if matches!(at(i), "struct" | "enum" | "union") && tokens.is_word(i as isize + 1) {
                let name = at(i + 1).to_owned();
                // Parameters first: with what they are is told where the type is named.
                let mut k = i + 2;
                let mut depth = 0;
                while k < tokens.list.len() && (depth > 0 || at(k) == "<") {
                    depth += match at(k) {
                        "<" => 1,
                        ">" => -1,
                        ">>" => -2,
                        _ => 0,
                    };
                    k += 1;
                }
                let parameters = words(i + 2, k);
                let mut end = k;
                while end < tokens.list.len() && !matches!(at(end), ";" | "{" | "(") {
                    end += 1;
                }
                let close = tokens.list.get(end).map_or(end, |open| open.pair.max(end));
                let mut of = words(end.min(close), close);
                of.retain(|word| !parameters.contains(word));
                own.entry(name.clone()).or_default();
                held.push((name, of));
            }
            if at(i) == "Drop" && at(i + 1) == "for" {
                let mut k = i + 2;
                while tokens.is_word(k as isize + 2) && at(k + 1) == "::" {
                    k += 2;
                }
                any |= at(k) == "$";
                own.insert(at(k).to_owned(), true);
            }
        }
        if any {
            own.values_mut().for_each(|is_noticed| *is_noticed = true);
        }
        let mut ends = Self { own };
        loop {
            let more: Vec<&String> = held
                .iter()
                .filter(|(name, of)| !ends.own[name] && of.iter().any(|word| ends.is_noticed(word)))
                .map(|(name, _)| name)
                .collect();
            if more.is_empty() {
                return ends;
            }
            for name in more {
                ends.own.insert(name.clone(), true);
            }
        }
    }

    /// True if it can be noticed that a value of such a type goes, as the compiler writes types.
    fn are_noticed(&self, of: &str) -> bool {
        let mut words = of.split(|c: char| !c.is_alphanumeric() && c != '_');
        of.contains('{') || words.any(|word| self.is_noticed(word))
    }

    fn is_noticed(&self, word: &str) -> bool {
        match self.own.get(word) {
            Some(is_noticed) => *is_noticed,
            None => {
                matches!(word, "dyn" | "impl")
                    || word.starts_with(char::is_uppercase) && !OF_MEMORY.contains(&word)
            }
        }
    }
}

/// A function.
pub struct Function {
    /// Its head, without places of the text.
    pub head: String,
    /// Line and column of the first place that the head names.
    pub at: Option<(usize, usize)>,
    /// What it does.
    pub does: Vec<String>,
}

/// The functions of a MIR.
pub fn functions(mir: &str, ends: &Ends) -> Vec<Function> {
    let mut list: Vec<Function> = Vec::new();
    let mut types: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut is_function, mut unwinds) = (false, false);
    for line in mir.lines().filter(|line| !line.is_empty()) {
        let word = line.trim_start();
        if !line.starts_with(' ') {
            is_function = line.starts_with("fn ") && line.ends_with('{');
            if is_function {
                let (head, at) = placeless(line);
                types.clear();
                list.push(Function {
                    head,
                    at,
                    does: Vec::new(),
                });
            }
        } else if let (true, Some(function)) = (is_function, list.last_mut()) {
            if let Some((name, of)) = word.strip_prefix("let ").and_then(|rest| rest.split_once(": ")) {
                types.insert(name.trim_start_matches("mut "), of.trim_end_matches(';'));
            } else if word.starts_with("bb") && word.ends_with('{') {
                unwinds = word.contains("(cleanup)");
            } else if !unwinds && is_step(word) {
                let is_idle = word.strip_prefix("drop(").is_some_and(|rest| {
                    let of = rest.split(')').next().and_then(|name| types.get(name));
                    of.is_some_and(|of| !ends.are_noticed(of))
                });
                if !is_idle {
                    let step = word.split(" -> [").next().unwrap_or_default();
                    function.does.push(placeless(step).0);
                }
            }
        }
    }
    list
}

/// True for what is done, and is not only where.
fn is_step(line: &str) -> bool {
    let idle = ["Storage", "debug ", "scope ", "goto ", "}", "nop", "unreachable"];
    !line.is_empty() && !idle.iter().any(|start| line.starts_with(start))
}

/// A line without places of the text (`at file:1:2: 3:4`), and the first of these.
fn placeless(line: &str) -> (String, Option<(usize, usize)>) {
    let mut text = String::new();
    let mut first = None;
    let mut rest = line;
    while let Some(start) = rest.find(" at ").into_iter().chain(rest.find('@')).min() {
        // Up to what closes the name.
        let end = start + rest[start..].find(['>', '}']).unwrap_or(rest.len() - start);
        let place = &rest[start..end];
        let mut numbers = place
            .rsplit([':', ' '])
            .filter_map(|part| part.parse::<usize>().ok());
        let found: Vec<usize> = numbers.by_ref().take(4).collect();
        text += &rest[..start];
        if let [_, _, column, line] = found[..] {
            first = first.or(Some((line, column)));
        } else {
            text += place;
        }
        rest = &rest[end..];
    }
    text += rest;
    (text, first)
}

#[cfg(test)]
mod tests {
    use super::{Ends, functions, placeless};
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn ends_are_told_from_memory() {
        let text = "struct D(u8); impl Drop for D { fn drop(&mut self) {} } struct V(Vec<u8>); struct W<T> { t: T }\n\
                    enum E { A(Vec<D>), B } struct F { f: Box<dyn Fn()> } struct G(E, V);";
        let tokens = Tokens::new(text, Path::new("test")).unwrap();
        let ends = Ends::of(&tokens);
        for (of, expected) in [
            ("D", true),
            ("V", false),
            ("W<u8>", false),
            ("W<D>", true),
            ("W<T>", true),
            ("E", true),
            ("F", true),
            ("G", true),
            ("std::vec::Vec<u8>", false),
            ("std::sync::MutexGuard<'_, u8>", true),
            ("(V, std::string::String)", false),
        ] {
            assert_eq!(ends.are_noticed(of), expected, "{of}");
        }
    }

    #[test]
    fn steps_are_read_without_places_and_ways_of_unwinding() {
        let mir = "fn <impl at bundle.rs:3:1: 3:7>::get(_1: &D) -> () {\n    let _2: D;\n    let mut _3: std::vec::Vec<u8>;\n\n    \
                   bb0: {\n        StorageLive(_2);\n        _0 = f(move _2) -> [return: bb1, unwind: bb3];\n    }\n\n    bb1: {\n        \
                   drop(_3) -> [return: bb2, unwind continue];\n        drop(_2) -> [return: bb2, unwind continue];\n    }\n\n    \
                   bb3 (cleanup): {\n        drop(_2) -> [return: bb4, unwind terminate(cleanup)];\n    }\n}\n";
        let tokens = Tokens::new("struct D; impl Drop for D {}", Path::new("test")).unwrap();
        let list = functions(mir, &Ends::of(&tokens));
        assert_eq!(list[0].head, "fn <impl>::get(_1: &D) -> () {");
        assert_eq!(list[0].at, Some((3, 1)));
        assert_eq!(list[0].does, ["_0 = f(move _2)", "drop(_2)"]);
        let (text, at) = placeless("_1 = {closure@a/b.rs:8:93: 8:95} { a: move _2 }");
        assert_eq!(
            (text.as_str(), at),
            ("_1 = {closure} { a: move _2 }", Some((8, 93)))
        );
    }
}
