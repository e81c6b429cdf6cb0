//! What a macro makes, laid out: where the printer can print it, as it ends the program at what it does not know.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::Item;
use syn::visit::{self, Visit};

/// Laid out, if the text is a list of items that can be.
pub fn pretty(text: String) -> String {
    let Ok(file) = syn::parse_file(&text) else {
        return text;
    };
    let mut strange = Strange(false);
    strange.visit_file(&file);
    if strange.0 {
        return text;
    }
    prettyplease::unparse(&file)
}

/// Finds what has no syntax tree (a function without a body that belongs into a trait, `safe fn`), and macros by rules that
/// are none.
struct Strange(bool);

impl<'ast> Visit<'ast> for Strange {
    fn visit_item(&mut self, item: &'ast Item) {
        self.0 |= matches!(item, Item::Verbatim(_));
        visit::visit_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        self.0 |= matches!(item, syn::TraitItem::Verbatim(_));
        visit::visit_trait_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        self.0 |= matches!(item, syn::ImplItem::Verbatim(_));
        visit::visit_impl_item(self, item);
    }

    fn visit_foreign_item(&mut self, item: &'ast syn::ForeignItem) {
        self.0 |= matches!(item, syn::ForeignItem::Verbatim(_));
        visit::visit_foreign_item(self, item);
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        self.0 |= matches!(expr, syn::Expr::Verbatim(_));
        visit::visit_expr(self, expr);
    }

    fn visit_type(&mut self, of: &'ast syn::Type) {
        self.0 |= matches!(of, syn::Type::Verbatim(_));
        visit::visit_type(self, of);
    }

    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        self.0 |= matches!(pat, syn::Pat::Verbatim(_));
        visit::visit_pat(self, pat);
    }

    fn visit_type_param_bound(&mut self, bound: &'ast syn::TypeParamBound) {
        self.0 |= matches!(bound, syn::TypeParamBound::Verbatim(_));
        visit::visit_type_param_bound(self, bound);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        self.0 |= item.ident.is_some() && !are_rules(item.mac.tokens.clone());
        visit::visit_item_macro(self, item);
    }
}

/// True of `(…) => { … }; …`, with the signs as the printer asks for them.
fn are_rules(stream: TokenStream) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is_sign = |tree: &TokenTree, sign: char, spacing: Spacing| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign && punct.spacing() == spacing);
    let is_rule = |rule: &[TokenTree]| {
        let [
            TokenTree::Group(_),
            equals,
            greater,
            TokenTree::Group(_),
            rest @ ..,
        ] = rule
        else {
            return false;
        };
        let ends = rest.iter().all(|sign| is_sign(sign, ';', Spacing::Alone));
        is_sign(equals, '=', Spacing::Joint) && is_sign(greater, '>', Spacing::Alone) && ends
    };
    trees.chunks(5).all(is_rule)
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn what_cannot_be_laid_out_stands_as_it_is() {
        for text in [
            "unsafe extern \"C\" { safe fn f(x: u8) -> u8; }",
            "macro_rules! m { () => $body }",
            "macro_rules! m { () => { 1 } ;; () => { 2 } }",
            "impl A { fn f(); }",
        ] {
            assert_eq!(pretty(text.to_owned()), text);
        }
        for text in [
            "macro_rules!m{(a)=>{1};(b)=>{2}}",
            "fn f<'a>(x: &'a u8) -> impl Fn() + use<'a> { g }",
        ] {
            assert_ne!(pretty(text.to_owned()), text);
        }
    }
}
