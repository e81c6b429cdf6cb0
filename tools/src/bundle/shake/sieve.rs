//! From the whole text to the part of it that the program reaches, before anything is proven.
//!
//! [`reach`] cuts by names; the compiler says whether what is left is a program. Where it misses something
//! (a name that only a macro puts together), everything of the names it complains about comes back.

use super::compiler::{Compiler, Message, Outcome};
use super::exports;
use super::narrow;
use super::nodes::{Nodes, Role};
use super::reach::{Reached, reach};
use super::{Reachable, thin};
use crate::bundle::TRACE;
use crate::bundle::alone::Compile;
use crate::bundle::expand::FAILS;
use crate::bundle::lex::{Tokens, line_of};
use crate::bundle::rejected::Rejected;
use anyhow::{Result, anyhow, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How often names come back before all of the text does.
const ROUNDS: usize = 16;
/// Part of the budget, in percent, after which all of it does, if errors do not become fewer.
const ENOUGH: u32 = 100;
/// A budget without time for so many checks of the whole: what may come back does so at once.
const HURRIED: u32 = 16;
/// Bytes of a text that is better grown, however much of it is called unused.
const VAST: usize = 300_000;

/// A text, and the same with what only newer editions may leave out.
pub type Older<'a> = &'a dyn Fn(&str) -> Result<String>;

/// What is left of a text.
pub struct Left {
    /// A program.
    pub text: Reachable,
    /// What the compiler says of it where `pub` is taken as `pub(crate)`, if that compiles.
    pub said: Option<Outcome>,
    /// It is long, and not all was asked about it.
    pub is_long: bool,
}

/// The part of a text that its program reaches by names, as far as the compiler bears that out.
pub struct Sieve<'a> {
    text: String,
    compile: &'a Compile,
    /// Modules without contents, and why: an error if the program reaches one.
    refused: &'a BTreeMap<String, String>,
    /// Names that came back.
    forced: BTreeSet<String>,
}

impl<'a> Sieve<'a> {
    /// Of `text`; `refused` are modules that its program must not reach, and why.
    pub fn new(text: &str, compile: &'a Compile, refused: &'a BTreeMap<String, String>) -> Self {
        Self {
            text: text.to_owned(),
            compile,
            refused,
            forced: BTreeSet::new(),
        }
    }

    /// All of the text.
    pub fn whole(&self) -> Reachable {
        Reachable {
            text: self.text.clone(),
            allowed: BTreeSet::new(),
        }
    }

    /// The same as far as names tell.
    pub fn narrow_macros(&mut self) -> Result<()> {
        if let Some(narrowed) = exports::narrowed(&self.text)? {
            self.text = narrowed;
        }
        Ok(())
    }

    /// Re-exports that reach further than what they name do so no longer, in the whole text, as far as the compiler says so
    /// at once; `false` if there is none.
    pub fn narrow_exports(&mut self) -> Result<bool> {
        let errors = Compiler::new(self.compile)?.check_once(&self.text)?.errors;
        let narrower = narrower(&self.text, &self.text, &errors);
        Ok(narrower.map(|text| self.text = text).is_some())
    }

    /// It says what only newer editions may leave out, if `older` knows; `false` if that is nothing.
    pub fn said_older(&mut self, older: Older) -> bool {
        let new = older(&self.text).ok().filter(|new| *new != self.text);
        new.map(|new| self.text = new).is_some()
    }

    /// What is left. Of a text that is still `long` and of which little is called unused it is asked no more than whether it
    /// is a program with debug assertions.
    pub fn left(&mut self, long: Option<usize>, say: &dyn Fn(&str)) -> Result<Left> {
        for _ in 0..ROUNDS {
            match attempt(self, long, say)? {
                Attempt::Done(left) => return Ok(*left),
                Attempt::Again(narrower) => self.text = narrower,
            }
        }
        bail!("its re-exports cannot be put into one crate")
    }
}

