//! Arms of `macro_rules!` that no call takes.
//!
//! A call takes the first arm that matches it: without one that none takes, every call comes to the same. Which those
//! are the compiler says (`unused_macro_rules`), but not of macros whose names begin with `_`: those have others where
//! it is asked. Arms of macros that macros declare stay. Whether it is the same program is for others to prove.

use super::code::prints_places;
use super::compiler::{Compiler, depends_on_assertions};
use super::elsewhere::left_open;
use super::nodes::Nodes;
use crate::bundle::alone::Compile;
use crate::bundle::lex::{Edits, Tokens};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// The compiler's name for it.
const LINT: &str = "unused_macro_rules";

/// `text` without such arms, if there are any.
pub fn cut(text: &str, compiler: &Compiler) -> Result<Option<String>> {
    if prints_places(text) {
        return Ok(None);
    }
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut arms = arms(&tokens);
    let open = called_elsewhere(&tokens, compiler.compile())?;
    arms.retain(|arm| !open.contains(arm.name));
    let Some(asked) = named(&tokens, &arms) else {
        return Ok(None);
    };
    let modes: &[Option<&str>] = if depends_on_assertions(text) {
        &[Some("-Cdebug-assertions=on"), Some("-Cdebug-assertions=off")]
    } else {
        &[None]
    };
    let mut idle = arms;
    for mode in modes {
        let mut compile = compiler.compile().clone();
        compile.flags.extend(mode.map(str::to_owned));
        let Some(said) = Compiler::new(&compile)?.lints(&asked, LINT)? else {
            return Ok(None);
        };
        let said = said.into_iter().filter(|linted| linted.calls.is_empty());
        let said: BTreeSet<usize> = said.map(|linted| linted.place.start).collect();
        idle.retain(|arm| said.contains(&arm.range.start));
    }
    let mut edits = Edits::default();
    for arm in idle {
        edits.remove(arm.range);
    }
    let less = edits.apply(text);
    Ok((less.len() < text.len()).then_some(less))
}

/// Macros that may be called where another branch runs than here: they are named there, or by such macros.
fn called_elsewhere<'t>(tokens: &Tokens<'t>, compile: &Compile) -> Result<BTreeSet<&'t str>> {
    let mut called = BTreeSet::new();
    if !tokens.text.contains("target_feature") {
        return Ok(called);
    }
    let mut rules: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for i in tokens.macros() {
        let of = rules.entry(tokens.at(i as isize + 2)).or_default();
        of.push(i + 3..tokens.list[i + 3].pair);
    }
    let nodes = Nodes::new(tokens)?;
    let open = left_open(tokens, &nodes, compile).map(|i| &nodes.list[i].range);
    let mut todo: Vec<Range<usize>> = open
        .map(|range| tokens.from(range.start)..tokens.from(range.end))
        .collect();
    while let Some(range) = todo.pop() {
        for word in range.map(|k| tokens.at(k as isize)) {
            if let (Some(of), true) = (rules.get(word), !called.contains(word)) {
                called.insert(word);
                todo.extend(of.iter().cloned());
            }
        }
    }
    Ok(called)
}

/// One arm.
struct Arm<'a> {
    /// Of the macro.
    name: &'a str,
    /// With its semicolon.
    range: Range<usize>,
}

/// The arms of all macros, but for macros of fewer than two arms and those that macros declare.
fn arms<'a>(tokens: &Tokens<'a>) -> Vec<Arm<'a>> {
    let mut arms = Vec::new();
    let mut last = 0;
    for i in tokens.macros() {
        // A macro in one that came before is declared by it.
        if i < last {
            continue;
        }
        last = tokens.list[i + 3].pair;
        let rules = tokens.rules_in(i + 3);
        for (matcher, made) in rules.iter().filter(|_| rules.len() > 1) {
            let close = tokens.list[*made].pair;
            let end = close + usize::from(tokens.at(close as isize + 1) == ";");
            arms.push(Arm {
                name: tokens.at(i as isize + 2),
                range: tokens.list[*matcher].range.start..tokens.list[end].range.end,
            });
        }
    }
    arms
}

