//! What a bundle leaves out, by name: what stands in the text of all crates and not in what is left of it.
//!
//! Both texts are only read. A name that stands more often in the whole than in what is left is left out as often as the
//! difference says; of what went with a module, a trait or an impl that is wholly gone only that is named.

use super::nodes::{Node, Nodes, Role};
use crate::bundle::lex::Tokens;
use anyhow::Result;
use std::collections::HashMap;
use std::path::Path;

/// Names, sorted, of what is in `whole` and not in `left`, with their modules.
pub fn left_out(whole: &str, left: &str) -> Result<Vec<String>> {
    let mut there: HashMap<String, usize> = HashMap::new();
    for name in read(left)?.list.iter().filter_map(named) {
        *there.entry(name).or_default() += 1;
    }
    let nodes = read(whole)?;
    let mut is_out = vec![false; nodes.list.len()];
    let mut names = Vec::new();
    for (i, node) in nodes.list.iter().enumerate() {
        let is_within = node.parent.is_some_and(|of| is_out[of]);
        match named(node) {
            Some(name) => match there.get_mut(&name) {
                Some(times) if *times > 0 => *times -= 1,
                _ => {
                    is_out[i] = true;
                    if !is_within {
                        names.push(name);
                    }
                }
            },
            None => is_out[i] = is_within,
        }
    }
    names.sort();
    Ok(names)
}

fn read(text: &str) -> Result<Nodes> {
    Nodes::new(&Tokens::new(text, Path::new("bundle"))?)
}

/// What a reader would call it; `None` of what is only a part or leads to something.
fn named(node: &Node) -> Option<String> {
    let is_told = matches!(
        node.role,
        Role::Item
            | Role::Module
            | Role::Macro
            | Role::TraitImpl
            | Role::TraitImplItem
            | Role::Method
            | Role::TraitItem
            | Role::Derive
    );
    let title = Some(title(node)).filter(|title| is_told && !title.is_empty())?;
    Some(match node.module.as_str() {
        "" => title,
        module => format!("{title} in {module}"),
    })
}

/// How a removed part is named in the report.
pub fn title(node: &Node) -> String {
    let (of_trait, of_type, name) = (&node.of_trait, &node.of_type, &node.name);
    match node.role {
        Role::TraitImpl => format!("impl {of_trait} for {of_type}"),
        Role::TraitImplItem => format!("<{of_type} as {of_trait}>::{name}"),
        Role::Method => format!("{of_type}::{name}"),
        Role::TraitItem => format!("{of_trait}::{name}"),
        Role::Derive => format!("derive {name} of {of_type}"),
        Role::UseLeaf => format!("use {name}"),
        Role::Module => format!("mod {name}"),
        Role::Macro => format!("{name}!"),
        _ => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_named_with_its_module_and_once() {
        let whole = "mod a { pub fn f() {} pub mod b { pub struct S; impl S { pub fn g(&self) {} } impl Clone for S { fn clone(&self) -> S { S } } } \
                     pub mod c { pub fn f() {} pub fn h() {} } } #[derive(Debug, Clone)] struct T; fn main() { a::f() }";
        let left = "mod a { pub fn f() {} pub mod b { pub struct S; } } #[derive(Clone)] struct T; fn main() { a::f() }";
        let names = left_out(whole, left).unwrap();
        assert_eq!(
            names,
            [
                "S::g in a::b",
                "derive Debug of T",
                "impl Clone for S in a::b",
                "mod c in a"
            ]
        );
        assert!(left_out(left, left).unwrap().is_empty());
    }
}
