//! Where the compiler's lints of edition 2024 speak of what no edition changes: what a `while let` holds.
//!
//! Its condition is the only expression in the block that is run again and again, so that what it holds on the way goes
//! at the end of each run, after the body and with no variable beside it: until 2024 and since. Blocks and closures
//! inside the condition have ends of their own and are not meant.

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
}

impl Conditions {
    /// Those of a text.
    pub fn of(file: &syn::File) -> Self {
        let mut found = Self::default();
        found.visit_file(file);
        found
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

    #[test]
    fn only_the_condition_itself_is_meant() {
        let text = "fn f() { while let Some(x) = a.next() { b(x); while let Some(y) = { c.lock().pop() } { d } } \
                    if let Some(z) = e.next() {} while g.next().is_some() {} while let Some(v) = h(|| i()) {} }";
        let conditions = Conditions::of(&syn::parse_file(text).unwrap());
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
}
