//! Edition 2024 in older files: chains of `let` in conditions, and temporaries that are dropped sooner.
//!
//! `if a && let P = e { x } else { y }` becomes `'l: { if a { if let P = e { break 'l { x }; } } { y } }`: what
//! a condition holds is dropped before the `else` runs, as in 2024. Only words are put in, so that everything
//! inside is still read where it stands, in arguments of the standard library's macros and in what macros by rules make,
//! too. Chains are always translated; a plain `if let` with an `else`, and the last expression of a block, only where it
//! was found to make a difference.

mod ruled;

use super::{Walk, free_name};
use crate::bundle::ends::{self, End, chain, has_variables};
use crate::bundle::older::OF_EXPRESSIONS;
use crate::bundle::operands::operands;
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt, Token};

/// Translates what stands in the arguments of a macro, or is made by its rules.
struct Arguments<'w, 'a, 'b, 'r> {
    walk: &'w mut Walk<'a, 'b>,
    /// What a rule repeats.
    repeated: &'r [Range<usize>],
}

impl<'ast> Visit<'ast> for Arguments<'_, '_, '_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.walk.rescope_in(expr, self.repeated);
        visit::visit_expr(self, expr);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        if has_variables(block) {
            self.walk.end_last(block, false, self.repeated);
        }
        visit::visit_block(self, block);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.walk.rescope_arguments(mac);
    }
}

/// Where a block begins.
pub fn start(block: &Block) -> usize {
    block.span().byte_range().start
}

/// True if some of these places are in a repetition that others are not in: what is put in at one would not meet what is put
/// in at the other.
fn is_torn(places: impl IntoIterator<Item = usize>, repeated: &[Range<usize>]) -> bool {
    let places: Vec<usize> = places.into_iter().collect();
    let is_apart = |range: &Range<usize>| {
        let inside = places.iter().filter(|place| range.contains(place)).count();
        inside > 0 && inside < places.len()
    };
    repeated.iter().any(is_apart)
}

/// True if the `if` is to be translated.
fn is_translated(branch: &syn::ExprIf, rescope: bool) -> bool {
    let (mut parts, mut joints) = (Vec::new(), Vec::new());
    chain(&branch.cond, &mut parts, &mut joints);
    let is_chain = parts.len() > 1 && parts.iter().any(|p| matches!(p, Expr::Let(_)));
    is_chain || (rescope && branch.else_branch.is_some() && ends::looks_at_made(&branch.cond))
}

