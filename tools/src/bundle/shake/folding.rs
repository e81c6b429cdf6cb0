//! Rounds of folding: branches that constants decide are cut ([`fold`]), what only they used is shaken off, and what is
//! left is compared with what was there before.
//!
//! What is left must be the same program as what there was with all branches: the same code, function by function
//! ([`Code::is_same_but_for_branches`]). Making code takes longest, so both steps are compared at once. Where that
//! fails, a function that came out differently keeps its branches, and the rest is tried again; where that fails too, the
//! text with fewer branches is compared first, and only then shaken, against itself.

use super::carried::{Of, carried};
use super::code::Code;
use super::compiler::Message;
use super::fold::{CLOSURES, Folded, fold};
use super::instances::{self, Made};
use super::memory::Memory;
use super::nodes::Nodes;
use super::owners::{function_at, keys};
use super::{Compiler, PROOF, Shaken, Shaker, TRACE, arms, fields, fragments, locals, rolled, trim};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use anyhow::Result;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Folding exposes more to fold.
const ROUNDS: usize = 4;
/// Part of the budget, in percent, after which none begins, and for the search in those that did.
const BEGINS: u32 = 60;
const SEARCH: u32 = 75;
/// How often functions get their branches back in a round, before it goes step by step and in all.
const AT_ONCE: usize = 2;
const TRIES: usize = 8;
/// A round that cuts less than one part in so many is the last.
const LITTLE: usize = 200;

/// What a round left, and its code, where that is proven already.
type Round = (Shaken, Option<Code>);

/// What is left of a text that is shaken, without the branches that constants decide and what only they used; proven.
/// `reference` is the code of what there was before.
pub fn folded(shaker: &mut Shaker, reference: &Code) -> Result<Shaken> {
    let (compile, say) = (shaker.compiler.compile().clone(), shaker.say);
    let mut rounds = Rounds {
        compile: &compile,
        say,
        spared: BTreeSet::new(),
        is_stale: false,
        may_wait: false,
        tries_to_wait: true,
        stay: BTreeSet::new(),
    };
    let begun = rounds.begun(shaker, reference).unwrap_or_else(|error| {
        say(&format!("{TRACE}not folded before it is proven: {error:#}"));
        None
    });
    if let Some((shaken, code, memory)) = begun {
        rounds.may_wait = true;
        return Ok(rounds.folded(shaken, code, memory, 1));
    }
    let code = shaker.prove(reference)?;
    shaker.phase("proven");
    Ok(rounds.folded(shaker.result(), code, shaker.memory(), 0))
}

impl Rounds<'_> {
    /// The first round, where what is left of it can be compared with what there was before anything was shaken: one
    /// comparison for both. `None` if that is not so, or there is nothing to fold.
    fn begun(&mut self, shaker: &Shaker, reference: &Code) -> Result<Option<(Shaken, Code, Memory)>> {
        // What a linker looks for beside `main` is compared in another way.
        if !reference.has_one_root() || self.compile.budget.is_past(BEGINS) {
            return Ok(None);
        }
        let Some(mut known) = shaker.known_of(reference)? else {
            return Ok(None);
        };
        if let Some(made) = &shaker.made {
            // Of what macros make the reference tells nothing.
            known.nodes = &known.nodes & made;
        }
        let shaken = shaker.result();
        if self.slim(&shaken)?.is_some() {
            return Ok(None);
        }
        let spared = self.spared.clone();
        for _ in 0..AT_ONCE {
            let Some(less) = self.less(&shaken.text, true)? else {
                break;
            };
            let before = self.spared.len();
            let mut memory = shaker.memory();
            let from = (shaker.whole, shaker.nodes);
            let made = self.at_once(
                &less,
                (&shaken.text, reference),
                Some((&known, from)),
                &mut memory,
            )?;
            if let Some((next, Some(code))) = made {
                self.is_stale = true;
                return Ok(Some((next, code, memory)));
            }
            if self.spared.len() == before {
                break;
            }
        }
        // It may be what was shaken.
        self.spared = spared;
        Ok(None)
    }

    /// `shaken` without the branches that constants decide and what only they used, after so many rounds that are `done`.
    /// `code` is its code, `memory` what is needed of it.
    fn folded(&mut self, shaken: Shaken, mut code: Code, mut memory: Memory, mut done: usize) -> Shaken {
        let (compile, say) = (self.compile, self.say);
        let mut best = shaken;
        loop {
            // What is proven, where `best` is not.
            let mut sure = None;
            while done < ROUNDS && sure.is_none() && !compile.budget.is_past(BEGINS) {
                // What stands is proven already: a round that fails costs no more than what it would have cut.
                let (next, made) = match self.round(&best, &code, &mut memory) {
                    Ok(Some(made)) => made,
                    Ok(None) => break,
                    Err(error) => {
                        say(&format!("{TRACE}round {done} of folding is given up: {error:#}"));
                        break;
                    }
                };
                done += 1;
                match made {
                    Some(made) => code = made,
                    None => sure = Some(best),
                }
                best = next;
                // That little is left to fold as yet says nothing after the first round.
                self.may_wait = self.tries_to_wait;
            }
            match trimmed(&best.text, &code, compile) {
                Ok(Some(text)) => {
                    best.text = text;
                    return best;
                }
                Ok(None) => {}
                Err(error) => say(&format!("{TRACE}not trimmed: {error:#}")),
            }
            let Some(sure) = sure else {
                return best;
            };
            let own = Code::of(&best.text, compile, &HashMap::new()).folded();
            if !compile.budget.is_past(PROOF) && code.is_same_but_for_branches(&own).unwrap_or(false) {
                return best;
            }
            say(&format!("{TRACE}the last round of folding is other code"));
            best = sure;
            self.tries_to_wait = false;
            self.may_wait = false;
        }
    }
}

