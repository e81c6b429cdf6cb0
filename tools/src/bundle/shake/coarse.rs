//! What is done to a text before it is shaken, with all bodies in it: what names reach, the coarsest cuts, and, where a text
//! stays long, what has code and no more.

use super::compiler::Outcome;
use super::grown::{self, Same};
use super::{Reachable, guarded, sieve, thin};
use crate::bundle::TRACE;
use crate::bundle::alone::Compile;
use anyhow::Result;
use std::collections::BTreeMap;

/// Checks that it takes to shake a text that was not thinned.
const UNTHINNED: u32 = 16;

/// How a text is read before anything is shaken.
pub struct Reading<'a> {
    /// It is shaken next, as nothing is to be translated.
    pub is_next: bool,
    /// Who compares texts where they are not to be read as they are compiled.
    pub same: Option<Same<'a>>,
}

/// What the program reaches of `text`, by names; `refused` are modules that it must not reach.
pub fn reached(
    text: &str,
    compile: &Compile,
    refused: &BTreeMap<String, String>,
    reading: &Reading,
    say: &dyn Fn(&str),
) -> Result<Reachable> {
    say("finding what the program reaches");
    let (left, said) = sieve::sieve(text, compile, refused, say)?;
    Ok(coarsely_cut(left, said, compile, reading, say))
}

/// What is reached by names without what no code needs, if it is long and that can be found; else with the coarsest cuts
/// made, as far as that can be. `said`: of the text already.
pub fn coarsely_cut(
    left: Reachable,
    said: Option<Outcome>,
    compile: &Compile,
    reading: &Reading,
    say: &dyn Fn(&str),
) -> Reachable {
    let (mut left, mut said) = (left, said);
    if left.text.len() >= grown::LONG && compile.budget.has_time_for(grown::CHECKS) {
        // What one round takes out need not be asked about, and it may be all there is to do.
        let grows;
        (left, grows) = thinned(left, said.take(), compile, Some(grown::LONG), say);
        if !grows {
            return left;
        }
        compile.budget.may_be_left(true);
        let found = grown::grown(&left, compile, reading.same, say);
        compile.budget.may_be_left(false);
        match found {
            Ok(Some(grown)) => return grown,
            Ok(None) => {}
            Err(error) => say(&format!("{TRACE}not grown: {error:#}")),
        }
    }
    let size = left.text.len();
    if reading.is_next && size > guarded::LONG && !compile.budget.is_short_for(size, UNTHINNED) {
        // What there is no code for goes at once then, and far more of it.
        return left;
    }
    thinned(left, said, compile, None, say).0
}

/// What is reached by names with the coarsest cuts made, as far as that can be; `said`: of the text already. `true` if it is
/// still `long`, and little went.
fn thinned(
    left: Reachable,
    said: Option<Outcome>,
    compile: &Compile,
    long: Option<usize>,
    say: &dyn Fn(&str),
) -> (Reachable, bool) {
    if !compile.budget.has_time_for(thin::LEAST) {
        return (left, false);
    }
    compile.budget.may_be_left(true);
    let thinned = thin::thinned(&left.text, said, compile, long, say).unwrap_or_else(|error| {
        say(&format!("{TRACE}not thinned: {error:#}"));
        (left, long.is_some())
    });
    compile.budget.may_be_left(false);
    thinned
}
