//! Attributes that only lints, documentation and tools read, taken out where the head of the file allows all warnings.
//!
//! Not here: what macros are given or have in their rules, where an attribute may be looked at, and lints that are errors
//! by themselves, of which `allow(warnings)` does not speak.

use super::lex::{Edits, Kind, Tokens};
use anyhow::Result;
use std::ops::Range;
use std::path::Path;

/// What a head of a file says that allows all warnings.
const ALL: &str = "#![allow(warnings)]";

/// Lints that warn, or are silent, unless a program says otherwise; so do those that begin with one of [`FAMILIES`].
const WARNINGS: [&str; 29] = [
    "absolute_paths_not_starting_with_crate",
    "ambiguous_glob_reexports",
    "bare_trait_objects",
    "dead_code",
    "deprecated",
    "elided_lifetimes_in_paths",
    "future_incompatible",
    "improper_ctypes",
    "irrefutable_let_patterns",
    "macro_use_extern_crate",
    "missing_copy_implementations",
    "missing_debug_implementations",
    "missing_docs",
    "non_local_definitions",
    "nonstandard_style",
    "path_statements",
    "private_bounds",
    "private_interfaces",
    "redundant_semicolons",
    "renamed_and_removed_lints",
    "rust_2018_idioms",
    "single_use_lifetimes",
    "type_alias_bounds",
    "unexpected_cfgs",
    "unknown_lints",
    "unsafe_code",
    "unstable_name_collisions",
    "variant_size_differences",
    "warnings",
];

/// Beginnings of lints of which none is an error by itself.
const FAMILIES: [&str; 5] = [
    "non_camel_case",
    "non_snake_case",
    "non_upper_case",
    "unreachable",
    "unused",
];

/// `program` without them, if `head` allows all warnings.
pub fn without(program: String, head: &[String]) -> Result<String> {
    if !head.iter().any(|line| line == ALL) {
        return Ok(program);
    }
    let tokens = Tokens::new(&program, Path::new("bundle"))?;
    let mut edits = Edits::default();
    let mut i = 0;
    while i < tokens.list.len() {
        let at = i as isize;
        if tokens.called(i).is_some()
            || tokens.at(at - 3) == "macro_rules" && tokens.list[i].kind == Kind::Open
        {
            i = tokens.list[i].pair;
            continue;
        }
        let open = i + 1 + usize::from(tokens.at(at + 1) == "!");
        let is_attribute = tokens.at(at) == "#" && tokens.at(open as isize) == "[";
        if is_attribute && is_for_lints(&tokens, open) {
            let close = tokens.list[open].pair;
            edits.remove(behind(&tokens, &program, i, close));
            i = close;
        }
        i += 1;
    }
    Ok(edits.apply(&program))
}

/// An attribute from token `first` to `last`, its line with it if it has one to itself.
fn behind(tokens: &Tokens, text: &str, first: usize, last: usize) -> Range<usize> {
    let (start, end) = (tokens.list[first].range.start, tokens.list[last].range.end);
    let line = text[..start].rfind('\n').map_or(0, |line| line + 1);
    let gap = text[end..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
    if text[line..start].trim().is_empty() && text[end..end + gap].contains('\n') {
        return start..end + gap;
    }
    start..end
}

/// True of an attribute, whose bracket opens at token `open`, that makes no program another.
fn is_for_lints(tokens: &Tokens, open: usize) -> bool {
    let at = open as isize + 1;
    match tokens.at(at) {
        "must_use" | "deprecated" | "automatically_derived" => true,
        "rustfmt" | "clippy" => tokens.at(at + 1) == "::",
        "warn" | "deny" => tokens.at(at + 1) == "(",
        // What is said of a lint that is an error stands.
        "allow" | "expect" if tokens.at(at + 1) == "(" => {
            let close = tokens.list[open + 2].pair;
            let mut k = open + 3;
            while k < close {
                let word = tokens.at(k as isize);
                let is_tool = tokens.at(k as isize + 1) == "::";
                let is_reason = word == "reason" && tokens.at(k as isize + 1) == "=";
                let is_family = FAMILIES.iter().any(|family| word.starts_with(family));
                if !is_tool && !is_reason && !is_family && !WARNINGS.contains(&word) {
                    return false;
                }
                k += if is_tool || is_reason { 3 } else { 1 };
                k += usize::from(tokens.at(k as isize) == ",");
            }
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, without};

    #[test]
    fn what_makes_no_program_another_goes() {
        let text = "#[allow(dead_code, clippy::all, unused_imports, reason = \"x\",)]\n#[inline] #[must_use = \"y\"]\n\
                    fn f() -> i32 {\n    #[allow(arithmetic_overflow)]\n    let x = 255u8 + 1;\n    \
                    m! { #[allow(dead_code)] x }\n    #[rustfmt::skip] #[expect(unused)] g() }\n\
                    macro_rules! m { (#[allow(dead_code)] x) => {}; }\nmod n { #![deny(missing_docs)] #[allow(overflowing_literals, dead_code)] fn h() {} }\n";
        let left = "#[inline] \nfn f() -> i32 {\n    #[allow(arithmetic_overflow)]\n    let x = 255u8 + 1;\n    \
                    m! { #[allow(dead_code)] x }\n      g() }\n\
                    macro_rules! m { (#[allow(dead_code)] x) => {}; }\nmod n {  #[allow(overflowing_literals, dead_code)] fn h() {} }\n";
        assert_eq!(without(text.to_owned(), &[ALL.to_owned()]).unwrap(), left);
        assert_eq!(without(text.to_owned(), &[]).unwrap(), text);
    }
}
