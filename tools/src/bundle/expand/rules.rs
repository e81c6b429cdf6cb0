//! A `macro_rules` whose body calls a procedural macro with its own parameters, or says `mod $name;` or `feature = $name`,
//! starts a path with `::$name`, or exports a macro that it is given.
//!
//! Only when it is called does it say what the procedural macro is given, which files there are, which features and which
//! macros the crate has, which other crates it names. The compiler itself puts the arguments in: the same rules with every
//! body in `stringify!` make a program that prints what a call makes.
//! Variables that the rules declare stay their own: see [`locals`].

use super::super::budget::{rustc, said};
use super::attributes::BUILT_IN;
use super::locals;
use crate::bundle::lex::{BEFORE_A_PATH, Edits, brackets};
use anyhow::{Context, Result, bail, ensure};
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

/// Rules that wait for their calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// As text, for [`called`].
    pub printing: String,
}

/// Around an expression in what a macro makes: it came as one token.
const EXPRESSION: &str = "fifty_expression";

/// The same around what else comes as one token, which needs no parentheses where it is taken apart.
const FRAGMENT: &str = "fifty_fragment";

/// The same around a statement, which ends where it stands.
const STATEMENT: &str = "fifty_statement";

/// Kinds of parameters that come as one token, but for expressions; names and token trees come as they are.
const FRAGMENTS: [&str; 10] = [
    "block",
    "item",
    "lifetime",
    "literal",
    "meta",
    "pat",
    "pat_param",
    "path",
    "ty",
    "vis",
];

/// The mark of parameters by their names.
type Marks = BTreeMap<String, &'static str>;

impl Rules {
    /// `None` if the rules cannot be read.
    pub fn new(rules: TokenStream) -> Option<Self> {
        let printing = printing_as(rules, |matcher, body| {
            let body = locals::renamed(body);
            let mut names = Marks::new();
            parameters(matcher, &mut names);
            Some(marked(body, &names).to_string())
        })?;
        Some(Self { printing })
    }
}

/// A body with its parameters marked as what they are.
fn marked(body: TokenStream, names: &Marks) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = body.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match (&tree, trees.peek()) {
            (TokenTree::Punct(dollar), Some(TokenTree::Ident(name)))
                if dollar.as_char() == '$' && names.contains_key(&name.to_string()) =>
            {
                let mark = quote::format_ident!("{}", names[&name.to_string()]);
                out.extend(quote::quote!(#mark!(#tree #name)));
                trees.next();
            }
            (TokenTree::Group(group), _) => {
                let inside = marked(group.stream(), names);
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
            }
            _ => out.extend([tree]),
        }
    }
    out
}

fn is_mark(word: &Ident) -> bool {
    word == EXPRESSION || word == FRAGMENT || word == STATEMENT
}

/// The compiler's macros that look at their arguments before anything else is made of them, or print them.
const LITERAL: [&str; 7] = [
    "concat",
    "env",
    "include",
    "include_bytes",
    "include_str",
    "option_env",
    "stringify",
];

/// What becomes of an expression of several words that is marked.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// It stands in parentheses.
    Together,
    /// It stands as it is.
    Bare,
    /// It stays marked: a procedural macro reads it.
    Marked,
    /// It stands in parentheses wherever it is.
    Settled,
}

/// A text with the marks gone but for those among the arguments of macros that `keeps` names, and of attributes that are not
/// the compiler's. All else stands as it stood: it may be printed.
fn unmarked(text: &str, form: Form, keeps: &dyn Fn(&str) -> bool) -> String {
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return text.to_owned();
    };
    let mut edits = Edits::default();
    unmark(tokens, (form, Delimiter::Brace), keeps, text, &mut edits);
    edits.apply(text)
}

