//! What functions do, in order, as the compiler's MIR has it: without ways of unwinding, where room is for variables, and
//! ends that nobody can notice.
//!
//! That the memory of a list is given back earlier cannot be noticed, that a type with a `Drop` of its own goes can. Types are
//! known by their names; one that is not known may be noticed.

use crate::bundle::lex::{Kind, Tokens};
use std::collections::{BTreeMap, BTreeSet};

/// How a MIR is asked for: the compiler's passes would only hide who does what.
pub const PLAIN: [&str; 2] = ["-Zmir-opt-level=0", "-Copt-level=0"];

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
    /// Its head, without places of the text and numbers of closures.
    pub head: String,
    /// Line and column of the first place that the head names.
    pub at: Option<(usize, usize)>,
    /// What it does.
    pub blocks: Vec<Steps>,
}

impl Function {
    /// True if both do the same, however the compiler has cut that into blocks.
    pub fn does_as(&self, other: &Self) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![(0, 0)];
        while let Some((a, b)) = open.pop() {
            if !seen.insert((a, b)) {
                continue;
            }
            let (Some(a), Some(b)) = (does(&self.blocks, a), does(&other.blocks, b)) else {
                return false;
            };
            if a.0 != b.0 || a.1.len() != b.1.len() {
                return false;
            }
            open.extend(a.1.iter().copied().zip(b.1.iter().copied()));
        }
        true
    }
}

/// What is done from a block on until the ways part, and where it then goes on; none where there is no such block.
fn does(blocks: &[Steps], from: usize) -> Option<(Vec<&str>, &[usize])> {
    let mut list = Vec::new();
    let mut at = from;
    for _ in 0..=blocks.len() {
        let block = blocks.get(at)?;
        list.extend(block.does.iter().map(String::as_str));
        match block.next[..] {
            [next] => at = next,
            [one, other] if list.last() == Some(&FLAG) && idle(blocks, one) == idle(blocks, other) => {
                list.pop();
                at = idle(blocks, one);
            }
            _ => return Some((list, &block.next)),
        }
    }
    // Round and round without an end.
    Some((list, &[]))
}

/// The first block from here on that does something, or where the ways part.
fn idle(blocks: &[Steps], from: usize) -> usize {
    let mut at = from;
    for _ in 0..=blocks.len() {
        match blocks.get(at) {
            Some(block) if block.does.is_empty() && block.next.len() == 1 => at = block.next[0],
            _ => break,
        }
    }
    at
}

/// The step that asks whether there is something to drop.
const FLAG: &str = "switchInt(flag)";

/// A step after the other, and where it goes on but for unwinding.
#[derive(Debug, Default)]
pub struct Steps {
    does: Vec<String>,
    next: Vec<usize>,
}

/// The functions of a MIR.
pub fn functions(mir: &str, ends: &Ends) -> Vec<Function> {
    let mut list: Vec<Function> = Vec::new();
    let mut types: BTreeMap<&str, &str> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut is_function = false;
    for line in mir.lines().filter(|line| !line.is_empty()) {
        let word = line.trim_start();
        if !line.starts_with(' ') {
            is_function = line.starts_with("fn ") && line.ends_with('{');
            if is_function {
                let (head, at) = placeless(line);
                types.clear();
                kinds.clear();
                list.push(Function {
                    head,
                    at,
                    blocks: Vec::new(),
                });
            }
            continue;
        }
        let Some(function) = list.last_mut().filter(|_| is_function) else {
            continue;
        };
        if let Some((name, of)) = word.strip_prefix("let ").and_then(|rest| rest.split_once(": ")) {
            types.insert(name.trim_start_matches("mut "), of.trim_end_matches(';'));
        } else if word.starts_with("bb") && word.ends_with('{') {
            function.blocks.push(Steps::default());
        } else if let Some(block) = function.blocks.last_mut() {
            let (step, leads) = word.rsplit_once(" -> ").unwrap_or((word, ""));
            block
                .next
                .extend(leads.split([',', '[', ';', ']']).filter_map(next));
            let is_idle = step.strip_prefix("drop(").is_some_and(|rest| {
                let of = rest.split(')').next().and_then(|name| types.get(name));
                of.is_some_and(|of| !ends.are_noticed(of))
            });
            if let Some((name, of)) = step.split_once(" = discriminant(") {
                kinds.insert(name, of.trim_end_matches([')', ';']));
            } else if is_step(step) && !is_idle {
                block.does.push(placeless(&unnumbered(step, &kinds)).0);
            }
        }
    }
    list
}

/// Those that do not do the same as one of their head over there.
pub fn differing(theirs: &[Function], here: Vec<Function>) -> Vec<Function> {
    let mut known: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in theirs {
        known.entry(&function.head).or_default().push(function);
    }
    let mut is_other = |function: &Function| {
        let list = known.get_mut(function.head.as_str());
        let same = list.and_then(|list| {
            let at = list.iter().position(|other| other.does_as(function))?;
            Some(list.swap_remove(at))
        });
        same.is_none()
    };
    here.into_iter().filter(|function| is_other(function)).collect()
}

/// A step without the numbers of what the compiler made for itself, which depend on where it drops: `kinds` are the variables
/// that hold which variant a value is, and what a `switchInt` copies says whether there is something to drop.
fn unnumbered(step: &str, kinds: &BTreeMap<&str, &str>) -> String {
    let Some(of) = step.strip_prefix("switchInt(") else {
        return step.to_owned();
    };
    let of = of.trim_end_matches(')');
    match of.strip_prefix("move ").and_then(|name| kinds.get(name)) {
        Some(value) => format!("switchInt(discriminant({value}))"),
        None if of.starts_with("copy ") => FLAG.to_owned(),
        None => step.to_owned(),
    }
}

