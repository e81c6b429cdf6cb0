//! Which values can be noticed to go. That the memory of a list is given back earlier cannot be, that a type with a `Drop` of
//! its own goes can. Types are known by their names; one that is not known may be noticed.

use super::plain::{are_offered_plain, is_any_held, of_memory};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use std::collections::{BTreeMap, BTreeSet};

/// The standard library's types that give back memory and do nothing else, besides what is in them.
const OF_MEMORY: &[&str] = &[
    "Argument",
    "Arguments",
    "BTreeMap",
    "BTreeSet",
    "Backtrace",
    "BinaryHeap",
    "Bound",
    "Box",
    "Break",
    "Bytes",
    "CString",
    "Cell",
    "Chain",
    "CharIndices",
    "Chars",
    "Chunks",
    "ChunksExact",
    "ChunksMut",
    "Clone",
    "Cloned",
    "Continue",
    "ControlFlow",
    "Copied",
    "Copy",
    "Cow",
    "Cycle",
    "DoubleEndedIterator",
    "Drop",
    "Duration",
    "Empty",
    "Entry",
    "Enumerate",
    "Equal",
    "Err",
    "ExactSizeIterator",
    "Excluded",
    "Filter",
    "FilterMap",
    "FlatMap",
    "Flatten",
    "Formatter",
    "FromUtf8Error",
    "Fuse",
    "Global",
    "Greater",
    "HashMap",
    "HashSet",
    "Included",
    "Infallible",
    "Inspect",
    "Instant",
    "IntoIter",
    "IntoIterator",
    "Item",
    "Iter",
    "IterMut",
    "Iterator",
    "Keys",
    "Layout",
    "Less",
    "Lines",
    "LinkedList",
    "ManuallyDrop",
    "Map",
    "MapWhile",
    "MaybeUninit",
    "Mutex",
    "NonNull",
    "NonZero",
    "None",
    "Occupied",
    "OccupiedEntry",
    "Ok",
    "Once",
    "OnceCell",
    "OnceLock",
    "Option",
    "Ordering",
    "OsString",
    "Output",
    "ParseBoolError",
    "ParseCharError",
    "ParseFloatError",
    "ParseIntError",
    "PathBuf",
    "Peekable",
    "Pending",
    "PhantomData",
    "Pin",
    "Poll",
    "RandomState",
    "Range",
    "RangeFrom",
    "RangeFull",
    "RangeInclusive",
    "RangeTo",
    "RangeToInclusive",
    "Ready",
    "RefCell",
    "RefUnwindSafe",
    "Repeat",
    "Result",
    "Rev",
    "Reverse",
    "RwLock",
    "Scan",
    "Self",
    "Send",
    "Sized",
    "Skip",
    "SkipWhile",
    "Some",
    "Split",
    "SplitN",
    "SplitWhitespace",
    "StepBy",
    "String",
    "Sync",
    "Take",
    "TakeWhile",
    "TryFromIntError",
    "Unbounded",
    "Unpin",
    "UnwindSafe",
    "Utf8Error",
    "Vacant",
    "VacantEntry",
    "Values",
    "Vec",
    "VecDeque",
    "Windows",
    "Wrapping",
    "Zip",
];

