//! What the impls of a text agree on: values of associated constants, and which defaults nobody takes.

use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Expr, ImplItem, Item, Lit, TraitItem};

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
