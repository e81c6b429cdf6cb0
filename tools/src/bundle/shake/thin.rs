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
pub const COARSE: usize = 25;

/// Rounds of errors after which whole crates come back: what is asked one thing after the other costs more than it saves.
const FINE: usize = 4;

/// Imports that an older edition needs and a newer one calls unused.
pub const NEWER: [&str; 5] = ["FromIterator", "TryFrom", "TryInto", "Future", "IntoFuture"];

/// Imports of these, with the lines that they are: a crate of an older edition is still to be read as it was written.
pub fn needed_by_older(nodes: &Nodes) -> BTreeSet<usize> {
    let list = &nodes.list;
    let is_newer =
        |i: &usize| list[*i].role == Role::UseLeaf && NEWER.iter().any(|name| list[*i].path.ends_with(name));
    let is_line = |i: &usize| matches!(list[*i].role, Role::UseLeaf | Role::UseGroup | Role::Use);
    let leaves = (0..list.len()).filter(is_newer);
    let lines =
        leaves.flat_map(|leaf| std::iter::successors(Some(leaf), |i| list[*i].parent).take_while(is_line));
    lines.collect()
}

/// How much of a text of these nodes and this `size`, in percent, the compiler calls unused.
pub fn unused_part(nodes: &Nodes, size: usize, said: &Outcome) -> usize {
    let spans = said.unused.iter().flat_map(|message| &message.spans);
    let unused: BTreeSet<usize> = spans.filter_map(|span| nodes.at(span)).collect();
    let (mut end, mut gone) = (0, 0);
    // In the order of the text, outer ones first.
    for range in unused.iter().map(|i| &nodes.list[*i].range) {
        if range.start >= end {
            gone += range.len();
            end = range.end;
        }
    }
    gone * 100 / size.max(1)
}

/// Without what the compiler calls unused while all bodies are there, and what is then not reached by names: the coarsest
/// cuts, at the price of a check each, before anything is asked that costs more the more there is; `said`: of the text
/// already.
pub fn thinned(
    text: &str,
    said: Option<Outcome>,
    compile: &Compile,
    say: &dyn Fn(&str),
) -> Result<Reachable> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let mut shaker = Shaker::new(&tokens, &nodes, compile, say)?;
    shaker.until = THIN;
    shaker.most_rounds = FINE;
    let needed = needed_by_older(shaker.nodes);
    shaker.spared.extend(needed);
    match said {
        Some(said) => shaker.heard(said),
        None => shaker.start(false, None)?,
    }
    shaker.phase("read in whole");
    shaker.until = PROOF;
    while !shaker.is_spent() && compile.budget.has_time_for(CHECKS) {
        let before = shaker.left();
        shaker.unused_once(false)?;
        shaker.unreached()?;
        let gone = (before - shaker.left()) * 100;
        shaker.until = if gone < before * COARSE { THIN } else { PROOF };
        if gone <= before * WORTH {
            break;
        }
    }
    shaker.phase("thinned");
    let Shaken { text, allowed, .. } = shaker.result();
    Ok(Reachable { text, allowed })
}
