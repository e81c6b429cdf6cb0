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
mod arms;
mod blame;
mod bodies;
mod carried;
mod coarse;
mod code;
mod compiled;
mod compiler;
mod consts;
mod elsewhere;
mod exports;
mod fields;
mod fold;
mod folding;
mod fragments;
mod graph;
mod grown;
mod guarded;
mod implied;
mod impls;
mod index;
mod instances;
mod labels;
mod lacking;
mod left_out;
mod locals;
mod located;
mod makers;
mod memory;
mod mentions;
mod names;
mod narrow;
mod nested;
mod nodes;
mod overloads;
mod owed;
mod owners;
mod printed;
mod products;
mod proof;
mod pure;
mod reach;
mod required;
mod rolled;
mod said;
mod seen;
mod settled;
mod sieve;
mod suggested;
mod thin;
mod trim;
mod uncalled;
mod written;

use super::TRACE;
use super::alone::Compile;
use super::lex::Tokens;
use anyhow::Result;
pub use coarse::{Reading, coarsely_cut, reached};
pub use code::{Code, is_same_in};
use compiler::Message;
pub use compiler::{Compiler, Last, Linted, emit};
pub use grown::Unlike;
use index::Index;
use instances::Made;
pub use labels::words;
pub use left_out::left_out;
use left_out::title;
use nodes::{Nodes, Role};
use products::Products;
pub use sieve::{Older, by_names};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// A text that compiles.
#[derive(Clone, Debug)]
pub struct Reachable {
    /// The text.
    pub text: String,
    /// Lints that must be allowed for it to compile.
    pub allowed: BTreeSet<String>,
}

/// What shaking did.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Shaken {
    /// The text without what was cut.
    pub text: String,
    /// How much was cut, in parts.
    removed: usize,
    /// Lints that must be allowed for the text to compile.
    pub allowed: BTreeSet<String>,
    /// The budget ended before everything was tried.
    pub cut_short: bool,
    /// Fields that nothing reads, with their types, where it was asked.
    #[serde(skip)]
    unread: Option<BTreeSet<String>>,
}

/// `text` in which functions have no bodies of which `keeps` does not say so by where they stand, and which can do without
/// to be typed: every byte of what stays is where it was.
pub fn hollow(text: &str, keeps: &dyn Fn(&Range<usize>) -> bool) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let is_empty = |i: usize| !keeps(&nodes.list[i].range);
    Ok(instances::hollow(text, &tokens, &nodes, &is_empty).text)
}

/// Removes unused items from `text`. `bare` is a text to begin with where that is the same program. `say` is told what
/// is going on.
pub fn shake(text: &Reachable, bare: Option<&str>, compile: &Compile, say: &dyn Fn(&str)) -> Result<Shaken> {
    compile.budget.may_be_left(true);
    // What comes of folding is compared with what is proven here.
    let reference = Code::told(&text.text, compile).folded();
    let of = |begin: &str| all_shaken(begin, &reference, compile, say);
    let made = match bare.map(of) {
        Some(Ok(made)) => Ok(made),
        Some(Err(error)) if compile.budget.is_past(SEARCH) => Err(error),
        _ => of(&text.text),
    };
    compile.budget.may_be_left(false);
    let mut made = match made {
        Ok(Some(made)) => made,
        Err(error) if !compile.budget.is_past(SEARCH) => return Err(error),
        // What was there to begin with is a program too.
        none => {
            if let Err(error) = none {
                say(&format!("{TRACE}given up: {error:#}"));
            }
            Shaken {
                text: text.text.clone(),
                allowed: text.allowed.clone(),
                ..Shaken::default()
            }
        }
    };
    made.cut_short = compile.budget.has_ended();
    Ok(made)
}

/// `None` if there is no time for it.
fn all_shaken(text: &str, reference: &Code, compile: &Compile, say: &dyn Fn(&str)) -> Result<Option<Shaken>> {
    if !compile.budget.has_time_for(SHAKEN) {
        return Ok(None);
    }
    let give_up = |error: &anyhow::Error| say(&format!("{TRACE}given up: {error:#}"));
    // Macros written out, as far as that is worth it.
    let written = if compile.budget.has_time_for(WRITTEN) {
        written::out(text, compile).unwrap_or_else(|error| {
            say(&format!("{TRACE}macros are not written out: {error:#}"));
            written::Written::default()
        })
    } else {
        written::Written::default()
    };
    let products = written.products;
    let out = written.text.filter(|_| compile.budget.has_time_for(SHAKEN));
    let before = text.len();
    if let Some(text) = out {
        say(&format!("{TRACE}{} bytes with macros written out", text.len()));
        let hollow = Hollow {
            products: &products,
            made: written.made.as_ref(),
        };
        match shaken(&text, compile, reference, Some(&hollow), say) {
            Ok(made) if made.text.len() <= before => return Ok(Some(made)),
            // There was no time to take out again what macros make and nobody needs.
            Ok(_) => say(&format!("{TRACE}macros stay: written out they are longer")),
            Err(error) => give_up(&error),
        }
        if compile.budget.is_past(SEARCH) {
            return Ok(None);
        }
    }
    // Should the text without bodies come out as another program, then with all of them.
    let hollow = Hollow {
        products: &products,
        made: None,
    };
    let made = shaken(text, compile, reference, Some(&hollow), say).or_else(|error| {
        give_up(&error);
        if compile.budget.is_past(SEARCH) {
            return Err(error);
        }
        shaken(text, compile, reference, None, say)
    });
    let made = made.or_else(|error| {
        if !compile.budget.is_past(SEARCH) || compile.budget.is_past(PROOF) {
            return Err(error);
        }
        give_up(&error);
        // What may be handed back whole is what everything is compared with.
        proof::modest(reference.source(), compile, reference, say)
    });
    made.map(Some)
}

