//! What edition 2024 says by itself in signatures, said for an older one.
//!
//! A returned `impl Trait` holds all lifetimes in scope since 2024; before that it has to name them, with `use<…>`. It is
//! a matter of what compiles, not of what runs: so it is done only to functions of which the compiler says so.

use crate::bundle::lex::Edits;
use crate::bundle::rejected::parsed;
use anyhow::Result;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Signature, TypeParamBound};

/// `text` with all captures named in the functions around these places.
pub fn named(text: &str, places: &[Range<usize>]) -> Result<String> {
    Ok(naming(text, places)?.apply(text))
}

/// What names all captures in the functions around these places.
pub fn naming(text: &str, places: &[Range<usize>]) -> Result<Edits> {
    let file = parsed(text)?;
    let mut finder = Functions {
        places,
        of_impl: Vec::new(),
        edits: Edits::default(),
        text,
    };
    finder.visit_file(&file);
    Ok(finder.edits)
}

struct Functions<'a> {
    text: &'a str,
    places: &'a [Range<usize>],
    /// Parameters of the impl around.
    of_impl: Vec<String>,
    edits: Edits,
}

/// Names of generic parameters, lifetimes first.
fn parameters(generics: &Generics) -> (Vec<String>, Vec<String>) {
    let (mut lifetimes, mut others) = (Vec::new(), Vec::new());
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(param) => lifetimes.push(param.lifetime.to_string()),
            GenericParam::Type(param) => others.push(param.ident.to_string()),
            GenericParam::Const(param) => others.push(param.ident.to_string()),
        }
    }
    (lifetimes, others)
}

/// What a type of a parameter or of a result leaves out.
#[derive(Default)]
struct Elided {
    /// Places behind the `&` of a reference without a lifetime.
    references: Vec<usize>,
    /// `'_`.
    anonymous: Vec<Range<usize>>,
    /// `impl Trait`, outermost, with its bounds.
    impls: Vec<(Range<usize>, Range<usize>)>,
    /// Those that name what they capture.
    is_precise: bool,
}

