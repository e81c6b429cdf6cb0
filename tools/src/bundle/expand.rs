//! Procedural macros where a file uses them: derives, attributes and calls, replaced by what they make.
//!
//! Works on one file at a time, before anything else is done to it, so that what a macro makes is read like
//! what the author wrote: its `cfg`, its paths, its own macro calls. Which macro a name means is answered by
//! the crates that this one depends on, nearest first. A macro that fails leaves a `compile_error!`, which
//! is an obstacle only if the program reaches it.

pub mod attributes;
mod called;
mod checked;
mod locals;
mod names;
mod places;
mod pretty;
mod renames;
mod rules;
mod sources;

use super::docs;
use super::editions::foreign::{self, Foreign};
use super::lex::Edits;
use super::project::{self, Project};
use super::server::{Expansion, MacroKind, Server};
use anyhow::Result;
pub use attributes::BUILT_IN;
use attributes::{Configure, Helpers, STANDARD, attributes_of};
use checked::{Call, Written};
use names::Names;
use places::{has_parameters, path_to};
pub use pretty::pretty;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use rules::Rules;
pub use rules::printing_as;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Item, Meta};

/// All procedural macros of a project.
pub struct Expander {
    server: Option<Server>,
    /// Macros by crate.
    macros: HashMap<usize, Vec<(String, MacroKind)>>,
    /// Rules that say only when they are called which of them, which files or which features they mean, by crate and name,
    /// in the files that were gone through.
    rules: HashMap<(usize, String), Rules>,
    /// The same in all sources of crates that were asked for, whoever reads them first.
    written: HashMap<usize, HashMap<String, Rules>>,
    /// All `macro_rules` of these crates, and of others that were asked for them.
    declared: HashMap<usize, sources::Names>,
    /// Names of those which these crates export.
    exported: HashMap<usize, BTreeSet<String>>,
    /// What crates call procedural macros that they export under other names: the true name by the new one.
    renames: HashMap<usize, HashMap<String, String>>,
    /// Calls of rules so far.
    calls: usize,
    /// What was expanded, as `crate::name`.
    pub used: BTreeSet<String>,
    /// Files that are no longer as they were written.
    pub changed: BTreeSet<PathBuf>,
    /// What macros made in words of their own, where their edition is not that of their callers.
    pub foreign: BTreeSet<Foreign>,
}

/// What stands where a macro failed.
pub const FAILS: &str = "compile_error!";

/// How often one file is gone through: what a macro makes may call another.
const ROUNDS: usize = 32;

impl Expander {
    /// Lists the macros below the program; starts nothing if there are none.
    pub fn new(project: &Project) -> Result<Self> {
        let mut expander = Self {
            server: None,
            macros: HashMap::new(),
            rules: HashMap::new(),
            written: HashMap::new(),
            declared: HashMap::new(),
            exported: HashMap::new(),
            renames: HashMap::new(),
            calls: 0,
            used: BTreeSet::new(),
            changed: BTreeSet::new(),
            foreign: BTreeSet::new(),
        };
        for (index, krate) in project.crates.iter().enumerate() {
            let Some(library) = &krate.macros else {
                continue;
            };
            if expander.server.is_none() {
                expander.server = Some(Server::start()?);
            }
            if let Some(server) = &mut expander.server {
                expander.macros.insert(index, server.list(library)?);
            }
        }
        let has_macros = |index: &usize| project.crates[*index].macros.is_some();
        for (index, krate) in project.crates.iter().enumerate() {
            if krate.macros.is_none() && krate.deps.values().any(has_macros) {
                let mut renames = renames::of(krate);
                let is_macro = |name: &String| expander.macros.values().flatten().any(|(n, _)| n == name);
                renames.retain(|_, old| is_macro(old));
                expander.renames.insert(index, renames);
            }
        }
        Ok(expander)
    }

    /// Rules in the sources of a crate that say only when they are called what they mean.
    fn written(&mut self, project: &Project, krate: usize) -> &HashMap<String, Rules> {
        if !self.written.contains_key(&krate) {
            let is_macro = |kind: MacroKind, name: &str| {
                let path = [name.to_owned()];
                self.find(project, krate, kind, &path).is_some()
            };
            let crates = &project.crates;
            let found = &crates[krate];
            let deps = |of: usize| crates[of].deps.values().copied();
            let has_macro = |below: usize| crates[below].macros.is_some();
            // A crate hands those of its own dependencies on: zerocopy the derives of zerocopy-derive.
            let has_macros = deps(krate).any(|below| has_macro(below) || deps(below).any(has_macro));
            let may = found.macros.is_none() && (found.local || has_macros);
            let list = may.then(|| sources::of(found, &is_macro));
            let (rules, declared, exported) = list.unwrap_or_default();
            if may {
                self.declared.insert(krate, declared);
            }
            self.exported.insert(krate, exported);
            self.written.insert(krate, rules);
        }
        &self.written[&krate]
    }

