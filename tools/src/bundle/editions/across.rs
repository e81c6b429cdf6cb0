//! Macros of crates on one side of a step between editions that crates on the other side call.
//!
//! What a macro makes is read in the edition it was written in, whoever calls it. The lints are asked of one side only: what
//! its macros become on the other side has to be there to be seen, and of values that a caller gave they say nothing. By
//! words alone: whether anything differs, a comparison of code tells.

use crate::bundle::lex::{Kind, Tokens};
use crate::bundle::older::OF_EXPRESSIONS;
use std::collections::BTreeSet;
use std::ops::Range;

/// Begin an expression in the blocks and arms of which everything ends there.
const OWN_ENDS: [&str; 5] = ["if", "match", "for", "while", "loop"];

/// Macros of the standard library, beside those of expressions, that call no other by a name which they are given.
const STANDARD: [&str; 20] = [
    "addr_of",
    "addr_of_mut",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "env",
    "file",
    "format_args",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "offset_of",
    "option_env",
    "pin",
    "stringify",
    "thread_local",
    "unimplemented",
];

/// The macros of one side.
pub struct Macros<'t> {
    tokens: &'t Tokens<'t>,
    /// Tokens that begin them.
    rules: Vec<usize>,
    /// What all macros are called, of both sides.
    names: BTreeSet<&'t str>,
}

impl<'t> Macros<'t> {
    /// Those that begin where `is_meant` says so.
    pub fn new(tokens: &'t Tokens<'t>, is_meant: &dyn Fn(usize) -> bool) -> Self {
        let all = tokens.macros();
        Self {
            tokens,
            names: all.iter().map(|i| tokens.at(*i as isize + 2)).collect(),
            rules: all
                .into_iter()
                .filter(|i| is_meant(tokens.list[*i].range.start))
                .collect(),
        }
    }

    /// True if one of them may be called in these bytes: under its name, under another, by way of another macro.
    pub fn may_be_called(&self, within: &Range<usize>) -> bool {
        !self.rules.is_empty() && self.may_lead(within, &self.names)
    }

    /// True if a macro of these names is called in these bytes, or one of which no rules are known.
    pub fn may_lead(&self, within: &Range<usize>, leading: &BTreeSet<&str>) -> bool {
        let tokens = self.tokens;
        let leads = |i: usize| {
            let name = tokens.at(i as isize);
            let is_known = OF_EXPRESSIONS.contains(&name) || STANDARD.contains(&name);
            let is_unknown = !is_known && !self.names.contains(name);
            is_ruled_call(tokens, i) && (leading.contains(name) || is_unknown)
        };
        (tokens.from(within.start)..tokens.from(within.end)).any(leads)
    }

