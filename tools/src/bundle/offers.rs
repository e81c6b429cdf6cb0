//! Crates the judge offers, beside others that it does not: what an offered crate re-exports whole (`pub use rand_core;`) is
//! taken from there. Nothing is read here but root files.

use super::project::Project;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree, Visibility};

/// True if a program written for `want` compiles with `have`: the same leftmost number that is not 0.
pub fn compatible(have: &str, want: &str) -> bool {
    let numbers = |v: &str| -> Vec<u64> { v.split('.').map(|n| n.parse().unwrap_or(0)).collect() };
    let (have, want) = (numbers(have), numbers(want));
    for (a, b) in have.iter().zip(&want) {
        if a != b {
            return false;
        }
        if *a != 0 {
            return true;
        }
    }
    true
}

/// True if the judge has this crate of the project, and the file is to use it there: what macros of crates make is in the
/// file.
pub fn has(offered: &BTreeMap<String, String>, project: &Project, krate: usize) -> bool {
    let krate = &project.crates[krate];
    let have = offered.get(&krate.name);
    let is_used = !krate.local && krate.macros.is_none();
    is_used && have.is_some_and(|have| compatible(have, &krate.version))
}

/// What is said of crates that the program's own ones ask for and that are in the file, though the judge has them: in another
/// version.
pub fn note(
    offered: &BTreeMap<String, String>,
    project: &Project,
    inlined: &BTreeSet<usize>,
) -> Option<String> {
    let local = project.crates.iter().filter(|krate| krate.local);
    let asked: BTreeSet<usize> = local.flat_map(|krate| krate.deps.values().copied()).collect();
    let list: Vec<String> = (asked.intersection(inlined).map(|krate| &project.crates[*krate]))
        .filter(|krate| !krate.local && krate.macros.is_none())
        .filter_map(|krate| {
            let have = offered.get(&krate.name)?;
            let (name, own) = (&krate.name, &krate.version);
            (!compatible(have, own)).then(|| format!("{name} {own} (there {have})"))
        })
        .collect();
    (!list.is_empty()).then(|| format!("inlined, as the judge has another version: {}", list.join(", ")))
}

/// An offered crate that re-exports `krate` whole, and the name it has there.
pub fn within(
    offered: &BTreeMap<String, String>,
    project: &Project,
    krate: usize,
) -> Option<(String, String)> {
    (0..project.crates.len())
        .filter(|outer| has(offered, project, *outer))
        .find_map(|outer| {
            let above = &project.crates[outer];
            let name = above.deps.iter().find(|(_, below)| **below == krate)?.0;
            let file = syn::parse_file(&std::fs::read_to_string(&above.root).ok()?).ok()?;
            let alias = file.items.iter().find_map(|item| {
                let (vis, attrs, alias) = match item {
                    Item::Use(item) => match &item.tree {
                        UseTree::Name(tree) if tree.ident == name => (&item.vis, &item.attrs, name.clone()),
                        UseTree::Rename(tree) if tree.ident == name => {
                            (&item.vis, &item.attrs, tree.rename.to_string())
                        }
                        _ => return None,
                    },
                    Item::ExternCrate(item) if item.ident == name => {
                        let alias = item.rename.as_ref().map_or(&item.ident, |(_, alias)| alias);
                        (&item.vis, &item.attrs, alias.to_string())
                    }
                    _ => return None,
                };
                (matches!(vis, Visibility::Public(_)) && above.known.is_on(attrs)).then_some(alias)
            })?;
            Some((above.name.clone(), alias))
        })
}

#[cfg(test)]
mod tests {
    use super::compatible;

    #[test]
    fn the_leftmost_number_decides() {
        for (have, want, expected) in [
            ("0.8.5", "0.8.8", true),
            ("0.8.5", "0.9.0", false),
            ("1.9.1", "1.13.2", true),
            ("2.0.0", "1.9.3", false),
            ("0.0.3", "0.0.4", false),
        ] {
            assert_eq!(compatible(have, want), expected, "{have} {want}");
        }
    }
}
