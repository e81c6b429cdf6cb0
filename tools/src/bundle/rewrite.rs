//! The token pass over one text: paths that change their start, attributes that go, files that are
//! included. It reads macro bodies too, which no syntax tree can.

use super::cfg::{Answer, split};
use super::inline::{Inliner, Place, Scope, Target};
use super::lex::{Edits, Kind, Tokens, byte_string, raw_string};
use anyhow::{Context, Result, bail};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// One pass.
pub struct Rewrite<'a, 'p> {
    /// The crates.
    pub inliner: &'a mut Inliner<'p>,
    /// The text.
    pub tokens: &'a Tokens<'a>,
    /// Where it stands.
    pub place: &'a Place,
    /// Ranges that are gone.
    pub dead: &'a [Range<usize>],
    /// Macro bodies and arguments.
    pub opaque: &'a [Range<usize>],
    /// Modules of the text, outer ones first.
    pub scopes: &'a [Scope],
    /// Changes.
    pub edits: Edits,
}

/// Deny-by-default lints: an `allow` of one of these is needed to compile.
const DENIED: [&str; 14] = [
    "ambiguous_associated_items",
    "arithmetic_overflow",
    "invalid_reference_casting",
    "let_underscore_lock",
    "long_running_const_eval",
    "mutable_transmutes",
    "never_type_fallback_flowing_into_unsafe",
    "no_mangle_const_items",
    "overflowing_literals",
    "static_mut_refs",
    "unconditional_panic",
    "undropped_manually_drops",
    "useless_deprecated",
    "dangerous_implicit_autorefs",
];

/// Attributes that only tools and other crates read.
const IDLE: [&str; 24] = [
    "allow_internal_unstable",
    "automatically_derived",
    "cfg_eval",
    "clippy",
    "crate_name",
    "crate_type",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "forbid",
    "must_use",
    "no_std",
    "non_exhaustive",
    "path",
    "rustc_deprecated",
    "rustfmt",
    "stable",
    "unstable",
    "warn",
    "doc_cfg",
    "warn_missing",
    "coverage",
];

impl Rewrite<'_, '_> {
    /// Does it all.
    pub fn run(mut self) -> Result<String> {
        let count = self.tokens.list.len();
        let strip_comments = !self.inliner.krate(self.place.krate).local;
        let mut macros: Vec<BTreeSet<String>> = vec![BTreeSet::new(); self.scopes.len()];
        let mut dead: Vec<Range<usize>> = self.dead.to_vec();
        dead.sort_by_key(|r| r.start);
        let mut dead = dead.into_iter().peekable();
        let mut end = 0;
        let mut i = 0;
        while i < count {
            let range = self.tokens.list[i].range.clone();
            if strip_comments {
                self.gap(end..range.start);
            }
            end = range.end;
            while dead.peek().is_some_and(|d| d.end <= range.start) {
                dead.next();
            }
            if dead.peek().is_some_and(|d| d.start <= range.start) {
                i += 1;
                continue;
            }
            i = self.token(i, &mut macros)?;
            end = self.tokens.list[i - 1].range.end;
        }
        if strip_comments {
            self.gap(end..self.tokens.text.len());
        }
        self.import_macros(&macros);
        Ok(self.edits.apply(self.tokens.text))
    }

    /// Removes a doc comment or an attribute, and the line end behind it (two edits: the first may already
    /// be another).
    fn remove(&mut self, range: Range<usize>) {
        let next = self.tokens.list.get(self.tokens.from(range.end));
        let blank = range.end..next.map_or(range.end, |t| t.range.start);
        let text = &self.tokens.text[blank.clone()];
        if text.contains('\n') && text.trim().is_empty() {
            self.edits.remove(blank);
        }
        self.edits.remove(range);
    }

    fn gap(&mut self, range: Range<usize>) {
        let text = self.tokens.text.get(range.clone()).unwrap_or_default();
        if text.contains('/') {
            self.edits
                .replace(range, if text.contains('\n') { "\n" } else { " " });
        }
    }

