use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

#[proc_macro]
pub fn shout(input: TokenStream) -> TokenStream {
    format!("{:?}", input.to_string().to_uppercase()).parse().unwrap()
}

/// `fn NAME() -> i32 VALUE`: a function, in a trait one that is missing.
#[proc_macro]
pub fn function(input: TokenStream) -> TokenStream {
    let mut trees = input.into_iter();
    let name = trees.next().unwrap();
    let value: TokenStream = trees.collect();
    if value.is_empty() {
        format!("fn {name}_of(&self) -> i32;").parse().unwrap()
    } else {
        format!("fn {name}() -> i32 {{ 2 * {value} }}").parse().unwrap()
    }
}

/// A block: an array of what is given.
#[proc_macro]
pub fn several(input: TokenStream) -> TokenStream {
    format!("{{ const ALL: &[i32] = &[{input}]; ALL }}").parse().unwrap()
}

/// A sum, which keeps together.
#[proc_macro]
pub fn sum(input: TokenStream) -> TokenStream {
    let terms: Vec<String> = input.into_iter().map(|tree| tree.to_string()).collect();
    terms.join(" + ").parse().unwrap()
}

/// What kinds of tokens it is given.
#[proc_macro]
pub fn kinds(input: TokenStream) -> TokenStream {
    let kinds = input.into_iter().map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => "one ",
        TokenTree::Group(_) => "group ",
        TokenTree::Ident(_) => "word ",
        TokenTree::Punct(_) => "sign ",
        TokenTree::Literal(_) => "literal ",
    });
    format!("{:?}", kinds.collect::<String>()).parse().unwrap()
}

/// Twice what it is given.
#[proc_macro]
pub fn twice(input: TokenStream) -> TokenStream {
    let mut made: TokenStream = "2 *".parse().unwrap();
    made.extend(input);
    made
}

/// The square of an expression, by a variable that no caller sees.
#[proc_macro]
pub fn square(input: TokenStream) -> TokenStream {
    let own = || TokenTree::Ident(Ident::new("v", Span::mixed_site()));
    let text = |text: &str| text.parse::<TokenStream>().unwrap();
    let mut made = text("let");
    made.extend([own()]);
    made.extend([text("="), input, text(";")]);
    made.extend([own()]);
    made.extend(text("*"));
    made.extend([own()]);
    made.extend(text("+ v"));
    TokenTree::Group(Group::new(Delimiter::Brace, made)).into()
}

/// How many fields have a `#[default(…)]`, which is not the standard library's.
#[proc_macro_derive(Defaults, attributes(default))]
pub fn defaults(input: TokenStream) -> TokenStream {
    let name = input.clone().into_iter().nth(1).unwrap();
    let count = input.to_string().matches("default").count();
    format!("impl {name} {{ const DEFAULTS: usize = {count}; }}").parse().unwrap()
}

#[proc_macro_derive(Loud)]
pub fn loud(input: TokenStream) -> TokenStream {
    let name = input.into_iter().nth(1).unwrap();
    format!("impl Loud for {name} {{ const LOUD: bool = true; }}").parse().unwrap()
}

/// How many commas its body has, and what stands above it.
#[proc_macro_derive(Commas)]
pub fn commas(input: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = input.into_iter().collect();
    let at = trees.iter().position(|tree| tree.to_string() == "enum").unwrap();
    let above: Vec<String> = trees[..at].iter().map(|tree| tree.to_string().replace(' ', "")).collect();
    let Some(TokenTree::Group(body)) = trees.last() else { unreachable!() };
    let commas = body.stream().into_iter().filter(|tree| tree.to_string() == ",").count();
    let name = &trees[at + 1];
    let above = above.join("");
    format!("impl {name} {{ const COMMAS: (usize, &'static str) = ({commas}, {above:?}); }}").parse().unwrap()
}

/// Six more than what the function returns.
#[proc_macro_attribute]
pub fn named(_: TokenStream, item: TokenStream) -> TokenStream {
    let text = item.to_string();
    let Some(open) = text.find('{') else { return item };
    format!("{} {{ \"named \".len() as i32 + {} }}", &text[..open], &text[open..]).parse().unwrap()
}

/// As the crate of that name does it: a call of the macro is a block with an enum of its tokens, whose derive makes the macro
/// that is called in the block.
#[proc_macro_attribute]
pub fn proc_macro_hack(_: TokenStream, _: TokenStream) -> TokenStream {
    "#[doc(hidden)] pub use shout::_proc_macro_hack_counted;
     #[macro_export]
     macro_rules! counted {
         ($($t:tt)*) => {{
             #[derive($crate::_proc_macro_hack_counted)]
             #[allow(dead_code)]
             enum ProcMacroHack { Value = (stringify! { $($t)* }, 0).1, }
             proc_macro_call!()
         }};
     }"
    .parse()
    .unwrap()
}

/// How many tokens the enum has.
#[proc_macro_derive(_proc_macro_hack_counted)]
pub fn counted(input: TokenStream) -> TokenStream {
    let nth = |stream: TokenStream, n: usize| match stream.into_iter().nth(n) {
        Some(TokenTree::Group(group)) => group.stream(),
        other => panic!("{other:?} is no group"),
    };
    let count = nth(nth(nth(input, 4), 2), 2).into_iter().count();
    format!("macro_rules! proc_macro_call {{ () => {{ {count}usize }} }}").parse().unwrap()
}
