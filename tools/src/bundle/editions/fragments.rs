//! What parameters of macros by rules take: `$x:pat` takes alternatives since 2021, `$x:expr` takes `_` and `const { … }`
//! since 2024.
//!
//! Which edition counts is told by where the parameter's name was written; where a caller gives the parameter as a whole, by
//! where the rules were. What was written for an older edition is said so (`pat_param`, `expr_2021`); what cannot be said is
//! refused by name.

use super::across::is_call;
use super::{Editions, at_least_2018, is_between, line_at};
use crate::bundle::lex::{Kind, Tokens, unraw};
use anyhow::{Result, ensure};
use std::ops::Range;

/// What parameters take, since when it is more, and what it was called before.
const FRAGMENTS: [(&str, u16, &str); 2] = [("pat", 2021, "pat_param"), ("expr", 2024, "expr_2021")];

/// What edition `to` calls what `word` was in edition `from`, if it calls it otherwise.
pub fn older(word: &str, from: u16, to: u16) -> Option<&'static str> {
    let is_it = |one: &&(&str, u16, &str)| one.0 == word && from < one.1 && one.1 <= to;
    FRAGMENTS.iter().find(is_it).map(|one| one.2)
}

/// True of a `word` that takes more in edition `from` than it can in `to`.
pub fn takes_more(word: &str, from: u16, to: u16) -> bool {
    FRAGMENTS
        .iter()
        .any(|one| one.0 == word && to < one.1 && one.1 <= from)
}

/// The name of the parameter of which token `i` says what it takes: `$x:expr`, or `$d x:expr` in rules that rules make.
pub fn name(tokens: &Tokens<'_>, i: usize) -> Option<usize> {
    let at = i as isize;
    if !tokens.is_word(at) || tokens.at(at - 1) != ":" || !tokens.is_word(at - 2) {
        return None;
    }
    let is_made = || tokens.is_word(at - 3) && tokens.at(at - 4) == "$" && is_in_matcher(tokens, i);
    (tokens.at(at - 3) == "$" || is_made()).then(|| i - 2)
}

/// True for what a rule asks for: in the first group of rules, and not in what they make.
fn is_in_matcher(tokens: &Tokens<'_>, i: usize) -> bool {
    rules_around(tokens, i).is_some_and(|open| {
        matchers(tokens, open)
            .into_iter()
            .any(|matcher| is_inside(tokens, i, matcher))
    })
}

/// True if token `i` is in the group that token `open` opens.
fn is_inside(tokens: &Tokens<'_>, i: usize, open: usize) -> bool {
    (open..tokens.list[open].pair).contains(&i)
}

/// Where the innermost rules around token `i` open.
fn rules_around(tokens: &Tokens<'_>, i: usize) -> Option<usize> {
    let rules = definitions(tokens).into_iter().map(|(_, open)| open);
    rules.filter(|open| is_inside(tokens, i, *open)).max()
}

/// Names of macros by rules and where their rules open, of those with a name that is given, too: `macro_rules! $n { … }`.
fn definitions(tokens: &Tokens<'_>) -> Vec<(usize, usize)> {
    let list = 0..tokens.list.len();
    list.filter_map(|i| {
        let at = i as isize;
        if tokens.at(at) != "macro_rules" || tokens.at(at + 1) != "!" {
            return None;
        }
        let name = i + 2 + usize::from(tokens.at(at + 2) == "$");
        let open = tokens.list.get(name + 1)?;
        (open.kind == Kind::Open).then_some((name, name + 1))
    })
    .collect()
}

/// Where what the rules ask for opens.
fn matchers(tokens: &Tokens<'_>, open: usize) -> Vec<usize> {
    let end = tokens.list[open].pair;
    let mut found = Vec::new();
    let mut k = open + 1;
    while k < end {
        let next = tokens.list[k].pair.max(k) + 1;
        let is_opening = tokens.list[k].kind == Kind::Open;
        let at = next as isize;
        if is_opening && next < end && tokens.at(at) == "=" && tokens.at(at + 1) == ">" {
            found.push(k);
        }
        k = next;
    }
    found
}

/// True if the rules around token `i` are several.
pub fn has_other_rules(tokens: &Tokens<'_>, i: usize) -> bool {
    rules_around(tokens, i).is_none_or(|open| matchers(tokens, open).len() != 1)
}

