//! The bundler on tiny projects, one construct each: the bundle compiled alone in an empty folder answers
//! as the cargo build does, in both editions, with and without optimisation, at every degree of squeezing.

use fifty_tools::bundle::print::Minify;
use fifty_tools::bundle::project::Selection;
use fifty_tools::bundle::target::Target;
use fifty_tools::bundle::{Bundle, Progress, Request, alone::Compile, bundle};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bundle")
}

fn request(project: &str, minify: Minify) -> Request {
    let number = project.split('-').next().unwrap();
    Request {
        selection: Selection {
            bin: format!("b{number}"),
            manifest: Some(projects().join(project).join("Cargo.toml")),
            ..Selection::default()
        },
        target: Target::find("plain").unwrap(),
        minify,
        progress: Progress::Silent,
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundle")),
    }
}

/// Folder with the programs Cargo makes of all projects.
fn cargo_builds() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundle");
        let out = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--locked"])
            .args((1..=30).flat_map(|n| ["-p".to_owned(), format!("b{n:02}")]))
            .arg("--manifest-path")
            .arg(projects().join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        target.join("release")
    })
}

fn run(program: &Path) -> (String, Option<i32>) {
    let out = Command::new(program).output().unwrap();
    (
        String::from_utf8_lossy(&out.stdout).into_owned(),
        out.status.code(),
    )
}

/// Bundles one project at every degree, compiles and runs it in every way.
fn check(project: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    let expected = run(&cargo_builds().join(request(project, Minify::None).selection.bin));
    assert!(!expected.0.is_empty(), "{project} prints something");
    for minify in [Minify::None, Minify::Light, Minify::Full] {
        let bundle = bundle(&request(project, minify)).map_err(|error| format!("{error:#}"))?;
        let ways: &[(u16, &str)] = match minify {
            Minify::None => &[(2021, "-O"), (2024, "-O")],
            Minify::Light => &[(2021, "-Copt-level=0")],
            Minify::Full => &[(2024, "-Copt-level=0")],
        };
        for (edition, flag) in ways {
            let program = dir.path().join("program");
            let compile = Compile {
                edition: *edition,
                flags: vec![(*flag).to_owned()],
                offered: Vec::new(),
            };
            let way = format!("{minify:?}, edition {edition}, {flag}");
            compile
                .program(&bundle.text, &program)
                .map_err(|error| format!("{way}: {error:#}\n{}", bundle.text))?;
            let got = run(&program);
            if got != expected {
                return Err(format!(
                    "{way}: expected {expected:?}, got {got:?}\n{}",
                    bundle.text
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn every_construct_bundles_and_means_the_same() {
    let mut names: Vec<String> = std::fs::read_dir(projects())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.as_str() < "31" && name.as_bytes()[0].is_ascii_digit())
        .collect();
    names.sort();
    assert_eq!(names.len(), 30);
    cargo_builds();
    let failures: Vec<String> = names
        .par_iter()
        .filter_map(|name| check(name).err().map(|error| format!("{name}: {error}")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn what_cannot_be_inlined_is_refused_by_name() {
    for (project, name, reason) in [
        ("31-procedural-macro", "shout 0.3.1", "procedural macro"),
        ("32-build-script", "built 1.2.3", "build script"),
    ] {
        let error = bundle(&request(project, Minify::None)).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains(name) && text.contains(reason), "{text}");
    }
}

fn ten_lines(minify: Minify) -> Bundle {
    bundle(&request("10-arrayvec", minify)).unwrap()
}

#[test]
fn ten_lines_with_arrayvec_stay_small() {
    let readable = ten_lines(Minify::None);
    assert!(readable.characters < 15_000, "{}", readable.characters);
    let minified = ten_lines(Minify::Full);
    assert!(minified.characters < 9_000, "{}", minified.characters);
    assert!(
        readable.text.starts_with("// arrayvec 0.7"),
        "the licence is kept"
    );
    assert_eq!(readable.text, ten_lines(Minify::None).text);
}
