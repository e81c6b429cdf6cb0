//! Names of crates where they are declared and imported: `extern crate`, `use`.

use super::Walk;
use crate::bundle::inline::{Scope, Target, scope_at};
use anyhow::Result;
use syn::spanned::Spanned;
use syn::{UseTree, Visibility};

impl Walk<'_, '_> {
    pub(super) fn extern_crate(&mut self, item: &syn::ItemExternCrate) -> Result<()> {
        let krate = self.place.krate;
        let range = item.span().byte_range();
        let name = item.ident.to_string();
        let alias = item
            .rename
            .as_ref()
            .map_or(name.clone(), |(_, alias)| alias.to_string());
        if name == "self" {
            // The program is the root of the bundle, too, and keeps its name.
            if self.inliner.module(krate).is_empty() {
                return Ok(());
            }
            self.inliner.own_names.insert(krate, alias);
            self.found.edits.remove(range);
            return Ok(());
        }
        let Some(target) = self.inliner.extern_name(krate, &name)? else {
            // The standard library's own. Only the root's `extern crate` reaches paths everywhere, and its
            // macros are there without being asked for.
            let real = self.inliner.standard(&name).to_owned();
            if !matches!(name.as_str(), "std" | "core") {
                let line = if real == name {
                    format!("extern crate {name};")
                } else {
                    format!("extern crate {name} as {real};")
                };
                self.inliner.parts.externs.insert(line);
            }
            let in_root = self.scope_at(range.start).is_bundle_root;
            self.found.dead.push(range.clone());
            if in_root && alias == name {
                self.found.edits.remove(range);
            } else {
                let vis = match item.vis {
                    Visibility::Inherited => "",
                    _ => "pub(crate) ",
                };
                let new = if alias == real {
                    format!("{vis}use ::{real};")
                } else {
                    format!("{vis}use ::{real} as {alias};")
                };
                self.found.edits.replace(range, new);
            }
            return Ok(());
        };
        let macro_use = item.attrs.iter().find(|a| a.path().is_ident("macro_use"));
        if macro_use.is_some() {
            if let Some(below) = self.inliner.krate(krate).deps.get(&name).copied() {
                self.inliner.sees_macros(krate, below);
            }
        }
        let module = match target {
            Target::Module(module) => module,
            Target::Offered(path) => {
                let is_program = self.inliner.module(krate).is_empty();
                let kept = path.trim_start_matches("::");
                if let Some(macro_use) = macro_use.filter(|_| !is_program) {
                    // Only the root of a file can be given the macros of a crate.
                    let which = &self.tokens.text[macro_use.span().byte_range()];
                    let line = format!("{which} extern crate {kept} as _;");
                    self.inliner.parts.externs.insert(line);
                } else if path == name {
                    return Ok(());
                }
                self.found.dead.push(range.clone());
                if path == name && alias == name {
                    self.found.edits.remove(range);
                } else {
                    self.found
                        .edits
                        .replace(range, format!("pub(crate) use ::{kept} as {alias};"));
                }
                return Ok(());
            }
        };
        let in_root = self.scope_at(range.start).is_bundle_root;
        self.found.dead.push(range.clone());
        if in_root && alias == module {
            self.found.edits.remove(range);
        } else {
            let vis = match item.vis {
                Visibility::Inherited => "",
                _ => "pub(crate) ",
            };
            let path = self.whole(&name, &module, &alias);
            self.found.edits.replace(range, format!("{vis}use {path};"));
        }
        Ok(())
    }

    /// Reads the crates whose macros are known everywhere, also above the line that says so.
    pub(super) fn macro_crates(&mut self, items: &[syn::Item]) {
        let krate = self.place.krate;
        for item in items {
            let syn::Item::ExternCrate(item) = item else {
                continue;
            };
            let is_used = item.attrs.iter().any(|a| a.path().is_ident("macro_use"));
            if !is_used || item.ident == "self" || !self.is_on(&item.attrs) {
                continue;
            }
            let name = item.ident.to_string();
            let Some(below) = self.inliner.krate(krate).deps.get(&name).copied() else {
                continue;
            };
            if let Err(error) = self.inliner.extern_name(krate, &name) {
                self.note(error, item.span().byte_range().start);
            }
            self.inliner.sees_macros(krate, below);
        }
    }

    /// What imports the module of a crate as `alias`, and no macro that the root has under the module's name.
    fn whole(&self, krate: &str, module: &str, alias: &str) -> String {
        let below = self.inliner.krate(self.place.krate).deps.get(krate);
        let exported = below.and_then(|below| self.inliner.exported.get(below));
        if exported.is_some_and(|list| list.iter().any(|(name, _)| name == module)) {
            return format!("crate::{module}::{{self as {alias}}}");
        }
        if module == alias {
            return format!("crate::{module}");
        }
        format!("crate::{module} as {alias}")
    }

    /// The scope that a place of the text is in.
    fn scope_at(&self, byte: usize) -> &Scope {
        &self.found.scopes[scope_at(&self.found.scopes, byte)]
    }

