//! Doc comments that a macro is given.
//!
//! A doc comment is an attribute, and a macro may ask for one or print its text. Those among the arguments of a macro
//! stay therefore, as the attributes that the compiler makes of them; whether they matter is seen once all that the
//! program does not reach is gone. All others go at once.

use super::lex::{Edits, Kind, Tokens};
use anyhow::Result;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Macros that hand on what they are given and do not look at it.
const BLIND: [&str; 2] = ["thread_local", "cfg_if"];

/// True if the doc comment at token `i` is an argument of a macro. Those in patterns the compiler does not look at.
pub fn is_argument(tokens: &Tokens, i: usize) -> bool {
    let mut at = i;
    while at > 0 {
        at -= 1;
        match tokens.list[at].kind {
            Kind::Close => at = tokens.list[at].pair,
            Kind::Open if tokens.called(at).is_some_and(|name| !BLIND.contains(&name)) => return true,
            _ => {}
        }
    }
    false
}

/// The attribute that a doc comment stands for.
pub fn attribute(comment: &str) -> String {
    let is_inner = comment.starts_with("//!") || comment.starts_with("/*!");
    let text = comment.get(3..).unwrap_or_default();
    let text = if comment.starts_with("/*") {
        text.strip_suffix("*/").unwrap_or(text)
    } else {
        text
    };
    let mut hashes = String::new();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let bang = if is_inner { "!" } else { "" };
    format!("#{bang}[doc = r{hashes}\"{text}\"{hashes}]")
}

/// `text` with the doc comments that macros are given as the attributes that they stand for: read as tokens they would be
/// others (`" x"` for `r" x"`), and rules that name one would not take it.
pub fn spelled(text: String) -> String {
    let Ok(tokens) = Tokens::new(&text, Path::new("source")) else {
        return text;
    };
    let mut edits = Edits::default();
    let mut is_there = false;
    for (i, token) in tokens.list.iter().enumerate() {
        if token.kind == Kind::Doc && is_argument(&tokens, i) {
            edits.replace(token.range.clone(), attribute(&text[token.range.clone()]));
            is_there = true;
        }
    }
    if is_there { edits.apply(&text) } else { text }
}

/// `text` without doc comments but for those that macros are given.
pub fn bare(text: &str) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut edits = Edits::default();
    for (i, token) in tokens.list.iter().enumerate() {
        if token.kind == Kind::Doc && !is_argument(&tokens, i) {
            edits.remove(token.range.clone());
        }
    }
    Ok(edits.apply(text))
}

/// What a macro made without attributes that document it: what they say may be no literal where it is written out.
pub fn undocumented(text: &str) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("macro"))?;
    let mut edits = Edits::default();
    for i in 0..tokens.list.len() {
        let at = i as isize;
        let is_doc = tokens.at(at + 2) == "doc" && tokens.at(at + 3) == "=";
        if tokens.at(at) == "#" && tokens.at(at + 1) == "[" && is_doc && !is_argument(&tokens, i) {
            let end = tokens.list[tokens.list[i + 1].pair].range.end;
            edits.remove(tokens.list[i].range.start..end);
        }
    }
    Ok(edits.apply(text))
}