/// The number of a block that is gone on with; none for one that unwinds.
fn next(lead: &str) -> Option<usize> {
    let (why, to) = lead.rsplit_once(": ").unwrap_or(("", lead));
    let number = to.trim().strip_prefix("bb").filter(|_| why.trim() != "unwind");
    number?.parse().ok()
}

/// True for what is done, and is not only where.
fn is_step(line: &str) -> bool {
    let idle = ["Storage", "debug ", "scope ", "goto", "}", "nop", "unreachable"];
    // Values without content, and whether there is something to drop.
    let made = [" = const ();", " = const true;", " = const false;"];
    !line.is_empty()
        && !made.iter().any(|end| line.ends_with(end))
        && !idle.iter().any(|start| line.starts_with(start))
}

/// A line without places of the text (`at file:1:2: 3:4`, `@file:1:2: 3:4`), and the first of these.
fn placeless(line: &str) -> (String, Option<(usize, usize)>) {
    let mut text = String::new();
    let mut first = None;
    let mut rest = line;
    while let Some(start) = rest.find(" at ").into_iter().chain(rest.find('@')).min() {
        text += &rest[..start];
        rest = &rest[start..];
        if let Some((end, place)) = end_of_place(rest) {
            first = first.or(Some(place));
            rest = &rest[end..];
        } else {
            text += &rest[..1];
            rest = &rest[1..];
        }
    }
    text += rest;
    // A name may be a keyword in one of the editions.
    (countless(&text.replace("r#", "")), first)
}

/// A line without the numbers of closures (`{closure#2}`): calls of macros are read first or last, as they stand here or
/// come out of another crate, and what they make is counted then.
fn countless(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('#') {
        text += before;
        rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_count = rest.len() < behind.len() && rest.starts_with('}');
        if !is_count {
            text.push('#');
            rest = behind;
        }
    }
    text + rest
}

/// Where the first `:1:2: 3:4` ends, and its first two numbers.
fn end_of_place(text: &str) -> Option<(usize, (usize, usize))> {
    let digits = |at: usize| {
        text[at..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len() - at)
    };
    text.match_indices(':').find_map(|(colon, _)| {
        let (mut at, mut numbers) = (colon, Vec::new());
        for sign in [":", ":", ": ", ":"] {
            at += text[at..].strip_prefix(sign).map(|_| sign.len())?;
            let length = digits(at);
            numbers.push(text[at..at + length].parse().ok()?);
            at += length;
        }
        Some((at, (numbers[0], numbers[1])))
    })
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
        let tokens = Tokens::new("struct D; impl Drop for D {}", Path::new("test")).unwrap();
        let of = |mir: &str| functions(mir, &Ends::of(&tokens)).remove(0);
        let start = "fn <impl at bundle.rs:3:1: 3:7>::get(_1: &D) -> () {\n    let _2: D;\n    let mut _3: std::vec::Vec<u8>;\n\n    \
                     bb0: {\n        StorageLive(_2);\n        _0 = f(move _2) -> [return: bb1, unwind: bb3];\n    }\n\n";
        let end = "    bb2: {\n        return;\n    }\n\n    bb3 (cleanup): {\n        \
                   drop(_2) -> [return: bb2, unwind terminate(cleanup)];\n    }\n}\n";
        let drops = "    bb1: {\n        drop(_2) -> [return: bb2, unwind continue];\n    }\n\n";
        let function = of(&format!("{start}{drops}{end}"));
        assert_eq!(function.head, "fn <impl>::get(_1: &D) -> () {");
        assert_eq!(function.at, Some((3, 1)));
        assert_eq!(function.blocks[0].does, ["_0 = f(move _2)"]);
        assert_eq!(function.blocks[0].next, [1]);
        // The end of memory alone is no step.
        let memory = drops.replace("_2", "_3");
        assert!(!function.does_as(&of(&format!("{start}{memory}{end}"))));
        assert!(of(&format!("{start}{memory}{end}")).does_as(&of(&format!(
            "{start}    bb1: {{\n        goto -> bb2;\n    }}\n\n{end}"
        ))));
        // Nor is it whether there is any.
        let asked = "    bb1: {\n        switchInt(copy _4) -> [0: bb2, otherwise: bb4];\n    }\n\n";
        let behind = "    bb3 (cleanup): {\n        goto -> bb3;\n    }\n\n    \
                      bb4: {\n        drop(_3) -> [return: bb2, unwind continue];\n    }\n}\n";
        let last = "    bb2: {\n        return;\n    }\n\n";
        let of_flag = of(&format!("{start}{asked}{last}{behind}"));
        assert!(
            of(&format!(
                "{start}    bb1: {{\n        goto -> bb2;\n    }}\n\n{last}}}\n"
            ))
            .does_as(&of_flag)
        );
        let noticed = behind.replace("_3", "_2");
        assert!(!of(&format!("{start}{asked}{last}{noticed}")).does_as(&of_flag));
        let (text, at) = placeless("_1 = {closure@a/b.rs:8:93: 8:95} { a: move _2 }");
        assert_eq!(
            (text.as_str(), at),
            ("_1 = {closure} { a: move _2 }", Some((8, 93)))
        );
        let (text, at) = placeless("fn main::{closure#0}::{closure#12}(_1: &u8, _2: [r#type; #3]) -> () {");
        assert_eq!(
            (text.as_str(), at),
            (
                "fn main::{closure}::{closure}(_1: &u8, _2: [type; #3]) -> () {",
                None
            )
        );
    }
}
