//! Where the compiler's lints of edition 2024 speak of what no edition changes: what a `while let` holds.
//!
//! Its condition is the only expression in the block that is run again and again, so that what it holds on the way goes
//! at the end of each run, after the body and with no variable beside it: until 2024 and since. Blocks and closures
//! inside the condition have ends of their own and are not meant. In macros by rules conditions are read as tokens.

use super::across::{opens, rules};
use crate::bundle::lex::Tokens;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ExprWhile};

/// Lints that are about the end of what is held.
pub const OF_ENDS: [&str; 2] = ["if_let_rescope", "tail_expr_drop_order"];

/// The conditions, less the blocks and closures inside them.
#[derive(Debug, Default)]
pub struct Conditions {
    inside: Vec<Range<usize>>,
    less: Vec<Range<usize>>,
    /// What macros by rules make, where nothing in it ends before all of it does.
    made: Vec<Range<usize>>,
}

impl Conditions {
    /// Those of a text.
    pub fn of(file: &syn::File, tokens: &Tokens<'_>) -> Self {
        let mut found = Self::default();
        found.visit_file(file);
        for i in rules(tokens) {
            found.add_rules(tokens, i + 3);
        }
        found
    }

    /// Those in the rules of a macro, which token `open` opens, and what these make.
    fn add_rules(&mut self, tokens: &Tokens<'_>, open: usize) {
        let list = &tokens.list;
        let end = list[open].pair;
        let mut k = open + 1;
        while k < end {
            if opens(tokens, k) {
                if tokens.at(k as isize - 1) == ">" {
                    self.made.extend(unended(tokens, k + 1..list[k].pair));
                }
                k = list[k].pair;
            }
            k += 1;
        }
        for k in open..end {
            let at = k as isize;
            if tokens.at(at) == "{" {
                self.less.push(list[k].range.start..list[list[k].pair].range.end);
            }
            if tokens.at(at) == "while" && tokens.at(at + 1) == "let" {
                let equals = find(tokens, k..end, "=");
                let body = find(tokens, equals..end, "{");
                // A closure has an end of its own.
                if !(equals..body).any(|k| tokens.at(k as isize) == "|") {
                    self.inside.push(list[k].range.start..list[body].range.start);
                }
            }
        }
    }

    /// True if what begins at this byte, or the `calls` that made it, the innermost first, is part of one and ends with it.
    pub fn holds(&self, byte: usize, calls: &mut dyn Iterator<Item = usize>) -> bool {
        let mut byte = byte;
        loop {
            if self.has(byte) {
                return true;
            }
            let ends_outside = self.made.iter().any(|range| range.contains(&byte));
            match calls.next().filter(|_| ends_outside) {
                Some(call) => byte = call,
                None => return false,
            }
        }
    }

    /// True if what begins at this byte is part of one.
    pub fn has(&self, byte: usize) -> bool {
        // A block in a condition may hold a loop of its own: the range that begins last decides.
        let last = |ranges: &[Range<usize>]| {
            let around = ranges.iter().filter(|range| range.contains(&byte));
            around.map(|range| range.start).max()
        };
        last(&self.inside) > last(&self.less)
    }
}

/// The first token of these words among `within`, groups left out; their end, where there is none.
fn find(tokens: &Tokens<'_>, within: Range<usize>, word: &str) -> usize {
    let mut k = within.start;
    while k < within.end && tokens.at(k as isize) != word {
        k = if opens(tokens, k) { tokens.list[k].pair } else { k } + 1;
    }
    k
}

/// Those tokens of `within` that are in no block; none where there are closures.
fn unended(tokens: &Tokens<'_>, within: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    if within.clone().any(|k| tokens.at(k as isize) == "|") {
        return ranges;
    }
    let mut k = within.start;
    while k < within.end {
        if tokens.at(k as isize) == "{" {
            k = tokens.list[k].pair;
        } else {
            ranges.push(tokens.list[k].range.clone());
        }
        k += 1;
    }
    ranges
}

impl<'ast> Visit<'ast> for Conditions {
    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        if matches!(*node.cond, Expr::Let(_)) {
            let start = node.while_token.span.byte_range().start;
            self.inside.push(start..node.cond.span().byte_range().end);
        }
        visit::visit_expr_while(self, node);
    }

    fn visit_block(&mut self, node: &'ast Block) {
        self.less.push(node.span().byte_range());
        visit::visit_block(self, node);
    }

    fn visit_expr_closure(&mut self, node: &'ast ExprClosure) {
        self.less.push(node.span().byte_range());
        visit::visit_expr_closure(self, node);
    }
}

#[cfg(test)]
mod tests {
    use super::Conditions;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn only_the_condition_itself_is_meant() {
        let text = "fn f() { while let Some(x) = a.next() { b(x); while let Some(y) = { c.lock().pop() } { d } } \
                    if let Some(z) = e.next() {} while g.next().is_some() {} while let Some(v) = h(|| i()) {} }";
        let tokens = Tokens::new(text, Path::new("test")).unwrap();
        let conditions = Conditions::of(&syn::parse_file(text).unwrap(), &tokens);
        for (part, expected) in [
            ("while let Some(x)", true),
            ("a.next", true),
            ("b(x)", false),
            ("while let Some(y)", true),
            ("c.lock", false),
            ("d }", false),
            ("e.next", false),
            ("g.next", false),
            ("h(", true),
            ("i()", false),
        ] {
            assert_eq!(conditions.has(text.find(part).unwrap()), expected, "{part}");
        }
    }

    #[test]
    fn what_a_macro_makes_in_a_condition_is_part_of_it() {
        let text = "macro_rules! tri { ($e:expr) => { match $e { Ok(v) => { early() } Err(e) => return e } } } \
                    macro_rules! block { ($e:expr) => {{ let a = $e; late() }} } \
                    macro_rules! with { ($e:expr) => { also(|| inside($e)) } } \
                    macro_rules! all { ($m:ident) => { while let Some(x) = tri!($m.next()) { body(x) } \
                    while let S { a, .. } = block!(one()) {} while let Some(z) = other(|| two()) {} tri!(free()); } }";
        let tokens = Tokens::new(text, Path::new("test")).unwrap();
        let conditions = Conditions::of(&syn::parse_file(text).unwrap(), &tokens);
        for (part, call, expected) in [
            ("match $e", "tri!($m", true),
            ("match $e", "tri!(free", false),
            ("early()", "tri!($m", false),
            ("late()", "block!(one", false),
            ("inside(", "tri!($m", false),
            ("$m.next()", "tri!($m", true),
            ("body(x)", "while let S", false),
            ("other(", "tri!(free", false),
            ("free()", "body(x)", false),
        ] {
            let place = |word: &str| text.find(word).unwrap();
            let mut calls = [place(call)].into_iter();
            assert_eq!(
                conditions.holds(place(part), &mut calls),
                expected,
                "{part} by {call}"
            );
        }
    }
}
