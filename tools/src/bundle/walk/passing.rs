//! Calls of macros that hand on the items that they are given, see [`passing`].

use super::Walk;
use crate::bundle::passing::{braced, gated, has_module};
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    /// The items of such a call, each under its conditions.
    pub(super) fn passed(&self, item: &syn::ItemMacro) -> Option<String> {
        let mut name = item.mac.path.segments.last()?.ident.to_string();
        let mut given = item.mac.tokens.clone();
        let around = item.mac.delimiter.span();
        let mut inside = around.open().byte_range().end..around.close().byte_range().start;
        let mut gates = self.inliner.krate(self.place.krate).known.open(&item.attrs);
        let mut seen = BTreeSet::new();
        while seen.insert(name.clone()) {
            let made = self.inliner.passing.get(&(self.place.krate, name))?;
            gates += &made.front;
            if made.braced {
                let braces = given.clone().into_iter().next()?.span().byte_range();
                given = braced(given)?;
                inside = braces.start + 1..braces.end - 1;
            }
            let Some(next) = made.to.clone() else {
                let is_module = item.ident.is_none() && has_module(given);
                return is_module.then(|| gated(&self.tokens.text[inside], &(gates + " ")))?;
            };
            name = next;
        }
        None
    }
}
