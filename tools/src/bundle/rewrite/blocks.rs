//! Names that are no crate's where they stand: behind others in the braces of an import, or a block's own.

use super::Rewrite;
use crate::bundle::globs::{self, Glob, Globs};
use crate::bundle::lex::Kind;

/// Words in front of the names of items that a path may start with.
const ITEMS: [&str; 6] = ["enum", "mod", "struct", "trait", "type", "union"];

/// Stands for the name of a module that a macro makes.
const MADE: &str = "$";

impl Rewrite<'_, '_> {
    /// True if token `i` begins a path in the braces of an import that has names before them: `use std::{time::Duration}`
    /// is about no crate `time`.
    pub(super) fn is_below(&self, i: usize) -> bool {
        let mut at = i as isize - 1;
        while matches!(self.tokens.at(at), "," | "{") {
            // Back to the brace around, over nothing but what imports are made of.
            while self.tokens.at(at) != "{" {
                let is_of_imports = matches!(self.tokens.at(at), "," | "::" | "*" | "}");
                if at < 0 || !is_of_imports && !self.tokens.is_word(at) {
                    return false;
                }
                at = self.tokens.list[at as usize].pair.min(at as usize) as isize - 1;
            }
            at -= 1;
            if self.tokens.at(at) == "::" {
                return self.goes_on(at - 1);
            }
        }
        false
    }

    /// True if the name of a crate at token `i` is that of something else there: of a block, or imported with all of a module.
    pub(super) fn is_own(&mut self, i: usize, scope: usize) -> bool {
        let krate = self.inliner.krate(self.place.krate);
        let name = self.tokens.at(i as isize);
        let is_crate = self.inliner.below(self.place.krate, name).is_some() || krate.name == name;
        is_crate && self.is_brought(i, scope)
    }

    /// True if the name at token `i` is a block's own there, or imported with all of a module.
    pub(super) fn is_brought(&mut self, i: usize, scope: usize) -> bool {
        let name = self.tokens.at(i as isize);
        let mut globs = Vec::new();
        if self.is_of_block(i, name, &mut globs) {
            return true;
        }
        let mut module = (self.place.krate, self.scopes[scope].path.clone());
        // A module that a macro makes sees nothing of what the one around it imports.
        let made = self.modules_around(i);
        let is_made = made > 0;
        (module.1).extend(std::iter::repeat_n(MADE.to_owned(), made));
        let all = Globs {
            known: &self.inliner.surroundings,
            below: &|from, name| self.inliner.below(from, name),
        };
        let found = [
            all.bring(&module, Some(&globs), name),
            if is_made {
                Some(false)
            } else {
                all.bring(&module, None, name)
            },
        ];
        self.inliner.is_unsure |= found.contains(&None);
        found.contains(&Some(true))
    }

    /// True if a block around token `i`, up to its module, has something of that name:
    /// `fn f() { use std::time; time::Instant::now() }`. `globs` are the modules of which it imports everything, or this name.
    pub(super) fn is_of_block(&self, i: usize, name: &str, globs: &mut Vec<Glob>) -> bool {
        for open in self.groups_around(i) {
            if self.declares(open, (i, name), globs) {
                return true;
            }
            if self.is_module(open) {
                return false;
            }
        }
        false
    }

    /// How many modules that macros make are around token `i`.
    fn modules_around(&self, i: usize) -> usize {
        self.groups_around(i).filter(|open| self.is_module(*open)).count()
    }

    /// What opens the groups around token `i`, from the inside, up to its module or scope.
    fn groups_around(&self, i: usize) -> impl Iterator<Item = usize> {
        let is_scope = |open: &usize| {
            let brace = self.tokens.list[*open].range.clone();
            let begins = |start: usize| (brace.start..=brace.end).contains(&start);
            *open > 0 && self.scopes.iter().any(|scope| begins(scope.range.start))
        };
        std::iter::successors(self.around(i), |open| self.around(*open))
            .take_while(move |open| !is_scope(open))
    }

    /// True if token `open` opens a module: `mod name {`, `mod $name {`.
    fn is_module(&self, open: usize) -> bool {
        let at = open as isize;
        let name = if self.tokens.at(at - 2) == "$" {
            at - 2
        } else {
            at - 1
        };
        self.tokens.at(at) == "{" && self.tokens.is_word(at - 1) && self.tokens.at(name - 1) == "mod"
    }

    /// What opens the group around a token.
    fn around(&self, mut at: usize) -> Option<usize> {
        while at > 0 {
            at -= 1;
            match self.tokens.list[at].kind {
                Kind::Open => return Some(at),
                Kind::Close => at = self.tokens.list[at].pair,
                _ => {}
            }
        }
        None
    }

    /// True if an item or an import in the group that begins at `open` is called `name`, and is not the crate itself.
    /// An import of one name in which token `i` is does not count.
    fn declares(&self, open: usize, (i, name): (usize, &str), globs: &mut Vec<Glob>) -> bool {
        let at = |k: usize| self.tokens.at(k as isize);
        let end = self.tokens.list[open].pair;
        let mut k = open + 1;
        while k < end {
            if ITEMS.contains(&at(k)) && at(k + 1) == name {
                return true;
            }
            if at(k) == "use" {
                let start = k;
                while k < end && at(k) != ";" {
                    if at(k) == name && self.is_imported(k) {
                        // In braces the names beside it may already be of what it imports.
                        let is_its_own = (start..k).contains(&i) && !(start..k).any(|k| at(k) == "{");
                        // A macro or a function, `use x::x;`, leaves the name to the crate.
                        if self.crate_before(k).is_some_and(|root| at(root) == name) {
                            globs.extend((!is_its_own).then(|| vec![name.to_owned()]));
                        } else if !is_its_own {
                            return true;
                        }
                    }
                    k += 1;
                }
                let range = self.tokens.list[start].range.start..self.tokens.list[k].range.end;
                let import = syn::parse_str(&self.tokens.text[range]);
                globs.extend(import.iter().flat_map(globs::of_import));
            }
            k = self.tokens.list[k].pair.max(k) + 1;
        }
        false
    }

    /// The name that the word `k` of an import stands right behind, if no other is before that: `x::k`, `x::{…, k}`.
    fn crate_before(&self, k: usize) -> Option<usize> {
        let behind = match self.tokens.at(k as isize - 1) {
            "::" => k - 1,
            "," | "{" => self.around(k)?.checked_sub(1)?,
            _ => return None,
        };
        let name = behind.checked_sub(1)?;
        let goes_on = self.tokens.at(name as isize - 1) == "::" && self.goes_on(name as isize - 2);
        let is_first = self.tokens.is_word(name as isize) && !goes_on && !self.is_below(name);
        (self.tokens.at(behind as isize) == "::" && is_first).then_some(name)
    }

    /// True if the word `k` of an import is what it makes known, by more than its name alone.
    fn is_imported(&self, k: usize) -> bool {
        let at = |k: usize| self.tokens.at(k as isize);
        let is_last = matches!(at(k + 1), "," | ";" | "}");
        let is_itself = at(k + 1) == "::" && at(k + 2) == "{" && {
            let group = k + 3..self.tokens.list[k + 2].pair;
            group.into_iter().any(|k| at(k) == "self" && at(k + 1) != "as")
        };
        let is_behind = at(k - 1) == "::" && self.goes_on(k as isize - 2) || self.is_below(k);
        at(k - 1) == "as" || (is_last || is_itself) && is_behind
    }
}
