//! What a macro makes in words of its own, which are read in its edition, among those of a caller of another edition.
//!
//! As text all would be read as the caller's are. What means the same in both editions if it is said otherwise is said so
//! here; what may differ is noted, with the function that it stands in, for the lints to judge where types are known: see
//! `judged`. What is noted where nothing differs costs time, not truth.

use super::fragments;
use super::panics::{as_value, formatted, unformatted_panic};
use super::{STEPS, branches, is_between};
use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::older::unsafe_words;
use anyhow::Result;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::Path;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ExprIf, ExprMethodCall, Stmt, Token};

/// What is not in all editions what it is in one.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A closure: what of a variable it captures.
    Closure,
    /// `.into_iter()` of an array, or of a box.
    IntoIter,
    /// An `if let` with an `else`: what it holds meanwhile.
    IfLet,
    /// The last expression of a block: what it holds.
    Tail,
    /// A parameter of rules, `$x:pat` or `$x:expr`: what it takes.
    Fragment,
}

/// One of these in words of a macro's own.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Construct {
    /// Which.
    pub kind: Kind,
    /// The innermost function around it, or the rules, as `name!`; none where there is none.
    pub function: Option<String>,
}

/// Such a construct, and whose it is.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foreign {
    /// The crate that called the macro.
    pub caller: usize,
    /// The macro, as `crate::name`.
    pub by: String,
    /// Its edition.
    pub edition: u16,
    /// What it made.
    pub construct: Construct,
}

/// True if what is written means in one of these editions what it means in the other.
pub fn are_alike(one: u16, other: u16) -> bool {
    !STEPS.iter().any(|(_, step, _)| is_between(one, other, *step))
}

/// `text`, of which the words that begin at the bytes `own` were written for edition `from`, as `to` says what can be said
/// in either.
pub fn translated(text: &str, own: &[usize], from: u16, to: u16) -> Result<String> {
    let crosses = |step: u16| is_between(from, to, step);
    let is_own = |byte: usize| own.binary_search(&byte).is_ok();
    let tokens = Tokens::new(text, Path::new("a macro"))?;
    let mut edits = Edits::default();
    for (i, token) in tokens.list.iter().enumerate() {
        // What a parameter takes is told by the edition of its name.
        let is_meant = |name: usize| is_own(tokens.list[name].range.start);
        if let Some(older) = fragments::older(tokens.at(i as isize), from, to) {
            if fragments::name(&tokens, i).is_some_and(is_meant) {
                edits.replace(token.range.clone(), older);
            }
        }
        if !is_own(token.range.start) {
            continue;
        }
        if crosses(2021) {
            if let Some((range, literal)) = unformatted_panic(&tokens, i) {
                // A format since 2021, until then none.
                let with = if to >= 2021 {
                    formatted(&tokens, i, literal)
                } else {
                    as_value(&tokens, i, literal)
                };
                edits.replace(range, with);
            }
        }
        // In older files chains of `let` are told to drop what they hold as 2024 does.
        if crosses(2024) && to < 2024 && branches::with_else(&tokens, i).is_some() {
            let behind = token.range.end;
            edits.replace(behind..behind, " true && ");
        }
        if crosses(2024) && to >= 2024 {
            for (place, word) in unsafe_words(&tokens, i) {
                edits.replace(place..place, word);
            }
            match tokens.at(i as isize) {
                "gen" => edits.replace(token.range.clone(), "r#gen"),
                _ => branches::in_tokens(&tokens, i, &mut edits),
            }
        }
    }
    Ok(edits.apply(text))
}

/// What of `text` may not mean in edition `to` what it means in `from`, for which the words that begin where `is_own` says so
/// were written. `translated` if what can be said in either is said so.
pub fn constructs(
    text: &str,
    is_own: &dyn Fn(usize) -> bool,
    (from, to): (u16, u16),
    translated: bool,
) -> BTreeSet<Construct> {
    let crosses = |step: u16| is_between(from, to, step);
    let mut finder = Finder {
        is_own,
        before: 0,
        functions: Vec::new(),
        found: BTreeSet::new(),
    };
    finder.read(text);
    let is_other = |construct: &Construct| match construct.kind {
        Kind::Closure => crosses(2021),
        Kind::IntoIter | Kind::Fragment => true,
        Kind::IfLet => crosses(2024) && !(translated && to >= 2024),
        Kind::Tail => crosses(2024),
    };
    if let Ok(tokens) = Tokens::new(text, Path::new("a macro")) {
        let is_meant = |name: usize| is_own(tokens.list[name].range.start);
        let takes_more = |i: usize| fragments::takes_more(tokens.at(i as isize), from, to);
        // Where there is one rule nothing else would be tried: it does not compile.
        let is_other = |i: usize| {
            takes_more(i)
                && fragments::name(&tokens, i).is_some_and(is_meant)
                && fragments::has_other_rules(&tokens, i)
        };
        if (0..tokens.list.len()).any(is_other) {
            finder.functions.clear();
            finder.note(Kind::Fragment);
        }
    }
    finder.found.into_iter().filter(is_other).collect()
}

