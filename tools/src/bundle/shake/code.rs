//! What the compiler makes of a text, in a form that can be compared.
//!
//! Two programs are taken as the same if they have the same monomorphised functions and statics (compiled
//! without optimisation, where nothing has been inlined away), and each of these has the same code as it is
//! handed to LLVM's optimiser: after the compiler's own passes, at the judge's flags, cleaned up by
//! passes that see one function at a time (`CLEAN`). Where nothing but `main` is looked for by a linker, that code is
//! compared as LLVM's text first ([`graph`]), all that `main` and the allocator reach: the same program, in half the time
//! of an assembly. Where the code differs, the same optimised machine code will do. It is the second choice because LLVM
//! goes through a program in the order of its symbols' names, which hold the numbers of impls: what was cut renumbers the
//! rest, and a comparison comes out as `< 6` in place of `<= 5`.
//!
//! Names of local labels and the numbers in panic locations (line, column) do not count: every object of
//! the assembly is a node of a graph, labelled by its text, with references replaced by the labels of
//! what they point to, refined until the labels have seen far enough.

use super::graph::{self, Graph};
use super::instances::Made;
use super::labels::{Objects, STEPS, full_name, hash, is_of_runtime};
use super::{compiler, instances};
use crate::bundle::alone::Compile;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// Every item as code of its own: nothing is inlined, not even `#[inline(always)]`.
const EVERYTHING: [&str; 3] = [
    "-Copt-level=0",
    "-Cdebug-assertions=off",
    "-Cno-prepopulate-passes",
];
/// Removes what constants decide (branches not taken, room for their variables) and nothing else. No `sccp`: how far its
/// ranges reach depends on where a function stands among others.
const CLEAN: &str = "-Cpasses=sroa,early-cse,instsimplify,simplifycfg,sroa,simplifycfg";

/// The same until little is left, and values that nothing uses. For a form in which the order of blocks does not count.
const TIDY: &str = "-Cpasses=sroa,early-cse,instsimplify,simplifycfg,sroa,early-cse,instsimplify,simplifycfg,\
                    early-cse,adce,simplifycfg";

/// The same where branches were cut: `sccp` follows constants through what they leave behind. It tells callers what
/// range a function returns, but those only that come after it: so each step goes over all functions before the next
/// begins.
const FOLDED: &str = "-Cpasses=function(sroa,early-cse,sccp,simplifycfg),function(sroa,early-cse,sccp,simplifycfg),\
                      function(early-cse,adce,simplifycfg)";

/// The compiler inlines small functions before it hands them over, and a function from which dead branches were cut
/// is smaller: the same code would come out cut into other functions. Every one stays whole here, and since all of
/// them are compared, so is what inlining would make of them.
const NO_MIR_INLINING: &str = "-Zinline-mir=no";

/// Nor does the compiler copy the end of a function to each of the ways that lead there.
const NO_MIR: &str = "-Zmir-opt-level=0";

/// True where a text prints its places: none may move then.
pub fn prints_places(text: &str) -> bool {
    ["line!", "column!"].iter().any(|asks| text.contains(asks))
}

/// What becomes of one text; each form is made when it is asked for.
#[derive(Clone, Debug)]
pub struct Code {
    source: String,
    compile: Compile,
    rename: HashMap<String, String>,
    /// Asked in one go with what there is code for.
    told: bool,
    /// What it is cleaned up by before it is compared as a graph.
    tidy: &'static str,
    made: OnceLock<Made>,
    items: OnceLock<BTreeMap<String, usize>>,
    handed: OnceLock<Objects>,
    graph: OnceLock<Graph>,
    optimised: OnceLock<Objects>,
}

impl Code {
    /// The code of `text`. `rename` leads from a shortened name to the true one.
    pub fn of(text: &str, compile: &Compile, rename: &HashMap<String, String>) -> Self {
        Self {
            source: text.to_owned(),
            compile: compile.clone(),
            rename: rename.clone(),
            told: false,
            tidy: TIDY,
            made: OnceLock::new(),
            items: OnceLock::new(),
            handed: OnceLock::new(),
            graph: OnceLock::new(),
            optimised: OnceLock::new(),
        }
    }

    /// The same where it is asked anyway of which functions there is code.
    pub fn told(text: &str, compile: &Compile) -> Self {
        Self {
            // Where a text prints its lines, none may move.
            told: !prints_places(text),
            ..Self::of(text, compile, &HashMap::new())
        }
    }

    /// To be compared with code out of which branches were cut.
    #[must_use]
    pub fn folded(self) -> Self {
        Self { tidy: FOLDED, ..self }
    }

    /// The code of `text`, to be compared with this.
    #[must_use]
    pub fn other(&self, text: &str) -> Self {
        Self {
            tidy: self.tidy,
            // The next round of folding asks.
            told: self.told && self.tidy == FOLDED,
            ..Self::of(text, &self.compile, &HashMap::new())
        }
    }

