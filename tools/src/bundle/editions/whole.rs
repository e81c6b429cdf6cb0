//! Closures as editions before 2021 have them: they capture variables, not fields of them.
//!
//! What that changes is when something is dropped, of which the compiler has a lint, and how large a closure is and what
//! is cloned with it, of which it has none. By words alone: the variables that a body names are named whole in it once
//! more. Of a reference that is handed on, too, a field is captured since: what it leads to.

use super::drops::are_shares_asked;
use super::{Compile, Editions, Line, line_at, part_at};
use crate::bundle::lex::{Edits, Kind, Tokens};
use crate::bundle::operands::arguments;
use crate::bundle::rejected::parsed;
use crate::bundle::shake::Compiler;
use anyhow::{Result, bail};
use proc_macro2::TokenTree;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Makes closures of crates older than 2021 capture whole variables, as they did. `is_wide`: those, too, that are given to
/// macros by rules, and of variables that are; whether they capture these has to be shown.
pub fn whole_captures(text: &str, editions: &Editions, is_wide: bool) -> Result<String> {
    let of = if is_wide { Of::Macros } else { Of::Plain };
    captured(text, editions, of, &|_| true)
}

/// Which closures are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// All that stand in plain code.
    Plain,
    /// Of these, those that take variables of which they use parts, or may take parts of them.
    Parts,
    /// All, and what is given to macros by rules.
    Macros,
}

/// True if it may be noticed what closures capture though no lint says so: there are blocks that are run later, or somebody
/// asks who shares a value.
pub fn is_unsaid(text: &str) -> Result<bool> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let at = |i: usize| tokens.at(i as isize);
    let is_later = |i: usize| at(i) == "async" && matches!(at(i + 1), "move" | "{");
    Ok((0..tokens.list.len()).any(is_later) || are_shares_asked(&tokens))
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
    none_in_rules(
        text,
        &tokens,
        editions,
        compile.edition,
        ("measures closures", &measures_closure),
    )?;
    let words = (tokens.list.iter()).filter(|token| token.kind == Kind::Ident);
    let places = words.map(|token| token.range.clone());
    let measure: BTreeSet<Option<&str>> = places
        .filter(|range| MEASURES.contains(&&text[range.clone()]))
        .map(|range| module(range.start))
        .collect();
    let own = captured(text, editions, Of::Plain, &|byte| measure.contains(&module(byte)))?;
    // What the program hands to others is measured there.
    let all = captured(text, editions, Of::Plain, &|byte| {
        measure.contains(&module(byte)) || module(byte).is_none()
    })?;
    for captured in [all, own].into_iter().filter(|captured| captured != text) {
        if is_program(&captured, compile)? {
            return Ok(Some(captured));
        }
    }
    Ok(None)
}

/// What is done to closures, and whether it is among tokens.
pub type Doing<'d> = (&'d str, &'d dyn Fn(&Tokens<'_>, Range<usize>) -> bool);

/// An error where rules of macros older than 2021 do it: of what they make only the comparison of code could tell, and that
/// does not know of it.
pub fn none_in_rules(
    text: &str,
    tokens: &Tokens<'_>,
    editions: &Editions,
    edition: u16,
    (doing, is_done): Doing,
) -> Result<()> {
    let parts = editions.parts(text)?;
    for rules in tokens.macros() {
        let start = tokens.list[rules].range.start;
        let of = editions.at(&parts, start);
        if of >= 2021 || !is_done(tokens, rules + 4..tokens.list[rules + 3].pair) {
            continue;
        }
        let Line { module, line, .. } = line_at(text, &parts, start);
        let within = match module.as_str() {
            "" => String::new(),
            module => format!(" (`{module}`)"),
        };
        bail!(
            "a macro of edition {of} {doing}, which hold something else in edition {edition}{within}: {line}"
        );
    }
    Ok(())
}