/// Ends of the `break` and `continue` of a loop's body that name none, in an `if` that becomes a block with a label.
struct Exits {
    rescope: bool,
    /// Blocks with labels around.
    depth: usize,
    places: Vec<usize>,
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Closure(_) | Expr::Async(_) | Expr::Const(_) | Expr::Loop(_) | Expr::While(_) => {}
            // What is looped over belongs to the loop around.
            Expr::ForLoop(inner) => self.visit_expr(&inner.expr),
            Expr::If(branch) if branch.else_branch.is_some() && is_translated(branch, self.rescope) => {
                self.depth += 1;
                visit::visit_expr(self, expr);
                self.depth -= 1;
            }
            Expr::Break(exit) => {
                if exit.label.is_none() && self.depth > 0 {
                    self.places.push(exit.break_token.span.byte_range().end);
                }
                visit::visit_expr(self, expr);
            }
            Expr::Continue(exit) if exit.label.is_none() && self.depth > 0 => {
                self.places.push(exit.continue_token.span.byte_range().end);
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

impl Walk<'_, '_> {
    /// True if this crate was written for 2024 and the bundle is not.
    fn is_newer(&self) -> bool {
        self.inliner.krate(self.place.krate).edition >= 2024 && self.inliner.edition < 2024
    }

    /// True if temporaries of this crate are told to drop where they would in 2024.
    fn rescopes(&self) -> bool {
        self.inliner.rescope && self.is_newer()
    }

    fn put(&mut self, at: usize, text: &str) {
        self.found.edits.replace(at..at, text);
    }

    fn label(&mut self) -> String {
        self.inliner.labels += 1;
        format!("'{}", self.unused(&format!("chain_{}", self.inliner.labels)))
    }

    /// This name, or a longer one that the file does not have.
    fn unused(&self, name: &str) -> String {
        free_name(name, |name| {
            (0..self.tokens.list.len()).any(|i| self.tokens.at(i as isize) == name)
        })
    }

    /// Translates the arguments of a macro that takes expressions.
    pub fn rescope_arguments(&mut self, mac: &syn::Macro) {
        if !self.is_newer() || !OF_EXPRESSIONS.iter().any(|name| mac.path.is_ident(name)) {
            return;
        }
        if let Ok(arguments) = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            for argument in &arguments {
                self.operand(argument, &[]);
                let mut inside = Arguments {
                    walk: self,
                    repeated: &[],
                };
                inside.visit_expr(argument);
            }
        }
    }

    /// Translates what the rules of a macro make, where that can be read as statements with a name for each of its
    /// parameters and what is repeated once.
    pub fn rescope_rules(&mut self, mac: &syn::Macro) {
        if !self.is_newer() || !mac.path.is_ident("macro_rules") {
            return;
        }
        let open = self.tokens.from(mac.delimiter.span().open().byte_range().start);
        for (matcher, made) in self.tokens.rules_in(open) {
            let Some(made) = ruled::read(self.tokens, matcher, made) else {
                continue;
            };
            let mut rule = Arguments {
                walk: self,
                repeated: &made.repeated,
            };
            for stmt in Block::parse_within.parse_str(&made.text).unwrap_or_default() {
                rule.visit_stmt(&stmt);
            }
        }
    }

    /// Translates conditions of `if` and `while`.
    pub fn rescope(&mut self, expr: &Expr) {
        self.rescope_in(expr, &[]);
    }

    fn rescope_in(&mut self, expr: &Expr, repeated: &[Range<usize>]) {
        // In an older crate a macro of a newer one may have made a chain.
        if self.inliner.edition >= 2024 {
            return;
        }
        self.name_loop(expr);
        for operand in operands(expr) {
            self.operand(operand, repeated);
        }
        let (mut parts, mut joints) = (Vec::new(), Vec::new());
        match expr {
            Expr::If(branch) => {
                if !is_translated(branch, self.rescopes()) {
                    self.wrap_else(branch, repeated);
                    return;
                }
                chain(&branch.cond, &mut parts, &mut joints);
                let whole = expr.span().byte_range();
                let then = branch.then_branch.span().byte_range();
                let joined = joints.iter().map(|joint| joint.start);
                let places = [whole.start, then.start, then.end, whole.end];
                if is_torn(joined.chain(places), repeated) {
                    return;
                }
                for joint in joints.iter().cloned() {
                    self.found.edits.replace(joint, "{ if");
                }
                let closing = "}".repeat(joints.len());
                if let Some((word, other)) = &branch.else_branch {
                    // It becomes the last of a block.
                    self.operand(other, repeated);
                    let label = self.label();
                    let start = branch.if_token.span.byte_range().start;
                    self.put(start, &format!("{label}: {{ "));
                    self.put(then.start, &format!("{{ break {label} "));
                    self.found
                        .edits
                        .replace(word.span.byte_range(), format!("; }} {closing} "));
                    self.put(whole.end, " }");
                } else {
                    self.put(whole.end, &format!(" {closing}"));
                }
            }
            Expr::While(branch) => {
                chain(&branch.cond, &mut parts, &mut joints);
                let lets = parts.iter().filter(|p| matches!(p, Expr::Let(_))).count();
                if lets == 0 || parts.len() < 2 {
                    return;
                }
                let body = branch.body.span().byte_range();
                let word = branch.while_token.span.byte_range();
                let joined = joints.iter().map(|joint| joint.start);
                if is_torn(joined.chain([word.start, body.start, body.end]), repeated) {
                    return;
                }
                self.found.edits.replace(word, "loop { if");
                for joint in joints.iter().cloned() {
                    self.found.edits.replace(joint, "{ if");
                }
                self.put(body.start, "{ ");
                // What its last expression holds goes before all that the condition does.
                if let [.., Stmt::Expr(last, None)] = branch.body.stmts.as_slice() {
                    let end = last.span().byte_range().end;
                    if !is_torn([body.start, end], repeated) {
                        self.put(end, ";");
                    }
                }
                let closing = "}".repeat(joints.len());
                self.put(body.end, &format!(" continue; }} {closing} break; }}"));
            }
            _ => {}
        }
    }

    /// Puts an `else if` that becomes a block with a label into one without, as `else` asks.
    fn wrap_else(&mut self, branch: &syn::ExprIf, repeated: &[Range<usize>]) {
        let Some((_, other)) = &branch.else_branch else {
            return;
        };
        if let Expr::If(next) = &**other {
            if next.else_branch.is_some() && is_translated(next, self.rescopes()) {
                let range = other.span().byte_range();
                if !is_torn([range.start, range.end], repeated) {
                    self.put(range.start, "{ ");
                    self.put(range.end, " }");
                }
            }
        }
    }

    /// Gives a loop a label, and its name to what leaves it from within a block that has one.
    fn name_loop(&mut self, expr: &Expr) {
        let (attrs, label, body) = match expr {
            Expr::Loop(it) => (&it.attrs, &it.label, &it.body),
            Expr::While(it) => (&it.attrs, &it.label, &it.body),
            Expr::ForLoop(it) => (&it.attrs, &it.label, &it.body),
            _ => return,
        };
        let mut exits = Exits {
            rescope: self.rescopes(),
            depth: 0,
            places: Vec::new(),
        };
        exits.visit_block(body);
        if exits.places.is_empty() {
            return;
        }
        let name = if let Some(label) = label {
            label.name.to_string()
        } else {
            let name = self.label();
            let start = attrs.last().map(|attr| attr.span().byte_range().end);
            let start = start.unwrap_or(expr.span().byte_range().start);
            self.put(start, &format!(" {name}: "));
            name
        };
        for place in exits.places {
            self.put(place, &format!(" {name}"));
        }
    }

    /// What the last expression of a block holds is dropped before the block's variables.
    pub fn tail(&mut self, block: &Block) {
        let of_body = self.bodies.remove(&start(block));
        if of_body {
            if let [.., Stmt::Expr(tail, None)] = block.stmts.as_slice() {
                self.bodies.extend(ends::branches(tail).into_iter().map(start));
            }
        }
        if has_variables(block) {
            self.end_last(block, of_body, &[]);
        }
    }

    /// The same of a block that is part of an expression: without variables, too, its end is not that of the statement.
    fn operand(&mut self, expr: &Expr, repeated: &[Range<usize>]) {
        match expr {
            Expr::Block(of) if !has_variables(&of.block) => self.end_last(&of.block, false, repeated),
            Expr::Unsafe(of) if !has_variables(&of.block) => self.end_last(&of.block, false, repeated),
            _ => {}
        }
    }

    /// What is returned loses no type that is expected of it: what is the value of a function or closure has no name.
    fn end_last(&mut self, block: &Block, of_body: bool, repeated: &[Range<usize>]) {
        let [.., Stmt::Expr(tail, None)] = block.stmts.as_slice() else {
            return;
        };
        if !self.rescopes() {
            return;
        }
        // Its end is that of the block around.
        self.operand(tail, repeated);
        let Some(end) = ends::of(tail) else { return };
        let range = tail.span().byte_range();
        let around = block.span().byte_range();
        if is_torn([around.start, range.start, range.end, around.end], repeated) {
            return;
        }
        let (before, behind) = match end {
            End::Statement => ("", ";"),
            End::Value if of_body => ("return ", ";"),
            End::Value if ends::extends(tail) => return,
            End::Value => {
                let last = self.unused("last");
                self.put(range.start, &format!("let {last} = "));
                self.put(range.end, &format!("; {last}"));
                return;
            }
        };
        self.put(range.start, before);
        self.put(range.end, behind);
    }
}