struct Finder<'f> {
    is_own: &'f dyn Fn(usize) -> bool,
    /// Bytes of what was put before the text so that it can be parsed.
    before: usize,
    functions: Vec<String>,
    found: BTreeSet<Construct>,
}

impl Finder<'_> {
    /// Items, statements, parts of an impl or of a trait; by words alone what is none of these.
    fn read(&mut self, text: &str) {
        if let Ok(file) = syn::parse_file(text) {
            return self.visit_file(&file);
        }
        for (before, after) in [("fn f() {", "}"), ("impl S {", "}"), ("trait T {", "}")] {
            if let Ok(file) = syn::parse_file(&format!("{before}{text}{after}")) {
                self.before = before.len();
                for item in &file.items {
                    match item {
                        syn::Item::Fn(around) => around.block.stmts.iter().for_each(|s| self.visit_stmt(s)),
                        item => self.visit_item(item),
                    }
                }
                return;
            }
        }
        if let Ok(stream) = text.parse::<TokenStream>() {
            self.words(stream);
        }
    }

    fn is_at(&self, span: proc_macro2::Span) -> bool {
        let start = span.byte_range().start;
        start >= self.before && (self.is_own)(start - self.before)
    }

    fn note(&mut self, kind: Kind) {
        self.found.insert(Construct {
            kind,
            function: self.functions.last().cloned(),
        });
    }

    fn inside(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.functions.push(name);
        visit(self);
        self.functions.pop();
    }

    /// What the words among a macro's tokens may become.
    fn words(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let is_word = |n: usize, word: &str| matches!(trees.get(n), Some(TokenTree::Ident(w)) if w == word);
        for (n, tree) in trees.iter().enumerate() {
            if let TokenTree::Group(group) = tree {
                let last = group.stream().into_iter().last();
                let ends = matches!(&last, Some(TokenTree::Punct(sign)) if sign.as_char() == ';');
                let is_block = group.delimiter() == Delimiter::Brace && last.is_some() && !ends;
                // What a block of its own holds inside is that one's: so the body of a rule, `=> {{ … }}`.
                let is_around = group.stream().into_iter().count() == 1
                    && matches!(&last, Some(TokenTree::Group(inner)) if inner.delimiter() == Delimiter::Brace && self.is_at(inner.span_open()));
                if is_block && !is_around && self.is_at(group.span_open()) {
                    self.note(Kind::Tail);
                }
                self.words(group.stream());
                continue;
            }
            if !self.is_at(tree.span()) {
                continue;
            }
            match tree {
                TokenTree::Ident(word) if word == "if" && is_word(n + 1, "let") => self.note(Kind::IfLet),
                TokenTree::Ident(word) if word == "into_iter" => self.note(Kind::IntoIter),
                TokenTree::Punct(bar) if bar.as_char() == '|' => self.note(Kind::Closure),
                _ => {}
            }
        }
    }
}

