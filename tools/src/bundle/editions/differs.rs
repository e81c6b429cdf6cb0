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
            written: written(editions, differs),
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
    names
}

/// Editions that differing functions were written for.
fn written(editions: &Editions, differs: &BTreeSet<String>) -> String {
    let mut list = BTreeSet::new();
    for name in differs {
        let found = editions
            .modules
            .iter()
            .find(|(module, _)| name.contains(&format!("{module}::")));
        match found {
            Some((module, edition)) => list.insert(format!("{module}: {edition}")),
            None => list.insert(format!("the program: {}", editions.program)),
        };
    }
    list.into_iter().collect::<Vec<_>>().join(", ")
}
