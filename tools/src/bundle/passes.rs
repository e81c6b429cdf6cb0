//! A text's way through the two passes: [`walk`](super::walk) over its items, then [`rewrite`](super::rewrite) over its
//! tokens. Both meet further texts (`mod x;`, `include!`, other crates), and come back here through [`Passes`].

use super::inline::{self, Inliner, Parts, Passes, Place, Scope};
use super::lex::{Edits, Tokens};
use super::older;
use super::project::Project;
use super::rewrite::Rewrite;
use super::walk::Walk;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;

/// Inlines the project's program into a text of `edition`. `rescope` as in [`Inliner`].
pub fn inline(
    project: &Project,
    offered: &BTreeMap<String, String>,
    edition: u16,
    rescope: bool,
) -> Result<Parts> {
    let passes = Passes { items, expression };
    inline::inline(project, offered, edition, rescope, passes)
}

/// Rewrites a text of items. `whole` if it is a module of its own (not `include!`d).
fn items(inliner: &mut Inliner<'_>, text: &str, place: &Place, whole: bool) -> Result<Option<String>> {
    let modern;
    let expanded;
    let mut text = text;
    let edition = inliner.krate(place.krate).edition;
    if edition < 2021 {
        modern = older::modern(text, &place.file, edition)?;
        text = &modern;
    }
    let unwrapped = older::unwrapped(text, &place.file)?;
    if let Some(unwrapped) = &unwrapped {
        text = unwrapped;
    }
    if whole {
        let project = inliner.project;
        expanded = inliner
            .expander
            .file(text.to_owned(), &place.file, place.krate, project);
        text = &expanded;
    }
    let file = syn::parse_file(text).map_err(|error| {
        let at = error.span().start();
        anyhow::anyhow!("{}:{}:{}: {error}", place.file.display(), at.line, at.column + 1)
    })?;
    let tokens = Tokens::new(text, &place.file)?;
    let mut walk = Walk::new(inliner, &tokens, place, &file, whole);
    if !walk.is_on(&file.attrs) {
        return Ok(None);
    }
    walk.visit_file(&file);
    let found = walk.finish()?;
    Rewrite {
        inliner,
        tokens: &tokens,
        place,
        dead: &found.dead,
        opaque: &found.opaque,
        rules: &found.rules,
        inner: &found.inner,
        exported: &found.exported,
        scopes: &found.scopes,
        preludes: Some(BTreeSet::new()),
        named: BTreeSet::new(),
        edits: found.edits,
    }
    .run()
    .map(Some)
}

/// Rewrites a text that is an expression (`include!` in an expression).
fn expression(inliner: &mut Inliner<'_>, text: &str, place: &Place) -> Result<String> {
    let tokens = Tokens::new(text, &place.file)?;
    let scope = Scope {
        range: 0..text.len(),
        is_bundle_root: false,
        declared: BTreeSet::new(),
        values: BTreeSet::new(),
        imported: Vec::new(),
        path: place.path.clone(),
    };
    Rewrite {
        inliner,
        tokens: &tokens,
        place,
        dead: &[],
        opaque: &[],
        rules: &[],
        inner: &[],
        exported: &[],
        scopes: &[scope],
        preludes: None,
        named: BTreeSet::new(),
        edits: Edits::default(),
    }
    .run()
}
