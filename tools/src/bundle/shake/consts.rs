//! What the impls of a text agree on: values of associated constants, and which defaults nobody takes. And what the
//! library's constants say of types of numbers.

use super::names::last_name;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ImplItem, Item, Lit, TraitItem};

/// `true`, `false` or the last name of a path.
pub fn value_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Bool(lit) => Some(lit.value.to_string()),
            _ => None,
        },
        Expr::Path(path) if path.path.segments.len() > 1 => {
            path.path.segments.last().map(|s| s.ident.to_string())
        }
        _ => None,
    }
}

/// What a comparison of numbers comes to that the library's constants make, on machines of any width.
pub fn compared(of: &syn::ExprBinary) -> Option<bool> {
    let on = |width: u32| {
        let (left, right) = (number_of(&of.left, width)?, number_of(&of.right, width)?);
        Some(match of.op {
            BinOp::Lt(_) => left < right,
            BinOp::Le(_) => left <= right,
            BinOp::Gt(_) => left > right,
            BinOp::Ge(_) => left >= right,
            BinOp::Eq(_) => left == right,
            BinOp::Ne(_) => left != right,
            _ => return None,
        })
    };
    on(32).filter(|narrow| on(64) == Some(*narrow))
}

/// The bounds of a type of numbers.
fn bounds(name: &str, width: u32) -> Option<(i128, i128)> {
    let (sign, bits) = name.split_at_checked(1)?;
    let bits: u32 = match bits {
        "size" => width,
        bits => bits.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?,
    };
    match sign {
        "u" => Some((0, (1 << bits) - 1)),
        "i" => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        _ => None,
    }
}

fn number_of(expr: &Expr, width: u32) -> Option<i128> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(lit) => lit.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(paren) => number_of(&paren.expr, width),
        Expr::Cast(cast) => {
            let (least, most) = bounds(&last_name(&cast.ty), width)?;
            number_of(&cast.expr, width).filter(|value| (least..=most).contains(value))
        }
        Expr::Path(path) if path.qself.is_none() => {
            let mut names = path.path.segments.iter().rev().map(|s| s.ident.to_string());
            let (constant, of_type) = (names.next()?, names.next()?);
            let (least, most) = bounds(&of_type, width)?;
            match constant.as_str() {
                "MIN" => Some(least),
                "MAX" => Some(most),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Associated constants of traits, and what the impls make of them.
#[derive(Default)]
pub struct Consts {
    /// Constant to the traits that declare it, each with its default.
    declared: BTreeMap<String, Vec<(String, Option<String>)>>,
    /// Trait to its impls' own values.
    impls: BTreeMap<String, Vec<BTreeMap<String, Option<String>>>>,
    /// Names that mean something else too.
    spoiled: BTreeSet<String>,
    /// Trait to what each of its impls defines.
    defined: BTreeMap<String, Vec<BTreeSet<String>>>,
}

impl Consts {
    /// Constants that have one value in the whole program.
    pub fn agreed(&self) -> BTreeMap<String, String> {
        let mut agreed = BTreeMap::new();
        for (name, traits) in &self.declared {
            let [(of_trait, default)] = traits.as_slice() else {
                continue;
            };
            let impls = self.impls.get(of_trait).map_or(&[][..], Vec::as_slice);
            let values: BTreeSet<Option<&String>> = impls
                .iter()
                .map(|own| own.get(name).unwrap_or(default).as_ref())
                .collect();
            let mut values = values.into_iter();
            if let (Some(Some(value)), None, false) =
                (values.next(), values.next(), self.spoiled.contains(name))
            {
                agreed.insert(name.clone(), value.clone());
            }
        }
        agreed
    }

    /// Traits by name, and which of their parts every impl defines.
    pub fn overridden(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        for (name, impls) in &self.defined {
            let mut impls = impls.iter();
            let first = impls.next().cloned().unwrap_or_default();
            let common = impls.fold(first, |common, other| &common & other);
            if !self.spoiled.contains(name) {
                all.insert(name.clone(), common);
            }
        }
        all
    }

    fn spoil(&mut self, tokens: proc_macro2::TokenStream) {
        for tree in tokens {
            match tree {
                proc_macro2::TokenTree::Group(group) => self.spoil(group.stream()),
                proc_macro2::TokenTree::Ident(ident) => drop(self.spoiled.insert(ident.to_string())),
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Consts {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Trait(item) => {
                for part in &item.items {
                    if let TraitItem::Const(part) = part {
                        let default = part.default.as_ref().and_then(|(_, value)| value_of(value));
                        let list = self.declared.entry(part.ident.to_string()).or_default();
                        list.push((item.ident.to_string(), default));
                    }
                }
            }
            Item::Impl(item) => {
                let mut own = BTreeMap::new();
                for part in &item.items {
                    if let ImplItem::Const(part) = part {
                        own.insert(part.ident.to_string(), value_of(&part.expr));
                    }
                }
                let parts = item.items.iter().filter_map(|part| match part {
                    ImplItem::Const(part) => Some(part.ident.to_string()),
                    ImplItem::Fn(part) => Some(part.sig.ident.to_string()),
                    _ => None,
                });
                match item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last()) {
                    Some(name) => {
                        let name = name.ident.to_string();
                        self.defined
                            .entry(name.clone())
                            .or_default()
                            .push(parts.collect());
                        self.impls.entry(name).or_default().push(own);
                    }
                    None => self.spoiled.extend(own.into_keys()),
                }
            }
            // Impls may hide in macros that make items.
            Item::Macro(item) => self.spoil(item.mac.tokens.clone()),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.spoiled.insert(variant.ident.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::compared;

    #[test]
    fn bounds_of_types_decide_where_every_machine_agrees() {
        let of = |text: &str| match syn::parse_str(text).unwrap() {
            syn::Expr::Binary(of) => compared(&of),
            _ => panic!("{text}"),
        };
        assert_eq!(of("::core::u32::MAX <= ::core::u16::MAX as u32"), Some(false));
        assert_eq!(of("usize::MAX > (u16::MAX as usize)"), Some(true));
        assert_eq!(of("usize::MAX == u64::MAX as usize"), None);
        assert_eq!(of("usize::MAX > 0xffff_ffff"), None);
        assert_eq!(of("i8::MIN as i16 >= 0"), Some(false));
        assert_eq!(of("u16::MAX as i16 >= 0"), None);
        assert_eq!(of("size::MAX > 1"), None);
        assert_eq!(of("x > 0"), None);
    }
}