/// An error where a caller gives to a macro of another edition, or of one that takes something else than the file's edition
/// `target`, what a parameter takes, or a word that is a keyword in one of them only.
pub fn given(text: &str, editions: &Editions, target: u16) -> Result<()> {
    if !text.contains("macro_rules") {
        return Ok(());
    }
    let tokens = Tokens::new(text, std::path::Path::new("bundle"))?;
    let parts = editions.parts(text)?;
    let edition_at = |i: usize| at_least_2018(editions.at(&parts, tokens.list[i].range.start));
    let all = definitions(&tokens);
    for (name, open) in &all {
        let by = edition_at(*name);
        let rules = *open..tokens.list[*open].pair;
        let defines = (rules.clone()).any(|k| tokens.at(k as isize) == "macro_rules");
        let asks = asks_for_keyword(&tokens, *open);
        if !defines && !asks {
            continue;
        }
        let macro_name = tokens.at(*name as isize);
        let is_one = |i: &usize| is_call(&tokens, *i) && tokens.at(*i as isize) == macro_name;
        for call in (0..tokens.list.len()).filter(is_one) {
            let of = edition_at(call);
            let differs = |word: &str| {
                let takes = |(now, step, before): &(&str, u16, &str)| {
                    *now == word && is_between(by, target, *step)
                        || (*now == word || *before == word) && is_between(by, of, *step)
                };
                let is_keyword = unraw(word) == "gen" && target >= 2024 && is_between(by, of, 2024);
                defines && FRAGMENTS.iter().any(takes) || asks && is_keyword
            };
            let inside = call + 3..tokens.list[call + 2].pair;
            let found = words(&tokens, inside).find(|k| differs(tokens.at(*k as isize)));
            ensure!(
                found.is_none(),
                "a macro of edition {by} is given `{}` by a caller of edition {of}, and in a file of edition {target} \
                 this is something else: {}",
                found.map_or("", |k| tokens.at(k as isize)),
                line_at(text, &parts, tokens.list[call].range.start).line
            );
        }
    }
    Ok(())
}

/// True of rules that ask for a word which is a keyword since 2024.
fn asks_for_keyword(tokens: &Tokens<'_>, open: usize) -> bool {
    let is_asked =
        |k: usize| unraw(tokens.at(k as isize)) == "gen" && !matches!(tokens.at(k as isize - 1), "$" | ":");
    matchers(tokens, open)
        .into_iter()
        .any(|matcher| (matcher..tokens.list[matcher].pair).any(is_asked))
}

/// Words that stand by themselves: no part of a path, no call, no field.
fn words<'t>(tokens: &'t Tokens<'_>, range: Range<usize>) -> impl Iterator<Item = usize> + 't {
    range.filter(|k| {
        let at = *k as isize;
        let is_alone = !matches!(tokens.before(at), "." | "::" | "$");
        tokens.is_word(at) && is_alone && !matches!(tokens.at(at + 1), "." | "::" | "(" | "!")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_a_parameter_takes_is_told_from_a_type() {
        for (text, expected) in [
            ("macro_rules! m { ($x:pat) => {} }", true),
            (
                "macro_rules! m { ($d:tt) => { macro_rules! n { ($d x:pat) => {} } } }",
                true,
            ),
            (
                "macro_rules! m { ($n:ident, $d:tt) => { macro_rules! $n { ($d($d x:pat),*) => {} } } }",
                true,
            ),
            ("macro_rules! m { ($v:vis) => { struct S { $v x: pat } } }", false),
            ("fn f(x: pat) {}", false),
        ] {
            let tokens = Tokens::new(text, Path::new("test")).unwrap();
            let at = |i: &usize| tokens.at(*i as isize) == "pat";
            let place = (0..tokens.list.len()).find(at).unwrap();
            assert_eq!(name(&tokens, place).is_some(), expected, "{text}");
        }
        assert_eq!(older("pat", 2018, 2024), Some("pat_param"));
        assert_eq!(older("expr", 2018, 2021), None);
        assert!(takes_more("expr", 2024, 2021) && !takes_more("expr", 2021, 2018));
    }

    #[test]
    fn what_is_given_to_rules_of_another_edition_is_refused() {
        let takes =
            "($k:ident, $d:tt) => { macro_rules! n { ($d x:$k) => { 1 }; ($d($d t:tt)*) => { 2 } } };";
        let whole = "($($k:tt)*) => { macro_rules! n { ($($k)*) => { 1 }; (a) => { 2 } } };";
        let word = "(gen $n:ident) => { 1 }; ($i:ident $n:ident) => { 2 };";
        for (rules, call, (by, of, target), is_refused) in [
            (takes, "pat, $", (2018, 2021, 2021), true),
            (takes, "ident, $", (2018, 2021, 2021), false),
            (takes, "pat, $", (2021, 2024, 2024), false),
            (takes, "expr, $", (2021, 2024, 2024), true),
            (takes, "pat, $", (2018, 2018, 2021), true),
            (whole, "$ x:pat_param", (2018, 2018, 2021), false),
            (whole, "$ x:pat", (2018, 2021, 2021), true),
            (whole, "$ x:pat_param", (2021, 2018, 2021), true),
            (whole, "f(pat.x)", (2018, 2021, 2021), false),
            (word, "gen a", (2018, 2024, 2024), true),
            (word, "r#gen a", (2024, 2018, 2024), true),
            (word, "r#gen a", (2018, 2018, 2024), false),
            (word, "gen a", (2024, 2018, 2021), false),
        ] {
            let editions = Editions {
                program: of,
                modules: [("made".to_owned(), by)].into(),
                foreign: [].into(),
                may_rescope: false,
            };
            let text =
                format!("mod made {{ macro_rules! m {{ {rules} }} }} fn main() {{ made::m!{{{call}}} }}");
            let error = given(&text, &editions, target)
                .err()
                .map(|error| error.to_string());
            assert_eq!(error.is_some(), is_refused, "{call} {by} {of} {target}");
            assert!(error.is_none_or(|error| error.contains(&by.to_string())));
        }
    }
}