/// Checks that shaking takes with its proof.
const SHAKEN: u32 = 6;
/// The same with macros written out: there is more to take out then.
const WRITTEN: u32 = 30;
/// Parts of the budget, in percent, after which no more is tried to leave out, and no more to prove it.
const SEARCH: u32 = 70;
const PROOF: u32 = 100;

/// What is known where bodies without code are left out.
struct Hollow<'a> {
    /// What calls of macros make.
    products: &'a Products,
    /// What there is code for, where that was asked.
    made: Option<&'a Made>,
}

/// `hollow`: bodies without code are left out.
fn shaken(
    text: &str,
    compile: &Compile,
    reference: &Code,
    hollow: Option<&Hollow>,
    say: &dyn Fn(&str),
) -> Result<Shaken> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let mut shaker = Shaker::new(&tokens, &nodes, compile, say)?;
    let mut known = None;
    if let Some(hollow) = hollow {
        shaker.products.clone_from(hollow.products);
        known = hollow.made.or_else(|| reference.made().ok()?);
    }
    std::thread::scope(|scope| -> Result<()> {
        let prepared = scope.spawn(|| reference.prepare());
        shaker.phase("read");
        shaker.start(hollow.is_some(), known)?;
        shaker.phase("started");
        shaker.guarded_at_once()?;
        shaker.unreached()?;
        shaker.unused()?;
        shaker.phase("without what is called unused");
        prepared.join().expect("a compile thread does not panic")
    })?;
    shaker.guarded_parts(reference, RETRIES)?;
    shaker.phase("without what nobody needs");
    shaker.fill()?;
    shaker.phase("with bodies");
    let folded = folding::folded(&mut shaker, reference)?;
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
    /// The same where no body is taken out; `None` until somebody asks.
    coded: Option<BTreeSet<usize>>,
    /// Full names of what there is code for; empty until somebody asks.
    compiled: BTreeSet<String>,
    /// What [`Shaker::with_compiled`] finds, where that is asked.
    in_traits: BTreeSet<usize>,
    nodes: &'a Nodes,
    /// What its words name, once somebody asks.
    index: OnceCell<Rc<Index<'a>>>,
    /// Macros by the traits that they make impls of.
    makers: HashMap<String, BTreeSet<usize>>,
    /// By a trait's name the macros that call others which may make impls of it.
    handing: HashMap<String, BTreeSet<usize>>,
    /// Macros by rules by their names.
    rules: HashMap<String, Vec<usize>>,
    /// Names of macros that declare nothing by a name that they are given.
    idle_macros: BTreeSet<String>,
    /// The text's own traits of impls.
    traits_of: HashMap<usize, usize>,
    /// Names that macros declare in their rules.
    declared_by: HashMap<String, BTreeSet<String>>,
    /// What calls of macros make.
    products: Products,
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
    /// What asked for what is locked, and for nothing else at once.
    askers: HashMap<usize, BTreeSet<usize>>,
    /// Locked by what another shaking found.
    recalled: BTreeSet<usize>,
    /// Functions and constants with impls in them that hold for all of the program.
    holders: BTreeSet<usize>,
    /// Not to be tried.
    spared: BTreeSet<usize>,
    unused: Vec<Message>,
    denied: BTreeSet<String>,
    checks: usize,
    /// How many there may be until something else is tried.
    most_checks: usize,
    /// After how many errors' rounds all of the batch comes back that is in the crates which they are about.
    most_rounds: usize,
    /// Part of the budget for the search, in percent.
    until: u32,
    started: Instant,
}

/// How many parts that an error asked back are tried once more, largest first.
const RETRIES: usize = 24;

