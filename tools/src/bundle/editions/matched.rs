//! Calls of macros whose rules match more in edition 2024: `$x:expr` takes `_` and `const { … }` since then, and before
//! that the next rule is tried.
//!
//! By words alone: calls with such an argument, of macros of newer crates that ask for an expression. Whether it is
//! matched otherwise, a comparison of code tells.

use super::across::opens;
use crate::bundle::lex::Tokens;
use std::collections::BTreeSet;

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
