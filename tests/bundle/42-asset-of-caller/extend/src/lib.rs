use proc_macro::TokenStream;

/// `pub impl TYPE { METHOD }`: the trait of this name, and the impl.
#[proc_macro_attribute]
pub fn extend(name: TokenStream, item: TokenStream) -> TokenStream {
    let trees: Vec<_> = item.into_iter().collect();
    let (of, body) = (&trees[2], &trees[3]);
    format!("pub trait {name} {{ fn louder(&self) -> String; }} impl {name} for {of} {body}")
        .parse()
        .unwrap()
}

/// The number of arguments, each of which is one token.
#[proc_macro]
pub fn count(input: TokenStream) -> TokenStream {
    let commas = input.clone().into_iter().filter(|tree| tree.to_string() == ",").count();
    let count = input.into_iter().count();
    assert_eq!(count, 2 * commas + 1, "every argument is one token");
    format!("{}", commas + 1).parse().unwrap()
}
