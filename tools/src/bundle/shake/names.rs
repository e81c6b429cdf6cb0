//! Names in types, paths and attributes.

use quote::ToTokens;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// Attributes of the allocator, and of what is put where the linker or the loader finds it.
pub const PINS: [&str; 3] = ["global_allocator", "used", "link_section"];
/// Attributes that give a name for the linker.
pub const EXPORTS: [&str; 2] = ["no_mangle", "export_name"];

/// True if the attribute is one of `names`, `unsafe(…)` around it or not.
pub fn is_one_of(attribute: &syn::Attribute, names: &[&str]) -> bool {
    let path = attribute.path();
    let is = |name: &&str| {
        path.is_ident(name)
            || (path.is_ident("unsafe") && attribute.meta.to_token_stream().to_string().contains(*name))
    };
    names.iter().any(is)
}

/// A path without generics.
pub fn plain(path: &syn::Path) -> String {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|s| s.ident.unraw().to_string())
        .collect();
    names.join("::")
}

pub fn type_path(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => plain(&path.path),
        syn::Type::Reference(reference) => type_path(&reference.elem),
        syn::Type::Group(group) => type_path(&group.elem),
        syn::Type::Paren(paren) => type_path(&paren.elem),
        _ => String::new(),
    }
}

/// Last name of a path or type: `a::b<C>` is `b`.
pub fn last_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or(String::new(), |s| s.ident.unraw().to_string()),
        syn::Type::Reference(reference) => last_name(&reference.elem),
        syn::Type::Group(group) => last_name(&group.elem),
        syn::Type::Paren(paren) => last_name(&paren.elem),
        syn::Type::Slice(_) => "[]".to_owned(),
        _ => String::new(),
    }
}

/// Names in the self type and the trait's arguments, its own parameters apart.
pub fn needs(item: &syn::ItemImpl) -> Vec<String> {
    fn words(stream: proc_macro2::TokenStream, own: &BTreeSet<String>, list: &mut Vec<String>) {
        for tree in stream {
            match tree {
                proc_macro2::TokenTree::Group(group) => words(group.stream(), own, list),
                proc_macro2::TokenTree::Ident(ident) => {
                    let name = ident.unraw().to_string();
                    if !own.contains(&name) {
                        list.push(name);
                    }
                }
                _ => {}
            }
        }
    }
    let own: BTreeSet<String> = item
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Type(param) => Some(param.ident.to_string()),
            syn::GenericParam::Const(param) => Some(param.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    let mut list = Vec::new();
    words(item.self_ty.to_token_stream(), &own, &mut list);
    if let Some((_, path, _)) = &item.trait_ {
        if let Some(last) = path.segments.last() {
            words(last.arguments.to_token_stream(), &own, &mut list);
        }
    }
    list.sort();
    list.dedup();
    list
}

/// The module at the root that a module lies in, which may be a crate.
pub fn root(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

/// `super::x` seen from `module` as a path from the root.
pub fn absolute(module: &str, path: &str) -> Option<String> {
    let mut at: Vec<&str> = if module.is_empty() {
        Vec::new()
    } else {
        module.split("::").collect()
    };
    let mut relative = false;
    let mut rest: Vec<&str> = Vec::new();
    for (n, part) in path.split("::").enumerate() {
        match part {
            "crate" if n == 0 => {
                at.clear();
                relative = true;
            }
            "self" if n == 0 => relative = true,
            "super" if rest.is_empty() => {
                at.pop()?;
                relative = true;
            }
            part => rest.push(part),
        }
    }
    if !relative {
        return None;
    }
    at.extend(rest);
    Some(at.join("::"))
}

pub fn joined(module: &str, name: &str) -> String {
    if module.is_empty() {
        name.to_owned()
    } else {
        format!("{module}::{name}")
    }
}

/// The bytes of an item.
pub fn of_item(item: &syn::Item) -> Range<usize> {
    match item {
        syn::Item::Mod(module) => of_module(module),
        _ => item.span().byte_range(),
    }
}

/// The bytes of a module: its span takes as long as all of its tokens, at every depth.
fn of_module(module: &syn::ItemMod) -> Range<usize> {
    let is_outer = |attribute: &&syn::Attribute| matches!(attribute.style, syn::AttrStyle::Outer);
    let first = match (module.attrs.iter().find(is_outer), &module.vis, &module.unsafety) {
        (Some(attribute), ..) => attribute.pound_token.span,
        (None, syn::Visibility::Public(word), _) => word.span,
        (None, syn::Visibility::Restricted(of), _) => of.pub_token.span,
        (None, syn::Visibility::Inherited, Some(word)) => word.span,
        (None, syn::Visibility::Inherited, None) => module.mod_token.span,
    };
    let last = match (&module.content, &module.semi) {
        (Some((brace, _)), _) => brace.span.close(),
        (None, Some(semi)) => semi.span,
        (None, None) => module.ident.span(),
    };
    first.byte_range().start..last.byte_range().end
}

#[cfg(test)]
mod tests {
    use super::of_module;
    use syn::Item;
    use syn::spanned::Spanned;

    #[test]
    fn a_module_is_where_its_tokens_are() {
        let text =
            "mod a {} #[x] #[y] pub mod b { #![z] fn f() {} } pub(crate) mod c; /// d\n mod d { #![z] }";
        let file = syn::parse_file(text).unwrap();
        for item in &file.items {
            let Item::Mod(module) = item else { unreachable!() };
            assert_eq!(of_module(module), item.span().byte_range());
        }
    }
}
