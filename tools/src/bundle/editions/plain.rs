//! Texts in which it can be noticed of no value when it goes: nothing in them makes a lock, a borrow that is counted, a file
//! or the like, by the names that the library and well-known crates have for it. What their own types do is told elsewhere
//! ([`Ends`](super::drops::Ends)).

use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use std::ops::Range;

/// What makes or names a value of which it can be noticed that it goes, but for one that borrows what it works on until it
/// goes (`Drain`, `PeekMut`): what looks at that before does not compile.
const HELD: [&str; 14] = [
    "BufWriter",
    "Command",
    "File",
    "LineWriter",
    "OpenOptions",
    "TcpStream",
    "channel",
    "lock",
    "replace_with",
    "scope",
    "spawn",
    "sync_channel",
    "try_lock",
    "upgrade",
];

/// Methods that make one of a value of this type, and have a name like many others'.
const HELD_OF: [(&str, &[&str]); 2] = [
    (
        "RefCell",
        &["borrow", "borrow_mut", "try_borrow", "try_borrow_mut"],
    ),
    ("RwLock", &["read", "try_read", "try_write", "write"]),
];

/// Crates that a judge may offer, of whose values it cannot be noticed that they go.
const PLAIN_CRATES: [&str; 8] = [
    "bitvec",
    "chrono",
    "itertools",
    "libc",
    "num",
    "rand",
    "regex",
    "time",
];

/// Crates whose types drop what is in them, give back memory, and do nothing else.
const CRATES_OF_MEMORY: [&str; 4] = ["arrayvec", "hashbrown", "indexmap", "smallvec"];

/// Tokens of such crates.
pub fn of_memory(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let at = |i: usize| tokens.at(i as isize);
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.list.len() {
        let end = tokens.list[i].pair.max(i);
        if at(i) == "{" && i > 1 && at(i - 2) == "mod" && CRATES_OF_MEMORY.contains(&at(i - 1)) {
            found.push(i..end);
        }
        i = end + 1;
    }
    found
}

/// True if something in a text makes or names a value of which it can be noticed that it goes.
pub fn is_any_held(tokens: &Tokens<'_>) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    let all = || 0..tokens.list.len();
    let has = |word: &str| all().any(|i| at(i) == word);
    // A lock that lasts as long as its lines: of those of a text there are many.
    let holds_lines = |i: usize| {
        let is_called = at(i) == "stdin" && at(i + 1) == "(" && at(i + 3) == ".";
        let is_read = is_called && at(i + 4).starts_with("read");
        let is_named = at(i) == "stdin" && matches!(at(i + 1), "," | ";" | "}" | "::");
        at(i) == "stdin" && !is_read && !is_named
    };
    all().any(|i| HELD.contains(&at(i)) && at(i + 1) != "!")
        || HELD_OF
            .iter()
            .any(|(of, makers)| has(of) && makers.iter().any(|maker| has(maker)))
        || all().any(holds_lines) && all().any(|i| at(i) == "lines" && i > 0 && at(i - 1) == ".")
}

/// True if that holds of the values of all crates that the judge offers.
pub fn are_offered_plain(compile: &Compile) -> bool {
    let flags = compile.offered.windows(2);
    let mut offered = flags
        .filter(|flags| flags[0] == "--extern")
        .filter_map(|flags| Some(flags[1].split_once('=')?.0));
    let is_plain = |name: &str| {
        let families = ["num_", "rand_", "fifty_edition_"];
        PLAIN_CRATES.contains(&name) || families.iter().any(|start| name.starts_with(start))
    };
    offered.all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::super::drops::Ends;
    use super::*;
    use std::path::Path;

    #[test]
    fn reading_lines_alone_holds_nothing() {
        let are_plain = |text: &str| {
            Ends::of(&Tokens::new(text, Path::new("test")).unwrap()).are_plain(&Compile::default())
        };
        for text in [
            "use std::io::{self, stdin}; fn main() { let mut s = String::new(); io::stdin().read_line(&mut s); s.lines(); }",
            "fn main() { let input = std::io::stdin(); input.read_line(&mut s); }",
            "fn borrow(of: &u8) { v.drain(..).write(); }",
            "mod hashbrown { impl<T> Drop for RawTable<T> { fn drop(&mut self) {} } } fn main() {}",
        ] {
            assert!(are_plain(text), "{text}");
        }
        for text in [
            "fn main() { let input = std::io::stdin(); for line in input.lines() {} }",
            "fn main() { for line in std::io::stdin().lines() {} }",
            "fn main() { std::io::stdout().lock(); }",
            "fn main() { std::cell::RefCell::new(3).borrow_mut(); }",
            "struct S; impl Drop for S { fn drop(&mut self) {} } fn main() {}",
            "mod a { mod hashbrown { impl Drop for S { fn drop(&mut self) {} } } } fn main() {}",
        ] {
            assert!(!are_plain(text), "{text}");
        }
        let ends = Ends::of(&Tokens::new("fn main() {}", Path::new("test")).unwrap());
        for (name, expected) in [("rand_core", true), ("parking_lot", false)] {
            let offered = vec![
                "--extern".to_owned(),
                format!("{name}=lib.rlib"),
                "-L".to_owned(),
                "dependency=deps".to_owned(),
            ];
            let compile = Compile {
                offered,
                ..Compile::default()
            };
            assert_eq!(ends.are_plain(&compile), expected, "{name}");
        }
    }
}
