//! The bundler between editions: generated programs whose meaning depends on the edition they are read in, bundled
//! for judges of another. Each prints what cargo's build prints, or is refused with both editions named.
//!
//! A handful runs with the others; all of them:
//! `cargo test --release -p fifty-tools --test bundle_editions -- --ignored --nocapture`.

#[path = "bundle_editions/ordinary.rs"]
mod ordinary;
#[path = "bundle_editions/words.rs"]
mod words;

use fifty_tools::bundle::print::Minify;
use fifty_tools::bundle::target::Target;
use fifty_tools::bundle::unit::Selection;
use fifty_tools::bundle::{Progress, Request, bundle};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What the programs share: a value that says when it goes.
const NOISY: &str = "
struct D(&'static str);
impl D {
    fn on(&self) -> Option<i32> { if self.0.len() % 2 == 0 { Some(self.0.len() as i32) } else { None } }
    fn len(&self) -> usize { self.0.len() }
}
impl Drop for D { fn drop(&mut self) { println!(\"drop {}\", self.0); } }
";

/// A program: the edition it is written in, and its text; with a macro of a crate of another edition, if there is one.
struct Snippet {
    name: String,
    edition: u16,
    text: String,
    made: Option<Made>,
    /// Editions of which a refusal names one.
    told: Vec<u16>,
}

/// The crate `makes`.
struct Made {
    edition: u16,
    is_procedural: bool,
    text: String,
}

/// Bodies of `main` that read differently in some edition, each with the oldest edition it is a program in. `N`
/// stands for a word of the snippet's own.
const BODIES: [(&str, u16, &str); 16] = [
    (
        "if_let",
        2018,
        "if let Some(x) = D(\"N\").on() { println!(\"some {x}\", x = x); } else { println!(\"none\"); }",
    ),
    (
        "if_struct",
        2018,
        "struct P { a: usize } fn p(d: &D) -> P { P { a: d.len() } } if let P { a: 9 } = p(&D(\"N\")) { println!(\"nine\"); } else if let P { a: 2, .. } = p(&D(\"N\")) { println!(\"two\"); } else { println!(\"none\"); }",
    ),
    (
        "tail",
        2018,
        "fn f() -> usize { let _a = D(\"local\"); D(\"N\").len() } println!(\"{}\", f());",
    ),
    (
        "operand",
        2018,
        "fn two(a: usize, b: usize) { println!(\"{} {}\", a, b); } two({ D(\"N\").len() }, { D(\"m\").len() }); println!(\"{}\", { D(\"N\").len() });",
    ),
    (
        "never",
        2018,
        "fn size<T>(_: impl Fn() -> T) -> usize { \"N\".len() + std::mem::size_of::<Option<T>>() } println!(\"{}\", size(|| panic!(\"N\")));",
    ),
    (
        "endless",
        2018,
        "fn size<T>(_: impl FnOnce() -> T) -> usize { std::mem::size_of::<Option<T>>() } println!(\"{} {} {} {}\", size(|| loop { if \"N\".len() > 9 { panic!() } }), size(|| { println!(\"N\"); std::process::exit(1); }), size(|| -> u8 { todo!() }), size(|| { size(|| todo!()); loop { break 7u16; } })); let a: Option<u64> = Some(2); println!(\"{:?}\", a.map_or_else(|| panic!(\"N\"), |a| a + 1));",
    ),
    (
        "match",
        2018,
        "match D(\"N\").on() { Some(x) => println!(\"{}\", x), None => println!(\"none\") } println!(\"end\");",
    ),
    (
        "chain",
        2024,
        "if let Some(x) = D(\"N\").on() && x > 2 { println!(\"{x}\"); } else { println!(\"none\"); }",
    ),
    (
        "capture",
        2018,
        "let p = (D(\"N\"), D(\"other\")); { let c = move || println!(\"{}\", p.0.0); c(); } println!(\"end\");",
    ),
    (
        "cloned",
        2018,
        "struct C(&'static str); impl Clone for C { fn clone(&self) -> C { println!(\"cloned {}\", self.0); C(self.0) } } let p = ((C(\"N\"), 1), C(\"other\")); let c = move || println!(\"{}\", p.0.0.0.len()); let d = c.clone(); c(); d();",
    ),
    (
        "consumed",
        2018,
        "struct C(&'static str); impl Clone for C { fn clone(&self) -> C { println!(\"cloned {}\", self.0); C(self.0) } } fn eat(c: C) -> usize { c.0.len() } let p = (C(\"N\"), C(\"other\")); let c = || eat(p.0); let d = c.clone(); println!(\"{} {}\", c(), d());",
    ),
    (
        "array",
        2018,
        "let a = [\"N\", \"m\"]; let n: usize = a.into_iter().map(|s| std::mem::size_of_val(&s)).sum(); println!(\"{}\", n);",
    ),
    (
        "gen",
        2018,
        "fn r#gen(x: usize) -> usize { x + \"N\".len() } println!(\"{}\", r#gen(1));",
    ),
    (
        "panic",
        2018,
        "let r = std::panic::catch_unwind(|| { if \"N\".len() > 0 { panic!(\"N {}\", 1) } }); let e = r.unwrap_err(); println!(\"{:?} {:?}\", e.downcast_ref::<String>(), e.downcast_ref::<&str>());",
    ),
    (
        "method",
        2018,
        "trait TryInto { fn try_into(&self) -> String; } impl TryInto for u8 { fn try_into(&self) -> String { \"N\".to_string() } } println!(\"{}\", TryInto::try_into(&7u8));",
    ),
    (
        "while_let",
        2018,
        "let mut n = 0; while let Some(x) = D(\"N\").on() { n += x; if n > 6 { break; } } println!(\"{}\", n);",
    ),
];

const WORDS: [&str; 4] = ["ab", "abc", "abcd", "abcdefg"];

/// All of them: bodies by words by editions by a block around them or a second value beside them.
fn snippets() -> Vec<Snippet> {
    let mut list = Vec::new();
    for (name, oldest, body) in BODIES {
        for word in WORDS {
            for edition in [2018, 2021, 2024]
                .into_iter()
                .filter(|edition| *edition >= oldest)
            {
                for wrap in ["", "let _guard = D(\"guard\");"] {
                    let mut text = NOISY.to_owned();
                    let body = body.replace('N', word);
                    let _ = writeln!(
                        text,
                        "fn main() {{ let d = D(\"used\"); println!(\"{{:?}} {{}}\", d.on(), d.len()); {wrap}\n{body} }}"
                    );
                    list.push(Snippet {
                        name: format!("{name}_{word}_{edition}_{}", usize::from(!wrap.is_empty())),
                        edition,
                        text,
                        made: None,
                        told: vec![edition],
                    });
                }
            }
        }
    }
    list
}

/// The same bodies, made by procedural macros of other editions than their callers'.
fn made_snippets() -> Vec<Snippet> {
    let mut list = Vec::new();
    for (name, oldest, body) in BODIES {
        for by in [2018, 2021, 2024].into_iter().filter(|by| *by >= oldest) {
            for edition in [2018, 2021, 2024].into_iter().filter(|edition| *edition != by) {
                for wrap in ["", "let _guard = D(\"guard\");"] {
                    let text =
                        format!("{NOISY}fn main() {{ let _ = D(\"used\").on();{wrap} makes::it!(); }}");
                    list.push(Snippet {
                        name: format!("{name}_{by}_in_{edition}_{}", usize::from(!wrap.is_empty())),
                        edition,
                        text,
                        made: Some(Made {
                            edition: by,
                            is_procedural: true,
                            text: format!(
                                "#[proc_macro] pub fn it(_: proc_macro::TokenStream) -> proc_macro::TokenStream \
                                 {{ {:?}.parse().unwrap() }}",
                                body.replace('N', WORDS[1])
                            ),
                        }),
                        told: vec![by],
                    });
                }
            }
        }
    }
    list
}

/// Macros by rules: where what they are given stands, and ends.
const RULES: [(&str, &str); 9] = [
    ("plain", "($e:expr) => { match $e { x => x } };"),
    ("block", "($e:expr) => {{ let g = D(\"guard\"); g.len(); $e }};"),
    (
        "closure",
        "($e:expr) => { Some(1).and_then(|_: i32| { let _g = D(\"guard\"); $e }) };",
    ),
    (
        "own",
        "($e:expr) => { $e.or_else(|| D(\"own\").on()).or(D(\"owned\").on()) };",
    ),
    (
        "branch",
        "($e:expr) => { if let Some(x) = $e { Some(x) } else { D(\"none\").on() } };",
    ),
    (
        "chain",
        "($e:expr) => {{ let g = D(\"guard\"); if let Some(x) = $e && x > g.len() as i32 - 3 { D(\"some\").on().or(Some(x)) } else { D(\"none\").on() } }};",
    ),
    (
        "loop",
        "($e:expr) => {{ let mut n = None; while let Some(x) = $e { n = Some(x); if x > 1 { break; } } n }};",
    ),
    (
        "capture",
        "($e:expr) => {{ let p = (D(\"aa\"), D(\"bcd\")); let v = { let c = move || p.0.on(); c() }; println!(\"made\"); v.or($e) }};",
    ),
    (
        "array",
        "($e:expr) => {{ let a = [$e, None]; let sizes = a.into_iter().map(|o| std::mem::size_of_val(&o)); Some(sizes.sum::<usize>() as i32) }};",
    ),
];

/// What they are given.
const GIVEN: [&str; 3] = [
    "D(\"abcd\").on()",
    "{ let g = D(\"gu\"); D(\"abc\").on().or(g.on()) }",
    "match D(\"ab\").on() { Some(x) => D(\"abcd\").on().map(|y| x + y), None => None }",
];

/// True where the rules are none of this edition.
fn is_too_old(rule: &str, edition: u16) -> bool {
    rule == "chain" && edition < 2024
}

/// Where they are called.
const CALLS: [(&str, &str); 5] = [
    (
        "while",
        "let mut n = 0; while let Some(x) = CALL { n += x; println!(\"at {}\", n); if n > 6 { break; } }",
    ),
    (
        "if",
        "if let Some(x) = CALL { println!(\"some {}\", x); } else { println!(\"none\"); }",
    ),
    (
        "match",
        "match CALL { Some(x) => println!(\"some {}\", x), None => println!(\"none\") } println!(\"end\");",
    ),
    (
        "last",
        "fn f() -> Option<i32> { let _a = D(\"local\"); CALL } println!(\"{:?}\", f());",
    ),
    (
        "inner",
        "let v = { let _a = D(\"local\"); (CALL, 1).1 }; println!(\"{}\", v);",
    ),
];

/// Editions of a macro by rules and of the program that calls it.
const PAIRS: [(u16, u16); 8] = [
    (2021, 2021),
    (2024, 2024),
    (2021, 2024),
    (2024, 2021),
    (2018, 2024),
    (2018, 2021),
    (2021, 2018),
    (2018, 2018),
];

/// Macros by rules, of the program's own edition and of others.
fn ruled_snippets() -> Vec<Snippet> {
    let mut list = Vec::new();
    for (rule, rules) in RULES {
        for (n, given) in GIVEN.iter().enumerate() {
            for (at, call) in CALLS {
                for (by, edition) in PAIRS {
                    // What edition 2024 did not change is asked once.
                    let is_of_2021 = matches!(rule, "capture" | "array");
                    let is_among_older = by != edition && by.max(edition) < 2024;
                    if n > 0 && (is_of_2021 || is_among_older) || is_too_old(rule, by) {
                        continue;
                    }
                    let made = (by != edition).then(|| Made {
                        edition: by,
                        is_procedural: false,
                        text: format!("#[macro_export] macro_rules! it {{ {rules} }}"),
                    });
                    let (own, path) = match made {
                        Some(_) => (String::new(), "makes::"),
                        None => (format!("macro_rules! it {{ {rules} }}"), ""),
                    };
                    let call = call.replace("CALL", &format!("{path}it!({given})"));
                    let text = format!("{NOISY}{own} fn main() {{ let _ = D(\"used\").on(); {call} }}");
                    list.push(Snippet {
                        name: format!("{rule}_{n}_{at}_{by}_in_{edition}"),
                        edition,
                        text,
                        made,
                        told: vec![by, edition],
                    });
                }
            }
        }
    }
    list
}

/// The same by procedural macros: what they are given stands among words of their own edition.
fn handed_snippets() -> Vec<Snippet> {
    let mut list = Vec::new();
    for (rule, rules) in RULES {
        let (_, made) = rules.split_once("=> {").expect("a rule makes something");
        let made = made.rsplit_once('}').expect("a rule ends").0.replace("$e", "E");
        for (n, given) in GIVEN.iter().enumerate().take(2) {
            for (at, call) in CALLS
                .iter()
                .filter(|call| ["while", "match", "last"].contains(&call.0))
            {
                let pairs = PAIRS
                    .iter()
                    .filter(|pair| pair.0 != pair.1 && !is_too_old(rule, pair.0));
                for (by, edition) in pairs {
                    let call = call.replace("CALL", &format!("makes::it!({given})"));
                    list.push(Snippet {
                        name: format!("{rule}_{n}_{at}_{by}_handed_by_{edition}"),
                        edition: *edition,
                        text: format!("{NOISY}fn main() {{ let _ = D(\"used\").on(); {call} }}"),
                        made: Some(Made {
                            edition: *by,
                            is_procedural: true,
                            text: format!("{PUT}#[proc_macro] pub fn it(e: TokenStream) -> TokenStream {{ put({made:?}.parse().unwrap(), &e) }}"),
                        }),
                        told: vec![*by, *edition],
                    });
                }
            }
        }
    }
    list
}

/// Puts what a procedural macro is given in the place of a word.
const PUT: &str = "
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
fn put(text: TokenStream, given: &TokenStream) -> TokenStream {
    text.into_iter().map(|tree| match tree {
        TokenTree::Ident(word) if word.to_string() == \"E\" => TokenTree::Group(Group::new(Delimiter::None, given.clone())),
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), put(group.stream(), given));
            new.set_span(group.span());
            TokenTree::Group(new)
        }
        tree => tree,
    }).collect()
}
";

/// Writes a crate of one file.
fn write_crate(folder: &Path, (name, edition, rest): (&str, u16, &str), file: &str, text: &str) {
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n{rest}");
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src").join(file), text).unwrap();
}

/// `Ok(true)` if bundled and the same, `Ok(false)` if refused by name.
fn check(snippet: &Snippet, target: &str, dir: &Path) -> Result<bool, String> {
    let project = dir.join(&snippet.name);
    let mut rest = "[workspace]\n".to_owned();
    if let Some(made) = &snippet.made {
        rest += "[dependencies]\nmakes = { path = \"makes\" }\n";
        let kind = if made.is_procedural {
            "[lib]\nproc-macro = true\n"
        } else {
            ""
        };
        write_crate(
            &project.join("makes"),
            ("makes", made.edition, kind),
            "lib.rs",
            &made.text,
        );
    }
    write_crate(
        &project,
        ("snippet", snippet.edition, &rest),
        "main.rs",
        &snippet.text,
    );
    let request = Request {
        selection: Selection {
            manifest: Some(project.join("Cargo.toml")),
            ..Selection::default()
        },
        target: Target::find(target).unwrap(),
        minify: Minify::None,
        progress: Progress::Silent,
        cache: Some(project.join("target")),
        budget: None,
    };
    let bundle = match bundle(&request) {
        Ok(bundle) => bundle,
        Err(error) => {
            let text = format!("{error:#}");
            let is_told = |edition: &u16| text.contains(&edition.to_string());
            let named = text.contains("edition") && snippet.told.iter().any(is_told);
            return if named { Ok(false) } else { Err(text) };
        }
    };
    let made = project.join("made");
    let built = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--offline", "--manifest-path"])
        .arg(project.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", project.join("own"))
        .output()
        .unwrap();
    let own = project.join("own/release/snippet");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    bundle
        .compile
        .program(&bundle.text, &made)
        .map_err(|error| format!("{error:#}\n{}", bundle.text))?;
    let (own, made) = (
        Command::new(own).output().unwrap(),
        Command::new(made).output().unwrap(),
    );
    if own.stdout != made.stdout || own.status.code() != made.status.code() {
        return Err(format!(
            "a wrong program: {} instead of {}\n{}",
            String::from_utf8_lossy(&made.stdout),
            String::from_utf8_lossy(&own.stdout),
            bundle.text
        ));
    }
    Ok(true)
}

fn check_all(snippets: &[Snippet], every: usize) {
    let dir = tempfile::tempdir().unwrap();
    let (mut same, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for (n, snippet) in snippets.iter().enumerate().filter(|(n, _)| n % every == 0) {
        // The older ones for a newer judge and the newer ones for an older one.
        let target = if snippet.edition == 2024 || n % 2 == 1 {
            "codingame"
        } else {
            "nypc"
        };
        match check(snippet, target, dir.path()) {
            Ok(true) => same += 1,
            Ok(false) => refused.push(format!("{} for {target}", snippet.name)),
            Err(why) => wrong.push(format!("{} for {target}: {why}", snippet.name)),
        }
    }
    println!(
        "{same} the same, {} refused by name, {} wrong; refused: {}",
        refused.len(),
        wrong.len(),
        refused.join(", ")
    );
    assert!(same > 0 && wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn some_snippets_mean_the_same_in_another_edition() {
    check_all(&snippets(), 73);
    check_all(&made_snippets(), 38);
    check_all(&ruled_snippets(), 149);
    check_all(&handed_snippets(), 71);
    words::mean_what_they_do();
    ordinary::are_taken(23);
}

#[test]
#[ignore = "three minutes of CPU time"]
fn no_ordinary_program_is_refused_for_another_edition() {
    ordinary::are_taken(1);
}

#[test]
#[ignore = "half an hour of CPU time"]
fn every_snippet_means_the_same_in_another_edition() {
    assert!(snippets().len() >= 200);
    check_all(&snippets(), 1);
}

#[test]
#[ignore = "ten minutes of CPU time"]
fn what_macros_of_another_edition_make_means_the_same() {
    check_all(&made_snippets(), 1);
}

#[test]
#[ignore = "ten minutes of CPU time"]
fn what_macros_of_another_edition_are_handed_means_the_same() {
    check_all(&handed_snippets(), 1);
}

#[test]
#[ignore = "half an hour of CPU time"]
fn what_macros_by_rules_hold_ends_when_it_did() {
    assert!(ruled_snippets().len() >= 400);
    check_all(&ruled_snippets(), 1);
}

/// Programs of 2024 whose rules an older judge reads once they are said otherwise, and two that it cannot read at all.
#[test]
fn what_rules_repeat_and_are_given_means_the_same_to_an_older_judge() {
    let repeated = "
macro_rules! each { ($($d:expr => $n:expr),*) => { $( if let Some(x) = D($d).on() && x == $n { println!(\"is {x}\"); } else { println!(\"not\"); } )* } }
macro_rules! drain { ($($v:ident),*) => { $( while let Some(x) = $v.pop() && x != 0 { print!(\"{x} \"); } )* }; }
macro_rules! firsts { ($($v:expr),*) => { [$( if let Some(x) = $v.first() && *x > 0 { *x } else { 9 } ),*] } }
macro_rules! hits { ($($v:expr),*) => {{ let mut n = 0; for i in 0..4 { $( if let Some(x) = $v.get(i) && *x == 3 { n += 1; continue; } else if let Some(x) = $v.get(i) && *x == 7 { break; } )* n += 10; } n }} }
macro_rules! when { ($d:expr, $b:block else $e:block) => { if let Some(x) = $d && x > 2 $b else $e } }
fn main() {
    each!(\"ab\" => 2, \"abc\" => 2);
    let (mut p, mut q) = (vec![1, 0, 2], vec![4]);
    drain!(p, q);
    println!(\"{:?} {} {}\", firsts!([1], [-1]), hits!([1, 3], [3, 5, 7]), D(\"\").len());
    when!(D(\"abcd\").on(), { println!(\"yes\") } else { println!(\"no\") });
}";
    let given = "
macro_rules! list { ($($e:expr),* $(,)?) => { [$($e),*] } }
macro_rules! set { ($e:expr, $v:expr) => { $e = $v } }
fn main() {
    let mut x = list![const { 3 + 4 }, 1, const { 2 },];
    set!(_, x);
    set!((x[0], _), (D(\"abc\").on().unwrap_or(1), 2));
    println!(\"{x:?}\");
}";
    let pieces = "
macro_rules! all { ($($x:expr => $n:ident),+; $e:expr) => { if $(let Some($n) = $x &&)+ true { $e } else { 0 } } }
fn main() { println!(\"{}\", all!(D(\"ab\").on() => a, D(\"abc\").on() => b; a + b)); }";
    let other = "
macro_rules! kind { (($($t:tt)*)) => { \"group\" }; ($e:expr) => { stringify!($e) } }
fn main() { println!(\"{} {:?}\", kind!(const { 1 }), D(\"ab\").on()); }";
    let dir = tempfile::tempdir().unwrap();
    for (name, text, is_same) in [
        ("repeated", repeated, true),
        ("given", given, true),
        ("pieces", pieces, false),
        ("other", other, false),
    ] {
        let snippet = Snippet {
            name: name.to_owned(),
            edition: 2024,
            text: format!("{NOISY}{text}"),
            made: None,
            told: vec![2021],
        };
        assert_eq!(check(&snippet, "codingame", dir.path()), Ok(is_same), "{name}");
    }
}
