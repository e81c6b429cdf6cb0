//! Everything in a text that can be cut out, with its byte range.

use super::names::{EXPORTS, PINS, absolute, is_one_of, joined, last_name, needs, of_item, plain, type_path};
use crate::bundle::lex::{Tokens, unraw};
use anyhow::Result;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, TraitItem, UseTree};

mod macros;
pub mod ways;

use ways::{End, Ways};

/// What kind of thing a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Function, type, constant, trait, …
    Item,
    /// `mod x { … }`.
    Module,
    /// `impl X { … }`: goes when all inside is gone.
    Impl,
    /// Part of an inherent impl.
    Method,
    /// `impl T for X { … }`.
    TraitImpl,
    /// Part of a trait impl.
    TraitImplItem,
    /// Part of a trait.
    TraitItem,
    /// One name in `#[derive(…)]`.
    Derive,
    /// The whole `#[derive(…)]`: goes when all inside is gone.
    DeriveList,
    /// A `use` line: goes when all inside is gone.
    Use,
    /// A group in a `use`: goes when all inside is gone.
    UseGroup,
    /// One name in a `use`.
    UseLeaf,
    /// `macro_rules!`.
    Macro,
    /// A macro call where items stand.
    MacroCall,
    /// A function or constant in a macro's body.
    MacroPart,
    /// `const _: () = …;`.
    Assert,
    /// `extern crate`.
    Extern,
    /// Fields and variants: never cut (layout and numbering).
    Solid,
}

/// Something that can be cut out.
#[derive(Clone, Debug)]
pub struct Node {
    /// Kind.
    pub role: Role,
    /// Bytes, with attributes and a list's comma.
    pub range: Range<usize>,
    /// Its name, or a method's, or a derived trait's.
    pub name: String,
    /// Last name of the trait, for impls and what is in them.
    pub of_trait: String,
    /// The trait's own last name where an import has given it another one; empty otherwise.
    pub real_trait: String,
    /// Last name of the self type, for impls and what is in them.
    pub of_type: String,
    /// The node around it.
    pub parent: Option<usize>,
    /// Module it stands in, from the bundle's root: `a::b`.
    pub module: String,
    /// What a `use` leaf imports, or the self type of an impl, as written.
    pub path: String,
    /// The trait of an impl as written.
    pub trait_path: String,
    /// Names in an impl's self type and in its trait's arguments; what a `type` is short for; words of a macro call.
    pub needs: Vec<String>,
    /// A `use` that others see.
    pub public: bool,
    /// What an item is: `fn`, `struct`, `trait`, `type`, …
    pub kind: &'static str,
    /// Nobody needs to name it: the runtime or the linker looks for it.
    pub pinned: bool,
    /// It has a name for the linker: where its crate is linked, assembly or an `extern` block may mean it.
    pub exported: bool,
}

/// All nodes of a text.
#[derive(Debug, Default)]
pub struct Nodes {
    /// In order of their start, outer ones first.
    pub list: Vec<Node>,
    /// Types and traits by full path.
    named: HashMap<String, usize>,
    /// Imports: module and name to what is imported, full.
    pub imports: HashMap<(String, String), String>,
    /// Impls of a type or trait.
    pub impls: HashMap<usize, Vec<usize>>,
    /// What stands in an impl.
    pub parts: HashMap<usize, Vec<usize>>,
    /// Where paths lead.
    pub ways: Ways,
    /// No function of the text is its `main`: a macro makes it.
    is_main_made: bool,
}

impl Node {
    /// True of what is of a trait of that last name, as it is written there or as it is called where it is declared.
    pub fn is_of_trait(&self, name: &str) -> bool {
        self.of_trait == name || self.real_trait == name
    }
}

fn is_main(node: &Node) -> bool {
    node.role == Role::Item && node.kind == "fn" && node.name == "main" && node.module.is_empty()
}

