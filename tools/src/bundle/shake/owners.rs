//! Functions by the names that [`fold`](super::fold::fold) gives them: of a place in the text, and of what is compiled.

use super::nodes::{Nodes, Role};
use crate::bundle::lex::Tokens;
use std::path::Path;

/// The function around a byte, as [`fold`](super::fold::fold) names it.
pub fn function_at(text: &str, byte: usize) -> Option<String> {
    let tokens = Tokens::new(text, Path::new("bundle")).ok()?;
    let nodes = Nodes::new(&tokens).ok()?;
    let around = nodes
        .list
        .iter()
        .filter(|node| node.kind == "fn" && node.range.contains(&byte));
    let node = around.min_by_key(|node| node.range.len())?;
    let owner = match node.role {
        Role::TraitItem => &node.of_trait,
        _ => &node.of_type,
    };
    Some(format!("{owner}::{}", node.name))
}

/// Which functions of the text a compiled one may come from, as [`fold`](super::fold::fold) names them.
pub fn keys(name: &str) -> Vec<String> {
    let (owners, path) = match name.strip_prefix('<') {
        Some(rest) => {
            let (inner, path) = rest.split_at(closing(rest));
            let inner = flat(inner);
            let owners = inner.split(" as ").map(last).map(str::to_owned).collect();
            (owners, flat(path.trim_start_matches('>')))
        }
        None => (vec![String::new()], flat(name)),
    };
    let mut parts = path.split("::").filter(|part| !part.is_empty());
    let function = if name.starts_with('<') {
        parts.next()
    } else {
        parts.take_while(|part| !part.starts_with('{')).last()
    };
    let function = function.unwrap_or_default();
    owners
        .iter()
        .map(|owner| format!("{owner}::{function}"))
        .collect()
}

fn last(path: &str) -> &str {
    let path = path.trim_start_matches(['&', '*']);
    path.rsplit("::").next().unwrap_or(path)
}

/// Where the bracket is closed that was opened before `text`.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Without what stands in angle brackets.
fn flat(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out += rest[..at].trim_end_matches("::");
        let inner = &rest[at + 1..];
        rest = inner[closing(inner)..].trim_start_matches('>');
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::keys;

    #[test]
    fn compiled_names_lead_to_functions() {
        let of = |name: &str| keys(name).join(" ");
        assert_eq!(of("bundle::a::play::<bundle::B<u8>>"), "::play");
        assert_eq!(of("bundle::a::play::{closure}"), "::play");
        assert_eq!(
            of("<bundle::a::Tree<bundle::B, fn() -> u8>>::run::<bundle::C>"),
            "Tree::run"
        );
        assert_eq!(
            of("<bundle::a::B as bundle::c::Kernel<u8>>::run::<u8>::{closure}"),
            "B::run Kernel::run"
        );
    }
}
