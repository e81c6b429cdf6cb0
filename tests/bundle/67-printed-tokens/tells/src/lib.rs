use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// A function of its own name for each call: the macro counts.
#[proc_macro]
pub fn own(input: TokenStream) -> TokenStream {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let name = format!("own_{}", CALLS.fetch_add(1, Ordering::SeqCst));
    format!("{{ fn {name}() -> i32 {{ {input} }} {name}() }}").parse().unwrap()
}

/// `kind`, the type of a field by its name, in the order of a map, which is another each time.
#[proc_macro_derive(Kinds)]
pub fn kinds(item: TokenStream) -> TokenStream {
    let (name, body) = parts(item);
    let mut kinds = HashMap::new();
    let mut trees = body.into_iter();
    while let Some(field) = trees.next() {
        let kind: TokenStream = trees.by_ref().skip(1).take_while(|tree| tree.to_string() != ",").collect();
        kinds.insert(field.to_string(), kind.to_string());
    }
    let arms: String = kinds.iter().map(|(field, kind)| format!("{field:?} => {kind:?},")).collect();
    format!("impl {name} {{ pub fn kind(field: &str) -> &'static str {{ match field {{ {arms} _ => \"\" }} }} }}")
        .parse()
        .unwrap()
}

/// The numbers of a file, which is looked for in the workspace's folder.
#[proc_macro]
pub fn numbers(file: TokenStream) -> TokenStream {
    let file = file.to_string();
    let text = std::fs::read_to_string(file.trim_matches('"')).unwrap();
    format!("[{}]", text.trim().replace(' ', ", ")).parse().unwrap()
}

/// A function that tells its line first.
#[proc_macro_attribute]
pub fn lined(_: TokenStream, item: TokenStream) -> TokenStream {
    let lined = item.into_iter().map(|tree| match tree {
        TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
            let text = "let _ = (line!(), file!(), b\"\\0\\xff\");";
            let mut lined: TokenStream = text.parse().unwrap();
            lined.extend(body.stream());
            TokenTree::Group(Group::new(Delimiter::Brace, lined))
        }
        tree => tree,
    });
    lined.collect()
}
