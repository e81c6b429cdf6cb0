//! What is translated, compared and refused.

use super::mixed::{Keeps, Mixed};
use super::{Compile, Compiler, Editions, Line, fix, translate};
use crate::bundle::target::Target;

/// A program and a file of 2021, beside a crate of another edition.
fn beside(name: &str, edition: u16) -> (Editions, Compile) {
    let editions = Editions {
        program: 2021,
        modules: [(name.to_owned(), edition)].into(),
        foreign: [].into(),
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
        foreign: [].into(),
        may_rescope: true,
    };
    let line = |module: &str| Line {
        module: module.to_owned(),
        line: String::new(),
        place: 0,
    };
    let text = "mod older { macro_rules! m { () => {} } } mod newer { fn f() { n!(); } }";
    let few = editions.of_those_in(text, &[line("newer")], 2021).unwrap();
    let read: Vec<u16> = few.modules.into_values().collect();
    assert_eq!(
        (few.program, read),
        (2021, vec![2024, 2015]),
        "a macro of another name"
    );
    let known = text.replace("n!", "vec!");
    let few = editions.of_those_in(&known, &[line("newer")], 2021).unwrap();
    let read: Vec<u16> = few.modules.into_values().collect();
    assert_eq!((few.program, read), (2021, vec![2024, 2021]));
    let few = editions
        .of_those_in(
            "fn f() {} mod older {} mod newer {}",
            &[line(""), line("older")],
            2021,
        )
        .unwrap();
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

#[test]
fn what_would_be_printed_with_blanks_is_refused_by_its_line() {
    let with = |printed: &str| {
        let text = format!(
            "macro_rules! count {{ (@ $t:tt) => {{ 1 }}; ($($t:tt)*) => {{ 0 $(+ count!(@ $t))* }} }}\n\
             fn main() {{ print!(\"{{}} {{}}\", count!(##), {printed}); }}\n"
        );
        let (mut editions, mut compile) = beside("newer", 2024);
        compile.edition = 2024;
        editions.program = 2021;
        fix(&text, &editions, &compile)
    };
    let apart = with("stringify!(# #)").unwrap();
    assert!(apart.contains("count!(# #)"), "{apart}");
    let refused = with("stringify!(##)").unwrap_err().to_string();
    assert!(
        refused.contains("edition 2024") && refused.ends_with("stringify!(##)); }"),
        "{refused}"
    );
}

/// A file of 2024 and an older crate.
fn in_2024(older: &str, edition: u16) -> (String, anyhow::Result<String>) {
    let (mut editions, mut compile) = beside("older", edition);
    (editions.program, compile.edition) = (2024, 2024);
    let text = format!("mod older {{ {older} }}\nfn main() {{ older::f(); }}\n");
    let translated = translate(&text, &text, &editions, &compile, &|_| {});
    (text, translated)
}

#[test]
fn a_closure_that_hands_a_reference_on_is_no_difference() {
    // A macro that may hold something has the code compared.
    let (text, translated) = in_2024(
        "macro_rules! more { ($e:expr) => {{ let more = 1u8; $e + more }} } \
         fn told(s: &str) -> String { let c = |to: &mut String| to.push_str(s); let mut t = String::new(); c(&mut t); t } \
         pub fn f() { print!(\"{}{}\", more!(2), told(\"x\")); }",
        2018,
    );
    assert_eq!(translated.unwrap(), text);
}

#[test]
fn what_the_last_expression_holds_is_dropped_last() {
    let loud = "struct Loud(u8); impl Drop for Loud { fn drop(&mut self) { print!(\"{}\", self.0); } } \
                impl Loud { fn get(&self) -> Option<u8> { Some(self.0) } } \
                fn again(of: &Loud) -> Option<Loud> { Some(Loud(of.0)) } pub fn f() { print!(\"{:?}\", held()); }";
    for (block, expected) in [
        (
            "let _a = Loud(1); match Loud(2).get() { Some(x) => x, None => 0 }",
            Some(
                "let mut held_to_end_0 = ::core::option::Option::None; let _a = Loud(1); \
                  match (*held_to_end_0.insert(Loud(2))).get() { Some(x) => x, None => 0 }",
            ),
        ),
        (
            "let _a = Loud(1); match again(&Loud(2)) { Some(x) => x.0, None => 0 }",
            Some(
                "let mut held_to_end_0 = ::core::option::Option::None; let mut held_to_end_1; let _a = Loud(1); \
                  held_to_end_1 = again(&(*held_to_end_0.insert(Loud(2)))); \
                  match held_to_end_1 { Some(x) => x.0, None => 0 }",
            ),
        ),
        (
            "let _a = Loud(1); 1 + match Loud(2).get() { Some(x) => x, None => 0 }",
            Some(
                "let mut held_to_end_0 = ::core::option::Option::None; let _a = Loud(1); \
                  1 + match (*held_to_end_0.insert(Loud(2))).get() { Some(x) => x, None => 0 }",
            ),
        ),
        // Parts of what an option holds cannot be moved.
        (
            "let _a = Loud(1); u8::from(match again(&Loud(2)) { Some(_) => true, None => false })",
            None,
        ),
        // The end of this block was not theirs.
        ("1 + { let _a = Loud(1); Loud(2).get().unwrap() }", None),
    ] {
        let (text, translated) = in_2024(&format!("{loud} fn held() -> u8 {{ {block} }}"), 2021);
        match expected {
            Some(expected) => assert_eq!(translated.unwrap(), text.replace(block, expected)),
            None => assert!(translated.unwrap_err().is::<super::Differs>(), "{block}"),
        }
    }
}

#[test]
fn what_a_pointer_leads_to_is_held_as_long_as_it_was() {
    let read = "fn make() -> Vec<u8> { vec![3, 4] } fn read(of: *const u8) -> u8 { unsafe { *of } } struct S(Vec<u8>); \
                impl S { fn own(&self) -> u8 { read(unsafe { self.0.as_ptr().add(1) }) } }";
    let in_f = |what: &str| in_2024(&format!("{read} pub fn f() {{ {what} }}"), 2021);
    let (text, translated) = in_f("print!(\"{}\", read({ make().as_ptr() }));");
    assert_eq!(
        translated.unwrap(),
        text.replace("read({ make().as_ptr() })", "read(( make().as_ptr() ))")
    );
    let error = in_f("print!(\"{}\", read(unsafe { make().as_ptr().add(1) }));")
        .1
        .unwrap_err();
    assert!(error.is::<super::Differs>(), "{error:#}");
    let (text, translated) = in_f("print!(\"{}\", S(make()).own());");
    assert_eq!(translated.unwrap(), text);
}

#[test]
fn what_is_translated_where_it_is_read_is_not_seen_again() {
    let text = "mod older { pub fn f() { let a = [1]; for _ in a.into_iter() { panic!(\"{{}}\"); } } }\n\
                fn main() { older::f(); }\n";
    let (editions, compile) = beside("older", 2018);
    let said = std::cell::RefCell::new(Vec::new());
    let say = |line: &str| said.borrow_mut().push(line.to_owned());
    translate(text, text, &editions, &compile, &say).unwrap();
    let said = said.into_inner();
    assert!(
        said.iter().any(|line| line.contains("array_into_iter")),
        "{said:?}"
    );
    assert!(
        said.iter().all(|line| !line.contains("non_fmt_panics")),
        "{said:?}"
    );
}

#[test]
fn what_a_macro_becomes_on_the_other_side_of_a_step_is_seen() {
    let loud = "pub struct Loud(pub u8); impl Drop for Loud { fn drop(&mut self) { print!(\"{}\", self.0); } } \
                impl Loud { pub fn get(&self) -> Option<u8> { Some(self.0) } }";
    let branch = "($e:expr) => { if let Some(x) = $e { x } else { print!(\"none\"); 9 } }";
    let tail = "($e:expr) => {{ let _last = $crate::made::Loud(9); $e.unwrap_or(0) }}";
    let closure = "($e:expr) => {{ let two = (Some($e), $crate::made::Loud(9)); let c = move || two.0.is_some(); \
                   c(); print!(\"called\"); c() as u8 }}";
    let mended = |text: &str| {
        let captured = text.replace("move || two", "move || { let _ = &two; two");
        let matched = "($e:expr_2021) => { match $e { Some(x) => { x } _ => { print!(\"none\"); 9 } } }";
        captured.replace("some();", "some() };").replace(branch, matched)
    };
    let plain = "($e:expr) => {{ let value = $e; value.unwrap_or(0) }}";
    for (written, elsewhere, rules, is_same) in [
        (2018, 2021, closure, true),
        (2018, 2021, plain, true),
        (2021, 2024, branch, true),
        (2021, 2024, tail, false),
        (2021, 2024, plain, true),
        (2024, 2021, branch, false),
        (2024, 2021, tail, false),
        (2024, 2021, plain, true),
    ] {
        let (mut editions, mut compile) = beside("made", written);
        (editions.program, compile.edition) = (elsewhere, elsewhere);
        let text = format!(
            "mod made {{ {loud} macro_rules! m {{ {rules} }} pub(crate) use m; }}\n\
             fn called() -> u8 {{ let r = made::m!(made::Loud(1).get()); r }}\nfn main() {{ print!(\"{{}}\", called()); }}\n"
        )
        .replace("$crate::", "crate::");
        let outcome = translate(&text, &text, &editions, &compile, &|_| {});
        match outcome {
            Ok(same) => assert!(is_same && same == mended(&text), "{written} {rules}: {same}"),
            Err(error) => assert!(!is_same && error.is::<super::Differs>(), "{rules}: {error:#}"),
        }
    }
}

#[test]
fn closures_are_the_same_however_they_are_counted() {
    // Those of a crate's macro are counted behind those that a call of `print!` is given in one reading only.
    let text = "mod made { macro_rules! sum { ($n:expr) => { (0..$n).map(|i: i32| -i).sum::<i32>() } } pub(crate) use sum; }\n\
                fn f(v: &[i64]) { let _n = made::sum!(3);\n\
                print!(\"{}\", v.iter().map(|x| { x.max(&2) }.to_string()).collect::<String>()); }\n\
                fn main() { f(&[1, 2]); }\n";
    let (mut editions, compile) = beside("made", 2021);
    editions.program = 2024;
    let lines = super::moved::lines(text, &editions, &compile, &|_| {}).unwrap();
    assert_eq!(lines, Some(Vec::new()));
}

#[test]
fn what_a_crate_makes_of_its_own_macros_is_not_made_in_the_program() {
    // Asynchronous closures of the program are named otherwise in one reading, and do the same.
    let text = "mod made { macro_rules! first { ($e:expr) => { std::convert::identity(unsafe { *$e.as_ptr() }) } }\n\
                pub fn four() -> u32 { first!([4u32]) } }\n\
                async fn later<F: AsyncFn(u32) -> u32>(f: F) -> u32 { f(1).await }\n\
                fn main() { let _later = later(async |x| x * 2); print!(\"{}\", made::four()); }\n";
    let (mut editions, mut compile) = beside("made", 2021);
    (editions.program, compile.edition) = (2024, 2024);
    let lines = super::moved::lines(text, &editions, &compile, &|_| {}).unwrap();
    assert_eq!(lines, Some(Vec::new()));
}

/// What becomes of a program of edition `written` in a file of `target`; an error where it is refused by name.
fn of_program(text: &str, written: u16, target: u16) -> anyhow::Result<String> {
    let editions = Editions {
        program: written,
        modules: [].into(),
        foreign: [].into(),
        may_rescope: false,
    };
    let compile = Compile {
        edition: target,
        flags: Target::find("codingame").unwrap().flags,
        ..Compile::default()
    };
    let made = translate(text, text, &editions, &compile, &|_| {});
    if let Err(error) = &made {
        assert!(error.is::<super::Differs>(), "{error:#}");
    }
    made
}

#[test]
fn what_no_lint_looks_at_is_compared() {
    // A suggestion for one call of a macro is none for another.
    let each = "macro_rules! each { ($e:expr) => { for x in $e.into_iter() { print!(\"{}\", std::mem::size_of_val(&x)); } } }\n";
    let calls = |other: &str| format!("{each}fn main() {{ each!([1u8, 2]); each!({other}); }}\n");
    of_program(&calls("vec![1u8]"), 2018, 2021).unwrap_err();
    of_program(&calls("[3u16]"), 2018, 2021).unwrap();
    // Who shares a value can be asked, and only then its end be noticed.
    let shared = "use std::rc::Rc;\nstruct Guard<'a>(&'a Rc<u8>);\n\
                  impl Drop for Guard<'_> { fn drop(&mut self) { print!(\"{}\", ASKED); } }\n\
                  fn f(r: &Rc<u8>) -> u8 { let _guard = Guard(r); *r.clone() }\nfn main() { f(&Rc::new(1)); }\n";
    of_program(&shared.replace("ASKED", "Rc::strong_count(self.0)"), 2021, 2024).unwrap_err();
    let text = shared.replace("ASKED", "self.0");
    assert_eq!(of_program(&text, 2021, 2024).unwrap(), text);
    // What a macro makes of what it is given hands on what it takes.
    let pattern = "macro_rules! inner { (($d:tt) $n:ident $f:ident) => { macro_rules! $n { ($d p:$f) => { 1 }; ($d($d t:tt)*) => { 2 } } } }\n\
                   macro_rules! outer { ($n:ident $f:ident) => { inner!{($) $n $f} } }\nouter!(made pat);\n\
                   fn main() { print!(\"{}\", made!(1 | 2)); }\n";
    let error = of_program(pattern, 2018, 2021).unwrap_err();
    let lines = &error.downcast_ref::<super::Differs>().unwrap().lines;
    assert!(
        lines.iter().any(|line| line.line.starts_with("fn main()")),
        "{lines:?}"
    );
}

#[test]
fn what_closures_capture_by_way_of_macros_is_captured_whole() {
    let text = "use std::rc::Rc;\nmacro_rules! at { ($b:expr, $i:expr) => { $b[$i] } }\nmacro_rules! run { ($f:expr) => { $f() } }\n\
                struct Game { board: Vec<u8>, log: Rc<u8> }\n\
                fn main() { let log = Rc::new(1); let game = Game { board: vec![3], log: log.clone() };\n\
                CALL; print!(\"{}\", Rc::strong_count(&log)); }\n";
    let of = |call: &str| text.replace("CALL", call);
    for (call, expected) in [
        (
            "let score = move |i| at!(game.board, i); score(0); drop(score)",
            "let score = move |i| { let _ = &game; at!(game.board, i) }; score(0); drop(score)",
        ),
        (
            "let score = move |i| run!(|| game.board[i]); score(0); drop(score)",
            "let score = move |i| { let _ = &game; run!(|| { let _ = &game; let _ = &i; game.board[i] }) }; score(0); drop(score)",
        ),
        (
            "let later = async move { game.board[0] }; drop(later)",
            "let later = async move { let _ = &game;  game.board[0] }; drop(later)",
        ),
    ] {
        assert_eq!(of_program(&of(call), 2018, 2021).unwrap(), of(expected));
    }
}

#[test]
fn what_a_way_without_return_is_worth_is_refused_where_no_closure_says_it() {
    let text = "fn size<T>(_: &T) -> usize { std::mem::size_of::<T>() }\n\
                fn main() { let r = Err::<_, u8>(3).or_else(|e| if e > 200 { Ok(panic!()) } else { Err(e) }); print!(\"{}\", size(&r)); }\n";
    of_program(text, 2021, 2024).unwrap_err();
    of_program(text, 2024, 2021).unwrap_err();
    of_program(&text.replace("panic!()", "1u8"), 2021, 2024).unwrap();
}

#[test]
fn panics_of_an_older_crate_are_no_difference() {
    for panics in [
        "panic!()",
        "panic!(\"a\")",
        "unreachable!()",
        "todo!()",
        "assert!(x > 7)",
        "assert_eq!(x, 7, \"b {}\", x)",
    ] {
        let text = format!(
            "mod older {{ pub fn f(x: u8) {{ if x > 3 {{ {panics}; }} }} }}\nfn main() {{ older::f(2); }}\n"
        );
        for program in [2021, 2024] {
            let (mut editions, mut compile) = beside("older", 2018);
            (editions.program, compile.flags) = (program, Target::find("codingame").unwrap().flags);
            assert_eq!(
                translate(&text, &text, &editions, &compile, &|_| {}).unwrap(),
                text,
                "{panics}"
            );
        }
    }
}

#[test]
fn blanks_between_printed_tokens_are_no_difference() {
    // Out of another crate's macro a blank stands before the parenthesis.
    let printed = "print!(\"{}\", stringify!(cfg!(unix)))";
    for (edition, body) in [
        (2024, format!("{printed};")),
        (
            2018,
            format!("for x in [1, 2].into_iter() {{ {printed}; let _ = x; }}"),
        ),
        (
            2018,
            format!(
                "let mut t = (1, 2); {{ let mut f = || {{ t.0 += 1; {printed}; }}; f(); }} print!(\"{{}}\", t.1);"
            ),
        ),
    ] {
        let text = format!("mod other {{ pub fn f() {{ {body} }} }}\nfn main() {{ other::f(); }}\n");
        let (editions, compile) = beside("other", edition);
        translate(&text, &text, &editions, &compile, &|_| {}).unwrap();
    }
}

#[test]
fn memory_that_may_have_been_handed_on_is_no_difference() {
    // The word goes before the lock, and since 2024 after it, if it is still there: that is another code.
    let text = "use std::{collections::{hash_map::Entry, HashMap}, sync::Mutex};\n\
                struct Bot { m: Mutex<HashMap<u32, Vec<u8>>> }\n\
                impl Bot {\n    fn put(&self, s: &str) {\n        let s = s.to_owned();\n        \
                match self.m.lock().unwrap().entry(s.len() as u32) {\n            \
                Entry::Occupied(mut e) => e.get_mut().extend(s.bytes()),\n            \
                e => { e.or_insert(s.into_bytes()); }\n        }\n    }\n}\n\
                fn main() {\n    let b = Bot { m: Mutex::new(HashMap::new()) };\n    \
                b.put(\"abc\"); b.put(\"xyz\");\n    println!(\"{:?}\", b.m.lock().unwrap());\n}\n";
    assert_eq!(of_program(text, 2021, 2024).unwrap(), text);
}

#[test]
fn a_chain_of_lets_that_nobody_asks_about_is_read_in_its_own_edition() {
    let text = "mod m { pub struct S(pub Option<u8>);\n\
                impl S { pub fn f(&self) -> impl Fn() -> u8 + use<'_> { move || if let Some(a) = self.0 && a > 3 { a } else { 0 } } } }\n\
                fn g(a: Option<u8>) -> u8 { if let Some(a) = a { a } else { 1 } }\n\
                fn main() { println!(\"{}\", m::S(Some(5)).f()() + g(None)); }\n";
    let (mut editions, compile) = beside("none", 2021);
    editions.program = 2024;
    let errors = |keeps: Option<Keeps<'_>>| {
        let mixed = Mixed::read_as(text, &editions, &compile, 2021, &|of| of == 2024, keeps).unwrap();
        let compiler = Compiler::new(&mixed.compile).unwrap();
        compiler.check(&mixed.text).unwrap().errors.len()
    };
    assert_eq!(errors(Some(&|range| text[range.clone()].starts_with("fn g"))), 0);
    assert_ne!(errors(Some(&|_| true)), 0);
    assert_ne!(errors(None), 0);
}

