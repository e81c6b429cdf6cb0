//! Variables and labels that the body of a `macro_rules` declares: they are its own, wherever it is called. So are those of
//! a procedural macro that says so (`Span::mixed_site`).
//!
//! Put in as text they would be the caller's. So each call gives them names that nobody else has; what is renamed by
//! mistake has no other name left and does not compile, so nothing means something else.

use crate::bundle::marks::{MIXED, captured, is_small};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::ext::IdentExt;

/// Begins the new names; [`counted`] puts a number behind it.
const OWN: &str = "fifty_own_";

/// A body whose variables and labels have names of their own.
pub fn renamed(body: TokenStream) -> TokenStream {
    let mut names = BTreeSet::new();
    declared(&body.clone().into_iter().collect::<Vec<_>>(), &mut names);
    if names.is_empty() {
        return body;
    }
    with_names(body, &names, Texts::Plain, false)
}

/// What a call made, with the number of the call in the names.
pub fn counted(text: &str, call: usize) -> String {
    text.replace(OWN, &format!("own_{call}_"))
}

/// What a procedural macro made, where its own words are [`mixed`]: variables among them have names of this call if
/// the caller might mean something by theirs, all other words are as they were.
pub fn own_site(text: String, call: usize) -> String {
    if !text.contains(MIXED) {
        return text;
    }
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return text.replace(MIXED, "");
    };
    let mut names = BTreeSet::new();
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    declared(&trees, &mut names);
    let outside: Vec<TokenTree> = trees.into_iter().filter(|tree| !is_braces(tree)).collect();
    let mut visible = BTreeSet::new();
    declared(&outside, &mut visible);
    names.retain(|name| {
        let bare = name.strip_prefix(MIXED);
        bare.is_some_and(|bare| visible.contains(name) || mentions(tokens.clone(), bare))
    });
    let text = with_names(tokens, &names, Texts::Plain, false).to_string();
    counted(&text.replace(&format!("{OWN}{MIXED}"), OWN), call).replace(MIXED, "")
}

/// True if one of these trees is the word or a text with it.
fn mentions(stream: TokenStream, word: &str) -> bool {
    stream.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => mentions(group.stream(), word),
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Literal(literal) => literal.to_string().contains(word),
        TokenTree::Punct(_) => false,
    })
}

pub fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

fn at(trees: &[TokenTree], n: usize, back: usize) -> Option<&TokenTree> {
    n.checked_sub(back).and_then(|n| trees.get(n))
}

/// Names that these trees declare.
fn declared(trees: &[TokenTree], names: &mut BTreeSet<String>) {
    for (n, tree) in trees.iter().enumerate() {
        let rest = &trees[n + 1..];
        let is_rules = matches!(at(trees, n, 3), Some(TokenTree::Ident(word)) if word == "macro_rules");
        match tree {
            TokenTree::Group(group) if !is_rules => {
                declared(&group.stream().into_iter().collect::<Vec<_>>(), names);
            }
            TokenTree::Ident(word) if word == "let" => {
                let ends = |k: &usize| {
                    is_punct(rest.get(*k), '=') || is_punct(rest.get(*k), ';') || is_colon(rest, *k)
                };
                pattern(&rest[..(0..rest.len()).find(ends).unwrap_or(rest.len())], names);
            }
            // Not that of `impl A for B { … }`.
            TokenTree::Ident(word) if word == "for" => {
                let end = rest
                    .iter()
                    .position(|tree| is_word(tree, "in") || is_braces(tree));
                pattern(
                    &rest[..end.filter(|end| is_word(&rest[*end], "in")).unwrap_or(0)],
                    names,
                );
            }
            TokenTree::Ident(word) if word == "match" => {
                if let Some(TokenTree::Group(arms)) = rest.iter().find(|tree| is_braces(tree)) {
                    self::arms(&arms.stream().into_iter().collect::<Vec<_>>(), names);
                }
            }
            TokenTree::Punct(bar) if bar.as_char() == '|' && begins(trees, n) => {
                let end = (0..rest.len()).find(|k| is_punct(rest.get(*k), '|'));
                parameters(&rest[..end.unwrap_or(0)], names);
            }
            TokenTree::Punct(quote) if quote.as_char() == '\'' && is_punct(rest.get(1), ':') => {
                let is_loop = rest.get(2).is_some_and(|tree| {
                    is_word(tree, "loop") || is_word(tree, "while") || is_word(tree, "for") || is_braces(tree)
                });
                if let Some(TokenTree::Ident(label)) = rest.first().filter(|_| is_loop) {
                    names.insert(label.to_string());
                }
            }
            _ => {}
        }
    }
}

