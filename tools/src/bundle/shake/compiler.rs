//! Asking the compiler: is this text a program, and what in it is not used?

use super::labels::hash;
use super::narrow::Narrowed;
use super::suggested::{in_captures, in_full, in_patterns, is_here, place, put_in, suggested};
use crate::bundle::alone::Compile;
use crate::bundle::budget::{self, Budget};
use crate::bundle::older::DENIED;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// One message of the compiler.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// Lint name or error code.
    pub code: String,
    /// Text of the message.
    pub text: String,
    /// Where, first places first.
    pub spans: Vec<Range<usize>>,
    /// The calls of macros that made what is at the first of them, the innermost first.
    pub calls: Vec<Range<usize>>,
    /// Identifiers in the message, its labels and notes.
    pub words: BTreeSet<String>,
    /// As rustc prints it.
    pub rendered: String,
}

/// What came of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Errors; empty if the text is a program.
    pub errors: Vec<Message>,
    /// Items called unused.
    pub unused: Vec<Message>,
    /// Lints that have something to say and forbid the text unless they are told not to.
    pub denied: BTreeSet<String>,
}

/// What does nothing inside of functions.
#[derive(Debug, Default)]
pub struct Idle {
    /// Names of variables that nothing reads, where they are declared.
    pub variables: Vec<Range<usize>>,
    /// Words to take out.
    pub edits: Vec<(Range<usize>, String)>,
}

