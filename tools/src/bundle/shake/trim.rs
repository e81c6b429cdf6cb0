//! Words that say nothing in a program of one file: `pub` where no other module names what it stands at, and bounds in
//! `where` that stand as well at their parameter.
//!
//! Calls and bodies of macros stay as they are. What is left out is decided by names: one that only its own module and
//! those inside say needs no `pub`. The compiler says where that is not so, and where an older one would forbid a type
//! that is less public than what holds it. Whether it is the same program is for others to prove.

use super::compiler::Compiler;
use super::labels::words;
use crate::bundle::lex::{Edits, Kind, Tokens};
use anyhow::Result;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// How often names get their `pub` back.
const TRIES: usize = 6;
/// Lints that older compilers had as errors.
const INTERFACES: &str = "private_interfaces private_bounds";

/// `text` without such words, if there are any.
pub fn trimmed(text: &str, compiler: &Compiler) -> Result<Option<String>> {
    let Ok(file) = syn::parse_file(text) else {
        return Ok(None);
    };
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut finder = Finder {
        text,
        whole: 0..text.len(),
        scopes: Vec::new(),
        public: Vec::new(),
        bounds: Vec::new(),
    };
    finder.visit_file(&file);
    let said = said(&tokens);
    let is_outside = |public: &Public| {
        let places = said.get(public.name.as_str()).into_iter().flatten();
        let mut places = places.filter(|place| place.is_none_or(|at| !public.scope.contains(&at)));
        places.next().is_some()
    };
    finder.public.retain(|public| !is_outside(public));
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for _ in 0..TRIES {
        let mut edits = Edits::default();
        for (range, new) in &finder.bounds {
            edits.replace(range.clone(), new.clone());
        }
        for public in finder.public.iter().filter(|public| !kept.contains(&public.name)) {
            edits.remove(public.range.clone());
        }
        let less = edits.apply(text);
        if less.len() >= text.len() {
            return Ok(None);
        }
        let before = kept.len();
        let mut back = |piece: &str| {
            let names = finder.public.iter().map(|public| &public.name);
            let said: BTreeSet<&str> = words(piece).map(|(_, word)| word).collect();
            kept.extend(names.filter(|name| said.contains(name.as_str())).cloned());
        };
        let said = compiler.said(&less, INTERFACES)?;
        if said.is_empty() {
            return Ok(Some(less));
        }
        for message in &said {
            back(&message.text);
            message.spans.iter().for_each(|span| back(&less[span.clone()]));
        }
        if kept.len() == before {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Where each name is said; `None` in the body of a macro, which is expanded anywhere.
fn said<'a>(tokens: &Tokens<'a>) -> HashMap<&'a str, Vec<Option<usize>>> {
    let mut said: HashMap<&str, Vec<Option<usize>>> = HashMap::new();
    let mut macro_until = 0;
    for (i, token) in tokens.list.iter().enumerate() {
        let at = i as isize;
        if tokens.at(at - 3) == "macro_rules" && token.kind == Kind::Open {
            macro_until = tokens.list[token.pair].range.end;
        }
        let place = (token.range.start >= macro_until).then_some(token.range.start);
        match token.kind {
            Kind::Ident => said.entry(tokens.at(at)).or_default().push(place),
            // A format captures constants.
            Kind::Lit if tokens.at(at).contains('{') => {
                for (_, word) in words(tokens.at(at)) {
                    said.entry(word).or_default().push(place);
                }
            }
            _ => {}
        }
    }
    said
}

/// A `pub` that may go.
struct Public {
    /// With the blank behind it.
    range: Range<usize>,
    name: String,
    /// The module around it.
    scope: Range<usize>,
}

struct Finder<'a> {
    text: &'a str,
    whole: Range<usize>,
    scopes: Vec<Range<usize>>,
    public: Vec<Public>,
    bounds: Vec<(Range<usize>, String)>,
}

