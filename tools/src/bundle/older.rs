//! Questions about pieces of source that need no syntax tree: constants in arguments, branches of `cfg_if!`,
//! and what older editions wrote otherwise.

use super::cfg::split;
use super::lex::{Edits, Kind, Tokens};
use anyhow::Result;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Deny-by-default lints: an `allow` of one of these is needed to compile.
pub const DENIED: [&str; 30] = [
    "ambiguous_associated_items",
    "ambiguous_glob_imports",
    "arithmetic_overflow",
    "bindings_with_variant_name",
    "conflicting_repr_hints",
    "dependency_on_unit_never_type_fallback",
    "deref_nullptr",
    "enum_intrinsics_non_enums",
    "ill_formed_attribute_input",
    "invalid_from_utf8_unchecked",
    "invalid_null_arguments",
    "invalid_reference_casting",
    "let_underscore_lock",
    "long_running_const_eval",
    "macro_expanded_macro_exports_accessed_by_absolute_paths",
    "mutable_transmutes",
    "named_asm_labels",
    "never_type_fallback_flowing_into_unsafe",
    "no_mangle_const_items",
    "order_dependent_trait_objects",
    "overflowing_literals",
    "patterns_in_fns_without_body",
    "pub_use_of_private_extern_crate",
    "semicolon_in_expressions_from_macros",
    "static_mut_refs",
    "text_direction_codepoint_in_literal",
    "unconditional_panic",
    "undropped_manually_drops",
    "useless_deprecated",
    "dangerous_implicit_autorefs",
];

/// Macros whose arguments are expressions, and no more than that.
pub const OF_EXPRESSIONS: [&str; 18] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Attributes that only tools and other crates read.
pub const IDLE: [&str; 25] = [
    "allow_internal_unstable",
    "automatically_derived",
    "debugger_visualizer",
    "cfg_eval",
    "clippy",
    "crate_name",
    "crate_type",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "forbid",
    "must_use",
    "no_std",
    "non_exhaustive",
    "path",
    "rustc_deprecated",
    "rustfmt",
    "stable",
    "unstable",
    "warn",
    "doc_cfg",
    "warn_missing",
    "coverage",
];

/// Bytes of the body of a macro with the one rule `() => { … }`, if that declares modules that are files.
pub fn modules_of(stream: TokenStream) -> Option<Range<usize>> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let (TokenTree::Group(matcher), TokenTree::Group(body)) = (trees.first()?, trees.get(3)?) else {
        return None;
    };
    if !matcher.stream().is_empty() || trees.len() > 5 {
        return None;
    }
    let inside: Vec<String> = body.stream().into_iter().map(|t| t.to_string()).collect();
    let declares = inside.windows(3).any(|w| w[0] == "mod" && w[2] == ";");
    declares.then(|| body.span_open().byte_range().end..body.span_close().byte_range().start)
}

/// A predicate and the bytes of what stands under it, braces not counted.
pub type Branch = (TokenStream, Range<usize>);

/// Branches of a `cfg_if!` or `cfg_select!` in order; a predicate that is empty always holds. `None` if it is none of
/// items.
pub fn branches(name: &str, stream: TokenStream) -> Option<Vec<Branch>> {
    let mut list = Vec::new();
    let mut predicate = TokenStream::new();
    for tree in stream {
        match (&tree, name) {
            (TokenTree::Group(group), "cfg_if") if group.delimiter() == Delimiter::Bracket => {
                let mut inside = group.stream().into_iter();
                let (Some(_), Some(TokenTree::Group(asked))) = (inside.next(), inside.next()) else {
                    return None;
                };
                predicate = asked.stream();
            }
            (TokenTree::Group(group), _) if group.delimiter() == Delimiter::Brace => {
                let range = group.span_open().byte_range().end..group.span_close().byte_range().start;
                list.push((std::mem::take(&mut predicate), range));
            }
            (TokenTree::Punct(punct), "cfg_select") if matches!(punct.as_char(), '>' | ',') => {
                // The arrow has no part in it, nor a comma between branches; one inside a predicate is in a group.
            }
            (TokenTree::Punct(punct), "cfg_select")
                if punct.as_char() == '=' && punct.spacing() == Spacing::Joint => {}
            (TokenTree::Ident(word), "cfg_select") if word == "_" => {}
            (_, "cfg_select") => predicate.extend([tree]),
            _ => {}
        }
    }
    predicate.is_empty().then_some(list)
}

