//! The bundler on tiny projects, one construct each: the bundle compiled alone in an empty folder answers
//! as the cargo build does, with and without optimisation, at every degree of squeezing.

use fifty_tools::bundle::print::Minify;
use fifty_tools::bundle::target::Target;
use fifty_tools::bundle::unit::Selection;
use fifty_tools::bundle::{Bundle, Progress, Request, alone::Compile, bundle};
use rayon::prelude::*;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

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
        budget: None,
    }
}

/// Folder with the programs Cargo makes of all projects.
fn cargo_builds() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundle");
        let out = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--locked"])
            .args(
                (1..=68)
                    .filter(|n| ![33, 37, 51].contains(n))
                    .flat_map(|n| ["-p".to_owned(), format!("b{n:02}")]),
            )
            .args(["-p", "popular"])
            .arg("--manifest-path")
            .arg(projects().join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        target.join("release")
    })
}

/// What it prints and how it ends; none of them takes a second.
fn run(program: &Path) -> (String, Option<i32>) {
    let out = Command::new("sh")
        .args(["-c", "ulimit -t 20; exec \"$0\""])
        .arg(program)
        .output()
        .unwrap();
    (
        String::from_utf8_lossy(&out.stdout).into_owned(),
        out.status.code(),
    )
}

/// Bundles one project at every degree, compiles and runs it in every way.
fn check(project: &str) -> Result<(), String> {
    check_against(
        project,
        &cargo_builds().join(request(project, Minify::None).selection.bin),
    )
}

