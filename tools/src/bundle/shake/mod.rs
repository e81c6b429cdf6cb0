//! Removing what a program does not use, without changing the program.
//!
//! An item goes for one of two reasons: the compiler itself calls it unused (to a fixed point), or it is a
//! part the compiler never reports (trait impls, derives, provided methods, macro calls, branches that
//! constants decide). Either way the program without it has the same monomorphised items and the same code
//! as the unshaken one, locations aside (see `code`). "It still compiles" is only the first sieve:
//! deleting an inherent `len` compiles, and the trait method of that name then calls itself for ever.
//! `Drop` impls stay as long as their type does. An inlined crate of which the program compiles nothing is
//! tried as a whole: its impls hold each other.
//!
//! Ranges refer to the unshaken text all the time: a candidate text has blanks where something was cut,
//! so lines and columns, and with them panic locations, do not move.

mod again;
mod blame;
mod bodies;
mod code;
mod compiler;
mod consts;
mod fields;
mod fold;
mod folding;
mod fragments;
mod graph;
mod impls;
mod instances;
mod locals;
mod makers;
mod names;
mod narrow;
mod nodes;
mod proof;
mod pure;
mod reach;
mod said;
mod sieve;
mod thin;

use super::TRACE;
use super::alone::Compile;
use super::lex::Tokens;
use anyhow::{Context, Result};
pub use code::{Code, words};
pub use compiler::Compiler;
use compiler::Message;
use nodes::{Node, Nodes, Role};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::time::Instant;

/// What shaking did.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Shaken {
    /// The text without what was cut.
    pub text: String,
    /// Names of what was cut, sorted.
    pub removed: Vec<String>,
    /// Lints that must be allowed for the text to compile.
    pub allowed: BTreeSet<String>,
    /// The budget ended before everything was tried.
    pub cut_short: bool,
}

/// A bundle that is not a program.
#[derive(Debug)]
pub struct Rejected {
    /// Its text.
    pub text: String,
    /// Line of the first error.
    pub line: usize,
    /// What the compiler says.
    pub said: String,
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the bundle does not compile (line {} of it):\n{}",
            self.line, self.said
        )
    }
}

impl std::error::Error for Rejected {}

/// What the program reaches of `text`, by names; `refused` are modules that it must not reach.
pub fn reached(
    text: &str,
    compile: &Compile,
    refused: &BTreeMap<String, String>,
    say: &dyn Fn(&str),
) -> Result<String> {
    say("finding what the program reaches");
    let left = sieve::sieve(text, compile, refused, say)?;
    // With all the time there is, everything is proven against all of it.
    if compile.budget.seconds().is_none() {
        return Ok(left);
    }
    thin::thinned(&left, compile, say).or_else(|error| {
        say(&format!("{TRACE}not thinned: {error:#}"));
        Ok(left)
    })
}

/// Removes unused items from `text`, which must compile. `say` is told what is going on.
pub fn shake(text: &str, compile: &Compile, say: &dyn Fn(&str)) -> Result<Shaken> {
    compile.budget.begin();
    let reference = Code::of(text, compile, &HashMap::new());
    let give_up = |error: &anyhow::Error| say(&format!("{TRACE}given up: {error:#}"));
    // Should the text without bodies come out as another program, then with all of them.
    let made = shaken(text, compile, &reference, true, say).or_else(|error| {
        give_up(&error);
        if compile.budget.is_past(SEARCH) {
            return Err(error);
        }
        shaken(text, compile, &reference, false, say)
    });
    let mut made = made.or_else(|error| {
        if !compile.budget.is_past(SEARCH) || error.is::<Rejected>() {
            return Err(error);
        }
        give_up(&error);
        proof::modest(text, compile, &reference, say)
    })?;
    made.cut_short = compile.budget.has_ended();
    Ok(made)
}

/// Parts of the budget, in percent, after which no more is tried to leave out, and no more to prove it.
const SEARCH: u32 = 70;
const PROOF: u32 = 100;
fn shaken(
    text: &str,
    compile: &Compile,
    reference: &Code,
    hollow: bool,
    say: &dyn Fn(&str),
) -> Result<Shaken> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut shaker = Shaker::new(text, &tokens, compile, say)?;
    std::thread::scope(|scope| -> Result<()> {
        let prepared = scope.spawn(|| reference.prepare());
        shaker.phase("read");
        shaker.start(compile, hollow)?;
        shaker.phase("started");
        shaker.unreached()?;
        shaker.unused()?;
        shaker.phase("without what is called unused");
        prepared.join().expect("a compile thread does not panic")
    })?;
    shaker.guarded_parts(reference, RETRIES)?;
    shaker.phase("without what nobody needs");
    shaker.fill()?;
    shaker.phase("with bodies");
    shaker.prove(reference, compile)?;
    shaker.phase("proven");
    let shaken = shaker.result();
    let folded = folding::folded(shaken, compile, say);
    shaker.phase("folded");
    Ok(folded)
}

