//! Short names for what the program itself declares.
//!
//! One name means one new name everywhere, and new names are nowhere else in the text, so nothing can come
//! to mean something new by scope alone. A name that is also the standard library's shows as an error of the
//! compiler and keeps its form; so do names that strings or attributes hold, and those a derived `Debug`
//! prints. The result is compared with the code of the long form, names translated back, and if that is not
//! the same, the long form stays. Tokens only: strings are never touched.

use super::alone::Compile;
use super::lex::{Edits, Kind, Tokens};
use super::rejected::parsed;
use super::shake::{Code, Compiler, words};
use anyhow::Result;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use syn::visit::{self, Visit};

/// Compilations before the long form is kept.
const TRIES: usize = 24;

/// Part of the budget for the whole bundle, in percent, after which no more are begun.
const ENOUGH: u32 = 150;

/// Names that mean something without being declared in the text.
pub(super) const RESERVED: [&str; 71] = [
    "abstract", "become", "final", "macro", "override", "priv", "typeof", "unsized", "virtual", "as",
    "async", "await", "bool", "box", "break", "char", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "f32", "f64", "false", "fn", "for", "gen", "i8", "i16", "i32", "i64", "if", "impl",
    "in", "let", "loop", "main", "match", "mod", "move", "mut", "pub", "raw", "ref", "return", "self",
    "Self", "static", "str", "struct", "super", "trait", "true", "try", "type", "u8", "u16", "u32", "u64",
    "union", "unsafe", "use", "where", "while", "yield", "std", "core", "alloc",
];

/// The prelude's names that could stand alone in a pattern or a path.
const PRELUDE: [&str; 12] = [
    "Some", "None", "Ok", "Err", "Vec", "String", "Box", "Option", "Result", "Copy", "Clone", "Default",
];

/// `text` with short names, or as it is if that cannot be shown to be the same program.
pub fn shorten(text: &str, compile: &Compile) -> Result<String> {
    let file = parsed(text)?;
    let mut names = Names::default();
    names.visit_file(&file);
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let mut long = &names.declared - &fixed(&tokens);
    long = &long - &names.fixed;
    let compiler = Compiler::new(compile)?;
    for _ in 0..TRIES {
        if compile.budget.is_past(ENOUGH) {
            break;
        }
        let map = short(&tokens, &long);
        let back: HashMap<String, String> = map
            .iter()
            .map(|(long, short)| (short.clone(), long.clone()))
            .collect();
        let renamed = apply(text, &tokens, &map);
        let outcome = compiler.check(&renamed)?;
        if outcome.errors.is_empty() {
            let before = Code::of(text, compile, &HashMap::new());
            let after = Code::of(&renamed, compile, &back);
            let same = before.difference(&after)?.is_empty();
            return Ok(if same { renamed } else { text.to_owned() });
        }
        let mut blamed: BTreeSet<String> = BTreeSet::new();
        for error in &outcome.errors {
            let pieces = error.spans.iter().filter_map(|span| renamed.get(span.clone()));
            let near: BTreeSet<String> = pieces
                .flat_map(|piece| words(piece).map(|(_, word)| word.to_owned()))
                .collect();
            // What the message quotes says more than what its place holds.
            let quoted: BTreeSet<String> = error
                .text
                .split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect();
            let known = |set: &BTreeSet<String>| -> Vec<String> {
                set.iter().filter_map(|word| back.get(word).cloned()).collect()
            };
            let found = [known(&quoted), known(&near), known(&error.words)];
            blamed.extend(found.into_iter().find(|f| !f.is_empty()).unwrap_or_default());
        }
        if blamed.is_empty() {
            break;
        }
        long = &long - &blamed;
    }
    Ok(text.to_owned())
}

