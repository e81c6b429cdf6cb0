//! What is done to a text before it is shaken, with all bodies in it: what names reach, the coarsest cuts, and, where a text
//! stays long, what has code and no more.

use super::compiler::Outcome;
use super::grown::{self, Unlike};
use super::sieve::{self, Older, Sieve};
use super::{Reachable, guarded, thin};
use crate::bundle::TRACE;
use crate::bundle::alone::Compile;
use anyhow::Result;
use std::collections::BTreeMap;
use std::time::Duration;

/// Checks that it takes to shake a text that was not thinned.
const UNTHINNED: u32 = 16;
/// How many times as long as what names reach a text is at most in which that is not asked about before it is grown.
const WHOLE: usize = 2;

/// How a text is read before anything is shaken.
pub struct Reading<'a> {
    /// It is shaken next, as nothing is to be translated.
    pub is_next: bool,
    /// Who compares texts where they are not to be read as they are compiled.
    pub unlike: Option<Unlike<'a>>,
    /// Who says in a text what only newer editions may leave out.
    pub older: Option<Older<'a>>,
}

/// How often re-exports are put into one crate until the text is a program.
const NARROWED: usize = 4;

/// What the program reaches of `text`, by names; `refused` are modules that it must not reach.
pub fn reached(
    text: &str,
    compile: &Compile,
    refused: &BTreeMap<String, String>,
    reading: &Reading,
    say: &dyn Fn(&str),
) -> Result<Reachable> {
    say("finding what the program reaches");
    let mut sieve = Sieve::new(text, compile, refused);
    let mut is_tried = false;
    let mut long = compile.budget.has_time_for(grown::CHECKS).then_some(grown::LONG);
    if long.is_some() {
        let size = sieve::by_names(text, compile)?.len();
        if size >= grown::LONG && text.len() < size * WHOLE {
            is_tried = true;
            sieve.narrow_macros()?;
            let mut older = reading.older;
            for n in 0..NARROWED {
                match grown(&sieve.whole(), compile, reading.unlike, say) {
                    Ok(Some(grown)) => return Ok(grown),
                    Ok(None) => {
                        // Nor would that be found of a part of it.
                        long = long.filter(|_| n > 0);
                        break;
                    }
                    Err(_) if sieve.narrow_exports()? => {}
                    Err(_) if older.take().is_some_and(|older| sieve.said_older(older)) => {}
                    Err(_) => break,
                }
            }
        }
    }
    let mut left = sieve.left(long, say)?;
    if left.is_long {
        if let Ok(Some(grown)) = grown(&left.text, compile, reading.unlike, say) {
            return Ok(grown);
        }
        left = sieve.left(None, say)?;
        is_tried = true;
    }
    let cut = cut(left.text, left.said, compile, reading, say);
    // What is called unused was not all that nobody needs.
    if !is_tried && !reading.is_next && is_worth_growing(&cut.text, compile) {
        if let Ok(Some(grown)) = grown(&cut, compile, reading.unlike, say) {
            return Ok(grown);
        }
    }
    Ok(cut)
}

/// True of a long text where there is time for it.
fn is_worth_growing(text: &str, compile: &Compile) -> bool {
    text.len() >= grown::LONG && compile.budget.has_time_for(grown::CHECKS)
}

/// What is reached by names without what no code needs, if it is long and that can be found; else with the coarsest cuts
/// made, as far as that can be.
pub fn coarsely_cut(left: Reachable, compile: &Compile, reading: &Reading, say: &dyn Fn(&str)) -> Reachable {
    if is_worth_growing(&left.text, compile) {
        if let Ok(Some(grown)) = grown(&left, compile, reading.unlike, say) {
            return grown;
        }
    }
    cut(left, None, compile, reading, say)
}

/// What of a long text no code needs taken out at once, if that is found; it is said why it is not.
fn grown(
    left: &Reachable,
    compile: &Compile,
    unlike: Option<Unlike>,
    say: &dyn Fn(&str),
) -> Result<Option<Reachable>> {
    compile.budget.may_be_left(true);
    compile.budget.lend(grown::time_for(&left.text));
    let found = grown::grown(left, compile, unlike, say);
    compile.budget.lend(Duration::ZERO);
    compile.budget.may_be_left(false);
    found.inspect_err(|error| say(&format!("{TRACE}not grown: {error:#}")))
}

/// What is reached by names with the coarsest cuts made, as far as that can be; `said`: of the text already.
fn cut(
    left: Reachable,
    said: Option<Outcome>,
    compile: &Compile,
    reading: &Reading,
    say: &dyn Fn(&str),
) -> Reachable {
    let size = left.text.len();
    // What there is no code for goes at once where a text is shaken next, and far more of it.
    let is_left = reading.is_next && size > guarded::LONG && !compile.budget.is_short_for(size, UNTHINNED);
    if is_left || !compile.budget.has_time_for(thin::LEAST) {
        return left;
    }
    compile.budget.may_be_left(true);
    let thinned = thin::thinned(&left.text, said, compile, say).unwrap_or_else(|error| {
        say(&format!("{TRACE}not thinned: {error:#}"));
        left
    });
    compile.budget.may_be_left(false);
    thinned
}
