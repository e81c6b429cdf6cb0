//! Arguments of macros that the macro does nothing with.
//!
//! A `macro_rules!` of which parts were cut may leave some of what it matches unused: then the pattern need not
//! ask for it, and its calls need not say it. Only macros of one rule whose every call stands in plain code are
//! touched. Whether it is the same program is for others to prove.

use crate::bundle::lex::{Edits, Tokens};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;

/// A part of a pattern, with its tokens.
enum Part {
    Token(usize),
    Group(usize, Vec<Part>),
    Variable {
        name: String,
        kind: String,
        tokens: Range<usize>,
    },
    Repeat {
        parts: Vec<Part>,
        separator: Option<usize>,
        once: bool,
        tokens: Range<usize>,
    },
}

/// A macro of one rule.
struct Rule {
    pattern: Vec<Part>,
    /// Tokens from `macro_rules` to its end.
    whole: Range<usize>,
    /// Variables that it uses.
    used: BTreeSet<String>,
}

/// `text` without what no macro uses; `None` if there is nothing.
pub fn cut(text: &str) -> Option<String> {
    let tokens = Tokens::new(text, Path::new("bundle")).ok()?;
    let mut rules = rules(&tokens);
    rules.retain(|_, rule| rule.pattern.iter().any(|part| part.has_unused(&rule.used)));
    let mut cuts: HashMap<&str, Option<Vec<Range<usize>>>> = HashMap::new();
    for (name, rule) in &rules {
        let mut own = Vec::new();
        unused(&tokens, &rule.pattern, &rule.used, &mut own);
        cuts.insert(name, Some(own));
    }
    for i in 0..tokens.list.len() {
        let at = i as isize;
        let Some(rule) = rules.get(tokens.at(at)).filter(|_| tokens.at(at + 1) == "!") else {
            continue;
        };
        let Some(open) = tokens.list.get(i + 2).filter(|open| open.pair > i + 2) else {
            continue;
        };
        let slot = cuts.get_mut(tokens.at(at)).expect("every rule has one");
        let mut found = Vec::new();
        let mut matcher = Matcher {
            tokens: &tokens,
            used: &rule.used,
            cuts: &mut found,
        };
        let end = matcher.all(&rule.pattern, i + 3, open.pair);
        let plain = (i + 3..open.pair).all(|k| tokens.at(k as isize) != "$");
        match slot {
            Some(list) if plain && end == Some(open.pair) && !rule.whole.contains(&i) => list.extend(found),
            _ => *slot = None,
        }
    }
    let mut edits = Edits::default();
    let mut changed = false;
    for range in cuts
        .into_values()
        .flatten()
        .flatten()
        .filter(|range| !range.is_empty())
    {
        let bytes = tokens.list[range.start].range.start..tokens.list[range.end - 1].range.end;
        let start = text[..bytes.start].trim_end_matches([' ', '\t']).len();
        edits.remove(start..bytes.end);
        changed = true;
    }
    changed.then(|| edits.apply(text))
}

/// Macros of one rule by name; a name that occurs twice is none.
fn rules<'t>(tokens: &Tokens<'t>) -> HashMap<&'t str, Rule> {
    let mut rules = HashMap::new();
    let mut seen = BTreeSet::new();
    for i in 0..tokens.list.len() {
        let at = i as isize;
        if tokens.at(at) != "macro_rules" || tokens.at(at + 1) != "!" || !tokens.is_word(at + 2) {
            continue;
        }
        let name = tokens.at(at + 2);
        if !seen.insert(name) {
            rules.remove(name);
            continue;
        }
        if let Some(rule) = rule(tokens, i) {
            rules.insert(name, rule);
        }
    }
    rules
}

fn rule(tokens: &Tokens, i: usize) -> Option<Rule> {
    let end = tokens.list.get(i + 3)?.pair;
    let open = i + 4;
    let close = tokens.list.get(open)?.pair;
    let body = close + 3;
    if tokens.at(close as isize + 1) != "=" || tokens.at(close as isize + 2) != ">" {
        return None;
    }
    let body_end = tokens.list.get(body)?.pair;
    let rest: Vec<&str> = (body_end + 1..end).map(|k| tokens.at(k as isize)).collect();
    if body_end <= body || !matches!(rest.as_slice(), [] | [";"]) {
        return None;
    }
    let used = (body..body_end).filter(|k| tokens.at(*k as isize) == "$");
    Some(Rule {
        pattern: pattern(tokens, open + 1, close)?,
        whole: i..end + 1,
        used: used.map(|k| tokens.at(k as isize + 1).to_owned()).collect(),
    })
}

