//! What shaking found, kept by content under Cargo's target folder: an unchanged input is instant.

use super::alone::Compile;
use super::budget::{self, compiler_version};
use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Which bundler this is, by its own source: another one finds nothing of this one's.
const SELF: &str = env!("FIFTY_BUNDLER");

/// A name for what is known about `what`, compiled as `compile` says by the present `rustc`.
pub fn name(what: &impl Hash, compile: &Compile) -> String {
    let mut name = String::new();
    for half in 0..2 {
        let mut hasher = DefaultHasher::new();
        (half, what, compiler_version()).hash(&mut hasher);
        (
            compile.edition,
            &compile.flags,
            compile.baseline,
            &compile.offered,
        )
            .hash(&mut hasher);
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
    // One that a signal cut short is good for nobody else, and one far over its judge's limit for no other judge.
    if budget::is_hurried() || compile.budget.is_closed() {
        return Ok(made);
    }
    if let Ok(text) = serde_json::to_string(&made) {
        let limit = limit.filter(|_| compile.budget.has_ended());
        let _ = super::write(&text, &file(limit));
    }
    Ok(made)
}
