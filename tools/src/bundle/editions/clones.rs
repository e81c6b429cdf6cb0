//! What is cloned with closures: those of editions before 2021 hold whole variables, and a clone of one clones these.
//!
//! By words alone: closures by rules of a macro are refused where a program can tell, others written as they were meant.

use super::whole::{Of, captured, is_program, none_in_rules};
use super::{Compile, Editions};
use crate::bundle::lex::{Kind, Tokens};
use anyhow::Result;
use std::ops::Range;
use std::path::Path;

/// Closures that take parts of variables take all of them, as they did, where a program may tell what is cloned with them.
/// Nothing where none does, or where the text would not compile.
pub fn cloned(text: &str, editions: &Editions, compile: &Compile) -> Result<Option<String>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    if compile.edition < 2021 || !tells_clones(&tokens) {
        return Ok(None);
    }
    none_in_rules(
        text,
        &tokens,
        editions,
        compile.edition,
        ("makes closures of parts of variables", &clones_closure),
    )?;
    let captured = captured(text, editions, Of::Parts, &|_| true)?;
    Ok((captured != text && is_program(&captured, compile)?).then_some(captured))
}

/// True if a program of these tokens can tell what it clones: there is code for it, or something is counted.
fn tells_clones(tokens: &Tokens<'_>) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    (0..tokens.list.len())
        .any(|i| at(i) == "Clone" && at(i + 1) == "for" || matches!(at(i), "strong_count" | "weak_count"))
}

/// True if among these tokens is a closure that takes part of a variable, in a program that can tell what it clones.
pub fn clones_closure(tokens: &Tokens<'_>, within: Range<usize>) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    // Behind a value it is an operator.
    let begins = |i: usize| !tokens.is_word(i as isize - 1) && !matches!(at(i - 1), ")" | "]");
    let takes_part = |i: usize| {
        let is_move = at(i) == "move";
        let first = i + usize::from(is_move);
        let bars = match at(first) {
            _ if !is_move && (i == 0 || at(i - 1) == "move" || !begins(i)) => None,
            "||" => Some(first),
            "|" => (first + 1..within.end).find(|k| at(*k) == "|"),
            _ => None,
        };
        let Some(body) = bars.map(|bars| bars + 1) else {
            return false;
        };
        let mut end = body;
        while end < within.end && !matches!(at(end), ";" | "," | ")" | "]" | "}") {
            let is_block = end == body && at(end) == "{";
            end = match at(end) {
                "(" | "[" | "{" => tokens.list[end].pair + 1,
                _ => end + 1,
            };
            if is_block {
                break;
            }
        }
        // What the closure declares itself it does not take.
        let is_own = |name: &str| {
            (i..end).any(|k| at(k) == name && (k < body || matches!(at(k - 1), "let" | "ref" | "mut")))
        };
        let is_part = |k: usize| {
            let is_variable = tokens.is_word(k as isize) && !matches!(tokens.before(k as isize), "." | "::");
            is_variable && at(k + 1) == "." && !matches!(at(k + 3), "(" | "::") && at(k + 2) != "."
        };
        let is_taken = |k: usize| is_move || is_value(tokens, k, end);
        // `self` is a reference for the most part, and that is taken as it is.
        (body..end).any(|k| is_part(k) && is_taken(k) && at(k) != "self" && !is_own(at(k)))
    };
    within.clone().any(takes_part) && tells_clones(tokens)
}

/// Macros that only look at what they are given to print, or call a method of what they print to.
const PRINTING: [&str; 9] = [
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "write",
    "writeln",
];

/// True if the place that token `k` begins is used by value, before `end`: it is all of an argument, of an initialiser or of
/// a body.
fn is_value(tokens: &Tokens<'_>, k: usize, end: usize) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    let start = k - usize::from(at(k - 1) == "$");
    let mut open = start - 1;
    while open > 0 && tokens.list[open].kind != Kind::Open {
        open = tokens.list[open].pair.min(open).saturating_sub(1);
    }
    if tokens.called(open).is_some_and(|name| PRINTING.contains(&name)) {
        return false;
    }
    let compares = at(start - 1) == "=" && matches!(at(start - 2), "=" | "!" | "<" | ">");
    let mut behind = k + 1;
    while at(behind) == "." && at(behind + 2) != "(" {
        behind += 2;
    }
    let is_whole = matches!(
        at(start - 1),
        "(" | "[" | "{" | "," | ";" | "=" | "|" | "||" | "return"
    );
    is_whole && !compares && (behind >= end || matches!(at(behind), ")" | "]" | "}" | "," | ";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_that_take_parts_are_told_where_clones_are() {
        for (text, expected) in [
            ("impl Clone for A {} let c = move || a.b; c.clone()", true),
            ("impl Clone for A {} f(move |b| a.0 + b)", true),
            ("impl Clone for A {} f(move || g(1, a.0.0))", true),
            ("impl Clone for A {} f(move || { 1 }, a.0)", false),
            ("let c = move || a.b; c.clone()", false),
            ("impl Clone for A {} let c = move || a.b(); c.clone()", false),
            ("impl Clone for A {} let c = move |a| a.b; c.clone()", false),
            ("impl Clone for A {} let c = move || { let a = f; a.b };", false),
            ("impl Clone for A {} let c = || f(a.b); c.clone()", true),
            ("impl Clone for A {} f(|| $a.b.0)", true),
            (
                "impl Clone for A {} f(|b| g(&a.0, a.1 == b, b == a.1, a.2.h()))",
                false,
            ),
            ("impl Clone for A {} f(|a| a.0)", false),
            ("impl Clone for A {} f(|_| write!($a.b, \".0\"))", false),
            ("impl Clone for A {} f(|_| println!(\"{}\", a.b))", false),
            ("impl Clone for A {} f(|_| println!(\"{}\", g(1, a.b)))", true),
            ("impl Clone for A {} f(b | c, g(a.0))", false),
            ("f(|| a.0)", false),
        ] {
            let tokens = Tokens::new(text, Path::new("test")).unwrap();
            assert_eq!(clones_closure(&tokens, 0..tokens.list.len()), expected, "{text}");
        }
    }
}
