//! What an `if let` holds while its `else` runs: until 2024 all that its condition made on the way, since then nothing.
//!
//! The compiler's lint (`if_let_rescope`) sees what is borrowed in so many words, `*cell.borrow()`, but not what a method
//! borrows by itself, `cell.borrow().first()`. So conditions are read here. Types are not known: by its name a method of
//! iterators, texts, options or numbers makes nothing whose end could be noticed; all others might. What stands among the
//! tokens of a macro is not translated: there only a comparison of code tells.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprIf};

/// Methods and functions whose results hold nothing.
const HARMLESS: [&str; 80] = [
    "iter",
    "iter_mut",
    "chars",
    "bytes",
    "char_indices",
    "split",
    "split_whitespace",
    "split_ascii_whitespace",
    "split_once",
    "splitn",
    "lines",
    "keys",
    "values",
    "values_mut",
    "enumerate",
    "rev",
    "zip",
    "skip",
    "take",
    "step_by",
    "windows",
    "chunks",
    "chunks_exact",
    "peekable",
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "cloned",
    "copied",
    "chain",
    "as_ref",
    "as_mut",
    "as_deref",
    "as_str",
    "as_slice",
    "as_bytes",
    "trim",
    "trim_start",
    "trim_end",
    "first",
    "last",
    "get",
    "get_mut",
    "len",
    "unwrap",
    "expect",
    "unwrap_or",
    "min",
    "max",
    "abs",
    "abs_diff",
    "pow",
    "find",
    "position",
    "rposition",
    "nth",
    "next",
    "parse",
    "ok",
    "to_string",
    "to_owned",
    "to_lowercase",
    "to_uppercase",
    "checked_add",
    "checked_sub",
    "checked_mul",
    "checked_div",
    "saturating_sub",
    "wrapping_add",
    "wrapping_sub",
    "rem_euclid",
    "trailing_zeros",
    "leading_zeros",
    "count_ones",
    "Some",
    "try_from",
    "from",
    "to_digit",
];

/// Where something reads or runs otherwise since 2024.
#[derive(Debug, Default)]
pub struct Places {
    /// An `if let`.
    pub plain: Vec<usize>,
    /// A macro with one among its tokens.
    pub macros: Vec<usize>,
}

/// Where they begin.
pub fn places(file: &syn::File) -> Places {
    let mut places = Places::default();
    places.visit_file(file);
    places
}

fn is_word(tree: Option<&TokenTree>, name: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(word)) if word == name)
}

fn is_group(tree: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// True if the condition may hold something while its `else` runs.
pub fn may_hold(branch: &ExprIf) -> bool {
    let mut conditions = Conditions(false);
    conditions.visit_expr(&branch.cond);
    branch.else_branch.is_some() && conditions.0
}

/// Where the body stands behind a condition: a pattern may have braces, too.
fn body(rest: &[TokenTree]) -> Option<usize> {
    let is_sign =
        |n: usize, sign: char| matches!(rest.get(n), Some(TokenTree::Punct(p)) if p.as_char() == sign);
    let mut start = 0;
    loop {
        let body = (start..rest.len()).find(|n| is_group(&rest[*n], Delimiter::Brace))?;
        match (start..body).find(|n| is_word(rest.get(*n), "let")) {
            Some(binding) => {
                let is_equals = |n: &usize| is_sign(*n, '=') && !is_sign(n - 1, '.');
                start = (binding + 1..rest.len()).find(is_equals)? + 1;
            }
            None => return Some(body),
        }
    }
}

/// True if an `if let` with an `else` is among the tokens, with a call in its condition that may make what is held, or
/// what a macro is given.
fn has_one(stream: TokenStream) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is_one = |n: usize| {
        let rest = &trees[n + 1..];
        let Some(body) = body(rest) else {
            return false;
        };
        let calls = |k: usize| match &rest[k] {
            TokenTree::Punct(punct) => punct.as_char() == '$',
            TokenTree::Ident(name) if is_group(&rest[k + 1], Delimiter::Parenthesis) => {
                !HARMLESS.contains(&name.to_string().as_str())
            }
            _ => false,
        };
        is_word(rest.get(body + 1), "else")
            && rest[..body].iter().any(|tree| is_word(Some(tree), "let"))
            && (0..body).any(calls)
    };
    (0..trees.len()).any(|n| is_word(trees.get(n), "if") && is_one(n))
        || trees.iter().any(|tree| match tree {
            TokenTree::Group(group) => has_one(group.stream()),
            _ => false,
        })
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        if may_hold(branch) {
            self.plain.push(branch.if_token.span.byte_range().start);
        }
        visit::visit_expr_if(self, branch);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if has_one(mac.tokens.clone()) {
            self.macros.push(mac.path.span().byte_range().start);
        }
    }
}

