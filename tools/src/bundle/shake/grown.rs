//! From what there is code for to a program. In a long text most of what names reach is needed by nothing that has code,
//! and impls hold each other, so that taking it out bit by bit is many questions about much text. Here all of it goes at
//! once, and what errors ask for comes back: each question is about little.
//!
//! Nothing here is proven; see [`grown`] for who does.

use super::code::Code;
use super::instances::Made;
use super::nodes::{Nodes, Role};
use super::settled::Growth;
use super::written::products;
use super::{Reachable, Shaken, Shaker, narrow, thin};
use crate::bundle::TRACE;
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// Bytes of a text that is worth it.
pub const LONG: usize = 30_000;
/// Checks of the whole that it takes as long as, with its proof.
pub const CHECKS: u32 = 20;
/// It is worth it where at most this part of the text, in percent, is named by what has code.
const WORTH: usize = 66;
/// Bytes of a text of which less that goes is worth it: all that is asked later is asked of the rest.
const VAST: usize = 1_000_000;
/// At most so many percent of it.
const WORTH_OF_VAST: usize = 95;

/// Part of the budget for it, in percent: no other search takes out as much.
const UNTIL: u32 = 85;

/// Microseconds a byte that it may take beyond the budget: without it all that must be asked is asked of far more text.
const MICROS_A_BYTE: usize = 80;

/// Bytes left of which what nobody needs is looked for once only.
const MUCH: usize = 150_000;

/// Names of what is other code in one of two texts where every crate is read in its own edition.
pub type Unlike<'a> = &'a dyn Fn(&str, &str) -> Result<Vec<String>>;

/// Time beyond the budget for a text.
pub fn time_for(text: &str) -> Duration {
    Duration::from_micros((text.len() * MICROS_A_BYTE) as u64)
}

/// What of a text is needed by what has code, if that is found and proven; `unlike` is asked where the text is not to be read
/// as `compile` reads it.
pub fn grown(
    left: &Reachable,
    compile: &Compile,
    unlike: Option<Unlike>,
    say: &dyn Fn(&str),
) -> Result<Option<Reachable>> {
    say("finding what has code");
    let text = &left.text;
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let mut shaker = Shaker::new(&tokens, &nodes, compile, say)?;
    shaker.until = UNTIL;
    let reference = Code::told(text, compile);
    let known = if unlike.is_none() { reference.made()? } else { None };
    let needed = thin::needed_by_older(shaker.nodes);
    shaker.spared.extend(needed);
    match products(text, compile) {
        Ok(products) => shaker.products = products,
        Err(error) => say(&format!("{TRACE}what macros make is not known: {error:#}")),
    }
    shaker.begin(known);
    ensure!(shaker.made.is_some(), "what has code is not found");
    shaker.phase("started");
    let worth = if text.len() < VAST { WORTH } else { WORTH_OF_VAST };
    let is_grown = shaker.grow(worth)?;
    shaker.phase("grown");
    if !is_grown {
        return Ok(None);
    }
    match unlike {
        Some(unlike) => shaker.prove_by(&|left| unlike(text, left))?,
        None => drop(shaker.prove(&reference)?),
    }
    let Shaken {
        text: new, allowed, ..
    } = shaker.result();
    shaker.phase("proven");
    compile.budget.came_to(new.len());
    Ok(Some(Reachable { text: new, allowed }))
}

