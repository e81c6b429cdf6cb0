//! What a condition of an older crate holds while its `else` runs, in a file of 2024: a `match` holds it as `if let` did.
//!
//! `if let P = e { x } else { y }` becomes `match e { P => { x } _ => { y } }`, where `held` says that something may be
//! held: the compiler's lint does not see what a method borrows by itself. In what the rules of a macro make, all do, by
//! words alone.

use super::across::find;
use super::held::may_hold;
use super::{Compile, Editions};
use crate::bundle::lex::{Edits, Kind, Tokens};
use crate::bundle::rejected::parsed;
use anyhow::Result;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprIf};

/// `text` with such branches of older crates as matches.
pub fn as_matches(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    if compile.edition < 2024 {
        return Ok(text.to_owned());
    }
    let file = parsed(text)?;
    let parts = editions.parts(text)?;
    let mut branches = Branches {
        text,
        is_older: |byte: usize| editions.at(&parts, byte) < 2024,
        edits: Edits::default(),
    };
    branches.visit_file(&file);
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    for rules in tokens.macros() {
        if (branches.is_older)(tokens.list[rules].range.start) {
            in_rules(&tokens, rules + 3, &mut branches.edits);
        }
    }
    Ok(branches.edits.apply(text))
}

/// Translates what the rules make that stand inside of token `open`.
fn in_rules(tokens: &Tokens<'_>, open: usize, edits: &mut Edits) {
    for (_, made) in tokens.rules_in(open) {
        for at in made..tokens.list[made].pair {
            in_tokens(tokens, at, edits);
        }
    }
}

/// Where the body begins and ends of the `if` that token `at` begins: a pattern may have braces, too.
fn body(tokens: &Tokens<'_>, at: usize) -> Option<(usize, usize)> {
    let mut before = at;
    loop {
        let open = find(tokens, before + 1, "{")?;
        match find(tokens, before + 1, "let").filter(|binding| *binding < open) {
            Some(binding) => before = find(tokens, binding + 1, "=")?,
            None => return Some((open, tokens.list[open].pair)),
        }
    }
}

/// Where the `=` stands and the body of the `if let` that token `at` begins, if it begins one with an `else`.
pub fn with_else(tokens: &Tokens<'_>, at: usize) -> Option<(usize, usize, usize)> {
    let word = |at: usize| tokens.at(at as isize);
    if word(at) != "if" || word(at + 1) != "let" {
        return None;
    }
    let (equals, (then, close)) = (find(tokens, at + 2, "=")?, body(tokens, at)?);
    (equals < then && word(close + 1) == "else").then_some((equals, then, close))
}

/// Translates the `if let` that token `at` begins, if it begins one with an `else`.
pub fn in_tokens(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    let word = |at: usize| tokens.at(at as isize);
    let Some((equals, then, close)) = with_else(tokens, at) else {
        return;
    };
    // The end of the last branch.
    let mut last = close;
    while word(last + 1) == "else" {
        let next = if word(last + 2) == "if" {
            body(tokens, last + 2)
        } else {
            Some((0, tokens.list[last + 2].pair))
        };
        match next {
            Some((_, close)) => last = close,
            None => return,
        }
    }
    // A value that a macro was handed may have no text; what comes of it cannot be read, and is refused.
    let text = |from: usize, to: usize| {
        let bytes = tokens.list[from].range.start..tokens.list[to - 1].range.end;
        tokens.text.get(bytes).unwrap_or_default()
    };
    let is_after = at > 0 && word(at - 1) == "else";
    // Behind an `if` that stays an `else` asks for a block.
    let is_inner = is_after && follows_let(tokens, at - 1);
    let (open, shut) = if is_after && !is_inner {
        ("{ ", " } }")
    } else {
        ("", " }")
    };
    let value = format!(
        "{open}match {} {{ {} => ",
        text(equals + 1, then),
        text(at + 2, equals)
    );
    edits.replace(tokens.list[at].range.start..tokens.list[then].range.start, value);
    edits.replace(tokens.list[close + 1].range.clone(), "_ =>");
    let end = tokens.list[last].range.end;
    edits.replace(end..end, shut);
}