fn is_word(tree: &TokenTree, name: &str) -> bool {
    matches!(tree, TokenTree::Ident(word) if word == name)
}

fn is_braces(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// True if tree `k` is a `:` that is no part of `::`.
fn is_colon(trees: &[TokenTree], k: usize) -> bool {
    is_punct(trees.get(k), ':') && !is_punct(trees.get(k + 1), ':') && !is_punct(at(trees, k, 1), ':')
}

/// Names in the patterns of a `match`.
fn arms(trees: &[TokenTree], names: &mut BTreeSet<String>) {
    let mut start = 0;
    for (n, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(repeated) = tree {
            let inside: Vec<TokenTree> = repeated.stream().into_iter().collect();
            let arrow = |k: usize| is_punct(inside.get(k), '=') && is_punct(inside.get(k + 1), '>');
            if is_punct(at(trees, n, 1), '$') && (0..inside.len()).any(arrow) {
                // Arms as often as there are some: `$( A::$x => … )*`.
                self::arms(&inside, names);
                start = n + 1;
                continue;
            }
        }
        if is_punct(Some(tree), '=') && is_punct(trees.get(n + 1), '>') {
            let arm = &trees[start.min(n)..n];
            let guard = arm.iter().position(|tree| is_word(tree, "if"));
            pattern(&arm[..guard.unwrap_or(arm.len())], names);
        }
        // An arm begins behind the last one; braces in a pattern have more of it behind them.
        let is_last = is_braces(tree) && is_punct(at(trees, n, 1), '>') && is_punct(at(trees, n, 2), '=');
        if is_punct(Some(tree), ',') || is_last {
            start = n + 1;
        }
    }
}

/// Names of a closure's parameters, without their types.
fn parameters(trees: &[TokenTree], names: &mut BTreeSet<String>) {
    let (mut start, mut depth) = (Some(0), 0);
    for n in 0..=trees.len() {
        match trees.get(n) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '<' => depth += 1,
            Some(TokenTree::Punct(punct)) if punct.as_char() == '>' => depth -= 1,
            tree => {
                if depth == 0 && (tree.is_none() || is_punct(tree, ',')) {
                    pattern(&trees[start.unwrap_or(n)..n], names);
                    start = Some(n + 1);
                } else if is_colon(trees, n) && depth == 0 {
                    pattern(&trees[start.unwrap_or(n)..n], names);
                    start = None;
                }
            }
        }
    }
}

/// True if the `|` at `n` begins a closure: there is no value before it.
fn begins(trees: &[TokenTree], n: usize) -> bool {
    match at(trees, n, 1) {
        None => true,
        Some(TokenTree::Ident(word)) => word == "move" || word == "return" || word == "else",
        Some(TokenTree::Punct(punct)) => !matches!(punct.as_char(), '|' | '?'),
        _ => false,
    }
}

/// Names in a pattern: small words that are no paths, no fields, no calls and no parameters of the macro.
fn pattern(trees: &[TokenTree], names: &mut BTreeSet<String>) {
    for (n, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => pattern(&group.stream().into_iter().collect::<Vec<_>>(), names),
            TokenTree::Ident(word) => {
                let name = word.to_string();
                let (before, next) = (at(trees, n, 1), trees.get(n + 1));
                let is_other = is_punct(before, '$')
                    || is_punct(before, ':') && is_punct(at(trees, n, 2), ':')
                    || is_punct(next, ':')
                    || is_punct(next, '!')
                    || matches!(next, Some(TokenTree::Group(_)));
                // A parameter's kind, as in `$x:expr`.
                let is_kind = is_punct(before, ':') && is_punct(at(trees, n, 3), '$');
                if is_small(&name)
                    && !is_other
                    && !is_kind
                    && syn::parse2::<syn::Ident>(tree.clone().into()).is_ok()
                {
                    names.insert(name);
                }
            }
            _ => {}
        }
    }
}

/// Which texts in a group are formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    /// None: these are no arguments, or those of a macro that takes no format.
    Plain,
    /// This argument, if it is a text and nothing else.
    Argument(usize),
    /// Any of them: a macro that is not the standard library's.
    Any,
}

impl Texts {
    /// Those among the arguments of a macro.
    fn of(name: &str) -> Self {
        match name.strip_prefix(MIXED).unwrap_or(name) {
            "format" | "format_args" | "print" | "println" | "eprint" | "eprintln" | "panic" | "todo"
            | "unimplemented" | "unreachable" => Self::Argument(0),
            "write" | "writeln" | "assert" | "debug_assert" => Self::Argument(1),
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => Self::Argument(2),
            "concat" | "dbg" | "env" | "include_bytes" | "include_str" | "matches" | "option_env"
            | "stringify" | "vec" => Self::Plain,
            _ => Self::Any,
        }
    }
}

