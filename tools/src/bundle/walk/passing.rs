//! Macros that put conditions in front of the items that they are given, `cfg_rt! { mod runtime; }`: where one of these is
//! a module in a file of its own, they stand where the call stood, as no file is looked for among a macro's arguments.

use super::Walk;
use crate::bundle::lex::Edits;
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;

/// What a macro of one rule, `$($item:item)*`, puts in front of each; `None` if it is none.
pub fn in_front(rules: TokenStream) -> Option<String> {
    let rules: Vec<TokenTree> = rules.into_iter().collect();
    let [
        TokenTree::Group(matcher),
        TokenTree::Punct(_),
        TokenTree::Punct(_),
        TokenTree::Group(body),
        ..,
    ] = rules.as_slice()
    else {
        return None;
    };
    if !matches!(&rules[4..], [] | [TokenTree::Punct(_)]) {
        return None;
    }
    let taken = repeated(matcher.stream())?;
    let [
        TokenTree::Punct(_),
        TokenTree::Ident(name),
        TokenTree::Punct(_),
        TokenTree::Ident(kind),
    ] = taken.as_slice()
    else {
        return None;
    };
    let made = repeated(body.stream())?;
    let (TokenTree::Ident(given), front) = (made.last()?, made.get(..made.len().checked_sub(2)?)?) else {
        return None;
    };
    let are_attributes = front
        .chunks(2)
        .all(|two| matches!(two, [TokenTree::Punct(hash), TokenTree::Group(_)] if hash.as_char() == '#'));
    let is_passed = kind == "item" && given == name && are_attributes;
    is_passed.then(|| front.iter().cloned().collect::<TokenStream>().to_string())
}

/// What is repeated, if `$(…)*` is all there is.
fn repeated(stream: TokenStream) -> Option<Vec<TokenTree>> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    match trees.as_slice() {
        [
            TokenTree::Punct(dollar),
            TokenTree::Group(group),
            TokenTree::Punct(times),
        ] if dollar.as_char() == '$' && matches!(times.as_char(), '*' | '+') => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// True if a module in a file of its own is among the arguments.
fn has_module(arguments: TokenStream) -> bool {
    let trees: Vec<TokenTree> = arguments.into_iter().collect();
    trees.windows(3).any(|three| {
        matches!(three, [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Punct(end)]
            if word == "mod" && end.as_char() == ';')
    })
}

impl Walk<'_, '_> {
    /// The items of such a call, each under its conditions.
    pub(super) fn passed(&self, item: &syn::ItemMacro) -> Option<String> {
        let name = item.mac.path.segments.last()?.ident.to_string();
        let front = self.inliner.passing.get(&(self.place.krate, name))?;
        if item.ident.is_some() || !has_module(item.mac.tokens.clone()) {
            return None;
        }
        let gates = self.inliner.krate(self.place.krate).known.open(&item.attrs) + front;
        let around = item.mac.delimiter.span();
        let inside = around.open().byte_range().end..around.close().byte_range().start;
        gated(&self.tokens.text[inside], &(gates + " "))
    }
}

/// Items, each with `gates` in front; `None` if they are none.
pub fn gated(items: &str, gates: &str) -> Option<String> {
    let mut edits = Edits::default();
    for item in syn::parse_file(items).ok()?.items {
        let start = item.span().byte_range().start;
        edits.replace(start..start, gates.to_owned());
    }
    Some(edits.apply(items))
}

#[cfg(test)]
mod tests {
    use super::{has_module, in_front};

    #[test]
    fn only_items_as_they_came_are_passed() {
        let front = |text: &str| in_front(text.parse().unwrap());
        let gated = front("($($item:item)*) => { $( #[cfg(feature = \"rt\")] #[doc(hidden)] $item )* };");
        assert_eq!(
            gated.as_deref(),
            Some("# [cfg (feature = \"rt\")] # [doc (hidden)]")
        );
        assert_eq!(front("($($i:item)+) => { $($i)+ }").as_deref(), Some(""));
        for other in [
            "($($item:item)*) => { $( pub $item )* }",
            "($($item:item)*) => { mod inner { $($item)* } }",
            "($($item:tt)*) => { $($item)* }",
            "() => { a }; ($($item:item)*) => { $($item)* }",
        ] {
            assert_eq!(front(other), None, "{other}");
        }
        assert!(has_module("#[a] pub mod x; fn f() {}".parse().unwrap()));
        assert!(!has_module("mod x { mod y; }".parse().unwrap()));
    }
}
