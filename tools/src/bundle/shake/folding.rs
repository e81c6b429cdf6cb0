//! Rounds of folding: branches that constants decide are cut ([`fold`]), what only they used is shaken off, and what is
//! left is compared with what was there before.
//!
//! The text with fewer branches must be the same program as the one with all of them: the same code, function by
//! function ([`Code::is_same_but_for_branches`]). A function that came out differently keeps its branches, and the rest
//! is tried again. Only then is it shaken, against itself.

use super::code::Code;
use super::fold::{CLOSURES, Folded, fold};
use super::memory::Memory;
use super::nodes::{Nodes, Role};
use super::{Compiler, PROOF, Shaken, Shaker, TRACE, fields, fragments, locals, trim};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use anyhow::Result;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Folding exposes more to fold.
const ROUNDS: usize = 3;
/// Part of the budget, in percent, after which none begins, and for the search in those that did.
const BEGINS: u32 = 60;
const SEARCH: u32 = 75;
/// How often functions get their branches back in a round.
const TRIES: usize = 8;

/// `shaken` without the branches that constants decide and what only they used.
/// `memory`: what is needed of it.
pub fn folded(shaken: Shaken, mut memory: Memory, compile: &Compile, say: &dyn Fn(&str)) -> Shaken {
    let mut reference = Code::of(&shaken.text, compile, &HashMap::new()).folded();
    let mut best = shaken;
    let mut spared = BTreeSet::new();
    for n in 0..ROUNDS {
        if compile.budget.is_past(BEGINS) {
            break;
        }
        // What stands is proven already: a round that fails costs no more than what it would have cut.
        let made = round(&best.text, &reference, compile, &mut spared, &mut memory, say);
        let (mut next, code) = match made {
            Ok(Some(made)) => made,
            Ok(None) => break,
            Err(error) => {
                say(&format!("{TRACE}round {n} of folding is given up: {error:#}"));
                break;
            }
        };
        next.removed.append(&mut best.removed);
        next.removed.sort();
        (best, reference) = (next, code);
    }
    match trimmed(&best.text, &reference, compile) {
        Ok(Some(text)) => best.text = text,
        Ok(None) => {}
        Err(error) => say(&format!("{TRACE}not trimmed: {error:#}")),
    }
    best
}

/// `text` without words that say nothing, if that is the same program.
fn trimmed(text: &str, reference: &Code, compile: &Compile) -> Result<Option<String>> {
    if compile.budget.is_past(PROOF) {
        return Ok(None);
    }
    let Some(less) = trim::trimmed(text, &Compiler::new(compile)?)? else {
        return Ok(None);
    };
    let is_same = reference.is_same_but_for_branches(&reference.other(&less))?;
    Ok(is_same.then_some(less))
}

/// One round: folded, shaken and proven, with the code before it was shaken.
fn round(
    text: &str,
    reference: &Code,
    compile: &Compile,
    spared: &mut BTreeSet<String>,
    memory: &mut Memory,
    say: &dyn Fn(&str),
) -> Result<Option<(Shaken, Code)>> {
    let folded = proven(text, reference, compile, spared, say)?;
    let (text, code) = match &folded {
        Some((text, code)) => (text.as_str(), Some(code)),
        None => (text, None),
    };
    let slim = fields::cut(text, compile, say)?;
    let (text, code) = match (&slim, code) {
        (Some(slim), _) => (slim.as_str(), Code::told(slim, compile).folded()),
        (None, Some(_)) => (text, folded.as_ref().expect("just seen").1.clone()),
        (None, None) => return Ok(None),
    };
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut inner = Shaker::new(text, &tokens, compile, say)?;
    inner.until = SEARCH;
    inner.start(compile, false, None)?;
    inner.unused()?;
    inner.coded = inner.find_code(compile, Some(&code));
    inner.recall(memory);
    inner.guarded_parts(&code, 0)?;
    let code = inner.prove(&code)?;
    *memory = inner.memory();
    Ok(Some((inner.result(), code)))
}

