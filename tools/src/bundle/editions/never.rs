//! Closures that never return: where nothing else says of what type their value is, it is `()` before 2024 and `!` since.
//!
//! In a file of the other edition that type is written out, which is not done where it is said elsewhere: the compiler,
//! reading the crates concerned in their edition, then sees two types. It is a translation where what all functions do
//! there stays the same.

use super::drops::Ends;
use super::mixed::Mixed;
use super::steps::{PLAIN, differing, functions};
use super::{Compile, Editions, is_between};
use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::operands::arguments;
use crate::bundle::rejected::parsed;
use crate::bundle::shake::{Compiler, emit};
use anyhow::Result;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

/// Functions and macros of the standard library that never return.
pub const NEVER: [&str; 8] = [
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "exit",
    "abort",
    "resume_unwind",
    "panic_any",
];

/// Methods whose closures return what the value around holds.
const TYPED: [&str; 5] = [
    "unwrap_or_else",
    "or_insert_with",
    "get_or_insert_with",
    "map_or_else",
    "resize_with",
];

/// How often closures of another type are taken back.
const ROUNDS: usize = 4;

/// `text` with the type of closures that never return, where it is another in `compile`'s edition than in that of their
/// crate; `text` as it is where there is none, or where that cannot be shown to change nothing.
pub fn said(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    let parts = editions.parts(text)?;
    let crosses = |edition: u16| is_between(edition, compile.edition, 2024);
    if !editions.has(&parts, &crosses) {
        return Ok(text.to_owned());
    }
    let (own, written) = if compile.edition >= 2024 {
        (2021, "()")
    } else {
        (2024, "!")
    };
    let mut closures = of(text)?;
    closures.retain(|closure| crosses(editions.at(&parts, closure.all.start)));
    for _ in 0..ROUNDS {
        if closures.is_empty() {
            break;
        }
        let (new, typed) = typed(text, &closures, written);
        let mixed = Mixed::read_as(&new, editions, compile, own, &crosses, None)?;
        let errors = Compiler::new(&mixed.compile)?.check_once(&mixed.text)?.errors;
        if errors.is_empty() {
            let before = Mixed::read_as(text, editions, compile, own, &crosses, None)?;
            let ends = Ends::of(&Tokens::new(text, Path::new("bundle"))?);
            let mirs = [&before, &mixed].map(|read| emit(&read.text, &read.compile, "mir", &PLAIN));
            if let [Ok(before), Ok(after)] = mirs {
                if differing(&functions(&before, &ends), functions(&after, &ends)).is_empty() {
                    return Ok(new);
                }
            }
            break;
        }
        let spans = errors.iter().flat_map(|error| &error.spans);
        let places: Vec<Range<usize>> = spans.map(|span| mixed.back(&(span.start..span.end))).collect();
        let is_blamed = |of: &Range<usize>| {
            let touches = |place: &Range<usize>| place.start < of.end && of.start < place.end;
            places.iter().any(touches)
        };
        let count = closures.len();
        let mut blamed = typed.iter().map(is_blamed);
        closures.retain(|_| !blamed.next().unwrap_or(true));
        if closures.len() == count {
            break;
        }
    }
    Ok(text.to_owned())
}

/// A closure without a type.
struct Closure {
    all: Range<usize>,
    body: Range<usize>,
    is_block: bool,
}

/// `text` with the type of these closures, and where they then are.
fn typed(text: &str, closures: &[Closure], of: &str) -> (String, Vec<Range<usize>>) {
    let mut words: Vec<(usize, String)> = Vec::new();
    for Closure { body, is_block, .. } in closures {
        if *is_block {
            words.push((body.start, format!("-> {of} ")));
        } else {
            words.push((body.start, format!("-> {of} {{ ")));
            words.push((body.end, " }".to_owned()));
        }
    }
    let mut edits = Edits::default();
    for (at, word) in &words {
        edits.replace(*at..*at, word.clone());
    }
    let shift = |at: usize, is_end: bool| {
        let before = words
            .iter()
            .filter(|(place, _)| *place < at || is_end && *place == at);
        at + before.map(|(_, word)| word.len()).sum::<usize>()
    };
    let now = closures
        .iter()
        .map(|closure| shift(closure.all.start, false)..shift(closure.all.end, true));
    (edits.apply(text), now.collect())
}

/// Bytes where closures of `text` begin that never return and do not say of what type they are.
pub fn places(text: &str) -> Result<Vec<usize>> {
    Ok(of(text)?.iter().map(|closure| closure.all.start).collect())
}

fn of(text: &str) -> Result<Vec<Closure>> {
    let mut finder = Finder::default();
    if NEVER.iter().chain(&["loop"]).any(|word| text.contains(word)) {
        finder.visit_file(&parsed(text)?);
    }
    Ok(finder.found)
}

