//! What items and imports of a module call things, in which namespace.

use super::Walk;
use crate::bundle::cfg::Known;
use crate::bundle::inline::{Inliner, Target};
use std::collections::BTreeSet;
use syn::{Attribute, Item, UseTree, Visibility};

impl Walk<'_, '_> {
    /// Names of types and modules that `items` declare. An imported macro may have the name of a crate and leaves it to
    /// that.
    pub fn types_of(&mut self, items: &[&Item]) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        declare(items, &mut names);
        let krate = self.place.krate;
        for (path, name) in leaves(items) {
            let [first, old] = path.as_slice() else {
                continue;
            };
            let is_crate = |inliner: &Inliner, name: &str| {
                let alias = (krate, name.to_owned());
                inliner.aliases.contains_key(&alias) || inliner.krate(krate).deps.contains_key(name)
            };
            if !is_crate(self.inliner, &name) {
                continue;
            }
            let from = if first == "crate" {
                Some(krate)
            } else {
                self.inliner.krate(krate).deps.get(first).copied()
            };
            let Some(from) = from else {
                continue;
            };
            if from != krate {
                match self.inliner.extern_name(krate, first) {
                    Ok(Some(Target::Module(_))) => {}
                    Ok(_) => continue,
                    Err(error) => {
                        self.note(error, 0);
                        continue;
                    }
                }
            }
            let roots = if from == krate {
                &self.inliner.root_types
            } else {
                &self.inliner.public_types
            };
            let is_type = roots.get(&from).is_some_and(|types| types.contains(old));
            let exported = self.inliner.exported.get(&from);
            let is_macro = exported.is_some_and(|list| list.iter().any(|(exported, _)| exported == old));
            if is_type {
                names.insert(name);
            } else if is_macro && !is_own(items, &name) {
                names.remove(&name);
            }
        }
        names
    }
}

/// The attributes of an item.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::ExternCrate(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::ForeignMod(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::TraitAlias(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

/// Those of `items` that no `cfg` switches off.
pub fn there<'i>(known: &Known, items: &'i [Item]) -> Vec<&'i Item> {
    let is_there = |item: &&Item| known.keeps(attributes(item));
    items.iter().filter(is_there).collect()
}

/// True if one of `items` itself is a type or module of that name.
fn is_own(items: &[&Item], name: &str) -> bool {
    let mut own = BTreeSet::new();
    for item in items.iter().filter(|item| !matches!(item, Item::Use(_))) {
        declare(&[item], &mut own);
    }
    own.contains(name)
}

/// Names that are imported from a crate of the same name, which has a type or a module of that name.
pub fn like_their_crates(inliner: &Inliner, items: &[&Item]) -> BTreeSet<String> {
    let of_crate = |(path, name): (Vec<String>, String)| {
        let [first, old] = path.as_slice() else {
            return None;
        };
        let below = *inliner.krate(0).deps.get(first).filter(|_| *first == name)?;
        let text = std::fs::read_to_string(&inliner.krate(below).root).ok()?;
        let mut types = BTreeSet::new();
        let file = syn::parse_file(&text).ok()?;
        declare_public(&there(&inliner.krate(below).known, &file.items), &mut types);
        types.contains(old).then_some(name)
    };
    leaves(items).into_iter().filter_map(of_crate).collect()
}

/// Everything that is imported by name: its path and what it is called here.
pub fn leaves(items: &[&Item]) -> Vec<(Vec<String>, String)> {
    fn tree(of: &UseTree, path: &mut Vec<String>, list: &mut Vec<(Vec<String>, String)>) {
        match of {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                tree(&inner.tree, path, list);
                path.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|of| tree(of, path, list)),
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                list.push(([path.as_slice(), std::slice::from_ref(&name)].concat(), name));
            }
            UseTree::Rename(rename) => {
                let old = rename.ident.to_string();
                list.push(([path.as_slice(), &[old]].concat(), rename.rename.to_string()));
            }
            UseTree::Glob(_) => {}
        }
    }
    let mut list = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            tree(&item.tree, &mut Vec::new(), &mut list);
        }
    }
    list
}

/// Names that could stand at the start of a path (types and modules), as declared by items and imports.
pub fn declare(items: &[&Item], names: &mut BTreeSet<String>) {
    for item in items {
        let ident = match item {
            Item::Enum(i) => &i.ident,
            Item::Mod(i) => &i.ident,
            Item::Struct(i) => &i.ident,
            Item::Trait(i) => &i.ident,
            Item::TraitAlias(i) => &i.ident,
            Item::Type(i) => &i.ident,
            Item::Union(i) => &i.ident,
            Item::Use(i) => {
                imported(&i.tree, None, names);
                continue;
            }
            _ => continue,
        };
        names.insert(ident.to_string());
    }
}

/// Those of them that other crates see. Not what is exported anew: in small letters, as names of crates are, that is a
/// function more often than a module.
pub fn declare_public(items: &[&Item], names: &mut BTreeSet<String>) {
    for item in items {
        let vis = match item {
            Item::Enum(i) => &i.vis,
            Item::Mod(i) => &i.vis,
            Item::Struct(i) => &i.vis,
            Item::Trait(i) => &i.vis,
            Item::TraitAlias(i) => &i.vis,
            Item::Type(i) => &i.vis,
            Item::Union(i) => &i.vis,
            _ => continue,
        };
        if matches!(vis, Visibility::Public(_)) {
            declare(&[item], names);
        }
    }
}

/// Names of crates, as `extern crate` declares them.
pub fn crates(items: &[&Item]) -> BTreeSet<String> {
    let name = |item: &&Item| match item {
        Item::ExternCrate(i) => Some(i.rename.as_ref().map_or(&i.ident, |(_, alias)| alias).to_string()),
        _ => None,
    };
    items.iter().filter_map(name).collect()
}

/// Names of functions, constants and statics.
pub fn values(items: &[&Item]) -> BTreeSet<String> {
    let name = |item: &&Item| match item {
        Item::Fn(i) => Some(i.sig.ident.to_string()),
        Item::Const(i) => Some(i.ident.to_string()),
        Item::Static(i) => Some(i.ident.to_string()),
        _ => None,
    };
    items.iter().filter_map(name).collect()
}

/// `root` is the first name of the path so far. What has the name of the crate it comes from (`use x;`,
/// `use x::{self, …}`, `use x::x`) leaves that name to the crate.
fn imported(tree: &UseTree, root: Option<&str>, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => {
            let ident = path.ident.to_string();
            let own = |tree: &UseTree| matches!(tree, UseTree::Name(n) if n.ident == "self");
            let names_itself = match &*path.tree {
                UseTree::Group(group) => group.items.iter().any(own),
                tree => own(tree),
            };
            if names_itself && root.is_some_and(|root| root != ident) {
                names.insert(ident.clone());
            }
            imported(&path.tree, Some(root.unwrap_or(&ident)), names);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, root, names)),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            if name != "self" && root.is_some_and(|root| root != name) {
                names.insert(name);
            }
        }
        // `use x as x`
        UseTree::Rename(rename) if root.is_none() && rename.ident == rename.rename => {}
        UseTree::Rename(rename) => {
            names.insert(rename.rename.to_string());
        }
        UseTree::Glob(_) => {}
    }
}
