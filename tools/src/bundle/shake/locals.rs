//! What cut branches leave behind inside of functions: variables that nothing reads, `mut` without a change.

use super::compiler::Compiler;
use super::pure::is_pure;
use crate::bundle::lex::Edits;
use anyhow::Result;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Pat, Stmt};

/// `text` without variables that the compiler calls unused and whose values only make a value, and without idle
/// `mut`; `None` if there are none, or if the text does not compile.
pub fn cut(text: &str, compiler: &Compiler) -> Result<Option<String>> {
    let idle = compiler.idle(text)?;
    let Ok(file) = syn::parse_file(text) else {
        return Ok(None);
    };
    let mut finder = Finder {
        unused: &idle.variables,
        edits: Edits::default(),
        found: 0,
    };
    finder.visit_file(&file);
    let mut edits = finder.edits;
    for (range, with) in &idle.edits {
        edits.replace(range.clone(), with.clone());
    }
    let changed = finder.found + idle.edits.len() > 0;
    Ok(changed.then(|| edits.apply(text)))
}

struct Finder<'a> {
    unused: &'a [Range<usize>],
    edits: Edits,
    found: usize,
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        for stmt in &block.stmts {
            if let Stmt::Local(local) = stmt {
                let pat = match &local.pat {
                    Pat::Type(typed) => &*typed.pat,
                    pat => pat,
                };
                let is_unused =
                    matches!(pat, Pat::Ident(name) if self.unused.contains(&name.ident.span().byte_range()));
                let init = local.init.as_ref();
                let is_free = init.is_none_or(|init| init.diverge.is_none() && is_pure(&init.expr, true));
                if is_unused && is_free {
                    self.edits.remove(stmt.span().byte_range());
                    self.found += 1;
                    continue;
                }
            }
            visit::visit_stmt(self, stmt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Compiler;
    use super::cut;
    use crate::bundle::alone::Compile;

    #[test]
    fn what_is_idle_is_told_with_the_check() {
        let text =
            "fn f(x: u8) -> u8 { let idle = 3; let mut y = x; (y) }\nfn main() { print!(\"{}\", f(1)) }\n";
        for (rest, asks) in [("", 1), ("#[cfg(debug_assertions)] fn g() {}", 3)] {
            let text = format!("{text}{rest}");
            let compile = Compile {
                edition: 2021,
                ..Compile::default()
            };
            let compiler = Compiler::new(&compile).unwrap();
            assert!(compiler.check_idle(&text).unwrap().errors.is_empty());
            let less = cut(&text, &compiler).unwrap().unwrap();
            assert_eq!(compile.budget.questions(), asks, "{rest}");
            assert!(less.starts_with("fn f(x: u8) -> u8 {  let y = x; y  }"), "{less}");
            // Of another text it was not told.
            assert!(cut(&less, &compiler).unwrap().is_none());
            assert_eq!(compile.budget.questions(), asks + 1, "{rest}");
        }
    }
}
