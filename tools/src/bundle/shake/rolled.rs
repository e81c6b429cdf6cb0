//! Impls that differ in one name only, as one macro.
//!
//! Where calls of a macro were written out ([`super::written`]) and most of what they made has gone, what is left may be
//! the same for two types: said once and made for both it is shorter. Only impls in the same module are compared, token by
//! token; order does not count among impls. Whether it is the same program is for others to prove.

use super::code::prints_places;
use crate::bundle::lex::{Edits, Kind, Tokens};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use syn::Item;
use syn::spanned::Spanned;

/// Characters that must be saved for it to be worth it, in all.
const WORTH: usize = 100;
/// What a macro takes around its body.
const AROUND: usize = 48;

/// `text` with such impls as macros, if there are any.
pub fn rolled(text: &str) -> Result<Option<String>> {
    if prints_places(text) {
        return Ok(None);
    }
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let file = tokens.file()?;
    let mut modules = Vec::new();
    impls(&file.items, &tokens, &mut modules);
    let mut names = (0..).map(|n| format!("impls{n}"));
    let mut edits = Edits::default();
    let mut is_any = false;
    for mut module in modules {
        while let Some(group) = best(&module, &tokens) {
            let is_free = |name: &String| !text.contains(name.as_str());
            let name = names.find(is_free).context("there is always another name")?;
            group.write(&name, &tokens, &mut edits);
            module.retain(|place| !group.first.contains(place) && !group.others.contains(place));
            is_any = true;
        }
    }
    Ok(is_any.then(|| edits.apply(text)))
}

/// Tokens of an impl.
type Place = Range<usize>;

/// The impls of each module that may stand in a macro.
fn impls(items: &[Item], tokens: &Tokens, modules: &mut Vec<Vec<Place>>) {
    let mut own = Vec::new();
    for item in items {
        match item {
            Item::Impl(_) => {
                let range = item.span().byte_range();
                let place = tokens.from(range.start)..tokens.from(range.end);
                let says = |word: &str| place.clone().any(|k| tokens.at(k as isize) == word);
                let has_doc = place.clone().any(|k| tokens.list[k].kind == Kind::Doc);
                if !has_doc && !["$", "macro_rules", "cfg"].into_iter().any(says) {
                    own.push(place);
                }
            }
            Item::Mod(module) => {
                let inside = module.content.as_ref();
                impls(inside.map_or(&[][..], |(_, items)| items), tokens, modules);
            }
            _ => {}
        }
    }
    modules.push(own);
}

/// The only name that two impls differ in, in the first and in the second.
fn difference<'a>(a: &Place, b: &Place, tokens: &Tokens<'a>) -> Option<(&'a str, &'a str)> {
    if a.len() != b.len() {
        return None;
    }
    let mut found = None;
    for (i, k) in a.clone().zip(b.clone()) {
        let pair = (tokens.at(i as isize), tokens.at(k as isize));
        if pair.0 != pair.1 {
            let are_names = [i, k].iter().all(|i| tokens.list[*i].kind == Kind::Ident);
            if !are_names || found.is_some_and(|found| found != pair) {
                return None;
            }
            found = Some(pair);
        }
    }
    let (from, to) = found?;
    // Every place of the one name is a place of the other.
    let is_mapped = |(i, k): (usize, usize)| {
        let (a, b) = (tokens.at(i as isize), tokens.at(k as isize));
        (a == from) == (b == to)
    };
    a.clone().zip(b.clone()).all(is_mapped).then_some((from, to))
}

/// Impls that are there for each of some names.
struct Group<'a> {
    /// Those of the first name.
    first: Vec<Place>,
    /// Those of the others.
    others: Vec<Place>,
    names: Vec<&'a str>,
}

