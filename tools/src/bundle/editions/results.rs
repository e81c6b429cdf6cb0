//! The last value of a block of a newer crate, in a file of an older edition: it is dropped before the block's variables
//! where it is a variable itself, `let x = a.b(); x`, as the compiler says where it is in the way.

use crate::bundle::lex::{Edits, Tokens};
use crate::bundle::shake::Last;
use anyhow::Result;
use std::ops::Range;
use std::path::Path;

/// `text` with these values as variables.
pub fn named(text: &str, values: &[Last]) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut all: Vec<(Range<usize>, String)> = Vec::new();
    for value in values {
        let first = value.edits.iter().map(|(range, _)| range.start).min();
        let begins = |byte: usize| matches!(tokens.before(tokens.from(byte) as isize), "{" | "}" | ";");
        // What a macro makes is named where it is called: as an argument of another, that is no statement.
        match (first.is_some_and(begins), value.held) {
            (false, Some(held)) => all.extend(in_rules(&tokens, held).into_iter().flatten()),
            _ => all.extend(value.edits.iter().cloned()),
        }
    }
    all.sort_by_key(|(range, _)| (range.start, range.end));
    all.dedup();
    let mut edits = Edits::default();
    for (range, with) in all {
        edits.replace(range, with);
    }
    Ok(edits.apply(text))
}

/// The same in the block of a macro's rules that a place is in, if it is in its last expression.
fn in_rules(tokens: &Tokens, byte: usize) -> Option<[(Range<usize>, String); 2]> {
    let at = tokens.from(byte);
    let open = (0..at).rev().find(|k| {
        let token = &tokens.list[*k];
        tokens.at(*k as isize) == "{" && token.pair > at
    })?;
    let close = tokens.list[open].pair;
    let (mut first, mut k) = (open + 1, open + 1);
    while k < close {
        k = match tokens.at(k as isize) {
            "(" | "[" | "{" => tokens.list[k].pair + 1,
            _ => k + 1,
        };
        if tokens.at(k as isize - 1) == ";" {
            first = k;
        }
    }
    if first > at {
        return None;
    }
    let (start, end) = (tokens.list[first].range.start, tokens.list[close].range.start);
    Some([
        (start..start, "let x = ".to_owned()),
        (end..end, "; x ".to_owned()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_named_where_it_is_a_statement_or_in_the_rules_that_make_it() {
        let text = "macro_rules! len { ($e:expr) => {{ let k = of($e); k.borrow().len() }} }\n\
                    fn f() -> usize { let k = of(3); k.borrow().len() }\n\
                    fn main() { println!(\"{} {}\", len!(3), f()); }\n";
        let at = |what: &str| text.find(what).unwrap();
        let edits = |of: Range<usize>| {
            vec![
                (of.start..of.start, "let x = ".to_owned()),
                (of.end..of.end, "; x".to_owned()),
            ]
        };
        let own = text.rfind("k.borrow").unwrap();
        let values = [
            Last {
                edits: edits(own..own + "k.borrow().len()".len()),
                held: Some(own),
            },
            Last {
                edits: edits(at("len!(3)")..at("len!(3)") + 7),
                held: Some(at("k.borrow")),
            },
        ];
        let new = named(text, &values).unwrap();
        assert_eq!(
            new,
            "macro_rules! len { ($e:expr) => {{ let k = of($e); let x = k.borrow().len() ; x }} }\n\
             fn f() -> usize { let k = of(3); let x = k.borrow().len(); x }\n\
             fn main() { println!(\"{} {}\", len!(3), f()); }\n"
        );
    }
}