/// Finds the `let` of a condition, and in it what may be held.
struct Conditions(bool);

impl<'ast> Visit<'ast> for Conditions {
    fn visit_expr_let(&mut self, of: &'ast syn::ExprLet) {
        // The value itself is what the lint knows about.
        let mut makes = Makes(false);
        visit::visit_expr(&mut makes, &of.expr);
        self.0 |= makes.0;
    }

    fn visit_block(&mut self, _: &'ast Block) {}
}

/// True if something in it may make what is held.
struct Makes(bool);

impl<'ast> Visit<'ast> for Makes {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.0 |= match expr {
            Expr::MethodCall(call) => !HARMLESS.contains(&call.method.to_string().as_str()),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => {
                    let name = path.path.segments.last().map(|s| s.ident.to_string());
                    !name.is_some_and(|name| HARMLESS.contains(&name.as_str()))
                }
                _ => true,
            },
            Expr::Macro(call) => !["format", "vec"].iter().any(|name| call.mac.path.is_ident(name)),
            // These drop what they make.
            Expr::Closure(_) | Expr::Block(_) | Expr::Unsafe(_) | Expr::Const(_) => return,
            Expr::Struct(_) | Expr::Match(_) | Expr::If(_) => true,
            _ => false,
        };
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn what_a_method_borrows_by_itself_is_seen() {
        for (condition, expected) in [
            ("let Some(x) = c.borrow().first()", 1),
            ("let Some(x) = m.lock().unwrap().pop()", 1),
            ("let Some(x) = make(1).get(0)", 1),
            ("a && let Some(x) = c.borrow().as_ref().map(|x| x)", 1),
            ("let Some(x) = v.iter().rev().find(|x| f(x))", 0),
            ("let Some(x) = c.borrow_mut()", 0),
            ("let Some(x) = f(y)", 0),
            ("c.borrow().is_empty()", 0),
        ] {
            for (rest, expected) in [("", 0), ("else { 2 }", expected)] {
                let text = format!("fn f() {{ if {condition} {{ 1 }} {rest} }}");
                let found = places(&syn::parse_file(&text).unwrap());
                assert_eq!((found.plain.len(), found.macros.len()), (expected, 0), "{text}");
            }
        }
    }

    #[test]
    fn macros_are_read_as_tokens() {
        for (text, expected) in [
            ("p!(1, if let Some(x) = c.borrow().first() { x } else { 2 });", 1),
            ("p!(1, if let Some(x) = v.iter().next() { x } else { 2 });", 0),
            ("p!(1, if let Some(x) = c.borrow().first() { x });", 0),
            (
                "p!(1, if let S { x, .. } = c.borrow().first() { x } else { 2 });",
                1,
            ),
            (
                "p!(if a && let 1..=5 = b && let S { x } = c.borrow().first() { x } else { 2 });",
                1,
            ),
            ("p!(if let S { x } = v.iter().next() { x } else { 2 });", 0),
            ("p!(if c.borrow().a { x } else { y });", 0),
            (
                "macro_rules! m { ($e:expr) => { if let Some(x) = $e { x } else { 2 } } }",
                1,
            ),
        ] {
            let found = places(&syn::parse_file(text).unwrap());
            assert_eq!((found.plain.len(), found.macros.len()), (0, expected), "{text}");
        }
    }
}