impl Nodes {
    fn index(&mut self) {
        self.ways = Ways::of(&self.list);
        self.is_main_made = !self.list.iter().any(is_main);
        for i in 0..self.list.len() {
            self.list[i].real_trait = self.real_trait(i);
        }
        for (i, node) in self.list.iter().enumerate() {
            if matches!(node.role, Role::Item | Role::Module | Role::MacroCall) && !node.name.is_empty() {
                self.named.insert(joined(&node.module, &node.name), i);
            }
            if node.role == Role::UseLeaf {
                self.imports
                    .insert((node.module.clone(), node.name.clone()), node.path.clone());
            }
        }
    }

    /// True of a program's `main`, or of the call of a macro that may make it.
    pub fn is_main(&self, i: usize) -> bool {
        let node = &self.list[i];
        let is_call = node.role == Role::MacroCall && node.parent.is_none() && node.module.is_empty();
        is_main(node) || (self.is_main_made && is_call)
    }

    /// True of an impl whose type or trait surely is another one than where these lead.
    pub fn is_another(&self, node: &Node, ends: &[Option<End>; 2]) -> bool {
        [&node.path, &node.trait_path]
            .into_iter()
            .zip(ends)
            .any(|(path, end)| {
                let is_other = |end: &End| {
                    self.ways
                        .end(&node.module, path)
                        .is_some_and(|of| !of.is_same(end))
                };
                !path.is_empty() && end.as_ref().is_some_and(is_other)
            })
    }

    /// See [`Node::real_trait`].
    fn real_trait(&self, i: usize) -> String {
        let node = &self.list[i];
        let of = match (node.role, node.parent) {
            (Role::TraitImpl, _) => self.ways.end(&node.module, &node.trait_path),
            (Role::TraitImplItem, Some(of)) => return self.list[of].real_trait.clone(),
            _ => None,
        };
        let name = match &of {
            Some(End::Item(item)) => &self.list[*item].name,
            Some(End::Elsewhere(path)) => path.rsplit("::").next().unwrap_or_default(),
            _ => "",
        };
        if name == node.of_trait {
            String::new()
        } else {
            name.to_owned()
        }
    }

    /// The item a path means inside `module`, as far as plain imports tell.
    pub fn resolve(&self, module: &str, path: &str) -> Option<usize> {
        self.resolve_within(module, path, 6)
    }

    /// The type or trait a path means inside `module`, as far as imports of any kind tell.
    pub fn found(&self, module: &str, path: &str) -> Option<usize> {
        self.resolve(module, path)
            .or_else(|| match self.ways.end(module, path) {
                Some(End::Item(item)) => Some(item),
                _ => None,
            })
    }

    fn resolve_within(&self, module: &str, path: &str, depth: usize) -> Option<usize> {
        if depth == 0 || path.is_empty() {
            return None;
        }
        let full = match absolute(module, path) {
            Some(full) => full,
            None => joined(module, path),
        };
        if let Some(found) = self.named.get(&full) {
            return Some(*found);
        }
        let (first, rest) = match full.strip_prefix(module).map(|r| r.trim_start_matches("::")) {
            Some(inside) => inside.split_once("::").unwrap_or((inside, "")),
            None => (full.as_str(), ""),
        };
        if let Some(import) = self.imports.get(&(module.to_owned(), first.to_owned())) {
            let path = if rest.is_empty() {
                import.clone()
            } else {
                format!("{import}::{rest}")
            };
            if absolute(module, &path).is_none() {
                // `use x::y` where `x` is a module here or at the root.
                return self
                    .named
                    .get(&joined(module, &path))
                    .or_else(|| self.named.get(&path))
                    .copied();
            }
            let full = absolute(module, &path)?;
            if let Some(found) = self.named.get(&full) {
                return Some(*found);
            }
            let (outer, name) = full.rsplit_once("::")?;
            return self.resolve_within(outer, name, depth - 1);
        }
        let (outer, name) = full.rsplit_once("::")?;
        if outer == module {
            return None;
        }
        self.resolve_within(outer, name, depth - 1)
    }