    fn is_opaque(&self, byte: usize) -> bool {
        self.opaque.iter().any(|r| r.contains(&byte))
    }

    fn scope(&self, byte: usize) -> usize {
        self.scopes
            .iter()
            .rposition(|s| s.range.contains(&byte))
            .unwrap_or(0)
    }

    /// Handles token `i`; returns the next one to look at.
    fn token(&mut self, i: usize, macros: &mut [BTreeSet<String>]) -> Result<usize> {
        let token = self.tokens.list[i].clone();
        let at = i as isize;
        let start = token.range.start;
        match token.kind {
            Kind::Doc if self.inliner.docs_in_macros || !self.is_opaque(start) => {
                self.remove(token.range);
            }
            Kind::Punct if self.tokens.at(at) == "#" => {
                let bang = self.tokens.at(at + 1) == "!";
                let open = i + 1 + usize::from(bang);
                if self.tokens.at(open as isize) == "[" {
                    if self.is_opaque(start) {
                        self.opaque_attribute(open)?;
                    } else {
                        return self.attribute(i, open, bang);
                    }
                }
            }
            Kind::Ident => return self.word(i, macros),
            _ => {}
        }
        Ok(i + 1)
    }

    fn word(&mut self, i: usize, macros: &mut [BTreeSet<String>]) -> Result<usize> {
        let at = i as isize;
        let range = self.tokens.list[i].range.clone();
        let text = self.tokens.at(at);
        let next = self.tokens.at(at + 1);
        let before = self.tokens.at(at - 1);
        if next == "!" && matches!(self.tokens.at(at + 2), "(" | "[" | "{") {
            if let Some(next) = self.macro_call(i)? {
                return Ok(next);
            }
            let scope = self.scope(range.start);
            if let Some(set) = macros.get_mut(scope) {
                set.insert(text.to_owned());
            }
        }
        let edition = self.inliner.krate(self.place.krate).edition;
        let escape = match text {
            "async" | "await" | "try" => edition == 2015,
            "gen" => edition < 2024,
            _ => false,
        };
        if escape && next != "!" && before != "'" {
            self.edits.replace(range, format!("r#{text}"));
            return Ok(i + 1);
        }
        if text == "crate" {
            self.own_crate(i);
            return Ok(i + 1);
        }
        if next == "::" && before != "." && before != "$" && before != "'" {
            self.path_start(i)?;
        }
        Ok(i + 1)
    }

    /// `crate`, `$crate`, `pub(crate)`.
    fn own_crate(&mut self, i: usize) {
        let at = i as isize;
        let range = self.tokens.list[i].range.clone();
        let module = self.inliner.module(self.place.krate).to_owned();
        if module.is_empty() || self.tokens.at(at - 1) == "extern" {
            return;
        }
        let alone = self.tokens.at(at - 1) == "(" && self.tokens.at(at + 1) == ")";
        let new = if alone && self.tokens.at(at - 2) == "pub" {
            format!("in crate::{module}")
        } else {
            format!("crate::{module}")
        };
        self.edits.replace(range, new);
    }

