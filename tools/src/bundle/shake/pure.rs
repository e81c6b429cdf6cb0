//! Expressions that only make a value: evaluated or not, nothing else can tell.

use syn::punctuated::Punctuated;
use syn::{Expr, Token, UnOp};

/// Functions of the library that make an empty thing.
const MAKERS: [&str; 7] = [
    "Vec::new",
    "Vec::with_capacity",
    "String::new",
    "String::with_capacity",
    "VecDeque::new",
    "HashMap::new",
    "HashSet::new",
];

/// True if evaluating `expr` cannot be noticed. `counts`: arithmetic that might overflow is allowed too.
pub fn is_pure(expr: &Expr, counts: bool) -> bool {
    let pure = |expr: &Expr| is_pure(expr, counts);
    match expr {
        Expr::Lit(_) | Expr::Path(_) | Expr::Closure(_) | Expr::Infer(_) => true,
        Expr::Field(field) => pure(&field.base),
        Expr::Paren(inner) => pure(&inner.expr),
        Expr::Group(inner) => pure(&inner.expr),
        Expr::Cast(cast) => pure(&cast.expr),
        Expr::Reference(inner) => pure(&inner.expr),
        Expr::Unary(unary) => match unary.op {
            UnOp::Not(_) => pure(&unary.expr),
            UnOp::Neg(_) => pure(&unary.expr) && (counts || matches!(*unary.expr, Expr::Lit(_))),
            _ => false,
        },
        Expr::Binary(binary) => {
            use syn::BinOp::{Add, And, BitAnd, BitOr, BitXor, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Sub};
            let fits = match binary.op {
                // Comparing may be a function of the program's own, too.
                Add(_) | Sub(_) | Mul(_) | And(_) | Or(_) | BitAnd(_) | BitOr(_) | BitXor(_) | Eq(_)
                | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => counts,
                _ => false,
            };
            fits && pure(&binary.left) && pure(&binary.right)
        }
        Expr::Tuple(tuple) => tuple.elems.iter().all(pure),
        Expr::Array(array) => array.elems.iter().all(pure),
        Expr::Repeat(repeat) => pure(&repeat.expr) && pure(&repeat.len),
        Expr::Struct(made) => {
            made.fields.iter().all(|field| pure(&field.expr))
                && made.rest.as_ref().is_none_or(|rest| pure(rest))
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return false;
            };
            let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
            let last = names.last().map_or("", String::as_str);
            let is_constructor = last.starts_with(|c: char| c.is_ascii_uppercase());
            let is_maker = names.len() >= 2 && MAKERS.contains(&names[names.len() - 2..].join("::").as_str());
            (is_constructor || is_maker) && call.args.iter().all(pure)
        }
        Expr::Macro(call) if call.mac.path.is_ident("vec") => {
            let list = call
                .mac
                .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
            let repeat = || {
                call.mac.parse_body_with(|input: syn::parse::ParseStream| {
                    let value: Expr = input.parse()?;
                    let _: Token![;] = input.parse()?;
                    Ok((value, input.parse::<Expr>()?))
                })
            };
            match list {
                Ok(list) => list.iter().all(pure),
                Err(_) => repeat().is_ok_and(|(value, count)| pure(&value) && pure(&count)),
            }
        }
        _ => false,
    }
}
