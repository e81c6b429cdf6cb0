//! What a newer crate says that the file's edition cannot read, and that there is no translation of: told by its line.
//!
//! By what the compiler says of the text: chains of `let` that a macro puts together of pieces, and arguments of macros that
//! are expressions since 2024 only. Other errors are nobody's edition.

use super::{Editions, Line, line_at};
use crate::bundle::rejected::Rejected;
use anyhow::Result;

/// How errors begin, and what they are about.
const SAID: [(&str, &str); 3] = [
    (
        "error: let chains are only allowed in Rust 2024",
        "a chain of `let` that a macro puts together",
    ),
    (
        "error: no rules expected keyword `const`",
        "a `const` block as an argument of a macro that asks for an expression",
    ),
    (
        "error: no rules expected reserved identifier `_`",
        "`_` as an argument of a macro that asks for an expression",
    ),
];

/// The error of such a text.
#[derive(Debug)]
pub struct Unread {
    /// The first line.
    pub line: Line,
    what: &'static str,
    edition: u16,
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, edition) = (self.what, self.edition);
        write!(f, "{what}: edition {edition}, the target's, cannot read that")
    }
}

impl std::error::Error for Unread {}

/// The error of a text that is rejected, in words, if that is for its newer crates' edition.
pub fn unread(rejected: &Rejected, editions: &Editions, edition: u16) -> Result<Option<Unread>> {
    let said = SAID.iter().find(|(start, _)| rejected.said.starts_with(start));
    let Some((_, what)) = said.filter(|_| edition < 2024) else {
        return Ok(None);
    };
    let lines = rejected.text.split_inclusive('\n');
    let place: usize = lines.take(rejected.line.saturating_sub(1)).map(str::len).sum();
    let parts = editions.parts(&rejected.text)?;
    let is_newer = editions.at(&parts, place) >= 2024;
    Ok(is_newer.then(|| Unread {
        line: line_at(&rejected.text, &parts, place),
        what,
        edition,
    }))
}