struct Shaker<'a> {
    /// As it was given.
    whole: &'a str,
    tokens: &'a Tokens<'a>,
    /// What is worked on: without the bodies of functions that have no code.
    text: String,
    /// Blanks of these.
    blanks: Vec<std::ops::Range<usize>>,
    /// Functions that have code; `None` where nobody could tell.
    made: Option<BTreeSet<usize>>,
    /// Full names of what there is code for; empty until somebody asks.
    compiled: BTreeSet<String>,
    nodes: Nodes,
    /// Macros by the traits that they make impls of.
    makers: HashMap<String, BTreeSet<usize>>,
    /// Functions and constants in macros.
    parts: Vec<usize>,
    /// Modules at the root that are crates of their own.
    crates: BTreeSet<String>,
    compiler: Compiler,
    say: &'a dyn Fn(&str),
    removed: BTreeSet<usize>,
    /// Removed, but not on the compiler's own word.
    guarded: BTreeSet<usize>,
    /// Tried and needed.
    locked: BTreeSet<usize>,
    /// Not to be tried.
    spared: BTreeSet<usize>,
    unused: Vec<Message>,
    denied: BTreeSet<String>,
    checks: usize,
    /// Part of the budget for the search, in percent.
    until: u32,
    started: Instant,
}

/// How often what errors asked back is tried again, all at once.
const PASSES: usize = 3;

/// How many parts that an error asked back are tried once more, largest first.
const RETRIES: usize = 24;

impl<'a> Shaker<'a> {
    fn new(text: &'a str, tokens: &'a Tokens<'a>, compile: &Compile, say: &'a dyn Fn(&str)) -> Result<Self> {
        let nodes = Nodes::new(text, tokens).context("the bundle cannot be parsed")?;
        let mut compiler = Compiler::new(compile)?;
        compiler.narrow = narrow::places(tokens);
        let parts = (0..nodes.list.len()).filter(|i| nodes.list[*i].role == Role::MacroPart);
        let parts = parts.collect();
        let mut shaker = Self {
            parts,
            makers: HashMap::new(),
            whole: text,
            tokens,
            text: text.to_owned(),
            blanks: Vec::new(),
            made: None,
            compiled: BTreeSet::new(),
            nodes,
            crates: compile.crates.clone(),
            compiler,
            say,
            removed: BTreeSet::new(),
            guarded: BTreeSet::new(),
            locked: BTreeSet::new(),
            spared: BTreeSet::new(),
            unused: Vec::new(),
            denied: BTreeSet::new(),
            checks: 0,
            until: SEARCH,
            started: Instant::now(),
        };
        shaker.find_makers();
        Ok(shaker)
    }

    /// True if no more is to be tried.
    fn is_spent(&self) -> bool {
        self.compiler.budget().is_past(self.until)
    }

    /// Tells what an error asks back.
    fn trace(&self, error: &Message, blamed: &BTreeSet<usize>) {
        let names: Vec<String> = blamed.iter().map(|i| title(&self.nodes.list[*i])).collect();
        let text = error.text.replace('\n', " ");
        (self.say)(&format!(
            "{TRACE}{} {text}: asks back {}",
            error.code,
            names.join(", ")
        ));
    }

    /// Tells what was spent by now.
    fn phase(&self, what: &str) {
        let budget = self.compiler.budget();
        (self.say)(&format!(
            "{TRACE}{what}: {} questions, {:.1} s of processor time",
            budget.questions(),
            budget.spent().as_secs_f64()
        ));
    }

    /// Bytes that are not cut.
    fn left(&self) -> usize {
        let cut: usize = self.cut(&self.removed).iter().map(std::ops::Range::len).sum();
        self.text.len() - cut
    }

    fn progress(&self) {
        (self.say)(&format!(
            "removing unused items: {} bytes left after {} compiles, {} s",
            self.left(),
            self.checks,
            self.started.elapsed().as_secs()
        ));
    }

    /// Ranges that are cut, outermost only, in order.
    fn cut(&self, removed: &BTreeSet<usize>) -> Vec<std::ops::Range<usize>> {
        let mut ranges: Vec<_> = self
            .nodes
            .with_shells(removed)
            .into_iter()
            .map(|i| self.nodes.list[i].range.clone())
            .collect();
        ranges.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
        let mut outer: Vec<std::ops::Range<usize>> = Vec::new();
        for range in ranges {
            if outer.last().is_none_or(|last| range.start >= last.end) {
                outer.push(range);
            }
        }
        outer
    }

