use proc_macro::{Delimiter, TokenStream, TokenTree};

/// The name of a `struct` and the tokens between its braces.
fn parts(item: TokenStream) -> (String, TokenStream) {
    let mut trees = item.into_iter().skip_while(|tree| tree.to_string() != "struct").skip(1);
    let name = trees.next().unwrap().to_string();
    let body = trees.find_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    });
    (name, body.unwrap())
}

/// `TEXT`, the whole item as it is printed, and `FIELDS`, what stands between commas one by one.
#[proc_macro_derive(Tells, attributes(told))]
pub fn tells(item: TokenStream) -> TokenStream {
    let text = item.to_string();
    let (name, body) = parts(item);
    let mut fields = vec![TokenStream::new()];
    for tree in body {
        match &tree {
            TokenTree::Punct(comma) if comma.as_char() == ',' => fields.push(TokenStream::new()),
            _ => fields.last_mut().unwrap().extend([tree]),
        }
    }
    let fields: Vec<String> = fields.iter().map(ToString::to_string).filter(|f| !f.is_empty()).collect();
    format!("impl {name} {{ pub const TEXT: &'static str = {text:?}; pub const FIELDS: &'static [&'static str] = &{fields:?}; }}").parse().unwrap()
}

/// What it is given as a string, and the same with a word before it.
#[proc_macro]
pub fn told(input: TokenStream) -> TokenStream {
    let text = input.to_string();
    format!("[{text:?}, {:?}]", format!("told: {text}")).parse().unwrap()
}

/// `TOLD`: what it and its item are.
#[proc_macro_attribute]
pub fn keeps(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let text = format!("{arguments} | {item}");
    let kept: TokenStream = format!("pub const TOLD: &str = {text:?};").parse().unwrap();
    kept.into_iter().chain(item).collect()
}

/// Where it is called.
#[proc_macro]
pub fn standing(_: TokenStream) -> TokenStream {
    let place = proc_macro::Span::call_site().start();
    format!("({}, {})", place.line(), place.column()).parse().unwrap()
}
