//! Where a file calls macros: items, statements, expressions, parts of traits and impls.

use super::{Configure, Finder, Rules, Written, attributes, rules, together};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item};

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if self.on_item(item) {
            return;
        }
        if let Item::Macro(call) = item {
            if let Some(ident) = &call.ident {
                self.in_rules = true;
                self.functions.push(format!("{ident}!"));
                let calls_one = self.inside(call.mac.tokens.clone());
                self.functions.pop();
                self.in_rules = false;
                if calls_one || rules::is_open(call.mac.tokens.clone()) {
                    if let Some(rules) = Rules::new(call.mac.tokens.clone()) {
                        self.expander.rules.insert((self.krate, ident.to_string()), rules);
                    }
                }
                return;
            }
            let made = self.by_rules(&call.mac.path, &call.mac.tokens);
            let made = made.map(|text| under(&call.attrs, text));
            if let Some(text) = made.or_else(|| self.bang(&call.mac, true)) {
                self.edits.replace(item.span().byte_range(), text);
            }
            return;
        }
        if let Item::Verbatim(tokens) = item {
            self.unparsed(tokens);
        }
        visit::visit_item(self, item);
    }

    fn visit_stmt_macro(&mut self, call: &'ast syn::StmtMacro) {
        let made = self.bang(&call.mac, true);
        let Some(text) = made.or_else(|| self.by_rules(&call.mac.path, &call.mac.tokens)) else {
            let _ = self.inside(call.mac.tokens.clone());
            return;
        };
        let text = match (syn::parse_str::<syn::Expr>(&text), call.semi_token) {
            (Ok(_), Some(_)) => text + ";",
            // The semicolon is that of the last statement.
            (Err(_), Some(_)) if ends_open(&text) => text + ";",
            // A call in braces ends by itself, and so does a block.
            (Ok(_), None) if matches!(call.mac.delimiter, syn::MacroDelimiter::Brace(_)) => {
                format!("{{ {text} }}")
            }
            _ => text,
        };
        self.edits.replace(call.span().byte_range(), text);
    }

    fn visit_trait_item_macro(&mut self, call: &'ast syn::TraitItemMacro) {
        self.part(&call.mac, call.span().byte_range());
    }

    fn visit_impl_item_macro(&mut self, call: &'ast syn::ImplItemMacro) {
        self.part(&call.mac, call.span().byte_range());
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let made = self.bang(mac, false);
        let made = made.or_else(|| self.by_rules(&mac.path, &mac.tokens).map(|text| together(&text)));
        match made {
            Some(text) => self.edits.replace(mac.span().byte_range(), text),
            None => drop(self.inside(mac.tokens.clone())),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        if !self.on_part(item, attributes::of_impl_item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        if !self.on_part(item, attributes::of_trait_item) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.functions.push(item.sig.ident.to_string());
        visit::visit_impl_item_fn(self, item);
        self.functions.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.functions.push(item.sig.ident.to_string());
        visit::visit_item_fn(self, item);
        self.functions.pop();
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.functions.push(item.sig.ident.to_string());
        visit::visit_trait_item_fn(self, item);
        self.functions.pop();
    }
}

impl Finder<'_> {
    /// The first attribute macro on a part of a trait or an impl, in its place. `true` if there was one.
    fn on_part<T: Clone + ToTokens>(
        &mut self,
        part: &T,
        attributes_of: fn(&mut T) -> Option<&mut Vec<Attribute>>,
    ) -> bool {
        let known = self.project.crates[self.krate].known.clone();
        let mut bare = part.clone();
        let Some(attrs) = attributes_of(&mut bare) else {
            return false;
        };
        if attrs.is_empty() || !known.is_on(attrs) {
            return false;
        }
        Configure(&known).visit_attributes_mut(attrs);
        let Some((of, args, gone)) = self.first_of(attrs) else {
            return false;
        };
        let range = part.span().byte_range();
        let written = Written::item(self.text, range.clone(), &[gone], Some(&args));
        let text = self.run(&of, written, bare.to_token_stream(), Some(args));
        self.edits.replace(range, text);
        true
    }
}

/// Items, each under the `cfg`s of the call that made them.
fn under(attrs: &[Attribute], text: String) -> String {
    let cfgs: Vec<_> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    match syn::parse_file(&text) {
        Ok(file) if !cfgs.is_empty() => {
            let items = file.items.iter().map(|item| quote::quote!(#(#cfgs)* #item));
            items.collect::<TokenStream>().to_string()
        }
        _ => text,
    }
}

/// True of statements of which the last has no semicolon that it could have.
fn ends_open(text: &str) -> bool {
    let block = syn::parse_str::<syn::Block>(&format!("{{ {text} }}"));
    block.is_ok_and(|block| match block.stmts.last() {
        Some(syn::Stmt::Expr(_, semicolon)) => semicolon.is_none(),
        Some(syn::Stmt::Macro(last)) => last.semi_token.is_none(),
        _ => false,
    })
}

/// The path that ends with tree `n`, and where it starts.
pub fn path_to(trees: &[TokenTree], n: usize) -> (usize, syn::Path) {
    let colon = |k: usize| matches!(&trees[k], TokenTree::Punct(punct) if punct.as_char() == ':');
    let mut first = n;
    while first >= 3 && colon(first - 1) && colon(first - 2) {
        if !matches!(trees[first - 3], TokenTree::Ident(_)) {
            break;
        }
        first -= 3;
    }
    let segments = trees[first..=n].iter().filter_map(|tree| match tree {
        TokenTree::Ident(name) => Some(syn::PathSegment::from(name.clone())),
        _ => None,
    });
    let path = syn::Path {
        leading_colon: None,
        segments: segments.collect(),
    };
    // `$crate::x!`
    let is_dollar = |k: &usize| matches!(&trees[*k], TokenTree::Punct(punct) if punct.as_char() == '$');
    let start = first.checked_sub(1).filter(is_dollar).unwrap_or(first);
    (trees[start].span().byte_range().start, path)
}

/// True if there is a `$x` in it.
pub fn has_parameters(stream: TokenStream) -> bool {
    stream.into_iter().any(|tree| match tree {
        TokenTree::Punct(punct) => punct.as_char() == '$',
        TokenTree::Group(group) => has_parameters(group.stream()),
        _ => false,
    })
}