    /// The text with blanks for what is cut: every byte stays where it is.
    fn blanked(&self, removed: &BTreeSet<usize>) -> String {
        let mut bytes = self.text.as_bytes().to_vec();
        for range in self.cut(removed) {
            for byte in &mut bytes[range] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        String::from_utf8(bytes).expect("whole tokens were blanked")
    }

    fn result(&self) -> Shaken {
        let mut text = String::new();
        let mut at = 0;
        let mut cut = self.cut(&self.removed);
        cut.extend(self.blanks.iter().cloned());
        cut.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        for range in cut.into_iter().filter(|range| !range.is_empty()) {
            if range.start >= at {
                text += &self.text[at..range.start];
                at = range.end;
            }
        }
        text += &self.text[at..];
        let mut removed: Vec<String> = self.removed.iter().map(|i| title(&self.nodes.list[*i])).collect();
        removed.sort();
        Shaken {
            text,
            removed,
            allowed: self.denied.clone(),
            cut_short: false,
        }
    }

    /// What the compiler calls unused, to a fixed point.
    fn unused(&mut self) -> Result<()> {
        while self.unused_once(true)? {}
        Ok(())
    }

    /// What the compiler calls unused now, with `calls` of macros that make something unused, which takes a proof; `true`
    /// if something went.
    fn unused_once(&mut self, calls: bool) -> Result<bool> {
        self.progress();
        let mut batch = BTreeSet::new();
        for message in &self.unused {
            for span in &message.spans {
                if let Some(node) = self.nodes.at(span) {
                    if self.nodes.list[node].role != Role::Solid {
                        batch.insert(node);
                    }
                }
            }
        }
        // A lint on one product of a macro call says nothing about the others.
        let is_call = |i: &usize| self.nodes.list[*i].role == Role::MacroCall;
        let named: BTreeSet<usize> = batch.iter().copied().filter(|i| !is_call(i)).collect();
        if !calls {
            batch.clone_from(&named);
        }
        batch.extend(self.nodes.empty_modules(&self.removed));
        batch = &(&(&batch - &self.removed) - &self.locked) - &self.spared;
        let before = self.removed.len();
        self.attempt(batch, &named)?;
        Ok(self.removed.len() != before)
    }

    /// Removes as much of `batch` as compiles. What is not in `named` still needs the proof of same items.
    fn attempt(&mut self, batch: BTreeSet<usize>, named: &BTreeSet<usize>) -> Result<()> {
        let mut batch = batch;
        loop {
            if batch.is_empty() || self.is_spent() {
                return Ok(());
            }
            let closed = self.close(&batch);
            let all = &self.removed | &closed;
            self.checks += 1;
            let outcome = self.compiler.check(&self.blanked(&all))?;
            if outcome.errors.is_empty() {
                self.guarded.extend(closed.iter().filter(|i| !named.contains(i)));
                self.removed = all;
                self.heard(outcome);
                return Ok(());
            }
            // An import of something that goes, used by nothing that stays, goes with it.
            let imports = self.dangling(&outcome.errors, &all);
            if !imports.is_empty() {
                batch.extend(imports);
                continue;
            }
            let mut blamed = self.blamed(&outcome.errors, &batch, &closed);
            if blamed.is_empty() {
                if batch.len() == 1 {
                    self.locked.extend(batch);
                    return Ok(());
                }
                let list: Vec<usize> = batch.into_iter().collect();
                let (left, right) = list.split_at(list.len() / 2);
                self.attempt(left.iter().copied().collect(), named)?;
                return self.attempt(right.iter().copied().collect(), named);
            }
            if !self.crates.is_empty() {
                blamed = self.with_owners(&blamed, &batch);
            }
            batch = &batch - &blamed;
            self.locked.extend(blamed);
        }
    }

    /// Trait impls, derives, overriding methods, macro calls, asserts, modules left empty.
    fn guarded_parts(&mut self, reference: &Code, retries: usize) -> Result<()> {
        if self.compiled.is_empty() {
            self.compiled = reference.items()?.keys().cloned().collect();
        }
        let compiled = self.compiled.clone();
        let compiled: Vec<&String> = compiled.iter().collect();
        self.attempt(self.silent_crates(&compiled), &BTreeSet::new())?;
        for pass in 0..PASSES {
            let started = self.removed.len();
            loop {
                let before = self.removed.len();
                let batch = self.candidates(&compiled);
                self.attempt(batch, &BTreeSet::new())?;
                self.unreached()?;
                self.unused()?;
                if self.removed.len() == before {
                    break;
                }
            }
            if retries == 0 || pass + 1 == PASSES || self.removed.len() == started || self.is_spent() {
                break;
            }
            // What was asked back for something that has gone since is tried again.
            self.locked.clear();
        }
        self.keep_copies()?;
        // One more chance, one by one: blame is coarse.
        let size = |i: &usize| self.nodes.list[*i].range.len();
        let mut retry: Vec<usize> = self.locked.iter().copied().collect();
        retry.retain(|i| self.nodes.list[*i].role != Role::Derive);
        retry.sort_by_key(|i| (std::cmp::Reverse(size(i)), *i));
        retry.truncate(retries);
        for node in retry {
            if self.removed.contains(&node) || self.is_inside_removed(node) {
                continue;
            }
            if self.is_spent() {
                break;
            }
            let one: BTreeSet<usize> = [node].into();
            let closed = self.close(&one);
            let all = &self.removed | &closed;
            self.checks += 1;
            let outcome = self.compiler.check(&self.blanked(&all))?;
            if outcome.errors.is_empty() {
                self.guarded.extend(closed);
                self.removed = all;
                self.heard(outcome);
                self.locked.remove(&node);
            }
            self.progress();
        }
        self.unused()
    }

    /// `Copy` stays where `Clone` does: the derived `clone` of a type that is `Copy` is another function.
    fn keep_copies(&mut self) -> Result<()> {
        let is_copy = |i: &&usize| {
            let node = &self.nodes.list[**i];
            node.role == Role::Derive && node.of_trait == "Copy"
        };
        let has_clone = |i: &usize| {
            let list = self.nodes.list[*i].parent;
            (0..self.nodes.list.len()).any(|k| {
                let other = &self.nodes.list[k];
                other.parent == list && other.of_trait == "Clone" && !self.removed.contains(&k)
            })
        };
        let copies = self.removed.iter().filter(is_copy).copied();
        let back: BTreeSet<usize> = copies.filter(has_clone).collect();
        if back.is_empty() {
            return Ok(());
        }
        self.removed = &self.removed - &back;
        self.guarded = &self.guarded - &back;
        self.locked.extend(back);
        self.mend()
    }

    fn is_inside_removed(&self, node: usize) -> bool {
        let mut around = self.nodes.list[node].parent;
        while let Some(i) = around {
            if self.removed.contains(&i) {
                return true;
            }
            around = self.nodes.list[i].parent;
        }
        false
    }

    /// Modules at the root that no compiled item stands in or names.
    fn silent_crates(&self, compiled: &[&String]) -> BTreeSet<usize> {
        let is_silent = |node: &Node| {
            let inside = format!("{}::", node.name);
            let is_crate = node.role == Role::Module && node.module.is_empty();
            is_crate && !compiled.iter().any(|item| item.contains(&inside))
        };
        (0..self.nodes.list.len())
            .filter(|i| {
                is_silent(&self.nodes.list[*i]) && !self.removed.contains(i) && !self.locked.contains(i)
            })
            .collect()
    }

    fn candidates(&self, compiled: &[&String]) -> BTreeSet<usize> {
        let has_code = self.with_code();
        let methods = methods(compiled);
        let is_candidate = |(i, node): (usize, &Node)| match node.role {
            Role::TraitImpl => node.of_trait != "Drop" && !has_code.contains(&i),
            Role::Derive | Role::MacroCall | Role::Assert | Role::Extern => true,
            Role::TraitImplItem => {
                // Without its own value a constant takes the trait's default.
                let is_const = self.text[node.range.clone()].starts_with("const ");
                node.of_trait != "Drop"
                    && !is_const
                    && !node.name.is_empty()
                    && !methods.contains(node.name.as_str())
            }
            _ => false,
        };
        (0..self.nodes.list.len())
            .filter(|i| is_candidate((*i, &self.nodes.list[*i])))
            .filter(|i| !self.removed.contains(i) && !self.locked.contains(i) && !self.is_inside_removed(*i))
            .collect()
    }

    /// Impls that have code.
    fn with_code(&self) -> BTreeSet<usize> {
        let made = self.made.iter().flatten();
        made.filter_map(|i| self.nodes.list[*i].parent).collect()
    }
}

/// Names that stand behind `>::` in the names of compiled items, as methods of impls do.
fn methods<'a>(compiled: &[&'a String]) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for item in compiled {
        for (at, mark) in item.match_indices(">::") {
            let rest = &item[at + mark.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
            if rest.is_empty() || rest.starts_with("::") {
                names.insert(name);
            }
        }
    }
    names
}

/// How a removed part is named in the report.
fn title(node: &Node) -> String {
    let (of_trait, of_type, name) = (&node.of_trait, &node.of_type, &node.name);
    match node.role {
        Role::TraitImpl => format!("impl {of_trait} for {of_type}"),
        Role::TraitImplItem => format!("<{of_type} as {of_trait}>::{name}"),
        Role::Method => format!("{of_type}::{name}"),
        Role::TraitItem => format!("{of_trait}::{name}"),
        Role::Derive => format!("derive {name} of {of_type}"),
        Role::UseLeaf => format!("use {name}"),
        Role::Module => format!("mod {name}"),
        Role::Macro => format!("{name}!"),
        _ => name.clone(),
    }
}