/// `texts`: those of these trees that may be formats. `in_braces`: they stand there, where names may be those of fields.
fn with_names(body: TokenStream, names: &BTreeSet<String>, texts: Texts, in_braces: bool) -> TokenStream {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let mut out = Vec::new();
    let mut argument = 0;
    for (n, tree) in trees.iter().enumerate() {
        argument += usize::from(is_punct(Some(tree), ','));
        let is_alone = (n == 0 || is_punct(at(&trees, n, 1), ','))
            && (n + 1 == trees.len() || is_punct(trees.get(n + 1), ','));
        let is_format = texts == Texts::Any || texts == Texts::Argument(argument) && is_alone;
        out.push(match tree {
            TokenTree::Group(group) => {
                let inside = match at(&trees, n, 2) {
                    Some(TokenTree::Ident(name)) if is_punct(at(&trees, n, 1), '!') => {
                        Texts::of(&name.to_string())
                    }
                    _ => Texts::Plain,
                };
                let mut inside = with_names(group.stream(), names, inside, is_braces(tree));
                let is_given = is_punct(at(&trees, n, 2), '$');
                if is_braces(tree) && (is_given || is_type(at(&trees, n, 1))) {
                    inside = in_full(group.stream(), inside);
                }
                TokenTree::Group(Group::new(group.delimiter(), inside))
            }
            TokenTree::Ident(word) if names.contains(&word.to_string()) => {
                let is_field = is_punct(at(&trees, n, 1), '.') && !is_punct(at(&trees, n, 2), '.');
                let is_other = is_field
                    || in_braces && names_field(&trees, n)
                    || is_punct(at(&trees, n, 1), '$')
                    || is_punct(at(&trees, n, 1), ':') && is_punct(at(&trees, n, 2), ':')
                    || is_punct(trees.get(n + 1), '!') && !is_punct(trees.get(n + 2), '=');
                if is_other {
                    tree.clone()
                } else {
                    let own = format!("{OWN}{}", word.unraw());
                    TokenTree::Ident(Ident::new(&own, word.span()))
                }
            }
            TokenTree::Literal(literal) if is_format => {
                let text = captured(&literal.to_string(), &|name| names.contains(name), OWN);
                text.parse::<Literal>()
                    .map_or_else(|_| tree.clone(), TokenTree::Literal)
            }
            _ => tree.clone(),
        });
    }
    out.into_iter().collect()
}

/// True for the name of a field at `n`, with its type or value behind it.
fn names_field(trees: &[TokenTree], n: usize) -> bool {
    let begins = match at(trees, n, 1) {
        // An attribute, or who sees it.
        None | Some(TokenTree::Group(_)) => true,
        Some(TokenTree::Ident(word)) => word == "pub",
        // Not the second parameter of a closure.
        comma => is_punct(comma, ',') && !trees[..n].iter().any(|tree| is_punct(Some(tree), '|')),
    };
    begins && is_colon(trees, n + 1)
}

/// True if a struct's fields may stand behind it.
fn is_type(tree: Option<&TokenTree>) -> bool {
    match tree {
        Some(TokenTree::Ident(word)) => word.to_string().starts_with(char::is_uppercase),
        tree => is_punct(tree, '>'),
    }
}