    /// All `macro_rules` of a crate.
    fn declared(&mut self, project: &Project, krate: usize) -> &sources::Names {
        self.declared.entry(krate).or_insert_with(|| {
            let found = &project.crates[krate];
            let none = |_: MacroKind, _: &str| false;
            let list = found.macros.is_none().then(|| sources::of(found, &none));
            list.map_or(HashMap::new(), |(_, declared, _)| declared)
        })
    }

    /// Macros of a crate.
    pub fn of(&self, krate: usize) -> &[(String, MacroKind)] {
        self.macros.get(&krate).map_or(&[], Vec::as_slice)
    }

    /// The crate that has the macro, seen from `from`, and what it is called there.
    fn find(
        &self,
        project: &Project,
        from: usize,
        kind: MacroKind,
        path: &[String],
    ) -> Option<(usize, String)> {
        let mut name = path.last()?;
        let mut todo = VecDeque::new();
        let mut exports = from;
        match path {
            [first, _, ..] if !matches!(first.as_str(), "crate" | "self" | "super") => {
                exports = project.below(from, first)?;
                todo.push_back(exports);
            }
            _ => todo.extend(project.crates[from].deps.values().copied()),
        }
        if let Some(old) = self.renames.get(&exports).and_then(|renames| renames.get(name)) {
            name = old;
        }
        let mut seen = BTreeSet::new();
        while let Some(krate) = todo.pop_front() {
            if !seen.insert(krate) {
                continue;
            }
            if self.of(krate).iter().any(|(n, k)| n == name && *k == kind) {
                return Some((krate, name.clone()));
            }
            todo.extend(project.crates[krate].deps.values().copied());
        }
        None
    }

    /// `text`, a file of `krate`, without calls of procedural macros.
    pub fn file(&mut self, text: String, path: &Path, krate: usize, project: &Project) -> String {
        let mut text = text;
        // All of them, as one crate's macros are called by others.
        for krate in 0..project.crates.len() {
            self.written(project, krate);
        }
        let is_bare = self.macros.is_empty() && self.rules.is_empty() && !text.contains("macro_rules");
        if is_bare && self.written.values().all(HashMap::is_empty) {
            return text;
        }
        text = docs::spelled(text);
        for round in 0..ROUNDS {
            let Ok(file) = syn::parse_file(&text) else {
                return text;
            };
            let mut names = Names::default();
            names.visit_file(&file);
            let mut finder = Finder {
                path,
                text: &text,
                is_own: round == 0,
                expander: self,
                project,
                krate,
                names,
                edits: Edits::default(),
                found: 0,
                in_rules: false,
                functions: Vec::new(),
            };
            finder.visit_file(&file);
            if finder.found == 0 {
                return rules::settled(text);
            }
            let edits = std::mem::take(&mut finder.edits);
            self.changed.insert(path.to_owned());
            text = edits.apply(&text);
        }
        rules::settled(text)
    }

    /// Notes what of `text`, which a macro of the first edition made for a caller of the second, may differ between them.
    fn note(
        &mut self,
        (caller, function): (usize, Option<&String>),
        (by, (edition, called_in)): (String, (u16, u16)),
        (text, is_own, translated): (&str, &dyn Fn(usize) -> bool, bool),
    ) {
        if foreign::are_alike(edition, called_in) {
            return;
        }
        for mut construct in foreign::constructs(text, is_own, (edition, called_in), translated) {
            construct.function = construct.function.or_else(|| function.cloned());
            self.foreign.insert(Foreign {
                caller,
                by: by.clone(),
                edition,
                construct,
            });
        }
    }

