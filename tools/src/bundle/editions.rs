//! One file has one edition; the crates in it were written for several.
//!
//! What reads differently is translated where it stands (see [`walk`](super::walk) and
//! [`rewrite`](super::rewrite)); what runs differently is found by comparing code. The reference is the same
//! text in which every crate keeps its own edition: the compiler takes a token's edition from where it was
//! written, so each foreign module is put into a macro of a helper crate of its edition, and the program
//! calls the macro. The two must have the same functions with the same code. Where they do not, the lints of
//! `cargo fix --edition` are asked for a translation, and if that does not help the bundle is refused.

mod across;
mod bare;
mod boxed;
mod branches;
mod captures;
mod clones;
mod differs;
mod drops;
pub mod foreign;
pub mod fragments;
mod held;
mod judged;
mod loops;
mod matched;
mod mixed;
mod moved;
mod never;
mod panics;
mod parts;
mod plain;
mod reference;
mod results;
mod steps;
mod tails;
mod touched;
mod unread;
mod whole;

use super::TRACE;
use super::alone::Compile;
use super::lex::{Edits, Kind, Tokens};
use super::quoted;
use super::rejected::parsed;
use super::shake::{self, Code, Compiler, Linted};
use anyhow::{Result, bail};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

use across::Macros;
pub use boxed::taken_apart;
use clones::cloned;
pub use differs::{Differs, Line};
use drops::Ends;
pub use judged::judged;
use mixed::Mixed;
pub use mixed::compiles;
pub use panics::{formatted, of_a_value, unformatted_panic};
pub use parts::Editions;
use parts::{Part, at_least_2018, part_at};
pub use reference::Apart;
use reference::{Reference, alike, compared, rules, settled};
use touched::Touched;
pub use unread::{Unread, unread};
use whole::measured;

/// `text`, or a translation of it that means in `compile`'s edition what its crates mean in theirs.
///
/// `original` is `text` before anything was done to it that lints suggested.
pub fn translate(
    original: &str,
    text: &str,
    editions: &Editions,
    compile: &Compile,
    say: &dyn Fn(&str),
) -> Result<String> {
    if editions.is_all(compile.edition, text)? {
        return Ok(text.to_owned());
    }
    fragments::given(text, editions, compile.edition)?;
    // No lint is about what is measured or cloned: that comes first.
    let measured = measured(text, editions, compile)?;
    let (original, text) = measured.as_deref().map_or((original, text), |text| (text, text));
    let cloned = cloned(text, editions, compile)?;
    let (original, text) = cloned.as_deref().map_or((original, text), |text| (text, text));
    // Lints are soon asked; that both have the same code takes the compiler longer to show.
    say("translating between editions");
    let mut seen = unlike(original, text, editions, compile, say)?;
    if seen.as_ref().is_some_and(Vec::is_empty) {
        return settled(original, text, editions, compile, say);
    }
    let first = seen.clone();
    // What the lints suggest keeps the meaning that it had; where they then see nothing more, both editions agree.
    let mut mended = text.to_owned();
    let mut last = original.to_owned();
    let mut is_in_rules = false;
    for _ in 0..MENDS {
        if mended != original {
            let left = unlike(&mended, &mended, editions, compile, say)?;
            if left.as_ref().is_some_and(Vec::is_empty) {
                // What a lint suggests for one call of a macro may not hold for another.
                let since = if is_in_rules { original } else { &mended };
                return settled(since, &mended, editions, compile, say);
            }
            if left.is_some() {
                (seen, last) = (left, mended.clone());
            }
        }
        let more = fix(&mended, editions, compile)?;
        is_in_rules |= rules(&mended)? != rules(&more)?;
        let more = branches::as_matches(&more, editions, compile)?;
        let more = tails::hoisted(&more, editions, compile)?;
        let more = moved::opened(&more, editions, compile)?;
        let more = never::said(&more, editions, compile)?;
        if more == mended {
            break;
        }
        mended = more;
    }
    let differs = |differs: &BTreeSet<String>, lines: Vec<Line>| {
        anyhow::Error::new(Differs::new(editions, compile.edition, differs, lines))
    };
    // A newer crate is soon told to drop its temporaries where it would: that is tried before anything is compared.
    if editions.may_rescope
        && seen
            .iter()
            .flatten()
            .any(|line| editions.of(&line.module) > compile.edition)
    {
        return Err(differs(&BTreeSet::new(), seen.unwrap_or_default()));
    }
    say("comparing the editions of its crates");
    // No text is refused for want of time.
    let mut endless = compile.clone();
    endless.budget = compile.budget.without_end();
    let few = first.zip(seen.clone()).and_then(|(first, left)| {
        let lines = [first, left].concat();
        let few = editions.of_those_in(original, &lines, compile.edition).ok()?;
        let reference = few.written(original, text, compile.edition).ok()?;
        Some((Reference::new(&reference, &few, &endless).ok()?, few))
    });
    if let (Some(left), Some((reference, few))) = (&seen, &few) {
        let touched = Touched::of(&last, left)?;
        let found = alike(&last, few).and_then(|text| {
            let code = Code::of(&text, &endless, &HashMap::new());
            reference.code().strays(&code)
        });
        if found.is_ok_and(|found| found.iter().all(|item| touched.spares(item))) {
            return Ok(last);
        }
    }
    let of_few = few.and_then(|(reference, few)| compared(&reference, text, &few, &endless).ok());
    let of_all = || {
        compared(
            &Reference::new(original, editions, &endless)?,
            text,
            editions,
            &endless,
        )
    };
    let outcome = match of_few.map_or_else(of_all, Ok) {
        // What is not reached in the file's edition may be missing in another one.
        Err(_) if seen.as_ref().is_some_and(|seen| !seen.is_empty()) => Err(BTreeSet::new()),
        outcome => outcome?,
    };
    let new = outcome.map_err(|found| differs(&found, seen.unwrap_or_default()))?;
    let fallen = moved::fallen(&new, editions, compile)?;
    if fallen.is_empty() {
        return Ok(new);
    }
    Err(differs(&BTreeSet::new(), fallen))
}

