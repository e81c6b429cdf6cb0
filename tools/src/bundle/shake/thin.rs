//! The coarsest cuts, where there is a budget: what must be asked afterwards costs by the length of the text.

use super::compiler::Outcome;
use super::nodes::{Nodes, Role};
use super::{PROOF, Reachable, Shaken, Shaker};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// Checks that it takes at least.
pub const LEAST: u32 = 6;
/// Part of the budget, in percent, for [`thinned`].
const THIN: u32 = 40;
/// Checks that a round of it takes.
const CHECKS: u32 = 3;
/// It goes on while this part, in percent, of what was there goes.
const WORTH: usize = 4;
/// While this part goes, in percent, the next round costs less than what it saves: it may have all the time there is.
const COARSE: usize = 25;

/// Checks of the first round of a text that may be too long.
const FIRST: usize = 5;

/// Rounds of errors after which whole crates come back: what is asked one thing after the other costs more than it saves.
const FINE: usize = 4;

/// Imports that an older edition needs and a newer one calls unused.
pub const NEWER: [&str; 5] = ["FromIterator", "TryFrom", "TryInto", "Future", "IntoFuture"];

/// Imports of these: a crate of an older edition is still to be read as it was written.
pub fn needed_by_older(nodes: &Nodes) -> BTreeSet<usize> {
    let is_newer = |i: &usize| {
        let node = &nodes.list[*i];
        node.role == Role::UseLeaf && NEWER.iter().any(|name| node.path.ends_with(name))
    };
    (0..nodes.list.len()).filter(is_newer).collect()
}

/// Without what the compiler calls unused while all bodies are there, and what is then not reached by names: the coarsest
/// cuts, at the price of a check each, before anything is asked that costs more the more there is; `said`: of the text
/// already. Of a text that may be too `long`, only a few are tried at first: `true` if little went and it still is.
pub fn thinned(
    text: &str,
    said: Option<Outcome>,
    compile: &Compile,
    long: Option<usize>,
    say: &dyn Fn(&str),
) -> Result<(Reachable, bool)> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut shaker = Shaker::new(text, &tokens, compile, say)?;
    shaker.until = THIN;
    shaker.most_rounds = FINE;
    shaker.spared = needed_by_older(&shaker.nodes);
    match said {
        Some(said) => shaker.heard(said),
        None => shaker.start(false, None)?,
    }
    shaker.phase("read in whole");
    shaker.until = PROOF;
    let mut long = long;
    shaker.most_checks = if long.is_some() { FIRST } else { usize::MAX };
    let is_long = loop {
        if shaker.is_spent() || !compile.budget.has_time_for(CHECKS) {
            break false;
        }
        let before = shaker.left();
        shaker.unused_once(false)?;
        shaker.unreached()?;
        let gone = (before - shaker.left()) * 100;
        let is_little = gone < before * COARSE;
        shaker.until = if is_little { THIN } else { PROOF };
        let is_long = long.take().is_some_and(|long| is_little && shaker.left() >= long);
        shaker.most_checks = usize::MAX;
        if gone <= before * WORTH || is_long {
            break is_long;
        }
    };
    shaker.phase("thinned");
    let Shaken { text, allowed, .. } = shaker.result();
    Ok((Reachable { text, allowed }, is_long))
}