/// True if the `else` at this token belongs to an `if let`.
fn follows_let(tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(open) = at.checked_sub(1).map(|close| tokens.list[close].pair) else {
        return false;
    };
    let mut k = open;
    while k > 0 && tokens.at(k as isize - 1) != "if" {
        let before = &tokens.list[k - 1];
        match before.kind {
            Kind::Open => return false,
            Kind::Close => k = before.pair,
            _ => k -= 1,
        }
    }
    tokens.at(k as isize) == "let"
}

struct Branches<'t, F> {
    text: &'t str,
    is_older: F,
    edits: Edits,
}

impl<F: Fn(usize) -> bool> Branches<'_, F> {
    fn is_translated(&self, branch: &ExprIf) -> bool {
        let Expr::Let(of) = &*branch.cond else {
            return false;
        };
        // The lint suggests nothing for what a macro makes.
        let holds = may_hold(branch) || matches!(*of.expr, Expr::Macro(_));
        holds && branch.attrs.is_empty() && (self.is_older)(branch.if_token.span.byte_range().start)
    }
}

impl<'ast, F: Fn(usize) -> bool> Visit<'ast> for Branches<'_, F> {
    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        let is_translated = self.is_translated(branch);
        if let (Expr::Let(of), Some((word, _)), true) = (&*branch.cond, &branch.else_branch, is_translated) {
            let start = branch.if_token.span.byte_range().start;
            let then = branch.then_branch.span().byte_range().start;
            let [pattern, value] = [of.pat.span(), of.expr.span()].map(|span| &self.text[span.byte_range()]);
            self.edits
                .replace(start..then, format!("match {value} {{ {pattern} => "));
            self.edits.replace(word.span.byte_range(), "_ =>");
            let end = branch.span().byte_range().end;
            self.edits.replace(end..end, " }");
        } else if let Some((_, other)) = &branch.else_branch {
            // An `else` is followed by a block.
            if matches!(&**other, Expr::If(next) if self.is_translated(next)) {
                let range = other.span().byte_range();
                self.edits.replace(range.start..range.start, "{ ");
                visit::visit_expr_if(self, branch);
                self.edits.replace(range.end..range.end, " }");
                return;
            }
        }
        visit::visit_expr_if(self, branch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rules_make_holds_as_it_did() {
        for (made, expected) in [
            (
                "if let Some(x) = $e { x } else { $y }",
                "match $e { Some(x) => { x } _ => { $y } }",
            ),
            (
                "if let A(1..=3) = f({ a }) { b } else if let $p = $e { c } else if d { e } else { f }",
                "match f({ a }) { A(1..=3) => { b } _ => match $e { $p => { c } _ => if d { e } else { f } } }",
            ),
            (
                "if a { b } else if let C = d { e } else { f }",
                "if a { b } else { match d { C => { e } _ => { f } } }",
            ),
            (
                "if let S { a, .. } = $e { a } else if let T { b: 1..=2 } = c { b } else { d }",
                "match $e { S { a, .. } => { a } _ => match c { T { b: 1..=2 } => { b } _ => { d } } }",
            ),
            ("if let A = b { c } d", "if let A = b { c } d"),
            ("let A = b else { return };", "let A = b else { return };"),
        ] {
            let rules = |made: &str| {
                format!(
                    "macro_rules! m {{ (if let A = $e:expr else {{ B }}) => {{ {made} }}; () => ({{ {made} }}) }}"
                )
            };
            let text = rules(made);
            let tokens = Tokens::new(&text, Path::new("test")).unwrap();
            let mut edits = Edits::default();
            in_rules(&tokens, 3, &mut edits);
            assert_eq!(edits.apply(&text), rules(expected));
        }
    }
}
