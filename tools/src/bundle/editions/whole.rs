//! Closures as editions before 2021 have them: they capture variables, not fields of them.
//!
//! What that changes is when something is dropped, of which the compiler has a lint, and how large a closure is, of
//! which it has none. By words alone: the variables that a body names are named whole in it once more. Of a reference that
//! is handed on, too, a field is captured since: what it leads to.

use super::{Compile, Editions, line_at, part_at};
use crate::bundle::lex::{Edits, Kind, Tokens};
use crate::bundle::operands::arguments;
use crate::bundle::rejected::parsed;
use crate::bundle::shake::Compiler;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Makes closures of crates older than 2021 capture whole variables, as they did.
pub fn whole_captures(text: &str, editions: &Editions) -> Result<String> {
    captured(text, editions, &|_| true)
}

/// Words that ask how large a value is of which the type is not told.
const MEASURES: [&str; 2] = ["size_of_val", "align_of_val"];

/// Words that ask for the size of any type, or for what must be done when a value goes.
const OF_TYPES: [&str; 4] = ["size_of", "align_of", "needs_drop", "Layout"];

/// True if among these tokens a variable that holds a closure is measured: `let c = || …; size_of_val(&c)`.
pub fn measures_closure(tokens: &Tokens<'_>, within: Range<usize>) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    let holds_closure = |name: &str| {
        within.clone().any(|i| {
            let start = i + 3 + usize::from(at(i + 3) == "move");
            at(i) == "let" && at(i + 1) == name && at(i + 2) == "=" && at(start) == "|"
        })
    };
    within.clone().any(|i| {
        MEASURES.contains(&at(i)) && at(i + 1) == "(" && at(i + 2) == "&" && holds_closure(at(i + 3))
    })
}

/// The same of those crates that measure values, and of the program if any does: what they find is what it was. Nothing
/// where none does, or where the text would not compile.
pub fn measured(text: &str, editions: &Editions, compile: &Compile) -> Result<Option<String>> {
    let asks = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if compile.edition < 2021 || !(asks(&MEASURES) || asks(&OF_TYPES)) {
        return Ok(None);
    }
    let parts = editions.parts(text)?;
    let module = |byte: usize| part_at(&parts, byte).map(|part| part.0.as_str());
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    // Of what rules make only the comparison of code could tell, and that does not know what is measured.
    let is_old = |i: usize| editions.at(&parts, tokens.list[i].range.start) < 2021;
    for rules in tokens.macros().into_iter().filter(|i| is_old(*i)) {
        let start = tokens.list[rules].range.start;
        ensure!(
            !measures_closure(&tokens, rules + 4..tokens.list[rules + 3].pair),
            "a macro of edition {} measures closures, which hold something else in edition {}: {}",
            editions.at(&parts, start),
            compile.edition,
            line_at(text, &parts, start).line
        );
    }
    let words = (tokens.list.iter()).filter(|token| token.kind == Kind::Ident);
    let places = words.map(|token| token.range.clone());
    let measure: BTreeSet<Option<&str>> = places
        .filter(|range| MEASURES.contains(&&text[range.clone()]))
        .map(|range| module(range.start))
        .collect();
    let own = captured(text, editions, &|byte| measure.contains(&module(byte)))?;
    // What the program hands to others is measured there.
    let all = captured(text, editions, &|byte| {
        measure.contains(&module(byte)) || module(byte).is_none()
    })?;
    for captured in [all, own].into_iter().filter(|captured| captured != text) {
        // What is not translated yet may compile in the edition it was written for only.
        for edition in [compile.edition, 2018] {
            let own = Compile {
                edition,
                ..compile.clone()
            };
            if Compiler::new(&own)?
                .lints(&captured, "unused_must_use")?
                .is_some()
            {
                return Ok(Some(captured));
            }
        }
    }
    Ok(None)
}

/// Makes closures at those places of crates older than 2021 capture whole variables.
fn captured(text: &str, editions: &Editions, is_meant: &dyn Fn(usize) -> bool) -> Result<String> {
    let file = parsed(text)?;
    let parts = editions.parts(text)?;
    let mut finder = Closures {
        is_old: |byte: usize| editions.at(&parts, byte) < 2021 && is_meant(byte),
        variables: BTreeSet::new(),
        edits: Edits::default(),
    };
    finder.visit_file(&file);
    Ok(finder.edits.apply(text))
}

