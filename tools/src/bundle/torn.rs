//! Crates that the judge offers and that do not go with those inlined: where an inlined crate needs another one that an
//! offered crate is built on, their types and traits differ, and the offered one has to be inlined too.

use super::alone::Compile;
use super::editions::{self, Editions};
use super::inline::Parts;
use super::project::Project;
use super::shake;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// Of the crates left to the judge those which are built on one that is inlined, by name.
pub fn offered(project: &Project, parts: &Parts) -> BTreeSet<String> {
    let inlined: BTreeSet<usize> = parts.list.iter().map(|part| part.krate).collect();
    let is_torn = |name: &String| {
        let named = |index: &usize| project.crates[*index].name == *name && !inlined.contains(index);
        let mut todo: Vec<usize> = (0..project.crates.len()).filter(named).collect();
        let mut seen = BTreeSet::new();
        while let Some(index) = todo.pop() {
            if inlined.contains(&index) && project.crates[index].macros.is_none() {
                return true;
            }
            if seen.insert(index) {
                todo.extend(project.crates[index].deps.values().copied());
            }
        }
        false
    };
    parts.kept.iter().filter(|name| is_torn(name)).cloned().collect()
}

/// What is to be said where these are inlined.
pub fn note(torn: &BTreeSet<String>) -> String {
    format!(
        "inlined though the judge has it, as a crate that it has not is built on the same ones: {}",
        names(torn)
    )
}

fn names(torn: &BTreeSet<String>) -> String {
    let names: Vec<&str> = torn.iter().map(String::as_str).collect();
    names.join(", ")
}

/// An error if crates of the judge's are torn and the program does not compile with them: whether it does is to be known
/// before the search for what is not needed begins.
pub fn agree(torn: &BTreeSet<String>, whole: &str, editions: &Editions, compile: &Compile) -> Result<()> {
    let compiles = || editions::compiles(&shake::by_names(whole, compile)?, editions, compile);
    ensure!(
        torn.is_empty() || compiles()?,
        "what the judge has is built on crates that the program is built on as well, and does not go with them: {}",
        names(torn)
    );
    Ok(())
}
