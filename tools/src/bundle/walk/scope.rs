//! Edition 2024 in older files: chains of `let` in conditions, and temporaries that are dropped sooner.
//!
//! `if a && let P = e { x } else { y }` becomes `'l: { if a { if let P = e { break 'l { x }; } } { y } }`: what
//! a condition holds is dropped before the `else` runs, as in 2024. Only words are put in, so that everything
//! inside is still read where it stands. Chains are always translated; a plain `if let` with an `else`, and
//! the last expression of a block, only where it was found to make a difference.

use super::Walk;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, Stmt};

/// The parts of a condition between `&&`, and the places of the `&&`.
fn chain<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>, joints: &mut Vec<std::ops::Range<usize>>) {
    match expr {
        Expr::Binary(binary) => {
            if let BinOp::And(and) = &binary.op {
                chain(&binary.left, parts, joints);
                joints.push(and.span().byte_range());
                chain(&binary.right, parts, joints);
                return;
            }
            parts.push(expr);
        }
        _ => parts.push(expr),
    }
}

/// True if evaluating it may make something that has to be dropped.
fn makes_temporaries(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => false,
        Expr::Field(field) => makes_temporaries(&field.base),
        Expr::Reference(reference) => makes_temporaries(&reference.expr),
        Expr::Paren(paren) => makes_temporaries(&paren.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(makes_temporaries),
        _ => true,
    }
}

impl Walk<'_, '_> {
    /// True if this crate was written for 2024 and the bundle is not.
    fn is_newer(&self) -> bool {
        self.inliner.krate(self.place.krate).edition >= 2024 && self.inliner.edition < 2024
    }

    fn put(&mut self, at: usize, text: &str) {
        self.found.edits.replace(at..at, text);
    }

    fn label(&mut self) -> String {
        self.inliner.labels += 1;
        format!("'chain_{}", self.inliner.labels)
    }

    /// Translates conditions of `if` and `while`.
    pub fn rescope(&mut self, expr: &Expr) {
        if !self.is_newer() {
            return;
        }
        let (mut parts, mut joints) = (Vec::new(), Vec::new());
        match expr {
            Expr::If(branch) => {
                chain(&branch.cond, &mut parts, &mut joints);
                let lets = parts.iter().filter(|p| matches!(p, Expr::Let(_))).count();
                let is_chain = lets > 0 && parts.len() > 1;
                let is_scoped = self.inliner.rescope
                    && branch.else_branch.is_some()
                    && parts
                        .iter()
                        .any(|p| matches!(p, Expr::Let(l) if makes_temporaries(&l.expr)));
                if !(is_chain || is_scoped) {
                    return;
                }
                let whole = expr.span().byte_range();
                let then = branch.then_branch.span().byte_range();
                for joint in joints.iter().cloned() {
                    self.found.edits.replace(joint, "{ if");
                }
                let closing = "}".repeat(joints.len());
                if let Some((word, _)) = &branch.else_branch {
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
                self.found.edits.replace(word, "loop { if");
                for joint in joints.iter().cloned() {
                    self.found.edits.replace(joint, "{ if");
                }
                self.put(body.start, "{ ");
                let closing = "}".repeat(joints.len());
                self.put(body.end, &format!(" continue; }} {closing} break; }}"));
            }
            _ => {}
        }
    }

    /// Gives the last expression of a block a name: what it holds is dropped before the block's variables.
    pub fn tail(&mut self, block: &Block) {
        if !(self.inliner.rescope && self.is_newer()) {
            return;
        }
        let [
            ..,
            Stmt::Expr(tail @ (Expr::MethodCall(_) | Expr::Call(_) | Expr::Match(_)), None),
        ] = block.stmts.as_slice()
        else {
            return;
        };
        if !block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Local(_))) {
            return;
        }
        let range = tail.span().byte_range();
        self.put(range.start, "let last = ");
        self.put(range.end, "; last");
    }
}