fn check_against(project: &str, built: &Path) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    let expected = run(built);
    assert!(!expected.0.is_empty(), "{project} prints something");
    for minify in [Minify::None, Minify::Light, Minify::Full] {
        let bundle = bundle(&request(project, minify)).map_err(|error| format!("{error:#}"))?;
        let ways: &[&str] = match minify {
            Minify::None => &["-O", "-Copt-level=0"],
            Minify::Light | Minify::Full => &["-Copt-level=0"],
        };
        let edition = bundle.compile.edition;
        for flag in ways {
            let program = dir.path().join("program");
            let compile = Compile {
                edition,
                flags: vec![(*flag).to_owned()],
                ..Compile::default()
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
        .filter(|name| !["33", "34", "37", "51"].contains(&&name[..2]) && name.as_bytes()[0].is_ascii_digit())
        .collect();
    names.sort();
    assert_eq!(names.len(), 64);
    cargo_builds();
    let failures: Vec<String> = names
        .par_iter()
        .filter_map(|name| check(name).err().map(|error| format!("{name}: {error}")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Bundles a program of `popular` in little time, and compiles and runs it.
fn check_popular(bin: &str) -> Result<(), String> {
    let mut request = request("popular", Minify::None);
    bin.clone_into(&mut request.selection.bin);
    request.budget = Some(Duration::from_secs(1));
    let bundle = bundle(&request).map_err(|error| format!("{error:#}"))?;
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("program");
    let compile = Compile {
        edition: bundle.compile.edition,
        flags: vec!["-Copt-level=0".to_owned()],
        ..Compile::default()
    };
    let compiled = compile.program(&bundle.text, &program);
    compiled.map_err(|error| format!("{error:#}"))?;
    let (expected, got) = (run(&cargo_builds().join(bin)), run(&program));
    if expected.0.is_empty() || got != expected {
        return Err(format!("expected {expected:?}, got {got:?}"));
    }
    Ok(())
}

/// A judge's crate is used if the judge builds it with the features that the program has on.
#[test]
fn a_judges_crate_without_a_feature_comes_into_the_file() {
    let mut request = request("popular", Minify::None);
    "p11_rand".clone_into(&mut request.selection.bin);
    request.budget = Some(Duration::from_secs(1));
    let judge = [("rand".to_owned(), "0.8.5".to_owned())];
    request.target.crates = judge.into();
    let told = |bundle: &fifty_tools::bundle::Bundle| {
        bundle.notes.iter().any(|note| note.contains("rand (small_rng)"))
    };
    let without = bundle(&request).unwrap();
    assert!(
        without.text.contains("mod rand {") && told(&without),
        "{:?}",
        without.notes
    );
    let features = [("rand".to_owned(), vec!["small_rng".to_owned()])];
    request.target.features = features.into();
    let with = bundle(&request).unwrap();
    assert!(
        !with.text.contains("mod rand {") && !told(&with),
        "{:?}",
        with.notes
    );
    request.target.crates = [("rand".to_owned(), "0.9.0".to_owned())].into();
    let newer = bundle(&request).unwrap();
    let said = "inlined, as the judge has another version: rand 0.8.8 (there 0.9.0)";
    assert!(newer.notes.iter().any(|note| note == said), "{:?}", newer.notes);
}

#[test]
fn programs_on_popular_crates_mean_the_same() {
    let names: Vec<String> = std::fs::read_dir(projects().join("popular/src/bin"))
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
    assert_eq!(names.len(), 12);
    cargo_builds();
    let failures: Vec<String> = names
        .par_iter()
        .filter_map(|name| check_popular(name).err().map(|error| format!("{name}: {error}")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn what_cannot_be_inlined_is_refused_by_name() {
    let error = bundle(&request("33-c-library", Minify::None)).unwrap_err();
    let text = format!("{error:#}");
    for word in ["linked 0.1.0", "links the library dylib=nosuch", "main"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn errors_of_the_program_itself_are_shown_without_its_warnings() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = dir.path().join("Cargo.toml");
    let package = "[package]\nname = \"faulty\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(&manifest, package).unwrap();
    let text = "fn unused() {}\nfn main() {\n    let x: u8 = \"a\";\n    missing();\n}\n";
    std::fs::write(dir.path().join("src/main.rs"), text).unwrap();
    let request = Request {
        selection: Selection {
            bin: "faulty".to_owned(),
            manifest: Some(manifest),
            ..Selection::default()
        },
        ..request("01-use-lib", Minify::None)
    };
    let error = format!("{:#}", bundle(&request).err().unwrap());
    assert!(
        error.starts_with("the program itself does not compile:\nerror"),
        "{error}"
    );
    for (said, is_said) in [("src/main.rs:3:17", true), ("`missing`", true), ("unused", false)] {
        assert_eq!(error.contains(said), is_said, "{error}");
    }
}

#[test]
fn nothing_is_left_in_the_folder_for_temporary_files() {
    let (folder, output) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let out = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args([
            "bundle",
            "b31",
            "--target",
            "plain",
            "--budget",
            "5",
            "--manifest-path",
        ])
        .arg(projects())
        .arg("-o")
        .arg(output.path().join("b31.rs"))
        .env("CARGO_TARGET_DIR", output.path().join("target"))
        .env("TMPDIR", folder.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_signal_ends_the_search_and_what_is_proven_is_written() {
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("rand.rs");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args([
            "bundle",
            "p11_rand",
            "--target",
            "plain",
            "--trace",
            "--manifest-path",
        ])
        .arg(projects().join("popular"))
        .arg("-o")
        .arg(&file)
        .env("CARGO_TARGET_DIR", output.path().join("target"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        if line.starts_with("started: ") && !said.iter().any(|l: &String| l.starts_with("started: ")) {
            let killed = Command::new("kill")
                .args(["-TERM", &child.id().to_string()])
                .status();
            assert!(killed.unwrap().success());
        }
        said.push(line);
    }
    assert!(child.wait().unwrap().success(), "{said:?}");
    assert!(
        said.iter().any(|line| line.starts_with("note: SIGTERM")),
        "{said:?}"
    );
    let program = output.path().join("program");
    let compile = Compile {
        edition: 2021,
        ..Compile::default()
    };
    compile
        .program(&std::fs::read_to_string(&file).unwrap(), &program)
        .unwrap();
    assert_eq!(run(&program), run(&cargo_builds().join("p11_rand")));
}

#[test]
fn where_nothing_can_be_written_another_target_folder_does() {
    let output = tempfile::tempdir().unwrap();
    let (file, text) = (output.path().join("target"), output.path().join("b01.rs"));
    std::fs::write(&file, "no folder").unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_fifty"))
        .args(["bundle", "b01", "--target", "plain", "--manifest-path"])
        .arg(projects())
        .arg("-o")
        .arg(&text)
        .env("CARGO_TARGET_DIR", &file)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(std::fs::metadata(&text).unwrap().len() > 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "no folder");
}

/// One text of a macro cannot answer its callers differently.
#[test]
fn a_macro_whose_callers_differ_is_refused_by_name() {
    let error = bundle(&request("37-two-answers", Minify::None)).unwrap_err();
    let text = format!("{error:#}");
    let words = [
        "asking/src/lib.rs:4",
        "`level!`",
        "cfg(feature = \"loud\")",
        "b37 0.1.0",
        "asking 0.1.0",
    ];
    for word in words {
        assert!(text.contains(word), "{text}");
    }
    let mut request = request("37-two-answers", Minify::None);
    "two-roots".clone_into(&mut request.selection.bin);
    let text = format!("{:#}", bundle(&request).unwrap_err());
    for word in ["`whose!`", "`crate`", "b37 0.1.0", "asking 0.1.0"] {
        assert!(text.contains(word), "{text}");
    }
}

/// Outside of the compiler a macro cannot be told where it is called.
#[test]
fn a_macro_that_the_compiler_answers_otherwise_is_refused_by_name() {
    let mut request = request("67-printed-tokens", Minify::None);
    "standing".clone_into(&mut request.selection.bin);
    let text = format!("{:#}", bundle(&request).unwrap_err());
    for word in [
        "67-printed-tokens/src/bin/standing.rs",
        "standing of tells 0.1.0",
        "compiler",
    ] {
        assert!(text.contains(word), "{text}");
    }
}

/// What it does is read in its own edition, and its callers in theirs: one text has one.
#[test]
fn what_a_macro_of_another_edition_makes_is_refused_where_it_differs() {
    for (bin, by) in [
        ("older-tail", "makers::tail"),
        ("older-closure", "makers::closure"),
        ("older-sizes", "makers::sizes"),
    ] {
        for target in ["plain", "codingame"] {
            let mut request = request("64-older-makers", Minify::None);
            bin.clone_into(&mut request.selection.bin);
            request.target = Target::find(target).unwrap();
            let text = format!("{:#}", bundle(&request).unwrap_err());
            assert!(text.contains(by) && text.contains("edition 2018"), "{text}");
        }
    }
}

/// What a machine that runs the bundle has, and the one that made it may not have, and the other way round.
#[test]
fn both_branches_of_what_a_machine_decides_are_whole() {
    for (target, is_known) in [("plain", false), ("nypc", false), ("codingame", true)] {
        let mut request = request("68-other-machine", Minify::None);
        request.target = Target::find(target).unwrap();
        let bundle = bundle(&request).unwrap();
        assert_eq!(
            bundle.text.contains("target_feature"),
            !is_known,
            "{}",
            bundle.text
        );
        let dir = tempfile::tempdir().unwrap();
        let mut compile = bundle.compile.clone();
        compile.flags.retain(|flag| !flag.contains("target-cpu"));
        for (feature, expected) in [("-sse3", "33"), ("+sse3", "79925")] {
            let program = dir.path().join("program");
            compile.flags.push(format!("-Ctarget-feature={feature}"));
            compile.program(&bundle.text, &program).unwrap();
            compile.flags.pop();
            let expected = if is_known { "33" } else { expected };
            let out = Command::new(&program).output().unwrap();
            assert_eq!(
                String::from_utf8_lossy(&out.stdout).trim(),
                expected,
                "{target} {feature}"
            );
        }
    }
}

/// Bundles a project for a judge of another edition and compares what both print.
fn check_in(project: &str, (target, edition): (&str, u16)) {
    let mut request = request(project, Minify::None);
    request.target = Target::find(target).unwrap();
    let bundle = bundle(&request).unwrap();
    assert_eq!(bundle.compile.edition, edition);
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("program");
    bundle.compile.program(&bundle.text, &program).unwrap();
    let built = cargo_builds().join(&request.selection.bin);
    assert_eq!(run(&program), run(&built), "{}", bundle.text);
}

#[test]
fn a_newer_program_means_the_same_in_an_older_file() {
    for project in [
        "35-edition-2024",
        "52-held-by-method",
        "55-newer-prelude",
        "64-older-makers",
    ] {
        check_in(project, ("codingame", 2021));
    }
}

#[test]
fn an_older_program_means_the_same_in_a_newer_file() {
    check_in("65-older-macros", ("nypc", 2024));
}

#[test]
fn an_older_program_means_the_same_or_is_refused() {
    if let Err(error) = bundle(&request("34-edition-2018", Minify::None)) {
        let text = format!("{error:#}");
        assert!(
            text.contains("in edition 2021") && text.contains("2018"),
            "{text}"
        );
        return;
    }
    check("34-edition-2018").unwrap();
}

#[test]
fn what_the_own_configuration_says_holds_from_everywhere() {
    let project = "51-own-config";
    let target = tempfile::tempdir().unwrap();
    let out = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--locked"])
        .current_dir(projects().join(project))
        .env("CARGO_TARGET_DIR", target.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let built = target.path().join("release/b51");
    assert_eq!(run(&built).0, "contest own level 7\nNone false\n");
    check_against(project, &built).unwrap();
}

#[test]
fn an_example_is_bundled_with_the_features_that_are_asked_for() {
    let mut request = request("44-example-and-features", Minify::None);
    "show".clone_into(&mut request.selection.bin);
    request.selection.example = true;
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("program");
    for (features, all, no_default, expected) in [
        (&[][..], false, false, "plain"),
        (&["loud"], false, false, "plain+loud"),
        (&["fast"], false, true, "fast"),
        (&[], true, false, "plain+fast+loud"),
    ] {
        request.selection.features = features.iter().map(|name| (*name).to_owned()).collect();
        request.selection.all_features = all;
        request.selection.no_default_features = no_default;
        let bundle = bundle(&request).unwrap();
        bundle.compile.program(&bundle.text, &program).unwrap();
        assert_eq!(run(&program).0.trim(), expected);
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

#[test]
fn digits_of_tables_shrink_but_where_they_are_printed() {
    let text = bundle(&request("28-const-tables", Minify::Full)).unwrap().text;
    for shown in ["0x0000_00fe", "0x0000_0001..=0x0000_0002", "1_000.000_5e0_1"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    for short in [",258,0xffffffffffffffff,", ",255,7986,511u64", "127i8"] {
        assert!(text.contains(short), "{short}: {text}");
    }
    assert!(!text.contains("0b"), "{text}");
}

/// The limit lies between two degrees in turn: the one that fits is taken, where none is named.
#[test]
fn what_is_over_the_limit_is_squeezed_as_little_as_fits() {
    let sizes = [Minify::None, Minify::Light, Minify::Full].map(|level| ten_lines(level).characters);
    let output = tempfile::tempdir().unwrap();
    let (judge, file) = (output.path().join("judge.json"), output.path().join("b10.rs"));
    let bundled = |limit: usize, options: &[&str]| {
        let text = format!(
            r##"{{"name": "judge", "edition": 2021, "limit": {limit}, "header": ["#![allow(warnings)]"]}}"##
        );
        std::fs::write(&judge, text).unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_fifty"))
            .args(["bundle", "b10", "--target"])
            .arg(&judge)
            .arg("--manifest-path")
            .arg(projects())
            .arg("-o")
            .arg(&file)
            .args(options)
            .env("CARGO_TARGET_DIR", output.path().join("target"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        let length = std::fs::metadata(&file).map_or(0, |file| file.len() as usize);
        let _ = std::fs::remove_file(&file);
        (out.status.success(), length, said)
    };
    for (limit, length, level) in [
        (sizes[0], sizes[0], None),
        (sizes[0] - 1, sizes[1], Some("light")),
        (sizes[1] - 1, sizes[2], Some("full")),
    ] {
        let (is_made, found, said) = bundled(limit, &[]);
        assert!(
            is_made && found == length,
            "{limit}: {found} of {sizes:?}: {said}"
        );
        let note = level.map(|level| format!("squeezed by --minify {level}"));
        assert!(note.is_none_or(|note| said.contains(&note)), "{said}");
    }
    for (limit, options) in [(sizes[2] - 1, &[][..]), (sizes[1], &["--minify", "none"])] {
        let (is_made, found, said) = bundled(limit, options);
        assert!(!is_made && found == 0, "{said}");
        assert!(said.contains("with --minify full: "), "{said}");
    }
}

/// How much time there might have been says nothing where it did not run out.
#[test]
fn a_budget_that_does_not_end_changes_nothing() {
    for project in ["10-arrayvec", "23-visibility-and-generics", "30-nested-macros"] {
        let texts: Vec<String> = [None, Some(100_000), None]
            .par_iter()
            .map(|seconds| {
                let cold = tempfile::tempdir().unwrap();
                let mut request = request(project, Minify::None);
                request.budget = seconds.map(Duration::from_secs);
                request.cache = Some(cold.path().to_owned());
                let first = bundle(&request).unwrap().text;
                assert_eq!(bundle(&request).unwrap().text, first, "{project}, from the cache");
                first
            })
            .collect();
        assert!(texts.iter().all(|text| *text == texts[0]), "{project}");
    }
}
