//! Where the characters go.

use super::rejected::parsed;
use super::target::Target;
use anyhow::Result;
use std::fmt::Write;

/// One module's part of the file.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Share {
    /// Path from the bundle's root; `main` for the program itself.
    pub module: String,
    /// Characters of its own, modules inside it not counted.
    pub characters: usize,
}

/// Sizes of all modules of `text`.
pub fn shares(text: &str, target: &Target) -> Result<Vec<Share>> {
    let file = parsed(text)?;
    let mut list = Vec::new();
    let total = target.count(text);
    let inner = walk(text, &file.items, "", target, &mut list);
    list.insert(
        0,
        Share {
            module: "main".to_owned(),
            characters: total - inner,
        },
    );
    Ok(list)
}

fn walk(text: &str, items: &[syn::Item], path: &str, target: &Target, list: &mut Vec<Share>) -> usize {
    let mut sum = 0;
    for item in items {
        let syn::Item::Mod(module) = item else {
            continue;
        };
        let Some((_, items)) = &module.content else {
            continue;
        };
        let range = syn::spanned::Spanned::span(module).byte_range();
        let whole = target.count(&text[range]);
        let name = format!("{path}{}", module.ident);
        let at = list.len();
        let inner = walk(text, items, &format!("{name}::"), target, list);
        list.insert(
            at,
            Share {
                module: name,
                characters: whole - inner,
            },
        );
        sum += whole;
    }
    sum
}

/// A table of shares: crates with their sums, modules below.
pub fn table(shares: &[Share], limit: Option<usize>) -> String {
    let mut out = String::new();
    let total: usize = shares.iter().map(|s| s.characters).sum();
    for share in shares {
        let inside = format!("{}::", share.module);
        let sum: usize = shares
            .iter()
            .filter(|s| s.module == share.module || s.module.starts_with(&inside))
            .map(|s| s.characters)
            .sum();
        let depth = share.module.matches("::").count();
        let name = share.module.rsplit("::").next().unwrap_or_default();
        let _ = writeln!(out, "{:>8}  {}{name}", sum, "  ".repeat(depth));
    }
    match limit {
        Some(limit) => {
            let percent = 100.0 * total as f64 / limit as f64;
            let _ = write!(out, "{total:>8}  of {limit} ({percent:.1} %)");
        }
        None => {
            let _ = write!(out, "{total:>8}  in all");
        }
    }
    out
}
