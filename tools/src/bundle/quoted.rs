//! Tokens that a program prints as they are written: those in `stringify!`, and those handed to a macro that hands
//! them on to it. Blanks between them are part of what is printed.
//!
//! Macros are known by name, under every name that a `use … as …` gives them. Where one macro defines another that
//! prints, the name may come from its caller, and every call counts as one.

use super::lex::{Edits, Kind, Tokens, unraw};
use super::older::OF_EXPRESSIONS;
use anyhow::Result;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Ranges of tokens inside the delimiters of such calls.
pub fn quoted(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let (printing, any) = printing(tokens);
    let opens = (0..tokens.list.len()).filter(|open| {
        // The arguments of the standard library's are read as expressions, and not printed as they stand.
        let may_print = |name: &str| any && !OF_EXPRESSIONS.contains(&name);
        tokens
            .called(*open)
            .is_some_and(|name| name == STRINGIFY || may_print(name) || printing.contains(name))
    });
    let opens: Vec<usize> = opens.chain(calls_asserted(tokens)).collect();
    opens
        .into_iter()
        .map(|open| open + 1..tokens.list[open].pair)
        .collect()
}

/// Where calls of macros open in assertions whose words are looked at: of those what is called stands as it was written.
fn calls_asserted<'t>(tokens: &'t Tokens<'_>) -> impl Iterator<Item = usize> + 't {
    asserted(tokens)
        .into_iter()
        .flatten()
        .filter(|open| tokens.called(*open).is_some())
}

/// Ranges of tokens inside the matchers of macros that print what they are handed.
fn matched(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let (printing, any) = printing(tokens);
    let prints = |at: &usize| any || printing.contains(tokens.at(*at as isize + 2));
    let rules = tokens.macros().into_iter().filter(prints);
    let matchers = rules.flat_map(|at| tokens.rules_in(at + 3));
    matchers
        .map(|(open, _)| open + 1..tokens.list[open].pair)
        .collect()
}

/// The first of these bytes that stands between tokens that are printed.
pub fn first_in(text: &str, places: &[usize]) -> Result<Option<usize>> {
    if places.is_empty() {
        return Ok(None);
    }
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let start = |k: usize| tokens.list[k].range.start;
    // At the first of them a blank is before all that is printed.
    let bytes: Vec<Range<usize>> = quoted(&tokens)
        .into_iter()
        .map(|range| start(range.start)..start(range.end))
        .collect();
    let is_in = |place: &&usize| {
        bytes
            .iter()
            .any(|range| range.start < **place && **place < range.end)
    };
    Ok(places.iter().find(is_in).copied())
}

/// The same of assertions that fail with their words, where a program looks at what it fails with.
fn asserted(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let all = 0..tokens.list.len();
    let looks = |i: usize| matches!(tokens.at(i as isize), "downcast" | "downcast_ref" | "set_hook");
    if !all.clone().any(looks) {
        return Vec::new();
    }
    let is_one = |open: &usize| {
        tokens
            .called(*open)
            .is_some_and(|name| matches!(name, "assert" | "debug_assert"))
    };
    all.filter(is_one)
        .map(|open| open + 1..tokens.list[open].pair)
        .collect()
}

/// The first byte of an assertion whose words are looked at, and are others in a file of edition `target`: names that had to
/// be told from keywords, and blocks of 2024 in which temporaries may be dropped by other words.
pub fn retold(text: &str, edition_of: impl Fn(usize) -> u16, target: u16) -> Result<Option<usize>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let is_other = |at: &usize| {
        let word = tokens.at(*at as isize);
        let of = edition_of(tokens.list[*at].range.start);
        let is_keyword = |(name, since): &(&str, u16)| *name == word && of < *since && *since <= target;
        LATER.iter().any(is_keyword) || word == "{" && of >= 2024 && target < 2024
    };
    let found = asserted(&tokens).into_iter().flatten().find(is_other);
    Ok(found.map(|at| tokens.list[at].range.start))
}

/// The first of these bytes that is of what is printed.
pub fn printed_at(text: &str, places: &[usize]) -> Result<Option<usize>> {
    if places.is_empty() {
        return Ok(None);
    }
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let printed = [quoted(&tokens), asserted(&tokens)].concat();
    let is_in = |place: &&usize| printed.iter().any(|range| range.contains(&tokens.from(**place)));
    Ok(places.iter().find(is_in).copied())
}

/// What there is to say where a path of the bundle is printed.
pub fn note(text: &str, crates: &BTreeSet<String>) -> Result<Option<String>> {
    let path = moved_path(&Tokens::new(text, Path::new("bundle"))?, crates);
    Ok(path.map(|path| {
        format!(
            "a macro prints what it is handed, and {path}:: in it is a path of the bundle, not of the project"
        )
    }))
}