struct Closures<F> {
    is_old: F,
    /// Those of the function around.
    variables: BTreeSet<String>,
    edits: Edits,
}

/// Names that a closure's body uses, and those it declares itself.
#[derive(Default)]
struct Names {
    used: BTreeSet<String>,
    declared: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        arguments(mac)
            .iter()
            .for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.used.extend(path.path.get_ident().map(ToString::to_string));
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.declared.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

impl<F> Closures<F> {
    /// From here on the variables are those of the function that `read` reads; returns those known before.
    fn enter(&mut self, read: impl FnOnce(&mut Names)) -> BTreeSet<String> {
        let mut names = Names::default();
        read(&mut names);
        names.declared.insert("self".to_owned());
        std::mem::replace(&mut self.variables, names.declared)
    }
}

impl<F: Fn(usize) -> bool> Closures<F> {
    /// Names the variables whole that such a body uses, at its beginning.
    fn hold(&mut self, body: &Names, range: Range<usize>, block: Option<&syn::Block>) {
        let mut names = &body.used - &body.declared;
        names.retain(|name| self.variables.contains(name));
        if !(self.is_old)(range.start) || names.is_empty() {
            return;
        }
        let mut lets = String::new();
        for name in &names {
            let _ = write!(lets, "let _ = &{name}; ");
        }
        if let Some(block) = block {
            let start = block.brace_token.span.open().byte_range().end;
            self.edits.replace(start..start, format!(" {lets}"));
        } else {
            self.edits.replace(range.start..range.start, format!("{{ {lets}"));
            self.edits.replace(range.end..range.end, " }");
        }
    }
}

impl<'ast, F: Fn(usize) -> bool> Visit<'ast> for Closures<F> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        let outer = self.enter(|names| names.visit_item_fn(function));
        visit::visit_item_fn(self, function);
        self.variables = outer;
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        let outer = self.enter(|names| names.visit_impl_item_fn(function));
        visit::visit_impl_item_fn(self, function);
        self.variables = outer;
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        let outer = self.enter(|names| names.visit_trait_item_fn(function));
        visit::visit_trait_item_fn(self, function);
        self.variables = outer;
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let mut body = Names::default();
        body.visit_expr_closure(closure);
        let block = match &*closure.body {
            syn::Expr::Block(block) => Some(&block.block),
            _ => None,
        };
        self.hold(&body, closure.body.span().byte_range(), block);
        visit::visit_expr_closure(self, closure);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        arguments(mac)
            .iter()
            .for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_async(&mut self, future: &'ast syn::ExprAsync) {
        let mut body = Names::default();
        body.visit_expr_async(future);
        self.hold(&body, future.block.span().byte_range(), Some(&future.block));
        visit::visit_expr_async(self, future);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_body_uses_is_held_whole_wherever_it_is_named() {
        let editions = Editions {
            program: 2018,
            modules: [].into(),
            foreign: [].into(),
            may_rescope: false,
        };
        for (body, expected) in [
            (
                "|| println!(\"{}\", p.0)",
                "|| { let _ = &p; println!(\"{}\", p.0) }",
            ),
            ("async move { p.1 }", "async move { let _ = &p;  p.1 }"),
            (
                "print!(\"{}\", f(|| p.0))",
                "print!(\"{}\", f(|| { let _ = &p; p.0 }))",
            ),
            ("|q| q.0", "|q| q.0"),
        ] {
            let of = |body: &str| format!("fn main() {{ let p = (1, 2); {body}; }}");
            assert_eq!(whole_captures(&of(body), &editions).unwrap(), of(expected));
        }
    }

    #[test]
    fn a_closure_that_is_measured_is_told_from_one_that_measures() {
        for (text, expected) in [
            ("let c = move || a.b; size_of_val(&c)", true),
            ("let c = a; d.map(|x| size_of_val(&x) + size_of_val(&c))", false),
        ] {
            let tokens = Tokens::new(text, Path::new("test")).unwrap();
            assert_eq!(
                measures_closure(&tokens, 0..tokens.list.len()),
                expected,
                "{text}"
            );
        }
    }
}
