//! What the last expression of a block holds when its value is made, by its shape alone: editions differ in when that is
//! dropped.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Stmt, UnOp};

/// How the last expression of a block comes to drop what it holds before the block's variables go.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// It has no value that anybody could take.
    Statement,
    /// Its value is returned, or has a name first.
    Value,
}

/// How `tail` is to end; `None` where it holds nothing, or drops it itself.
pub fn of(tail: &Expr) -> Option<End> {
    match tail {
        Expr::Return(of) => of.expr.as_deref().is_some_and(holds).then_some(End::Statement),
        Expr::Break(of) => of.expr.as_deref().is_some_and(holds).then_some(End::Statement),
        Expr::ForLoop(of) => makes(&of.expr).then_some(End::Statement),
        Expr::Assign(of) => (makes(&of.left) || holds(&of.right)).then_some(End::Statement),
        Expr::Binary(of) if is_assignment(&of.op) => {
            (makes(&of.left) || holds(&of.right)).then_some(End::Statement)
        }
        Expr::If(of) if of.else_branch.is_none() => looks_at_made(&of.cond).then_some(End::Statement),
        // The standard library's own that have statements inside, or make nothing.
        Expr::Macro(of) => {
            let name = of.mac.path.segments.last().map(|last| last.ident.to_string());
            let is_plain = name.is_some_and(|name| PLAIN.contains(&name.as_str()));
            (!is_plain && !of.mac.tokens.is_empty()).then_some(End::Value)
        }
        _ => holds(tail).then_some(End::Value),
    }
}

/// The parts of a condition between `&&`, and the places of the `&&`.
pub fn chain<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>, joints: &mut Vec<Range<usize>>) {
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

/// True if a condition, or one of its chain, is a `let` that looks at what has to be dropped.
pub fn looks_at_made(cond: &Expr) -> bool {
    let (mut parts, mut joints) = (Vec::new(), Vec::new());
    chain(cond, &mut parts, &mut joints);
    parts
        .iter()
        .any(|part| matches!(part, Expr::Let(of) if makes(&of.expr)))
}

/// True if a block declares any.
pub fn has_variables(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Local(_)))
}

/// Where in a text something is held that editions drop at different times: last expressions of blocks with variables, and
/// what conditions with an `else` look at.
#[derive(Default)]
pub struct Held(pub Vec<usize>);

impl<'ast> Visit<'ast> for Held {
    fn visit_block(&mut self, block: &'ast Block) {
        if let [.., Stmt::Expr(tail, None)] = block.stmts.as_slice() {
            if has_variables(block) && of(tail).is_some() {
                self.0.push(tail.span().byte_range().start);
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        if branch.else_branch.is_some() && looks_at_made(&branch.cond) {
            self.0.push(branch.if_token.span.byte_range().start);
        }
        visit::visit_expr_if(self, branch);
    }
}

/// Blocks of `tail` of which one makes its value.
pub fn branches(tail: &Expr) -> Vec<&Block> {
    match tail {
        Expr::Block(of) => vec![&of.block],
        Expr::Unsafe(of) => vec![&of.block],
        Expr::If(of) => {
            let other = of.else_branch.iter();
            let others = other.flat_map(|(_, other)| branches(other));
            std::iter::once(&of.then_branch).chain(others).collect()
        }
        Expr::Match(of) => of.arms.iter().flat_map(|arm| branches(&arm.body)).collect(),
        _ => Vec::new(),
    }
}

/// Macros of the standard library that hold nothing when they are done.
const PLAIN: [&str; 13] = [
    "concat",
    "eprint",
    "eprintln",
    "format",
    "include_bytes",
    "include_str",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
];

fn is_assignment(op: &BinOp) -> bool {
    use BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign,
        ShrAssign, SubAssign,
    };
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// True if what was made on the way to the value of `expr`, which is taken, may still have to be dropped.
fn holds(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(of) => holds(&of.expr),
        Expr::Tuple(of) => of.elems.iter().any(holds),
        Expr::Array(of) => of.elems.iter().any(holds),
        Expr::Repeat(of) => holds(&of.expr),
        Expr::Range(of) => of.start.iter().chain(&of.end).any(|bound| holds(bound)),
        Expr::Struct(of) => {
            // What is not taken of the rest goes with it.
            of.fields.iter().any(|field| holds(&field.expr)) || of.rest.as_deref().is_some_and(makes)
        }
        Expr::Cast(of) => holds(&of.expr),
        Expr::Try(of) => holds(&of.expr),
        Expr::Call(of) => holds(&of.func) || of.args.iter().any(holds),
        // It may be lent, as what is compared is.
        Expr::MethodCall(of) => makes(&of.receiver) || of.args.iter().any(holds),
        Expr::Binary(of) => match of.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                holds(&of.left) || holds(&of.right)
            }
            BinOp::And(_) | BinOp::Or(_) => holds(&of.left) || holds(&of.right),
            _ => makes(&of.left) || makes(&of.right),
        },
        Expr::Unary(of) => match of.op {
            UnOp::Deref(_) => makes(&of.expr),
            _ => holds(&of.expr),
        },
        Expr::Reference(of) => makes(&of.expr),
        Expr::Field(of) => makes(&of.base),
        Expr::Index(of) => makes(&of.expr) || holds(&of.index),
        Expr::Match(of) => makes(&of.expr),
        Expr::Await(_) | Expr::Macro(_) => true,
        _ => false,
    }
}