fn unmark(
    tokens: TokenStream,
    (form, around): (Form, Delimiter),
    keeps: &dyn Fn(&str) -> bool,
    text: &str,
    edits: &mut Edits,
) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_end = |tree: Option<&TokenTree>| match tree {
        Some(tree) => matches!(tree, TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';')),
        None => true,
    };
    let mut n = 0;
    while n < trees.len() {
        let (at, rest) = (n, &trees[n..]);
        n += 1;
        match rest {
            [TokenTree::Ident(mark), _, TokenTree::Group(group), behind @ ..] if is_mark(mark) => {
                unmark(group.stream(), (form, Delimiter::Brace), keeps, text, edits);
                n = at + 3;
                let is_one = mark != EXPRESSION || is_one(group.stream());
                // Between commas an expression keeps together as it is; in a block it may end as a statement.
                let before = at.checked_sub(1).map(|before| &trees[before]);
                let is_alone = around != Delimiter::Brace && is_end(before) && is_end(behind.first());
                let (open, close) = match form {
                    Form::Marked if !is_one => continue,
                    Form::Together | Form::Settled if !is_one && !is_alone => ("(", ")"),
                    _ if mark == STATEMENT && is_open_ended(group, behind) => ("", ";"),
                    _ => ("", ""),
                };
                let (start, end) = (mark.span().byte_range().start, group.span_close().byte_range());
                edits.replace(
                    start..group.span_open().byte_range().end,
                    apart(text, start, group, open),
                );
                edits.replace(end, close.to_owned());
            }
            [TokenTree::Punct(hash), TokenTree::Group(attribute), ..]
                if form == Form::Together && hash.as_char() == '#' && is_of_a_macro(attribute) =>
            {
                let inside = (Form::Marked, attribute.delimiter());
                unmark(attribute.stream(), inside, keeps, text, edits);
                n = at + 2;
            }
            [
                TokenTree::Ident(name),
                TokenTree::Punct(bang),
                TokenTree::Group(_),
                ..,
            ] if bang.as_char() == '!' && keeps(&name.to_string()) => {
                n = at + 3;
            }
            [TokenTree::Ident(name), _, TokenTree::Group(group), ..]
                if LITERAL.iter().any(|literal| name == literal) =>
            {
                unmark(
                    group.stream(),
                    (Form::Bare, group.delimiter()),
                    keeps,
                    text,
                    edits,
                );
                n = at + 3;
            }
            [TokenTree::Group(group), ..] => {
                let within = if form == Form::Bare { Form::Together } else { form };
                unmark(group.stream(), (within, group.delimiter()), keeps, text, edits);
            }
            _ => {}
        }
    }
}

/// True of a `let` without a semicolon of its own or behind it: rules need none.
fn is_open_ended(statement: &Group, behind: &[TokenTree]) -> bool {
    let is_end =
        |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(end)) if end.as_char() == ';');
    let trees: Vec<TokenTree> = statement.stream().into_iter().collect();
    let is_let = matches!(trees.first(), Some(TokenTree::Ident(word)) if word == "let");
    is_let && !is_end(trees.last()) && !is_end(behind.first())
}

/// True of one token, which may be marked.
fn is_one(tokens: TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Ident(mark), _, TokenTree::Group(group)] if is_mark(mark) => is_one(group.stream()),
        trees => trees.len() == 1,
    }
}

/// `open`, with a blank where what is before a mark and what is in it would be read as one.
fn apart(text: &str, start: usize, group: &Group, open: &str) -> String {
    let before = text[..start].chars().next_back();
    let first = text[group.span_open().byte_range().end..].chars().next();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"');
    let is_sign =
        |c: char| c.is_ascii_punctuation() && !matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';');
    let joins = before
        .zip(first)
        .is_some_and(|(a, b)| is_word(a) && is_word(b) || is_sign(a) && is_sign(b));
    if open.is_empty() && joins {
        " ".to_owned()
    } else {
        open.to_owned()
    }
}

/// True of an attribute that the compiler does not know.
fn is_of_a_macro(attribute: &Group) -> bool {
    let first = attribute.stream().into_iter().next();
    let is_known = |name: String| BUILT_IN.contains(&name.as_str());
    attribute.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(name)) if !is_known(name.to_string()))
}

/// What a procedural macro is given, with everything that is marked as the one token that it came as.
pub fn grouped(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut rest = trees.as_slice();
    while let [tree, after @ ..] = rest {
        rest = after;
        out.extend([match (tree, after) {
            (TokenTree::Ident(mark), [_, TokenTree::Group(group), behind @ ..]) if is_mark(mark) => {
                rest = behind;
                TokenTree::Group(Group::new(Delimiter::None, grouped(group.stream())))
            }
            (TokenTree::Group(group), _) => {
                let mut inside = Group::new(group.delimiter(), grouped(group.stream()));
                inside.set_span(group.span());
                TokenTree::Group(inside)
            }
            _ => tree.clone(),
        }]);
    }
    out
}