/// Names that cannot change: in attributes, captured by format strings, read by `stringify!`.
fn fixed(tokens: &Tokens) -> BTreeSet<String> {
    let mut fixed: BTreeSet<String> = RESERVED.iter().chain(&PRELUDE).map(|s| (*s).to_owned()).collect();
    for i in 0..tokens.list.len() {
        let at = i as isize;
        let text = tokens.at(at);
        match tokens.list[i].kind {
            Kind::Lit => {
                for part in text.split('{').skip(1) {
                    fixed.extend(
                        words(part)
                            .filter(|(is_word, _)| *is_word)
                            .map(|(_, w)| w.to_owned()),
                    );
                }
            }
            Kind::Open => {
                let attribute =
                    tokens.at(at - 1) == "#" || (tokens.at(at - 1) == "!" && tokens.at(at - 2) == "#");
                let string = tokens.at(at - 1) == "!" && tokens.at(at - 2) == "stringify";
                if (text == "[" && attribute) || string {
                    let inside = i..tokens.list[i].pair;
                    fixed.extend(inside.map(|k| tokens.at(k as isize).to_owned()));
                }
            }
            // `std::a::{b, c}`: all of it is the library's.
            Kind::Ident if matches!(text, "std" | "core" | "alloc") && tokens.at(at + 1) == "::" => {
                let mut k = i + 2;
                while k < tokens.list.len()
                    && !matches!(tokens.at(k as isize), ";" | "(" | ")" | "<" | ">" | "=" | "}")
                {
                    let end = tokens.list[k].pair.max(k);
                    fixed.extend((k..=end).map(|k| tokens.at(k as isize).to_owned()));
                    k = end + 1;
                    if tokens.at(end as isize) == "}" {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    fixed
}

/// A name of one token of the program's own (a lifetime is none).
fn is_name(tokens: &Tokens, i: usize) -> bool {
    tokens.list[i].kind == Kind::Ident && tokens.at(i as isize - 1) != "'"
}

/// New names, the shortest for those that take most characters.
fn short(tokens: &Tokens, long: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for i in 0..tokens.list.len() {
        if tokens.list[i].kind == Kind::Ident {
            *counts.entry(tokens.at(i as isize)).or_insert(0) += 1;
        }
    }
    let mut list: Vec<&String> = long.iter().filter(|name| name.len() > 1).collect();
    list.sort_by_key(|name| {
        let count = counts.get(name.as_str()).copied().unwrap_or(0);
        (std::cmp::Reverse(count), *name)
    });
    let mut fresh = (0..)
        .map(letters)
        .filter(|name| !counts.contains_key(name.as_str()) && !RESERVED.contains(&name.as_str()));
    let mut map = BTreeMap::new();
    for name in list {
        let new = fresh.next().expect("numbers never end");
        if new.len() < name.len() {
            map.insert(name.clone(), new);
        }
    }
    map
}

/// `a` to `z`, `A` to `Z`, `aa`, …
fn letters(mut n: usize) -> String {
    let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut name = String::new();
    loop {
        name.insert(0, char::from(letters[n % letters.len()]));
        if n < letters.len() {
            return name;
        }
        n = n / letters.len() - 1;
    }
}

fn apply(text: &str, tokens: &Tokens, map: &BTreeMap<String, String>) -> String {
    let mut edits = Edits::default();
    for (i, token) in tokens.list.iter().enumerate() {
        if let Some(new) = map.get(tokens.at(i as isize)).filter(|_| is_name(tokens, i)) {
            edits.replace(token.range.clone(), new.clone());
        }
    }
    edits.apply(text)
}

/// What a text declares, and which of it must keep its name.
#[derive(Default)]
struct Names {
    declared: BTreeSet<String>,
    fixed: BTreeSet<String>,
    traits: BTreeSet<String>,
}

impl Names {
    fn idents(&mut self, stream: TokenStream) {
        for tree in stream {
            match tree {
                TokenTree::Group(group) => self.idents(group.stream()),
                TokenTree::Ident(ident) => drop(self.fixed.insert(ident.to_string())),
                _ => {}
            }
        }
    }

    /// Everything in an item keeps its name if `Debug` prints it or a linker looks for it.
    fn attributes(&mut self, attrs: &[syn::Attribute], item: &dyn quote::ToTokens) {
        let keeps = attrs.iter().any(|attr| {
            let text = quote::quote!(#attr).to_string();
            ["Debug", "no_mangle", "export_name", "repr (C"]
                .iter()
                .any(|word| text.contains(word))
        });
        if keeps {
            self.idents(item.to_token_stream());
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_file(&mut self, file: &'ast syn::File) {
        struct Traits<'a>(&'a mut BTreeSet<String>);
        impl<'ast> Visit<'ast> for Traits<'_> {
            fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
                self.0.insert(item.ident.to_string());
                visit::visit_item_trait(self, item);
            }
        }
        Traits(&mut self.traits).visit_file(file);
        visit::visit_file(self, file);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item::{Const, Enum, Fn, Impl, Macro, Mod, Static, Struct, Trait, Type, Union};
        let name = match item {
            Const(i) => Some(&i.ident),
            Fn(i) => {
                self.attributes(&i.attrs, &i.sig.ident);
                Some(&i.sig.ident)
            }
            Mod(i) => Some(&i.ident),
            Static(i) => Some(&i.ident),
            Trait(i) => Some(&i.ident),
            Type(i) => Some(&i.ident),
            Struct(i) => {
                self.attributes(&i.attrs, i);
                Some(&i.ident)
            }
            Enum(i) => {
                self.attributes(&i.attrs, i);
                Some(&i.ident)
            }
            Union(i) => Some(&i.ident),
            Macro(i) => i.ident.as_ref(),
            // Parts of the library's traits are called what they are called.
            Impl(i) => {
                let foreign = i.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
                if foreign.is_some_and(|name| !self.traits.contains(&name.ident.to_string())) {
                    for part in &i.items {
                        match part {
                            syn::ImplItem::Fn(part) => drop(self.fixed.insert(part.sig.ident.to_string())),
                            syn::ImplItem::Type(part) => drop(self.fixed.insert(part.ident.to_string())),
                            syn::ImplItem::Const(part) => drop(self.fixed.insert(part.ident.to_string())),
                            _ => {}
                        }
                    }
                }
                None
            }
            _ => None,
        };
        self.declared.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.declared.insert(item.sig.ident.to_string());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.declared.insert(item.ident.to_string());
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.declared.insert(item.sig.ident.to_string());
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.declared
            .extend(field.ident.as_ref().map(ToString::to_string));
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.declared.insert(variant.ident.to_string());
        visit::visit_variant(self, variant);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.declared.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.declared.insert(param.ident.to_string());
        visit::visit_type_param(self, param);
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.declared.insert(rename.rename.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::{Compile, shorten};

    #[test]
    fn own_names_shrink_and_strings_stay() {
        let text = "#[derive(Debug)]\nstruct Shown { field: u8 }\nstruct Hidden { longish: Vec<u8> }\n\
                    impl Hidden { fn len(&self) -> usize { self.longish.len() } fn twice(&self) -> usize { 2 * self.len() } }\n\
                    fn main() { let caught = 1; let hidden = Hidden { longish: vec![3] };\n\
                    println!(\"longish {caught} {} {:?}\", hidden.twice(), Shown { field: 2 }); }\n";
        let compile = Compile {
            edition: 2021,
            flags: vec!["-O".to_owned()],
            ..Compile::default()
        };
        let short = shorten(text, &compile).unwrap();
        assert!(short.len() < text.len() - 20, "{short}");
        for kept in [
            "\"longish {caught} {} {:?}\"",
            "Shown { field: u8 }",
            ".len()",
            "fn len(",
        ] {
            assert!(short.contains(kept), "{kept}: {short}");
        }
        for gone in ["Hidden", "twice", "self.longish"] {
            assert!(!short.contains(gone), "{gone}: {short}");
        }
    }
}