fn pattern(tokens: &Tokens, from: usize, to: usize) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut i = from;
    while i < to {
        let at = i as isize;
        let pair = tokens.list[i].pair;
        if tokens.at(at) == "$" && tokens.at(at + 1) == "(" {
            let close = tokens.list[i + 1].pair;
            let inner = pattern(tokens, i + 2, close)?;
            let is_operator = |k: usize| matches!(tokens.at(k as isize), "*" | "+" | "?");
            let operator = if is_operator(close + 1) {
                close + 1
            } else {
                close + 2
            };
            if !is_operator(operator) {
                return None;
            }
            parts.push(Part::Repeat {
                parts: inner,
                separator: (operator > close + 1).then_some(close + 1),
                once: tokens.at(operator as isize) == "?",
                tokens: i..operator + 1,
            });
            i = operator + 1;
        } else if tokens.at(at) == "$" {
            if tokens.at(at + 2) != ":" {
                return None;
            }
            parts.push(Part::Variable {
                name: tokens.at(at + 1).to_owned(),
                kind: tokens.at(at + 3).to_owned(),
                tokens: i..i + 4,
            });
            i += 4;
        } else if pair > i {
            parts.push(Part::Group(i, pattern(tokens, i + 1, pair)?));
            i = pair + 1;
        } else {
            parts.push(Part::Token(i));
            i += 1;
        }
    }
    Some(parts)
}

impl Part {
    fn variables(&self) -> Vec<&str> {
        match self {
            Self::Token(_) => Vec::new(),
            Self::Variable { name, .. } => vec![name],
            Self::Group(_, parts) | Self::Repeat { parts, .. } => {
                parts.iter().flat_map(Self::variables).collect()
            }
        }
    }

    fn has_unused(&self, used: &BTreeSet<String>) -> bool {
        self.variables().iter().any(|name| !used.contains(*name))
    }

    /// True if all of it can go.
    fn is_unused(&self, used: &BTreeSet<String>) -> bool {
        let variables = self.variables();
        let is_whole = matches!(self, Self::Variable { .. } | Self::Repeat { .. });
        is_whole && !variables.is_empty() && variables.iter().all(|name| !used.contains(*name))
    }
}

/// True if the part behind the comma `parts[n]` goes, and the comma with it; or if it is a colon or `=` and all before it
/// goes.
fn falls(tokens: &Tokens, parts: &[Part], n: usize, used: &BTreeSet<String>) -> bool {
    let Part::Token(i) = parts[n] else {
        return false;
    };
    match tokens.at(i as isize) {
        "," => matches!(parts.get(n + 1), Some(part @ Part::Variable { .. }) if part.is_unused(used)),
        ":" | "=" => {
            let gone = |k: usize| parts[k].is_unused(used) || falls(tokens, parts, k, used);
            n > 0 && (0..n).all(gone)
        }
        _ => false,
    }
}

/// Tokens of the pattern itself that go.
fn unused(tokens: &Tokens, parts: &[Part], used: &BTreeSet<String>, cuts: &mut Vec<Range<usize>>) {
    for (n, part) in parts.iter().enumerate() {
        match part {
            Part::Token(i) if falls(tokens, parts, n, used) => cuts.push(*i..i + 1),
            Part::Variable { tokens: range, .. } | Part::Repeat { tokens: range, .. }
                if part.is_unused(used) =>
            {
                cuts.push(range.clone());
            }
            Part::Group(_, parts) | Part::Repeat { parts, .. } => unused(tokens, parts, used, cuts),
            _ => {}
        }
    }
}

/// Follows a pattern along the tokens of a call.
struct Matcher<'t> {
    tokens: &'t Tokens<'t>,
    used: &'t BTreeSet<String>,
    cuts: &'t mut Vec<Range<usize>>,
}

