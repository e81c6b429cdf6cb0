//! Where the paths of a text lead: to something in it, or out of it. Imports of single names and of whole modules are
//! followed; of what macros declare it is known in which module it must be, as no other would have it.

use super::super::names::joined;
use super::{Node, Role};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A module of the text.
    Module(String),
    /// A type or trait in the text: its node.
    Item(usize),
    /// What a macro declares in a module of the text.
    Made(String),
    /// Out of the text: the path there, as far as it is known.
    Elsewhere(String),
}

impl End {
    /// Whether two lead to the same, as far as it is told: the standard library has one thing in several places.
    pub fn is_same(&self, other: &Self) -> bool {
        self == other || self.standard().is_some_and(|of| Some(of) == other.standard())
    }

    /// The last name of something in the standard library.
    fn standard(&self) -> Option<&str> {
        let Self::Elsewhere(path) = self else {
            return None;
        };
        let (first, rest) = path.split_once("::")?;
        rest.rsplit("::").next().filter(|_| STANDARD.contains(&first))
    }
}

/// Imports followed one after the other, at most.
const DEEP: usize = 12;

/// Crates of the standard library.
const STANDARD: [&str; 3] = ["alloc", "core", "std"];

/// Modules of a text, and what they declare and import.
#[derive(Debug, Default)]
pub struct Ways {
    modules: HashSet<String>,
    /// Types and traits by their full paths.
    items: HashMap<String, usize>,
    /// Of a module its imports by the name that they give: nodes, and paths.
    imports: HashMap<String, HashMap<String, Vec<(usize, String)>>>,
    /// Imports of all of a module, with its path.
    globs: HashMap<String, Vec<(usize, String)>>,
    /// Modules in which macros may declare something.
    making: HashSet<String>,
}

impl Ways {
    /// Those of a text's nodes.
    pub fn of(list: &[Node]) -> Self {
        let mut ways = Self::default();
        ways.modules.insert(String::new());
        for (i, node) in list.iter().enumerate() {
            let module = node.module.clone();
            match node.role {
                Role::Module => {
                    ways.modules.insert(joined(&module, &node.name));
                }
                Role::Item if is_type(node) => {
                    ways.items.insert(joined(&module, &node.name), i);
                }
                Role::MacroCall => {
                    ways.making.insert(module);
                }
                Role::UseLeaf if node.name == "*" => {
                    let of = node.path.trim_end_matches('*').trim_end_matches("::");
                    ways.globs.entry(module).or_default().push((i, of.to_owned()));
                }
                Role::UseLeaf => {
                    let by_name = ways.imports.entry(module).or_default();
                    let paths = by_name.entry(node.name.clone()).or_default();
                    paths.push((i, node.path.clone()));
                }
                _ => {}
            }
        }
        ways
    }

    /// Where `path` leads from a module; none where that cannot be told.
    pub fn end(&self, module: &str, path: &str) -> Option<End> {
        self.way(module, path).map(|(end, _)| end)
    }

    /// The same, with the imports by which it does.
    pub fn way(&self, module: &str, path: &str) -> Option<(End, Vec<usize>)> {
        let mut trail = Vec::new();
        let end = self.follow(module, path, DEEP, &mut trail)?;
        Some((end, trail))
    }

    fn follow(&self, module: &str, path: &str, deep: usize, trail: &mut Vec<usize>) -> Option<End> {
        let deep = deep.checked_sub(1)?;
        if path.is_empty() {
            return Some(End::Module(module.to_owned()));
        }
        if let Some(absolute) = path.strip_prefix("::") {
            let (first, rest) = absolute.split_once("::").unwrap_or((absolute, ""));
            let is_crate = self.modules.contains(first) && !STANDARD.contains(&first);
            return if is_crate {
                self.follow(first, rest, deep, trail)
            } else {
                Some(End::Elsewhere(absolute.to_owned()))
            };
        }
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let end = match first {
            "crate" => End::Module(String::new()),
            "self" => End::Module(module.to_owned()),
            "super" => End::Module(module.rsplit_once("::").map_or("", |(outer, _)| outer).to_owned()),
            _ => match self.known(module, first, deep, &mut BTreeSet::new(), trail) {
                Some(end) => end,
                None if STANDARD.contains(&first) => End::Elsewhere(first.to_owned()),
                None => return None,
            },
        };
        self.behind(end, rest, deep, trail)
    }

    /// Where the rest of a path leads.
    fn behind(&self, end: End, rest: &str, deep: usize, trail: &mut Vec<usize>) -> Option<End> {
        let module = match end {
            End::Module(module) => module,
            End::Elsewhere(path) if !rest.is_empty() => return Some(End::Elsewhere(joined(&path, rest))),
            end => return Some(end),
        };
        let (first, rest) = rest.split_once("::").unwrap_or((rest, ""));
        match first {
            "" => Some(End::Module(module)),
            "self" | "super" => self.follow(&module, &[first, rest].join("::"), deep, trail),
            _ => {
                let end = match self.known(&module, first, deep, &mut BTreeSet::new(), trail) {
                    Some(end) => end,
                    // What nothing is seen to declare a macro does.
                    None if self.may_make(&module, deep) => End::Made(module),
                    None => return None,
                };
                self.behind(end, rest, deep, trail)
            }
        }
    }

