//! What a rule of a macro makes, read as if it stood in the text: every byte where it is, with names for parameters, and
//! what is repeated once.
//!
//! Whether that is what the rule makes for some arguments does not matter: it is read to find conditions and blocks, and
//! words are put in around what stands in one repetition with all of itself.

use crate::bundle::lex::Tokens;
use std::collections::BTreeSet;
use std::ops::Range;

/// The text of a rule that can be parsed, if anything can.
pub struct Ruled {
    /// Blanks up to the rule, and what it makes.
    pub text: String,
    /// What is repeated: from `$(` to the sign of how often.
    pub repeated: Vec<Range<usize>>,
}

/// What is made in the group that token `open` opens by the rule of the matcher at `matcher`; `None` where a `$` is none of
/// a parameter's or of a repetition's.
pub fn read(tokens: &Tokens<'_>, matcher: usize, open: usize) -> Option<Ruled> {
    let close = tokens.list[open].pair;
    let within = tokens.list[open].range.end..tokens.list[close].range.start;
    let mut text = " ".repeat(within.start) + &tokens.text[within];
    let mut repeated = Vec::new();
    let blocks = blocks(tokens, matcher);
    let blank = |text: &mut String, range: &Range<usize>| {
        text.replace_range(range.clone(), &" ".repeat(range.len()));
    };
    for k in (open..close).filter(|k| tokens.at(*k as isize) == "$") {
        let at = k as isize;
        let [dollar, next] = [k, k + 1].map(|k| tokens.list[k].range.clone());
        if tokens.at(at + 1) == "(" {
            let end = tokens.list[k + 1].pair;
            let sign = sign(tokens, end, close)?;
            let behind = tokens.list[end].range.start..tokens.list[sign].range.end;
            repeated.push(dollar.start..behind.end);
            blank(&mut text, &(dollar.start..next.end));
            blank(&mut text, &behind);
        } else if !tokens.is_word(at + 1) || dollar.end != next.start {
            return None;
        } else if blocks.contains(tokens.at(at + 1)) {
            let length = next.end - dollar.start;
            text.replace_range(dollar.start..next.end, &format!("{{{}}}", " ".repeat(length - 2)));
        } else {
            // What begins with a capital may be held.
            text.replace_range(dollar, "Z");
        }
    }
    Some(Ruled { text, repeated })
}

/// The token that says how often the group before token `end` is repeated, behind what stands between.
fn sign(tokens: &Tokens<'_>, end: usize, close: usize) -> Option<usize> {
    // An arrow is of two.
    (end + 1..close.min(end + 4)).find(|k| matches!(tokens.at(*k as isize), "*" | "+" | "?"))
}

/// The parameters that are blocks.
fn blocks<'t>(tokens: &'t Tokens<'_>, matcher: usize) -> BTreeSet<&'t str> {
    let inside = matcher..tokens.list[matcher].pair;
    let is_block = |k: &usize| {
        let at = *k as isize;
        tokens.at(at) == "$" && tokens.at(at + 2) == ":" && tokens.at(at + 3) == "block"
    };
    inside
        .filter(is_block)
        .map(|k| tokens.at(k as isize + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn every_byte_is_where_it_was() {
        for (rule, expected, repeated) in [
            (
                "($($x:expr),* ; $b:block) => { if a { $( f($x); )* } else $b }",
                "if a { f(Zx); } else {}",
                vec!["$( f($x); )*"],
            ),
            (
                "($($k:expr => $v:expr),*) => { [$($k => { $v }),+] }",
                "[ Zk => { Zv } ]",
                vec!["$($k => { $v }),+"],
            ),
            (
                "($($($x:expr)=>*),*) => { $($(g($x))=>*);* }",
                "g(Zx)",
                vec!["$($(g($x))=>*);*", "$(g($x))=>*"],
            ),
        ] {
            let text = format!("macro_rules! m {{ {rule} }}");
            let tokens = Tokens::new(&text, Path::new("test")).unwrap();
            let (matcher, made) = tokens.rules_in(3)[0];
            let ruled = read(&tokens, matcher, made).unwrap();
            let close = tokens.list[made].pair;
            assert_eq!(ruled.text.len(), tokens.list[close].range.start);
            let words: Vec<&str> = ruled.text.split_whitespace().collect();
            assert_eq!(words.join(" "), expected);
            let places: Vec<&str> = ruled.repeated.iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(places, repeated);
        }
    }
}
