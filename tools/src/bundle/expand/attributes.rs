//! Attributes of items: which are the compiler's own, and `cfg` as it stands when a macro sees an item.

use super::super::cfg::{Answer, Known, split};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ImplItem, Item, Meta, Token, TraitItem};

/// Attributes that are the compiler's or its tools' own.
pub const BUILT_IN: [&str; 52] = [
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "deprecated",
    "must_use",
    "doc",
    "cfg",
    "cfg_attr",
    "derive",
    "repr",
    "non_exhaustive",
    "default",
    "inline",
    "cold",
    "no_mangle",
    "export_name",
    "link_section",
    "used",
    "target_feature",
    "track_caller",
    "automatically_derived",
    "path",
    "macro_use",
    "macro_export",
    "ignore",
    "test",
    "bench",
    "should_panic",
    "rustfmt",
    "clippy",
    "diagnostic",
    "unsafe",
    "global_allocator",
    "recursion_limit",
    "type_length_limit",
    "feature",
    "no_std",
    "no_main",
    "no_implicit_prelude",
    "crate_name",
    "crate_type",
    "windows_subsystem",
    "panic_handler",
    "collapse_debuginfo",
    "debugger_visualizer",
    "link",
    "link_name",
    "proc_macro",
    "proc_macro_derive",
    "proc_macro_attribute",
];

/// Derives of the standard library.
pub const STANDARD: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// Those of an item, if it may have any.
pub fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(i) => &mut i.attrs,
        Item::Enum(i) => &mut i.attrs,
        Item::ExternCrate(i) => &mut i.attrs,
        Item::Fn(i) => &mut i.attrs,
        Item::ForeignMod(i) => &mut i.attrs,
        Item::Impl(i) => &mut i.attrs,
        Item::Macro(i) => &mut i.attrs,
        Item::Mod(i) => &mut i.attrs,
        Item::Static(i) => &mut i.attrs,
        Item::Struct(i) => &mut i.attrs,
        Item::Trait(i) => &mut i.attrs,
        Item::Type(i) => &mut i.attrs,
        Item::Union(i) => &mut i.attrs,
        Item::Use(i) => &mut i.attrs,
        _ => return None,
    })
}

/// Those of a part of an impl.
pub fn of_impl_item(item: &mut ImplItem) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        ImplItem::Const(i) => &mut i.attrs,
        ImplItem::Fn(i) => &mut i.attrs,
        ImplItem::Macro(i) => &mut i.attrs,
        ImplItem::Type(i) => &mut i.attrs,
        _ => return None,
    })
}

/// Those of a part of a trait.
pub fn of_trait_item(item: &mut TraitItem) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        TraitItem::Const(i) => &mut i.attrs,
        TraitItem::Fn(i) => &mut i.attrs,
        TraitItem::Macro(i) => &mut i.attrs,
        TraitItem::Type(i) => &mut i.attrs,
        _ => return None,
    })
}

/// What an attribute macro is given beside its item.
pub fn arguments(attr: &Attribute) -> TokenStream {
    match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(pair) => pair.value.to_token_stream(),
        Meta::Path(_) => TokenStream::new(),
    }
}

/// Attributes of an item that a derive in the one of number `n` is shown: other derives only where they stand below.
pub fn shown(attrs: &[Attribute], n: usize) -> Vec<Attribute> {
    let mut shown: Vec<Attribute> = attrs[n + 1..].to_vec();
    let above = attrs[..n].iter().filter(|attr| !attr.path().is_ident("derive"));
    shown.splice(..0, above.cloned());
    shown
}

/// Outer attributes, if there are any, and what they stand on.
pub fn unparsed(tokens: TokenStream) -> Option<(Vec<Attribute>, TokenStream)> {
    let parts = |input: syn::parse::ParseStream| Ok((input.call(Attribute::parse_outer)?, input.parse()?));
    let (attrs, rest) = syn::parse::Parser::parse2(parts, tokens).ok()?;
    (!attrs.is_empty()).then_some((attrs, rest))
}

