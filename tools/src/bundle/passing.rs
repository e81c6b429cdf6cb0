//! Macros that put conditions in front of the items that they are given, `cfg_rt! { mod runtime; }`: where one of these is
//! a module in a file of its own, they stand where the call stood, as no file is looked for among a macro's arguments.

use super::lex::Edits;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;

/// A macro that hands its items on.
#[derive(Clone, Debug, PartialEq)]
pub struct Passing {
    /// What it puts in front of each, or of the call of the macro that it hands them to.
    pub front: String,
    /// The items stand in braces within those of the call.
    pub braced: bool,
    /// The macro that is given them, as they came.
    pub to: Option<String>,
}

/// What a macro of one rule, `$($item:item)*`, puts in front of each, or one of `$($token:tt)*` that adds nothing but
/// conditions for all of them; `None` if it is none.
pub fn passing(rules: TokenStream) -> Option<Passing> {
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
    let within = braced(matcher.stream());
    let taken = repeated(within.clone().unwrap_or_else(|| matcher.stream()))?;
    let [
        TokenTree::Punct(_),
        TokenTree::Ident(name),
        TokenTree::Punct(_),
        TokenTree::Ident(kind),
    ] = taken.as_slice()
    else {
        return None;
    };
    let made = |front: &[TokenTree], to: Option<String>| {
        let are_attributes = front
            .chunks(2)
            .all(|two| matches!(two, [TokenTree::Punct(hash), TokenTree::Group(_)] if hash.as_char() == '#'));
        are_attributes.then(|| Passing {
            front: front.iter().cloned().collect::<TokenStream>().to_string(),
            braced: within.is_some(),
            to,
        })
    };
    // Each item with what stands in front of it, or all tokens as they came.
    if let Some(each) = repeated(body.stream()) {
        let (TokenTree::Ident(given), front) = (each.last()?, each.get(..each.len().checked_sub(2)?)?) else {
            return None;
        };
        let is_passed = given == name && (kind == "item" || kind == "tt" && front.is_empty());
        return is_passed.then(|| made(front, None))?;
    }
    // All of them for another macro.
    let trees: Vec<TokenTree> = body.stream().into_iter().collect();
    let call = trees
        .iter()
        .position(|tree| matches!(tree, TokenTree::Ident(_)))?;
    let [
        TokenTree::Ident(to),
        TokenTree::Punct(bang),
        TokenTree::Group(given),
        end @ ..,
    ] = &trees[call..]
    else {
        return None;
    };
    let given = repeated(given.stream())?;
    let is_given =
        matches!(given.as_slice(), [TokenTree::Punct(_), TokenTree::Ident(given)] if given == name);
    let is_call = bang.as_char() == '!' && matches!(end, [] | [TokenTree::Punct(_)]);
    let is_passed = is_given && is_call && matches!(kind.to_string().as_str(), "tt" | "item");
    is_passed.then(|| made(&trees[..call], Some(to.to_string())))?
}

/// What stands in braces, if nothing else is there.
pub fn braced(stream: TokenStream) -> Option<TokenStream> {
    let mut trees = stream.into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Brace => {
            Some(group.stream())
        }
        _ => None,
    }
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
pub fn has_module(arguments: TokenStream) -> bool {
    let trees: Vec<TokenTree> = arguments.into_iter().collect();
    trees.windows(3).any(|three| {
        matches!(three, [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Punct(end)]
            if word == "mod" && end.as_char() == ';')
    })
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
    use super::{has_module, passing};

    #[test]
    fn only_items_as_they_came_are_passed() {
        let of = |text: &str| passing(text.parse().unwrap()).map(|made| (made.front, made.braced, made.to));
        let given =
            |front: &str, braced, to: Option<&str>| Some((front.to_owned(), braced, to.map(str::to_owned)));
        let rt = "# [cfg (feature = \"rt\")] # [doc (hidden)]";
        for (text, made) in [
            (
                "($($item:item)*) => { $( #[cfg(feature = \"rt\")] #[doc(hidden)] $item )* };",
                given(rt, false, None),
            ),
            ("($($i:item)+) => { $($i)+ }", given("", false, None)),
            ("({$($tt:tt)*}) => { $($tt)* };", given("", true, None)),
            (
                "($($t:tt)*) => { #[cfg(feature = \"rt\")] #[doc(hidden)] items!($($t)*); };",
                given(rt, false, Some("items")),
            ),
            (
                "($($i:item)*) => { items! { $($i)* } }",
                given("", false, Some("items")),
            ),
        ] {
            assert_eq!(of(text), made, "{text}");
        }
        for other in [
            "($($item:item)*) => { $( pub $item )* }",
            "($($item:item)*) => { mod inner { $($item)* } }",
            "($($item:tt)*) => { #[cfg(a)] $($item)* }",
            "($($item:tt)*) => { $( #[cfg(a)] $item )* }",
            "($($item:tt)*) => { items!(pub $($item)*); }",
            "($($item:tt)*) => { items!($($item)*); fn f() {} }",
            "() => { a }; ($($item:item)*) => { $($item)* }",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        assert!(has_module("#[a] pub mod x; fn f() {}".parse().unwrap()));
        assert!(!has_module("mod x { mod y; }".parse().unwrap()));
    }
}