    /// Of which functions there is code, where that is [`Code::told`].
    pub fn made(&self) -> Result<Option<&Made>> {
        if !self.told {
            return Ok(None);
        }
        self.graph()?;
        Ok(self.made.get())
    }

    /// The text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Makes what every comparison needs.
    pub fn prepare(&self) -> Result<()> {
        if self.has_one_root() {
            self.graph().map(drop)
        } else {
            self.handed().map(drop)
        }
    }

    /// True if `main` is all that a linker looks for.
    pub fn has_one_root(&self) -> bool {
        instances::has_one_root(&self.source)
    }

    /// Monomorphised items by their full names, and how often each occurs.
    pub fn items(&self) -> Result<&BTreeMap<String, usize>> {
        if let Some(items) = self.items.get() {
            return Ok(items);
        }
        let mut items = BTreeMap::new();
        for object in self.objects(&EVERYTHING)? {
            if !object.name.is_empty() {
                *items.entry(object.name).or_insert(0) += 1;
            }
        }
        Ok(self.items.get_or_init(|| items))
    }

    fn handed(&self) -> Result<&Objects> {
        self.counted(&self.handed, &["-Cno-prepopulate-passes", NO_MIR_INLINING, CLEAN])
    }

    fn graph(&self) -> Result<&Graph> {
        if let Some(found) = self.graph.get() {
            return Ok(found);
        }
        let marked = if self.told {
            instances::marked(&self.source).ok()
        } else {
            None
        };
        let lines = match marked {
            Some(_) => instances::LINES,
            None => "-Cdebuginfo=0",
        };
        let mode = [
            "-Csymbol-mangling-version=v0",
            "-Cno-prepopulate-passes",
            NO_MIR,
            self.tidy,
            lines,
        ];
        let text = marked.as_ref().map_or(&self.source, |marked| &marked.text);
        let code = compiler::emit(text, &self.compile, "llvm-ir", &mode)?;
        if let Some(marked) = marked {
            let _ = self.made.set(marked.read(&code));
        }
        let made = Graph::of(&graph::objects(&code), &self.rename);
        Ok(self.graph.get_or_init(|| made))
    }

    /// True if `other`, out of which branches were cut that are never taken, is the same program: the code
    /// handed to the optimiser is the same, and nothing is compiled that was not before.
    pub fn is_same_but_for_branches(&self, other: &Self) -> Result<bool> {
        let items = &self.graph()?.items;
        let known = |(name, n): (&String, &usize)| items.get(name).is_some_and(|most| n <= most);
        Ok(self.graph()?.whole == other.graph()?.whole && other.graph()?.items.iter().all(known))
    }

    /// True if both hand the same code to the optimiser, as far as one question for each tells.
    pub fn is_plainly(&self, other: &Self) -> Result<bool> {
        let is_closed = self.has_one_root() && other.has_one_root();
        Ok(is_closed && self.graph()?.whole == other.graph()?.whole)
    }