    /// What a procedural macro makes where `from` calls it, in this function.
    fn run(
        &mut self,
        (project, from, path, function): (&Project, usize, &Path, Option<&String>),
        (krate, name): (usize, &str),
        written: &Written,
        (body, attributes): (TokenStream, Option<TokenStream>),
    ) -> String {
        let Some(server) = &mut self.server else {
            return String::new();
        };
        let found = &project.crates[krate];
        let Some(library) = &found.macros else {
            return String::new();
        };
        let by = format!("{}::{name}", found.name);
        self.used.insert(by.clone());
        let caller = &project.crates[from];
        let own = caller.env.get("CARGO_MANIFEST_DIR");
        let folder = own
            .map(Path::new)
            .filter(|_| !caller.local)
            .unwrap_or(&project.workspace);
        let call = Call {
            library,
            krate: &found.name,
            name,
            must_agree: found.local && foreign::are_alike(found.edition, caller.edition),
            written,
            edition: caller.edition,
            env: &caller.env,
            folder,
        };
        let given = (rules::grouped(body), attributes.map(rules::grouped));
        let ask = |server: &mut Server| server.expand(library, name, given.clone(), &caller.env, folder);
        let checked = |made| call.checked(made, &|| ask(&mut Server::start()?));
        match ask(server).and_then(checked) {
            Ok(Expansion { mut text, own }) => {
                self.calls += 1;
                let editions = (found.edition, caller.edition);
                let is_own = |byte: usize| own.binary_search(&byte).is_ok();
                self.note((from, function), (by, editions), (&text, &is_own, true));
                if !foreign::are_alike(editions.0, editions.1) {
                    text = foreign::translated(&text, &own, editions.0, editions.1).unwrap_or(text);
                }
                pretty(locals::own_site(text, self.calls))
            }
            Err(error) => {
                let place = project::shown(path, &project.workspace);
                let said = format!("{place}: {name} of {} fails: {error:#}", found.package);
                format!("{FAILS}({said:?});")
            }
        }
    }
}

struct Finder<'a> {
    path: &'a Path,
    text: &'a str,
    /// It is the author's, and no macro made a part of it.
    is_own: bool,
    expander: &'a mut Expander,
    project: &'a Project,
    krate: usize,
    names: Names,
    edits: Edits,
    found: usize,
    /// Inside the rules of a macro.
    in_rules: bool,
    /// Functions around what is being read.
    functions: Vec<String>,
}

