//! Where the compiler's lint of edition 2024 speaks of what no edition changes: last expressions of bodies without
//! variables.
//!
//! What the last expression of a function's, closure's, loop's, arm's or branch's body holds goes at the end of that body,
//! until 2024 and since; only variables of the body go before it or after. Other blocks inside, closures, and what a macro
//! makes have ends of their own and are not meant.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr, Stmt};

/// The lint that is about last expressions.
pub const OF_TAILS: &str = "tail_expr_drop_order";

/// The last expressions of such bodies, and what is not meant.
#[derive(Debug, Default)]
pub struct Bare {
    tails: Vec<Range<usize>>,
    less: Vec<Range<usize>>,
}

impl Bare {
    /// Those of a text.
    pub fn of(file: &syn::File) -> Self {
        let mut found = Self::default();
        found.visit_file(file);
        found
    }

    /// True if what begins at this byte is part of one.
    pub fn has(&self, byte: usize) -> bool {
        is_innermost(&self.tails, &self.less, byte)
    }

    /// A body that ends where its last expression does.
    fn body(&mut self, block: &Block) {
        let [before @ .., Stmt::Expr(tail, None)] = block.stmts.as_slice() else {
            return;
        };
        // A macro may make variables.
        let has_none = |stmt: &Stmt| matches!(stmt, Stmt::Expr(..) | Stmt::Item(_));
        // Its value is the last of all, or that of the block inside.
        if before.iter().all(has_none) && !matches!(tail, Expr::Block(_) | Expr::Unsafe(_) | Expr::Macro(_)) {
            self.tails.push(tail.span().byte_range());
        }
    }

    fn body_in(&mut self, expr: &Expr) {
        if let Expr::Block(of) = expr {
            self.body(&of.block);
        }
    }
}

/// True if a byte is in one of the ranges, and in none of `less` since that began: what is in `less` may hold one of its own.
pub fn is_innermost(ranges: &[Range<usize>], less: &[Range<usize>], byte: usize) -> bool {
    let last = |ranges: &[Range<usize>]| {
        let around = ranges.iter().filter(|range| range.contains(&byte));
        around.map(|range| range.start).max()
    };
    last(ranges) > last(less)
}

impl<'ast> Visit<'ast> for Bare {
    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.body(&node.block);
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.body(&node.block);
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(block) = &node.default {
            self.body(block);
        }
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        self.body_in(&node.body);
        visit::visit_arm(self, node);
    }

    fn visit_expr(&mut self, node: &'ast Expr) {
        match node {
            Expr::ForLoop(of) => self.body(&of.body),
            Expr::While(of) => self.body(&of.body),
            Expr::Loop(of) => self.body(&of.body),
            Expr::If(of) => {
                self.body(&of.then_branch);
                if let Some((_, other)) = &of.else_branch {
                    self.body_in(other);
                }
            }
            Expr::Closure(of) => {
                self.less.push(of.span().byte_range());
                self.body_in(&of.body);
            }
            _ => {}
        }
        visit::visit_expr(self, node);
    }

    fn visit_block(&mut self, node: &'ast Block) {
        self.less.push(node.span().byte_range());
        visit::visit_block(self, node);
    }

    fn visit_macro(&mut self, node: &'ast syn::Macro) {
        self.less.push(node.span().byte_range());
    }
}

#[cfg(test)]
mod tests {
    use super::Bare;

    #[test]
    fn only_bodies_without_variables_are_meant() {
        let text = "fn f() { one().get() } fn g() { let a = 1; two().get() } fn h() { m!(); three().get() } \
                    fn i() { for a in four().iter() { match five().get() { _ => six().get(), } } seven(); } \
                    fn j() { k(|| { eight().get() }, { nine().get() }); while a() { b(); ten().get() } l() } \
                    fn l() { if a() { eleven().get() } else { let b = 1; twelve().get() } } \
                    fn n() -> u8 { { thirteen().get() } } fn o() { println!(\"{}\", fourteen()) }";
        let bare = Bare::of(&syn::parse_file(text).unwrap());
        for (part, expected) in [
            ("one()", true),
            ("two()", false),
            ("three()", false),
            ("four()", false),
            ("five()", true),
            ("six()", true),
            ("seven()", false),
            ("eight()", true),
            ("nine()", false),
            ("ten()", true),
            ("eleven()", true),
            ("twelve()", false),
            ("thirteen()", false),
            ("fourteen()", false),
        ] {
            assert_eq!(bare.has(text.find(part).unwrap()), expected, "{part}");
        }
    }
}
