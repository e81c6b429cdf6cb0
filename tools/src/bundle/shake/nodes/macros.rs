//! What macros hold that can be cut out, and their calls.

use super::{Finder, Role};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

impl Finder<'_> {
    /// What stands in `const _: () = …;`. Calls of macros that are statements of it may each make an impl: what one makes
    /// need not be what another makes.
    pub(super) fn asserted(&mut self, item: &syn::ItemConst) {
        let block = match &*item.expr {
            Expr::Block(of) if of.label.is_none() => &of.block,
            Expr::Unsafe(of) => &of.block,
            _ => return visit::visit_item_const(self, item),
        };
        // The last may be without a sign behind it where it is of no value.
        let is_unit = matches!(&*item.ty, syn::Type::Tuple(of) if of.elems.is_empty());
        for statement in &block.stmts {
            match statement {
                Stmt::Macro(call) if call.semi_token.is_some() => {
                    self.macro_call(call.span().byte_range(), &"");
                }
                Stmt::Expr(Expr::Macro(call), None) if is_unit => {
                    self.macro_call(call.span().byte_range(), &"");
                }
                _ => self.visit_stmt(statement),
            }
        }
    }

    /// Functions and constants in a macro's body, each from its attributes to its `}` or `;`.
    fn macro_parts(&mut self, body: Range<usize>) {
        let tokens = self.tokens;
        let (first, last) = (tokens.from(body.start), tokens.from(body.end));
        let mut begin = None;
        let mut i = first;
        while i < last {
            let at = i as isize;
            let text = tokens.at(at);
            match text {
                "#" if tokens.at(at + 1) == "[" => {
                    begin = begin.or(Some(i));
                    i = tokens.list[i + 1].pair + 1;
                    continue;
                }
                "pub" => {
                    begin = begin.or(Some(i));
                    if tokens.at(at + 1) == "(" {
                        i = tokens.list[i + 1].pair;
                    }
                }
                "unsafe" | "extern" => begin = begin.or(Some(i)),
                "const" if tokens.at(at + 1) == "fn" || tokens.at(at + 1) == "unsafe" => {
                    begin = begin.or(Some(i));
                }
                "fn" | "const" if tokens.is_word(at + 1) => {
                    let start = begin.take().unwrap_or(i);
                    let mut end = i + 2;
                    while end < last && tokens.at(end as isize) != ";" {
                        let open = tokens.at(end as isize);
                        if text == "fn" && open == "{" {
                            end = tokens.list[end].pair;
                            break;
                        }
                        end = tokens.list[end].pair.max(end) + 1;
                    }
                    if end < last {
                        let range = tokens.list[start].range.start..tokens.list[end].range.end;
                        let name = tokens.at(at + 1);
                        self.add(Role::MacroPart, range, &name);
                        i = end;
                    }
                }
                _ => begin = None,
            }
            i += 1;
        }
    }

    /// A call, with its words: the macro's own name is the first.
    pub(super) fn macro_call(&mut self, range: Range<usize>, name: &dyn ToString) {
        let (first, last) = (self.tokens.from(range.start), self.tokens.from(range.end));
        let words = (first..last).filter(|i| self.tokens.is_word(*i as isize));
        let words = words.map(|i| self.tokens.at(i as isize).to_owned()).collect();
        let node = self.add(Role::MacroCall, range, name);
        self.nodes.list[node].needs = words;
    }

    /// Name of the first type in a macro call's arguments (`tunables! { pub struct Weights { … } }`).
    pub(super) fn made_by(&self, range: &Range<usize>) -> String {
        let (first, last) = (self.tokens.from(range.start), self.tokens.from(range.end));
        (first..last)
            .map(|i| i as isize)
            .find(|i| matches!(self.tokens.at(*i), "struct" | "enum") && self.tokens.is_word(i + 1))
            .map_or(String::new(), |i| self.tokens.at(i + 1).to_owned())
    }

    /// Looks into every group of a `macro_rules!` that could hold items.
    pub(super) fn macro_bodies(&mut self, range: &Range<usize>) {
        let tokens = self.tokens;
        let (first, last) = (tokens.from(range.start), tokens.from(range.end));
        for i in first..last {
            if tokens.at(i as isize) == "{" || tokens.at(i as isize) == "(" {
                let inside = tokens.list[i].range.end..tokens.list[tokens.list[i].pair].range.start;
                let known = self
                    .nodes
                    .list
                    .iter()
                    .any(|n| n.role == Role::MacroPart && n.range.contains(&inside.start));
                if !known {
                    self.macro_parts(inside);
                }
            }
        }
    }
}
