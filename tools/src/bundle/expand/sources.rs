//! The `macro_rules` of a crate that say only when they are called what they mean: which file they include, what a
//! procedural macro is given, of which crate they name the variables, which macros they export.
//!
//! Read off the sources, by names alone: macros may be called before the file is read that has them. What is declared
//! twice in different words is left to the files that are gone through.

use super::attributes::{BUILT_IN, STANDARD};
use super::rules::{self, Rules};
use super::{MacroKind, has_parameters};
use crate::bundle::cfg::{Answer, Known, split};
use crate::bundle::docs;
use crate::bundle::project::Crate;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The compiler's macros that look for a file beside the call.
const INCLUDE: [&str; 3] = ["include", "include_bytes", "include_str"];
/// Those that ask what the crate of the call is.
const ENV: [&str; 2] = ["env", "option_env"];

/// One macro.
struct Declared {
    name: String,
    rules: TokenStream,
    is_exported: bool,
}

/// What all macros of a crate are called, and the rules of those that are declared in one way.
pub type Names = HashMap<String, Option<TokenStream>>;

/// Those of `krate`, all its macros, and which of these it exports; `is_macro` tells names of procedural macros.
pub fn of(
    krate: &Crate,
    is_macro: &dyn Fn(MacroKind, &str) -> bool,
) -> (HashMap<String, Rules>, Names, BTreeSet<String>) {
    let mut all = Vec::new();
    read(
        krate.root.parent().unwrap_or(Path::new("")),
        &krate.known,
        &mut all,
    );
    let mut names = Names::new();
    for declared in &all {
        // Told apart as text, which is made only where a name comes again.
        let text = |rules: &TokenStream| rules.to_string();
        let known = names.get_mut(&declared.name);
        match known {
            None => drop(names.insert(declared.name.clone(), Some(declared.rules.clone()))),
            Some(known) if known.as_ref().map(text) != Some(text(&declared.rules)) => *known = None,
            Some(_) => {}
        }
    }
    let is_exported = |declared: &&Declared| declared.is_exported;
    let exported = all
        .iter()
        .filter(is_exported)
        .map(|declared| declared.name.clone());
    let exported = exported.collect();
    let mut waiting: BTreeSet<String> = BTreeSet::new();
    loop {
        let before = waiting.len();
        for declared in &all {
            let asks = |name: &str, has_parameters: bool| {
                INCLUDE.contains(&name)
                    || declared.is_exported && ENV.contains(&name)
                    || has_parameters && (waiting.contains(name) || is_macro(MacroKind::Bang, name))
            };
            if rules::is_open(declared.rules.clone()) || calls(declared.rules.clone(), &asks, is_macro) {
                waiting.insert(declared.name.clone());
            }
        }
        if waiting.len() == before {
            break;
        }
    }
    let mut found: HashMap<String, Option<Rules>> = HashMap::new();
    for declared in all
        .into_iter()
        .filter(|declared| waiting.contains(&declared.name))
    {
        let rules = Rules::new(declared.rules);
        let known = found.entry(declared.name).or_insert_with(|| rules.clone());
        if *known != rules {
            *known = None;
        }
    }
    let found = found.into_iter();
    let rules = found.filter_map(|(name, rules)| Some((name, rules?))).collect();
    (rules, names, exported)
}

/// Adds the macros in the sources of a folder.
fn read(dir: &Path, known: &Known, all: &mut Vec<Declared>) {
    for_each_source(dir, &mut |text| {
        if text.contains("macro_rules") || text.contains("proc_macro_hack") {
            let text = docs::spelled(text.to_owned());
            add(text.parse().unwrap_or_default(), known, all);
        }
    });
}