    /// What a module calls by a name.
    fn known(
        &self,
        module: &str,
        name: &str,
        deep: usize,
        seen: &mut BTreeSet<String>,
        trail: &mut Vec<usize>,
    ) -> Option<End> {
        let deep = deep.checked_sub(1)?;
        let below = joined(module, name);
        if self.modules.contains(&below) {
            return Some(End::Module(below));
        }
        if let Some(item) = self.items.get(&below) {
            return Some(End::Item(*item));
        }
        if let Some(imports) = self.imports.get(module).and_then(|of| of.get(name)) {
            let mut ends = Vec::new();
            for (import, path) in imports {
                let behind = trail.len();
                trail.push(*import);
                // `use a::a;` or `use a;`: not itself.
                let first = path.split("::").next().unwrap_or_default();
                let end = if first == name {
                    self.outer(path, deep, trail)
                } else {
                    self.follow(module, path, deep, trail)
                };
                match end {
                    Some(end) => ends.push(end),
                    // One that leads nowhere may be a macro of the same name.
                    None => trail.truncate(behind),
                }
            }
            let (first, others) = ends.split_first()?;
            return others.iter().all(|end| end == first).then(|| first.clone());
        }
        if !seen.insert(module.to_owned()) {
            return None;
        }
        let globs = self.globs.get(module).into_iter().flatten();
        let (mut is_elsewhere, mut is_known) = (false, true);
        for (import, path) in globs {
            let behind = trail.len();
            trail.push(*import);
            match self.follow(module, path, deep, trail) {
                Some(End::Module(of)) => {
                    if let Some(end) = self.known(&of, name, deep, seen, trail) {
                        return Some(end);
                    }
                }
                Some(End::Elsewhere(_)) => is_elsewhere = true,
                Some(End::Item(_) | End::Made(_)) => {}
                None => is_known = false,
            }
            trail.truncate(behind);
        }
        // All of a library's module may bring it.
        (is_elsewhere && is_known && !self.making.contains(module)).then(|| End::Elsewhere(name.to_owned()))
    }

    /// Where the path of an import leads whose first name it gives to something itself: from the root.
    fn outer(&self, path: &str, deep: usize, trail: &mut Vec<usize>) -> Option<End> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        if STANDARD.contains(&first) {
            return Some(End::Elsewhere(path.to_owned()));
        }
        let root = self
            .modules
            .contains(first)
            .then(|| End::Module(first.to_owned()))?;
        self.behind(root, rest, deep, trail)
    }

    /// True if a macro may declare something in a module, and nothing of a library is imported whole there.
    fn may_make(&self, module: &str, deep: usize) -> bool {
        let mut globs = self.globs.get(module).into_iter().flatten();
        let makes = self.making.contains(module);
        let leads_out = |path: &str| {
            let end = self.follow(module, path, deep, &mut Vec::new());
            matches!(end, None | Some(End::Elsewhere(_)))
        };
        makes && !globs.any(|(_, path)| leads_out(path))
    }
}

fn is_type(node: &Node) -> bool {
    matches!(node.kind, "struct" | "enum" | "union" | "trait" | "type")
}

#[cfg(test)]
mod tests {
    use super::super::Nodes;
    use super::*;
    use crate::bundle::lex::Tokens;
    use std::path::Path;

    #[test]
    fn paths_lead_into_the_text_or_out_of_it() {
        let text = "
mod lib { pub use std::fmt::{self, Display}; pub use core::error; mod core { pub use ::core::*; } }
mod deep {
    use crate::lib::*;
    pub mod de {
        use super::super::lib::fmt::Debug;
        macro_rules! declare { ($name:ident) => { pub trait $name {} } }
        declare!(Error);
        pub trait Visit {}
    }
    pub mod ser { pub use super::de::Visit as Visitor; pub use super::de::Visit as Both; pub use made::Both; }
    struct S;
}
mod outer { pub use crate::deep::{de, ser}; pub use crate::deep::ser::*; }
mod user { use crate::outer::{de, Visitor}; use std::ops::*; struct T; }
";
        let tokens = Tokens::new(text, Path::new("text")).unwrap();
        let nodes = Nodes::new(&tokens).unwrap();
        let ways = Ways::of(&nodes.list);
        for (module, path, expected) in [
            ("deep", "Display", "out to std::fmt::Display"),
            ("deep", "fmt::Debug", "out to std::fmt::Debug"),
            ("deep", "error::Error", "out to error::Error"),
            ("deep", "de::Error", "made in deep::de"),
            ("deep", "S", "S"),
            ("deep", "Clone", ""),
            ("deep::de", "Debug", "out to std::fmt::Debug"),
            ("user", "de::Error", "made in deep::de"),
            ("user", "de::Visit", "Visit"),
            ("user", "Visitor", "Visit"),
            ("user", "super::deep::ser::Both", "Visit"),
            ("user", "Add", "out to Add"),
            ("user", "std::fmt::Display", "out to std::fmt::Display"),
            ("user", "crate::outer::ser", "mod deep::ser"),
            ("user", "super::deep::de::Missing", "made in deep::de"),
            ("user", "super::lib::Missing", ""),
        ] {
            let end = match ways.end(module, path) {
                Some(End::Item(item)) => nodes.list[item].name.clone(),
                Some(End::Made(module)) => format!("made in {module}"),
                Some(End::Module(module)) => format!("mod {module}"),
                Some(End::Elsewhere(path)) => format!("out to {path}"),
                None => String::new(),
            };
            assert_eq!(end, expected, "{path} in {module}");
        }
        let (_, way) = ways.way("user", "Visitor").unwrap();
        let said = way.iter().map(|i| nodes.list[*i].path.as_str());
        assert_eq!(
            said.collect::<Vec<_>>(),
            ["crate::outer::Visitor", "crate::deep::ser::*", "super::de::Visit"]
        );
    }
}