/// What may run otherwise in `text`: what the lints see in `original`, and values that are dropped elsewhere, of which they
/// say nothing. `None` where that cannot be told.
fn unlike(
    original: &str,
    text: &str,
    editions: &Editions,
    compile: &Compile,
    say: &dyn Fn(&str),
) -> Result<Option<Vec<Line>>> {
    let Some(mut seen) = noticed(original, editions, compile, say)? else {
        return Ok(None);
    };
    let moved = moved::lines(text, editions, compile, say)?;
    if moved.is_none() && seen.is_empty() {
        return Ok(None);
    }
    seen.extend(moved.unwrap_or_default());
    Ok(Some(seen))
}

/// How often suggestions are asked for anew.
const MENDS: usize = 3;
/// Errors that a trace shows.
const TOLD: usize = 4;

/// What runs otherwise in 2024.
const LINTS_OF_2024: &str =
    "if_let_rescope tail_expr_drop_order boxed_slice_into_iter dependency_on_unit_never_type_fallback";

/// The same where it cannot be noticed of any value when it goes.
const LINTS_OF_PLAIN: &str = "boxed_slice_into_iter dependency_on_unit_never_type_fallback";

/// Editions before and since which words mean something else, and the lints about what runs otherwise since then.
const STEPS: [(u16, u16, &str); 2] = [
    (2018, 2021, "rust_2021_compatibility"),
    (2021, 2024, LINTS_OF_2024),
];

/// True if the edition `step` changed what words mean between one edition and the other.
fn is_between(one: u16, other: u16, step: u16) -> bool {
    (one < step) != (other < step)
}