/// `text` without words that say nothing, and with impls of one form as macros, if that is the same program.
fn trimmed(text: &str, reference: &Code, compile: &Compile) -> Result<Option<String>> {
    if compile.budget.is_past(PROOF) {
        return Ok(None);
    }
    let is_same = |less: &str| {
        let code = Code::of(less, compile, &HashMap::new()).folded();
        reference.is_same_but_for_branches(&code)
    };
    let less = trim::trimmed(text, &Compiler::new(compile)?)?;
    let less = less.as_deref().unwrap_or(text);
    // What does not compile as a macro stays written out.
    let rolled = rolled::rolled(less)?.filter(|rolled| rolled.len() < less.len());
    if let Some(rolled) = rolled.filter(|rolled| is_same(rolled).unwrap_or(false)) {
        return Ok(Some(rolled));
    }
    Ok((less.len() < text.len() && is_same(less)?).then(|| less.to_owned()))
}

/// A text that compiles, without branches and what they leave behind; not proven.
struct Less {
    text: String,
    /// Functions that lost branches.
    functions: BTreeSet<String>,
    /// Variables and arguments went too.
    is_tidied: bool,
}

struct Rounds<'a> {
    compile: &'a Compile,
    say: &'a dyn Fn(&str),
    /// Functions that keep their branches.
    spared: BTreeSet<String>,
    /// The last round knew of the text with its branches only what there is code for.
    is_stale: bool,
    /// A round that cuts little is proven together with what comes after it, by itself only where that fails.
    may_wait: bool,
    /// That is still to be tried.
    tries_to_wait: bool,
    /// Fields, with their types, that stay though nothing reads them.
    stay: BTreeSet<String>,
}