/// The text to be asked about: of the same places, and no macro with such arms begins with `_`. `None` if there are no
/// arms to ask about, or no other names.
fn named(tokens: &Tokens, arms: &[Arm]) -> Option<String> {
    if arms.is_empty() {
        return None;
    }
    let mut names = BTreeMap::new();
    for arm in arms.iter().filter(|arm| arm.name.starts_with('_')) {
        let is_free = |name: &String| {
            !tokens
                .list
                .iter()
                .any(|token| tokens.text[token.range.clone()] == **name)
        };
        let mut others = ('a'..='z').map(|first| format!("{first}{}", &arm.name[1..]));
        names.insert(arm.name, others.find(is_free)?);
    }
    let mut edits = Edits::default();
    for (i, token) in tokens.list.iter().enumerate() {
        if let Some(name) = names.get(tokens.at(i as isize)) {
            edits.replace(token.range.clone(), name.clone());
        }
    }
    Some(edits.apply(tokens.text))
}

#[cfg(test)]
mod tests {
    use super::cut;
    use crate::bundle::alone::Compile;
    use crate::bundle::shake::Compiler;

    fn cut_of(text: &str) -> Option<String> {
        let compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        cut(text, &Compiler::new(&compile).unwrap()).unwrap()
    }

    #[test]
    fn arms_that_no_call_takes_go() {
        let text = "
macro_rules! __sum {
    () => { 0 };
    (neg $($x:tt)*) => { -__sum!($($x)*) };
    ($x:tt $($rest:tt)*) => { $x + __sum!($($rest)*) };
    ($($x:tt)*) => { compile_error!(\"no sum\") }
}
macro_rules! inner {
    (a) => { macro_rules! made { (b) => { 1 }; (c) => { 2 } } };
    (b) => {};
}
macro_rules! alone { ($x:expr) => { $x } }
inner!(a);
fn main() { println!(\"{}\", __sum!(1 2) + made!(c) + alone!(3)); }
";
        let less = cut_of(text).unwrap();
        let has = |piece: &str| less.contains(piece);
        assert!(!has("neg") && has("() => { 0 };") && has("$rest"), "{less}");
        assert!(has("(b) => { 1 }; (c)") && !has("(b) => {};"), "{less}");
        assert!(has("alone { ($x:expr)") && has("made!(c)"), "{less}");
        assert!(cut_of(&less).is_none(), "{less}");
    }

    #[test]
    fn arms_that_another_machine_calls_stay() {
        let text = "
macro_rules! low { ($of:ident hard) => { 1 }; ($of:ident) => { soft!($of) }; ($of:ident never) => { 2 } }
macro_rules! soft { ($of:ident) => { $of + 1 }; () => { 3 } }
macro_rules! other { ($of:ident) => { $of }; () => { 4 } }
fn main() {
    let x = 3;
    #[cfg(not(target_feature = \"bmi2\"))] println!(\"{}\", low!(x hard));
    #[cfg(target_feature = \"bmi2\")] println!(\"{}\", low!(x));
    println!(\"{}\", of(x));
}
fn of(x: u8) -> u8 { other!(x) }
";
        let less = cut_of(text).unwrap();
        assert_eq!(less, text.replace("() => { 4 }", ""));
    }

    #[test]
    fn arms_of_either_build_stay() {
        let text = "
macro_rules! of { (debug) => { 1 }; (release) => { 2 }; (neither) => { 3 }; ($($x:tt)*) => { 4 } }
fn main() {
    #[cfg(debug_assertions)]
    println!(\"{}\", of!(debug));
    #[cfg(not(debug_assertions))]
    println!(\"{}\", of!(release));
}
";
        let less = cut_of(text).unwrap();
        assert!(less.contains("(debug) => { 1 }; (release) => { 2 };"), "{less}");
        assert!(!less.contains("neither") && !less.contains("$x"), "{less}");
        assert_eq!(
            cut_of(&text.replace("println!(\"{}\", of!(debug))", "line!()")),
            None
        );
    }
}
