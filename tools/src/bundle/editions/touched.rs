//! Which functions the lines are about that lints see: where they see nothing, both editions agree, and code that differs all
//! the same differs in the order of jumps, or of ends that nobody notices.

use super::Line;
use super::across::Macros;
use crate::bundle::lex::Tokens;
use crate::bundle::rejected::parsed;
use anyhow::Result;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Functions by name; true if one of that name is concerned.
#[derive(Debug, Default)]
pub struct Touched(BTreeMap<String, bool>);

impl Touched {
    /// Of the functions of `text`, those in which one of its `lines` is. Of a line that is in a macro, all that may call it; of
    /// one that is elsewhere, all that call macros.
    pub fn of(text: &str, lines: &[Line]) -> Result<Self> {
        let functions = Functions::of(text)?;
        let tokens = Tokens::new(text, Path::new("bundle"))?;
        let macros = Macros::new(&tokens, &|_| true);
        let holds = |range: &Range<usize>, line: &Line| range.contains(&line.place);
        let is_outside = |line: &&Line| !functions.0.iter().any(|(_, range)| holds(range, line));
        let outside: Vec<usize> = lines.iter().filter(is_outside).map(|line| line.place).collect();
        let leading = macros.leading_to(&outside);
        let mut touched = BTreeMap::new();
        for (name, range) in &functions.0 {
            let is_one = lines.iter().any(|line| holds(range, line))
                || !outside.is_empty() && macros.may_lead(range, &leading);
            *touched.entry(name.clone()).or_insert(false) |= is_one;
        }
        Ok(Self(touched))
    }

    /// True if an item of this full name surely is about other functions only.
    pub fn spares(&self, item: &str) -> bool {
        let words = item.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let known: Vec<bool> = words.filter_map(|word| self.0.get(word).copied()).collect();
        !known.is_empty() && !known.contains(&true)
    }
}

/// Names of functions, and where they stand.
pub struct Functions(pub Vec<(String, Range<usize>)>);

impl Functions {
    /// Those of a text, each before those inside of it.
    pub fn of(text: &str) -> Result<Self> {
        let mut functions = Self(Vec::new());
        functions.visit_file(&parsed(text)?);
        Ok(functions)
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, of: &'ast syn::ItemFn) {
        self.0.push((of.sig.ident.to_string(), of.span().byte_range()));
        visit::visit_item_fn(self, of);
    }

    fn visit_impl_item_fn(&mut self, of: &'ast syn::ImplItemFn) {
        self.0.push((of.sig.ident.to_string(), of.span().byte_range()));
        visit::visit_impl_item_fn(self, of);
    }

    fn visit_trait_item_fn(&mut self, of: &'ast syn::TraitItemFn) {
        self.0.push((of.sig.ident.to_string(), of.span().byte_range()));
        visit::visit_trait_item_fn(self, of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_a_line_are_spared() {
        let text = "mod a { macro_rules! m { () => { LINE } } macro_rules! n { () => { m!() } } \
                    macro_rules! o { () => { 1 } } pub fn f() { n!() } pub fn g() {} } \
                    impl S { fn h(&self) { HERE; } fn i(&self) { o!(); println!() } }";
        let line = |word: &str| Line {
            module: String::new(),
            line: String::new(),
            place: text.find(word).unwrap(),
        };
        for (word, expected) in [
            ("LINE", [false, true, true, true]),
            ("HERE", [true, true, false, true]),
        ] {
            let touched = Touched::of(text, &[line(word)]).unwrap();
            let items = [
                "bundle::a::f",
                "bundle::a::g::{closure}",
                "<bundle::S>::h",
                "<bundle::S>::i",
            ];
            assert_eq!(items.map(|item| touched.spares(item)), expected, "{word}");
            assert!(!touched.spares("<core::Vec as core::Drop>::drop"));
        }
    }
}
