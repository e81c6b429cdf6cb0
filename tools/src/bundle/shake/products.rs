//! What calls of macros make, without writing them out: impls, and names.

use super::nodes::{Node, Nodes, Role};
use super::written::{Uses, written};
use crate::bundle::alone::Compile;
use crate::bundle::lex::Tokens;
use crate::bundle::rejected::parsed;
use anyhow::Result;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// How deep calls in calls are written out: of most macros all is known then.
const SHALLOW: usize = 6;

/// An impl that a macro makes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product {
    /// Last name of its trait.
    pub of_trait: String,
    /// Last name of its type.
    pub of_type: String,
    /// All names that it is about.
    pub needs: Vec<String>,
}

/// What is known of calls as they stand in a text.
#[derive(Clone, Default)]
pub struct Products {
    /// The impls that they make.
    pub impls: HashMap<String, BTreeSet<Product>>,
    /// The names that they declare.
    pub names: HashMap<String, BTreeSet<String>>,
}

/// What calls of macros make in `text`, as far as that is known.
pub fn products(text: &str, compile: &Compile) -> Result<Products> {
    let file = parsed(text)?;
    let found = Uses::of(&file);
    let mut products = Products::default();
    if found.calls.is_empty() {
        return Ok(products);
    }
    let (calls, _) = written(&found, text, compile, SHALLOW)?;
    for (call, made) in found.calls.iter().zip(&calls) {
        let Some(made) = made else { continue };
        let tokens = Tokens::new(made, Path::new("product"));
        let Ok(nodes) = tokens.and_then(|tokens| Nodes::new(&tokens)) else {
            continue;
        };
        let call = &text[call.range.clone()];
        // What stands in an impl makes none.
        if made.contains("impl") {
            let of = products.impls.entry(call.to_owned()).or_default();
            of.extend(impls(&nodes, &|_| true));
        }
        if let Some(declared) = declared(&nodes) {
            let of = products.names.entry(call.to_owned()).or_default();
            of.extend(declared);
        }
    }
    Ok(products)
}

/// Those of a text's parts that are meant.
pub fn impls(nodes: &Nodes, is_meant: &dyn Fn(&Node) -> bool) -> Vec<Product> {
    let impls = nodes
        .list
        .iter()
        .filter(|node| node.role == Role::TraitImpl && is_meant(node));
    let made = impls.map(|node| Product {
        of_trait: node.of_trait.clone(),
        of_type: node.of_type.clone(),
        needs: node.needs.clone(),
    });
    made.collect()
}

/// The names that a text declares; none where a call or an import of all there is may declare more.
fn declared(nodes: &Nodes) -> Option<Vec<String>> {
    let is_in_impl = |node: &Node| {
        let of = node.parent.map(|of| nodes.list[of].role);
        matches!(of, Some(Role::Impl | Role::TraitImpl))
    };
    let is_open = |node: &Node| match node.role {
        Role::MacroCall => !is_in_impl(node),
        Role::UseLeaf => node.name == "*",
        _ => false,
    };
    if nodes.list.iter().any(is_open) {
        return None;
    }
    let is_name = |node: &&Node| {
        matches!(
            node.role,
            Role::Item | Role::Macro | Role::Module | Role::UseLeaf | Role::Extern
        )
    };
    let names = nodes.list.iter().filter(is_name);
    Some(names.map(|node| node.name.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::products;
    use crate::bundle::alone::Compile;

    #[test]
    fn what_a_call_declares_is_told_from_what_it_is_handed() {
        let text = "macro_rules! vecs { ($($n:ident => $other:ident),*) => {
                $(pub struct $n; impl $n { fn to(self) -> $other { $other } } impl Copy for $n {})* } }
            macro_rules! all { ($m:ident) => { $m!(); } }
            macro_rules! none { () => {} }
            macro_rules! deep { ($($t:tt)*) => { deeper!($($t)*); } }
            vecs!(Vec2 => Vec3); all!(none); deep!(Vec4); fn main() {}";
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let made = products(text, &compile).unwrap();
        let names = made.names;
        assert_eq!(names["vecs!(Vec2 => Vec3);"], ["Vec2".to_owned()].into());
        assert!(names["all!(none);"].is_empty());
        // Of what is not known nothing is said.
        assert!(!names.contains_key("deep!(Vec4);"), "{names:?}");
        assert_eq!(made.impls["vecs!(Vec2 => Vec3);"].len(), 1);
    }
}
