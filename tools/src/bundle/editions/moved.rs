//! Where values are dropped elsewhere in the file's edition than in their crate's, and no lint says so.
//!
//! What the last expression of a block holds is dropped at the end of the block since 2024, before with the statement
//! around it. The compiler's lint looks for other values that are dropped in between, not for whatever else is done: in
//! `print({ D(1).get() })` it sees nothing. So the functions that have such a block, or call a macro that may make one, are
//! compiled in both editions, and what they do is compared step by step, see [`steps`](super::steps). So are those with a
//! closure that never returns. A block that makes a pointer is compared with whatever goes, memory too: it may be read.

use super::across::{Macros, is_call};
use super::drops::{Ends, are_shares_asked};
use super::mixed::{Keeps, Mixed};
use super::never;
use super::steps::{Function, PLAIN, differing, functions};
use super::touched::Functions;
use super::{Compile, Editions, Line, Part, is_between, line_at, part_at};
use crate::bundle::TRACE;
use crate::bundle::ends::Held;
use crate::bundle::lex::{Edits, Kind, Tokens};
use crate::bundle::operands::{arguments, operands};
use crate::bundle::rejected::parsed;
use crate::bundle::shake::{self, Compiler, emit};
use anyhow::Result;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

/// Tokens behind which a block is part of an expression; signs of two stand there as two.
const OPERATORS: [&str; 17] = [
    "(", "[", ",", ":", "=", "&", "*", "!", "-", "+", "/", "%", "|", "^", "<", "return", "break",
];

/// The lines of functions that drop something elsewhere in `compile`'s edition than in the one they were written for; none
/// where that cannot be told.
pub fn lines(
    text: &str,
    editions: &Editions,
    compile: &Compile,
    say: &dyn Fn(&str),
) -> Result<Option<Vec<Line>>> {
    let parts = editions.parts(text)?;
    let target = compile.edition;
    let crosses = |edition: u16| is_between(edition, target, 2024);
    if !editions.has(&parts, &crosses) {
        return Ok(Some(Vec::new()));
    }
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let is_theirs = |byte: usize| crosses(editions.at(&parts, byte));
    let ends = Ends::of(&tokens);
    let are_plain = ends.are_plain(compile);
    // Of shared values no lint says anything.
    let mut held = Held::default();
    if are_shares_asked(&tokens) {
        held.visit_file(&parsed(text)?);
    }
    let blocks: Vec<usize> = (0..tokens.list.len())
        .filter(|i| !are_plain && is_operand(&tokens, *i) || is_of_no_type(&tokens, *i))
        .map(|i| tokens.list[i].range.start)
        .chain(never::places(text)?)
        .chain(held.0)
        .filter(|byte| is_theirs(*byte))
        .collect();
    let mut lines = if asks_for_types(&tokens) {
        unsaid_lines(text, &tokens, (&parts, &is_theirs), compile)
    } else {
        Vec::new()
    };
    // Who reads by a pointer what is given back at another time reads something else.
    let pointing =
        (0..tokens.list.len()).filter(|i| target >= 2024 && is_operand(&tokens, *i) && points(&tokens, *i));
    let pointing = pointing
        .map(|i| tokens.list[i].range.start)
        .filter(|byte| is_theirs(*byte));
    for (blocks, ends) in [(blocks, ends), (pointing.collect(), Ends::of_anything())] {
        if blocks.is_empty() {
            continue;
        }
        let Some(others) = elsewhere(text, &tokens, editions, compile, (&blocks, &ends), say)? else {
            return Ok(None);
        };
        lines.extend(others.into_iter().map(|place| {
            let line = line_at(text, &parts, place);
            say(&format!("{TRACE}may be dropped elsewhere: {}", line.line));
            line
        }));
    }
    Ok(Some(lines))
}