    /// Names of functions and statics whose own code differs, or that only one of the two has.
    pub fn changed(&self, other: &Self) -> Result<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        let (a, b) = (&self.graph()?.single, &other.graph()?.single);
        for (own, others) in [(a, b), (b, a)] {
            let differ = own.iter().filter(|(k, n)| others.get(*k) != Some(n));
            names.extend(differ.map(|((name, _), _)| name.clone()));
        }
        Ok(names)
    }

    fn optimised(&self) -> Result<&Objects> {
        self.counted(&self.optimised, &[])
    }

    fn counted<'s>(&self, slot: &'s OnceLock<Objects>, mode: &[&str]) -> Result<&'s Objects> {
        if let Some(found) = slot.get() {
            return Ok(found);
        }
        let made = counted(self.objects(mode)?);
        Ok(slot.get_or_init(|| made))
    }

    fn objects(&self, mode: &[&str]) -> Result<Vec<Object>> {
        let assembly = assembly(&self.source, &self.compile, mode)?;
        // A static is compiled even if nothing reads it; only `#[used]` means it.
        let keep_all = self.source.contains("#[used");
        Ok(live(objects(&assembly, &self.rename), keep_all))
    }

    /// Names of functions and statics whose unoptimised code differs, or that only one of the two has; if
    /// the optimised code of both is the same, none.
    pub fn strays(&self, other: &Self) -> Result<Vec<String>> {
        let mut names = self.unlike(other)?;
        if names.is_empty() || self.is_optimised_as(other)? {
            return Ok(Vec::new());
        }
        names.retain(|name| name.contains("bundle::"));
        if names.is_empty() {
            names.insert("main".to_owned());
        }
        Ok(names.into_iter().collect())
    }

    /// Names of functions and statics whose unoptimised code differs, or that only one of the two has.
    pub fn unlike(&self, other: &Self) -> Result<BTreeSet<String>> {
        let made = |code: &Self| code.objects(&EVERYTHING).map(counted);
        let (a, b) = rayon::join(|| made(self), || made(other));
        let (a, b) = (a?, b?);
        let mut names = BTreeSet::new();
        for (own, others) in [(&a, &b), (&b, &a)] {
            // Local data is counted by place, and a macro's is one; what refers to it holds its contents.
            let differ = own
                .iter()
                .filter(|(k, n)| !k.0.is_empty() && others.get(*k) != Some(n));
            names.extend(differ.map(|((name, _), _)| name.clone()));
        }
        Ok(names)
    }

    fn is_optimised_as(&self, other: &Self) -> Result<bool> {
        // Local data is counted by place, as above.
        let is_named = |((name, _), _): &(&(String, u64), &usize)| !name.is_empty();
        let (own, others) = (self.optimised()?, other.optimised()?);
        Ok(own.iter().filter(is_named).eq(others.iter().filter(is_named)))
    }

    /// Names of what differs; empty if both are the same program (see above).
    pub fn difference(&self, other: &Self) -> Result<Vec<String>> {
        // Where the code handed to the optimiser is the same, names and all, there is no more to ask.
        if self.is_plainly(other)? {
            return Ok(Vec::new());
        }
        if self.handed()? == other.handed()? {
            return Ok(Vec::new());
        }
        if self.items()? == other.items()? && self.optimised()? == other.optimised()? {
            return Ok(Vec::new());
        }
        let mut names: BTreeSet<String> = BTreeSet::new();
        for (a, b) in [(self, other), (other, self)] {
            let (items, others) = (a.items()?, b.items()?);
            names.extend(
                items
                    .iter()
                    .filter(|(k, n)| others.get(*k) != Some(n))
                    .map(|(k, _)| k.clone()),
            );
            let (objects, others) = (a.handed()?, b.handed()?);
            let differ = objects.iter().filter(|(k, n)| others.get(*k) != Some(n));
            names.extend(differ.map(|((name, _), _)| name.clone()));
        }
        Ok(names.into_iter().collect())
    }
}

/// True if `text` is plainly the same program in this edition as where it is `compile`d. An error where it does not compile
/// there.
pub fn is_same_in(text: &str, compile: &Compile, edition: u16) -> Result<bool> {
    // Where variables end on the stack is only said to an optimiser.
    let own = compile.unoptimised();
    let other = Compile {
        edition,
        ..own.clone()
    };
    let [own, other] = [&own, &other].map(|how| Code::of(text, how, &HashMap::new()));
    let (made, others) = rayon::join(|| own.prepare(), || other.prepare());
    made.and(others)?;
    own.is_plainly(&other)
}

/// How often each object occurs.
fn counted(objects: Vec<Object>) -> Objects {
    let mut counted = BTreeMap::new();
    for (name, label) in labels(objects) {
        *counted.entry((name, label)).or_insert(0) += 1;
    }
    counted
}

fn assembly(text: &str, compile: &Compile, mode: &[&str]) -> Result<String> {
    emitted(text, compile, mode, "asm")
}

fn emitted(text: &str, compile: &Compile, mode: &[&str], form: &str) -> Result<String> {
    let whole = [&["-Csymbol-mangling-version=v0", "-Cdebuginfo=0"], mode].concat();
    compiler::emit(text, compile, form, &whole)
}

/// A function, a static or a piece of local data.
#[derive(Debug, Default)]
struct Object {
    /// Full name; empty for local data.
    name: String,
    /// Labels defined in it, in order.
    labels: Vec<String>,
    /// Lines that count.
    lines: Vec<String>,
}

/// Directives that say nothing about what the program does.
const SILENT: [&str; 13] = [
    ".section", ".type", ".size", ".globl", ".hidden", ".weak", ".file", ".ident", ".p2align", ".text",
    ".data", ".local", ".addrsig",
];

/// Labels inside a function.
fn is_inner(label: &str) -> bool {
    [
        ".LBB",
        ".Ltmp",
        ".Lfunc_",
        ".Lexception",
        ".Lcst_",
        ".Lttbase",
        ".Lpost_",
        ".LPost",
    ]
    .iter()
    .any(|start| label.starts_with(start))
}