/// True of a condition with a `let` among others.
fn has_let(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Binary(both) => has_let(&both.left) || has_let(&both.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.inside(item.sig.ident.to_string(), |finder| {
            visit::visit_item_fn(finder, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.inside(item.sig.ident.to_string(), |finder| {
            visit::visit_impl_item_fn(finder, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.inside(item.sig.ident.to_string(), |finder| {
            visit::visit_trait_item_fn(finder, item);
        });
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        match &item.ident {
            Some(name) => self.inside(format!("{name}!"), |finder| finder.words(item.mac.tokens.clone())),
            None => visit::visit_item_macro(self, item),
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if self.is_at(closure.or1_token.span) {
            self.note(Kind::Closure);
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if call.method == "into_iter" && self.is_at(call.method.span()) {
            self.note(Kind::IntoIter);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        // Chains are of 2024 alone.
        let is_let = match &*branch.cond {
            Expr::Let(_) => branch.else_branch.is_some(),
            cond => has_let(cond),
        };
        if is_let && self.is_at(branch.if_token.span) {
            self.note(Kind::IfLet);
        }
        visit::visit_expr_if(self, branch);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let holds = match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => !matches!(last, Expr::Path(_) | Expr::Lit(_)),
            Some(Stmt::Macro(last)) => last.semi_token.is_none(),
            _ => false,
        };
        if holds && self.is_at(block.brace_token.span.open()) {
            self.note(Kind::Tail);
        }
        visit::visit_block(self, block);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone());
        match arguments {
            Ok(arguments) => arguments.iter().for_each(|argument| self.visit_expr(argument)),
            Err(_) => self.words(mac.tokens.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, own: &str) -> Vec<(Kind, Option<String>)> {
        let is_own = |byte: usize| text[byte..].starts_with(own);
        let list = constructs(text, &is_own, (2018, 2024), false);
        list.into_iter().map(|one| (one.kind, one.function)).collect()
    }

    #[test]
    fn what_is_a_macros_own_is_found_with_its_function() {
        let of = |name: &str| Some(name.to_owned());
        let text = "impl A { fn f() { x.map(|a| a); } fn g() -> u8 { h(if let B = c() { 1 } else { 2 }) } }";
        assert_eq!(found(text, "|"), [(Kind::Closure, of("f"))]);
        assert_eq!(found(text, "if"), [(Kind::IfLet, of("g"))]);
        assert_eq!(found(text, "{ h"), [(Kind::Tail, of("g"))]);
        assert_eq!(found(text, "{ 1"), []);
        let text = "fn k() { vec![[1].into_iter(), m!(=> |x| y)] }";
        assert_eq!(found(text, "into"), [(Kind::IntoIter, of("k"))]);
        assert_eq!(found("a ; b.into_iter()", "into"), [(Kind::IntoIter, None)]);
        assert_eq!(found("=> => { f() }", "{"), [(Kind::Tail, None)]);
        let text = "fn f() { macro_rules! m { () => { f() } } }";
        assert_eq!(found(text, "{ f()"), [(Kind::Tail, of("m!"))]);
        assert_eq!(found("type A = [u8; { f() }];", "{"), [(Kind::Tail, None)]);
        let text =
            "fn f() { macro_rules! m { ($e:expr) => {{ use a::b; c!($e).unwrap(); }}; () => {{ f() }} } }";
        assert_eq!(found(text, "{"), [(Kind::Tail, of("m!"))]);
        assert_eq!(found(&text.replace("{ f()", "{ f();"), "{"), []);
    }

    #[test]
    fn what_can_be_said_in_either_edition_is_said_so() {
        for (text, editions, expected) in [
            (
                "if let A = b() { c } else { d }",
                (2021, 2024),
                "match b() { A => { c } _ => { d } }",
            ),
            (
                "if let A = b() { c } else { d }",
                (2024, 2021),
                "if true &&  let A = b() { c } else { d }",
            ),
            // Handed to a macro without a text: nothing that can be read.
            (
                "if let A =  {c} else {d}",
                (2021, 2024),
                "match  { A => {c} _ => {d} }",
            ),
            (
                "x.gen() ; panic!(\"{}\")",
                (2018, 2024),
                "x.r#gen() ; panic!(\"{{}}\")",
            ),
            (
                "panic!(\"{x}\")",
                (2021, 2018),
                "panic!(\"{}\", ::core::format_args!(\"{x}\"))",
            ),
            ("panic!(\"{{x\")", (2021, 2018), "panic!(\"{x\")"),
            (
                "#[no_mangle] extern \"C\" { fn f(); }",
                (2021, 2024),
                "#[unsafe(no_mangle)] unsafe extern \"C\" { fn f(); }",
            ),
            (
                "macro_rules! m { ($p:pat, $e:expr) => { let $p = $e; } }",
                (2018, 2024),
                "macro_rules! m { ($p:pat_param, $e:expr_2021) => { let $p = $e; } }",
            ),
            ("panic!(\"{x}\")", (2021, 2024), "panic!(\"{x}\")"),
            (
                "unreachable!(\"{x}\")",
                (2018, 2021),
                "unreachable!(\"{}\", *&\"{x}\")",
            ),
        ] {
            let all: Vec<usize> = (0..text.len()).collect();
            assert_eq!(translated(text, &all, editions.0, editions.1).unwrap(), expected);
            assert_eq!(translated(text, &[], editions.0, editions.1).unwrap(), text);
        }
        assert!(are_alike(2015, 2018) && !are_alike(2018, 2021) && !are_alike(2021, 2024));
    }
}