impl<'ast> Visit<'ast> for Elided {
    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        if reference.lifetime.is_none() {
            self.references.push(reference.and_token.span().byte_range().end);
        }
        visit::visit_type_reference(self, reference);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        if lifetime.ident == "_" {
            self.anonymous.push(lifetime.span().byte_range());
        }
    }

    fn visit_type_impl_trait(&mut self, it: &'ast syn::TypeImplTrait) {
        self.is_precise |= it
            .bounds
            .iter()
            .any(|bound| matches!(bound, TypeParamBound::PreciseCapture(_)));
        self.impls
            .push((it.span().byte_range(), it.bounds.span().byte_range()));
        let known = self.impls.len();
        visit::visit_type_impl_trait(self, it);
        self.impls.truncate(known);
    }

    // Those have lifetimes of their own.
    fn visit_parenthesized_generic_arguments(&mut self, _: &'ast syn::ParenthesizedGenericArguments) {}
    fn visit_type_bare_fn(&mut self, _: &'ast syn::TypeBareFn) {}
}

impl Functions<'_> {
    /// Puts parameters in front of and behind those that a function has.
    fn declare(&mut self, sig: &Signature, lifetimes: &[String], types: &[String]) {
        let all: Vec<&str> = lifetimes.iter().chain(types).map(String::as_str).collect();
        let (Some(open), Some(close)) = (&sig.generics.lt_token, &sig.generics.gt_token) else {
            let end = sig.ident.span().byte_range().end;
            self.edits.replace(end..end, format!("<{}>", all.join(", ")));
            return;
        };
        let (start, end) = (open.span().byte_range().end, close.span().byte_range().start);
        let is_open = !sig.generics.params.is_empty();
        for name in lifetimes {
            self.edits.replace(start..start, format!("{name}, "));
        }
        let mut comma = is_open && !sig.generics.params.trailing_punct();
        for name in types {
            let comma = if std::mem::replace(&mut comma, true) {
                ", "
            } else {
                ""
            };
            self.edits.replace(end..end, format!("{comma}{name}"));
        }
    }

    fn function(&mut self, sig: &Signature) {
        let mut output = Elided::default();
        output.visit_return_type(&sig.output);
        if output.impls.is_empty() || output.is_precise {
            return;
        }
        let mut input = Elided::default();
        let mut of_self = None;
        for arg in &sig.inputs {
            match arg {
                syn::FnArg::Typed(arg) => input.visit_type(&arg.ty),
                syn::FnArg::Receiver(receiver) => match &receiver.reference {
                    Some((and, lifetime)) => {
                        let name = lifetime.as_ref().filter(|lifetime| lifetime.ident != "_");
                        of_self = Some(name.map_or("'held_0".to_owned(), ToString::to_string));
                        match lifetime {
                            Some(lifetime) => input.visit_lifetime(lifetime),
                            None => input.references.push(and.span().byte_range().end),
                        }
                    }
                    None if receiver.colon_token.is_some() => input.visit_type(&receiver.ty),
                    None => {}
                },
            }
        }
        // An unnamed type cannot be listed: first it gets a name.
        if !input.impls.is_empty() {
            let mut types = Vec::new();
            for (n, (whole, bounds)) in input.impls.iter().enumerate() {
                types.push(format!("Held{n}: {}", &self.text[bounds.clone()]));
                self.edits.replace(whole.clone(), format!("Held{n}"));
            }
            self.declare(sig, &[], &types);
            return;
        }
        let mut lifetimes = Vec::new();
        let mut name = || {
            lifetimes.push(format!("'held_{}", lifetimes.len()));
            lifetimes[lifetimes.len() - 1].clone()
        };
        let mut places: Vec<Range<usize>> = input.references.iter().map(|at| *at..*at).collect();
        places.extend(input.anonymous.iter().cloned());
        places.sort_by_key(|place| place.start);
        let mut named: Vec<(Range<usize>, String)> = Vec::new();
        for place in places {
            let blank = if place.is_empty() { " " } else { "" };
            named.push((place, name() + blank));
        }
        let (own, types) = parameters(&sig.generics);
        let only = match (own.as_slice(), lifetimes.as_slice()) {
            ([one], []) | ([], [one]) => Some(one.clone()),
            _ => None,
        };
        if let Some(same) = of_self.or(only) {
            for at in &output.references {
                named.push((*at..*at, format!("{same} ")));
            }
            for range in &output.anonymous {
                named.push((range.clone(), same.clone()));
            }
        }
        for (range, with) in named {
            self.edits.replace(range, with);
        }
        let mut list = lifetimes.clone();
        list.extend(own);
        let is_lifetime = |name: &&String| name.starts_with('\'');
        list.extend(self.of_impl.iter().filter(is_lifetime).cloned());
        list.extend(types);
        list.extend(self.of_impl.iter().filter(|name| !is_lifetime(name)).cloned());
        for (_, bounds) in &output.impls {
            self.edits
                .replace(bounds.end..bounds.end, format!(" + use<{}>", list.join(", ")));
        }
        if !lifetimes.is_empty() {
            self.declare(sig, &lifetimes, &[]);
        }
    }

    fn is_meant(&self, whole: &Range<usize>) -> bool {
        self.places
            .iter()
            .any(|place| whole.start <= place.start && place.end <= whole.end)
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let (mut all, others) = parameters(&item.generics);
        all.extend(others);
        let before = std::mem::replace(&mut self.of_impl, all);
        visit::visit_item_impl(self, item);
        self.of_impl = before;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.is_meant(&item.span().byte_range()) {
            self.function(&item.sig);
        }
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if self.is_meant(&item.span().byte_range()) {
            let of_impl = std::mem::take(&mut self.of_impl);
            self.function(&item.sig);
            self.of_impl = of_impl;
        }
        visit::visit_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn everything_in_scope_is_named() {
        for (text, expected) in [
            (
                "fn f<'a>(v: &'a [i32]) -> impl Iterator<Item = &i32> { v.iter() }",
                "fn f<'a>(v: &'a [i32]) -> impl Iterator<Item = &'a i32> + use<'a> { v.iter() }",
            ),
            (
                "impl<T> W<T> { fn f<U>(&self, k: &U, w: W<'_>) -> Option<impl Fn() -> &T> {} }",
                "impl<T> W<T> { fn f<'held_0, 'held_1, 'held_2, U>(&'held_0 self, k: &'held_1 U, w: W<'held_2>) -> \
              Option<impl Fn() -> &T + use<'held_0, 'held_1, 'held_2, U, T>> {} }",
            ),
            (
                "fn f(g: impl Fn(&i32) + Copy) -> impl Fn() {}",
                "fn f<Held0: Fn(&i32) + Copy>(g: Held0) -> impl Fn() {}",
            ),
            ("fn f(g: &i32) -> i32 { 1 }", "fn f(g: &i32) -> i32 { 1 }"),
        ] {
            let inside =
                text.find("f(").or(text.find("f<")).unwrap()..text.find("{}").or(text.rfind('}')).unwrap();
            assert_eq!(named(text, std::slice::from_ref(&inside)).unwrap(), expected);
        }
    }
}