fn objects(assembly: &str, rename: &HashMap<String, String>) -> Vec<Object> {
    let mut list: Vec<Object> = vec![Object::default()];
    for line in assembly.lines() {
        let text = line.split("\t#").next().unwrap_or_default().trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(label) = line
            .strip_suffix(':')
            .filter(|l| !l.starts_with(char::is_whitespace))
        {
            let label = label.trim_matches('"');
            if !is_inner(label) {
                list.push(Object {
                    name: if label.starts_with(".L") || label.starts_with("GCC_") {
                        String::new()
                    } else {
                        full_name(label, rename)
                    },
                    ..Object::default()
                });
            }
            let object = list.last_mut().expect("never empty");
            object.labels.push(label.to_owned());
            object.lines.push(":".to_owned());
            continue;
        }
        let word = text.split_whitespace().next().unwrap_or_default();
        if SILENT.contains(&word) {
            continue;
        }
        let object = list.last_mut().expect("never empty");
        if is_location(object, text) {
            object.lines.push("location".to_owned());
        } else {
            object.lines.push(text.to_owned());
        }
    }
    list
}

/// Objects that are reached from symbols the linker sees (`main` and unmangled names).
fn live(mut objects: Vec<Object>, keep_all: bool) -> Vec<Object> {
    if keep_all {
        return objects;
    }
    let mut place: HashMap<&str, usize> = HashMap::new();
    for (n, object) in objects.iter().enumerate() {
        for label in &object.labels {
            place.insert(label, n);
        }
    }
    let is_root = |o: &Object| {
        o.labels.iter().any(|l| {
            is_of_runtime(l) || (!l.starts_with(".L") && !l.starts_with("_R") && !l.starts_with("GCC_"))
        })
    };
    let mut seen = vec![false; objects.len()];
    let mut todo: Vec<usize> = (0..objects.len()).filter(|n| is_root(&objects[*n])).collect();
    while let Some(n) = todo.pop() {
        if std::mem::replace(&mut seen[n], true) {
            continue;
        }
        for line in &objects[n].lines {
            for piece in line.split(|c: char| !is_symbol_part(c)) {
                if let Some(next) = place.get(piece) {
                    todo.push(*next);
                }
            }
        }
    }
    let mut seen = seen.into_iter();
    objects.retain(|_| seen.next().unwrap_or(false));
    objects
}

fn is_symbol_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// The numbers of a panic location: after a pointer to the file's name (9 bytes long), 16 bytes.
fn is_location(object: &Object, text: &str) -> bool {
    let follows = object.lines.last().is_some_and(|l| l.starts_with(".quad\t.L"));
    follows
        && (text.starts_with(".asciz") || text.starts_with(".ascii"))
        && text.contains("\"\\t\\000\\000\\000\\000\\000\\000\\000")
}

fn labels(objects: Vec<Object>) -> Vec<(String, u64)> {
    let mut place: HashMap<String, (usize, usize)> = HashMap::new();
    for (n, object) in objects.iter().enumerate() {
        for (k, label) in object.labels.iter().enumerate() {
            place.insert(label.clone(), (n, k));
        }
    }
    let mut names: HashMap<String, String> = HashMap::new();
    let mut now: Vec<u64> = objects.iter().map(|o| hash(&o.name)).collect();
    for _ in 0..STEPS {
        let next = objects
            .iter()
            .enumerate()
            .map(|(n, object)| {
                let mut hasher = DefaultHasher::new();
                object.name.hash(&mut hasher);
                for line in &object.lines {
                    line_label(line, n, &place, &now, &mut names, &mut hasher);
                }
                hasher.finish()
            })
            .collect();
        now = next;
    }
    objects.into_iter().map(|o| o.name).zip(now).collect()
}

fn line_label(
    line: &str,
    own: usize,
    place: &HashMap<String, (usize, usize)>,
    now: &[u64],
    names: &mut HashMap<String, String>,
    hasher: &mut DefaultHasher,
) {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let kind = is_symbol_part(first);
        let end = rest
            .find(|c: char| is_symbol_part(c) != kind)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        match place.get(piece) {
            Some((n, k)) if *n == own => ("own", k).hash(hasher),
            Some((n, k)) => ("other", now[*n], k).hash(hasher),
            None if piece.starts_with("_R") => names
                .entry(piece.to_owned())
                .or_insert_with(|| full_name(piece, &HashMap::new()))
                .hash(hasher),
            None => piece.hash(hasher),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same_in_two_editions_or_not() {
        let head = "struct Told(u8); impl Drop for Told { fn drop(&mut self) { print!(\"{}\", self.0) } }\n\
                    impl Told { fn value(&self) -> Option<u8> { Some(self.0) } }\n";
        let compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        let is_same = |main: &str| is_same_in(&format!("{head}fn main() {{ {main} }}"), &compile, 2024);
        assert!(
            is_same("let told = Told(1); if let Some(2) = told.value() { } else { print!(\"3\") }").unwrap()
        );
        // Dropped after the other branch, or before.
        assert!(!is_same("if let Some(2) = Told(1).value() { } else { print!(\"3\") }").unwrap());
        assert!(is_same("let gen = 1; print!(\"{gen}\")").is_err());
    }
}