/// `text` with parameters `$f0`, `$f1` and so on for what is marked, each `found` with its kind and what it stands for.
pub fn with_parameters(text: &str, found: &mut Vec<(&'static str, String)>) -> String {
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return text.to_owned();
    };
    let mut edits = Edits::default();
    parametrise(tokens, text, found, &mut edits);
    unmarked(&edits.apply(text), Form::Settled, &|_| false)
}

fn parametrise(tokens: TokenStream, text: &str, found: &mut Vec<(&'static str, String)>, edits: &mut Edits) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (n, tree) in trees.iter().enumerate() {
        match &trees[n..] {
            [TokenTree::Ident(mark), _, TokenTree::Group(group), ..] if is_mark(mark) => {
                let inside = group.span_open().byte_range().end..group.span_close().byte_range().start;
                let inside = settled(text[inside].to_owned());
                let kind = match inside.as_str() {
                    _ if mark == EXPRESSION => "expr",
                    text if syn::parse_str::<syn::Lifetime>(text).is_ok() => "lifetime",
                    text if syn::parse_str::<syn::Lit>(text).is_ok() => "literal",
                    text if syn::parse_str::<syn::Type>(text).is_ok() => "ty",
                    _ => continue,
                };
                let range = mark.span().byte_range().start..group.span_close().byte_range().end;
                edits.replace(range, format!("$f{}", found.len()));
                found.push((kind, inside));
            }
            _ => {
                if let TokenTree::Group(group) = tree {
                    parametrise(group.stream(), text, found, edits);
                }
            }
        }
    }
}

/// `text` without the marks that were left for macros that are none.
pub fn settled(text: String) -> String {
    if ![EXPRESSION, FRAGMENT, STATEMENT]
        .iter()
        .any(|mark| text.contains(mark))
    {
        return text;
    }
    unmarked(&text, Form::Settled, &|_| false)
}