/// What saves most of a module's impls.
fn best<'a>(free: &[Place], tokens: &Tokens<'a>) -> Option<Group<'a>> {
    let bytes = |place: &Place| tokens.list[place.start].range.start..tokens.list[place.end - 1].range.end;
    // By the first name: what each impl is for other names.
    let mut pairs: BTreeMap<&str, BTreeMap<usize, BTreeMap<&str, usize>>> = BTreeMap::new();
    for (n, a) in free.iter().enumerate() {
        for (m, b) in free.iter().enumerate().skip(n + 1) {
            if let Some((from, to)) = difference(a, b, tokens) {
                pairs.entry(from).or_default().entry(n).or_default().insert(to, m);
            }
        }
    }
    let mut best: Option<(usize, Group)> = None;
    for (from, impls) in &pairs {
        let sets: BTreeSet<Vec<&str>> = impls.values().map(|of| of.keys().copied().collect()).collect();
        for names in sets {
            let whole = |of: &&BTreeMap<&str, usize>| names.iter().all(|name| of.contains_key(name));
            let of = impls.iter().filter(|(_, of)| whole(of));
            let (first, others): (Vec<Place>, Vec<Vec<Place>>) = of
                .map(|(n, of)| {
                    let others = names.iter().map(|name| free[of[name]].clone());
                    (free[*n].clone(), others.collect())
                })
                .unzip();
            let others: Vec<Place> = others.into_iter().flatten().collect();
            let size = |places: &[Place]| places.iter().map(|place| bytes(place).len()).sum::<usize>();
            let saved = size(&others).saturating_sub(AROUND);
            if saved >= WORTH && best.as_ref().is_none_or(|(most, _)| saved > *most) {
                let names = [*from].into_iter().chain(names.iter().copied()).collect();
                let group = Group { first, others, names };
                best = Some((saved, group));
            }
        }
    }
    best.map(|(_, group)| group)
}

impl Group<'_> {
    /// Puts a macro in the place of the first impl; the others go.
    fn write(&self, name: &str, tokens: &Tokens, edits: &mut Edits) {
        let mut rule = format!("macro_rules! {name} {{\n\t($($x:ident)*) => {{ $(\n");
        for place in &self.first {
            let mut at = tokens.list[place.start].range.start;
            for token in &tokens.list[place.clone()] {
                if &tokens.text[token.range.clone()] == self.names[0] {
                    rule += &tokens.text[at..token.range.start];
                    rule += "$x";
                    at = token.range.end;
                }
            }
            rule += &tokens.text[at..tokens.list[place.end - 1].range.end];
            rule.push('\n');
        }
        let _ = write!(rule, ")* }};\n}}\n{name}! {{ {} }}", self.names.join(" "));
        for place in self.first.iter().chain(&self.others) {
            let range = tokens.list[place.start].range.start..tokens.list[place.end - 1].range.end;
            edits.replace(range, std::mem::take(&mut rule));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rolled;

    #[test]
    fn impls_of_one_form_are_said_once() {
        let text = "
struct Of<T>(T);
mod a {
    trait Least { fn least(self, other: Self) -> Self; }
    impl Least for u32 { fn least(self, other: u32) -> u32 { assert!(self > 0); if self < other { self } else { other } } }
    impl From<u32> for crate::Of<u32> { fn from(x: u32) -> Self { Self(x.wrapping_add(core::u32::MAX).max(x)) } }
    impl Least for u64 { fn least(self, other: u64) -> u64 { assert!(self > 0); if self < other { self } else { other } } }
    impl From<u64> for crate::Of<u64> { fn from(x: u64) -> Self { Self(x.wrapping_add(core::u64::MAX).max(x)) } }
    impl Least for u8 { fn least(self, other: u8) -> u8 { assert!(self > 1); if self < other { self } else { other } } }
    impl From<u8> for crate::Of<u16> { fn from(x: u8) -> Self { Self((x as u16).wrapping_add(core::u16::MAX)) } }
}
";
        let left = rolled(text).unwrap().unwrap();
        let bare: String = left.split_whitespace().collect();
        assert!(
            bare.contains(
                "macro_rules!impls0{($($x:ident)*)=>{$(implLeastfor$x{fnleast(self,other:$x)->$x{assert!(self>0);"
            ) && bare.contains("Self(x.wrapping_add(core::$x::MAX).max(x))}})*};}impls0!{u32u64}"),
            "{left}"
        );
        // What differs in more than one name stays.
        assert!(left.contains("impl Least for u8") && !left.contains("impl Least for u64"));
        assert!(left.contains("impl From<u8> for crate::Of<u16>") && left.len() < text.len());
        assert!(rolled(&left).unwrap().is_none());
        assert!(
            rolled(&text.replace("(self > 0)", "(line!() > 0)"))
                .unwrap()
                .is_none()
        );
    }
}
