//! Closures as editions before 2021 have them: they capture variables, not fields of them.
//!
//! What that changes is when something is dropped, of which the compiler has a lint, and how large a closure is, of
//! which it has none. By words alone: the variables that a body names are named whole in it once more. Of a reference that
//! is handed on, too, a field is captured since: what it leads to.

use super::{Compile, Editions, line_at, part_at};
use crate::bundle::lex::{Edits, Kind, Tokens};
use crate::bundle::rejected::parsed;
use crate::bundle::shake::Compiler;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Makes closures of crates older than 2021 capture whole variables, as they did.
pub fn whole_captures(text: &str, editions: &Editions) -> Result<String> {
    captured(text, editions, &|_| true)
}

/// Words that ask how large a value is of which the type is not told.
pub const MEASURES: [&str; 2] = ["size_of_val", "align_of_val"];

/// The same of those crates that measure values: what they find is what it was. Nothing where none does, or where
/// the text would not compile.
pub fn measured(text: &str, editions: &Editions, compile: &Compile) -> Result<Option<String>> {
    if compile.edition < 2021 || !MEASURES.iter().any(|word| text.contains(word)) {
        return Ok(None);
    }
    let parts = editions.parts(text)?;
    let module = |byte: usize| part_at(&parts, byte).map(|part| part.0.as_str());
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    // Of what rules make only the comparison of code could tell, and that does not know what is measured.
    let is_old = |i: usize| editions.at(&parts, tokens.list[i].range.start) < 2021;
    for rules in tokens.macros().into_iter().filter(|i| is_old(*i)) {
        let inside = rules + 4..tokens.list[rules + 3].pair;
        let is_there = |words: &[&str]| inside.clone().any(|k| words.contains(&tokens.at(k as isize)));
        ensure!(
            !(is_there(&MEASURES) && is_there(&["|"])),
            "a macro of edition {} measures closures, which hold something else in edition {}: {}",
            editions.at(&parts, tokens.list[rules].range.start),
            compile.edition,
            line_at(text, &parts, tokens.list[rules].range.start).line
        );
    }
    let words = (tokens.list.iter()).filter(|token| token.kind == Kind::Ident);
    let places = words.map(|token| token.range.clone());
    let measure: BTreeSet<Option<&str>> = places
        .filter(|range| MEASURES.contains(&&text[range.clone()]))
        .map(|range| module(range.start))
        .collect();
    let captured = captured(text, editions, &|byte| measure.contains(&module(byte)))?;
    if captured == text {
        return Ok(None);
    }
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
        let range = closure.body.span().byte_range();
        let mut body = Names::default();
        body.visit_expr_closure(closure);
        let mut names = &body.used - &body.declared;
        names.retain(|name| self.variables.contains(name));
        if (self.is_old)(range.start) && !names.is_empty() {
            let mut lets = String::new();
            for name in &names {
                let _ = write!(lets, "let _ = &{name}; ");
            }
            if let syn::Expr::Block(block) = &*closure.body {
                let start = block.block.brace_token.span.open().byte_range().end;
                self.edits.replace(start..start, format!(" {lets}"));
            } else {
                self.edits.replace(range.start..range.start, format!("{{ {lets}"));
                self.edits.replace(range.end..range.end, " }");
            }
        }
        visit::visit_expr_closure(self, closure);
    }
}