/// Words that an edition made keywords, and which one; crates of earlier ones have them as names.
const LATER: [(&str, u16); 5] = [
    ("r#async", 2018),
    ("r#await", 2018),
    ("r#dyn", 2018),
    ("r#try", 2018),
    ("r#gen", 2024),
];

/// `text` with names that had to be told from later keywords as they were where a macro prints them; `edition_of` says
/// what a place was written for.
pub fn as_written(text: &str, edition_of: impl Fn(usize) -> u16) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut edits = Edits::default();
    // What is matched is what was handed.
    for at in quoted(&tokens).into_iter().chain(matched(&tokens)).flatten() {
        let word = tokens.at(at as isize);
        let range = tokens.list[at].range.clone();
        if LATER
            .iter()
            .any(|(name, since)| *name == word && edition_of(range.start) < *since)
        {
            edits.replace(range, unraw(word));
        }
    }
    Ok(edits.apply(text))
}

/// True if [`as_written`] may change a text.
pub fn is_told_apart(text: &str) -> bool {
    LATER.iter().any(|(name, _)| text.contains(name))
}

/// The first path in one of the `crates` that is printed as the bundle has it, and not as its own crate has.
fn moved_path(tokens: &Tokens<'_>, crates: &BTreeSet<String>) -> Option<String> {
    let is_moved = |at: &isize| {
        tokens.at(*at) == "crate" && tokens.at(at + 1) == "::" && crates.contains(tokens.at(at + 2))
    };
    let printed = quoted(tokens).into_iter().flatten().map(|at| at as isize);
    let at = printed.filter(|at| tokens.at(at - 1) != "$").find(is_moved)?;
    Some(format!("crate::{}", tokens.at(at + 2)))
}

const STRINGIFY: &str = "stringify";

/// Macros that print what they are handed, and true where names of such macros cannot be known.
fn printing<'a>(tokens: &Tokens<'a>) -> (BTreeSet<&'a str>, bool) {
    let list = 0..tokens.list.len();
    let defined = list.clone().filter(|open| {
        let at = *open as isize;
        let bang = at - 2 - isize::from(tokens.at(at - 2) == "$");
        tokens.list[*open].kind == Kind::Open
            && tokens.at(bang) == "!"
            && tokens.at(bang - 1) == "macro_rules"
    });
    // Each definition's name and what it calls.
    let rules: Vec<(&str, BTreeSet<&str>)> = defined
        .map(|open| {
            let inside = open + 1..tokens.list[open].pair;
            let names = inside.filter_map(|at| tokens.called(at));
            let at = open as isize;
            let name = if tokens.at(at - 2) == "$" {
                "$"
            } else {
                tokens.at(at - 1)
            };
            (name, names.collect())
        })
        .collect();
    let aliases: Vec<(&str, &str)> = list
        .filter(|at| tokens.at(*at as isize) == "as")
        .map(|at| (tokens.at(at as isize + 1), tokens.at(at as isize - 1)))
        .collect();
    let mut found = BTreeSet::from([STRINGIFY, "$"]);
    loop {
        let before = found.len();
        let by_rule = rules
            .iter()
            .filter(|(_, calls)| !calls.is_disjoint(&found))
            .map(|(name, _)| *name)
            .collect::<Vec<_>>();
        found.extend(by_rule);
        let by_alias = aliases
            .iter()
            .filter(|(_, old)| found.contains(old))
            .map(|(new, _)| *new)
            .collect::<Vec<_>>();
        found.extend(by_alias);
        if found.len() == before {
            break;
        }
    }
    let any = rules
        .iter()
        .any(|(name, calls)| *name == "$" && !calls.is_disjoint(&found));
    (found, any)
}

#[cfg(test)]
mod tests {
    use super::{Tokens, quoted};
    use std::path::Path;

    fn texts(text: &str) -> Vec<String> {
        let tokens = Tokens::new(text, Path::new("test")).unwrap();
        let piece = |range: std::ops::Range<usize>| {
            let bytes = tokens.list[range.start].range.start..tokens.list[range.end - 1].range.end;
            text[bytes].to_owned()
        };
        quoted(&tokens).into_iter().map(piece).collect()
    }

    #[test]
    fn what_is_handed_on_is_quoted() {
        let text = "macro_rules! show { ($e:expr) => { stringify!($e) } }\n\
                    macro_rules! both { ($e:expr) => { (show!($e), $e) } }\n\
                    macro_rules! plain { ($e:expr) => { $e } }\n\
                    use both as two;\n\
                    fn main() { both!(1 + 2); plain!(3 + 4); two!(5 + 6); }\n";
        assert_eq!(texts(text), ["$e", "$e", "1 + 2", "5 + 6"]);
    }

