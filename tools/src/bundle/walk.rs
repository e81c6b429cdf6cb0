//! The item pass over one file: what `cfg` switches off, which files modules are, what is declared where.

use super::globs::Surroundings;
use super::inline::{Inliner, Place, Scope};
use super::lex::{Edits, Tokens};
use anyhow::Result;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Attribute, Item};

mod crates;
mod macros;
mod modules;
mod names;
mod passing;
mod scope;
mod visit;

use names::{declare, values};

/// What the pass found.
pub struct Found {
    /// Ranges that are gone.
    pub dead: Vec<Range<usize>>,
    /// Macro bodies and arguments: no attribute in there is ours to remove.
    pub opaque: Vec<Range<usize>>,
    /// Macro bodies alone.
    pub rules: Vec<Range<usize>>,
    /// Of these, those that call the macros of their own crate by bare names (`local_inner_macros`).
    pub inner: Vec<Range<usize>>,
    /// Of these, those of dependencies that other crates may call, by name: `env!` and `cfg` are about the crate of the
    /// call there.
    pub exported: Vec<(Range<usize>, String)>,
    /// Modules of this text, outer ones first.
    pub scopes: Vec<Scope>,
    /// Changes so far.
    pub edits: Edits,
}

/// The visitor.
pub struct Walk<'a, 'p> {
    inliner: &'a mut Inliner<'p>,
    tokens: &'a Tokens<'a>,
    place: Place,
    found: Found,
    /// Where the bodies begin of functions and closures that come next, and blocks in them that make their value.
    bodies: BTreeSet<usize>,
    error: Option<anyhow::Error>,
}

impl<'a, 'p> Walk<'a, 'p> {
    /// Starts at the top of a file.
    pub fn new(
        inliner: &'a mut Inliner<'p>,
        tokens: &'a Tokens<'a>,
        place: &Place,
        file: &syn::File,
        whole: bool,
    ) -> Self {
        let there = names::there(&inliner.krate(place.krate).known, &file.items);
        let mut declared = BTreeSet::new();
        declare(&there, &mut declared);
        if place.path.is_empty() && whole {
            inliner.root_types.insert(place.krate, declared.clone());
            inliner.root_crates.insert(place.krate, names::crates(&there));
            let mut public = BTreeSet::new();
            names::declare_public(&there, &mut public);
            inliner.public_types.insert(place.krate, public);
            // In edition 2015 it is a name of the root like any other.
            let is_everywhere = inliner.krate(place.krate).edition >= 2018;
            if place.krate == 0 && declared.contains("alloc") {
                inliner.alloc = Some(free_name("alloc_crate", |name| declared.contains(name)));
            }
            for item in &there {
                if let Item::ExternCrate(item) = item {
                    if inliner.alloc.is_some() && item.ident == "alloc" && item.rename.is_none() {
                        let alloc = (place.krate, "alloc".to_owned());
                        inliner.aliases.insert(alloc, "alloc".to_owned());
                    }
                    if !is_everywhere {
                        continue;
                    }
                    if let Some((_, alias)) = item.rename.as_ref().filter(|_| item.ident != "self") {
                        let alias = (place.krate, alias.to_string());
                        inliner.aliases.insert(alias, item.ident.to_string());
                    }
                }
            }
        }
        let is_bundle_root = place.krate == 0 && place.path.is_empty() && whole;
        if is_bundle_root {
            let mut own = declared.clone();
            own.extend(names::like_their_crates(inliner, &there));
            inliner.reserve(&own);
        }
        let scope = Scope {
            range: 0..tokens.text.len() + 1,
            is_bundle_root,
            declared,
            values: values(&there),
            imported: names::leaves(&there),
            path: place.path.clone(),
        };
        let mut walk = Self {
            inliner,
            tokens,
            place: place.clone(),
            found: Found {
                dead: Vec::new(),
                opaque: Vec::new(),
                rules: Vec::new(),
                inner: Vec::new(),
                exported: Vec::new(),
                scopes: vec![scope],
                edits: Edits::default(),
            },
            bodies: BTreeSet::new(),
            error: None,
        };
        let declared = walk.types_of(&there);
        if whole {
            walk.surround(&there, &declared);
        }
        walk.found.scopes[0].declared = declared;
        walk.splitting();
        if place.path.is_empty() && whole {
            walk.macro_crates(&file.items);
        }
        walk
    }

    /// Notes what the module at hand declares, for those that import everything of it.
    fn surround(&mut self, items: &[&Item], declared: &BTreeSet<String>) {
        let module = (self.place.krate, self.place.path.clone());
        let known = Surroundings::of(items, declared);
        self.inliner.surroundings.insert(module, known);
    }

    /// What was found, or the first error.
    pub fn finish(self) -> Result<Found> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.found),
        }
    }

    /// See [`Known::keeps`](super::cfg::Known::keeps).
    pub fn is_on(&self, attrs: &[Attribute]) -> bool {
        self.inliner.krate(self.place.krate).known.keeps(attrs)
    }

    /// Removes the node if its attributes say so. `true` if it is gone.
    fn gate(&mut self, attrs: &[Attribute], node: &impl Spanned, comma: bool) -> bool {
        if attrs.is_empty() || self.is_on(attrs) {
            return false;
        }
        let mut range = node.span().byte_range();
        if comma {
            let next = self.tokens.from(range.end);
            if self.tokens.at(next as isize) == "," {
                range.end = self.tokens.list[next].range.end;
            }
        }
        self.found.dead.push(range.clone());
        self.found.edits.remove(range);
        true
    }

    fn note(&mut self, error: anyhow::Error, at: usize) {
        if self.error.is_none() {
            let line = self.tokens.line(at);
            self.error = Some(error.context(format!("{}:{line}", self.place.file.display())));
        }
    }
}

/// `name`, or something like it that is not taken.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}
