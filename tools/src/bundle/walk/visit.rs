//! Where the pass stops on its way through the syntax tree: everything that can carry a `cfg`, every path and
//! every macro call.

use super::Walk;
use super::names::attributes;
use super::scope::start;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if self.error.is_some() || self.gate(attributes(item), item, false) {
            return;
        }
        let result = match item {
            Item::Mod(module) => {
                self.module(module);
                return;
            }
            Item::ExternCrate(item) => self.extern_crate(item),
            Item::Use(item) => {
                // A crate is a private module now, so it cannot be re-exported further than that.
                if let Visibility::Public(vis) = &item.vis {
                    if self.is_of_crates(&item.tree) {
                        self.found.edits.replace(vis.span.byte_range(), "pub(crate)");
                    }
                }
                if let (Some(colons), UseTree::Group(_)) = (&item.leading_colon, &item.tree) {
                    // `use ::{a, b};`: some of them will be modules of the bundle.
                    self.found.edits.remove(colons.span().byte_range());
                }
                self.use_tree(&item.tree, item.leading_colon.is_some())
            }
            Item::Macro(item) => self.macro_item(item),
            _ => Ok(()),
        };
        if let Err(error) = result {
            self.note(error, item.span().byte_range().start);
            return;
        }
        visit::visit_item(self, item);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let span = mac.delimiter.span();
        self.found
            .opaque
            .push(span.open().byte_range().start..span.close().byte_range().end);
        self.rescope_arguments(mac);
        self.rescope_rules(mac);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attrs: &[Attribute] = match item {
            syn::ImplItem::Const(i) => &i.attrs,
            syn::ImplItem::Fn(i) => &i.attrs,
            syn::ImplItem::Type(i) => &i.attrs,
            syn::ImplItem::Macro(i) => &i.attrs,
            _ => &[],
        };
        if !self.gate(attrs, item, false) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        let attrs: &[Attribute] = match item {
            syn::TraitItem::Const(i) => &i.attrs,
            syn::TraitItem::Fn(i) => &i.attrs,
            syn::TraitItem::Type(i) => &i.attrs,
            syn::TraitItem::Macro(i) => &i.attrs,
            _ => &[],
        };
        if !self.gate(attrs, item, false) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_foreign_item(&mut self, item: &'ast syn::ForeignItem) {
        let attrs: &[Attribute] = match item {
            syn::ForeignItem::Fn(i) => &i.attrs,
            syn::ForeignItem::Static(i) => &i.attrs,
            syn::ForeignItem::Type(i) => &i.attrs,
            _ => &[],
        };
        if !self.gate(attrs, item, false) {
            visit::visit_foreign_item(self, item);
        }
    }

    fn visit_field(&mut self, node: &'ast syn::Field) {
        if !self.gate(&node.attrs, node, true) {
            visit::visit_field(self, node);
        }
    }

    fn visit_variant(&mut self, node: &'ast syn::Variant) {
        if !self.gate(&node.attrs, node, true) {
            visit::visit_variant(self, node);
        }
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        if !self.gate(&node.attrs, node, true) {
            visit::visit_arm(self, node);
        }
    }

    fn visit_field_value(&mut self, node: &'ast syn::FieldValue) {
        if !self.gate(&node.attrs, node, true) {
            visit::visit_field_value(self, node);
        }
    }

    fn visit_field_pat(&mut self, node: &'ast syn::FieldPat) {
        if !self.gate(&node.attrs, node, true) {
            visit::visit_field_pat(self, node);
        }
    }

    fn visit_fn_arg(&mut self, node: &'ast syn::FnArg) {
        let attrs = match node {
            syn::FnArg::Receiver(r) => &r.attrs,
            syn::FnArg::Typed(t) => &t.attrs,
        };
        if !self.gate(attrs, node, true) {
            visit::visit_fn_arg(self, node);
        }
    }

    fn visit_generic_param(&mut self, node: &'ast syn::GenericParam) {
        let attrs = match node {
            syn::GenericParam::Lifetime(p) => &p.attrs,
            syn::GenericParam::Type(p) => &p.attrs,
            syn::GenericParam::Const(p) => &p.attrs,
        };
        if !self.gate(attrs, node, true) {
            visit::visit_generic_param(self, node);
        }
    }

    fn visit_expr_closure(&mut self, node: &'ast syn::ExprClosure) {
        for input in &node.inputs {
            let attrs: &[Attribute] = match input {
                syn::Pat::Ident(p) => &p.attrs,
                syn::Pat::Reference(p) => &p.attrs,
                syn::Pat::Struct(p) => &p.attrs,
                syn::Pat::Tuple(p) => &p.attrs,
                syn::Pat::TupleStruct(p) => &p.attrs,
                syn::Pat::Type(p) => &p.attrs,
                syn::Pat::Wild(p) => &p.attrs,
                _ => &[],
            };
            self.gate(attrs, input, true);
        }
        if let syn::Expr::Block(of) = &*node.body {
            self.bodies.insert(start(&of.block));
        }
        visit::visit_expr_closure(self, node);
    }

    fn visit_bare_fn_arg(&mut self, node: &'ast syn::BareFnArg) {
        if !self.gate(&node.attrs, node, true) {
            visit::visit_bare_fn_arg(self, node);
        }
    }

    fn visit_local(&mut self, node: &'ast syn::Local) {
        if !self.gate(&node.attrs, node, false) {
            visit::visit_local(self, node);
        }
    }

    fn visit_stmt_macro(&mut self, node: &'ast syn::StmtMacro) {
        if !self.gate(&node.attrs, node, false) {
            visit::visit_stmt_macro(self, node);
        }
    }

    fn visit_expr(&mut self, node: &'ast syn::Expr) {
        let attrs: &[Attribute] = match node {
            syn::Expr::Block(e) => &e.attrs,
            syn::Expr::Call(e) => &e.attrs,
            syn::Expr::ForLoop(e) => &e.attrs,
            syn::Expr::If(e) => &e.attrs,
            syn::Expr::Lit(e) => &e.attrs,
            syn::Expr::Loop(e) => &e.attrs,
            syn::Expr::Macro(e) => &e.attrs,
            syn::Expr::Match(e) => &e.attrs,
            syn::Expr::MethodCall(e) => &e.attrs,
            syn::Expr::Path(e) => &e.attrs,
            syn::Expr::Return(e) => &e.attrs,
            syn::Expr::Struct(e) => &e.attrs,
            syn::Expr::Tuple(e) => &e.attrs,
            syn::Expr::Unsafe(e) => &e.attrs,
            syn::Expr::While(e) => &e.attrs,
            syn::Expr::Assign(e) => &e.attrs,
            syn::Expr::Binary(e) => &e.attrs,
            syn::Expr::Array(e) => &e.attrs,
            syn::Expr::Await(e) => &e.attrs,
            syn::Expr::Break(e) => &e.attrs,
            syn::Expr::Cast(e) => &e.attrs,
            syn::Expr::Closure(e) => &e.attrs,
            syn::Expr::Continue(e) => &e.attrs,
            syn::Expr::Field(e) => &e.attrs,
            syn::Expr::Index(e) => &e.attrs,
            syn::Expr::Paren(e) => &e.attrs,
            syn::Expr::Range(e) => &e.attrs,
            syn::Expr::Reference(e) => &e.attrs,
            syn::Expr::Repeat(e) => &e.attrs,
            syn::Expr::Try(e) => &e.attrs,
            syn::Expr::Unary(e) => &e.attrs,
            _ => &[],
        };
        // In a list the comma goes with its element; a statement's `;` may stay.
        if !self.gate(attrs, node, true) {
            self.rescope(node);
            visit::visit_expr(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.bodies.insert(start(&node.block));
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.bodies.insert(start(&node.block));
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        self.bodies.extend(node.default.as_ref().map(start));
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.tail(block);
        visit::visit_block(self, block);
    }
}