/// What the `lints` say where the crates of editions that `stays` names are read as `written`, with the bodies out of other
/// functions than `keeps` names if it compiles so. None where it does not compile at all.
fn linted(
    text: &str,
    editions: &Editions,
    compile: &Compile,
    (written, lints): (u16, &str),
    stays: &dyn Fn(u16) -> bool,
    keeps: &dyn Fn(&Range<usize>) -> bool,
    say: &dyn Fn(&str),
) -> Result<Option<(Mixed, Vec<Linted>)>> {
    let hollow = shake::hollow(text, keeps)?;
    for text in [hollow.as_str(), text] {
        // What a later edition says by itself in signatures, and what closures elsewhere hold, is no matter here.
        let mut edits = Edits::default();
        // Functions that the older edition cannot read and nobody asks about.
        let mut failed: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..=MENDS {
            let (mended, shifts) = edits.clone().shifting(text);
            let before = |range: &Range<usize>| {
                let [start, end] = [range.start, range.end].map(|at| mixed::back(&shifts, at));
                start..end
            };
            let keeps_mended = |range: &Range<usize>| keeps(&before(range));
            let is_failed = |range: &Range<usize>| failed.range(before(range)).next().is_some();
            let apart = mixed::unread(&mended, (written, stays), &keeps_mended, &is_failed)?;
            let mixed = Mixed::read_apart(&mended, editions, compile, written, stays, &apart)?;
            let mixed = mixed.of_shifted(shifts);
            let compiler = Compiler::new(&mixed.compile)?;
            if let Some(places) = compiler.lints(&mixed.text, lints)? {
                return Ok(Some((mixed, places)));
            }
            let newer = compiler.newer(&mixed.text)?;
            let held: Vec<Range<usize>> = newer.held.iter().map(|place| mixed.back(place)).collect();
            let moved = newer.moved.into_iter();
            let moved: Vec<(Range<usize>, String)> = moved
                .map(|(place, with)| (mixed.back(&place), with))
                .filter(|(place, _)| !keeps(&(place.start..place.start + 1)))
                .collect();
            let before = failed.len();
            let places = newer.errors.iter().flat_map(|error| &error.spans);
            failed.extend(places.map(|place| mixed.back(place).start));
            if held.is_empty() && moved.is_empty() && failed.len() == before {
                for error in newer.errors.iter().take(TOLD) {
                    say(&format!("{TRACE}{}", error.rendered));
                }
                break;
            }
            edits.add(captures::naming(text, &held)?);
            for (place, with) in moved {
                edits.replace(place, with);
            }
        }
        say(&format!("{TRACE}read as {written} it does not compile"));
    }
    Ok(None)
}

/// What the lints of `cargo fix --edition` see in the crates concerned that could be noticed: what was written for
/// 2018 and is read as 2021, and temporaries between 2021 and 2024. `None` where they cannot be asked.
fn noticed(
    text: &str,
    editions: &Editions,
    compile: &Compile,
    say: &dyn Fn(&str),
) -> Result<Option<Vec<Line>>> {
    let parts = editions.parts(text)?;
    let edition_at = |byte: usize| editions.at(&parts, byte);
    let target = compile.edition;
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let are_plain = Ends::of(&tokens).are_plain(compile);
    let mut seen = Vec::new();
    let mut see = |why: &str, line: Line| {
        say(&format!("{TRACE}{why}: {}", line.line));
        seen.push(line);
    };
    let line_at = |place: usize| line_at(text, &parts, place);
    for (written, later, lints) in STEPS {
        // A crate on one side of the step, the target on the other.
        let crosses = |edition: u16| is_between(edition, target, later);
        if !editions.has(&parts, &crosses) {
            continue;
        }
        // Lints say nothing about the other crates: what their functions do need not be read, but for macros of these.
        let macros = Macros::new(&tokens, &|byte| crosses(edition_at(byte)));
        let keeps = |of: &Range<usize>| crosses(edition_at(of.start)) || macros.may_be_called(of);
        let lints = if later == 2024 && are_plain {
            LINTS_OF_PLAIN
        } else {
            lints
        };
        let ask = |stays: &dyn Fn(u16) -> bool| {
            linted(text, editions, compile, (written, lints), stays, &keeps, say)
        };
        // Of what comes out of a macro of another crate they tell only where that is read so, too.
        let is_of_ends = later == 2024 && !are_plain;
        let is_apart = |edition: u16| is_of_ends && edition != written && !crosses(edition);
        let mut asked = None;
        if editions.has(&parts, &is_apart) {
            asked = ask(&|_| true)?;
            if asked.is_none() {
                let macros = Macros::new(&tokens, &|byte| is_apart(edition_at(byte)));
                for range in editions.ranges(text, &parts, &crosses) {
                    for place in macros.calls(&range) {
                        see("may be held by a macro", line_at(place));
                    }
                }
            }
        }
        if asked.is_none() {
            asked = ask(&crosses)?;
        }
        let Some((mixed, places)) = asked else {
            return Ok(None);
        };
        if is_of_ends {
            let others = editions.ranges(text, &parts, &|edition| !crosses(edition));
            for place in macros.hold_what_is_given() {
                // Of callers on its own side the lints tell.
                let leading = macros.leading_to(&[place]);
                if others.iter().any(|range| macros.may_lead(range, &leading)) {
                    see("may be held by a macro", line_at(place));
                }
            }
        }
        if places.is_empty() {
            continue;
        }
        let file = parsed(text)?;
        let conditions = loops::Conditions::of(&file, &tokens);
        let bare = bare::Bare::of(&file);
        let literals = panics::literals(&tokens);
        for linted in &places {
            let lint = &linted.lint;
            let place = mixed.back(&linted.place);
            let calls: Vec<usize> = linted.calls.iter().map(|call| mixed.back(call).start).collect();
            let is_of_ends = loops::OF_ENDS.contains(&lint.as_str());
            // Literals of panics are translated where they are read.
            let is_idle = is_of_ends && conditions.holds(place.start, &mut calls.iter().copied())
                || lint == bare::OF_TAILS && calls.is_empty() && bare.has(place.start)
                || lint == "non_fmt_panics" && literals.iter().any(|literal| literal.contains(&place.start));
            // What a macro makes goes where the block around its call ends.
            let outer = calls.into_iter().filter(|_| is_of_ends);
            let meant = std::iter::once(place.start).chain(outer);
            for place in meant.filter(|place| !is_idle && crosses(edition_at(*place))) {
                see(lint, line_at(place));
            }
        }
    }
    // What the lints miss.
    if !are_plain {
        for line in held_in(text, editions, target)? {
            see("may be held", line);
        }
    }
    if target < 2024 {
        for place in matched::places(&tokens, &|byte| edition_at(byte) >= 2024) {
            see("may be matched", line_at(place));
        }
    }
    seen.dedup();
    Ok(Some(seen))
}