/// Where functions with one of these blocks, or what may lead to one, drop something elsewhere of which these ends are noticed.
/// None where that cannot be told.
fn elsewhere(
    text: &str,
    tokens: &Tokens<'_>,
    editions: &Editions,
    compile: &Compile,
    (blocks, ends): (&[usize], &Ends),
    say: &dyn Fn(&str),
) -> Result<Option<Vec<usize>>> {
    let parts = editions.parts(text)?;
    let target = compile.edition;
    let crosses = |edition: u16| is_between(edition, target, 2024);
    let is_theirs = |byte: usize| crosses(editions.at(&parts, byte));
    let macros = Macros::new(tokens, &is_theirs);
    let made = macros.inside(blocks);
    // Of none, all would be meant.
    let leading = if made.is_empty() {
        BTreeSet::new()
    } else {
        macros.leading_to(&made)
    };
    let keeps = |of: &Range<usize>| {
        blocks.iter().any(|block| of.contains(block)) || !made.is_empty() && macros.may_lead(of, &leading)
    };
    // Of other steps between editions the lints tell.
    let mut editions = editions.clone();
    let program = std::iter::once(&mut editions.program);
    for written in program.chain(editions.modules.values_mut()) {
        if !crosses(*written) {
            *written = target;
        }
    }
    let both = (target, if target >= 2024 { 2021 } else { 2024 });
    let asked = (&crosses as &dyn Fn(u16) -> bool, &keeps as Keeps<'_>);
    let Some(others) = other(text, &editions, compile, (both, &[]), asked, ends, say)? else {
        return Ok(None);
    };
    // In the others only what theirs make can differ; the rest is named otherwise out of a macro. The program's own text is
    // a part like each crate's.
    let crate_of = |byte: usize| part_at(&parts, byte).map(|part| &part.0);
    let calls =
        (0..tokens.list.len()).filter(|i| is_call(tokens, *i) && leading.contains(tokens.at(*i as isize)));
    let making: BTreeSet<Option<&String>> = calls.map(|i| crate_of(tokens.list[i].range.start)).collect();
    // It is read with all bodies where it does not compile without those of other functions.
    let functions = Functions::of(text)?;
    let is_kept = |place: usize| {
        let mut around = functions
            .0
            .iter()
            .filter(|(_, range)| range.contains(&place))
            .peekable();
        around.peek().is_none() || around.any(|(_, range)| keeps(range))
    };
    let concerned = others.iter().map(|other| other.place);
    let concerned = concerned.filter(|place| is_theirs(*place) || making.contains(&crate_of(*place)));
    Ok(Some(concerned.filter(|place| is_kept(*place)).collect()))
}

/// What makes a pointer.
const POINTERS: [&str; 6] = [
    "addr_of",
    "addr_of_mut",
    "as_mut_ptr",
    "as_mut_ptr_range",
    "as_ptr",
    "as_ptr_range",
];

/// True if the last value of the block that token `open` opens may be a pointer.
fn points(tokens: &Tokens<'_>, open: usize) -> bool {
    let at = |i: usize| tokens.at(i as isize);
    let end = tokens.list[open].pair;
    let (mut last, mut k) = (open, open + 1);
    while k < end {
        last = if at(k) == ";" { k } else { last };
        k = tokens.list[k].pair.max(k) + 1;
    }
    (last + 1..end).any(|k| {
        let is_cast = at(k) == "as" && at(k + 1) == "*" && matches!(at(k + 2), "const" | "mut");
        POINTERS.contains(&at(k)) || is_cast || at(k) == "&" && at(k + 1) == "raw"
    })
}

/// The lines of functions in which something is of another type in `compile`'s edition than in their crate's, as nothing but
/// a way that never returns says of which: comparing code tells nothing about that.
pub fn fallen(text: &str, editions: &Editions, compile: &Compile) -> Result<Vec<Line>> {
    let parts = editions.parts(text)?;
    let is_theirs = |byte: usize| is_between(editions.at(&parts, byte), compile.edition, 2024);
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let may_be = never::places(text)?.into_iter().any(is_theirs) || asks_for_types(&tokens);
    Ok(if may_be {
        unsaid_lines(text, &tokens, (&parts, &is_theirs), compile)
    } else {
        Vec::new()
    })
}

/// The lines of [`unsaid`] functions that are `theirs`.
fn unsaid_lines(
    text: &str,
    tokens: &Tokens<'_>,
    (parts, are_theirs): (&[Part], &dyn Fn(usize) -> bool),
    compile: &Compile,
) -> Vec<Line> {
    let places = unsaid(text, tokens, compile).into_iter();
    let theirs = places.filter(|place| are_theirs(*place));
    theirs.map(|place| line_at(text, parts, place)).collect()
}

/// A function that does something else in one edition than in another.
pub struct Other {
    /// The words of its path.
    pub path: Vec<String>,
    /// Where it is, or what it is a part of.
    pub place: usize,
}

/// The functions of `text` that do something else where the crates of editions that `stays` names are read as of the one of
/// `both` than where they are read as of the other; of others than those that `keeps` names nothing is told, if it compiles
/// so, with these flags; which ends count is said by `ends`. None where it cannot be told.
pub fn other(
    text: &str,
    editions: &Editions,
    compile: &Compile,
    (both, flags): ((u16, u16), &[&str]),
    (stays, keeps): (&dyn Fn(u16) -> bool, Keeps<'_>),
    ends: &Ends,
    say: &dyn Fn(&str),
) -> Result<Option<Vec<Other>>> {
    let flags = [&PLAIN, flags].concat();
    for read in [shake::hollow(text, keeps)?.as_str(), text] {
        let here = Mixed::read_as(read, editions, compile, both.0, stays, Some(keeps))?;
        let there = Mixed::read_as(read, editions, compile, both.1, stays, Some(keeps))?;
        let made = [&here, &there].map(|mixed| emit(&mixed.text, &mixed.compile, "mir", &flags));
        if let [Ok(ours), Ok(theirs)] = made {
            let tokens = Tokens::new(&here.text, Path::new("bundle"))?;
            let differ = differing(&functions(&theirs, ends), functions(&ours, ends));
            let others = differ.iter().map(|function| {
                let place = place(&tokens, function);
                Other {
                    path: path(function).into_iter().map(str::to_owned).collect(),
                    place: here.back(&(place..place)).start,
                }
            });
            return Ok(Some(others.collect()));
        }
        say(&format!("{TRACE}where values are dropped cannot be compared"));
    }
    Ok(None)
}

/// Names of functions that do something else in `text`, read as one file, than in `original`, where every crate is of its
/// own edition. None where it cannot be told.
pub fn otherwise(
    original: &str,
    text: &str,
    editions: &Editions,
    compile: &Compile,
) -> Result<Option<BTreeSet<String>>> {
    let mixed = Mixed::own(original, editions, compile)?;
    // Of what type a way is that never returns is a matter of the file, not of words in it.
    let of = fallback(if compile.edition < 2024 { "unit" } else { "never" });
    let flags = [&PLAIN[..], &of.each_ref().map(String::as_str)].concat();
    let made = |text: &str, compile: &Compile| emit(text, compile, "mir", &flags);
    let [Ok(theirs), Ok(here)] = [made(&mixed.text, &mixed.compile), made(text, compile)] else {
        return Ok(None);
    };
    let ends = Ends::of(&Tokens::new(text, Path::new("bundle"))?);
    let theirs = functions(&theirs, &ends);
    let mut differ = differing(&theirs, functions(&here, &ends));
    if !differ.is_empty() {
        let mixed = Mixed::of_file(text, editions, compile)?;
        if let Ok(here) = made(&mixed.text, &mixed.compile) {
            differ = differing(&theirs, functions(&here, &ends));
        }
    }
    let name = |function: &Function| {
        let mut words = path(function).into_iter();
        let name = words.rfind(|word| !matches!(*word, "closure" | "promoted"));
        name.unwrap_or_default().to_owned()
    };
    Ok(Some(differ.iter().map(name).collect()))
}

/// True for the brace of a block that is part of an expression, or all that a macro makes.
pub fn is_operand(tokens: &Tokens<'_>, open: usize) -> bool {
    let at = open as isize;
    let token = &tokens.list[open];
    if token.kind != Kind::Open || tokens.at(at) != "{" {
        return false;
    }
    let word = matches!(tokens.at(at - 1), "unsafe" | "const");
    let before = tokens.at(at - 1 - isize::from(word));
    // By itself it ends where the statement does.
    let is_compared = matches!(tokens.at(at - 2 - isize::from(word)), "=" | "!" | "<" | ">");
    let is_all = before == "=" && !is_compared && tokens.at(token.pair as isize + 1) == ";";
    let outer = at - 2 - isize::from(word);
    let is_made = before == "{" && tokens.at(outer) == ">" && tokens.at(outer - 1) == "=";
    let does = (open + 1..token.pair).any(|k| matches!(tokens.at(k as isize), "." | "(" | "!" | "$"));
    does && (is_made || OPERATORS.contains(&before) && !is_all)
}

/// True for what a closure does that returns nothing: what it would return is `()` before 2024, and since then `!`. The
/// lint about that asks for traits only.
fn is_of_no_type(tokens: &Tokens<'_>, word: usize) -> bool {
    let at = word as isize;
    let before = at - 1 - isize::from(tokens.at(at - 1) == "{");
    never::NEVER.contains(&tokens.at(at)) && matches!(tokens.at(before), "|" | "||")
}

/// Flags by which a way that never returns is of this type where nothing says so: `unit`, as before 2024, or `never`.
pub fn fallback(of: &str) -> [String; 2] {
    let option = format!("-Zcrate-attr=rustc_never_type_options(fallback = {of:?})");
    ["-Zcrate-attr=feature(rustc_attrs)".to_owned(), option]
}

/// Words that ask for the name or the size of a type that is not told.
const TYPES: [&str; 8] = [
    "type_name",
    "type_name_of_val",
    "type_id",
    "size_of",
    "size_of_val",
    "align_of",
    "align_of_val",
    "needs_drop",
];

fn asks_for_types(tokens: &Tokens<'_>) -> bool {
    (0..tokens.list.len()).any(|i| TYPES.contains(&tokens.at(i as isize)))
}

/// Where the functions are, in a text that tells what types are, in which nothing but a way that never returns says of
/// what type something is: that is `()` before 2024, and since then `!`. The lint about that asks for traits only.
fn unsaid(text: &str, tokens: &Tokens<'_>, compile: &Compile) -> Vec<usize> {
    let ends = Ends::of(tokens);
    let made = ["unit", "never"].map(|of| {
        let flags = fallback(of);
        let flags = [&PLAIN[..], &flags.each_ref().map(String::as_str)].concat();
        emit(text, compile, "mir", &flags)
    });
    // What does not compile is no bundle either.
    let [Ok(unit), Ok(never)] = made else {
        return Vec::new();
    };
    let differ = differing(&functions(&unit, &ends), functions(&never, &ends));
    differ.iter().map(|function| place(tokens, function)).collect()
}

/// The words of a function's path.
fn path(function: &Function) -> Vec<&str> {
    let head = function.head.trim_start_matches("fn ");
    let path = head
        .split("(_1")
        .next()
        .and_then(|head| head.split("() ->").next());
    let words = path
        .unwrap_or_default()
        .split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty()).collect()
}

/// Where a function of the text is: as its head says, or the first of its name. Of a method the head says where its `impl` is.
fn place(tokens: &Tokens<'_>, function: &Function) -> usize {
    let words = path(function);
    let is_it = |i: &usize| {
        let at = *i as isize;
        tokens.at(at) == "fn" && words.contains(&tokens.at(at + 1))
    };
    let all = tokens.list.len();
    if let Some((line, column)) = function.at {
        let start: usize = tokens
            .text
            .split_inclusive('\n')
            .take(line - 1)
            .map(str::len)
            .sum();
        let rest = &tokens.text[start.min(tokens.text.len())..];
        let start = start + rest.char_indices().nth(column - 1).map_or(0, |(byte, _)| byte);
        let first = tokens.from(start);
        let is_block = tokens.at(first as isize) == "impl";
        let open = (first..all).find(|i| is_block && tokens.at(*i as isize) == "{");
        let mut inside = open.map_or(0..0, |open| open..tokens.list[open].pair);
        return inside.find(is_it).map_or(start, |i| tokens.list[i].range.start);
    }
    let module = words.first().and_then(|first| {
        (0..all).find(|i| tokens.at(*i as isize) == "mod" && tokens.at(*i as isize + 1) == *first)
    });
    let found = (module.unwrap_or(0)..all).find(is_it);
    found.map_or(0, |i| tokens.list[i].range.start)
}

/// `text` in which what blocks of older crates hold that are but an expression is held to the end of the statement, as it
/// was: they are parentheses. `text` as it is where that does not compile.
pub fn opened(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    let parts = editions.parts(text)?;
    let is_older = |edition: u16| edition < 2024;
    if compile.edition < 2024 || !editions.has(&parts, &is_older) {
        return Ok(text.to_owned());
    }
    let mut blocks = Blocks::default();
    blocks.visit_file(&parsed(text)?);
    let mut edits = Edits::default();
    for block in blocks.found {
        if is_older(editions.at(&parts, block.start)) {
            edits.replace(block.start..block.start + 1, "(");
            edits.replace(block.end - 1..block.end, ")");
        }
    }
    let new = edits.apply(text);
    let compiles = new != text && Compiler::new(compile)?.check(&new)?.errors.is_empty();
    Ok(if compiles { new } else { text.to_owned() })
}

/// Blocks without statements that are part of an expression and make a value.
#[derive(Default)]
struct Blocks {
    found: Vec<Range<usize>>,
}

impl Blocks {
    /// Keeps it, if it is one.
    fn add(&mut self, expr: &Expr) {
        let Expr::Block(of) = expr else { return };
        let is_plain = of.attrs.is_empty() && of.label.is_none();
        if let (true, [Stmt::Expr(tail, None)]) = (is_plain, of.block.stmts.as_slice()) {
            let makes = matches!(
                tail,
                Expr::Call(_)
                    | Expr::MethodCall(_)
                    | Expr::Binary(_)
                    | Expr::Cast(_)
                    | Expr::Reference(_)
                    | Expr::Tuple(_)
                    | Expr::Array(_)
            );
            if makes {
                self.found.push(of.block.span().byte_range());
            }
        }
    }
}

impl<'ast> Visit<'ast> for Blocks {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        operands(expr).into_iter().for_each(|operand| self.add(operand));
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        for argument in &arguments(mac) {
            self.add(argument);
            self.visit_expr(argument);
        }
    }
}
