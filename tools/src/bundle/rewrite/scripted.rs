//! What build scripts switch on, where no predicate can be read as a whole: between the parameters of a macro's `cfg`, and
//! in the arguments of a macro that asks what its caller names. The judge's compiler is told of none of it.

use super::Rewrite;
use crate::bundle::lex::Kind;

impl Rewrite<'_, '_> {
    /// Answers the name or pair at token `i` if it holds on the word of a build script. `true` if it did.
    pub(super) fn scripted(&mut self, i: usize) -> bool {
        let at = i as isize;
        let known = &self.inliner.krate(self.place.krate).known;
        if known.scripted.is_empty() {
            return false;
        }
        let name = self.tokens.at(at);
        let is_pair = self.tokens.at(at + 1) == "=";
        let end = if is_pair { i + 2 } else { i };
        let said = if is_pair {
            format!("{name}={}", self.tokens.at(at + 2))
        } else {
            name.to_owned()
        };
        let ends = matches!(self.tokens.at(end as isize + 1), "," | ")" | "]" | "}");
        let starts = matches!(self.tokens.at(at - 1), "," | "(" | "[" | "{");
        if !known.scripted.contains(&said) || !starts || !ends || !self.is_asked(i) {
            return false;
        }
        let range = self.tokens.list[i].range.start..self.tokens.list[end].range.end;
        self.edits.replace(range, "all()");
        true
    }

    /// True inside the parentheses of a `cfg`, in the predicate of a `cfg_attr`, or in a call of a macro that asks one.
    fn is_asked(&self, i: usize) -> bool {
        (0..i).rev().any(|open| {
            let token = &self.tokens.list[open];
            if token.kind != Kind::Open || token.pair <= i {
                return false;
            }
            let before = open as isize - 1;
            let is_call = self.tokens.at(before) == "!";
            let name = self.tokens.at(before - isize::from(is_call));
            match name {
                "cfg" => true,
                "cfg_attr" => i < self.tokens.first_ends(open),
                _ => is_call && self.inliner.asking.contains(name),
            }
        })
    }
}
