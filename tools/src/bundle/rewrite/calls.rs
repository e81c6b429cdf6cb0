//! Calls of the compiler's own macros that ask for files, variables, places and conditions.

use super::Rewrite;
use crate::bundle::callers;
use crate::bundle::cfg::Answer;
use crate::bundle::inline::Place;
use crate::bundle::lex::{byte_string, raw_string};
use crate::bundle::older::constant;
use crate::bundle::project;
use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use std::path::Path;

/// Macros of the compiler that are answered here.
const OF_THE_COMPILER: [&str; 11] = [
    "cfg",
    "env",
    "option_env",
    "stringify",
    "module_path",
    "file",
    "line",
    "column",
    "include_str",
    "include_bytes",
    "include",
];

impl Rewrite<'_, '_> {
    /// What `crate` means in the body of an exported macro, without `$`: the crate that calls it. There is one text of the
    /// macro, so that several must not.
    pub(super) fn callers_root(&mut self, name: &str, at: usize) -> Result<String> {
        let owner = self.place.krate;
        let callers = self.inliner.callers.of(owner, name)?;
        if let [one, other, ..] = callers[..] {
            let [one, other] = [one, other].map(|krate| self.inliner.krate(krate).package.clone());
            bail!(
                "{}:{}: in the macro `{name}!`, `crate` is the crate that calls it, which both {one} and {other} do",
                self.place.file.display(),
                self.tokens.line(at)
            );
        }
        Ok(self.inliner.root_of(callers.first().copied().unwrap_or(owner)))
    }

