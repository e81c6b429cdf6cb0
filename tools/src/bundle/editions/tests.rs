//! What is translated, compared and refused.

use super::{Compile, Editions, Line, fix, translate};

/// A program and a file of 2021, beside a crate of another edition.
fn beside(name: &str, edition: u16) -> (Editions, Compile) {
    let editions = Editions {
        program: 2021,
        modules: [(name.to_owned(), edition)].into(),
        may_rescope: false,
    };
    let compile = Compile {
        edition: 2021,
        ..Compile::default()
    };
    (editions, compile)
}

#[test]
fn what_the_lints_mend_is_not_compared() {
    let text = "mod older { pub fn f() -> i32 { let a = [1, 2]; let mut s = 0; for x in a.into_iter() { s += *x; } s } }\n\
                fn main() { print!(\"{}\", older::f()); }\n";
    let (editions, compile) = beside("older", 2018);
    let said = std::cell::RefCell::new(Vec::new());
    let say = |line: &str| said.borrow_mut().push(line.to_owned());
    let mended = translate(text, text, &editions, &compile, &say).unwrap();
    assert_eq!(mended, text.replace("into_iter()", "iter()"));
    let said = said.into_inner();
    assert!(said.iter().all(|line| !line.starts_with("comparing")), "{said:?}");
}

#[test]
fn what_a_rule_matches_in_one_edition_only_is_refused_by_its_line() {
    let text = "mod newer { macro_rules! m { ($e:expr) => { 1 }; ($($t:tt)*) => { 2 } } pub fn f() -> i32 { m!(CALL) } }\n\
                fn main() { print!(\"{}\", newer::f()); }\n";
    let (editions, compile) = beside("newer", 2024);
    let translated = |call: &str| {
        let text = text.replace("CALL", call);
        translate(&text, &text, &editions, &compile, &|_| {})
    };
    translated("3").unwrap();
    let error = translated("const { 3 }").unwrap_err();
    assert!(error.is::<super::Differs>(), "{error:#}");
}

#[test]
fn crates_without_a_line_are_read_as_the_file() {
    let editions = Editions {
        program: 2018,
        modules: [("older".to_owned(), 2015), ("newer".to_owned(), 2024)].into(),
        may_rescope: true,
    };
    let line = |module: &str| Line {
        module: module.to_owned(),
        line: String::new(),
    };
    let few = editions.of_those_in(&[line("newer")], 2021);
    let read: Vec<u16> = few.modules.into_values().collect();
    assert_eq!((few.program, read), (2021, vec![2024, 2021]));
    let few = editions.of_those_in(&[line(""), line("older")], 2021);
    let read: Vec<u16> = few.modules.into_values().collect();
    assert_eq!((few.program, read), (2018, vec![2021, 2015]));
}

#[test]
fn a_closure_that_is_measured_is_as_large_as_it_was() {
    let text = "mod older { pub fn f() -> usize { let x = (1u8, [0u8; 9]); let c = move || x.0; MEASURE } }\n\
                fn main() { let y = (1u8, [0u8; 9]); let c = move || y.0; print!(\"{} {}\", older::f(), c()); }\n";
    let (editions, compile) = beside("older", 2018);
    let translated = |measure: &str| {
        let text = text.replace("MEASURE", measure);
        (
            translate(&text, &text, &editions, &compile, &|_| {}).unwrap(),
            text,
        )
    };
    let (sized, text) = translated("std::mem::size_of_val(&c)");
    assert_eq!(sized, text.replace("|| x.0;", "|| { let _ = &x; x.0 };"));
    let (called, text) = translated("c() as usize");
    assert_eq!(called, text);
}

#[test]
fn what_lints_deny_does_not_hide_what_they_suggest() {
    let text = "mod older { pub fn n(p: *const [u8]) -> usize { unsafe { (*p).len() } } \
                pub fn f(x: &Option<u8>) -> u8 { match x { Some(ref y) => *y, None => 0 } } }\n\
                fn main() { print!(\"{} {}\", older::n(&[1]), older::f(&None)); }\n";
    let (mut editions, mut compile) = beside("older", 2021);
    (editions.program, compile.edition) = (2024, 2024);
    assert_eq!(
        fix(text, &editions, &compile).unwrap(),
        text.replace("ref y", "y")
    );
}