impl<'a> Shaker<'a> {
    fn new(
        tokens: &'a Tokens<'a>,
        nodes: &'a Nodes,
        compile: &Compile,
        say: &'a dyn Fn(&str),
    ) -> Result<Self> {
        let mut compiler = Compiler::new(compile)?;
        compiler.narrow = narrow::places(tokens);
        let parts = (0..nodes.list.len()).filter(|i| nodes.list[*i].role == Role::MacroPart);
        let parts = parts.collect();
        let mut shaker = Self {
            parts,
            makers: HashMap::new(),
            handing: HashMap::new(),
            rules: HashMap::new(),
            idle_macros: BTreeSet::new(),
            traits_of: HashMap::new(),
            declared_by: HashMap::new(),
            products: Products::default(),
            whole: tokens.text,
            tokens,
            text: tokens.text.to_owned(),
            blanks: Vec::new(),
            made: None,
            coded: None,
            compiled: BTreeSet::new(),
            in_traits: BTreeSet::new(),
            nodes,
            index: OnceCell::new(),
            crates: compile.crates.clone(),
            compiler,
            say,
            removed: BTreeSet::new(),
            guarded: BTreeSet::new(),
            locked: BTreeSet::new(),
            askers: HashMap::new(),
            recalled: BTreeSet::new(),
            holders: BTreeSet::new(),
            spared: BTreeSet::new(),
            unused: Vec::new(),
            denied: BTreeSet::new(),
            checks: 0,
            most_checks: usize::MAX,
            most_rounds: usize::MAX,
            until: SEARCH,
            started: Instant::now(),
        };
        shaker.find_makers();
        shaker.find_idle_macros();
        shaker.find_owed();
        shaker.spared = shaker.open_parts();
        shaker.holders = shaker.nodes.holders().into_keys().collect();
        Ok(shaker)
    }

    /// True if no more is to be tried.
    fn is_spent(&self) -> bool {
        self.checks >= self.most_checks || self.compiler.budget().is_past(self.until)
    }

    /// Tells what an error asks back.
    fn trace(&self, error: &Message, blamed: &BTreeSet<usize>) {
        let said = |i: &usize| match self.nodes.list[*i].role {
            Role::MacroCall => self.whole[self.nodes.list[*i].range.clone()]
                .chars()
                .take(SAID)
                .collect(),
            _ => title(&self.nodes.list[*i]),
        };
        let names: Vec<String> = blamed.iter().map(said).collect();
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
            "{TRACE}{what}: {} bytes left, {} questions, {:.1} s of processor time",
            self.left(),
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
        Shaken {
            text,
            removed: self.removed.len(),
            allowed: self.denied.clone(),
            cut_short: false,
            unread: (!self.compiler.narrow.is_empty())
                .then(|| fields::unread(self.whole, self.nodes, &self.unused)),
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
        // Nor does one on a function about the impls in its body.
        let is_named = |i: &usize| !is_call(i) && !self.holders.contains(i);
        let named: BTreeSet<usize> = batch.iter().copied().filter(is_named).collect();
        if !calls {
            batch = &named - &self.with_named(&self.said_by_macros(&named), &named);
            batch = &batch - &self.used_of_some_call(&batch);
        }
        batch.extend(self.nodes.empty_modules(&self.removed));
        batch = &(&(&batch - &self.removed) - &self.locked) - &self.spared;
        let before = self.removed.len();
        self.attempt(&batch, &named)?;
        Ok(self.removed.len() != before)
    }

    /// Removes as much of `batch` as compiles. What is not in `named` still needs the proof of same items.
    fn attempt(&mut self, batch: &BTreeSet<usize>, named: &BTreeSet<usize>) -> Result<()> {
        let mut batch = batch - &self.spared;
        // What goes because something else does is no part that could be tried alone.
        let mut brought = BTreeSet::new();
        let mut rounds = 0;
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
                brought.extend(imports.iter().filter(|import| !batch.contains(import)));
                batch.extend(imports);
                continue;
            }
            let mut blamed = self.blamed(&outcome.errors, &batch, &closed);
            if blamed.is_empty() {
                let list: Vec<usize> = batch.difference(&brought).copied().collect();
                if list.len() < 2 {
                    self.locked.extend(list);
                    return Ok(());
                }
                let (left, right) = list.split_at(list.len() / 2);
                self.attempt(&left.iter().copied().collect(), named)?;
                return self.attempt(&right.iter().copied().collect(), named);
            }
            if !self.crates.is_empty() {
                blamed = self.with_owners(&blamed, &batch);
            }
            let copies: Vec<usize> = blamed.iter().filter_map(|i| self.copy_of(*i)).collect();
            blamed.extend(copies.iter().filter(|copy| batch.contains(copy)));
            blamed = self.with_implied(&blamed, &batch);
            blamed = self.with_named(&blamed, &batch);
            rounds += 1;
            if rounds >= self.most_rounds {
                blamed.extend(self.beside(&blamed, &batch));
            }
            batch = &batch - &blamed;
            self.locked.extend(blamed);
        }
    }
}

/// Letters of a macro's call that are told.
const SAID: usize = 40;