/// What [`translate`] will surely find in newer crates of `text`, where they can still be told to drop their temporaries
/// as they would: an error as there, before anything is asked.
pub fn foreseen(text: &str, editions: &Editions, edition: u16) -> Result<()> {
    let seen = held_in(text, editions, edition)?;
    if editions.may_rescope && !seen.is_empty() {
        return Err(anyhow::Error::new(Differs::new(
            editions,
            edition,
            &BTreeSet::new(),
            seen,
        )));
    }
    Ok(())
}

/// Where crates on the other side of 2024 may hold what is dropped in the file at another time.
fn held_in(text: &str, editions: &Editions, target: u16) -> Result<Vec<Line>> {
    let parts = editions.parts(text)?;
    let held = held::places(&parsed(text)?);
    let plain = held
        .plain
        .iter()
        .filter(|_| editions.may_rescope || target >= 2024);
    let places = plain.chain(&held.macros).copied();
    let crosses = |place: &usize| (editions.at(&parts, *place) < 2024) != (target < 2024);
    Ok(places
        .filter(crosses)
        .map(|place| line_at(text, &parts, place))
        .collect())
}

/// The line of a place, and whose it is.
fn line_at(text: &str, parts: &[Part], place: usize) -> Line {
    let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default().trim().to_owned();
    let module = part_at(parts, place).map_or(String::new(), |part| part.0.clone());
    Line { module, line, place }
}

/// A module's text as it stands in a macro: `$` by way of a parameter.
fn quoted(text: &str) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut edits = Edits::default();
    for (i, token) in tokens.list.iter().enumerate() {
        if tokens.at(i as isize) == "$" && token.kind == Kind::Punct {
            let is_crate = tokens.at(i as isize + 1) == "crate";
            edits.replace(token.range.clone(), if is_crate { "" } else { "$d " });
        }
    }
    Ok(edits.apply(text))
}

