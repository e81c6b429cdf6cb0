//! The bundler and `cfg`: generated small workspaces whose meaning depends on what Cargo switches on (features that
//! enable each other, optional, renamed and target-specific dependencies, build scripts, resolvers, editions), bundled
//! for judges who know nothing of that. Each prints what Cargo's build prints, or is refused by name.
//!
//! A dozen run with the others; all of them:
//! `cargo test --release -p fifty-tools --test bundle_features -- --ignored --nocapture`.
//! `WORKSPACE=N` in front runs number N alone and shows it.

#[path = "bundle_features/pieces.rs"]
mod pieces;
#[path = "bundle_features/workspace.rs"]
mod workspace;

use fifty_tools::bundle::print::Minify;
use fifty_tools::bundle::target::Target;
use fifty_tools::bundle::unit::Selection;
use fifty_tools::bundle::{Progress, Request, bundle};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use workspace::Workspace;

/// How many there are.
const ALL: u64 = 200;
/// Of them in every run of the tests: one in this many.
const EVERY: u64 = 17;

/// The program that Cargo makes of it, run.
fn expected(made: &Workspace, dir: &Path) -> (String, Option<i32>) {
    let mut command = Command::new("cargo");
    command
        .args([
            "build",
            "--release",
            "--quiet",
            "--offline",
            "--bin",
            "app",
            "--manifest-path",
        ])
        .arg(dir.join("app/Cargo.toml"))
        .env("CARGO_TARGET_DIR", dir.join("target"))
        .env("RUSTFLAGS", "-Awarnings");
    selection(made, dir).features_for(&mut command);
    let out = command.output().unwrap();
    assert!(
        out.status.success(),
        "no program to begin with: {}\n{}",
        String::from_utf8_lossy(&out.stderr),
        made.text()
    );
    run(&dir.join("target/release/app"))
}

fn run(program: &Path) -> (String, Option<i32>) {
    let out = Command::new(program).output().unwrap();
    (
        String::from_utf8_lossy(&out.stdout).into_owned(),
        out.status.code(),
    )
}

fn selection(made: &Workspace, dir: &Path) -> Selection {
    Selection {
        bin: "app".to_owned(),
        manifest: Some(dir.join("app/Cargo.toml")),
        features: made.features.clone(),
        no_default_features: made.no_default_features,
        ..Selection::default()
    }
}

/// True if it says what is in the way and where: an edition or a macro that cannot be read in the other crate.
fn is_by_name(error: &str) -> bool {
    error.contains("in edition") || error.contains(" 0.1.0") && error.contains("cfg(")
}

/// `Ok(true)` if bundled and the same, `Ok(false)` if refused by name.
fn check(seed: u64, dir: &Path) -> Result<bool, String> {
    let made = Workspace::of(seed);
    made.write(dir);
    let expected = expected(&made, dir);
    assert!(!expected.0.is_empty() && expected.1 == Some(0), "{}", made.text());
    let request = Request {
        selection: selection(&made, dir),
        target: Target::find(["plain", "codingame", "nypc"][seed as usize % 3]).unwrap(),
        minify: if seed % 5 == 0 { Minify::Full } else { Minify::None },
        progress: Progress::Silent,
        cache: Some(dir.join("target")),
        // With a budget the bundler goes other ways.
        budget: (seed % 2 == 0).then(|| Duration::from_secs(20)),
    };
    let bundle = match bundle(&request) {
        Ok(bundle) => bundle,
        Err(error) => {
            let text = format!("{error:#}");
            return if is_by_name(&text) {
                println!("workspace {seed} is refused: {text}");
                Ok(false)
            } else {
                Err(format!("{text}\n{}", made.text()))
            };
        }
    };
    let program = dir.join("program");
    bundle
        .compile
        .program(&bundle.text, &program)
        .map_err(|error| format!("{error:#}\n{}\nof\n{}", bundle.text, made.text()))?;
    let got = run(&program);
    if got != expected {
        return Err(format!(
            "a wrong program: {got:?} instead of {expected:?}\n{}\nof\n{}",
            bundle.text,
            made.text()
        ));
    }
    Ok(true)
}

fn check_all(seeds: impl Iterator<Item = u64>) {
    let (mut same, mut refused, mut wrong) = (0, 0, Vec::new());
    for seed in seeds {
        let dir = tempfile::tempdir().unwrap();
        match check(seed, dir.path()) {
            Ok(true) => same += 1,
            Ok(false) => refused += 1,
            Err(why) => {
                println!("workspace {seed}: {}", why.lines().next().unwrap_or_default());
                wrong.push(format!("workspace {seed}: {why}"));
            }
        }
    }
    println!(
        "{same} the same, {refused} refused by name, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(same > 9 * refused, "{refused} refused of {}", same + refused);
}

#[test]
fn some_feature_combinations_mean_the_same() {
    check_all((0..ALL).step_by(EVERY as usize));
}

#[test]
#[ignore = "a quarter of an hour of CPU time"]
fn every_feature_combination_means_the_same() {
    match std::env::var("WORKSPACE") {
        Ok(seed) => {
            let seed = seed.parse().expect("WORKSPACE is a number");
            println!("{}", Workspace::of(seed).text());
            check_all(std::iter::once(seed));
        }
        Err(_) => check_all(0..ALL),
    }
}
