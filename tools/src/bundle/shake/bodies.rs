//! Functions that have no code lose their bodies while it is asked what is unused, see [`instances`].
//!
//! In the end those get them back that might have code elsewhere: the library that a judge has calls impls of its
//! own traits as it likes. The others never run, as nothing calls them that could.

use super::compiler::Outcome;
use super::instances::Made;
use super::mentions::Known;
use super::nodes::Role;
use super::{Shaker, instances, sieve};
use crate::bundle::lex::unraw;
use anyhow::{Result, bail};
use std::collections::{BTreeSet, HashMap};

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
        let fits = |made: &&Made| made.form == instances::form(&self.nodes) && is_all(made);
        let made = match known.filter(fits) {
            Some(told) => told.clone(),
            None => instances::made(self.whole, self.tokens, &self.nodes, compile).ok()?,
        };
        self.compiled = made.names;
        Some(made.nodes)
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
        let is_empty = |i: usize| !made.contains(&i) && may(i) && !instances::is_main(&self.nodes.list[i]);
        let hollow = instances::hollow(self.whole, self.tokens, &self.nodes, &is_empty);
        self.text = hollow.text;
        self.blanks = hollow.blanks;
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
            let mut now = &filled | &self.needed_elsewhere();
            let mut new = &now - &filled;
            while self.restore_named(&new) {
                let more = &now | &self.needed_elsewhere();
                new = &more - &now;
                now = more;
            }
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
        let known = Known::of(&self.nodes);
        let mut named = BTreeSet::new();
        for i in filled {
            self.named_in(*i, &known, true, &mut named);
        }
        let back = self.with_owners(&(&named & &self.removed), &self.removed);
        self.removed = &self.removed - &back;
        self.guarded = &self.guarded - &back;
        !back.is_empty()
    }

    /// Nodes that hold a `cfg` of what a judge's machine decides: another branch may be the one that runs there.
    fn left_open(&self) -> impl Iterator<Item = usize> {
        let tokens = self.tokens;
        let is_open = |k: usize| {
            let at = k as isize;
            let open = k + 1 + usize::from(tokens.at(at + 1) == "!");
            matches!(tokens.at(at), "cfg" | "cfg_attr")
                && tokens.at(open as isize) == "("
                && (open..tokens.list[open].pair).any(|i| tokens.at(i as isize) == "target_feature")
        };
        let places = (0..tokens.list.len()).filter(move |k| is_open(*k));
        places.filter_map(|k| self.nodes.at(&tokens.list[k].range))
    }

    /// Functions without code that are parts of impls of foreign traits or of a branch that is [`Self::left_open`], or named
    /// by such, in any number of steps; of those that are there: what has to come back first is asked again then. Macros may make such impls
    /// too: what they name counts.
    fn needed_elsewhere(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let lives = |i: usize| !self.removed.contains(&i) && !self.is_inside_removed(i);
        let makers = self.impl_makers();
        let makes = |i: usize| match list[i].role {
            Role::Macro => makers.contains(&i),
            Role::MacroCall => {
                let name = list[i].needs.first();
                let same = |k: &usize| list[*k].role == Role::Macro && Some(&list[*k].name) == name;
                let mut known = (0..list.len()).filter(same).peekable();
                self.says_impl(i) || known.peek().is_none() || known.any(|k| makers.contains(&k))
            }
            _ => false,
        };
        let mut todo: Vec<usize> = (0..list.len())
            .filter(|i| lives(*i))
            .filter(|i| !self.is_own(*i) || makes(*i))
            .chain(self.left_open().filter(|i| lives(*i)))
            .collect();
        let mut needed: BTreeSet<usize> = todo.iter().copied().collect();
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in list.iter().enumerate().filter(|(_, node)| node.kind == "fn") {
            if lives(i) {
                by_name.entry(&node.name).or_default().push(i);
            }
        }
        while let Some(i) = todo.pop() {
            let range = &list[i].range;
            for k in self.tokens.from(range.start)..self.tokens.from(range.end) {
                let word = unraw(self.tokens.at(k as isize));
                for &named in by_name.get(word).into_iter().flatten() {
                    if needed.insert(named) {
                        todo.push(named);
                    }
                }
            }
        }
        needed
    }

    /// Macros that may make an impl, by themselves or by others that they call.
    fn impl_makers(&self) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let macros: Vec<usize> = (0..list.len()).filter(|i| list[*i].role == Role::Macro).collect();
        let mut makers: BTreeSet<usize> = macros.iter().copied().filter(|i| self.says_impl(*i)).collect();
        loop {
            let names: BTreeSet<&str> = makers.iter().map(|i| list[*i].name.as_str()).collect();
            let calls = |i: &usize| {
                let (first, last) = self.tokens_of(*i);
                (first..last).any(|k| self.tokens.at(k + 1) == "!" && names.contains(self.tokens.at(k)))
            };
            let more: Vec<usize> = macros
                .iter()
                .copied()
                .filter(|i| !makers.contains(i) && calls(i))
                .collect();
            if more.is_empty() {
                return makers;
            }
            makers.extend(more);
        }
    }

    pub fn tokens_of(&self, i: usize) -> (isize, isize) {
        let range = &self.nodes.list[i].range;
        (
            self.tokens.from(range.start) as isize,
            self.tokens.from(range.end) as isize,
        )
    }

    fn says_impl(&self, i: usize) -> bool {
        let (first, last) = self.tokens_of(i);
        (first..last).any(|k| matches!(self.tokens.at(k), "impl" | "derive"))
    }

    /// True unless it is part of an impl of a trait that is not in the text.
    fn is_own(&self, i: usize) -> bool {
        let node = &self.nodes.list[i];
        let of = node.parent.map(|p| &self.nodes.list[p]);
        node.role != Role::TraitImplItem
            || of.is_some_and(|of| {
                let found = self.nodes.resolve(&of.module, &of.trait_path);
                found.is_some_and(|i| self.nodes.list[i].kind == "trait")
            })
    }
}

#[cfg(test)]
mod tests {
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
        let mut shaker = Shaker::new(text, &tokens, &compile, &|_| {}).unwrap();
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