/// What rustc makes of `text` in one codegen unit: `form` as `--emit` names it, `mode` further flags.
pub fn emit(text: &str, compile: &Compile, form: &str, mode: &[&str]) -> Result<String> {
    let dir = tempfile::tempdir().context("no temporary directory")?;
    let source = dir.path().join("bundle.rs");
    std::fs::write(&source, text).context("temporary source")?;
    let to = dir.path().join("bundle.out");
    let mut command = compile.command(&source);
    command
        .arg(format!("--emit={form}"))
        .args([
            "-Ccodegen-units=1",
            "-Aunused",
            "--cap-lints=warn",
            "--error-format=json",
        ])
        .args(mode)
        // Some flags a stable compiler takes on request only.
        .env("RUSTC_BOOTSTRAP", "1")
        .arg("-o")
        .arg(&to);
    let out = compile.budget.run(&command, CODE)?;
    let said: Vec<Value> = out
        .stderr
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    if !out.status.success() {
        let errors = said.iter().filter(|value| value["level"] == "error");
        let errors: Vec<&str> = errors.filter_map(|value| value["rendered"].as_str()).collect();
        let errors = errors.concat();
        let words = if errors.is_empty() { &out.stderr } else { &errors };
        bail!("{}", budget::said(out.status, words.as_bytes()));
    }
    let bytes = std::fs::read(&to).with_context(|| format!("{}: no code", to.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A compiler of one text after the other.
pub struct Compiler {
    /// The same for all of a bundle.
    folder: PathBuf,
    compile: Compile,
    /// The longest that a check of a text took that compiles.
    usual: Cell<Duration>,
    /// Where `pub` is taken as `pub(crate)`, see `super::narrow`; places of the text that is checked.
    pub narrow: Vec<usize>,
    /// Most texts are expected to be no programs: of these the compiler keeps nothing, and looking for what it may keep
    /// takes its time.
    pub expects_errors: bool,
    /// What was said of texts that are no programs.
    refused: RefCell<HashMap<u64, Outcome>>,
    /// A text, and what is idle in it.
    idle: RefCell<Option<(String, Idle)>>,
}

const LINTS: [&str; 4] = [
    "dead_code",
    "unused_imports",
    "unused_macros",
    "unused_extern_crates",
];

/// Lints about what does nothing inside of functions.
const IDLE: [&str; 4] = ["unused_variables", "unused_mut", "unused_braces", "unused_parens"];

impl Idle {
    /// Takes one message over.
    fn add(&mut self, value: &Value) {
        match value["code"]["code"].as_str() {
            Some("unused_variables") => self.variables.extend(read(value, String::new()).spans),
            Some("unused_mut" | "unused_braces" | "unused_parens") => suggested(value, &mut self.edits),
            _ => {}
        }
    }
}

/// What a lint has something to say about.
#[derive(Clone, Debug)]
pub struct Linted {
    /// Its name.
    pub lint: String,
    /// The place.
    pub place: Range<usize>,
    /// Of a place in a macro the call that it is about, the call that made that one, and so on.
    pub calls: Vec<Range<usize>>,
}

impl Compiler {
    /// A compiler for texts of one target.
    pub fn new(compile: &Compile) -> Result<Self> {
        Ok(Self {
            folder: compile.budget.folder()?.to_owned(),
            compile: compile.clone(),
            usual: Cell::default(),
            narrow: Vec::new(),
            expects_errors: false,
            refused: RefCell::default(),
            idle: RefCell::default(),
        })
    }

    /// How texts are compiled.
    pub fn compile(&self) -> &Compile {
        &self.compile
    }

    /// What there is left to ask.
    pub fn budget(&self) -> &Budget {
        &self.compile.budget
    }

    /// The source's place; every text is compiled under the same name.
    pub fn source(&self) -> PathBuf {
        self.folder.join("bundle.rs")
    }

    /// Checks a text without making code. Where code depends on `debug_assertions`, both ways count.
    pub fn check(&self, text: &str) -> Result<Outcome> {
        let key = hash((text, &self.narrow));
        if let Some(refused) = self.refused.borrow().get(&key) {
            return Ok(refused.clone());
        }
        let outcome = self.check_both(text)?;
        if !outcome.errors.is_empty() {
            self.refused.borrow_mut().insert(key, outcome.clone());
        }
        Ok(outcome)
    }

    fn check_both(&self, text: &str) -> Result<Outcome> {
        let outcome = self.check_once(text)?;
        self.check_other(text, outcome)
    }

    /// The same with debug assertions alone.
    pub fn check_once(&self, text: &str) -> Result<Outcome> {
        self.check_with(text, &["-Copt-level=0"])
    }

    /// `outcome` of [`Self::check_once`] with what there is to say without debug assertions, where code depends on them.
    pub fn check_other(&self, text: &str, mut outcome: Outcome) -> Result<Outcome> {
        if outcome.errors.is_empty() && depends_on_assertions(text) {
            let other = self.check_with(text, &["-Copt-level=1"])?;
            outcome.errors.extend(other.errors);
            outcome.denied.extend(other.denied);
            let places: BTreeSet<(usize, usize)> = other
                .unused
                .iter()
                .flat_map(|m| m.spans.iter().map(|s| (s.start, s.end)))
                .collect();
            for message in &mut outcome.unused {
                message.spans.retain(|s| places.contains(&(s.start, s.end)));
            }
        }
        Ok(outcome)
    }

    /// What the compiler says of a text with these lints, message by message, and whether it compiles. What other lints
    /// deny is no error: cargo does not ask them of other people's crates.
    fn messages(&self, text: &str, lints: &[String]) -> Result<(bool, Vec<Value>)> {
        std::fs::write(self.source(), text).context("temporary source")?;
        let mut command = self.compile.command(&self.source());
        command
            .args(["--emit=metadata", "--error-format=json", "--cap-lints=warn"])
            .args(lints)
            .arg("-o")
            .arg(self.folder.join("bundle.rmeta"));
        let out = self.compile.budget.run(&command, self.most(text))?;
        let values = out
            .stderr
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        Ok((out.status.success(), values.collect()))
    }

    /// The same, nothing if the text does not compile.
    fn warnings(&self, text: &str, lints: &[String]) -> Result<Vec<Value>> {
        let (compiles, values) = self.messages(text, lints)?;
        Ok(if compiles { values } else { Vec::new() })
    }

    /// What lints of the group suggest, where a machine may apply it. Nothing if the text does not compile.
    pub fn suggestions(&self, text: &str, lints: &str) -> Result<Vec<(Range<usize>, String)>> {
        let mut list = Vec::new();
        for value in self.warnings(text, &["-Awarnings".to_owned(), format!("--force-warn={lints}")])? {
            // Panics are translated where they are read: what this would add is the text of a format.
            if value["code"]["code"] != "non_fmt_panics" {
                suggested(&value, &mut list);
            }
            if value["code"]["code"] == "rust_2021_prelude_collisions" {
                in_full(&value, text, &mut list);
            }
            if value["code"]["code"] == "rust_2024_incompatible_pat" {
                in_patterns(&value, &mut list);
            }
            if value["code"]["code"] == "impl_trait_overcaptures" {
                in_captures(&value, text, &mut list);
            }
        }
        Ok(list)
    }

    /// What a later edition lets the text leave out.
    pub fn newer(&self, text: &str) -> Result<Newer> {
        let mut newer = Newer::default();
        for value in self.messages(text, &["-Awarnings".to_owned()])?.1 {
            if value["level"] == "error" {
                newer.errors.push(read(&value, String::new()));
            }
            if value["code"]["code"] == "E0700" {
                newer.held.extend(read(&value, String::new()).spans);
            }
            for child in value["children"].as_array().into_iter().flatten() {
                let said = child["message"].as_str().unwrap_or_default();
                if said.contains("save the expression's value in a new local variable") {
                    let mut last = Last::default();
                    put_in(child, &mut last.edits);
                    let mut spans = value["spans"].as_array().into_iter().flatten();
                    let primary = spans.find(|span| span["is_primary"] == true && is_here(span));
                    last.held = primary.map(|span| place(span).start);
                    newer.last.push(last);
                }
                if value["code"]["code"] == "E0373" && said.contains("the `move` keyword") {
                    put_in(child, &mut newer.moved);
                }
            }
        }
        Ok(newer)
    }

    /// What the last expressions of blocks hold longer than the blocks' variables live before 2024: list by list, what is
    /// dropped first before the rest. Nothing of what a macro makes, or if the text does not compile.
    pub fn held_last(&self, text: &str) -> Result<Vec<Vec<Range<usize>>>> {
        let lint = "tail_expr_drop_order";
        let mut lists = Vec::new();
        for value in self.warnings(text, &["-Awarnings".to_owned(), format!("--force-warn={lint}")])? {
            let spans = value["spans"].as_array().into_iter().flatten();
            let is_held = |span: &&Value| {
                let label = span["label"].as_str().unwrap_or_default();
                label.starts_with("this value will be stored in a temporary")
            };
            let spans: Vec<&Value> = spans.filter(is_held).collect();
            let has_place = |span: &&Value| {
                let made = &span["expansion"]["macro_decl_name"];
                let is_written = made.as_str().is_none_or(|by| by == "desugaring of operator `?`");
                is_written && is_here(span)
            };
            if value["code"]["code"] == lint && spans.iter().all(has_place) {
                lists.push(spans.into_iter().map(place).collect());
            }
        }
        Ok(lists)
    }

    /// What in functions the compiler calls idle; asked already where [`Self::check_idle`] was the last question and about
    /// this text. Nothing if the text does not compile.
    pub fn idle(&self, text: &str) -> Result<Idle> {
        let told = self.idle.take().filter(|(of, _)| of == text);
        if let Some((_, idle)) = told {
            return Ok(idle);
        }
        let lints: Vec<String> = ["-Aunused".to_owned()]
            .into_iter()
            .chain(IDLE.map(|lint| format!("-W{lint}")))
            .collect();
        let mut idle = Idle::default();
        self.warnings(text, &lints)?
            .iter()
            .for_each(|value| idle.add(value));
        Ok(idle)
    }

    /// The same as [`Self::check`] of a text of which it is asked next what is idle.
    pub fn check_idle(&self, text: &str) -> Result<Outcome> {
        // With debug assertions other variables may be read than without.
        if depends_on_assertions(text) || !self.narrow.is_empty() {
            return self.check(text);
        }
        self.idle.replace(Some((text.to_owned(), Idle::default())));
        let outcome = self.check(text);
        if !outcome.as_ref().is_ok_and(|outcome| outcome.errors.is_empty()) {
            self.idle.take();
        }
        outcome
    }

    /// What lints of those or of groups of them, parted by blanks, have something to say about; `None` if the text does
    /// not compile.
    pub fn lints(&self, text: &str, lints: &str) -> Result<Option<Vec<Linted>>> {
        let named = lints.split(' ').map(|lint| format!("--force-warn={lint}"));
        let lints: Vec<String> = ["-Awarnings".to_owned()].into_iter().chain(named).collect();
        let (compiles, values) = self.messages(text, &lints)?;
        if !compiles {
            return Ok(None);
        }
        let mut places = Vec::new();
        for value in values {
            if let Some(code) = value["code"]["code"].as_str() {
                let spans = value["spans"].as_array().into_iter().flatten();
                places.extend(spans.filter(|span| is_own(span)).map(|span| Linted {
                    lint: code.to_owned(),
                    place: place(span),
                    calls: calls(span),
                }));
            }
        }
        Ok(Some(places))
    }

    /// Errors, and what lints parted by blanks say.
    pub fn said(&self, text: &str, lints: &str) -> Result<Vec<Message>> {
        let named = lints.split(' ').map(|lint| format!("--force-warn={lint}"));
        let lints: Vec<String> = ["-Awarnings".to_owned()].into_iter().chain(named).collect();
        let (compiles, values) = self.messages(text, &lints)?;
        let mut said = Vec::new();
        for value in values {
            let code = value["code"]["code"].as_str();
            if code.is_some() || value["level"] == "error" {
                said.push(read(&value, code.unwrap_or_default().to_owned()));
            }
        }
        if !compiles && said.is_empty() {
            bail!("rustc came to no end");
        }
        Ok(said)
    }

    fn check_with(&self, text: &str, mode: &[&str]) -> Result<Outcome> {
        let narrowed = Narrowed::new(text, &self.narrow);
        std::fs::write(self.source(), &narrowed.text).context("temporary source")?;
        let mut compile = self.compile.clone();
        compile
            .flags
            .retain(|flag| flag != "-O" && !flag.contains("opt-level"));
        let known = self.known(&compile, mode);
        let asks_idle = self.idle.borrow().as_ref().is_some_and(|(of, _)| of == text);
        let ask = |incremental: bool| {
            let mut command = compile.command(&self.source());
            command
                .args(mode)
                .args(incremental.then(|| format!("-Cincremental={}", known.display())))
                .args([
                    "--emit=metadata",
                    "--error-format=json",
                    "-Aunused",
                    "--cap-lints=warn",
                ])
                .args(LINTS.map(|lint| format!("-W{lint}")))
                .args(IDLE.iter().filter(|_| asks_idle).map(|lint| format!("-W{lint}")))
                // A compiler that breaks down leaves no report behind.
                .env("RUSTC_ICE", "0")
                .arg("-o")
                .arg(self.folder.join("bundle.rmeta"));
            self.compile.budget.run(&command, self.most(text))
        };
        // What is kept holds for one set of lints.
        let mut out = ask(!asks_idle && !self.expects_errors)?;
        if !out.status.success() && out.stderr.contains("internal compiler error") {
            // What it remembers of a text that does not compile can bring it down.
            let _ = std::fs::remove_dir_all(&known);
            out = ask(false)?;
        }
        // Killed by something else than its time: what it was asked is still to be answered.
        if out.is_broken {
            out = ask(false)?;
        }
        let mut outcome = Outcome::default();
        for line in out.stderr.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let code = value["code"]["code"].as_str().unwrap_or_default().to_owned();
            if let Some((_, idle)) = self.idle.borrow_mut().as_mut().filter(|_| asks_idle) {
                idle.add(&value);
            }
            let mut message = read(&value, code);
            for span in message.spans.iter_mut().chain(&mut message.calls) {
                *span = narrowed.back(span);
            }
            match value["level"].as_str() {
                Some("error") if message.text.starts_with("aborting due to") => {}
                Some("error") => outcome.errors.push(message),
                Some("warning") if LINTS.contains(&message.code.as_str()) => outcome.unused.push(message),
                Some("warning") => outcome.denied.extend(denied(&message)),
                _ => {}
            }
        }
        if !out.status.success() && outcome.errors.is_empty() {
            if out.status.code().is_none() {
                outcome.errors.push(Message::endless());
                return Ok(outcome);
            }
            bail!(
                "rustc failed: {}",
                budget::said(out.status, out.stderr.as_bytes())
            );
        }
        if outcome.errors.is_empty() {
            self.usual.set(self.usual.get().max(out.took));
            self.compile.budget.heard(out.took);
        }
        Ok(outcome)
    }

    /// Where the compiler keeps what it found out about functions that stay as they are. Texts of one place differ by
    /// blanks only, so that is most of them; code that is compared is made without.
    fn known(&self, compile: &Compile, mode: &[&str]) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        (compile.edition, &compile.flags, &compile.offered, mode).hash(&mut hasher);
        self.folder.join(format!("known-{:016x}", hasher.finish()))
    }

    /// Processor time that a check may take: some texts without an impl send the compiler around in circles, and
    /// no other takes several times as long as one that compiles.
    fn most(&self, text: &str) -> Duration {
        match self.usual.get() {
            Duration::ZERO => SECONDS + Duration::from_secs((text.len() / BYTES_A_SECOND) as u64),
            usual => usual * 4 + Duration::from_secs(2),
        }
    }
}

/// The same where no text was checked before.
const SECONDS: Duration = Duration::from_secs(8);
const BYTES_A_SECOND: usize = 20_000;
/// What making code may take.
const CODE: Duration = Duration::from_secs(300);

/// What a text leaves out that was written for a later edition.
#[derive(Debug, Default)]
pub struct Newer {
    /// Where results hold lifetimes that are not named.
    pub held: Vec<Range<usize>>,
    /// Last values of blocks that would be dropped after the blocks' variables.
    pub last: Vec<Last>,
    /// `move` for closures that hold all of a variable, where they would hold a part of it.
    pub moved: Vec<(Range<usize>, String)>,
    /// The errors.
    pub errors: Vec<Message>,
}

/// A last value of a block that is held too long.
#[derive(Debug, Default)]
pub struct Last {
    /// What is to be put in; of a block that a macro makes, around the call.
    pub edits: Vec<(Range<usize>, String)>,
    /// The variable that it is made of.
    pub held: Option<usize>,
}

impl Message {
    /// One that names what its text does.
    #[cfg(test)]
    pub fn of(code: &str, text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphanumeric());
        Self {
            code: code.to_owned(),
            text: text.to_owned(),
            words: words.map(str::to_owned).collect(),
            rendered: text.to_owned(),
            ..Self::default()
        }
    }

    /// The compiler came to no end.
    fn endless() -> Self {
        let text = "the compiler comes to no end".to_owned();
        Self {
            rendered: format!("error: {text}"),
            text,
            ..Self::default()
        }
    }
}