/// `text` without branches and what they leave behind, as far as that is the same program, and its code.
fn proven(
    text: &str,
    reference: &Code,
    compile: &Compile,
    spared: &mut BTreeSet<String>,
    say: &dyn Fn(&str),
) -> Result<Option<(String, Code)>> {
    let compiler = Compiler::new(compile)?;
    let mut tidies = true;
    for _ in 0..TRIES {
        if compile.budget.is_past(SEARCH) {
            break;
        }
        let mut folded = fold(text, compile, spared).unwrap_or_else(|| Folded {
            text: text.to_owned(),
            functions: BTreeSet::new(),
        });
        let mut errors = Vec::new();
        if !folded.functions.is_empty() {
            errors = compiler.check(&folded.text)?.errors;
        }
        let mut tidied = false;
        if errors.is_empty() && tidies {
            let less = fragments::cut(&folded.text).filter(|less| {
                let check = compiler.check(less);
                check.is_ok_and(|outcome| outcome.errors.is_empty())
            });
            let whole = less.as_deref().unwrap_or(&folded.text);
            let less = locals::cut(whole, &compiler)?.or(less);
            if let Some(less) = less {
                folded.text = less;
                tidied = true;
            }
        }
        if folded.text == text {
            return Ok(None);
        }
        if !errors.is_empty() {
            // Not a program: a default is needed after all, or a type was only told by what was cut.
            let before = spared.len();
            for error in &errors {
                say(&format!(
                    "{TRACE}folded, it does not compile: {} {}",
                    error.code, error.text
                ));
                let places = error
                    .spans
                    .iter()
                    .filter_map(|span| function_at(&folded.text, span.start));
                spared.extend(places.filter(|name| folded.functions.contains(name)));
            }
            if spared.len() == before {
                let traits = folded.functions.iter().filter(|name| !name.contains("::"));
                spared.extend(traits.cloned());
            }
            if spared.len() == before {
                return Ok(None);
            }
            continue;
        }
        say("comparing the code with that of all branches");
        let code = Code::told(&folded.text, compile).folded();
        if reference.is_same_but_for_branches(&code)? {
            return Ok(Some((folded.text, code)));
        }
        let changed = reference.changed(&code)?;
        let owners: BTreeSet<String> = changed.iter().flat_map(|name| keys(name)).collect();
        let before = spared.len();
        for name in folded.functions.intersection(&owners) {
            let closures = name.clone() + CLOSURES;
            if !spared.insert(closures) {
                spared.insert(name.clone());
            }
            say(&format!("{TRACE}folded, {name} is other code"));
        }
        if spared.len() == before {
            if !std::mem::take(&mut tidied) {
                let names: Vec<&str> = changed.iter().take(3).map(String::as_str).collect();
                say(&format!(
                    "{TRACE}folded, other code nobody folded: {}",
                    names.join(", ")
                ));
                return Ok(None);
            }
            say(&format!("{TRACE}folded, variables and arguments stay"));
            tidies = false;
        }
    }
    say(&format!("{TRACE}folding comes to no end"));
    Ok(None)
}

/// The function around a byte, as [`fold`] names it.
fn function_at(text: &str, byte: usize) -> Option<String> {
    let tokens = Tokens::new(text, Path::new("bundle")).ok()?;
    let nodes = Nodes::new(text, &tokens).ok()?;
    let around = nodes
        .list
        .iter()
        .filter(|node| node.kind == "fn" && node.range.contains(&byte));
    let node = around.min_by_key(|node| node.range.len())?;
    let owner = match node.role {
        Role::TraitItem => &node.of_trait,
        _ => &node.of_type,
    };
    Some(format!("{owner}::{}", node.name))
}

/// Which functions of the text a compiled one may come from, as [`fold`] names them.
fn keys(name: &str) -> Vec<String> {
    let (owners, path) = match name.strip_prefix('<') {
        Some(rest) => {
            let (inner, path) = rest.split_at(closing(rest));
            let inner = flat(inner);
            let owners = inner.split(" as ").map(last).map(str::to_owned).collect();
            (owners, flat(path.trim_start_matches('>')))
        }
        None => (vec![String::new()], flat(name)),
    };
    let mut parts = path.split("::").filter(|part| !part.is_empty());
    let function = if name.starts_with('<') {
        parts.next()
    } else {
        parts.take_while(|part| !part.starts_with('{')).last()
    };
    let function = function.unwrap_or_default();
    owners
        .iter()
        .map(|owner| format!("{owner}::{function}"))
        .collect()
}

fn last(path: &str) -> &str {
    let path = path.trim_start_matches(['&', '*']);
    path.rsplit("::").next().unwrap_or(path)
}

/// Where the bracket is closed that was opened before `text`.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Without what stands in angle brackets.
fn flat(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out += rest[..at].trim_end_matches("::");
        let inner = &rest[at + 1..];
        rest = inner[closing(inner)..].trim_start_matches('>');
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::keys;

    #[test]
    fn compiled_names_lead_to_functions() {
        let of = |name: &str| keys(name).join(" ");
        assert_eq!(of("bundle::a::play::<bundle::B<u8>>"), "::play");
        assert_eq!(of("bundle::a::play::{closure}"), "::play");
        assert_eq!(
            of("<bundle::a::Tree<bundle::B, fn() -> u8>>::run::<bundle::C>"),
            "Tree::run"
        );
        assert_eq!(
            of("<bundle::a::B as bundle::c::Kernel<u8>>::run::<u8>::{closure}"),
            "B::run Kernel::run"
        );
    }
}
