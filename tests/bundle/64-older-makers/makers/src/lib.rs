//! Macros of 2018: what they say themselves is read as 2018 reads it, what they are given is not.
use proc_macro::TokenStream;

/// Holds what it is given while the `else` runs.
#[proc_macro]
pub fn branch(given: TokenStream) -> TokenStream {
    format!("if let Some(x) = {} {{ x }} else {{ println!(\"none\"); 9 }}", given)
        .parse()
        .unwrap()
}

/// The caller's own branch, as it is.
#[proc_macro]
pub fn same(given: TokenStream) -> TokenStream {
    given
}

/// A closure that holds all of what it names, as each edition has it.
#[proc_macro]
pub fn added(given: TokenStream) -> TokenStream {
    format!("{{ let n: u8 = {}; (0..3).map(|x| x + n).sum::<u8>() }}", given)
        .parse()
        .unwrap()
}

/// A literal that is no format.
#[proc_macro]
pub fn fail(_: TokenStream) -> TokenStream {
    "panic!(\"{x}\")".parse().unwrap()
}

/// A function that was no keyword yet, and a branch.
#[proc_macro_derive(Gen)]
pub fn gen(_: TokenStream) -> TokenStream {
    "impl Seed { fn gen(&self) -> u8 { let r = if let Some(x) = Drops(1).get() { x } \
     else { println!(\"else\"); 3 }; r } }"
        .parse()
        .unwrap()
}

/// Holds what it is given until its own variable is gone.
#[proc_macro]
pub fn tail(given: TokenStream) -> TokenStream {
    format!("{{ let _own = Drops(9); {}.get() }}", given).parse().unwrap()
}

/// Captures all of a pair.
#[proc_macro]
pub fn closure(given: TokenStream) -> TokenStream {
    format!(
        "{{ let t = (Drops(1), Drops(2)); {{ let c = move || {{ let _x = &t.0; }}; c(); }} {} }}",
        given
    )
    .parse()
    .unwrap()
}

/// Goes through references.
#[proc_macro]
pub fn sizes(given: TokenStream) -> TokenStream {
    format!("[{}].into_iter().map(|x| std::mem::size_of_val(&x)).sum::<usize>()", given)
        .parse()
        .unwrap()
}
