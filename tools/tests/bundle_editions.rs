//! The bundler between editions: generated programs whose meaning depends on the edition they are read in, bundled
//! for judges of another. Each prints what cargo's build prints, or is refused with both editions named.
//!
//! A handful runs with the others; all of them:
//! `cargo test --release -p fifty-tools --test bundle_editions -- --ignored --nocapture`.

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

/// A program: the edition it is written in, and its text; `made` by a procedural macro of its own edition, if there is one.
struct Snippet {
    name: String,
    edition: u16,
    text: String,
    made: Option<(u16, String)>,
}

/// Bodies of `main` that read differently in some edition, each with the oldest edition it is a program in. `N`
/// stands for a word of the snippet's own.
const BODIES: [(&str, u16, &str); 10] = [
    (
        "if_let",
        2018,
        "if let Some(x) = D(\"N\").on() { println!(\"some {x}\", x = x); } else { println!(\"none\"); }",
    ),
    (
        "tail",
        2018,
        "fn f() -> usize { let _a = D(\"local\"); D(\"N\").len() } println!(\"{}\", f());",
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
                        made: Some((by, body.replace('N', WORDS[1]))),
                    });
                }
            }
        }
    }
    list
}

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
    if let Some((edition, body)) = &snippet.made {
        rest += "[dependencies]\nmakes = { path = \"makes\" }\n";
        let text = format!(
            "#[proc_macro] pub fn it(_: proc_macro::TokenStream) -> proc_macro::TokenStream {{ {body:?}.parse().unwrap() }}"
        );
        let kind = ("makes", *edition, "[lib]\nproc-macro = true\n");
        write_crate(&project.join("makes"), kind, "lib.rs", &text);
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
            let written = snippet.made.as_ref().map_or(snippet.edition, |made| made.0);
            let named = text.contains("edition") && text.contains(&written.to_string());
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
    let (mut same, mut refused, mut wrong) = (0, 0, Vec::new());
    for (n, snippet) in snippets.iter().enumerate().filter(|(n, _)| n % every == 0) {
        // The older ones for a newer judge and the newer ones for an older one.
        let target = if snippet.edition == 2024 || n % 2 == 1 {
            "codingame"
        } else {
            "nypc"
        };
        match check(snippet, target, dir.path()) {
            Ok(true) => same += 1,
            Ok(false) => refused += 1,
            Err(why) => wrong.push(format!("{} for {target}: {why}", snippet.name)),
        }
    }
    println!(
        "{same} the same, {refused} refused by name, {} wrong",
        wrong.len()
    );
    assert!(same > 0 && wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn some_snippets_mean_the_same_in_another_edition() {
    check_all(&snippets(), 73);
    check_all(&made_snippets(), 37);
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