/// True of an error that there may be for `pub(crate)` alone: it is about who sees what, or a macro's.
pub fn is_of_scope(error: &Message) -> bool {
    let codes = [
        "", "E0364", "E0365", "E0445", "E0446", "E0449", "E0451", "E0603", "E0616", "E0624",
    ];
    codes.contains(&error.code.as_str())
}

/// True of an error about a re-export that reaches further than what it names.
fn is_of_exports(error: &Message) -> bool {
    matches!(error.code.as_str(), "E0364" | "E0365")
}

/// What came of one attempt.
enum Attempt {
    /// What is left.
    Done(Box<Left>),
    /// The whole text with re-exports that reach less far.
    Again(String),
}

/// `pub use` of what only its crate sees: all is one crate now, so `pub(crate)` says as much.
fn narrower(text: &str, left: &str, errors: &[Message]) -> Option<String> {
    let tokens = Tokens::new(left, Path::new("bundle")).ok()?;
    let nodes = Nodes::new(&tokens).ok()?;
    let mut lines: BTreeSet<&str> = BTreeSet::new();
    for error in errors.iter().filter(|error| is_of_exports(error)) {
        let mut node = error.spans.first().and_then(|span| nodes.at(span));
        while let Some(i) = node {
            if nodes.list[i].role == Role::Use {
                lines.insert(&left[nodes.list[i].range.clone()]);
            }
            node = nodes.list[i].parent;
        }
    }
    let mut new = text.to_owned();
    for line in lines {
        // The line may have lost names to the sieve: what stays of it is its path and a part of its list.
        let at = line.find("pub ")?;
        let head = line[at..].split(['{', ';']).next()?;
        new = new.replace(head, &head.replacen("pub ", "pub(crate) ", 1));
    }
    (new != text).then_some(new)
}

fn attempt(sieve: &mut Sieve, long: Option<usize>, say: &dyn Fn(&str)) -> Result<Attempt> {
    let Sieve {
        text,
        compile,
        refused,
        forced,
    } = sieve;
    let (text, compile) = (text.as_str(), *compile);
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let mut compiler = Compiler::new(compile)?;
    let mut last: Option<(String, Vec<Message>)> = None;
    let mut whole: Option<Vec<Message>> = None;
    let mut is_wide_first = false;
    for _ in 0..ROUNDS {
        let reached = reach(&tokens, &nodes, forced, &compile.crates);
        let left = cut(text, &nodes, &reached.dead);
        let own = Tokens::new(&left, Path::new("bundle"))?;
        if !is_wide_first {
            // The narrowed text may be a program where this is none.
            let inner = Nodes::new(&own)?;
            is_wide_first = narrow::hides(&left, &inner, &compile.crates);
        }
        let is_quick = long.is_some_and(|long| left.len() >= long);
        let places = narrow::places(&own);
        let (mut outcome, is_narrow) = said(&mut compiler, &left, places, &mut is_wide_first, is_quick)?;
        let mut is_long = false;
        if is_quick && outcome.errors.is_empty() {
            let unused = thin::unused_part(&Nodes::new(&own)?, left.len(), &outcome);
            is_long = unused < thin::COARSE || left.len() >= VAST;
            if !is_long {
                outcome = compiler.check_other(&left, outcome)?;
            }
        }
        let Outcome { errors, denied, .. } = &outcome;
        let (all, size) = (text.len(), left.len());
        say(&format!(
            "{TRACE}{size} bytes of {all} by names: {} errors",
            errors.len()
        ));
        for error in errors.iter().take(8) {
            say(&format!("{TRACE}{} {}", error.code, error.text));
        }
        if errors.is_empty() {
            let text = Reachable {
                text: left,
                allowed: denied.clone(),
            };
            return Ok(Attempt::Done(Box::new(Left {
                text,
                said: is_narrow.then_some(outcome),
                is_long,
            })));
        }
        if let Some(narrower) = narrower(text, &left, errors) {
            // Of the rest some is for that alone: where there is time, they are asked once more.
            if compile.budget.is_short_for(text.len(), HURRIED) {
                let rest: Vec<Message> = errors
                    .iter()
                    .filter(|error| !is_of_exports(error))
                    .cloned()
                    .collect();
                asked_back(&nodes, &reached.dead, &rest, forced);
            }
            return Ok(Attempt::Again(narrower));
        }
        obstacle(&left, &nodes, &reached, refused)?;
        let before = forced.len();
        asked_back(&nodes, &reached.dead, errors, forced);
        let is_nearer = last
            .as_ref()
            .is_none_or(|(_, before)| errors.len() < before.len());
        last = Some((left, outcome.errors));
        if forced.len() == before {
            break;
        }
        // A budget that ends here is no reason to refuse: the whole will do if it is a program, else it goes on.
        if compile.budget.is_past(ENOUGH) && !is_nearer && whole.is_none() {
            match entire(text, &mut compiler)? {
                Ok(done) => return Ok(done),
                Err(errors) => whole = Some(errors),
            }
        }
    }
    let whole = match whole {
        Some(errors) => errors,
        None => match entire(text, &mut compiler)? {
            Ok(done) => return Ok(done),
            Err(errors) => errors,
        },
    };
    if let Some(narrower) = narrower(text, text, &whole) {
        return Ok(Attempt::Again(narrower));
    }
    // Of the two what is nearer to a program: an edition's errors may be all there is in the whole.
    match last {
        Some((left, errors)) if errors.len() <= whole.len() => Err(rejected(left, &errors)),
        _ => Err(rejected(text.to_owned(), &whole)),
    }
}