/// What the compiler's own edition lints suggest for crates older than the target.
pub fn fix(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    let mut text = text.to_owned();
    for (from, to, lints) in [
        (2018, 2021, "rust_2021_compatibility"),
        (2021, 2024, "rust_2024_compatibility"),
    ] {
        if to > compile.edition {
            continue;
        }
        let is_older = |edition: u16| edition <= from;
        if !editions.has(&editions.parts(&text)?, &is_older) {
            continue;
        }
        let mixed = Mixed::read_as(&text, editions, compile, from, &is_older, None)?;
        let suggestions = Compiler::new(&mixed.compile)?.suggestions(&mixed.text, lints)?;
        let parts = editions.parts(&text)?;
        let mut edits = Edits::default();
        let (mut blanks, mut words) = (Vec::new(), Vec::new());
        let mut opened = 0;
        for (range, with) in suggestions {
            // `dyn (::a::B + Send)` is for the older edition alone.
            let with = match with.as_str() {
                "dyn (" => {
                    opened += 1;
                    "dyn ".to_owned()
                }
                ")" if opened > 0 => {
                    opened -= 1;
                    continue;
                }
                _ => with,
            };
            let range = mixed.back(&range);
            let inside = parts
                .iter()
                .find(|part| part.1.start <= range.start && range.end <= part.1.end);
            let edition = inside.map_or(at_least_2018(editions.program), |part| part.2);
            if edition <= from {
                // Names are told from later keywords below.
                match with.as_str() {
                    " " => blanks.push(range.start),
                    with if !with.contains("r#") => words.push(range.start),
                    _ => {}
                }
                edits.replace(range, with);
            }
        }
        if let Some(place) = quoted::first_in(&text, &blanks)? {
            let line = line_at(&text, &parts, place).line;
            bail!(
                "a macro prints what edition {to} reads as one literal, and blanks in it would be printed: {line}"
            );
        }
        if let Some(place) = quoted::printed_at(&text, &words)? {
            let line = line_at(&text, &parts, place).line;
            bail!("a macro prints what has to be written otherwise in edition {to}: {line}");
        }
        text = edits.apply(&text);
    }
    // The lints tell names from later keywords where they are printed, too.
    if quoted::is_told_apart(&text) {
        text = quoted::as_written(&text, editions.by_place(&text)?)?;
    }
    bare_traits(text, editions, compile)
}

/// Puts `dyn` in where the compiler misses it: its lint says nothing of what a macro makes.
fn bare_traits(text: String, editions: &Editions, compile: &Compile) -> Result<String> {
    let mut text = text;
    let is_older = |edition: u16| edition < 2021;
    for _ in 0..ROUNDS {
        let parts = editions.parts(&text)?;
        if !is_older(editions.program) && !parts.iter().any(|part| is_older(part.2)) {
            break;
        }
        let errors = Compiler::new(compile)?.check(&text)?.errors;
        let bare = errors.iter().filter(|error| error.code == "E0782");
        let places: BTreeSet<usize> = bare
            .flat_map(|error| &error.spans)
            .map(|span| span.start)
            .collect();
        let of_older = |at: &usize| is_older(editions.at(&parts, *at));
        let mut edits = Edits::default();
        let before = text.len();
        for at in places.into_iter().filter(of_older) {
            edits.replace(at..at, "dyn ");
        }
        text = edits.apply(&text);
        if text.len() == before {
            break;
        }
    }
    Ok(text)
}

/// How often a text is gone through that was written for a later edition.
const ROUNDS: usize = 8;

/// A text with crates newer than the target, with what only they may leave out put in where the compiler misses it.
pub fn backdated(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    let mut text = text.to_owned();
    if editions
        .program
        .max(editions.modules.values().copied().max().unwrap_or(0))
        <= compile.edition
    {
        return Ok(text);
    }
    text = taken_apart(&text, editions, compile)?;
    let compiler = Compiler::new(compile)?;
    text = matched::enclosed(&text, editions, compile, &compiler)?;
    for _ in 0..ROUNDS {
        let newer = compiler.newer(&text)?;
        let mut new = captures::named(&text, &newer.held)?;
        if new == text {
            new = results::named(&text, &newer.last)?;
        }
        if new == text {
            break;
        }
        text = new;
    }
    Ok(text)
}

/// The same, and with what only older editions may leave out: what means the same wherever it is read.
pub fn said_in_full(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    bare_traits(backdated(text, editions, compile)?, editions, compile)
}

#[cfg(test)]
mod tests;