/// `text` without the doc attributes that macros are given, if there are any and the macro does not ask for one. Whether it
/// is the same program is for others to prove.
pub fn dropped(text: &str) -> Result<Option<String>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let asking = asking(&tokens);
    // Whatever such a macro is given, and its rules themselves.
    let kept: Vec<Range<usize>> = (0..tokens.list.len())
        .filter(|open| tokens.called(*open).is_some_and(|name| asking.contains(name)))
        .map(|open| open..tokens.list[open].pair)
        .collect();
    let mut edits = Edits::default();
    let mut is_there = false;
    for at in 3..tokens.list.len() as isize {
        let is_string = tokens.list.get(at as usize).is_some_and(|t| t.kind == Kind::Lit);
        let around = [
            tokens.at(at - 3),
            tokens.at(at - 2),
            tokens.at(at - 1),
            tokens.at(at + 1),
        ];
        let is_kept = || kept.iter().any(|range| range.contains(&(at as usize)));
        if !is_string || around != ["[", "doc", "=", "]"] || is_kept() {
            continue;
        }
        let hash = at - 4 - isize::from(tokens.at(at - 4) == "!");
        if tokens.at(hash) == "#" {
            let end = tokens.list[at as usize + 1].range.end;
            let next = tokens
                .list
                .get(at as usize + 2)
                .map_or(end, |next| next.range.start);
            // Its line goes with it.
            let gap = &text[end..next];
            let is_line = gap.contains('\n') && gap.trim().is_empty();
            edits.remove(tokens.list[hash as usize].range.start..if is_line { next } else { end });
            is_there = true;
        }
    }
    Ok(is_there.then(|| edits.apply(text)))
}

/// Macros by rules that ask for an attribute: it does not stand alone in `$(…)*` or `$(…)?`.
fn asking<'t>(tokens: &Tokens<'t>) -> BTreeSet<&'t str> {
    let asks = |open: usize| {
        (open..tokens.list[open].pair).any(|k| {
            let at = k as isize;
            let is_attribute = tokens.at(at) == "#" && tokens.at(at + 1) == "[";
            let is_optional = || {
                let close = tokens.list[k + 1].pair as isize + 1;
                let is_alone =
                    tokens.at(at - 2) == "$" && tokens.at(at - 1) == "(" && tokens.at(close) == ")";
                is_alone && matches!(tokens.at(close + 1), "*" | "?")
            };
            is_attribute && !is_optional()
        })
    };
    let rules = tokens.macros().into_iter();
    let asking = rules.filter(|at| tokens.rules_in(at + 3).into_iter().any(|(open, _)| asks(open)));
    asking.map(|at| tokens.at(at as isize + 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_arguments_stay() {
        let text = "
            macro_rules! m { (/// gone
                $x:ident) => { /// gone
                struct $x; n! { /// argument
                    $x } } }
            thread_local! { /// gone
                static X: i32 = 1; }
            /** gone */ fn f() { a!(b, { /// argument
                fn g() {} }); }";
        let tokens = Tokens::new(text, Path::new("x")).unwrap();
        let docs = (0..tokens.list.len()).filter(|i| tokens.list[*i].kind == Kind::Doc);
        for i in docs {
            let expected = tokens.at(i as isize).trim_matches(['/', '*', ' ']) != "gone";
            assert_eq!(is_argument(&tokens, i), expected, "{}", tokens.at(i as isize));
        }
        assert_eq!(
            undocumented("#[doc = (concat!(\"a\"))] #[doc(hidden)] struct S; m! { #[doc = 1] x }").unwrap(),
            " #[doc(hidden)] struct S; m! { #[doc = 1] x }"
        );
        assert_eq!(attribute("/// a \"b\""), "#[doc = r#\" a \"b\"\"#]");
        assert_eq!(attribute("/*! c */"), "#![doc = r\" c \"]");
        assert_eq!(
            spelled("/// a\nfn f() { n! { /// b\nx } }".to_owned()),
            "/// a\nfn f() { n! { #[doc = r\" b\"]\nx } }"
        );
    }

    #[test]
    fn what_a_macro_asks_for_stays() {
        let text = "macro_rules! a { ($(#[$d:meta] $n:ident,)+) => {}; } macro_rules! b { ($(#[$d:meta])* $n:ident) => {}; }
a! { #[doc = \"a\"] x, } b! { #[doc = \"b\"] x } c! { #[doc = \"c\"] x }";
        let left = dropped(text).unwrap().unwrap();
        assert!(
            left.ends_with("a! { #[doc = \"a\"] x, } b! {  x } c! {  x }"),
            "{left}"
        );
        let all = "macro_rules! a { ($(#[$d:meta] $n:ident,)+) => {}; }\na! { #[doc = \"a\"] x, }";
        assert_eq!(dropped(all).unwrap(), None);
    }
}
