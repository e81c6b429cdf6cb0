//! What shaking found, kept by content under Cargo's target folder: an unchanged input is instant.

use super::alone::Compile;
use super::budget::compiler_version;
use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// The shaking code itself is part of the key: another bundler finds nothing of this one's.
const SELF: [&str; 56] = [
    include_str!("shake/mod.rs"),
    include_str!("shake/again.rs"),
    include_str!("shake/bodies.rs"),
    include_str!("shake/carried.rs"),
    include_str!("shake/instances.rs"),
    include_str!("shake/reach/crates.rs"),
    include_str!("shake/reach/impls.rs"),
    include_str!("shake/reach/macros.rs"),
    include_str!("shake/reach/scopes.rs"),
    include_str!("shake/blame.rs"),
    include_str!("shake/makers.rs"),
    include_str!("shake/memory.rs"),
    include_str!("shake/said.rs"),
    include_str!("shake/thin.rs"),
    include_str!("shake/trim.rs"),
    include_str!("shake/guarded.rs"),
    include_str!("shake/written.rs"),
    include_str!("shake/nodes.rs"),
    include_str!("shake/names.rs"),
    include_str!("shake/reach.rs"),
    include_str!("shake/sieve.rs"),
    include_str!("shake/compiler.rs"),
    include_str!("shake/code.rs"),
    include_str!("shake/labels.rs"),
    include_str!("shake/consts.rs"),
    include_str!("shake/fields.rs"),
    include_str!("shake/fields/read.rs"),
    include_str!("shake/fold.rs"),
    include_str!("shake/folding.rs"),
    include_str!("shake/fragments.rs"),
    include_str!("shake/locals.rs"),
    include_str!("shake/pure.rs"),
    include_str!("shake/rolled.rs"),
    include_str!("shake/graph.rs"),
    include_str!("shake/impls.rs"),
    include_str!("shake/implied.rs"),
    include_str!("shake/proof.rs"),
    include_str!("shake/narrow.rs"),
    include_str!("docs.rs"),
    include_str!("quoted.rs"),
    include_str!("shorten.rs"),
    include_str!("editions.rs"),
    include_str!("editions/held.rs"),
    include_str!("editions/mixed.rs"),
    include_str!("editions/captures.rs"),
    include_str!("editions/boxed.rs"),
    include_str!("editions/across.rs"),
    include_str!("editions/branches.rs"),
    include_str!("editions/loops.rs"),
    include_str!("editions/matched.rs"),
    include_str!("editions/panics.rs"),
    include_str!("editions/tails.rs"),
    include_str!("editions/touched.rs"),
    include_str!("editions/whole.rs"),
    include_str!("budget.rs"),
    include_str!("alone.rs"),
];

/// A name for what is known about `what`, compiled as `compile` says by the present `rustc`.
pub fn name(what: &impl Hash, compile: &Compile) -> String {
    let mut name = String::new();
    for half in 0..2 {
        let mut hasher = DefaultHasher::new();
        (half, what, compiler_version()).hash(&mut hasher);
        (compile.edition, &compile.flags, &compile.offered).hash(&mut hasher);
        let _ = write!(name, "{:016x}", hasher.finish());
    }
    name
}

/// What `make` says about `text`, compiled as `compile` says by the present `rustc`; at once if it was asked
/// before. A cache that cannot be written is no error.
pub fn kept<T: Serialize + DeserializeOwned>(
    text: &impl Hash,
    compile: &Compile,
    target_dir: &Path,
    make: impl FnOnce() -> Result<T>,
) -> Result<T> {
    // What a budget cut short is good for that budget only.
    let file = |limit: Option<u64>| {
        let name = name(&(std::any::type_name::<T>(), SELF, text, limit), compile);
        target_dir.join("fifty-bundle").join(name + ".json")
    };
    let limit = compile.budget.seconds();
    for file in [file(None), file(limit)] {
        let found = std::fs::read_to_string(&file).ok();
        if let Some(found) = found.and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(found);
        }
    }
    let made = make()?;
    if let Ok(text) = serde_json::to_string(&made) {
        let limit = limit.filter(|_| compile.budget.has_ended());
        let _ = super::write(&text, &file(limit));
    }
    Ok(made)
}
