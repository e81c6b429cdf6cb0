//! Where the compiler's lints of edition 2024 speak of what no edition changes: what a `while let` holds.
//!
//! Its condition is the only expression in the block that is run again and again, so that what it holds on the way goes
//! at the end of each run, after the body and with no variable beside it: until 2024 and since. Blocks and closures
//! inside the condition have ends of their own and are not meant, nor is what a macro puts into such. Macros by rules and
//! what they are given are read as tokens.

use super::across::{find, is_call, opens};
use super::bare::{OF_TAILS, is_innermost};
use crate::bundle::lex::Tokens;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ExprWhile};

/// Lints that are about the end of what is held.
pub const OF_ENDS: [&str; 2] = ["if_let_rescope", OF_TAILS];

/// The conditions, less the blocks and closures inside them.
#[derive(Debug, Default)]
pub struct Conditions {
    inside: Vec<Range<usize>>,
    less: Vec<Range<usize>>,
    /// What macros by rules make, where nothing in it but blocks ends before all of it does.
    made: Vec<Range<usize>>,
}

impl Conditions {
    /// Those of a text.
    pub fn of(file: &syn::File, tokens: &Tokens<'_>) -> Self {
        let mut found = Self::default();
        found.visit_file(file);
        let rules = tokens.macros();
        // Macros by name: true if what they are given ends where all that they make does.
        let mut open: BTreeMap<&str, bool> = BTreeMap::new();
        for i in &rules {
            let is_open = open.entry(tokens.at(*i as isize + 2)).or_insert(true);
            *is_open &= found.add_rules(tokens, i + 3);
        }
        for call in (0..tokens.list.len()).filter(|i| is_call(tokens, *i)) {
            let is_open = open.get(tokens.at(call as isize)) == Some(&true);
            found.add_given(tokens, call + 2, is_open);
        }
        found
    }

    /// Those in the rules of a macro, which token `open` opens, and what these make; true if what they are given is in no
    /// block, no closure and no other macro.
    fn add_rules(&mut self, tokens: &Tokens<'_>, open: usize) -> bool {
        let list = &tokens.list;
        let end = list[open].pair;
        let mut is_open = true;
        let mut k = open + 1;
        while k < end {
            if opens(tokens, k) {
                if tokens.at(k as isize - 1) == ">" {
                    is_open &= self.add_made(tokens, k);
                }
                k = list[k].pair;
            }
            k += 1;
        }
        for k in open..end {
            let at = k as isize;
            if tokens.at(at) == "{" {
                self.less.push(group(tokens, k));
            }
            if tokens.at(at) == "while" && tokens.at(at + 1) == "let" {
                let equals = find(tokens, k + 2, "=");
                let whole = equals.and_then(|equals| Some((equals, find(tokens, equals, "{")?)));
                if let Some((_, body)) = whole.filter(|(equals, body)| !has_closure(tokens, *equals..*body)) {
                    self.inside.push(list[k].range.start..list[body].range.start);
                }
            }
        }
        is_open
    }

    /// What one rule makes, the group that token `open` opens; true as above.
    fn add_made(&mut self, tokens: &Tokens<'_>, open: usize) -> bool {
        let within = open + 1..tokens.list[open].pair;
        if has_closure(tokens, within.clone()) {
            return false;
        }
        let range = group(tokens, open);
        self.made.push(range.start + 1..range.end);
        let mut k = within.start;
        while k < within.end {
            // The group of a call is two tokens behind its name.
            if tokens.at(k as isize) == "{" || is_call(tokens, k - 2) {
                let end = tokens.list[k].pair;
                if (k..end).any(|k| tokens.at(k as isize) == "$") {
                    return false;
                }
                k = end;
            }
            k += 1;
        }
        true
    }

    /// What of what a macro is given, the group that token `open` opens, may have an end of its own.
    fn add_given(&mut self, tokens: &Tokens<'_>, open: usize, is_open: bool) {
        let within = open..tokens.list[open].pair;
        if !is_open || has_closure(tokens, within.clone()) {
            self.less.push(group(tokens, open));
        }
        let blocks = within.filter(|k| tokens.at(*k as isize) == "{");
        self.less.extend(blocks.map(|k| group(tokens, k)));
    }

    /// True if what begins at this byte is part of one.
    pub fn has(&self, byte: usize) -> bool {
        is_innermost(&self.inside, &self.less, byte)
    }

    /// True if what begins at this byte, or the `calls` that made it, the innermost first, is part of one and ends with it.
    pub fn holds(&self, byte: usize, calls: &mut dyn Iterator<Item = usize>) -> bool {
        let mut byte = byte;
        loop {
            if self.has(byte) {
                return true;
            }
            let ends_outside = is_innermost(&self.made, &self.less, byte);
            match calls.next().filter(|_| ends_outside) {
                Some(call) => byte = call,
                None => return false,
            }
        }
    }
}

/// The bytes of the group that token `open` opens.
fn group(tokens: &Tokens<'_>, open: usize) -> Range<usize> {
    tokens.list[open].range.start..tokens.list[tokens.list[open].pair].range.end
}

/// True if there may be a closure among these tokens: it has an end of its own.
fn has_closure(tokens: &Tokens<'_>, mut within: Range<usize>) -> bool {
    within.any(|k| tokens.at(k as isize) == "|")
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
                    macro_rules! by { ($e:expr) => { block!(nested($e)) } } \
                    macro_rules! all { ($m:ident) => { while let Some(x) = tri!($m.next()) { body(x) } \
                    while let S { a, .. } = block!(one()) {} while let Some(z) = other(|| two()) {} tri!(free()); } } \
                    fn f() { while let Some(x) = tri!(three()) {} while let Some(x) = block!(four()) {} \
                    while let Some(x) = tri!({ let a = five(); six(a) }) {} while let Some(x) = by!(seven()) {} \
                    while let Some(x) = unknown!(eight()) {} }";
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
            ("one()", "free()", false),
            ("nested(", "tri!($m", false),
            ("three()", "free()", true),
            ("four()", "free()", false),
            ("six(a)", "free()", false),
            ("seven()", "free()", false),
            ("eight()", "free()", false),
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