    #[test]
    fn what_is_called_in_an_assertion_is_quoted_where_a_program_looks() {
        let text = "fn f() { assert!(m!(a, b) && c, \"d\"); m!(e); }";
        assert!(texts(text).is_empty());
        let looks = format!("{text} fn g(e: E) {{ e.downcast_ref::<&str>(); }}");
        assert_eq!(texts(&looks), ["a, b"]);
    }

    #[test]
    fn what_is_printed_is_told_apart_from_no_later_keyword() {
        let text = "fn f() { stringify!(r#gen r#dyn r#type); r#gen(); }";
        for (edition, expected) in [
            (2015, "stringify!(gen dyn r#type); r#gen()"),
            (2018, "stringify!(gen r#dyn r#type); r#gen()"),
            (2024, "stringify!(r#gen r#dyn r#type); r#gen()"),
        ] {
            let plain = super::as_written(text, |_| edition).unwrap();
            assert!(plain.contains(expected), "{plain}");
        }
    }

    #[test]
    fn what_a_printing_macro_matches_is_written_as_what_it_is_handed() {
        let rules = "macro_rules! show { (r#async) => { 1 }; ($i:ident) => { stringify!($i) } } \
                     macro_rules! plain { (r#async) => { r#async } }";
        let plain = super::as_written(
            &format!("{rules} fn f() {{ show!(r#async); plain!(r#async); }}"),
            |_| 2015,
        );
        let told = rules.replacen("r#async", "async", 1);
        assert_eq!(
            plain.unwrap(),
            format!("{told} fn f() {{ show!(async); plain!(r#async); }}")
        );
    }

    #[test]
    fn a_blank_is_printed_between_printed_tokens() {
        let text = "fn f() { other!(##); stringify!(##); }";
        let behind = |what: &str| text.find(what).unwrap() + what.len();
        let first = |places: &[usize]| super::first_in(text, places).unwrap();
        assert_eq!(
            first(&[behind("other!(#"), behind("stringify!("), behind("stringify!(##")]),
            None
        );
        let printed = behind("stringify!(#");
        assert_eq!(first(&[behind("other!(#"), printed]), Some(printed));
    }

    #[test]
    fn words_that_are_printed_are_found_wherever_they_stand() {
        let text =
            "macro_rules! show { ($e:expr) => { stringify!($e) } } fn f() { show!(Box<A>); other!(Box<B>); }";
        let of = |what: &str| super::printed_at(text, &[text.find(what).unwrap()]).unwrap();
        assert_eq!(of("Box<A>"), text.find("Box<A>"));
        assert_eq!(of("A>"), text.find("A>"));
        assert_eq!(of("B>"), None);
        let failing = "fn f() { assert!(g().iter()); }";
        let place = [failing.find("iter").unwrap()];
        assert_eq!(super::printed_at(failing, &place).unwrap(), None);
        let looking = format!("{failing} fn h(e: E) {{ e.downcast_ref::<&str>(); }}");
        assert_eq!(super::printed_at(&looking, &place).unwrap(), Some(place[0]));
    }

    #[test]
    fn what_an_assertion_tells_in_other_words_is_found() {
        let of = |words: &str, edition: u16, target: u16| {
            let text = format!("fn f() {{ assert!({words}); }} fn g(e: E) {{ e.downcast_ref::<&str>(); }}");
            super::retold(&text, |_| edition, target).unwrap().is_some()
        };
        assert!(of("m::r#gen() == 4", 2021, 2024) && !of("m::r#gen() == 4", 2024, 2024));
        assert!(of("if let Some(x) = y { x } else { z }", 2024, 2021));
        assert!(!of("if let Some(x) = y { x } else { z }", 2021, 2021) && !of("m() == 4", 2024, 2021));
    }

    #[test]
    fn a_path_that_is_printed_is_found() {
        let crates = ["dep".to_owned()].into();
        let of = |text: &str| super::moved_path(&Tokens::new(text, Path::new("test")).unwrap(), &crates);
        let rules = "macro_rules! show { ($e:expr) => { stringify!($e) } }";
        let calling = |argument: &str| of(&format!("{rules} fn f() {{ show!({argument}); }}"));
        assert_eq!(calling("crate::dep::g()").as_deref(), Some("crate::dep"));
        assert_eq!(calling("crate::own::g()"), None);
        assert_eq!(of("fn f() { plain!(crate::dep::g()); }"), None);
    }

    #[test]
    fn a_name_from_a_caller_makes_every_call_one() {
        let text = "macro_rules! define { ($n:ident, $d:tt) => { macro_rules! $n { ($d e:expr) => { stringify!($d e) } } } }\n\
                    define!(shown, $);\nfn main() { shown!(1 + 2); dbg!(3 + 4); }\n";
        let texts = texts(text);
        assert!(texts.contains(&"1 + 2".to_owned()) && !texts.contains(&"3 + 4".to_owned()));
    }
}
