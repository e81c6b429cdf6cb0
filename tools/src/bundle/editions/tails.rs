//! The last expression of a block of an older crate, in a file of 2024: what it holds is dropped after the block's
//! variables, as it was.
//!
//! `{ let a = b(); match c() { … } }` becomes `{ let mut held; let a = b(); held = c(); match held { … } }`: what is
//! declared first is dropped last. What stands elsewhere in the expression is put into an option there and used where it
//! is, `(*held.insert(c()))`. The compiler's lint says which values are held. Translated is only where the end of the
//! block was their end, too: bodies of functions and closures, arms, branches and initialisers. What a macro makes has no
//! place in the text and stays as it is.

use super::mixed::Mixed;
use super::{Compile, Editions};
use crate::bundle::lex::Edits;
use crate::bundle::rejected::parsed;
use crate::bundle::shake::Compiler;
use anyhow::Result;
use std::fmt::Write;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

/// What begins the names of what is held, before a number.
const NAME: &str = "held_to_end_";

/// `text` with variables for what the last expressions of older blocks hold; `text` as it is where that does not compile.
pub fn hoisted(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    let is_older = |edition: u16| edition < 2024;
    let parts = editions.parts(text)?;
    if compile.edition < 2024 || !editions.has(&parts, &is_older) || text.contains(NAME) {
        return Ok(text.to_owned());
    }
    let mixed = Mixed::read_as(text, editions, compile, 2021, &is_older, None)?;
    let mut held: Vec<Vec<Range<usize>>> = Vec::new();
    for list in Compiler::new(&mixed.compile)?.held_last(&mixed.text)? {
        let list: Vec<Range<usize>> = list.iter().map(|range| mixed.back(range)).collect();
        if list
            .iter()
            .all(|range| is_older(editions.at(&parts, range.start)))
        {
            held.push(list);
        }
    }
    let mut tails = Tails {
        text,
        held,
        names: 0,
        changes: 0,
        edits: Edits::default(),
    };
    tails.visit_file(&parsed(text)?);
    if tails.names + tails.changes == 0 {
        return Ok(text.to_owned());
    }
    let new = tails.edits.apply(text);
    let compiles = Compiler::new(compile)?.check(&new)?.errors.is_empty();
    Ok(if compiles { new } else { text.to_owned() })
}

/// What is evaluated first of all in `tail` and then taken apart: it can be a variable like others, of which parts may be
/// moved.
fn head(tail: &Expr) -> Option<&Expr> {
    match tail {
        Expr::Match(of) if of.attrs.is_empty() => Some(&of.expr),
        Expr::If(of) if of.attrs.is_empty() => match &*of.cond {
            Expr::Let(of) => Some(&of.expr),
            _ => None,
        },
        _ => None,
    }
}

/// The last expression of a block, and whether the block has variables.
fn last(block: &Block) -> Option<(&Expr, bool)> {
    let [before @ .., Stmt::Expr(tail, None)] = block.stmts.as_slice() else {
        return None;
    };
    let has_variables = before.iter().any(|stmt| matches!(stmt, Stmt::Local(_)));
    Some((tail, has_variables))
}

/// True if all of these bytes are among those of `whole`.
fn are_inside(list: &[Range<usize>], whole: &Range<usize>) -> bool {
    list.iter()
        .all(|of| whole.start <= of.start && of.end <= whole.end)
}

struct Tails<'t> {
    text: &'t str,
    /// What is held at the end of a block, what is dropped first before the rest.
    held: Vec<Vec<Range<usize>>>,
    names: usize,
    changes: usize,
    edits: Edits,
}

/// Which of these values are in an expression, outside of what has an end of its own.
struct Values<'h> {
    of: &'h [Range<usize>],
    found: usize,
}