/// True if evaluating it where it is looked at makes something that has to be dropped.
fn makes(expr: &Expr) -> bool {
    match expr {
        // A constant and a unit struct are made where they are named.
        Expr::Path(_) => is_constructor(expr),
        Expr::Lit(_) => false,
        Expr::Field(field) => makes(&field.base),
        Expr::Index(of) => makes(&of.expr) || holds(&of.index),
        Expr::Reference(reference) => makes(&reference.expr),
        Expr::Paren(paren) => makes(&paren.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(makes),
        _ => true,
    }
}

/// True for the name of a constant, of a unit struct or of one that is called as a function is.
fn is_constructor(expr: &Expr) -> bool {
    let Expr::Path(of) = expr else { return false };
    let last = of.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| name.starts_with(char::is_uppercase))
}

/// True if a variable for the value of `expr` would make something live as long as the variable: `(&a(), 1)`.
pub fn extends(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(of) => is_made(&of.expr) || extends(&of.expr),
        Expr::Paren(of) => extends(&of.expr),
        Expr::Tuple(of) => of.elems.iter().any(extends),
        Expr::Array(of) => of.elems.iter().any(extends),
        Expr::Range(of) => of.start.iter().chain(&of.end).any(|bound| extends(bound)),
        Expr::Struct(of) => of.fields.iter().any(|field| extends(&field.expr)),
        Expr::Cast(of) => extends(&of.expr),
        Expr::Call(of) => is_constructor(&of.func) && of.args.iter().any(extends),
        _ => false,
    }
}

/// True if the place that is looked at is none that was there before.
fn is_made(place: &Expr) -> bool {
    match place {
        Expr::Paren(of) => is_made(&of.expr),
        Expr::Field(of) => is_made(&of.base),
        Expr::Index(of) => is_made(&of.expr),
        Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) => false,
        place => makes(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_told_by_its_shape() {
        for (text, expected) in [
            ("a + b", None),
            ("f(a.b, g(c))", None),
            ("Some(f(a))", None),
            ("(a, b.c)", None),
            ("P { a, b: c.d }", None),
            ("a.b[c]", None),
            ("a.iter()", None),
            ("if a().b() { c } else { d }", None),
            ("{ a().b() }", None),
            ("|| a().b()", None),
            ("format!(\"{}\", a().b())", None),
            ("return a", None),
            ("(&a(), 1)", Some(End::Value)),
            ("f(&a())", Some(End::Value)),
            ("a().b()", Some(End::Value)),
            ("f(a().b())", Some(End::Value)),
            ("(a().b(), 1)", Some(End::Value)),
            ("[1, a().b()]", Some(End::Value)),
            ("P { a: b().c() }", Some(End::Value)),
            ("P { a: 1, ..b() }", Some(End::Value)),
            ("a == b()", Some(End::Value)),
            ("a[b().c()]", Some(End::Value)),
            ("&a[b().c()]", Some(End::Value)),
            ("&mut *a()", Some(End::Value)),
            ("*a()", Some(End::Value)),
            ("a().b()?", Some(End::Value)),
            ("match a() { _ => 1 }", Some(End::Value)),
            ("vec![a().b()]", Some(End::Value)),
            ("own!(1)", Some(End::Value)),
            ("return a().b()", Some(End::Statement)),
            ("break 'a b().c()", Some(End::Statement)),
            ("for a in b().c() {}", Some(End::Statement)),
            ("if let Some(a) = b() {}", Some(End::Statement)),
            ("a = b().c()", Some(End::Statement)),
            ("*a() += 1", Some(End::Statement)),
        ] {
            assert_eq!(of(&syn::parse_str(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn what_a_name_would_make_live_longer_is_told() {
        for (text, expected) in [
            ("(&a(), 1)", true),
            ("Some(&a().b)", true),
            ("P { a: &b() }", true),
            ("f(&a())", false),
            ("&a[b()]", false),
            ("&mut *a()", false),
            ("(a().b(), 1)", false),
        ] {
            assert_eq!(extends(&syn::parse_str(text).unwrap()), expected, "{text}");
        }
    }
}
