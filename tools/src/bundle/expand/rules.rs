//! A `macro_rules` whose body calls a procedural macro with its own parameters, or says `mod $name;` or `feature = $name`.
//!
//! Only when it is called does it say what the procedural macro is given, which files there are and which features. The compiler itself
//! puts the arguments in: the same rules with every body in `stringify!` make a program that prints what a call makes.
//! Calls that are items only: names that such a macro declares for its own statements would no longer be its own.

use super::super::budget::rustc;
use anyhow::{Context, Result, bail, ensure};
use proc_macro2::{TokenStream, TokenTree};
use std::fmt::Write;
use std::process::Command;

/// Rules as text, for [`called`]. `None` if they cannot be read, or take expressions.
pub fn printing(rules: TokenStream) -> Option<String> {
    // An expression comes as one token that no text says: not everybody would make the same of it.
    printing_as(rules, |matcher, body| {
        (!has_expressions(matcher)).then(|| body.to_string())
    })
}

/// Rules as text with every body in `stringify!`, as `said` says it by matcher and body; `None` if it does not, or if they
/// cannot be read.
pub fn printing_as(
    rules: TokenStream,
    said: impl Fn(TokenStream, TokenStream) -> Option<String>,
) -> Option<String> {
    let trees: Vec<TokenTree> = rules.into_iter().collect();
    let mut text = String::new();
    let mut rest = trees.as_slice();
    while let [
        TokenTree::Group(matcher),
        TokenTree::Punct(a),
        TokenTree::Punct(b),
        TokenTree::Group(body),
        after @ ..,
    ] = rest
    {
        if (a.as_char(), b.as_char()) != ('=', '>') {
            return None;
        }
        let body = said(matcher.stream(), body.stream())?;
        let _ = writeln!(text, "{matcher} => {{ stringify!({body}) }};");
        rest = match after {
            [TokenTree::Punct(end), rest @ ..] if end.as_char() == ';' => rest,
            rest => rest,
        };
    }
    rest.is_empty().then_some(text)
}

/// True if there is a `mod $name;` or a `feature = $name` in it.
pub fn is_open(rules: TokenStream) -> bool {
    let trees: Vec<TokenTree> = rules.into_iter().collect();
    let is = |n: usize, c: char| matches!(trees.get(n), Some(TokenTree::Punct(p)) if p.as_char() == c);
    trees.iter().enumerate().any(|(n, tree)| match tree {
        TokenTree::Ident(word) if word == "feature" => is(n + 1, '=') && is(n + 2, '$'),
        TokenTree::Ident(word) => word == "mod" && is(n + 1, '$') && is(n + 3, ';'),
        TokenTree::Group(group) => is_open(group.stream()),
        _ => false,
    })
}

/// True if there is a parameter that is an expression.
fn has_expressions(matcher: TokenStream) -> bool {
    let trees: Vec<TokenTree> = matcher.into_iter().collect();
    let is_kind = |n: usize| matches!(trees.get(n), Some(TokenTree::Ident(kind)) if kind.to_string().starts_with("expr"));
    trees.iter().enumerate().any(|(n, tree)| match tree {
        TokenTree::Punct(colon) => colon.as_char() == ':' && is_kind(n + 1),
        TokenTree::Group(group) => has_expressions(group.stream()),
        _ => false,
    })
}

/// What the macro of these rules makes of its arguments.
pub fn called(printing: &str, arguments: &TokenStream, edition: u16) -> Result<String> {
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let source = dir.path().join("call.rs");
    let text = format!(
        "macro_rules! it {{ {printing} }}\nfn main() {{ print!(\"{{}}\", it!{{ {arguments} }}); }}\n"
    );
    std::fs::write(&source, text).context("temporary source")?;
    let program = dir.path().join("call");
    let out = Command::new(rustc())
        .args(["--edition", &edition.to_string(), "-Awarnings", "-o"])
        .args([&program, &source])
        .env_remove("RUSTFLAGS")
        .output()
        .context("rustc cannot be started")?;
    if !out.status.success() {
        bail!("{}", String::from_utf8_lossy(&out.stderr).trim());
    }
    let out = Command::new(&program)
        .output()
        .context("a call cannot be printed")?;
    ensure!(out.status.success(), "a call cannot be printed");
    let text = String::from_utf8(out.stdout).context("a call cannot be printed")?;
    Ok(text.replace("$crate", "crate"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_put_in() {
        let rules: TokenStream =
            "($n:ident, $v:tt $(, $p:ident)*) => { item! { fn [<a_ $($p)* $n>]() -> i32 \
                                  { 2 * $v } } }; () => { }"
                .parse()
                .unwrap();
        let text = printing(rules).unwrap();
        let made = called(&text, &"x, (1 + 2), b_".parse().unwrap(), 2021).unwrap();
        let made: TokenStream = made.parse().unwrap();
        let expected: TokenStream = "item! { fn [<a_ b_ x>]() -> i32 { 2 * (1 + 2) } }"
            .parse()
            .unwrap();
        assert_eq!(made.to_string(), expected.to_string());
        assert!(printing("($v:expr) => { item! { $v } }".parse().unwrap()).is_none());
    }
}