#[derive(Default)]
struct Finder {
    found: Vec<Closure>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let is_open = matches!(closure.output, syn::ReturnType::Default) && closure.asyncness.is_none();
        if is_open && is_endless(&closure.body) && !Returns::any(&closure.body) {
            self.found.push(Closure {
                all: closure.span().byte_range(),
                body: closure.body.span().byte_range(),
                is_block: matches!(&*closure.body, Expr::Block(of) if of.attrs.is_empty() && of.label.is_none()),
            });
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if !TYPED.iter().any(|name| call.method == name) {
            visit::visit_expr_method_call(self, call);
            return;
        }
        self.visit_expr(&call.receiver);
        for argument in &call.args {
            match argument {
                Expr::Closure(closure) => self.visit_expr(&closure.body),
                other => self.visit_expr(other),
            }
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        arguments(mac)
            .iter()
            .for_each(|argument| self.visit_expr(argument));
    }
}

/// True for what never ends, as far as its words say so.
fn is_endless(expr: &Expr) -> bool {
    let is_never = |path: &syn::Path| {
        let last = path.segments.last().map(|last| last.ident.to_string());
        last.is_some_and(|name| NEVER.contains(&name.as_str()))
    };
    match expr {
        Expr::Macro(of) => is_never(&of.mac.path),
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if is_never(&path.path)),
        Expr::Paren(of) => is_endless(&of.expr),
        Expr::Block(of) => does_not_end(&of.block),
        Expr::Unsafe(of) => does_not_end(&of.block),
        Expr::If(of) => {
            let other = of.else_branch.as_ref().map(|(_, other)| is_endless(other));
            does_not_end(&of.then_branch) && other.unwrap_or(false)
        }
        Expr::Loop(of) => !Leaves::any(of),
        Expr::Match(of) => !of.arms.is_empty() && of.arms.iter().all(|arm| is_endless(&arm.body)),
        _ => false,
    }
}

fn does_not_end(block: &syn::Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Expr(expr, _) => is_endless(expr),
        Stmt::Macro(of) => is_endless(&Expr::Macro(syn::ExprMacro {
            attrs: Vec::new(),
            mac: of.mac.clone(),
        })),
        _ => false,
    })
}

/// Whether a closure returns a value on its way.
#[derive(Default)]
struct Returns(bool);

impl Returns {
    fn any(body: &Expr) -> bool {
        let mut finder = Self::default();
        finder.visit_expr(body);
        finder.0
    }
}

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
        self.0 = true;
    }

    fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
        self.0 = true;
    }

    // Those return for themselves.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a loop is left.
struct Leaves<'a> {
    label: Option<&'a syn::Lifetime>,
    /// True in a loop inside, which a `break` without a label is about.
    is_inner: bool,
    found: bool,
}

impl<'a> Leaves<'a> {
    fn any(of: &'a syn::ExprLoop) -> bool {
        let mut finder = Self {
            label: of.label.as_ref().map(|label| &label.name),
            is_inner: false,
            found: false,
        };
        finder.visit_block(&of.body);
        finder.found
    }

    fn inner(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_inner, true);
        visit(self);
        self.is_inner = outer;
    }
}

impl<'ast> Visit<'ast> for Leaves<'_> {
    fn visit_expr_break(&mut self, of: &'ast syn::ExprBreak) {
        self.found |= match &of.label {
            Some(label) => self.label.is_some_and(|own| own.ident == label.ident),
            None => !self.is_inner,
        };
        visit::visit_expr_break(self, of);
    }

    fn visit_expr_loop(&mut self, of: &'ast syn::ExprLoop) {
        self.inner(|inner| visit::visit_expr_loop(inner, of));
    }

    fn visit_expr_while(&mut self, of: &'ast syn::ExprWhile) {
        self.inner(|inner| visit::visit_expr_while(inner, of));
    }

    fn visit_expr_for_loop(&mut self, of: &'ast syn::ExprForLoop) {
        self.inner(|inner| visit::visit_expr_for_loop(inner, of));
    }

    // What a macro does is not known.
    fn visit_macro(&mut self, of: &'ast syn::Macro) {
        self.found |= of.tokens.to_string().contains("break");
    }

    // Those have loops of their own.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::{of, typed};

    #[test]
    fn closures_that_never_return_are_given_a_type() {
        for (body, expected) in [
            ("c(|| panic!(\"a\"))", "c(|| -> ! { panic!(\"a\") })"),
            (
                "c(move |x| { d(); exit(1); })",
                "c(move |x| -> ! { d(); exit(1); })",
            ),
            (
                "println!(\"{}\", c(|| todo!()))",
                "println!(\"{}\", c(|| -> ! { todo!() }))",
            ),
            (
                "c(|| { d(|| panic!()); std::process::exit(1) })",
                "c(|| -> ! { d(|| -> ! { panic!() }); std::process::exit(1) })",
            ),
            (
                "c(|| if x { panic!() } else { 1 })",
                "c(|| if x { panic!() } else { 1 })",
            ),
            (
                "c(|| { if x { return 1; } panic!() })",
                "c(|| { if x { return 1; } panic!() })",
            ),
            ("c(|| -> u8 { panic!() })", "c(|| -> u8 { panic!() })"),
            ("a.unwrap_or_else(|| panic!())", "a.unwrap_or_else(|| panic!())"),
        ] {
            let text = format!("fn f() {{ {body}; }}");
            let closures = of(&text).unwrap();
            let (new, now) = typed(&text, &closures, "!");
            assert_eq!(new, format!("fn f() {{ {expected}; }}"));
            assert!(
                now.iter().all(|range| new[range.clone()].contains("-> !")),
                "{new}"
            );
        }
    }
}
