//! What is said where a text would do something else in the file's edition: functions, and lines that the lints are about.

use super::Editions;
use std::collections::BTreeSet;

/// A line of the bundle that one of the lints is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Module of its crate; empty for the program.
    pub module: String,
    /// The line.
    pub line: String,
    /// The byte of the text that it is about.
    pub place: usize,
}

/// The error of a text that would do something else.
#[derive(Debug)]
pub struct Differs {
    edition: u16,
    written: String,
    names: Vec<String>,
    /// Where the compiler's lints say so.
    pub lines: Vec<Line>,
}

impl Differs {
    /// Of these functions, in a file of `edition`.
    pub fn new(editions: &Editions, edition: u16, differs: &BTreeSet<String>, mut lines: Vec<Line>) -> Self {
        lines.dedup_by(|a, b| (&a.module, &a.line) == (&b.module, &b.line));
        Self {
            edition,
            written: written(editions, edition, differs),
            names: told(differs),
            lines,
        }
    }
}

impl std::fmt::Display for Differs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (edition, written) = (self.edition, &self.written);
        write!(
            f,
            "in edition {edition}, the target's, this does not do what it does in its own"
        )?;
        if self.names.is_empty() {
            return Ok(());
        }
        write!(f, " ({written}): {}", self.names.join(", "))
    }
}

impl std::error::Error for Differs {}

/// Functions that differ, the program's own first: the library's are told by what calls them.
fn told(differs: &BTreeSet<String>) -> Vec<String> {
    let is_own = |name: &&String| name.trim_start_matches('<').starts_with("bundle::");
    let mut names: Vec<String> = differs.iter().filter(is_own).cloned().collect();
    if names.is_empty() {
        names.extend(differs.iter().cloned());
    }
    names.truncate(8);
    names.iter().map(|name| short(name)).collect()
}

/// A function's name without what the types in it are made of, where that is long.
fn short(name: &str) -> String {
    if name.len() < LONG {
        return name.to_owned();
    }
    let mut depth = 0_usize;
    let mut short = String::new();
    let mut before = ' ';
    for c in name.chars() {
        // `->` closes nothing.
        depth -= usize::from(c == '>' && before != '-' && depth > 0);
        if depth < 2 {
            short.push(c);
        }
        depth += usize::from(c == '<');
        if c == '<' && depth == 2 {
            short.push('…');
        }
        before = c;
    }
    short
}

/// Characters of a name that is told in full.
const LONG: usize = 120;

/// Editions that differing functions were written for, or, where that is the file's, those of crates whose macros they call.
fn written(editions: &Editions, edition: u16, differs: &BTreeSet<String>) -> String {
    let mut list = BTreeSet::new();
    let mut is_other = false;
    for name in differs {
        let found = editions
            .modules
            .iter()
            .find(|(module, _)| name.contains(&format!("{module}::")));
        let (module, own) = found.map_or(("the program", editions.program), |(module, own)| (module, *own));
        is_other |= own != edition;
        list.insert(format!("{module}: {own}"));
    }
    let mut list: Vec<String> = list.into_iter().collect();
    if !is_other {
        let others = editions.modules.iter().filter(|(_, own)| **own != edition);
        list.extend(others.map(|(module, own)| format!("a macro of {module}: {own}")));
    }
    list.join(", ")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_long_name_keeps_its_own_words() {
        let types = "bundle::nom::Pair<&str, fn(&str) -> u8>, ".repeat(4);
        let name = format!("<bundle::alt<{types}> as bundle::Parser<u8>>::parse");
        assert_eq!(short(&name), "<bundle::alt<…> as bundle::Parser<…>>::parse");
        assert_eq!(short("<bundle::A<u8> as B>::f"), "<bundle::A<u8> as B>::f");
    }
}
