//! Panics between editions: what only literal a `panic!` has was no format until 2021.

use crate::bundle::lex::{Edits, Kind, Tokens};
use anyhow::Result;
use std::ops::Range;
use std::path::Path;

/// Up to edition 2018 the only literal of a `panic!` is no format. Those that would read as another are
/// escaped; with `all`, every other gets a format, as both editions then make the same code of it.
pub fn formatted_panics(text: &str, all: bool) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut edits = Edits::default();
    for i in 0..tokens.list.len() {
        if let Some((range, text)) = unformatted_panic(&tokens, i) {
            let is_plain = !text.contains(['{', '}']);
            if !all || is_unreachable(&tokens, i) {
                edits.replace(range, formatted(&tokens, i, text));
            } else if is_plain {
                edits.replace(range.start..range.start, "\"{}\", ");
            } else {
                // Escaped already, for the later edition: here it stands as a value.
                let value = text.replace("{{", "{").replace("}}", "}");
                edits.replace(range, format!("\"{{}}\", {value}"));
            }
        } else if all && is_bare(&tokens, i) {
            let open = tokens.list[i + 2].range.end;
            edits.replace(open..open, "\"{}\", \"explicit panic\"");
        }
    }
    Ok(edits.apply(text))
}

/// True for `panic!()`.
fn is_bare(tokens: &Tokens<'_>, i: usize) -> bool {
    let at = i as isize;
    let is_empty = tokens.list.get(i + 2).is_some_and(|open| open.pair == i + 3);
    tokens.at(at) == "panic" && tokens.at(at + 1) == "!" && is_empty
}

/// Where the only literals of panics stand.
pub fn literals(tokens: &Tokens<'_>) -> Vec<Range<usize>> {
    let all = (0..tokens.list.len()).filter_map(|i| unformatted_panic(tokens, i));
    all.map(|(range, _)| range).collect()
}

/// The only `literal` of the panicking call at token `i` as later editions say what it is until 2018.
pub fn formatted(tokens: &Tokens<'_>, i: usize, literal: &str) -> String {
    if is_unreachable(tokens, i) {
        of_a_value(literal)
    } else {
        escaped(literal)
    }
}

fn is_unreachable(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.at(i as isize) == "unreachable"
}

/// What `unreachable!` is handed for a value. Until 2018 a literal is one, too: the panic holds a `String`, where one with
/// a format that is known when it is compiled holds a `&str`.
pub fn of_a_value(value: &str) -> String {
    format!("\"{{}}\", *&{value}")
}

/// A string literal as a format that prints it.
pub fn escaped(literal: &str) -> String {
    let is_raw = literal.starts_with('r');
    let mut out = String::new();
    let mut rest = literal;
    while let Some(at) = rest.find(['{', '}']) {
        out += &rest[..at];
        let code = !is_raw && rest[at..].starts_with('{') && out.ends_with("\\u");
        if code {
            let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
            out += &rest[at..end];
            rest = &rest[end..];
        } else {
            out += &rest[at..=at].repeat(2);
            rest = &rest[at + 1..];
        }
    }
    out + rest
}

/// The only `literal` of the panicking call at token `i`, a format since 2021, as editions until 2018 say what it is: one
/// without arguments stands as it is printed, as the panic holds a `&str` then.
pub fn as_value(tokens: &Tokens<'_>, i: usize, literal: &str) -> String {
    match printed(literal).filter(|_| !is_unreachable(tokens, i)) {
        Some(plain) => plain,
        None => format!("\"{{}}\", ::core::format_args!({literal})"),
    }
}

/// The string literal that stands for what a format prints; none where it prints arguments.
fn printed(format: &str) -> Option<String> {
    let is_raw = format.starts_with('r');
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        out += &rest[..at];
        rest = &rest[at..];
        if !is_raw && rest.starts_with('{') && out.ends_with("\\u") {
            let end = rest.find('}')? + 1;
            // A brace by its number is one of the format, too.
            let number = u32::from_str_radix(&rest[1..end - 1].replace('_', ""), 16).ok()?;
            if matches!(char::from_u32(number)?, '{' | '}') {
                return None;
            }
            out += &rest[..end];
            rest = &rest[end..];
            continue;
        }
        let brace = &rest[..1];
        if rest[1..].starts_with(brace) {
            out += brace;
            rest = &rest[2..];
        } else {
            return None;
        }
    }
    let is_brace = |code: &str| matches!(code.to_ascii_lowercase().as_str(), "7b" | "7d");
    out += rest;
    let mut codes = out.split("\\x").skip(1).filter_map(|code| code.get(..2));
    let is_plain = is_raw || !codes.any(is_brace);
    is_plain.then_some(out)
}

/// The only literal of the panicking call whose name is token `i`.
pub fn unformatted_panic<'a>(tokens: &Tokens<'a>, i: usize) -> Option<(Range<usize>, &'a str)> {
    let at = i as isize;
    let skipped = match tokens.at(at) {
        "panic" | "unreachable" => 0,
        "assert" | "debug_assert" => 1,
        _ => return None,
    };
    if tokens.at(at + 1) != "!" || tokens.list.get(i + 2)?.kind != Kind::Open {
        return None;
    }
    let close = tokens.list[i + 2].pair;
    let mut start = i + 3;
    for _ in 0..skipped {
        while start < close && tokens.at(start as isize) != "," {
            start = tokens.list[start].pair.max(start) + 1;
        }
        start += 1;
    }
    let mut end = close;
    if tokens.at(end as isize - 1) == "," {
        end -= 1;
    }
    let literal = tokens
        .list
        .get(start)
        .filter(|t| t.kind == Kind::Lit && start + 1 == end)?;
    let text = tokens.at(start as isize);
    let is_string = text.starts_with('"') || text.starts_with('r');
    is_string.then_some((literal.range.clone(), text))
}

#[cfg(test)]
mod tests {
    use super::{escaped, formatted_panics, printed};

    #[test]
    fn the_only_literal_of_a_panic_is_no_format() {
        assert_eq!(escaped(r#""a {} \u{41} }""#), r#""a {{}} \u{41} }}""#);
        let text =
            r#"panic!("{x}"); assert!(f(1, 2), "{}"); panic!("{}", 1); panic!("a"); unreachable!("{x}");"#;
        assert_eq!(
            formatted_panics(text, false).unwrap(),
            r#"panic!("{{x}}"); assert!(f(1, 2), "{{}}"); panic!("{}", 1); panic!("a"); unreachable!("{}", *&"{x}");"#
        );
    }

    #[test]
    fn a_format_without_arguments_is_what_it_prints() {
        for (format, expected) in [
            (r#""a""#, Some(r#""a""#)),
            (r#""{{}} \u{41} }}""#, Some(r#""{} \u{41} }""#)),
            (r##"r#"{{"a"}}"#"##, Some(r##"r#"{"a"}"#"##)),
            (r#""{a}""#, None),
            (r#""{{{}}}""#, None),
            (r#""\u{7b}\u{7b}""#, None),
            (r#""\x7b\x7b""#, None),
        ] {
            assert_eq!(printed(format).as_deref(), expected, "{format}");
        }
    }
}
