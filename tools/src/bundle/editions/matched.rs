//! Calls of macros whose rules match more in edition 2024: `$x:expr` takes `_` and `const { … }` since then, and before
//! that the next rule is tried.
//!
//! By words alone: calls with such an argument, of macros of newer crates that ask for an expression. Whether it is
//! matched otherwise, a comparison of code tells. Where nothing else matches, the argument is put in parentheses, if that
//! is the same to the newer edition: another rule may ask for these.

use super::across::opens;
use super::{Compile, Editions, Reference};
use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::shake::Compiler;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// Places of calls with such an argument: of macros that `is_newer` names by their places and that ask for an
/// expression, and of those that call them.
pub fn places(tokens: &Tokens<'_>, is_newer: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let all = 0..tokens.list.len();
    let declared = tokens.macros();
    let body = |i: usize| i + 4..tokens.list[i + 3].pair;
    let name = |i: usize| tokens.at(i as isize + 2);
    let is_asked =
        |at: isize| tokens.at(at) == "expr" && tokens.at(at - 1) == ":" && tokens.at(at - 3) == "$";
    let asks = |i: &usize| is_newer(tokens.list[*i].range.start) && body(*i).any(|k| is_asked(k as isize));
    let mut names: BTreeSet<&str> = declared.iter().copied().filter(asks).map(name).collect();
    let is_call = |i: usize, names: &BTreeSet<&str>| {
        tokens.at(i as isize + 1) == "!" && names.contains(tokens.at(i as isize))
    };
    loop {
        let calls = |i: &usize| body(*i).any(|k| is_call(k, &names));
        let more: Vec<&str> = declared.iter().copied().filter(calls).map(name).collect();
        let before = names.len();
        names.extend(more);
        if names.len() == before {
            break;
        }
    }
    let calls = all.filter(|i| is_call(*i, &names) && opens(tokens, i + 2));
    calls
        .filter(|i| has_newer_expression(tokens, i + 2))
        .map(|i| tokens.list[i].range.start)
        .collect()
}

/// True if there is an argument for edition 2024 in the group that token `open` opens; what is in blocks is no argument.
fn has_newer_expression(tokens: &Tokens<'_>, open: usize) -> bool {
    let (mut k, end) = (open + 1, tokens.list[open].pair);
    while k < end {
        if is_newer_expression(tokens, k) {
            return true;
        }
        k = match tokens.at(k as isize) {
            "{" => tokens.list[k].pair,
            _ => k + 1,
        };
    }
    false
}

/// True where token `k` begins an argument that is an expression for edition 2024 only.
fn is_newer_expression(tokens: &Tokens<'_>, k: usize) -> bool {
    let at = k as isize;
    let is_block = tokens.at(at) == "const" && tokens.at(at + 1) == "{";
    let is_blank = tokens.at(at) == "_" && !tokens.is_word(at + 1);
    let is_first = !matches!(tokens.at(at - 1), "&" | "." | "'" | "$" | "|" | "::" | ":" | "<");
    (is_block || is_blank) && is_first
}

/// Where words of calls stand that no rule of the macro goes on with.
fn unmatched(text: &str, compiler: &Compiler) -> Result<BTreeSet<usize>> {
    let errors = compiler.check(text)?.errors;
    let of_rules = errors
        .iter()
        .filter(|error| error.text.starts_with("no rules expected "));
    Ok(of_rules
        .flat_map(|error| &error.spans)
        .map(|span| span.start)
        .collect())
}

/// How often what no rule matches is looked for.
const ROUNDS: usize = 16;

/// `text`, with newer crates' arguments that no rule matches in the file's edition in parentheses, where all of it still is
/// what it was in the editions of its crates.
pub fn enclosed(text: &str, editions: &Editions, compile: &Compile, compiler: &Compiler) -> Result<String> {
    let mut new = text.to_owned();
    for _ in 0..ROUNDS {
        let edition_at = editions.by_place(&new)?;
        let is_newer = |byte: usize| edition_at(byte) >= 2024;
        let tokens = Tokens::new(&new, Path::new("bundle"))?;
        if places(&tokens, &is_newer).is_empty() {
            break;
        }
        let mut edits = Edits::default();
        let mut found = false;
        for place in unmatched(&new, compiler)?
            .into_iter()
            .filter(|place| is_newer(*place))
        {
            let k = tokens.from(place);
            let is_it = tokens.list.get(k).is_some_and(|token| token.range.start == place);
            if !is_it || !is_newer_expression(&tokens, k) {
                continue;
            }
            let last = if tokens.at(k as isize) == "_" {
                k
            } else {
                tokens.list[k + 1].pair
            };
            let end = tokens.list[last].range.end;
            edits.replace(place..place, "(");
            edits.replace(end..end, ")");
            found = true;
        }
        if !found {
            break;
        }
        new = edits.apply(&new);
    }
    if new == text {
        return Ok(new);
    }
    let is_same = Reference::new(text, editions, compile).and_then(|before| {
        let after = Reference::new(&new, editions, compile)?;
        Ok(before.code().strays(after.code())?.is_empty())
    });
    Ok(if is_same.unwrap_or(false) {
        new
    } else {
        text.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::places;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn only_arguments_that_older_editions_match_otherwise_count() {
        let rules = "macro_rules! m { ($e:expr) => { 1 }; ($($t:tt)*) => { 2 } } \
                     macro_rules! by { ($($t:tt)*) => { m!($($t)*) } } macro_rules! other { ($($t:tt)*) => { 0 } }";
        for (call, expected) in [
            ("m!(_)", 1),
            ("m!(1, const { 2 })", 1),
            ("m!(const X: u8 = 1)", 0),
            ("m!(x as Vec<_>)", 0),
            ("other!(_)", 0),
            ("by!(_)", 1),
            ("by!({ let _ = 1; })", 0),
        ] {
            let text = format!("{rules} fn f() {{ {call}; }}");
            let tokens = Tokens::new(&text, Path::new("bundle")).unwrap();
            assert_eq!(places(&tokens, &|_| true).len(), expected, "{call}");
            assert!(places(&tokens, &|_| false).is_empty());
        }
    }
}