/// True if a message is about this place, and the place is in the bundle.
fn is_own(span: &Value) -> bool {
    span["is_primary"] == true && is_here(span)
}

/// The calls that made what is at a place, the innermost first, as far as they are in the bundle.
fn calls(span: &Value) -> Vec<Range<usize>> {
    let mut calls = Vec::new();
    let mut outer = &span["expansion"]["span"];
    while is_here(outer) {
        calls.push(place(outer));
        outer = &outer["expansion"]["span"];
    }
    calls
}

/// The lints of a warning that would be an error without the cap.
fn denied(message: &Message) -> impl Iterator<Item = String> {
    let lints = DENIED.iter().filter(|lint| message.words.contains(**lint));
    lints.map(|lint| (*lint).to_owned())
}

fn read(value: &Value, code: String) -> Message {
    let mut message = Message {
        code,
        text: value["message"].as_str().unwrap_or_default().to_owned(),
        rendered: value["rendered"].as_str().unwrap_or_default().to_owned(),
        ..Message::default()
    };
    collect(value, &mut message, true);
    message
}

fn collect(value: &Value, message: &mut Message, top: bool) {
    add_words(value["message"].as_str(), &mut message.words);
    for span in value["spans"].as_array().into_iter().flatten() {
        add_words(span["label"].as_str(), &mut message.words);
        if top && is_own(span) {
            if message.spans.is_empty() {
                message.calls = calls(span);
            }
            message.spans.push(place(span));
        }
    }
    for child in value["children"].as_array().into_iter().flatten() {
        collect(child, message, false);
    }
}

fn add_words(text: Option<&str>, words: &mut BTreeSet<String>) {
    let text = text.unwrap_or_default();
    for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        // Not the name of anything: `_`, `72`.
        if word.contains(char::is_alphabetic) {
            words.insert(word.to_owned());
        }
    }
}

/// True if what there is to compile may depend on debug assertions. An expression that asks for them does not change that:
/// what is done in neither case is compiled as well.
pub fn depends_on_assertions(text: &str) -> bool {
    let mut places = text.match_indices("(debug_assertions");
    places.any(|(at, _)| !text[..at].ends_with("cfg!"))
}