impl Matcher<'_> {
    /// Where `parts` end that begin at `from`; nothing if they are not there.
    fn all(&mut self, parts: &[Part], from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        for (n, part) in parts.iter().enumerate() {
            let end = self.one(part, at, to)?;
            let is_gone = part.is_unused(self.used) || falls(self.tokens, parts, n, self.used);
            if is_gone && end > at {
                self.cuts.push(at..end);
            }
            at = end;
        }
        Some(at)
    }

    fn one(&mut self, part: &Part, at: usize, to: usize) -> Option<usize> {
        let tokens = self.tokens;
        match part {
            Part::Token(i) => (at < to && tokens.at(*i as isize) == tokens.at(at as isize)).then_some(at + 1),
            Part::Group(i, parts) => {
                if at >= to || tokens.at(*i as isize) != tokens.at(at as isize) {
                    return None;
                }
                let close = tokens.list[at].pair;
                (self.all(parts, at + 1, close)? == close).then_some(close + 1)
            }
            Part::Variable { kind, .. } => self.fragment(kind, at, to),
            Part::Repeat {
                parts,
                separator,
                once,
                ..
            } => {
                let mut end = at;
                loop {
                    let before = self.cuts.len();
                    let mut next = end;
                    if let Some(separator) = separator.filter(|_| end > at) {
                        if next >= to || tokens.at(separator as isize) != tokens.at(next as isize) {
                            return Some(end);
                        }
                        next += 1;
                    }
                    match self.all(parts, next, to) {
                        Some(found) if found > next => end = found,
                        _ => {
                            self.cuts.truncate(before);
                            return Some(end);
                        }
                    }
                    if *once {
                        return Some(end);
                    }
                }
            }
        }
    }

    /// Where a fragment of this kind ends.
    fn fragment(&self, kind: &str, at: usize, to: usize) -> Option<usize> {
        let tokens = self.tokens;
        if at >= to {
            return (kind == "vis").then_some(at);
        }
        let first = &tokens.list[at];
        match kind {
            "tt" => return Some(first.pair.max(at) + 1),
            "ident" => return tokens.is_word(at as isize).then_some(at + 1),
            _ => {}
        }
        let text = &tokens.text[first.range.start..tokens.list[to - 1].range.end];
        let end = match kind {
            "expr" => end_of(text, <syn::Expr as syn::parse::Parse>::parse),
            "ty" => end_of(text, <syn::Type as syn::parse::Parse>::parse),
            "path" => end_of(text, <syn::Path as syn::parse::Parse>::parse),
            "literal" => end_of(text, <syn::Lit as syn::parse::Parse>::parse),
            "meta" => end_of(text, <syn::Meta as syn::parse::Parse>::parse),
            "block" => end_of(text, <syn::Block as syn::parse::Parse>::parse),
            "lifetime" => end_of(text, <syn::Lifetime as syn::parse::Parse>::parse),
            _ => None,
        }?;
        Some(tokens.from(first.range.start + end))
    }
}

/// Bytes of `text` that a fragment at its start takes.
fn end_of<T: Spanned>(text: &str, parse: impl Fn(ParseStream) -> syn::Result<T>) -> Option<usize> {
    let whole = |input: ParseStream| -> syn::Result<usize> {
        let found = parse(input)?;
        let _: proc_macro2::TokenStream = input.parse()?;
        Ok(found.span().byte_range().end)
    };
    whole.parse_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn unused_arguments_go() {
        let text = "
macro_rules! numbers {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($field:ident : $t:ty = $value:expr, $min:expr, $max:expr $(, hand $hand:expr)?;)*
    }) => {
        $(#[$meta])* pub struct $name { $(pub $field: $t,)* }
        impl $name { pub const DEFAULT: Self = Self { $($field: $value,)* }; }
    };
}
crate::numbers! {
    #[derive(Clone)]
    pub struct Weights {
        a: f32 = 1.5, -4.0, f(3, 4);
        b: Vec<u8, X> = Vec::<u8, X>::new(), 2 + 3, { 4 }, hand -7;
    }
}
macro_rules! table { ($($label:ident : $kind:ty = $item:expr, $low:expr;)*) => { [$($item),*] }; }
const TABLE: [i32; 2] = crate::table! { c: i32 = -7, 1; d: i32 = 8, 2; };
macro_rules! all { ($a:expr, $b:expr) => { $a + $b }; }
macro_rules! first { ($a:expr, $b:expr) => { $a }; }
macro_rules! outer { ($a:expr) => { first!($a, 1) }; }
";
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let left = bare(&cut(text).unwrap());
        let calls = "pubstructWeights{a:f32=1.5;b:Vec<u8,X>=Vec::<u8,X>::new();}";
        assert!(left.contains(calls), "{left}");
        assert!(
            left.contains(
                "{$($field:$t:ty=$value:expr;)*}"
                    .replace("$field:", "$field:ident:")
                    .as_str()
            ),
            "{left}"
        );
        assert!(left.contains("table{($($item:expr;)*)"), "{left}");
        assert!(left.contains("crate::table!{-7;8;}"), "{left}");
        // Called from another macro: left alone.
        assert!(left.contains("first{($a:expr,$b:expr)"), "{left}");
        assert!(
            cut(&left
                .replace("first!", "all!")
                .replace("first{($a:expr,$b:expr)", "f{($a:expr)"))
            .is_none()
        );
    }
}