impl<'ast> Visit<'ast> for Values<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found += usize::from(self.of.contains(&expr.span().byte_range()));
        match expr {
            // These have ends of their own, and of what a `let` or `match` looks at parts may be moved, as they may not out
            // of an option.
            Expr::Closure(_)
            | Expr::Async(_)
            | Expr::If(_)
            | Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Let(_) => {}
            Expr::Match(of) if self.of.contains(&of.expr.span().byte_range()) => {}
            Expr::Match(of) => self.visit_expr(&of.expr),
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_block(&mut self, _: &'ast Block) {}
}

impl Tails<'_> {
    /// Translates a block at the end of which its temporaries ended.
    fn translate(&mut self, block: &Block) {
        let Some((tail, has_variables)) = last(block) else {
            return;
        };
        let whole = tail.span().byte_range();
        let lists = std::mem::take(&mut self.held);
        let (mut held, others): (Vec<_>, Vec<_>) =
            lists.into_iter().partition(|list| are_inside(list, &whole));
        self.held = others;
        let (Some(mut held), true, true) = (held.pop(), held.is_empty(), has_variables) else {
            return;
        };
        held.dedup();
        let head = head(tail);
        let mut values = Values { of: &held, found: 0 };
        values.visit_expr(head.unwrap_or(tail));
        let head = head.map(|head| head.span().byte_range());
        // Only its text is known, not what else is put into it.
        let is_mixed =
            held.len() > 1 && matches!(tail, Expr::If(_)) && held.iter().any(|of| head.as_ref() == Some(of));
        if values.found != held.len() || is_mixed {
            return;
        }
        let mut declared = String::new();
        // What is dropped last is declared first.
        for of in held.into_iter().rev() {
            let name = format!("{NAME}{}", self.names);
            self.names += 1;
            if head.as_ref() != Some(&of) {
                let _ = write!(declared, " let mut {name} = ::core::option::Option::None;");
                self.edits
                    .replace(of.start..of.start, format!("(*{name}.insert("));
                self.edits.replace(of.end..of.end, "))");
                continue;
            }
            let _ = write!(declared, " let mut {name};");
            if let Expr::Match(tail) = tail {
                let word = tail.match_token.span.byte_range();
                self.edits.replace(word, format!("{name} ="));
                self.edits.replace(of.end..of.end, format!("; match {name}"));
            } else {
                let value = format!("{name} = {}; ", &self.text[of.clone()]);
                self.edits.replace(whole.start..whole.start, value);
                self.edits.replace(of, name);
            }
        }
        let start = block.brace_token.span.open().byte_range().end;
        self.edits.replace(start..start, declared);
    }

    /// Ends the body of a loop with a statement: where it has no variables, nothing comes between the two ends.
    fn end(&mut self, body: &Block) {
        let Some((tail, false)) = last(body) else { return };
        let whole = tail.span().byte_range();
        let before = self.held.len();
        self.held.retain(|list| !are_inside(list, &whole));
        if self.held.len() < before {
            self.edits.replace(whole.end..whole.end, ";");
            self.changes += 1;
        }
    }

    /// The same of an expression that is such a block.
    fn translate_expr(&mut self, expr: &Expr) {
        if let Expr::Block(of) = expr {
            if of.label.is_none() {
                self.translate(&of.block);
            }
        }
    }

    fn translate_function(&mut self, signature: &syn::Signature, block: &Block) {
        if signature.asyncness.is_none() {
            self.translate(block);
        }
    }
}

// What is inside comes first: a value belongs to the innermost block.
impl<'ast> Visit<'ast> for Tails<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        visit::visit_item_fn(self, function);
        self.translate_function(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        visit::visit_impl_item_fn(self, function);
        self.translate_function(&function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        visit::visit_trait_item_fn(self, function);
        if let Some(block) = &function.default {
            self.translate_function(&function.sig, block);
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        visit::visit_expr_closure(self, closure);
        self.translate_expr(&closure.body);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        visit::visit_arm(self, arm);
        self.translate_expr(&arm.body);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        visit::visit_expr_if(self, branch);
        self.translate(&branch.then_branch);
        if let Some((_, other)) = &branch.else_branch {
            self.translate_expr(other);
        }
    }

    fn visit_expr_while(&mut self, of: &'ast syn::ExprWhile) {
        visit::visit_expr_while(self, of);
        self.end(&of.body);
    }

    fn visit_expr_for_loop(&mut self, of: &'ast syn::ExprForLoop) {
        visit::visit_expr_for_loop(self, of);
        self.end(&of.body);
    }

    fn visit_expr_loop(&mut self, of: &'ast syn::ExprLoop) {
        visit::visit_expr_loop(self, of);
        self.end(&of.body);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        if let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) {
            self.translate_expr(&init.expr);
        }
    }
}