impl Finder<'_> {
    /// The macro that `path` means here.
    fn means(&self, kind: MacroKind, path: &syn::Path) -> Option<(usize, String)> {
        let deps = &self.project.crates[self.krate].deps;
        let path = self.names.meant(path, &|name| deps.contains_key(name));
        let name = path.last()?.clone();
        let is_alone = path.len() == 1;
        // One name may be imported as a macro, a type and a value, each from elsewhere.
        let imports: &[(String, String)] = match self.names.imported.get(&name) {
            Some(list) if is_alone => list,
            _ => &[],
        };
        match kind {
            MacroKind::Derive if is_alone && STANDARD.contains(&name.as_str()) => {
                imports.iter().find(|(first, _)| deps.contains_key(first))?;
            }
            MacroKind::Attribute if is_alone && BUILT_IN.contains(&name.as_str()) => return None,
            MacroKind::Bang if is_alone => {
                let is_dep = |name: &String| {
                    deps.contains_key(name) || matches!(name.as_str(), "crate" | "super" | "self")
                };
                let reached =
                    !imports.is_empty() || self.names.macro_use || self.names.globs.iter().any(is_dep);
                if !reached || self.names.rules.contains(&name) {
                    return None;
                }
            }
            _ => {}
        }
        // A crate's own rules of that name are meant, not the procedural macro that they call, or another's of the name.
        let exports = |krate: &usize, name: &String| {
            let list = self.expander.exported.get(krate);
            list.is_some_and(|list| list.contains(name))
        };
        let is_own = |path: &[String]| match path {
            [first, name] if kind == MacroKind::Bang && first == "crate" => exports(&self.krate, name),
            [first, name] if kind == MacroKind::Bang => deps.get(first).is_some_and(|krate| {
                let rules = self.expander.written.get(krate);
                exports(krate, name) || rules.is_some_and(|rules| rules.contains_key(name))
            }),
            _ => false,
        };
        let find = |path: Vec<String>| {
            if is_own(&path) {
                return None;
            }
            self.expander.find(self.project, self.krate, kind, &path)
        };
        // `use x::name`: in `x` first.
        let of_crates = imports.iter().filter(|(first, _)| deps.contains_key(first));
        for (first, old) in of_crates.clone() {
            if let Some(found) = find(vec![first.clone(), old.clone()]) {
                return Some(found);
            }
        }
        // What a crate exports that is no procedural macro is none of another crate's either; a derive or an attribute
        // is always one, and the name may be imported from elsewhere as that of a type as well.
        let is_of_crates = !imports.is_empty() && of_crates.count() == imports.len();
        if kind == MacroKind::Bang && is_of_crates {
            return None;
        }
        match imports {
            [] => find(path),
            _ => imports.iter().find_map(|(_, old)| find(vec![old.clone()])),
        }
    }

    fn run(
        &mut self,
        of: &(usize, String),
        written: Written,
        body: TokenStream,
        attributes: Option<TokenStream>,
    ) -> String {
        self.found += 1;
        let written = written.configured(&body, self.is_own);
        let place = (self.project, self.krate, self.path, self.functions.last());
        self.expander
            .run(place, (of.0, &of.1), &written, (body, attributes))
    }

    /// The first attribute macro or derive on an item, in its place. `true` if there was one.
    fn on_item(&mut self, item: &Item) -> bool {
        let known = self.project.crates[self.krate].known.clone();
        let mut configured = item.clone();
        let Some(attrs) = attributes_of(&mut configured) else {
            return false;
        };
        let mut configure = Configure(&known);
        if attrs.is_empty() || !known.is_on(attrs) {
            return false;
        }
        configure.visit_attributes_mut(attrs);
        let range = item.span().byte_range();
        if let Some((of, args, gone)) = self.first_of(attrs) {
            let written = Written::item(self.text, range.clone(), &[gone], Some(&args));
            let text = self.run(&of, written, configured.into_token_stream(), Some(args));
            self.edits.replace(range, text);
            return true;
        }
        let mut derives = Vec::new();
        let written = attrs.clone();
        let derived = attrs.iter_mut().enumerate();
        for (n, attr) in derived.filter(|(_, a)| a.path().is_ident("derive")) {
            let mut left: Vec<syn::Path> = Vec::new();
            let _ = attr.parse_nested_meta(|meta| {
                match self.means(MacroKind::Derive, &meta.path) {
                    Some(of) => derives.push((n, of)),
                    None => left.push(meta.path),
                }
                Ok(())
            });
            *attr = syn::parse_quote!(#[derive(#(#left),*)]);
        }
        if derives.is_empty() {
            return false;
        }
        attrs.retain(|attr| !matches!(&attr.meta, Meta::List(list) if list.path.is_ident("derive") && list.tokens.is_empty()));
        configure.visit_item_mut(&mut configured);
        let mut bare = configured.clone();
        let mut text = String::new();
        let mut made = String::new();
        for (n, of) in derives {
            if let Some(attrs) = attributes_of(&mut bare) {
                *attrs = attributes::shown(&written, n);
            }
            made += "\n";
            let above = written[..=n].iter().filter(|attr| attr.path().is_ident("derive"));
            let gone: Vec<_> = above.map(|attr| attr.span().byte_range()).collect();
            let item = Written::item(self.text, range.clone(), &gone, None);
            made += &self.run(&of, item, bare.to_token_stream(), None);
        }
        let mut helpers = Helpers::of(attributes_of(&mut configured).map_or(&[], |attrs| attrs));
        helpers.visit_item_mut(&mut configured);
        text += &pretty(configured.to_token_stream().to_string());
        text += &made;
        self.edits.replace(range, text);
        true
    }

    /// The first attribute macro of these attributes, which goes, what it is given beside its item, and where it stands.
    fn first_of(
        &self,
        attrs: &mut Vec<syn::Attribute>,
    ) -> Option<((usize, String), TokenStream, Range<usize>)> {
        let mut all = attrs.iter().enumerate();
        let (n, of) = all.find_map(|(n, attr)| Some((n, self.means(MacroKind::Attribute, attr.path())?)))?;
        let attr = attrs.remove(n);
        Some((of, attributes::arguments(&attr), attr.span().byte_range()))
    }

    /// The first attribute macro on what is an item only for it (`#[ext] pub impl …`), in its place.
    fn unparsed(&mut self, tokens: &TokenStream) {
        let Some((mut attrs, item)) = attributes::unparsed(tokens.clone()) else {
            return;
        };
        let known = self.project.crates[self.krate].known.clone();
        if !known.is_on(&attrs) {
            return;
        }
        Configure(&known).visit_attributes_mut(&mut attrs);
        if let Some((of, args, gone)) = self.first_of(&mut attrs) {
            let range = tokens.span().byte_range();
            let written = Written::item(self.text, range.clone(), &[gone], Some(&args));
            let text = self.run(&of, written, quote::quote!(#(#attrs)* #item), Some(args));
            self.edits.replace(range, text);
        }
    }

    /// Calls among the arguments of another macro (`println!("{}", x!())`), and items in blocks there. `true` if a call has
    /// parameters of the macro around it.
    fn inside(&mut self, stream: TokenStream) -> bool {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut has_own = false;
        for (n, tree) in trees.iter().enumerate() {
            match (tree, trees.get(n + 1), trees.get(n + 2)) {
                (TokenTree::Ident(name), Some(TokenTree::Punct(bang)), Some(TokenTree::Group(args)))
                    if bang.as_char() == '!' =>
                {
                    let (start, path) = path_to(&trees, n);
                    let range = start..args.span().byte_range().end;
                    if let Some(of) = self.means(MacroKind::Bang, &path) {
                        let text = if self.in_rules && has_parameters(args.stream()) {
                            has_own = true;
                            self.found += 1;
                            let said = format!(
                                "{name}! stands in the body of macro_rules with parameters of that: only a compiler \
                                 that has {name}! can expand it"
                            );
                            format!("{FAILS}({said:?})")
                        } else {
                            let written = Written::call(self.text, &args.stream());
                            self.run(&of, written, args.stream(), None)
                        };
                        self.edits.replace(range, together(as_expression(text.trim())));
                    } else if has_parameters(args.stream()) {
                        // What is asked is seen where the macro around it is called.
                    } else if let Some(text) = self.by_rules(&path, &args.stream()) {
                        self.edits.replace(range, together(&text));
                    }
                }
                (TokenTree::Group(group), ..)
                    if group.delimiter() == Delimiter::Brace
                        && !self.in_rules
                        && self.has_procedural(&group.stream()) =>
                {
                    match syn::Block::parse_within.parse2(group.stream()) {
                        Ok(block) => block.iter().for_each(|statement| self.visit_stmt(statement)),
                        Err(_) => has_own |= self.inside(group.stream()),
                    }
                }
                (TokenTree::Group(group), ..) => has_own |= self.inside(group.stream()),
                _ => {}
            }
        }
        has_own
    }

    /// A call that stands for parts of a trait or an impl.
    fn part(&mut self, mac: &syn::Macro, range: Range<usize>) {
        let made = self.by_rules(&mac.path, &mac.tokens);
        match made.or_else(|| self.bang(mac, true)) {
            Some(text) => self.edits.replace(range, text),
            None => drop(self.inside(mac.tokens.clone())),
        }
    }

    fn bang(&mut self, mac: &syn::Macro, is_item: bool) -> Option<String> {
        let of = self.means(MacroKind::Bang, &mac.path)?;
        let written = Written::call(self.text, &mac.tokens);
        let text = self.run(&of, written, mac.tokens.clone(), None);
        let text = text.trim();
        if is_item {
            return Some(text.to_owned());
        }
        Some(together(as_expression(text)))
    }
}

/// A failed macro's text without its semicolon, which an expression does not bear.
fn as_expression(text: &str) -> &str {
    let bare = text.strip_suffix(';').filter(|_| text.starts_with(FAILS));
    bare.unwrap_or(text)
}

/// An expression keeps together (a block would end a statement or an arm before `[0]` or `.len()`); what is statements or
/// a type stands as it is, and so does a call of a macro, which `concat!` takes for a literal perhaps.
fn together(text: &str) -> String {
    match syn::parse_str::<syn::Expr>(text) {
        Ok(syn::Expr::Path(_) | syn::Expr::Lit(_)) | Err(_) => text.to_owned(),
        Ok(syn::Expr::Macro(call)) if !matches!(call.mac.delimiter, syn::MacroDelimiter::Brace(_)) => {
            text.to_owned()
        }
        Ok(_) => format!("({text})"),
    }
}

/// Stand-ins for the names of macros, so that imports of them lead somewhere: functions, as types and traits often have
/// a derive of their own name, and variables cannot have a constant's.
pub fn stand_ins(macros: &[(String, MacroKind)]) -> String {
    let mut text = String::new();
    for (name, _) in macros {
        let _ = writeln!(text, "pub fn {name}() {{}}");
    }
    text
}
