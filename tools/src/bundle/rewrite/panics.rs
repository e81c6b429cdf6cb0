//! Panics of editions before 2021 that are handed a value without a format: `panic!(value)` and `assert!(holds, value)`,
//! whose payload it is, and `unreachable!(value)`.
//!
//! What is said by a literal alone is [`unformatted_panic`](crate::bundle::editions::unformatted_panic)'s.

use super::Rewrite;
use crate::bundle::editions::of_a_value;
use crate::bundle::lex::Kind;
use std::ops::Range;

impl Rewrite<'_, '_> {
    /// Rewrites the call at token `i`, if it is one of these.
    pub(super) fn valued_panic(&mut self, i: usize) {
        let tokens = self.tokens;
        let at = i as isize;
        let asks = match tokens.at(at) {
            "panic" | "unreachable" => false,
            "assert" | "debug_assert" => true,
            _ => return,
        };
        let open = i + 2;
        let Some(group) = tokens.list.get(open).filter(|t| t.kind == Kind::Open) else {
            return;
        };
        if tokens.at(at + 1) != "!" {
            return;
        }
        let close = group.pair;
        let mut start = open + 1;
        if asks {
            let Some(comma) = self.comma(start..close) else {
                return;
            };
            start = comma + 1;
        }
        if !self.is_one_value(start..close) {
            return;
        }
        if tokens.at(at) == "unreachable" {
            // What it prints, never what it holds; a comma behind it would make a tuple of it.
            let opened = format!("{}{}", tokens.at(open as isize), of_a_value("("));
            self.edits.replace(tokens.list[open].range.clone(), opened);
            let last = close - 1;
            if tokens.at(last as isize) == "," {
                self.edits.replace(tokens.list[last].range.clone(), "");
            }
            let closed = format!("){}", tokens.at(close as isize));
            self.edits.replace(tokens.list[close].range.clone(), closed);
            return;
        }
        let first = self.call_start(i).unwrap_or(i);
        let name = tokens.list[first].range.start;
        if !asks {
            self.edits
                .replace(name..tokens.list[i + 1].range.end, "::std::panic::panic_any");
            return;
        }
        let only = if tokens.at(at) == "assert" {
            ""
        } else {
            "cfg!(debug_assertions) && "
        };
        self.edits
            .replace(name..tokens.list[open].range.end, format!("{{ if {only}!("));
        self.edits.replace(
            tokens.list[start - 1].range.clone(),
            ") { ::std::panic::panic_any(",
        );
        self.edits.replace(tokens.list[close].range.clone(), ") } }");
    }

    /// The comma behind the first expression of a list of tokens: one inside `f::<A, B>()` is part of it.
    fn comma(&self, inside: Range<usize>) -> Option<usize> {
        let tokens = self.tokens;
        // What a macro puts in stands for an expression or a name.
        let is_whole = |end: usize| {
            let bytes = tokens.list[inside.start].range.start..tokens.list[end].range.start;
            syn::parse_str::<syn::Expr>(&tokens.text[bytes].replace('$', "")).is_ok()
        };
        let mut commas = Vec::new();
        let mut k = inside.start;
        while k < inside.end {
            if tokens.at(k as isize) == "," {
                commas.push(k);
            }
            k = tokens.list[k].pair.max(k) + 1;
        }
        let first = *commas.first()?;
        commas.push(inside.end);
        let end = commas.into_iter().find(|end| is_whole(*end)).unwrap_or(first);
        (end < inside.end).then_some(end)
    }

    /// True for one expression that is no format: `$x` is one value, `$($x)*` may be a format and its values.
    fn is_one_value(&self, inside: Range<usize>) -> bool {
        let tokens = self.tokens;
        let Some(first) = tokens.list.get(inside.start).filter(|_| !inside.is_empty()) else {
            return false;
        };
        let text = tokens.text[first.range.clone()].trim_start_matches('r');
        let is_text = first.kind == Kind::Lit && text.starts_with(['"', '#']);
        let repeats = |k: usize| tokens.at(k as isize) == "$" && !tokens.is_word(k as isize + 1);
        let is_last = |comma| comma + 1 == inside.end;
        !is_text && !inside.clone().any(repeats) && self.comma(inside.clone()).is_none_or(is_last)
    }
}
