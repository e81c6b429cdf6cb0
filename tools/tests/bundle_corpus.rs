//! The bundler on the crates of AtCoder's list: a small program on each, bundled for a judge that has none of
//! them, compiled alone, and its answer compared with the cargo build's. Takes an hour of CPU time:
//! `cargo test --release -p fifty-tools --test bundle_corpus -- --ignored --nocapture` prints the table.

use fifty_tools::bundle::print::Minify;
use fifty_tools::bundle::target::Target;
use fifty_tools::bundle::unit::Selection;
use fifty_tools::bundle::{Progress, Request, bundle};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus")
}

fn run(program: &Path, name: &str) -> Vec<u8> {
    let input = corpus().join("input").join(format!("{name}.txt"));
    let input = File::open(input).map_or_else(|_| Stdio::null(), Stdio::from);
    Command::new(program).stdin(input).output().unwrap().stdout
}

/// Characters, or why there is no bundle. A wrong answer fails the test.
fn check(name: &str, target_dir: &Path) -> Result<usize, String> {
    let request = Request {
        selection: Selection {
            bin: name.to_owned(),
            manifest: Some(corpus().join("Cargo.toml")),
            ..Selection::default()
        },
        target: Target::find("plain").unwrap(),
        minify: Minify::None,
        progress: Progress::Silent,
        cache: Some(target_dir.to_owned()),
    };
    let bundle = bundle(&request).map_err(|error| format!("{error:#}"))?;
    let built = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--bin", name])
        .arg("--target-dir")
        .arg(target_dir)
        .arg("--manifest-path")
        .arg(corpus().join("Cargo.toml"))
        .status()
        .unwrap();
    assert!(built.success(), "{name} does not build");
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("program");
    bundle
        .compile
        .program(&bundle.text, &program)
        .map_err(|error| format!("{error:#}"))?;
    let expected = run(&target_dir.join("release").join(name), name);
    assert!(!expected.is_empty(), "{name} prints something");
    assert_eq!(run(&program, name), expected, "{name}: a wrong program");
    Ok(bundle.characters)
}

#[test]
#[ignore = "an hour of CPU time"]
fn every_crate_bundles_or_says_why_not() {
    let target_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus");
    let mut names: Vec<String> = std::fs::read_dir(corpus().join("src/bin"))
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 62);
    let mut passed = 0;
    for name in &names {
        let started = Instant::now();
        let result = check(name, &target_dir);
        let seconds = started.elapsed().as_secs();
        match result {
            Ok(characters) => {
                passed += 1;
                println!("{name:<20} {characters:>8} characters {seconds:>4} s");
            }
            Err(why) => println!("{name:<20} {}", why.lines().take(3).collect::<Vec<_>>().join(" ")),
        }
    }
    println!("{passed} of {}", names.len());
    assert!(passed >= 55);
}