/// Those of its types of which it can be noticed that they go.
const HOLDING: [&str; 18] = [
    "BufWriter",
    "Child",
    "Drain",
    "ExtractIf",
    "File",
    "LineWriter",
    "MappedMutexGuard",
    "MutexGuard",
    "PeekMut",
    "Ref",
    "RefMut",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Splice",
    "StderrLock",
    "StdinLock",
    "StdoutLock",
    "TcpStream",
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
#[derive(Default)]
pub struct Ends {
    own: BTreeMap<String, bool>,
    /// What each trait is implemented for, as the text has it.
    implementors: BTreeMap<String, Vec<Vec<String>>>,
    /// Traits that the text declares.
    traits: BTreeSet<String>,
    /// True if nothing in the text, and nothing that it makes of the library's, can be noticed to go.
    is_plain: bool,
    /// True if whatever goes is noticed.
    are_all: bool,
}

impl Ends {
    /// Of all that goes it is noticed.
    pub fn of_anything() -> Self {
        Self {
            are_all: true,
            ..Self::default()
        }
    }

    /// Those that the text defines.
    pub fn of(tokens: &Tokens<'_>) -> Self {
        let at = |i: usize| tokens.at(i as isize);
        let all = 0..tokens.list.len();
        let mut ends = Self::default();
        let mut held: Vec<(String, Vec<String>)> = Vec::new();
        for i in all.clone() {
            match at(i) {
                "struct" | "enum" | "union" if tokens.is_word(i as isize + 1) => {
                    let name = at(i + 1).to_owned();
                    ends.own.entry(name.clone()).or_default();
                    held.push((name, held_at(tokens, i)));
                }
                "trait" if tokens.is_word(i as isize + 1) => {
                    ends.traits.insert(at(i + 1).to_owned());
                }
                "impl" => ends.implemented(tokens, i),
                _ => {}
            }
        }
        let silent = of_memory(tokens);
        let is_silent = |i: &usize| silent.iter().any(|of| of.contains(i));
        let drops = all.clone().filter(|i| at(*i) == "Drop" && at(i + 1) == "for");
        let drops = drops.filter(|i| !is_silent(i));
        let mut any = false;
        for i in drops {
            let mut k = i + 2;
            while tokens.is_word(k as isize + 2) && at(k + 1) == "::" {
                k += 2;
            }
            any |= at(k) == "$";
            ends.own.insert(at(k).to_owned(), true);
        }
        // An allocator of the program's own may tell when memory is given back.
        let is_counted = all.clone().any(|i| at(i) == "GlobalAlloc");
        if is_counted {
            ends.own
                .extend(OF_MEMORY.iter().map(|name| ((*name).to_owned(), true)));
        }
        if any {
            ends.own.values_mut().for_each(|is_noticed| *is_noticed = true);
        }
        // Of a shared value it can be noticed where something asks who shares it.
        let is_asked = are_shares_asked(tokens);
        ends.is_plain = !is_any_held(tokens) && !is_asked && !ends.own.values().any(|is_noticed| *is_noticed);
        for shared in SHARED {
            ends.own.entry(shared.to_owned()).or_insert(is_asked);
        }
        loop {
            let more: Vec<&String> = held
                .iter()
                .filter(|(name, of)| !ends.own[name] && ends.is_one_noticed(of))
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

    /// True if nothing of which it can be noticed that it goes is there at all, in crates that the judge offers neither.
    pub fn are_plain(&self, compile: &Compile) -> bool {
        self.is_plain && are_offered_plain(compile)
    }

    /// Reads the head of an `impl` of a trait.
    fn implemented(&mut self, tokens: &Tokens<'_>, start: usize) {
        let at = |i: usize| tokens.at(i as isize);
        let behind = tokens.behind_angles(start + 1);
        let parameters: Vec<&str> = (start + 1..behind).map(at).collect();
        let (mut k, mut name) = (behind, None);
        while k < tokens.list.len() && !matches!(at(k), "for" | "{" | ";" | "where") {
            if at(k) == "<" {
                k = tokens.behind_angles(k);
                continue;
            }
            name = Some(at(k));
            k += 1;
        }
        let (Some(name), "for") = (name, at(k)) else {
            return;
        };
        let ends = |i: usize| matches!(at(i), "{" | ";" | "where");
        let of = (k + 1..tokens.list.len()).take_while(|i| !ends(*i)).map(at);
        // What a parameter stands for is not known.
        let known = |word: &str| {
            if parameters.contains(&word) && is_word(word) {
                ANY
            } else {
                word
            }
            .to_owned()
        };
        self.implementors
            .entry(name.to_owned())
            .or_default()
            .push(of.map(known).collect());
    }

    /// True if it can be noticed that a value of such a type goes, as the compiler writes types.
    pub fn are_noticed(&self, of: &str) -> bool {
        if self.are_all {
            return true;
        }
        let is_separate = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
        let mut words = Vec::new();
        for part in of.split_inclusive(is_separate) {
            let sign = part.chars().next_back().filter(|c| is_separate(*c));
            let path = &part[..part.len() - sign.map_or(0, char::len_utf8)];
            words.extend(path.split(':').filter(|word| !word.is_empty()));
            words.extend(sign.filter(|c| !c.is_whitespace()).map(|_| &part[path.len()..]));
        }
        self.is_one_noticed(&words)
    }

    /// The same of the words of types.
    fn is_one_noticed(&self, words: &[impl AsRef<str>]) -> bool {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let mut i = 0;
        while i < words.len() {
            let is_noticed = match words[i] {
                "dyn" => {
                    let (name, behind) = trait_at(&words, i + 1);
                    i = behind;
                    self.is_any_noticed(name)
                }
                word => {
                    i += 1;
                    self.is_noticed(word)
                }
            };
            if is_noticed {
                return true;
            }
        }
        false
    }

    /// True if it can be noticed that one of the values that a trait is implemented for goes.
    fn is_any_noticed(&self, name: &str) -> bool {
        if self.is_plain {
            return false;
        }
        let list = self.implementors.get(name);
        let is_known = self.traits.contains(name) || name == "Error";
        !is_known || list.into_iter().flatten().any(|of| self.is_one_noticed(of))
    }

    fn is_noticed(&self, word: &str) -> bool {
        match self.own.get(word) {
            Some(is_noticed) => *is_noticed,
            None if self.is_plain => HOLDING.contains(&word),
            None => {
                matches!(word, "impl" | "{" | "$")
                    || word.starts_with(char::is_uppercase) && !OF_MEMORY.contains(&word)
            }
        }
    }
}

/// What stands for a type that is not known.
const ANY: &str = "$";

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The name of the trait of a `dyn`, and where its path ends.
fn trait_at<'a>(words: &[&'a str], from: usize) -> (&'a str, usize) {
    let mut k = from;
    if words.get(k) == Some(&"for") {
        k += words[k..]
            .iter()
            .position(|word| *word == ">")
            .map_or(1, |end| end + 1);
    }
    let mut name = "";
    while k < words.len() && (is_word(words[k]) || words[k] == "::") {
        if is_word(words[k]) {
            name = words[k];
        }
        k += 1;
    }
    (name, k)
}

/// The token behind the attributes that are at `at`.
fn behind_outer(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut k = at;
    while tokens.at(k as isize) == "#" && tokens.at(k as isize + 1) == "[" {
        k = tokens.list[k + 1].pair + 1;
    }
    k
}

/// The words of the types that a struct, union or enum holds, without its parameters: with what these are is told where the
/// type is named.
fn held_at(tokens: &Tokens<'_>, start: usize) -> Vec<String> {
    let at = |i: usize| tokens.at(i as isize);
    let behind = tokens.behind_angles(start + 2);
    let parameters: Vec<&str> = (start + 2..behind).map(at).filter(|word| is_word(word)).collect();
    let mut open = behind;
    while open < tokens.list.len() && !matches!(at(open), ";" | "{" | "(") {
        open += 1;
    }
    let mut todo = match tokens.list.get(open) {
        Some(token) if token.pair > open => vec![open],
        _ => Vec::new(),
    };
    // Of an enum the groups behind its variants.
    if at(start) == "enum" {
        let variants = todo.pop().map_or(0..0, |open| open + 1..tokens.list[open].pair);
        let mut i = variants.start;
        while i < variants.end {
            i = behind_outer(tokens, i);
            let is_group = matches!(at(i), "{" | "(");
            todo.extend(is_group.then_some(i));
            i = if is_group { tokens.list[i].pair } else { i } + 1;
        }
    }
    let mut list = Vec::new();
    for open in todo {
        let close = tokens.list[open].pair;
        let mut i = open + 1;
        while i < close {
            let behind = behind_outer(tokens, i);
            // The name of a field is no type.
            let is_name = at(behind + 1) == ":" && tokens.is_word(behind as isize);
            i = behind + 2 * usize::from(is_name);
            if i < close && !parameters.contains(&at(i)) && at(i) != "::" {
                list.push(at(i).to_owned());
            }
            i += 1;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::Ends;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn ends_are_told_from_memory() {
        let text = "struct D(u8); impl Drop for D { fn drop(&mut self) {} } struct V(Vec<u8>); struct W<T> { t: T }\n\
                    enum E { A(Vec<D>), B } struct F { f: Box<dyn Fn()> } struct G(E, V);\n\
                    enum H { #[cfg(all)] Sword { Length: u8 }, Named(String), Last = 3 } trait Plan {} trait Loud {}\n\
                    impl Plan for H {} impl<T> Plan for Vec<V> {} impl<T> Loud for W<T> {} impl std::error::Error for H {}\n\
                    struct P { plan: Box<dyn Plan>, fails: Box<dyn std::error::Error + Send> } struct L(Box<dyn Loud>);";
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
            ("H", false),
            ("P", false),
            ("L", true),
            ("std::boxed::Box<dyn Plan>", false),
            ("std::boxed::Box<dyn for<'a> std::ops::Fn(&'a u8)>", true),
            ("{closure@a.rs:1:2: 3:4}", true),
        ] {
            assert_eq!(ends.are_noticed(of), expected, "{of}");
        }
    }

    #[test]
    fn where_nothing_can_be_noticed_to_go_no_type_has_to_be_known() {
        let text = "struct S<T> { d: Vec<T>, f: Box<dyn Fn(u8)> } fn best<T>(of: &[T]) {}";
        for (more, expected) in [
            ("", false),
            ("fn f(c: &RefCell<u8>) { c.borrow_mut(); }", true),
            ("impl<T> Drop for S<T> { fn drop(&mut self) {} }", true),
            ("fn f() { write!(s, \"\"); }", false),
        ] {
            let text = format!("{text} {more}");
            let ends = Ends::of(&Tokens::new(&text, Path::new("test")).unwrap());
            for of in [
                "S<u8>",
                "T",
                "{closure@a.rs:1:2: 3:4}",
                "<I as Iterator>::Item",
                "impl Fn()",
            ] {
                assert_eq!(ends.are_noticed(of), expected, "{of} {more}");
            }
            assert!(ends.are_noticed("std::cell::Ref<'_, u8>"), "{more}");
        }
    }
}
