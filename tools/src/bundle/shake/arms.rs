//! Arms of `macro_rules!` that no call takes.
//!
//! A call takes the first arm that matches it: without one that none takes, every call comes to the same. Which those
//! are the compiler says (`unused_macro_rules`), but not of macros whose names begin with `_`: those have others where
//! it is asked. Arms of macros that macros declare stay. Whether it is the same program is for others to prove.

use super::code::prints_places;
use super::compiler::{Compiler, depends_on_assertions};
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
    let arms = arms(&tokens);
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
