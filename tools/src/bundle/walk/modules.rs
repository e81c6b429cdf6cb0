//! Modules: which files they are, `#[path]`, and what stands in them.

use super::{Walk, names, values};
use crate::bundle::cfg::{Answer, split};
use crate::bundle::inline::{Place, Scope};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Meta, Visibility};

impl Walk<'_, '_> {
    /// Value of `#[path = "…"]`, also inside `cfg_attr`; an error where only the judge's compiler would know.
    fn path_attr(&self, attrs: &[Attribute]) -> Result<Option<String>> {
        let known = &self.inliner.krate(self.place.krate).known;
        let mut open: Vec<(String, String)> = Vec::new();
        for attr in attrs {
            match &attr.meta {
                Meta::NameValue(pair) if pair.path.is_ident("path") => {
                    open.extend(string(&pair.value).map(|path| (String::new(), path)));
                }
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let mut parts = split(list.tokens.clone()).into_iter();
                    let ask = match known.answer(parts.next().unwrap_or_default()) {
                        Answer::No => continue,
                        Answer::Yes => String::new(),
                        Answer::Ask(rest) => rest,
                    };
                    for part in parts {
                        if let Ok(Meta::NameValue(pair)) = syn::parse2::<Meta>(part) {
                            if pair.path.is_ident("path") {
                                open.extend(string(&pair.value).map(|path| (ask.clone(), path)));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        // The first that holds counts.
        let certain = open.iter().position(|(ask, _)| ask.is_empty());
        open.truncate(certain.map_or(open.len(), |at| at + 1));
        let Some((ask, path)) = open.first() else {
            return Ok(None);
        };
        let is_opposite = |(other, _): &(String, String)| {
            *other == format!("not({ask})") || *ask == format!("not({other})")
        };
        let is_covered = certain.is_some() || open.iter().any(is_opposite);
        if is_covered && open.iter().all(|(_, other)| other == path) {
            return Ok(Some(path.clone()));
        }
        bail!("which file this module is, only the judge's compiler would know: `cfg({ask})`")
    }

    pub(super) fn module(&mut self, item: &syn::ItemMod) {
        let name = item.ident.to_string();
        let plain = item.ident.unraw().to_string();
        let path = match self.path_attr(&item.attrs) {
            Ok(path) => path,
            Err(error) => {
                self.note(error, item.span().byte_range().start);
                return;
            }
        };
        let outer = self.place.clone();
        let file_dir = outer.file.parent().unwrap_or(Path::new("")).to_owned();
        self.place.path.push(name.clone());
        if let (Some((brace, items)), None) = (&item.content, &item.semi) {
            let base = if outer.inline { outer.dir.clone() } else { file_dir };
            self.place.dir = match path {
                Some(path) => base.join(path),
                None => outer.dir.join(&plain),
            };
            self.place.inline = true;
            let there = names::there(&self.inliner.krate(self.place.krate).known, items);
            let declared = self.types_of(&there);
            self.surround(&there, &declared);
            self.found.scopes.push(Scope {
                range: brace.span.open().byte_range().end..brace.span.close().byte_range().start,
                is_bundle_root: false,
                declared,
                values: values(&there),
                imported: names::leaves(&there),
                path: self.place.path.clone(),
            });
            for item in items {
                self.visit_item(item);
            }
        } else if let Some(semi) = &item.semi {
            let result = Self::file_of(&outer, &plain, path).and_then(|(file, dir)| {
                let mut inner = self.place.clone();
                inner.file = file;
                inner.dir = dir;
                inner.inline = false;
                self.inliner.file_module(&inner)
            });
            match result {
                Ok(Some(text)) => self
                    .found
                    .edits
                    .replace(semi.span.byte_range(), format!(" {{\n{text}\n}}")),
                Ok(None) => {
                    let range = item.span().byte_range();
                    self.found.dead.push(range.clone());
                    self.found.edits.remove(range);
                }
                Err(error) => self.note(error, semi.span.byte_range().start),
            }
        }
        let exports = self
            .inliner
            .exported
            .get(&self.place.krate)
            .is_some_and(|list| list.iter().any(|(_, path)| path.starts_with(&self.place.path)));
        if exports {
            let gates = self.inliner.krate(self.place.krate).known.open(&item.attrs);
            if !gates.is_empty() {
                let key = (self.place.krate, self.place.path.clone());
                self.inliner.gates.insert(key, gates);
            }
        }
        if exports && self.place.path.len() > 1 && matches!(item.vis, Visibility::Inherited) {
            let at = item.mod_token.span.byte_range().start;
            self.found.edits.replace(at..at, "pub(crate) ");
        }
        self.place = outer;
    }

    /// File of `mod name;` and the folder of its own children.
    fn file_of(outer: &Place, name: &str, path: Option<String>) -> Result<(PathBuf, PathBuf)> {
        let file_dir = outer.file.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(path) = path {
            let base = if outer.inline { &outer.dir } else { &file_dir };
            let file = base.join(path);
            let dir = file.parent().unwrap_or(Path::new("")).to_owned();
            return Ok((file, dir));
        }
        let flat = outer.dir.join(format!("{name}.rs"));
        let nested = outer.dir.join(name).join("mod.rs");
        match (flat.is_file(), nested.is_file()) {
            (true, _) => Ok((flat, outer.dir.join(name))),
            (false, true) => Ok((nested, outer.dir.join(name))),
            _ => bail!(
                "no file for `mod {name};`: neither {} nor {}",
                flat.display(),
                nested.display()
            ),
        }
    }
}

/// The text of a string literal.
fn string(value: &syn::Expr) -> Option<String> {
    match value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}
