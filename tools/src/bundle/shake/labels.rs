//! What compared objects are called: demangled names that do not depend on where a function stands, and labels.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Objects by name (empty for local data) and label, and how often each occurs.
pub type Objects = BTreeMap<(String, u64), usize>;

/// True if the standard library calls it without a name in the program: its allocator.
pub fn is_of_runtime(symbol: &str) -> bool {
    symbol.contains("7___rustc")
}

/// True of what is called from outside of the program where a linker looks for nothing but `main`.
pub fn is_root(symbol: &str) -> bool {
    symbol == "main" || symbol.starts_with("llvm.") || is_of_runtime(symbol)
}

/// Demangled, without hashes; names of a shortened text translated back.
pub fn full_name(symbol: &str, rename: &HashMap<String, String>) -> String {
    let symbol = symbol.split('@').next().unwrap_or_default();
    let Ok(name) = rustc_demangle::try_demangle(symbol) else {
        return symbol.to_owned();
    };
    let name = without_numbers(format!("{name:#}"));
    if rename.is_empty() {
        return name;
    }
    let mut out = String::with_capacity(name.len());
    for (is_word, piece) in words(&name) {
        match rename.get(piece).filter(|_| is_word) {
            Some(old) => out.push_str(old),
            None => out.push_str(piece),
        }
    }
    out
}

/// Closures are numbered within a function, in order of the source: one cut out of a branch that is never
/// taken renumbers those behind it. What is in each is compared.
fn without_numbers(name: String) -> String {
    const MARK: &str = "{closure#";
    if !name.contains(MARK) {
        return name;
    }
    let mut parts = name.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += "{closure";
        out += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out
}

/// Splits into identifiers and what is between them.
pub fn words(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let kind = is_word(first);
        let end = rest.find(|c: char| is_word(c) != kind).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some((kind, piece))
    })
}

pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Steps of refinement: how far a label looks along references.
pub const STEPS: usize = 4;