/// Value of a constant string expression: a literal, `concat!`, `env!`. `None` if it is none.
pub fn constant(stream: TokenStream, env: &BTreeMap<String, String>) -> Result<Option<String>> {
    let parts = split(stream);
    let [part] = parts.as_slice() else {
        return Ok(None);
    };
    if let Ok(text) = syn::parse2::<syn::LitStr>(part.clone()) {
        return Ok(Some(text.value()));
    }
    let Ok(call) = syn::parse2::<syn::Macro>(part.clone()) else {
        return Ok(syn::parse2::<syn::Lit>(part.clone()).ok().map(|lit| match lit {
            syn::Lit::Int(lit) => lit.base10_digits().to_owned(),
            syn::Lit::Bool(lit) => lit.value.to_string(),
            syn::Lit::Char(lit) => lit.value().to_string(),
            lit => quote::quote!(#lit).to_string(),
        }));
    };
    if call.path.is_ident("concat") {
        let mut whole = String::new();
        for part in split(call.tokens) {
            match constant(part, env)? {
                Some(text) => whole += &text,
                None => return Ok(None),
            }
        }
        return Ok(Some(whole));
    }
    if call.path.is_ident("env") {
        let Some(Some(name)) = split(call.tokens)
            .into_iter()
            .next()
            .map(|p| constant(p, env))
            .transpose()?
        else {
            return Ok(None);
        };
        return Ok(env.get(&name).cloned());
    }
    Ok(None)
}

/// True where tokens `i` to `i + 2` are the `...` of a pattern: `a...b`, up to edition 2018.
fn is_old_range(tokens: &Tokens, i: usize) -> bool {
    let at = i as isize;
    let dot = |k: isize| tokens.at(at + k) == ".";
    let is_end = |k: isize| {
        let kind = usize::try_from(at + k)
            .ok()
            .and_then(|n| tokens.list.get(n))
            .map(|t| t.kind);
        matches!(kind, Some(Kind::Lit | Kind::Ident | Kind::Close))
    };
    let joined = tokens.list[i].range.end == tokens.list.get(i + 1).map_or(0, |t| t.range.start);
    let all = dot(0) && dot(1) && dot(2) && !dot(3) && !dot(-1);
    joined && all && is_end(-1) && (is_end(3) || tokens.at(at + 3) == "-")
}

/// Words to put in, and where, so that token `i` is called unsafe as edition 2024 wants it: `extern` blocks and
/// attributes about symbols.
pub fn unsafe_words(tokens: &Tokens, i: usize) -> Vec<(usize, &'static str)> {
    let at = i as isize;
    let start = tokens.list[i].range.start;
    if tokens.at(at) == "extern" && tokens.at(at - 1) != "unsafe" {
        let has_abi = tokens.list.get(i + 1).is_some_and(|t| t.kind == Kind::Lit);
        let is_block = tokens.at(at + 1 + isize::from(has_abi)) == "{";
        return if is_block {
            vec![(start, "unsafe ")]
        } else {
            Vec::new()
        };
    }
    if !matches!(tokens.at(at), "no_mangle" | "export_name" | "link_section") {
        return Vec::new();
    }
    let end = match tokens.at(at - 1) {
        "[" if tokens.at(at - 2) == "#" => Some(tokens.list[i - 1].pair),
        "," => condition_end(tokens, i),
        _ => None,
    };
    let end = end.map(|end| tokens.list[end].range.start);
    end.map_or(Vec::new(), |end| vec![(start, "unsafe("), (end, ")")])
}

/// Where the attribute at token `i` ends, if it stands under a condition: `cfg_attr(…, no_mangle)`.
fn condition_end(tokens: &Tokens, i: usize) -> Option<usize> {
    let open = (0..i).rfind(|k| tokens.list[*k].kind == Kind::Open && tokens.list[*k].pair > i)?;
    let close = tokens.list[open].pair;
    let comma = (i..close).find(|k| tokens.at(*k as isize) == ",");
    (tokens.at(open as isize - 1) == "cfg_attr").then(|| comma.unwrap_or(close))
}

/// Exported macros that another macro is handed whole (`items![#[macro_export] macro_rules! x { … } …];`) as if they stood
/// there: what declares them would hide them.
pub fn unwrapped(text: &str, path: &Path) -> Result<Option<String>> {
    if !text.contains("macro_export") {
        return Ok(None);
    }
    let tokens = Tokens::new(text, path)?;
    let mut edits = Edits::default();
    let mut found = false;
    for i in 0..tokens.list.len() {
        let at = i as isize;
        let is_call = tokens.at(at + 1) == "!" && tokens.is_word(at) && tokens.at(at) != "macro_rules";
        let Some(open) = tokens.list.get(i + 2).filter(|t| is_call && t.kind == Kind::Open) else {
            continue;
        };
        if !are_rules(&tokens, i + 3, open.pair) {
            continue;
        }
        let close = &tokens.list[open.pair];
        edits.remove(tokens.list[i].range.start..open.range.end);
        let end = tokens
            .list
            .get(open.pair + 1)
            .filter(|_| tokens.at(open.pair as isize + 1) == ";");
        edits.remove(close.range.start..end.map_or(close.range.end, |end| end.range.end));
        found = true;
    }
    Ok(found.then(|| edits.apply(text)))
}

/// True if there are macros with attributes from token `k` to token `end`, and nothing else.
fn are_rules(tokens: &Tokens, mut k: usize, end: usize) -> bool {
    let first = k;
    while k < end {
        let start = k;
        loop {
            match &tokens.list[k] {
                token if token.kind == Kind::Doc => k += 1,
                _ if tokens.at(k as isize) == "#" && tokens.at(k as isize + 1) == "[" => {
                    k = tokens.list[k + 1].pair + 1;
                }
                _ => break,
            }
        }
        let is_rules = tokens.at(k as isize) == "macro_rules" && tokens.at(k as isize + 1) == "!";
        match tokens.list.get(k + 3).filter(|_| k > start && is_rules) {
            Some(body) if body.kind == Kind::Open => k = body.pair + 1,
            _ => return false,
        }
        k += usize::from(tokens.at(k as isize) == ";");
    }
    k > first
}

/// True where token `at` is the `Fn` of `&Fn(A) -> B`, `Box<Fn(A) -> B>`, `type C = Fn(A) -> B` or `impl C for Fn(A)`: without
/// `dyn`, up to edition 2018.
fn is_bare_closure(tokens: &Tokens, at: isize) -> bool {
    if !matches!(tokens.at(at), "Fn" | "FnMut" | "FnOnce") || tokens.at(at + 1) != "(" {
        return false;
    }
    let is_alias = tokens.at(at - 1) == "=" && tokens.is_word(at - 2) && tokens.at(at - 3) == "type";
    if is_alias || tokens.at(at - 1) == "for" {
        return true;
    }
    // `&(Fn(A) + Send)`
    let first = at - isize::from(tokens.at(at - 1) == "(");
    let mut before = first - 1;
    if matches!(tokens.at(before), "mut" | "const") {
        before -= 1;
    }
    if tokens.at(before - 1) == "'" {
        before -= 2;
    }
    let is_pointer = matches!(tokens.at(before), "&" | "*");
    is_pointer || (before == first - 1 && tokens.at(before) == "<")
}

/// A file of an edition before 2021 as a later one can read it: `a..=b` for `a...b`, `dyn Fn(A)` for `Fn(A)` where
/// nothing else can stand (other traits without `dyn` can be read, and are changed later); of 2015 also new
/// keywords as names, and `_` for parameters of trait functions that have no name.
pub fn modern(text: &str, path: &Path, edition: u16) -> Result<String> {
    let tokens = Tokens::new(text, path)?;
    let mut edits = Edits::default();
    let mut calls_until = 0;
    for i in 0..tokens.list.len() {
        let at = i as isize;
        if is_old_range(&tokens, i) {
            edits.replace(tokens.list[i + 2].range.clone(), "=");
        }
        if is_bare_closure(&tokens, at) {
            let start = tokens.list[i].range.start;
            edits.replace(start..start, "dyn ");
        }
        if edition > 2015 {
            continue;
        }
        // Before a bound it is the keyword already, but where only a name can stand.
        let is_name = matches!(
            tokens.at(at - 1),
            "fn" | "." | "::" | "let" | "mod" | "use" | "struct" | "enum"
        );
        let is_before_bound = tokens.is_word(at + 1) || matches!(tokens.at(at + 1), "'" | "?" | "(" | "$");
        let is_dyn = tokens.at(at) == "dyn" && (is_name || !is_before_bound);
        let is_lifetime = tokens.at(at - 1) == "'";
        if is_lifetime && matches!(tokens.at(at), "async" | "await" | "dyn" | "try") {
            // Of lifetimes only later compilers know raw names.
            let end = tokens.list[i].range.end;
            edits.replace(end..end, "_");
        } else if is_dyn || matches!(tokens.at(at), "async" | "await" | "try") {
            edits.replace(tokens.list[i].range.clone(), format!("r#{}", tokens.at(at)));
        }
        // What a macro is called with follows the macro's own rules.
        let is_call = tokens.at(at) == "!" && tokens.is_word(at - 1) && tokens.at(at - 1) != "macro_rules";
        if is_call && tokens.list.get(i + 1).is_some_and(|t| t.kind == Kind::Open) {
            calls_until = calls_until.max(tokens.list[i + 1].pair);
        }
        if i < calls_until || tokens.at(at) != "fn" || !tokens.is_word(at + 1) {
            continue;
        }
        let mut open = i + 2;
        let mut angle = 0;
        loop {
            match tokens.at(open as isize) {
                "<" => angle += 1,
                ">" if tokens.at(open as isize - 1) != "-" => angle -= 1,
                // `fn f<T: Iterator<Item = (A, B)>>(…)`
                "(" if angle > 0 => open = tokens.list[open].pair,
                "(" | "{" | ";" | "" => break,
                _ => {}
            }
            open += 1;
        }
        if tokens.at(open as isize) != "(" {
            continue;
        }
        let close = tokens.list[open].pair;
        let (mut start, mut named, mut angle) = (open + 1, false, 0i32);
        let mut j = open + 1;
        while j <= close {
            let word = tokens.at(j as isize);
            match word {
                "<" => angle += 1,
                ">" if tokens.at(j as isize - 1) != "-" => angle -= 1,
                ":" | "self" | "$" | "..." => named = true,
                _ => {}
            }
            if (word == "," && angle == 0) || j == close {
                // `$($name: T),+`: what repeats a pattern of a macro.
                let repeats = j == start + 1 && matches!(tokens.at(start as isize), "+" | "*" | "?");
                if !named && start < j && !repeats {
                    let byte = tokens.list[start].range.start;
                    edits.replace(byte..byte, "_: ");
                }
                start = j + 1;
                named = false;
            } else if tokens.list[j].kind == Kind::Open {
                j = tokens.list[j].pair;
            }
            j += 1;
        }
    }
    Ok(edits.apply(text))
}

#[cfg(test)]
mod tests {
    use super::modern;
    use std::path::Path;

    /// Closures without `dyn`, wherever edition 2015 has them.
    #[test]
    fn bare_closures_are_read() {
        for (old, new) in [
            (
                "type A = Fn(&u8) + Send + Sync;",
                "type A = dyn Fn(&u8) + Send + Sync;",
            ),
            ("fn f(x: &Fn(u8) -> u8) {}", "fn f(x: &dyn Fn(u8) -> u8) {}"),
            (
                "fn f<'a>(x: &'a mut FnMut(u8)) {}",
                "fn f<'a>(x: &'a mut dyn FnMut(u8)) {}",
            ),
            ("fn f(x: &(Fn(u8) + Send)) {}", "fn f(x: &(dyn Fn(u8) + Send)) {}"),
            (
                "fn f<'a>(x: &'a mut (FnMut(u8) + 'a)) {}",
                "fn f<'a>(x: &'a mut (dyn FnMut(u8) + 'a)) {}",
            ),
            (
                "struct S(Box<(Fn(u8) + Send)>);",
                "struct S(Box<(dyn Fn(u8) + Send)>);",
            ),
            (
                "struct S(Box<FnOnce(u8) + Send>);",
                "struct S(Box<dyn FnOnce(u8) + Send>);",
            ),
            ("impl C for Fn(u8) -> u8 {}", "impl C for dyn Fn(u8) -> u8 {}"),
            (
                "fn f<F: Fn(u8)>(x: F) -> impl Fn(u8) { x }",
                "fn f<F: Fn(u8)>(x: F) -> impl Fn(u8) { x }",
            ),
            (
                "fn f<F>(x: F) where F: for<'a> Fn(&'a u8) {}",
                "fn f<F>(x: F) where F: for<'a> Fn(&'a u8) {}",
            ),
            (
                "fn async<'async>(x: &'async u8) -> &'async u8 { 'try: loop { break 'try x } }",
                "fn r#async<'async_>(x: &'async_ u8) -> &'async_ u8 { 'try_: loop { break 'try_ x } }",
            ),
        ] {
            let read = modern(old, Path::new("old.rs"), 2015).unwrap();
            assert_eq!(read, new);
            syn::parse_file(&read).unwrap();
        }
    }
}