    /// What they are called.
    pub fn own_names(&self) -> BTreeSet<&'t str> {
        let names = self.rules.iter().map(|i| self.tokens.at(*i as isize + 2));
        names.collect()
    }

    /// Where they are called in these bytes, by their names.
    pub fn calls(&self, within: &Range<usize>) -> Vec<usize> {
        let tokens = self.tokens;
        let names = self.own_names();
        let calls = (tokens.from(within.start)..tokens.from(within.end))
            .filter(|i| is_ruled_call(tokens, *i) && names.contains(tokens.at(*i as isize)));
        calls.map(|i| tokens.list[i].range.start).collect()
    }

    /// Those of these places that are in one of them.
    pub fn inside(&self, places: &[usize]) -> Vec<usize> {
        places
            .iter()
            .copied()
            .filter(|place| self.holds(*place))
            .collect()
    }

    /// True if a place is in one of them.
    fn holds(&self, place: usize) -> bool {
        self.rules
            .iter()
            .any(|i| self.tokens.definition(*i).contains(&place))
    }

    /// Names of the macros in which these places are, and of those that may call such; of all, where one is in no macro.
    pub fn leading_to(&self, places: &[usize]) -> BTreeSet<&'t str> {
        let tokens = self.tokens;
        if !places.iter().all(|place| self.holds(*place)) {
            return self.names.clone();
        }
        let mut leading = BTreeSet::new();
        loop {
            let before = leading.len();
            for i in &self.rules {
                let is_one = places
                    .iter()
                    .any(|place| self.tokens.definition(*i).contains(place));
                if is_one || self.may_lead(&self.tokens.definition(*i), &leading) {
                    leading.insert(tokens.at(*i as isize + 2));
                }
            }
            if leading.len() == before {
                return leading;
            }
        }
    }

    /// Where those begin that hold, in the last expression of a block with variables, what a caller gave.
    pub fn hold_what_is_given(&self) -> Vec<usize> {
        let tokens = self.tokens;
        let body = |i: usize| i + 4..tokens.list[i + 3].pair;
        // Of a name or a type nothing is held but by words of the macro's own, and these the lints see.
        let is_value = |k: isize| {
            let kind = tokens.at(k + 3);
            let has_kind = tokens.at(k) == "$" && tokens.at(k + 2) == ":";
            has_kind && matches!(kind, "expr" | "expr_2021" | "tt" | "block" | "stmt")
        };
        let values = |i: usize| -> BTreeSet<&str> {
            let at = body(i).map(|k| k as isize);
            at.filter(|k| is_value(*k)).map(|k| tokens.at(k + 1)).collect()
        };
        let holds = |i: &&usize| {
            let values = values(**i);
            body(**i).any(|k| tokens.at(k as isize) == "{" && self.gives_last(k, &values))
        };
        let places = self.rules.iter().filter(holds);
        places.map(|i| tokens.list[*i].range.start).collect()
    }

    /// True if the block that token `open` opens has variables, and one of these parameters in its last expression.
    fn gives_last(&self, open: usize, values: &BTreeSet<&str>) -> bool {
        let tokens = self.tokens;
        let (mut k, end) = (open + 1, tokens.list[open].pair);
        let (mut has_variables, mut last) = (false, k);
        let has_own_ends = |first: usize| OWN_ENDS.contains(&tokens.at(first as isize));
        while k < end {
            let next = if opens(tokens, k) { tokens.list[k].pair } else { k };
            let is_condition = matches!(tokens.at(k as isize - 1), "if" | "while" | "&");
            has_variables |= tokens.at(k as isize) == "let" && !is_condition;
            let is_repeated = next > k
                && tokens.at(k as isize - 1) == "$"
                && matches!(tokens.at(next as isize - 1), ";" | "}");
            k = next + 1;
            if tokens.at(next as isize) == ";" {
                last = k;
            } else if is_repeated {
                // What is repeated is statements; its separator and its sign are none.
                last = k + usize::from(matches!(tokens.at(k as isize), "*" | "+" | "?"));
            } else if k < end
                && tokens.at(next as isize) == "}"
                && has_own_ends(last)
                && !matches!(tokens.at(k as isize), "else" | "." | "?")
            {
                // A loop or a condition without a semicolon is a statement where another one follows.
                last = k;
            }
        }
        let is_given = |k: usize| tokens.at(k as isize) == "$" && values.contains(tokens.at(k as isize + 1));
        let mut k = last;
        while has_variables && k < end {
            // A condition without `let` drops what it holds before anything else is done.
            let is_condition = matches!(tokens.at(k as isize), "if" | "while") && has_own_ends(last);
            let behind = is_condition.then(|| find(tokens, k + 1, "{")).flatten();
            let has_let = |open: usize| (k..open).any(|k| tokens.at(k as isize) == "let");
            if let Some(open) = behind.filter(|open| !has_let(*open)) {
                k = open;
            }
            let next = if opens(tokens, k) { tokens.list[k].pair } else { k };
            // What ends in there is not held until the end of this block.
            let is_body = tokens.at(k as isize) == "{" && has_own_ends(last);
            if !is_body && (k..=next).any(is_given) {
                return true;
            }
            k = next + 1;
        }
        false
    }
}

/// True if token `i` is the name of a macro that is called there.
pub fn is_call(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.at(i as isize + 1) == "!" && tokens.is_word(i as isize) && opens(tokens, i + 2)
}

/// The same in rules, too, where a group may be given: `a!$b`.
fn is_ruled_call(tokens: &Tokens<'_>, i: usize) -> bool {
    let at = i as isize;
    let is_given = tokens.at(at + 1) == "!" && tokens.at(at + 2) == "$" && tokens.is_word(at + 3);
    is_given && tokens.is_word(at) || is_call(tokens, i)
}

