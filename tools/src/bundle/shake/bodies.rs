//! Functions that have no code lose their bodies while it is asked what is unused, see [`instances`].
//!
//! In the end those get them back that might have code elsewhere: the library that a judge has calls impls of its
//! own traits as it likes. The others never run, as nothing calls them that could.

use super::compiler::Outcome;
use super::instances::Made;
use super::mentions::Known;
use super::{Shaker, instances, sieve};
use anyhow::{Result, bail};
use std::collections::BTreeSet;

/// How often bodies that come back may bring others back.
const FILLS: usize = 64;

impl Shaker<'_> {
    /// Takes the bodies of functions without code out, if `hollow` (`known` may have been asked for it already), and asks
    /// for the first time what is unused.
    pub fn start(&mut self, hollow: bool, known: Option<&Made>) -> Result<()> {
        if hollow {
            self.made = self.find_code(known);
        }
        self.empty(&|_: usize| true);
        let mut outcome = self.compiler.check(&self.text)?;
        if !outcome.errors.is_empty() {
            // A body may be needed after all (it is evaluated while compiling); and not every program bears to
            // be narrowed. What the text says without all that counts.
            let narrow = std::mem::take(&mut self.compiler.narrow);
            outcome = self.compiler.check(&self.text)?;
            if !outcome.errors.is_empty() {
                self.made = None;
                self.empty(&|_: usize| false);
                self.compiler.narrow = narrow;
                outcome = self.compiler.check(&self.text)?;
            }
            if !outcome.errors.is_empty() {
                self.compiler.narrow.clear();
                outcome = self.compiler.check(&self.text)?;
            }
        }
        if !outcome.errors.is_empty() {
            return Err(sieve::rejected(self.text.clone(), &outcome.errors));
        }
        self.heard(outcome);
        Ok(())
    }

    /// Functions that have code, those among them that only debug assertions call. All bodies stay. `None` where nobody
    /// can tell.
    pub fn find_code(&mut self, known: Option<&Made>) -> Option<BTreeSet<usize>> {
        let compile = self.compiler.compile();
        let is_all = |made: &Made| made.is_asserted || !instances::may_assert(self.whole);
        let known = known.filter(|made| made.form == instances::form(self.nodes));
        let made = match known.filter(|made| is_all(made)) {
            Some(told) => told.clone(),
            None => instances::made(self.whole, self.tokens, self.nodes, compile, known)
                .inspect_err(|error| {
                    (self.say)(&format!("{}{}", super::TRACE, first_lines(&format!("{error:#}"))));
                })
                .ok()?,
        };
        self.compiled = made.names;
        // On another machine others have.
        Some(&made.nodes | &self.spared)
    }

    /// Takes over what was said about a text that compiles.
    pub fn heard(&mut self, outcome: Outcome) {
        self.unused = outcome.unused;
        self.denied = outcome.denied;
    }

    /// Takes the bodies of functions without code out of which `may` says so.
    pub fn empty(&mut self, may: &dyn Fn(usize) -> bool) {
        let Some(made) = &self.made else {
            self.text = self.whole.to_owned();
            self.blanks.clear();
            return;
        };
        let is_empty = |i: usize| !made.contains(&i) && may(i) && !self.nodes.is_main(i);
        let hollow = instances::hollow(self.whole, self.tokens, self.nodes, &is_empty);
        self.text = hollow.text;
        self.blanks = hollow.blanks;
    }

    /// Adds to what is `filled` the functions `new` and what these may call, in any number of steps as far as names tell; what
    /// came back for that.
    pub fn with_called(&mut self, filled: &mut BTreeSet<usize>, new: &BTreeSet<usize>) -> BTreeSet<usize> {
        let before = self.removed.clone();
        filled.extend(new);
        let mut called = new.clone();
        let mut back = BTreeSet::new();
        while self.restore_named(&called) {
            called = &self.needed_elsewhere() - filled;
            filled.extend(&called);
            back.extend(called.iter().copied());
        }
        back.extend(before.difference(&self.removed));
        back
    }

    /// Gives impls of other crates' traits their bodies back, and what these call: another version of the library
    /// may call what this one does not.
    pub fn fill(&mut self) -> Result<()> {
        if self.made.is_none() {
            return Ok(());
        }
        let mut filled: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..FILLS {
            let before = self.blanked(&self.removed);
            let mut now = filled.clone();
            self.with_called(&mut now, &(&self.needed_elsewhere() - &filled));
            self.empty(&|i| !now.contains(&i));
            let is_same = now.len() == filled.len() || self.blanked(&self.removed) == before;
            for i in now.difference(&filled) {
                let what = super::title(&self.nodes.list[*i]);
                (self.say)(&format!("{}body back: {what}", super::TRACE));
            }
            filled = now;
            if is_same {
                return Ok(());
            }
            self.mend()?;
            self.unused()?;
        }
        bail!("bodies bring back other bodies without end");
    }

    /// Gives back what the bodies of `filled` surely name, which the compiler would ask back one kind of name after the
    /// other; `true` if there is any.
    fn restore_named(&mut self, filled: &BTreeSet<usize>) -> bool {
        let known = Known::of(self.nodes);
        let mut named = BTreeSet::new();
        for i in filled {
            self.named_in(*i, &known, true, &mut named);
        }
        let back = self.with_owners(&(&named & &self.removed), &self.removed);
        self.removed = &self.removed - &back;
        self.guarded = &self.guarded - &back;
        !back.is_empty()
    }

    pub fn tokens_of(&self, i: usize) -> (isize, isize) {
        let range = &self.nodes.list[i].range;
        (
            self.tokens.from(range.start) as isize,
            self.tokens.from(range.end) as isize,
        )
    }
}

/// What is to be seen of a long error.
fn first_lines(error: &str) -> String {
    error.lines().take(8).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::nodes::{Nodes, Role};
    use super::*;
    use crate::bundle::alone::Compile;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn bodies_bring_back_what_they_surely_name() {
        let text = "
mod a { pub fn far() {} pub const SIZE: usize = 3; pub fn left() {} }
use a::far;
struct S; struct T;
impl S { fn new() -> S { S } fn own(&self) {} fn only(&self) {} fn both(&self) {} fn rest(&self) {} }
impl T { fn new() -> T { T } fn own(&self) {} fn both(&self) {} }
impl Clone for S { fn clone(&self) -> S { far(); self.own(); [0; a::SIZE]; S::new().only(); T.both(); S } }
fn main() {}
";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile::default();
        let nodes = Nodes::new(&tokens).unwrap();
        let mut shaker = Shaker::new(&tokens, &nodes, &compile, &|_| {}).unwrap();
        let list = shaker.nodes.list.clone();
        let is_clone = |i: &usize| list[*i].name == "clone";
        let filled: BTreeSet<usize> = (0..list.len()).filter(is_clone).collect();
        let goes =
            |i: &usize| matches!(list[*i].role, Role::Method | Role::UseLeaf) || list[*i].module == "a";
        shaker.removed = (0..list.len()).filter(goes).collect();
        let before = shaker.removed.clone();
        assert!(shaker.restore_named(&filled) && !shaker.restore_named(&filled));
        let back = before.difference(&shaker.removed);
        let names: Vec<String> = back.map(|i| super::super::title(&list[*i])).collect();
        assert_eq!(names.join(", "), "far, SIZE, use far, S::new, S::own, S::only");
    }
}
