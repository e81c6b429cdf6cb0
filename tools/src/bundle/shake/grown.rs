//! From what there is code for to a program. In a long text most of what names reach is needed by nothing that has code,
//! and impls hold each other, so that taking it out bit by bit is many questions about much text. Here all of it goes at
//! once, and what errors ask for comes back: each question is about little.
//!
//! Nothing here is proven; see [`grown`] for who does.

use super::blame::MISSED;
use super::code::Code;
use super::compiler::Message;
use super::instances::{self, NEVER};
use super::mentions::Known;
use super::names::{absolute, root};
use super::nodes::{Node, Role};
use super::seen::Seen;
use super::{Reachable, Shaken, Shaker, thin};
use crate::bundle::TRACE;
use crate::bundle::alone::Compile;
use crate::bundle::lex::{Tokens, unraw};
use anyhow::{Result, ensure};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

/// Bytes of a text that is worth it.
pub const LONG: usize = 150_000;
/// Checks of the whole that it takes as long as, with its proof.
pub const CHECKS: u32 = 20;
/// Questions after which what errors ask for comes to no end.
const MOST: usize = 80;
/// It is worth it where at most this part of the text, in percent, is named by what has code.
const WORTH: usize = 50;

/// Whether two texts are the same program where every crate is read in its own edition.
pub type Same<'a> = &'a dyn Fn(&str, &str) -> Result<bool>;

/// What of a text is needed by what has code, if that is found and proven; `same` is asked where the text is not to be read
/// as `compile` reads it.
pub fn grown(
    left: &Reachable,
    compile: &Compile,
    same: Option<Same>,
    say: &dyn Fn(&str),
) -> Result<Option<Reachable>> {
    say("finding what has code");
    let text = &left.text;
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut shaker = Shaker::new(text, &tokens, compile, say)?;
    let reference = Code::told(text, compile);
    let known = if same.is_none() { reference.made()? } else { None };
    shaker.spared = thin::needed_by_older(&shaker.nodes);
    shaker.start(true, known)?;
    shaker.phase("started");
    let is_grown = shaker.grow(WORTH)?;
    shaker.phase("grown");
    if !is_grown {
        return Ok(None);
    }
    if same.is_none() {
        shaker.prove(&reference)?;
    }
    let Shaken {
        text: new, allowed, ..
    } = shaker.result();
    if let Some(same) = same {
        ensure!(same(text, &new)?, "another program in the editions of its crates");
    }
    shaker.phase("proven");
    Ok(Some(Reachable { text: new, allowed }))
}

/// What there is, by its name.
struct Index<'a> {
    known: Known<'a>,
    seen: Seen<'a>,
    /// Traits, by what stands in them.
    traits: HashMap<&'a str, Vec<usize>>,
    macros: HashMap<&'a str, Vec<usize>>,
    /// What macros may name: items and methods.
    items: HashMap<&'a str, Vec<usize>>,
    /// Imports, and the items or macros that they name.
    imported: Vec<(usize, BTreeSet<usize>)>,
}

/// What is found out by growing.
#[derive(Default)]
struct Growth {
    /// What is needed.
    live: BTreeSet<usize>,
    /// What goes.
    batch: BTreeSet<usize>,
    /// Imports that go with it, as errors say.
    torn: BTreeSet<usize>,
    /// Those of them that nothing brings back.
    dead: BTreeSet<usize>,
}