impl Finder<'_> {
    fn public(&mut self, visibility: &syn::Visibility, name: &syn::Ident) {
        let range = visibility.span().byte_range();
        if range.is_empty() || matches!(visibility, syn::Visibility::Inherited) {
            return;
        }
        let rest = &self.text[range.end..];
        let blanks = rest.len() - rest.trim_start().len();
        self.public.push(Public {
            range: range.start..range.end + blanks,
            name: name.to_string(),
            scope: self.scopes.last().unwrap_or(&self.whole).clone(),
        });
    }

    fn slice(&self, of: &impl Spanned) -> &str {
        &self.text[of.span().byte_range()]
    }

    /// Bounds of a `where` to their parameters, if all can go there.
    fn bounds(&mut self, generics: &syn::Generics) {
        let Some(clause) = &generics.where_clause else {
            return;
        };
        let mut edits = Vec::new();
        let mut done = BTreeSet::new();
        for predicate in &clause.predicates {
            let syn::WherePredicate::Type(of) = predicate else {
                return;
            };
            let syn::Type::Path(path) = &of.bounded_ty else {
                return;
            };
            let (None, Some(name)) = (&of.lifetimes, path.path.get_ident()) else {
                return;
            };
            let Some(param) = generics.type_params().find(|param| param.ident == *name) else {
                return;
            };
            if !param.bounds.is_empty() || param.colon_token.is_some() || !done.insert(name.to_string()) {
                return;
            }
            // A parameter is `Sized` anyway.
            let bounds: Vec<&str> = of.bounds.iter().map(|bound| self.slice(bound)).collect();
            let bounds: Vec<&str> = bounds.into_iter().filter(|bound| *bound != "Sized").collect();
            if bounds.is_empty() {
                continue;
            }
            let at = param.ident.span().byte_range().end;
            edits.push((at..at, format!(": {}", bounds.join(" + "))));
        }
        if done.is_empty() {
            return;
        }
        let range = clause.span().byte_range();
        let start = self.text[..range.start].trim_end().len();
        let rest = &self.text[range.end..];
        let end = range.end + rest.len() - rest.trim_start().len();
        let is_comment = |range: Range<usize>| self.text[range].contains("//");
        if is_comment(start..end) {
            return;
        }
        let is_end = self.text[end..].starts_with(';');
        edits.push((start..end, if is_end { "" } else { " " }.to_owned()));
        self.bounds.extend(edits);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.public(&item.vis, &item.ident);
        self.scopes.push(item.span().byte_range());
        visit::visit_item_mod(self, item);
        self.scopes.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.public(&item.vis, &item.sig.ident);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.public(&item.vis, &item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.public(&item.vis, &item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.public(&item.vis, &item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.public(&item.vis, &item.ident);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.public(&item.vis, &item.ident);
        visit::visit_item_static(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.public(&item.vis, &item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.public(&item.vis, &item.sig.ident);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.public(&item.vis, &item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.public(&field.vis, name);
        }
        visit::visit_field(self, field);
    }

    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        self.bounds(generics);
        visit::visit_generics(self, generics);
    }
}

#[cfg(test)]
mod tests {
    use super::trimmed;
    use crate::bundle::alone::Compile;
    use crate::bundle::shake::Compiler;

    #[test]
    fn what_only_its_module_names_is_not_public() {
        let text = "
mod a {
    pub struct Far { pub seen: u8, pub own: u8 }
    pub struct Shown(u8);
    impl Far {
        pub fn new<T>(x: T) -> Far
        where
            T: Copy + Sized + Into<u8>,
        {
            help(x.into())
        }
        pub fn hidden(&self) -> u8 { self.own }
        pub fn shown(&self) -> Shown { Shown(self.hidden()) }
    }
    pub fn help(x: u8) -> Far { Far { seen: x, own: x } }
}
fn main() { println!(\"{}\", { let far = a::Far::new(1u8); far.shown(); far.seen }); }
";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let less = trimmed(text, &Compiler::new(&compile).unwrap()).unwrap().unwrap();
        let has = |piece: &str| less.contains(piece);
        assert!(
            has("pub struct Far { pub seen: u8, own: u8 }") && has("    fn hidden"),
            "{less}"
        );
        assert!(has("    fn help") && has("pub fn new<T: Copy + Into<u8>>(x: T) -> Far {"));
        // What a function shows that others call is as public as that, for older compilers.
        assert!(has("pub struct Shown(u8);") && has("pub fn shown"), "{less}");
    }
}