    /// First segments of a `use` that need a new start: all of edition 2015, and crates named alone.
    pub(super) fn use_tree(&mut self, tree: &UseTree, leading: bool) -> Result<()> {
        let krate = self.place.krate;
        let old = self.inliner.krate(krate).edition == 2015;
        let ident = match tree {
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(tree, leading)?;
                }
                return Ok(());
            }
            UseTree::Path(path) => {
                self.own_name(path)?;
                &path.ident
            }
            UseTree::Name(name) => &name.ident,
            UseTree::Rename(rename) => &rename.ident,
            UseTree::Glob(glob) => {
                if old {
                    let at = glob.star_token.span.byte_range().start;
                    if let Some(start) = self.old_start(at) {
                        self.found.edits.replace(at..at, start);
                    }
                }
                return Ok(());
            }
        };
        let name = ident.to_string();
        let range = ident.span().byte_range();
        if self.inliner.hides_crate(krate, &name) {
            // At the root of the bundle too: there the crate's name is as good as the module's.
            let before = self.tokens.from(range.start) as isize - 1;
            let from = if self.tokens.at(before) == "::" {
                self.tokens.list[before as usize].range.start
            } else {
                range.start
            };
            let start = self.inliner.root_of(krate) + "::";
            self.found.edits.replace(from..range.start, start);
            // It begins no path of a crate.
            self.found.dead.push(range);
            return Ok(());
        }
        if matches!(
            name.as_str(),
            "crate" | "self" | "super" | "std" | "core" | "alloc"
        ) {
            return Ok(());
        }
        let alone = !matches!(tree, UseTree::Path(_));
        let declared = &self.scope_at(range.start).declared;
        let is_declared = declared.contains(&name);
        let shadowed = is_declared && !leading && !old;
        let is_alias = self.inliner.aliases.contains_key(&(krate, name.clone()));
        let is_extern = !shadowed && (is_alias || self.inliner.krate(krate).deps.contains_key(&name));
        if is_extern && alone {
            let target = self.inliner.extern_name(krate, &name)?;
            if let Some(Target::Offered(path)) = &target {
                if *path != name {
                    let alias = match tree {
                        UseTree::Rename(_) => String::new(),
                        _ => format!(" as {name}"),
                    };
                    self.found.edits.replace(range.clone(), format!("{path}{alias}"));
                }
            }
            if let Some(Target::Module(module)) = target {
                let is_renamed = matches!(tree, UseTree::Rename(_));
                // At the root the module is already there under its own name.
                let start = if is_renamed {
                    format!("crate::{module}")
                } else if self.scope_at(range.start).is_bundle_root && module == name {
                    format!("crate::{module} as _")
                } else {
                    self.whole(&name, &module, &name)
                };
                // `use ::x;`: the new path is none of another crate's.
                let before = self.tokens.from(range.start) as isize - 1;
                let is_global = leading && self.tokens.at(before) == "::";
                let from = if is_global {
                    self.tokens.list[before as usize].range.start
                } else {
                    range.start
                };
                self.found.edits.replace(from..range.end, start);
            }
        } else if old && is_extern && is_declared {
            // A module of that name beside the line is none that it means.
            if let Some(Target::Module(module)) = self.inliner.extern_name(krate, &name)? {
                self.found.edits.replace(range, format!("crate::{module}"));
            }
        } else if old && !is_extern {
            if let Some(start) = self.old_start(range.start) {
                self.found.edits.replace(range.start..range.start, start);
            }
        }
        Ok(())
    }

    /// What an import of edition 2015 starts with; nothing at the root of the bundle, where it means the same.
    fn old_start(&self, byte: usize) -> Option<String> {
        let in_root = self.scope_at(byte).is_bundle_root;
        (!in_root).then(|| self.inliner.root_of(self.place.krate) + "::")
    }

    /// `use x::{self, …}`: in the program's root the module is there already, and it may have another name than the crate.
    fn own_name(&mut self, path: &syn::UsePath) -> Result<()> {
        let UseTree::Group(group) = &*path.tree else {
            return Ok(());
        };
        let name = path.ident.to_string();
        let is_self = |tree: &&UseTree| matches!(tree, UseTree::Name(name) if name.ident == "self");
        let Some(own) = group.items.iter().find(is_self) else {
            return Ok(());
        };
        let Some(Target::Module(module)) = self.inliner.extern_name(self.place.krate, &name)? else {
            return Ok(());
        };
        if module != name || self.scope_at(path.ident.span().byte_range().start).is_bundle_root {
            let alias = if module == name { "_" } else { &name };
            self.found
                .edits
                .replace(own.span().byte_range(), format!("self as {alias}"));
        }
        Ok(())
    }

    /// True if what is imported is a crate of others itself, by its name or as `self`.
    pub(super) fn is_of_crates(&self, tree: &UseTree) -> bool {
        let is_crate = |name: &syn::Ident| {
            let deps = &self.inliner.krate(self.place.krate).deps;
            deps.contains_key(&name.to_string())
        };
        let is_self = |tree: &UseTree| match tree {
            UseTree::Name(name) => name.ident == "self",
            UseTree::Rename(rename) => rename.ident == "self",
            _ => false,
        };
        match tree {
            UseTree::Name(name) => is_crate(&name.ident),
            UseTree::Rename(rename) => is_crate(&rename.ident),
            UseTree::Group(group) => group.items.iter().any(|tree| self.is_of_crates(tree)),
            UseTree::Path(path) => match &*path.tree {
                UseTree::Group(group) if is_crate(&path.ident) => group.items.iter().any(is_self),
                _ => false,
            },
            UseTree::Glob(_) => false,
        }
    }
}