/// What the compiler says of a text, and whether it read it narrowed, as far as it bears that and there is time to use it;
/// with debug assertions alone if it is to be `quick`.
fn said(
    compiler: &mut Compiler,
    text: &str,
    places: Vec<usize>,
    is_wide_first: &mut bool,
    is_quick: bool,
) -> Result<(Outcome, bool)> {
    let ask = |compiler: &Compiler| {
        if is_quick {
            compiler.check_once(text)
        } else {
            compiler.check(text)
        }
    };
    if !*is_wide_first {
        compiler.narrow = places;
        let outcome = ask(compiler)?;
        if !outcome.errors.iter().any(is_of_scope) {
            return Ok((outcome, true));
        }
        *is_wide_first = true;
        compiler.narrow.clear();
        return Ok((ask(compiler)?, false));
    }
    compiler.narrow.clear();
    let wide = compiler.check_once(text)?;
    if !wide.errors.is_empty() || is_quick {
        return Ok((wide, false));
    }
    if compiler.budget().has_time_for(thin::LEAST) {
        compiler.narrow = places;
        let narrow = compiler.check(text)?;
        if narrow.errors.is_empty() {
            return Ok((narrow, true));
        }
        compiler.narrow.clear();
    }
    Ok((compiler.check_other(text, wide)?, false))
}

/// What is left of `text` by names alone.
pub fn by_names(text: &str, compile: &Compile) -> Result<String> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let reached = reach(&tokens, &nodes, &BTreeSet::new(), &compile.crates);
    Ok(cut(text, &nodes, &reached.dead))
}

/// All of the text, or what is wrong with it.
fn entire(text: &str, compiler: &mut Compiler) -> Result<Result<Attempt, Vec<Message>>> {
    compiler.narrow.clear();
    let Outcome { errors, denied, .. } = compiler.check(text)?;
    Ok(if errors.is_empty() {
        let text = Reachable {
            text: text.to_owned(),
            allowed: denied,
        };
        Ok(Attempt::Done(Box::new(Left {
            text,
            said: None,
            is_long: false,
        })))
    } else {
        Err(errors)
    })
}

