//! What modules bring into others that import all of them: such a name goes before that of a crate.
//!
//! Modules are known once they were read. What macros make is guessed by words: a name that one may give to a module or a
//! type is not taken for a crate's where it may be that.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree, Visibility};

/// A module: its crate, and its path there.
pub type Module = (usize, Vec<String>);

/// What modules declare and import.
pub type Modules = BTreeMap<Module, Surroundings>;

/// Words in front of the `*` of an import.
pub type Glob = Vec<String>;

/// What a module declares and imports.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Types and modules, imported ones too.
    declared: BTreeSet<String>,
    /// What other crates see, with the path of what is imported.
    public: BTreeMap<String, Vec<String>>,
    /// Of which it imports everything, and whether other crates see that.
    globs: Vec<(Glob, bool)>,
    /// True if it calls macros that may declare something in it.
    makes: bool,
    /// Names that are given to such macros.
    given: BTreeSet<String>,
    /// Names of what its macros by rules declare where they are called.
    ruled: BTreeSet<String>,
}

/// Words in front of the names of modules and types, and of what an import is called.
const BEFORE_A_NAME: [&str; 7] = ["as", "enum", "mod", "struct", "trait", "type", "union"];

/// Adds names that what is made of these tokens may have; with `alone`, also names that stand alone in a list.
fn names_in(stream: TokenStream, alone: bool, names: &mut BTreeSet<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let ends = |tree: Option<&TokenTree>| match tree {
        None => true,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ',' | ';'),
        Some(_) => false,
    };
    for (n, tree) in trees.iter().enumerate() {
        let before = n.checked_sub(1).map(|n| &trees[n]);
        match (before, tree) {
            (_, TokenTree::Group(group)) => names_in(group.stream(), alone, names),
            (Some(TokenTree::Ident(word)), TokenTree::Ident(name))
                if BEFORE_A_NAME.iter().any(|known| word == known)
                    // `<T as a::B>` is no import.
                    && (word != "as" || ends(trees.get(n + 1))) =>
            {
                names.insert(name.to_string());
            }
            (before, TokenTree::Ident(name)) if alone && ends(before) && ends(trees.get(n + 1)) => {
                names.insert(name.to_string());
            }
            _ => {}
        }
    }
}

impl Surroundings {
    /// Those of `items` that declare these types and modules.
    pub fn of(items: &[&Item], declared: &BTreeSet<String>) -> Self {
        let mut found = Self {
            declared: declared.clone(),
            ..Self::default()
        };
        for item in items {
            match item {
                Item::Use(of) => {
                    let is_public = matches!(of.vis, Visibility::Public(_));
                    found.import(&of.tree, &mut Vec::new(), is_public);
                }
                Item::Macro(rules) if rules.ident.is_some() => {
                    names_in(rules.mac.tokens.clone(), false, &mut found.ruled);
                }
                Item::Macro(call) => {
                    found.makes = true;
                    names_in(call.mac.tokens.clone(), true, &mut found.given);
                }
                Item::Enum(syn::ItemEnum { vis, ident, .. })
                | Item::Mod(syn::ItemMod { vis, ident, .. })
                | Item::Struct(syn::ItemStruct { vis, ident, .. })
                | Item::Trait(syn::ItemTrait { vis, ident, .. })
                | Item::Type(syn::ItemType { vis, ident, .. })
                | Item::Union(syn::ItemUnion { vis, ident, .. })
                    if matches!(vis, Visibility::Public(_)) =>
                {
                    found.public.insert(ident.to_string(), Vec::new());
                }
                _ => {}
            }
        }
        found
    }

    fn import(&mut self, of: &UseTree, path: &mut Vec<String>, is_public: bool) {
        let mut leaf = |ident: &syn::Ident, name: &syn::Ident| {
            let mut full = path.clone();
            full.extend((ident != "self").then(|| ident.to_string()));
            let name = match full.last() {
                Some(last) if name == "self" => last.clone(),
                _ => name.to_string(),
            };
            if is_public {
                self.public.insert(name, full);
            }
        };
        match of {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(&inner.tree, path, is_public);
                path.pop();
            }
            UseTree::Group(group) => {
                for of in &group.items {
                    self.import(of, path, is_public);
                }
            }
            UseTree::Glob(_) => self.globs.push((path.clone(), is_public)),
            UseTree::Name(name) => leaf(&name.ident, &name.ident),
            UseTree::Rename(name) => leaf(&name.ident, &name.rename),
        }
    }
}

/// Of an import, the modules of which it imports everything.
pub fn of_import(import: &syn::ItemUse) -> Vec<Glob> {
    let mut found = Surroundings::default();
    found.import(&import.tree, &mut Vec::new(), false);
    found.globs.into_iter().map(|(glob, _)| glob).collect()
}

/// Where imports of everything lead.
pub struct Globs<'a> {
    /// Modules that were read.
    pub known: &'a Modules,
    /// The crate that another calls by a name.
    pub below: &'a dyn Fn(usize, &str) -> Option<usize>,
}