/// Answers `cfg` in an item as the compiler does before a macro sees it.
pub struct Configure<'a>(pub &'a Known);

impl VisitMut for Configure<'_> {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        let mut new = Vec::new();
        for attr in attrs.drain(..) {
            match &attr.meta {
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let mut parts = split(list.tokens.clone()).into_iter();
                    match self.0.answer(parts.next().unwrap_or_default()) {
                        Answer::No => {}
                        Answer::Ask(_) => new.push(attr),
                        Answer::Yes => {
                            for part in parts {
                                let attr: Attribute = syn::parse_quote!(#[#part]);
                                new.push(attr);
                            }
                        }
                    }
                }
                Meta::List(list) if list.path.is_ident("cfg") => {
                    // On what is off and still here (a statement of a length) it is for the compiler.
                    if !matches!(self.0.answer(list.tokens.clone()), Answer::Yes) {
                        new.push(attr);
                    }
                }
                _ => new.push(attr),
            }
        }
        *attrs = new;
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        self.keep(&mut fields.named, |field| &field.attrs);
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_fields_unnamed_mut(&mut self, fields: &mut syn::FieldsUnnamed) {
        self.keep(&mut fields.unnamed, |field| &field.attrs);
        visit_mut::visit_fields_unnamed_mut(self, fields);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        self.keep(&mut item.variants, |variant| &variant.attrs);
        visit_mut::visit_item_enum_mut(self, item);
    }
}

impl Configure<'_> {
    /// Leaves out what is off, each with the comma behind it: a macro may count commas.
    fn keep<T>(&self, list: &mut Punctuated<T, Token![,]>, attrs: fn(&T) -> &Vec<Attribute>) {
        let all = std::mem::take(list).into_pairs();
        *list = all.filter(|pair| self.0.is_on(attrs(pair.value()))).collect();
    }
}

/// Takes the attributes off that only a derive reads.
pub struct Helpers {
    /// The standard library's own `Default` reads `#[default]`, which is another derive's elsewhere.
    default: bool,
}

impl Helpers {
    /// For an item with these attributes.
    pub fn of(attrs: &[Attribute]) -> Self {
        let mut default = false;
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
            let _ = attr.parse_nested_meta(|meta| {
                default |= meta.path.segments.last().is_some_and(|s| s.ident == "Default");
                Ok(())
            });
        }
        Self { default }
    }
}

impl VisitMut for Helpers {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| {
            let first = attr.path().segments.first().map(|s| s.ident.to_string());
            let is_default = self.default && matches!(attr.meta, Meta::Path(_));
            first.is_some_and(|name| BUILT_IN.contains(&name.as_str()) && (name != "default" || is_default))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Configure, Known, ToTokens, VisitMut};
    use syn::Item;

    #[test]
    fn what_is_off_goes_with_its_comma_and_no_other_does() {
        let configured = |text: &str| {
            let mut item: Item = syn::parse_str(text).unwrap();
            Configure(&Known::default()).visit_item_mut(&mut item);
            item.into_token_stream().to_string()
        };
        for (text, expected) in [
            ("enum A { X, #[cfg(any())] Y, Z, }", "enum A { X , Z , }"),
            ("enum A { X, #[cfg(any())] Y }", "enum A { X , }"),
            ("enum A { X, Y }", "enum A { X , Y }"),
            ("struct A { a: u8, #[cfg(any())] b: u8 }", "struct A { a : u8 , }"),
            ("struct A(u8, #[cfg(any())] u8, i8,);", "struct A (u8 , i8 ,) ;"),
            ("union A { a: u8, b: i8, }", "union A { a : u8 , b : i8 , }"),
            (
                "struct A([u8; { #[cfg(any())] { 1 } #[cfg(all())] { 2 } }]);",
                "struct A ([u8 ; { # [cfg (any ())] { 1 } { 2 } }]) ;",
            ),
        ] {
            assert_eq!(configured(text), expected);
        }
    }
}