/// Adds names of `gone` that errors ask back to `forced`.
fn asked_back(nodes: &Nodes, gone: &BTreeSet<usize>, errors: &[Message], forced: &mut BTreeSet<String>) {
    let said: BTreeSet<&String> = errors.iter().flat_map(|error| &error.words).collect();
    let known = forced.clone();
    // What no item is called only a macro makes.
    let named: BTreeSet<&str> = nodes.list.iter().map(|node| node.name.as_str()).collect();
    let is_made = |word: &String| said.contains(word) && !named.contains(word.as_str());
    for node in gone.iter().map(|i| &nodes.list[*i]) {
        if node.role == Role::MacroCall && node.needs.iter().skip(1).any(is_made) {
            forced.insert(node.name.clone());
        }
        if said.contains(&node.name) && !node.name.is_empty() {
            forced.insert(node.name.clone());
            // Its impl may be about types that are only ever inferred.
            let of = node
                .parent
                .map(|p| &nodes.list[p])
                .filter(|_| node.role == Role::Method);
            if let Some(of) = of.filter(|_| known.contains(&node.name)) {
                forced.extend(of.needs.iter().cloned());
            }
        }
        // A trait that is only there for its methods may have another name here.
        let real = node.path.rsplit("::").next().unwrap_or_default();
        if node.role == Role::UseLeaf && said.iter().any(|word| word.as_str() == real) {
            forced.insert(node.name.clone());
        }
        // An impl comes back with its trait or type. It may be about a type that is only ever inferred: where both are
        // said, or its trait alone did not help, with all.
        if node.role == Role::TraitImpl && said.contains(&node.of_trait) {
            let is_back = known.contains(&node.of_trait) || said.contains(&node.of_type);
            let needs = node.needs.iter();
            forced.extend(needs.filter(|name| is_back || said.contains(name)).cloned());
            forced.insert(node.of_trait.clone());
        }
    }
}

/// An error that carries the text it is about, or says what stands in place of what cannot be bundled.
pub fn rejected(text: String, errors: &[Message]) -> anyhow::Error {
    let is_said = |error: &&Message| error.code.is_empty() && error.rendered.contains(FAILS);
    let refusals: BTreeSet<&str> = errors.iter().filter(is_said).map(|e| e.text.as_str()).collect();
    if !refusals.is_empty() {
        return anyhow!(refusals.into_iter().collect::<Vec<_>>().join("\n"));
    }
    let line = errors
        .first()
        .and_then(|error| error.spans.first())
        .map_or(0, |span| line_of(&text, span.start));
    let said: Vec<&str> = errors.iter().take(5).map(|error| error.rendered.trim()).collect();
    let more = errors.len().saturating_sub(said.len());
    let more = if more > 0 {
        format!("\n… and {more} more")
    } else {
        String::new()
    };
    anyhow::Error::new(Rejected {
        text,
        line,
        said: said.join("\n\n") + &more,
    })
}

/// The text without `dead` nodes.
fn cut(text: &str, nodes: &Nodes, dead: &BTreeSet<usize>) -> String {
    let mut ranges: Vec<_> = nodes
        .with_shells(dead)
        .into_iter()
        .map(|i| nodes.list[i].range.clone())
        .collect();
    ranges.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        if range.start >= at {
            left += text[at..range.start].trim_end_matches([' ', '\t']);
            at = range.end;
        }
    }
    left += &text[at..];
    left
}