impl Shaker<'_> {
    /// Takes out what nothing names that has code, as far as errors do not ask for it; `false` if they come to no end, or what
    /// is named is more than `worth` percent of the text, and all of it is still there.
    fn grow(&mut self, worth: usize) -> Result<bool> {
        let Some(made) = self.made.clone() else {
            return Ok(false);
        };
        let list = &self.nodes.list;
        let is_root = |i: &usize| {
            let node = &list[*i];
            made.contains(i) || node.pinned || node.exported || instances::is_main(node)
        };
        let roots = (0..list.len()).filter(is_root).collect();
        let mut growth = Growth::default();
        self.spread(roots, &mut growth.live);
        // The derived `clone` of a type that is `Copy` is another function.
        let copies: Vec<usize> = growth.live.iter().filter_map(|i| self.copy_of(*i)).collect();
        growth.live.extend(copies);
        let may_go = |i: &usize| {
            let node = &self.nodes.list[*i];
            let is_part = match node.role {
                Role::Item | Role::Method | Role::Derive | Role::MacroCall | Role::Macro | Role::Assert => {
                    true
                }
                Role::TraitImpl => node.of_trait != "Drop",
                _ => false,
            };
            let is_there = !self.removed.contains(i) && !self.is_inside_removed(*i) && !self.is_in_blank(*i);
            is_part && is_there && !growth.live.contains(i) && !self.spared.contains(i)
        };
        growth.batch = (0..self.nodes.list.len()).filter(may_go).collect();
        let cut = self.cut(&self.close(&growth.batch));
        let gone: usize = cut.iter().map(Range::len).sum();
        if (self.text.len() - gone) * 100 > self.text.len() * worth {
            return Ok(false);
        }
        let before = self.removed.clone();
        let mut filled = BTreeSet::new();
        while self.settle(&mut growth)? {
            while self.unused_once(false)? {}
            self.unreached()?;
            (self.say)(&format!("{TRACE}{} bytes", self.left()));
            // What another library may call has a body, with what that names.
            let new = self.fill_in(&mut filled)?;
            if new.is_empty() {
                self.guarded.extend(self.removed.difference(&before));
                return Ok(true);
            }
            (self.say)(&format!("{TRACE}{} bodies ask for more", new.len()));
            filled.extend(&new);
            self.empty(&|i| !filled.contains(&i));
            // All that has gone may be asked back, and only that.
            let gone = std::mem::replace(&mut self.removed, before.clone());
            let is_way = |i: &usize| matches!(self.nodes.list[*i].role, Role::UseLeaf | Role::Module);
            let gone = gone.difference(&before).copied().filter(|i| !is_way(i));
            growth = Growth {
                batch: gone.collect(),
                ..Growth::default()
            };
            self.spread(new, &mut growth.live);
            growth.batch.retain(|i| !growth.live.contains(i));
        }
        self.removed = before;
        self.empty(&|_| true);
        Ok(false)
    }

    /// Gives functions their bodies back that another library may come to call, if what the bodies name is still there; those
    /// of which that is not so.
    fn fill_in(&mut self, filled: &mut BTreeSet<usize>) -> Result<BTreeSet<usize>> {
        let most = &self.needed_elsewhere() - filled;
        let mut more = most.clone();
        loop {
            self.empty(&|i| !filled.contains(&i) && !more.contains(&i));
            let outcome = self.compiler.check(&self.blanked(&self.removed))?;
            if outcome.errors.is_empty() {
                self.heard(outcome);
                break;
            }
            let spans = outcome.errors.iter().flat_map(|error| &error.spans);
            let mut places: BTreeSet<usize> = spans.filter_map(|span| self.nodes.at(span)).collect();
            let around: Vec<usize> = places.iter().filter_map(|i| self.nodes.list[*i].parent).collect();
            places.extend(around);
            let before = more.len();
            more = &more - &places;
            if more.len() == before {
                ensure!(!more.is_empty(), "bodies cannot be left out");
                more.clear();
            }
        }
        filled.extend(&more);
        Ok(&most - &more)
    }

    /// Takes out the batch but for what errors ask for; `false` if they come to no end.
    fn settle(&mut self, growth: &mut Growth) -> Result<bool> {
        for round in 0..MOST {
            if growth.batch.is_empty() || self.is_spent() {
                break;
            }
            let closed = self.closed_with_imports(growth);
            let all = &self.removed | &closed;
            self.checks += 1;
            let outcome = self.compiler.check(&self.blanked(&all))?;
            (self.say)(&format!("{TRACE}grown {round}: {} errors", outcome.errors.len()));
            if outcome.errors.is_empty() {
                self.removed = all;
                self.heard(outcome);
                return Ok(true);
            }
            let dangling = self.dangling(&outcome.errors, &all);
            if !dangling.is_empty() {
                let live: BTreeSet<usize> = dangling.intersection(&growth.live).copied().collect();
                growth.torn.extend(dangling);
                // One that was asked for is of no use alone: with what it names, or not at all.
                let named: BTreeSet<usize> = self.named_alike(&live, &growth.batch);
                if named.is_empty() {
                    growth.dead.extend(live);
                } else {
                    self.revive(named, growth);
                }
                continue;
            }
            let asked = self.asked(&outcome.errors, &closed, growth);
            if asked.is_empty() {
                for error in outcome.errors.iter().take(4) {
                    (self.say)(&format!("{TRACE}asks nothing back: {}", error.text));
                }
                break;
            }
            self.revive(asked, growth);
        }
        Ok(false)
    }

    /// What was asked for lives, with what it names.
    fn revive(&self, asked: BTreeSet<usize>, growth: &mut Growth) {
        self.spread(asked, &mut growth.live);
        let Growth {
            live,
            batch,
            torn,
            dead,
        } = growth;
        batch.retain(|i| !live.contains(i));
        // What an import of all there is leads to may be one of it.
        let is_glob = |i: &usize| self.nodes.list[*i].name == "*";
        torn.retain(|i| !is_glob(i) && (!live.contains(i) || dead.contains(i)));
    }

    /// What of the batch has the names that these imports import.
    fn named_alike(&self, imports: &BTreeSet<usize>, batch: &BTreeSet<usize>) -> BTreeSet<usize> {
        let list = &self.nodes.list;
        let last = |i: &usize| list[*i].path.rsplit("::").next().unwrap_or_default();
        let names: BTreeSet<&str> = imports.iter().map(last).collect();
        batch
            .iter()
            .copied()
            .filter(|i| names.contains(list[*i].name.as_str()))
            .collect()
    }

    /// What goes with the batch: impls of what goes, and imports of it.
    fn closed_with_imports(&self, growth: &Growth) -> BTreeSet<usize> {
        let mut closed = self.close(&growth.batch);
        let index = Index::of(self);
        let goes = |of: &BTreeSet<usize>| !of.is_empty() && of.is_subset(&closed);
        let imports = index.imported.iter().filter(|(_, of)| goes(of)).map(|(i, _)| *i);
        let imports: Vec<usize> = imports.collect();
        closed.extend(imports);
        closed.extend(&growth.torn);
        closed
    }

    /// What errors ask for.
    fn asked(&mut self, errors: &[Message], closed: &BTreeSet<usize>, growth: &Growth) -> BTreeSet<usize> {
        let batch = &growth.batch;
        let mut asked = self.blamed(errors, batch, closed);
        asked = self.with_implied(&asked, batch);
        // What is missed by its name: there may be several, and imports lead to it.
        let missed = errors
            .iter()
            .filter(|error| MISSED.contains(&error.code.as_str()) || error.code.is_empty());
        let quoted = missed.flat_map(|error| error.text.split('`').skip(1).step_by(2));
        let last = |path: &'_ str| path.rsplit("::").next().unwrap_or_default().to_owned();
        let quoted: BTreeSet<String> = quoted.map(last).collect();
        let is_missed = |i: &usize| quoted.contains(&self.nodes.list[*i].name);
        let index = Index::of(self);
        for (_, of) in index
            .imported
            .iter()
            .filter(|(i, _)| closed.contains(i) && is_missed(i))
        {
            asked.extend(of & batch);
        }
        asked.extend(batch.iter().filter(|i| is_missed(i)));
        asked.extend(growth.torn.difference(&growth.dead).filter(|i| is_missed(i)));
        asked
    }

    /// True of what stands in a body that has gone.
    fn is_in_blank(&self, i: usize) -> bool {
        let range = &self.nodes.list[i].range;
        let next = self.blanks.partition_point(|blank| blank.end < range.end);
        let begins = |blank: &Range<usize>| range.start + NEVER.len() >= blank.start;
        self.blanks.get(next).is_some_and(begins)
    }

    /// Adds `begin` to what lives, with all that it names.
    fn spread(&self, begin: BTreeSet<usize>, live: &mut BTreeSet<usize>) {
        let list = &self.nodes.list;
        let index = Index::of(self);
        let mut todo: Vec<usize> = begin.into_iter().collect();
        while let Some(i) = todo.pop() {
            if !live.insert(i) {
                continue;
            }
            let node = &list[i];
            todo.extend(node.parent);
            let mut named = BTreeSet::new();
            match node.role {
                Role::Module | Role::Use | Role::UseGroup | Role::DeriveList | Role::Derive => {}
                Role::UseLeaf => self.imported_by(i, &index.known, &mut named),
                _ => self.said_by(i, &index, &mut named),
            }
            if node.role == Role::Item {
                let impls = self.nodes.impls.get(&i).into_iter().flatten().copied();
                named.extend(impls.filter(|i| list[*i].of_trait == "Drop"));
            }
            todo.extend(named);
        }
    }

    /// What the words of node `i` name, as far as they tell; those of a macro by name alone, and functions of types that it
    /// names. In crates only that can be meant there: the rest errors ask for.
    fn said_by(&self, i: usize, index: &Index, named: &mut BTreeSet<usize>) {
        let list = &self.nodes.list;
        let is_macro = matches!(list[i].role, Role::Macro | Role::MacroCall);
        let own = self.crate_at(self.nodes.module_at(i));
        let words: BTreeSet<&str> = if is_macro {
            let (first, last) = self.tokens_of(i);
            (first..last).map(|k| unraw(self.tokens.at(k))).collect()
        } else {
            BTreeSet::new()
        };
        let can_be = |of: &usize| {
            let node = &list[*of];
            node.role != Role::Method || words.contains(node.of_type.as_str())
        };
        let mut said = BTreeSet::new();
        for place in self.said_in(i) {
            for k in place.clone().filter(|k| self.tokens.is_word(*k)) {
                let word = unraw(self.tokens.at(k));
                let by_name = |of: &HashMap<&str, Vec<usize>>| -> Vec<usize> {
                    let all = of.get(word).into_iter().flatten().copied();
                    all.filter(can_be).collect()
                };
                if is_macro {
                    // A word alone is the name of a variable as often, and one behind a dot that of a method.
                    let is_call = matches!(self.tokens.at(k + 1), "(" | "::") && self.tokens.at(k - 1) != ".";
                    let items = by_name(&index.items).into_iter();
                    said.extend(items.filter(|of| is_call || list[*of].kind != "fn"));
                }
                if is_macro || self.tokens.at(k + 1) == "!" {
                    said.extend(by_name(&index.macros));
                }
                if matches!(self.tokens.at(k - 1), "." | "::") {
                    let is_said = |of: &usize| index.seen.says(own, &list[*of].name);
                    said.extend(by_name(&index.traits).into_iter().filter(is_said));
                }
            }
            self.named_within(i, place, &index.known, true, &mut said);
        }
        let can_mean = |of: &usize| index.seen.can_mean(own, self.crate_at(&list[*of].module));
        named.extend(said.into_iter().filter(can_mean));
    }

    /// Tokens of node `i` that say something: not what stands in an inherent impl, nor bodies that have gone.
    fn said_in(&self, i: usize) -> Vec<Range<isize>> {
        let (mut first, mut last) = self.tokens_of(i);
        if self.nodes.list[i].role == Role::Impl {
            let is_open = |k: &isize| self.tokens.at(*k) == "{";
            last = (first..last).find(is_open).unwrap_or(last);
        }
        let range = &self.nodes.list[i].range;
        let begin = self.blanks.partition_point(|blank| blank.end <= range.start);
        let mut places = Vec::new();
        for blank in self.blanks[begin..]
            .iter()
            .take_while(|blank| blank.start < range.end)
        {
            places.push(first..last.min(self.tokens.from(blank.start) as isize));
            first = self.tokens.from(blank.end) as isize;
        }
        places.push(first..last);
        places
    }
}