impl Globs<'_> {
    /// True if `globs` of the module `from`, or its own where there are none, bring something called `name` that may begin a
    /// path. `None` where a module is among them that was not read.
    pub fn bring(&self, from: &Module, globs: Option<&[Glob]>, name: &str) -> Option<bool> {
        let mut seen = BTreeSet::from([from.clone()]);
        let mut todo: Vec<Module> = match globs {
            Some(globs) => globs.iter().filter_map(|glob| self.lead(from, glob)).collect(),
            None => self.lead_all(from, from.0),
        };
        let mut is_known = true;
        if globs.is_none() && self.may_make(from, name) {
            return Some(true);
        }
        while let Some(module) = todo.pop() {
            if !seen.insert(module.clone()) {
                continue;
            }
            let Some(of) = self.known.get(&module) else {
                // Of an enum there are variants.
                let is_type = |word: &String| word.starts_with(char::is_uppercase);
                is_known &= module.1.last().is_some_and(is_type);
                continue;
            };
            let brings = self.may_make(&module, name)
                || if module.0 == from.0 {
                    of.declared.contains(name)
                } else {
                    of.public
                        .get(name)
                        .is_some_and(|path| self.is_module(&module, path, name))
                };
            if brings {
                return Some(true);
            }
            todo.extend(self.lead_all(&module, from.0));
        }
        is_known.then_some(false)
    }

    /// True if a macro that `module` calls may declare something of that name there.
    fn may_make(&self, module: &Module, name: &str) -> bool {
        let of = self.known.get(module).filter(|of| of.makes);
        of.is_some_and(|of| {
            of.given.contains(name) || self.known.values().any(|any| any.ruled.contains(name))
        })
    }

    /// The modules of which `module` imports everything, as far as the crate `seen_from` sees that.
    fn lead_all(&self, module: &Module, seen_from: usize) -> Vec<Module> {
        let globs = self.known.get(module).map_or(&[][..], |of| &of.globs);
        let seen = globs
            .iter()
            .filter(|(_, is_public)| *is_public || module.0 == seen_from);
        seen.filter_map(|(glob, _)| self.lead(module, glob)).collect()
    }

    /// The module that a path leads to from a module.
    fn lead(&self, from: &Module, path: &[String]) -> Option<Module> {
        let (mut krate, mut at) = from.clone();
        for (n, word) in path.iter().enumerate() {
            let is_declared = || self.known.get(from).is_some_and(|of| of.declared.contains(word));
            match word.as_str() {
                "crate" if n == 0 => at.clear(),
                "self" if n == 0 => {}
                "super" => drop(at.pop()),
                _ if n > 0 || is_declared() => at.push(word.clone()),
                _ => {
                    krate = (self.below)(krate, word)?;
                    at.clear();
                }
            }
        }
        Some((krate, at))
    }

    /// True unless what `module` hands on from `path` is a function or the like.
    fn is_module(&self, module: &Module, path: &[String], name: &str) -> bool {
        let is_item = path.is_empty() || name.starts_with(char::is_uppercase);
        is_item
            || self
                .lead(module, path)
                .is_some_and(|of| self.known.contains_key(&of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Surroundings {
        let file = syn::parse_file(text).unwrap();
        let items: Vec<&Item> = file.items.iter().collect();
        let mut declared = BTreeSet::new();
        for item in &items {
            if let Item::Mod(module) = item {
                declared.insert(module.ident.to_string());
            }
        }
        Surroundings::of(&items, &declared)
    }

    #[test]
    fn names_come_by_imports_of_everything() {
        let path = |path: &str| -> Vec<String> {
            path.split("::")
                .filter(|w| !w.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let mut known = Modules::new();
        for (krate, at, text) in [
            (0, "", "mod time; mod a; use self::a::*;"),
            (0, "a", "use super::*; mod b;"),
            (0, "a::b", "use helper::prelude::*;"),
            (0, "c", "use nowhere::*; use crate::left::*;"),
            (0, "d", "use crate::Kind::*;"),
            (1, "", "pub mod prelude; mod tools;"),
            (
                1,
                "prelude",
                "pub use crate::tools::{clock, now}; pub use crate::more::*; mod hidden;",
            ),
            (1, "tools", "pub mod clock;"),
            (1, "tools::clock", ""),
            (1, "more", "pub mod far; use crate::tools::*;"),
            (
                0,
                "made",
                "macro_rules! made { () => { pub mod early {} use x::y as other; impl A for <B as core_of::C>::D {} } } made!(); named! { late, at: x::Late }",
            ),
            (0, "made::after", "use super::*;"),
        ] {
            known.insert((krate, path(at)), of(text));
        }
        let globs = Globs {
            known: &known,
            below: &|from, name| (from == 0 && name == "helper").then_some(1),
        };
        for (at, name, expected) in [
            ("a", "time", Some(true)),
            ("", "b", Some(true)),
            ("", "time", Some(false)),
            ("a::b", "clock", Some(true)),
            ("a::b", "now", Some(false)),
            ("a::b", "far", Some(true)),
            ("a::b", "hidden", Some(false)),
            ("c", "time", None),
            ("d", "time", Some(false)),
            ("made", "early", Some(true)),
            ("made", "other", Some(true)),
            ("made", "core_of", Some(false)),
            ("made::after", "early", Some(true)),
            ("made::after", "late", Some(true)),
            ("made::after", "x", Some(false)),
            ("d", "early", Some(false)),
        ] {
            assert_eq!(globs.bring(&(0, path(at)), None, name), expected, "{at} {name}");
        }
        let of_block = of_import(&syn::parse_str("use {crate::a::*, helper::{tools, prelude::*}};").unwrap());
        assert_eq!(globs.bring(&(0, path("c")), Some(&of_block), "clock"), Some(true));
        assert_eq!(globs.bring(&(0, path("c")), Some(&[]), "clock"), Some(false));
    }
}