/// Rules as text with every body in `stringify!`, as `said` says it by matcher and body; `None` if it does not, or if they
/// cannot be read.
pub fn printing_as(
    rules: TokenStream,
    mut said: impl FnMut(TokenStream, TokenStream) -> Option<String>,
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

/// True if only a call says which files, features, crates or macros there are.
pub fn is_open(rules: TokenStream) -> bool {
    asks(rules.clone()) || exports(rules)
}

/// True if there is a `mod $name;`, a `feature = $name` or a path that starts with `::$name` in it.
fn asks(rules: TokenStream) -> bool {
    let trees: Vec<TokenTree> = rules.into_iter().collect();
    let is = |n: usize, c: char| matches!(trees.get(n), Some(TokenTree::Punct(p)) if p.as_char() == c);
    trees.iter().enumerate().any(|(n, tree)| match tree {
        TokenTree::Ident(word) if word == "feature" => is(n + 1, '=') && is(n + 2, '$'),
        TokenTree::Ident(word) => word == "mod" && is(n + 1, '$') && is(n + 3, ';'),
        TokenTree::Group(group) => asks(group.stream()),
        TokenTree::Punct(p) if p.as_char() == ':' && p.spacing() == Spacing::Joint => {
            let starts = match n.checked_sub(1).map(|before| &trees[before]) {
                Some(TokenTree::Ident(word)) => BEFORE_A_PATH.contains(&word.to_string().as_str()),
                Some(TokenTree::Punct(before)) => !matches!(before.as_char(), '>' | ':'),
                Some(TokenTree::Group(_)) => false,
                _ => true,
            };
            let goes_on = |n: usize| is(n, ':') && is(n + 1, ':');
            starts && goes_on(n) && is(n + 2, '$') && goes_on(n + 4)
        }
        _ => false,
    })
}

/// True if a macro is exported in it that has a parameter's name, or is a parameter: `#[macro_export] macro_rules! $name`,
/// `#[macro_export] $item`.
fn exports(rules: TokenStream) -> bool {
    let trees: Vec<TokenTree> = rules.into_iter().collect();
    let is = |n: usize, c: char| matches!(trees.get(n), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let group = |n: usize| match trees.get(n) {
        Some(TokenTree::Group(group)) => Some(group.stream()),
        _ => None,
    };
    let is_word =
        |n: usize, word: &str| matches!(trees.get(n), Some(TokenTree::Ident(ident)) if ident == word);
    let of_parameter = |export: usize| {
        let mut n = export + 2;
        loop {
            if is(n, '#') {
                n += 2;
            } else if is(n, '$') && group(n + 1).is_some() {
                // Attributes as often as there are some, and the sign that says so.
                n += 3;
            } else {
                return is(n, '$') || is_word(n, "macro_rules") && is(n + 2, '$');
            }
        }
    };
    (0..trees.len()).any(|n| match group(n + 1) {
        Some(attribute) if is(n, '#') && attribute.to_string().starts_with("macro_export") => of_parameter(n),
        _ => group(n).is_some_and(exports),
    })
}

/// The marks of the parameters of a matcher.
fn parameters(matcher: TokenStream, names: &mut Marks) {
    let trees: Vec<TokenTree> = matcher.into_iter().collect();
    for tree in &trees {
        if let TokenTree::Group(group) = tree {
            parameters(group.stream(), names);
        }
    }
    for window in trees.windows(4) {
        if let [
            TokenTree::Punct(dollar),
            TokenTree::Ident(name),
            TokenTree::Punct(colon),
            TokenTree::Ident(kind),
        ] = window
        {
            if (dollar.as_char(), colon.as_char()) != ('$', ':') {
                continue;
            }
            let kind = kind.to_string();
            if kind.starts_with("expr") {
                names.insert(name.to_string(), EXPRESSION);
            } else if FRAGMENTS.contains(&kind.as_str()) {
                names.insert(name.to_string(), FRAGMENT);
            } else if kind == "stmt" {
                names.insert(name.to_string(), STATEMENT);
            }
        }
    }
}

/// Tokens as text with a blank beside every bracket: of `(_)` the compiler would print `__` where a body says `$x _`.
fn spaced(tokens: TokenStream) -> String {
    let mut text = String::new();
    for tree in tokens {
        match &tree {
            TokenTree::Group(group) => {
                let (open, close) = brackets(group.delimiter());
                let _ = write!(text, "{open} {} {close} ", spaced(group.stream()));
            }
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => text.push(punct.as_char()),
            tree => {
                let _ = write!(text, "{tree} ");
            }
        }
    }
    text
}

/// Between what a call makes of its arguments and of the same with other blanks.
const APART: &str = "fifty_apart";

/// What the macro of these rules makes of its arguments, which `stands` as its author wrote them; `own` is what its crate is called there, `call` the number of
/// the call. Expressions that it hands to macros that `keeps` names are marked: see [`grouped`].
pub fn called(
    printing: &str,
    (arguments, stands): (&TokenStream, &str),
    edition: u16,
    (own, call): (&str, usize),
    keeps: &dyn Fn(&str) -> bool,
) -> Result<String> {
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let source = dir.path().join("call.rs");
    let spaced = spaced(arguments.clone());
    let is_same = stands
        .parse::<TokenStream>()
        .is_ok_and(|tokens| tokens.to_string() == arguments.to_string());
    let stands = if is_same { stands } else { &spaced };
    // As it stands it has its author's blanks, but what was the last in brackets has none behind it.
    let text = format!(
        "macro_rules! it {{ {printing} }}\nfn main() {{ print!(\"{{}}{APART}{{}}\", it!{{ {spaced} }}, it!{{ {stands}\n }}); }}\n"
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
        bail!("{}", said(out.status, &out.stderr));
    }
    let out = Command::new(&program)
        .output()
        .context("a call cannot be printed")?;
    ensure!(out.status.success(), "a call cannot be printed");
    let text = String::from_utf8(out.stdout).context("a call cannot be printed")?;
    let text = locals::counted(&text.replace("$crate", own), call);
    let (spaced, stands) = text.split_once(APART).context("a call cannot be printed")?;
    let tokens = |text: &str| text.parse().map(|tokens: TokenStream| tokens.to_string()).ok();
    let expected = tokens(spaced).context("what a call makes cannot be read")?;
    let text = if tokens(stands) == Some(expected) {
        stands
    } else {
        spaced
    };
    Ok(unmarked(text, Form::Together, keeps))
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
        let rules = Rules::new(rules).unwrap();
        let made = called(
            &rules.printing,
            (&"x, (1 + 2), b_".parse().unwrap(), ""),
            2021,
            ("crate", 1),
            &|_| false,
        )
        .unwrap();
        let made: TokenStream = made.parse().unwrap();
        let expected: TokenStream = "item! { fn [<a_ b_ x>]() -> i32 { 2 * (1 + 2) } }"
            .parse()
            .unwrap();
        assert_eq!(made.to_string(), expected.to_string());
    }

    #[test]
    fn expressions_keep_together() {
        let rules: TokenStream = "($v:expr $(, $w:expr)*) => { $crate::item!(2 * $v $(, $w)*, concat!($v)) }"
            .parse()
            .unwrap();
        let rules = Rules::new(rules).unwrap();
        let arguments = "1 + 2, \"a\", b::c!(3)".parse().unwrap();
        let made = |keeps: &dyn Fn(&str) -> bool| {
            let made = called(&rules.printing, (&arguments, ""), 2021, ("kit", 1), keeps).unwrap();
            made.parse::<TokenStream>().unwrap()
        };
        let expected: TokenStream = "kit::item!(2 * (1 + 2), \"a\", b::c!(3), concat!(1 + 2))"
            .parse()
            .unwrap();
        assert_eq!(made(&|_| false).to_string(), expected.to_string());
        let kept = made(&|name| name == "item");
        assert_eq!(settled(kept.to_string()), expected.to_string());
        let alone = |group: &Group| group.delimiter() == Delimiter::None;
        let Some(TokenTree::Group(item)) = grouped(kept).into_iter().last() else {
            panic!("no call");
        };
        let groups = item.stream().into_iter();
        let groups = groups.filter(|tree| matches!(tree, TokenTree::Group(group) if alone(group)));
        assert_eq!(groups.count(), 3);
    }

    #[test]
    fn what_comes_as_one_token_stays_one_for_a_procedural_macro_only() {
        let rules: TokenStream = "($v:vis $t:ty, $l:literal, $a:lifetime, $n:ident) => \
                                  { $v struct $n<$a>($t); item!($v $t $l $a $n) }"
            .parse()
            .unwrap();
        let rules = Rules::new(rules).unwrap();
        let arguments = "Vec<u8>, -2, 'a, x".parse().unwrap();
        let made = called(&rules.printing, (&arguments, ""), 2021, ("kit", 1), &|name| {
            name == "item"
        })
        .unwrap();
        let made: TokenStream = made.parse().unwrap();
        let expected: TokenStream = "struct x<'a>(Vec<u8>); item!(Vec<u8> -2 'a x)".parse().unwrap();
        let bare = |text: String| text.replace(' ', "");
        assert_eq!(bare(settled(made.to_string())), bare(expected.to_string()));
        let Some(TokenTree::Group(item)) = grouped(made).into_iter().last() else {
            panic!("no call");
        };
        assert_eq!(item.stream().into_iter().count(), 5);
    }

    #[test]
    fn what_may_be_printed_keeps_its_blanks_and_a_statement_ends() {
        let rules: TokenStream =
            "($t:ty, $e:expr, $s:stmt) => { $s; $s let b = (stringify!($t), stringify!($e), f($e), 2 * $e); }"
                .parse()
                .unwrap();
        let rules = Rules::new(rules).unwrap();
        let stands = "Vec<Vec<u8>>, v.len() + 1, let a = x.0";
        let arguments = (&stands.parse().unwrap(), stands);
        let made = called(&rules.printing, arguments, 2021, ("kit", 1), &|_| false).unwrap();
        let made = made
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("! (", "!(");
        for part in [
            "(stringify!(Vec<Vec<u8>>), stringify!(v.len() + 1), f(v.len() + 1), 2 * (v.len() + 1))",
            "let a = x.0; let a = x.0; let ",
        ] {
            assert!(made.contains(part), "{made}");
        }
    }
}
