//! Where a name must be declared that an error misses: in the module to which the path before it leads, or by an import
//! there. Of the many things of one name that may have gone only that has to come back.

use super::Shaker;
use super::blame::MISSED;
use super::compiler::Message;
use super::nodes::Role;
use super::settled::Growth;
use super::ways::End;
use crate::bundle::lex::unraw;
use std::collections::BTreeSet;

impl Shaker<'_> {
    /// What of the batch, and of the imports that are torn, declares what an error misses, or may make it, where the error
    /// says it should be; nothing if that is not known, or has gone for another reason. `imported`: imports and what they
    /// name.
    pub fn located(
        &self,
        error: &Message,
        growth: &Growth,
        imported: &[(usize, BTreeSet<usize>)],
    ) -> BTreeSet<usize> {
        let Some((module, name)) = self.missed_in(error) else {
            return BTreeSet::new();
        };
        let list = &self.nodes.list;
        let is_there = |i: &usize| {
            let node = &list[*i];
            let makes = || node.role == Role::MacroCall && node.needs.iter().any(|word| word == name);
            let declares = || {
                let is_role = matches!(
                    node.role,
                    Role::Item | Role::Macro | Role::MacroCall | Role::Extern | Role::UseLeaf
                );
                is_role && node.name == name
            };
            node.module == module && (declares() || makes())
        };
        let gone = || growth.batch.iter().chain(growth.torn()).copied();
        let mut found: BTreeSet<usize> = gone().filter(is_there).collect();
        // An import goes with what it names.
        for (_, of) in imported.iter().filter(|(i, _)| is_there(i)) {
            found.extend(of & &growth.batch);
        }
        match self.nodes.ways.end(&module, name) {
            Some(End::Item(item)) if growth.batch.contains(&item) => {
                found.insert(item);
            }
            Some(End::Made(of)) => {
                let makes = |i: &usize| {
                    let node = &list[*i];
                    let mut words = node.needs.iter();
                    node.role == Role::MacroCall && node.module == of && words.any(|word| word == name)
                };
                found.extend(growth.batch.iter().copied().filter(makes));
            }
            _ => {}
        }
        found
    }

    /// The module in which a name is missed, and the name.
    fn missed_in(&self, error: &Message) -> Option<(String, &str)> {
        if !MISSED.contains(&error.code.as_str()) {
            return None;
        }
        let place = error.spans.first()?;
        let at = self.tokens.from(place.start) as isize;
        let name = unraw(self.tokens.at(at));
        // In a macro the error is elsewhere, and says another name.
        if error.text.split('`').nth(1)?.rsplit("::").next() != Some(name) {
            return None;
        }
        let around = self.nodes.module_at(self.nodes.at(place)?);
        let mut path = Vec::new();
        let mut k = at;
        while self.tokens.at(k - 1) == "::" && self.tokens.is_word(k - 2) {
            k -= 2;
            path.insert(0, unraw(self.tokens.at(k)));
        }
        match self.tokens.at(k - 1) {
            // From the root, or from a type or a variable of a macro.
            "::" | "$" => None,
            _ if path.is_empty() => Some((around.to_owned(), name)),
            _ => match self.nodes.ways.end(around, &path.join("::"))? {
                End::Module(module) => Some((module, name)),
                _ => None,
            },
        }
    }
}