/// An error if what is left names a crate that could not be inlined: why, and how the program gets there.
fn obstacle(left: &str, nodes: &Nodes, reached: &Reached, refused: &BTreeMap<String, String>) -> Result<()> {
    if refused.is_empty() {
        return Ok(());
    }
    let tokens = Tokens::new(left, Path::new("bundle"))?;
    let inner = Nodes::new(&tokens)?;
    for i in 0..tokens.list.len() {
        let at = i as isize;
        let Some(reason) = refused.get(tokens.at(at)) else {
            continue;
        };
        // In the program's root a crate is named without `crate::`.
        let is_path = (tokens.at(at - 1) == "::" && tokens.at(at - 2) == "crate")
            || (!matches!(tokens.before(at), "::" | "." | "mod" | "'") && tokens.at(at + 1) == "::");
        let is_import = inner
            .at(&tokens.list[i].range)
            .is_some_and(|n| matches!(inner.list[n].role, Role::UseLeaf | Role::Use | Role::UseGroup));
        if !is_path {
            continue;
        }
        let place = inner.at(&tokens.list[i].range).map(|n| &inner.list[n]);
        let chain = place.map_or(String::new(), |node| {
            // The same node in the whole text leads back to `main`.
            let same = nodes
                .list
                .iter()
                .position(|n| n.module == node.module && n.name == node.name && n.role == node.role);
            let mut names = Vec::new();
            let mut next = same;
            while let Some(n) = next.filter(|_| names.len() < 8) {
                let node = &nodes.list[n];
                if !node.name.is_empty() {
                    names.push(super::names::joined(&node.module, &node.name));
                }
                next = reached.cause[n];
            }
            names.reverse();
            names.dedup();
            names.join(" -> ")
        });
        let how = if is_import { "imported" } else { "used" };
        bail!("{reason}; it is {how} by {chain}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Sieve, by_names};
    use crate::bundle::alone::Compile;
    use std::collections::BTreeMap;

    #[test]
    fn re_exports_reach_no_further_than_what_they_name() {
        let text = "mod a { macro_rules! m { () => { 3 } } pub(crate) use m; pub struct S; }\n\
                    mod b { pub use crate::a::{S, m}; }\nmod c { pub use crate::b::m; }\n\
                    fn main() { let _ = b::S; println!(\"{}\", b::m!() + c::m!()); }\n";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let none = BTreeMap::new();
        let mut sieve = Sieve::new(text, &compile, &none);
        assert!(sieve.narrow_exports().unwrap());
        let narrow = sieve.whole().text;
        for re_export in ["pub(crate) use crate::a", "pub(crate) use crate::b"] {
            assert!(narrow.contains(re_export), "{narrow}");
        }
        assert!(!sieve.narrow_exports().unwrap());
        assert_eq!(sieve.whole().text, narrow);
    }

    #[test]
    fn what_may_be_a_trait_of_an_offered_crate_stays_imported() {
        // No other name leads there, and of a crate that is not read the compiler says nothing.
        let text = "use offered::Joins;\nuse inlined::Gone;\nuse offered::gone;\n\
                    mod inlined { pub trait Gone { fn gone(&self) {} } }\n\
                    fn main() { [1].iter().join(3); }\n";
        let compile = Compile {
            crates: ["inlined".to_owned()].into(),
            ..Compile::default()
        };
        let left = by_names(text, &compile).unwrap();
        assert!(left.contains("use offered::Joins;"), "{left}");
        assert!(
            !left.contains("Gone") && !left.contains("offered::gone"),
            "{left}"
        );
    }

    #[test]
    fn what_only_a_call_makes_comes_back_with_the_call() {
        let text = "macro_rules! names { (struct $of:ident; $($name:ident = $value:expr),*) => \
                    { pub struct $of; $(pub const $name: u32 = $value;)* } }\n\
                    mod elf { names! { struct Hex; R_HEX = 6, R_NONE = 0 } names! { struct Sparc; R_SPARC = 3 } }\n\
                    fn main() { println!(\"{}\", elf::R_HEX); }\n";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let none = BTreeMap::new();
        let left = Sieve::new(text, &compile, &none)
            .left(None, &|_| {})
            .unwrap()
            .text
            .text;
        assert!(left.contains("R_HEX = 6") && !left.contains("R_SPARC"), "{left}");
    }

    #[test]
    fn a_main_that_a_macro_makes_reaches_what_it_names() {
        let text = "macro_rules! solve { ($of:ty) => { fn main() { crate::common::run::<$of>(); } } }\n\
                    mod common { pub trait Day { fn part(&self) -> u32; } pub fn never() {}\n\
                    pub fn run<D: Day + Default>() { println!(\"{}\", D::default().part()); } }\n\
                    #[derive(Default)] struct Third;\n#[derive(Default)] struct Fourth;\n\
                    impl common::Day for Third { fn part(&self) -> u32 { 3 } }\n\
                    impl common::Day for Fourth { fn part(&self) -> u32 { 4 } }\nsolve!(Third);\n";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let left = by_names(text, &compile).unwrap();
        for stays in ["solve!(Third)", "fn run", "struct Third", "for Third"] {
            assert!(left.contains(stays), "{stays}: {left}");
        }
        for goes in ["Fourth", "fn never"] {
            assert!(!left.contains(goes), "{goes}: {left}");
        }
    }
}
