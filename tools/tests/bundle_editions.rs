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

/// A program: the edition it is written in, and its text.
struct Snippet {
    name: String,
    edition: u16,
    text: String,
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
                    });
                }
            }
        }
    }
    list
}

/// `Ok(true)` if bundled and the same, `Ok(false)` if refused by name.
fn check(snippet: &Snippet, target: &str, dir: &Path) -> Result<bool, String> {
    let project = dir.join(&snippet.name);
    std::fs::create_dir_all(project.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"snippet\"\nversion = \"0.1.0\"\nedition = \"{}\"\n[workspace]\n",
        snippet.edition
    );
    std::fs::write(project.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(project.join("src/main.rs"), &snippet.text).unwrap();
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
            let named = text.contains("in edition") && text.contains(&snippet.edition.to_string());
            return if named { Ok(false) } else { Err(text) };
        }
    };
    let (own, made) = (project.join("own"), project.join("made"));
    let built = Command::new("rustc")
        .args([
            "--edition",
            &snippet.edition.to_string(),
            "-O",
            "-Awarnings",
            "-o",
        ])
        .arg(&own)
        .arg(project.join("src/main.rs"))
        .output()
        .unwrap();
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

fn check_all(every: usize) {
    let dir = tempfile::tempdir().unwrap();
    let (mut same, mut refused, mut wrong) = (0, 0, Vec::new());
    for (n, snippet) in snippets().iter().enumerate().filter(|(n, _)| n % every == 0) {
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
    check_all(73);
}

#[test]
#[ignore = "half an hour of CPU time"]
fn every_snippet_means_the_same_in_another_edition() {
    assert!(snippets().len() >= 200);
    check_all(1);
}
