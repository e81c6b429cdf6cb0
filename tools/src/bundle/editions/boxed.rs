//! Edition 2024 in older files: `into_iter` of a boxed slice takes it apart, before it lent its elements.
//!
//! Which receivers are boxed slices only the compiler knows. All of them are handed to a function that takes nothing
//! else; where that does not fit, the call stays as it is.

use super::Editions;
use crate::bundle::alone::Compile;
use crate::bundle::lex::Edits;
use crate::bundle::rejected::parsed;
use crate::bundle::shake::Compiler;
use anyhow::Result;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Token};

/// How often calls are taken back before it is given up.
const ROUNDS: usize = 16;
const OPEN: &str = "<[_]>::into_vec(";
const CLOSE: &str = ")";

/// `text`, a file of an edition before 2024, with boxed slices taken apart where crates of 2024 do so.
pub fn taken_apart(text: &str, editions: &Editions, compile: &Compile) -> Result<String> {
    let may_have = ["Box<[", "Box::<[", "into_boxed_slice"];
    if compile.edition >= 2024 || !may_have.iter().any(|word| text.contains(word)) {
        return Ok(text.to_owned());
    }
    let parts = editions.parts(text)?;
    let is_newer = |byte: usize| editions.at(&parts, byte) >= 2024;
    let mut calls = Calls::default();
    calls.visit_file(&parsed(text)?);
    let mut receivers: Vec<Range<usize>> = calls.receivers;
    receivers.retain(|receiver| is_newer(receiver.start));
    let compiler = Compiler::new(compile)?;
    for _ in 0..ROUNDS {
        if receivers.is_empty() {
            break;
        }
        let new = taken(text, &receivers);
        let errors = compiler.check(&new)?.errors;
        if errors.is_empty() {
            return Ok(new);
        }
        let places: Vec<Range<usize>> = errors
            .iter()
            .flat_map(|error| &error.spans)
            .map(|span| back(span.start, &receivers)..back(span.end, &receivers))
            .collect();
        let count = receivers.len();
        receivers.retain(|receiver| !places.contains(receiver));
        if receivers.len() == count {
            // What else is wrong here may have to do with a call around it.
            receivers.retain(|receiver| {
                let is_around =
                    |place: &Range<usize>| place.start < receiver.end && receiver.start < place.end;
                !places.iter().any(is_around)
            });
        }
        if receivers.len() == count {
            return Ok(new);
        }
    }
    Ok(text.to_owned())
}

/// What stands before `.into_iter()`.
#[derive(Default)]
struct Calls {
    receivers: Vec<Range<usize>>,
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "into_iter" && call.args.is_empty() && call.turbofish.is_none() {
            self.receivers.push(call.receiver.span().byte_range());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let list = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        for expr in list.iter().flatten() {
            let mut inner = Calls::default();
            inner.visit_expr(expr);
            self.receivers.append(&mut inner.receivers);
        }
    }
}

fn taken(text: &str, receivers: &[Range<usize>]) -> String {
    let mut edits = Edits::default();
    for receiver in receivers {
        edits.replace(receiver.start..receiver.start, OPEN);
        edits.replace(receiver.end..receiver.end, CLOSE);
    }
    edits.apply(text)
}

/// Where a byte of [`taken`] was in the text.
fn back(at: usize, receivers: &[Range<usize>]) -> usize {
    let opens = receivers.iter().map(|receiver| (receiver.start, OPEN.len()));
    let closes = receivers.iter().map(|receiver| (receiver.end, CLOSE.len()));
    let mut words: Vec<(usize, usize)> = opens.chain(closes).collect();
    words.sort_unstable();
    let mut shift = 0;
    for (place, len) in words {
        if place + shift + len > at {
            break;
        }
        shift += len;
    }
    at - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_are_found_and_places_lead_back() {
        let text = "fn f() { a.into_iter(); print!(\"{}\", b.c().into_iter().d(0).into_iter()); x.into_iter::<u8>(); }";
        let mut calls = Calls::default();
        calls.visit_file(&syn::parse_file(text).unwrap());
        let found: Vec<&str> = calls.receivers.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(found, ["a", "b.c().into_iter().d(0)", "b.c()"]);
        let new = taken(text, &calls.receivers);
        assert!(
            new.contains("<[_]>::into_vec(<[_]>::into_vec(b.c()).into_iter().d(0)).into_iter()"),
            "{new}"
        );
        for part in ["a).", "b.c()).", "print"] {
            let (old, at) = (part.trim_end_matches(")."), new.find(part).unwrap());
            assert_eq!(back(at, &calls.receivers), text.find(old).unwrap(), "{part}");
        }
    }
}