/// Reads the sources of a folder and of those in it, in order.
pub fn for_each_source(dir: &Path, with: &mut dyn FnMut(&str)) {
    let list = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = list.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.ends_with("target") {
            for_each_source(&path, with);
        } else if path.extension().is_some_and(|end| end == "rs") {
            with(&fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

fn add(stream: TokenStream, known: &Known, all: &mut Vec<Declared>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    // Attributes in front of tree `n`, nearest first.
    let attributes = |mut n: usize| {
        let mut list = Vec::new();
        while n >= 2 {
            let (TokenTree::Punct(hash), TokenTree::Group(group)) = (&trees[n - 2], &trees[n - 1]) else {
                break;
            };
            if hash.as_char() != '#' {
                break;
            }
            list.push(group.stream());
            n -= 2;
        }
        list
    };
    let is_off = |n: usize| {
        let mut attributes = attributes(n).into_iter();
        attributes.any(|attribute| known.forbids(attribute))
    };
    for (n, tree) in trees.iter().enumerate() {
        if matches!(tree, TokenTree::Ident(word) if word == "use") {
            // A `pub` may stand between.
            let first =
                n - usize::from(matches!(trees[..n].last(), Some(TokenTree::Ident(word)) if word == "pub"));
            if !is_off(first) && attributes(first).into_iter().any(|of| is_hack(of, known)) {
                let is_end =
                    |tree: &&TokenTree| !matches!(tree, TokenTree::Punct(end) if end.as_char() == ';');
                let path = trees[n + 1..].iter().take_while(is_end).cloned().collect();
                all.extend(syn::parse2(path).map_or(Vec::new(), |path| hacked(&path, first < n)));
            }
        }
        match (tree, trees.get(n + 2), trees.get(n + 3)) {
            (TokenTree::Ident(word), Some(TokenTree::Ident(name)), Some(TokenTree::Group(rules)))
                if word == "macro_rules" =>
            {
                let attributes = attributes(n);
                if !is_off(n) {
                    let exports = |attribute: &TokenStream| attribute.to_string().starts_with("macro_export");
                    all.push(Declared {
                        name: name.to_string(),
                        rules: rules.stream(),
                        is_exported: attributes.iter().any(exports),
                    });
                }
            }
            // What is inside a call, `doc! { macro_rules! … }`, or a module.
            (TokenTree::Group(group), ..) if !is_off(n.saturating_sub(2)) => {
                add(group.stream(), known, all);
            }
            _ => {}
        }
    }
}

/// True if an attribute, without its brackets, is `proc_macro_hack` by which a call is what an enum's derive makes of it.
fn is_hack(attribute: TokenStream, known: &Known) -> bool {
    match syn::parse2::<syn::Meta>(attribute) {
        Ok(syn::Meta::List(list)) if list.path.is_ident("cfg_attr") => {
            let mut parts = split(list.tokens).into_iter();
            let holds = parts.next().is_some_and(|when| known.answer(when) != Answer::No);
            holds && parts.any(|part| is_hack(part, known))
        }
        // Where calls may stand in each other the enum says how deep; where only old compilers need it there is none.
        Ok(meta)
            if meta
                .path()
                .segments
                .last()
                .is_some_and(|last| last.ident == "proc_macro_hack") =>
        {
            let said = meta
                .require_list()
                .map_or(String::new(), |list| list.tokens.to_string());
            !["support_nested", "internal_macro_calls", "only_hack_old_rustc"]
                .iter()
                .any(|word| said.contains(word))
        }
        _ => false,
    }
}

/// The macros that `#[proc_macro_hack] use path;` makes: each call is a block in which an enum of its tokens derives the macro
/// whose call is the block's value.
fn hacked(path: &syn::UseTree, is_exported: bool) -> Vec<Declared> {
    match path {
        syn::UseTree::Path(path) => hacked(&path.tree, is_exported),
        syn::UseTree::Group(group) => group
            .items
            .iter()
            .flat_map(|path| hacked(path, is_exported))
            .collect(),
        syn::UseTree::Name(syn::UseName { ident: old })
        | syn::UseTree::Rename(syn::UseRename { ident: old, .. }) => {
            let derive = quote::format_ident!("_proc_macro_hack_{old}");
            let name = match path {
                syn::UseTree::Rename(path) => &path.rename,
                _ => old,
            };
            vec![Declared {
                name: name.to_string(),
                rules: quote::quote! {
                    ($($proc_macro:tt)*) => {{
                        #[derive($crate::#derive)]
                        #[allow(dead_code)]
                        enum ProcMacroHack { Value = (stringify! { $($proc_macro)* }, 0).1, }
                        proc_macro_call!()
                    }}
                },
                is_exported,
            }]
        }
        syn::UseTree::Glob(_) => Vec::new(),
    }
}

/// True if a call in there `asks`, by name and whether it has parameters of the macro around it, or there is a derive or an
/// attribute of a procedural macro.
fn calls(
    stream: TokenStream,
    asks: &dyn Fn(&str, bool) -> bool,
    is_macro: &dyn Fn(MacroKind, &str) -> bool,
) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is = |n: usize, c: char| matches!(trees.get(n), Some(TokenTree::Punct(p)) if p.as_char() == c);
    trees
        .iter()
        .enumerate()
        .any(|(n, tree)| match (tree, trees.get(n + 1), trees.get(n + 2)) {
            (TokenTree::Ident(name), _, Some(TokenTree::Group(args))) if is(n + 1, '!') => {
                asks(&name.to_string(), has_parameters(args.stream())) || calls(args.stream(), asks, is_macro)
            }
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute)), _) if hash.as_char() == '#' => {
                is_procedural(attribute.stream(), is_macro)
            }
            (TokenTree::Group(group), ..) => calls(group.stream(), asks, is_macro),
            _ => false,
        })
}

/// True if an attribute, without its brackets, is a procedural macro's or derives one.
fn is_procedural(attribute: TokenStream, is_macro: &dyn Fn(MacroKind, &str) -> bool) -> bool {
    let trees: Vec<TokenTree> = attribute.into_iter().collect();
    let path: Vec<String> = trees
        .iter()
        .map_while(|tree| match tree {
            TokenTree::Ident(word) => Some(word.to_string()),
            TokenTree::Punct(colon) if colon.as_char() == ':' => Some(String::new()),
            _ => None,
        })
        .filter(|word| !word.is_empty())
        .collect();
    match (path.as_slice(), trees.last()) {
        ([derive], Some(TokenTree::Group(list))) if derive == "derive" => {
            split(list.stream()).into_iter().any(|of| {
                let words: Vec<String> = of.into_iter().map(|tree| tree.to_string()).collect();
                let name = words.last().map_or("", String::as_str);
                let is_standard = words.len() == 1 && STANDARD.contains(&name);
                !is_standard && is_macro(MacroKind::Derive, name)
            })
        }
        // On a condition: whether it holds is seen where the macro is called.
        ([name], Some(TokenTree::Group(list))) if name == "cfg_attr" => {
            let mut attributes = split(list.stream()).into_iter().skip(1);
            attributes.any(|attribute| is_procedural(attribute, is_macro))
        }
        ([name], _) if BUILT_IN.contains(&name.as_str()) => false,
        ([.., name], _) => is_macro(MacroKind::Attribute, name),
        _ => false,
    }
}
