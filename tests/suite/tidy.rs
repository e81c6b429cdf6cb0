//! The house rules a compiler does not know: layering, file sizes, module heads, top level.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every `.rs` file below `dir` with its text.
pub fn sources(dir: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(dir)];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|n| n != "target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

/// The games: folders of `src/games`.
pub fn games() -> Vec<String> {
    let entries = fs::read_dir(root().join("src/games")).unwrap();
    let folders = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    folders
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect()
}

/// A game has its bot, its program, its adapter, its tests and a recorded game.
#[test]
fn no_game_is_half_there() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let suite = fs::read_to_string(root().join("tests/suite/main.rs")).unwrap();
    for game in games() {
        for place in [
            format!("bots/{game}.rs"),
            format!("tools/src/games/{game}/adapter.rs"),
            format!("tests/data/{game}"),
        ] {
            assert!(root().join(&place).exists(), "{place} is missing");
        }
        assert!(
            manifest.contains(&format!("\nname = \"{game}\"\npath = \"bots/{game}.rs\"")),
            "{game}: no [[bin]]"
        );
        assert!(
            suite.contains(&format!("\nmod {game}")),
            "{game}: not in tests/suite/main.rs"
        );
    }
}

/// Imports only run downwards: kit <- search <- games, and no game knows another.
#[test]
fn imports_run_downwards() {
    let games = games();
    for (path, text) in sources("src") {
        let place = path.to_string_lossy();
        let mut forbidden: Vec<String> = Vec::new();
        if place.starts_with("src/kit") {
            forbidden.extend(["crate::search".into(), "crate::games".into()]);
        } else if place.starts_with("src/search") {
            forbidden.push("crate::games".into());
        } else if let Some(game) = games
            .iter()
            .find(|g| place.starts_with(&format!("src/games/{g}/")))
        {
            forbidden.extend(games.iter().filter(|g| *g != game).map(|g| format!("games::{g}")));
        }
        for (n, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in &forbidden {
                assert!(
                    !code.contains(word.as_str()),
                    "{place}:{}: {word} must not be named here",
                    n + 1
                );
            }
        }
    }
}

/// Bundled code names what it uses.
#[test]
fn bot_side_code_has_no_globs() {
    for (path, text) in sources("src").into_iter().chain(sources("bots")) {
        for (n, line) in text.lines().enumerate() {
            let line = line.trim();
            let glob = (line.starts_with("use ") || line.starts_with("pub use ")) && line.ends_with("::*;");
            assert!(!glob, "{}:{}: a glob import", path.display(), n + 1);
        }
    }
}

/// One concern a file: at most 600 lines, and its first lines say which.
#[test]
fn files_are_short_and_open_with_their_purpose() {
    for dir in ["src", "bots", "tools", "tests/suite"] {
        for (path, text) in sources(dir) {
            let lines = text.lines().count();
            assert!(lines <= 600, "{}: {lines} lines", path.display());
            assert!(
                text.starts_with("//!"),
                "{}: does not open with its purpose",
                path.display()
            );
        }
    }
}

/// Modules that would become root modules of a bundle must not take a standard crate's name.
#[test]
fn no_module_takes_a_standard_name() {
    for (path, _) in sources("src") {
        let stem = path.file_stem().unwrap().to_string_lossy();
        let dir = path.parent().unwrap().file_name().unwrap().to_string_lossy();
        for name in ["core", "std", "alloc", "test"] {
            assert!(
                stem != name && dir != name,
                "{}: a module named {name}",
                path.display()
            );
        }
    }
}

/// What no bot uses lies in `unshipped`, and nothing that ships names it.
#[test]
fn shipped_code_does_not_name_the_unshipped() {
    for (path, text) in sources("src/games").into_iter().chain(sources("bots")) {
        if path.to_string_lossy().contains("/unshipped/") {
            continue;
        }
        for (n, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let named = code.contains("unshipped") && code.trim() != "pub mod unshipped;";
            assert!(!named, "{}:{}: names what does not ship", path.display(), n + 1);
        }
    }
}