    /// `include_str!` and its family, `env!`, `cfg!`. `Some(next)` if it was one of them.
    pub(super) fn macro_call(&mut self, i: usize) -> Result<Option<usize>> {
        let open = i + 2;
        let close = self.tokens.list[open].pair;
        let Some(first) = self.call_start(i) else {
            return Ok(None);
        };
        if self.is_of_its_own(i)? {
            return Ok(None);
        }
        let range = self.tokens.list[first].range.start..self.tokens.list[close].range.end;
        let inside = self.tokens.list[open].range.end..self.tokens.list[close].range.start;
        let args = &self.tokens.text[inside];
        let name = self.tokens.at(i as isize);
        let mut env = self.inliner.krate(self.place.krate).env.clone();
        let asks = matches!(
            name,
            "env" | "option_env" | "include_str" | "include_bytes" | "include"
        );
        if let Some(exported) = callers::around(self.exported, range.start).filter(|_| asks) {
            // It is about the crate of the call: where several would answer otherwise, nothing is said and the compiler
            // stops at it. The program is one of them, since calls that a procedural macro makes are not seen.
            env.clone_from(&self.inliner.krate(0).env);
            for other in self.inliner.callers.of(self.place.krate, exported)? {
                let theirs = &self.inliner.krate(other).env;
                env.retain(|key, value| theirs.get(key) == Some(value));
            }
        }
        let place = || format!("{}:{}", self.place.file.display(), self.tokens.line(range.start));
        let stream = || -> Result<TokenStream> {
            args.parse()
                .map_err(|_| anyhow::anyhow!("{}: unreadable arguments", place()))
        };
        let new = match name {
            // Who calls the macro says what is asked.
            "cfg" if args.contains('$') => return Ok(None),
            "cfg" => match self.asked(range.start, &stream()?)? {
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
            "option_env" => {
                let Some(name) = constant(stream()?, &env)? else {
                    return Ok(None);
                };
                match env.get(&name) {
                    Some(value) => format!("Some({value:?})"),
                    None if self.inliner.krate(self.place.krate).env.contains_key(&name) => {
                        format!("Some(env!({name:?}))")
                    }
                    None => return Ok(None),
                }
            }
            // It is about the words, whatever they mean.
            "stringify" => return Ok(Some(close + 1)),
            "module_path" | "file" | "line" | "column" => match self.place_of(name, range.start) {
                Some(text) if args.trim().is_empty() => text,
                _ => return Ok(None),
            },
            "include_str" | "include_bytes" | "include" => {
                let Some(path) = constant(stream()?, &env).with_context(place)? else {
                    return Ok(None);
                };
                let file = self.place.file.parent().unwrap_or(Path::new("")).join(path);
                if self.rules.iter().any(|r| r.contains(&range.start)) && !file.is_file() {
                    // It lies beside the files that call the macro.
                    return Ok(None);
                }
                if name == "include" {
                    let text = self.inliner.read(&file).with_context(place)?;
                    let mut inner = self.place.clone();
                    inner.file = file;
                    self.included(first, close, &text, &inner)?
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

    /// True if the macro that token `i` calls has only the name of one of the compiler's. An error where that cannot be told.
    fn is_of_its_own(&mut self, i: usize) -> Result<bool> {
        let name = self.tokens.at(i as isize);
        if !OF_THE_COMPILER.contains(&name) || self.tokens.at(i as isize - 1) == "::" {
            return Ok(false);
        }
        let krate = self.place.krate;
        let at = |k: usize| self.tokens.at(k as isize);
        let is_here = |k: usize| at(k) == name && k > 1 && at(k - 1) == "!" && at(k - 2) == "macro_rules";
        let start = self.tokens.list[i].range.start;
        let mut around = self.scopes.iter().filter(|scope| scope.range.contains(&start));
        let is_foreign = |path: &[String]| !matches!(path[0].as_str(), "std" | "core");
        let is_imported = around.any(|scope| {
            let mut imported = scope.imported.iter();
            imported.any(|(path, here)| here == name && is_foreign(path))
        });
        let used = self.inliner.macro_use.get(&krate).into_iter().flatten();
        let mut exported = used
            .filter_map(|krate| self.inliner.exported.get(krate))
            .flatten();
        if (0..self.tokens.list.len()).any(is_here)
            || is_imported
            || exported.any(|(exported, _)| exported == name)
        {
            return Ok(true);
        }
        let is_place = matches!(name, "module_path" | "file" | "line" | "column");
        if !self.inliner.callers.has_rules(krate, name)? {
            return Ok(false);
        }
        if is_place {
            return Ok(true);
        }
        bail!(
            "{}:{}: {} has a macro `{name}!` of its own, and it cannot be told whether that or the compiler's is meant here",
            self.place.file.display(),
            self.tokens.line(start),
            self.inliner.krate(krate).package
        );
    }

    /// The first token of the call whose name is token `i`: in front may stand that the macro is the standard library's.
    /// Nothing where it is somebody else's.
    pub(super) fn call_start(&self, i: usize) -> Option<usize> {
        let at = i as isize;
        if self.tokens.at(at - 1) != "::" {
            return Some(i);
        }
        if !matches!(self.tokens.at(at - 2), "std" | "core") {
            return None;
        }
        if self.tokens.at(at - 3) != "::" {
            return Some(i - 2);
        }
        (!self.goes_on(at - 4)).then_some(i - 3)
    }

    /// What the program's own files say of where they stand.
    fn place_of(&self, name: &str, byte: usize) -> Option<String> {
        let krate = self.inliner.krate(self.place.krate);
        // In a macro's body it is about the place of the call.
        if self.rules.iter().any(|r| r.contains(&byte)) || !krate.local {
            return None;
        }
        let before = &self.tokens.text[..byte];
        Some(match name {
            "module_path" => {
                let mut path = krate.name.clone();
                for part in &self.scopes[self.scope(byte)].path {
                    path += "::";
                    path += part;
                }
                format!("{path:?}")
            }
            "file" => {
                let workspace = &self.inliner.project.workspace;
                format!("{:?}", project::shown(&self.place.file, workspace))
            }
            // A file that a macro has changed has other lines.
            _ if self.inliner.expander.changed.contains(&self.place.file) => return None,
            "line" => format!("{}u32", self.tokens.line(byte)),
            _ => {
                let line = before.rsplit('\n').next().unwrap_or_default();
                format!("{}u32", line.chars().count() + 1)
            }
        })
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
        Ok(if before == "=" && after == ";" {
            text
        } else {
            format!("({text})")
        })
    }
}