impl<'a> Index<'a> {
    fn of(shaker: &'a Shaker) -> Self {
        let nodes = &shaker.nodes;
        let mut index = Self {
            known: Known::of(nodes),
            seen: Seen::of(shaker),
            traits: HashMap::new(),
            macros: HashMap::new(),
            items: HashMap::new(),
            imported: Vec::new(),
        };
        let named = || {
            nodes
                .list
                .iter()
                .enumerate()
                .filter(|(_, node)| !node.name.is_empty())
        };
        for (i, node) in named() {
            match (node.role, node.parent) {
                (Role::TraitItem, Some(of)) => index.traits.entry(&node.name).or_default().push(of),
                (Role::Macro, _) => index.macros.entry(&node.name).or_default().push(i),
                (Role::Item | Role::Method | Role::MacroCall, _) => {
                    index.items.entry(&node.name).or_default().push(i);
                }
                _ => {}
            }
        }
        let is_import = |(i, node): &(usize, &Node)| {
            node.role == Role::UseLeaf && node.name != "*" && !shaker.is_in_blank(*i)
        };
        for (i, node) in named().filter(is_import) {
            let last = node.path.rsplit("::").next().unwrap_or_default();
            let macros = index.macros.get(last).into_iter().flatten().copied();
            let mut of: BTreeSet<usize> = macros.chain(nodes.resolve(&node.module, &node.path)).collect();
            let from = absolute(&node.module, &node.path).unwrap_or_else(|| node.path.clone());
            let from = root(from.trim_start_matches("::"));
            if of.is_empty() && shaker.crates.contains(from) {
                // A macro may make it, where it is called with its name.
                let makes = |(_, node): &(usize, &Node)| {
                    let is_there = node.role == Role::MacroCall && root(&node.module) == from;
                    is_there && node.needs.iter().any(|word| word == last)
                };
                let calls = nodes.list.iter().enumerate().filter(makes);
                of.extend(calls.map(|(i, _)| i));
            }
            index.imported.push((i, of));
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a text, proven; parts of it that are `too_little` to be worth it.
    fn left_of(text: &str, too_little: &[usize]) -> String {
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let mut shaker = Shaker::new(text, &tokens, &compile, &|_| {}).unwrap();
        shaker.start(true, None).unwrap();
        for worth in too_little {
            assert!(!shaker.grow(*worth).unwrap());
        }
        assert!(shaker.grow(100).unwrap());
        let left = shaker.result().text;
        shaker.prove(&Code::told(text, &compile)).unwrap();
        assert_eq!(shaker.result().text, left);
        left
    }

    #[test]
    fn what_has_code_asks_for_the_rest() {
        let text = "
mod a {
    pub trait Size { const SIZE: usize; fn size(&self) -> usize { Self::SIZE } }
    pub trait Mark {}
    macro_rules! sized { ($($of:ty: $size:literal),*) => { $(impl Size for $of { const SIZE: usize = $size; })* } }
    sized!(u8: 1);
    sized!(u16: 2);
    impl Mark for u8 {}
    impl<T: Mark, const N: usize> Mark for [T; N] {}
    impl Mark for u16 {}
    pub fn of<T: Size + Mark>(of: T) -> usize { of.size() }
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Unused(u16);
    impl Size for Unused { const SIZE: usize = 3; fn size(&self) -> usize { of(self.0) } }
    impl From<Unused> for usize { fn from(of: Unused) -> usize { of.size() } }
    #[derive(Clone, Copy)]
    pub struct Used(pub u8);
    impl Used { pub fn twice(self) -> usize { self.0 as usize * 2 } pub fn never(self) -> Unused { Unused(3) } }
    pub struct Held(pub Used);
    impl std::ops::Deref for Held { type Target = Used; fn deref(&self) -> &Used { &self.0 } }
    impl Drop for Held { fn drop(&mut self) { println!(\"{}\", self.twice()); } }
}
use a::{Held, Unused, Used};
fn unused(of: Unused) -> usize { of.into() }
fn main() {
    let used = Used(4);
    println!(\"{} {}\", a::of(used.clone().0), Held(used).twice());
}
";
        let left = left_of(text, &[5]);
        for gone in [
            "Unused",
            "u16",
            "From",
            "[T; N]",
            "fn never",
            "fn unused",
            "PartialEq",
        ] {
            assert!(!left.contains(gone), "{gone} is left in {left}");
        }
        for there in [
            "sized!(u8: 1)",
            "impl Mark for u8",
            "Clone, Copy",
            "impl Drop",
            "Deref",
        ] {
            assert!(left.contains(there), "{there} is missing in {left}");
        }
    }

    #[test]
    fn calls_in_a_constant_without_a_name_come_back_one_by_one() {
        let text = "
trait Size { const SIZE: usize; }
macro_rules! sized { ($of:ty: $size:literal) => { impl Size for $of { const SIZE: usize = $size; } } }
macro_rules! checked { ($of:ty) => { assert!(<$of as Size>::SIZE < 9); } }
const _: () = { sized!(u8: 1); sized!(u16: 2); sized!(u32: 4); };
const _: () = { checked!(u16); };
fn of<T: Size>(_: T) -> usize { T::SIZE }
fn main() { println!(\"{}\", of(3u8) + of(5u32)); }
";
        let left = left_of(text, &[]);
        assert!(
            left.contains("{ sized!(u8: 1);  sized!(u32: 4); }") && !left.contains("u16"),
            "{left}"
        );
    }
}
