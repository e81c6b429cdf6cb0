//! The item pass over one file: what `cfg` switches off, which files modules are, what is declared where.

use super::callers;
use super::cfg::{Answer, split};
use super::inline::{Inliner, Place, Scope, Target};
use super::lex::{Edits, Tokens};
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Item, Meta, UseTree, Visibility};

mod names;
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
        let mut declared = BTreeSet::new();
        declare(&file.items, &mut declared);
        if place.path.is_empty() && whole {
            inliner.root_types.insert(place.krate, declared.clone());
            // In edition 2015 it is a name of the root like any other.
            let is_everywhere = inliner.krate(place.krate).edition >= 2018;
            if place.krate == 0 && declared.contains("alloc") {
                inliner.alloc = Some(free_name("alloc_crate", &declared));
            }
            for item in &file.items {
                if let Item::ExternCrate(item) = item {
                    if !inliner.krate(place.krate).known.keeps(&item.attrs) {
                        continue;
                    }
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
            own.extend(names::like_their_crates(inliner, &file.items));
            inliner.reserve(&own);
        }
        let scope = Scope {
            range: 0..tokens.text.len() + 1,
            is_bundle_root,
            declared,
            values: values(&file.items),
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
            error: None,
        };
        let declared = walk.types_of(&file.items);
        walk.found.scopes[0].declared = declared;
        walk
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

    fn module(&mut self, item: &syn::ItemMod) {
        let name = item.ident.to_string();
        let plain = name.trim_start_matches("r#").to_owned();
        let path = match self.path_attr(&item.attrs) {
            Ok(path) => path,
            Err(error) => {
                self.note(error, item.span().byte_range().start);
                return;
            }
        };
        let outer = self.place.clone();
        let file_dir = outer.file.parent().unwrap_or(std::path::Path::new("")).to_owned();
        self.place.path.push(name.clone());
        if let (Some((brace, items)), None) = (&item.content, &item.semi) {
            let base = if outer.inline { outer.dir.clone() } else { file_dir };
            self.place.dir = match path {
                Some(path) => base.join(path),
                None => outer.dir.join(&plain),
            };
            self.place.inline = true;
            let declared = self.types_of(items);
            self.found.scopes.push(Scope {
                range: brace.span.open().byte_range().end..brace.span.close().byte_range().start,
                is_bundle_root: false,
                declared,
                values: values(items),
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
        let file_dir = outer.file.parent().unwrap_or(std::path::Path::new("")).to_owned();
        if let Some(path) = path {
            let base = if outer.inline { &outer.dir } else { &file_dir };
            let file = base.join(path);
            let dir = file.parent().unwrap_or(std::path::Path::new("")).to_owned();
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

    fn extern_crate(&mut self, item: &syn::ItemExternCrate) -> Result<()> {
        let krate = self.place.krate;
        let range = item.span().byte_range();
        let name = item.ident.to_string();
        let alias = item
            .rename
            .as_ref()
            .map_or(name.clone(), |(_, alias)| alias.to_string());
        if name == "self" {
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
            let scope = self.found.scopes.last().expect("a file has a scope");
            self.found.dead.push(range.clone());
            if scope.is_bundle_root && alias == name {
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
        if item.attrs.iter().any(|a| a.path().is_ident("macro_use")) {
            if let Some(below) = self.inliner.krate(krate).deps.get(&name).copied() {
                self.inliner.macro_use.entry(krate).or_default().push(below);
            }
        }
        let module = match target {
            Target::Module(module) => module,
            Target::Offered(path) if path == name => return Ok(()),
            Target::Offered(path) => {
                self.found.dead.push(range.clone());
                self.found
                    .edits
                    .replace(range, format!("pub(crate) use {path} as {alias};"));
                return Ok(());
            }
        };
        let in_root = self
            .found
            .scopes
            .last()
            .expect("a file has a scope")
            .is_bundle_root;
        self.found.dead.push(range.clone());
        if in_root && alias == module {
            self.found.edits.remove(range);
        } else {
            let vis = match item.vis {
                Visibility::Inherited => "",
                _ => "pub(crate) ",
            };
            self.found
                .edits
                .replace(range, format!("{vis}use crate::{module} as {alias};"));
        }
        Ok(())
    }

    /// First segments of a `use` that need a new start: all of edition 2015, and crates named alone.
    fn use_tree(&mut self, tree: &UseTree, leading: bool) -> Result<()> {
        let krate = self.place.krate;
        let old = self.inliner.krate(krate).edition == 2015;
        let in_root = self
            .found
            .scopes
            .last()
            .expect("a file has a scope")
            .is_bundle_root;
        let ident = match tree {
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(tree, leading)?;
                }
                return Ok(());
            }
            UseTree::Path(path) => {
                if in_root {
                    self.own_name(path)?;
                }
                &path.ident
            }
            UseTree::Name(name) => &name.ident,
            UseTree::Rename(rename) => &rename.ident,
            UseTree::Glob(glob) => {
                if old {
                    let at = glob.star_token.span.byte_range().start;
                    let module = self.inliner.module(krate);
                    if !module.is_empty() {
                        let text = format!("crate::{module}::");
                        self.found.edits.replace(at..at, text);
                    }
                }
                return Ok(());
            }
        };
        let name = ident.to_string();
        let range = ident.span().byte_range();
        if matches!(
            name.as_str(),
            "crate" | "self" | "super" | "std" | "core" | "alloc"
        ) {
            return Ok(());
        }
        let alone = !matches!(tree, UseTree::Path(_));
        let declared = &self.found.scopes.last().expect("a file has a scope").declared;
        let shadowed = declared.contains(&name) && !leading && !old;
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
                let as_name = if module == name || matches!(tree, UseTree::Rename(_)) {
                    String::new()
                } else {
                    format!(" as {name}")
                };
                // At the root the module is already there under its own name.
                let start =
                    if in_root && module == name && as_name.is_empty() && matches!(tree, UseTree::Name(_)) {
                        format!("crate::{module} as _")
                    } else {
                        format!("crate::{module}{as_name}")
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
        } else if old && !is_extern {
            let module = self.inliner.module(krate).to_owned();
            if !module.is_empty() {
                self.found
                    .edits
                    .replace(range.start..range.start, format!("crate::{module}::"));
            }
        }
        Ok(())
    }

    /// `use x::{self, …}` in the program's root: the module is there already.
    fn own_name(&mut self, path: &syn::UsePath) -> Result<()> {
        let UseTree::Group(group) = &*path.tree else {
            return Ok(());
        };
        let name = path.ident.to_string();
        if self.inliner.extern_name(self.place.krate, &name)? == Some(Target::Module(name)) {
            for tree in &group.items {
                if let UseTree::Name(name) = tree {
                    if name.ident == "self" {
                        self.found
                            .edits
                            .replace(name.ident.span().byte_range(), "self as _");
                    }
                }
            }
        }
        Ok(())
    }

    fn macro_item(&mut self, item: &syn::ItemMacro) -> Result<()> {
        let range = item.span().byte_range();
        if item.mac.path.is_ident("include") {
            if let Some(path) =
                super::older::constant(item.mac.tokens.clone(), &self.inliner.krate(self.place.krate).env)?
            {
                let file = self
                    .place
                    .file
                    .parent()
                    .unwrap_or(std::path::Path::new(""))
                    .join(path);
                let text = self.inliner.read(&file)?;
                let mut inner = self.place.clone();
                inner.file = file;
                let text = self.inliner.items(&text, &inner, false)?.unwrap_or_default();
                self.found.dead.push(range.clone());
                self.found.edits.replace(range, text);
                return Ok(());
            }
        }
        if let Some(ident) = &item.ident {
            self.found.rules.push(range.clone());
            if callers::asks(item.mac.tokens.clone()) {
                self.inliner.asking.insert(ident.to_string());
            }
            let is_inner = |a: &Attribute| {
                matches!(&a.meta, Meta::List(list) if list.path.is_ident("macro_export")
                    && list.tokens.to_string() == "local_inner_macros")
            };
            if item.attrs.iter().any(is_inner) {
                self.found.inner.push(range.clone());
            }
            if let Some(body) = super::older::modules_of(item.mac.tokens.clone()) {
                let body = self.tokens.text[body].to_owned();
                self.inliner
                    .makers
                    .insert((self.place.krate, ident.to_string()), body);
            }
        } else if item.mac.tokens.is_empty() {
            // A macro without arguments that declares modules: they are files of the place of the call.
            let name = item
                .mac
                .path
                .segments
                .last()
                .map(|s| s.ident.to_string())
                .unwrap_or_default();
            if let Some(text) = self.inliner.makers.get(&(self.place.krate, name)).cloned() {
                let place = self.place.clone();
                let text = self.inliner.items(&text, &place, false)?.unwrap_or_default();
                self.found.dead.push(range.clone());
                self.found.edits.replace(range, text);
                return Ok(());
            }
        }
        let is_cfg_if = item.mac.path.segments.last().is_some_and(|s| s.ident == "cfg_if");
        if is_cfg_if && item.ident.is_none() {
            if let Some(branch) = super::older::branch(
                item.mac.tokens.clone(),
                &self.inliner.krate(self.place.krate).known,
            ) {
                let text = self.tokens.text[branch].to_owned();
                let place = self.place.clone();
                let text = self.inliner.items(&text, &place, false)?.unwrap_or_default();
                self.found.dead.push(range.clone());
                self.found.edits.replace(range, text);
                return Ok(());
            }
        }
        let exported = item.attrs.iter().any(|a| a.path().is_ident("macro_export"));
        if let (true, Some(ident)) = (exported && self.place.krate != 0, &item.ident) {
            let name = ident.to_string();
            self.found.exported.push((range.clone(), name.clone()));
            let here = self.found.scopes.last().expect("a file has a scope");
            let clashes = here.declared.contains(&name) || here.values.contains(&name);
            let mut import = format!("\npub(crate) use {name};");
            if clashes || super::expand::BUILT_IN.contains(&name.as_str()) {
                // `use warn;` would mean the module, function or attribute of that name too.
                let end = ident.span().byte_range().end;
                self.found.edits.replace(end..end, "_rules");
                import = format!("\npub(crate) use {name}_rules as {name};");
                self.inliner.renamed.insert((self.place.krate, name.clone()));
            }
            self.found.edits.replace(range.end..range.end, import);
            let list = self.inliner.exported.entry(self.place.krate).or_default();
            list.push((name, self.place.path.clone()));
        }
        Ok(())
    }
}

/// `name`, or something like it that is not `taken`.
fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let mut name = name.to_owned();
    while taken.contains(&name) {
        name.push('_');
    }
    name
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