    /// A word followed by `::`: the name of a crate?
    fn path_start(&mut self, i: usize) -> Result<()> {
        let at = i as isize;
        let krate = self.place.krate;
        let name = self.tokens.at(at);
        let mut range = self.tokens.list[i].range.clone();
        let mut leading = false;
        if self.tokens.at(at - 1) == "::" {
            let word = self.tokens.is_word(at - 2)
                && !matches!(
                    self.tokens.at(at - 2),
                    "use"
                        | "return"
                        | "in"
                        | "as"
                        | "dyn"
                        | "mut"
                        | "else"
                        | "for"
                        | "impl"
                        | "match"
                        | "where"
                        | "const"
                        | "if"
                        | "while"
                        | "break"
                        | "move"
                        | "ref"
                        | "unsafe"
                        | "box"
                        | "yield"
                );
            if word || matches!(self.tokens.at(at - 2), ">" | "}" | ")" | "]") && !self.after_block(i) {
                return Ok(());
            }
            leading = true;
        }
        let scope = self.scope(range.start);
        if leading {
            if matches!(name, "std" | "core" | "alloc") {
                return Ok(());
            }
            range.start = self.tokens.list[i - 1].range.start;
        } else if self.scopes[scope].declared.contains(name) {
            return Ok(());
        }
        let in_root = self.scopes[scope].is_bundle_root;
        match self.inliner.extern_name(krate, name)? {
            Some(Target::Module(module)) if !in_root || leading || module != name => {
                self.edits.replace(range, format!("crate::{module}"));
            }
            // Edition 2015: `::a::b` starts at the crate's root.
            None if leading && self.inliner.krate(krate).edition == 2015 => {
                let module = self.inliner.module(krate).to_owned();
                let start = if module.is_empty() {
                    "crate".to_owned()
                } else {
                    format!("crate::{module}")
                };
                self.edits.replace(range, format!("{start}::{name}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// `{ … } ::x::y` and `(…) ::x`: a path of its own only after a block or an attribute.
    fn after_block(&self, i: usize) -> bool {
        matches!(self.tokens.at(i as isize - 2), "}" | "]")
    }

    /// `include_str!` and its family, `env!`, `cfg!`. `Some(next)` if it was one of them.
    fn macro_call(&mut self, i: usize) -> Result<Option<usize>> {
        let open = i + 2;
        let close = self.tokens.list[open].pair;
        let range = self.tokens.list[i].range.start..self.tokens.list[close].range.end;
        let inside = self.tokens.list[open].range.end..self.tokens.list[close].range.start;
        let args = &self.tokens.text[inside];
        let name = self.tokens.at(i as isize);
        let env = self.inliner.krate(self.place.krate).env.clone();
        let place = || format!("{}:{}", self.place.file.display(), self.tokens.line(range.start));
        let stream = || -> Result<TokenStream> {
            args.parse()
                .map_err(|_| anyhow::anyhow!("{}: unreadable arguments", place()))
        };
        let new = match name {
            "cfg" => match self.inliner.krate(self.place.krate).known.answer(stream()?) {
                Answer::Yes => "true".to_owned(),
                Answer::No => "false".to_owned(),
                Answer::Ask(rest) => format!("cfg!({rest})"),
            },
            "env" => {
                let stream = stream()?;
                match constant(quote::quote!(env!(#stream)), &env).with_context(place)? {
                    Some(value) => format!("{value:?}"),
                    None => return Ok(None),
                }
            }
            "include_str" | "include_bytes" | "include" => {
                let Some(path) = constant(stream()?, &env).with_context(place)? else {
                    return Ok(None);
                };
                let file = self.place.file.parent().unwrap_or(Path::new("")).join(path);
                if name == "include" {
                    let text = self.inliner.read(&file).with_context(place)?;
                    let mut inner = self.place.clone();
                    inner.file = file;
                    self.included(i, close, &text, &inner)?
                } else {
                    let bytes = std::fs::read(&file)
                        .with_context(|| format!("{}: {} cannot be read", place(), file.display()))?;
                    self.inliner.parts.files.push(file.clone());
                    if name == "include_str" {
                        let text = String::from_utf8(bytes)
                            .map_err(|_| anyhow::anyhow!("{}: {} is not UTF-8", place(), file.display()))?;
                        raw_string(&text)
                    } else {
                        byte_string(&bytes)
                    }
                }
            }
            _ => return Ok(None),
        };
        self.edits.replace(range, new);
        Ok(Some(close + 1))
    }

    /// Text for `include!` in a function: statements or items as they are, an expression in parentheses.
    fn included(&mut self, i: usize, close: usize, text: &str, place: &Place) -> Result<String> {
        let before = self.tokens.at(i as isize - 1);
        let after = self.tokens.at(close as isize + 1);
        let statement = matches!(before, "{" | "}" | ";") && (after == ";" || after == "}" || after != ".");
        if statement && syn::parse_str::<syn::Expr>(text).is_err() {
            return Ok(self.inliner.items(text, place, false)?.unwrap_or_default());
        }
        let text = self.inliner.expression(text, place)?;
        let text = text.trim();
        Ok(if before == "=" && after == ";" {
            text.to_owned()
        } else {
            format!("({text})")
        })
    }

    /// An attribute the syntax tree knows. Returns the index after it.
    fn attribute(&mut self, i: usize, open: usize, bang: bool) -> Result<usize> {
        let close = self.tokens.list[open].pair;
        let range = self.tokens.list[i].range.start..self.tokens.list[close].range.end;
        let inside = &self.tokens.text[self.tokens.list[open].range.end..self.tokens.list[close].range.start];
        let stream: TokenStream = inside
            .parse()
            .map_err(|_| anyhow::anyhow!("unreadable attribute"))?;
        let is_root =
            self.place.path.is_empty() && bang && self.scopes[self.scope(range.start)].range.start == 0;
        match self.kept(stream.clone(), is_root) {
            None => self.remove(range),
            Some(list) if list.len() == 1 && list[0] == stream.to_string() => {
                // Unchanged: paths inside still need a look (`#[derive(x::Y)]`).
                return Ok(open + 1);
            }
            Some(list) => {
                let bang = if bang { "!" } else { "" };
                let text: Vec<String> = list.iter().map(|a| format!("#{bang}[{a}]")).collect();
                self.edits.replace(range, text.join(" "));
            }
        }
        Ok(close + 1)
    }

    /// What is left of an attribute; `None` if nothing.
    fn kept(&mut self, stream: TokenStream, is_root: bool) -> Option<Vec<String>> {
        let text = stream.to_string();
        let mut trees = stream.into_iter();
        let name = trees.next().map(|t| t.to_string()).unwrap_or_default();
        let group = trees.find_map(|t| match t {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        let known = &self.inliner.krate(self.place.krate).known;
        match name.as_str() {
            "cfg" => match known.answer(group.unwrap_or_default()) {
                Answer::Ask(rest) => Some(vec![format!("cfg({rest})")]),
                _ => None,
            },
            "cfg_attr" => {
                let mut parts = split(group.unwrap_or_default()).into_iter();
                let answer = known.answer(parts.next().unwrap_or_default());
                if answer == Answer::No {
                    return None;
                }
                let rest: Vec<String> = parts.filter_map(|p| self.kept(p, is_root)).flatten().collect();
                match answer {
                    _ if rest.is_empty() => None,
                    Answer::Ask(ask) => Some(vec![format!("cfg_attr({ask}, {})", rest.join(", "))]),
                    _ => Some(rest),
                }
            }
            "allow" => {
                let lints: Vec<String> = split(group.unwrap_or_default())
                    .into_iter()
                    .map(|l| l.to_string())
                    .filter(|l| DENIED.contains(&l.as_str()))
                    .collect();
                (!lints.is_empty()).then(|| vec![format!("allow({})", lints.join(", "))])
            }
            "macro_export" if self.place.krate != 0 => None,
            "recursion_limit" | "type_length_limit" | "feature" if is_root => {
                self.inliner.parts.attributes.insert(format!("#![{text}]"));
                None
            }
            name if IDLE.contains(&name) => None,
            _ => Some(vec![text]),
        }
    }

    /// An attribute inside a macro: only its predicate is answered.
    fn opaque_attribute(&mut self, open: usize) -> Result<()> {
        let at = open as isize;
        let name = self.tokens.at(at + 1);
        if !(name == "cfg" && self.tokens.at(at + 2) == "(") {
            return Ok(());
        }
        let close = self.tokens.list[open + 2].pair;
        let inside = self.tokens.list[open + 2].range.end..self.tokens.list[close].range.start;
        let text = &self.tokens.text[inside.clone()];
        if text.contains('$') {
            return Ok(());
        }
        let stream = text
            .parse()
            .map_err(|_| anyhow::anyhow!("unreadable attribute"))?;
        let new = match self.inliner.krate(self.place.krate).known.answer(stream) {
            Answer::Yes => "all()".to_owned(),
            Answer::No => "any()".to_owned(),
            Answer::Ask(rest) => rest,
        };
        self.edits.replace(inside, new);
        Ok(())
    }

    /// `#[macro_use] extern crate x;` reaches the whole crate; here each module imports what it calls.
    fn import_macros(&mut self, called: &[BTreeSet<String>]) {
        let from = self
            .inliner
            .macro_use
            .get(&self.place.krate)
            .cloned()
            .unwrap_or_default();
        for (scope, called) in self.scopes.iter().zip(called) {
            for krate in &from {
                let module = self.inliner.module(*krate).to_owned();
                for (name, _) in self.inliner.exported.get(krate).into_iter().flatten() {
                    if called.contains(name) {
                        let at = scope.range.end.min(self.tokens.text.len());
                        self.edits
                            .replace(at..at, format!("\nuse crate::{module}::{name};\n"));
                    }
                }
            }
        }
    }
}

/// Value of a constant string expression: a literal, `concat!`, `env!`. `None` if it is none.
pub fn constant(stream: TokenStream, env: &BTreeMap<String, String>) -> Result<Option<String>> {
    let parts = split(stream);
    let [part] = parts.as_slice() else {
        return Ok(None);
    };
    if let Ok(text) = syn::parse2::<syn::LitStr>(part.clone()) {
        return Ok(Some(text.value()));
    }
    let Ok(call) = syn::parse2::<syn::Macro>(part.clone()) else {
        return Ok(syn::parse2::<syn::Lit>(part.clone()).ok().map(|lit| match lit {
            syn::Lit::Int(lit) => lit.base10_digits().to_owned(),
            syn::Lit::Bool(lit) => lit.value.to_string(),
            syn::Lit::Char(lit) => lit.value().to_string(),
            lit => quote::quote!(#lit).to_string(),
        }));
    };
    if call.path.is_ident("concat") {
        let mut whole = String::new();
        for part in split(call.tokens) {
            match constant(part, env)? {
                Some(text) => whole += &text,
                None => return Ok(None),
            }
        }
        return Ok(Some(whole));
    }
    if call.path.is_ident("env") {
        let Some(Some(name)) = split(call.tokens)
            .into_iter()
            .next()
            .map(|p| constant(p, env))
            .transpose()?
        else {
            return Ok(None);
        };
        if name == "OUT_DIR" {
            bail!("OUT_DIR is a build script's output, which cannot be bundled");
        }
        return Ok(env.get(&name).cloned());
    }
    Ok(None)
}

/// Edition 2015 allowed trait functions to leave a parameter unnamed: names it `_`.
pub fn name_parameters(text: &str, path: &Path) -> Result<String> {
    let tokens = Tokens::new(text, path)?;
    let mut edits = Edits::default();
    for i in 0..tokens.list.len() {
        let at = i as isize;
        if tokens.at(at) != "fn" || !tokens.is_word(at + 1) {
            continue;
        }
        let mut open = i + 2;
        while !matches!(tokens.at(open as isize), "(" | "{" | ";" | "") {
            open += 1;
        }
        if tokens.at(open as isize) != "(" {
            continue;
        }
        let close = tokens.list[open].pair;
        let (mut start, mut named, mut angle) = (open + 1, false, 0i32);
        let mut j = open + 1;
        while j <= close {
            let word = tokens.at(j as isize);
            match word {
                "<" => angle += 1,
                ">" if tokens.at(j as isize - 1) != "-" => angle -= 1,
                ":" | "self" | "$" | "..." => named = true,
                _ => {}
            }
            if (word == "," && angle == 0) || j == close {
                if !named && start < j {
                    let byte = tokens.list[start].range.start;
                    edits.replace(byte..byte, "_: ");
                }
                start = j + 1;
                named = false;
            } else if tokens.list[j].kind == Kind::Open {
                j = tokens.list[j].pair;
            }
            j += 1;
        }
    }
    Ok(edits.apply(text))
}