/// True if it compiles: what is not translated yet may do so only in the edition it was written for.
pub fn is_program(text: &str, compile: &Compile) -> Result<bool> {
    for edition in [compile.edition, 2018] {
        let own = Compile {
            edition,
            ..compile.clone()
        };
        if Compiler::new(&own)?.lints(text, "unused_must_use")?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes closures at those places of crates older than 2021 capture whole variables.
pub fn captured(text: &str, editions: &Editions, of: Of, is_meant: &dyn Fn(usize) -> bool) -> Result<String> {
    let file = parsed(text)?;
    let parts = editions.parts(text)?;
    let mut finder = Closures {
        is_old: |byte: usize| editions.at(&parts, byte) < 2021 && is_meant(byte),
        of,
        variables: BTreeSet::new(),
        edits: Edits::default(),
    };
    finder.visit_file(&file);
    Ok(finder.edits.apply(text))
}

/// The expressions between the commas of a macro's call, which may be handed a name or a type, too.
fn pieces(mac: &syn::Macro) -> Vec<syn::Expr> {
    let mut pieces = vec![proc_macro2::TokenStream::new()];
    for tree in mac.tokens.clone() {
        match tree {
            TokenTree::Punct(comma) if comma.as_char() == ',' => pieces.push(proc_macro2::TokenStream::new()),
            other => pieces.last_mut().expect("one at least").extend([other]),
        }
    }
    pieces
        .into_iter()
        .filter_map(|piece| syn::parse2(piece).ok())
        .collect()
}

struct Closures<F> {
    is_old: F,
    of: Of,
    /// Those of the function around.
    variables: BTreeSet<String>,
    edits: Edits,
}

/// Names that a closure's body uses of what is around it, and those it declares itself.
#[derive(Default)]
struct Names {
    /// Those that no declaration in scope is of.
    used: BTreeSet<String>,
    /// Those used otherwise than by a field or a pattern.
    whole: BTreeSet<String>,
    /// Those of which a part may be taken by value, in a closure that does not say `move`.
    taken: BTreeSet<String>,
    declared: BTreeSet<String>,
    /// Those declared of which the scope is not over.
    inner: BTreeSet<String>,
    /// `self` is a reference here, of which all closures take as much.
    is_lent: bool,
    /// What is given to macros by rules is used.
    is_wide: bool,
}

impl Names {
    /// A place of which a part may be used; by value, if it `takes`.
    fn place(&mut self, place: &syn::Expr, takes: bool) {
        match place {
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                self.taken.extend(name.clone().filter(|_| takes));
                name.into_iter().for_each(|name| self.uses(name));
            }
            syn::Expr::Field(field) => self.place(&field.base, takes),
            syn::Expr::Paren(inner) => self.place(&inner.expr, takes),
            other => self.visit_expr(other),
        }
    }

    /// An operand that is looked at where it is.
    fn looked_at(&mut self, operand: &syn::Expr) {
        match operand {
            syn::Expr::Field(field) => self.place(&field.base, false),
            other => self.visit_expr(other),
        }
    }
}

impl Names {
    /// A name is used here.
    fn uses(&mut self, name: String) {
        if !self.inner.contains(&name) {
            self.used.insert(name);
        }
    }

    /// What is declared in there is not in scope behind it.
    fn scoped(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = self.inner.clone();
        read(self);
        self.inner = outer;
    }

    /// Of what is given to a macro all that may be a variable.
    fn given(&mut self, tokens: proc_macro2::TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => self.uses(name.to_string()),
                TokenTree::Group(group) => self.given(group.stream()),
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_receiver(&mut self, receiver: &'ast syn::Receiver) {
        self.is_lent |= receiver.reference.is_some();
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        self.place(&field.base, true);
    }

    fn visit_expr_reference(&mut self, of: &'ast syn::ExprReference) {
        self.looked_at(&of.expr);
    }

    fn visit_expr_index(&mut self, of: &'ast syn::ExprIndex) {
        self.looked_at(&of.expr);
        self.visit_expr(&of.index);
    }

    fn visit_expr_assign(&mut self, of: &'ast syn::ExprAssign) {
        self.looked_at(&of.left);
        self.visit_expr(&of.right);
    }

    fn visit_expr_binary(&mut self, of: &'ast syn::ExprBinary) {
        use syn::BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        if matches!(
            of.op,
            Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_)
        ) {
            visit::visit_expr_binary(self, of);
        } else {
            self.looked_at(&of.left);
            self.looked_at(&of.right);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.place(&init.expr, true);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.visit_pat(&local.pat);
    }

    fn visit_expr_let(&mut self, it: &'ast syn::ExprLet) {
        self.place(&it.expr, true);
        self.visit_pat(&it.pat);
    }

    fn visit_expr_for_loop(&mut self, it: &'ast syn::ExprForLoop) {
        self.visit_expr(&it.expr);
        self.scoped(|names| {
            names.visit_pat(&it.pat);
            names.visit_block(&it.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.scoped(|names| visit::visit_expr_closure(names, closure));
    }

    fn visit_expr_if(&mut self, it: &'ast syn::ExprIf) {
        self.scoped(|names| {
            names.visit_expr(&it.cond);
            names.visit_block(&it.then_branch);
        });
        if let Some((_, otherwise)) = &it.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, it: &'ast syn::ExprWhile) {
        self.scoped(|names| visit::visit_expr_while(names, it));
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.scoped(|names| visit::visit_block(names, block));
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scoped(|names| visit::visit_arm(names, arm));
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        self.place(&it.expr, true);
        it.arms.iter().for_each(|arm| self.visit_arm(arm));
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let mut arguments = arguments(mac);
        if self.is_wide && arguments.is_empty() {
            self.given(mac.tokens.clone());
            arguments = pieces(mac);
        }
        arguments.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let name = path.path.get_ident().map(ToString::to_string);
        if let Some(name) = name.filter(|name| !self.inner.contains(name)) {
            self.used.insert(name.clone());
            self.whole.insert(name);
        }
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.declared.insert(pat.ident.to_string());
        self.inner.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

impl<F> Closures<F> {
    /// From here on the variables are those of the function that `read` reads; returns those known before.
    fn enter(&mut self, read: impl FnOnce(&mut Names)) -> BTreeSet<String> {
        let mut names = Names {
            is_wide: self.of == Of::Macros,
            ..Names::default()
        };
        read(&mut names);
        if !(self.of == Of::Parts && names.is_lent) {
            names.declared.insert("self".to_owned());
        }
        std::mem::replace(&mut self.variables, names.declared)
    }
}

impl<F: Fn(usize) -> bool> Closures<F> {
    /// Names the variables whole that such a body uses, at its beginning.
    fn hold(&mut self, body: &Names, is_move: bool, range: Range<usize>, block: Option<&syn::Block>) {
        let mut names = body.used.clone();
        if self.of == Of::Parts {
            names = &names - &body.whole;
            names.retain(|name| is_move || body.taken.contains(name));
        }
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
        let mut body = Names {
            is_wide: self.of == Of::Macros,
            ..Names::default()
        };
        body.visit_expr_closure(closure);
        let block = match &*closure.body {
            syn::Expr::Block(block) => Some(&block.block),
            _ => None,
        };
        self.hold(
            &body,
            closure.capture.is_some(),
            closure.body.span().byte_range(),
            block,
        );
        visit::visit_expr_closure(self, closure);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let mut arguments = arguments(mac);
        if self.of == Of::Macros && arguments.is_empty() {
            arguments = pieces(mac);
        }
        arguments.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_async(&mut self, future: &'ast syn::ExprAsync) {
        // Nothing clones a future.
        if self.of != Of::Parts {
            let mut body = Names {
                is_wide: self.of == Of::Macros,
                ..Names::default()
            };
            body.visit_expr_async(future);
            let range = future.block.span().byte_range();
            self.hold(&body, false, range, Some(&future.block));
        }
        visit::visit_expr_async(self, future);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_2018() -> Editions {
        Editions {
            program: 2018,
            modules: [].into(),
            foreign: [].into(),
            may_rescope: false,
        }
    }

    #[test]
    fn what_a_body_uses_is_held_whole_wherever_it_is_named() {
        let editions = of_2018();
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
            ("|| { let p = p.0; p }", "|| { let _ = &p;  let p = p.0; p }"),
            ("|| { let p = 1; p }", "|| { let p = 1; p }"),
            (
                "|| { { let p = 1; f(p); } f(p.1) }",
                "|| { let _ = &p;  { let p = 1; f(p); } f(p.1) }",
            ),
        ] {
            let of = |body: &str| format!("fn main() {{ let p = (1, 2); {body}; }}");
            assert_eq!(whole_captures(&of(body), &editions, false).unwrap(), of(expected));
        }
    }

    #[test]
    fn what_stands_among_names_in_a_call_is_held_where_all_macros_are_meant() {
        let text = "fn f(p: &mut u8) { m!(s, 'a, match s { _ => g(|x| h(x, p)) }) }";
        let expected = text.replace("h(x, p)", "{ let _ = &p; h(x, p) }");
        assert_eq!(whole_captures(text, &of_2018(), true).unwrap(), expected);
        assert_eq!(whole_captures(text, &of_2018(), false).unwrap(), text);
    }

    #[test]
    fn what_is_taken_in_part_is_taken_whole_where_clones_are_told() {
        let editions = of_2018();
        for (body, expected) in [
            ("move || f(p.0.1)", "move || { let _ = &p; f(p.0.1) }"),
            ("|| f(p.0)", "|| { let _ = &p; f(p.0) }"),
            ("|| p.0.g()", "|| { let _ = &p; p.0.g() }"),
            (
                "|| f(&p.0, p.0.0 == 1, &mut p.1)",
                "|| f(&p.0, p.0.0 == 1, &mut p.1)",
            ),
            ("|| p.0[1]", "|| p.0[1]"),
            ("|| f(p.0, &p)", "|| f(p.0, &p)"),
            ("move || f(p.0, &p)", "move || f(p.0, &p)"),
            (
                "move || { let (a, _) = p; a }",
                "move || { let _ = &p;  let (a, _) = p; a }",
            ),
            ("move || f(self.0)", "move || f(self.0)"),
        ] {
            let of = |body: &str| format!("impl A {{ fn g(&self) {{ let p = ((1, 2), 3); {body}; }} }}");
            let made = captured(&of(body), &editions, Of::Parts, &|_| true).unwrap();
            assert_eq!(made, of(expected));
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
