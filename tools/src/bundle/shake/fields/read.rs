//! Structs of a text, and what stands around them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Name, type, bytes of the name, bytes up to and with the comma.
pub type Field = (String, syn::Type, Range<usize>, Range<usize>);

/// A struct as it is declared.
pub struct Struct {
    pub fields: Vec<Field>,
    pub range: Range<usize>,
    /// Nobody prints, compares or lays it out.
    pub is_free: bool,
    /// Bytes of its derives.
    pub derives: Range<usize>,
}

/// Structs and impls of a text.
#[derive(Default)]
pub struct Reader {
    pub structs: BTreeMap<String, Struct>,
    /// Names of types that occur more than once.
    doubled: BTreeSet<String>,
    /// How many structs have a field of this name.
    pub fields: BTreeMap<String, usize>,
    /// Types with a `Drop` of their own.
    pub dropping: BTreeSet<String>,
    /// Impls: bytes and type.
    pub impls: Vec<(Range<usize>, String)>,
    /// Functions and constants: bytes and name.
    pub bodies: Vec<(Range<usize>, String)>,
}

impl Reader {
    fn name(&mut self, ident: &syn::Ident) -> bool {
        let name = ident.to_string();
        if self.structs.remove(&name).is_some() || self.doubled.contains(&name) {
            self.doubled.insert(name);
            return false;
        }
        true
    }

    fn body(&mut self, range: Range<usize>, ident: &syn::Ident) {
        self.bodies.push((range, ident.to_string()));
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let is_free = item.attrs.iter().all(|attr| {
            let mut fine = !attr.path().is_ident("repr") && !attr.path().is_ident("cfg_attr");
            if attr.path().is_ident("derive") {
                let _ = attr.parse_nested_meta(|meta| {
                    fine &= ["Clone", "Copy", "Default"]
                        .iter()
                        .any(|name| meta.path.is_ident(name));
                    Ok(())
                });
            }
            fine
        });
        let syn::Fields::Named(named) = &item.fields else {
            self.name(&item.ident);
            self.structs.insert(
                item.ident.to_string(),
                Struct {
                    fields: item
                        .fields
                        .iter()
                        .map(|field| (String::new(), field.ty.clone(), 0..0, 0..0))
                        .collect(),
                    range: item.span().byte_range(),
                    is_free: false,
                    derives: 0..0,
                },
            );
            return;
        };
        let mut fields = Vec::new();
        for pair in named.named.pairs() {
            let (field, comma) = (pair.value(), pair.punct());
            let Some(ident) = &field.ident else {
                continue;
            };
            *self.fields.entry(ident.to_string()).or_insert(0) += 1;
            let range = field.span().byte_range();
            let end = comma.map_or(range.end, |comma| comma.span().byte_range().end);
            fields.push((
                ident.to_string(),
                field.ty.clone(),
                ident.span().byte_range(),
                range.start..end,
            ));
        }
        if self.name(&item.ident) {
            let range = item.span().byte_range();
            let derives = range.start..item.ident.span().byte_range().start;
            self.structs.insert(
                item.ident.to_string(),
                Struct {
                    fields,
                    range,
                    is_free,
                    derives,
                },
            );
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.name(&item.ident);
        self.doubled.insert(item.ident.to_string());
        for field in item.variants.iter().flat_map(|variant| &variant.fields) {
            if let Some(ident) = &field.ident {
                *self.fields.entry(ident.to_string()).or_insert(0) += 1;
            }
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.name(&item.ident);
        self.doubled.insert(item.ident.to_string());
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.name(&item.ident);
        self.doubled.insert(item.ident.to_string());
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of = super::super::names::last_name(&item.self_ty);
        let drops = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if drops.is_some_and(|segment| segment.ident == "Drop") {
            self.dropping.insert(of.clone());
        }
        self.impls.push((item.span().byte_range(), of));
        visit::visit_item_impl(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(item.span().byte_range(), &item.sig.ident);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(item.span().byte_range(), &item.sig.ident);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.body(item.span().byte_range(), &item.sig.ident);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.body(item.span().byte_range(), &item.ident);
        visit::visit_item_const(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.body(item.span().byte_range(), &item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.body(item.span().byte_range(), &item.ident);
        visit::visit_item_static(self, item);
    }
}
