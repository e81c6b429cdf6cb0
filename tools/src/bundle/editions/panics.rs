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
        }
    }
    Ok(edits.apply(text))
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
    use super::{escaped, formatted_panics};

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
}