#[test]
fn what_older_editions_cannot_read_and_nobody_asks_about_is_read_in_its_own() {
    let text = "fn h(a: u8) -> u8 { a + 1 }\n\
                fn f() -> impl Iterator<Item = u8> { [1u8, 2].into_iter().map(|a| h(a)) }\n\
                fn g() -> u8 { let mut n = 0; for a in [1u8, 2].into_iter() { n += a.clone(); } n }\n\
                fn main() { println!(\"{}\", f().count() + usize::from(g())); }\n";
    let (mut editions, compile) = beside("none", 2021);
    editions.program = 2021;
    let linted = |keeps: Keeps<'_>| {
        let step = (2018, "array_into_iter");
        let linted = super::linted(text, &editions, &compile, step, &|of| of == 2021, keeps, &|_| {});
        linted.unwrap().map(|(mixed, places)| -> Vec<usize> {
            places
                .iter()
                .map(|linted| mixed.back(&linted.place).start)
                .collect()
        })
    };
    let seen = linted(&|range| text[range.clone()].starts_with("fn g"));
    let end = text.find("fn main").unwrap();
    let within = text.find("fn g").unwrap()..end;
    let seen = seen.expect("all that is asked about can be read");
    assert!(
        !seen.is_empty() && seen.iter().all(|place| within.contains(place)),
        "{seen:?}"
    );
    // What is asked about has to be.
    assert!(linted(&|_| true).is_none());
}