/// Fields of a struct, where a variable with a new name stands for the field of its old one: `{ y, .. }`. A block has no
/// commas, and stays.
fn in_full(old: TokenStream, new: TokenStream) -> TokenStream {
    let (old, new): (Vec<_>, Vec<_>) = (old.into_iter().collect(), new.into_iter().collect());
    if !old.iter().any(|tree| is_punct(Some(tree), ',')) {
        return new.into_iter().collect();
    }
    let mut out: Vec<TokenTree> = Vec::new();
    let mut start = 0;
    for (n, tree) in new.iter().enumerate() {
        if n == 0 || is_punct(at(&new, n, 1), ',') {
            start = out.len();
        }
        let ends = n + 1 == new.len() || is_punct(new.get(n + 1), ',');
        let begins = |tree: &TokenTree| is_word(tree, "ref") || is_word(tree, "mut");
        match (&old[n], tree) {
            (TokenTree::Ident(field), TokenTree::Ident(own))
                if ends && field != own && out[start..].iter().all(begins) =>
            {
                let colon = Punct::new(':', Spacing::Alone);
                out.splice(
                    start..start,
                    [TokenTree::Ident(field.clone()), TokenTree::Punct(colon)],
                );
            }
            _ => {}
        }
        out.push(tree.clone());
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_a_macros_own_site_is_its_own_there() {
        for (made, expected) in [
            (
                "{ let fifty_mixed_x = lo + x; fifty_mixed_x . fifty_mixed_x }",
                "{ let own_3_x = lo + x; own_3_x . x }",
            ),
            (
                "{ let fifty_mixed_x = 1; f(fifty_mixed_x) }",
                "{ let x = 1; f(x) }",
            ),
            ("let fifty_mixed_x = 1;", "let own_3_x = 1;"),
            (
                "{ let fifty_mixed_x = 1; print!(\"{fifty_mixed_x} {x}\"); P { fifty_mixed_x, y } }",
                "{ let own_3_x = 1; print!(\"{own_3_x} {x}\"); P { x: own_3_x, y } }",
            ),
            ("fifty_mixed_f(x)", "f(x)"),
        ] {
            let expected: TokenStream = expected.parse().unwrap();
            let made: TokenStream = own_site(made.to_owned(), 3).parse().unwrap();
            assert_eq!(made.to_string(), expected.to_string());
        }
    }

    #[test]
    fn what_a_body_declares_is_its_own() {
        for (body, expected) in [
            (
                "{ let v = $b; if v > $a { $a = v; print!(\"{v} {w}\"); x.v } }",
                "{ let own_7_v = $b; if own_7_v > $a { $a = own_7_v; print!(\"{own_7_v} {w}\"); x.v } }",
            ),
            (
                "{ let v = $b; s.replace(\"{v}\", \"\"); print!(\"{{v}} {{{v}}} {v:?} {:v$.0v$} {:w$} \\u{a}\", 1) }",
                "{ let own_7_v = $b; s.replace(\"{v}\", \"\"); \
                 print!(\"{{v}} {{{own_7_v}}} {own_7_v:?} {:own_7_v$.0own_7_v$} {:w$} \\u{a}\", 1) }",
            ),
            (
                "{ let v = $b; assert!(s == \"{v}\", \"{v}\"); assert_eq!(\"{v}\", s, \"{v}\"); f(vec![\"{v}\"]); \
                 write!(\"{v}\", \"{v}\", \"{v}\"); log!(1, \"{v}\") }",
                "{ let own_7_v = $b; assert!(s == \"{v}\", \"{own_7_v}\"); assert_eq!(\"{v}\", s, \"{own_7_v}\"); \
                 f(vec![\"{v}\"]); write!(\"{v}\", \"{own_7_v}\", \"{v}\"); log!(1, \"{own_7_v}\") }",
            ),
            (
                "'o: for (i, P { y, .. }) in z.map(|mut k: u8, l| k | m | l) { break 'o; }",
                "'own_7_o: for (own_7_i, P { y: own_7_y, .. }) in z.map(|mut own_7_k: u8, own_7_l| own_7_k | m | own_7_l) { break 'own_7_o; }",
            ),
            (
                "match e { Some(t) if t > u => t, None => u::t(), n @ 1 => n }",
                "match e { Some(own_7_t) if own_7_t > u => own_7_t, None => u::t(), own_7_n @ 1 => own_7_n }",
            ),
            (
                "impl A for Vec<u8> { fn f() { hash!(u => 1); g(|x: &u8, k: M<u8, u16>| x + u) } }",
                "impl A for Vec<u8> { fn f() { hash!(u => 1); g(|own_7_x: &u8, own_7_k: M<u8, u16>| own_7_x + u) } }",
            ),
            (
                "struct $s<A> { x: A, pub y: A } impl T for $s<A> { \
                 fn f(self) -> $s<A> { let (x, y): (A, A) = self.both(); $s { x, y: g(y) } } }",
                "struct $s<A> { x: A, pub y: A } impl T for $s<A> { \
                 fn f(self) -> $s<A> { let (own_7_x, own_7_y): (A, A) = self.both(); $s { x: own_7_x, y: g(own_7_y) } } }",
            ),
            (
                "let $x = a | b | c; if let Some(ref q) = r {}",
                "let $x = a | b | c; if let Some(ref own_7_q) = r {}",
            ),
        ] {
            let made = renamed(body.parse().unwrap()).to_string();
            let expected: TokenStream = expected.parse().unwrap();
            assert_eq!(counted(&made, 7), expected.to_string());
        }
    }
}