impl Rounds<'_> {
    /// One round: without fields that nothing reads, folded, shaken and proven; with the code of what is left, or without
    /// a proof that may wait. `code` is the text's.
    fn round(&mut self, best: &Shaken, code: &Code, memory: &mut Memory) -> Result<Option<Round>> {
        let slim = self.slim(best)?;
        let text = best.text.as_str();
        // Other fields are other code: what comes next is compared with that.
        self.may_wait &= slim.is_none();
        let text = slim.as_deref().unwrap_or(text);
        let own = match &slim {
            None => code.clone(),
            Some(slim) => Code::told(slim, self.compile).folded(),
        };
        let was_stale = std::mem::take(&mut self.is_stale);
        let mut is_other = false;
        for _ in 0..AT_ONCE {
            let Some(less) = self.less(text, true)? else {
                is_other = false;
                break;
            };
            let before = self.spared.len();
            if let Some(made) = self.at_once(&less, (text, &own), None, memory)? {
                self.is_stale = true;
                return Ok(Some(made));
            }
            is_other = true;
            if self.spared.len() == before {
                break;
            }
        }
        if is_other {
            // Step by step, then.
            if let Some((text, code)) = self.proven(text, &own)? {
                let (shaken, code) = self.shaken(&text, &code, memory)?;
                return Ok(Some((shaken, Some(code))));
            }
        }
        if slim.is_none() && !was_stale {
            return Ok(None);
        }
        let (shaken, code) = self.shaken(text, &own, memory)?;
        Ok((slim.is_some() || shaken.removed > 0).then_some((shaken, Some(code))))
    }

    /// A text without fields that nothing reads, if there are any of which that was not tried.
    fn slim(&mut self, of: &Shaken) -> Result<Option<String>> {
        if of
            .unread
            .as_ref()
            .is_some_and(|unread| unread.is_subset(&self.stay))
        {
            return Ok(None);
        }
        fields::cut(&of.text, self.compile, &mut self.stay, self.say)
    }

    /// `less` shaken, if the code of what is left is `code`, that of the same text with its branches; else functions that
    /// are other code keep theirs from now on.
    fn at_once(
        &mut self,
        less: &Less,
        (text, code): (&str, &Code),
        known: Option<(&Made, Of)>,
        memory: &mut Memory,
    ) -> Result<Option<Round>> {
        let tokens = Tokens::new(&less.text, Path::new("bundle"))?;
        let nodes = Nodes::new(&tokens)?;
        let mut inner = self.inner(&tokens, &nodes)?;
        let known = match known {
            Some((made, from)) => Some(inner.carried(made, from)),
            None => inner.known_of(code)?,
        };
        inner.without_unused(known.as_ref(), code, memory)?;
        if self.may_wait && inner.left() + text.len() / LITTLE >= text.len() {
            return Ok(Some((inner.result(), None)));
        }
        let left = Code::told(&inner.blanked(&inner.removed), self.compile).folded();
        if code.is_same_but_for_branches(&left)? {
            *memory = inner.memory();
            return Ok(Some((inner.result(), Some(left))));
        }
        drop(inner);
        (self.say)(&format!("{TRACE}folded and shaken it is other code"));
        for name in less.among(&code.changed(&left)?) {
            (self.say)(&format!("{TRACE}folded, {name} is other code"));
            self.spared.insert(name.clone() + CLOSURES);
            self.spared.insert(name);
        }
        Ok(None)
    }

    /// `text`, of which this is the code, shaken and proven.
    fn shaken(&self, text: &str, code: &Code, memory: &mut Memory) -> Result<(Shaken, Code)> {
        let tokens = Tokens::new(text, Path::new("bundle"))?;
        let nodes = Nodes::new(&tokens)?;
        let mut inner = self.inner(&tokens, &nodes)?;
        let known = inner.known_of(code)?;
        inner.without_unused(known.as_ref(), code, memory)?;
        let left = if inner.removed.is_empty() {
            code.clone()
        } else {
            inner.prove(code)?
        };
        *memory = inner.memory();
        Ok((inner.result(), left))
    }

    fn inner<'t>(&'t self, tokens: &'t Tokens<'t>, nodes: &'t Nodes) -> Result<Shaker<'t>> {
        let mut inner = Shaker::new(tokens, nodes, self.compile, self.say)?;
        inner.until = SEARCH;
        inner.start(false, None)?;
        Ok(inner)
    }

    /// `text` without branches and what they leave behind, as far as it compiles; `None` if there is nothing to it.
    fn less(&mut self, text: &str, tidies: bool) -> Result<Option<Less>> {
        let compiler = Compiler::new(self.compile)?;
        for _ in 0..TRIES {
            if self.compile.budget.is_past(SEARCH) {
                break;
            }
            let folded = fold(text, self.compile, &self.spared).unwrap_or_else(|| Folded {
                text: text.to_owned(),
                functions: BTreeSet::new(),
            });
            let mut less = Less {
                text: folded.text,
                functions: folded.functions,
                is_tidied: false,
            };
            let mut errors = Vec::new();
            if !less.functions.is_empty() {
                errors = compiler.check_idle(&less.text)?.errors;
            }
            if errors.is_empty() {
                if tidies {
                    less.tidy(&compiler)?;
                }
                return Ok((less.text != text).then_some(less));
            }
            if !self.spare_wrong(&less, &errors) {
                return Ok(None);
            }
        }
        (self.say)(&format!("{TRACE}folding comes to no end"));
        Ok(None)
    }

    /// What does not compile keeps its branches: a default is needed after all, or a type was only told by what was cut.
    fn spare_wrong(&mut self, less: &Less, errors: &[Message]) -> bool {
        let before = self.spared.len();
        for error in errors {
            (self.say)(&format!(
                "{TRACE}folded, it does not compile: {} {}",
                error.code, error.text
            ));
            let places = error
                .spans
                .iter()
                .filter_map(|span| function_at(&less.text, span.start));
            self.spared
                .extend(places.filter(|name| less.functions.contains(name)));
        }
        if self.spared.len() == before {
            let traits = less.functions.iter().filter(|name| !name.contains("::"));
            self.spared.extend(traits.cloned());
        }
        self.spared.len() > before
    }

    /// `text` without branches and what they leave behind, as far as that is the same program, and its code.
    fn proven(&mut self, text: &str, reference: &Code) -> Result<Option<(String, Code)>> {
        let mut tidies = true;
        for _ in 0..TRIES {
            let Some(less) = self.less(text, tidies)? else {
                return Ok(None);
            };
            (self.say)("comparing the code with that of all branches");
            let code = Code::told(&less.text, self.compile).folded();
            if reference.is_same_but_for_branches(&code)? {
                return Ok(Some((less.text, code)));
            }
            let changed = reference.changed(&code)?;
            let before = self.spared.len();
            for name in less.among(&changed) {
                if !self.spared.insert(name.clone() + CLOSURES) {
                    self.spared.insert(name.clone());
                }
                (self.say)(&format!("{TRACE}folded, {name} is other code"));
            }
            if self.spared.len() == before {
                if !(less.is_tidied && tidies) {
                    let names: Vec<&str> = changed.iter().take(3).map(String::as_str).collect();
                    (self.say)(&format!(
                        "{TRACE}folded, other code nobody folded: {}",
                        names.join(", ")
                    ));
                    return Ok(None);
                }
                (self.say)(&format!("{TRACE}folded, variables and arguments stay"));
                tidies = false;
            }
        }
        (self.say)(&format!("{TRACE}folding comes to no end"));
        Ok(None)
    }
}

