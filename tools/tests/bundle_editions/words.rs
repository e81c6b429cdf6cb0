//! Words in what macros make: whose they are, and of which edition.

use super::{Made, NOISY, PUT, Snippet, check};

/// Words of which the edition, or the one who wrote them, is told by their own place alone. No test by itself: crates of one
/// name are built one after the other, where several projects share a folder.
pub fn mean_what_they_do() {
    let respanned = |span: &str| {
        format!(
            "{PUT}fn at(t: TokenStream, s: proc_macro::Span) -> TokenStream {{ t.into_iter().map(|mut t| {{ if let TokenTree::Group(g) = &t {{ t = TokenTree::Group(Group::new(g.delimiter(), at(g.stream(), s))); }} t.set_span(s); t }}).collect() }} \
             #[proc_macro] pub fn it(e: TokenStream) -> TokenStream {{ use proc_macro::Span; let s = e.clone().into_iter().next().unwrap().span(); put(at(\"{{ let a = 1; E + a }}\".parse().unwrap(), {span}), &e) }}"
        )
    };
    let rules = "macro_rules! m { ($p:pat) => { 1 }; ($($t:tt)*) => { 2 } } macro_rules! n { ($e:expr) => { 1 }; (_) => { 2 } }";
    let by_macro = format!(
        "use proc_macro::TokenStream; #[proc_macro] pub fn it(_: TokenStream) -> TokenStream {{ {rules:?}.parse().unwrap() }}"
    );
    let by_rules = "#[macro_export] macro_rules! it { ($d:tt) => { macro_rules! m { ($d p:pat) => { 1 }; ($d($d t:tt)*) => { 2 } } macro_rules! n { ($d e:expr) => { 1 }; (_) => { 2 } } } }";
    let ruled = "println!(\"{} {}\", m!(1 | 2), n!(_));";
    let named = "fn f<T>() -> Option<T> { println!(\"{}\", std::any::type_name::<T>()); None } fn g() -> Option<i32> { f()?; D(\"ab\").on() } println!(\"{:?}\", g());";
    let method = "struct S; impl S { fn go(c: &std::cell::RefCell<Option<i32>>) { fn f<T>() -> T { println!(\"{}\", std::any::type_name::<T>()); std::process::exit(3) } match *c.borrow() { Some(5) => return, _ => f() }; } }";
    let future = "fn size<F: std::future::Future>(_: F) -> usize { std::mem::size_of::<F>() } let p = ([1u8; 64], 2u8); println!(\"{}\", size(async move { p.1 }));";
    let sized = "#[macro_export] macro_rules! it { ($t:ident) => { { let c = || $t.0 + $t.1; println!(\"{} {}\", c(), std::mem::size_of_val(&c)); } } }";
    let panics = "use proc_macro::TokenStream; #[proc_macro] pub fn it(_: TokenStream) -> TokenStream { \"panic!(\\\"{{a\\\")\".parse().unwrap() }";
    let caught = "let r = std::panic::catch_unwind(|| { if D(\"ab\").len() > 0 { makes::it!() } }); println!(\"{:?}\", r.unwrap_err().downcast_ref::<&str>());";
    let own = "let a = 5; println!(\"{} {}\", makes::it!(a), D(\"a\").len());";
    let dir = tempfile::tempdir().unwrap();
    for (name, edition, (before, body), made, is_same) in [
        (
            "resolved",
            2021,
            ("", own),
            Some((2021, true, respanned("s.resolved_at(Span::mixed_site())"))),
            true,
        ),
        (
            "located",
            2021,
            ("", own),
            Some((2021, true, respanned("Span::mixed_site().located_at(s)"))),
            true,
        ),
        (
            "rules",
            2021,
            ("makes::it!{}", ruled),
            Some((2018, true, by_macro.clone())),
            true,
        ),
        (
            "newer",
            2018,
            ("makes::it!{}", ruled),
            Some((2021, true, by_macro)),
            false,
        ),
        (
            "made",
            2021,
            ("makes::it!{$}", ruled),
            Some((2018, false, by_rules.to_owned())),
            true,
        ),
        ("named", 2021, ("", named), None, false),
        // Of a method, whose place is told by that of its `impl`.
        (
            "method",
            2018,
            (method, "let c = std::cell::RefCell::new(Some(7)); S::go(&c);"),
            None,
            false,
        ),
        ("future", 2018, ("", future), None, true),
        (
            "sized",
            2021,
            ("", "let t = (1u8, 2u8); makes::it!(t);"),
            Some((2018, false, sized.to_owned())),
            false,
        ),
        (
            "caught",
            2018,
            ("", caught),
            Some((2021, true, panics.to_owned())),
            true,
        ),
    ] {
        let (text, target) = (
            format!("{NOISY}{before} fn main() {{ let _ = D(\"used\").on(); {body} }}"),
            "nypc",
        );
        let made = made.map(|(edition, is_procedural, text)| Made {
            edition,
            is_procedural,
            text,
        });
        let told = vec![2018, 2021];
        let snippet = Snippet {
            name: name.to_owned(),
            edition,
            text,
            made,
            told,
        };
        assert_eq!(check(&snippet, target, dir.path()), Ok(is_same), "{name}");
    }
}
