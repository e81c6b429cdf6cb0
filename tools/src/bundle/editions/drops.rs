//! Which values can be noticed to go. That the memory of a list is given back earlier cannot be, that a type with a `Drop` of
//! its own goes can. Types are known by their names; one that is not known may be noticed.

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

/// Types of the standard library that share a value.
const SHARED: [&str; 3] = ["Arc", "Rc", "Weak"];

/// What asks who shares a value.
const ASKED: [&str; 10] = [
    "get_mut",
    "into_inner",
    "is_unique",
    "make_mut",
    "strong_count",
    "try_unwrap",
    "unwrap_or_clone",
    "upgrade",
    "weak_count",
    "Weak",
];

/// Those of them that are methods of other types.
const MET: [&str; 2] = ["get_mut", "into_inner"];

/// True if a text has shared values, and something in it may ask who shares them.
pub fn are_shares_asked(tokens: &Tokens<'_>) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    let mut all = 0..tokens.list.len();
    // Of methods of their names others have most.
    let asks = |i: usize| ASKED.contains(&at(i)) && (at(i - 1) == "::" || !MET.contains(&at(i)));
    all.clone().any(|i| SHARED.contains(&at(i))) && all.any(|i| i > 0 && asks(i))
}

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
        // An allocator of the program's own may tell when memory is given back.
        if (0..tokens.list.len()).any(|i| at(i) == "GlobalAlloc") {
            own.extend(OF_MEMORY.map(|name| (name.to_owned(), true)));
        }
        if any {
            own.values_mut().for_each(|is_noticed| *is_noticed = true);
        }
        // Of a shared value it can be noticed where something asks who shares it.
        let is_asked = are_shares_asked(tokens);
        for shared in SHARED {
            own.entry(shared.to_owned()).or_insert(is_asked);
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
    pub fn are_noticed(&self, of: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::Ends;
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
}
