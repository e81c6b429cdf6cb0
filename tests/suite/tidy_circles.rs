//! House rule on imports: no module needs, over others, itself. A module and its own parts count as one, as in a file.

use crate::tidy::sources;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Path, UseTree};

/// A module by the names that lead to it from its crate's root.
type Module = Vec<String>;

/// What one file names of its own crate.
struct Named {
    here: Module,
    paths: Vec<Module>,
    /// What imported names stand for.
    names: BTreeMap<String, Module>,
}

impl Named {
    /// Notes a path that begins with `crate`, `self`, `super` or an imported name, and returns it whole; others are
    /// other crates' or the file's own.
    fn note(&mut self, path: &[String]) -> Option<Module> {
        let mut at = match path[0].as_str() {
            "crate" => Vec::new(),
            "self" => self.here.clone(),
            "super" => self.here[..self.here.len().saturating_sub(1)].to_vec(),
            word => self.names.get(word)?.clone(),
        };
        for word in &path[1..] {
            match word.as_str() {
                "super" => drop(at.pop()),
                "self" => {}
                word => at.push(word.to_owned()),
            }
        }
        self.paths.push(at.clone());
        Some(at)
    }

    /// Notes an import, and what its name stands for from then on.
    fn import(&mut self, path: &[String], name: String) {
        if let Some(whole) = self.note(path) {
            self.names.insert(name, whole);
        }
    }

    fn spread(&mut self, before: &[String], tree: &UseTree) {
        let with = |word: String| [before, &[word]].concat();
        match tree {
            UseTree::Path(path) => self.spread(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) => {
                let path = with(name.ident.to_string());
                let known = path.iter().rev().find(|word| *word != "self").cloned();
                self.import(&path, known.unwrap_or_default());
            }
            UseTree::Rename(name) => self.import(&with(name.ident.to_string()), name.rename.to_string()),
            UseTree::Glob(_) => drop(self.note(before)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.spread(before, tree)),
        }
    }
}

/// True for `#[cfg(test)]`: tests may look at everything.
fn of_tests(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|a| {
        let test = |list: &syn::MetaList| list.path.is_ident("cfg") && list.tokens.to_string() == "test";
        a.meta.require_list().is_ok_and(test)
    })
}

impl<'ast> Visit<'ast> for Named {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !of_tests(&item.attrs) {
            self.here.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.here.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !of_tests(&item.attrs) {
            self.spread(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let words: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.note(&words);
        visit::visit_path(self, path);
    }
}

/// Who needs whom below `dir`; a part's need of what it is a part of is left out.
fn needs(files: &[(Module, String)]) -> BTreeMap<Module, BTreeSet<Module>> {
    let known: BTreeSet<&Module> = files.iter().map(|(module, _)| module).collect();
    let mut needs = BTreeMap::new();
    for (module, text) in files {
        let mut named = Named {
            here: module.clone(),
            paths: Vec::new(),
            names: BTreeMap::new(),
        };
        named.visit_file(&syn::parse_file(text).unwrap_or_else(|e| panic!("{}: {e}", module.join("::"))));
        let whole = |path: Module| {
            let found = (0..=path.len()).rev().map(|n| path[..n].to_vec());
            found.into_iter().find(|m| known.contains(m))
        };
        let others: BTreeSet<Module> = named.paths.into_iter().filter_map(whole).collect();
        let others = others.into_iter().filter(|other| !module.starts_with(other));
        needs.insert(module.clone(), others.collect());
    }
    needs
}

/// Needs that lie on a circle: what stays when modules are taken away that need nobody left, or that nobody left needs.
fn circles(mut needs: BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    loop {
        let needed: BTreeSet<Module> = needs.values().flatten().cloned().collect();
        let before = needs.len();
        needs.retain(|module, others| !others.is_empty() && needed.contains(module));
        let left: BTreeSet<Module> = needs.keys().cloned().collect();
        needs
            .values_mut()
            .for_each(|others| others.retain(|other| left.contains(other)));
        if needs.len() == before && needs.values().all(|others| !others.is_empty()) {
            break;
        }
    }
    let line = |(module, others): (Module, BTreeSet<Module>)| {
        let others: Vec<String> = others.iter().map(|other| other.join("::")).collect();
        format!("{} needs {}", module.join("::"), others.join(", "))
    };
    needs.into_iter().map(line).collect()
}

/// The modules of a crate whose root lies in `dir`; its tests are left out.
fn modules(dir: &str) -> Vec<(Module, String)> {
    let mut files = Vec::new();
    for (path, text) in sources(dir) {
        let path = path.strip_prefix(dir).unwrap().with_extension("");
        let mut words: Module = path.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        let last = words.last().cloned().unwrap_or_default();
        if last == "main" || last.ends_with("tests") {
            continue;
        }
        if last == "mod" || last == "lib" {
            words.pop();
        }
        files.push((words, text));
    }
    files
}

#[test]
fn no_module_needs_itself_over_others() {
    for dir in ["src", "tools/src"] {
        let circles = circles(needs(&modules(dir)));
        assert!(circles.is_empty(), "{dir}:\n{}", circles.join("\n"));
    }
}

#[test]
fn a_circle_is_found() {
    let file = |name: &str, text: &str| -> (Module, String) {
        (name.split("::").map(str::to_owned).collect(), text.to_owned())
    };
    let mut files = vec![
        file("a", "use crate::b::{X, c::Y}; mod part;"),
        file("a::part", "use super::Z;"),
        file("b", "#[cfg(test)] mod tests { use crate::a::Z; }"),
        file("b::c", "fn f() {}"),
    ];
    assert_eq!(circles(needs(&files)), Vec::<String>::new());
    files[3].1 = "fn f() -> crate::a::part::Q { todo!() }".into();
    files[1].1 = "use super::super::b::c;".into();
    assert_eq!(
        circles(needs(&files)),
        ["a::part needs b::c", "b::c needs a::part"]
    );
    files[1].1 = "use crate::b; fn f() { b::c::g() }".into();
    assert_eq!(circles(needs(&files)).len(), 2, "by an imported module");
}