    /// Reads a text that compiles.
    pub fn new(tokens: &Tokens) -> Result<Self> {
        let file = tokens.file()?;
        let mut finder = Finder {
            tokens,
            nodes: Self::default(),
            around: Vec::new(),
            module: Vec::new(),
            public: false,
        };
        finder.visit_file(&file);
        debug_assert!(
            finder.nodes.list.is_sorted_by_key(|node| node.range.start),
            "nodes are in order"
        );
        finder.nodes.index();
        finder.nodes.index_impls();
        Ok(finder.nodes)
    }

    /// Module that the inside of a node belongs to.
    pub fn module_at(&self, node: usize) -> &str {
        &self.list[node].module
    }

    /// The smallest node that holds `span`.
    pub fn at(&self, span: &Range<usize>) -> Option<usize> {
        let after = self.list.partition_point(|node| node.range.start <= span.start);
        let mut node = after.checked_sub(1);
        while let Some(i) = node {
            if span.end <= self.list[i].range.end {
                break;
            }
            node = self.list[i].parent;
        }
        node
    }

    /// Adds the shells that have lost everything inside.
    pub fn with_shells(&self, removed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut removed = removed.clone();
        let mut alive = vec![false; self.list.len()];
        for i in (0..self.list.len()).rev() {
            let node = &self.list[i];
            let shell = matches!(
                node.role,
                Role::Impl | Role::DeriveList | Role::Use | Role::UseGroup
            );
            if shell && !alive[i] {
                removed.insert(i);
            }
            if !removed.contains(&i) {
                if let Some(parent) = node.parent {
                    alive[parent] = true;
                }
            }
        }
        removed
    }

    /// Modules that hold nothing any more.
    pub fn empty_modules(&self, removed: &BTreeSet<usize>) -> BTreeSet<usize> {
        let removed = self.with_shells(removed);
        let mut filled = vec![false; self.list.len()];
        let mut empty = BTreeSet::new();
        for i in (0..self.list.len()).rev() {
            let node = &self.list[i];
            let is_empty = node.role == Role::Module && !filled[i];
            if is_empty && !removed.contains(&i) {
                empty.insert(i);
            }
            if !is_empty && !removed.contains(&i) {
                if let Some(parent) = node.parent {
                    filled[parent] = true;
                }
            }
        }
        empty
    }
}

struct Finder<'a> {
    tokens: &'a Tokens<'a>,
    nodes: Nodes,
    around: Vec<usize>,
    module: Vec<String>,
    public: bool,
}