/// The first of these words from token `from` on, on the same level; `=` that is no part of `..=`.
pub fn find(tokens: &Tokens<'_>, from: usize, wanted: &str) -> Option<usize> {
    let word = |at: usize| tokens.at(at as isize);
    let is_it = |k: usize| word(k) == wanted && !(wanted == "=" && word(k - 1) == ".");
    let mut k = from;
    while k < tokens.list.len() && !is_it(k) && tokens.list[k].kind != Kind::Close {
        k = tokens.list[k].pair.max(k) + 1;
    }
    (word(k) == wanted).then_some(k)
}

/// True if token `i` opens a group.
pub fn opens(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.list.get(i).is_some_and(|token| token.kind == Kind::Open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_a_caller_gives_is_held_by_the_last_expression_only() {
        for (body, expected) in [
            ("($e:expr) => {{ let a = b(); $e.get() }}", true),
            (
                "($e:expr) => {{ let a = b(); if x { let c = $e; c } else { let d = 1; f($e) } }}",
                true,
            ),
            ("($e:expr) => {{ let a = $e; a.get() }}", false),
            ("($e:expr) => { $e.get() }", false),
            ("($n:ident) => {{ let a = b(); $n(a) }}", false),
            ("($e:expr) => { if let Some(x) = $e { x } else { f($e) } }", false),
            (
                "($($e:expr),*) => {{ let mut v = new(); $(v.push($e);)* v }}",
                false,
            ),
            ("($($e:expr),*) => {{ let mut v = new(); f($($e),*) }}", true),
            ("() => {{ let a = b(); $crate::get(a) }}", false),
            (
                "($e:expr) => {{ let mut a = b(); for x in $e { a.push(x) } a }}",
                false,
            ),
            (
                "($e:expr) => {{ let a = b(); if a.is_full() { a } else { c($e) } }}",
                false,
            ),
            (
                "($a:expr, $e:expr) => {{ let b = $e; if b < $a { $a = b; true } else { false } }}",
                false,
            ),
            (
                "($a:expr) => {{ let b = c(); if b.d() { e() } else if f($a) { g() } else if let H = $a { i() } else { j() } }}",
                true,
            ),
            ("($e:expr) => {{ let a = b(); match $e { x => x.get(a) } }}", true),
            (
                "($e:expr) => {{ let a = b(); if let Some(x) = $e { x } else { a } }}",
                true,
            ),
            ("($e:expr) => {{ let a = b(); match a { x => x }.get($e) }}", true),
            ("($e:expr) => {{ let a = b(); if a { c() } { $e.get() } }}", true),
            (
                "($e:expr) => {{ let a = b(); match f(S { e: $e }) { x => x } }}",
                true,
            ),
        ] {
            let text = format!("macro_rules! m {{ {body} }}");
            let tokens = Tokens::new(&text, Path::new("test")).unwrap();
            let held = Macros::new(&tokens, &|_| true).hold_what_is_given();
            assert_eq!(!held.is_empty(), expected, "{body}");
        }
    }

    #[test]
    fn any_macro_but_a_standard_one_may_lead_to_one() {
        let text = "macro_rules! m { () => {} } fn a() { other::n!(1); } fn b() { println!(\"\"); } fn c() { a != (b) }";
        let tokens = Tokens::new(text, Path::new("test")).unwrap();
        for is_meant in [true, false] {
            let macros = Macros::new(&tokens, &|_| is_meant);
            let calls = ["fn a", "fn b", "fn c"].map(|name| {
                let start = text.find(name).unwrap();
                macros.may_be_called(&(start..start + text[start..].find('}').unwrap()))
            });
            assert_eq!(calls, [is_meant, false, false]);
        }
    }

    #[test]
    fn macros_of_the_standard_library_lead_to_none() {
        let text = "macro_rules! own { () => { 1 } } fn f() -> &'static str { concat!(stringify!(a), line!()) } \
                    fn g() -> u8 { strange!(own) }";
        let tokens = Tokens::new(text, Path::new("test")).unwrap();
        let macros = Macros::new(&tokens, &|_| true);
        let (f, g) = (text.find("fn f").unwrap(), text.find("fn g").unwrap());
        assert!(!macros.may_be_called(&(f..g)));
        assert!(macros.may_be_called(&(g..text.len())));
    }
}
