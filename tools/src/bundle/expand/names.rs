//! Names that a file imports and macros that it declares: what a macro's name may mean in it.

use std::collections::{BTreeMap, BTreeSet};
use syn::UseTree;
use syn::visit::Visit;

/// What `use` lines of a file call things.
#[derive(Default)]
pub struct Names {
    /// Everything imported by name: for each import of that name the first name of its path, and the last.
    pub imported: BTreeMap<String, Vec<(String, String)>>,
    /// First names of globs.
    pub globs: BTreeSet<String>,
    /// `#[macro_use] extern crate`.
    pub macro_use: bool,
    /// `macro_rules!` of the file.
    pub rules: BTreeSet<String>,
}

impl Names {
    fn import(&mut self, name: &syn::Ident, first: &str, old: &syn::Ident) {
        let list = self.imported.entry(name.to_string()).or_default();
        list.push((first.to_owned(), old.to_string()));
    }

    /// The segments of a path; where the first is what an import calls a crate, or something in one, that crate's name.
    pub fn meant(&self, path: &syn::Path, is_crate: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if path.leading_colon.is_some() || segments.len() < 2 || is_crate(&segments[0]) {
            return segments;
        }
        if let Some((first, old)) = self.imported.get(&segments[0]).and_then(|list| list.first()) {
            segments[0].clone_from(if first.is_empty() { old } else { first });
        }
        segments
    }

    fn tree(&mut self, tree: &UseTree, first: &str) {
        match tree {
            UseTree::Path(path) => {
                let own = path.ident.to_string();
                self.tree(&path.tree, if first.is_empty() { &own } else { first });
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, first)),
            UseTree::Name(name) => self.import(&name.ident, first, &name.ident),
            UseTree::Rename(rename) => self.import(&rename.rename, first, &rename.ident),
            UseTree::Glob(_) => drop(self.globs.insert(first.to_owned())),
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, "");
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.macro_use |= item.attrs.iter().any(|a| a.path().is_ident("macro_use"));
        if let Some((_, name)) = &item.rename {
            self.import(name, "", &item.ident);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(ident) = &item.ident {
            self.rules.insert(ident.to_string());
        }
    }
}