impl Finder<'_> {
    fn add(&mut self, role: Role, range: Range<usize>, name: &dyn ToString) -> usize {
        let parent = self.around.last().copied();
        let (of_trait, of_type) = match parent.map(|p| &self.nodes.list[p]) {
            Some(p) if matches!(p.role, Role::TraitImpl | Role::Impl) => {
                (p.of_trait.clone(), p.of_type.clone())
            }
            Some(p) if role == Role::TraitItem => (p.name.clone(), String::new()),
            _ => Default::default(),
        };
        self.nodes.list.push(Node {
            role,
            range,
            name: unraw(&name.to_string()).to_owned(),
            of_trait,
            real_trait: String::new(),
            of_type,
            parent,
            module: self.module.join("::"),
            path: String::new(),
            trait_path: String::new(),
            needs: Vec::new(),
            public: self.public,
            kind: "",
            pinned: false,
            exported: false,
        });
        self.nodes.list.len() - 1
    }

    fn inside(&mut self, node: usize, work: impl FnOnce(&mut Self)) {
        self.around.push(node);
        work(self);
        self.around.pop();
    }

    /// With the comma behind it.
    fn in_list(&self, mut range: Range<usize>) -> Range<usize> {
        let next = self.tokens.from(range.end);
        if self.tokens.at(next as isize) == "," {
            range.end = self.tokens.list[next].range.end;
        }
        range
    }

    fn derives(&mut self, attrs: &[syn::Attribute], of_type: &syn::Ident) {
        for attr in attrs.iter().filter(|a| a.path().is_ident("derive")) {
            let list = self.add(Role::DeriveList, attr.span().byte_range(), &"derive");
            self.nodes.list[list].of_type = of_type.to_string();
            let mut names = Vec::new();
            let _ = attr.parse_nested_meta(|meta| {
                names.push((
                    meta.path.span().byte_range(),
                    meta.path.segments.last().map(|s| s.ident.to_string()),
                ));
                Ok(())
            });
            for (range, name) in names {
                let range = self.in_list(range);
                self.around.push(list);
                let node = self.add(Role::Derive, range, &name.unwrap_or_default());
                self.around.pop();
                let name = self.nodes.list[node].name.clone();
                self.nodes.list[node].of_trait = name;
                self.nodes.list[node].of_type = of_type.to_string();
            }
        }
    }

    fn use_tree(&mut self, tree: &UseTree, prefix: &str) {
        let mut prefix = prefix.to_owned();
        let mut below = tree;
        while let UseTree::Path(path) = below {
            prefix = joined(&prefix, &path.ident.unraw().to_string());
            below = &path.tree;
        }
        let range = self.in_list(tree.span().byte_range());
        let (name, last) = match below {
            UseTree::Group(group) => {
                let node = self.add(Role::UseGroup, range, &"");
                self.inside(node, |s| group.items.iter().for_each(|t| s.use_tree(t, &prefix)));
                return;
            }
            UseTree::Name(name) if name.ident == "self" => {
                let last = prefix.rsplit("::").next().unwrap_or_default().to_owned();
                (last, String::new())
            }
            UseTree::Name(name) => (name.ident.unraw().to_string(), name.ident.unraw().to_string()),
            UseTree::Rename(rename) => (
                rename.rename.unraw().to_string(),
                rename.ident.unraw().to_string(),
            ),
            _ => ("*".to_owned(), "*".to_owned()),
        };
        let node = self.add(Role::UseLeaf, range, &name);
        self.nodes.list[node].path = if last.is_empty() {
            prefix
        } else {
            joined(&prefix, &last)
        };
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let range = of_item(item);
        match item {
            Item::Mod(i) => {
                let node = self.add(Role::Module, range, &i.ident);
                self.module.push(i.ident.unraw().to_string());
                self.inside(node, |s| visit::visit_item_mod(s, i));
                self.module.pop();
            }
            Item::Impl(i) => {
                let of_trait = i.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
                let role = if of_trait.is_some() {
                    Role::TraitImpl
                } else {
                    Role::Impl
                };
                let node = self.add(role, range, &"");
                self.nodes.list[node].of_trait =
                    of_trait.map_or(String::new(), |s| s.ident.unraw().to_string());
                self.nodes.list[node].of_type = last_name(&i.self_ty);
                self.nodes.list[node].path = type_path(&i.self_ty);
                self.nodes.list[node].trait_path = i.trait_.as_ref().map_or(String::new(), |t| plain(&t.1));
                self.nodes.list[node].needs = needs(i);
                self.inside(node, |s| i.items.iter().for_each(|item| s.visit_impl_item(item)));
            }
            Item::Use(i) => {
                self.public = !matches!(i.vis, syn::Visibility::Inherited);
                let node = self.add(Role::Use, range, &"");
                self.inside(node, |s| s.use_tree(&i.tree, ""));
                self.public = false;
            }
            Item::Trait(i) => {
                let node = self.add(Role::Item, range, &i.ident);
                self.nodes.list[node].kind = "trait";
                self.inside(node, |s| visit::visit_item_trait(s, i));
            }
            Item::Struct(i) => {
                let node = self.add(Role::Item, range, &i.ident);
                self.nodes.list[node].kind = "struct";
                self.inside(node, |s| {
                    s.derives(&i.attrs, &i.ident);
                    visit::visit_item_struct(s, i);
                });
            }
            Item::Enum(i) => {
                let node = self.add(Role::Item, range, &i.ident);
                self.nodes.list[node].kind = "enum";
                self.inside(node, |s| {
                    s.derives(&i.attrs, &i.ident);
                    visit::visit_item_enum(s, i);
                });
            }
            Item::Macro(i) => {
                if let Some(ident) = &i.ident {
                    let node = self.add(Role::Macro, range.clone(), ident);
                    self.inside(node, |s| s.macro_bodies(&range));
                    let parts = &mut self.nodes.list[node + 1..];
                    parts.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
                } else {
                    let name = self.made_by(&range);
                    self.macro_call(range, &name);
                }
            }
            Item::Const(i) if i.ident == "_" => {
                let node = self.add(Role::Assert, range, &"_");
                self.inside(node, |s| s.asserted(i));
            }
            Item::ExternCrate(i) => {
                // By what errors call it that miss it.
                let named = i.rename.as_ref().map_or(&i.ident, |(_, name)| name);
                self.add(Role::Extern, range, named);
            }
            Item::ForeignMod(i) => {
                let node = self.add(Role::Impl, range, &"");
                self.nodes.list[node].kind = "extern";
                self.inside(node, |s| i.items.iter().for_each(|item| s.foreign(item)));
            }
            item => {
                let (kind, name) = match item {
                    Item::Const(i) => ("const", i.ident.to_string()),
                    Item::Fn(i) => ("fn", i.sig.ident.to_string()),
                    Item::Static(i) => ("static", i.ident.to_string()),
                    Item::Type(i) => ("type", i.ident.to_string()),
                    Item::Union(i) => ("union", i.ident.to_string()),
                    Item::TraitAlias(i) => ("trait", i.ident.to_string()),
                    _ => ("", String::new()),
                };
                let node = self.add(Role::Item, range, &name);
                self.nodes.list[node].kind = kind;
                if let Item::Static(syn::ItemStatic { attrs, .. }) | Item::Fn(syn::ItemFn { attrs, .. }) =
                    item
                {
                    self.nodes.list[node].pinned = attrs.iter().any(|a| is_one_of(a, &PINS));
                    self.nodes.list[node].exported = attrs.iter().any(|a| is_one_of(a, &EXPORTS));
                }
                if let Item::Type(i) = item {
                    self.nodes.list[node].needs = vec![last_name(&i.ty)];
                }
                self.inside(node, |s| visit::visit_item(s, item));
            }
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let name = match item {
            ImplItem::Const(i) => i.ident.to_string(),
            ImplItem::Fn(i) => i.sig.ident.to_string(),
            ImplItem::Type(i) => i.ident.to_string(),
            _ => String::new(),
        };
        let parent = self.around.last().map(|p| self.nodes.list[*p].role);
        let role = match (parent, item) {
            (_, ImplItem::Macro(_)) => Role::MacroCall,
            (Some(Role::TraitImpl), _) => Role::TraitImplItem,
            _ => Role::Method,
        };
        let node = self.add(role, item.span().byte_range(), &name);
        if matches!(item, ImplItem::Fn(_)) {
            self.nodes.list[node].kind = "fn";
        }
        self.inside(node, |s| visit::visit_impl_item(s, item));
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let name = match item {
            TraitItem::Const(i) => i.ident.to_string(),
            TraitItem::Fn(i) => i.sig.ident.to_string(),
            TraitItem::Type(i) => i.ident.to_string(),
            _ => String::new(),
        };
        let node = self.add(Role::TraitItem, item.span().byte_range(), &name);
        if matches!(item, TraitItem::Fn(_)) {
            self.nodes.list[node].kind = "fn";
        }
        self.inside(node, |s| visit::visit_trait_item(s, item));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.add(Role::Solid, field.span().byte_range(), &"");
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.add(Role::Solid, variant.span().byte_range(), &"");
    }
}

impl Finder<'_> {
    /// A function or static of an `extern` block.
    fn foreign(&mut self, item: &syn::ForeignItem) {
        let name = match item {
            syn::ForeignItem::Fn(i) => i.sig.ident.to_string(),
            syn::ForeignItem::Static(i) => i.ident.to_string(),
            syn::ForeignItem::Type(i) => i.ident.to_string(),
            _ => String::new(),
        };
        let node = self.add(Role::Item, item.span().byte_range(), &name);
        self.nodes.list[node].kind = "foreign";
    }
}
