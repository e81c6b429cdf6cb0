//! Attributes, and conditions in them and in macros: answered where all of it is known.

use super::Rewrite;
use crate::bundle::callers;
use crate::bundle::cfg::{Answer, split};
use crate::bundle::lex::Kind;
use crate::bundle::older::{DENIED, IDLE};
use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};

impl Rewrite<'_, '_> {
    /// An attribute the syntax tree knows. Returns the index after it.
    pub(super) fn attribute(&mut self, i: usize, open: usize, bang: bool) -> Result<usize> {
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
                // Where only the compiler can take away what it stands on.
                Answer::No => Some(vec!["cfg(any())".to_owned()]),
                Answer::Yes => None,
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

    /// A predicate inside a macro's arguments or body: `cfg(…)`, the first part of `cfg_attr(…)`, a bare
    /// `feature = "…"`. Answered where all of it is known. Returns the index after it.
    pub(super) fn opaque_cfg(&mut self, i: usize) -> Result<Option<usize>> {
        let at = i as isize;
        let name = self.tokens.at(at);
        if matches!(self.tokens.before(at), "." | "::" | "$") {
            return Ok(None);
        }
        let (inside, next) = if name == "feature" && self.tokens.at(at + 1) == "=" {
            let Some(value) = self.tokens.list.get(i + 2).filter(|t| t.kind == Kind::Lit) else {
                return Ok(None);
            };
            (self.tokens.list[i].range.start..value.range.end, i + 3)
        } else if matches!(name, "cfg" | "cfg_attr") && self.tokens.at(at + 1) == "(" {
            let close = self.tokens.list[i + 1].pair;
            let end = if name == "cfg_attr" {
                self.tokens.first_ends(i + 1)
            } else {
                close
            };
            (
                self.tokens.list[i + 1].range.end..self.tokens.list[end].range.start,
                end,
            )
        } else {
            return Ok(None);
        };
        let text = &self.tokens.text[inside.clone()];
        if text.contains('$') || text.trim().is_empty() {
            return Ok(None);
        }
        // A macro may take this very word apart; what it says of the target is still true in the bundle.
        let is_call = !self.rules.iter().any(|r| r.contains(&inside.start));
        // Unless it asks what only some machines have, in an attribute: what the other branch names does not come with it.
        let is_decided = text.trim_start().starts_with("target_feature")
            && self.tokens.before(at) == "["
            && self.inliner.krate(self.place.krate).known.is_baseline;
        if is_call && !is_decided && text.trim_start().starts_with("target_") {
            return Ok(None);
        }
        let Ok(predicate) = text.parse() else {
            return Ok(None);
        };
        let new = match self.asked(inside.start, &predicate)? {
            Answer::Yes => "all()".to_owned(),
            Answer::No => "any()".to_owned(),
            Answer::Ask(rest) => rest,
        };
        self.edits.replace(inside, new);
        Ok(Some(next))
    }

    /// The answer to a predicate at a place.
    pub(super) fn asked(&mut self, at: usize, predicate: &TokenStream) -> Result<Answer> {
        let name = callers::around(self.exported, at);
        let answer = self.inliner.callers.answer(self.place.krate, name, predicate);
        answer.with_context(|| format!("{}:{}", self.place.file.display(), self.tokens.line(at)))
    }
}