impl Shaker<'_> {
    /// Takes the bodies of functions without code out. Whether that is a program is not asked: it is a long text.
    fn begin(&mut self, known: Option<&Made>) {
        self.made = self.find_code(known);
        self.in_traits = self.with_compiled();
        // What stands in a vtable has code, and is called unused where nothing calls it.
        self.spared.extend(&self.in_traits);
        self.empty(&|_| true);
        if narrow::hides(self.whole, self.nodes, &self.crates) {
            self.compiler.narrow.clear();
        }
    }

    /// Takes out what nothing names that has code, as far as errors do not ask for it; `false` if they come to no end, or what
    /// is named is more than `worth` percent of the text, and all of it is still there.
    fn grow(&mut self, worth: usize) -> Result<bool> {
        let Some(made) = self.made.clone() else {
            return Ok(false);
        };
        let list = &self.nodes.list;
        let is_root = |i: &usize| {
            let node = &list[*i];
            made.contains(i) || node.pinned || node.exported || self.nodes.is_main(*i)
        };
        let mut roots: BTreeSet<usize> = (0..list.len()).filter(is_root).collect();
        roots.extend(&self.spared);
        roots.extend(&self.in_traits);
        let mut growth = Growth::default();
        self.spread(roots, &mut growth.live, &mut growth.said);
        let may_go = |i: &usize| {
            let node = &self.nodes.list[*i];
            let is_part = match node.role {
                Role::Item | Role::Method | Role::Derive | Role::MacroCall | Role::Macro | Role::Assert => {
                    true
                }
                Role::TraitImpl => node.of_trait != "Drop",
                Role::TraitItem => !node.name.is_empty(),
                _ => false,
            };
            let is_there = !self.removed.contains(i) && !self.is_inside_removed(*i) && !self.is_in_blank(*i);
            is_part && is_there && !growth.live.contains(i) && !self.spared.contains(i)
        };
        growth.batch = (0..self.nodes.list.len()).filter(may_go).collect();
        self.revive(self.required_by(&growth.live, &growth.batch), &mut growth);
        let cut = self.cut(&self.close(&growth.batch));
        let gone: usize = cut.iter().map(Range::len).sum();
        let left = self.text.len() - gone;
        if left * 100 > self.text.len() * worth {
            (self.say)(&format!("{TRACE}{left} bytes are named by what has code"));
            return Ok(false);
        }
        let before = self.removed.clone();
        let mut filled = BTreeSet::new();
        while self.settled(&mut growth)? {
            // Of much text that would take longer than to bring more of it back, and later there is little of it.
            if filled.is_empty() && self.left() < MUCH {
                self.clear()?;
            }
            (self.say)(&format!("{TRACE}{} bytes", self.left()));
            // What another library may call has a body, with what that names.
            let mut new = self.fill_in(&mut filled)?;
            if new.is_empty() {
                self.clear()?;
                self.guarded.extend(self.removed.difference(&before));
                return Ok(true);
            }
            (self.say)(&format!("{TRACE}{} bodies ask for more", new.len()));
            new.extend(self.with_called(&mut filled, &new));
            self.empty(&|i| !filled.contains(&i));
            // All that has gone may be asked back, and only that.
            let gone = std::mem::replace(&mut self.removed, before.clone());
            let is_way = |i: &usize| matches!(self.nodes.list[*i].role, Role::UseLeaf | Role::Module);
            let gone = gone.difference(&before).copied().filter(|i| !is_way(i));
            growth = growth.again();
            growth.batch.extend(gone);
            let is_there = |i: &usize| {
                let is_new = self.removed.contains(i) || self.is_inside_removed(*i) || new.contains(i);
                !is_new && !growth.batch.contains(i)
            };
            growth.live = (0..self.nodes.list.len()).filter(is_there).collect();
            self.revive(new, &mut growth);
        }
        self.removed = before;
        self.empty(&|_| true);
        Ok(false)
    }

    fn settled(&mut self, growth: &mut Growth) -> Result<bool> {
        self.compiler.expects_errors = true;
        let settled = self.settle(growth);
        self.compiler.expects_errors = false;
        settled
    }

    /// Takes out what is called unused, and what nothing reaches then.
    fn clear(&mut self) -> Result<()> {
        while self.unused_once(false)? {}
        self.unreached()
    }

    /// Gives functions their bodies back that another library may come to call; those of which not all is there that the
    /// bodies name, as far as errors tell now.
    fn fill_in(&mut self, filled: &mut BTreeSet<usize>) -> Result<BTreeSet<usize>> {
        let more = &self.needed_elsewhere() - filled;
        if more.is_empty() {
            return Ok(more);
        }
        filled.extend(&more);
        self.empty(&|i| !filled.contains(&i));
        let outcome = self.compiler.check(&self.blanked(&self.removed))?;
        if outcome.errors.is_empty() {
            self.heard(outcome);
            return Ok(BTreeSet::new());
        }
        let spans = outcome.errors.iter().flat_map(|error| &error.spans);
        let mut places: BTreeSet<usize> = spans.filter_map(|span| self.nodes.at(span)).collect();
        let around: Vec<usize> = places.iter().filter_map(|i| self.nodes.list[*i].parent).collect();
        places.extend(around);
        let asking = &more & &places;
        Ok(if asking.is_empty() { more } else { asking })
    }
}

#[cfg(test)]
mod tests;