impl Less {
    /// Functions that lost branches, of those that `changed`.
    fn among(&self, changed: &BTreeSet<String>) -> Vec<String> {
        let owners: BTreeSet<String> = changed.iter().flat_map(|name| keys(name)).collect();
        self.functions.intersection(&owners).cloned().collect()
    }

    /// Without arguments and arms of macros and variables that nothing needs now.
    fn tidy(&mut self, compiler: &Compiler) -> Result<()> {
        let compiles = |less: &String| {
            let check = compiler.check(less);
            check.is_ok_and(|outcome| outcome.errors.is_empty())
        };
        let less = fragments::cut(&self.text).filter(compiles);
        let whole = less.as_deref().unwrap_or(&self.text);
        let less = arms::cut(whole, compiler)?.filter(compiles).or(less);
        let whole = less.as_deref().unwrap_or(&self.text);
        let less = locals::cut(whole, compiler)?.or(less);
        if let Some(less) = less {
            self.text = less;
            self.is_tidied = true;
        }
        Ok(())
    }
}

impl Shaker<'_> {
    /// Without what nothing uses now. `code`: of this text, or of the same with more branches; `known`: what of this text
    /// it is the code of.
    fn without_unused(&mut self, known: Option<&Made>, code: &Code, memory: &Memory) -> Result<()> {
        self.unused()?;
        self.coded = self.find_code(known);
        self.recall(memory);
        self.guarded_parts(code, 0)
    }

    /// What of this text `code` is the code of, that of a text with nearly the same nodes.
    fn known_of(&self, code: &Code) -> Result<Option<Made>> {
        Ok(match code.made()? {
            Some(made) if made.form != instances::form(self.nodes) => {
                let tokens = Tokens::new(code.source(), Path::new("bundle"))?;
                let nodes = Nodes::new(&tokens)?;
                Some(self.carried(made, (code.source(), &nodes)))
            }
            made => made.cloned(),
        })
    }

    /// What is known of a text, of this one.
    fn carried(&self, made: &Made, from: Of) -> Made {
        Made {
            nodes: carried(&made.nodes, from, (self.whole, self.nodes)),
            form: instances::form(self.nodes),
            ..made.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::bundle::alone::Compile;
    use crate::bundle::shake::{Reachable, shake};
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_shaken_and_folded_is_compared_once() {
        let text = "
trait Named { const LOUD: bool; fn name(&self) -> &str; fn told(&self) { if Self::LOUD { loud(self.name()) } else { print!(\"{}\", self.name()) } } }
struct One; impl Named for One { const LOUD: bool = false; fn name(&self) -> &str { \"one\" } }
struct Two; impl Named for Two { const LOUD: bool = false; fn name(&self) -> &str { \"two\" } }
impl From<Two> for One { fn from(_: Two) -> One { One } }
fn loud(name: &str) { print!(\"LOUD {name}\") }
fn main() { One.told() }
";
        for (rest, is_once) in [
            ("", true),
            ("#[no_mangle] pub extern \"C\" fn seen() {}\n", false),
        ] {
            let compile = Compile {
                edition: 2021,
                flags: vec!["-O".to_owned()],
                ..Compile::default()
            };
            let text = Reachable {
                text: format!("{text}{rest}"),
                allowed: BTreeSet::new(),
            };
            let said = RefCell::new(String::new());
            let left = shake(&text, None, &compile, &|line| *said.borrow_mut() += line).unwrap();
            let left = left.text;
            assert!(!left.contains("Two") && !left.contains("LOUD {name}"), "{left}");
            let is_twice = said.borrow().contains("with the unshaken bundle's");
            assert_eq!(is_twice, !is_once, "{}", said.borrow());
        }
    }
}
