//! What macros make, printed by the compiler: rules of which every body is a text, and what such a text means.

use crate::bundle::expand::attributes::{attributes_of, of_impl_item, of_trait_item};
use crate::bundle::expand::{pretty, printing_as};
use crate::bundle::lex::brackets;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use std::fmt::Write;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Meta};

/// Around an expression and a type that a macro was given.
const GIVEN: &str = "__given";
const TYPE: &str = "__type";

/// Laid out, if it is a list of items.
pub fn items(text: &str) -> Option<String> {
    let text = text.replace("$crate", "crate");
    let stream = bare(text.parse().ok()?);
    let text = stream.to_string();
    let mut file = syn::parse_file(&text).ok()?;
    let mut off = Off(false);
    off.visit_file_mut(&mut file);
    let text = if off.0 {
        file.into_token_stream().to_string()
    } else {
        text
    };
    Some(pretty(text))
}

/// Takes out the items on which a condition stands that was answered with no, tests for the most part: the compiler would
/// leave them out and call nothing in them unused. True once there was one.
struct Off(bool);

impl Off {
    /// Without those of which these are the attributes.
    fn keep<T>(&mut self, list: &mut Vec<T>, attributes: fn(&mut T) -> Option<&mut Vec<Attribute>>) {
        let all = list.len();
        list.retain_mut(|item| !attributes(item).is_some_and(|list| list.iter().any(is_off)));
        self.0 |= list.len() < all;
    }
}

impl VisitMut for Off {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.keep(&mut file.items, attributes_of);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.keep(items, attributes_of);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        self.keep(&mut item.items, of_impl_item);
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        self.keep(&mut item.items, of_trait_item);
        visit_mut::visit_item_trait_mut(self, item);
    }
}

/// True of `cfg(any())`: what no compilation has.
fn is_off(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else {
        return false;
    };
    let mut condition = list.tokens.clone().into_iter();
    let is_any = matches!(condition.next(), Some(TokenTree::Ident(word)) if word == "any");
    let has_none = matches!(condition.next(), Some(TokenTree::Group(group)) if group.stream().is_empty());
    list.path.is_ident("cfg") && is_any && has_none
}

/// Without marks of what was given, in brackets where it is more than one value.
fn bare(stream: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) if word == GIVEN || word == TYPE => {
                let _mark = trees.next();
                let Some(TokenTree::Group(group)) = trees.next() else {
                    continue;
                };
                let given: Vec<TokenTree> = bare(group.stream()).into_iter().collect();
                if word == TYPE {
                    // `x as T << y`: no arguments of the type.
                    let is_cast = matches!(out.last(), Some(TokenTree::Ident(word)) if word == "as");
                    let is_less =
                        matches!(trees.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '<');
                    if is_cast && is_less {
                        let inner = given.into_iter().collect();
                        out.push(TokenTree::Group(Group::new(Delimiter::Parenthesis, inner)));
                    } else {
                        out.extend(given);
                    }
                    continue;
                }
                let is_path = given.iter().all(|tree| match tree {
                    TokenTree::Ident(_) => true,
                    TokenTree::Punct(mark) => mark.as_char() == ':',
                    _ => false,
                });
                if given.len() == 1 || is_path {
                    out.extend(given);
                } else {
                    let inner = given.into_iter().collect();
                    out.push(TokenTree::Group(Group::new(Delimiter::Parenthesis, inner)));
                }
            }
            TokenTree::Group(group) => {
                let inner = bare(group.stream());
                out.push(TokenTree::Group(Group::new(group.delimiter(), inner)));
            }
            tree => out.push(tree),
        }
    }
    out.into_iter().collect()
}

/// Rules that print what they make. `None` if they cannot be read.
pub fn printing(rules: TokenStream) -> Option<String> {
    let text = printing_as(rules, |matcher, body| {
        let mut values = BTreeMap::new();
        parameters(matcher, &mut values);
        Some(marked(body, &values))
    });
    text.filter(|text| !text.is_empty())
}

/// Parameters that are expressions or types, with their marks.
fn parameters(matcher: TokenStream, names: &mut BTreeMap<String, &'static str>) {
    let trees: Vec<TokenTree> = matcher.into_iter().collect();
    for (n, tree) in trees.iter().enumerate() {
        match (tree, trees.get(n + 1), trees.get(n + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(mark)), Some(TokenTree::Ident(kind)))
                if mark.as_char() == ':' =>
            {
                match kind.to_string().as_str() {
                    "ty" => names.insert(name.to_string(), TYPE),
                    kind if kind.starts_with("expr") => names.insert(name.to_string(), GIVEN),
                    _ => None,
                };
            }
            (TokenTree::Group(group), ..) => parameters(group.stream(), names),
            _ => {}
        }
    }
}

/// A body in which these parameters are marked.
fn marked(body: TokenStream, values: &BTreeMap<String, &str>) -> String {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let mut out = String::new();
    for (n, tree) in trees.iter().enumerate() {
        let before = n.checked_sub(1).and_then(|n| trees.get(n));
        let is_parameter =
            |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(mark)) if mark.as_char() == '$');
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = brackets(group.delimiter());
                let _ = write!(out, "{open}{}{close} ", marked(group.stream(), values));
            }
            TokenTree::Ident(name) if is_parameter(before) && values.contains_key(&name.to_string()) => {
                // The `$` is there already.
                out.truncate(out.trim_end().len() - 1);
                let mark = values[&name.to_string()];
                let _ = write!(out, "{mark}!{{ ${name} }} ");
            }
            TokenTree::Punct(mark) => {
                out.push(mark.as_char());
                if mark.spacing() == proc_macro2::Spacing::Alone {
                    out.push(' ');
                }
            }
            other => {
                let _ = write!(out, "{other} ");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn what_no_compilation_has_is_not_made() {
        let text = "impl A for u8 { #[cfg(any())] fn off() {} fn on() {} }\n\
                    #[cfg(any())] mod tests { #[test] fn first() {} }\n\
                    mod on { #[cfg(any(unix))] fn asked() {} #[doc(hidden)] #[cfg(any())] use super::B; }\n\
                    trait C { #[cfg(any())] fn off(); fn on(); }";
        let made = items(text).unwrap();
        assert_eq!(made.matches("on").count(), 3, "{made}");
        for gone in ["off", "tests", "first", "super"] {
            assert!(!made.contains(gone), "{made}");
        }
        assert!(made.contains("asked"), "{made}");
        assert_eq!(items("fn f() { }"), items("#[cfg(any())] fn g() { } fn f() { }"));
    }
}
