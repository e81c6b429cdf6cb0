//! Macros: those that are declared, and calls that stand for items of other files.

use super::Walk;
use crate::bundle::cfg::Answer;
use crate::bundle::lex::{Kind, raw_in};
use crate::bundle::{callers, expand, older, passing};
use anyhow::Result;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use syn::parse::Parser as _;
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

impl Walk<'_, '_> {
    pub(super) fn macro_item(&mut self, item: &syn::ItemMacro) -> Result<()> {
        let range = item.span().byte_range();
        if item.mac.path.is_ident("include") {
            if let Some(path) =
                older::constant(item.mac.tokens.clone(), &self.inliner.krate(self.place.krate).env)?
            {
                let file = self.place.file.parent().unwrap_or(Path::new("")).join(path);
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
            if self.place.krate != 0 {
                let body = item.mac.delimiter.span().join().byte_range();
                self.exported_within(&ident.to_string(), body);
            }
            if let Some(body) = older::modules_of(item.mac.tokens.clone()) {
                let body = self.tokens.text[body].to_owned();
                self.inliner
                    .makers
                    .insert((self.place.krate, ident.to_string()), body);
            }
            if let Some(made) = passing::passing(item.mac.tokens.clone()) {
                self.inliner
                    .passing
                    .insert((self.place.krate, ident.to_string()), made);
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
        if let Some(text) = self.passed(item).or_else(|| self.branches(item)) {
            let place = self.place.clone();
            let text = self.inliner.items(&text, &place, false)?.unwrap_or_default();
            self.found.dead.push(range.clone());
            self.found.edits.replace(range, text);
            return Ok(());
        }
        let exported = item.attrs.iter().any(|a| a.path().is_ident("macro_export"));
        if let (true, Some(ident)) = (exported && self.place.krate != 0, &item.ident) {
            let name = ident.to_string();
            self.found.exported.push((range.clone(), name.clone()));
            let around = |scope: &&crate::bundle::inline::Scope| scope.range.contains(&range.start);
            let here = self
                .found
                .scopes
                .iter()
                .rev()
                .find(around)
                .expect("a file has a scope");
            let clashes = here.declared.contains(&name) || here.values.contains(&name);
            // One of several that the judge's compiler chooses from.
            let gates = self.inliner.krate(self.place.krate).known.open(&item.attrs);
            let mut import = format!("\n{gates}pub(crate) use {};", raw_in(self.inliner.edition, &name));
            if clashes || expand::BUILT_IN.contains(&name.as_str()) {
                // `use warn;` would mean the module, function or attribute of that name too.
                let end = ident.span().byte_range().end;
                self.found.edits.replace(end..end, "_rules");
                import = if self.place.path.is_empty() {
                    format!("\n{gates}pub(crate) use {name}_rules as {name};")
                } else {
                    // The root gives it its name back: here that would be imported with the other's, twice.
                    format!("\n{gates}pub(crate) use {name}_rules;")
                };
                self.inliner.renamed.insert((self.place.krate, name.clone()));
            }
            if clashes || !self.is_exported_by_hand(&name, range.start) {
                self.found.edits.replace(range.end..range.end, import);
            }
            let list = self.inliner.exported.entry(self.place.krate).or_default();
            let place = (name, self.place.path.clone());
            if !list.contains(&place) {
                list.push(place);
            }
        }
        Ok(())
    }

    /// Notes the macros of the text, those in other macros' arguments too, that take the start of a path as a name: one that
    /// goes on with `::` where it is called, or in what the macro makes.
    pub(super) fn splitting(&mut self) {
        let tokens = self.tokens;
        let splits = |i: usize| {
            let at = i as isize;
            let is_named = tokens.at(at - 1) == ":" && tokens.at(at - 3) == "$";
            tokens.at(at) == "ident" && is_named && tokens.at(at + 1) == "::"
        };
        let leads = |i: usize| {
            let at = i as isize;
            let is_given = tokens.at(at - 1) == "$" && tokens.at(at) != "crate" && tokens.is_word(at);
            is_given && tokens.at(at + 1) == "::" && tokens.at(at - 2) != "::"
        };
        for rules in tokens.macros() {
            let inside = rules + 4..tokens.list[rules + 3].pair;
            let name = tokens.at(rules as isize + 2);
            if inside.clone().any(splits) {
                self.inliner.splitting.insert(name.to_owned());
            }
            if inside.clone().any(leads) {
                self.inliner.leading.insert(name.to_owned());
            }
        }
    }

    /// True if the module of the macro at `byte` has a `use name;` of its own: it reaches the crate then. One in braces goes.
    fn is_exported_by_hand(&mut self, name: &str, byte: usize) -> bool {
        let tokens = self.tokens;
        let around = |i: usize| {
            let is_around =
                |open: &usize| tokens.list[*open].kind == Kind::Open && tokens.list[*open].pair > i;
            (0..i).rev().find(is_around)
        };
        let module = around(tokens.from(byte));
        let at = |i: usize| tokens.at(i as isize);
        let is_there = |i: &usize| at(*i) == "use" && around(*i) == module;
        let mut by_hand = false;
        for line in (1..tokens.list.len()).filter(is_there) {
            let path = line + if at(line + 1) == "crate" { 3 } else { 1 };
            // `use name as name;`
            let again = at(path + 1) == "as" && at(path + 2) == name;
            let end = path + if again { 3 } else { 1 };
            let is_whole = at(path) == name && at(end) == ";";
            if !(is_whole || at(line + 1) == "{") || !self.is_kept(line) {
                continue;
            }
            if is_whole {
                let first = self.visible(line);
                let range = tokens.list[first].range.start..tokens.list[path].range.start;
                self.found.edits.replace(range, "pub(crate) use ".to_owned());
                by_hand = true;
            } else {
                let within = line + 2..tokens.list[line + 1].pair;
                let is_alone = |i: &usize| {
                    let is_own = around(*i) == Some(line + 1) && at(*i) == name;
                    is_own && matches!(at(i - 1), "{" | ",") && matches!(at(i + 1), "," | "}")
                };
                for i in within.filter(is_alone) {
                    let last = i + usize::from(at(i + 1) == ",");
                    self.found
                        .edits
                        .remove(tokens.list[i].range.start..tokens.list[last].range.end);
                }
            }
        }
        by_hand
    }

    /// The token that begins the visibility before token `line`, or this one.
    fn visible(&self, line: usize) -> usize {
        let at = |i: usize| self.tokens.at(i as isize);
        match at(line - 1) {
            "pub" => line - 1,
            ")" if at(self.tokens.list[line - 1].pair - 1) == "pub" => self.tokens.list[line - 1].pair - 1,
            _ => line,
        }
    }

    /// True if the attributes before the item of which token `line` is the first word let it stay.
    fn is_kept(&self, line: usize) -> bool {
        let tokens = self.tokens;
        let end = self.visible(line);
        let mut first = end;
        while first > 1 && tokens.at(first as isize - 1) == "]" {
            let open = tokens.list[first - 1].pair;
            if open == 0 || tokens.at(open as isize - 1) != "#" {
                break;
            }
            first = open - 1;
        }
        let text = &tokens.text[tokens.list[first].range.start..tokens.list[end].range.start];
        let attributes = Attribute::parse_outer.parse_str(text);
        attributes.is_ok_and(|attributes| self.is_on(&attributes))
    }

    /// Macros that the macro `name` exports where the same module calls it: they are the crate's like others.
    fn exported_within(&mut self, name: &str, body: Range<usize>) {
        let tokens = self.tokens;
        let is_call = |i: isize| tokens.at(i) == name && tokens.at(i + 1) == "!";
        if !(0..tokens.list.len()).any(|i| is_call(i as isize)) {
            return;
        }
        for i in tokens.from(body.start)..tokens.from(body.end) {
            let at = i as isize;
            let is_export = tokens.at(at) == "#" && tokens.at(at + 2) == "macro_export";
            let Some(close) = tokens.list.get(i + 1).filter(|_| is_export).map(|open| open.pair) else {
                continue;
            };
            let mut k = close + 1;
            while tokens.at(k as isize) == "#" {
                k = tokens.list[k + 1].pair + 1;
            }
            let at = k as isize;
            let is_rules = tokens.at(at) == "macro_rules" && tokens.is_word(at + 2);
            let Some(open) = tokens.list.get(k + 3).filter(|_| is_rules) else {
                continue;
            };
            let inner = tokens.at(at + 2).to_owned();
            let end = open.pair + usize::from(tokens.at(open.pair as isize + 1) == ";");
            let end = tokens.list[end].range.end;
            let attribute = tokens.list[i].range.start..tokens.list[close].range.end;
            self.found.edits.remove(attribute);
            let is_own = |i: &usize| {
                let at = *i as isize;
                let says =
                    tokens.at(at + 1) == "use" && tokens.at(at + 2) == inner && tokens.at(at + 3) == ";";
                tokens.at(at) == "pub" && says
            };
            // Its own line about it reaches as far as the macro does.
            let (range, with) = match (k..tokens.from(body.end)).find(is_own) {
                Some(line) => (tokens.list[line].range.clone(), "pub(crate)".to_owned()),
                None => (end..end, format!(" pub(crate) use {inner};")),
            };
            self.found.edits.replace(range, with);
            let list = self.inliner.exported.entry(self.place.krate).or_default();
            list.push((inner, self.place.path.clone()));
        }
    }

    /// The items of a `cfg_if!` or `cfg_select!`, each under the conditions that only the judge's compiler answers.
    fn branches(&self, item: &syn::ItemMacro) -> Option<String> {
        let name = item.mac.path.segments.last()?.ident.to_string();
        if item.ident.is_some() || !matches!(name.as_str(), "cfg_if" | "cfg_select") {
            return None;
        }
        let known = &self.inliner.krate(self.place.krate).known;
        let outer = known.open(&item.attrs);
        let mut text = String::new();
        let mut others: Vec<String> = Vec::new();
        for (predicate, range) in older::branches(&name, item.mac.tokens.clone())? {
            let answer = known.answer(predicate);
            if answer == Answer::No {
                continue;
            }
            let mut asked = others.clone();
            if let Answer::Ask(rest) = &answer {
                asked.push(rest.clone());
            }
            let mut gates = outer.clone();
            if !asked.is_empty() {
                let _ = write!(gates, "#[cfg(all({}))] ", asked.join(", "));
            }
            text += &passing::gated(&self.tokens.text[range], &gates)?;
            text.push('\n');
            match answer {
                Answer::Ask(rest) => others.push(format!("not({rest})")),
                _ => break,
            }
        }
        Some(text)
    }
}
