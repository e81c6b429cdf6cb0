//! `use` lines of one module as a tree: what they share is written once.
//!
//! Only neighbouring lines without attributes and comments, with the same visibility and the same first
//! name, become one. `use a::b; use a::b::c;` becomes `use a::{b, b::c};`: `self` would mean less.

use super::lex::Edits;
use super::rejected::parsed;
use anyhow::Result;
use std::fmt::Write;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, ItemUse, UseTree};

/// Merges the `use` lines of every module of `text`.
pub fn merge(text: &str) -> Result<String> {
    let file = parsed(text)?;
    let mut merger = Merger {
        text,
        edits: Edits::default(),
    };
    merger.items(&file.items);
    merger.visit_file(&file);
    Ok(merger.edits.apply(text))
}

/// One name of a path, and what follows it.
#[derive(Default)]
struct Branch {
    name: String,
    below: Vec<Branch>,
}

struct Merger<'a> {
    text: &'a str,
    edits: Edits,
}

impl Merger<'_> {
    fn items(&mut self, items: &[Item]) {
        let mut run: Vec<&ItemUse> = Vec::new();
        for item in items {
            match item {
                Item::Use(line) if line.attrs.is_empty() && line.leading_colon.is_none() => {
                    if run.last().is_some_and(|last| !self.follows(last, line)) {
                        self.run(&std::mem::take(&mut run));
                    }
                    run.push(line);
                }
                _ => self.run(&std::mem::take(&mut run)),
            }
        }
        self.run(&run);
    }

    /// True if two lines stand side by side and are of one kind.
    fn follows(&self, a: &ItemUse, b: &ItemUse) -> bool {
        let between = self
            .text
            .get(a.span().byte_range().end..b.span().byte_range().start);
        a.vis == b.vis && between.is_some_and(|gap| gap.trim().is_empty())
    }

    /// Writes a run of lines in the place of the first.
    fn run(&mut self, run: &[&ItemUse]) {
        let [first, .., last] = run else {
            return;
        };
        let mut roots: Vec<Branch> = Vec::new();
        for line in run {
            add(&mut roots, &line.tree);
        }
        if roots.len() == run.len() {
            return;
        }
        let vis = &self.text[first.vis.span().byte_range()];
        let blank = if vis.is_empty() { "" } else { " " };
        let mut new = String::new();
        for root in &roots {
            let _ = write!(new, "{}{vis}{blank}use ", if new.is_empty() { "" } else { "\n" });
            root.write(&mut new);
            new.push(';');
        }
        let range = first.span().byte_range().start..last.span().byte_range().end;
        self.edits.replace(range, new);
    }
}

/// Puts a tree into the list, below a name that is there already.
fn add(list: &mut Vec<Branch>, tree: &UseTree) {
    match tree {
        UseTree::Path(path) => {
            let name = path.ident.to_string();
            let at = list.iter().position(|b| b.name == name && !b.below.is_empty());
            let mut branch = at.map_or_else(
                || Branch {
                    name,
                    below: Vec::new(),
                },
                |at| list.remove(at),
            );
            add(&mut branch.below, &path.tree);
            list.insert(at.unwrap_or(list.len()), branch);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| add(list, tree)),
        leaf => {
            let name = match leaf {
                UseTree::Name(name) => name.ident.to_string(),
                UseTree::Rename(rename) => format!("{} as {}", rename.ident, rename.rename),
                _ => "*".to_owned(),
            };
            if !list.iter().any(|b| b.name == name && b.below.is_empty()) {
                list.push(Branch {
                    name,
                    below: Vec::new(),
                });
            }
        }
    }
}

impl Branch {
    /// One name to a line in groups; the layout joins what fits.
    fn write(&self, out: &mut String) {
        *out += &self.name;
        match self.below.as_slice() {
            [] => {}
            [one] if one.name.split(' ').next() != Some("self") => {
                *out += "::";
                one.write(out);
            }
            list => {
                *out += "::{\n";
                for branch in list {
                    branch.write(out);
                    *out += ",\n";
                }
                out.push('}');
            }
        }
    }
}

impl<'ast> Visit<'ast> for Merger<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if let Some((_, items)) = &module.content {
            self.items(items);
        }
        visit::visit_item_mod(self, module);
    }
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn a_module_stays_in_braces() {
        let merged = merge("use a::b;\nuse a::c::{self as c};\n")
            .unwrap()
            .replace('\n', " ");
        assert_eq!(merged, "use a::{ b, c::{ self as c, }, }; ");
    }

    #[test]
    fn what_lines_share_is_written_once() {
        let text = "use a::b;\nuse a::b::{self, c};\npub use a::d;\nmod m {\nuse x::y::Z;\nuse x::w as v;\n// why\nuse x::q;\n}\n";
        let merged: String = merge(text).unwrap().replace(['\n'], " ");
        assert_eq!(
            merged,
            "use a::{ b, b::{ self, c, }, }; pub use a::d; mod m { use x::{ y::Z, w as v, }; // why use x::q; } "
        );
    }
}
