//! Re-exports that reach further than what they name, now that all is one crate: `pub use` of a macro that its crate exported,
//! and of what is imported beside it. Told by names before the compiler is asked; what they do not tell it says (E0364).

use super::names::{absolute, joined};
use super::nodes::{Nodes, Role};
use crate::bundle::lex::{Edits, Tokens};
use anyhow::Result;
use std::collections::HashSet;
use std::path::Path;

/// `text` with `pub(crate)` where a re-export is of a macro, or of what another of these imports; `None` if there is none.
pub fn narrowed(text: &str) -> Result<Option<String>> {
    let tokens = Tokens::new(text, Path::new("bundle"))?;
    let nodes = Nodes::new(&tokens)?;
    let list = &nodes.list;
    // Lines of imports: where their `pub` stands if all see them, and what they import.
    let mut lines: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (i, node) in list.iter().enumerate() {
        match node.role {
            Role::Use => {
                let first = tokens.from(node.range.start);
                let end = tokens.from(node.range.end);
                let word = (first..end).find(|k| matches!(tokens.at(*k as isize), "pub" | "use"));
                let word =
                    word.filter(|k| tokens.at(*k as isize) == "pub" && tokens.at(*k as isize + 1) != "(");
                lines.push((word, Vec::new()));
            }
            Role::UseLeaf => lines
                .last_mut()
                .into_iter()
                .for_each(|(_, leaves)| leaves.push(i)),
            _ => {}
        }
    }
    let place = |i: usize| joined(&list[i].module, &list[i].name);
    // So a crate knows the macros that it exported.
    let inner = lines.iter().filter(|(word, _)| word.is_none());
    let inner = inner.flat_map(|(_, leaves)| leaves).copied();
    let mut narrow: HashSet<String> = inner.filter(|i| list[*i].name != "*").map(place).collect();
    let mut edits = Edits::default();
    let mut open: Vec<(usize, Vec<usize>)> = lines
        .into_iter()
        .filter_map(|(word, leaves)| Some((word?, leaves)))
        .collect();
    loop {
        let is_narrow = |i: &usize| {
            let node = &list[*i];
            let full = absolute(&node.module, &node.path);
            full.map_or_else(
                || narrow.contains(&node.path) || narrow.contains(&joined(&node.module, &node.path)),
                |full| narrow.contains(&full),
            )
        };
        let (found, rest): (Vec<_>, Vec<_>) = open
            .into_iter()
            .partition(|(_, leaves)| leaves.iter().any(is_narrow));
        if found.is_empty() {
            break;
        }
        for (word, leaves) in found {
            edits.replace(tokens.list[word].range.clone(), "pub(crate)");
            narrow.extend(leaves.into_iter().filter(|i| list[*i].name != "*").map(place));
        }
        open = rest;
    }
    let new = edits.apply(text);
    Ok((new != text).then_some(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn re_exports_of_macros_and_of_what_is_imported_beside_them_reach_their_crate() {
        let text = "
mod core { pub(crate) use rules::forward; mod rules { macro_rules! forward { () => {} } pub(crate) use forward; }
    pub mod de { pub struct Seed; } pub struct Plain; }
mod serde {
    pub mod private { pub use crate::core::{de, forward as on}; pub use crate::core::Plain; }
    pub use self::private::de as again;
    pub use private::Plain;
    mod deep { pub(super) use super::again; pub use super::super::serde::again as third; }
}
use serde::private::on;
fn main() { on!(); }
";
        let new = narrowed(text).unwrap().unwrap();
        let expected = text
            .replace("pub use crate::core::{de", "pub(crate) use crate::core::{de")
            .replace("pub use self::private::de", "pub(crate) use self::private::de")
            .replace("pub use super::super", "pub(crate) use super::super");
        assert_eq!(new, expected);
        assert_eq!(narrowed(&new).unwrap(), None);
        assert_eq!(
            narrowed("mod a { pub struct B; } pub use a::B; fn main() {}").unwrap(),
            None
        );
    }
}
