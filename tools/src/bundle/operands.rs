//! What an expression is made of that is evaluated for it and has no end of its own: temporaries in it live as long as those
//! of the whole.

use super::older::OF_EXPRESSIONS;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

/// What a macro of the standard library is given, where that is expressions.
pub fn arguments(mac: &Macro) -> Vec<Expr> {
    let name = mac.path.segments.last().map(|last| last.ident.to_string());
    let is_known = name.is_some_and(|name| OF_EXPRESSIONS.contains(&name.as_str()));
    let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
    let list = is_known.then(|| mac.parse_body_with(parse).ok()).flatten();
    list.into_iter().flatten().collect()
}

/// These parts.
pub fn operands(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Call(of) => std::iter::once(&*of.func).chain(&of.args).collect(),
        Expr::MethodCall(of) => std::iter::once(&*of.receiver).chain(&of.args).collect(),
        Expr::Binary(of) => vec![&*of.left, &*of.right],
        Expr::Assign(of) => vec![&*of.left, &*of.right],
        Expr::Index(of) => vec![&*of.expr, &*of.index],
        Expr::Array(of) => of.elems.iter().collect(),
        Expr::Tuple(of) => of.elems.iter().collect(),
        Expr::Struct(of) => of.fields.iter().map(|field| &field.expr).collect(),
        Expr::Range(of) => of.start.iter().chain(&of.end).map(|expr| &**expr).collect(),
        Expr::Match(of) => vec![&*of.expr],
        Expr::Let(of) => vec![&*of.expr],
        Expr::ForLoop(of) => vec![&*of.expr],
        Expr::Unary(of) => vec![&*of.expr],
        Expr::Reference(of) => vec![&*of.expr],
        Expr::Field(of) => vec![&*of.base],
        Expr::Cast(of) => vec![&*of.expr],
        Expr::Paren(of) => vec![&*of.expr],
        Expr::Repeat(of) => vec![&*of.expr],
        Expr::Await(of) => vec![&*of.base],
        Expr::Try(of) => vec![&*of.expr],
        Expr::Return(of) => of.expr.iter().map(|expr| &**expr).collect(),
        Expr::Break(of) => of.expr.iter().map(|expr| &**expr).collect(),
        _ => Vec::new(),
    }
}
